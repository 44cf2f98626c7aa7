//! `form_submissions`: what visitors have sent, accepted or kept apart.

use pagesmith_model::form::enrichment::{Enrichment, EnrichmentStatus};
use pagesmith_model::form::submission::Submission;
use pagesmith_model::{Error, PersonId, Result, SubmissionId, TenantId};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::{Query, Sql};
use crate::tables::counters;
use crate::tx::Tx;
use crate::{sql, values};

/// `SELECT` and the columns of a submission.
const SUBMISSION: Sql = sql!(
    "SELECT submission_id, form_id, page_id, audience_id, audience_session_id, person_id, is_spam, spam_reasons, input,
            agreements, contact, utm_parameters, digest, submitted_at, accepted_at, enrichment_status, enriched_data,
            enrichment_error, enrichment_ended_at"
);

fn submission(row: &Row) -> Result<Submission> {
    Ok(Submission {
        submission_id: row.take("submission_id")?,
        form_id: row.take("form_id")?,
        page_id: row.take("page_id")?,
        audience_id: row.take("audience_id")?,
        session_id: row.take("audience_session_id")?,
        person_id: row.take("person_id")?,
        is_spam: row.take("is_spam")?,
        spam_reasons: row.take("spam_reasons")?,
        input: row.take("input")?,
        agreements: row.take("agreements")?,
        contact: row.take("contact")?,
        utm_parameters: row.take("utm_parameters")?,
        digest: row.take("digest")?,
        submitted_at: row.take("submitted_at")?,
        accepted_at: row.take("accepted_at")?,
        enrichment: enrichment(row)?,
    })
}

fn enrichment(row: &Row) -> Result<Option<Enrichment>> {
    let Some(status) = row.take::<Option<String>>("enrichment_status")? else { return Ok(None) };
    let status = EnrichmentStatus::parse(&status);
    Ok(Some(Enrichment {
        status: status.ok_or_else(|| Error::internal("an unknown status of an enrichment"))?,
        data: row.take("enriched_data")?,
        error: row.take("enrichment_error")?,
        ended_at: row.take("enrichment_ended_at")?,
    }))
}

/// Adds a submission, unless it is there.
pub fn insert(tenant: &TenantId, submission: &Submission) -> Query {
    sql!(
        "INSERT INTO form_submissions
            (tenant_id, submission_id, form_id, page_id, audience_id, audience_session_id, person_id, is_spam, spam_reasons,
             input, agreements, contact, utm_parameters, digest, submitted_at, accepted_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
         ON CONFLICT DO NOTHING"
    )
    .with(values![
        tenant,
        &submission.submission_id,
        &submission.form_id,
        &submission.page_id,
        &submission.audience_id,
        &submission.session_id,
        &submission.person_id,
        submission.is_spam,
        &submission.spam_reasons,
        &submission.input,
        &submission.agreements,
        &submission.contact,
        &submission.utm_parameters,
        submission.digest.as_deref(),
        submission.submitted_at,
        submission.accepted_at,
    ])
}

/// Replaces what may change of a submission.
pub fn update(tenant: &TenantId, submission: &Submission) -> Query {
    let enrichment = submission.enrichment.as_ref();
    sql!(
        "UPDATE form_submissions SET person_id = $3, is_spam = $4, spam_reasons = $5, accepted_at = $6,
            enrichment_status = $7, enriched_data = $8, enrichment_error = $9, enrichment_ended_at = $10
         WHERE tenant_id = $1 AND submission_id = $2"
    )
    .with(values![
        tenant,
        &submission.submission_id,
        &submission.person_id,
        submission.is_spam,
        &submission.spam_reasons,
        submission.accepted_at,
        enrichment.map(|enrichment| enrichment.status.as_str()),
        &enrichment.and_then(|enrichment| enrichment.data.clone()),
        enrichment.and_then(|enrichment| enrichment.error.as_deref()),
        enrichment.and_then(|enrichment| enrichment.ended_at),
    ])
}

/// Replaces the answers of a submission.
pub fn set_input(tenant: &TenantId, submission: &Submission) -> Query {
    sql!("UPDATE form_submissions SET input = $3 WHERE tenant_id = $1 AND submission_id = $2").with(values![
        tenant,
        &submission.submission_id,
        &submission.input,
    ])
}

/// The submission.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, id: &SubmissionId) -> Result<Option<Submission>> {
    let select = SUBMISSION
        .with(vec![])
        .and(sql!("FROM form_submissions WHERE tenant_id = $1 AND submission_id = $2"), values![tenant, id]);
    tx.maybe(select)?.as_ref().map(submission).transpose()
}

/// The submission with one of two digests.
pub fn find_by_digest(tx: &mut Tx<'_>, tenant: &TenantId, digests: [&[u8]; 2]) -> Result<Option<Submission>> {
    let select = SUBMISSION.with(vec![]).and(
        sql!(
            "FROM form_submissions WHERE tenant_id = $1 AND digest IS NOT NULL AND digest IN ($2, $3)
             ORDER BY submission_id LIMIT 1"
        ),
        values![tenant, digests[0], digests[1]],
    );
    tx.maybe(select)?.as_ref().map(submission).transpose()
}

/// A filter of submissions.
#[derive(Debug, Clone, Default)]
pub struct SubmissionFilter {
    /// Only those of a form that is named like this.
    pub form_id: Option<String>,
    /// Only those that are kept apart, or only those that are not.
    pub is_spam: Option<bool>,
}

impl SubmissionFilter {
    fn within(&self, query: Query, tenant: &TenantId) -> Query {
        let mut query = query.and(sql!("FROM form_submissions WHERE tenant_id = $1"), values![tenant]);
        if let Some(form_id) = &self.form_id {
            query = query.and(sql!("AND form_id = $1"), values![form_id.as_str()]);
        }
        if let Some(is_spam) = self.is_spam {
            query = query.and(sql!("AND is_spam = $1"), values![is_spam]);
        }
        query
    }
}

/// The submissions that pass the filter after one, newest first; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    filter: &SubmissionFilter,
    after: Option<&SubmissionId>,
    extent: Extent,
) -> Result<(ListPart<Submission>, u64)> {
    let mut select = filter.within(SUBMISSION.with(vec![]), tenant);
    if let Some(submission_id) = after {
        select = select.and(sql!("AND submission_id < $1"), values![submission_id]);
    }
    select = select.and(sql!("ORDER BY submission_id DESC LIMIT $1"), values![extent.rows()]);
    let part = ListPart::read(&tx.all(select.within(extent.bytes))?, extent, submission)?;
    let count = filter.within(sql!("SELECT COUNT(*) AS total").with(vec![]), tenant);
    Ok((part, counters::total(&tx.all(count)?)?))
}

/// The submissions of a person, the oldest first, after a position, up to `limit`.
pub fn of_person(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    person_id: &PersonId,
    after: Option<&SubmissionId>,
    limit: i64,
) -> Result<Vec<Submission>> {
    tx.all(oldest_with_person(tenant, person_id, after, limit))?.iter().map(submission).collect()
}

/// What a person has sent, newest first, after a position, up to `limit`.
pub fn newest_of_person(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    person_id: &PersonId,
    after: Option<&SubmissionId>,
    limit: i64,
) -> Result<Vec<Submission>> {
    tx.all(newest_with_person(tenant, person_id, after, limit))?.iter().map(submission).collect()
}

// What a person's submissions are ordered by is no column: SQLite would take the primary key for one, and walk all submissions of the tenant.

pub(in crate::tables) fn oldest_with_person(
    tenant: &TenantId,
    person_id: &PersonId,
    after: Option<&SubmissionId>,
    limit: i64,
) -> Query {
    let mut select = with_person(tenant, person_id);
    if let Some(id) = after {
        select = select.and(sql!("AND SUBSTR(submission_id, 1) > $1"), values![id]);
    }
    select.and(sql!("ORDER BY SUBSTR(submission_id, 1) LIMIT $1"), values![limit])
}

pub(in crate::tables) fn newest_with_person(
    tenant: &TenantId,
    person_id: &PersonId,
    after: Option<&SubmissionId>,
    limit: i64,
) -> Query {
    let mut select = with_person(tenant, person_id);
    if let Some(id) = after {
        select = select.and(sql!("AND SUBSTR(submission_id, 1) < $1"), values![id]);
    }
    select.and(sql!("ORDER BY SUBSTR(submission_id, 1) DESC LIMIT $1"), values![limit])
}

fn with_person(tenant: &TenantId, person_id: &PersonId) -> Query {
    SUBMISSION.with(vec![]).and(
        sql!("FROM form_submissions WHERE tenant_id = $1 AND person_id = $2 AND person_id IS NOT NULL"),
        values![tenant, person_id],
    )
}

/// Removes a submission.
pub fn remove(tenant: &TenantId, id: &SubmissionId) -> Query {
    sql!("DELETE FROM form_submissions WHERE tenant_id = $1 AND submission_id = $2").with(values![tenant, id])
}

/// Removes every submission of a person.
pub fn remove_of_person(tenant: &TenantId, person_id: &PersonId) -> Query {
    sql!("DELETE FROM form_submissions WHERE tenant_id = $1 AND person_id = $2 AND person_id IS NOT NULL")
        .with(values![tenant, person_id])
}

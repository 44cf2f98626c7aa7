//! Everything about a person in pieces, each read in a short transaction: however much there is, little of it is in memory at once, and no write
//! waits for it.
//!
//! What this is not: a state of one instant. What is added or removed meanwhile may be in it or not; nothing is in it twice. If the person is erased
//! meanwhile, reading fails, so that nobody takes a part for the whole.

use std::collections::VecDeque;

use pagesmith_model::audit::Action;
use pagesmith_model::visit::session::{FormSubmitted, Session};
use pagesmith_model::{
    AudienceId, AudienceSessionId, AuditEntryId, Error, PageId, PersonId, PersonLogId, Result, SubmissionId,
    TenantId,
};
use pagesmith_store::tables::visits::interactions::Noted;
use pagesmith_store::tables::{
    accounts, audiences, audit as audit_rows, forms, logs, page_links, persons, versions, visits,
};
use pagesmith_store::{Extent, Store, Tx, Value};

use super::{
    AccountRecord, AnswerRecord, AudienceRecord, AuditRecord, Beginning, ExportPiece, LogRecord, MergeRecord,
    PersonRecord, SessionRecord, StepRecord, SubmissionRecord, VersionRecord, find,
};
use crate::audit;
use crate::context::{Context, TenantContext};
use crate::personal_data::{self, Search, TEXT_COLUMNS};
use crate::persons::merge;

/// How many entries of the log are read at once.
const LOGS: Extent = Extent { items: 500, bytes: 512 * 1024 };
/// How many versions: each has a content of up to a megabyte.
const VERSIONS: Extent = Extent { items: 4, bytes: usize::MAX };
/// How many visits.
const SESSIONS: i64 = 100;
/// How many submissions of forms: each has up to half a megabyte.
const SUBMISSIONS: i64 = 10;
/// How many entries of the audit.
const AUDIT_ENTRIES: i64 = 500;
/// The most visits, and the most submissions, that are handed out: the oldest.
const MOST: i64 = 10_000;

/// Where reading goes on.
#[derive(Debug, Clone)]
enum ExportPosition {
    Logs(Option<PersonLogId>),
    /// Those that are left.
    Audiences(VecDeque<(PageId, AudienceId)>),
    /// Those of this audience behind that number, and then the audiences that are left.
    Versions(AudienceId, Option<i64>, VecDeque<(PageId, AudienceId)>),
    /// Behind that one, and how many there were.
    Sessions(Option<AudienceSessionId>, i64),
    Submissions(Option<SubmissionId>, i64),
    /// In the columns of that number, behind that key.
    Mentions(usize, Option<Vec<Value>>),
    /// The persons into whom others may have been merged.
    Merged(Vec<PersonId>),
    /// Before that one.
    AuditEntries(AuditEntryId),
    End,
}

/// A person about whom everything is being read.
#[derive(Debug)]
pub struct Pieces {
    ctx: TenantContext,
    person_id: PersonId,
    search: Search,
    /// The entry of the audit that says that it is handed out.
    noted: AuditEntryId,
    place: ExportPosition,
}

impl Pieces {
    /// Begins, and notes in the audit that everything about the person is handed out.
    pub async fn begin(
        store: &Store,
        ctx: &Context,
        tenant: Option<&TenantId>,
        person_id: &PersonId,
    ) -> Result<(Beginning, Pieces)> {
        let (ctx, tenant, id) = (ctx.clone(), tenant.cloned(), person_id.clone());
        let begin = move |tx: &mut Tx<'_>| {
            let (tenant, person) = find(tx, tenant.as_ref(), &id)?;
            let ctx = ctx.of(tenant.clone());
            let account = match &person.account_id {
                Some(account_id) => accounts::find(tx, &tenant, account_id)?,
                None => None,
            };
            let search = Search::of(tx, &tenant, &id)?;
            let subject = audit::subject_of(&ctx, &id)?;
            let noted = audit::record(tx, &ctx, Some(&tenant), Action::PersonExported, &subject)?;
            let beginning = Beginning {
                tenant_id: tenant,
                person: PersonRecord::from(person),
                account: account.map(AccountRecord::from),
            };
            let person_id = id.clone();
            Ok((beginning, Pieces { ctx, person_id, search, noted, place: ExportPosition::Logs(None) }))
        };
        store.write(begin).await
    }

    /// The next piece, which may be an empty one; nothing if that was all.
    pub async fn next(&mut self, store: &Store) -> Result<Option<ExportPiece>> {
        if matches!(self.place, ExportPosition::End) {
            return Ok(None);
        }
        let reading = Reading {
            ctx: self.ctx.clone(),
            person_id: self.person_id.clone(),
            search: self.search.clone(),
            noted: self.noted.clone(),
        };
        let place = self.place.clone();
        let store = store.for_tenant(&self.ctx.tenant);
        let (piece, place) = store.read(move |tx| reading.read(tx, place.clone())).await?;
        self.place = place;
        Ok(Some(piece))
    }
}

/// Whom a piece is about.
struct Reading {
    ctx: TenantContext,
    person_id: PersonId,
    search: Search,
    noted: AuditEntryId,
}

impl Reading {
    /// The piece at a place, and the place behind it.
    fn read(&self, tx: &mut Tx<'_>, place: ExportPosition) -> Result<(ExportPiece, ExportPosition)> {
        let (tenant, person_id) = (&self.ctx.tenant, &self.person_id);
        persons::find(tx, tenant, person_id)?.ok_or_else(|| Error::not_found(PersonId::NOUN))?;
        match place {
            ExportPosition::Logs(after) => {
                let (part, _) = logs::list(tx, tenant, person_id, true, after.as_ref(), LOGS)?;
                let last = part.items.last().map(|log| log.log_id.clone()).filter(|_| part.more);
                let next = match last {
                    Some(last) => ExportPosition::Logs(Some(last)),
                    None => {
                        ExportPosition::Audiences(audiences::ids_of_person(tx, tenant, person_id)?.into())
                    }
                };
                Ok((ExportPiece::Logs(part.items.into_iter().map(LogRecord::from).collect()), next))
            }
            ExportPosition::Audiences(left) => self.audience(tx, left),
            ExportPosition::Versions(audience_id, after, left) => self.versions(tx, audience_id, after, left),
            ExportPosition::Sessions(after, count) => {
                let found = visits::sessions::of_person(tx, tenant, person_id, after.as_ref(), SESSIONS)?;
                let last = found.last().map(|session| session.session_id.clone());
                let records = found.into_iter().map(|session| session_record(tx, tenant, session));
                let records = records.collect::<Result<Vec<_>>>()?;
                let next = match last {
                    Some(last) if count + SESSIONS < MOST => {
                        ExportPosition::Sessions(Some(last), count + SESSIONS)
                    }
                    _ => ExportPosition::Submissions(None, 0),
                };
                Ok((ExportPiece::Sessions(records), next))
            }
            ExportPosition::Submissions(after, count) => {
                let found =
                    forms::submissions::of_person(tx, tenant, person_id, after.as_ref(), SUBMISSIONS)?;
                let next = match found.last().map(|last| last.submission_id.clone()) {
                    Some(last) if count + SUBMISSIONS < MOST => {
                        ExportPosition::Submissions(Some(last), count + SUBMISSIONS)
                    }
                    _ => ExportPosition::Mentions(0, None),
                };
                Ok((ExportPiece::Submissions(found.into_iter().map(SubmissionRecord::from).collect()), next))
            }
            ExportPosition::Mentions(at, after) => {
                let Some(columns) = TEXT_COLUMNS.get(at) else {
                    return Ok((
                        ExportPiece::Mentions(vec![]),
                        ExportPosition::Merged(vec![person_id.clone()]),
                    ));
                };
                let step = personal_data::look(tx, tenant, columns, after.as_deref(), &self.search)?;
                let next = match step.next {
                    Some(next) => ExportPosition::Mentions(at, Some(next)),
                    None => ExportPosition::Mentions(at + 1, None),
                };
                Ok((ExportPiece::Mentions(step.mentions), next))
            }
            ExportPosition::Merged(left) => self.merged(tx, left),
            ExportPosition::AuditEntries(before) => {
                let subject = audit::subject_of(&self.ctx, person_id)?;
                let found = audit_rows::about(tx, tenant, &subject, &before, AUDIT_ENTRIES)?;
                let next = match found.last() {
                    Some(last) => ExportPosition::AuditEntries(last.audit_entry_id.clone()),
                    None => ExportPosition::End,
                };
                let records = found.into_iter().map(|entry| AuditRecord {
                    audit_entry_id: entry.audit_entry_id,
                    action: entry.action,
                    created_at: entry.created_at,
                });
                Ok((ExportPiece::AuditEntries(records.collect()), next))
            }
            ExportPosition::End => Ok((ExportPiece::AuditEntries(vec![]), ExportPosition::End)),
        }
    }

    fn audience(
        &self,
        tx: &mut Tx<'_>,
        mut left: VecDeque<(PageId, AudienceId)>,
    ) -> Result<(ExportPiece, ExportPosition)> {
        let tenant = &self.ctx.tenant;
        let Some((page_id, audience_id)) = left.pop_front() else {
            return Ok((ExportPiece::Versions(vec![]), ExportPosition::Sessions(None, 0)));
        };
        // Erased meanwhile, it is not there any more.
        let Some(audience) = audiences::find(tx, tenant, &page_id, &audience_id)? else {
            return Ok((ExportPiece::Versions(vec![]), ExportPosition::Audiences(left)));
        };
        let links = page_links::paths_to(tx, tenant, &audience_id)?;
        let record = AudienceRecord {
            page_id: audience.page_id,
            audience_id: audience.audience_id,
            slug: audience.slug,
            secret_slug: audience.secret_slug,
            computed_name: audience.computed_name,
            custom_name: audience.custom_name,
            supplementary_context: audience.supplementary_context,
            metadata_override: audience.metadata_override,
            action_url_override: audience.overrides.url,
            action_form_id_override: audience.overrides.form_id,
            action_form_instructions_override: audience.overrides.form_instructions,
            links,
            created_at: audience.created_at,
            archived_at: audience.archived_at,
            versions: vec![],
        };
        Ok((ExportPiece::Audience(Box::new(record)), ExportPosition::Versions(audience_id, None, left)))
    }

    fn versions(
        &self,
        tx: &mut Tx<'_>,
        audience_id: AudienceId,
        after: Option<i64>,
        left: VecDeque<(PageId, AudienceId)>,
    ) -> Result<(ExportPiece, ExportPosition)> {
        let tenant = &self.ctx.tenant;
        let (part, _) = versions::list(tx, tenant, &audience_id, &[], after, VERSIONS)?;
        let mut records = Vec::new();
        for version in part.items {
            records.push(VersionRecord {
                content: versions::contents::find(tx, tenant, &version.version_id)?,
                version_id: version.version_id,
                version_number: version.life.number,
                status: version.life.status.as_str(),
                supplementary_context: version.supplementary_context,
                created_at: version.life.created_at,
            });
        }
        let next = match records.last().filter(|_| part.more) {
            Some(last) => ExportPosition::Versions(audience_id, Some(last.version_number), left),
            None => ExportPosition::Audiences(left),
        };
        Ok((ExportPiece::Versions(records), next))
    }

    /// Those who were merged into one person, in the order in which [`merge::merged_into`] has them all.
    fn merged(&self, tx: &mut Tx<'_>, mut left: Vec<PersonId>) -> Result<(ExportPiece, ExportPosition)> {
        let tenant = &self.ctx.tenant;
        let Some(person_id) = left.pop() else {
            return Ok((ExportPiece::Merged(vec![]), ExportPosition::AuditEntries(self.noted.clone())));
        };
        let mut records = Vec::new();
        for merge in merge::merged_at_first_hand(tx, tenant, &person_id)? {
            let person = persons::find(tx, tenant, &merge.person_id)?.map(PersonRecord::from);
            records.push(MergeRecord { person, fields: merge.fields, merged_at: merge.merged_at });
            left.push(merge.person_id);
        }
        Ok((ExportPiece::Merged(records), ExportPosition::Merged(left)))
    }
}

/// A visit with what was done in it.
fn session_record(tx: &mut Tx<'_>, tenant: &TenantId, session: Session) -> Result<SessionRecord> {
    let (mut answers, mut opened, mut used) = (Vec::new(), Vec::new(), Vec::new());
    for (noted, step) in visits::interactions::steps(tx, tenant, &session.session_id)? {
        match noted {
            Noted::View => opened.push(StepRecord { label: step.label, at: step.at }),
            Noted::Action(_) => used.push(StepRecord { label: step.label, at: step.at }),
            Noted::Answer(_) => answers.push(AnswerRecord {
                component_id: step.component_id,
                label: step.label,
                response_text: step.response_text,
                at: step.at,
            }),
        }
    }
    let form = session.form;
    let of_form = |get: fn(&FormSubmitted) -> Option<&String>| form.as_ref().and_then(get).cloned();
    Ok(SessionRecord {
        audience_session_id: session.session_id,
        page_id: session.page_id,
        audience_id: session.audience_id,
        started_at: session.started_at,
        last_at: session.last_at,
        engaged_ms: session.counted.engaged_ms,
        scroll: session.counted.scroll,
        clicks: session.counted.clicks,
        has_conversion: session.counted.has_conversion,
        source: session.origin.source,
        medium: session.origin.medium,
        campaign: session.origin.campaign,
        term: session.origin.term,
        content: session.origin.content,
        referrer: session.origin.referrer,
        device: session.device,
        language: session.language,
        form_submission_id: of_form(|form| Some(&form.submission_id)),
        form_identifier: of_form(|form| form.identifier.as_ref()),
        form_email: of_form(|form| form.email.as_ref()),
        form_phone: of_form(|form| form.phone.as_ref()),
        answers,
        pages_opened_again: opened,
        actions_used: used,
    })
}

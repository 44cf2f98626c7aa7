//! `audience_sessions`: the sessions of all tenants, open and closed, counted or not.

use std::ops::Range;

use pagesmith_model::id::Uuid7;
use pagesmith_model::visit::origin::Origin;
use pagesmith_model::visit::session::{FormSubmitted, Session};
use pagesmith_model::visit::sums::Counted;
use pagesmith_model::{
    AnalyticsSessionId, AudienceId, AudienceSessionId, PageId, PageLinkId, PersonId, Result, TenantId,
    Timestamp,
};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::{Query, Sql};
use crate::tables::listed;
use crate::tables::visits::number;
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

/// `SELECT` and the columns of a session.
pub(super) const SESSION: Sql = sql!(
    "SELECT audience_session_id, page_id, audience_id, analytics_session_id, visitor, closes_at, last_at, is_scripted,
            engaged_ms, scroll, clicks, interactions, questions, has_action, has_conversion, has_form, verdict, source,
            medium, campaign, term, content, referrer, page_link_id, device, language, person_id, form_submission_id,
            form_identifier, form_identifier_type, form_email, form_phone"
);

pub(super) fn session(row: &Row) -> Result<Session> {
    let bytes = number(row.take("audience_session_id")?)?;
    let page_id = PageId::from_bytes(number(row.take("page_id")?)?);
    let audience_id = AudienceId::from_bytes(number(row.take("audience_id")?)?);
    let analytics: Option<Vec<u8>> = row.take("analytics_session_id")?;
    let visitor: Option<Vec<u8>> = row.take("visitor")?;
    let closes_at: Option<Timestamp> = row.take("closes_at")?;
    let last_at = row.take("last_at")?;
    let counted = Counted {
        has_ended: closes_at.is_none(),
        is_scripted: row.take("is_scripted")?,
        engaged_ms: row.take("engaged_ms")?,
        scroll: row.take("scroll")?,
        clicks: row.take("clicks")?,
        interactions: row.take("interactions")?,
        questions: row.take("questions")?,
        has_action: row.take("has_action")?,
        has_conversion: row.take("has_conversion")?,
        has_form: row.take("has_form")?,
    };
    let verdict = row.take("verdict")?;
    let origin = Origin {
        source: row.take("source")?,
        medium: row.take("medium")?,
        campaign: row.take("campaign")?,
        term: row.take("term")?,
        content: row.take("content")?,
        referrer: row.take("referrer")?,
    };
    let link: Option<Vec<u8>> = row.take("page_link_id")?;
    let (device, language) = (row.take("device")?, row.take("language")?);
    let person_id: Option<PersonId> = row.take("person_id")?;
    let form = match row.take::<Option<String>>("form_submission_id")? {
        None => None,
        Some(submission_id) => Some(FormSubmitted {
            submission_id,
            identifier: row.take("form_identifier")?,
            identifier_type: row.take("form_identifier_type")?,
            email: row.take("form_email")?,
            phone: row.take("form_phone")?,
        }),
    };
    Ok(Session {
        session_id: AudienceSessionId::from_bytes(bytes),
        // A visitor's session has the digits of its first one to an audience.
        analytics_session_id: AnalyticsSessionId::from_bytes(analytics.map_or(Ok(bytes), number)?),
        page_id,
        audience_id,
        started_at: Uuid7::from_bytes(bytes).instant(),
        last_at,
        visitor,
        counted,
        verdict,
        origin,
        page_link_id: link.map(number).transpose()?.map(PageLinkId::from_bytes),
        device,
        language,
        person_id,
        form,
    })
}

/// The columns of a session that never change once it has begun.
fn first_values(tenant: &TenantId, session: &Session, closes_at: Timestamp) -> Vec<Value> {
    let (own, analytics) = (session.session_id.to_bytes(), session.analytics_session_id.to_bytes());
    let origin = &session.origin;
    values![
        tenant,
        own.as_slice(),
        session.page_id.to_bytes().as_slice(),
        session.audience_id.to_bytes().as_slice(),
        (analytics != own).then_some(analytics.as_slice()),
        session.visitor.as_deref(),
        closes_at,
        &session.verdict,
        &origin.source,
        &origin.medium,
        &origin.campaign,
        &origin.term,
        &origin.content,
        &origin.referrer,
        session.page_link_id.as_ref().map(|id| id.to_bytes().to_vec()),
        &session.device,
        &session.language,
    ]
}

/// What changes with every report.
fn totals(session: &Session) -> Vec<Value> {
    let counted = &session.counted;
    values![
        session.last_at,
        counted.is_scripted,
        counted.engaged_ms,
        counted.scroll,
        counted.clicks,
        counted.interactions,
        counted.questions,
        counted.has_action,
        counted.has_conversion,
        counted.has_form,
        &session.person_id,
    ]
}

/// Adds an open session, which is looked at when `closes_at` has passed.
pub fn insert(tenant: &TenantId, session: &Session, closes_at: Timestamp) -> Query {
    let mut all = first_values(tenant, session, closes_at);
    all.extend(totals(session));
    sql!(
        "INSERT INTO audience_sessions
            (tenant_id, audience_session_id, page_id, audience_id, analytics_session_id, visitor, closes_at, verdict, source,
             medium, campaign, term, content, referrer, page_link_id, device, language, last_at, is_scripted, engaged_ms,
             scroll, clicks, interactions, questions, has_action, has_conversion, has_form, person_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,
            $25, $26, $27, $28)"
    )
    .with(all)
}

/// Replaces the totals of a session.
pub fn update(tenant: &TenantId, session: &Session) -> Query {
    let mut all = values![tenant, session.session_id.to_bytes().as_slice()];
    all.extend(totals(session));
    sql!(
        "UPDATE audience_sessions SET last_at = $3, is_scripted = $4, engaged_ms = $5, scroll = $6, clicks = $7,
            interactions = $8, questions = $9, has_action = $10, has_conversion = $11, has_form = $12, person_id = $13
         WHERE tenant_id = $1 AND audience_session_id = $2"
    )
    .with(all)
}

/// Notes what the submission of a form has told of a session.
pub fn note_form(tenant: &TenantId, id: &AudienceSessionId, form: &FormSubmitted) -> Query {
    sql!(
        "UPDATE audience_sessions SET form_submission_id = $3, form_identifier = $4, form_identifier_type = $5,
            form_email = $6, form_phone = $7
         WHERE tenant_id = $1 AND audience_session_id = $2"
    )
    .with(values![
        tenant,
        id.to_bytes().as_slice(),
        &form.submission_id,
        &form.identifier,
        &form.identifier_type,
        &form.email,
        &form.phone,
    ])
}

/// Looks at an open session at another time.
pub fn postpone(tenant: &TenantId, id: &AudienceSessionId, closes_at: Timestamp) -> Query {
    sql!("UPDATE audience_sessions SET closes_at = $3 WHERE tenant_id = $1 AND audience_session_id = $2")
        .with(values![tenant, id.to_bytes().as_slice(), closes_at])
}

/// Closes a session: nobody can tell its visitor any more.
pub fn close(tenant: &TenantId, id: &AudienceSessionId) -> Query {
    sql!(
        "UPDATE audience_sessions SET closes_at = NULL, visitor = NULL
         WHERE tenant_id = $1 AND audience_session_id = $2"
    )
    .with(values![tenant, id.to_bytes().as_slice()])
}

/// Those of the sessions with these ids that there are.
pub fn find_many(tx: &mut Tx<'_>, tenant: &TenantId, ids: &[AudienceSessionId]) -> Result<Vec<Session>> {
    if ids.is_empty() {
        return Ok(vec![]);
    }
    let select = SESSION.with(vec![]).and(
        sql!("FROM audience_sessions WHERE tenant_id = $1 AND audience_session_id IN ("),
        values![tenant],
    );
    let ids = ids.iter().map(|id| Value::from(id.to_bytes().as_slice()));
    tx.all(listed(select, ids).and(sql!(")"), vec![]))?.iter().map(session).collect()
}

/// A session of a page.
pub fn find(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    page_id: &PageId,
    id: &AudienceSessionId,
) -> Result<Option<Session>> {
    let found = find_many(tx, tenant, std::slice::from_ref(id))?;
    Ok(found.into_iter().find(|session| session.page_id == *page_id && session.verdict.is_none()))
}

/// The open sessions of these visitors.
pub fn open_of(tx: &mut Tx<'_>, tenant: &TenantId, visitors: &[&[u8]]) -> Result<Vec<Session>> {
    if visitors.is_empty() {
        return Ok(vec![]);
    }
    tx.all(with_visitors(tenant, visitors))?.iter().map(session).collect()
}

pub(in crate::tables) fn with_visitors(tenant: &TenantId, visitors: &[&[u8]]) -> Query {
    let select = SESSION.with(vec![]).and(
        sql!("FROM audience_sessions WHERE tenant_id = $1 AND visitor IS NOT NULL AND visitor IN ("),
        values![tenant],
    );
    let visitors = visitors.iter().map(|visitor| Value::from(*visitor));
    listed(select, visitors).and(sql!(")"), vec![])
}

/// The open sessions that are to be looked at, up to `limit`.
pub fn due(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp, limit: i64) -> Result<Vec<Session>> {
    let select = SESSION.with(vec![]).and(
        sql!(
            "FROM audience_sessions WHERE tenant_id = $1 AND closes_at IS NOT NULL AND closes_at < $2
             ORDER BY closes_at, audience_session_id LIMIT $3"
        ),
        values![tenant, now, limit],
    );
    tx.all(select)?.iter().map(session).collect()
}

/// A filter of the sessions of a page.
#[derive(Debug, Clone)]
pub struct SessionFilter {
    /// The page.
    pub page_id: PageId,
    /// Only those of this audience, which is the page's.
    pub audience_id: Option<AudienceId>,
    /// Those that began in this range.
    pub range: Range<Timestamp>,
}

impl SessionFilter {
    /// The condition on the owner and the time.
    fn within(&self, query: Query, tenant: &TenantId) -> Query {
        let (from, to) = (bound(self.range.start), bound(self.range.end));
        let query = match &self.audience_id {
            // Of the two indexes the engine has no choice this way.
            Some(id) => query.and(
                sql!("FROM audience_sessions WHERE tenant_id = $1 AND audience_id = $2 AND verdict IS NULL"),
                values![tenant, id.to_bytes().as_slice()],
            ),
            None => query.and(
                sql!("FROM audience_sessions WHERE tenant_id = $1 AND page_id = $2 AND verdict IS NULL"),
                values![tenant, self.page_id.to_bytes().as_slice()],
            ),
        };
        query.and(sql!("AND audience_session_id >= $1 AND audience_session_id < $2"), values![from, to])
    }
}

/// The least number of a session that begins at an instant or later.
pub(super) fn bound(instant: Timestamp) -> Vec<u8> {
    Uuid7::first_of(instant).as_u128().to_be_bytes().to_vec()
}

/// The sessions that pass the filter, newest first, after a position.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    filter: &SessionFilter,
    after: Option<&AudienceSessionId>,
    extent: Extent,
) -> Result<ListPart<Session>> {
    let mut select = filter.within(SESSION.with(vec![]), tenant);
    if let Some(id) = after {
        select = select.and(sql!("AND audience_session_id < $1"), values![id.to_bytes().as_slice()]);
    }
    select = select.and(sql!("ORDER BY audience_session_id DESC LIMIT $1"), values![extent.rows()]);
    ListPart::read(&tx.all(select.within(extent.bytes))?, extent, session)
}

/// The sessions that pass the filter that are closed.
pub fn closed(tx: &mut Tx<'_>, tenant: &TenantId, filter: &SessionFilter) -> Result<Vec<Session>> {
    let select = filter.within(SESSION.with(vec![]), tenant).and(sql!("AND closes_at IS NULL"), vec![]);
    tx.all(select)?.iter().map(session).collect()
}

/// The sessions of a page that came by a link and began at an instant or later, counted by their audiences.
pub fn by_link(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    (page_id, link): (&PageId, &PageLinkId),
    since: Timestamp,
) -> Result<Vec<(AudienceId, i64)>> {
    let select = sql!(
        "SELECT audience_id, COUNT(*) AS sessions FROM audience_sessions
         WHERE tenant_id = $1 AND page_id = $2 AND verdict IS NULL AND audience_session_id >= $3 AND page_link_id = $4
         GROUP BY audience_id"
    );
    let (page, link) = (page_id.to_bytes(), link.to_bytes());
    let rows = tx.all(select.with(values![tenant, page.as_slice(), bound(since), link.as_slice()]))?;
    let counted =
        |row: &Row| Ok((AudienceId::from_bytes(number(row.take("audience_id")?)?), row.take("sessions")?));
    rows.iter().map(counted).collect()
}

/// The open sessions of a page, counted or not.
pub fn open(tx: &mut Tx<'_>, tenant: &TenantId, page_id: &PageId) -> Result<Vec<Session>> {
    let select = SESSION.with(vec![]).and(
        sql!("FROM audience_sessions WHERE tenant_id = $1 AND page_id = $2 AND closes_at IS NOT NULL"),
        values![tenant, page_id.to_bytes().as_slice()],
    );
    tx.all(select)?.iter().map(session).collect()
}

/// The sessions that are known to be a person's, the oldest first, after a position, up to `limit`.
pub fn of_person(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    person_id: &PersonId,
    after: Option<&AudienceSessionId>,
    limit: i64,
) -> Result<Vec<Session>> {
    tx.all(oldest_with_person(tenant, person_id, after, limit))?.iter().map(session).collect()
}

/// The sessions that are known to be a person's, newest first, after a position, up to `limit`.
pub fn newest_of_person(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    person_id: &PersonId,
    after: Option<&AudienceSessionId>,
    limit: i64,
) -> Result<Vec<Session>> {
    tx.all(newest_with_person(tenant, person_id, after, limit))?.iter().map(session).collect()
}

pub(in crate::tables) fn oldest_with_person(
    tenant: &TenantId,
    person_id: &PersonId,
    after: Option<&AudienceSessionId>,
    limit: i64,
) -> Query {
    let mut select = with_person(tenant, person_id);
    if let Some(id) = after {
        select = select.and(sql!("AND audience_session_id > $1"), values![id.to_bytes().as_slice()]);
    }
    select.and(sql!("ORDER BY audience_session_id LIMIT $1"), values![limit])
}

pub(in crate::tables) fn newest_with_person(
    tenant: &TenantId,
    person_id: &PersonId,
    after: Option<&AudienceSessionId>,
    limit: i64,
) -> Query {
    let mut select = with_person(tenant, person_id);
    if let Some(id) = after {
        select = select.and(sql!("AND audience_session_id < $1"), values![id.to_bytes().as_slice()]);
    }
    select.and(sql!("ORDER BY audience_session_id DESC LIMIT $1"), values![limit])
}

fn with_person(tenant: &TenantId, person_id: &PersonId) -> Query {
    SESSION.with(vec![]).and(
        sql!("FROM audience_sessions WHERE tenant_id = $1 AND person_id = $2 AND person_id IS NOT NULL"),
        values![tenant, person_id],
    )
}

/// The sessions of an audience, whatever their verdict, the oldest first, up to `limit`.
pub fn of_audience(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    audience_id: &AudienceId,
    limit: i64,
) -> Result<Vec<Session>> {
    let audience = audience_id.to_bytes();
    let counted = SESSION.with(vec![]).and(
        sql!(
            "FROM audience_sessions WHERE tenant_id = $1 AND audience_id = $2 AND verdict IS NULL ORDER BY audience_session_id LIMIT $3"
        ),
        values![tenant, audience.as_slice(), limit],
    );
    let found = tx.all(counted)?;
    if found.is_empty() {
        return with_verdict(tx, tenant, audience_id, limit);
    }
    found.iter().map(session).collect()
}

/// The sessions of audiences that are counted, each audience's newest first, after a position, up to `limit` of each.
pub fn newest_of_audiences(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    audience_ids: &[AudienceId],
    after: Option<&AudienceSessionId>,
    limit: i64,
) -> Result<Vec<Session>> {
    let queries = audience_ids.iter().map(|audience_id| {
        let mut select = SESSION.with(vec![]).and(
            sql!("FROM audience_sessions WHERE tenant_id = $1 AND audience_id = $2 AND verdict IS NULL"),
            values![tenant, audience_id.to_bytes().as_slice()],
        );
        if let Some(id) = after {
            select = select.and(sql!("AND audience_session_id < $1"), values![id.to_bytes().as_slice()]);
        }
        select.and(sql!("ORDER BY audience_session_id DESC LIMIT $1"), values![limit])
    });
    tx.batch(queries.collect())?.iter().flatten().map(session).collect()
}

/// The sessions of an audience that are not counted, the oldest first, up to `limit`.
pub fn with_verdict(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    audience_id: &AudienceId,
    limit: i64,
) -> Result<Vec<Session>> {
    let others = SESSION.with(vec![]).and(
        sql!(
            "FROM audience_sessions WHERE tenant_id = $1 AND audience_id = $2 AND verdict IS NOT NULL
             ORDER BY audience_session_id LIMIT $3"
        ),
        values![tenant, audience_id.to_bytes().as_slice(), limit],
    );
    tx.all(others)?.iter().map(session).collect()
}

/// How many sessions of a page that began in a range are not counted, by why.
pub fn not_counted(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    page_id: &PageId,
    range: &Range<Timestamp>,
) -> Result<Vec<(String, i64)>> {
    let select = sql!(
        "SELECT verdict, COUNT(*) AS sessions FROM audience_sessions
         WHERE tenant_id = $1 AND page_id = $2 AND verdict IS NOT NULL
            AND audience_session_id >= $3 AND audience_session_id < $4
         GROUP BY verdict ORDER BY sessions DESC, verdict"
    );
    let (from, to) = (bound(range.start), bound(range.end));
    let rows = tx.all(select.with(values![tenant, page_id.to_bytes().as_slice(), from, to]))?;
    rows.iter().map(|row| Ok((row.take("verdict")?, row.take("sessions")?))).collect()
}

/// Removes a session.
pub fn remove(tenant: &TenantId, id: &AudienceSessionId) -> Query {
    sql!("DELETE FROM audience_sessions WHERE tenant_id = $1 AND audience_session_id = $2")
        .with(values![tenant, id.to_bytes().as_slice()])
}

/// Whether closed sessions began before an instant.
pub fn exist_before(tx: &mut Tx<'_>, tenant: &TenantId, before: Timestamp) -> Result<bool> {
    let select = sql!(
        "SELECT audience_session_id FROM audience_sessions
         WHERE tenant_id = $1 AND audience_session_id < $2 AND closes_at IS NULL
         ORDER BY audience_session_id LIMIT 1"
    );
    Ok(tx.maybe(select.with(values![tenant, bound(before)]))?.is_some())
}

/// Removes closed sessions that began before an instant, up to `limit`.
pub fn remove_before(tenant: &TenantId, before: Timestamp, limit: i64) -> Query {
    sql!(
        "DELETE FROM audience_sessions WHERE tenant_id = $1 AND audience_session_id IN (
            SELECT s.audience_session_id FROM audience_sessions s
            WHERE s.tenant_id = $1 AND s.audience_session_id < $2 AND s.closes_at IS NULL
            ORDER BY s.audience_session_id LIMIT $3)"
    )
    .with(values![tenant, bound(before), limit])
}

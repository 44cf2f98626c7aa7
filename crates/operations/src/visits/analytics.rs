//! What came of the visits to a page: sums over any range of time, sessions, and what was answered in them. Sums over time are in
//! [`series`](super::series).
//!
//! Sums of closed sessions come from whole days and quarters; of the edges of a range, and of open sessions, the rows are counted.
//! All of an answer is read in one transaction. Invariant: a sum is what counting the rows would give, as long as there are rows. A part of a day
//! whose rows have expired counts nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::time::Duration;

use pagesmith_model::visit::range::{self, Span, pieces, quarters_from};
use pagesmith_model::visit::session::{Dimension, Interaction, Session};
use pagesmith_model::visit::sums::Sums;
use pagesmith_model::{AudienceId, AudienceSessionId, Error, PageId, Result, SubmissionId, Timestamp};
use pagesmith_store::tables::forms::submissions;
use pagesmith_store::tables::visits::interactions::Noted;
use pagesmith_store::tables::visits::sessions::{self, SessionFilter};
use pagesmith_store::tables::visits::{all_sessions, interactions, sums};
use pagesmith_store::tables::{audiences, pages, tenant_domains};
use pagesmith_store::{Extent, ListPart, Tx};

use crate::context::TenantContext;
use crate::pages::present;
use crate::visits::settings;
use crate::visits::values::Values;

/// Sums by value; those of sessions whose value is not told apart are under [`OTHERS`](super::values::OTHERS).
pub type Totals = BTreeMap<String, Sums>;

/// A range of time as callers give it: from an instant on, to before another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Given {
    /// From then on.
    pub start: Option<Timestamp>,
    /// Before then.
    pub end: Option<Timestamp>,
}

impl Given {
    /// The range; without an end it ends behind everything that there is.
    pub(super) fn range(self, now: Timestamp) -> Range<Timestamp> {
        // A clock of another server may be ahead, and a whole day is read at once.
        let end = Span::Day.start_of(now).plus(range::DAY * 2);
        let start = self.start.unwrap_or(range::BEGINNING).max(range::BEGINNING);
        start..self.end.unwrap_or(end).min(end).max(range::BEGINNING)
    }
}

/// The sums of a page's sessions that began in a range, for each value of a dimension.
pub fn totals(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    dimension: Dimension,
    given: Given,
) -> Result<Totals> {
    present(pages::find(tx, &ctx.tenant, page_id)?)?;
    totals_of(tx, ctx, (page_id, dimension, None), &given.range(ctx.now))
}

/// The sums of a page's sessions that began in a range.
pub fn summary(tx: &mut Tx<'_>, ctx: &TenantContext, page_id: &PageId, given: Given) -> Result<Sums> {
    Ok(totals(tx, ctx, page_id, Dimension::Page, given)?.remove("").unwrap_or_default())
}

/// How many open sessions of a tenant are counted at once.
const MOST_OPEN: i64 = 2_000;

/// The sums of the sessions of all pages of a tenant that began in a range. Of open ones those count that close first, up to a limit; the others count as
/// soon as they are closed, which takes no longer than a visit.
pub fn summary_of_tenant(tx: &mut Tx<'_>, ctx: &TenantContext, given: Given) -> Result<Sums> {
    let range = given.range(ctx.now);
    let pieces = pieces(&range, quarters_from(ctx.now));
    let mut all = Sums::default();
    for (span, piece) in pieces.spans() {
        all.add(&sums::of_tenant(tx, &ctx.tenant, span, piece)?);
    }
    for piece in pieces.rows {
        for session in all_sessions::closed(tx, &ctx.tenant, &piece)? {
            all.add(&Sums::of(&session.counted));
        }
    }
    for session in all_sessions::open(tx, &ctx.tenant, MOST_OPEN)? {
        if session.verdict.is_none() && range.contains(&session.started_at) {
            all.add(&Sums::of(&session.counted));
        }
    }
    Ok(all)
}

fn totals_of(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (page_id, dimension, audience): (&PageId, Dimension, Option<&AudienceId>),
    range: &Range<Timestamp>,
) -> Result<Totals> {
    let mut totals = Totals::new();
    let pieces = pieces(range, quarters_from(ctx.now));
    for (span, piece) in pieces.spans() {
        let value = audience.map(AudienceId::as_str);
        let wanted = sums::SumFilter { page_id, span, dimension, value };
        for (value, more) in sums::by_value(tx, &ctx.tenant, &wanted, piece)? {
            totals.entry(value).or_default().add(&more);
        }
    }
    let mut counted = Vec::new();
    for piece in pieces.rows {
        let wanted = SessionFilter { page_id: page_id.clone(), audience_id: audience.cloned(), range: piece };
        counted.extend(sessions::closed(tx, &ctx.tenant, &wanted)?);
    }
    let is_wanted = |session: &Session| {
        session.verdict.is_none()
            && range.contains(&session.started_at)
            && audience.is_none_or(|audience| session.audience_id == *audience)
    };
    counted.extend(sessions::open(tx, &ctx.tenant, page_id)?.into_iter().filter(is_wanted));
    let mut values = if Dimension::LIMITED.contains(&dimension) {
        Values::read(tx, &ctx.tenant, counted.iter())?
    } else {
        Values::default()
    };
    for session in counted {
        // An open session counts as it would if it were closed now.
        let value = if session.counted.has_ended {
            values.counted(dimension, &session)
        } else {
            values.take(dimension, &session)
        };
        if let Some(value) = value {
            totals.entry(value).or_default().add(&Sums::of(&session.counted));
        }
    }
    totals.retain(|_, sums| sums.sessions > 0);
    Ok(totals)
}

/// How many sessions of a page that began in a range are not counted, by why, the most first. Rows that have expired are told no more.
pub fn not_counted(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    given: Given,
) -> Result<Vec<(String, i64)>> {
    present(pages::find(tx, &ctx.tenant, page_id)?)?;
    let mut range = given.range(ctx.now);
    if let Some(rows_from) = settings::find(tx, &ctx.tenant)?.kept.rows_from {
        range.start = range.start.max(rows_from);
    }
    sessions::not_counted(tx, &ctx.tenant, page_id, &range)
}

/// For how long after its last report a visitor is taken to be there.
const PRESENCE: Duration = Duration::from_mins(5);

/// Who is on a page at present.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Presence {
    /// Visitors; one who looks at several audiences counts once.
    pub visitors: usize,
    /// Sessions by audience.
    pub sessions: BTreeMap<AudienceId, usize>,
}

/// Who is on a page: the sessions that something was heard of in the last five minutes.
pub fn presence(tx: &mut Tx<'_>, ctx: &TenantContext, page_id: &PageId) -> Result<Presence> {
    present(pages::find(tx, &ctx.tenant, page_id)?)?;
    let since = ctx.now.minus(PRESENCE);
    let (mut presence, mut visitors) = (Presence::default(), BTreeSet::new());
    for session in sessions::open(tx, &ctx.tenant, page_id)? {
        if session.verdict.is_none() && session.last_at > since {
            *presence.sessions.entry(session.audience_id).or_default() += 1;
            visitors.insert(session.analytics_session_id);
        }
    }
    presence.visitors = visitors.len();
    Ok(presence)
}

/// What sessions show of their page.
pub struct SessionPage {
    /// The title of the page.
    pub title: String,
    /// The page's part of its address.
    pub slug: String,
    /// The tenant's default domain, if it has one.
    pub default_domain: Option<String>,
}

/// The page with what its sessions show of it.
fn place(tx: &mut Tx<'_>, ctx: &TenantContext, page_id: &PageId) -> Result<SessionPage> {
    let page = present(pages::find(tx, &ctx.tenant, page_id)?)?;
    let default_domain = tenant_domains::default_domain(tx, &ctx.tenant)?;
    Ok(SessionPage { title: page.title, slug: page.slug, default_domain })
}

/// Sessions, with what they show of their page.
pub struct Sessions {
    /// The sessions.
    pub part: ListPart<Session>,
    /// How many there are in all.
    pub total: u64,
    /// Their page.
    pub place: SessionPage,
}

/// The sessions of a page that began in a range, newest first, after a position. There are none of an audience whose id is none.
pub fn list(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (page_id, wanted): (&PageId, Option<Option<&AudienceId>>),
    given: Given,
    (after, extent): (Option<&AudienceSessionId>, Extent),
) -> Result<Sessions> {
    let place = place(tx, ctx, page_id)?;
    let Some(wanted) = rows_of(tx, ctx, (page_id, wanted), given)? else {
        return Ok(Sessions { part: none(), total: 0, place });
    };
    let audience = wanted.audience_id.as_ref();
    let dimension = if audience.is_some() { Dimension::Audience } else { Dimension::Page };
    let totals = totals_of(tx, ctx, (page_id, dimension, audience), &wanted.range)?;
    let total: i64 = totals.values().map(|sums| sums.sessions).sum();
    let part = sessions::list(tx, &ctx.tenant, &wanted, after, extent)?;
    Ok(Sessions { part, total: u64::try_from(total).unwrap_or_default(), place })
}

/// The same without their number, which costs more than they do where they are read piece by piece.
pub fn piece(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (page_id, wanted): (&PageId, Option<Option<&AudienceId>>),
    given: Given,
    (after, extent): (Option<&AudienceSessionId>, Extent),
) -> Result<(ListPart<Session>, SessionPage)> {
    let place = place(tx, ctx, page_id)?;
    Ok(match rows_of(tx, ctx, (page_id, wanted), given)? {
        Some(wanted) => (sessions::list(tx, &ctx.tenant, &wanted, after, extent)?, place),
        None => (none(), place),
    })
}

fn none() -> ListPart<Session> {
    ListPart { items: vec![], more: false, bytes: 0 }
}

/// The rows that are wanted and have not expired, if there can be any.
fn rows_of(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (page_id, wanted): (&PageId, Option<Option<&AudienceId>>),
    given: Given,
) -> Result<Option<SessionFilter>> {
    let Some(audience) = wanted else { return Ok(None) };
    // An audience of another page has no sessions here.
    if let Some(audience_id) = audience
        && audiences::find(tx, &ctx.tenant, page_id, audience_id)?.is_none()
    {
        return Ok(None);
    }
    let mut range = given.range(ctx.now);
    if let Some(rows_from) = settings::find(tx, &ctx.tenant)?.kept.rows_from {
        range.start = range.start.max(rows_from);
    }
    Ok(Some(SessionFilter { page_id: page_id.clone(), audience_id: audience.cloned(), range }))
}

/// A session of a page, with what it shows of the page.
pub fn find(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    id: &AudienceSessionId,
) -> Result<(Session, SessionPage)> {
    let place = place(tx, ctx, page_id)?;
    let found = sessions::find(tx, &ctx.tenant, page_id, id)?;
    let session = found.ok_or_else(|| Error::not_found(AudienceSessionId::NOUN))?;
    Ok((session, place))
}

/// Something that a visitor did in a session.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// The page was opened; at this path, where it was opened again.
    View(Option<String>),
    /// The action with this id and title was used.
    Action(String, String),
    /// Something was answered or asked.
    Answer(Interaction),
    /// The form with this id was sent, as this submission.
    Form(String, SubmissionId),
}

/// What a visitor did in a session of a page, in order; of what has expired, nothing but that it began.
pub fn steps(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    id: &AudienceSessionId,
) -> Result<Vec<(Timestamp, Step)>> {
    let (session, _) = find(tx, ctx, page_id, id)?;
    let mut steps = vec![(session.started_at, Step::View(None))];
    for (noted, one) in interactions::steps(tx, &ctx.tenant, id)? {
        let at = one.at;
        steps.push(match noted {
            Noted::View => (at, Step::View(Some(one.label))),
            Noted::Action(_) => (at, Step::Action(one.component_id, one.label)),
            Noted::Answer(_) => (at, Step::Answer(one)),
        });
    }
    let submission = session.form.and_then(|form| SubmissionId::parse(&form.submission_id));
    if let Some(submission_id) = submission
        && let Some(sent) = submissions::find(tx, &ctx.tenant, &submission_id)?
    {
        steps.push((sent.submitted_at, Step::Form(sent.form_id, submission_id)));
    }
    // Stable: what came in one report stays in its order.
    steps.sort_by_key(|(at, _)| *at);
    Ok(steps)
}

/// What was answered in a session, whatever page it is of; nothing where that has expired.
pub fn answers(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    id: &AudienceSessionId,
) -> Result<Option<Vec<Interaction>>> {
    let found = sessions::find_many(tx, &ctx.tenant, std::slice::from_ref(id))?;
    let shown = found.first().filter(|session| session.verdict.is_none());
    let session = shown.ok_or_else(|| Error::not_found(AudienceSessionId::NOUN))?;
    let rows_from = settings::find(tx, &ctx.tenant)?.kept.rows_from;
    if rows_from.is_some_and(|rows_from| session.started_at < rows_from) {
        return Ok(None);
    }
    interactions::list(tx, &ctx.tenant, id).map(Some)
}

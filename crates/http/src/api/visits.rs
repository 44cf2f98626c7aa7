//! The operations on what came of the visits to a page.

use pagesmith_endpoint::endpoint;
use pagesmith_model::visit::calendar::{Calendar, Interval, Zone};
use pagesmith_model::visit::session::{Dimension, Session};
use pagesmith_model::{AudienceId, AudienceSessionId, PageId, Result, Timestamp};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::visits::analytics::{self, Given};
use pagesmith_operations::visits::series;
use pagesmith_store::Tx;
use serde_json::{Value, json};

use crate::api::visits::export::Selection;
use crate::api::visits::session_view::{InteractionView, SessionInteractions, SessionView, SessionViews};
use crate::api::visits::view::{
    AudienceAnalytics, Breakdown, Dropped, Funnel, Live, PageAnalyticsSummary, Timeseries,
};
use crate::collection::Collection;
use crate::extract::query::{self, BoundFilters, FromQuery, Parameter, Parameters};
use crate::extract::{Call, Findings, Paging, Path, Query};
use crate::file_export::{Export, Format};
use crate::reply::{Reply, Single};
use crate::watched::WatchedAnswer;

mod export;
mod session_view;
pub(crate) mod settings;
pub(crate) mod shares;
pub(crate) mod steps;
pub(crate) mod view;

const START: Parameter = Parameter {
    name: "startDate",
    description: "Only sessions that started at this instant or later count.",
    example: "2026-03-01T00:00:00Z",
};
const END: Parameter = Parameter {
    name: "endDate",
    description: "Only sessions that started before this instant count.",
    example: "2026-04-01T00:00:00Z",
};

fn date(name: &str) -> Value {
    match name {
        "startDate" | "endDate" => json!({ "type": "string", "format": "date-time" }),
        _ => json!({ "type": "string" }),
    }
}

/// Sessions of which time are wanted.
pub(crate) struct DateRange(Given);

impl FromQuery for DateRange {
    const PARAMETERS: &'static [Parameter] = &[START, END];

    fn schema(name: &str) -> Value {
        date(name)
    }

    fn read(parameters: &Parameters, findings: &mut Findings) -> DateRange {
        for name in ["startDate", "endDate"] {
            parameters.one(name, findings);
        }
        let start = query::instant(parameters, "startDate", findings);
        let end = query::instant(parameters, "endDate", findings);
        DateRange(Given { start, end })
    }
}

/// Sessions of which time are wanted, and to which audience.
pub(crate) struct SessionFilter {
    given: Given,
    audience: Option<String>,
}

impl SessionFilter {
    /// What a cursor of the sessions of a page is bound to.
    fn bound(&self, page_id: &PageId) -> BoundFilters {
        let instant = |instant: Option<Timestamp>| instant.map(|instant| instant.as_micros().to_string());
        BoundFilters::of([
            ("page", Some(page_id.to_string())),
            ("audience", self.audience.clone()),
            ("start", instant(self.given.start)),
            ("end", instant(self.given.end)),
        ])
    }

    /// The wanted sessions of a page.
    fn selection(self, page_id: PageId) -> Selection {
        let audience = self.audience.as_deref().map(AudienceId::parse);
        Selection { page_id, audience, given: self.given }
    }
}

impl FromQuery for SessionFilter {
    const PARAMETERS: &'static [Parameter] = &[
        START,
        END,
        Parameter {
            name: "audienceId",
            description: "Id of an audience of the page: only sessions of that audience are listed.",
            example: "audience_01jpbz8n4xf5k9w2d7hq3mv6ta",
        },
    ];

    fn schema(name: &str) -> Value {
        date(name)
    }

    fn read(parameters: &Parameters, findings: &mut Findings) -> SessionFilter {
        let DateRange(given) = DateRange::read(parameters, findings);
        SessionFilter { given, audience: parameters.one("audienceId", findings).map(str::to_owned) }
    }
}

impl FromQuery for Interval {
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "interval",
        description: "`week` for weeks from Monday on, `day` for days, or `hour` for hours, which reach back 31 days. Left out, it is `day`.",
        example: "hour",
    }];

    fn schema(_: &str) -> Value {
        json!({ "type": "string", "enum": ["week", "day", "hour"] })
    }

    fn read(parameters: &Parameters, findings: &mut Findings) -> Interval {
        parameters.one("interval", findings);
        let read = |text: &str| match text {
            "week" => Some(Interval::Week),
            "day" => Some(Interval::Day),
            "hour" => Some(Interval::Hour),
            _ => None,
        };
        query::one(parameters, "interval", "week, day or hour", read, findings).unwrap_or_default()
    }
}

/// The time zone whose clocks count.
pub(crate) struct InZone(Zone);

impl FromQuery for InZone {
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "timeZone",
        description: "Name of a time zone of the IANA database, whose hours, days and weeks are answered. Left out, it is `UTC`.",
        example: "Europe/Berlin",
    }];

    fn read(parameters: &Parameters, findings: &mut Findings) -> InZone {
        parameters.one("timeZone", findings);
        let what = "the name of a time zone, such as Europe/Berlin";
        InZone(query::one(parameters, "timeZone", what, Zone::find, findings).unwrap_or_else(Zone::utc))
    }
}

/// What sums are told apart by.
pub(crate) struct By(Dimension);

/// The names of what sums can be told apart by.
const DIMENSIONS: [(&str, Dimension); 7] = [
    ("source", Dimension::Source),
    ("campaign", Dimension::Campaign),
    ("referrer", Dimension::Referrer),
    ("device", Dimension::Device),
    ("language", Dimension::Language),
    ("audience", Dimension::Audience),
    ("link", Dimension::Link),
];

impl FromQuery for By {
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "by",
        description: "`source`, `campaign`, `referrer` (the host of the page before), `device` (`desktop`, `phone`, `tablet` or `other`), `language`, \
                      `audience` or `link`. Left out, it is `source`.",
        example: "campaign",
    }];

    fn schema(_: &str) -> Value {
        json!({ "type": "string", "enum": DIMENSIONS.map(|(name, _)| name) })
    }

    fn read(parameters: &Parameters, findings: &mut Findings) -> By {
        parameters.one("by", findings);
        let read =
            |text: &str| DIMENSIONS.iter().find(|(name, _)| *name == text).map(|(_, dimension)| *dimension);
        let what = "source, campaign, referrer, device, language, audience or link";
        By(query::one(parameters, "by", what, read, findings).unwrap_or(Dimension::Source))
    }
}

/// Returns the sums and rates of the visits to a page.
///
/// Sessions of people count, including open ones; sessions of crawlers do not. Without dates all sessions count. Rates are
/// fractions from 0 to 1, depths percentages, times seconds. A rate is 0 where there is nothing to divide by; a mean time or
/// depth is null then. A session can bounce if it has ended and was measured by the page's script. It is a bounce if there was no
/// click, form or question, and the page was seen for less than ten seconds. It is a conversion if a form was accepted or, on a
/// page without forms, the header action (otherwise the first action) was used.
#[endpoint]
pub(crate) async fn get_page_analytics_summary(
    call: Call,
    Path(page_id): Path<PageId>,
    Query(DateRange(given)): Query<DateRange>,
) -> Result<Single<PageAnalyticsSummary>> {
    let sums = call.read(move |tx, ctx| analytics::summary(tx, ctx, &page_id, given)).await?;
    Ok(Single(PageAnalyticsSummary::from(&sums)))
}

/// Returns the sums and rates of the visits to all pages of the tenant together.
///
/// What counts is as in the summary of a page. Visits to pages that were archived or deleted since count as well. Of the sessions that are open,
/// the 2,000 count that close first; where there are more, the others count when they are closed.
#[endpoint]
pub(crate) async fn get_analytics_summary(
    call: Call,
    Query(DateRange(given)): Query<DateRange>,
) -> Result<Single<PageAnalyticsSummary>> {
    let sums = call.read(move |tx, ctx| analytics::summary_of_tenant(tx, ctx, given)).await?;
    Ok(Single(PageAnalyticsSummary::from(&sums)))
}

/// Returns the sums and rates of the visits to each audience of a page.
///
/// Audiences without sessions in the range are left out. Those with the most sessions come first, at most 10,000 of them. What counts is as in the
/// summary of the page.
#[endpoint]
pub(crate) async fn list_audience_analytics(
    call: Call,
    Path(page_id): Path<PageId>,
    Query(DateRange(given)): Query<DateRange>,
) -> Result<Single<AudienceAnalytics>> {
    let read = move |tx: &mut Tx<'_>, ctx: &TenantContext| {
        analytics::totals(tx, ctx, &page_id, Dimension::Audience, given)
    };
    Ok(Single(AudienceAnalytics::of(call.read(read).await?)))
}

/// Lists the sessions of a page, newest first.
///
/// A session is a visit to one audience. It begins with the first report of a page view and ends when nothing has come for 30 minutes; until
/// then `computationStatus` is `pending` and the amounts are those so far. Visits of crawlers and other programs are not listed. Rows are kept for
/// 400 days unless the tenant chooses another time.
#[endpoint]
pub(crate) async fn list_audience_sessions(
    call: Call,
    Path(page_id): Path<PageId>,
    Query(filter): Query<SessionFilter>,
    paging: Paging,
) -> Result<Reply<Collection<SessionView>>> {
    let list = paging.keyset(&call, "audience sessions", &filter.bound(&page_id).after(&[]))?;
    let selection = filter.selection(page_id);
    let found =
        list.read(&call, move |tx, ctx, after, extent| selection.list(tx, ctx, after, extent)).await?;
    let views = SessionViews::of(&call, found.place);
    let position = |session: &Session| session.session_id.clone();
    list.answer(&call, (found.part, found.total), position, move |session| views.view(session)).await
}

/// Exports the sessions of a page, newest first.
///
/// The response is streamed, so there is no limit to the number of sessions. It has the fields of the list and `referrer` (the
/// host of the page before), `device` and `language`. In CSV, a text that a spreadsheet would run as a formula has an apostrophe
/// in front. If the export fails midway, the response ends without its terminator, which HTTP clients report as an error. A
/// tenant may have 100 streams open on a server, unless the operator sets another limit; one more fails with 429.
#[endpoint]
pub(crate) async fn export_audience_sessions(
    call: Call,
    Path(page_id): Path<PageId>,
    Query(filter): Query<SessionFilter>,
    Query(format): Query<Format>,
) -> Result<Export<Selection>> {
    Export::begin(call, filter.selection(page_id), format).await
}

/// Returns a session of a page.
///
/// A session of another page is not found.
#[endpoint]
pub(crate) async fn get_audience_session(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(id): Path<AudienceSessionId>,
) -> Result<Single<SessionView>> {
    let (session, place) = call.read(move |tx, ctx| analytics::find(tx, ctx, &page_id, &id)).await?;
    Ok(Single(SessionViews::of(&call, place).view(session)))
}

/// Returns what a visitor answered in a session, in order.
///
/// `found` is false if the session is known and its rows have expired. `timestamp` is in milliseconds since 1970.
#[endpoint]
pub(crate) async fn get_audience_session_interactions(
    call: Call,
    Path(id): Path<AudienceSessionId>,
) -> Result<Single<SessionInteractions>> {
    let answers = call.read(move |tx, ctx| analytics::answers(tx, ctx, &id)).await?;
    let found = answers.is_some();
    let interactions = answers.unwrap_or_default().into_iter().map(InteractionView::from).collect();
    Ok(Single(SessionInteractions { found, interactions }))
}

/// Returns the sums and rates of each week, day or hour of a page.
///
/// Hours, days and weeks are those of the clocks in `timeZone`: where clocks are set, a day has 23 or 25 hours, and an hour that comes twice is
/// two spans. Weeks begin on Monday. Spans without sessions are left out. A session counts where it began. The first and the last span count
/// as a whole, even if the range begins or ends within them. Hours reach back 31 days, days and weeks as far as there are any. At most 1,000 spans are
/// answered, the newest. In another time zone than UTC, days and weeks are exact as long as the rows of sessions are kept, at least 31 days;
/// before `exactFrom` each UTC day counts as a whole for the span of its noon.
#[endpoint]
pub(crate) async fn get_page_analytics_timeseries(
    call: Call,
    Path(page_id): Path<PageId>,
    Query(DateRange(given)): Query<DateRange>,
    Query(interval): Query<Interval>,
    Query(InZone(zone)): Query<InZone>,
) -> Result<Single<Timeseries>> {
    let name = zone.name().to_owned();
    let calendar = Calendar { zone, interval };
    let found = call.read(move |tx, ctx| series::by_time(tx, ctx, &page_id, &calendar, given)).await?;
    Ok(Single(Timeseries::of(name, found)))
}

/// Returns how many sessions of a page reached each step.
///
/// The steps are `seen` (all sessions), `scrolled_half` (half of the page was visible), `action` (an action was used) and `form` (a form was
/// accepted). Each step counts by itself: who uses an action without scrolling counts for `action` alone. `share` is the fraction of all sessions.
#[endpoint]
pub(crate) async fn get_page_analytics_funnel(
    call: Call,
    Path(page_id): Path<PageId>,
    Query(DateRange(given)): Query<DateRange>,
) -> Result<Single<Funnel>> {
    let sums = call.read(move |tx, ctx| analytics::summary(tx, ctx, &page_id, given)).await?;
    Ok(Single(Funnel::of(&sums)))
}

/// Returns the number of uncounted sessions of a page, by reason.
///
/// These are visits of crawlers, of automated browsers, and other visits not made by people. No other list or total includes
/// them. Reports that are refused without a session, such as those of pages that are not shown, are not among them. Like the rows
/// of all sessions, these are kept for the days of the visit settings.
#[endpoint]
pub(crate) async fn get_page_analytics_dropped(
    call: Call,
    Path(page_id): Path<PageId>,
    Query(DateRange(given)): Query<DateRange>,
) -> Result<Single<Dropped>> {
    let found = call.read(move |tx, ctx| analytics::not_counted(tx, ctx, &page_id, given)).await?;
    Ok(Single(Dropped::of(found)))
}

/// Returns the visitors who are on a page at present, once or as a stream.
///
/// A session counts if it sent a report in the last five minutes. With `Accept: text/event-stream` the answer is a stream of
/// server-sent events called `live`: one at once and one after every change, for ten minutes or until the key is no longer valid.
#[endpoint]
pub(crate) async fn get_page_analytics_live(
    call: Call,
    Path(page_id): Path<PageId>,
) -> Result<WatchedAnswer<Live>> {
    WatchedAnswer::read(call, page_id).await
}

/// Returns the sums and rates of a page by source, campaign, referrer, device, language, audience or page link.
///
/// Sessions without a value are left out. Values with the most sessions come first, at most 1,000 of them. For sources,
/// campaigns, referrers and languages, only the first 200 values of each UTC day are counted separately. Sessions with any
/// further value are in `other`.
#[endpoint]
pub(crate) async fn get_page_analytics_breakdown(
    call: Call,
    Path(page_id): Path<PageId>,
    Query(DateRange(given)): Query<DateRange>,
    Query(By(dimension)): Query<By>,
) -> Result<Single<Breakdown>> {
    let read =
        move |tx: &mut Tx<'_>, ctx: &TenantContext| analytics::totals(tx, ctx, &page_id, dimension, given);
    Ok(Single(Breakdown::of(call.read(read).await?)))
}

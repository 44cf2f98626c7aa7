//! Sums as answers show them.

use std::cmp::Reverse;
use std::time::Duration;

use pagesmith_model::visit::sums::Sums;
use pagesmith_model::{AudienceId, PageId, Timestamp};
use pagesmith_operations::visits::analytics::{self, Presence, Totals};
use pagesmith_operations::visits::series::Series;
use pagesmith_operations::visits::values::OTHERS;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::extract::Call;
use crate::watched::Watched;

/// The most audiences that an answer tells of.
const MOST_AUDIENCES: usize = 10_000;
/// The most values and spans that an answer tells of.
const MOST: usize = 1_000;

/// A number that is written without a fraction where it has none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Number(pub f64);

impl Serialize for Number {
    #[expect(clippy::cast_possible_truncation, reason = "a whole number within the range that was asked for")]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_whole = self.0.fract() == 0.0 && self.0.abs() < 9e15;
        if is_whole { serializer.serialize_i64(self.0 as i64) } else { serializer.serialize_f64(self.0) }
    }
}

/// Visit statistics of a page, or of all pages of a tenant.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
#[schemars(example = json!({
    "totalSessions": 120,
    "avgTimeSpentSeconds": 41.5,
    "avgScrollDepthPercentage": 63,
    "avgInteractionsPerSession": 0.25,
    "bounceRate": 0.4,
    "conversionRate": 0.1,
    "formSubmitRate": 0,
}))]
pub(crate) struct PageAnalyticsSummary {
    /// Number of sessions of persons, open ones included.
    #[schemars(with = "f64")]
    total_sessions: i64,
    /// Mean time in seconds that the page was visible and in focus, of the sessions that its script measured.
    #[schemars(with = "Option<f64>")]
    avg_time_spent_seconds: Option<Number>,
    /// Mean of the deepest points that were visible, from 0 to 100.
    #[schemars(with = "Option<f64>")]
    avg_scroll_depth_percentage: Option<Number>,
    /// Answers and questions per session.
    #[schemars(with = "f64")]
    avg_interactions_per_session: Number,
    /// Bounces among the sessions that can be bounces.
    #[schemars(with = "f64")]
    bounce_rate: Number,
    /// Conversions among all sessions.
    #[schemars(with = "f64")]
    conversion_rate: Number,
    /// Sessions with an accepted form among all sessions.
    #[schemars(with = "f64")]
    form_submit_rate: Number,
}

impl From<&Sums> for PageAnalyticsSummary {
    fn from(sums: &Sums) -> PageAnalyticsSummary {
        PageAnalyticsSummary {
            total_sessions: sums.sessions,
            avg_time_spent_seconds: sums.mean_seconds().map(Number),
            avg_scroll_depth_percentage: sums.mean_scroll().map(Number),
            avg_interactions_per_session: Number(sums.interactions_per_session()),
            bounce_rate: Number(sums.bounce_rate()),
            conversion_rate: Number(sums.conversion_rate()),
            form_submit_rate: Number(sums.form_rate()),
        }
    }
}

/// Visit statistics of an audience.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, inline)]
pub(crate) struct OneAudience {
    /// Id of the audience.
    audience_id: String,
    /// Number of sessions of persons, open ones included.
    #[schemars(with = "f64")]
    total_sessions: i64,
    /// Mean time in seconds that the page was visible and in focus, of the sessions that its script measured.
    #[schemars(with = "Option<f64>")]
    avg_time_spent_seconds: Option<Number>,
    /// Mean of the deepest points that were visible, from 0 to 100.
    #[schemars(with = "Option<f64>")]
    avg_scroll_depth_percentage: Option<Number>,
    /// Answers and questions per session.
    #[schemars(with = "f64")]
    avg_interactions_per_session: Number,
    /// Bounces among the sessions that can be bounces.
    #[schemars(with = "f64")]
    bounce_rate: Number,
    /// Number of bounces.
    #[schemars(with = "f64")]
    bounce_count: i64,
    /// Number of sessions that can be bounces.
    #[schemars(with = "f64")]
    bounce_eligible_sessions: i64,
    /// Conversions among all sessions.
    #[schemars(with = "f64")]
    conversion_rate: Number,
    /// Number of conversions.
    #[schemars(with = "f64")]
    conversion_count: i64,
    /// Number of sessions in which an action was used.
    #[schemars(with = "f64")]
    cta_sessions: i64,
    /// Sessions with an accepted form among all sessions.
    #[schemars(with = "f64")]
    form_submit_rate: Number,
    /// Number of sessions with an accepted form.
    #[schemars(with = "f64")]
    form_submit_count: i64,
}

/// Visit statistics of the audiences of a page.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
#[schemars(example = json!({
    "items": [{
        "audienceId": "audience_01jpbz8n4xf5k9w2d7hq3mv6ta",
        "totalSessions": 120,
        "avgTimeSpentSeconds": 41.5,
        "avgScrollDepthPercentage": 63,
        "avgInteractionsPerSession": 0.25,
        "bounceRate": 0.4,
        "bounceCount": 40,
        "bounceEligibleSessions": 100,
        "conversionRate": 0.1,
        "conversionCount": 12,
        "ctaSessions": 30,
        "formSubmitRate": 0,
        "formSubmitCount": 0,
    }],
}))]
pub(crate) struct AudienceAnalytics {
    /// The audiences that have sessions.
    items: Vec<OneAudience>,
}

impl AudienceAnalytics {
    pub(crate) fn of(totals: Totals) -> AudienceAnalytics {
        let items =
            most_first(totals).into_iter().take(MOST_AUDIENCES).map(|(audience_id, sums)| OneAudience {
                audience_id,
                total_sessions: sums.sessions,
                avg_time_spent_seconds: sums.mean_seconds().map(Number),
                avg_scroll_depth_percentage: sums.mean_scroll().map(Number),
                avg_interactions_per_session: Number(sums.interactions_per_session()),
                bounce_rate: Number(sums.bounce_rate()),
                bounce_count: sums.bounces,
                bounce_eligible_sessions: sums.bounce_eligible,
                conversion_rate: Number(sums.conversion_rate()),
                conversion_count: sums.conversions,
                cta_sessions: sums.with_action,
                form_submit_rate: Number(sums.form_rate()),
                form_submit_count: sums.with_form,
            });
        AudienceAnalytics { items: items.collect() }
    }
}

/// The values, those with the most sessions first.
fn most_first(totals: Totals) -> Vec<(String, Sums)> {
    let mut all: Vec<(String, Sums)> = totals.into_iter().collect();
    all.sort_by(|one, other| other.1.sessions.cmp(&one.1.sessions).then_with(|| one.0.cmp(&other.0)));
    all
}

/// Statistics of the sessions with one value.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, inline)]
pub(crate) struct OneValue {
    /// Name of the source or campaign, host of the referrer, class of the device, code of the language, or id of the audience or page link.
    value: String,
    /// Sums and rates.
    summary: PageAnalyticsSummary,
}

/// Visit statistics of a page, by a property of the sessions.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, rename = "PageAnalyticsBreakdown")]
#[schemars(example = json!({
    "items": [{
        "value": "newsletter",
        "summary": pagesmith_model::example::example::<PageAnalyticsSummary>(),
    }],
    "other": null,
}))]
pub(crate) struct Breakdown {
    /// The values.
    items: Vec<OneValue>,
    /// Sums and rates of the sessions whose value is none of these. Null if there are none.
    other: Option<PageAnalyticsSummary>,
}

impl Breakdown {
    pub(crate) fn of(mut totals: Totals) -> Breakdown {
        let mut others = totals.remove(OTHERS).unwrap_or_default();
        let mut all = most_first(totals);
        all.drain(MOST.min(all.len())..).for_each(|(_, sums)| others.add(&sums));
        let view =
            |(value, sums): (String, Sums)| OneValue { value, summary: PageAnalyticsSummary::from(&sums) };
        Breakdown {
            items: all.into_iter().map(view).collect(),
            other: (others.sessions > 0).then(|| PageAnalyticsSummary::from(&others)),
        }
    }
}

/// Statistics of the sessions that began in a span of time.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, inline)]
pub(crate) struct OneSpan {
    /// When the span begins.
    starts_at: Timestamp,
    /// Sums and rates.
    summary: PageAnalyticsSummary,
}

/// Visit statistics of a page over time.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, rename = "PageAnalyticsTimeseries")]
#[schemars(example = json!({
    "timeZone": "UTC",
    "exactFrom": null,
    "items": [{
        "startsAt": "2026-03-20T00:00:00.000Z",
        "summary": pagesmith_model::example::example::<PageAnalyticsSummary>(),
    }],
}))]
pub(crate) struct Timeseries {
    /// Name of the time zone whose clocks count.
    time_zone: String,
    /// Spans that begin at this instant or later are exact. Those before are made of whole UTC days, because the rows of their sessions have
    /// expired. Null if all are exact.
    exact_from: Option<Timestamp>,
    /// The spans, earliest first.
    items: Vec<OneSpan>,
}

impl Timeseries {
    pub(crate) fn of(time_zone: String, series: Series) -> Timeseries {
        let skipped = series.spans.len().saturating_sub(MOST);
        let view = |(starts_at, sums): (Timestamp, Sums)| OneSpan {
            starts_at,
            summary: PageAnalyticsSummary::from(&sums),
        };
        let items = series.spans.into_iter().skip(skipped).map(view).collect();
        Timeseries { time_zone, exact_from: series.exact_from, items }
    }
}

/// How many sessions are not counted for one reason.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, inline)]
pub(crate) struct OneReason {
    /// The reason: `crawler`, `automated`, `prefetch`, `referrer_spam`, `own_address` or `data_centre`.
    reason: String,
    /// Number of sessions.
    #[schemars(with = "f64")]
    sessions: i64,
}

/// The sessions of a page that are not counted.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, rename = "PageAnalyticsDropped")]
#[schemars(example = json!({
    "items": [{ "reason": "crawler", "sessions": 12 }, { "reason": "prefetch", "sessions": 3 }],
}))]
pub(crate) struct Dropped {
    /// The reasons, those with the most sessions first.
    items: Vec<OneReason>,
}

impl Dropped {
    pub(crate) fn of(found: Vec<(String, i64)>) -> Dropped {
        let view = |(reason, sessions)| OneReason { reason, sessions };
        Dropped { items: found.into_iter().map(view).collect() }
    }
}

/// How far a session came.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Step {
    Seen,
    ScrolledHalf,
    Action,
    Form,
}

/// Number of sessions that reached a step.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, inline)]
pub(crate) struct OneStep {
    /// The step.
    step: Step,
    /// Number of sessions that came to it.
    #[schemars(with = "f64")]
    sessions: i64,
    /// Fraction of all sessions that reached the step.
    #[schemars(with = "f64")]
    share: Number,
}

/// Number of sessions of a page by the step that they reached.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, rename = "PageAnalyticsFunnel")]
#[schemars(example = json!({
    "items": [
        { "step": "seen", "sessions": 120, "share": 1 },
        { "step": "scrolled_half", "sessions": 84, "share": 0.7 },
        { "step": "action", "sessions": 30, "share": 0.25 },
        { "step": "form", "sessions": 6, "share": 0.05 },
    ],
}))]
pub(crate) struct Funnel {
    /// The steps, in order.
    items: Vec<OneStep>,
}

impl Funnel {
    pub(crate) fn of(sums: &Sums) -> Funnel {
        let steps = [
            (Step::Seen, sums.sessions),
            (Step::ScrolledHalf, sums.half_seen),
            (Step::Action, sums.with_action),
            (Step::Form, sums.with_form),
        ];
        let view =
            |(step, sessions)| OneStep { step, sessions, share: Number(sums.share_of_sessions(sessions)) };
        Funnel { items: steps.map(view).into() }
    }
}

/// Sessions to an audience at present.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, inline)]
pub(crate) struct LiveAudience {
    /// Id of the audience.
    audience_id: AudienceId,
    /// Number of sessions.
    active_sessions: usize,
}

/// Visitors who are on a page: visits with a report in the last five minutes.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, rename = "PageAnalyticsLive")]
#[schemars(example = json!({
    "activeVisitors": 3,
    "activeSessions": 4,
    "audiences": [{ "audienceId": "audience_01jpbz8n4xf5k9w2d7hq3mv6ta", "activeSessions": 4 }],
}))]
pub(crate) struct Live {
    /// Number of visitors. Who looks at several audiences counts once.
    active_visitors: usize,
    /// Number of sessions.
    active_sessions: usize,
    /// The audiences with sessions, those with the most first, at most 100 of them.
    audiences: Vec<LiveAudience>,
}

/// The most audiences that [`Live`] tells of.
const MOST_LIVE: usize = 100;

impl Live {
    fn of(presence: Presence) -> Live {
        let active_sessions = presence.sessions.values().sum();
        let view = |(audience_id, active_sessions)| LiveAudience { audience_id, active_sessions };
        let mut audiences: Vec<LiveAudience> = presence.sessions.into_iter().map(view).collect();
        // Stable: those with as many stay in the order of their ids.
        audiences.sort_by_key(|audience| Reverse(audience.active_sessions));
        audiences.truncate(MOST_LIVE);
        Live { active_visitors: presence.visitors, active_sessions, audiences }
    }
}

impl Watched for Live {
    type Of = PageId;
    const EVENT: &'static str = "live";
    const EXAMPLE: &'static str = "{\"activeVisitors\":3,\"activeSessions\":4,…}";
    const INTERVAL: Duration = Duration::from_secs(2);

    async fn read(call: &Call, page_id: &PageId) -> pagesmith_model::Result<Live> {
        let page_id = page_id.clone();
        Ok(Live::of(call.read(move |tx, ctx| analytics::presence(tx, ctx, &page_id)).await?))
    }
}

//! Sums as answers show them.

use std::collections::BTreeMap;

use pagesmith_model::Timestamp;
use pagesmith_model::visit::sums::Sums;
use pagesmith_operations::visits::analytics::Totals;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::json;

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

/// What came of the visits to a page.
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

/// What came of the visits to an audience.
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

/// What came of the visits to the audiences of a page.
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
        let items = most_first(totals, MOST_AUDIENCES).into_iter().map(|(audience_id, sums)| OneAudience {
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

/// The values with the most sessions.
fn most_first(totals: Totals, most: usize) -> Vec<(String, Sums)> {
    let mut all: Vec<(String, Sums)> = totals.into_iter().collect();
    all.sort_by(|one, other| other.1.sessions.cmp(&one.1.sessions).then_with(|| one.0.cmp(&other.0)));
    all.truncate(most);
    all
}

/// What came of the sessions of a source, a campaign, an audience or a page link.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, inline)]
pub(crate) struct OneValue {
    /// Name of the source or campaign, or id of the audience or page link.
    value: String,
    /// Sums and rates.
    summary: PageAnalyticsSummary,
}

/// What came of the visits to a page, by source, campaign, audience or page link.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, rename = "PageAnalyticsBreakdown")]
#[schemars(example = json!({
    "items": [{
        "value": "newsletter",
        "summary": pagesmith_model::example::example::<PageAnalyticsSummary>(),
    }],
}))]
pub(crate) struct Breakdown {
    /// The values.
    items: Vec<OneValue>,
}

impl Breakdown {
    pub(crate) fn of(totals: Totals) -> Breakdown {
        let items = most_first(totals, MOST).into_iter();
        let view =
            |(value, sums): (String, Sums)| OneValue { value, summary: PageAnalyticsSummary::from(&sums) };
        Breakdown { items: items.map(view).collect() }
    }
}

/// What came of the sessions that began in a span of time.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, inline)]
pub(crate) struct OneSpan {
    /// When the span begins.
    starts_at: Timestamp,
    /// Sums and rates.
    summary: PageAnalyticsSummary,
}

/// What came of the visits to a page, over time.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, rename = "PageAnalyticsTimeseries")]
#[schemars(example = json!({
    "items": [{
        "startsAt": "2026-03-20T00:00:00.000Z",
        "summary": pagesmith_model::example::example::<PageAnalyticsSummary>(),
    }],
}))]
pub(crate) struct Timeseries {
    /// The spans, earliest first.
    items: Vec<OneSpan>,
}

impl Timeseries {
    /// Of days, or of quarters that are put together to hours.
    pub(crate) fn of(found: BTreeMap<Timestamp, Sums>, is_hourly: bool) -> Timeseries {
        const HOUR: i64 = 3_600_000_000;
        let mut spans: BTreeMap<Timestamp, Sums> = BTreeMap::new();
        for (start, sums) in found {
            let hour = Timestamp::from_micros(start.as_micros().div_euclid(HOUR) * HOUR);
            spans.entry(if is_hourly { hour } else { start }).or_default().add(&sums);
        }
        let skipped = spans.len().saturating_sub(MOST);
        let view = |(starts_at, sums): (Timestamp, Sums)| OneSpan {
            starts_at,
            summary: PageAnalyticsSummary::from(&sums),
        };
        Timeseries { items: spans.into_iter().skip(skipped).map(view).collect() }
    }
}

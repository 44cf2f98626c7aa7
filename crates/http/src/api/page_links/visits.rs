//! Who came by a link.

use pagesmith_endpoint::endpoint;
use pagesmith_model::{AudienceId, PageLinkId, Result, Timestamp};
use pagesmith_operations::page_links;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::extract::{Call, Path};
use crate::reply::Single;

/// The sessions of an audience that came by the link.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, inline)]
pub(crate) struct Visited {
    /// Id of the audience.
    audience_id: AudienceId,
    /// Number of sessions of persons, open ones included.
    #[schemars(with = "f64")]
    total_sessions: i64,
}

/// Visits through a page link.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, rename = "PageLinkVisits")]
#[schemars(example = json!({
    "since": "2026-03-20T09:30:00.000Z",
    "totalSessions": 120,
    "audiences": [{ "audienceId": "audience_01jpbz8n4xf5k9w2d7hq3mv6ta", "totalSessions": 120 }],
}))]
pub(crate) struct PageLinkVisits {
    /// Sessions that began at this instant or later count.
    since: Timestamp,
    /// Number of sessions of persons, open ones included.
    #[schemars(with = "f64")]
    total_sessions: i64,
    /// The audiences that visitors saw, those with the most sessions first.
    audiences: Vec<Visited>,
}

/// Returns how many visits came by a page link in the last 30 days, or for as long as sessions are kept, by audience.
///
/// Sessions of persons count that began at an address of the link, at the pages that it leads to now. A visitor who is sent to an address
/// elsewhere shows no page, and is not counted.
#[endpoint]
pub(crate) async fn get_page_link_visits(
    call: Call,
    Path(id): Path<PageLinkId>,
) -> Result<Single<PageLinkVisits>> {
    let found = call.read(move |tx, ctx| page_links::visits(tx, ctx, &id)).await?;
    let view = |(audience_id, total_sessions)| Visited { audience_id, total_sessions };
    Ok(Single(PageLinkVisits {
        since: found.since,
        total_sessions: found.audiences.iter().map(|(_, sessions)| sessions).sum(),
        audiences: found.audiences.into_iter().map(view).collect(),
    }))
}

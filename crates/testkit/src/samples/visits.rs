//! Visits to a page, for the tests that cover every operation.

use crate::Client;
use pagesmith_model::AudienceId;
use serde_json::{Value, json};

use crate::samples::owned::{Owned, create};
use crate::samples::{Id, Sample, Work};

/// A visit to a page, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    groups: &[("Analytics", 5)],
    ids: &[Id::nested("{audience_session_id}", "session"), Id::nested("{visit_share_id}", "visitshare")],
    make: |client, owned| Box::pin(make(client, owned)),
    reads: &[
        "/v0/pages/{page_id}/audience_sessions",
        "/v0/pages/{page_id}/analytics/audiences",
        "/v0/pages/{page_id}/visit_shares",
    ],
    deletes: &["/v0/pages/{page_id}/visit_shares/{visit_share_id}"],
    work: &[
        Work {
            name: "sweep_pending_work",
            made_by: "INSERT INTO pending_work VALUES ('sessions', '{tenant}') ON CONFLICT DO NOTHING",
            left: "pending_work WHERE tenant_id = '{tenant}' AND kind = 'sessions'",
        },
        Work {
            name: "close_sessions",
            made_by: "INSERT INTO pending_work VALUES ('sessions', '{tenant}') ON CONFLICT DO NOTHING;
                INSERT INTO audience_sessions (tenant_id, audience_session_id, page_id, audience_id, closes_at, last_at,
                    is_scripted, engaged_ms, scroll, clicks, interactions, questions, has_action, has_conversion, has_form,
                    verdict)
                VALUES ('{tenant}', {bytes}, {bytes}, {bytes}, {old}, {old}, FALSE, 0, 0, 0, 0, 0, FALSE, FALSE, FALSE, 'bot')",
            left: "audience_sessions WHERE tenant_id = '{tenant}' AND closes_at IS NOT NULL",
        },
        Work {
            name: "sweep_visits",
            made_by: "INSERT INTO visit_settings (tenant_id, rows_from) VALUES ('{tenant}', 0)",
            left: "visit_settings WHERE tenant_id = '{tenant}' AND rows_from = 0",
        },
    ],
    ..Sample::NONE
};

/// A user agent of a browser with somebody before it.
pub const BROWSER: &str =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";

/// A report of a page view as the page's script sends it.
pub fn report(view: &str, page_id: &str, audience_id: &str) -> Value {
    json!({
        "v": view, "p": page_id, "a": audience_id, "t": 10_000, "e": 9_000, "s": 40, "c": 0, "x": [], "q": [], "k": false,
        "w": false, "l": "/", "r": "",
    })
}

/// A new audience of a page, with an empty version that visitors are shown.
pub async fn published(client: &Client, page: &str) -> String {
    let audience = create(client, &format!("/v0/pages/{page}/audiences"), &json!({})).await;
    let audience_id = audience["audienceId"].as_str().unwrap().to_owned();
    let version = audience["latestVersion"]["versionId"].as_str().unwrap();
    let version = format!("/v0/pages/{page}/audiences/{audience_id}/versions/{version}");
    client.post(&format!("{version}/cancel"), &json!({})).await.expect(200);
    let content = Some(json!({ "blocks": [] }).to_string().into_bytes());
    client.send("PUT", &format!("{version}/content"), content).await.expect(200);
    client.post(&format!("{version}/publish"), &json!({})).await.expect(200);
    audience_id
}

async fn make(client: &Client, owned: &mut Owned) {
    // An audience of its own that is shown: visits to others are not counted.
    let page = owned.id("{page_id}").to_owned();
    let audience_id = published(client, &page).await;
    let link = client.get(&format!("/v0/pages/{page}/link")).await.expect(200).json();
    let site = client.with("host", link["domain"].as_str().unwrap()).with("user-agent", BROWSER);
    let view = AudienceId::parse(&audience_id).unwrap().to_bytes();
    let view = format!("{:032x}", u128::from_be_bytes(view));
    let answer = site.post("/.pagesmith/v", &report(&view, &page, &audience_id)).await.expect(204);
    assert_eq!(answer.header("x-pagesmith-dropped"), None);
    let listed = format!("/v0/pages/{page}/audience_sessions?audienceId={audience_id}");
    let listed = client.get(&listed).await.expect(200).json();
    owned.add("{audience_session_id}", &listed["items"][0], "audienceSessionId");
    let share = json!({ "name": "The board", "expiresInDays": 30 });
    let share = create(client, &format!("/v0/pages/{page}/visit_shares"), &share).await;
    owned.add("{visit_share_id}", &share["visitShare"], "visitShareId");
}

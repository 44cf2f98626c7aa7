//! A question that nothing was known of, for the tests that cover every operation.

use crate::Client;
use serde_json::{Value, json};

use crate::samples::owned::Owned;
use crate::samples::visits::{BROWSER, published};
use crate::samples::{Id, Sample};

/// A question that nothing was known of, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    ids: &[Id::nested("{unanswered_question_id}", "unansweredquestion")],
    make: |client, owned| Box::pin(make(client, owned)),
    reads: &[
        "/v0/question_settings",
        "/v0/pages/{page_id}/question_settings",
        "/v0/pages/{page_id}/unanswered_questions",
    ],
    deletes: &["/v0/pages/{page_id}/unanswered_questions/{unanswered_question_id}"],
    ..Sample::NONE
};

/// A visitor of a site, with a browser.
pub fn visitor(client: &Client, host: &str) -> Client {
    client.with("host", host).with("user-agent", BROWSER).with("sec-fetch-site", "same-origin")
}

/// What a browser sends to ask something on a page.
pub fn asked(page: &str, audience: &str, question: &str) -> Vec<u8> {
    let fields = [("ps.page", page), ("ps.audience", audience), ("q", question)];
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish().into_bytes()
}

async fn make(client: &Client, owned: &mut Owned) {
    let page = owned.id("{page_id}").to_owned();
    // Whoever asks is the same visitor in every sample.
    let settings =
        json!({ "isShown": false, "perVisitor": 100_000, "perPage": 100_000, "perTenant": 100_000 });
    client.send("PUT", "/v0/question_settings", Some(settings.to_string().into_bytes())).await.expect(200);
    let audience = published(client, &page).await;
    let shown = json!({ "isShown": true, "heading": null, "actionId": null }).to_string().into_bytes();
    client.send("PUT", &format!("/v0/pages/{page}/question_settings"), Some(shown)).await.expect(200);
    let link = client.get(&format!("/v0/pages/{page}/link")).await.expect(200).json();
    let visitor = visitor(client, link["domain"].as_str().unwrap());
    let question = asked(&page, &audience, &format!("Is there a shop in Manchester {}?", owned.number));
    visitor.send("POST", "/.pagesmith/q", Some(question)).await.expect(200);
    let listed: Value =
        client.get(&format!("/v0/pages/{page}/unanswered_questions")).await.expect(200).json();
    owned.add("{unanswered_question_id}", &listed["items"][0], "unansweredQuestionId");
}

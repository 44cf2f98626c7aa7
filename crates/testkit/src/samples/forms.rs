//! A form and what was sent with it, for the tests that cover every operation.

use crate::Answer;
use crate::Client;
use serde_json::{Value, json};

use crate::fixtures;
use crate::samples::owned::{Owned, create};
use crate::samples::visits::{BROWSER, published};
use crate::samples::{Id, Sample, Work};

/// A form and what was sent with it, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    ids: &[Id::top("{form_id}", "form"), Id::top("{submission_id}", "submission")],
    make: |client, owned| Box::pin(make(client, owned)),
    // Another status than the submission has.
    bodies: &[("updateSubmission", || json!({ "status": "spam" }))],
    reads: &[
        "/v0/forms/{form_id}/submissions",
        "/v0/forms?limit=5",
        "/v0/form_submissions?limit=5",
        "/v0/enrichment_hook",
    ],
    deletes: &["/v0/form_submissions/{submission_id}", "/v0/forms/{form_id}", "/v0/enrichment_hook"],
    work: &[Work {
        name: "enrichments",
        made_by: "INSERT INTO pending_work VALUES ('enrichments', '{tenant}') ON CONFLICT DO NOTHING;
                INSERT INTO enrichments (tenant_id, submission_id, due_at, tries, awaits_callback)
                VALUES ('{tenant}', 'submission_{id}', {old}, 0, FALSE)",
        left: "enrichments WHERE tenant_id = '{tenant}'",
    }],
    ..Sample::NONE
};

/// A page that shows a form to somebody.
#[derive(Debug, Clone)]
pub struct ShownForm {
    /// Id of the page.
    pub page: String,
    /// Id of the audience.
    pub audience: String,
    /// The name of the site.
    pub host: String,
}

/// Makes a page with an action `contact` that names a form, and shows it.
pub async fn shown(client: &Client, form_id: &str) -> ShownForm {
    let action = json!({ "actionId": "contact", "actionType": "form", "purpose": "Get in touch",
        "buttonTitle": "Contact us", "formId": form_id });
    let mut body = fixtures::page("Forms");
    body["actions"] = json!([action]);
    body["headerActionId"] = json!("contact");
    let page = create(client, "/v0/pages", &body).await["pageId"].as_str().unwrap().to_owned();
    let audience = published(client, &page).await;
    let link = client.get(&format!("/v0/pages/{page}/link")).await.expect(200).json();
    ShownForm { page, audience, host: link["domain"].as_str().unwrap().to_owned() }
}

impl ShownForm {
    /// Who visits the page.
    pub fn visitor(&self, client: &Client) -> Client {
        self.visitor_with(client, BROWSER, "same-origin")
    }

    /// Who visits the page with this user agent, from a site of this relation.
    pub fn visitor_with(&self, client: &Client, user_agent: &str, from: &str) -> Client {
        client.with("host", &self.host).with("user-agent", user_agent).with("sec-fetch-site", from)
    }

    /// What a browser sends with these values.
    pub fn filled(&self, values: &[(&str, &str)]) -> Vec<u8> {
        let own =
            [("ps.page", self.page.as_str()), ("ps.audience", &self.audience), ("ps.action", "contact")];
        let mut body = url::form_urlencoded::Serializer::new(String::new());
        body.extend_pairs(own).extend_pairs(values);
        body.finish().into_bytes()
    }

    /// Sends the form as a browser without script does.
    pub async fn send(&self, visitor: &Client, values: &[(&str, &str)]) -> Answer {
        visitor.send("POST", "/.pagesmith/f", Some(self.filled(values))).await
    }
}

async fn make(client: &Client, owned: &mut Owned) {
    let email = json!({ "key": "email", "kind": "email", "label": "E-mail", "required": true });
    let form = create(client, "/v0/forms", &json!({ "name": "Contact", "fields": [email] })).await;
    owned.add("{form_id}", &form, "formId");
    let shown = shown(client, form["formId"].as_str().unwrap()).await;
    let address = format!("ada{}@example.com", owned.number);
    shown.send(&shown.visitor(client), &[("email", &address)]).await.expect(303);
    let sent: Value = client.get("/v0/form_submissions?limit=1").await.expect(200).json();
    owned.add("{submission_id}", &sent["items"][0], "submissionId");
    // Behind the submission, so that nobody is called.
    let hook = json!({ "url": "https://example.com/enrich" }).to_string().into_bytes();
    client.send("PUT", "/v0/enrichment_hook", Some(hook)).await.expect(200);
}

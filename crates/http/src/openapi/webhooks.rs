//! The events that webhooks deliver, each with its body, its headers and what a receiver should answer.

use pagesmith_model::example::example;
use pagesmith_model::webhook::EventType;
use pagesmith_model::webhook::payload::{
    EventBody, FormEnriched, FormEnrichmentFailed, FormSubmitted, VersionCreated, VersionProcessed,
    VersionPublished,
};
use pagesmith_model::webhook::signature::{ID, SECONDS, SIGNATURE, SIGNATURE_256, TIMESTAMP};
use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use crate::description::Schemas;

/// The tag of all events.
pub(super) const TAG: &str = "Webhook Events";

pub(super) const DESCRIPTION: &str = "\
    An event is delivered as a POST request to every active webhook subscription that selects its type. The request is signed with \
    the secret of the subscription: verify the signature over the bytes of the body before you read them. An event may be delivered \
    more than once, with the same `eventId` and the same bytes. Answer with a 2xx status within 15 seconds, after you have stored \
    the event. Anything else is a failure and is repeated after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours.";

/// A header of deliveries: its name, an example, and what it says.
const HEADERS: [(&str, &str, &str); 5] = [
    (
        SIGNATURE_256,
        "sha256=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
        "`sha256=` and the HMAC-SHA256 of the body's bytes in lower-case hexadecimal digits. The key is the text of the newest \
         signing secret, `whsec_` included.",
    ),
    (TIMESTAMP, "1773999024452", "Time of the attempt, in milliseconds since 1970."),
    (ID, "event_01jpbz8n4xf5k9w2d7hq3mv6ta", "Id of the event, as Standard Webhooks name it."),
    (SECONDS, "1773999024", "Time of the attempt in seconds since 1970, as Standard Webhooks name it."),
    (
        SIGNATURE,
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        "Signature of Standard Webhooks: `v1,` and the base64 form of the HMAC-SHA256 of id, timestamp and body with dots between \
         them. The key is the decoded base64 part of the secret. While an older secret still signs, there is one signature for \
         each, separated by spaces.",
    ),
];

/// Every event, by its type.
pub(super) fn webhooks(schemas: &mut Schemas) -> Value {
    let mut events = Map::new();
    for kind in EventType::ALL {
        let (summary, description, (schema, example)) = match kind {
            EventType::VersionCreated => (
                "A version of an audience was created.",
                "Sent when an audience is created with its first version, and for every further version.",
                body::<VersionCreated<'static>>(schemas),
            ),
            EventType::VersionProcessed => (
                "The generation of a version has ended.",
                "Sent when a version has been generated and is a draft, or goes live at once; then \
                 `page.version.published` is sent too. A version whose generation failed or was cancelled is not announced.",
                body::<VersionProcessed<'static>>(schemas),
            ),
            EventType::VersionPublished => (
                "A version has gone live.",
                "Sent when visitors see the version, whether it was published on request or by itself.",
                body::<VersionPublished<'static>>(schemas),
            ),
            EventType::FormSubmitted => (
                "A visitor has submitted a form.",
                "Carries what the visitor entered. What is quarantined as spam sends it when it is released.",
                body::<FormSubmitted<'static>>(schemas),
            ),
            EventType::FormEnriched => (
                "A submission was enriched.",
                "Contains the data that the tenant's enrichment hook returned about the visitor who submitted a form.",
                body::<FormEnriched<'static>>(schemas),
            ),
            EventType::FormEnrichmentFailed => (
                "A submission could not be enriched.",
                "Contains the reason: the enrichment hook had no data, could not be reached, or returned an invalid response.",
                body::<FormEnrichmentFailed<'static>>(schemas),
            ),
        };
        let post = json!({
            "summary": summary,
            "description": description,
            "tags": [TAG],
            // A delivery carries no API key: the receiver verifies its signature.
            "security": [],
            "parameters": headers(),
            "requestBody": {
                "required": true,
                "content": { "application/json": { "schema": schema, "example": example } },
            },
            "responses": {
                "2XX": { "description": "The receiver has stored the event." },
                "410": { "description": "The receiver wants no more events: the subscription is deactivated." },
            },
        });
        events.insert(kind.as_str().to_owned(), json!({ "post": post }));
    }
    events.into()
}

fn body<P: JsonSchema>(schemas: &mut Schemas) -> (Value, Value) {
    (schemas.output::<EventBody<'static, P>>(), example::<EventBody<'static, P>>())
}

fn headers() -> Vec<Value> {
    let header = |(name, example, description): (&str, &str, &str)| {
        json!({
            "name": name, "in": "header", "required": true, "schema": { "type": "string" },
            "description": description, "example": example,
        })
    };
    HEADERS.into_iter().map(header).collect()
}

//! A log of a person, for the tests that cover every operation.

use crate::Client;
use serde_json::json;

use crate::samples::owned::{Owned, create};
use crate::samples::persons::email;
use crate::samples::{Id, Sample};

/// A log of a person, for the tests that cover every operation.
pub(in crate::samples) const SAMPLE: Sample = Sample {
    groups: &[("Person Logs", 6)],
    ids: &[Id::nested("{person_log_id}", "personlog")],
    make: |client, owned| Box::pin(make(client, owned)),
    // Without the key of the example, which would repeat the first answer.
    bodies: &[("createPersonLog", || json!({ "email": "grace@one-more.com", "source": "crm" }))],
    reads: &["/v0/persons/{person_id}/logs?includeDeleted=true"],
    deletes: &["/v0/persons/{person_id}/logs/{person_log_id}"],
    differences: &[
        (
            "E-mail addresses, domains, phones (E.164), URLs and LinkedIn profiles must be valid ones, though the specification prints no pattern.",
            &[
                "request CreatePersonLogRequest.email: format – → \"email\"",
                "request CreatePersonLogRequest.linkedinProfileUrl: format – → \"linkedin-profile\"",
            ],
        ),
        ("payload defaults to {}.", &["request CreatePersonLogRequest.payload: default – → {}"]),
    ],
    ..Sample::NONE
};

async fn make(client: &Client, owned: &mut Owned) {
    let payload = json!({ "text": "Called back." });
    let log = json!({ "email": email(owned), "source": "crm", "type": "note", "payload": payload });
    let log = create(client, "/v0/person_logs", &log).await;
    owned.add("{person_log_id}", &log, "personLogId");
}

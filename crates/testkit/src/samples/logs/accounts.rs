//! A log of an account, for the tests that cover every operation.

use crate::Client;
use serde_json::json;

use crate::samples::accounts::domain;
use crate::samples::owned::{Owned, create};
use crate::samples::{Id, Sample};

/// A log of an account, for the tests that cover every operation.
pub(in crate::samples) const SAMPLE: Sample = Sample {
    groups: &[("Account Logs", 6)],
    ids: &[Id::nested("{account_log_id}", "accountlog")],
    make: |client, owned| Box::pin(make(client, owned)),
    // Without the key of the example, which would repeat the first answer.
    bodies: &[("createAccountLog", || json!({ "domain": "one-more.com", "source": "crm" }))],
    reads: &["/v0/accounts/{account_id}/logs?includeDeleted=true"],
    deletes: &["/v0/accounts/{account_id}/logs/{account_log_id}"],
    differences: &[
        (
            "E-mail addresses, domains, phones (E.164), URLs and LinkedIn profiles must be valid ones, though the specification prints no pattern.",
            &["request CreateAccountLogRequest.domain: format – → \"domain\""],
        ),
        ("payload defaults to {}.", &["request CreateAccountLogRequest.payload: default – → {}"]),
    ],
    ..Sample::NONE
};

async fn make(client: &Client, owned: &mut Owned) {
    let payload = json!({ "text": "Called back." });
    let log = json!({ "domain": domain(owned), "source": "crm", "type": "note", "payload": payload });
    let log = create(client, "/v0/account_logs", &log).await;
    owned.add("{account_log_id}", &log, "accountLogId");
}

//! An account, for the tests that cover every operation.

use crate::Client;
use serde_json::json;

use crate::samples::owned::Owned;
use crate::samples::{Id, Sample};

/// An account, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    groups: &[("Accounts", 5), ("Account Activity", 1)],
    ids: &[Id::top("{account_id}", "account")],
    make: |client, owned| Box::pin(make(client, owned)),
    reads: &[
        "/v0/accounts?limit=100",
        "/v0/accounts/{account_id}",
        "/v0/accounts/{account_id}/timeline",
        "/v0/accounts/{account_id}/activity?includePersonActivity=true&includeDeleted=true",
    ],
    differences: &[
        (
            "Another order of the list is asked for with `sort`, a parameter of ours.",
            &["GET /v0/accounts query sort: parameter – → optional"],
        ),
        (
            "E-mail addresses, domains, phones (E.164), URLs and LinkedIn profiles must be valid ones, though the specification prints no pattern.",
            &["request CreateAccountRequest.domain: format – → \"domain\""],
        ),
    ],
    ..Sample::NONE
};

/// The domain of the account that is made.
pub(super) fn domain(owned: &Owned) -> String {
    format!("owned-{}.com", owned.number)
}

async fn make(client: &Client, owned: &mut Owned) {
    let account = client.post("/v0/accounts", &json!({ "domain": domain(owned) })).await.expect(200).json();
    owned.add("{account_id}", &account, "accountId");
}

//! An audience, for the tests that cover every operation.

use crate::Client;
use serde_json::json;

use crate::samples::owned::{Owned, create};
use crate::samples::{Id, Sample, Work};

/// An audience, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    groups: &[("Audiences", 8)],
    ids: &[Id::nested("{audience_id}", "audience"), Id::nested("{version_id}", "version")],
    make: |client, owned| Box::pin(make(client, owned)),
    reads: &["/v0/audiences/search?limit=100", "/v0/pages/{page_id}/audiences"],
    differences: &[
        (
            "Another order of the list is asked for with `sort`, a parameter of ours.",
            &["GET /v0/pages/{page_id}/audiences query sort: parameter – → optional"],
        ),
        (
            "Extra optional fields, ours: personId, accountId.",
            &[
                "request CreateAudienceRequest.accountId: field – → optional",
                "request CreateAudienceRequest.personId: field – → optional",
            ],
        ),
    ],
    work: &[Work {
        name: "count_erased_audiences",
        made_by: "INSERT INTO tally_debts VALUES ('{tenant}', 'audience_{id}', 'page_{id}', -1, 0)",
        left: "tally_debts WHERE tenant_id = '{tenant}'",
    }],
    ..Sample::NONE
};

async fn make(client: &Client, owned: &mut Owned) {
    // An account's own page: its access can be set.
    let own = json!({ "accountId": owned.id("{account_id}") });
    let audience = create(client, &owned.fill("/v0/pages/{page_id}/audiences"), &own).await;
    owned.add("{audience_id}", &audience, "audienceId");
    // An audience is made with its first version.
    owned.add("{version_id}", &audience["latestVersion"], "versionId");
}

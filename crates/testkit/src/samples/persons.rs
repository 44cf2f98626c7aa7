//! A person, for the tests that cover every operation.

use crate::Client;
use serde_json::json;

use crate::samples::owned::{Owned, create};
use crate::samples::{Id, Sample, Work};

/// A person, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    groups: &[("Persons", 7)],
    ids: &[Id::top("{person_id}", "person")],
    make: |client, owned| Box::pin(make(client, owned)),
    reads: &["/v0/persons?limit=100"],
    deletes: &["/v0/persons/{person_id}"],
    differences: &[
        (
            "Another order of the list is asked for with `sort`, a parameter of ours.",
            &["GET /v0/persons query sort: parameter – → optional"],
        ),
        (
            "E-mail addresses, domains, phones (E.164), URLs and LinkedIn profiles must be valid ones, though the specification prints no pattern.",
            &[
                "request CreatePersonRequest.domain: format – → \"domain\"",
                "request CreatePersonRequest.email: format – → \"email\"",
                "request CreatePersonRequest.linkedinProfileUrl: format – → \"linkedin-profile\"",
                "request UpdatePersonRequest.domain: format – → \"domain\"",
                "request UpdatePersonRequest.email: format – → \"email\"",
                "request UpdatePersonRequest.linkedinProfileUrl: format – → \"linkedin-profile\"",
            ],
        ),
    ],
    work: &[
        Work {
            name: "index_persons",
            made_by: "INSERT INTO person_removals VALUES ('{tenant}', 1)",
            left: "person_removals WHERE tenant_id = '{tenant}'",
        },
        Work {
            name: "erase_persons",
            made_by: "INSERT INTO person_erasures SELECT tenant_id, person_id, 'server', {old} FROM persons
                WHERE tenant_id = '{tenant}'",
            left: "person_erasures WHERE tenant_id = '{tenant}'",
        },
        Work {
            name: "forget_merges",
            made_by:
                "INSERT INTO person_merges (tenant_id, person_id, into_person_id, fields, actor, merged_at)
                VALUES ('{tenant}', 'person_{id}', 'person_{other}', '{}', 'server', {old})",
            left: "person_merges WHERE tenant_id = '{tenant}' AND ended_at IS NULL",
        },
    ],
    ..Sample::NONE
};

/// The e-mail address of the person that is made.
pub(super) fn email(owned: &Owned) -> String {
    format!("ada@owned-{}.com", owned.number)
}

async fn make(client: &Client, owned: &mut Owned) {
    let person = create(client, "/v0/persons", &json!({ "name": "Ada", "email": email(owned) })).await;
    owned.add("{person_id}", &person, "personId");
    let other = json!({ "name": "Augusta", "email": format!("augusta@owned-{}.com", owned.number) });
    let other = create(client, "/v0/persons", &other).await;
    owned.add("{other_person_id}", &other, "personId");
}

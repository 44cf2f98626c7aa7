//! A domain of a tenant's own, for the tests that cover every operation.

use crate::Client;
use serde_json::{Value, json};

use crate::samples::owned::Owned;
use crate::samples::{Id, Sample, Work};

/// A domain of a tenant's own, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    groups: &[("Tenant Domains", 2)],
    ids: &[Id::top("{tenant_domain_id}", "domain")],
    make: |client, owned| Box::pin(make(client, owned)),
    reads: &["/v0/tenant_domains", "/v0/tenant_domains/{tenant_domain_id}/dns"],
    deletes: &["/v0/tenant_domains/{tenant_domain_id}"],
    work: &[
        Work {
            name: "check_domains",
            made_by: "INSERT INTO tenant_domains (tenant_id, tenant_domain_id, domain, token, status, is_verified, is_default,
                    next_look_at, looking_since, created_at, updated_at)
                VALUES ('{tenant}', 'domain_{id}', 'd{id}.example', 'a', 'pending_verification', FALSE, FALSE, {old}, {old},
                    {old}, {old})",
            left: "tenant_domains WHERE tenant_id = '{tenant}' AND next_look_at <= {now}",
        },
    ],
    ..Sample::NONE
};

/// What the operation adds that makes one.
const ADDED: &str = "go.acme.example";

async fn make(client: &Client, owned: &mut Owned) {
    // A tenant may have a hundred, each once, and a walk over all operations makes more.
    let known = client.get("/v0/tenant_domains?limit=100").await.expect(200).json();
    let known = known["items"].as_array().unwrap();
    let is_in_the_way = |(at, domain): &(usize, &Value)| *at >= 90 || domain["domain"] == ADDED;
    for (_, domain) in known.iter().enumerate().filter(is_in_the_way) {
        let id = domain["tenantDomainId"].as_str().unwrap();
        client.delete(&format!("/v0/tenant_domains/{id}")).await.expect(200);
    }
    let body = json!({ "domain": format!("shop-{}.example", owned.number) });
    let domain = client.post("/v0/tenant_domains", &body).await.expect(201).json();
    owned.add("{tenant_domain_id}", &domain, "tenantDomainId");
}

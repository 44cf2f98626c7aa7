//! A domain and its DNS as answers show them.

use pagesmith_model::example::example;
use pagesmith_model::tenant_domain::look::{Problem, Seen, Wanted};
use pagesmith_model::tenant_domain::{DomainStatus, TenantDomain};
use pagesmith_model::{TenantDomainId, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::collection::CollectionItem;

/// A domain of the tenant's own, on which its pages are shown once it is verified.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TenantDomain", deny_unknown_fields)]
#[schemars(example = json!({
    "tenantDomainId": "domain_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "domain": "go.acme.example",
    "verified": true,
    "verificationStatus": "active",
    "isDefault": true,
    "createdAt": "2026-03-20T09:30:00.000Z",
    "updatedAt": "2026-03-21T14:05:12.480Z",
}))]
pub(crate) struct TenantDomainView {
    /// Id of the domain.
    tenant_domain_id: TenantDomainId,
    /// Host name, in lower case and ASCII.
    domain: String,
    /// Whether the domain's DNS shows the record that was asked for.
    verified: bool,
    /// `pending_verification` while the DNS does not show the record, `verifying` while the domain does not lead here, `active` when both are
    /// right, `failed` when the domain was given up. The other values do not occur.
    #[schemars(with = "String", extend("enum" = DomainStatus::NAMES))]
    verification_status: &'static str,
    /// Whether search engines are told this domain as the address of the tenant's pages.
    is_default: bool,
    /// When the domain was added.
    created_at: Timestamp,
    /// When the domain last changed, by a call or by what its DNS shows.
    updated_at: Timestamp,
}

impl CollectionItem for TenantDomainView {
    const COLLECTION: &str = "A part of the list of tenant domains.";
}

impl From<TenantDomain> for TenantDomainView {
    fn from(domain: TenantDomain) -> TenantDomainView {
        TenantDomainView {
            tenant_domain_id: domain.tenant_domain_id,
            domain: domain.domain.to_string(),
            verified: domain.is_verified,
            verification_status: domain.status.as_str(),
            is_default: domain.is_default,
            created_at: domain.created_at,
            updated_at: domain.updated_at,
        }
    }
}

/// A record to put into a domain's DNS.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TenantDomainRecord", deny_unknown_fields)]
#[schemars(example = json!({
    "purpose": "ownership",
    "type": "TXT",
    "name": "_pagesmith-challenge.go.acme.example",
    "value": "pagesmith-domain-verification=4m2y8q0v7n6s5t3r1p9k8j7h6g5f4d3c",
}))]
pub(crate) struct RecordView {
    /// `ownership` for the record that shows that the domain is the tenant's, `address` for those that lead visitors here.
    #[schemars(extend("enum" = ["ownership", "address"]))]
    purpose: &'static str,
    /// Type of the record.
    #[serde(rename = "type")]
    #[schemars(extend("enum" = ["TXT", "CNAME", "A", "AAAA"]))]
    record_type: &'static str,
    /// Name of the record.
    name: String,
    /// Value of the record.
    value: String,
}

/// The records that a domain needs: the one of ownership, and either the CNAME record or all A and AAAA records.
fn records(domain: &str, wanted: &Wanted) -> Vec<RecordView> {
    let address =
        |record_type, value| RecordView { purpose: "address", record_type, name: domain.to_owned(), value };
    let ownership = RecordView {
        purpose: "ownership",
        record_type: "TXT",
        name: wanted.txt_name.clone(),
        value: wanted.txt.clone(),
    };
    let mut records = vec![ownership, address("CNAME", wanted.fallback.clone())];
    records.extend(wanted.addresses.iter().map(|ip| {
        let record_type = if ip.is_ipv4() { "A" } else { "AAAA" };
        address(record_type, ip.to_string())
    }));
    records
}

/// A domain that was added, with the records that it needs.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AddedTenantDomain", deny_unknown_fields)]
#[schemars(example = added_example())]
pub(crate) struct AddedDomainView {
    #[serde(flatten)]
    domain: TenantDomainView,
    /// Records to put into the domain's DNS: the one of ownership, and for the address either the CNAME record or all A and AAAA records.
    records: Vec<RecordView>,
}

fn added_example() -> serde_json::Value {
    let mut added = example::<TenantDomainView>();
    added["verified"] = false.into();
    added["verificationStatus"] = "pending_verification".into();
    added["isDefault"] = false.into();
    added["records"] = json!([example::<RecordView>()]);
    added
}

impl AddedDomainView {
    pub(crate) fn of(domain: TenantDomain, wanted: &Wanted) -> AddedDomainView {
        AddedDomainView { records: records(domain.domain.as_str(), wanted), domain: domain.into() }
    }
}

/// What is wrong with a domain's DNS.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TenantDomainProblem", deny_unknown_fields)]
#[schemars(example = json!({
    "code": Problem::AddressConflict.code(),
    "message": Problem::AddressConflict.message(),
}))]
pub(crate) struct ProblemView {
    /// What is wrong, from a closed list.
    #[schemars(extend("enum" = Problem::CODES))]
    code: &'static str,
    /// The same as a sentence, and what to do about it.
    message: &'static str,
}

/// The DNS of a domain: what it needs, what was seen, and when it is looked at next.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TenantDomainDns", deny_unknown_fields)]
#[schemars(example = json!({
    "tenantDomainId": "domain_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "domain": "go.acme.example",
    "verificationStatus": "pending_verification",
    "records": [example::<RecordView>()],
    "seen": example::<Seen>(),
    "problems": [example::<ProblemView>()],
    "lastLookAt": "2026-03-20T09:31:00.000Z",
    "nextLookAt": "2026-03-20T09:32:00.000Z",
    "looksEndAt": "2026-03-27T09:30:00.000Z",
}))]
pub(crate) struct DomainDnsView {
    /// Id of the domain.
    tenant_domain_id: TenantDomainId,
    /// Host name, in lower case and ASCII.
    domain: String,
    /// Where the domain stands, as in the domain itself.
    #[schemars(with = "String", extend("enum" = DomainStatus::NAMES))]
    verification_status: &'static str,
    /// Records to put into the domain's DNS: the one of ownership, and for the address either the CNAME record or all A and AAAA records.
    records: Vec<RecordView>,
    /// What the domain's DNS answered at the last look. Null before the first.
    seen: Option<Seen>,
    /// What was wrong then. Empty if nothing was, and before the first look.
    problems: Vec<ProblemView>,
    /// When the DNS was last looked at. Null before the first look.
    last_look_at: Option<Timestamp>,
    /// When it is looked at next by itself. Null for a domain that was given up.
    next_look_at: Option<Timestamp>,
    /// When the domain is given up unless it leads here before. Null if it does, and for a domain that was given up.
    looks_end_at: Option<Timestamp>,
}

impl DomainDnsView {
    pub(crate) fn of(domain: TenantDomain, wanted: &Wanted, is_held_elsewhere: bool) -> DomainDnsView {
        let looks_end_at = domain.looked_at_until();
        let (seen, last_look_at) = domain.last_look.unzip();
        let problems = seen.as_ref().map(|seen| seen.problems(wanted, is_held_elsewhere)).unwrap_or_default();
        let problem = |problem: Problem| ProblemView { code: problem.code(), message: problem.message() };
        DomainDnsView {
            records: records(domain.domain.as_str(), wanted),
            tenant_domain_id: domain.tenant_domain_id,
            domain: domain.domain.to_string(),
            verification_status: domain.status.as_str(),
            seen,
            problems: problems.into_iter().map(problem).collect(),
            last_look_at,
            next_look_at: domain.next_look_at,
            looks_end_at,
        }
    }
}

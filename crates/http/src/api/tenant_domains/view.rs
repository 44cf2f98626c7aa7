//! A domain and its DNS as answers show them.

use pagesmith_model::certificate::Certificate;
use pagesmith_model::certificate::trouble::Trouble;
use pagesmith_model::example::example;
use pagesmith_model::tenant_domain::check::{ExpectedDns, Problem, Seen};
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
    /// right, `failed` when the domain was given up. If the service gets certificates by itself, a domain whose DNS is right is
    /// `pending_issuance`, `pending_validation` and `pending_deployment` before it is `active`, while its first certificate is ordered, the
    /// certificate authority looks at the domain, and the certificate is on its way. `deleting` does not occur.
    #[schemars(with = "String", extend("enum" = DomainStatus::NAMES))]
    verification_status: &'static str,
    /// Whether this domain is the canonical address of the tenant's pages for search engines.
    is_default: bool,
    /// When the domain was added.
    created_at: Timestamp,
    /// When the domain last changed, by a call or by what its DNS shows.
    updated_at: Timestamp,
}

impl CollectionItem for TenantDomainView {
    const COLLECTION: &str = "A part of the list of tenant domains.";
}

/// A domain with what is known of its certificate.
#[derive(Debug, Clone)]
pub(crate) struct DomainWithStatus {
    /// The domain.
    pub domain: TenantDomain,
    /// Where it stands, its certificate included.
    pub status: &'static str,
    /// Its certificate, where certificates are ordered by themselves and it needs one.
    pub certificate: Option<Certificate>,
}

impl From<DomainWithStatus> for TenantDomainView {
    fn from(shown: DomainWithStatus) -> TenantDomainView {
        TenantDomainView { verification_status: shown.status, ..TenantDomainView::from(shown.domain) }
    }
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
fn records(domain: &str, wanted: &ExpectedDns) -> Vec<RecordView> {
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
    pub(crate) fn of(domain: TenantDomain, wanted: &ExpectedDns) -> AddedDomainView {
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

/// Why a domain has no certificate, or none for the time after its present one.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TenantDomainCertificateProblem", deny_unknown_fields)]
#[schemars(example = json!({
    "code": Trouble::Caa.code(),
    "message": Trouble::Caa.message(),
    "detail": "CAA record for go.acme.example prevents issuance",
    "failedAt": "2026-03-20T09:32:10.000Z",
}))]
pub(crate) struct CertificateProblemView {
    /// What is wrong, from a closed list.
    #[schemars(extend("enum" = Trouble::CODES))]
    code: &'static str,
    /// The same as a sentence, and what to do about it.
    message: &'static str,
    /// The same in the words of the certificate authority, or which records forbid the certificate, in English. May be empty.
    detail: String,
    /// When the last attempt failed.
    failed_at: Timestamp,
}

/// The certificate of a domain, which the service gets by itself.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TenantDomainCertificate", deny_unknown_fields)]
#[schemars(example = json!({
    "expiresAt": null,
    "renewsAt": null,
    "problem": example::<CertificateProblemView>(),
    "failures": 1,
    "nextStepAt": "2026-03-20T09:37:10.000Z",
}))]
pub(crate) struct CertificateView {
    /// When the certificate ends that is shown. Null while there is none.
    expires_at: Option<Timestamp>,
    /// When the next one is ordered. Null while there is none.
    renews_at: Option<Timestamp>,
    /// Why the last attempt to get one failed. Null if it did not.
    problem: Option<CertificateProblemView>,
    /// How many attempts have failed since one succeeded. The more, the longer the pause before the next.
    failures: u32,
    /// When something is done about it next.
    next_step_at: Timestamp,
}

impl From<Certificate> for CertificateView {
    fn from(certificate: Certificate) -> CertificateView {
        let issued = certificate.issued.as_ref();
        CertificateView {
            expires_at: issued.map(|issued| issued.validity.not_after),
            renews_at: issued.map(|issued| issued.renew_at),
            problem: certificate.failed.map(|failed| CertificateProblemView {
                code: failed.trouble.code(),
                message: failed.trouble.message(),
                detail: failed.detail,
                failed_at: failed.at,
            }),
            failures: certificate.failures,
            next_step_at: certificate.next_step_at,
        }
    }
}

/// The DNS of a domain: what it needs, what was seen, and when it is checked next.
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
    "certificate": null,
}))]
pub(crate) struct DomainDnsView {
    /// Id of the domain.
    tenant_domain_id: TenantDomainId,
    /// Host name, in lower case and ASCII.
    domain: String,
    /// Verification status of the domain, as in the domain itself.
    #[schemars(with = "String", extend("enum" = DomainStatus::NAMES))]
    verification_status: &'static str,
    /// Records to put into the domain's DNS: the one of ownership, and for the address either the CNAME record or all A and AAAA records.
    records: Vec<RecordView>,
    /// What the domain's DNS answered at the last check. Null before the first.
    seen: Option<Seen>,
    /// What was wrong then. Empty if nothing was, and before the first check.
    problems: Vec<ProblemView>,
    /// When the DNS was last checked. Null before the first check.
    last_look_at: Option<Timestamp>,
    /// When it is checked next by itself. Null for a domain that was given up.
    next_look_at: Option<Timestamp>,
    /// When the domain is given up unless it leads here before. Null if it does, and for a domain that was given up.
    looks_end_at: Option<Timestamp>,
    /// Its certificate. Null if the service does not get certificates by itself, and while the domain does not lead here.
    certificate: Option<CertificateView>,
}

impl DomainDnsView {
    pub(crate) fn of(
        shown: DomainWithStatus,
        wanted: &ExpectedDns,
        is_held_elsewhere: bool,
    ) -> DomainDnsView {
        let DomainWithStatus { domain, status, certificate } = shown;
        let looks_end_at = domain.checked_until();
        let (seen, last_look_at) = domain.last_check.unzip();
        let problems = seen.as_ref().map(|seen| seen.problems(wanted, is_held_elsewhere)).unwrap_or_default();
        let problem = |problem: Problem| ProblemView { code: problem.code(), message: problem.message() };
        DomainDnsView {
            records: records(domain.domain.as_str(), wanted),
            tenant_domain_id: domain.tenant_domain_id,
            domain: domain.domain.to_string(),
            verification_status: status,
            seen,
            problems: problems.into_iter().map(problem).collect(),
            last_look_at,
            next_look_at: domain.next_check_at,
            looks_end_at,
            certificate: certificate.map(CertificateView::from),
        }
    }
}

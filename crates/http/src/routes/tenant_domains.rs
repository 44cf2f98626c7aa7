//! Tenant domains: the tenant's own host names.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::tenant_domains;
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/tenant_domains", tenant_domains::list_tenant_domains, Read),
        row!(POST "/v0/tenant_domains", tenant_domains::add_tenant_domain, Write),
        row!(GET "/v0/tenant_domains/{tenant_domain_id}", tenant_domains::get_tenant_domain, Read),
        row!(PATCH "/v0/tenant_domains/{tenant_domain_id}", tenant_domains::update_tenant_domain, Write),
        row!(DELETE "/v0/tenant_domains/{tenant_domain_id}", tenant_domains::remove_tenant_domain, Write),
        row!(GET "/v0/tenant_domains/{tenant_domain_id}/dns", tenant_domains::get_tenant_domain_dns, Read),
        row!(POST "/v0/tenant_domains/{tenant_domain_id}/verify", tenant_domains::verify_tenant_domain, Write),
    ];
    Group { name: "Tenant Domains", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    A tenant domain is a host name of the tenant's own, such as `go.example.com`, on which its pages are shown. A TXT record in the domain's DNS \
    shows that the domain is the tenant's, and a CNAME record or addresses lead visitors here. Both are checked every day.";

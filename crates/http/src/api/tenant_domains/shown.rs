//! Domains with what is known of their certificates, where these are ordered by themselves.

use std::sync::Arc;

use pagesmith_model::tenant_domain::TenantDomain;
use pagesmith_model::{Result, Timestamp};
use pagesmith_operations::certificates;
use pagesmith_store::Tx;
use pagesmith_store::tables::certificates as table;

use super::view::DomainWithStatus;
use crate::state::AppState;
use crate::tls::Certificates;

/// Which certificates domains need.
#[derive(Clone)]
pub(crate) struct Needs {
    /// Those that are there; nothing where none are ordered.
    certificates: Option<Arc<Certificates>>,
    now: Timestamp,
}

impl Needs {
    /// What they are on this server.
    pub(crate) fn of(state: &AppState) -> Needs {
        let tls = state.settings.tls.as_ref().filter(|tls| tls.certificates.are_ordered());
        Needs { certificates: tls.map(|tls| Arc::clone(&tls.certificates)), now: state.now() }
    }

    /// The domain, with its certificate if it needs one.
    pub(crate) fn shown(&self, tx: &mut Tx<'_>, domain: TenantDomain) -> Result<DomainWithStatus> {
        let name = domain.domain.as_str();
        let of_own = self.certificates.as_ref().filter(|certificates| !certificates.is_in_files(name));
        if of_own.is_none() || !domain.is_held() {
            let status = domain.status.as_str();
            return Ok(DomainWithStatus { domain, status, certificate: None });
        }
        let certificate = table::find(tx, name)?;
        let status = certificates::domain_status(&domain, certificate.as_ref(), self.now);
        Ok(DomainWithStatus { domain, status, certificate })
    }
}

//! How the hooks that enrich submissions are called.

use std::sync::Arc;

use crate::egress::Egress;

/// The address of a path on the site of the tenant with this slug.
pub type SiteAddress = dyn Fn(&str, &str) -> String + Send + Sync;

/// How hooks are called.
#[derive(Clone)]
pub struct EnrichmentConfig {
    /// What calls them.
    pub egress: Egress,
    /// Where callbacks come in.
    pub site_address: Arc<SiteAddress>,
}

//! How certificates are ordered: of whom, for what, and how many.

use std::fmt;
use std::sync::{Arc, Mutex};

use pagesmith_model::Timestamp;
use pagesmith_model::certificate::challenge::ChallengeKind;
use pagesmith_operations::certificates::lease::Lease;

use crate::egress::Egress;

pub(crate) mod metrics;

use metrics::CertificateMetrics;

/// Whether a name has a certificate from elsewhere.
pub type IsCovered = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// How certificates are ordered.
pub struct Automatic {
    /// The authority's directory, which says where it does what.
    pub directory: String,
    /// The address that the authority may write to; empty: none.
    pub contact: String,
    /// Names of the installation that want a certificate beside the host of the API.
    pub own_names: Vec<String>,
    /// What the authority may look at, the preferred one first.
    pub challenges: &'static [ChallengeKind],
    /// How many orders may be begun in an hour.
    pub orders_per_hour: u64,
    /// The way to the authority.
    pub gateway: Egress,
    /// Which names files have certificates for.
    pub is_covered: IsCovered,
    /// What is measured.
    pub metrics: CertificateMetrics,
    /// By what this server is told from others.
    pub holder: String,
    /// The revisions for which the list of names was last compared, and when.
    pub compared: Mutex<Option<(i64, i64, Timestamp)>>,
}

impl fmt::Debug for Automatic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Automatic").field("directory", &self.directory).finish_non_exhaustive()
    }
}

impl Automatic {
    /// The right to order there, for this server.
    pub(crate) fn lease(&self) -> Lease {
        Lease {
            directory: self.directory.clone(),
            holder: self.holder.clone(),
            orders_per_hour: self.orders_per_hour,
        }
    }
}

//! The way out of `listen`, to the server and to the developer's address.

use pagesmith_model::network::Networks;
use pagesmith_worker::egress::{Egress, Options};

/// A gateway to every address: it is the developer's own machine, and the developer who says where to.
pub fn gateway() -> Egress {
    let everywhere: Networks = "0.0.0.0/0,::/0".parse().unwrap_or_default();
    Egress::new(&Options::new(everywhere))
}

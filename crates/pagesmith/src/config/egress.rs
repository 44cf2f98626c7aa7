//! `[egress]`: where this node may send to.

use pagesmith_model::network::Networks;

use super::{ConfigError, Settings};

/// What leaves the node.
#[derive(Debug, Clone)]
pub struct Egress {
    /// Reserved networks that may be spoken to all the same.
    pub allow: Networks,
}

impl Egress {
    /// Reads the section.
    pub fn read(settings: &Settings) -> Result<Egress, ConfigError> {
        let expected = "networks with commas between them, such as 127.0.0.0/8,10.1.0.0/16, or empty";
        Ok(Egress { allow: settings.parse("egress.allow", expected)? })
    }
}

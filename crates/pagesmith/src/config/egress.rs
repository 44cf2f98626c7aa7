//! `[egress]`: where this server may send to.

use pagesmith_model::network::Networks;
use pagesmith_worker::egress::Proxy;

use super::{ConfigError, Settings};

/// What leaves the server.
#[derive(Debug, Clone)]
pub struct Egress {
    /// Reserved networks that may be spoken to all the same.
    pub allow: Networks,
    /// What everything goes through, if anything.
    pub proxy: Option<Proxy>,
}

impl Egress {
    /// Reads the section.
    pub fn read(settings: &Settings) -> Result<Egress, ConfigError> {
        let expected = "networks with commas between them, such as 127.0.0.0/8,10.1.0.0/16, or empty";
        let allow = settings.parse("egress.allow", expected)?;
        let proxy = settings.optional("egress.proxy")?.map(|text| {
            text.parse().map_err(|_| {
                settings.refuse("egress.proxy", "an address such as http://10.1.0.1:3128, or empty")
            })
        });
        Ok(Egress { allow, proxy: proxy.transpose()? })
    }
}

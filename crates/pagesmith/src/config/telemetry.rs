//! `[telemetry]`: traces for an OpenTelemetry collector; off unless an address is given.

use super::{ConfigError, Settings};

/// The export of traces.
#[derive(Debug, Clone)]
pub struct Telemetry {
    /// The collector's OTLP/HTTP address, without a slash at the end; `None` is off.
    pub otlp_endpoint: Option<String>,
    /// The service's name in the traces.
    pub service_name: String,
}

impl Telemetry {
    /// Reads the section.
    pub fn read(settings: &Settings) -> Result<Telemetry, ConfigError> {
        let key = "telemetry.otlp_endpoint";
        let otlp_endpoint = settings.optional(key)?.map(|url| url.trim_end_matches('/').to_owned());
        if otlp_endpoint.as_ref().is_some_and(|url| !is_plain_http(url)) {
            return Err(settings.refuse(key, "an address such as http://127.0.0.1:4318, or empty"));
        }
        Ok(Telemetry { otlp_endpoint, service_name: settings.text("telemetry.service_name")?.to_owned() })
    }
}

fn is_plain_http(url: &str) -> bool {
    url.parse::<http::Uri>().is_ok_and(|uri| uri.scheme_str() == Some("http") && uri.host().is_some())
}

//! What a provider says of itself, at an address that follows from its name (OpenID Connect Discovery 1.0).

use serde_json::Value;
use url::{Host, Url};

/// What a provider says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    /// Where users are sent.
    pub authorization_endpoint: Url,
    /// Where a code becomes a token.
    pub token_endpoint: Url,
    /// Where its keys are.
    pub keys: Url,
    /// Where more claims are, if there is such a place.
    pub user_info: Option<Url>,
    /// Whether it names itself in its answers (RFC 9207), so that one without its name is another's.
    pub names_itself: bool,
    /// Whether the client secret is in the form, because a header is not taken.
    pub secret_in_form: bool,
}

/// Why what a provider says of itself cannot be used; a sentence for the operator.
pub type Unusable = String;

/// Where a provider says what it is.
pub fn address(issuer: &str) -> String {
    format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'))
}

/// Whether a text may name a provider: an address with TLS, or one on the machine itself, without query and fragment.
pub fn is_issuer(text: &str) -> bool {
    let Ok(url) = Url::parse(text) else { return false };
    is_safe(&url) && url.query().is_none()
}

/// Over TLS, or on the machine itself; without a user's name and a fragment.
fn is_safe(url: &Url) -> bool {
    let is_local = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    let is_plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    is_plain && url.host().is_some() && (url.scheme() == "https" || url.scheme() == "http" && is_local)
}

impl Metadata {
    /// Reads what was found at [`address`] for that issuer.
    pub fn read(document: &[u8], issuer: &str) -> Result<Metadata, Unusable> {
        let document: Value =
            serde_json::from_slice(document).map_err(|_| "its configuration is not JSON".to_owned())?;
        let named = document["issuer"].as_str().unwrap_or_default();
        if named != issuer {
            let named: String = named.chars().filter(|char| !char.is_control()).take(200).collect();
            return Err(format!("it calls itself {named:?}, and the setting issuer has to be just that"));
        }
        let place = |name: &str| {
            let url = document[name].as_str().and_then(|text| Url::parse(text).ok()).filter(is_safe);
            url.ok_or_else(|| format!("its configuration lacks {name}, or it is no address with TLS"))
        };
        let methods = document["token_endpoint_auth_methods_supported"].as_array();
        let takes = |method: &str| methods.is_some_and(|all| all.iter().any(|known| known == method));
        Ok(Metadata {
            authorization_endpoint: place("authorization_endpoint")?,
            token_endpoint: place("token_endpoint")?,
            keys: place("jwks_uri")?,
            user_info: place("userinfo_endpoint").ok(),
            names_itself: document["authorization_response_iss_parameter_supported"] == true,
            secret_in_form: takes("client_secret_post") && !takes("client_secret_basic"),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ISSUER: &str = "https://id.example/realm";

    fn document() -> Value {
        json!({
            "issuer": ISSUER,
            "authorization_endpoint": "https://id.example/auth?realm=1",
            "token_endpoint": "https://api.id.example/token",
            "jwks_uri": "https://id.example/keys",
        })
    }

    fn read(document: &Value) -> Result<Metadata, Unusable> {
        Metadata::read(document.to_string().as_bytes(), ISSUER)
    }

    #[test]
    fn what_a_provider_says_is_read() {
        let found = read(&document()).unwrap();
        assert_eq!(found.token_endpoint.as_str(), "https://api.id.example/token");
        assert_eq!((found.user_info, found.names_itself, found.secret_in_form), (None, false, false));
        let mut more = document();
        more["token_endpoint_auth_methods_supported"] = json!(["client_secret_post", "private_key_jwt"]);
        more["authorization_response_iss_parameter_supported"] = json!(true);
        let found = read(&more).unwrap();
        assert!(found.names_itself && found.secret_in_form);
        assert_eq!(
            address("https://id.example/realm/"),
            "https://id.example/realm/.well-known/openid-configuration"
        );
    }

    #[test]
    fn a_provider_with_another_name_or_without_tls_is_refused() {
        for (name, value) in [
            ("issuer", json!("https://id.example/realm/")),
            ("issuer", json!("https://evil.example")),
            ("issuer", json!(null)),
            ("token_endpoint", json!("http://id.example/token")),
            ("token_endpoint", json!("https://me:pw@id.example/token")),
            ("jwks_uri", json!("file:///etc/passwd")),
            ("authorization_endpoint", json!("javascript:alert(1)")),
            ("authorization_endpoint", json!(["https://id.example/auth"])),
        ] {
            let mut wrong = document();
            wrong[name] = value;
            assert!(read(&wrong).is_err(), "{name}: {}", wrong[name]);
        }
        assert!(Metadata::read(b"<html>", ISSUER).is_err());
    }

    #[test]
    fn a_name_of_a_provider_is_an_address() {
        for text in
            ["https://id.example", "https://id.example/a/b/", "http://127.0.0.1:9000", "http://localhost/x"]
        {
            assert!(is_issuer(text), "{text}");
        }
        for text in ["id.example", "http://id.example", "https://id.example?x", "https://id.example#x", ""] {
            assert!(!is_issuer(text), "{text}");
        }
    }
}

//! The keys without a section: where the server answers, under which names, and its secret key.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};

use pagesmith_http::state::host_of;
use pagesmith_model::forwarded::ProxyHeader;
use pagesmith_model::network::Networks;
use pagesmith_model::seal::{SecretKey, SecretKeys};

use super::{ConfigError, PathSetting, Settings};

/// Address, names and secret.
#[derive(Debug, Clone)]
pub struct Server {
    /// The address to answer on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The address under which clients reach the API, without a slash at the end; `None`: where it answers.
    base_url: Option<String>,
    /// Hosted pages live at `<tenant>.<site domain>`.
    pub site_domain: String,
    /// The networks of the proxies in front of this server, which tell the client's address.
    pub trusted_proxies: Networks,
    /// The header in which they tell it.
    pub proxy_header: ProxyHeader,
    /// The secret keys, if they are set here rather than kept in a file.
    pub secret_keys: Option<SecretKeys>,
    secret_key_file: PathSetting,
}

/// What the file of the secret key is called.
const KEY_FILE: &str = "pagesmith.key";

fn key_file(setting: &PathSetting, embedded: Option<&Path>) -> Option<PathBuf> {
    setting.path(embedded.map(|database| database.with_file_name(KEY_FILE)), KEY_FILE)
}

impl Server {
    /// Reads the keys.
    pub fn read(settings: &Settings) -> Result<Server, ConfigError> {
        let base_url = settings.optional("base_url")?.map(|url| url.trim_end_matches('/').to_owned());
        if base_url.as_ref().is_some_and(|url| !is_base_url(url)) {
            return Err(settings.refuse("base_url", "an address such as https://api.example.org, or empty"));
        }
        let site_domain = settings.text("site_domain")?.to_ascii_lowercase();
        if !is_host_name(&site_domain) {
            return Err(settings.refuse("site_domain", "a host name such as pages.example.org"));
        }
        let api_host = base_url.as_deref().and_then(host_of);
        if api_host.is_some_and(|host| host.ends_with(&format!(".{site_domain}"))) {
            let expected = "an address whose host is not below site_domain, since every host there is a site";
            return Err(settings.refuse("base_url", expected));
        }
        let secret_keys = settings.optional("secret_key")?.map(|text| {
            let expected = "32 bytes in base64, several such keys with commas between them, or empty";
            secret_keys(text).ok_or_else(|| settings.refuse("secret_key", expected))
        });
        Ok(Server {
            listen: settings.parse("listen", "an address and a port such as 127.0.0.1:8080")?,
            base_url,
            site_domain,
            trusted_proxies: settings.parse(
                "trusted_proxies",
                "networks with commas between them, such as 127.0.0.0/8,10.1.0.0/16, or empty",
            )?,
            proxy_header: settings.parse("proxy_header", "either, forwarded or x-forwarded-for")?,
            secret_keys: secret_keys.transpose()?,
            secret_key_file: PathSetting::read(settings, "secret_key_file")?,
        })
    }

    /// The address under which clients reach the API, when the listener is bound to `bound`.
    pub fn base_url(&self, bound: SocketAddr) -> String {
        if let Some(url) = &self.base_url {
            return url.clone();
        }
        address_of(bound)
    }

    /// The host of that address, in lower case, if the address is set.
    pub(super) fn api_host(&self) -> Option<String> {
        host_of(self.base_url.as_deref()?)
    }

    /// The file that holds the secret key; nothing where it has no [path](PathSetting::path).
    pub fn secret_key_file(&self, embedded: Option<&Path>) -> Option<PathBuf> {
        key_file(&self.secret_key_file, embedded)
    }

    /// Other paths where that file may be: those of the other settings, and that of earlier versions.
    pub fn usual_key_files(&self, embedded: Option<&Path>) -> Vec<PathBuf> {
        let elsewhere = self.secret_key_file.unset();
        let before = std::path::absolute(Path::new("data").join(KEY_FILE)).ok();
        [key_file(&elsewhere, embedded), key_file(&elsewhere, None), before].into_iter().flatten().collect()
    }
}

/// The keys of a list: the first seals, the others only open.
fn secret_keys(text: &str) -> Option<SecretKeys> {
    let mut keys = text.split(',').map(SecretKey::from_base64);
    Some(SecretKeys::new(keys.next()??, keys.collect::<Option<_>>()?))
}

/// The address at which a listener that is bound there is reached from this machine.
pub(super) fn address_of(bound: SocketAddr) -> String {
    // Nobody can call 0.0.0.0; on the same machine, loopback is the same listener.
    let reachable = match bound.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    format!("http://{}", SocketAddr::new(reachable, bound.port()))
}

pub(super) fn is_base_url(url: &str) -> bool {
    let plain = |uri: &http::Uri| uri.query().is_none() && !url.contains(['@', '#']);
    url.parse::<http::Uri>().is_ok_and(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some() && plain(&uri)
    })
}

fn is_host_name(name: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    name.len() <= 190 && name.split('.').all(label)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Environment, Flag};

    fn server(base_url: Option<&str>) -> Server {
        Server {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            base_url: base_url.map(str::to_owned),
            site_domain: "localhost".to_owned(),
            trusted_proxies: Networks::default(),
            proxy_header: ProxyHeader::default(),
            secret_keys: None,
            secret_key_file: PathSetting::default(),
        }
    }

    #[test]
    fn the_base_url_is_where_it_answers_unless_set() {
        let of = |bound: &str| server(None).base_url(bound.parse().unwrap());
        assert_eq!(of("127.0.0.1:4711"), "http://127.0.0.1:4711");
        assert_eq!(of("0.0.0.0:80"), "http://127.0.0.1:80");
        assert_eq!(of("[::]:80"), "http://[::1]:80");
        assert_eq!(
            server(Some("https://api.example.org")).base_url("1.1.1.1:1".parse().unwrap()),
            "https://api.example.org"
        );
    }

    #[test]
    fn the_key_file_lies_beside_what_it_belongs_to_and_never_where_the_command_was_typed() {
        let read = |file: Option<&Path>, variables: &[(&str, &str)], flags: &[Flag]| {
            let environment = Environment::of(variables).at_home("/home/me/.local/share");
            Server::read(&Settings::load(file, &environment, flags).unwrap())
        };
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pagesmith.toml");
        let beside = |name: &str| Some(folder.path().join(name));
        std::fs::write(&file, "").unwrap();
        let server = read(None, &[], &[]).unwrap();
        let embedded = |path: &str| server.secret_key_file(Some(Path::new(path)));
        assert_eq!(embedded("/srv/x/p.db"), Some("/srv/x/pagesmith.key".into()));
        assert_eq!(embedded("p.db"), Some("pagesmith.key".into()));
        assert_eq!(
            server.secret_key_file(None),
            Some("/home/me/.local/share/pagesmith/pagesmith.key".into())
        );
        assert_eq!(read(Some(&file), &[], &[]).unwrap().secret_key_file(None), beside("pagesmith.key"));
        assert_eq!(self::server(None).secret_key_file(None), None);
        let variable = [("PAGESMITH_SECRET_KEY_FILE", "my.key")];
        assert_eq!(read(Some(&file), &variable, &[]).unwrap().secret_key_file(None), beside("my.key"));
        let refusal = read(None, &variable, &[]).unwrap_err().to_string();
        assert!(refusal.contains("PAGESMITH_SECRET_KEY_FILE") && refusal.contains("absolute"), "{refusal}");
        std::fs::write(&file, "secret_key_file = \"my.key\"").unwrap();
        assert_eq!(read(Some(&file), &[], &[]).unwrap().secret_key_file(None), beside("my.key"));
        let flag = Flag { key: "secret_key_file", name: "--secret-key-file", value: "my.key".to_owned() };
        let typed = read(Some(&file), &[], &[flag]).unwrap().secret_key_file(None);
        assert_eq!(typed, Some(std::path::absolute("my.key").unwrap()));
    }

    #[test]
    fn the_first_of_several_secret_keys_seals() {
        let (one, two) = (SecretKey::new([1; 32]), SecretKey::new([2; 32]));
        let text = format!("{}, {}", one.to_base64(), two.to_base64());
        assert_eq!(secret_keys(&text), Some(SecretKeys::new(one.clone(), vec![two])));
        assert_eq!(secret_keys(&one.to_base64()), Some(one.clone().into()));
        assert_eq!(secret_keys(&format!("{},", one.to_base64())), None);
        assert_eq!(secret_keys(","), None);
    }

    #[test]
    fn host_names_are_labels() {
        assert!(is_host_name("localhost") && is_host_name("pages.example.org"));
        for bad in ["", ".", "a..b", "-a", "a-", "a_b", "a:80", "http://a"] {
            assert!(!is_host_name(bad), "{bad}");
        }
    }
}

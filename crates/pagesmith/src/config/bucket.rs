//! `[files.s3]`: a bucket of an S3 server that keeps the bytes of files in the place of a folder.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use pagesmith_file_storage::BucketOptions;

use super::{ConfigError, Settings, secret};

/// Where the bucket is; its secret is never shown.
#[derive(Clone)]
pub struct BucketSettings {
    options: BucketOptions,
    /// The file with the secret, if it is in one.
    secret_file: Option<PathBuf>,
    /// The file with more authorities to trust when the server is called.
    pub roots: Option<PathBuf>,
    /// How long the server may take for an answer, and for each piece of it.
    pub timeout: Duration,
}

impl fmt::Debug for BucketSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BucketSettings({:?})", self.options)
    }
}

impl BucketSettings {
    /// Reads the section; nothing if it names no bucket.
    pub fn read(settings: &Settings) -> Result<Option<BucketSettings>, ConfigError> {
        let name = settings.optional("files.s3.bucket")?;
        let endpoint = settings.optional("files.s3.endpoint")?;
        let region = settings.text("files.s3.region")?;
        let key = settings.text("files.s3.access_key_id")?;
        let secret = settings.optional("files.s3.secret_access_key")?;
        let secret_file = settings.path("files.s3.secret_access_key_file")?;
        let is_in_path = settings.parse("files.s3.addressing", "path or host").map(|Addressing(it)| it)?;
        let allows_http = settings.parse("files.s3.allow_http", "true or false")?;
        let roots = settings.path("files.s3.roots")?;
        let timeout = settings.duration("files.s3.timeout")?;
        let Some(name) = name else { return Ok(None) };
        if !is_name(name) {
            let expected = "the name of a bucket: 3 to 63 lower case letters, digits, points and hyphens";
            return Err(settings.refuse("files.s3.bucket", expected));
        }
        if let Some(endpoint) = endpoint {
            check_endpoint(settings, endpoint, allows_http)?;
        }
        let is_word = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_word(region) {
            return Err(settings.refuse("files.s3.region", "the name of a region, such as eu-central-1"));
        }
        if !is_word(key) {
            return Err(
                settings.refuse("files.s3.access_key_id", "the name of the key that opens the bucket")
            );
        }
        match (secret, &secret_file) {
            (Some(secret), None) if !is_word(secret) => {
                return Err(settings.refuse("files.s3.secret_access_key", "one word of printable characters"));
            }
            (None, None) => {
                let expected =
                    "the secret of the key, unless files.s3.secret_access_key_file names a file with it";
                return Err(settings.refuse("files.s3.secret_access_key", expected));
            }
            (Some(_), Some(_)) => {
                let expected = "empty where files.s3.secret_access_key is set";
                return Err(settings.refuse("files.s3.secret_access_key_file", expected));
            }
            _ => {}
        }
        let options = BucketOptions {
            endpoint: endpoint.map(str::to_owned),
            name: name.to_owned(),
            region: region.to_owned(),
            access_key_id: key.to_owned(),
            secret_access_key: secret.unwrap_or_default().to_owned(),
            is_in_path,
            time_limit: timeout,
        };
        Ok(Some(BucketSettings { options, secret_file, roots, timeout }))
    }

    /// The bucket's name, for messages.
    pub fn name(&self) -> &str {
        &self.options.name
    }

    /// Everything that opens the bucket, with the secret from its file.
    pub fn options(&self) -> crate::failure::Result<BucketOptions> {
        let Some(path) = &self.secret_file else { return Ok(self.options.clone()) };
        let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
        let setting = "files.s3.secret_access_key_file";
        let secret_access_key = secret::of_file(setting, "the secret of the S3 key", path, is_word)?;
        Ok(BucketOptions { secret_access_key, ..self.options.clone() })
    }
}

/// Whether the bucket's name is in the path of addresses.
struct Addressing(bool);

impl std::str::FromStr for Addressing {
    type Err = ();

    fn from_str(text: &str) -> Result<Addressing, ()> {
        match text {
            "path" => Ok(Addressing(true)),
            "host" => Ok(Addressing(false)),
            _ => Err(()),
        }
    }
}

/// By the rules of S3, without those against names that look like something else.
fn is_name(text: &str) -> bool {
    let is_open = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (3..=63).contains(&text.len())
        && text.bytes().all(|byte| is_open(byte) || matches!(byte, b'.' | b'-'))
        && text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.ends_with(|last: char| last.is_ascii_alphanumeric())
        && !text.contains("..")
}

fn check_endpoint(settings: &Settings, endpoint: &str, allows_http: bool) -> Result<(), ConfigError> {
    let uri: Option<http::Uri> = endpoint.parse().ok();
    let is_address = uri.as_ref().is_some_and(|uri| {
        let authority = uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
        authority && matches!(uri.path(), "" | "/") && uri.query().is_none()
    });
    let scheme = uri.as_ref().and_then(http::Uri::scheme_str);
    match scheme {
        Some("https") if is_address => Ok(()),
        Some("http") if is_address && allows_http => Ok(()),
        Some("http") if is_address => {
            let expected = "an https:// address, unless files.s3.allow_http is true";
            Err(settings.refuse("files.s3.endpoint", expected))
        }
        _ => {
            let expected = "the address of an S3 server without a path, such as https://s3.example.org:9000";
            Err(settings.refuse("files.s3.endpoint", expected))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Environment;
    use super::*;

    fn read(changes: &[(&str, &str)]) -> Result<Option<BucketSettings>, ConfigError> {
        let usual = [
            ("BUCKET", "files"),
            ("ENDPOINT", "https://s3.example.org"),
            ("ACCESS_KEY_ID", "AKIA"),
            ("SECRET_ACCESS_KEY", "hunter2"),
        ];
        let all: Vec<(String, &str)> = usual
            .iter()
            .filter(|(name, _)| !changes.iter().any(|(changed, _)| changed == name))
            .chain(changes)
            .map(|(name, value)| (format!("PAGESMITH_FILES_S3_{name}"), *value))
            .collect();
        let all: Vec<(&str, &str)> = all.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        BucketSettings::read(&Settings::load(None, &Environment::of(&all), &[])?)
    }

    #[test]
    fn a_bucket_is_used_if_one_is_named() {
        assert!(read(&[("BUCKET", "")]).unwrap().is_none());
        let bucket = read(&[("ADDRESSING", "host")]).unwrap().unwrap();
        let options = bucket.options().unwrap();
        assert_eq!((options.region.as_str(), options.is_in_path), ("us-east-1", false));
        assert_eq!(options.secret_access_key, "hunter2");
        assert!(!format!("{bucket:?}").contains("hunter2"));
        assert!(read(&[("ENDPOINT", "http://10.0.0.7:9000"), ("ALLOW_HTTP", "true")]).unwrap().is_some());
        assert!(read(&[("ENDPOINT", "")]).unwrap().is_some());
    }

    #[test]
    fn what_cannot_work_is_refused_by_its_key_and_a_secret_is_not_repeated() {
        for (changes, key, expected) in [
            (&[("BUCKET", "My_Bucket")][..], "files.s3.bucket", "the name of a bucket"),
            (&[("BUCKET", "a..b")], "files.s3.bucket", "the name of a bucket"),
            (&[("ENDPOINT", "s3.example.org")], "files.s3.endpoint", "the address of an S3 server"),
            (&[("ENDPOINT", "https://s3.example.org/files")], "files.s3.endpoint", "without a path"),
            (&[("ENDPOINT", "https://me:hunter2@s3.example.org")], "files.s3.endpoint", "address"),
            (&[("ENDPOINT", "http://10.0.0.7")], "files.s3.endpoint", "files.s3.allow_http"),
            (&[("REGION", "")], "files.s3.region", "eu-central-1"),
            (&[("ACCESS_KEY_ID", "")], "files.s3.access_key_id", "the name of the key"),
            (&[("SECRET_ACCESS_KEY", "")], "files.s3.secret_access_key", "secret_access_key_file"),
            (&[("SECRET_ACCESS_KEY", "hunter2 hunter2")], "files.s3.secret_access_key", "one word"),
            (&[("SECRET_ACCESS_KEY_FILE", "/run/secret")], "files.s3.secret_access_key_file", "empty"),
            (&[("ADDRESSING", "virtual")], "files.s3.addressing", "path or host"),
            (&[("TIMEOUT", "0s")], "files.s3.timeout", "a duration"),
        ] {
            let message = read(changes).unwrap_err().to_string();
            assert!(message.starts_with(key) && message.contains(expected), "{message}");
            assert!(!message.contains("hunter2"), "{message}");
        }
    }

    #[test]
    fn a_secret_in_a_file_is_one_word() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        let bucket = || {
            let file = path.to_str().unwrap();
            read(&[("SECRET_ACCESS_KEY", ""), ("SECRET_ACCESS_KEY_FILE", file)]).unwrap().unwrap()
        };
        let missing = bucket().options().unwrap_err().to_string();
        assert!(missing.contains("cannot be read from"), "{missing}");
        std::fs::write(&path, "hunter2\n").unwrap();
        assert_eq!(bucket().options().unwrap().secret_access_key, "hunter2");
        std::fs::write(&path, "two words").unwrap();
        let wrong = bucket().options().unwrap_err().to_string();
        assert!(wrong.contains("nothing else") && !wrong.contains("two words"), "{wrong}");
    }
}

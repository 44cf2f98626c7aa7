//! Secrets: what of a value may be in a message, in the log, or in `config show`; and those that are in a file of their own.
//!
//! The secret key, the secret at an identity provider, the key of a model's API, the secret of an S3 key and the password of a mail server are
//! shown as dots, and the password of any URL as `****`, also when the URL is broken: the text is cut without being understood.

use std::borrow::Cow;
use std::path::Path;

use toml::Value;

use crate::failure::{Failure, Result};

/// Keys whose whole value is a secret.
const SECRET_KEYS: &[&str] =
    &["secret_key", "agent.api_key", "files.s3.secret_access_key", "mail.password", "client_secret"];

/// The value of `key`, a setting or a part of one, as it may be shown.
pub fn hide(key: &str, value: &Value) -> Value {
    match value {
        Value::String(text) if text.is_empty() => value.clone(),
        Value::String(_) if SECRET_KEYS.contains(&key) => Value::String("••••••••".to_owned()),
        Value::String(text) => Value::String(hide_password(text).into_owned()),
        Value::Array(values) => Value::Array(values.iter().map(|value| hide("", value)).collect()),
        Value::Table(values) => {
            Value::Table(values.iter().map(|(name, value)| (name.clone(), hide(name, value))).collect())
        }
        other => other.clone(),
    }
}

/// The secret in the file that `setting` names, without the space around it; `what` says what it is, as in "the secret of the S3 key".
pub fn of_file(setting: &str, what: &str, path: &Path, is_fitting: impl Fn(&str) -> bool) -> Result<String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| {
        let advice = format!("correct {setting}, or let this user read it");
        Failure::new(format!("{what} cannot be read from {shown} ({error}): {advice}"))
    })?;
    let secret = text.trim();
    if secret.is_empty() || !is_fitting(secret) {
        return Err(Failure::new(format!("{shown} must hold {what} and nothing else: correct {setting}")));
    }
    Ok(secret.to_owned())
}

/// Replaces the password in a URL's authority and in its `password` parameter.
fn hide_password(url: &str) -> Cow<'_, str> {
    let Some((scheme, rest)) = url.split_once("://") else { return Cow::Borrowed(url) };
    // A password may hold `/` or `?` unescaped where the URL is broken; the last `@` is the safe cut.
    let rest = match rest.rsplit_once('@') {
        Some((user, host)) => match user.split_once(':') {
            Some((user, _)) => format!("{user}:****@{host}"),
            None => rest.to_owned(),
        },
        None => rest.to_owned(),
    };
    let rest = match rest.split_once("password=") {
        Some((before, after)) => {
            let tail = after.find('&').map_or("", |end| &after[end..]);
            format!("{before}password=****{tail}")
        }
        None => rest,
    };
    Cow::Owned(format!("{scheme}://{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_hidden_wherever_they_stand() {
        for (url, shown) in [
            ("sqlite:./data/pagesmith.db", "sqlite:./data/pagesmith.db"),
            ("postgres://me@h/d", "postgres://me@h/d"),
            ("postgres://me:pw@h:5432/d?sslmode=require", "postgres://me:****@h:5432/d?sslmode=require"),
            ("postgres://me:p@w/x@h/d", "postgres://me:****@h/d"),
            ("postgres://h/d?user=me&password=pw&x=1", "postgres://h/d?user=me&password=****&x=1"),
            ("http://127.0.0.1:4318", "http://127.0.0.1:4318"),
        ] {
            assert_eq!(hide_password(url), shown);
        }
    }

    #[test]
    fn a_secret_is_dots_unless_it_is_unset() {
        for key in SECRET_KEYS {
            assert_eq!(hide(key, &Value::String("abc".into())).as_str(), Some("••••••••"));
            assert_eq!(hide(key, &Value::String(String::new())).as_str(), Some(""));
        }
        let table: toml::Table = "a = [{ id = 'x', client_secret = 'hunter2' }]".parse().unwrap();
        let shown = hide("sign_in.providers", &table["a"]).to_string();
        assert!(shown.contains("••") && !shown.contains("hunter2"), "{shown}");
    }

    #[test]
    fn a_file_with_a_secret_holds_it_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        let read = || of_file("a.file", "the secret", &path, |text| !text.contains(' '));
        let missing = read().unwrap_err().to_string();
        assert!(
            missing.contains("the secret cannot be read from") && missing.contains("a.file"),
            "{missing}"
        );
        for wrong in [&b""[..], b"\n", b"two words", b"\xff\xfe"] {
            std::fs::write(&path, wrong).unwrap();
            let refused = read().unwrap_err().to_string();
            assert!(refused.contains("a.file") && !refused.contains("two words"), "{refused}");
        }
        std::fs::write(&path, " hunter2\n").unwrap();
        assert_eq!(read().unwrap(), "hunter2");
    }
}

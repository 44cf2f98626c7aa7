//! Hiding: what of a value may stand in a message, in the log, or in `config show`.
//!
//! The secret key, the secret at an identity provider, the key of a model's API and the secret of an S3 key are shown as dots, and the password of any URL as `****`, also when the URL is broken: the text is
//! cut without being understood.

use std::borrow::Cow;

use toml::Value;

/// Keys whose whole value is a secret.
const SECRET_KEYS: &[&str] = &["secret_key", "agent.api_key", "files.s3.secret_access_key", "mail.password"];

/// The part of an identity provider that is a secret.
const CLIENT_SECRET: &str = "client_secret";

/// The value of `key` as it may be shown.
pub fn hide(key: &str, value: &Value) -> Value {
    match value {
        Value::String(text) if text.is_empty() => value.clone(),
        Value::String(_) if SECRET_KEYS.contains(&key) => Value::String("••••••••".to_owned()),
        Value::String(text) => Value::String(hide_password(text).into_owned()),
        Value::Array(values) => Value::Array(values.iter().map(|value| hide("", value)).collect()),
        Value::Table(values) => {
            let hidden = |(name, value): (&String, &Value)| {
                let key = if name == CLIENT_SECRET { SECRET_KEYS[0] } else { "" };
                (name.clone(), hide(key, value))
            };
            Value::Table(values.iter().map(hidden).collect())
        }
        other => other.clone(),
    }
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
        for key in ["secret_key", "agent.api_key", "files.s3.secret_access_key", "mail.password"] {
            assert_eq!(hide(key, &Value::String("abc".into())).as_str(), Some("••••••••"));
            assert_eq!(hide(key, &Value::String(String::new())).as_str(), Some(""));
        }
        let table: toml::Table = "a = [{ id = 'x', client_secret = 'hunter2' }]".parse().unwrap();
        let shown = hide("sign_in.providers", &table["a"]).to_string();
        assert!(shown.contains("••") && !shown.contains("hunter2"), "{shown}");
    }
}

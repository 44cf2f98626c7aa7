//! Which layer wins, what is refused, and what the refusal says.

use std::io::Write;

use super::*;

fn file(text: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file
}

fn with_file(text: &str) -> Result<Settings, ConfigError> {
    Settings::load(Some(file(text).path()), &Environment::default(), &[])
}

fn listen(value: &str) -> Flag {
    Flag { key: "listen", name: "--listen", value: value.to_owned() }
}

#[test]
fn a_later_layer_wins_and_is_named() {
    let file = file("listen = '1.1.1.1:1'\nsite_domain = 'file'\n[rate_limit]\nrequests = 7\n");
    let environment = Environment::of(&[("PAGESMITH_LISTEN", "2.2.2.2:2"), ("PAGESMITH_SITE_DOMAIN", "env")]);
    let settings = Settings::load(Some(file.path()), &environment, &[listen("3.3.3.3:3")]).unwrap();
    let of = |key: &str| {
        let (value, origin) = settings.shown(key).unwrap();
        (value.to_string(), origin.to_string())
    };
    assert_eq!(of("listen"), ("\"3.3.3.3:3\"".into(), "flag --listen".into()));
    assert_eq!(of("site_domain"), ("\"env\"".into(), "environment PAGESMITH_SITE_DOMAIN".into()));
    assert_eq!(of("rate_limit.requests"), ("7".into(), format!("file {}, line 4", file.path().display())));
    assert_eq!(of("rate_limit.window"), ("\"60s\"".into(), "default".into()));
}

#[test]
fn an_unknown_key_of_a_file_is_refused_with_its_line_and_the_key_that_was_meant() {
    for (text, key, line, meant) in [
        ("listn = 'x'", "listn", 1, Some("listen")),
        ("[rate_limit]\nrequest = 1", "rate_limit.request", 2, Some("rate_limit.requests")),
        ("\nrequests = 1", "requests", 2, Some("rate_limit.requests")),
        ("[log]\ncolour = 1", "log.colour", 2, None),
        ("rate_limit = 5", "rate_limit", 1, None),
    ] {
        let file = file(text);
        let refused = Settings::load(Some(file.path()), &Environment::default(), &[]);
        let guess = meant.map(|meant| format!("; did you mean {meant}?")).unwrap_or_default();
        assert_eq!(
            refused.unwrap_err().to_string(),
            format!(
                "unknown key {key} in file {}, line {line}{guess}; `pagesmith config show` lists every key",
                file.path().display()
            )
        );
    }
}

#[test]
fn a_value_of_the_wrong_type_is_refused() {
    let message = with_file("[rate_limit]\nrequests = 'many'").unwrap_err().to_string();
    assert!(message.starts_with("rate_limit.requests (from file "), "{message}");
    assert!(message.ends_with(", line 2) must be an integer such as 60000, not a string"), "{message}");
    let environment = Environment::of(&[("PAGESMITH_RATE_LIMIT_REQUESTS", "many")]);
    let message = Settings::load(None, &environment, &[]).unwrap_err().to_string();
    assert_eq!(
        message,
        "rate_limit.requests (from environment PAGESMITH_RATE_LIMIT_REQUESTS) must be an integer such as 60000, not 'many'"
    );
}

#[test]
fn broken_toml_and_a_missing_file_are_told_in_one_line() {
    let message = with_file("listen = '1.1.1.1:1'\nsite_domain = [").unwrap_err().to_string();
    assert!(message.contains("is not TOML (line 2)") && !message.contains('\n'), "{message}");
    let gone = Settings::load(Some(Path::new("/nowhere/at/all.toml")), &Environment::default(), &[]);
    assert!(gone.unwrap_err().to_string().contains("/nowhere/at/all.toml cannot be read ("));
}

#[test]
fn no_two_keys_share_a_variable() {
    let settings = Settings::defaults().unwrap();
    let names: BTreeSet<String> = settings.keys().map(variable_of).collect();
    assert_eq!(names.len(), settings.keys().count());
}

#[test]
fn every_key_of_the_default_file_has_a_line_of_meaning() {
    let mut before = "";
    for line in DEFAULTS.lines() {
        if !line.is_empty() && !line.starts_with('#') {
            assert!(before.starts_with("# "), "no meaning above: {line}");
        }
        before = line;
    }
}

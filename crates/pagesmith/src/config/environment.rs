//! Access to the environment: its `PAGESMITH_…` variables, read once, and where the user's own data belongs.
//!
//! Everything else takes an [`Environment`] as an argument, so that a test can hand in its own. A variable that is
//! no setting is not refused, because an older or newer binary may share the environment: it is warned about.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What every variable of ours begins with.
pub const PREFIX: &str = "PAGESMITH_";

/// Variables of ours that are no settings of the service.
const OTHERS: &[&str] = &[
    "PAGESMITH_BOOTSTRAP_KEY",
    "PAGESMITH_KEY",
    "PAGESMITH_CONFIG",
    "PAGESMITH_SQL_COVERAGE",
    "PAGESMITH_BIN",
];

/// Variables of the system that name the account, the first that is set.
const ACCOUNT: &[&str] = &["SUDO_USER", "USER", "LOGNAME", "USERNAME"];

/// Beginnings of variables that belong to tests and to the load harness.
const OTHER_PREFIXES: &[&str] = &["PAGESMITH_TEST_", "PAGESMITH_BENCH_"];

/// Variables that all programs share: no colours, and what the terminal is.
const SHARED: &[&str] = &["NO_COLOR", "TERM"];

/// The variables of the environment that begin with [`PREFIX`], those of [`SHARED`], and the folder of the user's own data.
#[derive(Default)]
pub struct Environment {
    variables: BTreeMap<String, String>,
    data_home: Option<PathBuf>,
    account: String,
}

impl Environment {
    /// Those of this process. A value that is not UTF-8 is taken with its bad bytes replaced.
    pub fn capture() -> Environment {
        let variables = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
            .filter(|(name, _)| name.starts_with(PREFIX) || SHARED.contains(&name.as_str()))
            .map(|(name, value)| (name, value.to_string_lossy().into_owned()))
            .collect();
        let data_home = data_home(std::env::var_os("XDG_DATA_HOME"), std::env::var_os("HOME"));
        let account = ACCOUNT.iter().find_map(std::env::var_os);
        let account = account.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Environment { variables, data_home, account }
    }

    /// The given ones.
    #[cfg(test)]
    pub fn of(variables: &[(&str, &str)]) -> Environment {
        let variables = variables.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        Environment { variables, data_home: None, account: String::new() }
    }

    /// The same where the user's own data belongs into this folder.
    #[cfg(test)]
    pub fn at_home(self, data_home: &str) -> Environment {
        Environment { data_home: Some(PathBuf::from(data_home)), ..self }
    }

    /// The folder of the user's own data, as the XDG specification has it; nothing for a user without a home.
    pub fn data_home(&self) -> Option<&Path> {
        self.data_home.as_deref()
    }

    /// The value of a variable, unless it is unset.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str)
    }

    /// Who uses the command line, by the name of the account on this machine; empty if the environment does not say. Whoever
    /// used `sudo` is named, not the account that was changed to.
    pub fn account(&self) -> &str {
        &self.account
    }

    /// The file to read settings from, if the environment names one.
    pub fn config_file(&self) -> Option<&str> {
        self.get("PAGESMITH_CONFIG").filter(|path| !path.is_empty())
    }

    /// The text of the first key, if the operator chose it.
    pub fn bootstrap_key(&self) -> Option<&str> {
        self.get("PAGESMITH_BOOTSTRAP_KEY").filter(|key| !key.is_empty())
    }

    /// The API key of commands that call a server.
    pub fn api_key(&self) -> Option<&str> {
        self.get("PAGESMITH_KEY").filter(|key| !key.is_empty())
    }

    /// Whether a terminal may be sent colours: it understands them, and nobody has asked for none (<https://no-color.org>).
    pub fn allows_colors(&self) -> bool {
        self.get("NO_COLOR").is_none_or(str::is_empty) && self.get("TERM").is_some_and(|term| term != "dumb")
    }

    /// The variables that no key of `keys` explains; most likely misspelt.
    pub fn unknown<'a>(&self, keys: impl Iterator<Item = &'a str>) -> Vec<String> {
        let known: Vec<String> = keys.map(variable_of).collect();
        let explained = |name: &str| {
            known.iter().any(|known| known == name)
                || OTHERS.contains(&name)
                || SHARED.contains(&name)
                || OTHER_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        };
        self.variables.keys().filter(|name| !explained(name)).cloned().collect()
    }
}

/// Where the user's own data belongs. By the XDG specification only an absolute path counts.
fn data_home(xdg: Option<OsString>, home: Option<OsString>) -> Option<PathBuf> {
    let absolute = |path: OsString| Some(PathBuf::from(path)).filter(|path| path.is_absolute());
    xdg.and_then(absolute).or_else(|| Some(home.and_then(absolute)?.join(".local/share")))
}

/// The name of the variable that sets `key`.
pub fn variable_of(key: &str) -> String {
    format!("{PREFIX}{}", key.replace('.', "_").to_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_misspelt_variables_are_unknown() {
        let environment = Environment::of(&[
            ("PAGESMITH_LISTEN", "x"),
            ("PAGESMITH_RATE_LIMIT_WINDOW", "x"),
            ("PAGESMITH_BOOTSTRAP_KEY", "x"),
            ("PAGESMITH_TEST_POSTGRES", "x"),
            ("PAGESMITH_LISTN", "x"),
        ]);
        let unknown = environment.unknown(["listen", "rate_limit.window"].into_iter());
        assert_eq!(unknown, ["PAGESMITH_LISTN"]);
    }

    #[test]
    fn colors_are_for_terminals_that_understand_them_and_people_who_want_them() {
        for (variables, allowed) in [
            (&[("TERM", "xterm-256color")][..], true),
            (&[("TERM", "xterm"), ("NO_COLOR", "")], true),
            (&[("TERM", "xterm"), ("NO_COLOR", "1")], false),
            (&[("TERM", "dumb")], false),
            (&[], false),
        ] {
            assert_eq!(Environment::of(variables).allows_colors(), allowed, "{variables:?}");
        }
    }

    #[test]
    fn the_user_s_own_data_belongs_where_xdg_says() {
        let of = |xdg: Option<&str>, home: Option<&str>| data_home(xdg.map(Into::into), home.map(Into::into));
        assert_eq!(of(Some("/data"), Some("/home/me")), Some("/data".into()));
        assert_eq!(of(Some("data"), Some("/home/me")), Some("/home/me/.local/share".into()));
        assert_eq!(of(None, Some("/home/me")), Some("/home/me/.local/share".into()));
        assert_eq!((of(None, None), of(Some(""), Some(""))), (None, None));
    }

    #[test]
    fn an_empty_bootstrap_key_is_none() {
        assert_eq!(Environment::of(&[("PAGESMITH_BOOTSTRAP_KEY", "")]).bootstrap_key(), None);
    }
}

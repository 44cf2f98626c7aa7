//! The door to the environment: its `PAGESMITH_…` variables, read once.
//!
//! Everything else takes an [`Environment`] as an argument, so that a test can hand in its own. A variable that is
//! no setting is not refused, because an older or newer binary may share the environment: it is warned about.

use std::collections::BTreeMap;

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

/// The variables of the environment that begin with [`PREFIX`].
#[derive(Default)]
pub struct Environment {
    own: BTreeMap<String, String>,
    account: String,
}

impl Environment {
    /// Those of this process. A value that is not UTF-8 is taken with its bad bytes replaced.
    pub fn capture() -> Environment {
        let all: BTreeMap<String, String> = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
            .map(|(name, value)| (name, value.to_string_lossy().into_owned()))
            .collect();
        let account = ACCOUNT.iter().find_map(|name| all.get(*name)).cloned().unwrap_or_default();
        Environment { own: all.into_iter().filter(|(name, _)| name.starts_with(PREFIX)).collect(), account }
    }

    /// The given ones.
    #[cfg(test)]
    pub fn of(variables: &[(&str, &str)]) -> Environment {
        let own = variables.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        Environment { own, account: String::new() }
    }

    /// The value of a variable, unless it is unset.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.own.get(name).map(String::as_str)
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

    /// The variables that no key of `keys` explains; most likely misspelt.
    pub fn unknown<'a>(&self, keys: impl Iterator<Item = &'a str>) -> Vec<String> {
        let known: Vec<String> = keys.map(variable_of).collect();
        let explained = |name: &str| {
            known.iter().any(|known| known == name)
                || OTHERS.contains(&name)
                || OTHER_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        };
        self.own.keys().filter(|name| !explained(name)).cloned().collect()
    }
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
    fn an_empty_bootstrap_key_is_none() {
        assert_eq!(Environment::of(&[("PAGESMITH_BOOTSTRAP_KEY", "")]).bootstrap_key(), None);
    }
}

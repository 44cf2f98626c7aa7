//! Where values come from: defaults, then a file, then the environment, then the command line.
//!
//! The compiled-in default file is the list of what exists: a key that it does not hold is refused in a file and on
//! the command line, and the type of its default is the type of the value. Each value remembers its [`Origin`], for
//! messages and for `config show`. Meaning (a duration, an address) is not judged here but where the key is read.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use pagesmith_model::duration::parse_duration;
use toml::{Table, Value};

use super::environment::{Environment, variable_of};
use super::{lines, secret};
use crate::failure::Failure;
use crate::nearest::did_you_mean;

/// The documentation of every key, and its default.
const DEFAULTS: &str = include_str!("../../../../config/pagesmith.default.toml");

/// A configuration that cannot be used; the message is one sentence for the operator.
#[derive(Debug)]
pub struct ConfigError(String);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        Failure::new(error.0)
    }
}

/// A value given on the command line: its key, its flag as typed, its text.
#[derive(Debug, Clone)]
pub struct Flag {
    /// The key that it sets.
    pub key: &'static str,
    /// Its name, as in `--listen`.
    pub name: &'static str,
    /// What followed it.
    pub value: String,
}

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The compiled-in default.
    Default,
    /// The configuration file at this path, and the line of it.
    File(PathBuf, usize),
    /// The environment variable of this name.
    Environment(String),
    /// The command line flag of this name.
    Flag(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File(path, line) => write!(f, "file {}, line {line}", path.display()),
            Origin::Environment(name) => write!(f, "environment {name}"),
            Origin::Flag(name) => write!(f, "flag {name}"),
        }
    }
}

/// A key's value as it stands, and where it came from.
#[derive(Debug, Clone)]
struct Setting {
    value: Value,
    example: Value,
    origin: Origin,
}

/// Every key with its value, before the values are given a meaning.
#[derive(Debug)]
pub struct Settings {
    settings: BTreeMap<String, Setting>,
    read: RefCell<BTreeSet<String>>,
    /// The folder of the configuration file, absolute, if there is one.
    folder: Option<PathBuf>,
    /// Where the user's own data belongs.
    data_home: Option<PathBuf>,
}

impl Settings {
    /// Lays file, environment and flags over the defaults.
    pub fn load(
        file: Option<&Path>,
        environment: &Environment,
        flags: &[Flag],
    ) -> Result<Settings, ConfigError> {
        let mut settings = Settings::defaults()?;
        settings.data_home = environment.data_home().map(Path::to_owned);
        if let Some(path) = file {
            let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            settings.folder = absolute.parent().map(Path::to_owned);
            let text = std::fs::read_to_string(path).map_err(|error| {
                ConfigError(format!(
                    "the configuration file {} cannot be read ({error}): correct --config or PAGESMITH_CONFIG, or let this user read it",
                    path.display()
                ))
            })?;
            settings.lay_file(path, &text)?;
        }
        settings.lay_environment(environment)?;
        for flag in flags {
            settings.lay_text(flag.key, &flag.value, Origin::Flag(flag.name))?;
        }
        Ok(settings)
    }

    fn defaults() -> Result<Settings, ConfigError> {
        let mut leaves = Vec::new();
        flatten("", parse(DEFAULTS, "the default configuration")?, &mut leaves);
        let settings = leaves
            .into_iter()
            .map(|(key, value)| (key, Setting { example: value.clone(), value, origin: Origin::Default }))
            .collect();
        Ok(Settings { settings, read: RefCell::default(), folder: None, data_home: None })
    }

    fn lay_file(&mut self, path: &Path, text: &str) -> Result<(), ConfigError> {
        let mut leaves = Vec::new();
        let name = format!("the configuration file {}", path.display());
        flatten("", parse(text, &name)?, &mut leaves);
        let lines = lines::of_keys(text);
        leaves.into_iter().try_for_each(|(key, value)| {
            let origin = Origin::File(path.to_owned(), lines.get(&key).copied().unwrap_or(1));
            let Some(setting) = self.settings.get_mut(&key) else {
                return Err(self.unknown(&key, &origin));
            };
            if value.type_str() != setting.example.type_str() {
                let got = value.type_str();
                return Err(ConfigError(format!(
                    "{key} (from {origin}) must be {}, not {} {got}",
                    expected(&setting.example),
                    article(got)
                )));
            }
            (setting.value, setting.origin) = (value, origin);
            Ok(())
        })
    }

    fn unknown(&self, key: &str, origin: &Origin) -> ConfigError {
        let guess = did_you_mean(key, self.keys());
        ConfigError(format!("unknown key {key} in {origin}{guess}; `pagesmith config show` lists every key"))
    }

    fn lay_environment(&mut self, environment: &Environment) -> Result<(), ConfigError> {
        let keys: Vec<String> = self.settings.keys().cloned().collect();
        keys.iter().try_for_each(|key| {
            let name = variable_of(key);
            match environment.get(&name) {
                Some(text) => self.lay_text(key, text, Origin::Environment(name)),
                None => Ok(()),
            }
        })
    }

    fn lay_text(&mut self, key: &str, text: &str, origin: Origin) -> Result<(), ConfigError> {
        let Some(setting) = self.settings.get_mut(key) else {
            return Err(self.unknown(key, &origin));
        };
        let value = match &setting.example {
            Value::Integer(_) => text.trim().parse().ok().map(Value::Integer),
            Value::Boolean(_) => text.trim().parse().ok().map(Value::Boolean),
            Value::Array(_) => {
                let table: Option<Table> = format!("list = {}", text.trim()).parse().ok();
                table.and_then(|mut table| table.remove("list")).filter(Value::is_array)
            }
            _ => Some(Value::String(text.to_owned())),
        };
        let value = value.ok_or_else(|| {
            // A list may hold secrets, which are found only in one that can be read.
            let but = if setting.example.is_array() { String::new() } else { format!(", not '{text}'") };
            ConfigError(format!("{key} (from {origin}) must be {}{but}", expected(&setting.example)))
        })?;
        (setting.value, setting.origin) = (value, origin);
        Ok(())
    }

    /// Where this program keeps what no setting gives a place: beside the configuration file, else with the user's own data; nothing where there
    /// is neither.
    pub fn own_folder(&self) -> Option<PathBuf> {
        self.folder.clone().or_else(|| Some(self.data_home.as_ref()?.join("pagesmith")))
    }

    /// The path of `key`, unless it is empty. A relative path is one beside the configuration file; only in a flag it is relative to the
    /// working directory.
    pub fn path(&self, key: &str) -> Result<Option<PathBuf>, ConfigError> {
        let Some(path) = self.optional(key)?.map(Path::new) else { return Ok(None) };
        if path.is_absolute() {
            return Ok(Some(path.to_owned()));
        }
        let is_typed = self.shown(key).is_some_and(|(_, origin)| matches!(origin, Origin::Flag(_)));
        let absolute = if is_typed {
            std::path::absolute(path).ok()
        } else {
            self.folder.as_ref().map(|folder| folder.join(path))
        };
        let expected = "an absolute path where there is no configuration file beside which it could lie";
        absolute.map(Some).ok_or_else(|| self.refuse(key, expected))
    }

    /// The path that a part of a value names: what is not absolute lies beside the configuration file, if there is one.
    pub fn beside_file(&self, path: &str) -> Option<PathBuf> {
        let path = Path::new(path);
        if path.is_absolute() { Some(path.to_owned()) } else { Some(self.folder.as_ref()?.join(path)) }
    }

    /// Every key, in order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.settings.keys().map(String::as_str)
    }

    /// Keys that no section has read: a line of the default file without a meaning.
    pub fn unread(&self) -> Vec<String> {
        let read = self.read.borrow();
        self.settings.keys().filter(|key| !read.contains(*key)).cloned().collect()
    }

    /// The compiled-in default of a key, as it is before anything is laid over it.
    pub fn default_of(key: &str) -> Option<String> {
        let settings = Settings::defaults().ok()?;
        let text = settings.settings.get(key)?.value.clone();
        Some(text.as_str().map_or_else(|| text.to_string(), str::to_owned))
    }

    /// A key's value as it may be shown, and where it came from.
    pub fn shown(&self, key: &str) -> Option<(Value, &Origin)> {
        let setting = self.settings.get(key)?;
        Some((secret::hide(key, &setting.value), &setting.origin))
    }

    /// The text of `key`.
    pub fn text(&self, key: &str) -> Result<&str, ConfigError> {
        self.value(key)?.as_str().ok_or_else(|| self.refuse(key, "text"))
    }

    /// The text of `key`, unless it is empty, which stands for "not set".
    pub fn optional(&self, key: &str) -> Result<Option<&str>, ConfigError> {
        Ok(Some(self.text(key)?).filter(|text| !text.is_empty()))
    }

    /// The text of `key` as something that has a form; `expected` says which.
    pub fn parse<T: FromStr>(&self, key: &str, expected: &str) -> Result<T, ConfigError> {
        self.text(key)?.parse().map_err(|_| self.refuse(key, expected))
    }

    /// The number of `key`, which must lie in `range`.
    pub fn number<T>(&self, key: &str, range: RangeInclusive<T>) -> Result<T, ConfigError>
    where
        T: TryFrom<i64> + PartialOrd + fmt::Display,
    {
        let number = self.value(key)?.as_integer().and_then(|number| T::try_from(number).ok());
        number.filter(|number| range.contains(number)).ok_or_else(|| {
            self.refuse(key, &format!("a whole number from {} to {}", range.start(), range.end()))
        })
    }

    /// The tables of `key`, which is a list of them.
    pub fn tables(&self, key: &str) -> Result<Vec<&Table>, ConfigError> {
        let values = self.value(key)?.as_array().map(Vec::as_slice).unwrap_or_default();
        let tables: Option<Vec<&Table>> = values.iter().map(Value::as_table).collect();
        tables.ok_or_else(|| self.refuse(key, "a list of tables"))
    }

    /// Whether `key` is true.
    pub fn flag(&self, key: &str) -> Result<bool, ConfigError> {
        self.value(key)?.as_bool().ok_or_else(|| self.refuse(key, "true or false"))
    }

    /// The duration of `key`, from a millisecond to a day.
    pub fn duration(&self, key: &str) -> Result<Duration, ConfigError> {
        let range = Duration::from_millis(1)..=Duration::from_secs(86_400);
        let duration = parse_duration(self.text(key)?).ok();
        duration
            .filter(|duration| range.contains(duration))
            .ok_or_else(|| self.refuse(key, "a duration from 1ms to 1d, such as 60s, 250ms or 5m"))
    }

    /// The error for a value of `key` that is not `expected`.
    pub fn refuse(&self, key: &str, expected: &str) -> ConfigError {
        match self.shown(key) {
            Some((value, origin)) => {
                ConfigError(format!("{key} (from {origin}) must be {expected}, not {value}"))
            }
            None => ConfigError(format!("{key} must be {expected}")),
        }
    }

    /// The error for a part of a value of `key`, which is not repeated.
    pub fn refuse_part(&self, key: &str, part: &str, expected: &str) -> ConfigError {
        let origin = self.shown(key).map(|(_, origin)| format!(" (from {origin})")).unwrap_or_default();
        ConfigError(format!("{key}{origin}: {part} must be {expected}"))
    }

    fn value(&self, key: &str) -> Result<&Value, ConfigError> {
        self.read.borrow_mut().insert(key.to_owned());
        let setting = self.settings.get(key);
        setting
            .map(|setting| &setting.value)
            .ok_or_else(|| ConfigError(format!("the default configuration lacks {key}")))
    }
}

fn parse(text: &str, name: &str) -> Result<Table, ConfigError> {
    text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map(|span| text[..span.start].matches('\n').count() + 1);
        let place = line.map(|line| format!(" (line {line})")).unwrap_or_default();
        ConfigError(format!("{name} is not TOML{place}: {}", error.message().replace('\n', ", ")))
    })
}

/// Turns tables within tables into keys with points.
fn flatten(prefix: &str, table: Table, leaves: &mut Vec<(String, Value)>) {
    for (name, value) in table {
        let key = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
        match value {
            Value::Table(inner) => flatten(&key, inner, leaves),
            leaf => leaves.push((key, leaf)),
        }
    }
}

fn expected(example: &Value) -> String {
    format!("{} {} such as {example}", article(example.type_str()), example.type_str())
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'i']) { "an" } else { "a" }
}

#[cfg(test)]
mod tests;

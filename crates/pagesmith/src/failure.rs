//! Why a command ended without success: one line for the operator.
//!
//! Whatever went wrong below arrives here as text. A command that fails prints it on standard error and ends with
//! exit code 1; nothing of it is for programs.

use std::fmt;

/// What every command returns.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// One line that says why a command failed.
#[derive(Debug)]
pub struct Failure(String);

impl Failure {
    /// A failure with this line.
    pub fn new(line: impl Into<String>) -> Failure {
        Failure(line.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = self.0.lines().map(str::trim).filter(|line| !line.is_empty());
        f.write_str(lines.next().unwrap_or("failed"))?;
        lines.try_for_each(|line| write!(f, " {line}"))
    }
}

impl From<pagesmith_model::Error> for Failure {
    fn from(error: pagesmith_model::Error) -> Failure {
        // Its sentence ends in a full stop, which looks wrong before a cause.
        let detail = error.detail().trim_end_matches('.');
        Failure(match std::error::Error::source(&error) {
            Some(source) => format!("{detail}: {source}"),
            None => detail.to_owned(),
        })
    }
}

impl From<crate::config::ConfigError> for Failure {
    fn from(error: crate::config::ConfigError) -> Failure {
        Failure(error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_one_line() {
        assert_eq!(Failure::new("a\n  b\n\n").to_string(), "a b");
        let error = pagesmith_model::Error::conflict("Is there.").caused_by("why");
        assert_eq!(Failure::from(error).to_string(), "Is there: why");
    }
}

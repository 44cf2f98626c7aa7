//! Why a command ended without success: one line for the operator, with the cause and, where there is one, the next step.
//!
//! Whatever went wrong below arrives here as text. A command that fails prints it on standard error and ends with
//! exit code 1; nothing of it is for programs.

use std::fmt;
use std::net::SocketAddr;

use pagesmith_store::fault::{self, Fault};

/// What every command returns.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// One line that says why a command failed.
#[derive(Debug)]
pub struct Failure(String);

/// Which setting says where a listener listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListenSetting {
    /// The API's and the sites', which has a flag as well.
    Api,
    /// The console's own.
    Console,
    /// That of TLS.
    Tls,
}

impl ListenSetting {
    /// As it is written in the configuration, or on the command line where that has it.
    fn name(self) -> &'static str {
        match self {
            ListenSetting::Api => "--listen",
            ListenSetting::Console => "console.listen",
            ListenSetting::Tls => "tls.listen",
        }
    }

    /// The setting with that address.
    fn with(self, address: SocketAddr) -> String {
        match self {
            ListenSetting::Api => format!("{} {address}", self.name()),
            ListenSetting::Console | ListenSetting::Tls => format!("{} = \"{address}\"", self.name()),
        }
    }
}

impl Failure {
    /// A failure with this line.
    pub fn new(line: impl Into<String>) -> Failure {
        Failure(line.into())
    }

    /// No server can listen on that address.
    pub fn cannot_listen(place: ListenSetting, address: SocketAddr, error: &std::io::Error) -> Failure {
        use std::io::ErrorKind::{AddrInUse, AddrNotAvailable, PermissionDenied};
        let (ip, port, name) = (address.ip(), address.port(), place.name());
        let other = |port| place.with(SocketAddr::new(ip, port));
        Failure(match error.kind() {
            AddrInUse => format!(
                "another program listens on {address} already, perhaps another Pagesmith: stop it, or choose another address, as in `{}`",
                other(port.checked_add(1).unwrap_or(8080))
            ),
            AddrNotAvailable => format!(
                "this machine has no address {ip} to listen on: choose one that it has in `{name}`, 127.0.0.1 for this machine alone or 0.0.0.0 for all of its addresses"
            ),
            PermissionDenied if port < 1024 => format!(
                "this user may not listen on port {port}, as on any below 1024: choose another, as in `{}`, and have a proxy answer on {port}, or grant the right with `setcap cap_net_bind_service=+ep` on the program",
                other(8080)
            ),
            _ => format!("cannot listen on {address}: {error}"),
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = without_error_numbers(&self.0);
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        f.write_str(lines.next().unwrap_or("failed"))?;
        lines.try_for_each(|line| write!(f, " {line}"))
    }
}

/// The text without the system's numbers of errors, whose words are before them: `Permission denied (os error 13)`.
fn without_error_numbers(text: &str) -> String {
    const BEGIN: &str = " (os error ";
    let mut parts = text.split(BEGIN);
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.bytes().take_while(u8::is_ascii_digit).count();
        match part[end..].strip_prefix(')') {
            Some(rest) if end > 0 => kept.push_str(rest),
            _ => kept.extend([BEGIN, part]),
        }
    }
    kept
}

impl From<pagesmith_model::Error> for Failure {
    fn from(error: pagesmith_model::Error) -> Failure {
        // Its sentence ends in a full stop, which looks wrong before a cause.
        let detail = error.detail().trim_end_matches('.');
        // The sentence for callers of the API says nothing that an operator could act upon.
        let fault = fault::of(&error).filter(|_| error.detail() == fault::UNAVAILABLE);
        Failure(match (fault, std::error::Error::source(&error)) {
            (Some(Fault::Refused(sentence)), _) => sentence.clone(),
            (Some(Fault::Unavailable(why)), _) => format!("the database is not available: {why}"),
            (Some(Fault::Lost(why)), _) => format!("the connection to the database broke ({why}): try again"),
            (Some(Fault::Retry(_)), _) => {
                "the database was busy with other changes for too long: try again".to_owned()
            }
            (_, Some(source)) => format!("{detail}: {source}"),
            (_, None) => detail.to_owned(),
        })
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use pagesmith_model::Error;

    use super::*;

    #[test]
    fn a_failure_is_one_line_without_error_numbers() {
        let denied = io::Error::from_raw_os_error(13);
        for (text, line) in [
            ("a\n  b\n\n".to_owned(), "a b"),
            (denied.to_string(), "Permission denied"),
            (format!("x ({denied}): {denied}."), "x (Permission denied): Permission denied."),
            ("a (os error here) b (os error 5".to_owned(), "a (os error here) b (os error 5"),
        ] {
            assert_eq!(Failure::new(text).to_string(), line);
        }
    }

    #[test]
    fn a_fault_of_the_database_is_told_by_its_cause() {
        for (error, line) in [
            (Error::conflict("Is there.").caused_by("why"), "Is there: why"),
            (Fault::Refused("do this".to_owned()).into(), "do this"),
            (
                Fault::Unavailable("nothing listens".to_owned()).into(),
                "the database is not available: nothing listens",
            ),
            (
                Fault::Lost("reset".to_owned()).into(),
                "the connection to the database broke (reset): try again",
            ),
            (
                Fault::Retry("x".to_owned()).into(),
                "the database was busy with other changes for too long: try again",
            ),
            (
                Error::unavailable("The backup failed.").caused_by(Fault::Unavailable("full".to_owned())),
                "The backup failed: database unavailable: full",
            ),
        ] {
            assert_eq!(Failure::from(error).to_string(), line);
        }
    }

    #[test]
    fn an_address_that_cannot_be_had_is_told_with_another() {
        for (address, kind, parts) in [
            ("127.0.0.1:8080", io::ErrorKind::AddrInUse, ["another program", "--listen 127.0.0.1:8081"]),
            ("[::1]:65535", io::ErrorKind::AddrInUse, ["[::1]:65535", "--listen [::1]:8080"]),
            ("0.0.0.0:80", io::ErrorKind::PermissionDenied, ["port 80", "--listen 0.0.0.0:8080"]),
            ("10.9.8.7:80", io::ErrorKind::AddrNotAvailable, ["no address 10.9.8.7", "0.0.0.0"]),
            ("10.9.8.7:80", io::ErrorKind::OutOfMemory, ["cannot listen on 10.9.8.7:80", "memory"]),
        ] {
            let (address, error) = (address.parse().unwrap(), kind.into());
            let told = Failure::cannot_listen(ListenSetting::Api, address, &error).to_string();
            assert!(parts.iter().all(|part| told.contains(part)), "{told}");
            // The other listeners have a setting of their own each, and no flag.
            for (setting, name) in
                [(ListenSetting::Console, "console.listen"), (ListenSetting::Tls, "tls.listen")]
            {
                let told = Failure::cannot_listen(setting, address, &error).to_string();
                let is_advised =
                    parts.iter().any(|part| part.contains("--listen") || part.contains("0.0.0.0"));
                assert!(!told.contains("--listen") && (!is_advised || told.contains(name)), "{told}");
            }
        }
    }
}

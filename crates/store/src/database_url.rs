//! Which database to use: `sqlite:PATH` or `postgres://…`.

use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use pagesmith_model::Error;
use tokio_postgres::Config;
use tokio_postgres::config::Host;

pub(crate) use postgres::{Authorities, Encryption, PostgresAddress};

mod postgres;

/// The address of a database.
#[derive(Debug, Clone)]
pub enum DatabaseUrl {
    /// A file of the embedded engine.
    Sqlite(PathBuf),
    /// A PostgreSQL database.
    Postgres(PostgresUrl),
}

/// A PostgreSQL address as it was given.
#[derive(Clone)]
pub struct PostgresUrl(String);

/// How what is said to a database travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// It does not leave this machine.
    Local,
    /// By TLS, to a server for whose certificate an authority vouches; else there is no connection.
    Verified,
    /// By TLS, to a server that shows any certificate: whoever is in between can be that server.
    Unverified,
    /// By TLS if that works: whoever is in between can also prevent it, and read everything.
    Downgradable,
    /// In the clear.
    Open,
}

impl PostgresUrl {
    fn transport(&self) -> Transport {
        let Ok(address) = self.parsed() else { return Transport::Open };
        let is_local = |host: &Host| match host {
            Host::Unix(_) => true,
            Host::Tcp(name) => name == "localhost" || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback()),
        };
        // An address that is given beside the name is where it goes to.
        let stays = |config: &Config| {
            config.get_hosts().iter().all(is_local) && config.get_hostaddrs().iter().all(IpAddr::is_loopback)
        };
        if address.hosts.iter().all(stays) {
            return Transport::Local;
        }
        match address.encryption {
            Encryption::Off => Transport::Open,
            Encryption::IfOffered => Transport::Downgradable,
            Encryption::Unverified => Transport::Unverified,
            Encryption::Authority(_) | Encryption::Name(_) => Transport::Verified,
        }
    }

    /// What the address says.
    pub(crate) fn parsed(&self) -> Result<PostgresAddress, Error> {
        PostgresAddress::parse(&self.0)
            .map_err(|why| Error::unavailable(format!("The database address {self} cannot be used: {why}.")))
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for PostgresUrl {
    /// The address with its password hidden.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The last `@` ends the password, whatever is in it: a slash may, unescaped.
        let hidden = self.0.split_once("://").and_then(|(scheme, rest)| {
            let credentials_end = rest.find('?').unwrap_or(rest.len());
            let at = rest[..credentials_end].rfind('@')?;
            let (user, _) = rest[..at].split_once(':')?;
            Some(format!("{scheme}://{user}:****{}", &rest[at..]))
        });
        let shown = hidden.as_deref().unwrap_or(&self.0);
        // `?password=` is another way to write it.
        match shown.find("password=") {
            Some(at) => {
                let end = shown[at..].find('&').map_or(shown.len(), |length| at + length);
                write!(f, "{}password=****{}", &shown[..at], &shown[end..])
            }
            None => f.write_str(shown),
        }
    }
}

impl DatabaseUrl {
    /// How what is said to the database travels.
    pub fn transport(&self) -> Transport {
        match self {
            DatabaseUrl::Sqlite(_) => Transport::Local,
            DatabaseUrl::Postgres(url) => url.transport(),
        }
    }

    /// Whether it is a file of the embedded engine.
    pub fn is_embedded(&self) -> bool {
        self.embedded_path().is_some()
    }

    /// The file of the embedded engine.
    pub fn embedded_path(&self) -> Option<&Path> {
        match self {
            DatabaseUrl::Sqlite(path) => Some(path),
            DatabaseUrl::Postgres(_) => None,
        }
    }
}

impl FromStr for DatabaseUrl {
    type Err = Error;

    fn from_str(text: &str) -> Result<DatabaseUrl, Error> {
        if let Some(path) = text.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            if path.is_empty() {
                return Err(Error::unavailable("The database address 'sqlite:' lacks the file's path."));
            }
            if path == ":memory:" {
                return Err(Error::unavailable(
                    "A database in memory would be forgotten: give a file's path.",
                ));
            }
            return Ok(DatabaseUrl::Sqlite(PathBuf::from(path)));
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            let url = PostgresUrl(text.to_owned());
            url.parsed()?;
            return Ok(DatabaseUrl::Postgres(url));
        }
        let scheme = text.split(':').next().unwrap_or_default();
        Err(Error::unavailable(format!(
            "A database address begins with 'sqlite:' or 'postgres://', not with '{scheme}'."
        )))
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatabaseUrl::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            DatabaseUrl::Postgres(url) => url.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_hidden() {
        for (address, shown) in [
            ("postgres://me:secret@db:5432/x", "postgres://me:****@db:5432/x"),
            ("postgres://me@db/x", "postgres://me@db/x"),
            (
                "postgres://db/x?user=me&password=secret&connect_timeout=5",
                "postgres://db/x?user=me&password=****&connect_timeout=5",
            ),
            ("postgres://me:se%40cr:et@db/x", "postgres://me:****@db/x"),
            ("postgres://me:sec/ret@db/x", "postgres://me:****@db/x"),
            ("postgres://me:secret/secret@db/x", "postgres://me:****@db/x"),
            ("postgres://me:secret@secret@db/x", "postgres://me:****@db/x"),
        ] {
            let url: DatabaseUrl = address.parse().unwrap();
            assert_eq!(url.to_string(), shown);
            assert!(!format!("{url:?}").contains("ret@"));
        }
    }

    #[test]
    fn what_travels_in_the_clear_or_may_be_made_to_is_told_apart() {
        for (address, transport) in [
            ("sqlite:a.db", Transport::Local),
            ("postgres://me@/x?host=/run/postgresql&sslmode=require", Transport::Local),
            ("postgres://me@localhost/x", Transport::Local),
            ("postgres://me@127.0.0.1/x?sslmode=prefer", Transport::Local),
            ("postgres://me@[::1]/x", Transport::Local),
            ("postgres://me@db/x", Transport::Downgradable),
            ("postgres://me@db/x?sslmode=prefer", Transport::Downgradable),
            ("postgres://me@localhost,db/x", Transport::Downgradable),
            ("postgres://me@localhost/x?hostaddr=10.0.0.1", Transport::Downgradable),
            ("postgres://me@db/x?sslmode=disable", Transport::Open),
            ("postgres://me@10.0.0.1/x?sslmode=require", Transport::Unverified),
            ("postgres://me@10.0.0.1/x?sslmode=require&sslrootcert=ca.crt", Transport::Verified),
            ("postgres://me@db/x?sslmode=verify-full", Transport::Verified),
            (
                "postgres://me@db/x?connect_timeout=5&sslmode=verify-ca&sslrootcert=ca.crt",
                Transport::Verified,
            ),
        ] {
            assert_eq!(address.parse::<DatabaseUrl>().unwrap().transport(), transport, "{address}");
        }
    }

    #[test]
    fn other_databases_are_refused() {
        for address in ["mysql://x", "", "sqlite:", "sqlite::memory:", "data.db"] {
            assert!(address.parse::<DatabaseUrl>().is_err(), "{address}");
        }
    }
}

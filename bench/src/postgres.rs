//! Databases on the PostgreSQL server that `cargo x bench` started, made fresh and dropped at the end.
//!
//! Only makes, drops and asks about the server; the measured queries are the service's own.

use std::sync::atomic::{AtomicU32, Ordering};

use tokio_postgres::NoTls;

use crate::Result;

static NEXT: AtomicU32 = AtomicU32::new(1);

/// A PostgreSQL server that may be used freely.
#[derive(Clone)]
pub struct Postgres {
    url: String,
}

/// A database that is dropped with this value.
pub struct Database {
    server: Postgres,
    name: String,
}

impl Postgres {
    /// `url` has no database name, or one that is replaced.
    pub fn new(url: &str) -> Self {
        Self { url: url.to_owned() }
    }

    /// Makes an empty database.
    pub fn create(&self) -> Result<Database> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("bench_{}_{number}", std::process::id());
        self.ask(&format!("CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'"))?;
        Ok(Database { server: self.clone(), name })
    }

    /// The server's version, how it is reached, and what decides whether its commits are durable.
    pub fn describe(&self) -> Result<String> {
        let road =
            self.ask("SELECT CASE WHEN inet_server_addr() IS NULL THEN 'its socket' ELSE 'TCP' END")?;
        let mut facts = Vec::new();
        for setting in ["server_version", "fsync", "synchronous_commit", "shared_buffers"] {
            facts.push(self.ask(&format!("SHOW {setting}"))?);
        }
        let [version, fsync, commit, buffers] = <[String; 4]>::try_from(facts).unwrap_or_default();
        Ok(format!(
            "{version}, by {road}, fsync {fsync}, synchronous_commit {commit}, shared_buffers {buffers}"
        ))
    }

    fn ask(&self, statement: &str) -> Result<String> {
        ask(&self.with_database("postgres"), statement)
    }

    /// The address with the given database in it, before any parameters.
    fn with_database(&self, name: &str) -> String {
        let (base, parameters) = match self.url.split_once('?') {
            Some((base, parameters)) => (base, format!("?{parameters}")),
            None => (self.url.as_str(), String::new()),
        };
        let host_at = base.find("://").map_or(0, |at| at + 3);
        let base = base[host_at..].find('/').map_or(base, |at| &base[..host_at + at]);
        format!("{base}/{name}{parameters}")
    }
}

impl Database {
    /// The address to give to the server.
    pub fn url(&self) -> String {
        self.server.with_database(&self.name)
    }

    /// Runs one statement in it; its first value as text, empty if it has none.
    pub fn ask(&self, statement: &str) -> Result<String> {
        ask(&self.url(), statement)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // The whole server is thrown away after the run; this only keeps its disk use down.
        let _ = self.server.ask(&format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name));
    }
}

/// Runs one statement; its first value as text, empty if it has none.
fn ask(url: &str, statement: &str) -> Result<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
        let connection = tokio::spawn(connection);
        let messages = client.simple_query(statement).await?;
        drop(client);
        connection.await??;
        Ok(messages.iter().find_map(first_value).unwrap_or_default())
    })
}

fn first_value(message: &tokio_postgres::SimpleQueryMessage) -> Option<String> {
    match message {
        tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_database_goes_before_the_parameters() {
        for (url, expected) in [
            ("postgres://me@127.0.0.1:5433", "postgres://me@127.0.0.1:5433/x"),
            ("postgres://me@127.0.0.1:5433/old?a=b", "postgres://me@127.0.0.1:5433/x?a=b"),
            ("postgres://me@127.0.0.1:5433/", "postgres://me@127.0.0.1:5433/x"),
            ("postgres://me@%2Fvar%2Ftmp:5433/old", "postgres://me@%2Fvar%2Ftmp:5433/x"),
        ] {
            assert_eq!(Postgres::new(url).with_database("x"), expected);
        }
    }
}

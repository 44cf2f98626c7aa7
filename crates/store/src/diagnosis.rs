//! What an operator wants to know about a database: version, settings that matter, clock.

use pagesmith_model::{Error, Result, Timestamp};

use crate::connection::postgres::{ASIDE, Session};
use crate::connection::sqlite::faults::fault;
use crate::connection::sqlite::{Connection, Mode};
use crate::engine::Connector;
use crate::schema_state::SchemaState;
use crate::sql;
use crate::tx::{Link, Tx};

/// A database's own word about itself.
#[derive(Debug, Clone)]
pub struct Diagnosis {
    /// The engine and its version.
    pub version: String,
    /// How its migrations and this program's differ.
    pub schema: SchemaState,
    /// Which texts it can keep.
    pub characters: Characters,
    /// The server's clock, where it has one of its own.
    pub clock: Option<Timestamp>,
    /// What the engine found wrong with its own files; empty if nothing.
    pub problems: Vec<String>,
    /// What a PostgreSQL server does so that a commit stays.
    pub durability: Option<Durability>,
    /// Whether a PostgreSQL server is in recovery, as a standby is: it only reads.
    pub is_in_recovery: Option<bool>,
}

/// A PostgreSQL server's settings on which it depends whether a commit survives, as they are for our sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Durability {
    /// `off`: commits are acknowledged before they are stored, and an end of the server loses the last ones.
    pub synchronous_commit: String,
    /// Which standbys a commit waits for, unless `synchronous_commit` is `off` or `local`; empty if it waits for none.
    pub synchronous_standby_names: String,
    /// `off`: a power cut may damage the whole database.
    pub fsync: String,
    /// `off`: so may it on most file systems.
    pub full_page_writes: String,
}

impl Durability {
    /// Whether what is acknowledged may be lost though nothing but the server ended.
    pub fn loses_commits(&self) -> bool {
        self.synchronous_commit == "off"
    }

    /// Whether a commit is acknowledged only after a standby has it.
    pub fn waits_for_standbys(&self) -> bool {
        !self.synchronous_standby_names.is_empty()
            && !matches!(self.synchronous_commit.as_str(), "off" | "local")
    }

    /// What of it a power cut may damage.
    pub fn risks(&self) -> Vec<&'static str> {
        let settings = [("fsync", &self.fsync), ("full_page_writes", &self.full_page_writes)];
        settings.into_iter().filter(|(_, value)| *value == "off").map(|(name, _)| name).collect()
    }
}

/// Which texts a database can keep, and which characters it takes for letters.
#[derive(Debug, Clone)]
pub struct Characters {
    /// The encoding of texts; `UTF8` is needed.
    pub encoding: String,
    /// What decides which characters are letters; `C` and `POSIX` know ASCII only.
    pub character_type: String,
}

impl Characters {
    /// Whether the encoding is that of all scripts.
    pub fn keep_every_text(&self) -> bool {
        is_utf8(&self.encoding)
    }

    /// Whether the encoding and the character type are those of all scripts.
    pub fn are_unicode(&self) -> bool {
        self.keep_every_text() && is_utf8(&self.character_type)
    }

    /// Those of the PostgreSQL database that is connected.
    pub(crate) fn of(tx: &mut Tx<'_>) -> Result<Characters> {
        // only: postgres
        let question = sql!(
            "SELECT pg_encoding_to_char(encoding) AS encoding, datctype AS ctype
             FROM pg_database WHERE datname = current_database()"
        );
        let row = tx.one(question.with(vec![]))?;
        Ok(Characters { encoding: row.get("encoding")?, character_type: row.get("ctype")? })
    }
}

fn is_utf8(name: &str) -> bool {
    name.to_ascii_uppercase().replace('-', "").contains("UTF8")
}

pub(crate) fn diagnose(connector: &Connector, schema: SchemaState) -> Result<Diagnosis> {
    match connector {
        Connector::Sqlite(path) => {
            let connection = Connection::open(path, Mode::Read)?;
            let text = |statement: &str| {
                let answer = connection.raw().query_row(statement, [], |row| row.get::<_, String>(0));
                answer.map_err(|error| Error::from(fault(&error)))
            };
            let verdict = text("PRAGMA quick_check(1)")?;
            Ok(Diagnosis {
                version: format!("SQLite {}", rusqlite::version()),
                schema,
                characters: Characters {
                    encoding: text("PRAGMA encoding")?,
                    character_type: "UTF-8".to_owned(),
                },
                clock: None,
                problems: if verdict == "ok" { vec![] } else { vec![verdict] },
                durability: None,
                is_in_recovery: None,
            })
        }
        Connector::Postgres(servers) => {
            let mut session = Session::connect(servers, 0, ASIDE)?;
            let mut tx = Tx::new(Link::Postgres(&mut session));
            // only: postgres
            let question = sql!(
                "SELECT version() AS version,
                        CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT) AS clock,
                        current_setting('synchronous_commit') AS synchronous_commit,
                        current_setting('synchronous_standby_names') AS synchronous_standby_names,
                        pg_is_in_recovery() AS is_in_recovery,
                        current_setting('fsync') AS fsync,
                        current_setting('full_page_writes') AS full_page_writes"
            );
            let row = tx.one(question.with(vec![]))?;
            Ok(Diagnosis {
                version: row.get("version")?,
                schema,
                characters: Characters::of(&mut tx)?,
                clock: Some(row.get("clock")?),
                problems: vec![],
                durability: Some(Durability {
                    synchronous_commit: row.get("synchronous_commit")?,
                    synchronous_standby_names: row.get("synchronous_standby_names")?,
                    fsync: row.get("fsync")?,
                    full_page_writes: row.get("full_page_writes")?,
                }),
                is_in_recovery: Some(row.get("is_in_recovery")?),
            })
        }
    }
}

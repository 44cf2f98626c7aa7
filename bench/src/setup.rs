//! What every scenario needs: where things are, how a server is started, how pages get into it.
//!
//! Pages are made through the API, as a user would make them; the harness knows nothing of the tables.

use std::path::PathBuf;
use std::sync::Arc;

use crate::Result;
use crate::args::Options;
use crate::client;
use crate::postgres::{Database, Postgres};
use crate::request::Template;
use crate::sample;
use crate::server::{Server, TemporaryDirectory};

/// The key of the measured server's default tenant; it guards nothing.
const KEY: &str = "bench-0123456789abcdef0123456789abcdef0123456789abcdef0123456789";

/// The database engine behind a measured server.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

impl Engine {
    /// As it is written in the report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

/// One run's surroundings; dropping it removes the directory.
pub struct Setup {
    pub options: Options,
    pub directory: TemporaryDirectory,
    pub postgres: Option<Postgres>,
    itself: PathBuf,
}

/// The key's text, for requests that no [`Operation`] makes.
pub fn key() -> &'static str {
    KEY
}

/// A database for the server; a PostgreSQL one is dropped with this value.
pub enum Store {
    Sqlite(String),
    Postgres(Database),
}

impl Store {
    /// As the service takes it.
    pub fn url(&self) -> String {
        match self {
            Self::Sqlite(url) => url.clone(),
            Self::Postgres(database) => database.url(),
        }
    }

    /// Runs one statement that writes, while no server holds the database.
    pub fn execute(&self, statement: &str) -> Result<()> {
        match self {
            Self::Sqlite(url) => {
                rusqlite::Connection::open(url.trim_start_matches("sqlite:"))?.execute(statement, [])?;
            }
            Self::Postgres(database) => {
                database.ask(statement)?;
            }
        }
        Ok(())
    }

    /// Does at once what PostgreSQL, and the system with the embedded database's file, do by and by after much has been written, so that
    /// it is not measured.
    pub fn settle(&self) -> Result<()> {
        match self {
            Self::Sqlite(url) => {
                let file = url.strip_prefix("sqlite:").unwrap_or(url);
                std::fs::File::open(file)?.sync_all()?;
            }
            Self::Postgres(database) => {
                database.ask("VACUUM (ANALYZE)")?;
                database.ask("CHECKPOINT")?;
            }
        }
        Ok(())
    }
}

impl Setup {
    /// Makes the directory. It lies beside the binary, because `/tmp` may be memory, where a sync is free.
    pub fn new(options: Options) -> Result<Self> {
        let itself = std::env::current_exe()?;
        let beside = itself.parent().ok_or("the binary lies in no directory")?.to_owned();
        let directory = TemporaryDirectory::below(options.directory.as_deref().unwrap_or(&beside))?;
        let postgres = options.postgres.as_deref().map(Postgres::new);
        Ok(Self { options, directory, postgres, itself })
    }

    /// The engines to measure, in order.
    pub fn engines(&self) -> Vec<Engine> {
        let mut engines = Vec::new();
        if self.options.wants_engine("sqlite") {
            engines.push(Engine::Sqlite);
        }
        if self.options.wants_engine("postgres") && self.postgres.is_some() {
            engines.push(Engine::Postgres);
        }
        engines
    }

    /// An empty database.
    pub fn store(&self, engine: Engine, name: &str) -> Result<Store> {
        match (engine, &self.postgres) {
            (Engine::Sqlite, _) => Ok(Store::Sqlite(format!(
                "sqlite:{}",
                self.directory.path().join(name).with_extension("db").display()
            ))),
            (Engine::Postgres, Some(server)) => Ok(Store::Postgres(server.create()?)),
            (Engine::Postgres, None) => Err("no PostgreSQL server was given".into()),
        }
    }

    /// Starts the service with a rate limit that is checked but never reached.
    pub fn serve(&self, store: &Store, name: &str, settings: &[(&str, &str)]) -> Result<Server> {
        self.start("serve", &store.url(), name, settings)
    }

    /// Starts the service on a database at that address.
    pub fn serve_at(&self, database: &str, name: &str, settings: &[(&str, &str)]) -> Result<Server> {
        self.start("serve", database, name, settings)
    }

    /// Starts the service with the example that `pagesmith demo` serves.
    pub fn serve_example(&self, store: &Store, name: &str) -> Result<Server> {
        self.start("demo", &store.url(), name, &[])
    }

    fn start(&self, command: &str, database: &str, name: &str, settings: &[(&str, &str)]) -> Result<Server> {
        let mut environment =
            vec![("PAGESMITH_BOOTSTRAP_KEY", KEY), ("PAGESMITH_RATE_LIMIT_REQUESTS", "1000000000")];
        environment.extend_from_slice(settings);
        Server::start(&self.options.binary, self.directory.path(), name, &environment, |port| {
            [command, "--listen", &format!("127.0.0.1:{port}"), "--database", database]
                .map(str::to_owned)
                .to_vec()
        })
    }

    /// Starts floor (a) with an answer.
    pub fn floor_a(&self, name: &str, body: &[u8]) -> Result<Server> {
        let file = self.directory.path().join(name).with_extension("body");
        std::fs::write(&file, body)?;
        Server::start(&self.itself, self.directory.path(), name, &[], |port| {
            ["floor-a", "--port", &port.to_string(), "--body-file", &file.to_string_lossy()]
                .map(str::to_owned)
                .to_vec()
        })
    }

    /// Starts floor (b) on an empty database.
    pub fn floor_b(&self, name: &str) -> Result<Server> {
        let file = self.directory.path().join(name).with_extension("db");
        Server::start(&self.itself, self.directory.path(), name, &[], |port| {
            ["floor-b", "--port", &port.to_string(), "--database", &file.to_string_lossy()]
                .map(str::to_owned)
                .to_vec()
        })
    }

    /// Starts floor (c) on an empty database.
    pub fn floor_logs(&self, name: &str) -> Result<Server> {
        let file = self.directory.path().join(name).with_extension("db");
        Server::start(&self.itself, self.directory.path(), name, &[], |port| {
            ["floor-logs", "--port", &port.to_string(), "--database", &file.to_string_lossy()]
                .map(str::to_owned)
                .to_vec()
        })
    }

    /// Runs a command of the service on a database; what it printed.
    pub fn command(&self, store: &Store, words: &[&str]) -> Result<String> {
        let output = std::process::Command::new(&self.options.binary)
            .args(words)
            .args(["--database", &store.url()])
            .env_clear()
            .env("XDG_DATA_HOME", self.directory.path())
            .current_dir(self.directory.path())
            .output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("pagesmith {}: {said}", words.join(" ")).into());
        }
        Ok(String::from_utf8(output.stdout)?)
    }

    /// A key of a tenant.
    pub fn key_of(&self, store: &Store, tenant: &str) -> Result<String> {
        let made = self.command(store, &["key", "create", "--tenant", tenant, "--json"])?;
        let made: serde_json::Value = serde_json::from_str(&made)?;
        Ok(made["secret"].as_str().ok_or("a key without a text")?.to_owned())
    }

    /// Makes `count` pages and returns their ids.
    pub fn seed(&self, server: &Server, count: usize) -> Result<Arc<Vec<String>>> {
        let ids = client::seed(server.address, &Operation::Create.template(&Arc::new(Vec::new())), count)?;
        Ok(Arc::new(ids))
    }
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    Get,
    List,
    Update,
    Create,
}

impl Operation {
    /// Those that do not change the number of pages come first.
    pub const ALL: [Self; 4] = [Self::Get, Self::List, Self::Update, Self::Create];

    /// Its name for `--only`.
    pub fn short(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::List => "list",
            Self::Update => "update",
            Self::Create => "create",
        }
    }

    /// As it is written in the report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "get page",
            Self::List => "list 20 pages",
            Self::Update => "update page",
            Self::Create => "create page",
        }
    }

    /// Whether it is compared with floor (b).
    pub fn writes(self) -> bool {
        matches!(self, Self::Update | Self::Create)
    }

    /// Its request; `ids` are the pages to choose from.
    pub fn template(self, ids: &Arc<Vec<String>>) -> Template {
        let one = format!("/v0/pages/{}", sample::ID);
        match self {
            Self::Get => Template::new("GET", &one, None, KEY, ids),
            Self::List => Template::new("GET", "/v0/pages?limit=20", None, KEY, ids),
            Self::Update => Template::new("PATCH", &one, Some(&sample::update_body()), KEY, ids),
            Self::Create => Template::new("POST", "/v0/pages", Some(&sample::create_body()), KEY, ids),
        }
    }
}

//! What every command starts from: settings, and a store when it needs one.
//!
//! Administration works beside a running server on the same database. It never makes a database or changes its form:
//! that is for `serve` and `migrate`, so that a mistyped path is an error and not a new, empty database.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use pagesmith_model::actor::Actor;
use pagesmith_operations::{Context, Platform};
use pagesmith_store::{Store, StoreOptions};
use tokio::runtime::{Builder, Runtime};

use crate::config::{Config, Environment, Flag, Settings, variable_of};
use crate::failure::{Failure, Result};
use crate::nearest::did_you_mean;
use crate::screen::Screen;
use crate::secret_key::{self, Missing};
use crate::telemetry;

/// The settings of this run.
pub struct Session {
    /// Every key with its origin.
    pub settings: Settings,
    /// The variables of the environment that are ours.
    pub environment: Environment,
    /// Who looks on.
    pub screen: Screen,
}

impl Session {
    /// Reads file and environment and lays the flags over them; misspelt variables are warned about.
    pub fn open(file: Option<PathBuf>, flags: &[Flag]) -> Result<Session> {
        let environment = Environment::capture();
        let file = file.or_else(|| environment.config_file().map(PathBuf::from));
        let settings = Settings::load(file.as_deref(), &environment, flags)?;
        let variables: Vec<String> = settings.keys().map(variable_of).collect();
        for name in environment.unknown(settings.keys()) {
            let guess = did_you_mean(&name, variables.iter().map(String::as_str));
            writeln!(
                std::io::stderr(),
                "pagesmith: warning: the environment variable {name} sets nothing{guess}"
            )?;
        }
        let screen = Screen::new(&environment);
        Ok(Session { settings, environment, screen })
    }

    /// The settings, typed.
    pub fn config(&self) -> Result<Config> {
        Ok(Config::read(&self.settings)?)
    }

    /// The present instant for what the operator does, without the server's key.
    pub fn context(&self) -> Context {
        Platform::system().context().by(self.operator())
    }

    /// Who uses the command line, for the audit.
    pub fn operator(&self) -> Actor {
        Actor::Operator(self.environment.account().to_owned())
    }

    /// Time, chance and the key that this database was used with, for what needs the key; refused if there is no such key, for another one
    /// would not do.
    pub async fn platform(&self, store: &Store) -> Result<Arc<Platform>> {
        let platform = Platform::system();
        secret_key::unlock(&self.config()?, store, &platform, Missing::Refuse).await?;
        Ok(platform)
    }

    /// Runs `work` on the existing, migrated database.
    pub fn with_store<T>(&self, work: impl AsyncFnOnce(&Store) -> Result<T>) -> Result<T> {
        self.with_store_as(|options| options, work)
    }

    /// The same, with other options than the configuration's.
    pub fn with_store_as<T>(
        &self,
        options: impl FnOnce(StoreOptions) -> StoreOptions,
        work: impl AsyncFnOnce(&Store) -> Result<T>,
    ) -> Result<T> {
        let config = self.config()?;
        if let Some(path) = config.database.url.embedded_path()
            && !path.exists()
        {
            let path = path.display();
            return Err(Failure::new(format!(
                "there is no database at {path}: name another with --database, or make it with `pagesmith serve` or `pagesmith migrate`"
            )));
        }
        telemetry::warnings()?;
        runtime()?.block_on(async {
            let store = Store::open(options(config.database.store_options()))?;
            let outcome = match store.schema_state().await {
                Ok(state) if state.pending.is_empty() => work(&store).await,
                Ok(state) => Err(Failure::new(format!(
                    "the database is not at this version's schema ({} missing); run `pagesmith migrate`",
                    state.pending.join(", ")
                ))),
                Err(error) => Err(error.into()),
            };
            let closed = store.close().await;
            let result = outcome?;
            closed?;
            Ok(result)
        })
    }
}

/// A runtime for one command at a time.
pub fn runtime() -> Result<Runtime> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}

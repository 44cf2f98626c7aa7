//! `doctor`: is everything in order that the server depends on?
//!
//! Each check is a line: OK, WARN (works, but look at it) or FAIL (will not work, or loses something). It changes
//! nothing and makes nothing but an object in a bucket of files, so it can run beside a server or before the first start.

mod certificates;
mod checks;
mod server_key;
mod sign_in;

use std::process::ExitCode;

use clap::Args;
use pagesmith_operations::Platform;
use pagesmith_operations::installation::{Examination, Examining, Finding as Check, Level};
use pagesmith_store::Store;
use serde_json::{Value, json};

use super::output;
use super::session::{Session, runtime};
use crate::config::Config;
use crate::failure::{Failure, Result};
use crate::{telemetry, wiring};

/// How the findings are printed.
#[derive(Args)]
pub struct Flags {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A level as it is printed.
fn word(level: Level) -> &'static str {
    match level {
        Level::Ok => "OK",
        Level::Warn => "WARN",
        Level::Fail => "FAIL",
    }
}

/// The same look at everything for the console of a running server.
pub struct Doctor(Config);

impl Doctor {
    /// For a server with this configuration.
    pub fn of(config: Config) -> Doctor {
        Doctor(config)
    }
}

impl Examination for Doctor {
    fn examine(&self) -> Examining<'_> {
        Box::pin(examine(&self.0))
    }
}

/// Looks at everything.
async fn examine(config: &Config) -> Vec<Check> {
    let mut found = database(config).await;
    let embedded = config.database.url.embedded_path();
    found.extend(embedded.map(checks::disk));
    found.extend(embedded.map(checks::files));
    found.extend(bucket(config).await);
    if embedded.is_none() {
        found.push(checks::transport(&config.database.url));
    }
    found.push(server_key::check(config).await);
    let now = Platform::system().context().now;
    found.extend(sign_in::check(config, now).await);
    found.extend(mail(config).await);
    found.extend(certificates::check(config, now).await);
    found
}

/// Checks everything and prints what it found; fails if anything is broken.
pub fn run(session: &Session, flags: &Flags) -> Result<ExitCode> {
    let config = session.config()?;
    telemetry::warnings()?;
    let found = runtime()?.block_on(examine(&config));
    if flags.json {
        output::json(&found.iter().map(to_json).collect())?;
    } else {
        for check in &found {
            output::line(&format!("{:<4}  {:<10}  {}", word(check.level), check.name, check.detail))?;
        }
    }
    let broken = found.iter().any(|check| check.level == Level::Fail);
    Ok(if broken { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The bucket of files can be written, read, listed and deleted from; nothing where files are in a folder.
async fn bucket(config: &Config) -> Option<Check> {
    let bucket = config.files.bucket.as_ref()?;
    let tried = async { Ok::<_, Failure>(wiring::files(config)?.try_out().await?) };
    Some(match tried.await {
        Ok(()) => Check::new("bucket", Level::Ok, format!("{} can be written and read", bucket.name())),
        Err(failure) => Check::new("bucket", Level::Fail, failure.to_string()),
    })
}

/// The mail server can be reached and takes name and password; nothing where none is set.
async fn mail(config: &Config) -> Option<Check> {
    let name = config.mail.as_ref()?.name();
    let base_url = config.server.base_url(config.server.listen);
    Some(match wiring::mailer(config, &base_url, &config.console_url()) {
        Err(failure) => Check::new("mail", Level::Fail, failure.to_string()),
        Ok(None) => return None,
        Ok(Some(mailer)) => match mailer.try_out().await {
            Ok(()) => Check::new("mail", Level::Ok, format!("{name} takes mails")),
            Err(why) => Check::new("mail", Level::Fail, format!("mail.server = {name}: {why}")),
        },
    })
}

/// What can only be learned from the database; a single FAIL where it cannot be reached.
async fn database(config: &Config) -> Vec<Check> {
    let (url, now) = (&config.database.url, Platform::system().context().now);
    if let Some(path) = url.embedded_path()
        && !path.exists()
    {
        let detail = format!("there is none at {}; `pagesmith serve` makes it", path.display());
        return vec![Check::new("database", Level::Fail, detail), checks::clock(now, None, None)];
    }
    let outcome = async {
        let store = Store::open(config.database.store_options())?;
        let diagnosis = store.diagnose().await;
        let newest = checks::newest(&store).await;
        store.close().await?;
        diagnosis.map(|diagnosis| (diagnosis, newest))
    };
    match outcome.await {
        Ok((diagnosis, newest)) => {
            let may_lose = config.database.allow_asynchronous_commit;
            let found = [
                checks::reachable(url, &diagnosis),
                checks::migrations(&diagnosis),
                checks::collation(&diagnosis),
                checks::clock(now, diagnosis.clock, newest),
            ];
            let of_postgres = [checks::durability(&diagnosis, may_lose), checks::recovery(&diagnosis)];
            found.into_iter().chain(of_postgres.into_iter().flatten()).collect()
        }
        Err(error) => vec![
            Check::new("database", Level::Fail, format!("{url}: {}", Failure::from(error))),
            checks::clock(now, None, None),
        ],
    }
}

fn to_json(check: &Check) -> Value {
    json!({ "check": check.name, "level": word(check.level), "detail": check.detail })
}

//! `secret-key rotate`: a new server key takes the old one's place, beside running servers.
//!
//! Four steps: the new key is added to the file, so that every server opens with it; it is used, so that every server seals with it; what is sealed
//! under the old one is sealed anew; the old one is forgotten. The file and what is sealed show how far it is, nothing
//! else: ended anywhere and run again, it goes on. Invariant: no key is forgotten under which anything is found sealed.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use pagesmith_model::actor::Actor;
use pagesmith_model::audit::Action;
use pagesmith_model::duration::parse_duration;
use pagesmith_model::seal::SecretKey;
use pagesmith_operations::server_keys::{self, ResealCounts, Walk};
use pagesmith_operations::{Platform, audit};
use pagesmith_store::Store;
use tokio::time::sleep;

use super::output;
use super::session::Session;
use crate::failure::{Failure, Result};
use crate::secret_key::{self, KeyFile};

/// How many sealed things one transaction looks at.
const BATCH: i64 = 200;

/// What can be done with the server's key.
#[derive(Subcommand)]
pub enum Command {
    /// Replace the server key and encrypt all secrets again; running it again resumes an interrupted rotation.
    Rotate(Flags),
}

/// How a rotation goes.
#[derive(Args)]
pub struct Flags {
    /// How long to wait for running servers to read the changed file, before each step that relies on it.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, default_value = "5s")]
    wait: Duration,
    /// Stop after this step, for example to copy the file to other machines before the next one.
    #[arg(long, value_name = "STEP", default_value = "forgotten")]
    until: Step,
}

/// The steps, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Step {
    /// The new key is in the file and can decrypt.
    Added,
    /// The new key encrypts.
    Used,
    /// Everything is encrypted with the new key.
    Resealed,
    /// The old key is removed from the file.
    Forgotten,
}

/// Does it.
pub fn run(session: &Session, command: Command) -> Result<()> {
    let Command::Rotate(flags) = command;
    let config = session.config()?;
    session.with_store(async move |store| {
        // Before another key is the first: digests stay those of the key that they were made with.
        let platform = session.platform(store).await?;
        match config.server.secret_keys {
            None => rotate(store, &platform, &secret_key::path(&config)?, &flags, session.operator()).await,
            Some(keys) if keys.are_several() => {
                reseal(store, &platform).await?;
                output::line("take all keys but the first out of secret_key now")
            }
            Some(_) => Err(Failure::new(
                "the key is set by secret_key: append a new one there with a comma, restart every server, put it first, restart again, and run this",
            )),
        }
    })
}

async fn rotate(
    store: &Store,
    platform: &Arc<Platform>,
    path: &Path,
    flags: &Flags,
    operator: Actor,
) -> Result<()> {
    let shown = path.display();
    let mut file = read(path)?;
    if !file.has_next() && !file.has_old() {
        file = file.with_next(SecretKey::new(platform.context().random()?));
        file.replace(path)?;
        output::line(&format!("added a key to {shown}"))?;
    }
    if flags.until == Step::Added {
        return Ok(());
    }
    if file.has_next() {
        sleep(flags.wait).await;
        file = read(path)?.turned();
        file.replace(path)?;
        output::line("the new key seals")?;
    }
    if flags.until == Step::Used {
        return Ok(());
    }
    sleep(flags.wait).await;
    platform.keep_secret(file.keys());
    reseal(store, platform).await?;
    let context = platform.context().by(operator);
    store
        .write(move |tx| audit::record(tx, &context, None, Action::ServerKeyRotated, server_keys::SERVER_KEY))
        .await?;
    if flags.until == Step::Resealed {
        return Ok(());
    }
    read(path)?.without_old().replace(path)?;
    output::line(&format!("the old key is gone from {shown}"))
}

fn read(path: &Path) -> Result<KeyFile> {
    KeyFile::read(path)?.ok_or_else(|| Failure::new(format!("the key file {} went away", path.display())))
}

/// Seals everything anew, and looks whether somebody still seals under another key.
async fn reseal(store: &Store, platform: &Arc<Platform>) -> Result<()> {
    let first = walk(store, platform).await?;
    output::line(&format!("sealed anew: {}; under the new key already: {}", first.anew, first.already))?;
    if first.closed > 0 {
        let lost = first.closed;
        output::line(&format!("opened by no key, and left as it is: {lost}"))?;
    }
    let second = walk(store, platform).await?;
    if second.anew > 0 {
        return Err(Failure::new(format!(
            "a server still seals under the old key ({} since then): see that each has the new one, and run this again",
            second.anew
        )));
    }
    Ok(())
}

async fn walk(store: &Store, platform: &Arc<Platform>) -> Result<ResealCounts> {
    let (mut at, mut found) = (Walk::Keys, ResealCounts::default());
    while at != Walk::Over {
        let (context, from) = (platform.context(), at.clone());
        let part = store.write(move |tx| server_keys::reseal(tx, &context, &from, BATCH)).await?;
        at = part.0;
        found = found.and(part.1);
    }
    Ok(found)
}

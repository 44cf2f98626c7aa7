//! One try at writing a version.
//!
//! It ends in one word to the database, which counts only while the lease is this worker's: finished, failed, or handed back.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;
use pagesmith_agent::brief::MOST_LOGS;
use pagesmith_agent::{AgentError, Brief, Draft};
use pagesmith_model::{Error, Kind, Result, Timestamp};
use pagesmith_operations::briefing;
use pagesmith_operations::generations::{self, Claimed, Outcome};
use pagesmith_operations::world::TenantContext;
use pagesmith_store::Tx;
use tokio::sync::watch;

use crate::generation::brief;
use crate::generation::notes::Notes;
use crate::tasks::Tools;

/// After which time a lease is renewed even if there is nothing to note.
const RENEWED: Duration = Duration::from_secs(5);
/// How long a version rests after its first failed try; after the second, five times as long.
const REST: Duration = Duration::from_secs(2);
/// How often the last word is said while the database is away.
const REPEATED: u32 = 5;

/// How the writing ended.
enum Ended {
    Written(Result<Draft, AgentError>),
    /// The version is no longer this worker's.
    Lost,
    /// The process stops.
    Stopped,
}

/// Writes a claimed version, unless it is called off or the process stops.
pub async fn attempt(tools: Tools, claimed: Claimed, stop: watch::Receiver<bool>) {
    let version = claimed.of.version_id.to_string();
    match try_once(&tools, &claimed, stop).await {
        Ok(Outcome::Kept) => {}
        Ok(Outcome::Lost) => tracing::info!(version, "a version was taken from its worker"),
        // Its lease ends, and then it is tried again.
        Err(error) => tracing::warn!(version, %error, "a version was left unfinished"),
    }
}

async fn try_once(tools: &Tools, claimed: &Claimed, stop: watch::Receiver<bool>) -> Result<Outcome> {
    let of = claimed.of.clone();
    let most = i64::try_from(MOST_LOGS).unwrap_or(i64::MAX);
    let material = tools.store.read(move |tx| briefing::gather(tx, &of, most)).await?;
    let Some(material) = material else {
        // Nobody can read what would be written under a deleted page.
        return say(tools, claimed, |tx, ctx, claimed| generations::fail(tx, ctx, claimed, None)).await;
    };
    let tries = material.version.life.tries;
    let brief = brief::of(material)?;
    match written(tools, claimed, &brief, stop).await? {
        Ended::Lost => Ok(Outcome::Lost),
        Ended::Stopped => say(tools, claimed, generations::hand_back).await,
        Ended::Written(Ok(draft)) => {
            match generations::ready(&tools.world.context(), &draft.content, &brief.actions) {
                Ok(content) => {
                    let finish = move |tx: &mut Tx<'_>, ctx: &TenantContext, claimed: &Claimed| {
                        generations::finish(tx, ctx, claimed, &content)
                    };
                    say(tools, claimed, finish).await
                }
                Err(error) => {
                    let wrong = AgentError::retry(None, format!("what was written breaks rules: {error}"));
                    failed(tools, claimed, tries, &wrong).await
                }
            }
        }
        Ended::Written(Err(error)) => failed(tools, claimed, tries, &error).await,
    }
}

/// Lets the agent write, and looks up at every beat.
async fn written(
    tools: &Tools,
    claimed: &Claimed,
    brief: &Brief,
    mut stop: watch::Receiver<bool>,
) -> Result<Ended> {
    let notes = Notes::default();
    let writing = AssertUnwindSafe(async { tools.desk.agent.write(brief, &notes).await }).catch_unwind();
    tokio::pin!(writing);
    let mut renewed = tools.world.clock().now();
    loop {
        tokio::select! {
            biased;
            written = &mut writing => {
                let written = written.unwrap_or_else(|_| Err(AgentError::retry(None, "the agent panicked")));
                return Ok(Ended::Written(written));
            }
            () = stopped(&mut stop) => return Ok(Ended::Stopped),
            () = tools.desk.beat.next() => {
                match look_up(tools, claimed, brief, &notes, &mut renewed).await {
                    Ok(true) => {}
                    Ok(false) => return Ok(Ended::Lost),
                    // The lease lasts longer than most outages.
                    Err(error) => tracing::warn!(%error, "a worker could not look up"),
                }
            }
        }
    }
}

/// Waits until the process stops.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    // Without a sender nobody would ever say so: then it has stopped.
    drop(stop.wait_for(|stop| *stop).await);
}

/// Notes how far the work is, and tells whether it is still wanted.
async fn look_up(
    tools: &Tools,
    claimed: &Claimed,
    brief: &Brief,
    notes: &Notes,
    renewed: &mut Timestamp,
) -> Result<bool> {
    let now = tools.world.clock().now();
    let claimed = claimed.clone();
    let context = tools.world.context();
    let news = notes.take(|content| generations::ready(&context, content, &brief.actions).ok());
    if news.is_none() && now.since(*renewed) < RENEWED {
        return tools.store.glance(move |tx| generations::is_held(tx, &claimed)).await;
    }
    *renewed = now;
    let note = news.unwrap_or_else(|| notes.present());
    tools.store.claim(move |tx| generations::renew(tx, &claimed, &note, now)).await
}

async fn failed(tools: &Tools, claimed: &Claimed, tries: i64, error: &AgentError) -> Result<Outcome> {
    tracing::warn!(version = claimed.of.version_id.as_str(), tries, %error, "a version could not be written");
    let asked = match error.fault {
        pagesmith_agent::Fault::Retry(asked) => asked,
        _ => None,
    };
    let rest = if tries > 1 { REST * 5 } else { REST };
    let again = tools.world.clock().now().plus(asked.unwrap_or_default().max(rest));
    let again = error.is_passing().then_some(again);
    say(tools, claimed, move |tx, ctx, claimed| generations::fail(tx, ctx, claimed, again)).await
}

/// Says the last word; again if the database is away for a moment.
async fn say<F>(tools: &Tools, claimed: &Claimed, word: F) -> Result<Outcome>
where
    F: Fn(&mut Tx<'_>, &TenantContext, &Claimed) -> Result<Outcome> + Clone + Send + 'static,
{
    let mut said = 0;
    loop {
        let (claimed, word) = (claimed.clone(), word.clone());
        let ctx = tools.world.context().of(claimed.of.tenant.clone());
        let outcome: Result<Outcome, Error> = tools.store.write(move |tx| word(tx, &ctx, &claimed)).await;
        match outcome {
            Err(error) if matches!(error.kind(), Kind::Unavailable(_)) && said < REPEATED => {
                said += 1;
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            outcome => return outcome,
        }
    }
}

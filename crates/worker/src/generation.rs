//! Versions are written: claimed under a lease, written outside every transaction, kept in one.
//!
//! Nothing is lost if this is stopped anywhere: a lease that nobody renews ends, and another worker takes the version. Versions are looked
//! for when somebody calls ([`Wake`]), and every half second for what other servers have queued. Each tenant has its turn.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use pagesmith_agent::PageAgent;
use pagesmith_model::Result;
use pagesmith_operations::Wake;
use pagesmith_operations::generations::{self, Claimed};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

use crate::tasks::Tools;

mod attempt;
mod brief;
mod models;
mod notes;
mod writing;

pub use attempt::attempt;
pub use models::Models;

/// How long nothing is looked for if nobody calls.
const POLL: Duration = Duration::from_millis(500);

/// How versions are written.
#[derive(Clone)]
pub struct Desk {
    /// Who writes where no model does.
    pub agent: Arc<dyn PageAgent>,
    /// Which model does, where one does.
    pub models: Models,
    /// Who calls when there is work.
    pub wake: Wake,
    /// How many versions are written at the same time.
    pub concurrency: usize,
    /// When a worker looks up from its work.
    pub beat: Beat,
}

/// When a worker notes how far it is and looks whether its work is still wanted.
#[derive(Debug, Clone)]
pub enum Beat {
    /// Again and again after this time.
    Every(Duration),
    /// When a test says so.
    ByHand(Arc<Notify>),
}

impl Beat {
    /// Often enough that a cancelled version is noticed within two seconds.
    pub const USUAL: Beat = Beat::Every(Duration::from_secs(1));

    async fn next(&self) {
        match self {
            Beat::Every(pause) => tokio::time::sleep(*pause).await,
            Beat::ByHand(beat) => beat.notified().await,
        }
    }
}

/// Takes back what lost workers hold and claims up to `limit` versions; tenants after `turn` have theirs first.
pub async fn claim(tools: &Tools, turn: &mut String, limit: usize) -> Result<Vec<Claimed>> {
    let now = tools.world.clock().now();
    let after = turn.clone();
    let looked = tools.store.read(move |tx| {
        Ok((generations::expired(tx, now)?, generations::due_tenants(tx, now, &after, limit)?))
    });
    let (expired, mut tenants) = looked.await?;
    for of in expired {
        let ctx = tools.world.context().of(of.tenant.clone());
        if !tenants.contains(&of.tenant) {
            tenants.push(of.tenant.clone());
        }
        tools.store.write(move |tx| generations::take_back(tx, &ctx, &of)).await?;
    }
    let Some(last) = tenants.last() else { return Ok(vec![]) };
    last.as_str().clone_into(turn);
    let ctx = tools.world.context();
    tools.store.claim(move |tx| generations::claim(tx, &ctx, &tenants, limit)).await
}

/// Writes versions until `stop` turns true; what is not finished then is left to others at once. It wants a thread of its own, because the
/// template composes a page in one go: requests do not wait for it.
pub async fn run(tools: Tools, mut stop: watch::Receiver<bool>) {
    let mut running = JoinSet::new();
    let mut turn = String::new();
    loop {
        while running.try_join_next().is_some() {}
        let free = tools.desk.concurrency.saturating_sub(running.len());
        if free > 0 {
            match claim(&tools, &mut turn, free).await {
                Ok(claimed) => {
                    let is_more = claimed.len() == free;
                    for claimed in claimed {
                        running.spawn(attempt(tools.clone(), claimed, stop.clone()));
                    }
                    if is_more && running.len() < tools.desk.concurrency {
                        continue;
                    }
                }
                Err(error) => tracing::warn!(%error, "no version could be claimed"),
            }
        }
        tokio::select! {
            biased;
            _ = stop.wait_for(|stop| *stop) => break,
            Some(_) = running.join_next() => {}
            () = tools.desk.wake.called(), if running.len() < tools.desk.concurrency => {}
            () = tokio::time::sleep(POLL) => {}
        }
    }
    // Each of them leaves its version to others.
    while running.join_next().await.is_some() {}
}

/// Writes everything that is due, in rounds; how a test steps it.
pub async fn drain(tools: &Tools) -> Result<()> {
    let (_running, stop) = watch::channel(false);
    let mut turn = String::new();
    loop {
        let claimed = claim(tools, &mut turn, tools.desk.concurrency).await?;
        if claimed.is_empty() {
            return Ok(());
        }
        join_all(claimed.into_iter().map(|claimed| attempt(tools.clone(), claimed, stop.clone()))).await;
    }
}

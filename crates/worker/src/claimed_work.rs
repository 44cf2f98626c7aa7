//! Work that waits in a queue of the database: claimed under leases, a few at a time, and attempted outside every transaction.
//!
//! What this is not: leases and queues themselves, which are operations. Each kind of work says here how it is claimed and attempted;
//! when to look for more, how much to do at once and how to stop is the same for all. Invariant: what was claimed is attempted or left to
//! others before [`run`] returns.

use std::time::Duration;

use futures_util::future::join_all;
use pagesmith_model::{Result, TenantId};
use pagesmith_store::Wakeup;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::tools::Tools;

/// A kind of work.
pub(crate) trait ClaimedWork {
    /// A piece of it, with its lease.
    type Claimed: Send + 'static;
    /// What tells this process that there is some.
    const WAKEUP: Wakeup;
    /// How long to sleep without a wake-up.
    const POLL: Duration;
    /// How many pieces are attempted at the same time.
    const CONCURRENCY: usize;
    /// What a piece is called in the log.
    const NOUN: &'static str;

    /// Claims up to `limit` pieces; tenants have their turns, which begin behind `last`.
    fn claim(
        tools: &Tools,
        last: &mut String,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Self::Claimed>>> + Send;

    /// Attempts a piece; if `stop` turns true, it is left to others.
    fn attempt(
        tools: Tools,
        claimed: Self::Claimed,
        stop: watch::Receiver<bool>,
    ) -> impl Future<Output = ()> + Send + 'static;
}

/// Where the next round begins after one that found these tenants, of whom there were to be `limit`; false if there are none. If that is
/// every tenant, it is the second: what all of them share is then given to each in turn.
pub(crate) fn pass(tenants: &[TenantId], limit: usize, last: &mut String) -> bool {
    let behind = if tenants.len() < limit { tenants.first() } else { tenants.last() };
    behind.is_some_and(|behind| {
        behind.as_str().clone_into(last);
        true
    })
}

/// Does the work until `stop` turns true.
pub(crate) async fn run<W: ClaimedWork>(tools: Tools, mut stop: watch::Receiver<bool>) {
    let mut running = JoinSet::new();
    let mut last = String::new();
    loop {
        while running.try_join_next().is_some() {}
        let free = W::CONCURRENCY - running.len();
        if free > 0 {
            match W::claim(&tools, &mut last, free).await {
                Ok(claimed) => {
                    for claimed in claimed {
                        running.spawn(W::attempt(tools.clone(), claimed, stop.clone()));
                    }
                }
                Err(error) => tracing::warn!(%error, "no {} could be claimed", W::NOUN),
            }
        }
        let is_free = running.len() < W::CONCURRENCY;
        tokio::select! {
            biased;
            _ = stop.wait_for(|stop| *stop) => break,
            Some(_) = running.join_next() => {}
            () = tools.store.wait_for(W::WAKEUP), if is_free => {}
            () = tokio::time::sleep(W::POLL) => {}
        }
    }
    while running.join_next().await.is_some() {}
}

/// Does everything that is due, in rounds; how a test steps it.
pub(crate) async fn drain<W: ClaimedWork>(tools: &Tools) -> Result<()> {
    let (_running, stop) = watch::channel(false);
    let mut last = String::new();
    loop {
        let claimed = W::claim(tools, &mut last, W::CONCURRENCY).await?;
        if claimed.is_empty() {
            return Ok(());
        }
        join_all(claimed.into_iter().map(|claimed| W::attempt(tools.clone(), claimed, stop.clone()))).await;
    }
}

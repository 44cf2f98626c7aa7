//! What tenants know is indexed for searches as it changes, and entries of deleted topics are removed.
//!
//! The work on a tenant is many short transactions and, in between, computing on other threads, so that neither writers nor requests wait.
//! It may be stopped anywhere. Each tenant has its turn.

use std::sync::Arc;
use std::time::Duration;

use pagesmith_knowledge_index::maintain;
use pagesmith_model::{Error, Result, TenantId};
use pagesmith_operations::{pending_work, topics};
use pagesmith_store::tables::knowledge::{changes, indexes};
use pagesmith_store::tables::pending_work::WorkKind;
use pagesmith_store::{Store, Tx, Wakeup};
use tokio::sync::watch;

use crate::claimed_work;
use crate::sweep::tenants as tenant_sweep;
use crate::tools::{Left, Tools};

/// Steps for one tenant before the next one's turn.
const STEPS: usize = 16;
/// How long a worker has a tenant for itself.
const LEASE: Duration = Duration::from_secs(20);
/// Entries of one step.
const ENTRIES: i64 = 8;
/// Postings that are written in one transaction.
const POSTINGS: usize = 512;

/// Works until `stop` turns true.
pub async fn run(tools: Tools, mut stop: watch::Receiver<bool>) {
    loop {
        let left = match round(&tools).await {
            Ok(left) => left,
            Err(error) => {
                tracing::warn!(%error, "knowledge could not be worked on");
                Left::Nothing
            }
        };
        if *stop.borrow() {
            return;
        }
        if left == Left::More {
            continue;
        }
        tokio::select! {
            biased;
            _ = stop.wait_for(|stop| *stop) => return,
            () = tools.store.wait_for(Wakeup::Knowledge) => {}
            () = tokio::time::sleep(claimed_work::POLL) => {}
        }
    }
}

/// Does everything that there is; how a test steps it.
pub async fn drain(tools: &Tools) -> Result<()> {
    while round(tools).await? == Left::More {}
    Ok(())
}

/// A turn for every tenant.
async fn round(tools: &Tools) -> Result<Left> {
    let among_all = |tx: &mut Tx<'_>| pending_work::all(tx, WorkKind::Knowledge);
    let is_due = |tx: &mut Tx<'_>, tenant: &TenantId| pending_work::has(tx, tenant, WorkKind::Knowledge);
    let mut left = Left::Nothing;
    for tenant in tenant_sweep::find_tenants(tools, among_all, is_due).await? {
        match turn(tools, &tenant).await {
            Ok(Left::More) => left = Left::More,
            Ok(Left::Nothing) => {}
            // The others have their turns all the same.
            Err(error) => tracing::warn!(%tenant, %error, "a tenant's knowledge could not be worked on"),
        }
    }
    Ok(left)
}

/// A turn of one tenant, under a lease: two workers would do no harm, but the same work.
async fn turn(tools: &Tools, tenant: &TenantId) -> Result<Left> {
    let (of, now) = (tenant.clone(), tools.platform.clock().now());
    if !tools.store.claim(move |tx| indexes::lease(tx, &of, now, now.plus(LEASE))).await? {
        return Ok(Left::Nothing);
    }
    let done = steps(tools, tenant).await;
    let of = tenant.clone();
    tools.store.claim(move |tx| tx.run(indexes::release(&of))).await?;
    done
}

async fn steps(tools: &Tools, tenant: &TenantId) -> Result<Left> {
    for _ in 0..STEPS {
        let ctx = tools.context().of(tenant.clone());
        let mut worked = tools.store.write(move |tx| topics::clear_away(tx, &ctx)).await?;
        worked |= cut(&tools.store, tenant).await?;
        worked |= post(&tools.store, tenant).await?;
        if !worked {
            return Ok(Left::Nothing);
        }
    }
    Ok(Left::More)
}

/// Cuts a few changed entries into chunks; whether there were any.
async fn cut(store: &Store, tenant: &TenantId) -> Result<bool> {
    let of = tenant.clone();
    let changed = store.read(move |tx| changes::list(tx, &of, ENTRIES)).await?;
    let worked = !changed.is_empty();
    for (topic_id, topic_entry_id) in changed {
        let (of, topic, entry) = (tenant.clone(), topic_id.clone(), topic_entry_id.clone());
        let source = store.read(move |tx| maintain::load(tx, &of, (&topic, &entry))).await?;
        let cutting = move || (source.as_ref().map(maintain::chunks).unwrap_or_default(), source);
        let (chunks, source) = tokio::task::spawn_blocking(cutting).await.map_err(Error::internal)?;
        let of = tenant.clone();
        let replace = move |tx: &mut Tx<'_>| {
            maintain::replace(tx, &of, (&topic_id, &topic_entry_id), source.as_ref(), &chunks)
        };
        // What has changed meanwhile is still noted as changed.
        store.write(replace).await?;
    }
    Ok(worked)
}

/// Takes some chunks into the postings, or out of them; whether there were any.
async fn post(store: &Store, tenant: &TenantId) -> Result<bool> {
    let of = tenant.clone();
    let Some(batch) = store.read(move |tx| maintain::batch(tx, &of)).await? else { return Ok(false) };
    let batch = Arc::new(batch);
    let of_batch = Arc::clone(&batch);
    let computing = tokio::task::spawn_blocking(move || maintain::deltas(&of_batch));
    let mut deltas = computing.await.map_err(Error::internal)?;
    while !deltas.is_empty() {
        let part: Vec<_> = deltas.drain(..deltas.len().min(POSTINGS)).collect();
        let (of, of_batch) = (tenant.clone(), Arc::clone(&batch));
        store.write(move |tx| maintain::post(tx, &of, &of_batch, &part)).await?;
    }
    let of = tenant.clone();
    store.write(move |tx| maintain::finish(tx, &of, &batch)).await?;
    Ok(true)
}

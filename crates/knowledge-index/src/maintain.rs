//! Maintenance of the index in the background.
//!
//! The work on a tenant is many short transactions and, in between, computing on other threads, so that neither writers nor requests
//! wait. It may be stopped anywhere. What each transaction does is in [`steps`].

use std::sync::Arc;

use pagesmith_model::{Error, Result, TenantId};
use pagesmith_store::tables::knowledge::changes;
use pagesmith_store::{Store, Tx};

use crate::steps;

/// Entries of one step.
const ENTRIES: i64 = 8;
/// Postings that are written in one transaction.
const POSTINGS: usize = 512;

/// Does a step of the work on a tenant's index: a few changed entries are cut into chunks, and some chunks are posted. Whether there was any.
pub async fn maintain(store: &Store, tenant: &TenantId) -> Result<bool> {
    let has_cut = cut(store, tenant).await?;
    let has_posted = post(store, tenant).await?;
    Ok(has_cut || has_posted)
}

/// Cuts a few changed entries into chunks; whether there were any.
async fn cut(store: &Store, tenant: &TenantId) -> Result<bool> {
    let of = tenant.clone();
    let changed = store.read(move |tx| changes::list(tx, &of, ENTRIES)).await?;
    let worked = !changed.is_empty();
    for (topic_id, topic_entry_id) in changed {
        let (of, topic, entry) = (tenant.clone(), topic_id.clone(), topic_entry_id.clone());
        let source = store.read(move |tx| steps::load(tx, &of, (&topic, &entry))).await?;
        let cutting = move || (source.as_ref().map(steps::chunks).unwrap_or_default(), source);
        let (chunks, source) = tokio::task::spawn_blocking(cutting).await.map_err(Error::internal)?;
        let of = tenant.clone();
        let replace = move |tx: &mut Tx<'_>| {
            steps::replace(tx, &of, (&topic_id, &topic_entry_id), source.as_ref(), &chunks)
        };
        // What has changed meanwhile is still noted as changed.
        store.write(replace).await?;
    }
    Ok(worked)
}

/// Takes some chunks into the postings, or out of them; whether there were any.
async fn post(store: &Store, tenant: &TenantId) -> Result<bool> {
    let of = tenant.clone();
    let Some(batch) = store.read(move |tx| steps::batch(tx, &of)).await? else { return Ok(false) };
    let batch = Arc::new(batch);
    let of_batch = Arc::clone(&batch);
    let computing = tokio::task::spawn_blocking(move || steps::deltas(&of_batch));
    let mut deltas = computing.await.map_err(Error::internal)?;
    while !deltas.is_empty() {
        let part: Vec<_> = deltas.drain(..deltas.len().min(POSTINGS)).collect();
        let (of, of_batch) = (tenant.clone(), Arc::clone(&batch));
        store.write(move |tx| steps::post(tx, &of, &of_batch, &part)).await?;
    }
    let of = tenant.clone();
    store.write(move |tx| steps::finish(tx, &of, &batch)).await?;
    Ok(true)
}

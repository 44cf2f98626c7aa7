//! Maintenance of the index in the background, and erasing a person from it.
//!
//! The work on a tenant is many short transactions and, in between, much computing on a thread of its own, so that neither
//! writers nor requests wait. It may be stopped anywhere. What each transaction does is in [`steps`].

use pagesmith_model::{Error, PersonId, Result, TenantId};
use pagesmith_store::{Store, Tx};

use crate::steps::{self, Next, Sizes};

/// How much is done at once.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// Steps for one tenant before the next one's turn.
    pub turn: usize,
    /// Steps of one transaction, at least one.
    pub batch: usize,
    /// Postings that are written in one transaction.
    pub postings: usize,
}

impl Pace {
    /// Short transactions, so that others can write in between.
    pub const SERVING: Pace = Pace { turn: 64, batch: 1, postings: 2048 };
    /// Long ones, where no server waits: an index whose places are written all over is written less often.
    pub const ALONE: Pace = Pace { turn: 64, batch: 64, postings: usize::MAX };
}

/// Does a turn of the work on a tenant's index; whether more is left.
pub async fn maintain(store: &Store, tenant: &TenantId, pace: Pace) -> Result<bool> {
    maintain_with(store, tenant, Sizes::default(), pace).await
}

/// The same for an index of other sizes.
pub async fn maintain_with(store: &Store, tenant: &TenantId, sizes: Sizes, pace: Pace) -> Result<bool> {
    for _ in 0..pace.turn.div_ceil(pace.batch) {
        let of = tenant.clone();
        let steps = move |tx: &mut Tx<'_>| {
            for _ in 1..pace.batch {
                let next = steps::step(tx, &of, sizes)?;
                if next != Next::Step {
                    return Ok(next);
                }
            }
            steps::step(tx, &of, sizes)
        };
        match store.claim(steps).await? {
            Next::Rest => return Ok(false),
            Next::Step => {}
            Next::WritePostings(segment) => post(store, tenant, segment, sizes, pace).await?,
        }
    }
    Ok(true)
}

async fn post(store: &Store, tenant: &TenantId, segment: i64, sizes: Sizes, pace: Pace) -> Result<()> {
    let of = tenant.clone();
    let Some(loaded) = store.read(move |tx| steps::load(tx, &of, segment, sizes)).await? else {
        return Ok(());
    };
    let erasures = loaded.erasures;
    let computing = tokio::task::spawn_blocking(move || steps::postings(&loaded, sizes));
    let mut postings = computing.await.map_err(Error::internal)?;
    loop {
        let part: Vec<_> = postings.drain(..postings.len().min(pace.postings)).collect();
        let last = postings.is_empty();
        let of = tenant.clone();
        let post = move |tx: &mut Tx<'_>| steps::post(tx, &of, segment, erasures, &part, last);
        let go_on = store.claim(post).await?;
        if last || !go_on {
            return Ok(());
        }
    }
}

/// Takes a person out of lists, searches and everything that the index knows, in the caller's transaction.
pub fn erase(tx: &mut Tx<'_>, tenant: &TenantId, person: &PersonId) -> Result<()> {
    steps::erase_with(tx, tenant, person, Sizes::default())
}

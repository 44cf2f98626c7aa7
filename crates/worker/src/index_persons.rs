//! Persons are indexed for searches as they come, change and go.
//!
//! The work on a tenant is many short transactions and, in between, much computing on a thread of its own, so that neither
//! writers nor requests wait. It may be stopped anywhere.

use pagesmith_model::{Error, Result, TenantId};
use pagesmith_person_index::maintain::{self, Next, Sizes};
use pagesmith_store::{Store, Tx};

use crate::sweep::tenants as tenant_sweep;
use crate::tools::{Left, Tools};

/// Tenants of one round.
const TENANTS: i64 = 100;

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

/// A turn for every tenant that has work.
pub(crate) async fn all(tools: Tools) -> Result<Left> {
    let among_all = |tx: &mut Tx<'_>| maintain::waiting(tx, TENANTS);
    let turn = |tools: Tools, tenant: TenantId| async move {
        tenant_turn(&tools.store, &tenant, Sizes::default(), Pace::SERVING).await
    };
    tenant_sweep::sweep_found(&tools, among_all, maintain::is_waiting, turn).await
}

/// A turn of one tenant.
pub async fn tenant_turn(store: &Store, tenant: &TenantId, sizes: Sizes, pace: Pace) -> Result<Left> {
    for _ in 0..pace.turn.div_ceil(pace.batch) {
        let of = tenant.clone();
        let steps = move |tx: &mut Tx<'_>| {
            for _ in 1..pace.batch {
                let next = maintain::step(tx, &of, sizes)?;
                if next != Next::Step {
                    return Ok(next);
                }
            }
            maintain::step(tx, &of, sizes)
        };
        match store.claim(steps).await? {
            Next::Rest => return Ok(Left::Nothing),
            Next::Step => {}
            Next::WritePostings(segment) => post(store, tenant, segment, sizes, pace).await?,
        }
    }
    Ok(Left::More)
}

async fn post(store: &Store, tenant: &TenantId, segment: i64, sizes: Sizes, pace: Pace) -> Result<()> {
    let of = tenant.clone();
    let Some(loaded) = store.read(move |tx| maintain::load(tx, &of, segment, sizes)).await? else {
        return Ok(());
    };
    let erasures = loaded.erasures;
    let computing = tokio::task::spawn_blocking(move || maintain::postings(&loaded, sizes));
    let mut postings = computing.await.map_err(Error::internal)?;
    loop {
        let part: Vec<_> = postings.drain(..postings.len().min(pace.postings)).collect();
        let last = postings.is_empty();
        let of = tenant.clone();
        let post = move |tx: &mut Tx<'_>| maintain::post(tx, &of, segment, erasures, &part, last);
        let go_on = store.claim(post).await?;
        if last || !go_on {
            return Ok(());
        }
    }
}

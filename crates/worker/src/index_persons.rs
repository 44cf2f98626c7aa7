//! Persons are indexed for searches as they come, change and go.
//!
//! The work on a tenant is many short transactions and, in between, much computing on a thread of its own, so that neither
//! writers nor requests wait. It may be stopped anywhere.

use pagesmith_model::{Error, Result, TenantId};
use pagesmith_operations::person_index::{self, Next, Sizes};
use pagesmith_store::{Store, Tx};

use crate::tasks::{Left, Tools};

/// Tenants of one round.
const TENANTS: i64 = 100;
/// Steps for one tenant before the next one's turn.
const STEPS: usize = 64;
/// Postings that are written in one transaction.
const POSTINGS: usize = 2048;

/// A turn for every tenant that has work.
pub(crate) async fn all(tools: Tools) -> Result<Left> {
    let waiting = tools.store.read(|tx| person_index::waiting(tx, TENANTS)).await?;
    let mut left = Left::Nothing;
    for tenant in waiting {
        if tenant_turn(&tools.store, &tenant, Sizes::default(), STEPS).await? == Left::More {
            left = Left::More;
        }
    }
    Ok(left)
}

/// Up to so many steps for one tenant.
pub async fn tenant_turn(store: &Store, tenant: &TenantId, sizes: Sizes, steps: usize) -> Result<Left> {
    for _ in 0..steps {
        let of = tenant.clone();
        match store.claim(move |tx| person_index::step(tx, &of, sizes)).await? {
            Next::Rest => return Ok(Left::Nothing),
            Next::Step => {}
            Next::Post(segment) => post(store, tenant, segment, sizes).await?,
        }
    }
    Ok(Left::More)
}

async fn post(store: &Store, tenant: &TenantId, segment: i64, sizes: Sizes) -> Result<()> {
    let of = tenant.clone();
    let Some(loaded) = store.read(move |tx| person_index::load(tx, &of, segment, sizes)).await? else {
        return Ok(());
    };
    let erasures = loaded.erasures;
    let computing = tokio::task::spawn_blocking(move || person_index::postings(&loaded, sizes));
    let mut postings = computing.await.map_err(Error::internal)?;
    loop {
        let part: Vec<_> = postings.drain(..postings.len().min(POSTINGS)).collect();
        let last = postings.is_empty();
        let of = tenant.clone();
        let post = move |tx: &mut Tx<'_>| person_index::post(tx, &of, segment, erasures, &part, last);
        let go_on = store.claim(post).await?;
        if last || !go_on {
            return Ok(());
        }
    }
}

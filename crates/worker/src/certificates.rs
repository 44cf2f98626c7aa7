//! Certificates from an authority (ACME, RFC 8555): which names want one, and the steps that are due.
//!
//! One server at a time orders, as long as it holds the lease; every server answers the authority's challenges and shows what is issued. Each step
//! begins with what is in the database and ends with what it came to there, so that another server goes on where one was killed. What this is not: the
//! rules ([`pagesmith_model::certificate`]).

mod calls;
mod permission;
mod session;

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use futures_util::{StreamExt, stream};
use pagesmith_model::certificate::Certificate;
use pagesmith_model::{Kind, Result, Timestamp};
use pagesmith_operations::certificates::{self, lease::Lease};
use pagesmith_store::Tx;
use pagesmith_store::tables::certificates::acme_accounts::AcmeAccount;
use pagesmith_store::tables::{certificates as table, revisions};

use crate::tools::{Left, Tools};

pub use crate::tools::certificates::metrics::CertificateMetrics;
pub use crate::tools::certificates::{Automatic, IsCovered};
use session::{Session, Trouble};

/// How many names a round looks after, and how many of them at a time.
const ROUND: i64 = 32;
const AT_A_TIME: usize = 8;
/// How often the list of names is compared with the domains, whether they have changed or not.
const COMPARED: Duration = Duration::from_mins(1);

/// Brings the list of names up to date, and does the steps that are due.
pub(crate) async fn order(tools: Tools) -> Result<Left> {
    let Some(automatic) = tools.certificates.clone() else { return Ok(Left::Nothing) };
    compare(&tools, &automatic).await?;
    let now = tools.platform.clock().now();
    if tools.store.read(move |tx| table::due(tx, now, 1)).await?.is_empty() {
        return Ok(Left::Nothing);
    }
    let (lease, contact) = (automatic.lease(), automatic.contact.clone());
    let taken = lease.clone();
    let take = move |tx: &mut Tx<'_>| {
        let Some(account) = taken.take(tx, &contact, now)? else { return Ok(None) };
        Ok(Some((account, table::due(tx, now, ROUND)?)))
    };
    let Some((account, due)) = tools.store.write(take).await? else { return Ok(Left::Nothing) };
    let outcome = round(&tools, &automatic, &lease, &account, due).await;
    let now = tools.platform.clock().now();
    tools.store.write(move |tx| lease.release(tx, now)).await?;
    outcome.map(|()| Left::Nothing)
}

/// Compares the list of names with the domains, if these have changed since, or it was long ago.
async fn compare(tools: &Tools, automatic: &Arc<Automatic>) -> Result<()> {
    let now = tools.platform.clock().now();
    let revisions = tools
        .store
        .read(|tx| Ok((revisions::find(tx, revisions::DOMAINS)?, revisions::find(tx, revisions::ACCESS)?)));
    let (domains, access) = revisions.await?;
    let last = *automatic.compared.lock().unwrap_or_else(PoisonError::into_inner);
    let is_known = |(known_domains, known_access, at): (i64, i64, Timestamp)| {
        (known_domains, known_access) == (domains, access) && now.since(at) < COMPARED
    };
    if last.is_some_and(is_known) {
        return Ok(());
    }
    let (installation, own) = (Arc::clone(&tools.dns_checker.installation), automatic.own_names.clone());
    let wanted = tools.store.read(move |tx| certificates::wanted_names(tx, &installation, &own)).await?;
    let known: BTreeSet<String> = tools.store.read(table::names).await?.into_iter().collect();
    let is_missing = |name: &String| !known.contains(name) && !(automatic.is_covered)(name);
    if wanted.iter().any(is_missing) || known.iter().any(|name| !wanted.contains(name)) {
        let (ctx, of) = (tools.context(), Arc::clone(automatic));
        let changed = tools
            .store
            .write(move |tx| certificates::reconcile(tx, &ctx, &of.directory, &wanted, &*of.is_covered));
        let (added, removed) = changed.await?;
        tracing::info!(added, removed, "the list of names that want a certificate has changed");
    }
    *automatic.compared.lock().unwrap_or_else(PoisonError::into_inner) = Some((domains, access, now));
    Ok(())
}

/// Does the steps of these names.
async fn round(
    tools: &Tools,
    automatic: &Arc<Automatic>,
    lease: &Lease,
    account: &AcmeAccount,
    due: Vec<Certificate>,
) -> Result<()> {
    let session = match Session::open(tools, automatic, lease, account).await {
        Ok(session) => session,
        Err(trouble) => return unreachable(tools, automatic, lease, trouble).await,
    };
    let mut steps =
        stream::iter(due).map(|certificate| session.attend(certificate)).buffer_unordered(AT_A_TIME);
    while let Some(outcome) = steps.next().await {
        match outcome {
            Ok(()) => {}
            Err(trouble) => {
                // What the others do at the moment is cut off, and goes on where it is.
                drop(steps);
                return unreachable(tools, automatic, lease, trouble).await;
            }
        }
    }
    let (lease, now) = (lease.clone(), tools.platform.clock().now());
    tools.store.write(move |tx| lease.succeed(tx, now)).await
}

/// Leaves the authority alone for a while, if that is what is wrong.
async fn unreachable(tools: &Tools, automatic: &Automatic, lease: &Lease, trouble: Trouble) -> Result<()> {
    let (why, asked) = match trouble {
        Trouble::Ours(error) if matches!(error.kind(), Kind::Conflict(_)) => {
            tracing::info!("another server orders certificates");
            return Ok(());
        }
        Trouble::Ours(error) => return Err(error),
        Trouble::Authority { why, asked } => (why, asked),
        Trouble::Name { detail, asked, .. } => (detail, asked),
    };
    automatic.metrics.authority_failed();
    let (lease, now, told) = (lease.clone(), tools.platform.clock().now(), why.clone());
    let until = tools.store.write(move |tx| lease.pause(tx, &told, asked, now)).await?;
    tracing::warn!(error = why, %until, directory = automatic.directory, "the certificate authority is left alone for a while");
    Ok(())
}

/// Measures how the certificates stand.
pub(crate) async fn measure(tools: Tools) -> Result<Left> {
    let Some(automatic) = &tools.certificates else { return Ok(Left::Nothing) };
    let counts = tools.store.read(table::counts).await?;
    automatic.metrics.record_counts(&counts, tools.platform.clock().now());
    Ok(Left::Nothing)
}

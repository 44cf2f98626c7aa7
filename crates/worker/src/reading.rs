//! The pages and files of topic entries are read: claimed under a lease, fetched and understood outside every transaction, kept in one.
//!
//! Nothing is lost if this is stopped anywhere: a lease ends, and another worker takes the page. Each tenant has its turn, and a host is
//! asked for few pages at a time. What a page is made of is looked at on threads of its own, which are few; a file is read in a process of
//! its own.

use std::time::Duration;

use pagesmith_model::agent::Used;
use pagesmith_model::{RequestId, Result, TenantId};
use pagesmith_operations::agent::usages;
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::topics::readings::{self, Claimed, EndedReading, ReadResult, Source};
use pagesmith_store::tables::pending_work::WorkKind;
use pagesmith_store::{Tx, Wakeup};
use tokio::sync::watch;

use crate::claimed_work::{self, ClaimedWork};
use crate::generation::UsedSoFar;
use crate::sweep::tenants as tenant_sweep;
use crate::tools::reading::problem::Problem;
use crate::tools::{Left, Tools};
use crate::turns::Turns;

mod body;
mod document;
mod fetch;
mod page;
mod summing;
mod website;

pub use crate::tools::reading::ReadingConfig;
pub use website::WebsiteReader;

use summing::Noted;

/// How many pages and files are read at the same time.
const CONCURRENCY: usize = 16;
/// How often a result is told to a database that is away.
const REPEATED: u32 = 5;

/// Pages and files of topic entries.
enum Readings {}

impl ClaimedWork for Readings {
    type Claimed = Claimed;
    const WAKEUP: Wakeup = Wakeup::Readings;
    const CONCURRENCY: usize = CONCURRENCY;
    const NOUN: &'static str = "page";

    async fn claim(tools: &Tools, turns: &mut Turns, limit: usize) -> Result<Vec<Claimed>> {
        claim(tools, turns, limit).await
    }

    fn tenant(claimed: &Claimed) -> &TenantId {
        &claimed.of.tenant
    }

    async fn attempt(tools: Tools, claimed: Claimed, stop: watch::Receiver<bool>) {
        attempt(tools, claimed, stop).await;
    }
}

/// Reads pages until `stop` turns true; what is not read then is left to others at once.
pub async fn run(tools: Tools, stop: watch::Receiver<bool>) {
    claimed_work::run::<Readings>(tools, stop).await;
}

/// Reads everything that is due, in rounds; how a test steps it.
pub async fn drain(tools: &Tools) -> Result<()> {
    claimed_work::drain::<Readings>(tools).await
}

/// Claims up to `limit` pages; tenants have their turns.
pub async fn claim(tools: &Tools, turns: &mut Turns, limit: usize) -> Result<Vec<Claimed>> {
    let now = tools.platform.clock().now();
    let is_due = move |tx: &mut Tx<'_>, tenant: &TenantId| readings::is_due(tx, tenant, now);
    let of = (WorkKind::Readings, &readings::LEASES);
    let tenants = claimed_work::due_tenants(tools, of, (turns, limit), is_due).await?;
    let claim = |tenant: TenantId, share, claimed: &[Claimed]| {
        let (ctx, mut busy) = (tools.context(), tools.reading.busy());
        for claimed in claimed {
            *busy.entry(claimed.of.host.clone()).or_default() += 1;
        }
        tools.store.claim(move |tx| readings::claim(tx, &ctx, (&tenant, share), &busy))
    };
    let claimed = claimed_work::claim_each(tools, tenants, (turns, limit), claim).await?;
    for claimed in &claimed {
        tools.reading.count(&claimed.of.host, true);
    }
    Ok(claimed)
}

/// Reads a claimed page, unless the process stops.
pub async fn attempt(tools: Tools, claimed: Claimed, mut stop: watch::Receiver<bool>) {
    let entry = claimed.of.topic_entry_id.to_string();
    let cause = claimed.of.request_id.clone();
    let request_id = cause.as_ref().map(RequestId::as_str);
    let noted = Noted::default();
    let ended = if claimed.is_hopeless() {
        let reason =
            format!("Reading the {} was given up, because workers were lost over it.", claimed.noun());
        Some(ended(&claimed, Err(Problem::permanent(reason))))
    } else {
        tokio::select! {
            biased;
            read = read(&tools, &claimed, &noted) => Some(ended(&claimed, read)),
            _ = stop.wait_for(|stop| *stop) => None,
        }
    };
    tools.reading.count(&claimed.of.host, false);
    match record(&tools, claimed, ended, noted.get().map(UsedSoFar::now).unwrap_or_default()).await {
        Ok(true) => {}
        Ok(false) => tracing::info!(entry, request_id, "a page was taken from its worker"),
        // Its lease ends, and then it is tried again.
        Err(error) => tracing::warn!(entry, request_id, %error, "what was read of a page could not be kept"),
    }
}

/// What an attempt came to: the address that answered, its status, and what that says.
type Attempted = Result<(Option<String>, Option<u16>, ReadResult), Problem>;

/// Finds out what a page or a file says.
async fn read(tools: &Tools, claimed: &Claimed, noted: &Noted) -> Attempted {
    let mut read = match &claimed.source {
        Source::Page(address) => read_page(tools, claimed, address).await?,
        Source::File(file) => {
            let facts = document::facts(tools, &claimed.of.tenant, file).await?;
            (None, None, ReadResult::Read(Box::new(facts)))
        }
    };
    if let (.., ReadResult::Read(facts)) = &mut read {
        summing::sum_up(tools, claimed, facts, noted).await;
    }
    Ok(read)
}

/// Fetches a page and finds out what it says.
async fn read_page(tools: &Tools, claimed: &Claimed, address: &str) -> Attempted {
    let now = tools.platform.clock().now();
    let pause = tokio::time::sleep(tools.reading.unreachable_takes);
    let fetched = match fetch::page(&tools.reading, now, claimed, address).await {
        Err(problem) => {
            if let Some(cause) = &problem.unreachable {
                let (tenant, entry) = (claimed.of.tenant.as_str(), claimed.of.topic_entry_id.as_str());
                let request_id = claimed.of.request_id.as_ref().map(RequestId::as_str);
                tracing::info!(tenant, entry, request_id, %cause, "a page could not be reached");
                pause.await;
            }
            return Err(problem);
        }
        Ok(fetched) => fetched,
    };
    let (url, status) = (fetched.url.to_string(), fetched.status);
    let Some(body) = fetched.body else { return Ok((Some(url), Some(status), ReadResult::Unchanged)) };
    let understood = page::understood(body, fetched.url).await;
    let mut facts = understood.map_err(|problem| problem.at(&url, status))?;
    (facts.etag, facts.last_modified) = (fetched.etag, fetched.last_modified);
    Ok((Some(url), Some(status), ReadResult::Read(Box::new(facts))))
}

fn ended(claimed: &Claimed, read: Attempted) -> EndedReading {
    match read {
        Ok((url, status, result)) => EndedReading { url, status, result },
        Err(problem) => {
            let result = ReadResult::Failed { reason: problem.reason, may_pass: problem.may_pass };
            EndedReading { url: problem.url.or_else(|| claimed.address()), status: problem.status, result }
        }
    }
}

/// Records how a reading ended, or that it is left to others; again if the database is away for a moment.
async fn record(tools: &Tools, claimed: Claimed, ended: Option<EndedReading>, used: Used) -> Result<bool> {
    let mut told = 0;
    loop {
        let ctx = tools.context_of(&claimed.of.tenant, claimed.of.request_id.as_ref());
        let (claimed, ended) = (claimed.clone(), ended.clone());
        let result = tools.store.write(move |tx| {
            usages::count(tx, &ctx, &used)?;
            match &ended {
                Some(ended) => readings::finish(tx, &ctx, &claimed, ended),
                None => readings::hand_back(tx, &claimed).map(|()| true),
            }
        });
        match result.await {
            Err(error)
                if matches!(error.kind(), pagesmith_model::Kind::Unavailable(_)) && told < REPEATED =>
            {
                told += 1;
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            result => return result,
        }
    }
}

/// Queues pages that were read long ago.
pub(crate) async fn queue_again(tools: Tools) -> Result<Left> {
    let now = tools.platform.clock().now();
    let among_all = move |tx: &mut Tx<'_>| readings::tenants_due_again(tx, now);
    let is_due = move |tx: &mut Tx<'_>, tenant: &TenantId| readings::is_due_again(tx, tenant, now);
    let step = move |tx: &mut Tx<'_>, ctx: &TenantContext| readings::queue_again(tx, &ctx.tenant, now);
    let queue = |tools, tenant| tenant_sweep::steps(tools, tenant, step);
    tenant_sweep::sweep_found(&tools, among_all, is_due, queue).await
}

/// Queues files that nobody has ever queued: those of entries that a server made which read no files.
pub(crate) async fn queue_files(tools: Tools) -> Result<Left> {
    tenant_sweep::sweep(&tools, readings::has_unqueued_files, readings::queue_files).await
}

#[cfg(test)]
mod tests;

//! What this process keeps for reports of page views: those that wait to be written, and how many came from where.
//!
//! What this is not: the place where reports arrive, which is `site/measure.rs`.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use pagesmith_model::visit::Reason;
use pagesmith_model::{Result, TenantId, Timestamp, network};
use pagesmith_operations::visits::collect::Report;
use tokio::sync::oneshot;

/// How many reports are written together.
const AT_ONCE: usize = 64;
/// How many reports may wait, of all tenants.
const MOST_WAITING: usize = 8_192;
/// How many addresses or forms are counted at once; with more, all begin anew.
const MOST_COUNTED: usize = 100_000;

/// What a report comes to: why it is not counted, if it is not.
pub(crate) type Outcome = Result<Option<Reason>>;
/// Whom an outcome is told.
pub(crate) type Reply = oneshot::Sender<Outcome>;

/// Reports of page views in this process.
#[derive(Default)]
pub(crate) struct Reports {
    waiting: Mutex<Waiting>,
    arrivals: Arrivals,
}

#[derive(Default)]
struct Waiting {
    count: usize,
    /// Those of tenants whose reports are being written.
    by_tenant: HashMap<TenantId, VecDeque<(Report, Reply)>>,
}

/// How much came in the present minute, by address or by another key.
pub(crate) struct Arrivals<K = IpAddr>(Mutex<Minute<K>>);

struct Minute<K> {
    minute: i64,
    counts: HashMap<K, u32>,
}

impl<K> Default for Arrivals<K> {
    fn default() -> Arrivals<K> {
        Arrivals(Mutex::new(Minute { minute: 0, counts: HashMap::new() }))
    }
}

impl<K: Eq + Hash> Arrivals<K> {
    /// Counts one more under a key; how much that is in this minute.
    pub(crate) fn count_as(&self, key: K, now: Timestamp) -> u32 {
        let mut arrivals = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let minute = now.as_millis() / 60_000;
        if arrivals.minute != minute || arrivals.counts.len() >= MOST_COUNTED {
            arrivals.minute = minute;
            arrivals.counts.clear();
        }
        let count = arrivals.counts.entry(key).or_default();
        *count = count.saturating_add(1);
        *count
    }

    /// How much was counted under a key in this minute.
    pub(crate) fn so_far(&self, key: &K, now: Timestamp) -> u32 {
        let arrivals = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_present = arrivals.minute == now.as_millis() / 60_000;
        arrivals.counts.get(key).copied().filter(|_| is_present).unwrap_or_default()
    }
}

impl Arrivals {
    /// Counts what comes from an address; how much that is in this minute.
    pub(crate) fn count(&self, address: IpAddr, now: Timestamp) -> u32 {
        self.count_as(network::origin(address), now)
    }
}

/// How a report was taken in.
pub(crate) enum Taken {
    /// It waits, and somebody writes its tenant's reports.
    Waits,
    /// It waits, and whoever asks must write its tenant's reports.
    IsFirst,
    /// There is no room for it.
    Refused,
}

impl Reports {
    /// Counts a report from an address; whether that is still within the limit of a minute.
    pub(crate) fn arrives(&self, address: IpAddr, now: Timestamp, limit: u32) -> bool {
        self.arrivals.count(address, now) <= limit
    }

    /// Takes a report in.
    pub(crate) fn push(&self, tenant: &TenantId, report: Report, reply: Reply) -> Taken {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.count >= MOST_WAITING {
            return Taken::Refused;
        }
        waiting.count += 1;
        match waiting.by_tenant.get_mut(tenant) {
            Some(queue) => {
                queue.push_back((report, reply));
                Taken::Waits
            }
            None => {
                waiting.by_tenant.insert(tenant.clone(), VecDeque::from([(report, reply)]));
                Taken::IsFirst
            }
        }
    }

    /// The reports of a tenant that are written next. Without any the tenant is forgotten: the next one is the first again.
    pub(crate) fn next(&self, tenant: &TenantId) -> Option<(Arc<Vec<Report>>, Vec<Reply>)> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let queue = waiting.by_tenant.get_mut(tenant)?;
        let taken: Vec<(Report, Reply)> = queue.drain(..queue.len().min(AT_ONCE)).collect();
        if taken.is_empty() {
            waiting.by_tenant.remove(tenant);
            return None;
        }
        waiting.count -= taken.len();
        let (reports, replies) = taken.into_iter().unzip();
        Some((Arc::new(reports), replies))
    }
}

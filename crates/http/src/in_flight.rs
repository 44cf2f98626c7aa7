//! How many bytes of answers are in memory, made and not yet sent.
//!
//! A client that asks for much and reads nothing keeps what it asked for in this process. So every answer of more than a few kilobytes takes its
//! bytes from a budget, and gives them back as they leave: each part of it when the last reference to it goes. A tenant may hold as much
//! as is still free for others. So one tenant alone has half of the budget at most, of many each has the same part, and as much
//! again is left for whoever comes next. What does not fit is refused at once, with 503.
//! Bytes that are kept anyway, such as a page's, count once however many answers send them (`KeptBytes`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use bytes::Bytes;
use pagesmith_model::{Error, Kind, Result, TenantId};

/// What takes no more than this is not counted: a connection costs about as much by itself.
const SMALL: usize = 16 * 1024;
/// The same of bytes that are kept anyway: most pages are smaller even without a coding, and the system takes that much of an answer at once.
const KEPT_SMALL: usize = 32 * 1024;
/// Seconds until it makes sense to try again.
const RETRY_AFTER: u32 = 2;

/// The budget of all answers of this process.
#[derive(Debug)]
pub struct InFlight {
    total: usize,
    held: Mutex<Usage>,
}

#[derive(Debug, Default)]
struct Usage {
    all: usize,
    by_tenant: HashMap<Option<TenantId>, usize>,
}

impl InFlight {
    /// A budget of this many bytes.
    pub fn new(total: usize) -> Arc<InFlight> {
        Arc::new(InFlight { total, held: Mutex::default() })
    }

    /// How many bytes are held.
    pub fn bytes(&self) -> usize {
        self.held().all
    }

    /// The part of a tenant, or of everybody who is none.
    pub(crate) fn share(self: &Arc<InFlight>, tenant: Option<&TenantId>) -> Share {
        Share { budget: Arc::clone(self), tenant: tenant.cloned() }
    }

    fn held(&self) -> MutexGuard<'_, Usage> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Somebody's part of the budget.
#[derive(Debug, Clone)]
pub(crate) struct Share {
    budget: Arc<InFlight>,
    tenant: Option<TenantId>,
}

impl Share {
    /// Takes bytes out of the budget.
    pub fn reserve(&self, bytes: usize) -> Result<Reservation> {
        let mut reservation = Reservation { share: self.clone(), bytes: 0 };
        reservation.grow(if bytes <= SMALL { 0 } else { bytes })?;
        Ok(reservation)
    }

    /// The bytes, taken out of the budget as long as anybody has them.
    pub fn hold(&self, bytes: Vec<u8>) -> Result<Bytes> {
        let reservation = self.reserve(bytes.capacity())?;
        Ok(reservation.hold(bytes))
    }

    /// The same of bytes that are also kept elsewhere: they may be dropped there while they are still sent.
    pub fn hold_shared(&self, bytes: &Bytes) -> Result<Bytes> {
        let reservation = self.reserve(bytes.len())?;
        Ok(reservation.hold(bytes.clone()))
    }
}

/// Bytes that are taken out of the budget, until this is dropped.
#[derive(Debug)]
pub(crate) struct Reservation {
    share: Share,
    bytes: usize,
}

impl Reservation {
    fn grow(&mut self, bytes: usize) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        let budget = &self.share.budget;
        let mut held = budget.held();
        let own = held.by_tenant.get(&self.share.tenant).copied().unwrap_or_default() + bytes;
        let free = budget.total.saturating_sub(held.all + bytes);
        if own > free {
            let detail = "Too many large answers are waiting to be read; read those, or ask for fewer items.";
            return Err(Error::new(Kind::Unavailable(RETRY_AFTER), detail));
        }
        held.all += bytes;
        held.by_tenant.insert(self.share.tenant.clone(), own);
        drop(held);
        self.bytes += bytes;
        Ok(())
    }

    fn shrink(&mut self, bytes: usize) {
        if bytes == 0 {
            return;
        }
        let mut held = self.share.budget.held();
        held.all -= bytes;
        if let Some(own) = held.by_tenant.get_mut(&self.share.tenant) {
            *own -= bytes;
            if *own == 0 {
                held.by_tenant.remove(&self.share.tenant);
            }
        }
        drop(held);
        self.bytes -= bytes;
    }

    /// Makes it as large as what was made of it.
    pub fn resize(&mut self, bytes: usize) -> Result<()> {
        let bytes = if bytes <= SMALL { 0 } else { bytes };
        self.shrink(self.bytes.saturating_sub(bytes));
        self.grow(bytes.saturating_sub(self.bytes))
    }

    /// A part of it, by itself.
    pub fn split(&mut self, bytes: usize) -> Reservation {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        Reservation { share: self.share.clone(), bytes }
    }

    /// The bytes, with which this goes.
    pub fn hold(self, bytes: impl Into<Bytes>) -> Bytes {
        let bytes = bytes.into();
        if self.bytes == 0 {
            return bytes;
        }
        Bytes::from_owner(ReservedBytes { bytes, _reservation: self })
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.shrink(self.bytes);
    }
}

/// Bytes with their reservation.
#[derive(Debug)]
struct ReservedBytes {
    bytes: Bytes,
    _reservation: Reservation,
}

impl AsRef<[u8]> for ReservedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Bytes that are kept to be sent again and again.
///
/// They are in memory once, so they count once, from the first answer that has them until the last one is sent: a page may have any number of
/// visitors who read slowly. But they do count, since they stay in memory for whoever does not read when they are no longer kept. Hosted
/// pages are sent many thousand times a second and are mostly small as they travel, so small ones cost nothing here; others
/// cost a lock of their own and one allocation, and the budget is asked for the first of the answers alone.
#[derive(Debug, Clone)]
pub(crate) struct KeptBytes {
    bytes: Bytes,
    /// What the answers that send them have; clones share it.
    sent: Arc<Mutex<Weak<ReservedBytes>>>,
}

impl From<Bytes> for KeptBytes {
    fn from(bytes: Bytes) -> KeptBytes {
        KeptBytes { bytes, sent: Arc::default() }
    }
}

impl KeptBytes {
    /// The bytes themselves, for whoever does not send them.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The bytes for one answer. The share is that of the tenant whose they are.
    pub fn hold(&self, share: impl FnOnce() -> Share) -> Result<Bytes> {
        if self.bytes.len() <= KEPT_SMALL {
            return Ok(self.bytes.clone());
        }
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let held = if let Some(held) = sent.upgrade() {
            held
        } else {
            let reservation = share().reserve(self.bytes.len())?;
            let held = Arc::new(ReservedBytes { bytes: self.bytes.clone(), _reservation: reservation });
            *sent = Arc::downgrade(&held);
            held
        };
        drop(sent);
        Ok(Bytes::from_owner(HeldTogether(held)))
    }
}

/// What several answers hold together.
struct HeldTogether(Arc<ReservedBytes>);

impl AsRef<[u8]> for HeldTogether {
    fn as_ref(&self) -> &[u8] {
        &self.0.bytes
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MIB: usize = 1024 * 1024;

    fn tenant(number: u64) -> TenantId {
        let ids = pagesmith_model::id::Uuid7Source::new();
        TenantId::mint(ids.next(pagesmith_model::Timestamp::from_micros(0), number << 32))
    }

    /// Holds megabytes for a tenant until no more are given; how many those are.
    fn fill(budget: &Arc<InFlight>, tenant: &TenantId, kept: &mut Vec<Bytes>) -> usize {
        let share = budget.share(Some(tenant));
        let before = kept.len();
        while let Ok(bytes) = share.hold(vec![0; MIB]) {
            kept.push(bytes);
        }
        kept.len() - before
    }

    #[test]
    fn one_tenant_has_half_at_most_and_of_many_each_leaves_room_for_the_next() {
        let (budget, mut kept) = (InFlight::new(256 * MIB), Vec::new());
        assert_eq!(fill(&budget, &tenant(1), &mut kept), 128);
        assert_eq!(fill(&budget, &tenant(2), &mut kept), 64);
        kept.clear();
        assert_eq!(budget.bytes(), 0);
        // Twelve that take turns have the same part, and the next one still has room for the largest answer.
        let tenants: Vec<TenantId> = (1..=12).map(tenant).collect();
        let mut refused = 0;
        while refused < tenants.len() {
            refused = 0;
            for tenant in &tenants {
                match budget.share(Some(tenant)).hold(vec![0; MIB]) {
                    Ok(bytes) => kept.push(bytes),
                    Err(_) => refused += 1,
                }
            }
        }
        assert!(fill(&budget, &tenant(13), &mut kept) >= 8, "{} MiB held", budget.bytes() / MIB);
    }

    #[test]
    fn bytes_are_given_back_when_the_last_reference_to_them_goes() {
        let budget = InFlight::new(64 * MIB);
        let share = budget.share(None);
        let bytes = share.hold(vec![0; MIB]).unwrap();
        let part = bytes.slice(10..20);
        drop(bytes);
        assert_eq!(budget.bytes(), MIB);
        drop(part);
        assert_eq!(budget.bytes(), 0);
        let refused = share.reserve(33 * MIB).err().unwrap();
        assert_eq!(*refused.kind(), Kind::Unavailable(RETRY_AFTER));
        assert_eq!(budget.bytes(), 0);
        let small = share.hold(vec![0; SMALL]).unwrap();
        assert_eq!((budget.bytes(), small.len()), (0, SMALL));
    }

    #[test]
    fn kept_bytes_count_once_as_long_as_an_answer_has_them() {
        let budget = InFlight::new(8 * MIB);
        let share = || budget.share(None);
        let kept = KeptBytes::from(Bytes::from(vec![1; 3 * MIB]));
        let first = kept.hold(share).unwrap();
        let second = kept.clone().hold(share).unwrap().slice(10..20);
        assert_eq!((budget.bytes(), first.len(), second.as_ref()), (3 * MIB, 3 * MIB, [1; 10].as_slice()));
        assert!(KeptBytes::from(Bytes::from(vec![1; 3 * MIB])).hold(share).is_err());
        drop(first);
        assert_eq!(budget.bytes(), 3 * MIB);
        // What nobody keeps any more is held by those who send it.
        drop(kept);
        assert_eq!(budget.bytes(), 3 * MIB);
        drop(second);
        assert_eq!(budget.bytes(), 0);
        let small = KeptBytes::from(Bytes::from(vec![1; KEPT_SMALL])).hold(share).unwrap();
        assert_eq!((budget.bytes(), small.len()), (0, KEPT_SMALL));
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_no_more_is_held_than_there_is(
            steps in prop::collection::vec((0..4_u64, 0..5_u8, 0..40 * MIB), 1..60),
        ) {
            let budget = InFlight::new(100 * MIB);
            let mut held: Vec<Reservation> = Vec::new();
            for (whose, what, bytes) in steps {
                match what {
                    0 | 1 => held.extend(budget.share(Some(&tenant(whose))).reserve(bytes)),
                    2 => drop(held.pop()),
                    3 => if let Some(last) = held.last_mut() { drop(last.resize(bytes)); },
                    _ => if let Some(mut last) = held.pop() { held.extend([last.split(bytes), last]); },
                }
                prop_assert_eq!(budget.bytes(), held.iter().map(|one| one.bytes).sum::<usize>());
                prop_assert!(budget.bytes() <= budget.total);
                let by_tenant: usize = budget.held().by_tenant.values().sum();
                prop_assert_eq!(by_tenant, budget.bytes());
            }
            held.clear();
            prop_assert!(budget.held().by_tenant.is_empty() && budget.bytes() == 0);
        }
    }
}

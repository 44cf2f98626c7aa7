//! Work that takes long, done on threads that serve nobody else.
//!
//! A thread that serves requests must not compute for more than a few milliseconds at a time: everybody else on it waits. Large bodies are read and
//! large answers are written here instead, at most as many at once as there are cores, and for one tenant at most half as many. What
//! is too much waits for its turn, first come, first served.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pagesmith_model::{Error, Result, TenantId};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The longest body that is read where it arrives. A body of this size that breaks a rule every two bytes takes about as long as a
/// thread may be kept from others.
pub(crate) const INLINE_BODY: usize = 8 * 1024;
/// The longest answer that is written where it is sent, by what its items take in the database.
pub(crate) const INLINE_ANSWER: usize = 256 * 1024;

/// The permits to compute.
pub struct Offload {
    permits: Arc<Semaphore>,
    permits_per_tenant: usize,
    tenants: Mutex<HashMap<TenantId, Arc<Semaphore>>>,
}

impl Offload {
    /// With this many permits.
    pub fn new(permits: usize) -> Arc<Offload> {
        Arc::new(Offload {
            permits: Arc::new(Semaphore::new(permits.max(1))),
            permits_per_tenant: (permits / 2).max(1),
            tenants: Mutex::default(),
        })
    }

    /// Runs `work` for a tenant, or for nobody in particular, when it has a permit.
    pub async fn run<T: Send + 'static>(
        self: &Arc<Offload>,
        tenant: Option<&TenantId>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        // The tenant's own permit first: its other work waits without keeping a permit from others.
        let own = match tenant {
            Some(tenant) => Some(self.tenant_permit(tenant).await?),
            None => None,
        };
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(Error::internal)?;
        let working = tokio::task::spawn_blocking(move || {
            // Kept until the work has ended, also if nobody waits for it any more.
            let _kept = (own, permit);
            work()
        });
        working.await.map_err(Error::internal)
    }

    async fn tenant_permit(self: &Arc<Offload>, tenant: &TenantId) -> Result<TenantPermit> {
        let own = {
            let mut tenants = self.tenants();
            let own = tenants
                .entry(tenant.clone())
                .or_insert_with(|| Arc::new(Semaphore::new(self.permits_per_tenant)));
            Arc::clone(own)
        };
        let mut permit =
            TenantPermit { offload: Arc::clone(self), tenant: tenant.clone(), own, permit: None };
        permit.permit = Some(Arc::clone(&permit.own).acquire_owned().await.map_err(Error::internal)?);
        Ok(permit)
    }

    fn tenants(&self) -> MutexGuard<'_, HashMap<TenantId, Arc<Semaphore>>> {
        self.tenants.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All permits, taken away from everybody until they are given back: for tests.
    pub async fn take_all(&self) -> Vec<OwnedSemaphorePermit> {
        let mut taken = Vec::new();
        while self.permits.available_permits() > 0 {
            taken.extend(Arc::clone(&self.permits).acquire_owned().await.ok());
        }
        taken
    }
}

/// A permit among those of one tenant.
struct TenantPermit {
    offload: Arc<Offload>,
    tenant: TenantId,
    own: Arc<Semaphore>,
    permit: Option<OwnedSemaphorePermit>,
}

impl Drop for TenantPermit {
    fn drop(&mut self) {
        // A permit holds its semaphore.
        self.permit.take();
        let mut tenants = self.offload.tenants();
        // The map and this: nobody else works or waits for the tenant.
        if Arc::strong_count(&self.own) == 2 {
            tenants.remove(&self.tenant);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread::ThreadId;

    use futures_util::future::{FutureExt, join_all};

    use super::*;

    fn tenant(number: u64) -> TenantId {
        let ids = pagesmith_model::id::Uuid7Source::new();
        TenantId::mint(ids.next(pagesmith_model::Timestamp::from_micros(0), number << 32))
    }

    #[tokio::test]
    async fn work_is_done_on_another_thread_and_a_panic_in_it_is_an_error() {
        let offload = Offload::new(2);
        let here: ThreadId = std::thread::current().id();
        let there = offload.run(None, || std::thread::current().id()).await.unwrap();
        assert_ne!(here, there);
        assert!(offload.run(None, || panic!("a defect")).await.is_err());
        assert_eq!(offload.permits.available_permits(), 2);
    }

    #[tokio::test]
    async fn one_tenant_has_half_of_the_places_and_another_one_finds_a_place() {
        let offload = Offload::new(4);
        let (busy, other) = (tenant(1), tenant(2));
        let (open, gate) = mpsc::channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        let work = || {
            let gate = Arc::clone(&gate);
            move || gate.lock().unwrap().recv().unwrap_or_default()
        };
        let mut all = join_all((0..10).map(|_| offload.run(Some(&busy), work()))).boxed();
        assert!((&mut all).now_or_never().is_none());
        assert_eq!(offload.permits.available_permits(), 2);
        offload.run(Some(&other), || ()).await.unwrap();
        for _ in 0..10 {
            open.send(()).unwrap();
        }
        all.await.into_iter().collect::<Result<Vec<()>>>().unwrap();
        assert_eq!((offload.permits.available_permits(), offload.tenants().len()), (4, 0));
    }

    #[tokio::test]
    async fn work_that_nobody_waits_for_any_more_keeps_its_place_until_it_ends() {
        let offload = Offload::new(1);
        let (open, gate) = mpsc::channel::<()>();
        let id = tenant(1);
        let mut first = offload.run(Some(&id), move || gate.recv().unwrap_or_default()).boxed();
        assert!((&mut first).now_or_never().is_none());
        drop(first);
        let mut second = offload.run(Some(&id), || ()).boxed();
        assert!((&mut second).now_or_never().is_none());
        open.send(()).unwrap();
        second.await.unwrap();
        assert!(offload.tenants().is_empty());
    }
}

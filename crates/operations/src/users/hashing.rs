//! Where passwords are hashed: on threads of their own, a few at a time, with a short queue.
//!
//! A digest takes 19 MiB and tens of milliseconds. So what strangers can cause has a bound: so many at once, so many waiting, and
//! whoever comes then is told to come again.

use std::sync::Arc;

use pagesmith_model::user::password::Cost;
use pagesmith_model::{Error, Result};
use tokio::sync::Semaphore;

use crate::context::Context;

/// How many may wait for each that runs.
const WAITING: usize = 16;

/// Hashes passwords; clones share the queue.
#[derive(Debug, Clone)]
pub struct Hasher {
    cost: Cost,
    running: Arc<Semaphore>,
    admitted: Arc<Semaphore>,
}

impl Hasher {
    /// With this cost, so many at once.
    pub fn new(cost: Cost, at_once: usize) -> Hasher {
        let at_once = at_once.max(1);
        Hasher {
            cost,
            running: Arc::new(Semaphore::new(at_once)),
            admitted: Arc::new(Semaphore::new(at_once * (1 + WAITING))),
        }
    }

    /// The digest of a new password.
    pub async fn hash(&self, ctx: &Context, password: String) -> Result<String> {
        let salt = ctx.random()?;
        self.run(move |cost| cost.hash(&password, &salt)).await
    }

    /// Whether it is the password of that digest; without a digest it takes as long, and is false.
    pub async fn verify(&self, password: String, hash: Option<String>) -> Result<bool> {
        self.run(move |cost| cost.verify(&password, hash.as_deref())).await
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cost) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let busy = || Error::unavailable("Too many people are signing in right now.");
        let admitted = Arc::clone(&self.admitted).try_acquire_owned().map_err(|_| busy())?;
        let running = Arc::clone(&self.running).acquire_owned().await.map_err(Error::internal)?;
        let cost = self.cost.clone();
        // Both go with the work: whoever stops waiting does not make room before it has ended.
        let work = move || {
            let result = work(&cost);
            drop((running, admitted));
            result
        };
        tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn few_run_at_once_and_the_queue_has_an_end() {
        let hasher = Hasher::new(Cost::least().unwrap(), 2);
        let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let held = Arc::new(tokio::sync::Mutex::new(()));
        let guard = held.lock().await;
        let tasks: Vec<_> = (0..2 * (1 + WAITING))
            .map(|_| {
                let (hasher, now, most, held) =
                    (hasher.clone(), Arc::clone(&now), Arc::clone(&most), Arc::clone(&held));
                tokio::spawn(async move {
                    let work = move |_: &Cost| {
                        most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        drop(held.blocking_lock());
                        now.fetch_sub(1, Ordering::SeqCst);
                        Ok(())
                    };
                    hasher.run(work).await
                })
            })
            .collect();
        while hasher.admitted.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let refused = hasher.verify("a password".to_owned(), None).await.unwrap_err();
        assert!(matches!(refused.kind(), pagesmith_model::Kind::Unavailable(_)), "{refused}");
        drop(guard);
        for task in tasks {
            task.await.unwrap().unwrap();
        }
        assert!(most.load(Ordering::SeqCst) <= 2);
        assert!(!hasher.verify("a password".to_owned(), None).await.unwrap(), "there is room again");
    }
}

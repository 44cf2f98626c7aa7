//! The gateway to time and randomness: one source each, so that a test controls both.
//!
//! [`Platform`] is made once; [`Platform::context`] takes the present instant for one request or task. Operations get that
//! context and never the platform itself.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use pagesmith_model::id::{Uuid7, Uuid7Source};
use pagesmith_model::seal::{SecretKey, SecretKeys};
use pagesmith_model::{Error, Result, Timestamp};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// Where the time comes from.
#[derive(Debug, Clone)]
pub enum Clock {
    /// The machine's clock.
    System,
    /// A clock that a test turns.
    Manual(Arc<AtomicI64>),
    /// A clock that goes with the runtime's timers, which a simulation turns.
    Timers(Timestamp, tokio::time::Instant),
}

impl Clock {
    /// A clock that shows `start` until it is set.
    pub fn manual(start: Timestamp) -> Clock {
        Clock::Manual(Arc::new(AtomicI64::new(start.as_micros())))
    }

    /// A clock that shows `start` now and goes as the timers of the present runtime go.
    pub fn timers(start: Timestamp) -> Clock {
        Clock::Timers(start, tokio::time::Instant::now())
    }

    /// The present instant.
    pub fn now(&self) -> Timestamp {
        match self {
            Clock::System => system_now(),
            Clock::Manual(micros) => Timestamp::from_micros(micros.load(Ordering::SeqCst)),
            Clock::Timers(start, begun) => start.plus(begun.elapsed()),
        }
    }

    /// Turns a manual clock forward; the machine's own is left alone.
    pub fn advance(&self, by: Duration) {
        if let Clock::Manual(micros) = self {
            let by = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
            micros.fetch_add(by, Ordering::SeqCst);
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the only source")]
fn system_now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

/// Bytes from the operating system, each used once.
pub struct Pool {
    bytes: [u8; POOL],
    used: usize,
}

const POOL: usize = 1024;

impl std::fmt::Debug for Pool {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Pool").finish_non_exhaustive()
    }
}

impl Pool {
    #[expect(clippy::disallowed_methods, reason = "this is the only source")]
    fn take(&mut self, wanted: &mut [u8]) -> Result<()> {
        if wanted.len() > POOL - self.used {
            getrandom::fill(&mut self.bytes).map_err(|error| Error::internal(error.to_string()))?;
            self.used = 0;
        }
        let taken = self
            .bytes
            .get_mut(self.used..self.used + wanted.len())
            .ok_or_else(|| Error::internal("more random bytes at once than are kept"))?;
        wanted.copy_from_slice(taken);
        // What was a secret elsewhere stays in no memory of ours.
        taken.fill(0);
        self.used += wanted.len();
        Ok(())
    }
}

/// Where randomness comes from.
#[derive(Debug)]
pub enum Random {
    /// The operating system, asked for many bytes at a time.
    System(Box<Mutex<Pool>>),
    /// A stream that a seed decides.
    Seeded(Box<Mutex<ChaCha8Rng>>),
}

impl Random {
    /// The operating system's.
    pub fn system() -> Random {
        Random::System(Box::new(Mutex::new(Pool { bytes: [0; POOL], used: POOL })))
    }

    /// The stream of `seed`.
    pub fn seeded(seed: u64) -> Random {
        Random::Seeded(Box::new(Mutex::new(ChaCha8Rng::seed_from_u64(seed))))
    }

    /// Fresh random bytes.
    pub fn bytes<const N: usize>(&self) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        let poisoned = || Error::internal("a poisoned random stream");
        match self {
            Random::System(pool) => pool.lock().map_err(|_| poisoned())?.take(&mut bytes)?,
            Random::Seeded(stream) => stream.lock().map_err(|_| poisoned())?.fill_bytes(&mut bytes),
        }
        Ok(bytes)
    }
}

/// Clock, randomness, ids and keys of one process.
#[derive(Debug)]
pub struct Platform {
    clock: Clock,
    random: Random,
    ids: Uuid7Source,
    keys: ArcSwapOption<SecretKeys>,
    digest_key: OnceLock<SecretKey>,
}

impl Platform {
    /// Of the machine's clock and the operating system's randomness.
    pub fn system() -> Arc<Platform> {
        Platform::new(Clock::System, Random::system())
    }

    /// Of the given clock and randomness.
    pub fn new(clock: Clock, random: Random) -> Arc<Platform> {
        Arc::new(Platform {
            clock,
            random,
            ids: Uuid7Source::new(),
            keys: ArcSwapOption::empty(),
            digest_key: OnceLock::new(),
        })
    }

    /// The same keys, with another clock and ids that follow it: for what is told of another time.
    pub fn with_clock(&self, clock: Clock) -> Arc<Platform> {
        let digest_key = OnceLock::new();
        if let Some(key) = self.digest_key() {
            digest_key.get_or_init(|| key.clone());
        }
        let keys = ArcSwapOption::new(self.keys());
        let (ids, random) = (Uuid7Source::new(), Random::system());
        Arc::new(Platform { clock, random, ids, keys, digest_key })
    }

    /// The clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Sets the server's keys, in the place of those before.
    pub fn keep_secret(&self, keys: impl Into<SecretKeys>) {
        self.keys.store(Some(Arc::new(keys.into())));
    }

    /// Sets the key of digests that outlive the server's keys; the first one stays. Without one it is the server's.
    pub fn keep_digest_key(&self, key: SecretKey) {
        self.digest_key.get_or_init(|| key);
    }

    /// The source of randomness.
    pub(crate) fn random(&self) -> &Random {
        &self.random
    }

    /// The server's keys, once they are set.
    pub(crate) fn keys(&self) -> Option<Arc<SecretKeys>> {
        self.keys.load_full()
    }

    /// The key of digests that outlive the server's keys, once it is set.
    pub(crate) fn digest_key(&self) -> Option<&SecretKey> {
        self.digest_key.get()
    }

    /// A fresh id's bits at `now`.
    pub(crate) fn uuid(&self, now: Timestamp) -> Result<Uuid7> {
        Ok(self.ids.next(now, u64::from_le_bytes(self.random.bytes()?)))
    }
}

//! The sources of time and randomness: one each, so that a test controls both.
//!
//! [`World`] is made once; [`World::context`] takes the present instant for one request or task. Everything below is
//! a function of that context.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use pagesmith_model::actor::Actor;
use pagesmith_model::id::{Uuid7, Uuid7Source};
use pagesmith_model::seal::{SecretKey, SecretKeys};
use pagesmith_model::{Error, RequestId, Result, TenantId, Timestamp};
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
    /// A clock that stands at `start` until it is turned.
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

/// Where chance comes from.
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

/// Time, chance and ids of one process.
#[derive(Debug)]
pub struct World {
    clock: Clock,
    random: Random,
    ids: Uuid7Source,
    keys: ArcSwapOption<SecretKeys>,
    digest_key: OnceLock<SecretKey>,
}

impl World {
    /// The real one.
    pub fn system() -> Arc<World> {
        World::new(Clock::System, Random::system())
    }

    /// One of the given clock and chance.
    pub fn new(clock: Clock, random: Random) -> Arc<World> {
        Arc::new(World {
            clock,
            random,
            ids: Uuid7Source::new(),
            keys: ArcSwapOption::empty(),
            digest_key: OnceLock::new(),
        })
    }

    /// The clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Gives this world the server's keys, in the place of those before.
    pub fn keep_secret(&self, keys: impl Into<SecretKeys>) {
        self.keys.store(Some(Arc::new(keys.into())));
    }

    /// Gives this world the key of digests that outlive the server's keys; the first one stays. Without one it is the server's.
    pub fn keep_digest_key(&self, key: SecretKey) {
        self.digest_key.get_or_init(|| key);
    }

    /// The present instant, for one request or task.
    pub fn context(self: &Arc<World>) -> Context {
        Context { now: self.clock.now(), world: Arc::clone(self), actor: Actor::Server, request_id: None }
    }

    /// A fresh id's bits at `now`.
    fn uuid(&self, now: Timestamp) -> Result<Uuid7> {
        Ok(self.ids.next(now, u64::from_le_bytes(self.random.bytes()?)))
    }
}

/// The instant of one request or task, and its source of ids and secrets.
#[derive(Debug, Clone)]
pub struct Context {
    /// The instant; everything that happens in it carries this time.
    pub now: Timestamp,
    world: Arc<World>,
    actor: Actor,
    request_id: Option<RequestId>,
}

impl Context {
    /// The same instant, for this actor.
    #[must_use]
    pub fn by(self, actor: Actor) -> Context {
        Context { actor, ..self }
    }

    /// Who acts: the server by itself, unless [`Context::by`] says otherwise.
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// The same instant, for what this request causes, now or later in a worker.
    #[must_use]
    pub fn caused_by(self, request_id: Option<RequestId>) -> Context {
        Context { request_id, ..self }
    }

    /// The request that causes what is done, if one does.
    pub fn request_id(&self) -> Option<&RequestId> {
        self.request_id.as_ref()
    }

    /// Bits for a fresh id.
    pub fn uuid(&self) -> Result<Uuid7> {
        self.world.uuid(self.now)
    }

    /// Bits for a fresh id that tells the present time, which may be later than the context's.
    pub fn uuid_of_now(&self) -> Result<Uuid7> {
        self.world.uuid(self.world.clock.now())
    }

    /// Fresh random bytes.
    pub fn random<const N: usize>(&self) -> Result<[u8; N]> {
        self.world.random.bytes()
    }

    /// A digest that only this server makes, whatever becomes of its keys: for what is kept.
    pub fn keyed_digest(&self, purpose: &str, parts: &[&str]) -> Result<[u8; 32]> {
        match self.world.digest_key.get() {
            Some(key) => Ok(key.digest(purpose, parts)),
            None => Ok(self.secret()?.first().digest(purpose, parts)),
        }
    }

    /// The server's keys, under which secrets are sealed.
    pub fn secret(&self) -> Result<Arc<SecretKeys>> {
        self.world.keys.load_full().ok_or_else(|| Error::internal("the server's key is not there"))
    }

    /// The same instant, inside a tenant.
    pub fn of(&self, tenant: TenantId) -> TenantContext {
        TenantContext { tenant, context: self.clone() }
    }
}

/// A [`Context`] inside one tenant: what an operation on a tenant's data gets.
#[derive(Debug, Clone)]
pub struct TenantContext {
    /// Whose data.
    pub tenant: TenantId,
    context: Context,
}

impl std::ops::Deref for TenantContext {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.context
    }
}

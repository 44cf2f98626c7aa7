//! Who may come in: every key in memory, so that a request costs the database nothing.
//!
//! The ring holds all keys and tenants as of a revision; a task reloads it when the revision has risen. A digest
//! that is not there makes it look once more, at most every [`LOOK_AGAIN`] for all unknown keys together, so that a key made by
//! another process opens at once and guessing stays free of charge. Digests are found by their first
//! bytes and compared as a whole in constant time.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;
use pagesmith_model::actor::Actor;
use pagesmith_model::key::{self, Key, Scope};
use pagesmith_model::tenant::Tenant;
use pagesmith_model::user::{Permission, Role};
use pagesmith_model::window::{Decision, SlidingWindow};
use pagesmith_model::{Error, KeyId, Kind, Result, TenantId, Timestamp, UserId, VisitShareId};
use pagesmith_store::Store;
use pagesmith_store::tables::{keys, revisions, tenants};
use subtle::ConstantTimeEq;

/// How often unknown keys may make the ring look at the database.
pub const LOOK_AGAIN: Duration = Duration::from_millis(250);
/// How many digests that nobody has are remembered as such.
const UNKNOWN_DIGESTS: usize = 10_000;

/// A key with what belongs to it in this process.
#[derive(Debug)]
pub struct Entry {
    /// The key.
    pub key: Key,
    digest: [u8; 32],
    shared: Arc<Shared>,
}

/// What outlives a reload: how often the key was seen, and when.
#[derive(Debug, Default)]
struct Shared {
    window: Mutex<SlidingWindow>,
    last_seen: Mutex<Option<Timestamp>>,
}

/// Everything as of one revision.
#[derive(Default)]
struct Snapshot {
    revision: Option<i64>,
    keys: HashMap<u64, Vec<Arc<Entry>>>,
    tenants: HashMap<TenantId, Arc<Tenant>>,
    by_slug: HashMap<String, Arc<Tenant>>,
}

/// All keys and tenants; shared by all requests.
pub struct KeyRing {
    store: Store,
    snapshot: ArcSwap<Snapshot>,
    unknown: Mutex<HashSet<[u8; 32]>>,
    /// When an unknown key last made it look; held while it looks, so that they wait together.
    looked: tokio::sync::Mutex<Option<Timestamp>>,
}

/// A caller that may act: who it is, and its one tenant.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Who it is.
    pub identity: Identity,
    /// Whose data it acts on.
    pub tenant: Arc<Tenant>,
}

/// Who a caller is.
#[derive(Debug, Clone)]
pub enum Identity {
    /// Whoever has this key.
    Key(Arc<Entry>),
    /// A user who has signed in at the console, with the role in the tenant.
    User(UserId, Role),
    /// Whoever has this link to the figures of a page.
    Guest(VisitShareId),
}

impl Caller {
    /// A user of the console, for a tenant that is not suspended.
    pub fn user(user_id: UserId, role: Role, tenant: Arc<Tenant>) -> Caller {
        Caller { identity: Identity::User(user_id, role), tenant }
    }

    /// Somebody who has a link to the figures of a page, in a tenant that is not suspended.
    pub fn guest(share: VisitShareId, tenant: Arc<Tenant>) -> Caller {
        Caller { identity: Identity::Guest(share), tenant }
    }

    /// Who causes what the caller does.
    pub fn actor(&self) -> Actor {
        match &self.identity {
            Identity::Key(entry) => Actor::Key(entry.key.key_id.clone()),
            Identity::User(user_id, _) => Actor::User(user_id.clone()),
            // A guest changes nothing.
            Identity::Guest(_) => Actor::Server,
        }
    }

    /// The id of the key, the user or the link.
    pub fn id(&self) -> &str {
        match &self.identity {
            Identity::Key(entry) => entry.key.key_id.as_str(),
            Identity::User(user_id, _) => user_id.as_str(),
            Identity::Guest(share) => share.as_str(),
        }
    }

    /// Counts a request against the limit of the caller's key, or `limit` if it has none of its own. A user has none: people are slow.
    pub fn hit(&self, now: Timestamp, limit: u32, window: Duration) -> Option<Decision> {
        match &self.identity {
            Identity::Key(entry) => Some(entry.hit(now, limit, window)),
            Identity::User(..) | Identity::Guest(_) => None,
        }
    }

    /// What the caller may do.
    pub fn scope(&self) -> Scope {
        match &self.identity {
            Identity::Key(entry) => entry.key.scope,
            Identity::User(_, role) => role.scope(),
            Identity::Guest(_) => Scope::Read,
        }
    }

    /// Whether the caller may read about persons.
    pub fn sees_personal_data(&self) -> bool {
        match &self.identity {
            Identity::Key(_) => true,
            Identity::User(_, role) => role.allows(Permission::ReadPersonalData),
            Identity::Guest(_) => false,
        }
    }

    /// Whether the caller may do what is an owner's to decide; a key may do what its scope allows.
    pub fn decides_as_owner(&self) -> bool {
        match &self.identity {
            Identity::Key(_) => true,
            Identity::User(_, role) => role.allows(Permission::ManageUsers),
            Identity::Guest(_) => false,
        }
    }
}

impl KeyRing {
    /// An empty ring over the store; [`KeyRing::refresh`] fills it.
    pub fn new(store: Store) -> KeyRing {
        KeyRing {
            store,
            snapshot: ArcSwap::default(),
            unknown: Mutex::default(),
            looked: tokio::sync::Mutex::default(),
        }
    }

    /// Reloads everything if the revision has risen since.
    pub async fn refresh(&self) -> Result<()> {
        let known = self.snapshot.load().revision;
        let loaded = self
            .store
            .read(move |tx| {
                let revision = revisions::find(tx, revisions::ACCESS)?;
                if Some(revision) == known {
                    return Ok(None);
                }
                Ok(Some((revision, keys::list(tx)?, tenants::list(tx)?)))
            })
            .await?;
        let Some((revision, keys, tenants)) = loaded else { return Ok(()) };
        let before = self.snapshot.load();
        let mut snapshot = Snapshot { revision: Some(revision), ..Snapshot::default() };
        for stored in keys {
            let known = before.find(&stored.digest);
            let shared = known.map_or_else(Arc::default, |entry| Arc::clone(&entry.shared));
            let entry = Arc::new(Entry { key: stored.key, digest: stored.digest, shared });
            snapshot.keys.entry(prefix(&entry.digest)).or_default().push(entry);
        }
        for tenant in tenants {
            let tenant = Arc::new(tenant);
            snapshot.by_slug.insert(tenant.slug.clone(), Arc::clone(&tenant));
            snapshot.tenants.insert(tenant.tenant_id.clone(), tenant);
        }
        self.snapshot.store(Arc::new(snapshot));
        self.unknown.lock().unwrap_or_else(PoisonError::into_inner).clear();
        Ok(())
    }

    /// The caller with this key: 401 for none or a dead one, 403 for a tenant that is suspended or more than one.
    pub async fn authenticate(&self, secret: &str, now: Timestamp) -> Result<Caller> {
        let digest = key::digest(secret);
        let found = match self.find(&digest) {
            None => self.ask_again(&digest, now).await?,
            found => found,
        };
        let caller = self.snapshot.load().admit(found, now)?;
        if let Identity::Key(entry) = &caller.identity {
            entry.shared.seen(now);
        }
        Ok(caller)
    }

    /// Whether a caller that was let in would be let in again, for the same tenant: asked while an answer goes on for long.
    pub fn still_admits(&self, caller: &Caller, now: Timestamp) -> bool {
        let snapshot = self.snapshot.load();
        match &caller.identity {
            Identity::Key(entry) => {
                let admitted = snapshot.admit(snapshot.find(&entry.digest).cloned(), now);
                admitted.is_ok_and(|now| now.tenant.tenant_id == caller.tenant.tenant_id)
            }
            // Whether the session goes on is the console's to ask, which passes the answer on.
            Identity::User(..) | Identity::Guest(_) => {
                snapshot.open_tenant(&caller.tenant.tenant_id).is_some()
            }
        }
    }

    /// The tenant whose pages `<slug>.<site domain>` shows.
    pub fn tenant_by_slug(&self, slug: &str) -> Option<Arc<Tenant>> {
        self.snapshot.load().by_slug.get(slug).cloned()
    }

    /// The tenant of this id.
    pub fn tenant(&self, id: &TenantId) -> Option<Arc<Tenant>> {
        self.snapshot.load().tenants.get(id).cloned()
    }

    /// The tenant of this id, unless it is suspended.
    pub fn open_tenant(&self, id: &TenantId) -> Option<Arc<Tenant>> {
        self.snapshot.load().open_tenant(id)
    }

    /// When keys were seen since this was last asked.
    pub fn take_seen(&self) -> Vec<(KeyId, Timestamp)> {
        let snapshot = self.snapshot.load();
        let entries = snapshot.keys.values().flatten();
        entries
            .filter_map(|entry| {
                let mut seen = entry.shared.last_seen.lock().unwrap_or_else(PoisonError::into_inner);
                seen.take().map(|at| (entry.key.key_id.clone(), at))
            })
            .collect()
    }

    fn find(&self, digest: &[u8; 32]) -> Option<Arc<Entry>> {
        self.snapshot.load().find(digest).cloned()
    }

    /// Looks at the database for a digest that the ring does not have; together with others if that has just been done.
    async fn ask_again(&self, digest: &[u8; 32], now: Timestamp) -> Result<Option<Arc<Entry>>> {
        if self.unknown.lock().unwrap_or_else(PoisonError::into_inner).contains(digest) {
            return Ok(None);
        }
        let mut looked = self.looked.lock().await;
        let wait = match *looked {
            // It was looked after this caller came, for another one.
            Some(last) if last >= now && last.since(now) <= LOOK_AGAIN => return Ok(self.find(digest)),
            Some(last) if now >= last => LOOK_AGAIN.saturating_sub(now.since(last)),
            _ => Duration::ZERO,
        };
        // Refused without a look, a key that was made a moment ago would not open; looked for at once, guessing
        // would cost the database as much as it likes.
        tokio::time::sleep(wait).await;
        self.refresh().await?;
        *looked = Some(now.plus(wait));
        drop(looked);
        let found = self.find(digest);
        if found.is_none() {
            let mut unknown = self.unknown.lock().unwrap_or_else(PoisonError::into_inner);
            if unknown.len() >= UNKNOWN_DIGESTS {
                unknown.clear();
            }
            unknown.insert(*digest);
        }
        Ok(found)
    }
}

impl Snapshot {
    fn find(&self, digest: &[u8; 32]) -> Option<&Arc<Entry>> {
        let candidates = self.keys.get(&prefix(digest))?;
        candidates.iter().find(|entry| bool::from(entry.digest.ct_eq(digest)))
    }

    /// The caller with this key, if it may act.
    fn admit(&self, found: Option<Arc<Entry>>, now: Timestamp) -> Result<Caller> {
        let Some(entry) = found.filter(|entry| entry.key.is_live(now)) else {
            return Err(Error::new(Kind::Unauthorized, "The API key is missing or not valid."));
        };
        let [tenant] = entry.key.tenants.as_slice() else {
            return Err(Error::new(Kind::Forbidden, "The API key is bound to several tenants."));
        };
        let tenant = self.open_tenant(tenant);
        let tenant = tenant.ok_or_else(|| Error::new(Kind::Forbidden, "The tenant is suspended."))?;
        Ok(Caller { identity: Identity::Key(entry), tenant })
    }

    /// The tenant of this id, unless it is suspended.
    fn open_tenant(&self, id: &TenantId) -> Option<Arc<Tenant>> {
        self.tenants.get(id).filter(|tenant| tenant.suspended_at.is_none()).cloned()
    }
}

fn prefix(digest: &[u8; 32]) -> u64 {
    digest[..8].iter().fold(0, |number, byte| (number << 8) | u64::from(*byte))
}

impl Shared {
    fn seen(&self, now: Timestamp) {
        *self.last_seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
    }
}

impl Entry {
    /// Counts a request against the key's limit, or `limit` if it has none of its own.
    pub fn hit(&self, now: Timestamp, limit: u32, window: Duration) -> Decision {
        let limit = self.key.rate_limit.unwrap_or(limit);
        self.shared.window.lock().unwrap_or_else(PoisonError::into_inner).hit(now, limit, window)
    }
}

//! What an operation gets beside its transaction: the instant, the actor, and the source of ids and randomness.

use std::sync::Arc;

use pagesmith_model::actor::Actor;
use pagesmith_model::id::Uuid7;
use pagesmith_model::seal::SecretKeys;
use pagesmith_model::{Error, RequestId, Result, TenantId, Timestamp};

use crate::platform::Platform;

/// The instant of one request or task, and its source of ids and secrets.
#[derive(Debug, Clone)]
pub struct Context {
    /// The instant; everything that happens in it carries this time.
    pub now: Timestamp,
    platform: Arc<Platform>,
    actor: Actor,
    request_id: Option<RequestId>,
}

impl Platform {
    /// The present instant, for one request or task of the server.
    pub fn context(self: &Arc<Platform>) -> Context {
        Context {
            now: self.clock().now(),
            platform: Arc::clone(self),
            actor: Actor::Server,
            request_id: None,
        }
    }
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
        self.platform.uuid(self.now)
    }

    /// Bits for a fresh id that tells the present time, which may be later than the context's.
    pub fn uuid_of_now(&self) -> Result<Uuid7> {
        self.platform.uuid(self.platform.clock().now())
    }

    /// Fresh random bytes.
    pub fn random<const N: usize>(&self) -> Result<[u8; N]> {
        self.platform.random().bytes()
    }

    /// A digest that only this server makes, whatever becomes of its keys: for what is kept.
    pub fn keyed_digest(&self, purpose: &str, parts: &[&str]) -> Result<[u8; 32]> {
        match self.platform.digest_key() {
            Some(key) => Ok(key.digest(purpose, parts)),
            None => Ok(self.secret()?.first().digest(purpose, parts)),
        }
    }

    /// The server's keys, under which secrets are sealed.
    pub fn secret(&self) -> Result<Arc<SecretKeys>> {
        self.platform.keys().ok_or_else(|| Error::internal("the server's key is not there"))
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

impl TenantContext {
    /// The same instant, for this actor.
    #[must_use]
    pub fn by(&self, actor: Actor) -> TenantContext {
        TenantContext { tenant: self.tenant.clone(), context: self.context.clone().by(actor) }
    }
}

impl std::ops::Deref for TenantContext {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.context
    }
}

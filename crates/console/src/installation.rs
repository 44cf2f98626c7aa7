//! What the console has of the server beside the API: users, time, and how it is reached.

use std::pin::Pin;
use std::sync::Arc;

use pagesmith_model::TenantId;
use pagesmith_operations::Platform;
use pagesmith_operations::access::KeyRing;
use pagesmith_operations::installation::{Backups, Examination};
use pagesmith_operations::users::Hasher;
use pagesmith_operations::users::identity_providers::IdentityProviders;
use pagesmith_operations::users::sign_in::Rules;
use pagesmith_store::Store;
use tokio::sync::watch;

use crate::entered::Entered;

/// Whether a server can do what it promises.
pub type Readiness = Pin<Box<dyn Future<Output = pagesmith_model::Result<()>> + Send>>;

/// Reads the fields of a form; nothing if there are too many.
pub type ReadForm = Box<dyn FnOnce() -> Option<Entered> + Send>;
/// The fields of a form that is read elsewhere.
pub type FormRead = Pin<Box<dyn Future<Output = pagesmith_model::Result<Option<Entered>>> + Send>>;

/// What all requests to the console share.
pub struct Installation {
    /// The database, for users and sessions alone.
    pub store: Store,
    /// Time, randomness and secrets.
    pub platform: Arc<Platform>,
    /// Every tenant.
    pub keys: Arc<KeyRing>,
    /// Who hashes passwords.
    pub hasher: Hasher,
    /// How users sign in, and for how long.
    pub rules: Rules,
    /// Where users can sign in without a password of ours.
    pub providers: Arc<IdentityProviders>,
    /// Whether invitations are sent by e-mail.
    pub sends_mail: bool,
    /// The address of the API, without a slash at the end.
    pub base_url: String,
    /// The address of the console, without a slash at the end.
    pub console_url: String,
    /// The origin of a tenant's site, which previews come from, by the tenant's label in host names.
    pub site_origin: Box<dyn Fn(&str) -> String + Send + Sync>,
    /// Reads a large form of a tenant's user, or of nobody in particular, on a thread that serves nobody else.
    pub read_large_form: Box<dyn Fn(Option<TenantId>, ReadForm) -> FormRead + Send + Sync>,
    /// The largest form that is read where it arrives, in bytes.
    pub inline_form: usize,
    /// Whether this server can do what it promises; the error says why not.
    pub ready: Box<dyn Fn() -> Readiness + Send + Sync>,
    /// Who examines what the server stands on, if somebody does.
    pub examination: Box<dyn Fn() -> Option<Arc<dyn Examination>> + Send + Sync>,
    /// Who makes backups, if somebody does: the database has to be an embedded one.
    pub backups: Box<dyn Fn() -> Option<Arc<dyn Backups>> + Send + Sync>,
    /// Turns true when the server begins to stop.
    pub ending: watch::Receiver<bool>,
}

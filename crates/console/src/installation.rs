//! What the console has of the server beside the API: users, time, and how it is reached.

use std::sync::Arc;

use pagesmith_operations::Platform;
use pagesmith_operations::access::KeyRing;
use pagesmith_operations::users::Hasher;
use pagesmith_operations::users::identity_providers::IdentityProviders;
use pagesmith_operations::users::sign_in::Rules;
use pagesmith_store::Store;

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
    /// The address that clients use, without a slash at the end.
    pub base_url: String,
    /// The origin of a tenant's site, which previews come from, by the tenant's label in host names.
    pub site_origin: Box<dyn Fn(&str) -> String + Send + Sync>,
}

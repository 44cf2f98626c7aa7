//! API keys: what a caller shows, and what it may do.
//!
//! The text of a key is shown once, when it is issued; only its SHA-256 digest is kept.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use crate::id::{KeyId, TenantId};
use crate::time::Timestamp;

/// What every issued key begins with.
pub const PREFIX: &str = "ps_";

/// What a key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// GET only.
    Read,
    /// Everything.
    Write,
}

impl Scope {
    /// The scope as it is stored and typed.
    pub fn as_str(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Write => "write",
        }
    }

    /// Whether a caller with this scope may do what needs `needed`.
    pub fn allows(self, needed: Scope) -> bool {
        self >= needed
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Scope {
    type Err = String;

    fn from_str(text: &str) -> Result<Scope, String> {
        match text {
            "read" => Ok(Scope::Read),
            "write" => Ok(Scope::Write),
            _ => Err(format!("'{text}' is not a scope: it is read or write")),
        }
    }
}

/// The SHA-256 digest of a key's text: all that is kept of it.
pub fn digest(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

/// A key, without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Its id, safe to show.
    pub key_id: KeyId,
    /// What its owner calls it.
    pub name: String,
    /// What it may do.
    pub scope: Scope,
    /// The tenants it is bound to; a key of more than one is refused by every call.
    pub tenants: Vec<TenantId>,
    /// Requests per window, where it differs from the server's setting.
    pub rate_limit: Option<u32>,
    /// When it was issued.
    pub created_at: Timestamp,
    /// From when on it is refused.
    pub expires_at: Option<Timestamp>,
    /// When it was last seen, to within the interval of the batches.
    pub last_used_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

impl Key {
    /// Whether it still opens anything at `now`.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }
}

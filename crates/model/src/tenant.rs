//! Tenants: the owners of all data.

use crate::id::TenantId;
use crate::time::Timestamp;

/// An owner of pages, persons and keys; nothing is shared between two of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tenant {
    /// Its id.
    pub tenant_id: TenantId,
    /// The name an operator gave it.
    pub name: String,
    /// Its label in host names (`<slug>.<site domain>`): unique, one DNS label.
    pub slug: String,
    /// In whose way an import reads national phone numbers (two letters, ISO 3166).
    pub default_region: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// Since when its keys are refused and its pages are hidden; `None` while it is active.
    pub suspended_at: Option<Timestamp>,
    /// When its last suspension ended, if it was ever suspended.
    pub resumed_at: Option<Timestamp>,
}

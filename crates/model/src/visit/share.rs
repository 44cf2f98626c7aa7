//! Shares: links by which somebody without a user sees the figures of a page until they end.

use std::fmt;
use std::time::Duration;

use crate::actor::Actor;
use crate::id::{PageId, VisitShareId};
use crate::time::Timestamp;

/// How many shares of a page may be open.
pub const MOST_OF_PAGE: usize = 20;
/// How long a share is open at most.
pub const LONGEST: Duration = Duration::from_hours(366 * 24);
/// The longest name, in characters.
pub const LONGEST_NAME: usize = 100;
/// A share of a page's figures.
#[derive(Clone, PartialEq, Eq)]
pub struct VisitShare {
    /// Its id, which opens nothing.
    pub visit_share_id: VisitShareId,
    /// Whose figures it shows.
    pub page_id: PageId,
    /// What it is called, so that its maker knows whom it is for.
    pub name: String,
    /// The hash of the password that is asked for, if one is.
    pub password_hash: Option<String>,
    /// Who made it.
    pub created_by: Actor,
    /// When.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
}

impl fmt::Debug for VisitShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VisitShare({})", self.visit_share_id)
    }
}

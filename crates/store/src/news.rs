//! How a transaction calls those of the same process who work on what it has written.
//!
//! A call that comes while nobody waits is kept; many are one. What other processes have written is found by looking for it.

use tokio::sync::Notify;

/// What there is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News {
    /// Something may be sent to a webhook's receiver.
    Deliveries,
    /// A version may be written.
    Generations,
}

/// A bell for each.
#[derive(Debug, Default)]
pub(crate) struct Bells {
    deliveries: Notify,
    generations: Notify,
}

impl Bells {
    pub(crate) fn of(&self, news: News) -> &Notify {
        match news {
            News::Deliveries => &self.deliveries,
            News::Generations => &self.generations,
        }
    }
}

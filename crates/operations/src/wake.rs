//! How whoever has made work calls those of the same process who do it.
//!
//! A call that comes while nobody waits is kept; many are one. Work of other processes is found by looking for it.

use std::sync::Arc;

use tokio::sync::Notify;

/// A bell; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Wake(Arc<Notify>);

impl Wake {
    /// Calls.
    pub fn call(&self) {
        self.0.notify_one();
    }

    /// Waits for a call.
    pub async fn called(&self) {
        self.0.notified().await;
    }
}

//! Locks that stay usable after a panic: what they guard is only a cache.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The content of a mutex, also after a panic.
pub(super) fn locked<T>(part: &Mutex<T>) -> MutexGuard<'_, T> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

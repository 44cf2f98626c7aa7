//! What the two sides of one connection know of each other: the bytes that come and go, and the requests in them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::head::Refused;

/// The state of a connection.
#[derive(Debug, Default)]
pub(crate) struct ConnectionState {
    /// The head that was refused; the next request that hyper tells of stands for it.
    refused: Mutex<Option<Refused>>,
    is_refused: AtomicBool,
    is_stalled: AtomicBool,
    waits_for_client: AtomicBool,
    moves: AtomicU64,
}

impl ConnectionState {
    /// Notes a head that is refused. Nothing is read after it.
    pub(crate) fn refuse(&self, refused: Refused) {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(refused);
        self.is_refused.store(true, Ordering::Release);
    }

    /// The head that was refused, once.
    pub(crate) fn take_refused(&self) -> Option<Refused> {
        if !self.is_refused() {
            return None;
        }
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Whether a head was refused.
    pub(crate) fn is_refused(&self) -> bool {
        self.is_refused.load(Ordering::Acquire)
    }

    /// Notes that the client has not read for too long.
    pub(crate) fn stall(&self) {
        self.is_stalled.store(true, Ordering::Relaxed);
    }

    /// Whether the client had not read for too long.
    pub(crate) fn is_stalled(&self) -> bool {
        self.is_stalled.load(Ordering::Relaxed)
    }

    /// Notes that bytes have come or gone.
    pub(crate) fn moved(&self) {
        self.moves.fetch_add(1, Ordering::Relaxed);
        self.waits_for_client.store(false, Ordering::Relaxed);
    }

    /// Notes that it is the client's turn: to send the rest of a body, or to read.
    pub(crate) fn wait_for_client(&self) {
        self.waits_for_client.store(true, Ordering::Relaxed);
    }

    /// How often bytes have come or gone, if it is the client's turn now.
    pub(crate) fn waiting(&self) -> Option<u64> {
        let waits = self.waits_for_client.load(Ordering::Relaxed);
        waits.then(|| self.moves.load(Ordering::Relaxed))
    }
}

//! The requests of one connection of HTTP/2: whose turn it is in each of them, and when they are a reason to end the connection.
//!
//! A request counts from its head until the client has taken the last byte of its answer, or has given it up. What this is not: the connection
//! itself ([`super::http2`]), or what tells of bytes that come and go ([`super::stream_body`]). Invariant: a request that is open has one
//! entry, which goes with the last reference to its [`Stream`].

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use crate::counts::Permit;

/// How many requests a connection may have at once.
pub(crate) const STREAMS: u32 = 100;
/// How many requests a client may give up beyond those that it has seen to their end: as many as it may have at once.
pub(crate) const CREDIT: u32 = STREAMS;

/// Whose turn it is in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// Ours.
    Server,
    /// The client's since then: the rest of its body is to come.
    Sending(Instant),
    /// The client's since then: to take what is ready of the answer.
    Taking(Instant),
}

impl Turn {
    /// Since when it has been the client's.
    fn client_since(self) -> Option<Instant> {
        match self {
            Turn::Server => None,
            Turn::Sending(since) | Turn::Taking(since) => Some(since),
        }
    }
}

#[derive(Debug)]
struct Entry {
    turn: Turn,
    /// Parts of the answer that were handed out and not taken yet.
    parts: usize,
    /// Whether the whole answer was handed out.
    is_complete: bool,
    /// Whether some of it was not taken, and never will be.
    is_given_up: bool,
}

#[derive(Debug)]
struct Inner {
    open: HashMap<u64, Entry>,
    next: u64,
    /// Since when none is open.
    idle_since: Instant,
    /// How many may still be given up.
    credit: u32,
}

/// The requests of a connection.
#[derive(Debug)]
pub(crate) struct Streams {
    inner: Mutex<Inner>,
    flooded: Notify,
}

/// Why a connection has to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    /// Nothing was asked for.
    Idle,
    /// The client does not take an answer.
    Stalled,
    /// The client has given up too many requests.
    Flooded,
}

impl Streams {
    /// None so far.
    pub(crate) fn new() -> Arc<Streams> {
        let inner = Inner { open: HashMap::new(), next: 0, idle_since: Instant::now(), credit: CREDIT };
        Arc::new(Streams { inner: Mutex::new(inner), flooded: Notify::new() })
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more, which has the permit as long as it is open.
    pub(crate) fn open(self: &Arc<Streams>, permit: Option<Permit<IpAddr>>) -> Arc<Stream> {
        let mut inner = self.inner();
        let id = inner.next;
        inner.next += 1;
        inner.open.insert(id, Entry { turn: Turn::Server, parts: 0, is_complete: false, is_given_up: false });
        drop(inner);
        Arc::new(Stream { id, streams: Arc::clone(self), _permit: permit })
    }

    /// Waits until there is a reason to end the connection: none is open for `idle`, an answer is not taken for `stall`, or too many were
    /// given up.
    pub(crate) async fn reason(&self, idle: Duration, stall: Duration) -> Reason {
        loop {
            let now = Instant::now();
            let next = match self.due(now, idle, stall) {
                Ok(reason) => return reason,
                Err(next) => next,
            };
            tokio::select! {
                () = sleep_until(next) => {}
                () = self.flooded.notified() => return Reason::Flooded,
            }
        }
    }

    /// The reason that there is now, or when to look again: nothing that begins later is due before.
    fn due(&self, now: Instant, idle: Duration, stall: Duration) -> Result<Reason, Instant> {
        let inner = self.inner();
        let mut next = now + idle.min(stall);
        if inner.open.is_empty() {
            if now >= inner.idle_since + idle {
                return Ok(Reason::Idle);
            }
            next = next.min(inner.idle_since + idle);
        }
        for entry in inner.open.values() {
            if let Turn::Taking(since) = entry.turn {
                if now >= since + stall {
                    return Ok(Reason::Stalled);
                }
                next = next.min(since + stall);
            }
        }
        Err(next)
    }

    /// Whether all that are open, or the connection if none is, have waited so long for the client since `from`.
    pub(crate) fn all_wait(&self, from: Instant, time_limit: Duration) -> bool {
        let is_long = |since: Instant| Instant::now() >= since.max(from) + time_limit;
        let inner = self.inner();
        let waits = |entry: &Entry| entry.turn.client_since().is_some_and(is_long);
        inner.open.values().all(waits) && (!inner.open.is_empty() || is_long(inner.idle_since))
    }

    /// Whether none is open.
    pub(crate) fn is_empty(&self) -> bool {
        self.inner().open.is_empty()
    }
}

/// A request that is open; it is no more with the last reference to this.
#[derive(Debug)]
pub(crate) struct Stream {
    id: u64,
    streams: Arc<Streams>,
    _permit: Option<Permit<IpAddr>>,
}

impl Stream {
    fn entry<T>(&self, change: impl FnOnce(&mut Entry) -> T) -> Option<T> {
        self.streams.inner().open.get_mut(&self.id).map(change)
    }

    /// The rest of the body is to come.
    pub(crate) fn waits_for_body(&self) {
        self.entry(|entry| {
            if entry.turn == Turn::Server {
                entry.turn = Turn::Sending(Instant::now());
            }
        });
    }

    /// Some of it has come.
    pub(crate) fn received(&self) {
        self.entry(|entry| entry.turn = Turn::Server);
    }

    /// There is no more of the answer for now.
    pub(crate) fn waits_for_answer(&self) {
        self.entry(|entry| {
            if entry.parts == 0 {
                entry.turn = Turn::Server;
            }
        });
    }

    /// A part of the answer is ready to be taken.
    pub(crate) fn offered(&self) {
        self.entry(|entry| {
            entry.parts += 1;
            if !matches!(entry.turn, Turn::Taking(_)) {
                entry.turn = Turn::Taking(Instant::now());
            }
        });
    }

    /// The client has taken some of it.
    pub(crate) fn taken(&self) {
        self.entry(|entry| entry.turn = Turn::Taking(Instant::now()));
    }

    /// A part is gone: the client has taken all of it, or has given the answer up.
    pub(crate) fn part_gone(&self, is_taken: bool) {
        self.entry(|entry| {
            entry.parts = entry.parts.saturating_sub(1);
            entry.turn = Turn::Taking(Instant::now());
            entry.is_given_up |= !is_taken;
        });
    }

    /// The whole answer was handed out, or ends here.
    pub(crate) fn complete(&self) {
        self.entry(|entry| entry.is_complete = true);
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let mut inner = self.streams.inner();
        let ended = inner.open.remove(&self.id);
        if inner.open.is_empty() {
            inner.idle_since = Instant::now();
        }
        if ended.is_some_and(|entry| entry.is_complete && !entry.is_given_up) {
            inner.credit = inner.credit.saturating_add(1).min(CREDIT);
            return;
        }
        match inner.credit.checked_sub(1) {
            Some(credit) => inner.credit = credit,
            None => self.streams.flooded.notify_one(),
        }
    }
}

#[cfg(test)]
mod tests;

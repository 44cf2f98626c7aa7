//! A connection as the client uses it, with a meter on what comes in.
//!
//! Between a request and the head of its answer only so much may come: an endless row of interim answers would otherwise go on until time is
//! up. A body is measured by whoever reads it. HTTP/2 bounds all this by itself.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::Failure;
use super::net::Duplex;

/// How many bytes may come before the head of an answer is complete.
const MOST: usize = 64 * 1024;
/// The meter's count when nothing is counted.
const OFF: usize = usize::MAX;

/// What has come since the last request; shared with whoever waits for the answer.
#[derive(Debug, Clone)]
pub(super) struct Meter(Arc<AtomicUsize>);

impl Meter {
    /// The head of the answer is there: what comes now is read by somebody who counts.
    pub(super) fn head_is_over(&self) {
        self.0.store(OFF, Ordering::Relaxed);
    }

    /// Counts; false if it is too much. A connection that has read a large body reads the next answer's head and much of its body at once, so
    /// that only what came before counts.
    fn count(&self, bytes: usize) -> bool {
        let before = self.0.load(Ordering::Relaxed);
        if before == OFF {
            return true;
        }
        self.0.store(before + bytes, Ordering::Relaxed);
        before <= MOST
    }
}

/// A stream with a meter.
struct Metered {
    stream: Box<dyn Duplex>,
    is_second: bool,
    /// Whether what comes is counted.
    counts: bool,
    meter: Meter,
}

impl Metered {
    /// A request begins.
    fn begin(&self) {
        if self.counts {
            self.meter.0.store(0, Ordering::Relaxed);
        }
    }
}

impl AsyncRead for Metered {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        if self.meter.count(buffer.filled().len() - before) {
            polled
        } else {
            Poll::Ready(Err(io::Error::other(Failure::Nonsense)))
        }
    }
}

impl AsyncWrite for Metered {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.begin();
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.begin();
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// See above.
pub(super) struct Wire(TokioIo<Metered>);

impl Wire {
    /// A connection that speaks HTTP/2 or HTTP/1, and whose heads are measured if it is HTTP/1 and that is wanted.
    pub(super) fn new(stream: Box<dyn Duplex>, is_second: bool, is_metered: bool) -> Wire {
        let counts = is_metered && !is_second;
        let meter = Meter(Arc::new(AtomicUsize::new(if counts { 0 } else { OFF })));
        Wire(TokioIo::new(Metered { stream, is_second, counts, meter }))
    }
}

impl Connection for Wire {
    fn connected(&self) -> Connected {
        let Metered { is_second, meter, .. } = self.0.inner();
        let connected = Connected::new().extra(meter.clone());
        if *is_second { connected.negotiated_h2() } else { connected }
    }
}

impl Read for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl Write for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.0.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

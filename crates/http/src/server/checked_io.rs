//! The bytes of a connection, between the socket and hyper.
//!
//! Inwards it passes on whole heads only, one message at a time. A head that must be refused is replaced by a small valid one, and
//! noted in the [`ConnectionState`]: so the refusal is answered in its turn, like every request. Outwards it ends a connection whose client
//! takes nothing for the time allowed, and lets no further request in while an answer waits to be taken: so
//! an answer is the most that a client who does not read can make this server keep.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use bytes::{Buf, BytesMut};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use super::connection_state::ConnectionState;
use super::framing::Framing;
use crate::head::{self, Fault, Refused};

/// How much is read at once behind bytes that are held back.
const PIECE: usize = 4096;

/// See the module.
pub(crate) struct CheckedIo<S> {
    socket: S,
    framing: Framing,
    shared: Arc<ConnectionState>,
    /// What was read and not passed on yet.
    held: BytesMut,
    /// How much of it may be.
    cleared: usize,
    write_timeout: Duration,
    /// Runs while the client takes nothing.
    deadline: Option<Pin<Box<Sleep>>>,
    /// Whoever wants to read and waits until the client has taken what lies there.
    reader: Option<Waker>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> CheckedIo<S> {
    pub(crate) fn new(socket: S, shared: Arc<ConnectionState>, write_timeout: Duration) -> CheckedIo<S> {
        CheckedIo {
            socket,
            framing: Framing::new(),
            shared,
            held: BytesMut::new(),
            cleared: 0,
            write_timeout,
            deadline: None,
            reader: None,
        }
    }

    /// The socket.
    pub(crate) fn socket(&mut self) -> &mut S {
        &mut self.socket
    }

    /// Whether the client may have sent something that nobody has read.
    pub(crate) fn has_unread(&self) -> bool {
        self.shared.is_refused() || !self.framing.is_head()
    }

    /// Refuses a head that did not arrive in time. Whether there is one: a connection on which nothing has begun has nothing to be answered, and behind
    /// an answer that the client does not take no other can be sent.
    pub(crate) fn time_out(&mut self) -> bool {
        let is_waiting = self.framing.is_head() && self.cleared == 0 && self.deadline.is_none();
        if !is_waiting || self.shared.is_refused() || !head::is_begun(&self.held) {
            return false;
        }
        self.refuse(Refused { is_head: head::is_of_head(&self.held), ..Fault::TimedOut.into() });
        true
    }

    fn refuse(&mut self, refused: Refused) {
        self.held.clear();
        let method = if refused.is_head { "HEAD" } else { "GET" };
        let stand_in = format!("{method} / HTTP/1.1\r\nhost: refused\r\nconnection: close\r\n\r\n");
        self.held.extend_from_slice(stand_in.as_bytes());
        self.cleared = self.held.len();
        self.shared.refuse(refused);
    }

    /// Clears what may be passed on of what is held, if anything.
    fn clear(&mut self) {
        match self.framing.pass(&self.held) {
            Ok(passed) => self.cleared = passed,
            Err(refused) => self.refuse(refused),
        }
    }

    /// Reads behind what is held.
    fn poll_more(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let mut piece = [0; PIECE];
        let mut buffer = ReadBuf::new(&mut piece);
        ready!(Pin::new(&mut self.socket).poll_read(cx, &mut buffer))?;
        self.held.extend_from_slice(buffer.filled());
        Poll::Ready(Ok(buffer.filled().len()))
    }

    /// Reads to where hyper wants it, and takes back what must not be passed on yet. Whether hyper has to be told.
    fn poll_straight(&mut self, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<bool>> {
        let before = buffer.filled().len();
        match Pin::new(&mut self.socket).poll_read(cx, buffer) {
            Poll::Ready(read) => read?,
            Poll::Pending => {
                if !self.framing.is_head() {
                    self.shared.wait_for_client();
                }
                return Poll::Pending;
            }
        }
        self.shared.moved();
        let fresh = &buffer.filled()[before..];
        if fresh.is_empty() {
            return Poll::Ready(Ok(true));
        }
        let passed = match self.framing.pass(fresh) {
            Ok(passed) => passed,
            Err(refused) => {
                buffer.set_filled(before);
                self.refuse(refused);
                return Poll::Ready(Ok(false));
            }
        };
        self.held.extend_from_slice(&fresh[passed..]);
        buffer.set_filled(before + passed);
        Poll::Ready(Ok(passed > 0))
    }

    fn written(&mut self, cx: &mut Context<'_>, outcome: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if outcome.is_ready() {
            self.shared.moved();
            self.deadline = None;
            if let Some(reader) = self.reader.take() {
                reader.wake();
            }
            return outcome;
        }
        self.shared.wait_for_client();
        let timeout = self.write_timeout;
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep(timeout)));
        ready!(deadline.as_mut().poll(cx));
        self.shared.stall();
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client takes nothing")))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for CheckedIo<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        loop {
            if this.cleared > 0 {
                let passed = this.cleared.min(buffer.remaining());
                buffer.put_slice(&this.held[..passed]);
                this.held.advance(passed);
                this.cleared -= passed;
                return Poll::Ready(Ok(()));
            }
            // The end of the stream would be the end of the answer too.
            if this.shared.is_refused() {
                return Poll::Pending;
            }
            if this.framing.is_head() && this.deadline.is_some() {
                this.reader = Some(cx.waker().clone());
                return Poll::Pending;
            }
            if this.held.is_empty() {
                if ready!(this.poll_straight(cx, buffer))? {
                    return Poll::Ready(Ok(()));
                }
                continue;
            }
            this.clear();
            if this.cleared == 0 && ready!(this.poll_more(cx))? == 0 {
                match this.framing.cut_off(&this.held) {
                    Some(refused) => this.refuse(refused),
                    None => return Poll::Ready(Ok(())),
                }
            }
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for CheckedIo<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let outcome = Pin::new(&mut this.socket).poll_write(cx, bytes);
        this.written(cx, outcome)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let outcome = Pin::new(&mut this.socket).poll_write_vectored(cx, parts);
        this.written(cx, outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().socket).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().socket).poll_shutdown(cx)
    }
}

//! The bodies of a request by HTTP/2 and of its answer, which tell its [`Stream`] what the client sends and what it takes.
//!
//! A client takes bytes of HTTP/2 only as far as it has opened its windows, for the connection and for the answer. What is not taken lies in the
//! library, which knows no time limit. So each part of an answer tells when bytes of it leave for the socket.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use bytes::Buf;
use hyper::body::{Frame, Incoming, SizeHint};

use super::streams::Stream;

/// The body of a request.
pub(crate) struct Received {
    pub(crate) body: Incoming,
    pub(crate) stream: Arc<Stream>,
}

impl HttpBody for Received {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        match &polled {
            Poll::Pending => self.stream.waits_for_body(),
            Poll::Ready(_) => self.stream.received(),
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of an answer.
pub(crate) struct Offered {
    body: Body,
    stream: Arc<Stream>,
}

impl Offered {
    /// The body, as the answer in this stream.
    pub(crate) fn new(body: Body, stream: Arc<Stream>) -> Offered {
        if body.is_end_stream() {
            stream.complete();
        }
        Offered { body, stream }
    }
}

impl HttpBody for Offered {
    type Data = BodyPart;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<BodyPart>, axum::Error>>> {
        let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(cx) else {
            self.stream.waits_for_answer();
            return Poll::Pending;
        };
        if !matches!(frame, Some(Ok(_))) || self.body.is_end_stream() {
            self.stream.complete();
        }
        let stream = &self.stream;
        let part = |bytes| {
            stream.offered();
            BodyPart { bytes, stream: Arc::clone(stream) }
        };
        Poll::Ready(frame.map(|frame| frame.map(|frame| frame.map_data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A part of an answer, which tells when it is taken.
pub(crate) struct BodyPart {
    bytes: Bytes,
    stream: Arc<Stream>,
}

impl Buf for BodyPart {
    fn remaining(&self) -> usize {
        self.bytes.remaining()
    }

    fn chunk(&self) -> &[u8] {
        self.bytes.chunk()
    }

    fn advance(&mut self, count: usize) {
        self.bytes.advance(count);
        if count > 0 {
            self.stream.taken();
        }
    }
}

impl Drop for BodyPart {
    fn drop(&mut self) {
        self.stream.part_gone(!self.bytes.has_remaining());
    }
}

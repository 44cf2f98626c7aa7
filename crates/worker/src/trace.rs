//! Traces that go on behind an outgoing call.
//!
//! Only the header `traceparent` is sent, and only where the operator has set a collector: without one no span has an id, and nothing is sent.
//! What this is not: a sender of baggage or of a vendor's state, which may tell of the inside.

use http::{HeaderMap, HeaderName, HeaderValue};
use opentelemetry::trace::TraceContextExt;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

const PARENT: HeaderName = HeaderName::from_static("traceparent");

/// Lets whoever is called continue the trace of this span.
pub(crate) fn inject_headers(span: &Span, headers: &mut HeaderMap) {
    if span.is_disabled() {
        return;
    }
    let context = span.context();
    let context = context.span().span_context().clone();
    if !context.is_valid() {
        return;
    }
    let (trace, call, flags) = (context.trace_id(), context.span_id(), context.trace_flags().to_u8());
    // Sixteen, eight and one byte in hexadecimal digits are a header's value.
    if let Ok(value) = HeaderValue::try_from(format!("00-{trace}-{call}-{flags:02x}")) {
        headers.insert(PARENT, value);
    }
}

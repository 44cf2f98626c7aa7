//! The span of a request, which goes on with the trace of whoever sent it.
//!
//! Spans reach a collector or nobody (target `span`); without one nothing is read and nothing is made.

use std::str::FromStr;

use axum::http::{HeaderMap, HeaderName};
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState};
use pagesmith_model::RequestId;
use pagesmith_model::traceparent::TraceParent;
use tracing::Span;
use tracing::field::Empty;
use tracing_opentelemetry::OpenTelemetrySpanExt;

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const TRACESTATE: HeaderName = HeaderName::from_static("tracestate");

/// The span of a request with these headers.
pub(crate) fn begin(operation: &'static str, id: &RequestId, headers: &HeaderMap) -> Span {
    let span = tracing::info_span!(
        target: "span",
        "request",
        otel.kind = "server",
        otel.status_code = Empty,
        operation,
        request_id = id.as_str(),
        tenant = Empty,
        status = Empty,
    );
    if !span.is_disabled()
        && let Some(parent) = parent(headers)
        && let Err(error) = span.set_parent(opentelemetry::Context::new().with_remote_span_context(parent))
    {
        tracing::debug!(%error, "a request's trace does not go on with its caller's");
    }
    span
}

/// Notes what came of the request.
pub(crate) fn end(span: &Span, tenant: Option<&str>, status: u16) {
    if span.is_disabled() {
        return;
    }
    span.record("tenant", tenant);
    span.record("status", status);
    if status >= 500 {
        span.record("otel.status_code", "ERROR");
    }
}

/// The caller's span, if the headers name exactly one in the form they must have.
fn parent(headers: &HeaderMap) -> Option<SpanContext> {
    let mut values = headers.get_all(TRACEPARENT).iter();
    let value = values.next().filter(|_| values.next().is_none())?;
    let parent = TraceParent::parse(value.to_str().ok()?)?;
    let states: Option<Vec<&str>> =
        headers.get_all(TRACESTATE).iter().map(|value| value.to_str().ok()).collect();
    let state = TraceState::from_str(&states.unwrap_or_default().join(",")).unwrap_or_default();
    let flags = if parent.is_sampled { TraceFlags::SAMPLED } else { TraceFlags::default() };
    let (trace, span) = (TraceId::from(parent.trace_id), SpanId::from(parent.span_id));
    Some(SpanContext::new(trace, span, flags, true, state))
}

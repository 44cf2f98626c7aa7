//! What the operator sees of a running process: the log on standard error, and traces for a collector.
//!
//! Log lines wait in a buffer for a thread that writes many at once. Spans (target `span`) never reach the log. They cost nothing unless
//! a collector is set, because then no layer is interested in them.

mod collector;
mod json_lines;
mod log_writer;
mod terminal_lines;

use std::io::stderr;
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tokio::runtime::Handle;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry::{LookupSpan, Registry};

use self::json_lines::JsonLines;
use self::log_writer::{LogGuard, LogWriter};
use self::terminal_lines::TerminalLines;
use crate::config::{self, Format};
use crate::failure::{Failure, Result};
use crate::screen::Screen;

/// The target of the spans that are exported.
const SPANS: &str = "span";

/// How long the last spans may take to reach the collector.
const LAST_EXPORT: Duration = Duration::from_secs(2);

/// The log and the export, for as long as this lives.
pub struct Telemetry {
    traces: Option<SdkTracerProvider>,
    writer: LogWriter,
    // Its drop writes what waits.
    _log: LogGuard,
}

impl Telemetry {
    /// Starts logging, and exporting if a collector is set, for the whole process.
    pub fn start(
        log: &config::Log,
        export: &config::Telemetry,
        screen: Screen,
        runtime: &Handle,
    ) -> Result<Telemetry> {
        let (writer, guard) = LogWriter::start(stderr())?;
        let lines_writer = writer.clone();
        // The more exact target wins, so spans stay out of the log whatever its level.
        let lines = log.level.clone().with_target(SPANS, LevelFilter::OFF);
        let traces = match &export.otlp_endpoint {
            // A filter for all, not for a layer, is the cheaper one.
            None => {
                let subscriber = Registry::default().with(log_layer(log.format, screen, writer)).with(lines);
                install(subscriber)?;
                None
            }
            Some(endpoint) => {
                let provider = exporter(endpoint, &export.service_name, runtime)?;
                let spans = tracing_opentelemetry::layer()
                    .with_tracer(provider.tracer("pagesmith"))
                    .with_location(false)
                    .with_threads(false)
                    .with_filter(Targets::new().with_target(SPANS, LevelFilter::TRACE));
                let subscriber = Registry::default()
                    .with(log_layer(log.format, screen, writer).with_filter(lines))
                    .with(spans);
                install(subscriber)?;
                Some(provider)
            }
        };
        Ok(Telemetry { traces, writer: lines_writer, _log: guard })
    }

    /// Sends what waits to the collector and to standard error. Blocks; the runtime must still be there.
    pub fn finish(self) {
        if let Some(traces) = &self.traces
            && let Err(error) = traces.shutdown_with_timeout(LAST_EXPORT)
        {
            tracing::warn!(error = %error, "the last traces did not reach the collector");
        }
        let dropped = self.writer.dropped();
        if dropped > 0 {
            tracing::warn!(dropped, "log lines were dropped because standard error was too slow");
        }
    }
}

/// Warnings on standard error, at once, for the commands that are no servers. What goes wrong in the store ends such a command, and is
/// told by its last line.
pub fn warnings() -> Result<()> {
    let lines = tracing_subscriber::fmt::layer().with_writer(stderr).with_ansi(false).without_time();
    let levels =
        Targets::new().with_default(LevelFilter::WARN).with_target("pagesmith_store", LevelFilter::OFF);
    install(Registry::default().with(lines).with(levels))
}

fn install(subscriber: impl tracing::Subscriber + Send + Sync) -> Result<()> {
    tracing::subscriber::set_global_default(subscriber).map_err(|error| Failure::new(error.to_string()))
}

fn log_layer<S>(format: Format, screen: Screen, writer: LogWriter) -> Box<dyn Layer<S> + Send + Sync>
where
    S: tracing::Subscriber + for<'a> LookupSpan<'a>,
{
    let layer = tracing_subscriber::fmt::layer().with_writer(writer);
    let is_for_a_person = format == Format::Text || format == Format::Auto && screen.errors;
    if is_for_a_person {
        let lines = TerminalLines { colors: screen.errors && screen.colors, is_live: screen.errors };
        return layer.event_format(lines).boxed();
    }
    layer.event_format(JsonLines).boxed()
}

fn exporter(endpoint: &str, service_name: &str, runtime: &Handle) -> Result<SdkTracerProvider> {
    let path = "/v1/traces";
    let address = if endpoint.ends_with(path) { endpoint.to_owned() } else { format!("{endpoint}{path}") };
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(collector::Collector::new(runtime.clone()))
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(address)
        .build()
        .map_err(|error| Failure::new(format!("telemetry.otlp_endpoint cannot be used: {error}")))?;
    let resource = Resource::builder_empty()
        .with_service_name(service_name.to_owned())
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .build();
    Ok(SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build())
}

//! Log lines for a person: time, level, message, fields; a request is one aligned line.
//!
//! What clients send may hold control characters, which are spelt out, so that no field rules the terminal.

use std::fmt::{Debug, Write as _};

use anstyle::{AnsiColor, Style};
use pagesmith_operations::Clock;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use crate::screen::Painted;

/// The target of the lines that tell of requests.
const REQUESTS: &str = "request";

/// Writes events for a person to read.
#[derive(Debug, Clone, Copy)]
pub struct TerminalLines {
    /// Whether colours are wanted.
    pub colors: bool,
    /// Whether the day is left out of times, as where somebody looks on.
    pub is_live: bool,
}

impl<S, N> FormatEvent<S, N> for TerminalLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, _: &FmtContext<'_, S, N>, out: Writer<'_>, event: &Event<'_>) -> std::fmt::Result {
        let mut fields = Fields::default();
        event.record(&mut fields);
        self.write(out, event.metadata().level(), event.metadata().target(), &fields)
    }
}

impl TerminalLines {
    fn write(&self, mut out: Writer<'_>, level: &Level, target: &str, fields: &Fields) -> std::fmt::Result {
        let now = Clock::System.now().to_string();
        let time = if self.is_live { now.get(11..19).unwrap_or(&now) } else { &now };
        write!(out, "{}  ", self.paint(time, Style::new().dimmed()))?;
        let line = if target == REQUESTS { self.request(fields) } else { self.other(level, target, fields) };
        writeln!(out, "{}", line.trim_end())
    }

    /// `200  listPages                  1.2 ms  tenant_…`; of what failed here, also the id to look it up by.
    fn request(&self, fields: &Fields) -> String {
        let status = fields.get("status").unwrap_or("-");
        let color = match status.bytes().next() {
            Some(b'5') => AnsiColor::Red,
            Some(b'4') => AnsiColor::Yellow,
            _ => AnsiColor::Green,
        };
        let took =
            fields.get("duration_us").and_then(|text| text.parse().ok()).map_or_else(String::new, duration);
        let mut line = format!("{:<5}  ", self.paint(status, color.on_default()));
        if let Some(method) = fields.get("method") {
            let _ = write!(line, "{method:<6}  ");
        }
        let operation = fields.get("operation").unwrap_or_default();
        let tenant = fields.get("tenant").unwrap_or_default();
        let _ = write!(line, "{operation:<26}  {took:>9}  {tenant}");
        if status.starts_with('5') {
            let _ = write!(line, "  {}", fields.get("request_id").unwrap_or_default());
        }
        line
    }

    fn other(&self, level: &Level, target: &str, fields: &Fields) -> String {
        let color = match *level {
            Level::ERROR => AnsiColor::Red,
            Level::WARN => AnsiColor::Yellow,
            Level::INFO => AnsiColor::Green,
            _ => AnsiColor::Blue,
        };
        let mut line = format!("{:<5}  ", self.paint(level, color.on_default()));
        if *level > Level::INFO {
            let _ = write!(line, "{target}: ");
        }
        line.push_str(fields.get("message").unwrap_or_default());
        for (name, value) in fields.0.iter().filter(|(name, _)| *name != "message") {
            let _ = write!(line, "  {}{value}", self.paint(format_args!("{name}="), Style::new().dimmed()));
        }
        line
    }

    fn paint<T>(&self, text: T, style: Style) -> Painted<T> {
        Painted { text, style, colors: self.colors }
    }
}

/// Microseconds as a person would say them.
fn duration(micros: u64) -> String {
    // A display of a few digits; the exact number is in the JSON line.
    let tenths = |unit: u64| format!("{}.{}", micros / unit, micros % unit * 10 / unit);
    match micros {
        0..1_000 => format!("{micros} µs"),
        1_000..1_000_000 => format!("{} ms", tenths(1_000)),
        _ => format!("{} s", tenths(1_000_000)),
    }
}

/// The fields of an event in their order, without control characters.
#[derive(Default)]
struct Fields(Vec<(&'static str, String)>);

impl Fields {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    fn add(&mut self, field: &Field, value: &str) {
        let spelt = value.chars().fold(String::with_capacity(value.len()), |mut spelt, char| {
            if char.is_control() {
                spelt.extend(char.escape_default());
            } else {
                spelt.push(char);
            }
            spelt
        });
        self.0.push((field.name(), spelt));
    }
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.add(field, &format!("{value:?}"));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl std::io::Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// What is written while `log` runs, without the times.
    fn written(colors: bool, log: impl FnOnce()) -> Vec<String> {
        let lines = Lines::default();
        let writer = lines.clone();
        let format = TerminalLines { colors, is_live: true };
        let layer = tracing_subscriber::fmt::layer().event_format(format).with_writer(move || writer.clone());
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), log);
        let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        let after_time = if colors { 18 } else { 10 };
        text.lines().map(|line| line[after_time..].to_owned()).collect()
    }

    fn requests() {
        let (nobody, tenant): (Option<&str>, _) = (None, Some("tenant_01"));
        tracing::info!(target: "request", request_id = "req_1", tenant, operation = "listPages", status = 200, duration_us = 850_u64);
        tracing::info!(target: "request", request_id = "req_2", tenant = nobody, operation = "none", status = 404, duration_us = 12_345_u64);
        tracing::info!(target: "request", request_id = "req_3", tenant, operation = "createPage", status = 503, duration_us = 2_500_000_u64);
    }

    #[test]
    fn requests_are_short_and_aligned() {
        assert_eq!(
            written(false, requests),
            [
                "200    listPages                      850 µs  tenant_01",
                "404    none                          12.3 ms",
                "503    createPage                      2.5 s  tenant_01  req_3",
            ]
        );
        assert!(written(true, requests)[2].starts_with("\u{1b}[31m503  \u{1b}[0m"));
    }

    #[test]
    fn no_field_rules_the_terminal() {
        let hostile = "a\u{1b}[2J\u{9b}1m\nb";
        let lines = written(false, || tracing::warn!(target: "t", hostile, number = 7, "said {hostile}"));
        let spelt = "a\\u{1b}[2J\\u{9b}1m\\nb";
        assert_eq!(lines, [format!("WARN   said {spelt}  hostile={spelt}  number=7")]);
        assert_eq!(written(false, || tracing::debug!(target: "a::b", "fine")), ["DEBUG  a::b: fine"]);
    }
}

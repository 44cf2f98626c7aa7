//! Log lines as JSON: one object a line, the event's fields beside time, level and target.
//!
//! Every request writes one, so each field goes straight into the line's text.

use std::fmt::{Debug, Write as _};

use pagesmith_operations::Clock;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

/// Writes events as JSON.
pub struct JsonLines;

impl<S, N> FormatEvent<S, N> for JsonLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _: &FmtContext<'_, S, N>,
        mut out: Writer<'_>,
        event: &Event<'_>,
    ) -> std::fmt::Result {
        let about = event.metadata();
        write!(out, "{{\"timestamp\":\"{}\",\"level\":\"{}\"", Clock::System.now(), about.level())?;
        let mut fields = Fields { line: &mut out, ended: Ok(()) };
        event.record(&mut fields);
        fields.ended?;
        writeln!(out, ",\"target\":\"{}\"}}", about.target())
    }
}

/// Appends fields to a line.
struct Fields<'a, 'b> {
    line: &'a mut Writer<'b>,
    ended: std::fmt::Result,
}

impl Fields<'_, '_> {
    fn add(&mut self, field: &Field, write: impl FnOnce(&mut Writer<'_>) -> std::fmt::Result) {
        if self.ended.is_ok() {
            let name = self.line.write_str(",\"").and_then(|()| self.line.write_str(field.name()));
            self.ended = name.and_then(|()| self.line.write_str("\":")).and_then(|()| write(self.line));
        }
    }
}

impl Visit for Fields<'_, '_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, |line| quoted(line, value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field, |line| write!(line, "{value}"));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field, |line| write!(line, "{value}"));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field, |line| write!(line, "{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.add(field, |line| {
            line.write_char('"')?;
            write!(Escaped(line), "{value:?}")?;
            line.write_char('"')
        });
    }
}

/// Writes a JSON string.
fn quoted(line: &mut Writer<'_>, text: &str) -> std::fmt::Result {
    line.write_char('"')?;
    Escaped(line).write_str(text)?;
    line.write_char('"')
}

/// Writes what stands inside of a JSON string.
struct Escaped<'a, 'b>(&'a mut Writer<'b>);

impl std::fmt::Write for Escaped<'_, '_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let mut rest = text;
        // Looked for as bytes, which takes half the time: what must be escaped is ASCII.
        while let Some(at) = rest.bytes().position(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
            let (plain, special) = rest.split_at(at);
            self.0.write_str(plain)?;
            let mut chars = special.chars();
            match chars.next() {
                Some('\n') => self.0.write_str("\\n")?,
                Some(char @ ('"' | '\\')) => write!(self.0, "\\{char}")?,
                Some(char) => write!(self.0, "\\u{:04x}", u32::from(char))?,
                None => {}
            }
            rest = chars.as_str();
        }
        self.0.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use serde_json::{Value, json};
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

    #[test]
    fn a_line_is_an_object_whatever_the_fields_hold() {
        let lines = Lines::default();
        let writer = lines.clone();
        let layer =
            tracing_subscriber::fmt::layer().event_format(JsonLines).with_writer(move || writer.clone());
        let hostile = "a \"quote\" \\ \n\t\u{1}\u{7f} ❤";
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            let nothing: Option<&str> = None;
            tracing::info!(target: "t", hostile, nothing, n = 7_u64, m = -7, yes = true, "said {}", 1);
        });
        let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        let mut line: Value = serde_json::from_str(text.strip_suffix('\n').unwrap()).unwrap();
        assert!(line["timestamp"].take().is_string());
        let expected = json!({
            "timestamp": null, "level": "INFO", "target": "t", "message": "said 1", "hostile": hostile,
            "n": 7, "m": -7, "yes": true,
        });
        assert_eq!(line, expected);
    }
}

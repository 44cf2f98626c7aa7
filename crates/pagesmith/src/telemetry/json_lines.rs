//! Log lines as JSON: one object a line, the event's fields beside time, level and target.
//!
//! Every request writes one. So a line is put together in a buffer that its thread keeps, and handed on whole.

use std::cell::Cell;
use std::fmt::{Debug, Write as _};

use pagesmith_operations::Clock;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

/// Writes events as JSON.
pub struct JsonLines;

thread_local! {
    /// The buffer of the thread's last line. It is taken out while a line is written: a field may log as it is written.
    static BUFFER: Cell<String> = const { Cell::new(String::new()) };
}

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
        let mut line = BUFFER.take();
        line.clear();
        line.push_str("{\"timestamp\":\"");
        line.push_str(Clock::System.now().write(&mut [0; _]));
        line.push_str("\",\"level\":\"");
        line.push_str(about.level().as_str());
        line.push('"');
        event.record(&mut Fields(&mut line));
        line.push_str(",\"target\":\"");
        line.push_str(about.target());
        line.push_str("\"}\n");
        let written = out.write_str(&line);
        BUFFER.set(line);
        written
    }
}

/// Appends fields to a line.
struct Fields<'a>(&'a mut String);

impl Fields<'_> {
    fn name(&mut self, field: &Field) {
        self.0.push_str(",\"");
        self.0.push_str(field.name());
        self.0.push_str("\":");
    }
}

impl Visit for Fields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.name(field);
        self.0.push('"');
        escape(self.0, value);
        self.0.push('"');
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.name(field);
        self.0.push_str(itoa::Buffer::new().format(value));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.name(field);
        self.0.push_str(itoa::Buffer::new().format(value));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.name(field);
        self.0.push_str(if value { "true" } else { "false" });
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.name(field);
        self.0.push('"');
        // A value that cannot be written leaves its text incomplete, and the line an object.
        let _ = write!(Escaped(self.0), "{value:?}");
        self.0.push('"');
    }
}

/// Writes the inside of a JSON string.
struct Escaped<'a>(&'a mut String);

impl std::fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        escape(self.0, text);
        Ok(())
    }
}

/// Appends a text as it is within a JSON string.
fn escape(line: &mut String, text: &str) {
    let is_special = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
    // Nearly every text is plain. Without a way out of the loop, many bytes are looked at with one instruction.
    if !text.bytes().fold(false, |found, byte| found | is_special(byte)) {
        return line.push_str(text);
    }
    for char in text.chars() {
        match char {
            '\n' => line.push_str("\\n"),
            '"' => line.push_str("\\\""),
            '\\' => line.push_str("\\\\"),
            char if char < ' ' => {
                let digit = |value: u32| char::from_digit(value, 16).unwrap_or_default();
                line.push_str("\\u00");
                line.extend([digit(u32::from(char) >> 4), digit(u32::from(char) & 15)]);
            }
            char => line.push(char),
        }
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

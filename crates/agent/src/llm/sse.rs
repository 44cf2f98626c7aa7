//! Server-sent events out of bytes that come in any pieces.
//!
//! What this is not: the whole of the standard; ids and times of reconnecting mean nothing here. Invariant: how the bytes are cut
//! changes nothing, and an event is given only when its blank line has come.

/// An event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Event {
    /// Its name; empty if it has none.
    pub name: String,
    /// Its data, the lines joined.
    pub data: String,
}

/// The longest line that is kept; the rest of it is dropped.
const MOST_LINE: usize = 1 << 20;

/// Reads events.
#[derive(Debug, Default)]
pub struct Events {
    line: Vec<u8>,
    event: Event,
    has_data: bool,
    after_return: bool,
}

impl Events {
    /// Takes some bytes and gives the events that they complete.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut found = Vec::new();
        for &byte in bytes {
            // A line ends in either sign or in both.
            let follows = std::mem::replace(&mut self.after_return, byte == b'\r') && byte == b'\n';
            match byte {
                b'\n' if follows => {}
                b'\n' | b'\r' => found.extend(self.end_line()),
                byte if self.line.len() < MOST_LINE => self.line.push(byte),
                _ => {}
            }
        }
        found
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let line = line.strip_prefix('\u{feff}').unwrap_or(&line);
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            return std::mem::take(&mut self.has_data).then_some(event);
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event.name),
            "data" => {
                if self.has_data {
                    self.event.data.push('\n');
                }
                self.has_data = true;
                self.event.data.push_str(value);
            }
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(text: &str) -> Vec<(String, String)> {
        Events::default().push(text.as_bytes()).into_iter().map(|event| (event.name, event.data)).collect()
    }

    #[test]
    fn events_are_read_as_the_standard_says() {
        let text = "\u{feff}: comment\nevent: a\ndata: one\ndata:two\n\ndata\n\r\n\nevent: none\n\ndata:  x\r\n\r\nid: 1\ndata: y\r\rdata: cut";
        let wanted = [("a", "one\ntwo"), ("", ""), ("", " x"), ("", "y")];
        assert_eq!(all(text), wanted.map(|(name, data)| (name.to_owned(), data.to_owned())));
    }

    proptest! {
        #[test]
        fn how_bytes_are_cut_changes_nothing(
            text in "(data: |event: |é|日|\n|\r\n|\r|\n\n|[a-z:]{0,3}){0,30}", cuts in prop::collection::vec(0usize..100, 0..8),
        ) {
            let bytes = text.as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let mut events = Events::default();
            let pieces = cuts.windows(2).flat_map(|pair| events.push(&bytes[pair[0]..pair[1]])).collect::<Vec<_>>();
            prop_assert_eq!(pieces, Events::default().push(bytes));
        }
    }
}

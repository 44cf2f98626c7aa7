//! Redaction of JSON as it is written: token by token, so that what is not touched stays as it was, to the byte.

use std::borrow::Cow;

use super::{ERASED, Sought};

/// The text without the person; `None` if the person is not in it.
pub(super) fn redact(sought: &Sought, text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let (mut redacted, mut copied, mut at, mut names) = (String::new(), 0, 0, 0);
    let mut replace = |from: usize, to: usize, with: Cow<'_, str>| {
        redacted.push_str(&text[copied..from]);
        redacted.push_str(&with);
        copied = to;
    };
    let mut is_changed = false;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'"' => end_of_string(bytes, at),
            b'-' | b'0'..=b'9' => end_of_number(bytes, at),
            _ => {
                at += 1;
                continue;
            }
        };
        let token = &text[at..end];
        let plain = match bytes[at] {
            b'"' => serde_json::from_str::<String>(token).ok().map(Cow::Owned),
            _ => Some(Cow::Borrowed(token)),
        };
        if let Some(mut without) = plain.and_then(|plain| sought.redact(&plain)) {
            let is_name = text[end..].trim_start_matches([' ', '\t', '\n', '\r']).starts_with(':');
            if is_name {
                // Two fields of one object must not get the same name.
                names += 1;
                if names > 1 {
                    without = format!("{without} {names}");
                }
            } else if bytes[at] != b'"' {
                without = ERASED.to_owned();
            }
            replace(at, end, Cow::Owned(serde_json::Value::String(without).to_string()));
            is_changed = true;
        }
        at = end;
    }
    let end = text.len();
    replace(end, end, Cow::Borrowed(""));
    is_changed.then_some(redacted)
}

/// Where a string ends that begins at `at`.
fn end_of_string(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < bytes.len() && bytes[end] != b'"' {
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }
    (end + 1).min(bytes.len())
}

/// Where a number ends that begins at `at`.
fn end_of_number(bytes: &[u8], at: usize) -> usize {
    let is_of_number = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    at + bytes[at..].iter().take_while(is_of_number).count()
}

//! Any text as a cursor: what decodes encodes to the same text, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pagesmith_model::cursor::{Cursor, Scope};

fuzz_target!(|text: &str| {
    let scope = Scope::new("pages", "tenant_00000000000000000000000000", &[]);
    if let Some(position) = Cursor::decode(&scope, text) {
        assert_eq!(Cursor::encode(&scope, &position), text);
    }
});

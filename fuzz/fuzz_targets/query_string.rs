//! Any text as a query string: parameters or none, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pagesmith_http::extract::Findings;
use pagesmith_http::extract::query::Parameters;

fuzz_target!(|text: &str| {
    if let Some(parameters) = Parameters::parse(text) {
        let mut findings = Findings::default();
        for name in ["limit", "cursor", "query"] {
            parameters.one(name, &mut findings);
        }
    }
});

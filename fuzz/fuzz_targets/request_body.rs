//! Any bytes as the body of a page: either a page that decodes, or issues; never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pagesmith_http::extract::body;
use pagesmith_model::page::{NewPage, PagePatch};

fuzz_target!(|text: &[u8]| {
    let validators = body::Validators::default();
    for issues in [
        body::decode::<NewPage>(&validators, text).err(),
        body::decode::<PagePatch>(&validators, text).err(),
    ]
    .into_iter()
    .flatten()
    {
        assert!(!issues.is_empty());
    }
});

//! Where our description differs from the contract, and the sentence of the decisions that makes it so.
//!
//! What a decision changes for every operation alike is a rule here. What it changes for one noun is in that noun's
//! sample. A difference without either is a defect of our types; a rule or line that matches nothing has to go.

use std::collections::BTreeSet;

use pagesmith_testkit::samples::SAMPLES;

/// A decision for all operations: how the differences that it makes begin and end.
const RULES: &[(&str, &[(&str, &str)])] = &[
    ("Beside the operations of the contract there are our own.", &[("", ": operation – → documented")]),
    (
        "Accepted on every POST, 1–255 characters, kept 24 h.",
        &[("POST ", "header Idempotency-Key: parameter – → optional")],
    ),
    (
        "Single-resource GETs carry a strong ETag; If-None-Match gives 304; PATCH and DELETE honour If-Match (412).",
        &[
            ("GET ", "header If-None-Match: parameter – → optional"),
            ("GET ", "status 304 – → documented"),
            ("PATCH ", "header If-Match: parameter – → optional"),
            ("PATCH ", "status 412 – → documented"),
            ("DELETE ", "header If-Match: parameter – → optional"),
            ("DELETE ", "status 412 – → documented"),
        ],
    ),
    (
        "Statuses beyond the specification's table: 304, 405 (with Allow), 412, 413, 415.",
        &[
            ("PATCH ", "status 413 – → documented"),
            ("PATCH ", "status 415 – → documented"),
            ("POST ", "status 413 – → documented"),
            ("POST ", "status 415 – → documented"),
        ],
    ),
    (
        "Every collection takes cursor and limit, also /pages/search and /audiences/search.",
        &[("GET ", "query cursor: parameter – → optional"), ("GET ", "query limit: parameter – → optional")],
    ),
    (
        "The search of audiences takes a page whose audiences are searched.",
        &[("GET /v0/audiences/search", "query pageId: parameter – → optional")],
    ),
    (
        "No body counts as {} where the body is an empty object or optional.",
        &[("POST ", "body required true → false")],
    ),
    (
        "Length: names and titles 1,000 characters, contexts and notes 200,000, other texts 10,000; a bound in the contract holds.",
        &[
            ("request ", "maxLength – → 1000"),
            ("request ", "maxLength – → 10000"),
            ("request ", "maxLength – → 200000"),
            // The text of a note, in a payload that is otherwise free.
            ("request Create", "LogRequest.payload.text: field – → optional"),
        ],
    ),
    (
        "E-mail addresses, domains, URLs and LinkedIn profiles: of what is sent as one, so much is read.",
        &[("request ", "maxLength – → 1024"), ("request ", "maxLength – → 2048")],
    ),
    ("Names: not only blanks.", &[("request ", "format – → \"not-blank\"")]),
    ("Lists in a page: at most 1,000 items.", &[("request ", "maxItems – → 1000")]),
];

/// What is wrong with the differences that were found, one line each.
pub(crate) fn problems(found: &BTreeSet<String>) -> Vec<String> {
    let rules: Vec<_> = RULES.iter().flat_map(|(_, rules)| rules.iter()).collect();
    let lines: BTreeSet<&str> = SAMPLES
        .iter()
        .flat_map(|sample| sample.differences)
        .flat_map(|(_, lines)| lines.iter().copied())
        .collect();
    let follows = |difference: &str, (start, end): &(&str, &str)| {
        difference.starts_with(start) && difference.ends_with(end)
    };
    let is_allowed = |difference: &String| {
        lines.contains(difference.as_str()) || rules.iter().any(|rule| follows(difference, rule))
    };
    let unexplained = found.iter().filter(|difference| !is_allowed(difference));
    let unused_lines = lines.iter().filter(|line| !found.contains(**line));
    let unused_rules = rules.iter().filter(|rule| !found.iter().any(|difference| follows(difference, rule)));
    let unexplained =
        unexplained.map(|difference| format!("no decision makes this difference: {difference}"));
    let unused_lines = unused_lines.map(|line| format!("this difference is not there: {line}"));
    let unused_rules = unused_rules.map(|rule| format!("this rule matches nothing: {rule:?}"));
    unexplained.chain(unused_lines).chain(unused_rules).collect()
}

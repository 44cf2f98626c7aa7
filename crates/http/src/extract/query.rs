//! The query string.
//!
//! Unknown parameters are ignored. A known one that occurs twice is refused, since two readers might take different ones.

use std::collections::HashMap;

use pagesmith_model::{Issue, IssueCode, Timestamp, text};
use percent_encoding::percent_decode;
use serde_json::{Value, json};

use crate::description::{Operation, Schemas};
use crate::extract::{Extract, Findings, Incoming};

/// The longest text to search for, in characters.
const MAX_SEARCH: usize = 1_000;

/// The decoded parameters of a query string.
pub struct Parameters(HashMap<String, Vec<String>>);

impl Parameters {
    /// Decodes a query string; `None` if it is not UTF-8.
    pub fn parse(text: &str) -> Option<Parameters> {
        let mut parameters: HashMap<String, Vec<String>> = HashMap::new();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            parameters.entry(decode(name)?).or_default().push(decode(value)?);
        }
        Some(Parameters(parameters))
    }

    /// The value of a parameter that may stand once.
    pub fn one(&self, name: &str, findings: &mut Findings) -> Option<&str> {
        let values = self.0.get(name)?;
        if values.len() > 1 {
            let message = format!("{name}: stands more than once.");
            findings.issues.add(Issue::query(IssueCode::DuplicateKey, name, message));
            return None;
        }
        let value = values.first().map(String::as_str)?;
        if value.contains('\0') {
            let message = format!("{name}: the character NUL cannot be stored.");
            findings.issues.add(Issue::query(IssueCode::InvalidCharacter, name, message));
            return None;
        }
        Some(value)
    }
}

fn decode(text: &str) -> Option<String> {
    let text = text.replace('+', " ");
    percent_decode(text.as_bytes()).decode_utf8().ok().map(std::borrow::Cow::into_owned)
}

/// A parameter as the documentation shows it.
#[derive(Clone, Copy)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    /// A value that it may have.
    pub example: &'static str,
}

/// Parameters as a type of their own.
pub trait FromQuery: Sized + Send {
    /// What the parameters are.
    const PARAMETERS: &'static [Parameter];
    /// The JSON Schema of one of them.
    fn schema(_name: &str) -> Value {
        json!({ "type": "string" })
    }
    /// Reads them.
    fn read(parameters: &Parameters, findings: &mut Findings) -> Self;
}

/// The parameters that `T` names.
pub struct Query<T>(pub T);

impl<T: FromQuery> Extract for Query<T> {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        for Parameter { name, description, example } in T::PARAMETERS {
            operation.takes_query(name, &T::schema(name), description, &(*example).into());
        }
    }

    fn extract(request: &Incoming, findings: &mut Findings) -> Option<Query<T>> {
        let parameters = parameters(request, findings)?;
        Some(Query(T::read(&parameters, findings)))
    }
}

/// The parameters of a request.
pub(crate) fn parameters(request: &Incoming, findings: &mut Findings) -> Option<Parameters> {
    let parsed = Parameters::parse(request.parts.uri.query().unwrap_or_default());
    if parsed.is_none() {
        let message = "The query string is not UTF-8.";
        // Each extractor that reads the query comes by here; the issue is listed once.
        let issue = Issue::query(IssueCode::InvalidCharacter, "", message);
        findings.issues.add(Issue { path: vec![], ..issue });
    }
    parsed
}

/// The value of a parameter that is true or false; false if it is not there.
pub fn flag(parameters: &Parameters, name: &str, findings: &mut Findings) -> bool {
    match parameters.one(name, findings) {
        Some("true" | "1") => true,
        Some("false" | "0") | None => false,
        Some(_) => {
            let message = format!("{name}: must be true, false, 1 or 0.");
            findings.issues.add(Issue::query(IssueCode::InvalidValue, name, message));
            false
        }
    }
}

/// The value of a parameter, as `read` reads it; `what` says what it must be.
pub(crate) fn one<T>(
    parameters: &Parameters,
    name: &str,
    what: &str,
    read: impl FnOnce(&str) -> Option<T>,
    findings: &mut Findings,
) -> Option<T> {
    // Another reader of the parameter reports that it occurs twice.
    let text = parameters.one(name, &mut Findings::default())?;
    let value = read(text);
    if value.is_none() {
        let message = format!("{name}: must be {what}.");
        findings.issues.add(Issue::query(IssueCode::InvalidValue, name, message));
    }
    value
}

/// The value of a parameter that is an instant.
pub(crate) fn instant(parameters: &Parameters, name: &str, findings: &mut Findings) -> Option<Timestamp> {
    one(parameters, name, "an instant, such as 2026-03-01T12:00:00Z", |text| text.parse().ok(), findings)
}

/// What a cursor is bound to: the filters of a list, names and values.
pub(crate) struct BoundFilters(Vec<(&'static str, String)>);

impl BoundFilters {
    /// These filters; the value of one that is not wanted is empty.
    pub(crate) fn of<const N: usize>(filters: [(&'static str, Option<String>); N]) -> BoundFilters {
        BoundFilters(filters.into_iter().map(|(name, value)| (name, value.unwrap_or_default())).collect())
    }

    /// What was sent for these parameters; empty for what was not. Reports those that occur twice.
    pub(crate) fn sent(
        names: &[&'static str],
        parameters: &Parameters,
        findings: &mut Findings,
    ) -> BoundFilters {
        let sent =
            |name: &&'static str| (*name, parameters.one(name, findings).unwrap_or_default().to_owned());
        BoundFilters(names.iter().map(sent).collect())
    }

    /// What was sent for a parameter, unless that is nothing.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let (_, text) = self.0.iter().find(|(known, text)| *known == name && !text.is_empty())?;
        Some(text.clone())
    }

    /// The filters, behind those that a path or another parameter gives.
    pub(crate) fn after<'a>(&'a self, others: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        others.iter().copied().chain(self.0.iter().map(|(name, value)| (*name, value.as_str()))).collect()
    }
}

/// Whether deleted things are wanted too.
pub struct IncludeDeleted(pub bool);

impl FromQuery for IncludeDeleted {
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "includeDeleted",
        description: "Whether deleted entries are listed too: `true` or `false`. Left out, they are not.",
        example: "true",
    }];

    fn read(parameters: &Parameters, findings: &mut Findings) -> IncludeDeleted {
        IncludeDeleted(flag(parameters, "includeDeleted", findings))
    }
}

/// Words to search for; without any, everything matches.
pub(crate) struct Search(pub text::Query);

impl FromQuery for Search {
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "query",
        description: "Words to search for, in any case and with or without accents. All of them must occur. At most 1,000 \
                      characters, of which the first 16 words count.",
        example: "spring",
    }];

    fn read(parameters: &Parameters, findings: &mut Findings) -> Search {
        let query = parameters.one("query", findings).unwrap_or_default();
        if query.chars().count() > MAX_SEARCH {
            let message = format!("query: must have at most {MAX_SEARCH} characters.");
            findings.issues.add(Issue::query(IssueCode::TooLong, "query", message));
        }
        Search(text::Query::parse(query))
    }
}

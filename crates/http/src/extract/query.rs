//! The query string.
//!
//! Unknown parameters are ignored; a known one that stands twice is refused, since two readers might take different ones. [`Paging`] is what
//! every collection takes.

use std::collections::HashMap;

use pagesmith_model::cursor::{Cursor, Scope, SortKey};
use pagesmith_model::{Error, Issue, IssueCode, Result};
use pagesmith_store::{Extent, ListPart};
use percent_encoding::percent_decode;
use serde::Serialize;

use crate::description::{Operation, Schemas};
use crate::extract::{Call, Extract, Findings, Incoming};
use crate::listing::Listing;
use crate::reply::Reply;

/// How many items an answer has if the caller does not say.
const DEFAULT_LIMIT: u16 = 20;
/// How many it may have at most.
const MAX_LIMIT: u16 = 100;
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
    /// Reads them.
    fn read(parameters: &Parameters, findings: &mut Findings) -> Self;
}

/// The parameters that `T` names.
pub struct Query<T>(pub T);

impl<T: FromQuery> Extract for Query<T> {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        for Parameter { name, description, example } in T::PARAMETERS {
            operation.takes_query(name, "string", description, &(*example).into());
        }
    }

    fn extract(request: &Incoming, findings: &mut Findings) -> Option<Query<T>> {
        let parameters = parameters(request, findings)?;
        Some(Query(T::read(&parameters, findings)))
    }
}

fn parameters(request: &Incoming, findings: &mut Findings) -> Option<Parameters> {
    let parsed = Parameters::parse(request.parts.uri.query().unwrap_or_default());
    if parsed.is_none() {
        let message = "The query string is not UTF-8.";
        // Each extractor that reads the query comes by here; the issue is listed once.
        let issue = Issue::query(IssueCode::InvalidCharacter, "", message);
        findings.issues.add(Issue { path: vec![], ..issue });
    }
    parsed
}

/// Where a caller is in a collection, and how much it wants.
pub struct Paging {
    limit: u16,
    /// Whether the caller said how many.
    is_limited: bool,
    cursor: Option<String>,
    /// How many bytes the items may take.
    most_bytes: usize,
}

impl Paging {
    /// The same, with another number of items if the caller did not say how many.
    #[must_use]
    pub fn or_all(self, most: usize) -> Paging {
        let most = u16::try_from(most).unwrap_or(u16::MAX);
        Paging { limit: if self.is_limited { self.limit } else { most }, ..self }
    }

    /// How much to read.
    pub fn extent(&self) -> Extent {
        Extent { items: usize::from(self.limit), bytes: self.most_bytes }
    }

    /// How many bytes the items may take.
    pub(crate) fn most_bytes(&self) -> usize {
        self.most_bytes
    }

    /// The position that the cursor names, as `read` makes it out; a cursor of another scope is refused, and one whose
    /// parts are none of this collection's: a cursor is no secret, anyone can write one.
    pub fn position<T>(
        &self,
        scope: &Scope,
        read: impl FnOnce(&[SortKey]) -> Option<T>,
    ) -> Result<Option<T>> {
        let Some(cursor) = &self.cursor else { return Ok(None) };
        let position = Cursor::decode(scope, cursor).and_then(|parts| read(&parts));
        position.map(Some).ok_or_else(|| Error::invalid(invalid_cursor()))
    }

    /// The answer with a part that was read: as many of its items as fit, and the cursor behind the last of them. `around` makes what
    /// is around the items.
    pub(crate) async fn answer<C, T, V>(
        self,
        call: &Call,
        part: ListPart<T>,
        scope: Scope,
        position: impl Fn(&T) -> Vec<SortKey> + Send + 'static,
        view: impl FnMut(T) -> Result<V> + Send + 'static,
        around: impl FnOnce(Option<String>) -> C + Send + 'static,
    ) -> Result<Reply<C>>
    where
        C: Serialize + 'static,
        T: Send + 'static,
        V: Serialize,
    {
        let (most, bytes) = (self.most_bytes, part.bytes);
        let reservation = call.share().reserve(bytes)?;
        let parts = call.write(bytes, move || {
            let listing = Listing::of(part.items, bytes, most, position, view)?;
            let last = listing.positions.last().filter(|_| part.more || listing.is_cut);
            let next = last.map(|last| Cursor::encode(&scope, last));
            listing.within(&around(next), reservation)
        });
        parts.await.map(Reply::in_parts)
    }
}

impl Extract for Paging {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        let cursor = "`nextCursor` of the answer before. Left out, the list begins with its first item.";
        operation.takes_query("cursor", "string", cursor, &"eyJwYWdlcyI6IjAxanBieiJ9".into());
        let limit = "How many items the answer has at most: 1 to 100, and 20 if left out.";
        operation.takes_query("limit", "number", limit, &20.into());
    }

    fn extract(request: &Incoming, findings: &mut Findings) -> Option<Paging> {
        let parameters = parameters(request, findings)?;
        let limit = parameters.one("limit", findings).map(|text| {
            let limit = text.parse().ok().filter(|limit| (1..=MAX_LIMIT).contains(limit));
            // The standard parser takes a plus sign, JSON numbers have none.
            limit.filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
        });
        let is_limited = limit.is_some();
        let limit = limit.unwrap_or(Some(DEFAULT_LIMIT));
        if limit.is_none() {
            let message = format!("limit: must be an integer from 1 to {MAX_LIMIT}.");
            findings.issues.add(Issue::query(IssueCode::InvalidValue, "limit", message));
        }
        let cursor = parameters.one("cursor", findings).map(str::to_owned);
        // Told beside whatever else is wrong; whose cursor it is shows when the filters are known.
        if cursor.as_deref().is_some_and(|cursor| !Cursor::is_one(cursor)) {
            findings.issues.add(invalid_cursor());
        }
        let most_bytes = request.state.settings.longest_answer;
        Some(Paging { limit: limit?, is_limited, cursor, most_bytes })
    }
}

fn invalid_cursor() -> Issue {
    let message = "cursor: is broken, or belongs to another collection or filter.";
    Issue::query(IssueCode::InvalidCursor, "cursor", message)
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
pub struct Search {
    /// The text as it was sent.
    pub query: String,
}

impl FromQuery for Search {
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "query",
        description: "Words to search for, in any case and with or without accents. All of them must occur. At most 1,000 \
                      characters, of which the first 16 words count.",
        example: "spring",
    }];

    fn read(parameters: &Parameters, findings: &mut Findings) -> Search {
        let query = parameters.one("query", findings).unwrap_or_default().to_owned();
        if query.chars().count() > MAX_SEARCH {
            let message = format!("query: must have at most {MAX_SEARCH} characters.");
            findings.issues.add(Issue::query(IssueCode::TooLong, "query", message));
        }
        Search { query }
    }
}

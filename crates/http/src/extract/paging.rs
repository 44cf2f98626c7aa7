//! Paging: `cursor` and `limit` of a list request, and the part of the collection that answers it.
//!
//! A list handler gets a `ListRequest` from `Paging::keyset` or `Paging::ranked`, reads within its bounds, and lets it answer.
//! Invariant: the next cursor is the position of the last item that is sent, so that no item is skipped.

mod position;
mod reading;

use pagesmith_model::cursor::{Cursor, Scope};
use pagesmith_model::list_order::{ListOrder, OrderedPlace};
use pagesmith_model::{Error, Issue, IssueCode, Result};
use pagesmith_store::{Extent, ListPart};
use serde::Serialize;
use serde_json::json;

use crate::collection::Collection;
use crate::description::{Operation, Schemas};
use crate::extract::query::parameters;
use crate::extract::{Call, Extract, Findings, Incoming};
use crate::listing::{Listing, json_of};
use crate::reply::Reply;

pub(crate) use position::Position;

/// How many items an answer has if the caller does not say.
const DEFAULT_LIMIT: u16 = 20;
/// How many it may have at most.
const MAX_LIMIT: u16 = 100;

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

    /// A request for a part of the collection of this name with these filters, names and values. A cursor of
    /// another collection, tenant or filter is refused, and so is one whose keys are not a `P`: a cursor is no
    /// secret, and anybody can write one.
    pub(crate) fn keyset<P: Position>(
        self,
        call: &Call,
        collection: &str,
        filters: &[(&str, &str)],
    ) -> Result<ListRequest<P>> {
        let scope = Scope::new(collection, call.ctx.tenant.as_str(), filters);
        let after = match &self.cursor {
            Some(cursor) => {
                let position = Cursor::decode(&scope, cursor).and_then(|keys| P::from_keys(&keys));
                Some(position.ok_or_else(|| Error::invalid(invalid_cursor()))?)
            }
            None => None,
        };
        let extent = Extent { items: usize::from(self.limit), bytes: self.most_bytes };
        Ok(ListRequest { scope, after, extent })
    }

    /// The same in an order, or in the list's own if there is none: a cursor of another one is refused as well.
    pub(crate) fn ordered<P: Position>(
        self,
        call: &Call,
        collection: &str,
        filters: &[(&str, &str)],
        order: Option<ListOrder>,
    ) -> Result<ListRequest<OrderedPlace<P>>> {
        let order_text = order.map(ListOrder::text);
        let sort = order_text.as_deref().map(|text| ("sort", text));
        let filters: Vec<_> = filters.iter().copied().chain(sort).collect();
        let list: ListRequest<OrderedPlace<P>> = self.keyset(call, collection, &filters)?;
        let has = |place: &OrderedPlace<P>| order.map_or(place.key.is_none(), |order| order.has(place));
        if list.after.as_ref().is_none_or(has) { Ok(list) } else { Err(Error::invalid(invalid_cursor())) }
    }

    /// The same for the matches of a search, best first: `P` sorts the matches of one rank.
    pub(crate) fn ranked<P: Position>(
        self,
        call: &Call,
        collection: &str,
        filters: &[(&str, &str)],
    ) -> Result<ListRequest<(i64, P)>> {
        self.keyset(call, collection, filters)
    }
}

/// A flag as the value of a filter.
pub(crate) fn flag_value(flag: bool) -> &'static str {
    if flag { "1" } else { "0" }
}

/// A request for a part of one collection.
pub(crate) struct ListRequest<P> {
    scope: Scope,
    after: Option<P>,
    extent: Extent,
}

/// What was written of a part.
pub(crate) struct WrittenPart<'a, P> {
    scope: &'a Scope,
    /// The positions of the items, in order.
    pub positions: &'a [P],
    /// Whether more items follow.
    pub has_more: bool,
}

impl<P: Position> WrittenPart<'_, P> {
    /// The cursor that continues after a position.
    pub(crate) fn cursor(&self, position: &P) -> String {
        Cursor::encode(self.scope, &position.keys())
    }
}

impl<P: Position> ListRequest<P> {
    /// After which position to read, and how much.
    pub(crate) fn bounds(&self) -> (Option<P>, Extent) {
        (self.after.clone(), self.extent)
    }

    /// The answer with a part and the number of items in the whole collection: as many items as fit.
    pub(crate) async fn answer<T, V, Total>(
        self,
        call: &Call,
        found: (ListPart<T>, Total),
        position: impl Fn(&T) -> P + Send + 'static,
        mut view: impl FnMut(T) -> V + Send + 'static,
    ) -> Result<Reply<Collection<V, Total>>>
    where
        T: Send + 'static,
        V: Serialize + 'static,
        Total: Serialize + Send + 'static,
    {
        self.try_answer(call, found, position, move |item| Ok(view(item))).await
    }

    /// The same where making an item can fail.
    pub(crate) async fn try_answer<T, V, Total>(
        self,
        call: &Call,
        (part, total): (ListPart<T>, Total),
        position: impl Fn(&T) -> P + Send + 'static,
        view: impl FnMut(T) -> Result<V> + Send + 'static,
    ) -> Result<Reply<Collection<V, Total>>>
    where
        T: Send + 'static,
        V: Serialize + 'static,
        Total: Serialize + Send + 'static,
    {
        self.answer_written(call, (part, total), position, json_of(view)).await
    }

    /// The same where `write` appends the JSON of an item.
    pub(crate) async fn answer_written<T, V, Total>(
        self,
        call: &Call,
        (part, total): (ListPart<T>, Total),
        position: impl Fn(&T) -> P + Send + 'static,
        write: impl FnMut(&mut Vec<u8>, T) -> Result<()> + Send + 'static,
    ) -> Result<Reply<Collection<V, Total>>>
    where
        T: Send + 'static,
        V: Serialize + 'static,
        Total: Serialize + Send + 'static,
    {
        let envelope = move |written: &WrittenPart<'_, P>| {
            let last = written.positions.last().filter(|_| written.has_more);
            Collection::<V, Total>::without_items(last.map(|last| written.cursor(last)), total)
        };
        self.answer_within(call, part, position, write, envelope).await
    }

    /// The same where the collection is of another type: `envelope` makes everything but its items.
    pub(crate) async fn answer_within<T, C>(
        self,
        call: &Call,
        part: ListPart<T>,
        position: impl Fn(&T) -> P + Send + 'static,
        write: impl FnMut(&mut Vec<u8>, T) -> Result<()> + Send + 'static,
        envelope: impl FnOnce(&WrittenPart<'_, P>) -> C + Send + 'static,
    ) -> Result<Reply<C>>
    where
        T: Send + 'static,
        C: Serialize + 'static,
    {
        let (most, bytes, scope) = (self.extent.bytes, part.bytes, self.scope);
        let reservation = call.share().reserve(bytes)?;
        let body = call.write(bytes, move || {
            let listing = Listing::of(part.items, bytes, most, position, write)?;
            let has_more = part.more || listing.is_cut;
            let written = WrittenPart { scope: &scope, positions: &listing.positions, has_more };
            let envelope = envelope(&written);
            listing.within(&envelope, reservation)
        });
        body.await.map(Reply::in_parts)
    }
}

impl Extract for Paging {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        let cursor = "`nextCursor` of the answer before. Left out, the list begins with its first item.";
        operation.takes_query(
            "cursor",
            &json!({ "type": "string" }),
            cursor,
            &"eyJwYWdlcyI6IjAxanBieiJ9".into(),
        );
        let limit = "How many items the answer has at most: 1 to 100, and 20 if left out.";
        operation.takes_query("limit", &json!({ "type": "number" }), limit, &20.into());
    }

    fn extract(request: &Incoming, findings: &mut Findings) -> Option<Paging> {
        let parameters = parameters(request, findings)?;
        let limit = parameters.one("limit", findings).map(limit_of);
        let is_limited = limit.is_some();
        let limit = limit.unwrap_or(Ok(DEFAULT_LIMIT)).map_err(|code| {
            let message = format!("limit: must be an integer from 1 to {MAX_LIMIT}.");
            findings.issues.add(Issue::query(code, "limit", message));
        });
        let cursor = parameters.one("cursor", findings).map(str::to_owned);
        // A broken cursor is reported with all other issues; to which collection it belongs is checked later.
        if cursor.as_deref().is_some_and(|cursor| !Cursor::is_one(cursor)) {
            findings.issues.add(invalid_cursor());
        }
        let most_bytes = request.state.settings.longest_answer;
        Some(Paging { limit: limit.ok()?, is_limited, cursor, most_bytes })
    }
}

/// The limit of that text, or what is wrong with it.
fn limit_of(text: &str) -> std::result::Result<u16, IssueCode> {
    // The standard parser takes a plus sign, JSON numbers have none.
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(IssueCode::InvalidType);
    }
    if digits.len() < text.len() || digits.bytes().all(|byte| byte == b'0') {
        return Err(IssueCode::TooSmall);
    }
    text.parse().ok().filter(|limit| *limit <= MAX_LIMIT).ok_or(IssueCode::TooBig)
}

fn invalid_cursor() -> Issue {
    let message = "cursor: is broken, or belongs to another collection or filter.";
    Issue::query(IssueCode::InvalidCursor, "cursor", message)
}

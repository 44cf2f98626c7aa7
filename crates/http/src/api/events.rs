//! Events for those who would rather ask than be told: the very bodies that webhooks carry, oldest first.
//!
//! A cursor never ends: at the end of what there is it names the position where new events will appear. It passes nothing that something could
//! still come before, even where that is shown.

use pagesmith_endpoint::endpoint;
use pagesmith_model::example::example;
use pagesmith_model::json::JsonText;
use pagesmith_model::webhook::EventType;
use pagesmith_model::{EventId, Result, Timestamp};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::webhooks::history::{self as operations, Happened, first_of};
use pagesmith_store::tables::events::Event;
use pagesmith_store::{Extent, Tx};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::extract::paging::WrittenPart;
use crate::extract::query::{FromQuery, Parameter, Parameters, flag, instant, one};
use crate::extract::{Call, Findings, Paging, Path, Query};
use crate::listing::json_of;
use crate::reply::Reply;

/// Which events are wanted.
pub(crate) struct EventFilter {
    kind: Option<EventType>,
    since: Option<Timestamp>,
    is_live: bool,
}

impl EventFilter {
    /// The type to which a cursor is bound; empty if all are wanted.
    fn type_text(&self) -> &'static str {
        self.kind.map_or("", EventType::as_str)
    }

    /// Reads the wanted events behind one.
    async fn read(self, call: &Call, after: EventId, extent: Extent) -> Result<Happened> {
        call.read(move |tx, ctx| operations::events(tx, ctx, Some(&after), self.kind, self.is_live, extent))
            .await
    }

    /// Behind which event the wanted ones are, if no cursor says so.
    fn beginning(&self) -> EventId {
        first_of(self.since.unwrap_or(Timestamp::from_micros(0)))
    }
}

impl FromQuery for EventFilter {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "type",
            description: "Only events of this type.",
            example: "page.version.published",
        },
        Parameter {
            name: "since",
            description: "Only events at or after this instant. A `cursor` takes precedence.",
            example: "2026-03-20T00:00:00Z",
        },
        Parameter {
            name: "live",
            description: "Whether events are listed too that are so recent that others may still come before them: `true` or \
                          `false`. They are listed again until that is over.",
            example: "true",
        },
    ];

    fn read(parameters: &Parameters, findings: &mut Findings) -> EventFilter {
        for name in ["type", "since"] {
            parameters.one(name, findings);
        }
        EventFilter {
            kind: one(parameters, "type", "the type of an event", EventType::parse, findings),
            since: instant(parameters, "since", findings),
            is_live: flag(parameters, "live", findings),
        }
    }
}

/// An event, as it is delivered.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct EventView(JsonText);

/// An event, as webhooks deliver it.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Event")]
#[expect(dead_code, reason = "only described")]
#[schemars(example = json!({
    "timestamp": "2026-03-20T09:30:24.310Z",
    "eventId": "event_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "payload": {
        "type": "page.version.published",
        "pageId": "page_01jpbz8n4xf5k9w2d7hq3mv6ta",
        "versionId": "version_01jpbz8n4xf5k9w2d7hq3mv6ta",
        "publishedAt": "2026-03-20T09:30:24.310Z",
    },
}))]
struct EventShape {
    /// When the event happened.
    timestamp: Timestamp,
    /// Id of the event. It is the same in every attempt to deliver it.
    event_id: String,
    /// What happened. The first field is `type`.
    payload: serde_json::Map<String, serde_json::Value>,
}

impl JsonSchema for EventView {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        EventShape::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        EventShape::json_schema(generator)
    }
}

/// A part of the list of events.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
#[schemars(example = json!({
    "items": [example::<EventShape>()],
    "hasMore": false,
    "nextCursor": "eyJldmVudHMiOiIwMWpwYnoifQ",
    "totalCount": null,
}))]
pub(crate) struct EventCollection {
    /// Events of this part, oldest first.
    items: Vec<EventView>,
    /// Whether the next part can be had at once.
    has_more: bool,
    /// Cursor for the events that come after. It is never null.
    next_cursor: String,
    /// Always null: events are not counted.
    total_count: Option<u64>,
}

impl EventCollection {
    /// A part without its items, of which so many are settled, read behind an event.
    fn without_items(written: &WrittenPart<'_, EventId>, settled: usize, after: &EventId) -> EventCollection {
        EventCollection {
            items: vec![],
            // An immediate request for the next part would get the unsettled events again.
            has_more: written.has_more && settled >= written.positions.len(),
            next_cursor: written.cursor(written.positions.iter().take(settled).next_back().unwrap_or(after)),
            total_count: None,
        }
    }
}

/// Lists the events of the tenant, oldest first.
///
/// The items are the bodies that webhooks deliver. `nextCursor` is never `null`: store it, and pass it
/// later to get what has happened since; nothing is left out and nothing repeated. On PostgreSQL an event
/// appears half a minute after it happened, so that none that was committed late is missed. With `live`,
/// younger events are listed too; they come again until that time has passed, and are recognised by their
/// `eventId`. Events are kept for 30 days and are not counted.
#[endpoint]
pub(crate) async fn list_events(
    call: Call,
    paging: Paging,
    Query(filter): Query<EventFilter>,
) -> Result<Reply<EventCollection>> {
    let list = paging.keyset(&call, "events", &[("type", filter.type_text())])?;
    let (after, extent) = list.bounds();
    let after = after.unwrap_or_else(|| filter.beginning());
    let Happened { events, settled } = filter.read(&call, after.clone(), extent).await?;
    let position = |event: &Event| event.event_id.clone();
    let write = json_of(|event: Event| Ok(EventView(event.body)));
    let envelope =
        move |written: &WrittenPart<'_, EventId>| EventCollection::without_items(written, settled, &after);
    list.answer_within(&call, events, position, write, envelope).await
}

/// Returns an event, with the very body that webhooks deliver.
///
/// A delivery names its event by `eventId`. Events are kept for 30 days; those of tests can be had as well, though no
/// list has them.
#[endpoint]
pub(crate) async fn get_event(call: Call, Path(event_id): Path<EventId>) -> Result<Reply<EventView>> {
    let read = move |tx: &mut Tx<'_>, ctx: &TenantContext| operations::event(tx, ctx, &event_id);
    Reply::of(&EventView(call.read(read).await?.body))
}

//! What happened with a person or an account, in one list. Ours, beyond the contract.

use pagesmith_endpoint::endpoint;
use pagesmith_model::json::JsonText;
use pagesmith_model::{AccountId, AudienceId, Error, PageId, PersonId, Result, Timestamp};
use pagesmith_operations::logs::activity::ActivityPosition;
use pagesmith_operations::timeline::{self, Happening};
use pagesmith_store::ListPart;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::collection::{Collection, CollectionItem};
use crate::extract::paging::ListRequest;
use crate::extract::{Call, Paging, Path};
use crate::reply::Reply;

/// What kind of thing happened.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum EntryType {
    Log,
    Visit,
    Page,
    Submission,
}

/// Something that happened with a person or an account.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TimelineEntry", deny_unknown_fields)]
#[schemars(example = json!({
    "entryType": "visit",
    "entryId": "session_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "at": "2026-03-20T09:30:00.000Z",
    "source": null,
    "type": null,
    "payload": null,
    "pageId": "page_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "audienceId": "audience_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "personId": null,
    "personName": null,
}))]
pub(crate) struct TimelineEntryView {
    /// What happened: an entry of a log, a visit, a page that was made for the person or the account, or a submission of a form.
    entry_type: EntryType,
    /// Id of the log entry, the session, the audience or the submission.
    entry_id: String,
    /// When.
    at: Timestamp,
    /// Source of a log entry.
    source: Option<String>,
    /// Type of a log entry; the form of a submission.
    r#type: Option<String>,
    /// Payload of a log entry; input of a submission.
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    payload: Option<JsonText>,
    /// Page, unless it is a log entry.
    page_id: Option<PageId>,
    /// Audience, unless it is a log entry.
    audience_id: Option<AudienceId>,
    /// In what happened with an account: the person from whose log an entry is.
    person_id: Option<PersonId>,
    /// Name of that person.
    person_name: Option<String>,
}

impl CollectionItem for TimelineEntryView {
    const COLLECTION: &str = "A part of what happened. `totalCount` is always null.";
}

impl From<Happening> for TimelineEntryView {
    fn from(happening: Happening) -> TimelineEntryView {
        let blank = |entry_type, entry_id, at| TimelineEntryView {
            entry_type,
            entry_id,
            at,
            source: None,
            r#type: None,
            payload: None,
            page_id: None,
            audience_id: None,
            person_id: None,
            person_name: None,
        };
        match happening {
            Happening::PersonLog(name, log) => TimelineEntryView {
                source: Some(log.entry.source),
                r#type: Some(log.entry.kind),
                payload: Some(log.entry.payload),
                person_id: name.is_some().then_some(log.owner_id),
                person_name: name,
                ..blank(EntryType::Log, log.log_id.into_string(), log.entry.created_at)
            },
            Happening::AccountLog(log) => TimelineEntryView {
                source: Some(log.entry.source),
                r#type: Some(log.entry.kind),
                payload: Some(log.entry.payload),
                ..blank(EntryType::Log, log.log_id.into_string(), log.entry.created_at)
            },
            Happening::Visit(session) => TimelineEntryView {
                page_id: Some(session.page_id),
                audience_id: Some(session.audience_id),
                ..blank(EntryType::Visit, session.session_id.into_string(), session.started_at)
            },
            Happening::Page(made) => TimelineEntryView {
                page_id: Some(made.page_id),
                audience_id: Some(made.audience_id.clone()),
                ..blank(EntryType::Page, made.audience_id.into_string(), made.created_at)
            },
            Happening::Submission(sent) => TimelineEntryView {
                r#type: Some(sent.form_id),
                payload: Some(sent.input),
                page_id: Some(sent.page_id),
                audience_id: Some(sent.audience_id),
                ..blank(EntryType::Submission, sent.submission_id.into_string(), sent.submitted_at)
            },
        }
    }
}

/// Lists the timeline of a person, newest first.
///
/// Entries of its log, visits that are known to be its own, pages that were made for it, and what it has sent with forms. Deleted entries of the log are left out.
/// `totalCount` is null.
#[endpoint]
pub(crate) async fn list_person_timeline(
    call: Call,
    Path(person_id): Path<PersonId>,
    paging: Paging,
) -> Result<Reply<Collection<TimelineEntryView, Option<u64>>>> {
    let list =
        paging.keyset::<ActivityPosition>(&call, "person timeline", &[("person", person_id.as_str())])?;
    let found = list
        .read(&call, move |tx, ctx, after, extent| timeline::of_person(tx, ctx, &person_id, after, extent))
        .await?;
    answer(&call, list, found).await
}

/// Lists the timeline of an account, newest first.
///
/// Entries of its log and of the logs of its persons, pages that were made for it, and visits to the 20 of them that were made last. Deleted entries
/// of logs and visits that are not counted are left out. `totalCount` is null.
#[endpoint]
pub(crate) async fn list_account_timeline(
    call: Call,
    Path(account_id): Path<AccountId>,
    paging: Paging,
) -> Result<Reply<Collection<TimelineEntryView, Option<u64>>>> {
    let list = paging.keyset(&call, "account timeline", &[("account", account_id.as_str())])?;
    let found = list
        .read(&call, move |tx, ctx, after, extent| timeline::of_account(tx, ctx, &account_id, after, extent))
        .await?;
    answer(&call, list, found).await
}

async fn answer(
    call: &Call,
    list: ListRequest<ActivityPosition>,
    found: ListPart<Happening>,
) -> Result<Reply<Collection<TimelineEntryView, Option<u64>>>> {
    // Every id has digits that are a position; one that had none would begin the list again.
    let mut positions = Vec::with_capacity(found.items.len());
    for happening in &found.items {
        positions.push(happening.position().ok_or_else(|| Error::internal("an id without digits"))?);
    }
    let items = found.items.into_iter().zip(positions).collect();
    let part = ListPart { items, more: found.more, bytes: found.bytes };
    let position = |(_, position): &(Happening, ActivityPosition)| position.clone();
    list.answer(call, (part, None), position, |(happening, _)| TimelineEntryView::from(happening)).await
}

//! Entries of logs as answers show them.

use pagesmith_model::json::JsonText;
use pagesmith_model::log::label::LogLabel;
use pagesmith_model::log::{AccountLog, Entry, PersonLog};
use pagesmith_model::{AccountId, AccountLogId, PersonId, PersonLogId, Timestamp};
use pagesmith_operations::logs::Written;
use pagesmith_operations::logs::activity::Activity;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::collection::CollectionItem;

/// The log entry that was created.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
#[schemars(example = json!({
    "personId": "person_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "personLogId": "personlog_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "createdAt": "2026-03-20T09:30:00.000Z",
    "createdPerson": true,
    "source": "crm",
    "type": "demo-booked",
}))]
pub(crate) struct PersonLogCreated {
    /// Id of the person that the entry is about.
    #[schemars(length(min = 1))]
    person_id: PersonId,
    /// Id of the entry.
    #[schemars(length(min = 1))]
    person_log_id: PersonLogId,
    /// When the entry was created.
    created_at: Timestamp,
    /// Whether the person was created with the entry.
    created_person: bool,
    /// System that the entry comes from.
    #[schemars(with = "LogLabel")]
    source: String,
    /// What happened.
    #[schemars(with = "LogLabel")]
    r#type: String,
}

impl From<(Written<PersonId>, bool)> for PersonLogCreated {
    fn from((written, created_person): (Written<PersonId>, bool)) -> PersonLogCreated {
        PersonLogCreated {
            person_id: written.owner_id,
            person_log_id: written.log_id,
            created_at: written.created_at,
            created_person,
            source: written.source,
            r#type: written.kind,
        }
    }
}

/// The log entry that was created.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
#[schemars(example = json!({
    "accountId": "account_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "accountLogId": "accountlog_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "createdAt": "2026-03-20T09:30:00.000Z",
    "source": "crm",
    "type": "contract-renewed",
}))]
pub(crate) struct AccountLogCreated {
    /// Id of the account that the entry is about.
    #[schemars(length(min = 1), regex(pattern = "^account_[a-z0-9]{26}$"))]
    account_id: AccountId,
    /// Id of the entry.
    #[schemars(length(min = 1))]
    account_log_id: AccountLogId,
    /// When the entry was created.
    created_at: Timestamp,
    /// System that the entry comes from.
    #[schemars(with = "LogLabel")]
    source: String,
    /// What happened.
    #[schemars(with = "LogLabel")]
    r#type: String,
}

impl From<Written<AccountId>> for AccountLogCreated {
    fn from(written: Written<AccountId>) -> AccountLogCreated {
        AccountLogCreated {
            account_id: written.owner_id,
            account_log_id: written.log_id,
            created_at: written.created_at,
            source: written.source,
            r#type: written.kind,
        }
    }
}

/// What every entry shows.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EntryView {
    /// System that the entry comes from.
    #[schemars(with = "LogLabel")]
    source: String,
    /// What happened.
    #[schemars(with = "LogLabel")]
    r#type: String,
    /// Details, exactly as they were sent.
    #[schemars(with = "Map<String, Value>")]
    payload: JsonText,
    /// Idempotency key of the entry, if it was created with one.
    #[schemars(length(min = 1, max = 255))]
    idempotency_key: Option<String>,
    /// When the entry was created.
    created_at: Timestamp,
    /// When the text of the note was changed.
    updated_at: Option<Timestamp>,
    /// When the entry was deleted.
    deleted_at: Option<Timestamp>,
}

/// The example of an entry that has these fields before those of every entry.
fn entry_example(mut example: Value) -> Value {
    let entry = json!({
        "source": "crm",
        "type": "demo-booked",
        "payload": { "text": "Wants to see forecasts.", "seats": 25 },
        "idempotencyKey": "crm-4711",
        "createdAt": "2026-03-20T09:30:00.000Z",
        "updatedAt": null,
        "deletedAt": null,
    });
    if let (Value::Object(example), Value::Object(entry)) = (&mut example, entry) {
        example.extend(entry);
    }
    example
}

impl From<Entry> for EntryView {
    fn from(entry: Entry) -> EntryView {
        EntryView {
            source: entry.source,
            r#type: entry.kind,
            payload: entry.payload,
            idempotency_key: entry.idempotency_key,
            created_at: entry.created_at,
            updated_at: entry.updated_at,
            deleted_at: entry.deleted_at,
        }
    }
}

/// A log entry of a person.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PersonLog", deny_unknown_fields)]
#[schemars(example = entry_example(json!({
    "personId": "person_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "personLogId": "personlog_01jpbz8n4xf5k9w2d7hq3mv6ta",
})))]
pub(crate) struct PersonLogView {
    /// Id of the person.
    #[schemars(length(min = 1))]
    person_id: PersonId,
    /// Id of the entry.
    #[schemars(length(min = 1))]
    person_log_id: PersonLogId,
    #[serde(flatten)]
    entry: EntryView,
}

impl From<PersonLog> for PersonLogView {
    fn from(log: PersonLog) -> PersonLogView {
        PersonLogView {
            person_id: log.owner_id,
            person_log_id: log.log_id,
            entry: EntryView::from(log.entry),
        }
    }
}

/// A log entry of an account.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AccountLog", deny_unknown_fields)]
#[schemars(example = entry_example(json!({
    "accountId": "account_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "accountLogId": "accountlog_01jpbz8n4xf5k9w2d7hq3mv6ta",
})))]
pub(crate) struct AccountLogView {
    /// Id of the account.
    #[schemars(length(min = 1), regex(pattern = "^account_[a-z0-9]{26}$"))]
    account_id: AccountId,
    /// Id of the entry.
    #[schemars(length(min = 1))]
    account_log_id: AccountLogId,
    #[serde(flatten)]
    entry: EntryView,
}

impl From<AccountLog> for AccountLogView {
    fn from(log: AccountLog) -> AccountLogView {
        AccountLogView {
            account_id: log.owner_id,
            account_log_id: log.log_id,
            entry: EntryView::from(log.entry),
        }
    }
}

/// Whom something happened to.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum ActivityType {
    /// The account.
    AccountLogEntry,
    /// A person of it.
    PersonLogEntry,
}

/// Something that happened to an account or to one of its persons.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AccountActivity", deny_unknown_fields, inline)]
#[schemars(example = entry_example(json!({
    "activityId": "personlog_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "activityType": "person-log-entry",
    "accountId": "account_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "accountLogId": null,
    "personId": "person_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "personLogId": "personlog_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "personName": "Ada Lovelace",
})))]
pub(crate) struct ActivityView {
    /// Id of the log entry.
    #[schemars(length(min = 1))]
    activity_id: String,
    /// Whether the entry is in the log of the account or of a person.
    activity_type: ActivityType,
    /// Id of the account.
    #[schemars(length(min = 1), regex(pattern = "^account_[a-z0-9]{26}$"))]
    account_id: AccountId,
    /// Id of the entry, if it is in the account's log.
    #[schemars(length(min = 1))]
    account_log_id: Option<String>,
    /// Id of the person, if the entry is in a person's log.
    #[schemars(length(min = 1))]
    person_id: Option<String>,
    /// Id of the entry, if it is in a person's log.
    #[schemars(length(min = 1))]
    person_log_id: Option<String>,
    /// Name of that person.
    person_name: Option<String>,
    #[serde(flatten)]
    entry: EntryView,
}

impl ActivityView {
    pub(crate) fn new(account_id: &AccountId, activity: Activity) -> ActivityView {
        match activity {
            Activity::Account(log) => ActivityView {
                activity_id: log.log_id.to_string(),
                activity_type: ActivityType::AccountLogEntry,
                account_id: account_id.clone(),
                account_log_id: Some(log.log_id.into_string()),
                person_id: None,
                person_log_id: None,
                person_name: None,
                entry: EntryView::from(log.entry),
            },
            Activity::Person(name, log) => ActivityView {
                activity_id: log.log_id.to_string(),
                activity_type: ActivityType::PersonLogEntry,
                account_id: account_id.clone(),
                account_log_id: None,
                person_id: Some(log.owner_id.into_string()),
                person_log_id: Some(log.log_id.into_string()),
                person_name: Some(name),
                entry: EntryView::from(log.entry),
            },
        }
    }
}

impl CollectionItem for PersonLogView {
    const COLLECTION: &str = "A part of the list of a person's log entries.";
}

impl CollectionItem for AccountLogView {
    const COLLECTION: &str = "A part of the list of an account's log entries.";
}

impl CollectionItem for ActivityView {
    const COLLECTION: &str = "A part of the activity of an account.";
}

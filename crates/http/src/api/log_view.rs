//! Entries of logs as answers show them.

use pagesmith_model::json::JsonText;
use pagesmith_model::log::{AccountLog, Entry, PersonLog};
use pagesmith_model::log_label::LogLabel;
use pagesmith_model::{AccountId, AccountLogId, PersonId, PersonLogId, Timestamp};
use pagesmith_operations::logs::Written;
use pagesmith_operations::logs::activity::Activity;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::api::collection::collection;

/// What changing something answers that has nothing to show.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct Success {
    /// Always true.
    pub(crate) success: bool,
}

/// Of any change.
pub(crate) const DONE: Success = Success { success: true };

/// What writing an entry of a person's log answers.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub(crate) struct PersonLogCreated {
    /// The entry's person.
    #[schemars(length(min = 1))]
    person_id: PersonId,
    /// The entry.
    #[schemars(length(min = 1))]
    person_log_id: PersonLogId,
    /// When it was written.
    created_at: Timestamp,
    /// Whether the person was made for it.
    created_person: bool,
    /// Where it comes from.
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

/// What writing an entry of an account's log answers.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub(crate) struct AccountLogCreated {
    /// The entry's account.
    #[schemars(length(min = 1), regex(pattern = "^account_[a-z0-9]{26}$"))]
    account_id: AccountId,
    /// The entry.
    #[schemars(length(min = 1))]
    account_log_id: AccountLogId,
    /// When it was written.
    created_at: Timestamp,
    /// Where it comes from.
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
    /// Where it comes from.
    #[schemars(with = "LogLabel")]
    source: String,
    /// What happened.
    #[schemars(with = "LogLabel")]
    r#type: String,
    /// What was sent with it, exactly so.
    #[schemars(with = "Map<String, Value>")]
    payload: JsonText,
    /// The caller's name for it.
    #[schemars(length(min = 1, max = 255))]
    idempotency_key: Option<String>,
    /// When it was written.
    created_at: Timestamp,
    /// When its text was changed.
    updated_at: Option<Timestamp>,
    /// When it was deleted.
    deleted_at: Option<Timestamp>,
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

/// An entry of a person's log.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PersonLog", deny_unknown_fields)]
pub(crate) struct PersonLogView {
    /// Whose.
    #[schemars(length(min = 1))]
    person_id: PersonId,
    /// Its id.
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

/// An entry of an account's log.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AccountLog", deny_unknown_fields)]
pub(crate) struct AccountLogView {
    /// Whose.
    #[schemars(length(min = 1), regex(pattern = "^account_[a-z0-9]{26}$"))]
    account_id: AccountId,
    /// Its id.
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

/// Something that happened to an account or one of its persons.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, inline)]
pub(crate) struct ActivityView {
    /// The id of the entry.
    #[schemars(length(min = 1))]
    activity_id: String,
    /// Whom it happened to.
    activity_type: ActivityType,
    /// The account.
    #[schemars(length(min = 1), regex(pattern = "^account_[a-z0-9]{26}$"))]
    account_id: AccountId,
    /// The entry of the account's log.
    #[schemars(length(min = 1))]
    account_log_id: Option<String>,
    /// The person.
    #[schemars(length(min = 1))]
    person_id: Option<String>,
    /// The entry of the person's log.
    #[schemars(length(min = 1))]
    person_log_id: Option<String>,
    /// What the person is called.
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

collection!(
    /// Entries of a person's log, as a part of a collection.
    PersonLogCollection,
    PersonLogView,
    u64
);

collection!(
    /// Entries of an account's log, as a part of a collection.
    AccountLogCollection,
    AccountLogView,
    u64
);

collection!(
    /// What happened to an account, as a part of a collection.
    AccountActivityCollection,
    ActivityView,
    u64
);

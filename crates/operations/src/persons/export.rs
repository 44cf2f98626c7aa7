//! What is held about a person, in a form that can be handed to it.
//!
//! What this is not: the answer of the API, which leaves out what only the page agent sees; nor how it is read, which
//! [`pieces`] does. Where texts of others name the person is
//! found by [`crate::personal_data`], which is the list of all places.

use pagesmith_model::account::Account;
use pagesmith_model::domain::Domain;
use pagesmith_model::email::EmailAddress;
use pagesmith_model::form::submission::Submission;
use pagesmith_model::json::JsonText;
use pagesmith_model::linkedin::LinkedinProfile;
use pagesmith_model::log::PersonLog;
use pagesmith_model::person::Person;
use pagesmith_model::phone::PhoneNumber;
use pagesmith_model::{
    AccountId, AudienceId, AudienceSessionId, AuditEntryId, Error, PageId, PersonId, PersonLogId, Result,
    SubmissionId, TenantId, Timestamp, VersionId,
};
use pagesmith_store::Tx;
use pagesmith_store::tables::{persons, tenants};
use serde::Serialize;

use crate::personal_data::Mention;

pub mod pieces;

/// Everything about one person.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Holding {
    tenant_id: TenantId,
    person: PersonRecord,
    account: Option<AccountRecord>,
    logs: Vec<LogRecord>,
    /// The person's own pages.
    audiences: Vec<AudienceRecord>,
    /// The person's visits to pages, as far as a personal link has told whose they are.
    sessions: Vec<SessionRecord>,
    /// What the person has sent with forms.
    submissions: Vec<SubmissionRecord>,
    /// Texts of others that name the person.
    mentions: Vec<Mention>,
    /// Persons that were merged into this one, or into such a person.
    merged: Vec<MergeRecord>,
    /// Audit entries about the person.
    audit_entries: Vec<AuditRecord>,
}

/// The beginning of everything about a person.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Beginning {
    tenant_id: TenantId,
    person: PersonRecord,
    account: Option<AccountRecord>,
}

/// A piece of everything about a person. They come in the order of the lists of [`Holding`].
#[derive(Debug)]
pub enum ExportPiece {
    /// Entries of the log, newest first.
    Logs(Vec<LogRecord>),
    /// An audience without its versions, which follow.
    Audience(Box<AudienceRecord>),
    /// Versions of the last audience.
    Versions(Vec<VersionRecord>),
    /// Visits, the oldest first.
    Sessions(Vec<SessionRecord>),
    /// What was sent with forms, the oldest first.
    Submissions(Vec<SubmissionRecord>),
    /// Texts of others that name the person.
    Mentions(Vec<Mention>),
    /// Persons that were merged into it.
    Merged(Vec<MergeRecord>),
    /// What was done with all of this before, newest first.
    AuditEntries(Vec<AuditRecord>),
}

impl From<Beginning> for Holding {
    fn from(beginning: Beginning) -> Holding {
        Holding {
            tenant_id: beginning.tenant_id,
            person: beginning.person,
            account: beginning.account,
            logs: vec![],
            audiences: vec![],
            sessions: vec![],
            submissions: vec![],
            mentions: vec![],
            merged: vec![],
            audit_entries: vec![],
        }
    }
}

impl Holding {
    /// With the piece that follows.
    pub(crate) fn add(&mut self, piece: ExportPiece) {
        match piece {
            ExportPiece::Logs(items) => self.logs.extend(items),
            ExportPiece::Audience(audience) => self.audiences.push(*audience),
            ExportPiece::Versions(items) => {
                if let Some(audience) = self.audiences.last_mut() {
                    audience.versions.extend(items);
                }
            }
            ExportPiece::Sessions(items) => self.sessions.extend(items),
            ExportPiece::Submissions(items) => self.submissions.extend(items),
            ExportPiece::Mentions(items) => self.mentions.extend(items),
            ExportPiece::Merged(items) => self.merged.extend(items),
            ExportPiece::AuditEntries(items) => self.audit_entries.extend(items),
        }
    }
}

/// A person's own page with everything that was written for it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AudienceRecord {
    page_id: PageId,
    audience_id: AudienceId,
    slug: String,
    secret_slug: Option<String>,
    computed_name: String,
    custom_name: Option<String>,
    supplementary_context: Option<String>,
    metadata_override: Option<JsonText>,
    action_url_override: Option<String>,
    action_form_id_override: Option<String>,
    action_form_instructions_override: Option<String>,
    /// Paths on the tenant's site that lead to it.
    links: Vec<String>,
    created_at: Timestamp,
    archived_at: Option<Timestamp>,
    versions: Vec<VersionRecord>,
}

/// A version with its content.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct VersionRecord {
    version_id: VersionId,
    version_number: i64,
    status: &'static str,
    supplementary_context: Option<String>,
    created_at: Timestamp,
    content: Option<JsonText>,
}

/// A person that was merged into this one.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MergeRecord {
    person: Option<PersonRecord>,
    /// The fields of the person that stays, before and after; empty where the merge cannot be taken back any more.
    fields: JsonText,
    merged_at: Timestamp,
}

/// A visit to a page.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionRecord {
    audience_session_id: AudienceSessionId,
    page_id: PageId,
    audience_id: AudienceId,
    started_at: Timestamp,
    last_at: Timestamp,
    engaged_ms: i64,
    scroll: i64,
    clicks: i64,
    has_conversion: bool,
    source: Option<String>,
    medium: Option<String>,
    campaign: Option<String>,
    term: Option<String>,
    content: Option<String>,
    referrer: Option<String>,
    device: Option<String>,
    language: Option<String>,
    form_submission_id: Option<String>,
    form_identifier: Option<String>,
    form_email: Option<String>,
    form_phone: Option<String>,
    answers: Vec<AnswerRecord>,
    pages_opened_again: Vec<StepRecord>,
    actions_used: Vec<StepRecord>,
}

/// A page view or the use of an action in a visit.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct StepRecord {
    label: String,
    at: Timestamp,
}

/// What was answered in a visit.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct AnswerRecord {
    component_id: String,
    label: String,
    response_text: String,
    at: Timestamp,
}

/// What was sent with a form.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SubmissionRecord {
    submission_id: SubmissionId,
    form_id: String,
    page_id: PageId,
    input: JsonText,
    agreements: JsonText,
    utm_parameters: JsonText,
    enriched_data: Option<JsonText>,
    enrichment_error: Option<String>,
    submitted_at: Timestamp,
}

impl From<Submission> for SubmissionRecord {
    fn from(submission: Submission) -> SubmissionRecord {
        let (enriched_data, enrichment_error) =
            submission.enrichment.map(|enrichment| (enrichment.data, enrichment.error)).unwrap_or_default();
        SubmissionRecord {
            submission_id: submission.submission_id,
            form_id: submission.form_id,
            page_id: submission.page_id,
            input: submission.input,
            agreements: submission.agreements,
            utm_parameters: submission.utm_parameters,
            enriched_data,
            enrichment_error,
            submitted_at: submission.submitted_at,
        }
    }
}

/// An entry of the audit.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditRecord {
    audit_entry_id: AuditEntryId,
    action: String,
    created_at: Timestamp,
}

/// A person with everything that is kept of it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PersonRecord {
    person_id: PersonId,
    name: String,
    email: Option<String>,
    domain: Option<String>,
    slug: String,
    phone_number: Option<String>,
    linkedin_profile_url: Option<String>,
    context: Option<JsonText>,
    account_id: Option<AccountId>,
    created_at: Timestamp,
    updated_at: Timestamp,
    deleted_at: Option<Timestamp>,
}

impl From<Person> for PersonRecord {
    fn from(person: Person) -> PersonRecord {
        let identifiers = person.identifiers;
        PersonRecord {
            person_id: person.person_id,
            name: person.name,
            email: identifiers.email.map(EmailAddress::into_string),
            domain: person.domain.map(Domain::into_string),
            slug: person.slug,
            phone_number: identifiers.phone_number.map(PhoneNumber::into_string),
            linkedin_profile_url: identifiers.linkedin_profile_url.map(LinkedinProfile::into_string),
            context: person.context,
            account_id: person.account_id,
            created_at: person.created_at,
            updated_at: person.updated_at,
            deleted_at: person.deleted_at,
        }
    }
}

/// The account of the person's company.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AccountRecord {
    account_id: AccountId,
    domain: String,
    name: Option<String>,
}

impl From<Account> for AccountRecord {
    fn from(account: Account) -> AccountRecord {
        AccountRecord {
            account_id: account.account_id,
            domain: account.domain.into_string(),
            name: account.name,
        }
    }
}

/// An entry of the log.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogRecord {
    person_log_id: PersonLogId,
    source: String,
    r#type: String,
    payload: JsonText,
    idempotency_key: Option<String>,
    created_at: Timestamp,
    updated_at: Option<Timestamp>,
    deleted_at: Option<Timestamp>,
}

impl From<PersonLog> for LogRecord {
    fn from(log: PersonLog) -> LogRecord {
        let entry = log.entry;
        LogRecord {
            person_log_id: log.log_id,
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

/// The person of that id, deleted or not, and whose it is: that tenant's, or else any one's, for an id stands for one person.
pub fn find(tx: &mut Tx<'_>, tenant: Option<&TenantId>, person_id: &PersonId) -> Result<(TenantId, Person)> {
    let among = match tenant {
        Some(tenant) => vec![tenant.clone()],
        None => tenants::list(tx)?.into_iter().map(|tenant| tenant.tenant_id).collect(),
    };
    for tenant in among {
        if let Some(person) = persons::find(tx, &tenant, person_id)? {
            return Ok((tenant, person));
        }
    }
    Err(Error::new(pagesmith_model::Kind::NotFound, format!("No such person: {person_id}.")))
}

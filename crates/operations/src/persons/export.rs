//! What is held about a person, in a form that can be handed to it.
//!
//! What this is not: the answer of the API, which leaves out what only the page agent sees. Where texts of others name the person is
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
use pagesmith_model::visit::session::FormSubmitted;
use pagesmith_model::{
    AccountId, AudienceId, AudienceSessionId, AuditEntryId, Error, PageId, PersonId, PersonLogId, Result,
    SubmissionId, TenantId, Timestamp, VersionId,
};
use pagesmith_store::tables::visits::interactions::Noted;
use pagesmith_store::tables::{
    accounts, audiences, audit_entries, forms, logs, page_links, persons, tenants, versions, visits,
};
use pagesmith_store::{Extent, Tx};
use serde::Serialize;

use crate::audit;
use crate::context::TenantContext;
use crate::personal_data::Mention;
use crate::persons::merge;

/// How many entries are read at once.
const STEP: Extent = Extent { items: 1_000, bytes: usize::MAX };

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
    /// What was done with all of this.
    audit_entries: Vec<AuditRecord>,
}

/// A person's own page with everything that was written for it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct AudienceRecord {
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

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct VersionRecord {
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
struct MergeRecord {
    person: Option<PersonRecord>,
    /// The fields of the person that stays, before and after; empty where the merge cannot be taken back any more.
    fields: JsonText,
    merged_at: Timestamp,
}

fn merged_into(tx: &mut Tx<'_>, tenant: &TenantId, person_id: &PersonId) -> Result<Vec<MergeRecord>> {
    let mut records = Vec::new();
    for merge in merge::merged_into(tx, tenant, person_id)? {
        let person = persons::find(tx, tenant, &merge.person_id)?.map(PersonRecord::from);
        records.push(MergeRecord { person, fields: merge.fields, merged_at: merge.merged_at });
    }
    Ok(records)
}

/// A visit to a page.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SessionRecord {
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
struct SubmissionRecord {
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

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct AuditRecord {
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

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct AccountRecord {
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

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LogRecord {
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

/// Everything about a person, deleted things included; its log newest first.
pub fn everything(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    person_id: &PersonId,
    mentions: Vec<Mention>,
) -> Result<Holding> {
    let (tenant, person) = find(tx, Some(&ctx.tenant), person_id)?;
    let account = match &person.account_id {
        Some(account_id) => accounts::find(tx, &tenant, account_id)?,
        None => None,
    };
    let mut entries: Vec<LogRecord> = Vec::new();
    loop {
        let after = entries.last().map(|log| &log.person_log_id);
        let (part, _) = logs::list(tx, &tenant, person_id, true, after, STEP)?;
        entries.extend(part.items.into_iter().map(LogRecord::from));
        if !part.more {
            break;
        }
    }
    let audiences = audiences_of(tx, &tenant, person_id)?;
    let sessions = sessions_of(tx, &tenant, person_id)?;
    let submissions = forms::submissions::of_person(tx, &tenant, person_id, MOST_SUBMISSIONS)?;
    let about = audit_entries::about(tx, &tenant, &audit::subject_of(ctx, person_id)?)?;
    let audit_entries = about.into_iter().map(|entry| AuditRecord {
        audit_entry_id: entry.audit_entry_id,
        action: entry.action,
        created_at: entry.created_at,
    });
    Ok(Holding {
        person: person.into(),
        account: account.map(AccountRecord::from),
        logs: entries,
        audiences,
        sessions,
        submissions: submissions.into_iter().map(SubmissionRecord::from).collect(),
        mentions,
        merged: merged_into(tx, &tenant, person_id)?,
        audit_entries: audit_entries.collect(),
        tenant_id: tenant,
    })
}

/// The most visits that are handed out: the oldest.
const MOST_SESSIONS: i64 = 10_000;
/// The most submissions of forms that are handed out: the oldest.
const MOST_SUBMISSIONS: i64 = 10_000;

fn sessions_of(tx: &mut Tx<'_>, tenant: &TenantId, person_id: &PersonId) -> Result<Vec<SessionRecord>> {
    let mut records = Vec::new();
    for session in visits::sessions::of_person(tx, tenant, person_id, MOST_SESSIONS)? {
        let (mut answers, mut opened, mut used) = (Vec::new(), Vec::new(), Vec::new());
        for (noted, step) in visits::interactions::steps(tx, tenant, &session.session_id)? {
            match noted {
                Noted::View => opened.push(StepRecord { label: step.label, at: step.at }),
                Noted::Action(_) => used.push(StepRecord { label: step.label, at: step.at }),
                Noted::Answer(_) => answers.push(AnswerRecord {
                    component_id: step.component_id,
                    label: step.label,
                    response_text: step.response_text,
                    at: step.at,
                }),
            }
        }
        let form = session.form;
        let of_form = |get: fn(&FormSubmitted) -> Option<&String>| form.as_ref().and_then(get).cloned();
        records.push(SessionRecord {
            audience_session_id: session.session_id,
            page_id: session.page_id,
            audience_id: session.audience_id,
            started_at: session.started_at,
            last_at: session.last_at,
            engaged_ms: session.counted.engaged_ms,
            scroll: session.counted.scroll,
            clicks: session.counted.clicks,
            has_conversion: session.counted.has_conversion,
            source: session.origin.source,
            medium: session.origin.medium,
            campaign: session.origin.campaign,
            term: session.origin.term,
            content: session.origin.content,
            referrer: session.origin.referrer,
            device: session.device,
            language: session.language,
            form_submission_id: of_form(|form| Some(&form.submission_id)),
            form_identifier: of_form(|form| form.identifier.as_ref()),
            form_email: of_form(|form| form.email.as_ref()),
            form_phone: of_form(|form| form.phone.as_ref()),
            answers,
            pages_opened_again: opened,
            actions_used: used,
        });
    }
    Ok(records)
}

fn audiences_of(tx: &mut Tx<'_>, tenant: &TenantId, person_id: &PersonId) -> Result<Vec<AudienceRecord>> {
    let mut records = Vec::new();
    for audience in audiences::all_of_person(tx, tenant, person_id)? {
        let mut versions = Vec::new();
        loop {
            let after = versions.last().map(|version: &VersionRecord| version.version_number);
            let (part, _) = versions::list(tx, tenant, &audience.audience_id, &[], after, STEP)?;
            for version in part.items {
                versions.push(VersionRecord {
                    content: versions::contents::find(tx, tenant, &version.version_id)?,
                    version_id: version.version_id,
                    version_number: version.life.number,
                    status: version.life.status.as_str(),
                    supplementary_context: version.supplementary_context,
                    created_at: version.life.created_at,
                });
            }
            if !part.more {
                break;
            }
        }
        let links = page_links::paths_to(tx, tenant, &audience.audience_id)?;
        records.push(AudienceRecord {
            page_id: audience.page_id,
            audience_id: audience.audience_id,
            slug: audience.slug,
            secret_slug: audience.secret_slug,
            computed_name: audience.computed_name,
            custom_name: audience.custom_name,
            supplementary_context: audience.supplementary_context,
            metadata_override: audience.metadata_override,
            action_url_override: audience.overrides.url,
            action_form_id_override: audience.overrides.form_id,
            action_form_instructions_override: audience.overrides.form_instructions,
            links,
            created_at: audience.created_at,
            archived_at: audience.archived_at,
            versions,
        });
    }
    Ok(records)
}

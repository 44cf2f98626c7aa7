//! Submissions are enriched: queued when they are accepted, claimed by a worker that calls the tenant's hook, and ended by what the hook says.
//!
//! A submission waits in the queue until its end, so there is exactly one: by the worker, or by a callback, which may come while the call
//! itself is still open. A worker whose lease has ended changes nothing any more. What the hook knows is kept with the submission and fills
//! what is blank of the person; the log says from where.

pub use pagesmith_store::tables::forms::enrichments::LEASES;

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pagesmith_model::form::enrichment::{
    Answer, CALLBACK_WITHIN, Enrichment, EnrichmentStatus, HookAnswer, PersonFacts, next_try,
};
use pagesmith_model::form::submission::Submission;
use pagesmith_model::json::JsonText;
use pagesmith_model::log::NewPersonLog;
use pagesmith_model::person::{Identifiers, Person};
use pagesmith_model::webhook::payload::{FormEnriched, FormEnrichmentFailed};
use pagesmith_model::webhook::{EventType, Secrets};
use pagesmith_model::{Error, LeaseId, Result, SubmissionId, TenantId, Timestamp, person};
use pagesmith_store::tables::forms::enrichments::{self, Waiting};
use pagesmith_store::tables::forms::{hooks as hook_table, submissions as table};
use pagesmith_store::tables::pending_work::{self, WorkKind};
use pagesmith_store::tables::persons;
use pagesmith_store::{Query, Tx, Wakeup};
use serde_json::{Map, Value, json};
use subtle::ConstantTimeEq;

use crate::context::{Context, TenantContext};
use crate::forms::hooks;
use crate::outbox::{self, Event, Recipients};
use crate::{logs, persons as people};

/// How long a lease lasts: longer than a call of a hook may take.
pub const LEASE: Duration = Duration::from_secs(45);
/// How many submissions of a tenant workers have at the same time, so that a hook that hangs keeps no other waiting.
const PER_TENANT: u64 = 4;

/// Queues a submission that is being accepted, if the tenant has a hook; statements to travel with the others.
pub(crate) fn queue(tx: &mut Tx<'_>, ctx: &TenantContext, submission: &mut Submission) -> Result<Vec<Query>> {
    let is_wanted = hook_table::find(tx, &ctx.tenant)?.is_some_and(|hook| hook.active);
    if !is_wanted {
        return Ok(vec![]);
    }
    let status = EnrichmentStatus::Pending;
    submission.enrichment = Some(Enrichment { status, data: None, error: None, ended_at: None });
    tx.wake_after_commit(Wakeup::Enrichments);
    Ok(vec![
        pending_work::add(&ctx.tenant, WorkKind::Enrichments),
        enrichments::insert(&ctx.tenant, &submission.submission_id, ctx.now, ctx.request_id()),
    ])
}

/// A submission that a worker may enrich as long as its lease lasts.
#[derive(Debug, Clone, PartialEq)]
pub struct Claimed {
    /// What it is.
    pub of: Waiting,
    /// The worker's lease.
    pub lease: LeaseId,
    /// The call that is to be made; nothing if the hook was removed meanwhile, or has not called back in time.
    pub call: Option<Call>,
}

/// A call of a hook.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Where it goes.
    pub url: String,
    /// What it is signed with.
    pub secrets: Secrets,
    /// What the hook is told, but for the address of the callback.
    pub told: Map<String, Value>,
    /// The last part of the callback's address.
    pub ticket: String,
}

/// Whether a submission of a tenant is due, and the tenant's hook may be asked once more at the same time.
pub fn is_due(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp) -> Result<bool> {
    let is_due = enrichments::due_since(tx, tenant)?.is_some_and(|due_at| due_at <= now);
    Ok(is_due && enrichments::leased(tx, tenant)? < PER_TENANT)
}

/// Gives a worker up to `limit` submissions of a tenant.
pub fn claim(tx: &mut Tx<'_>, ctx: &Context, (tenant, limit): (&TenantId, usize)) -> Result<Vec<Claimed>> {
    let mut claimed: Vec<Claimed> = Vec::new();
    let free = PER_TENANT.saturating_sub(enrichments::leased(tx, tenant)?);
    let limit = i64::try_from(free.min(limit as u64)).unwrap_or_default();
    for of in enrichments::due(tx, tenant, ctx.now, limit)? {
        let Some(submission) = table::find(tx, tenant, &of.submission_id)? else {
            // It was deleted, or erased with its person.
            tx.run(enrichments::remove(tenant, &of.submission_id))?;
            continue;
        };
        let lease = LeaseId::mint(ctx.uuid()?);
        tx.run(enrichments::lease(&of, &lease, ctx.now.plus(LEASE)))?;
        let call = if of.awaits_callback { None } else { call(tx, &ctx.of(tenant.clone()), &submission)? };
        claimed.push(Claimed { of, lease, call });
    }
    Ok(claimed)
}

/// What the hook is told of a submission.
fn call(tx: &mut Tx<'_>, ctx: &TenantContext, submission: &Submission) -> Result<Option<Call>> {
    let Some(hook) = hook_table::find(tx, &ctx.tenant)?.filter(|hook| hook.active) else { return Ok(None) };
    let person = living_person(tx, ctx, submission)?.map(|person| {
        let Identifiers { email, linkedin_profile_url, phone_number } = &person.identifiers;
        json!({
            "personId": person.person_id,
            "name": person.name,
            "email": email.as_ref().map(ToString::to_string),
            "phoneNumber": phone_number.as_ref().map(ToString::to_string),
            "linkedinProfileUrl": linkedin_profile_url.as_ref().map(ToString::to_string),
            "domain": person.domain.as_ref().map(ToString::to_string),
        })
    });
    let input: Value = submission.input.read()?;
    let told = json!({
        "submissionId": submission.submission_id,
        "formId": submission.form_id,
        "person": person,
        "input": input,
    });
    let Value::Object(told) = told else { return Err(Error::internal("an object that is none")) };
    let secrets = hooks::secrets(ctx, &hook)?;
    let ticket = format!("{}.{}", submission.submission_id, sign(ctx, &submission.submission_id)?);
    Ok(Some(Call { url: hook.url, secrets, told, ticket }))
}

fn living_person(tx: &mut Tx<'_>, ctx: &TenantContext, submission: &Submission) -> Result<Option<Person>> {
    let person = match &submission.person_id {
        Some(person_id) => persons::find(tx, &ctx.tenant, person_id)?,
        None => None,
    };
    Ok(person.filter(|person| person.deleted_at.is_none()))
}

fn sign(ctx: &TenantContext, submission_id: &SubmissionId) -> Result<String> {
    let parts = [ctx.tenant.as_str(), submission_id.as_str()];
    Ok(URL_SAFE_NO_PAD.encode(ctx.keyed_digest("enrichment callback", &parts)?))
}

impl Claimed {
    /// Why there is no call to be made.
    pub fn reason_for_no_call(&self) -> &'static str {
        if self.of.awaits_callback {
            "The hook did not call back within ten minutes."
        } else {
            "The hook was removed or deactivated."
        }
    }
}

/// Keeps what a worker was answered, and after what time the hook has asked to be called again; false if the submission was no longer the
/// worker's.
pub fn finish(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    claimed: &Claimed,
    (answer, asked): (&Answer, Option<Duration>),
) -> Result<bool> {
    let of = &claimed.of;
    if !enrichments::is_waiting(tx, &ctx.tenant, &of.submission_id, Some(&claimed.lease))? {
        return Ok(false);
    }
    let changes = match answer {
        Answer::Later => vec![enrichments::postpone(of, ctx.now.plus(CALLBACK_WITHIN), true)],
        Answer::Again(error) => match next_try(of.tries + 1, ctx.now, asked) {
            Some(at) => vec![enrichments::postpone(of, at, false)],
            None => end(tx, ctx, &of.submission_id, &Err(error.clone()))?,
        },
        Answer::Told(told) => end(tx, ctx, &of.submission_id, told)?,
    };
    tx.change(changes)?;
    Ok(true)
}

/// Lets another worker take a submission at once.
pub fn hand_back(tx: &mut Tx<'_>, claimed: &Claimed) -> Result<()> {
    tx.run(enrichments::hand_back(&claimed.of, &claimed.lease)).map(drop)
}

/// What became of a callback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CalledBack {
    /// It is kept.
    Kept,
    /// The enrichment has ended before.
    Over,
    /// There is no such address.
    Unknown,
}

/// Takes what a hook says in a callback.
pub fn call_back(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    ticket: &str,
    told: &HookAnswer,
) -> Result<CalledBack> {
    let Some((id, signature)) = ticket.split_once('.') else { return Ok(CalledBack::Unknown) };
    let Some(submission_id) = SubmissionId::parse(id) else { return Ok(CalledBack::Unknown) };
    let expected = sign(ctx, &submission_id)?;
    if !bool::from(expected.as_bytes().ct_eq(signature.as_bytes())) {
        return Ok(CalledBack::Unknown);
    }
    if !enrichments::is_waiting(tx, &ctx.tenant, &submission_id, None)? {
        return Ok(CalledBack::Over);
    }
    let changes = end(tx, ctx, &submission_id, told)?;
    tx.change(changes)?;
    Ok(CalledBack::Kept)
}

/// Ends an enrichment: the outcome with the submission, the person's blanks, the log entry, the event. Nothing but the wait ends if the
/// submission is gone.
fn end(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    submission_id: &SubmissionId,
    told: &HookAnswer,
) -> Result<Vec<Query>> {
    let over = enrichments::remove(&ctx.tenant, submission_id);
    let Some(mut submission) = table::find(tx, &ctx.tenant, submission_id)? else { return Ok(vec![over]) };
    let status = if told.is_ok() { EnrichmentStatus::Enriched } else { EnrichmentStatus::Failed };
    submission.enrichment = Some(Enrichment {
        status,
        data: told.as_ref().ok().map(JsonText::of).transpose()?,
        error: told.as_ref().err().cloned(),
        ended_at: Some(ctx.now),
    });
    let (form_id, submission_text) = (submission.form_id.as_str(), submission_id.as_str());
    let emitted = match told {
        Ok(data) => {
            fill(tx, ctx, &submission, data)?;
            let payload = FormEnriched {
                kind: EventType::FormEnriched,
                form_id,
                submission_id: submission_text,
                enriched_at: ctx.now,
                enriched_data: data.clone(),
            };
            let recipients = Recipients::Subscribed { is_listed: false };
            outbox::emit(tx, ctx, &Event { kind: EventType::FormEnriched, payload, recipients })?.1
        }
        Err(error) => {
            let payload = FormEnrichmentFailed {
                kind: EventType::FormEnrichmentFailed,
                form_id,
                submission_id: submission_text,
                failed_at: ctx.now,
                error,
            };
            let recipients = Recipients::Subscribed { is_listed: false };
            outbox::emit(tx, ctx, &Event { kind: EventType::FormEnrichmentFailed, payload, recipients })?.1
        }
    };
    let mut changes = vec![over, table::update(&ctx.tenant, &submission)];
    changes.extend(emitted);
    Ok(changes)
}

/// Fills what is blank of the person, and says in its log from where.
fn fill(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    submission: &Submission,
    data: &Map<String, Value>,
) -> Result<()> {
    let Some(before) = living_person(tx, ctx, submission)? else { return Ok(()) };
    let (person, filled) = filled(tx, ctx, &before, PersonFacts::of(data))?;
    people::change(tx, ctx, &before, person)?;
    let hook = hook_table::find(tx, &ctx.tenant)?;
    let host = hook.and_then(|hook| url::Url::parse(&hook.url).ok());
    let payload = json!({
        "submissionId": submission.submission_id,
        "formId": submission.form_id,
        "from": host.as_ref().and_then(url::Url::host_str),
        "filled": filled,
    });
    let entry = NewPersonLog {
        person_id: Some(before.person_id.to_string()),
        idempotency_key: Some(format!("enrichment {}", submission.submission_id)),
        ..NewPersonLog::of_program(("enrichment", "form-enriched"), JsonText::of(&payload)?)?
    };
    logs::persons::create(tx, ctx, &entry).map(drop)
}

/// The person with those of the facts that it lacks, and their names. An identifier that somebody else has is left out.
fn filled(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    before: &Person,
    facts: PersonFacts,
) -> Result<(Person, Vec<&'static str>)> {
    let mut person = before.clone();
    let mut names = Vec::new();
    let Identifiers { email, linkedin_profile_url: profile, phone_number: phone } = &before.identifiers;
    // A name that was made of identifiers is as good as none.
    let made_up = person::name::from_identifiers(email.as_ref(), profile.as_ref(), phone.as_ref());
    if let Some(name) = facts.name.filter(|_| made_up.as_deref() == Some(before.name.as_str())) {
        person.name = name;
        names.push("name");
    }
    let mut is_free =
        |identifiers: Identifiers| Ok::<_, Error>(people::owners(tx, ctx, &identifiers)?.is_empty());
    let alone = Identifiers::default;
    if let Some(email) = facts.email.filter(|_| email.is_none())
        && is_free(Identifiers { email: Some(email.clone()), ..alone() })?
    {
        person.identifiers.email = Some(email);
        person.domain = people::domain_with(before, person.identifiers.email.as_ref());
        names.push("email");
    }
    if let Some(phone) = facts.phone_number.filter(|_| phone.is_none())
        && is_free(Identifiers { phone_number: Some(phone.clone()), ..alone() })?
    {
        person.identifiers.phone_number = Some(phone);
        names.push("phoneNumber");
    }
    if let Some(profile) = facts.linkedin_profile_url.filter(|_| profile.is_none())
        && is_free(Identifiers { linkedin_profile_url: Some(profile.clone()), ..alone() })?
    {
        person.identifiers.linkedin_profile_url = Some(profile);
        names.push("linkedinProfileUrl");
    }
    if let Some(domain) = facts.domain.filter(|_| person.domain.is_none()) {
        person.domain = Some(domain);
        names.push("domain");
    }
    Ok((person, names))
}

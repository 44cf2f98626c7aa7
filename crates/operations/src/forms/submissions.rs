//! Submissions after they came: accepted, marked as spam, released, deleted.
//!
//! Accepting writes everything that follows from a submission. It happens once: one that is marked as spam afterwards keeps its person and
//! its log entry, and its event was told; releasing it again tells nothing anew.

use std::collections::BTreeMap;

use pagesmith_model::email::EmailAddress;
use pagesmith_model::form::answers::Answers;
use pagesmith_model::form::spam::Sign;
use pagesmith_model::form::submission::Submission;
use pagesmith_model::json::JsonText;
use pagesmith_model::linkedin::LinkedinProfile;
use pagesmith_model::log::NewPersonLog;
use pagesmith_model::phone::PhoneNumber;
use pagesmith_model::visit;
use pagesmith_model::webhook::EventType;
use pagesmith_model::webhook::payload::FormSubmitted;
use pagesmith_model::{Error, Kind, PersonId, Result, SubmissionId};
use pagesmith_store::Tx;
use pagesmith_store::tables::forms::{enrichments, submissions as table};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::context::TenantContext;
use crate::files::of_submissions;
use crate::forms::enrichment;
use crate::logs;
use crate::outbox::{self, Event, Recipients};
use crate::visits::submitted;

/// What a visitor is called and can be told by, as it is kept until a submission is accepted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    name: Option<String>,
    email: Option<String>,
    phone: Option<String>,
    profile: Option<String>,
}

impl Contact {
    /// What answers tell.
    pub fn of(answers: &Answers) -> Contact {
        let identifiers = &answers.identifiers;
        Contact {
            name: answers.name.clone(),
            email: identifiers.email.as_ref().map(|email| email.as_str().to_owned()),
            phone: identifiers.phone_number.as_ref().map(|phone| phone.as_str().to_owned()),
            profile: identifiers.linkedin_profile_url.as_ref().map(|profile| profile.as_str().to_owned()),
        }
    }

    /// As it is kept.
    pub fn kept(&self) -> Result<JsonText> {
        JsonText::of(self)
    }

    /// The log entry with all identifiers, and those with one each: identifiers may belong to several persons, and then the first
    /// that says who it is decides.
    fn entries(&self, payload: &JsonText, key: &SubmissionId) -> Result<Vec<NewPersonLog>> {
        let (email, phone, profile) = (
            self.email.as_deref().and_then(EmailAddress::parse),
            self.phone.as_deref().and_then(PhoneNumber::parse),
            self.profile.as_deref().and_then(LinkedinProfile::parse),
        );
        let nobody = NewPersonLog {
            idempotency_key: Some(key.to_string()),
            name: self.name.clone(),
            ..NewPersonLog::of_program(("form", "form-submitted"), payload.clone())?
        };
        let mut entries = vec![NewPersonLog {
            email: email.clone(),
            phone_number: phone.clone(),
            linkedin_profile_url: profile.clone(),
            ..nobody.clone()
        }];
        entries.extend(email.map(|email| NewPersonLog { email: Some(email), ..nobody.clone() }));
        entries.extend(
            profile.map(|profile| NewPersonLog { linkedin_profile_url: Some(profile), ..nobody.clone() }),
        );
        entries.extend(phone.map(|phone| NewPersonLog { phone_number: Some(phone), ..nobody.clone() }));
        Ok(entries)
    }

    /// What the visit in which the form was sent keeps of it.
    pub(crate) fn session_facts(&self, submission_id: &SubmissionId) -> visit::session::FormSubmitted {
        let known = [(&self.email, "email"), (&self.profile, "linkedin"), (&self.phone, "tel")];
        let identifier = known.into_iter().find_map(|(text, kind)| text.clone().map(|text| (text, kind)));
        let (identifier, kind) = identifier.unzip();
        visit::session::FormSubmitted {
            submission_id: submission_id.to_string(),
            identifier,
            identifier_type: kind.map(str::to_owned),
            email: self.email.clone(),
            phone: self.phone.clone(),
        }
    }

    fn is_somebody(&self) -> bool {
        self.email.is_some() || self.phone.is_some() || self.profile.is_some()
    }
}

/// Accepts a submission that is in its table: the person, the log entry, the event.
pub(crate) fn accept(tx: &mut Tx<'_>, ctx: &TenantContext, submission: &mut Submission) -> Result<()> {
    submission.is_spam = false;
    if submission.accepted_at.is_some() {
        return tx.run(table::update(&ctx.tenant, submission)).map(drop);
    }
    submission.accepted_at = Some(ctx.now);
    submission.person_id = person_of(tx, ctx, submission)?;
    let input: Map<String, Value> = submission.input.read()?;
    let utm_parameters: BTreeMap<String, String> = submission.utm_parameters.read()?;
    let payload = FormSubmitted {
        kind: EventType::FormSubmitted,
        form_id: &submission.form_id,
        submission_id: submission.submission_id.as_str(),
        submitted_at: submission.submitted_at,
        input,
        utm_parameters,
    };
    let event = Event {
        kind: EventType::FormSubmitted,
        payload,
        recipients: Recipients::Subscribed { is_listed: false },
    };
    let (_, statements) = outbox::emit(tx, ctx, &event)?;
    let queued = enrichment::queue(tx, ctx, submission)?;
    let mut changes = vec![table::update(&ctx.tenant, submission)];
    changes.extend(statements.into_iter().chain(queued));
    tx.change(changes)
}

/// The person who has sent it, with an entry in its log; nobody if nothing tells who that is.
fn person_of(tx: &mut Tx<'_>, ctx: &TenantContext, submission: &Submission) -> Result<Option<PersonId>> {
    let contact: Contact = submission.contact.read()?;
    if !contact.is_somebody() {
        return Ok(None);
    }
    let input: Value = submission.input.read()?;
    let payload = JsonText::of(&json!({
        "formId": submission.form_id,
        "submissionId": submission.submission_id,
        "pageId": submission.page_id,
        "audienceId": submission.audience_id,
        "input": input,
    }))?;
    for entry in contact.entries(&payload, &submission.submission_id)? {
        match logs::persons::create(tx, ctx, &entry) {
            Ok((written, _)) => return Ok(Some(written.owner_id)),
            // Nothing was written: the identifiers belong to several persons.
            Err(error) if matches!(error.kind(), Kind::Conflict(Some(_))) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// The submission.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext, id: &SubmissionId) -> Result<Submission> {
    table::find(tx, &ctx.tenant, id)?.ok_or_else(|| Error::not_found(SubmissionId::NOUN))
}

/// Marks a submission as spam, or releases it; releasing one that was never accepted accepts it.
pub fn judge(tx: &mut Tx<'_>, ctx: &TenantContext, id: &SubmissionId, is_spam: bool) -> Result<Submission> {
    let mut submission = find(tx, ctx, id)?;
    if submission.is_spam == is_spam {
        return Ok(submission);
    }
    if !is_spam {
        let is_first = submission.accepted_at.is_none();
        accept(tx, ctx, &mut submission)?;
        if is_first {
            let contact: Contact = submission.contact.read()?;
            submitted::mark_released(tx, ctx, &submission, contact.session_facts(id))?;
        }
        return Ok(submission);
    }
    let mut reasons: Vec<String> = submission.spam_reasons.read()?;
    let marked = Sign::Marked.as_str();
    if !reasons.iter().any(|reason| reason == marked) {
        reasons.push(marked.to_owned());
    }
    submission.is_spam = true;
    submission.spam_reasons = JsonText::of(&reasons)?;
    tx.run(table::update(&ctx.tenant, &submission))?;
    Ok(submission)
}

/// Deletes a submission with its files for good. The person and the log entry that came of it stay.
pub fn delete(tx: &mut Tx<'_>, ctx: &TenantContext, id: &SubmissionId) -> Result<()> {
    find(tx, ctx, id)?;
    of_submissions::remove(tx, ctx, id)?;
    tx.change(vec![table::remove(&ctx.tenant, id), enrichments::remove(&ctx.tenant, id)])
}

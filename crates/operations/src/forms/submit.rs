//! A visitor sends a form: checked, judged, kept; and where it is accepted, everything that follows in the same transaction.
//!
//! What follows is the person, found or created by the rules of person logs, an entry in the person's log, the mark on the visit, and the
//! event with its deliveries. Invariant: a submission is kept once, however often it is sent, and accepted at most once.

use std::collections::BTreeMap;
use std::time::Duration;

use pagesmith_model::content::HeadOnly;
use pagesmith_model::form::FormContent;
use pagesmith_model::form::answers::{self, Answers, Fault};
use pagesmith_model::form::spam::{self, Findings, Sign};
use pagesmith_model::form::submission::Submission;
use pagesmith_model::json::JsonText;
use pagesmith_model::page::action::{Action, FormAction};
use pagesmith_model::{AudienceId, PageId, Result, SubmissionId};
use pagesmith_store::Tx;
use pagesmith_store::tables::forms::{self, submissions};
use pagesmith_store::tables::visits::shown::{self, ShownActions, ShownAudience};

use crate::context::TenantContext;
use crate::files::{StoredBytes, of_submissions};
use crate::forms::submissions::{Contact, accept};
use crate::forms::tokens;
use crate::visits::collect::{self, Report};
use crate::visits::{joined, submitted};

/// How long the same from the same visitor without a token is a repetition, in milliseconds.
const REPETITION_MS: i64 = 10 * 60 * 1_000;

/// What a visitor has sent.
#[derive(Debug, Clone)]
pub struct Sent {
    /// The page.
    pub page_id: PageId,
    /// The audience.
    pub audience_id: AudienceId,
    /// The action whose form it is.
    pub action_id: String,
    /// Where phone numbers without a country are from.
    pub region: Option<String>,
    /// Names and values, as the browser sends them.
    pub fields: Vec<(String, String)>,
    /// Files, by the keys of their fields, whose bytes are stored.
    pub files: Vec<(String, StoredBytes)>,
    /// How many bytes the files of the tenant may have in all.
    pub file_quota: u64,
    /// The submission that its token is for; none without a good one.
    pub submission_id: Option<SubmissionId>,
    /// The proof of work that came with it.
    pub proof: Option<String>,
    /// Whether a script sent it, which can work for it.
    pub is_scripted: bool,
    /// What its request shows.
    pub findings: Findings,
    /// The `utm_` parameters of the page's address.
    pub utm_parameters: BTreeMap<String, String>,
    /// The request as a report of a page view, for a visit that nothing has been reported of yet.
    pub report: Report,
}

/// What became of it.
#[derive(Debug)]
pub enum SubmitOutcome {
    /// It does not fit the form.
    Invalid(Vec<(String, Fault)>),
    /// It is suspicious, and a proof of work for this task would let it through.
    NeedsWork(String),
    /// It is kept, accepted or not; visitors are told the same.
    Kept(SubmissionId),
}

/// A form as a page of an audience shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownForm {
    /// The audience that shows it.
    shown: ShownAudience,
    /// The button that opens it.
    pub action: FormAction,
    /// What it says and asks.
    pub content: FormContent,
    /// The actions of the page.
    pub actions: Vec<Action>,
    /// The language of the page's content, if it says so.
    pub language: Option<String>,
    /// The form's revision; none of the plain form.
    pub revision: Option<i64>,
}

/// The form that an action of a page shows, if visitors are shown the page. `contact` is the plain form, in a language, that it shows
/// where there is none.
pub fn find_shown(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    audience_id: &AudienceId,
    action_id: &str,
    contact: impl Fn(Option<&str>) -> FormContent,
) -> Result<Option<ShownForm>> {
    let found = shown::find_actions(tx, &ctx.tenant, page_id, audience_id)?;
    let Some(ShownActions { shown, actions, overrides, content }) = found else { return Ok(None) };
    let actions = overrides.apply(actions.read()?);
    let named = actions.iter().find_map(|action| match action {
        Action::Form(action) if action.action_id == action_id => Some(action.clone()),
        _ => None,
    });
    let Some(action) = named else { return Ok(None) };
    let content: Option<HeadOnly> = content.map(|content| content.read()).transpose()?;
    let language = content.and_then(|content| content.head.language);
    let form = forms::find_many(tx, &ctx.tenant, &[&action.form_id])?.pop();
    let revision = form.as_ref().map(|form| form.revision);
    let content = form.map_or_else(|| contact(language.as_deref()), |form| form.content);
    Ok(Some(ShownForm { shown, action, content, actions, language, revision }))
}

/// Takes what a visitor has sent with a form that is shown.
pub fn submit(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    sent: &Sent,
    form: &ShownForm,
    session_timeout: Duration,
) -> Result<SubmitOutcome> {
    let content = &form.content;
    let fields = of_submissions::as_answers(&content.fields, &sent.fields, &sent.files);
    let shown = answers::FormContext {
        revision: form.revision,
        language: form.language.as_deref(),
        region: sent.region.as_deref(),
    };
    let answers = match answers::check(&content.fields, &fields, shown) {
        Ok(answers) => answers,
        Err(faults) => return Ok(SubmitOutcome::Invalid(faults)),
    };
    let digests = digests(ctx, sent, &answers)?;
    if let Some(before) = repeated(tx, ctx, sent, &digests)? {
        return Ok(SubmitOutcome::Kept(before.submission_id));
    }
    let mut findings = sent.findings.clone();
    spam::look_at(&content.fields, &answers.input, &mut findings);
    let submission_id = match &sent.submission_id {
        Some(submission_id) => submission_id.clone(),
        None => SubmissionId::mint(ctx.uuid()?),
    };
    if sent.submission_id.is_some() && findings.can_be_refuted(content.spam_filter) {
        let proof = sent.proof.as_deref().unwrap_or_default();
        if tokens::is_proven(ctx, &submission_id, proof)? {
            findings.refute();
        } else if sent.is_scripted {
            return Ok(SubmitOutcome::NeedsWork(tokens::task(ctx, &submission_id)?));
        }
    }
    let is_spam = findings.is_spam(content.spam_filter);
    // What is quarantined begins no visit, but belongs to the one that there is, which counts it once it is released.
    let session = if is_spam {
        joined::open(tx, ctx, &sent.report)?
    } else {
        collect::open_or_begin(tx, ctx, &sent.report, Some(&form.shown), session_timeout)?
    };
    let reasons: Vec<&str> = findings.signs().iter().map(|sign| Sign::as_str(*sign)).collect();
    let contact = Contact::of(&answers);
    let mut submission = Submission {
        submission_id: submission_id.clone(),
        form_id: form.action.form_id.clone(),
        page_id: sent.page_id.clone(),
        audience_id: sent.audience_id.clone(),
        session_id: session.as_ref().map(|session| session.session_id.to_string()),
        person_id: None,
        is_spam,
        spam_reasons: JsonText::of(&reasons)?,
        contact: contact.kept()?,
        input: JsonText::of(&answers.input)?,
        agreements: JsonText::of(&answers.agreements)?,
        utm_parameters: JsonText::of(&sent.utm_parameters)?,
        digest: sent.submission_id.is_none().then(|| digests[0].to_vec()),
        submitted_at: ctx.now,
        accepted_at: None,
        enrichment: None,
    };
    // Of two that are sent at once, one finds that the other one was first.
    if tx.run(submissions::insert(&ctx.tenant, &submission))? == 0 {
        return Ok(SubmitOutcome::Kept(submission_id));
    }
    of_submissions::keep(tx, ctx, (&sent.files, sent.file_quota), &content.fields, &mut submission)?;
    if !is_spam {
        accept(tx, ctx, &mut submission)?;
        if let Some(session) = session {
            submitted::mark(
                tx,
                ctx,
                session,
                &submission.person_id,
                &contact.session_facts(&submission.submission_id),
            )?;
        }
    }
    Ok(SubmitOutcome::Kept(submission_id))
}

/// What tells repetitions without a token: of this span of time, and of the one before.
fn digests(ctx: &TenantContext, sent: &Sent, answers: &Answers) -> Result<[[u8; 32]; 2]> {
    let visitor = sent.report.visitors.first().map(|visitor| format!("{visitor:x?}")).unwrap_or_default();
    let input = JsonText::of(&answers.input)?;
    let files = sent.files.iter().map(|(key, file)| format!("{key} {:x?}", file.sha256));
    let files = files.collect::<Vec<_>>().join(" ");
    let span = ctx.now.as_millis().div_euclid(REPETITION_MS);
    let of = |span: i64| {
        let parts = [
            ctx.tenant.as_str(),
            sent.page_id.as_str(),
            sent.audience_id.as_str(),
            &sent.action_id,
            &visitor,
            input.as_str(),
            &files,
            &span.to_string(),
        ];
        ctx.keyed_digest("form submission", &parts)
    };
    Ok([of(span)?, of(span - 1)?])
}

/// The submission that this one repeats.
fn repeated(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    sent: &Sent,
    digests: &[[u8; 32]; 2],
) -> Result<Option<Submission>> {
    match &sent.submission_id {
        Some(submission_id) => submissions::find(tx, &ctx.tenant, submission_id),
        None => submissions::find_by_digest(tx, &ctx.tenant, [&digests[0], &digests[1]]),
    }
}

//! What is kept of a question that was answered: the interaction of the visit, the counts, and an entry in the log of a person who is known.
//!
//! All in one transaction, and before the visitor is told. Invariants: the same question in the same visit within ten minutes is one; what
//! is not counted as a visit is answered and leaves nothing but its count and that of its visitor.

use std::time::Duration;

use pagesmith_model::agent::Used;
use pagesmith_model::json::JsonText;
use pagesmith_model::log::NewPersonLog;
use pagesmith_model::question::UnansweredQuestion;
use pagesmith_model::text::fold;
use pagesmith_model::visit::session::{Interaction, Session};
use pagesmith_model::{PersonId, Result, UnansweredQuestionId};
use pagesmith_store::Tx;
use pagesmith_store::tables::persons;
use pagesmith_store::tables::questions::{askers, counts, unanswered};
use pagesmith_store::tables::visits::interactions::Noted;
use pagesmith_store::tables::visits::{interactions, sessions, shown};
use serde_json::json;

use crate::agent::usages;
use crate::context::TenantContext;
use crate::logs;
use crate::questions::material::{AskedQuestion, VisitorAnswer};
use crate::visits::settings::{self, PrivacySignal};
use crate::visits::{collect, day_of};

/// What interactions call the field.
pub const COMPONENT: &str = "ps-ask";
/// How long the same question in the same visit is a repetition, in milliseconds.
const REPETITION_MS: i64 = 10 * 60 * 1_000;

/// Keeps a question with what was told, and counts what that has used of a model.
pub fn keep_with_usage(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    asked: &AskedQuestion,
    told: &VisitorAnswer,
    (used, timeout): (&Used, Duration),
) -> Result<()> {
    usages::count(tx, ctx, used)?;
    keep(tx, ctx, asked, told, timeout)
}

/// Keeps a question with what was told.
pub fn keep(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    asked: &AskedQuestion,
    told: &VisitorAnswer,
    timeout: Duration,
) -> Result<()> {
    let tenant = &ctx.tenant;
    let counted = counts::add(tenant, day_of(ctx.now), &asked.page_id, tx.shard());
    let session = match asked.report.verdict {
        Some(_) => None,
        None => collect::open_or_begin(tx, ctx, &asked.report, None, timeout)?,
    };
    let Some(mut session) = session else {
        let asker =
            asked.report.visitors.first().map(|visitor| askers::add(tenant, day_of(ctx.now), visitor));
        return tx.batch(std::iter::once(counted).chain(asker).collect()).map(drop);
    };
    let interaction = Interaction {
        component_id: COMPONENT.to_owned(),
        component_context: None,
        label: asked.question.clone(),
        options: vec![],
        response_text: told.text(),
        grounding_chunk_ids: told.chunk_ids(),
        at: ctx.now,
    };
    let place = place(ctx, asked, &session)?;
    let inserted =
        interactions::insert(tenant, &session.session_id, (&place, Noted::Answer(0)), &interaction)?;
    if tx.run(inserted)? == 0 {
        return tx.run(counted).map(drop);
    }
    if session.person_id.is_none() {
        session.person_id = person_of(tx, ctx, asked)?;
    }
    session.counted.questions += 1;
    session.counted.interactions += 1;
    session.last_at = session.last_at.max(ctx.now);
    let mut changes = vec![counted, sessions::update(tenant, &session)];
    if !told.missed.is_empty() {
        let question = UnansweredQuestion {
            unanswered_question_id: UnansweredQuestionId::mint(ctx.uuid()?),
            page_id: asked.page_id.clone(),
            audience_id: asked.audience_id.clone(),
            session_id: session.session_id.clone(),
            question: told.missed.join(" "),
            language: told.language.to_owned(),
            created_at: ctx.now,
        };
        changes.push(unanswered::insert(tenant, &question));
    }
    tx.batch(changes)?;
    match &session.person_id {
        Some(person_id) => log(tx, ctx, (asked, &session, person_id), &interaction),
        None => Ok(()),
    }
}

/// What the interaction is told by, so that a question that is sent again is the same.
fn place(ctx: &TenantContext, asked: &AskedQuestion, session: &Session) -> Result<[u8; 16]> {
    let span = ctx.now.as_millis().div_euclid(REPETITION_MS);
    let parts = [ctx.tenant.as_str(), session.session_id.as_str(), &fold(&asked.question), &span.to_string()];
    let digest = ctx.keyed_digest("question", &parts)?;
    let mut place = [0; 16];
    place.copy_from_slice(&digest[..16]);
    Ok(place)
}

/// The person whose own page it is: who asks there has more than opened it. Nobody where the browser's wish says so.
fn person_of(tx: &mut Tx<'_>, ctx: &TenantContext, asked: &AskedQuestion) -> Result<Option<PersonId>> {
    let signal = settings::find(tx, &ctx.tenant)?.privacy_signal;
    if asked.report.asks_for_privacy && signal == PrivacySignal::NoPerson {
        return Ok(None);
    }
    Ok(shown::find(tx, &ctx.tenant, &asked.page_id, &asked.audience_id)?.and_then(|shown| shown.person_id))
}

/// Writes the question into the person's log, unless the person is gone.
fn log(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (asked, session, person_id): (&AskedQuestion, &Session, &PersonId),
    interaction: &Interaction,
) -> Result<()> {
    let person = persons::find(tx, &ctx.tenant, person_id)?;
    if person.is_none_or(|person| person.deleted_at.is_some()) {
        return Ok(());
    }
    let payload = JsonText::of(&json!({
        "question": interaction.label,
        "answer": interaction.response_text,
        "groundingChunkIds": interaction.grounding_chunk_ids,
        "pageId": asked.page_id,
        "audienceId": asked.audience_id,
        "audienceSessionId": session.session_id,
    }))?;
    let entry = NewPersonLog {
        person_id: Some(person_id.to_string()),
        ..NewPersonLog::of_program(("page", "question-asked"), payload)?
    };
    logs::persons::create(tx, ctx, &entry).map(drop)
}

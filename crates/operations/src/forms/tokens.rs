//! What is signed for a visitor who fills in a form: the token, and the task of a proof of work.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pagesmith_model::form::token::{FASTEST_MS, TOKEN_LIFE_MS, Token, is_proof};
use pagesmith_model::{Result, SubmissionId};
use subtle::ConstantTimeEq;

use crate::context::TenantContext;

/// What came of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judged {
    /// It is ours: the submission that it is for, and whether too little time has passed since.
    Ours(SubmissionId, bool),
    /// It is not ours, or too old.
    Bad,
}

/// A token for a submission that begins now.
pub fn issue(ctx: &TenantContext) -> Result<Token> {
    let submission_id = SubmissionId::mint(ctx.uuid()?);
    let signature = sign(ctx, "form token", &submission_id, ctx.now.as_millis())?;
    Ok(Token { submission_id, begun_at: ctx.now, signature })
}

/// What a token is worth now.
pub fn judge(ctx: &TenantContext, text: &str) -> Result<Judged> {
    let Some(token) = Token::parse(text) else { return Ok(Judged::Bad) };
    let begun = token.begun_at.as_millis();
    let age = ctx.now.as_millis() - begun;
    let signature = sign(ctx, "form token", &token.submission_id, begun)?;
    let is_ours = (0..=TOKEN_LIFE_MS).contains(&age)
        && bool::from(signature.as_bytes().ct_eq(token.signature.as_bytes()));
    Ok(if is_ours { Judged::Ours(token.submission_id, age < FASTEST_MS) } else { Judged::Bad })
}

/// The task whose proof lets a suspicious submission through.
pub fn task(ctx: &TenantContext, submission_id: &SubmissionId) -> Result<String> {
    sign(ctx, "form task", submission_id, 0)
}

/// Whether somebody has worked for a submission.
pub fn is_proven(ctx: &TenantContext, submission_id: &SubmissionId, proof: &str) -> Result<bool> {
    Ok(is_proof(&task(ctx, submission_id)?, proof))
}

fn sign(ctx: &TenantContext, purpose: &str, submission_id: &SubmissionId, millis: i64) -> Result<String> {
    let parts = [ctx.tenant.as_str(), submission_id.as_str(), &millis.to_string()];
    Ok(URL_SAFE_NO_PAD.encode(ctx.keyed_digest(purpose, &parts)?))
}

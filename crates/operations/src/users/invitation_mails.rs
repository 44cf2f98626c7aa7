//! The e-mails of invitations: which are due, what is in them, and what becomes of a try.
//!
//! What this is not: the way to the mail server. The link is made anew for each try from the invitation's id and a key of the server, so that
//! the database never has it. Invariant: a mail is sent by one server at a time; one that is not taken is tried again for a day, and
//! then given up, which the console shows.

use std::time::Duration;

use pagesmith_model::audit::Action;
use pagesmith_model::id::Uuid7;
use pagesmith_model::user::MailState;
use pagesmith_model::{AuditEntryId, Error, InvitationId, Result, TenantId, Timestamp, key};
use pagesmith_store::tables::audit::{self as audit_rows, Filter};
use pagesmith_store::tables::tenants as tenant_rows;
use pagesmith_store::tables::users::invitation_mails as rows;
use pagesmith_store::{Extent, Tx};

use super::invitations;
use crate::audit;
use crate::context::{Context, TenantContext};

pub use pagesmith_store::tables::users::invitation_mails::DueMail;

/// How long a try may take; then another server tries.
pub const TRY_FOR: Duration = Duration::from_mins(2);
/// How long the next try waits after each that failed.
const PAUSES: [Duration; 7] = [
    Duration::from_mins(1),
    Duration::from_mins(5),
    Duration::from_mins(15),
    Duration::from_hours(1),
    Duration::from_hours(3),
    Duration::from_hours(6),
    Duration::from_hours(12),
];
/// How many mails a tenant may order within a day: what somebody may send through the operator's server to strangers.
pub const MOST_A_DAY: usize = 200;
/// The longest problem that is kept, in characters.
const LONGEST_PROBLEM: usize = 300;

/// A try that has begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Begun {
    due: DueMail,
    again_at: Timestamp,
    /// The address that it goes to.
    pub to: String,
    /// The language of the mail.
    pub language: String,
    /// What the tenant is called.
    pub tenant: String,
    /// The token of the link; nothing if it cannot be made any more, since the server's keys are others.
    pub token: Option<String>,
}

impl Begun {
    /// The tenant that the invitation leads into.
    pub fn tenant_id(&self) -> &TenantId {
        &self.due.invitation.tenant_id
    }
}

/// How a try ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MailOutcome {
    /// The mail server has taken the mail.
    Sent,
    /// It may take it later; why it did not.
    TryAgain(String),
    /// It never will; why.
    Refused(String),
}

/// Begins to send a mail that is due, unless another server has begun.
pub fn begin(tx: &mut Tx<'_>, ctx: &Context, due: DueMail) -> Result<Option<Begun>> {
    let again_at = ctx.now.plus(TRY_FOR);
    if tx.run(rows::claim(&due, again_at))? == 0 {
        return Ok(None);
    }
    let invitation = &due.invitation;
    let Some(tenant) = tenant_rows::find(tx, invitation.tenant_id.as_str())? else { return Ok(None) };
    let Some(to) = invitation.email.as_ref().map(|email| email.as_str().to_owned()) else { return Ok(None) };
    let token = invitations::token_of(ctx, &invitation.invitation_id)?;
    let token = Some(token).filter(|token| key::digest(token)[..] == due.digest[..]);
    let language = due.language.clone();
    Ok(Some(Begun { to, language, tenant: tenant.name, token, due, again_at }))
}

/// Notes how a try ended.
pub fn settle(tx: &mut Tx<'_>, ctx: &Context, begun: &Begun, outcome: &MailOutcome) -> Result<()> {
    let pause = usize::try_from(begun.due.tries).ok().and_then(|tries| PAUSES.get(tries));
    let (state, next_at, problem) = match (outcome, pause) {
        (MailOutcome::Sent, _) => (MailState::Sent, None, None),
        (MailOutcome::TryAgain(why), Some(pause)) => {
            (MailState::Waiting, Some(ctx.now.plus(*pause)), Some(why))
        }
        (MailOutcome::TryAgain(why) | MailOutcome::Refused(why), _) => (MailState::Failed, None, Some(why)),
    };
    let problem: Option<String> =
        problem.map(|why| why.chars().filter(|char| !char.is_control()).take(LONGEST_PROBLEM).collect());
    tx.run(rows::settle(&begun.due, begun.again_at, state, next_at, problem.as_deref())).map(drop)
}

/// Lets the mail of an open invitation be sent again; 409 while it waits, or when the tenant has had [`MOST_A_DAY`].
pub fn queue_again(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    invitation_id: &InvitationId,
    language: &str,
) -> Result<()> {
    if has_had_most(tx, ctx)? {
        return Err(Error::conflict(format!(
            "{MOST_A_DAY} e-mails were ordered within a day: hand the link over."
        )));
    }
    if !order(tx, ctx, invitation_id, language)? {
        return Err(Error::conflict(
            "The e-mail waits to be sent already, or the invitation is not open any more.",
        ));
    }
    Ok(())
}

/// Lets the mail of an open invitation be sent; whether it is meant for an address, no mail of it waits, and the tenant may send another one.
pub fn queue(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    invitation_id: &InvitationId,
    language: &str,
) -> Result<bool> {
    Ok(!has_had_most(tx, ctx)? && order(tx, ctx, invitation_id, language)?)
}

fn order(tx: &mut Tx<'_>, ctx: &TenantContext, invitation_id: &InvitationId, language: &str) -> Result<bool> {
    let is_ordered = tx.run(rows::queue(&ctx.tenant, invitation_id, language, ctx.now))? > 0;
    if is_ordered {
        audit::record(tx, ctx, Some(&ctx.tenant), Action::InvitationMailed, invitation_id.as_str())?;
    }
    Ok(is_ordered)
}

/// Whether the tenant has ordered [`MOST_A_DAY`] mails within a day: by the audit, since an invitation that was revoked is gone.
fn has_had_most(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    let since = ctx.now.minus(Duration::from_hours(24));
    let filter = Filter {
        action: Some(Action::InvitationMailed.as_str().to_owned()),
        from: Some(AuditEntryId::mint(Uuid7::first_of(since))),
        ..Filter::default()
    };
    let extent = Extent { items: MOST_A_DAY, bytes: usize::MAX };
    Ok(audit_rows::list(tx, &ctx.tenant, &filter, extent)?.0.items.len() == MOST_A_DAY)
}

//! The e-mails of invitations are sent, one after the other.

use pagesmith_model::{Result, TenantId};
use pagesmith_operations::users::invitation_mails::{self, DueMail, MailOutcome};
use pagesmith_store::Tx;
use pagesmith_store::tables::users::invitation_mails as rows;
use tracing::Instrument;

use crate::egress::call_span;
use crate::mail::Mailer;
use crate::sweep::tenants as tenant_sweep;
use crate::tools::{Left, Tools};

/// How many mails are looked up at once.
const ROUND: i64 = 10;

/// Sends invitations that are due. One whose tenant's rows cannot be reached keeps no other waiting.
pub(crate) async fn send(tools: Tools) -> Result<Left> {
    let Some(mailer) = tools.mailer.clone() else { return Ok(Left::Nothing) };
    let now = tools.platform.clock().now();
    let among_all = move |tx: &mut Tx<'_>| rows::list_due(tx, now, ROUND);
    let of_one = move |tx: &mut Tx<'_>, tenant: &TenantId| rows::list_due_of(tx, tenant, now, ROUND);
    let (mut left, mut failed) = (Left::Nothing, None);
    for due in tenant_sweep::find(&tools, among_all, of_one).await? {
        match send_one(&tools, &mailer, due).await {
            Ok(()) => left = Left::More,
            Err(error) => failed = Some(error),
        }
    }
    failed.map_or(Ok(left), Err)
}

async fn send_one(tools: &Tools, mailer: &Mailer, due: DueMail) -> Result<()> {
    let ctx = tools.context();
    let begin = move |tx: &mut Tx<'_>| invitation_mails::begin(tx, &ctx, due.clone());
    let Some(begun) = tools.store.claim(begin).await? else { return Ok(()) };
    let outcome = mailer.send_invitation(&begun).instrument(call_span("mail")).await;
    if let MailOutcome::TryAgain(why) | MailOutcome::Refused(why) = &outcome {
        tracing::warn!(tenant = begun.tenant_id().as_str(), why, "an invitation could not be sent by e-mail");
    }
    let ctx = tools.context();
    tools.store.write(move |tx| invitation_mails::settle(tx, &ctx, &begun, &outcome)).await
}

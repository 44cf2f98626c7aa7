//! The e-mails of invitations are sent, one after the other.

use pagesmith_model::Result;
use pagesmith_operations::users::invitation_mails::{self, MailOutcome};
use tracing::Instrument;

use crate::egress::call_span;
use crate::tools::{Left, Tools};

/// Sends an invitation that is due, if there is one.
pub(crate) async fn send(tools: Tools) -> Result<Left> {
    let Some(mailer) = tools.mailer.clone() else { return Ok(Left::Nothing) };
    let ctx = tools.context();
    let Some(begun) = tools.store.claim(move |tx| invitation_mails::begin(tx, &ctx)).await? else {
        return Ok(Left::Nothing);
    };
    let outcome = mailer.send_invitation(&begun).instrument(call_span("mail")).await;
    if let MailOutcome::TryAgain(why) | MailOutcome::Refused(why) = &outcome {
        tracing::warn!(tenant = begun.tenant_id().as_str(), why, "an invitation could not be sent by e-mail");
    }
    let ctx = tools.context();
    tools.store.write(move |tx| invitation_mails::settle(tx, &ctx, &begun, &outcome)).await?;
    Ok(Left::More)
}

//! `invitations` whose links are sent by e-mail: the columns of the mail.
//!
//! A mail that is due is claimed by putting its next try off, before it is sent; so no two servers send it at the same time, and one
//! that ends in the middle leaves it for later.

use pagesmith_model::user::{Invitation, MailState};
use pagesmith_model::{InvitationId, Result, TenantId, Timestamp};

use super::invitations::{invitation, invitation_columns};
use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// A mail that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueMail {
    /// The invitation.
    pub invitation: Invitation,
    /// The digest of its link's token.
    pub digest: Vec<u8>,
    /// The language of the mail.
    pub language: String,
    /// How many tries have begun.
    pub tries: i64,
    /// When it was due.
    pub due_at: Timestamp,
}

/// Lets the mail of an invitation be sent, for the first time or from the beginning, unless it waits or is being sent.
pub fn queue(tenant: &TenantId, invitation_id: &InvitationId, language: &str, now: Timestamp) -> Query {
    sql!(
        "UPDATE invitations SET mail_state = 'waiting', mail_language = $3, mail_tries = 0, mail_due_at = $4, mail_problem = NULL
         WHERE tenant_id = $1 AND invitation_id = $2 AND email IS NOT NULL AND mail_due_at IS NULL"
    )
    .with(values![tenant, invitation_id, language, now])
}

/// Mails that are due, the one that has waited longest first.
pub fn list_due(tx: &mut Tx<'_>, now: Timestamp, limit: i64) -> Result<Vec<DueMail>> {
    // across tenants: the sender serves all
    let select = sql!(
        "SELECT ",
        invitation_columns!(),
        ", digest, mail_language, mail_tries, mail_due_at FROM invitations
         WHERE mail_due_at <= $1 AND expires_at > $1 ORDER BY mail_due_at LIMIT $2"
    );
    tx.all(select.with(values![now, limit]))?.iter().map(due_mail).collect()
}

/// Mails of a tenant that are due, the one that has waited longest first.
pub fn list_due_of(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp, limit: i64) -> Result<Vec<DueMail>> {
    let select = sql!(
        "SELECT ",
        invitation_columns!(),
        ", digest, mail_language, mail_tries, mail_due_at FROM invitations
         WHERE tenant_id = $1 AND mail_due_at <= $2 AND expires_at > $2 ORDER BY mail_due_at LIMIT $3"
    );
    tx.all(select.with(values![tenant, now, limit]))?.iter().map(due_mail).collect()
}

fn due_mail(row: &Row) -> Result<DueMail> {
    Ok(DueMail {
        invitation: invitation(row)?,
        digest: row.take("digest")?,
        language: row.take("mail_language")?,
        tries: row.take("mail_tries")?,
        due_at: row.take("mail_due_at")?,
    })
}

/// Begins a try, if no other server has begun one: the next is due at `again_at`, unless this one ends before.
pub fn claim(due: &DueMail, again_at: Timestamp) -> Query {
    sql!(
        "UPDATE invitations SET mail_tries = mail_tries + 1, mail_due_at = $4
         WHERE tenant_id = $1 AND invitation_id = $2 AND mail_due_at = $3"
    )
    .with(values![&due.invitation.tenant_id, &due.invitation.invitation_id, due.due_at, again_at])
}

/// Notes what came of a try that was begun so; nothing if another server has begun the next one meanwhile.
pub fn settle(
    due: &DueMail,
    again_at: Timestamp,
    state: MailState,
    next_at: Option<Timestamp>,
    problem: Option<&str>,
) -> Query {
    sql!(
        "UPDATE invitations SET mail_state = $4, mail_due_at = $5, mail_problem = $6
         WHERE tenant_id = $1 AND invitation_id = $2 AND mail_due_at = $3"
    )
    .with(values![
        &due.invitation.tenant_id,
        &due.invitation.invitation_id,
        again_at,
        state.as_str(),
        next_at,
        problem
    ])
}

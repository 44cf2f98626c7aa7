//! `invitations`: links by which users come into a tenant; of each only the digest is here.

use pagesmith_model::actor::Actor;
use pagesmith_model::email::EmailAddress;
use pagesmith_model::user::{Invitation, InvitationMail, MailState, Role};
use pagesmith_model::{Error, InvitationId, Result, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// The columns of an invitation, which [`invitation`] reads.
macro_rules! invitation_columns {
    () => {
        $crate::sql::columns!("" => tenant_id, invitation_id, role, email, invited_by, created_at, expires_at, mail_state, mail_problem)
    };
}

pub(super) use invitation_columns;

pub(super) fn invitation(row: &Row) -> Result<Invitation> {
    let mail: Option<String> = row.take("mail_state")?;
    let mail = mail.map(|state| {
        let state = MailState::parse(&state).ok_or_else(|| Error::internal("a mail in an unknown state"))?;
        Ok::<_, Error>(InvitationMail { state, problem: row.take("mail_problem")? })
    });
    let role: String = row.take("role")?;
    let invited_by: String = row.take("invited_by")?;
    Ok(Invitation {
        invitation_id: row.take("invitation_id")?,
        tenant_id: row.take("tenant_id")?,
        role: Role::parse(&role).ok_or_else(|| Error::internal("an invitation with an unknown role"))?,
        email: row.take("email")?,
        invited_by: Actor::from_stored(&invited_by),
        created_at: row.take("created_at")?,
        expires_at: row.take("expires_at")?,
        mail: mail.transpose()?,
    })
}

/// Adds an invitation.
pub fn insert(invitation: &Invitation, digest: &[u8; 32]) -> Query {
    sql!(
        "INSERT INTO invitations (tenant_id, invitation_id, digest, role, email, invited_by, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
    )
    .with(values![
        &invitation.tenant_id,
        &invitation.invitation_id,
        digest,
        invitation.role.as_str(),
        &invitation.email,
        invitation.invited_by.to_stored(),
        invitation.created_at,
        invitation.expires_at,
    ])
}

/// Those of a tenant that can be accepted, the newest first.
pub fn list(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp) -> Result<Vec<Invitation>> {
    let select = sql!(
        "SELECT ",
        invitation_columns!(),
        " FROM invitations WHERE tenant_id = $1 AND expires_at > $2 ORDER BY invitation_id DESC"
    );
    tx.all(select.with(values![tenant, now]))?.iter().map(invitation).collect()
}

/// Those that are meant for an address and can be accepted, the oldest first.
pub fn list_for(tx: &mut Tx<'_>, email: &EmailAddress, now: Timestamp) -> Result<Vec<Invitation>> {
    // across tenants: whoever has the address may be invited by several
    let select = sql!(
        "SELECT ",
        invitation_columns!(),
        " FROM invitations WHERE email = $1 AND expires_at > $2 ORDER BY invitation_id"
    );
    tx.all(select.with(values![email, now]))?.iter().map(invitation).collect()
}

/// The invitation of a link's digest.
pub fn find_by_digest(tx: &mut Tx<'_>, digest: &[u8; 32]) -> Result<Option<Invitation>> {
    // across tenants: whoever has the link does not know the tenant
    let select = sql!("SELECT ", invitation_columns!(), " FROM invitations WHERE digest = $1");
    tx.maybe(select.with(values![digest]))?.as_ref().map(invitation).transpose()
}

/// Removes an invitation; a row is touched only if it was there.
pub fn remove(tenant: &TenantId, invitation_id: &InvitationId) -> Query {
    sql!("DELETE FROM invitations WHERE tenant_id = $1 AND invitation_id = $2")
        .with(values![tenant, invitation_id])
}

/// The tenants with some that nobody can accept any more.
pub fn tenants_with_expired(tx: &mut Tx<'_>, now: Timestamp) -> Result<Vec<TenantId>> {
    // across tenants: the sweeper serves all
    let select = sql!("SELECT DISTINCT tenant_id FROM invitations WHERE expires_at <= $1");
    tx.all(select.with(values![now]))?.iter().map(|row| row.take("tenant_id")).collect()
}

/// Whether a tenant has some that nobody can accept any more.
pub fn has_expired(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp) -> Result<bool> {
    let select =
        sql!("SELECT invitation_id FROM invitations WHERE tenant_id = $1 AND expires_at <= $2 LIMIT 1");
    Ok(tx.maybe(select.with(values![tenant, now]))?.is_some())
}

/// Removes those of a tenant that nobody can accept any more.
pub fn remove_expired(tenant: &TenantId, now: Timestamp) -> Query {
    sql!("DELETE FROM invitations WHERE tenant_id = $1 AND expires_at <= $2").with(values![tenant, now])
}

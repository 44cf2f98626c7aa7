//! Invitations: links by which somebody comes into a tenant, as a new user or as one that there is.
//!
//! A link is good for seven days and once. Whoever may invite is checked by [`super::memberships::require`].

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pagesmith_model::actor::Actor;
use pagesmith_model::audit::Action;
use pagesmith_model::tenant::Tenant;
use pagesmith_model::user::{Invitation, Membership, Role, User, user_email};
use pagesmith_model::{Error, InvitationId, Result, TenantId, UserId, key};
use pagesmith_store::tables::tenants as tenant_rows;
use pagesmith_store::tables::users as table;
use pagesmith_store::tables::users::invitations;
use pagesmith_store::{Store, Tx};

use super::links::no_good;
use super::{Hasher, NewUser, add, find, memberships, passwords};
use crate::audit;
use crate::context::{Context, TenantContext};

/// How long a link is good.
pub const GOOD_FOR: Duration = Duration::from_hours(7 * 24);
/// How many invitations of a tenant may be open.
pub const MOST_OPEN: usize = 100;

/// The token of an invitation's link. It is not kept: whoever has the server's keys can make it again, and nobody else.
pub(super) fn token_of(ctx: &Context, invitation_id: &InvitationId) -> Result<String> {
    Ok(URL_SAFE_NO_PAD.encode(ctx.keyed_digest("link of an invitation", &[invitation_id.as_str()])?))
}

/// Makes an invitation, and the token of its link, which nobody will be shown again.
pub fn create(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    role: Role,
    email: Option<&str>,
) -> Result<(Invitation, String)> {
    let email = email.map(user_email).transpose().map_err(|issue| Error::invalid(vec![issue]))?;
    if invitations::list(tx, &ctx.tenant, ctx.now)?.len() >= MOST_OPEN {
        let detail =
            format!("A tenant has at most {MOST_OPEN} open invitations: revoke those that are not wanted.");
        return Err(Error::conflict(detail));
    }
    if let Some(email) = &email
        && let Some(user) = table::find_by_email(tx, email)?
        && memberships::role(tx, &ctx.tenant, &user.user_id)?.is_some()
    {
        return Err(Error::conflict("The user has a role in this tenant already."));
    }
    let invitation = Invitation {
        invitation_id: InvitationId::mint(ctx.uuid()?),
        tenant_id: ctx.tenant.clone(),
        role,
        email,
        invited_by: ctx.actor().clone(),
        created_at: ctx.now,
        expires_at: ctx.now.plus(GOOD_FOR),
        mail: None,
    };
    let token = token_of(ctx, &invitation.invitation_id)?;
    tx.run(invitations::insert(&invitation, &key::digest(&token)))?;
    audit::record(tx, ctx, Some(&ctx.tenant), Action::UserInvited, invitation.invitation_id.as_str())?;
    Ok((invitation, token))
}

/// The open invitations of a tenant, the newest first.
pub fn list(tx: &mut Tx<'_>, ctx: &Context, tenant: &TenantId) -> Result<Vec<Invitation>> {
    invitations::list(tx, tenant, ctx.now)
}

/// Makes an invitation's link worthless.
pub fn revoke(tx: &mut Tx<'_>, ctx: &TenantContext, invitation_id: &InvitationId) -> Result<()> {
    if tx.run(invitations::remove(&ctx.tenant, invitation_id))? == 0 {
        return Err(Error::not_found(InvitationId::NOUN));
    }
    audit::record(tx, ctx, Some(&ctx.tenant), Action::InvitationRevoked, invitation_id.as_str()).map(drop)
}

/// The invitation of a link and its tenant; 404 if the link is no good.
pub fn of_token(tx: &mut Tx<'_>, ctx: &Context, token: &str) -> Result<(Invitation, Tenant)> {
    let found = invitations::find_by_digest(tx, &key::digest(token))?;
    let invitation = found.filter(|invitation| ctx.now < invitation.expires_at).ok_or_else(no_good)?;
    let tenant = tenant_rows::find(tx, invitation.tenant_id.as_str())?.ok_or_else(no_good)?;
    Ok((invitation, tenant))
}

/// Accepts an invitation as a new user, who signs in afterwards.
pub async fn accept_as_new(
    store: &Store,
    ctx: &Context,
    hasher: &Hasher,
    token: &str,
    new: &NewUser,
    password: String,
) -> Result<(User, Membership)> {
    let profile = new.profile()?;
    {
        let (ctx, token, email) = (ctx.clone(), token.to_owned(), profile.email.clone());
        let check = move |tx: &mut Tx<'_>| {
            let (invitation, _) = of_token(tx, &ctx, &token)?;
            check_address(&invitation, &email)
        };
        store.point_read(check).await?;
    }
    passwords::check(&password, &profile.email, &profile.name)?;
    let hash = hasher.hash(ctx, password).await?;
    let (ctx, token) = (ctx.clone(), token.to_owned());
    let accept = move |tx: &mut Tx<'_>| {
        let user = add(tx, &ctx, profile.clone(), Some(&hash))?;
        let membership = accept(tx, &ctx, &token, &user.user_id)?;
        Ok((user, membership))
    };
    store.write(accept).await
}

/// Accepts an invitation as the user who is signed in.
pub fn accept(tx: &mut Tx<'_>, ctx: &Context, token: &str, user_id: &UserId) -> Result<Membership> {
    let (invitation, _) = of_token(tx, ctx, token)?;
    check_address(&invitation, &find(tx, user_id)?.email)?;
    take(tx, ctx, &invitation, user_id)
}

/// Gives the user the role of an invitation, which is used up.
pub(super) fn take(
    tx: &mut Tx<'_>,
    ctx: &Context,
    invitation: &Invitation,
    user_id: &UserId,
) -> Result<Membership> {
    let ctx = ctx.clone().by(Actor::User(user_id.clone())).of(invitation.tenant_id.clone());
    let membership = memberships::add(tx, &ctx, user_id, invitation.role)?;
    tx.run(invitations::remove(&ctx.tenant, &invitation.invitation_id))?;
    Ok(membership)
}

fn check_address(invitation: &Invitation, email: &pagesmith_model::email::EmailAddress) -> Result<()> {
    if invitation.email.as_ref().is_some_and(|meant| meant != email) {
        return Err(Error::conflict("The invitation is meant for another e-mail address."));
    }
    Ok(())
}

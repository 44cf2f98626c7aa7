//! Who somebody from an identity provider is here: a user who was connected before, one with the same verified address, somebody who is
//! invited, or somebody whom a claim gives a role.
//!
//! Invariants: nobody is connected by an address that the provider has not verified; whoever could sign in as a user before somebody was
//! connected with the user by the address can no longer, but for users who are marked for emergencies; no claim takes a role away from
//! these, or from a tenant's last owner; each answer of a provider signs in once.

use std::collections::BTreeMap;

use pagesmith_model::actor::Actor;
use pagesmith_model::audit::Action;
use pagesmith_model::email::EmailAddress;
use pagesmith_model::identity_provider::IdentityProvider;
use pagesmith_model::identity_provider::claims::Claims;
use pagesmith_model::user::{Invitation, Role, USUAL_LANGUAGE, User};
use pagesmith_model::{Error, Kind, Result, TenantId, Timestamp, UserId};
use pagesmith_store::Tx;
use pagesmith_store::tables::tenants as tenant_rows;
use pagesmith_store::tables::users as table;
use pagesmith_store::tables::users::identities as rows;

use super::sign_in::{Rules, SignIn, admit};
use super::{Client, Profile, add, close, find, invitations, memberships, record, second_factor, sessions};
use crate::context::Context;

/// Somebody whom a provider has sent, after all that it says was judged.
#[derive(Debug, Clone)]
pub(super) struct Arrived {
    pub(super) provider: IdentityProvider,
    pub(super) claims: Claims,
    /// The token of an invitation that is to be accepted.
    pub(super) invitation: Option<String>,
    /// What tells this answer apart.
    pub(super) digest: [u8; 32],
    /// Until when it would count.
    pub(super) expires_at: Timestamp,
}

fn forbidden(detail: String) -> Error {
    Error::new(Kind::Forbidden, detail)
}

/// Signs in whoever it is.
pub(super) fn sign_in(
    tx: &mut Tx<'_>,
    ctx: &Context,
    rules: Rules,
    client: &Client,
    arrived: &Arrived,
    replaced: Option<&str>,
) -> Result<SignIn> {
    if tx.run(rows::use_up(&arrived.digest, arrived.expires_at))? == 0 {
        let detail = "This sign-in was used already. Please begin again.";
        return Err(Error::new(Kind::Unauthorized, detail));
    }
    let user = user_of(tx, ctx, arrived)?;
    if user.disabled_at.is_some() {
        return Err(forbidden("Your user is disabled. Ask whoever runs this server.".to_owned()));
    }
    renew_roles(tx, ctx, arrived, &user)?;
    admit(tx, ctx, rules, client, user, replaced)
}

/// The user who has arrived, who may be made of it.
fn user_of(tx: &mut Tx<'_>, ctx: &Context, arrived: &Arrived) -> Result<User> {
    let Arrived { provider, claims, .. } = arrived;
    let subject = claims.subject().ok_or_else(|| Error::internal("a token without a subject"))?;
    let email = claims.verified_email();
    let is_let_in = email.as_ref().is_some_and(|email| provider.lets_in(email));
    if !provider.email_domains.is_empty() && !is_let_in {
        let domains = provider.email_domains.join(", ");
        return Err(forbidden(format!("Only verified addresses of these domains are let in: {domains}.")));
    }
    if let Some(user_id) = rows::find(tx, &provider.issuer, subject)? {
        tx.run(rows::set_last(&provider.issuer, subject, ctx.now))?;
        let user = find(tx, &user_id)?;
        if user.disabled_at.is_none() {
            accept_asked(tx, ctx, arrived, &user)?;
        }
        return Ok(user);
    }
    let email = email.ok_or_else(|| {
        forbidden(format!(
            "{} does not confirm your e-mail address, so it is not known who you are here.",
            provider.name
        ))
    })?;
    let (user, is_new) = match table::find_by_email(tx, &email)? {
        // A disabled user is refused later on, and stays as it is.
        Some(user) if user.disabled_at.is_some() => return Ok(user),
        Some(user) => (user, false),
        None => (create_user(tx, ctx, arrived, &email)?, true),
    };
    if rows::has_of_issuer(tx, &provider.issuer, &user.user_id)? {
        let detail = format!(
            "The user with your address is somebody else at {}. Whoever runs this server can disconnect them.",
            provider.name
        );
        return Err(forbidden(detail));
    }
    let by_user = by(ctx, &user.user_id);
    tx.run(rows::insert(&provider.issuer, subject, &user.user_id, ctx.now))?;
    record(tx, &by_user, &user.user_id, Action::IdentityConnected)?;
    let user = if is_new || user.is_break_glass { user } else { taken_over(tx, &by_user, user)? };
    accept_asked(tx, ctx, arrived, &user)?;
    Ok(user)
}

/// The user, as whom only somebody from a provider can sign in from now on. Nobody here has verified the address: an invitation for anybody lets
/// its finder take any address, and wait with a password of their own for whoever really has it.
fn taken_over(tx: &mut Tx<'_>, ctx: &Context, user: User) -> Result<User> {
    sessions::end_others(tx, ctx, &user.user_id, None)?;
    close(tx, &user.user_id)?;
    second_factor::remove(tx, ctx, &user.user_id)?;
    if user.has_password {
        tx.run(table::remove_password(&user.user_id))?;
        record(tx, ctx, &user.user_id, Action::PasswordRemoved)?;
    }
    Ok(User { has_password: false, has_totp: false, ..user })
}

fn by(ctx: &Context, user_id: &UserId) -> Context {
    ctx.clone().by(Actor::User(user_id.clone()))
}

/// Makes a user of somebody who is invited, or whom a claim gives a role.
fn create_user(tx: &mut Tx<'_>, ctx: &Context, arrived: &Arrived, email: &EmailAddress) -> Result<User> {
    let Arrived { provider, claims, .. } = arrived;
    let asked = match &arrived.invitation {
        Some(token) => invitations::of_token(tx, ctx, token).ok().filter(|(found, _)| is_for(found, email)),
        None => None,
    };
    let invited = table::invitations::list_for(tx, email, ctx.now)?;
    let has_role = provider.creates_users && provider.roles_of(claims).values().any(Option::is_some);
    if asked.is_none() && invited.is_empty() && !has_role {
        let detail =
            format!("There is no user with the address {email} here. Ask somebody here to invite you.");
        return Err(forbidden(detail));
    }
    let language = claims.language().unwrap_or_else(|| USUAL_LANGUAGE.to_owned());
    let profile = Profile { email: email.clone(), name: claims.name(email), language };
    let user = add(tx, ctx, profile, None)?;
    for invitation in invited {
        // Of two invitations to one tenant the first counts, and a tenant that is full takes nobody.
        match invitations::take(tx, ctx, &invitation, &user.user_id) {
            Err(error) if !matches!(error.kind(), Kind::Conflict(_)) => return Err(error),
            _ => {}
        }
    }
    Ok(user)
}

fn is_for(invitation: &Invitation, email: &EmailAddress) -> bool {
    invitation.email.as_ref().is_none_or(|meant| meant == email)
}

/// Accepts the invitation that the user came with. One that cannot be accepted keeps nobody from signing in.
fn accept_asked(tx: &mut Tx<'_>, ctx: &Context, arrived: &Arrived, user: &User) -> Result<()> {
    let Some(token) = &arrived.invitation else { return Ok(()) };
    match invitations::accept(tx, ctx, token, &user.user_id) {
        Err(error) if !matches!(error.kind(), Kind::Conflict(_) | Kind::NotFound) => Err(error),
        _ => Ok(()),
    }
}

/// Gives the user the roles that the claims give, and takes those away that they do not, in the tenants that the provider's rules name.
fn renew_roles(tx: &mut Tx<'_>, ctx: &Context, arrived: &Arrived, user: &User) -> Result<()> {
    let mut roles: BTreeMap<TenantId, Option<Role>> = BTreeMap::new();
    for (name, wanted) in arrived.provider.roles_of(&arrived.claims) {
        // The rules may name a tenant that is to come, or one both by its id and by its slug.
        let Some(tenant) = tenant_rows::find(tx, name)? else { continue };
        let role = roles.entry(tenant.tenant_id).or_default();
        *role = Role::greatest([*role, wanted].into_iter().flatten());
    }
    for (tenant, wanted) in roles {
        let ctx = ctx.of(tenant);
        let present = memberships::role(tx, &ctx.tenant, &user.user_id)?;
        let renewed = match (present, wanted) {
            (None, Some(role)) => memberships::add(tx, &ctx, &user.user_id, role).map(drop),
            // Whoever is there for emergencies keeps what an operator gave.
            (Some(_), _) if user.is_break_glass => Ok(()),
            (Some(_), Some(role)) => memberships::change(tx, &ctx, &user.user_id, role).map(drop),
            (Some(_), None) => memberships::remove(tx, &ctx, &user.user_id),
            (None, None) => Ok(()),
        };
        match renewed {
            // The last owner stays one, and a tenant that is full takes nobody; signing in goes on.
            Err(error) if matches!(error.kind(), Kind::Conflict(_)) => {}
            renewed => renewed?,
        }
    }
    Ok(())
}

/// The providers at which a user is known.
pub fn issuers_of(tx: &mut Tx<'_>, user_id: &UserId) -> Result<Vec<String>> {
    rows::issuers_of(tx, user_id)
}

/// Disconnects a user from all providers, so that the next sign-in connects whoever has the address then; again changes nothing.
pub fn disconnect(tx: &mut Tx<'_>, ctx: &Context, user_id: &UserId) -> Result<()> {
    find(tx, user_id)?;
    if tx.run(rows::remove_of_user(user_id))? > 0 {
        record(tx, ctx, user_id, Action::IdentitiesRemoved)?;
    }
    Ok(())
}

//! Users: made, changed, disabled and removed; how they sign in and what they may do has a file each.
//!
//! Functions that take a `Tx` are one transaction, as everywhere. The few that are `async` take the store, since passwords are hashed
//! between two transactions and never within one.
//! Invariants: a user who is disabled or removed has no session, and every tenant that ever had an owner keeps one.

pub(crate) mod attempts;
pub mod break_glass;
pub mod first_user;
pub mod hashing;
pub mod identities;
pub mod identity_providers;
pub mod invitation_mails;
pub mod invitations;
pub mod links;
pub mod memberships;
pub mod passwords;
pub mod provider_sign_in;
pub mod second_factor;
pub mod sessions;
pub mod sign_in;
pub mod sweep;

use std::net::IpAddr;

use pagesmith_model::audit::Action;
use pagesmith_model::email::EmailAddress;
use pagesmith_model::issues::Issues;
use pagesmith_model::user::{User, user_email, user_language, user_name};
use pagesmith_model::{Error, Kind, Result, UserId, key, network};
use pagesmith_store::tables::users as table;
use pagesmith_store::tables::users::{addresses, half_sign_ins, recovery_codes};
use pagesmith_store::{OnConstraint, Tx};

use crate::audit;
use crate::context::Context;

pub use hashing::Hasher;

/// Where a request comes from.
#[derive(Debug, Clone)]
pub struct Client {
    /// The client's address, behind trusted proxies.
    pub address: IpAddr,
    /// What the browser says of itself; may be empty.
    pub user_agent: String,
}

impl Client {
    /// What is counted as one client: see [`network::origin`].
    fn origin(&self) -> String {
        network::origin(self.address).to_string()
    }
}

/// A user to be made.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// The address by which the user signs in.
    pub email: String,
    /// What the user is called.
    pub name: String,
    /// The language in which the console is shown, such as `en`.
    pub language: String,
}

/// What is to be changed of a user; what is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct UserChange {
    /// The address by which the user signs in.
    pub email: Option<String>,
    /// What the user is called.
    pub name: Option<String>,
    /// The language in which the console is shown.
    pub language: Option<String>,
}

/// A user to be made, in its normal form.
#[derive(Debug, Clone)]
struct Profile {
    email: EmailAddress,
    name: String,
    language: String,
}

impl NewUser {
    /// Its normal form; every broken rule is told at once.
    fn profile(&self) -> Result<Profile> {
        let mut issues = Issues::default();
        let mut note = |issue| issues.add(issue);
        let email = user_email(&self.email).map_err(&mut note).ok();
        let name = user_name(&self.name).map_err(&mut note).ok();
        let language = user_language(&self.language).map_err(&mut note).ok();
        match (email, name, language) {
            (Some(email), Some(name), Some(language)) => Ok(Profile { email, name, language }),
            _ => Err(Error::invalid(issues)),
        }
    }
}

/// Makes a user without a role and without a password: a [`links::password_link`] lets the user set one.
pub fn create(tx: &mut Tx<'_>, ctx: &Context, new: &NewUser) -> Result<User> {
    add(tx, ctx, new.profile()?, None)
}

/// Makes a user.
fn add(tx: &mut Tx<'_>, ctx: &Context, profile: Profile, password_hash: Option<&str>) -> Result<User> {
    let Profile { email, name, language } = profile;
    let user = User {
        user_id: UserId::mint(ctx.uuid()?),
        email,
        name,
        language,
        has_password: password_hash.is_some(),
        has_totp: false,
        is_break_glass: false,
        disabled_at: None,
        created_at: ctx.now,
        is_operator: false,
    };
    tx.run(table::insert(&user, password_hash)).on_constraint("users_email_key", taken)?;
    audit::record(tx, ctx, None, Action::UserCreated, user.user_id.as_str())?;
    Ok(user)
}

fn taken() -> Error {
    Error::conflict("There is a user with this e-mail address already.")
}

/// The user of this id.
pub fn find(tx: &mut Tx<'_>, user_id: &UserId) -> Result<User> {
    table::find(tx, user_id)?.ok_or_else(|| Error::not_found(UserId::NOUN))
}

/// The user with this id or e-mail address.
pub fn find_by_name(tx: &mut Tx<'_>, id_or_email: &str) -> Result<User> {
    let found = match (UserId::parse(id_or_email), EmailAddress::parse(id_or_email)) {
        (Some(user_id), _) => table::find(tx, &user_id)?,
        (None, Some(email)) => table::find_by_email(tx, &email)?,
        (None, None) => None,
    };
    found.ok_or_else(|| {
        let detail = format!("No such user: {id_or_email}; `pagesmith user list` shows all of them.");
        Error::new(Kind::NotFound, detail)
    })
}

/// Users in the order in which they were made, behind one of them.
pub fn list(tx: &mut Tx<'_>, after: Option<&UserId>, limit: i64) -> Result<Vec<User>> {
    table::list(tx, after, limit)
}

/// Changes a user; the same again changes nothing.
pub fn update(tx: &mut Tx<'_>, ctx: &Context, user_id: &UserId, change: &UserChange) -> Result<User> {
    let before = find(tx, user_id)?;
    let wanted = NewUser {
        email: change.email.clone().unwrap_or_else(|| before.email.as_str().to_owned()),
        name: change.name.clone().unwrap_or_else(|| before.name.clone()),
        language: change.language.clone().unwrap_or_else(|| before.language.clone()),
    };
    let Profile { email, name, language } = wanted.profile()?;
    let user = User { email, name, language, ..before.clone() };
    if user != before {
        tx.run(table::update(&user)).on_constraint("users_email_key", taken)?;
        record(tx, ctx, user_id, Action::UserUpdated)?;
    }
    Ok(user)
}

/// Lets a user run the installation at the console, or no longer; the same again changes nothing.
pub fn set_operator(tx: &mut Tx<'_>, ctx: &Context, user_id: &UserId, is_operator: bool) -> Result<User> {
    let before = find(tx, user_id)?;
    if before.is_operator != is_operator {
        tx.run(table::set_operator(user_id, is_operator))?;
        // What a token could do has changed: another one is given out at the next use.
        tx.run(table::sessions::rotate_all(user_id, ctx.now))?;
        record(tx, ctx, user_id, if is_operator { Action::OperatorAdded } else { Action::OperatorRemoved })?;
    }
    Ok(User { is_operator, ..before })
}

/// Ends a user's sessions and lets the user sign in no more; again changes nothing.
pub fn disable(tx: &mut Tx<'_>, ctx: &Context, user_id: &UserId) -> Result<User> {
    let mut user = find(tx, user_id)?;
    if user.disabled_at.is_none() {
        user.disabled_at = Some(ctx.now);
        tx.run(table::set_disabled(user_id, Some(ctx.now)))?;
        close(tx, user_id)?;
        record(tx, ctx, user_id, Action::UserDisabled)?;
    }
    Ok(user)
}

/// Lets a user sign in again; again changes nothing.
pub fn enable(tx: &mut Tx<'_>, ctx: &Context, user_id: &UserId) -> Result<User> {
    let mut user = find(tx, user_id)?;
    if user.disabled_at.take().is_some() {
        tx.run(table::set_disabled(user_id, None))?;
        record(tx, ctx, user_id, Action::UserEnabled)?;
    }
    Ok(user)
}

/// Removes a user with everything that tells who it was but the id, which stays with what the user has done. Refused for the last owner of
/// a tenant.
pub fn remove(tx: &mut Tx<'_>, ctx: &Context, user_id: &UserId) -> Result<User> {
    let user = find(tx, user_id)?;
    let roles = memberships::of_user(tx, user_id)?;
    for (tenant, role) in &roles {
        memberships::check_not_last_owner(tx, tenant, user_id, *role)?;
    }
    record(tx, ctx, user_id, Action::UserRemoved)?;
    for (tenant, _) in &roles {
        tx.run(table::memberships::remove(&tenant.tenant_id, user_id))?;
    }
    close(tx, user_id)?;
    tx.run(recovery_codes::remove_all(user_id))?;
    tx.run(addresses::remove_of_user(user_id))?;
    tx.run(table::identities::remove_of_user(user_id))?;
    tx.run(table::remove(user_id))?;
    Ok(user)
}

/// Ends everything by which somebody is signed in as the user, or could be soon.
fn close(tx: &mut Tx<'_>, user_id: &UserId) -> Result<()> {
    tx.run(table::sessions::remove_of_user(user_id))?;
    tx.run(half_sign_ins::remove_of_user(user_id))?;
    tx.run(table::links::remove_of_user(user_id))?;
    Ok(())
}

/// Notes what was done to a user, or by one, for each tenant in which the user has a role.
fn record(tx: &mut Tx<'_>, ctx: &Context, user_id: &UserId, action: Action) -> Result<()> {
    let roles = memberships::of_user(tx, user_id)?;
    if roles.is_empty() {
        audit::record(tx, ctx, None, action, user_id.as_str())?;
    }
    for (tenant, _) in roles {
        audit::record(tx, ctx, Some(&tenant.tenant_id), action, user_id.as_str())?;
    }
    Ok(())
}

/// 256 random bits as text, for a link or a session, and the digest that is kept of it.
pub(crate) fn token(ctx: &Context) -> Result<(String, [u8; 32])> {
    use base64::Engine as _;
    let text = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(ctx.random::<32>()?);
    let digest = key::digest(&text);
    Ok((text, digest))
}

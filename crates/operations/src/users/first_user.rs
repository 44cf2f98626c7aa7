//! The first user: made by a link that only whoever starts the server sees, and that works as long as there is no user.
//!
//! Nothing waits to be claimed by strangers: without the link nobody becomes a user. Two uses of a link at the same time make one user.
//! The first user is marked for emergencies, so that somebody can sign in with a password whatever is set up later.

use pagesmith_model::actor::Actor;
use pagesmith_model::user::{Role, User};
use pagesmith_model::{Error, Result, key};
use pagesmith_store::tables::tenants as tenant_rows;
use pagesmith_store::tables::users as table;
use pagesmith_store::tables::users::links::{self, LinkPurpose};
use pagesmith_store::{Store, Tx};

use super::links::{GOOD_FOR, no_good};
use super::{Hasher, NewUser, add, break_glass, memberships, passwords, token};
use crate::bootstrap;
use crate::context::Context;
use crate::tenants::{self, TenantChange};

/// The token of a link to make the first user, in the place of one before; nothing if there is a user.
pub fn set_up_link(tx: &mut Tx<'_>, ctx: &Context) -> Result<Option<String>> {
    tx.run(links::remove_set_up())?;
    if table::are_any(tx)? {
        return Ok(None);
    }
    let (token, digest) = token(ctx)?;
    tx.run(links::insert(&digest, &LinkPurpose::SetUp, ctx.now, ctx.now.plus(GOOD_FOR)))?;
    Ok(Some(token))
}

/// Refuses a link that is no good: it is too old, or there is a user.
pub fn check(tx: &mut Tx<'_>, ctx: &Context, token: &str) -> Result<()> {
    let is_good = links::find(tx, &key::digest(token), ctx.now)? == Some(LinkPurpose::SetUp);
    if is_good && !table::are_any(tx)? { Ok(()) } else { Err(no_good()) }
}

/// Makes the first user, owner of the default tenant and operator of the installation, and uses the link up. The tenant is called what the user's
/// company is, if that is told.
pub async fn create(
    store: &Store,
    ctx: &Context,
    hasher: &Hasher,
    token: &str,
    new: &NewUser,
    password: String,
    company: Option<&str>,
) -> Result<User> {
    {
        let (ctx, token) = (ctx.clone(), token.to_owned());
        store.point_read(move |tx| check(tx, &ctx, &token)).await?;
    }
    let profile = new.profile()?;
    passwords::check(&password, &profile.email, &profile.name)?;
    let hash = hasher.hash(ctx, password).await?;
    let (ctx, token) = (ctx.clone(), token.to_owned());
    let named = TenantChange { name: company.map(str::to_owned), ..TenantChange::default() };
    let create = move |tx: &mut Tx<'_>| {
        check(tx, &ctx, &token)?;
        tx.run(links::remove_set_up())?;
        let user = add(tx, &ctx, profile.clone(), Some(&hash))?;
        // The operator may have given the first tenant another name.
        let tenant = match tenant_rows::find(tx, bootstrap::TENANT)? {
            Some(tenant) => tenant,
            None => tenant_rows::list(tx)?.into_iter().next().ok_or_else(|| {
                Error::conflict("There is no tenant yet: make one with `pagesmith tenant create`.")
            })?,
        };
        let ctx = ctx.clone().by(Actor::User(user.user_id.clone()));
        tenants::update(tx, &ctx, tenant.tenant_id.as_str(), &named)?;
        let ctx = ctx.of(tenant.tenant_id);
        memberships::add(tx, &ctx, &user.user_id, Role::Owner)?;
        break_glass::set(tx, &ctx, &user.user_id, true)?;
        // Whoever has the link has seen what the server prints, and so has the machine.
        super::set_operator(tx, &ctx, &user.user_id, true)
    };
    store.write(create).await
}

//! Memberships: which user has which role in which tenant.
//!
//! Invariant: the last owner of a tenant who can sign in is neither removed nor made something else.

use pagesmith_model::audit::Action;
use pagesmith_model::tenant::Tenant;
use pagesmith_model::user::{MOST_TENANTS, MOST_USERS_OF_TENANT, Membership, Permission, Role, User};
use pagesmith_model::{Error, Kind, Result, TenantId, UserId};
use pagesmith_store::Tx;
use pagesmith_store::tables::users::{memberships, sessions};

use super::find;
use crate::audit;
use crate::context::{Context, TenantContext};
use crate::tenants;

/// The role of a user in a tenant, if the user has one.
pub fn role(tx: &mut Tx<'_>, tenant: &TenantId, user_id: &UserId) -> Result<Option<Role>> {
    memberships::find(tx, tenant, user_id)
}

/// The role of a user in a tenant; 403 if it does not allow that, 404 if the user has none there, as if there were no such tenant.
pub fn require(tx: &mut Tx<'_>, tenant: &TenantId, user_id: &UserId, permission: Permission) -> Result<Role> {
    let role = role(tx, tenant, user_id)?.ok_or_else(|| Error::not_found(TenantId::NOUN))?;
    if role.allows(permission) {
        return Ok(role);
    }
    Err(Error::new(Kind::Forbidden, format!("Your role, {role}, does not allow that.")))
}

/// The users of a tenant with their roles.
pub fn list(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Vec<(User, Membership)>> {
    memberships::list(tx, tenant)
}

/// The tenants of a user with the user's role in each.
pub fn of_user(tx: &mut Tx<'_>, user_id: &UserId) -> Result<Vec<(Tenant, Role)>> {
    memberships::of_user(tx, user_id)
}

/// Gives a user who has none a role in a tenant.
pub fn add(tx: &mut Tx<'_>, ctx: &TenantContext, user_id: &UserId, role: Role) -> Result<Membership> {
    find(tx, user_id)?;
    if memberships::find(tx, &ctx.tenant, user_id)?.is_some() {
        return Err(Error::conflict("The user has a role in this tenant already."));
    }
    let is_full = |count: i64, most: usize| usize::try_from(count).unwrap_or(usize::MAX) >= most;
    if is_full(memberships::count(tx, &ctx.tenant)?, MOST_USERS_OF_TENANT) {
        return Err(Error::conflict(format!("A tenant has at most {MOST_USERS_OF_TENANT} users.")));
    }
    if memberships::of_user(tx, user_id)?.len() >= MOST_TENANTS {
        return Err(Error::conflict(format!("A user has a role in at most {MOST_TENANTS} tenants.")));
    }
    save(tx, ctx, user_id, role)
}

/// Gives a user of a tenant another role; the same again changes nothing.
pub fn change(tx: &mut Tx<'_>, ctx: &TenantContext, user_id: &UserId, role: Role) -> Result<Role> {
    let before = of_member(tx, ctx, user_id)?;
    if before != role {
        if before == Role::Owner {
            let tenant = tenant(tx, ctx)?;
            check_not_last_owner(tx, &tenant, user_id, before)?;
        }
        save(tx, ctx, user_id, role)?;
    }
    Ok(role)
}

/// Takes a user's role in a tenant away.
pub fn remove(tx: &mut Tx<'_>, ctx: &TenantContext, user_id: &UserId) -> Result<()> {
    let before = of_member(tx, ctx, user_id)?;
    let tenant = tenant(tx, ctx)?;
    check_not_last_owner(tx, &tenant, user_id, before)?;
    tx.run(memberships::remove(&ctx.tenant, user_id))?;
    tx.run(sessions::rotate_all(user_id, ctx.now))?;
    record(tx, ctx, user_id, Action::RoleRemoved)
}

fn of_member(tx: &mut Tx<'_>, ctx: &TenantContext, user_id: &UserId) -> Result<Role> {
    memberships::find(tx, &ctx.tenant, user_id)?.ok_or_else(|| Error::not_found(UserId::NOUN))
}

fn tenant(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<Tenant> {
    tenants::find(tx, ctx.tenant.as_str())
}

fn save(tx: &mut Tx<'_>, ctx: &TenantContext, user_id: &UserId, role: Role) -> Result<Membership> {
    let membership =
        Membership { tenant_id: ctx.tenant.clone(), user_id: user_id.clone(), role, created_at: ctx.now };
    tx.run(memberships::save(&membership))?;
    // What a token could do has changed: another one is given out at the next use.
    tx.run(sessions::rotate_all(user_id, ctx.now))?;
    record(tx, ctx, user_id, Action::RoleChanged)?;
    Ok(membership)
}

fn record(tx: &mut Tx<'_>, ctx: &TenantContext, user_id: &UserId, action: Action) -> Result<()> {
    let context: &Context = ctx;
    audit::record(tx, context, Some(&ctx.tenant), action, user_id.as_str()).map(drop)
}

/// Refuses what would leave a tenant without an owner who can sign in.
pub(super) fn check_not_last_owner(
    tx: &mut Tx<'_>,
    tenant: &Tenant,
    user_id: &UserId,
    role: Role,
) -> Result<()> {
    if role == Role::Owner && memberships::other_owners(tx, &tenant.tenant_id, user_id)? == 0 {
        let detail = format!("The tenant {} would have no owner: make somebody else one first.", tenant.slug);
        return Err(Error::conflict(detail));
    }
    Ok(())
}

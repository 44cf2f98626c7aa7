//! `memberships`: which user has which role in which tenant.

use pagesmith_model::tenant::Tenant;
use pagesmith_model::user::{Membership, Role, User};
use pagesmith_model::{Error, Result, TenantId, UserId};

use super::{user, user_columns};
use crate::row::Row;
use crate::sql::Query;
use crate::tables::tenants;
use crate::tx::Tx;
use crate::{sql, values};

fn membership(row: &Row) -> Result<Membership> {
    Ok(Membership {
        tenant_id: row.take("of_tenant")?,
        user_id: row.take("of_user")?,
        role: role(row)?,
        created_at: row.take("member_since")?,
    })
}

fn role(row: &Row) -> Result<Role> {
    let text: String = row.take("role")?;
    Role::parse(&text).ok_or_else(|| Error::internal("a membership with an unknown role"))
}

/// Gives a user a role in a tenant, in the place of the one before.
pub fn save(membership: &Membership) -> Query {
    sql!(
        "INSERT INTO memberships (tenant_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (tenant_id, user_id) DO UPDATE SET role = excluded.role"
    )
    .with(values![
        &membership.tenant_id,
        &membership.user_id,
        membership.role.as_str(),
        membership.created_at
    ])
}

/// The role of a user in a tenant.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, user_id: &UserId) -> Result<Option<Role>> {
    let select = sql!("SELECT role FROM memberships WHERE tenant_id = $1 AND user_id = $2");
    tx.maybe(select.with(values![tenant, user_id]))?.as_ref().map(role).transpose()
}

/// The users of a tenant, in the order in which they were made.
pub fn list(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Vec<(User, Membership)>> {
    let select = sql!(
        "SELECT ",
        user_columns!(),
        ", m.tenant_id AS of_tenant, m.user_id AS of_user, m.role, m.created_at AS member_since
         FROM memberships m JOIN users u ON u.user_id = m.user_id WHERE m.tenant_id = $1 ORDER BY m.user_id"
    );
    tx.all(select.with(values![tenant]))?.iter().map(|row| Ok((user(row)?, membership(row)?))).collect()
}

/// How many users a tenant has.
pub fn count(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<i64> {
    let select = sql!("SELECT COUNT(*) AS users FROM memberships WHERE tenant_id = $1");
    tx.one(select.with(values![tenant]))?.get("users")
}

/// The tenants of a user with the user's role in each, in the order of their ids.
pub fn of_user(tx: &mut Tx<'_>, user_id: &UserId) -> Result<Vec<(Tenant, Role)>> {
    // across tenants: a user may have roles in several
    let select = sql!("SELECT tenant_id, role FROM memberships WHERE user_id = $1 ORDER BY tenant_id");
    let rows = tx.all(select.with(values![user_id]))?;
    let mut found = Vec::with_capacity(rows.len());
    for row in &rows {
        let tenant: TenantId = row.take("tenant_id")?;
        if let Some(tenant) = tenants::find(tx, tenant.as_str())? {
            found.push((tenant, role(row)?));
        }
    }
    Ok(found)
}

/// How many owners a tenant has who can sign in, without this user.
pub fn other_owners(tx: &mut Tx<'_>, tenant: &TenantId, user_id: &UserId) -> Result<i64> {
    let select = sql!(
        "SELECT COUNT(*) AS owners FROM memberships m JOIN users u ON u.user_id = m.user_id
         WHERE m.tenant_id = $1 AND m.role = 'owner' AND m.user_id <> $2 AND u.disabled_at IS NULL"
    );
    tx.one(select.with(values![tenant, user_id]))?.get("owners")
}

/// Takes a user's role in a tenant away.
pub fn remove(tenant: &TenantId, user_id: &UserId) -> Query {
    sql!("DELETE FROM memberships WHERE tenant_id = $1 AND user_id = $2").with(values![tenant, user_id])
}

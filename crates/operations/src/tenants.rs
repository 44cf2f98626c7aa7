//! Tenants: made, suspended and resumed by operators.

use pagesmith_model::audit::Action;
use pagesmith_model::tenant::Tenant;
use pagesmith_model::{Error, Result, TenantId, phone, slug};
use pagesmith_store::tables::{revisions, tenants};
use pagesmith_store::{OnConstraint, Tx};

use crate::audit;
use crate::world::Context;

/// A tenant to be made.
#[derive(Debug, Clone)]
pub struct NewTenant {
    /// Its name.
    pub name: String,
    /// Its label in host names; made from the name if it is left out.
    pub slug: Option<String>,
    /// In whose way an import reads national phone numbers (two letters, ISO 3166, in any case).
    pub default_region: Option<String>,
}

/// Makes a tenant; its slug must be a free DNS label.
pub fn create(tx: &mut Tx<'_>, ctx: &Context, new: &NewTenant) -> Result<Tenant> {
    if new.name.trim().is_empty() {
        return Err(Error::conflict("A tenant needs a name."));
    }
    let slug = match &new.slug {
        None => slug::tenant_slug(&new.name),
        Some(wanted) if *wanted == slug::tenant_slug(wanted) => wanted.clone(),
        Some(wanted) => {
            return Err(Error::conflict(format!(
                "'{wanted}' cannot be a tenant's slug: use lower-case letters, digits and hyphens, such as '{}'.",
                slug::tenant_slug(wanted)
            )));
        }
    };
    let default_region = new.default_region.as_deref().map(region).transpose()?;
    let tenant = Tenant {
        tenant_id: TenantId::mint(ctx.uuid()?),
        name: new.name.clone(),
        slug,
        default_region,
        created_at: ctx.now,
        suspended_at: None,
    };
    tenants::insert(tx, &tenant).on_constraint("tenants_slug_key", || {
        Error::conflict(format!("The slug '{}' is taken.", tenant.slug))
    })?;
    revisions::raise(tx, revisions::ACCESS)?;
    record(tx, ctx, &tenant, Action::TenantCreated)?;
    Ok(tenant)
}

fn record(tx: &mut Tx<'_>, ctx: &Context, tenant: &Tenant, action: Action) -> Result<()> {
    let id = &tenant.tenant_id;
    audit::record(tx, ctx, Some(id), action, id.as_str()).map(drop)
}

/// The region that somebody named.
pub fn region(letters: &str) -> Result<String> {
    let capitals = letters.trim().to_ascii_uppercase();
    if phone::is_region(&capitals) {
        return Ok(capitals);
    }
    Err(Error::conflict(format!("'{letters}' is no region: use its two letters, such as DE or US.")))
}

/// The tenant with that id or slug.
pub fn find(tx: &mut Tx<'_>, id_or_slug: &str) -> Result<Tenant> {
    tenants::find(tx, id_or_slug)?
        .ok_or_else(|| Error::new(pagesmith_model::Kind::NotFound, format!("No such tenant: {id_or_slug}.")))
}

/// All tenants, oldest first.
pub fn list(tx: &mut Tx<'_>) -> Result<Vec<Tenant>> {
    tenants::list(tx)
}

/// Refuses a tenant's keys and hides its pages until it is resumed; again changes nothing.
pub fn suspend(tx: &mut Tx<'_>, ctx: &Context, id_or_slug: &str) -> Result<Tenant> {
    let mut tenant = find(tx, id_or_slug)?;
    if tenant.suspended_at.is_none() {
        tenant.suspended_at = Some(ctx.now);
        tenants::set_suspended(tx, &tenant.tenant_id, tenant.suspended_at)?;
        revisions::raise(tx, revisions::ACCESS)?;
        record(tx, ctx, &tenant, Action::TenantSuspended)?;
    }
    Ok(tenant)
}

/// Ends a suspension; again changes nothing.
pub fn resume(tx: &mut Tx<'_>, ctx: &Context, id_or_slug: &str) -> Result<Tenant> {
    let mut tenant = find(tx, id_or_slug)?;
    if tenant.suspended_at.is_some() {
        tenant.suspended_at = None;
        tenants::set_suspended(tx, &tenant.tenant_id, None)?;
        revisions::raise(tx, revisions::ACCESS)?;
        record(tx, ctx, &tenant, Action::TenantResumed)?;
    }
    Ok(tenant)
}

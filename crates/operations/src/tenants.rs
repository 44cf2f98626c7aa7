//! Tenants: made, changed, suspended and resumed by operators.

use pagesmith_model::audit::Action;
use pagesmith_model::bounds::is_blank;
use pagesmith_model::tenant::Tenant;
use pagesmith_model::{Error, Result, TenantId, phone, slug};
use pagesmith_store::tables::{revisions, tenants, webhooks};
use pagesmith_store::{OnConstraint, Tx, Wakeup};

use crate::context::Context;
use crate::{audit, topics};

pub(crate) mod months;
pub mod overview;

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
    check_name(&new.name)?;
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
        resumed_at: None,
    };
    tx.run(tenants::insert(&tenant)).on_constraint("tenants_slug_key", || {
        Error::conflict(format!("The slug '{}' is taken.", tenant.slug))
    })?;
    topics::create_default(tx, &ctx.clone().of(tenant.tenant_id.clone()))?;
    tx.run(revisions::raise(revisions::ACCESS))?;
    record(tx, ctx, &tenant, Action::TenantCreated)?;
    Ok(tenant)
}

/// What is to be changed of a tenant; what is `None` stays. Its slug never changes, since the addresses of its pages hold it.
#[derive(Debug, Clone, Default)]
pub struct TenantChange {
    /// Its name.
    pub name: Option<String>,
    /// In whose way imports and forms read national phone numbers; an empty one takes the region away.
    pub default_region: Option<String>,
}

/// Changes a tenant; the same again changes nothing.
pub fn update(tx: &mut Tx<'_>, ctx: &Context, id_or_slug: &str, change: &TenantChange) -> Result<Tenant> {
    let before = find(tx, id_or_slug)?;
    let mut tenant = before.clone();
    if let Some(name) = &change.name {
        check_name(name)?;
        tenant.name.clone_from(name);
    }
    if let Some(letters) = &change.default_region {
        tenant.default_region = (!letters.trim().is_empty()).then(|| region(letters)).transpose()?;
    }
    if tenant == before {
        return Ok(tenant);
    }
    tx.run(tenants::update(&tenant))?;
    tx.run(revisions::raise(revisions::ACCESS))?;
    record(tx, ctx, &tenant, Action::TenantUpdated)?;
    Ok(tenant)
}

fn check_name(name: &str) -> Result<()> {
    if is_blank(name) {
        return Err(Error::conflict("A tenant needs a name."));
    }
    Ok(())
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
    tenants::find(tx, id_or_slug)?.ok_or_else(|| {
        let detail = format!("No such tenant: {id_or_slug}; `pagesmith tenant list` shows all of them.");
        Error::new(pagesmith_model::Kind::NotFound, detail)
    })
}

/// All tenants, oldest first.
pub fn list(tx: &mut Tx<'_>) -> Result<Vec<Tenant>> {
    tenants::list(tx)
}

/// Refuses a tenant's keys, hides its pages and holds back its deliveries and versions until it is resumed; again changes nothing.
pub fn suspend(tx: &mut Tx<'_>, ctx: &Context, id_or_slug: &str) -> Result<Tenant> {
    let mut tenant = find(tx, id_or_slug)?;
    if tenant.suspended_at.is_none() {
        tenant.suspended_at = Some(ctx.now);
        tx.run(tenants::suspend(&tenant.tenant_id, ctx.now))?;
        tx.run(revisions::raise(revisions::ACCESS))?;
        record(tx, ctx, &tenant, Action::TenantSuspended)?;
    }
    Ok(tenant)
}

/// Ends a suspension; again changes nothing. What was held back is due at once, and the time of the suspension does not count against
/// receivers that were failing before.
pub fn resume(tx: &mut Tx<'_>, ctx: &Context, id_or_slug: &str) -> Result<Tenant> {
    let mut tenant = find(tx, id_or_slug)?;
    if let Some(since) = tenant.suspended_at.take() {
        tenant.resumed_at = Some(ctx.now);
        tx.run(tenants::resume(&tenant.tenant_id, ctx.now))?;
        tx.run(webhooks::subscriptions::skip_time(&tenant.tenant_id, since, ctx.now))?;
        tx.run(revisions::raise(revisions::ACCESS))?;
        tx.wake_after_commit(Wakeup::Deliveries);
        tx.wake_after_commit(Wakeup::Generations);
        record(tx, ctx, &tenant, Action::TenantResumed)?;
    }
    Ok(tenant)
}

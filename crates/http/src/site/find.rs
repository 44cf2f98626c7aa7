//! The page at an address, from memory if it still is the one that the database has, else drawn anew.

use std::sync::Arc;

use pagesmith_model::tenant::Tenant;
use pagesmith_model::{Error, Result};
use pagesmith_operations::site::{self, Address, Resolution};
use pagesmith_render::Notice;
use pagesmith_store::Tx;

use crate::coding::Coding;
use crate::site::draw::draw;
use crate::site_cache::validated_cache::PointInTime;
use crate::site_cache::{Finished, Key};
use crate::state::AppState;

/// What is answered at an address.
pub(super) type OrNotice<T> = Result<Result<T, Notice>>;

/// The present point in time.
pub(super) fn now(state: &AppState) -> PointInTime {
    PointInTime { at: state.now(), commits: state.store.commits() }
}

/// The page at an address in that form, or what is said instead.
pub(super) async fn find(
    state: &AppState,
    tenant: &Arc<Tenant>,
    address: Address,
    coding: Coding,
) -> OrNotice<Arc<Finished>> {
    let key = (tenant.tenant_id.clone(), address.clone().without_ticket());
    let (now, context, asked) = (now(state), state.platform.context(), address.clone());
    let (tenant_id, store) = (tenant.tenant_id.clone(), state.store.for_tenant(&tenant.tenant_id));
    let resolution = store.point_read(move |tx| site::resolve(tx, &context, &tenant_id, &asked)).await?;
    let Resolution::Published(target) = resolution else {
        state.pages.validate(&key, None, now);
        return Ok(Err(instead_of(&resolution)));
    };
    if let Some(page) = state.pages.validate(&key, Some(&target), now) {
        if page.form(coding).is_some() {
            return Ok(Ok(page));
        }
        let coded = blocking(move || page.with(coding)).await?;
        let page = Arc::new(coded);
        state.pages.insert(key, target, now, Arc::clone(&page));
        return Ok(Ok(page));
    }
    fresh(state, tenant, key, address, coding).await
}

/// The page at an address, rendered anew.
async fn fresh(
    state: &AppState,
    tenant: &Arc<Tenant>,
    key: Key,
    address: Address,
    coding: Coding,
) -> OrNotice<Arc<Finished>> {
    let (now, context, tenant_id) = (now(state), state.platform.context(), key.0.clone());
    let read = move |tx: &mut Tx<'_>| site::read(tx, &context, &tenant_id, &address);
    let store = state.store.for_tenant(&tenant.tenant_id);
    let (target, parts) = match store.read(read).await? {
        Ok(found) => found,
        Err(resolution) => return Ok(Err(instead_of(&resolution))),
    };
    let (shared, tenant, address) = (Arc::clone(state), Arc::clone(tenant), key.1.clone());
    let page = blocking(move || draw(&shared.settings, &tenant, &address, *parts)?.with(coding)).await?;
    let page = Arc::new(page);
    state.pages.insert(key, target, now, Arc::clone(&page));
    Ok(Ok(page))
}

/// Runs what takes long enough to hold others up.
pub(super) async fn blocking<T: Send + 'static>(
    run: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(run).await.map_err(Error::internal)?
}

fn instead_of(resolution: &Resolution) -> Notice {
    match resolution {
        Resolution::Nothing => Notice::NotFound,
        Resolution::Gone => Notice::Gone,
        Resolution::Expired => Notice::LinkExpired,
        Resolution::NotPublished | Resolution::Published(_) => Notice::NotPublished,
    }
}

//! The addresses of pictures in the metadata that answers show.
//!
//! They are on the fallback domain of the tenant's site, which never changes.

use std::sync::Arc;

use pagesmith_model::json::JsonText;
use pagesmith_model::{Result, TenantId};
use pagesmith_operations::files::pictures::{self, Pictures};
use pagesmith_store::Tx;

use crate::extract::Call;
use crate::hosts::site_address;

/// Makes addresses of pictures.
#[derive(Debug, Clone)]
pub(crate) struct PictureAddresses(Arc<str>);

impl PictureAddresses {
    /// Those on the site of the caller's tenant.
    pub(crate) fn of(call: &Call) -> PictureAddresses {
        PictureAddresses(site_address(&call.state.settings, call.tenant_slug(), "").into())
    }

    /// The metadata that answers show, of metadata as it is kept.
    pub(crate) fn show(&self, pictures: &Pictures, kept: Option<JsonText>) -> Result<Option<JsonText>> {
        kept.map(|kept| pictures.filled(kept, |path| format!("{}{path}", self.0))).transpose()
    }
}

/// The pictures that some metadata names.
pub(crate) fn find<'a>(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    metadata: impl IntoIterator<Item = &'a JsonText>,
) -> Result<Pictures> {
    Pictures::find(tx, tenant, &pictures::named_by(metadata)?)
}

/// The same, read for itself, and from the database only if any are named.
pub(crate) async fn read<'a>(
    call: &Call,
    metadata: impl IntoIterator<Item = &'a JsonText>,
) -> Result<Pictures> {
    let named = pictures::named_by(metadata)?;
    if named.is_empty() {
        return Ok(Pictures::default());
    }
    call.point_read(move |tx, ctx| Pictures::find(tx, &ctx.tenant, &named)).await
}

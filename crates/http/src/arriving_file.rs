//! A file whose bytes are stored as they arrive, before a transaction names them.
//!
//! No transaction is open while bytes arrive. Bytes that no row names after all are removed at once, or later by the sweep if it is not
//! known whether one does.

use std::sync::Arc;

use pagesmith_file_storage::media_type::{self, HEAD};
use pagesmith_model::file::FileName;
use pagesmith_model::{Error, FileContentId, Kind, Result, TenantId};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::files::{self, StoredBytes};
use sha2::{Digest, Sha256};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use crate::counts::Permit;
use crate::extract::upload::Sink;
use crate::state::AppState;

/// Seconds until it makes sense to try again where too many uploads are running.
const RETRY_AFTER: u32 = 5;

/// A place among the uploads that may run at once: in all, and for one tenant.
pub(crate) fn turn(state: &AppState, tenant: &TenantId) -> Result<(Permit<TenantId>, OwnedSemaphorePermit)> {
    let busy = |whose: &str| {
        let detail = format!("{whose} too many uploads running; wait until some have ended.");
        Error::new(Kind::Unavailable(RETRY_AFTER), detail)
    };
    let most = state.settings.files.concurrency;
    let own = state.uploads.of_tenants.take(tenant.clone(), most.div_ceil(2));
    let own = own.ok_or_else(|| busy("The tenant has"))?;
    let all = Arc::clone(&state.uploads.all).try_acquire_owned().map_err(|_| busy("The server has"))?;
    Ok((own, all))
}

/// What is known of the bytes so far.
pub(crate) struct ArrivingFile {
    content_id: FileContentId,
    storing: pagesmith_file_storage::Upload,
    head: Vec<u8>,
    size: u64,
    sha256: Sha256,
}

impl ArrivingFile {
    /// A file of which nothing has arrived.
    pub(crate) fn begin(state: &AppState, ctx: &TenantContext) -> Result<ArrivingFile> {
        let content_id = FileContentId::mint(ctx.uuid_of_now()?);
        let storing = state.files.begin(&ctx.tenant, &content_id);
        Ok(ArrivingFile { content_id, storing, head: Vec::new(), size: 0, sha256: Sha256::new() })
    }

    /// The file, which has arrived whole and is durable.
    pub(crate) async fn finish(self, state: &AppState, name: FileName) -> Result<StoredBytes> {
        let ArrivingFile { content_id, storing, head, size, sha256 } = self;
        timeout(state.settings.request_timeout, storing.finish())
            .await
            .map_err(|_| Error::unavailable("The storage of files took too long."))??;
        let content_type = media_type::of(&head, &name).to_owned();
        Ok(StoredBytes { content_id, name, content_type, size, sha256: sha256.finalize().into() })
    }

    /// Gives it up.
    pub(crate) async fn abort(self) {
        self.storing.abort().await;
    }
}

impl Sink for ArrivingFile {
    async fn take(&mut self, bytes: &[u8]) -> Result<()> {
        let missing = HEAD - self.head.len();
        self.head.extend_from_slice(&bytes[..bytes.len().min(missing)]);
        self.size += bytes.len() as u64;
        self.sha256.update(bytes);
        self.storing.write(bytes).await
    }
}

/// Removes bytes that were stored and are not used: the tenant had the same ones, or the request was refused or repeated.
pub(crate) async fn remove_surplus(state: &AppState, tenant: &TenantId, id: FileContentId) {
    let (ctx, asked) = (state.platform.context().of(tenant.clone()), id.clone());
    match state.store.for_tenant(tenant).point_read(move |tx| files::is_used(tx, &ctx, &asked)).await {
        Ok(true) => {}
        Ok(false) => {
            if let Err(error) = state.files.remove(tenant, &id).await {
                tracing::debug!(%error, "surplus bytes are left to the sweep");
            }
        }
        Err(error) => tracing::debug!(%error, "surplus bytes are left to the sweep"),
    }
}

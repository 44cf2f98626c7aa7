//! An upload from its first byte to its row: stored as it arrives, then named by a transaction.
//!
//! No transaction is open while bytes arrive. Bytes that no row names after all are removed at once, or later by the sweep if it is not
//! known whether one does.

use std::sync::Arc;

use pagesmith_file_storage::media_type::{self, HEAD};
use pagesmith_model::{Error, FileContentId, Kind, Result, TenantId};
use pagesmith_operations::files::{self, StoredBytes};
use pagesmith_operations::idempotency;
use sha2::{Digest, Sha256};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use crate::api::files::view::FileView;
use crate::counts::Permit;
use crate::extract::upload::Sink;
use crate::extract::{Call, IdempotencyKey, Upload};
use crate::pipeline::took_too_long;
use crate::reply::Reply;

/// Seconds until it makes sense to try again where too many uploads are running.
const RETRY_AFTER: u32 = 5;

/// Stores an upload and makes its file.
pub(super) async fn receive(
    call: &Call,
    key: IdempotencyKey,
    upload: Upload,
) -> Result<Reply<FileView, 201>> {
    let _turn = turn(call)?;
    let quota = call.state.settings.files.quota;
    call.point_read(move |tx, ctx| files::check_usage(tx, ctx, quota)).await?;
    let stored = store(call, upload).await?;
    let content_id = stored.content_id.clone();
    let naming = call.change_once(of_content(key, &stored), move |tx, ctx| {
        files::create(tx, ctx, &stored, quota).map(FileView::from)
    });
    let named = timeout(call.state.settings.request_timeout, naming).await;
    let named = named.unwrap_or_else(|_| Err(took_too_long()));
    let is_known = named
        .as_ref()
        .map_or_else(|error| !matches!(error.kind(), Kind::Unavailable(_) | Kind::Internal), |_| true);
    if is_known {
        remove_surplus(call, content_id).await;
    }
    named
}

/// A place among the uploads that may run at once: in all, and for one tenant.
fn turn(call: &Call) -> Result<(Permit<TenantId>, OwnedSemaphorePermit)> {
    let uploads = &call.state.uploads;
    let busy = |whose: &str| {
        let detail = format!("{whose} too many uploads running; wait until some have ended.");
        Error::new(Kind::Unavailable(RETRY_AFTER), detail)
    };
    let most = call.state.settings.files.concurrency;
    let own = uploads.of_tenants.take(call.ctx.tenant.clone(), most.div_ceil(2));
    let own = own.ok_or_else(|| busy("The tenant has"))?;
    let all = Arc::clone(&uploads.all).try_acquire_owned().map_err(|_| busy("The server has"))?;
    Ok((own, all))
}

/// The same request is one with the same name and bytes.
fn of_content(IdempotencyKey(request): IdempotencyKey, stored: &StoredBytes) -> IdempotencyKey {
    let digest = || Sha256::new().chain_update(stored.sha256).chain_update(stored.name.as_str()).finalize();
    IdempotencyKey(request.map(|request| idempotency::Request { digest: digest().into(), ..request }))
}

/// Stores the bytes.
async fn store(call: &Call, upload: Upload) -> Result<StoredBytes> {
    let content_id = FileContentId::mint(call.ctx.uuid_of_now()?);
    let mut arriving = Arriving {
        storing: call.state.files.begin(&call.ctx.tenant, &content_id),
        head: Vec::new(),
        size: 0,
        sha256: Sha256::new(),
    };
    let name = match upload.read(&mut arriving).await {
        Ok(name) => name,
        Err(error) => {
            arriving.storing.abort().await;
            return Err(error);
        }
    };
    let Arriving { storing, head, size, sha256 } = arriving;
    timeout(call.state.settings.request_timeout, storing.finish())
        .await
        .map_err(|_| Error::unavailable("The storage of files took too long."))??;
    let content_type = media_type::of(&head, &name).to_owned();
    Ok(StoredBytes { content_id, name, content_type, size, sha256: sha256.finalize().into() })
}

/// What is known of the bytes so far.
struct Arriving {
    storing: pagesmith_file_storage::Upload,
    head: Vec<u8>,
    size: u64,
    sha256: Sha256,
}

impl Sink for Arriving {
    async fn take(&mut self, bytes: &[u8]) -> Result<()> {
        let missing = HEAD - self.head.len();
        self.head.extend_from_slice(&bytes[..bytes.len().min(missing)]);
        self.size += bytes.len() as u64;
        self.sha256.update(bytes);
        self.storing.write(bytes).await
    }
}

/// Removes bytes that were stored and are not used: the tenant had the same ones, or the request was refused or repeated.
async fn remove_surplus(call: &Call, id: FileContentId) {
    let asked = id.clone();
    match call.point_read(move |tx, ctx| files::is_used(tx, ctx, &asked)).await {
        Ok(true) => {}
        Ok(false) => {
            if let Err(error) = call.state.files.remove(&call.ctx.tenant, &id).await {
                tracing::debug!(%error, "surplus bytes are left to the sweep");
            }
        }
        Err(error) => tracing::debug!(%error, "surplus bytes are left to the sweep"),
    }
}

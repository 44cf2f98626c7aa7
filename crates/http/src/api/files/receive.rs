//! An upload from its first byte to its row: stored as it arrives, then named by a transaction.

use pagesmith_model::actor::Actor;
use pagesmith_model::hexadecimal::hexadecimal;
use pagesmith_model::{Kind, Result};
use pagesmith_operations::files::{self, StoredBytes};
use pagesmith_operations::idempotency;
use sha2::{Digest, Sha256};
use tokio::time::timeout;

use crate::api::files::view::FileView;
use crate::arriving_file::{ArrivingFile, remove_surplus, turn};
use crate::error::took_too_long;
use crate::extract::{Call, IdempotencyKey, Upload};
use crate::reply::Reply;

/// Stores an upload and makes its file.
pub(super) async fn receive(
    call: &Call,
    key: IdempotencyKey,
    upload: Upload,
) -> Result<Reply<FileView, 201>> {
    let _turn = turn(&call.state, &call.ctx.tenant)?;
    let quota = call.state.settings.files.quota;
    call.point_read(move |tx, ctx| files::check_usage(tx, ctx, quota)).await?;
    let stored = store(call, upload).await?;
    let content_id = stored.content_id.clone();
    let naming = call.change_once(of_content(call, key, &stored), move |tx, ctx| {
        files::create(tx, ctx, &stored, quota).map(FileView::from)
    });
    let named = timeout(call.state.settings.request_timeout, naming).await;
    let named = named.unwrap_or_else(|_| Err(took_too_long()));
    let is_known = named
        .as_ref()
        .map_or_else(|error| !matches!(error.kind(), Kind::Unavailable(_) | Kind::Internal), |_| true);
    if is_known {
        remove_surplus(&call.state, &call.ctx.tenant, content_id).await;
    }
    named
}

/// The same request is one with the same name and bytes.
///
/// A form of the console has its key before a file is chosen, and can be sent again with another one: there the content is a part of the key.
fn of_content(call: &Call, IdempotencyKey(request): IdempotencyKey, stored: &StoredBytes) -> IdempotencyKey {
    let digest: [u8; 32] =
        Sha256::new().chain_update(stored.sha256).chain_update(stored.name.as_str()).finalize().into();
    IdempotencyKey(request.map(|mut request| {
        if matches!(call.caller.actor(), Actor::User(_)) {
            request.key.idempotency_key.push_str(&format!("-{}", hexadecimal(&digest[..8])));
        }
        idempotency::Request { digest, ..request }
    }))
}

/// Stores the bytes.
async fn store(call: &Call, upload: Upload) -> Result<StoredBytes> {
    let mut arriving = ArrivingFile::begin(&call.state, &call.ctx)?;
    match upload.read(&mut arriving).await {
        Ok(name) => arriving.finish(&call.state, name).await,
        Err(error) => {
            arriving.abort().await;
            Err(error)
        }
    }
}

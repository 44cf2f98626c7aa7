//! The keys of a tenant: listed, made, rotated and revoked. Ours, beyond the contract.

use std::time::Duration;

use pagesmith_endpoint::endpoint;
use pagesmith_model::bounds::NameUpTo;
use pagesmith_model::example::example;
use pagesmith_model::key::{Key, Scope};
use pagesmith_model::{KeyId, Result, Timestamp};
use pagesmith_operations::keys::IssuedKey;
use pagesmith_operations::keys::of_tenant::{self, Allowance, NewKey};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::collection::{Collection, CollectionItem};
use crate::extract::body::OptionalBody;
use crate::extract::{Body, Call, IdempotencyKey, Paging, Path};
use crate::reply::{Reply, Single};

const DAY: Duration = Duration::from_hours(24);
const HOUR: Duration = Duration::from_hours(1);

/// What a key may do.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum ScopeView {
    /// To read.
    Read,
    /// To read and to change.
    Write,
}

/// A key, without its text.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Key", deny_unknown_fields)]
#[schemars(example = json!({
    "keyId": "key_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "name": "CRM",
    "scope": "write",
    "createdAt": "2026-03-20T09:30:00.000Z",
    "expiresAt": null,
    "lastUsedAt": "2026-03-21T11:02:30.000Z",
    "revokedAt": null,
}))]
pub(crate) struct KeyView {
    /// Id of the key. It is not the key.
    key_id: KeyId,
    /// Name of the key.
    name: String,
    /// What the key may do: `read`, or `write` for everything.
    scope: ScopeView,
    /// When the key was created.
    created_at: Timestamp,
    /// From when on the key is refused. Null if it does not expire.
    expires_at: Option<Timestamp>,
    /// When the key was last used, to within a minute. Null if it never was.
    last_used_at: Option<Timestamp>,
    /// When the key was revoked. Null if it was not.
    revoked_at: Option<Timestamp>,
}

impl From<Key> for KeyView {
    fn from(key: Key) -> KeyView {
        KeyView {
            key_id: key.key_id,
            name: key.name,
            scope: match key.scope {
                Scope::Read => ScopeView::Read,
                Scope::Write => ScopeView::Write,
            },
            created_at: key.created_at,
            expires_at: key.expires_at,
            last_used_at: key.last_used_at,
            revoked_at: key.revoked_at,
        }
    }
}

impl CollectionItem for KeyView {
    const COLLECTION: &str = "A part of the keys.";
}

/// A key with its text.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "IssuedKey", deny_unknown_fields)]
#[schemars(example = json!({ "key": example::<KeyView>(), "secret": "ps_…" }))]
pub(crate) struct IssuedKeyView {
    /// The key.
    key: KeyView,
    /// The text to send as `x-api-key`. It is shown only here.
    secret: String,
}

impl From<IssuedKey> for IssuedKeyView {
    fn from(issued: IssuedKey) -> IssuedKeyView {
        IssuedKeyView { key: KeyView::from(issued.key), secret: issued.secret }
    }
}

/// A key to be created.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CreateKeyRequest")]
#[schemars(example = json!({ "name": "CRM", "scope": "write", "expiresInDays": 365 }))]
pub(crate) struct CreateKeyRequest {
    /// Name of the key, such as the program that uses it.
    #[schemars(with = "NameUpTo<100>")]
    name: String,
    /// What the key may do: `read`, or `write` for everything.
    scope: ScopeView,
    /// After how many days the key expires. Left out or null: never, or together with the key that creates it.
    #[serde(default)]
    #[schemars(range(min = 1, max = 3650))]
    expires_in_days: Option<u32>,
}

/// How a key is rotated.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "RotateKeyRequest")]
#[schemars(example = json!({ "overlapHours": 24 }))]
pub(crate) struct RotateKeyRequest {
    /// Number of hours for which the old key remains valid. The default is 24.
    #[serde(default = "day")]
    #[schemars(range(min = 0, max = 720))]
    overlap_hours: u32,
}

fn day() -> u32 {
    24
}

impl Default for RotateKeyRequest {
    fn default() -> RotateKeyRequest {
        RotateKeyRequest { overlap_hours: day() }
    }
}

/// Lists the keys of the tenant, newest first.
///
/// Revoked and expired keys are listed too. Keys that are bound to several tenants are not.
#[endpoint]
pub(crate) async fn list_keys(call: Call, paging: Paging) -> Result<Reply<Collection<KeyView>>> {
    let list = paging.keyset(&call, "keys", &[])?;
    let found = list.read(&call, of_tenant::list);
    list.answer(&call, found.await?, |key| key.key_id.clone(), KeyView::from).await
}

/// Returns a key, without its text.
///
/// `lastUsedAt` is written about every half minute.
#[endpoint]
pub(crate) async fn get_key(call: Call, Path(key_id): Path<KeyId>) -> Result<Single<KeyView>> {
    let found = call.read(move |tx, ctx| of_tenant::find(tx, ctx, &key_id)).await?;
    Ok(Single(KeyView::from(found)))
}

/// Creates a key.
///
/// `secret` is the text of the key; it is shown only in this answer. A key that is created with another key lasts no longer than that and
/// has the same limit of requests. A tenant has at most 500 keys that work; one more fails with 409. The key works at once on this server and within
/// seconds on others. The change is recorded in the audit.
#[endpoint]
pub(crate) async fn create_key(
    call: Call,
    key: IdempotencyKey,
    Body(new): Body<CreateKeyRequest>,
) -> Result<Reply<IssuedKeyView, 201>> {
    let (maker, wanted) = (allowance(&call), wanted(new));
    call.change_once(key, move |tx, ctx| of_tenant::create(tx, ctx, maker, &wanted).map(IssuedKeyView::from))
        .await
}

/// What whoever calls may give a key.
fn allowance(call: &Call) -> Allowance {
    Allowance::of(&call.caller, call.state.settings.rate_limit)
}

fn wanted(CreateKeyRequest { name, scope, expires_in_days }: CreateKeyRequest) -> NewKey {
    let scope = match scope {
        ScopeView::Read => Scope::Read,
        ScopeView::Write => Scope::Write,
    };
    NewKey { name, scope, expires_in: expires_in_days.map(|days| DAY * days) }
}

/// Replaces a key by another one with the same name and scope.
///
/// The old key keeps working for `overlapHours`, so that a program can be given the new one meanwhile. `secret` is shown only in this answer.
/// A key that is revoked or expired cannot be rotated, and none beside which the tenant would have more than 500 that work: that fails with 409. If the new key would last longer than the key of the call, or may send more requests,
/// it fails with 403.
#[endpoint]
pub(crate) async fn rotate_key(
    call: Call,
    Path(key_id): Path<KeyId>,
    key: IdempotencyKey,
    OptionalBody(wanted): OptionalBody<RotateKeyRequest>,
) -> Result<Reply<IssuedKeyView, 201>> {
    let (maker, overlap) = (allowance(&call), HOUR * wanted.overlap_hours);
    call.change_once(key, move |tx, ctx| {
        of_tenant::rotate(tx, ctx, maker, &key_id, overlap).map(IssuedKeyView::from)
    })
    .await
}

/// Revokes a key.
///
/// Calls with the key are refused within seconds, on every server. This cannot be undone. A key that is revoked already stays as it is.
#[endpoint]
pub(crate) async fn revoke_key(call: Call, Path(key_id): Path<KeyId>) -> Result<Reply<KeyView>> {
    call.change(move |tx, ctx| of_tenant::revoke(tx, ctx, &key_id).map(KeyView::from)).await
}

//! The operations on accounts' logs and activity.

use pagesmith_endpoint::endpoint;
use pagesmith_model::cursor::SortKey;
use pagesmith_model::log::{LogPatch, NewAccountLog};
use pagesmith_model::{AccountId, AccountLogId, Result};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::logs as operations;
use pagesmith_operations::logs::activity::{self, Activity, ActivityPosition, ActivityRequest};
use pagesmith_store::{Extent, Tx};

use crate::api::logs;
use crate::api::logs::view::{AccountLogCreated, AccountLogView, ActivityView};
use crate::collection::Collection;
use crate::extract::body::EmptyObject;
use crate::extract::paging::{Position, flag_value};
use crate::extract::query::{FromQuery, IncludeDeleted, Parameter, Parameters, flag};
use crate::extract::{Body, Call, Findings, IdempotencyKey, IfMatch, Paging, Path, Query};
use crate::reply::{Reply, Single, Success};

/// Creates a log entry for an account, which is created if none has the domain.
///
/// Finds the account by `accountId`, or else by `domain`, and creates it if there is none with the domain.
/// `name` is used for an account that has no name. Fails with 400 if neither is given, if `accountId` names
/// no account, or if the domain is not that of a company. The same entry again with the same
/// `idempotencyKey` returns the first answer and creates nothing; another entry with that key fails with
/// 409.
#[endpoint]
pub(crate) async fn create_account_log(
    call: Call,
    key: IdempotencyKey,
    Body(new): Body<NewAccountLog>,
) -> Result<Reply<AccountLogCreated, 201>> {
    call.change_once(key, move |tx, ctx| {
        operations::accounts::create(tx, ctx, &new).map(AccountLogCreated::from)
    })
    .await
}

/// Lists the log entries of an account, newest first.
///
/// Deleted entries are left out unless `includeDeleted` is true. Entries of the account's persons are part
/// of its activity, not of this list.
#[endpoint]
pub(crate) async fn list_account_logs(
    call: Call,
    Path(account_id): Path<AccountId>,
    paging: Paging,
    Query(IncludeDeleted(deleted)): Query<IncludeDeleted>,
) -> Result<Reply<Collection<AccountLogView>>> {
    logs::list(call, ("account_logs", "account", account_id), paging, deleted).await
}

/// Returns a log entry of an account.
///
/// A deleted entry is not found until it is restored.
#[endpoint]
pub(crate) async fn get_account_log(
    call: Call,
    Path(account_id): Path<AccountId>,
    Path(log_id): Path<AccountLogId>,
) -> Result<Single<AccountLogView>> {
    logs::get(call, account_id, log_id).await.map(Single)
}

/// Changes the text of a note in the log of an account.
///
/// Replaces `payload.text`; everything else in the payload stays as it was sent. Fails with 409 if the
/// payload has no `text`: other entries are history and cannot be changed.
#[endpoint]
pub(crate) async fn update_account_log(
    call: Call,
    Path(account_id): Path<AccountId>,
    Path(log_id): Path<AccountLogId>,
    if_match: IfMatch,
    Body(patch): Body<LogPatch>,
) -> Result<Reply<Success>> {
    logs::update::<AccountId, AccountLogView>(call, (account_id, log_id), if_match, patch).await
}

/// Deletes a log entry of an account.
///
/// The entry is left out of lists and of the activity unless deleted entries are asked for. Deleting a
/// deleted entry is answered with 200. `restoreAccountLog` undoes it.
#[endpoint]
pub(crate) async fn delete_account_log(
    call: Call,
    Path(account_id): Path<AccountId>,
    Path(log_id): Path<AccountLogId>,
    if_match: IfMatch,
) -> Result<Reply<Success>> {
    logs::delete::<AccountId, AccountLogView>(call, (account_id, log_id), if_match).await
}

/// Restores a deleted log entry of an account.
///
/// An entry that is not deleted stays unchanged.
#[endpoint]
pub(crate) async fn restore_account_log(
    call: Call,
    Path(account_id): Path<AccountId>,
    Path(log_id): Path<AccountLogId>,
    key: IdempotencyKey,
    Body(EmptyObject {}): Body<EmptyObject>,
) -> Result<Reply<Success>> {
    logs::restore(call, (account_id, log_id), key).await
}

/// Which entries of an account's activity are wanted.
pub(crate) struct Including {
    persons: bool,
    deleted: bool,
}

impl Including {
    /// The filters that a cursor of an account's activity is bound to.
    fn bound<'a>(&self, account_id: &'a AccountId) -> [(&'static str, &'a str); 3] {
        [
            ("account", account_id.as_str()),
            ("persons", flag_value(self.persons)),
            ("deleted", flag_value(self.deleted)),
        ]
    }

    /// The request for the wanted entries after a position.
    fn request(&self, after: Option<&ActivityPosition>, extent: Extent) -> ActivityRequest {
        let (include_persons, include_deleted) = (self.persons, self.deleted);
        ActivityRequest { include_persons, include_deleted, after: after.cloned(), extent }
    }
}

impl FromQuery for Including {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "includePersonActivity",
            description: "Whether the entries of the account's persons are listed too: `true` or `false`. Left out, they are not.",
            example: "true",
        },
        IncludeDeleted::PARAMETERS[0],
    ];

    fn read(parameters: &Parameters, findings: &mut Findings) -> Including {
        Including {
            persons: flag(parameters, "includePersonActivity", findings),
            deleted: flag(parameters, "includeDeleted", findings),
        }
    }
}

/// Lists the activity of an account, newest first.
///
/// The activity consists of the entries in the account's own log and, with `includePersonActivity`, of
/// those in the logs of its persons; one cursor leads through both. Deleted entries are left out unless
/// `includeDeleted` is true.
#[endpoint]
pub(crate) async fn list_account_activity(
    call: Call,
    Path(account_id): Path<AccountId>,
    paging: Paging,
    Query(including): Query<Including>,
) -> Result<Reply<Collection<ActivityView>>> {
    let list = paging.keyset(&call, "account_activity", &including.bound(&account_id))?;
    let of_account = account_id.clone();
    let read = list.read(&call, move |tx, ctx, after, extent| {
        activity::list_counted(tx, ctx, &of_account, &including.request(after, extent))
    });
    let of_account = account_id.clone();
    let advance = move |tx: &mut Tx<'_>, ctx: &TenantContext| activity::advance_tallies(tx, ctx, &of_account);
    let found = logs::with_total(&call, read.await?, advance);
    list.answer(&call, found, Activity::position, move |one| ActivityView::new(&account_id, one)).await
}

impl Position for ActivityPosition {
    fn keys(&self) -> Vec<SortKey> {
        vec![SortKey::Text(self.as_str().to_owned())]
    }

    fn from_keys(keys: &[SortKey]) -> Option<Self> {
        let [SortKey::Text(digits)] = keys else { return None };
        ActivityPosition::parse(digits)
    }
}

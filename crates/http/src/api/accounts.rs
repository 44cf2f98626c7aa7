//! The operations on accounts.

use pagesmith_endpoint::endpoint;
use pagesmith_model::account::{AccountPatch, NewAccount};
use pagesmith_model::list_order::OrderBy;
use pagesmith_model::{AccountId, Result, text};
use pagesmith_operations::accounts;
use pagesmith_store::tables;
use pagesmith_store::tables::accounts::ListedAccount;

use crate::api::accounts::view::{AccountView, ListedAccountView};
use crate::collection::Collection;
use crate::extract::paging::flag_value;
use crate::extract::query::{FromQuery, Parameter, Parameters, Search, flag};
use crate::extract::sort::{Orders, sort_parameter};
use crate::extract::{Body, Call, Findings, IdempotencyKey, IfMatch, Paging, Path, Query, Sort};
use crate::reply::{Reply, Single};

pub(crate) mod view;

/// Which accounts are wanted.
pub(crate) struct OnlyEmpty(bool);

impl FromQuery for OnlyEmpty {
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "includeEmptyOnly",
        description: "Whether only accounts without persons are listed: `true` or `false`. Left out, all are.",
        example: "true",
    }];

    fn read(parameters: &Parameters, findings: &mut Findings) -> OnlyEmpty {
        OnlyEmpty(flag(parameters, "includeEmptyOnly", findings))
    }
}

/// Lists the accounts of the tenant, newest first.
///
/// Each item has the number of its persons and the time of its latest activity. With `includeEmptyOnly`,
/// only accounts without persons are listed and counted.
#[endpoint]
pub(crate) async fn list_accounts(
    call: Call,
    paging: Paging,
    Query(only): Query<OnlyEmpty>,
    Query(Sort { order, .. }): Query<Sort<AllAccounts>>,
) -> Result<Reply<Collection<ListedAccountView>>> {
    let Some(order) = order else {
        return find_accounts(call, paging, "accounts", only, text::Query::default()).await;
    };
    let list = paging.ordered(&call, "accounts", &[("empty", flag_value(only.0))], Some(order))?;
    let found = list.read(&call, move |tx, ctx, after, extent| {
        tables::accounts::list_in_order(tx, &ctx.tenant, only.0, order, after, extent)
    });
    let view = |(_, listed)| ListedAccountView::from(listed);
    list.answer(&call, found.await?, |(place, _)| place.clone(), view).await
}

/// The orders of the list of accounts.
pub(crate) struct AllAccounts;

impl Orders for AllAccounts {
    const BY: &'static [OrderBy] = &[OrderBy::Name, OrderBy::Domain, OrderBy::CreatedAt];
    const PARAMETER: &'static [Parameter] = sort_parameter!(
        "An account without a name is sorted by its domain. A cursor goes on in its own order only."
    );
}

/// Searches the accounts by name and domain, best match first.
///
/// Every word of `query` must occur in the name or the domain. The ranking is that of all searches. Without
/// words the accounts are listed, newest first. `includeEmptyOnly` works as in the list.
#[endpoint]
pub(crate) async fn search_accounts(
    call: Call,
    paging: Paging,
    Query(only): Query<OnlyEmpty>,
    Query(Search(words)): Query<Search>,
) -> Result<Reply<Collection<ListedAccountView>>> {
    find_accounts(call, paging, "accounts/search", only, words).await
}

async fn find_accounts(
    call: Call,
    paging: Paging,
    collection: &str,
    OnlyEmpty(only_empty): OnlyEmpty,
    words: text::Query,
) -> Result<Reply<Collection<ListedAccountView>>> {
    let filters = [("query", words.phrase.as_str()), ("empty", flag_value(only_empty))];
    let list = paging.ranked(&call, collection, &filters)?;
    let found = list.list_or_search(&call, words, move |tx, ctx, (words, after), extent| {
        tables::accounts::search(tx, &ctx.tenant, words, only_empty, after, extent)
    });
    let position = |listed: &ListedAccount| (listed.rank, listed.account.account_id.clone());
    list.answer(&call, found.await?, position, ListedAccountView::from).await
}

/// Creates the account of a domain, or returns the one that exists.
///
/// The domain is reduced to the part that can be registered: `https://shop.example.co.uk/` becomes
/// `example.co.uk`. A given name is used if the account has none; an existing name stays. Both cases are
/// answered with 200. The domain of a public mail provider, and a domain under which everyone can register,
/// fail with 400.
#[endpoint]
pub(crate) async fn create_account(
    call: Call,
    key: IdempotencyKey,
    Body(new): Body<NewAccount>,
) -> Result<Reply<AccountView>> {
    call.change_once(key, move |tx, ctx| accounts::create(tx, ctx, &new).map(AccountView::from)).await
}

/// Returns an account with its newest persons.
///
/// `linkedPersons` contains the newest 1,000 persons. `latestActivityAt` is the time of the newest entry in
/// the log of the account or of its persons.
#[endpoint]
pub(crate) async fn get_account(
    call: Call,
    Path(account_id): Path<AccountId>,
) -> Result<Single<AccountView>> {
    let found = call.read(move |tx, ctx| accounts::find_detail(tx, ctx, &account_id)).await?;
    Ok(Single(AccountView::from(found)))
}

/// Changes the name of an account.
///
/// Audiences of the account take over the name; their addresses stay.
#[endpoint]
pub(crate) async fn update_account(
    call: Call,
    Path(account_id): Path<AccountId>,
    if_match: IfMatch,
    Body(patch): Body<AccountPatch>,
) -> Result<Reply<AccountView>> {
    let precondition = if_match.of(&call, &account_id, accounts::find_detail, AccountView::from).await?;
    call.change(move |tx, ctx| {
        accounts::update(tx, ctx, &account_id, &patch, &precondition).map(AccountView::from)
    })
    .await
}

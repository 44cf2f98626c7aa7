//! Accounts: found or made by their registrable domain, named, and told when they become empty.

use pagesmith_model::account::{Account, AccountPatch, NewAccount};
use pagesmith_model::domain::Domain;
use pagesmith_model::person::Person;
use pagesmith_model::{AccountId, Error, Issue, IssueCode, Result, Timestamp};
use pagesmith_store::tables::{accounts, counters, persons};
use pagesmith_store::{Tx, fault};

use crate::audiences;
use crate::context::TenantContext;
use crate::precondition::Precondition;

/// How many of its persons are shown with an account.
const SHOWN_PERSONS: i64 = 1_000;

/// An account with what answers show of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountDetail {
    /// The account.
    pub account: Account,
    /// When the newest entry in its log, or in those of its persons, was created.
    pub latest_activity_at: Option<Timestamp>,
    /// Its newest persons.
    pub persons: Vec<Person>,
}

/// Finds the account of a domain or makes it. A name fills a blank only.
pub fn create(tx: &mut Tx<'_>, ctx: &TenantContext, new: &NewAccount) -> Result<AccountDetail> {
    let account = find_or_make(tx, ctx, &company_domain(&new.domain)?, new.name.as_deref())?;
    detail(tx, ctx, account)
}

/// The domain under which a company registers; 400 for a public suffix and for a public mail provider.
pub fn company_domain(domain: &Domain) -> Result<Domain> {
    company_of(domain).ok_or_else(|| {
        let message = format!("domain: {domain} is no company's own domain.");
        Error::invalid(vec![Issue::body(IssueCode::InvalidValue, &["domain"], message)])
    })
}

/// The domain under which a company registers; none for a public suffix and for a public mail provider.
pub(crate) fn company_of(domain: &Domain) -> Option<Domain> {
    domain.registrable().filter(|domain| !domain.is_public_mail_provider())
}

/// The account of a registrable domain, made without persons if there is none. A name fills a blank only.
pub(crate) fn find_or_make(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    domain: &Domain,
    name: Option<&str>,
) -> Result<Account> {
    let Some(found) = of_domain(tx, ctx, domain)? else {
        let account = new(ctx, domain, name, true)?;
        insert(tx, ctx, std::slice::from_ref(&account))?;
        return Ok(account);
    };
    if found.name.is_some() || name.is_none() {
        return Ok(found);
    }
    let account = Account { name: name.map(str::to_owned), updated_at: ctx.now, ..found };
    rename(tx, ctx, &account)?;
    Ok(account)
}

/// The account of a registrable domain.
pub(crate) fn of_domain(tx: &mut Tx<'_>, ctx: &TenantContext, domain: &Domain) -> Result<Option<Account>> {
    tx.maybe(accounts::by_domain(&ctx.tenant, domain))?.as_ref().map(accounts::account).transpose()
}

/// Notes that a living person belongs to a company: to the account that was found, or else to a new one.
pub(crate) fn join(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    company: &Domain,
    found: Option<Account>,
) -> Result<AccountId> {
    let Some(account) = found else {
        let account = new(ctx, company, None, false)?;
        insert(tx, ctx, std::slice::from_ref(&account))?;
        return Ok(account.account_id);
    };
    if account.is_empty && tx.run(accounts::set_empty(&ctx.tenant, &account.account_id, false))? > 0 {
        let shard = tx.shard();
        tx.run(counters::add(&ctx.tenant, counters::EMPTY_ACCOUNTS, shard, -1))?;
    }
    Ok(account.account_id)
}

/// An account that is still to be added.
pub(crate) fn new(
    ctx: &TenantContext,
    domain: &Domain,
    name: Option<&str>,
    is_empty: bool,
) -> Result<Account> {
    Ok(Account {
        account_id: AccountId::mint(ctx.uuid()?),
        domain: domain.clone(),
        name: name.map(str::to_owned),
        is_empty,
        created_at: ctx.now,
        updated_at: ctx.now,
    })
}

/// Adds accounts that were not there.
pub(crate) fn insert(tx: &mut Tx<'_>, ctx: &TenantContext, new: &[Account]) -> Result<()> {
    if accounts::insert(tx, &ctx.tenant, new)? < new.len() as u64 {
        return Err(fault::retry("another transaction has made this account"));
    }
    let shard = tx.shard();
    let mut counted: Vec<_> = new.iter().map(|account| accounts::put_name(&ctx.tenant, account)).collect();
    let empty = new.iter().filter(|account| account.is_empty).count();
    for (counter, count) in [(counters::ACCOUNTS, new.len()), (counters::EMPTY_ACCOUNTS, empty)] {
        if count > 0 {
            let count = i64::try_from(count).map_err(Error::internal)?;
            counted.push(counters::add(&ctx.tenant, counter, shard, count));
        }
    }
    tx.change(counted)
}

/// The account.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext, account_id: &AccountId) -> Result<Account> {
    accounts::find(tx, &ctx.tenant, account_id)?.ok_or_else(|| Error::not_found(AccountId::NOUN))
}

/// The account with what answers show of it.
pub fn find_detail(tx: &mut Tx<'_>, ctx: &TenantContext, account_id: &AccountId) -> Result<AccountDetail> {
    let account = find(tx, ctx, account_id)?;
    detail(tx, ctx, account)
}

fn detail(tx: &mut Tx<'_>, ctx: &TenantContext, account: Account) -> Result<AccountDetail> {
    let answers = tx.batch(vec![
        accounts::latest(&ctx.tenant, &account.account_id),
        persons::of_account(&ctx.tenant, &account.account_id, SHOWN_PERSONS),
    ])?;
    let [latest, newest] = &answers[..] else {
        return Err(Error::internal("two statements have two answers"));
    };
    let latest_activity_at = accounts::latest_activity(latest)?;
    Ok(AccountDetail { account, latest_activity_at, persons: persons::persons(newest)? })
}

/// Names an account.
pub fn update(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    account_id: &AccountId,
    patch: &AccountPatch,
    precondition: &Precondition<AccountDetail>,
) -> Result<AccountDetail> {
    let before = find_detail(tx, ctx, account_id)?;
    precondition.check(&before)?;
    if before.account.name.as_ref() == Some(&patch.name) {
        return Ok(before);
    }
    let account = Account { name: Some(patch.name.clone()), updated_at: ctx.now, ..before.account };
    rename(tx, ctx, &account)?;
    Ok(AccountDetail { account, ..before })
}

/// Keeps an account's new name, which its audiences take over.
fn rename(tx: &mut Tx<'_>, ctx: &TenantContext, account: &Account) -> Result<()> {
    tx.batch(vec![accounts::rename(&ctx.tenant, account), accounts::put_name(&ctx.tenant, account)])?;
    audiences::follow_account(tx, ctx, account)
}

/// Notes that a person does not belong to the account any more.
pub(crate) fn left(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    account_id: &AccountId,
    person_id: &str,
) -> Result<()> {
    if !accounts::has_others(tx, &ctx.tenant, account_id, person_id)?
        && tx.run(accounts::set_empty(&ctx.tenant, account_id, true))? > 0
    {
        let shard = tx.shard();
        tx.run(counters::add(&ctx.tenant, counters::EMPTY_ACCOUNTS, shard, 1))?;
    }
    Ok(())
}

//! Entries for accounts, which are found by their id or domain, or created.

use pagesmith_model::log::{LogOwner, NewAccountLog};
use pagesmith_model::{AccountId, Error, Issue, IssueCode, Result};
use pagesmith_store::tables::logs::{self as table, Writing};
use pagesmith_store::{Tx, fault};

use crate::accounts;
use crate::context::TenantContext;
use crate::logs::{Written, replay};

/// Writes an entry for the account that is named or has the domain, and creates that account if there is none.
pub fn create(tx: &mut Tx<'_>, ctx: &TenantContext, new: &NewAccountLog) -> Result<Written<AccountId>> {
    let digest = new.idempotency_key.is_some().then(|| new.digest()).transpose()?;
    if let Some(key) = &new.idempotency_key
        && let Some(row) = tx.maybe(table::by_key::<AccountId>(&ctx.tenant, key))?
    {
        return replay(&row, digest.as_ref());
    }
    let account_id = account_for(tx, ctx, new)?;
    let log_id = AccountId::mint_log_id(ctx.uuid()?);
    let entry = new.entry();
    let writing = Writing { log_id: &log_id, entry, digest: digest.as_ref(), now: ctx.now };
    if tx.run(table::accounts::insert(&ctx.tenant, &account_id, &writing))? == 0 {
        return Err(fault::retry("another transaction has written this entry"));
    }
    Ok(Written::new(account_id, log_id, &entry, ctx.now))
}

/// The account an entry is for: by its id, else by the domain.
fn account_for(tx: &mut Tx<'_>, ctx: &TenantContext, new: &NewAccountLog) -> Result<AccountId> {
    if let Some(id) = &new.account_id {
        let account = match AccountId::parse(id) {
            Some(account_id) => accounts::find(tx, ctx, &account_id).ok(),
            None => None,
        };
        return account.map(|account| account.account_id).ok_or_else(|| {
            Error::invalid(vec![Issue::unknown_reference(&["accountId"], AccountId::NOUN, id)])
        });
    }
    let Some(domain) = &new.domain else {
        let message = "One of accountId and domain is required.";
        return Err(Error::invalid(vec![Issue::body(IssueCode::Required, &[], message)]));
    };
    let domain = accounts::company_domain(domain)?;
    Ok(accounts::find_or_make(tx, ctx, &domain, new.name.as_deref())?.account_id)
}

//! Entries of accounts' logs, and the activity of an account: its own entries and its persons', as one history.

use pagesmith_model::log::{AccountLog, LogPatch, NewAccountLog, PersonLog};
use pagesmith_model::{AccountId, AccountLogId, Error, Issue, IssueCode, PersonLogId, Result, Timestamp};
use pagesmith_store::tables::account_logs as table;
use pagesmith_store::tables::log_tallies::{self, Owner, Total};
use pagesmith_store::tables::person_logs;
use pagesmith_store::{Extent, ListPart, Tx, fault};

use crate::accounts;
use crate::person_logs::no_note;
use crate::world::TenantContext;

/// What writing an entry came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The entry's account.
    pub account_id: AccountId,
    /// The entry.
    pub account_log_id: AccountLogId,
    /// When it was written.
    pub created_at: Timestamp,
    /// Where it comes from.
    pub source: String,
    /// What happened.
    pub kind: String,
}

/// Writes an entry for the account that is named or has the domain, and makes that account if there is none.
pub fn create(tx: &mut Tx<'_>, ctx: &TenantContext, new: &NewAccountLog) -> Result<Written> {
    let digest = new.idempotency_key.is_some().then(|| new.digest()).transpose()?;
    if let Some(key) = &new.idempotency_key
        && let Some((log, sent)) = table::by_key(tx, &ctx.tenant, key)?
    {
        if sent.as_deref() != digest.as_ref().map(<[u8; 32]>::as_slice) {
            return Err(Error::conflict("This idempotencyKey was used for another entry."));
        }
        let AccountLog { account_id, account_log_id, entry } = log;
        let (created_at, source, kind) = (entry.created_at, entry.source, entry.kind);
        return Ok(Written { account_id, account_log_id, created_at, source, kind });
    }
    let account_id = account_for(tx, ctx, new)?;
    let account_log_id = AccountLogId::mint(ctx.uuid()?);
    if !table::insert(tx, &ctx.tenant, (&account_id, &account_log_id), new, digest.as_ref(), ctx.now)? {
        return Err(fault::retry("another transaction has written this entry"));
    }
    let (source, kind) = (new.source.as_str().to_owned(), new.kind.as_str().to_owned());
    Ok(Written { account_id, account_log_id, created_at: ctx.now, source, kind })
}

/// The account an entry is for: by its id, else by the domain.
fn account_for(tx: &mut Tx<'_>, ctx: &TenantContext, new: &NewAccountLog) -> Result<AccountId> {
    if let Some(id) = &new.account_id {
        let account = match AccountId::parse(id) {
            Some(account_id) => accounts::find(tx, ctx, &account_id).ok(),
            None => None,
        };
        return account.map(|account| account.account_id).ok_or_else(|| {
            let message = format!("accountId: there is no account '{id}'.");
            Error::invalid(vec![Issue::body(IssueCode::UnknownReference, &["accountId"], message)])
        });
    }
    let Some(domain) = &new.domain else {
        let message = "One of accountId and domain is required.";
        return Err(Error::invalid(vec![Issue::body(IssueCode::Required, &[], message)]));
    };
    let domain = accounts::company_domain(domain)?;
    Ok(accounts::find_or_make(tx, ctx, &domain, new.name.as_deref())?.account_id)
}

/// The entry, deleted or not.
pub fn find(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    account_id: &AccountId,
    account_log_id: &AccountLogId,
) -> Result<AccountLog> {
    let log = table::find(tx, &ctx.tenant, account_id, account_log_id)?;
    log.ok_or_else(|| Error::not_found("log entry"))
}

/// The entry, unless it is deleted.
pub fn find_shown(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    account_id: &AccountId,
    account_log_id: &AccountLogId,
) -> Result<AccountLog> {
    let log = find(tx, ctx, account_id, account_log_id)?;
    if log.entry.deleted_at.is_some() {
        return Err(Error::not_found("log entry"));
    }
    Ok(log)
}

/// Gives a note a new text.
pub fn update(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    log: (&AccountId, &AccountLogId),
    patch: &LogPatch,
    precondition: &dyn Fn(&AccountLog) -> Result<()>,
) -> Result<()> {
    let mut log = find_shown(tx, ctx, log.0, log.1)?;
    precondition(&log)?;
    let payload = patch.applied(&log.entry.payload).ok_or_else(no_note)?;
    if payload == log.entry.payload {
        return Ok(());
    }
    log.entry.payload = payload;
    log.entry.updated_at = Some(ctx.now);
    table::update(tx, &ctx.tenant, &log)
}

/// Deletes an entry; again changes nothing.
pub fn delete(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    log: (&AccountId, &AccountLogId),
    precondition: &dyn Fn(&AccountLog) -> Result<()>,
) -> Result<()> {
    let mut log = find(tx, ctx, log.0, log.1)?;
    if log.entry.deleted_at.is_some() {
        return Ok(());
    }
    precondition(&log)?;
    log.entry.deleted_at = Some(ctx.now);
    table::update(tx, &ctx.tenant, &log)
}

/// Brings a deleted entry back; one that is not is left as it is.
pub fn restore(tx: &mut Tx<'_>, ctx: &TenantContext, log: (&AccountId, &AccountLogId)) -> Result<()> {
    let mut log = find(tx, ctx, log.0, log.1)?;
    if log.entry.deleted_at.is_none() {
        return Ok(());
    }
    log.entry.deleted_at = None;
    table::update(tx, &ctx.tenant, &log)
}

/// Something that happened to an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Activity {
    /// To itself.
    Account(AccountLog),
    /// To a person of it, who has this name.
    Person(String, PersonLog),
}

impl Activity {
    /// What orders the entries of both kinds: the part of an id that tells its time.
    pub fn position(&self) -> &str {
        let id = match self {
            Activity::Account(log) => log.account_log_id.as_str(),
            Activity::Person(_, log) => log.person_log_id.as_str(),
        };
        id.rsplit_once('_').map_or(id, |(_, position)| position)
    }
}

/// Which part of an account's activity is wanted.
#[derive(Debug, Clone)]
pub struct ActivityRequest {
    /// Persons' entries too.
    pub include_persons: bool,
    /// Deleted entries too.
    pub include_deleted: bool,
    /// Only entries after this position.
    pub after: Option<String>,
    /// How much.
    pub extent: Extent,
}

/// An account's activity, newest first; and how many entries there are in all.
pub fn activity(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    account_id: &AccountId,
    request: &ActivityRequest,
) -> Result<(ListPart<Activity>, Vec<Total>)> {
    let tenant = &ctx.tenant;
    let deleted = request.include_deleted;
    let behind = |prefix: &str| request.after.as_ref().map(|position| format!("{prefix}_{position}"));
    let (own, of_persons) = (behind(AccountLogId::PREFIX), behind(PersonLogId::PREFIX));
    let mut queries = vec![
        table::page(tenant, account_id, deleted, own.as_deref(), request.extent),
        log_tallies::count(tenant, &Owner::Account(account_id)),
    ];
    if request.include_persons {
        queries.push(person_logs::of_account(
            tenant,
            account_id,
            deleted,
            of_persons.as_deref(),
            request.extent,
        ));
        queries.push(log_tallies::count(tenant, &Owner::PersonsOf(account_id)));
    }
    let answers = tx.batch(queries)?;
    let mut entries = Vec::new();
    let mut totals = Vec::new();
    for (at, rows) in answers.iter().enumerate() {
        match at {
            0 => {
                for row in rows {
                    entries.push((row.bytes(), Activity::Account(table::log(row)?)));
                }
            }
            2 => {
                for row in rows {
                    let bytes = row.bytes();
                    let (name, log) = person_logs::of_account_row(row)?;
                    entries.push((bytes, Activity::Person(name, log)));
                }
            }
            _ => totals.push(log_tallies::total(rows, deleted)?),
        }
    }
    entries.sort_by(|(_, one), (_, other)| other.position().cmp(one.position()));
    // Each list may have ended at its last row for its bytes alone: before that row is reached, those are used up here as well.
    Ok((ListPart::of(entries, request.extent), totals))
}

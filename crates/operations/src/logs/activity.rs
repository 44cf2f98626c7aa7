//! The activity of an account: its own entries and its persons', as one list.

use pagesmith_model::log::{AccountLog, PersonLog};
use pagesmith_model::{AccountId, AccountLogId, Error, PersonLogId, Result};
use pagesmith_store::tables::logs as table;
use pagesmith_store::tables::logs::tallies::{self, Tallied, Total};
use pagesmith_store::{Extent, ListPart, Tx};

use crate::world::TenantContext;

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
            Activity::Account(log) => log.log_id.as_str(),
            Activity::Person(_, log) => log.log_id.as_str(),
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

/// The id at a position.
fn id<T>(parse: fn(&str) -> Option<T>, prefix: &str, position: &str) -> Result<T> {
    parse(&format!("{prefix}_{position}"))
        .ok_or_else(|| Error::internal("a position that is no part of an id"))
}

/// An account's activity, newest first; and how many entries there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    account_id: &AccountId,
    request: &ActivityRequest,
) -> Result<(ListPart<Activity>, Vec<Total>)> {
    let tenant = &ctx.tenant;
    let deleted = request.include_deleted;
    let own = request.after.as_ref().map(|position| id(AccountLogId::parse, AccountLogId::PREFIX, position));
    let of_persons =
        request.after.as_ref().map(|position| id(PersonLogId::parse, PersonLogId::PREFIX, position));
    let (own, of_persons) = (own.transpose()?, of_persons.transpose()?);
    let mut queries = vec![
        table::page(tenant, account_id, deleted, own.as_ref(), request.extent),
        tallies::count(tenant, &Tallied::Account(account_id)),
    ];
    if request.include_persons {
        queries.push(table::persons::of_account(
            tenant,
            account_id,
            deleted,
            of_persons.as_ref(),
            request.extent,
        ));
        queries.push(tallies::count(tenant, &Tallied::PersonsOf(account_id)));
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
                    let (name, log) = table::persons::of_account_row(row)?;
                    entries.push((bytes, Activity::Person(name, log)));
                }
            }
            _ => totals.push(tallies::total(rows, deleted)?),
        }
    }
    entries.sort_by(|(_, one), (_, other)| other.position().cmp(one.position()));
    // Each list may have ended at its last row for its bytes alone: before that row is reached, those are used up here as well.
    Ok((ListPart::of(entries, request.extent), totals))
}

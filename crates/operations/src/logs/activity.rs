//! The activity of an account: its own entries and its persons', as one list.

use pagesmith_model::log::{AccountLog, PersonLog};
use pagesmith_model::{AccountId, AccountLogId, PersonLogId, Result};
use pagesmith_store::tables::logs as table;
use pagesmith_store::tables::logs::tallies::{self, Tallied, Total};
use pagesmith_store::{Extent, ListPart, Tx};

use crate::context::TenantContext;
use crate::logs::{CountedPart, Owner as _};

/// Something that happened to an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Activity {
    /// To itself.
    Account(AccountLog),
    /// To a person of it, who has this name.
    Person(String, PersonLog),
}

impl Activity {
    /// Where the entry is in the activity.
    pub fn position(&self) -> ActivityPosition {
        ActivityPosition(self.digits().to_owned())
    }

    /// What sorts the entries of both kinds: the part of an id that contains its time.
    fn digits(&self) -> &str {
        let id = match self {
            Activity::Account(log) => log.log_id.as_str(),
            Activity::Person(_, log) => log.log_id.as_str(),
        };
        id.rsplit_once('_').map_or(id, |(_, digits)| digits)
    }
}

/// A position in an account's activity: the digits of an id, which sort the entries of both kinds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivityPosition(String);

impl ActivityPosition {
    /// The position of these digits, if an id can have them.
    pub fn parse(digits: &str) -> Option<ActivityPosition> {
        let position = ActivityPosition(digits.to_owned());
        position.account_log_id().map(|_| position)
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn account_log_id(&self) -> Option<AccountLogId> {
        AccountLogId::parse(&format!("{}_{}", AccountLogId::PREFIX, self.0))
    }

    fn person_log_id(&self) -> Option<PersonLogId> {
        PersonLogId::parse(&format!("{}_{}", PersonLogId::PREFIX, self.0))
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
    pub after: Option<ActivityPosition>,
    /// How much.
    pub extent: Extent,
}

/// What an account's activity consists of.
fn tallied(account_id: &AccountId) -> [Tallied<'_>; 2] {
    [Tallied::Account(account_id), Tallied::PersonsOf(account_id)]
}

/// An account's activity, with its total. Fails if there is no such account.
pub fn list_counted(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    account_id: &AccountId,
    request: &ActivityRequest,
) -> Result<CountedPart<Activity>> {
    account_id.require(tx, ctx)?;
    let (entries, totals) = list(tx, ctx, account_id, request)?;
    let mut is_behind = false;
    for (tallied, total) in tallied(account_id).iter().zip(&totals) {
        is_behind |= super::tallies::is_behind(tx, ctx, tallied, total)?;
    }
    Ok((entries, totals.iter().map(|total| total.entries).sum(), is_behind))
}

/// Moves the tallies of an account's activity on.
pub fn advance_tallies(tx: &mut Tx<'_>, ctx: &TenantContext, account_id: &AccountId) -> Result<()> {
    tallied(account_id).iter().try_for_each(|tallied| super::tallies::advance(tx, ctx, tallied))
}

/// An account's activity, newest first; and how many entries there are in all.
pub(crate) fn list(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    account_id: &AccountId,
    request: &ActivityRequest,
) -> Result<(ListPart<Activity>, Vec<Total>)> {
    let tenant = &ctx.tenant;
    let deleted = request.include_deleted;
    let own = request.after.as_ref().and_then(ActivityPosition::account_log_id);
    let of_persons = request.after.as_ref().and_then(ActivityPosition::person_log_id);
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
    entries.sort_by(|(_, one), (_, other)| other.digits().cmp(one.digits()));
    // Each list may have ended at its last row for its bytes alone: before that row is reached, those are used up here as well.
    Ok((ListPart::of(entries, request.extent), totals))
}

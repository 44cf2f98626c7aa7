//! Who orders at an authority: one server at a time, as long as it holds the lease in the row of the account, and no more orders an hour than are
//! allowed.
//!
//! Invariant: a transaction that keeps what an order has come to keeps the lease as well, and fails if another server has it.

use std::time::Duration;

use pagesmith_model::certificate;
use pagesmith_model::{Error, Kind, Result, Timestamp};
use pagesmith_store::Tx;
use pagesmith_store::tables::certificates::acme_accounts::{self as table, AcmeAccount};

use crate::context::Context;

/// How long a server that is not heard of may hold the lease: longer than the calls of a step take.
pub const LEASE: Duration = Duration::from_mins(3);
/// The time in which orders are counted.
const HOUR: Duration = Duration::from_hours(1);
/// The longest pause after the authority could not be spoken to, and the first.
const PAUSES: (Duration, Duration) = (Duration::from_mins(1), Duration::from_hours(1));
/// How many characters are kept of why.
const LONGEST: usize = 500;

/// What a sealed account is tied to.
pub fn bound_to(directory: &str) -> String {
    format!("acme_accounts {directory}")
}

/// The right to order at an authority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// The authority's directory.
    pub directory: String,
    /// Who has it.
    pub holder: String,
    /// How many orders may be begun in an hour.
    pub orders_per_hour: u64,
}

impl Lease {
    /// Takes it, with the account; nothing if another server has it, or the authority is left alone.
    pub fn take(&self, tx: &mut Tx<'_>, contact: &str, now: Timestamp) -> Result<Option<AcmeAccount>> {
        let Some(account) = table::find(tx, &self.directory)? else {
            tx.run(table::insert(&self.directory, contact, now))?;
            return self.hold(tx, now);
        };
        if now < account.paused_until { Ok(None) } else { self.hold(tx, now) }
    }

    fn hold(&self, tx: &mut Tx<'_>, now: Timestamp) -> Result<Option<AcmeAccount>> {
        if tx.run(table::hold(&self.directory, &self.holder, now, now.plus(LEASE)))? == 0 {
            return Ok(None);
        }
        table::find(tx, &self.directory)
    }

    /// Keeps it for a while longer; an error if another server has it.
    pub fn keep(&self, tx: &mut Tx<'_>, now: Timestamp) -> Result<()> {
        if tx.run(table::hold(&self.directory, &self.holder, now, now.plus(LEASE)))? == 0 {
            return Err(Error::new(Kind::Conflict(None), "Another server orders certificates."));
        }
        Ok(())
    }

    /// Leaves it to others.
    pub fn release(&self, tx: &mut Tx<'_>, now: Timestamp) -> Result<()> {
        tx.run(table::release(&self.directory, &self.holder, now)).map(drop)
    }

    fn account(&self, tx: &mut Tx<'_>) -> Result<AcmeAccount> {
        table::find(tx, &self.directory)?.ok_or_else(|| Error::internal("an account that is gone"))
    }

    /// How many orders may be begun now, and when there may be more.
    pub fn orders_left(&self, account: &AcmeAccount, now: Timestamp) -> (u64, Timestamp) {
        let ends = account.hour_began_at.plus(HOUR);
        let begun = if now >= ends { 0 } else { account.orders };
        (self.orders_per_hour.saturating_sub(begun), ends.max(now.plus(Duration::from_secs(1))))
    }

    /// Counts an order that is begun.
    pub(super) fn count_order(&self, tx: &mut Tx<'_>, now: Timestamp) -> Result<()> {
        let mut account = self.account(tx)?;
        if now >= account.hour_began_at.plus(HOUR) {
            (account.hour_began_at, account.orders) = (now, 0);
        }
        account.orders += 1;
        tx.run(table::update(&account)).map(drop)
    }

    /// Keeps the account that was made, sealed.
    pub fn save_account(
        &self,
        tx: &mut Tx<'_>,
        ctx: &Context,
        contact: &str,
        credentials: &[u8],
    ) -> Result<()> {
        self.keep(tx, ctx.now)?;
        let mut account = self.account(tx)?;
        let bound = bound_to(&self.directory);
        account.sealed = Some(ctx.secret()?.seal(ctx.random()?, bound.as_bytes(), credentials));
        contact.clone_into(&mut account.contact);
        tx.run(table::update(&account)).map(drop)
    }

    /// Keeps the address that the authority has now.
    pub fn save_contact(&self, tx: &mut Tx<'_>, ctx: &Context, contact: &str) -> Result<()> {
        self.keep(tx, ctx.now)?;
        let mut account = self.account(tx)?;
        contact.clone_into(&mut account.contact);
        tx.run(table::update(&account)).map(drop)
    }

    /// Forgets the account, which the authority does not know.
    pub fn forget_account(&self, tx: &mut Tx<'_>, ctx: &Context) -> Result<()> {
        self.keep(tx, ctx.now)?;
        tx.run(table::update_sealed(&self.directory, None)).map(drop)
    }

    /// What the account is known by, if it is made and opens.
    pub fn open_account(&self, ctx: &Context, account: &AcmeAccount) -> Result<Option<Vec<u8>>> {
        let keys = ctx.secret()?;
        let bound = bound_to(&self.directory);
        Ok(account.sealed.as_ref().and_then(|sealed| keys.open(bound.as_bytes(), sealed)))
    }

    /// Notes that the authority could not be spoken to: it is left alone for a while, longer each time, and as long as it asks.
    pub fn pause(
        &self,
        tx: &mut Tx<'_>,
        why: &str,
        asked: Option<Duration>,
        now: Timestamp,
    ) -> Result<Timestamp> {
        self.keep(tx, now)?;
        let mut account = self.account(tx)?;
        account.failures = account.failures.saturating_add(1);
        let grown = PAUSES.0.saturating_mul(2_u32.saturating_pow(account.failures - 1)).min(PAUSES.1);
        account.paused_until = now.plus(grown.max(asked.unwrap_or_default().min(certificate::LONGEST_ASKED)));
        account.trouble = Some(why.chars().filter(|c| !c.is_control()).take(LONGEST).collect());
        tx.run(table::update(&account))?;
        Ok(account.paused_until)
    }

    /// Notes that the authority could be spoken to again.
    pub fn succeed(&self, tx: &mut Tx<'_>, now: Timestamp) -> Result<()> {
        self.keep(tx, now)?;
        let mut account = self.account(tx)?;
        if account.failures > 0 || account.trouble.is_some() {
            (account.failures, account.trouble) = (0, None);
            tx.run(table::update(&account))?;
        }
        Ok(())
    }
}

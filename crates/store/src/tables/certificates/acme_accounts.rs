//! `acme_accounts`: the server's account at each certificate authority, which server orders there, and how much it may.

use pagesmith_model::{Result, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// An account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcmeAccount {
    /// The authority's directory.
    pub directory: String,
    /// The address that the authority has.
    pub contact: String,
    /// What the account is known by, sealed, once it is made.
    pub sealed: Option<Vec<u8>>,
    /// Which server orders, until when.
    pub holder: Option<String>,
    /// See above.
    pub held_until: Timestamp,
    /// Since when orders are counted.
    pub hour_began_at: Timestamp,
    /// How many were begun since.
    pub orders: u64,
    /// How often in a row the authority could not be spoken to.
    pub failures: u32,
    /// Why, the last time.
    pub trouble: Option<String>,
    /// Until when it is left alone.
    pub paused_until: Timestamp,
}

fn account(row: &Row) -> Result<AcmeAccount> {
    let (orders, failures): (i64, i64) = (row.take("orders")?, row.take("failures")?);
    Ok(AcmeAccount {
        directory: row.take("directory")?,
        contact: row.take("contact")?,
        sealed: row.take("sealed")?,
        holder: row.take("holder")?,
        held_until: row.take("held_until")?,
        hour_began_at: row.take("hour_began_at")?,
        orders: u64::try_from(orders).unwrap_or_default(),
        failures: u32::try_from(failures).unwrap_or(u32::MAX),
        trouble: row.take("trouble")?,
        paused_until: row.take("paused_until")?,
    })
}

/// Adds an account that is not made yet, unless it is there.
pub fn insert(directory: &str, contact: &str, now: Timestamp) -> Query {
    sql!(
        "INSERT INTO acme_accounts (directory, contact, held_until, hour_began_at, orders, failures, paused_until)
         VALUES ($1, $2, $3, $3, 0, 0, $3) ON CONFLICT (directory) DO NOTHING"
    )
    .with(values![directory, contact, now])
}

/// The account at an authority.
pub fn find(tx: &mut Tx<'_>, directory: &str) -> Result<Option<AcmeAccount>> {
    let select = sql!(
        "SELECT directory, contact, sealed, holder, held_until, hour_began_at, orders, failures, trouble, paused_until
         FROM acme_accounts WHERE directory = $1"
    );
    tx.maybe(select.with(values![directory]))?.as_ref().map(account).transpose()
}

/// Lets a server order there, if none does, or it does already; else no row is touched.
pub fn hold(directory: &str, holder: &str, now: Timestamp, until: Timestamp) -> Query {
    sql!(
        "UPDATE acme_accounts SET holder = $2, held_until = $4
         WHERE directory = $1 AND (holder = $2 OR held_until <= $3)"
    )
    .with(values![directory, holder, now, until])
}

/// Lets others order.
pub fn release(directory: &str, holder: &str, now: Timestamp) -> Query {
    sql!("UPDATE acme_accounts SET holder = NULL, held_until = $3 WHERE directory = $1 AND holder = $2")
        .with(values![directory, holder, now])
}

/// Writes what changes, but for who orders.
pub fn update(account: &AcmeAccount) -> Query {
    sql!(
        "UPDATE acme_accounts SET contact = $2, sealed = $3, hour_began_at = $4, orders = $5, failures = $6, trouble = $7,
            paused_until = $8
         WHERE directory = $1"
    )
    .with(values![
        account.directory.as_str(),
        account.contact.as_str(),
        account.sealed.as_deref(),
        account.hour_began_at,
        super::whole(account.orders),
        i64::from(account.failures),
        account.trouble.as_deref(),
        account.paused_until,
    ])
}

/// Every account with what it is known by, sealed.
pub fn list_sealed(tx: &mut Tx<'_>) -> Result<Vec<(String, Vec<u8>)>> {
    tx.all(
        sql!("SELECT directory, sealed FROM acme_accounts WHERE sealed IS NOT NULL ORDER BY directory")
            .with(values![]),
    )?
    .iter()
    .map(|row| Ok((row.take("directory")?, row.take("sealed")?)))
    .collect()
}

/// Replaces what an account is sealed as; nothing: it is made anew.
pub fn update_sealed(directory: &str, sealed: Option<&[u8]>) -> Query {
    sql!("UPDATE acme_accounts SET sealed = $2 WHERE directory = $1")
        .with(values![directory, sealed.map(<[u8]>::to_vec)])
}

//! The installation as its operators see it: tenants in numbers, servers, queues, backups, and what is wrong.
//!
//! Nothing here shows what belongs to a tenant but its name and how much it has. What needs the machine, such as backups and a look at the
//! disk, is given as a trait, since it waits.

use std::pin::Pin;
use std::time::Duration;

use pagesmith_model::tenant::Tenant;
use pagesmith_model::{Error, Result, UserId};
use pagesmith_store::Tx;
use pagesmith_store::tables::servers::{self, Server};
use pagesmith_store::tables::{tenants, users};

use crate::context::Context;
use crate::tenants::overview::{self, Counts};

pub mod backups;
pub mod queues;

pub use backups::Backups;

/// For how long a server that gives no sign of life is told of.
const FORGOTTEN: Duration = Duration::from_hours(24);
/// A server that is silent for so long is gone: three times what lies between two signs.
const LIVES: Duration = Duration::from_secs(90);
/// How many servers are told of.
const MOST_SERVERS: i64 = 200;
/// How many tenants are counted at once.
pub const TENANTS_AT_ONCE: usize = 50;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// In order.
    Ok,
    /// Works, but look at it.
    Warn,
    /// Will not work, or loses something.
    Fail,
}

/// Something that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What was looked at.
    pub name: &'static str,
    /// How bad it is.
    pub level: Level,
    /// What was found, and what to do about it.
    pub detail: String,
}

impl Finding {
    /// A finding of this level.
    pub fn new(name: &'static str, level: Level, detail: impl Into<String>) -> Finding {
        Finding { name, level, detail: detail.into() }
    }
}

/// Findings that are being made.
pub type Examining<'a> = Pin<Box<dyn Future<Output = Vec<Finding>> + Send + 'a>>;

/// Who examines what the server depends on.
pub trait Examination: Send + Sync {
    /// Looks at everything. It may take seconds.
    fn examine(&self) -> Examining<'_>;
}

/// Refuses whoever does not run the installation, as if there were nothing to run.
pub fn require_operator(tx: &mut Tx<'_>, user_id: &UserId) -> Result<()> {
    let user = users::find(tx, user_id)?;
    let runs = user.is_some_and(|user| user.is_operator && user.disabled_at.is_none());
    if runs { Ok(()) } else { Err(Error::not_found("screen")) }
}

/// Tenants whose name or slug holds a text, in any case, in the order of their making, without the first `skipped`; whether more follow; each with what it has.
pub fn tenants(tx: &mut Tx<'_>, text: &str, skipped: usize) -> Result<(Vec<(Tenant, Counts)>, bool)> {
    let text = text.to_lowercase();
    let all = tenants::list(tx)?;
    let holds = |tenant: &Tenant| tenant.name.to_lowercase().contains(&text) || tenant.slug.contains(&text);
    let mut found = all.into_iter().filter(holds).skip(skipped);
    let mut shown = Vec::new();
    for tenant in found.by_ref().take(TENANTS_AT_ONCE) {
        let counts = overview::counts(tx, &tenant.tenant_id)?;
        shown.push((tenant, counts));
    }
    Ok((shown, found.next().is_some()))
}

/// Notes that a server lives, and forgets those that have not for long.
pub fn note_server(tx: &mut Tx<'_>, server: &Server) -> Result<()> {
    tx.batch(vec![servers::note(server), servers::forget(server.seen_at.minus(FORGOTTEN))]).map(drop)
}

/// The servers of the last day, the one that was seen last first.
pub fn servers(tx: &mut Tx<'_>) -> Result<Vec<Server>> {
    servers::list(tx, MOST_SERVERS)
}

/// Whether a server has given a sign of life so lately that it must be running.
pub fn is_alive(server: &Server, ctx: &Context) -> bool {
    ctx.now.since(server.seen_at) < LIVES
}

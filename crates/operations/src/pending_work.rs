//! Which tenants have work for the background, and the way from one to the next.

use std::collections::VecDeque;

use pagesmith_model::{Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::pending_work::{self, WorkKind};

use crate::context::TenantContext;

/// How many tenants are read at once.
const READ: i64 = 64;
/// How many tenants one round of [`idle`] looks at.
const LOOKED_AT: i64 = 256;

/// A walk along the tenants that may have work of a kind, in the order of ids.
pub(crate) struct TenantWalk {
    kind: WorkKind,
    /// Where the next read begins: behind this id.
    after: String,
    /// The last id of the walk; none for the last of all.
    end: Option<String>,
    /// What was read and not passed.
    read: VecDeque<TenantId>,
    /// Whether nothing is left to be read up to the end.
    is_read: bool,
}

impl TenantWalk {
    /// From behind a position to the last; an empty one is before the first tenant.
    pub(crate) fn from(kind: WorkKind, after: &str) -> TenantWalk {
        TenantWalk { kind, after: after.to_owned(), end: None, read: VecDeque::new(), is_read: false }
    }

    /// From the first up to a position; nothing if that is before the first.
    pub(crate) fn up_to(kind: WorkKind, end: &str) -> TenantWalk {
        TenantWalk { end: Some(end.to_owned()), is_read: end.is_empty(), ..TenantWalk::from(kind, "") }
    }

    /// The next tenant; nothing at the end.
    pub(crate) fn next(&mut self, tx: &mut Tx<'_>) -> Result<Option<TenantId>> {
        if self.is_at_end(tx)? {
            return Ok(None);
        }
        Ok(self.read.pop_front())
    }

    /// The next tenants, up to so many.
    pub(crate) fn take(&mut self, tx: &mut Tx<'_>, most: usize) -> Result<Vec<TenantId>> {
        let mut tenants = Vec::new();
        while tenants.len() < most
            && let Some(tenant) = self.next(tx)?
        {
            tenants.push(tenant);
        }
        Ok(tenants)
    }

    /// Whether no tenant is left.
    pub(crate) fn is_at_end(&mut self, tx: &mut Tx<'_>) -> Result<bool> {
        while self.read.is_empty() && !self.is_read {
            self.read_on(tx)?;
        }
        Ok(self.read.is_empty())
    }

    fn read_on(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        let rows = tx.all(pending_work::tenants_after(self.kind, &self.after, READ))?;
        let mut found = pending_work::tenants(&rows)?;
        self.is_read = found.len() < usize::try_from(READ).unwrap_or(usize::MAX);
        if let Some(last) = found.last() {
            last.as_str().clone_into(&mut self.after);
        }
        if let Some(end) = &self.end {
            let read = found.len();
            found.retain(|tenant| tenant.as_str() <= end.as_str());
            self.is_read |= found.len() < read;
        }
        self.read.extend(found);
        Ok(())
    }
}

/// The tenants that may have work of a kind, in the order of ids.
pub fn all(tx: &mut Tx<'_>, kind: WorkKind) -> Result<Vec<TenantId>> {
    TenantWalk::from(kind, "").take(tx, usize::MAX)
}

/// Whether a tenant has work of a kind.
pub fn has(tx: &mut Tx<'_>, tenant: &TenantId, kind: WorkKind) -> Result<bool> {
    Ok(!pending_work::is_idle(tx, tenant, kind)?)
}

/// Up to `limit` tenants with work of a kind that is due, behind `after` in the order of their ids and then from the first.
pub fn due_tenants(
    tx: &mut Tx<'_>,
    kind: WorkKind,
    after: &str,
    limit: usize,
    mut is_due: impl FnMut(&mut Tx<'_>, &TenantId) -> Result<bool>,
) -> Result<Vec<TenantId>> {
    let mut tenants = Vec::new();
    for mut walk in [TenantWalk::from(kind, after), TenantWalk::up_to(kind, after)] {
        while tenants.len() < limit
            && let Some(tenant) = walk.next(tx)?
        {
            if is_due(tx, &tenant)? {
                tenants.push(tenant);
            }
        }
    }
    Ok(tenants)
}

/// A row of the list of tenants with work.
pub type Entry = (WorkKind, TenantId);

/// The next rows behind one, and those of them whose tenants have no work left.
pub struct IdleEntries {
    /// The last row; nothing at the end of the list.
    pub last: Option<Entry>,
    /// Those that can be removed.
    pub idle: Vec<Entry>,
}

/// Looks for tenants that are in the list and have no work left.
pub fn idle(tx: &mut Tx<'_>, after: Option<&Entry>) -> Result<IdleEntries> {
    let entries = pending_work::list(tx, after, LOOKED_AT)?;
    let mut idle = Vec::new();
    for (kind, tenant) in &entries {
        if pending_work::is_idle(tx, tenant, *kind)? {
            idle.push((*kind, tenant.clone()));
        }
    }
    Ok(IdleEntries { last: entries.last().cloned(), idle })
}

/// Takes a tenant from the list if it still has no work; to run in a `write`.
pub fn remove_if_idle(tx: &mut Tx<'_>, (kind, tenant): &Entry) -> Result<()> {
    if pending_work::is_idle(tx, tenant, *kind)? {
        tx.run(pending_work::remove(tenant, *kind))?;
    }
    Ok(())
}

/// Whether a tenant is in the list for a kind of work of which it has none.
pub fn has_idle(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    for kind in pending_work::kinds_of(tx, &ctx.tenant)? {
        if pending_work::is_idle(tx, &ctx.tenant, kind)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Takes a tenant from the list where it has no work; to run in a `write`. Nothing is left then.
pub fn remove_idle(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    for kind in pending_work::kinds_of(tx, &ctx.tenant)? {
        remove_if_idle(tx, &(kind, ctx.tenant.clone()))?;
    }
    Ok(false)
}

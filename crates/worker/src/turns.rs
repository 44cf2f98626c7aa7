//! Whose turn it is to have work done, and how much of what is being done is each tenant's.

use std::collections::HashMap;

use pagesmith_model::TenantId;

/// The turns of one kind of work in one process.
#[derive(Debug, Clone)]
pub struct Turns {
    /// Behind which tenant the next round begins.
    pub(crate) last: String,
    /// How many pieces of a tenant are being attempted.
    held: HashMap<TenantId, usize>,
    /// How many of them one tenant may have.
    most: usize,
}

impl Default for Turns {
    /// Turns without a bound for a tenant.
    fn default() -> Turns {
        Turns { last: String::new(), held: HashMap::new(), most: usize::MAX }
    }
}

impl Turns {
    /// Turns where so many pieces are attempted at the same time, half of which one tenant may have: work that takes long leaves room for
    /// others.
    pub fn of(concurrency: usize) -> Turns {
        Turns { most: concurrency.div_ceil(2), ..Turns::default() }
    }

    /// Notes that a piece of a tenant is begun.
    pub fn begin(&mut self, tenant: &TenantId) {
        *self.held.entry(tenant.clone()).or_default() += 1;
    }

    /// Notes that a piece of a tenant has ended.
    pub fn end(&mut self, tenant: &TenantId) {
        if let Some(held) = self.held.get_mut(tenant) {
            *held -= 1;
            if *held == 0 {
                self.held.remove(tenant);
            }
        }
    }

    /// How many more pieces a tenant may have.
    pub(crate) fn left(&self, tenant: &TenantId) -> usize {
        self.most.saturating_sub(self.held.get(tenant).copied().unwrap_or_default())
    }

    /// The tenants that may have no more.
    pub(crate) fn full(&self) -> Vec<TenantId> {
        self.held.keys().filter(|tenant| self.left(tenant) == 0).cloned().collect()
    }
}

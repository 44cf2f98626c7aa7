//! What a tenant's months came to: versions, visits and deliveries, counted as they happen.
//!
//! A month is one of UTC. What was counted stays, whatever is removed later.

use pagesmith_model::agent::month_of;
use pagesmith_model::{Result, TenantId, Timestamp};
use pagesmith_store::tables::counters;
use pagesmith_store::{Query, Tx};

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Happening {
    /// A version was created.
    Version,
    /// A visitor's session has ended.
    Visit,
    /// A delivery has arrived.
    Delivery,
}

impl Happening {
    const ALL: [Happening; 3] = [Happening::Version, Happening::Visit, Happening::Delivery];

    fn counter(self, month: &str) -> String {
        let name = match self {
            Happening::Version => "versions",
            Happening::Visit => "visits",
            Happening::Delivery => "deliveries",
        };
        counters::of_month(name, month)
    }
}

/// Counts `by` more in the month of that instant, in a shard ([`Tx::shard`]); a query, to travel with others.
pub(crate) fn count(tenant: &TenantId, what: Happening, at: Timestamp, shard: i64, by: i64) -> Query {
    counters::add(tenant, &what.counter(&month_of(at)), shard, by)
}

/// Usage in a month.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sums {
    /// Versions that were created.
    pub versions: u64,
    /// Sessions that have ended.
    pub visits: u64,
    /// Deliveries that have arrived.
    pub deliveries: u64,
}

/// What these months came to, in their order.
pub(super) fn sums(tx: &mut Tx<'_>, tenant: &TenantId, months: &[String]) -> Result<Vec<Sums>> {
    let of_month = |month: &String| Happening::ALL.map(|what| counters::count(tenant, &what.counter(month)));
    let answers = tx.batch(months.iter().flat_map(of_month).collect())?;
    let totals = answers.iter().map(|rows| counters::total(rows)).collect::<Result<Vec<u64>>>()?;
    let sums = totals.chunks_exact(Happening::ALL.len()).map(|totals| Sums {
        versions: totals[0],
        visits: totals[1],
        deliveries: totals[2],
    });
    Ok(sums.collect())
}

/// The last `count` months, the present one first: `2026-03`.
pub(super) fn last(now: Timestamp, count: usize) -> Vec<String> {
    let text = month_of(now);
    let mut parts = text.split('-').map(|part| part.parse::<u32>().unwrap_or(1));
    let (mut year, mut month) = (parts.next().unwrap_or(1), parts.next().unwrap_or(1));
    let mut months = Vec::with_capacity(count);
    for _ in 0..count {
        months.push(format!("{year:04}-{month:02}"));
        (year, month) = if month > 1 { (year, month - 1) } else { (year.saturating_sub(1), 12) };
    }
    months
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_go_back_over_the_turn_of_the_year() {
        let now: Timestamp = "2026-02-11T10:00:00Z".parse().unwrap();
        assert_eq!(last(now, 4), ["2026-02", "2026-01", "2025-12", "2025-11"]);
    }
}

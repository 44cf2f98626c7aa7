//! Visits to pages: reports of page views are taken ([`collect`]), sessions end ([`close`]), rows expire ([`sweep`]), and what came of
//! it is read ([`analytics`]).
//!
//! Invariants: a report that was taken is in the totals of its session in the same transaction. A session enters the sums in the transaction that closes
//! it, and leaves them in the one that erases it; so sums and rows are never counted both.

pub mod analytics;
pub mod close;
pub mod collect;
pub mod erase;
mod goals;
pub(crate) mod joined;
mod open_sessions;
pub mod salts;
pub mod series;
pub mod settings;
pub mod shares;
pub(crate) mod submitted;
pub mod sweep;
pub mod values;

use std::collections::BTreeMap;

use pagesmith_model::visit::range::{DAY, Span};
use pagesmith_model::visit::session::{Dimension, Session};
use pagesmith_model::visit::sums::Sums;
use pagesmith_model::{TenantId, Timestamp};
use pagesmith_store::Query;
use pagesmith_store::tables::visits::sums::{self, Key};

/// The number of a UTC day.
pub(crate) fn day_of(instant: Timestamp) -> i64 {
    instant.as_micros().div_euclid(i64::try_from(DAY.as_micros()).unwrap_or(i64::MAX))
}

/// What sessions add to the sums of the spans in which they began.
#[derive(Debug, Default)]
struct Additions(BTreeMap<Key, Sums>);

impl Additions {
    /// Adds what a closed session counts under what it counts for each dimension; `quarters_from` says since when sums of quarters are kept.
    fn note(
        &mut self,
        session: &Session,
        counts: &Sums,
        quarters_from: Timestamp,
        mut value_of: impl FnMut(Dimension) -> Option<String>,
    ) {
        for dimension in Dimension::ALL {
            let Some(value) = value_of(dimension) else { continue };
            for span in Span::ALL {
                let starts_at = span.start_of(session.started_at);
                if span == Span::Quarter && starts_at < quarters_from {
                    continue;
                }
                let page_id = session.page_id.clone();
                let key = Key { page_id, span, dimension, value: value.clone(), starts_at };
                self.0.entry(key).or_default().add(counts);
            }
        }
    }

    fn queries(&self, tenant: &TenantId) -> Vec<Query> {
        self.0.iter().map(|(key, more)| sums::add(tenant, key, more)).collect()
    }
}

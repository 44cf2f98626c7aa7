//! Under which values sessions count, where visitors bring any number of them: a UTC day of a page has at most [`MOST`] of a dimension.
//!
//! Sessions with further values count as others. Invariant: a value that the sums of a day are of has all sessions of the day that bring it, since
//! a value that came when there was no room does not get any later; so a session is found again where it was counted.

use std::collections::{BTreeMap, BTreeSet};

use pagesmith_model::visit::range::Span;
use pagesmith_model::visit::session::{Dimension, Session};
use pagesmith_model::{Result, TenantId};
use pagesmith_store::tables::visits::values::{self as table, Day};
use pagesmith_store::{Query, Tx};

/// How many values of a dimension a UTC day of a page has.
pub const MOST: i64 = 200;

/// Where sessions count whose value is none of those; no value is empty.
pub const OTHERS: &str = "";

/// The values of the days of some sessions.
#[derive(Debug, Default)]
pub(super) struct Values {
    known: BTreeSet<(Day, Dimension, String)>,
    counts: BTreeMap<(Day, Dimension), i64>,
    grown: BTreeSet<(Day, Dimension)>,
}

fn day_of(session: &Session) -> Day {
    (session.page_id.clone(), Span::Day.start_of(session.started_at))
}

impl Values {
    /// Reads what these sessions need.
    pub fn read<'a>(
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        sessions: impl Iterator<Item = &'a Session>,
    ) -> Result<Values> {
        let mut brought: BTreeMap<Day, BTreeSet<String>> = BTreeMap::new();
        for session in sessions {
            let values = Dimension::LIMITED.iter().filter_map(|dimension| dimension.value_of(session));
            brought.entry(day_of(session)).or_default().extend(values);
        }
        let mut values = Values::default();
        for (day, brought) in &brought {
            let brought: Vec<&str> = brought.iter().map(String::as_str).collect();
            let known = table::known(tx, tenant, day, &brought)?;
            values.known.extend(known.into_iter().map(|(dimension, value)| (day.clone(), dimension, value)));
        }
        let days: Vec<Day> = brought.into_keys().collect();
        let counts = table::counts(tx, tenant, &days)?;
        values.counts.extend(counts.into_iter().map(|(day, dimension, number)| ((day, dimension), number)));
        Ok(values)
    }

    /// The value under which a session is counted already; nothing if it has none.
    pub fn counted(&self, dimension: Dimension, session: &Session) -> Option<String> {
        let value = dimension.value_of(session)?;
        if !Dimension::LIMITED.contains(&dimension) {
            return Some(value);
        }
        let place = (day_of(session), dimension, value);
        Some(if self.known.contains(&place) { place.2 } else { OTHERS.to_owned() })
    }

    /// The value under which a session is to be counted, which is one more of the day if there is room.
    pub fn take(&mut self, dimension: Dimension, session: &Session) -> Option<String> {
        let counted = self.counted(dimension, session)?;
        if counted != OTHERS || !Dimension::LIMITED.contains(&dimension) {
            return Some(counted);
        }
        let (day, value) = (day_of(session), dimension.value_of(session)?);
        let count = self.counts.entry((day.clone(), dimension)).or_default();
        if *count >= MOST {
            return Some(OTHERS.to_owned());
        }
        *count += 1;
        self.grown.insert((day.clone(), dimension));
        self.known.insert((day, dimension, value.clone()));
        Some(value)
    }

    /// Notes how many values there are now, where there are more.
    pub fn queries(&self, tenant: &TenantId) -> Vec<Query> {
        let number = |grown: &(Day, Dimension)| self.counts.get(grown).copied().unwrap_or_default();
        self.grown.iter().map(|grown| table::save(tenant, &grown.0, grown.1, number(grown))).collect()
    }
}

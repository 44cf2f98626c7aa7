//! The queues of all tenants in numbers: what is due, since when, what is being worked on, and what waits for another attempt.
//!
//! What is held back, because its tenant is suspended, does not count.

use pagesmith_model::{Result, Timestamp};
use pagesmith_store::Tx;
use pagesmith_store::tables::queues::{self, Sums};

use crate::webhooks::deliveries;

/// How far a queue is counted: the number is for an operator, who need not know more.
pub const MOST: u64 = deliveries::DEPTH;

/// A queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queue {
    /// Versions to be written.
    Versions,
    /// Messages of conversations to be carried out.
    Messages,
    /// Deliveries of webhooks.
    Deliveries,
    /// Pages and files of topics to be read.
    Readings,
    /// Submissions to be enriched.
    Enrichments,
    /// Pictures of which variants are to be made.
    Pictures,
    /// Pictures to be described.
    Descriptions,
    /// Files of persons to be checked or imported.
    Imports,
}

/// The state of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueState {
    /// Which queue.
    pub queue: Queue,
    /// How much is due, counted up to [`MOST`].
    pub due: u64,
    /// Since when the first of that is.
    pub oldest: Option<Timestamp>,
    /// How much is being worked on; `None` where that is not counted.
    pub running: Option<u64>,
    /// How much waits for another attempt.
    pub again: u64,
}

/// The state of every queue.
pub fn states(tx: &mut Tx<'_>, now: Timestamp) -> Result<Vec<QueueState>> {
    let most = i64::try_from(MOST).unwrap_or(i64::MAX);
    let of_tables = [
        (Queue::Versions, queues::generations(now, most)),
        (Queue::Messages, queues::message_runs(now, most)),
        (Queue::Readings, queues::entry_readings(now, most)),
        (Queue::Enrichments, queues::enrichments(now, most)),
        (Queue::Pictures, queues::pictures(now, most)),
        (Queue::Descriptions, queues::asset_descriptions(now, most)),
        (Queue::Imports, queues::person_imports(now, most)),
    ];
    let (names, queries): (Vec<Queue>, Vec<_>) = of_tables.into_iter().unzip();
    let answers = tx.batch(queries)?;
    let mut states = Vec::with_capacity(names.len() + 1);
    for (queue, rows) in names.into_iter().zip(answers) {
        let Sums { due, again, running, oldest } = queues::sums(&rows)?;
        states.push(QueueState { queue, due, oldest, running: Some(running), again });
        if queue == Queue::Messages {
            states.push(of_deliveries(tx, now, most)?);
        }
    }
    Ok(states)
}

/// Deliveries, which are counted in another way.
fn of_deliveries(tx: &mut Tx<'_>, now: Timestamp, most: i64) -> Result<QueueState> {
    let depth = deliveries::depth(tx, now)?;
    let again = queues::sums_of_timers(&tx.all(queues::delivery_timers(now, most))?)?;
    let oldest = (depth.ready > 0).then(|| now.minus(depth.oldest));
    Ok(QueueState { queue: Queue::Deliveries, due: depth.ready, oldest, running: None, again })
}

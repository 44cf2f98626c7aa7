//! What was read a moment ago, for whoever asks for the same before it can have changed.
//!
//! Many visitors of one page ask the same at once. An answer is given again under the terms on which a snapshot is read again
//! ([`super::glance`]): nothing was committed here since, and it is at most [`FRESH`] old, for what other processes commit.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::engine::sqlite::glance::FRESH;
use crate::rows::RowKey;

/// How many answers are remembered; they are old at once, so what is over the limit is no loss.
const MOST: usize = 1_000;

type Answer = Arc<dyn Any + Send + Sync>;

/// The answers of one number of commits; nothing once closed.
#[derive(Default)]
pub(super) struct Recall(Mutex<Option<Answers>>);

#[derive(Default)]
struct Answers {
    commits: u64,
    answers: HashMap<RowKey, (Instant, Answer)>,
}

impl Recall {
    pub(super) fn open() -> Recall {
        Recall(Mutex::new(Some(Answers::default())))
    }

    /// The answer, if it still is one.
    pub(super) fn find<T: Clone + 'static>(&self, key: &RowKey, commits: u64, now: Instant) -> Option<T> {
        let answer = {
            let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let known = known.as_ref().filter(|known| known.commits == commits)?;
            let (taken, answer) = known.answers.get(key)?;
            (now.saturating_duration_since(*taken) < FRESH).then(|| Arc::clone(answer))?
        };
        answer.downcast_ref::<T>().cloned()
    }

    /// Remembers an answer that was asked for at that instant, when so much had been committed.
    pub(super) fn keep<T: Send + Sync + 'static>(
        &self,
        key: RowKey,
        answer: T,
        commits: u64,
        asked: Instant,
    ) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(known) = known.as_mut() else { return };
        if known.commits != commits || known.answers.len() >= MOST {
            *known = Answers { commits, ..Answers::default() };
        }
        known.answers.insert(key, (asked, Arc::new(answer)));
    }

    /// Forgets everything for good.
    pub(super) fn close(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(id: usize) -> RowKey {
        RowKey { table: "spots", ids: ("tenant".into(), id.to_string().into()) }
    }

    #[test]
    fn an_answer_counts_until_something_is_committed_and_not_for_long() {
        let (recall, now) = (Recall::open(), Instant::now());
        recall.keep(key(1), 7_i64, 5, now);
        assert_eq!(recall.find::<i64>(&key(1), 5, now), Some(7));
        assert_eq!(recall.find::<i64>(&key(2), 5, now), None);
        assert_eq!(recall.find::<i64>(&key(1), 6, now), None);
        assert_eq!(recall.find::<i64>(&key(1), 5, now + FRESH), None);
        recall.keep(key(2), 8_i64, 6, now);
        assert_eq!(recall.find::<i64>(&key(1), 5, now), None, "of a number that is over");
        recall.close();
        recall.keep(key(2), 8_i64, 6, now);
        assert_eq!(recall.find::<i64>(&key(2), 6, now), None);
    }

    #[test]
    fn no_more_is_remembered_than_the_limit() {
        let (recall, now) = (Recall::open(), Instant::now());
        for id in 0..MOST * 2 + 1 {
            recall.keep(key(id), id, 5, now);
        }
        assert_eq!(recall.0.lock().unwrap().as_ref().unwrap().answers.len(), 1);
    }
}

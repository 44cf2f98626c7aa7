//! Calls that are made side by side, a few at a time.

use futures_util::{StreamExt, TryStreamExt, stream};

use crate::client::Refused;

/// How many calls of one screen are under way at once. Writes that come together are committed together.
pub(crate) const AT_ONCE: usize = 8;

/// What the calls answer, in their order; or the first refusal.
pub(crate) async fn side_by_side<T>(
    calls: Vec<impl Future<Output = Result<T, Refused>>>,
) -> Result<Vec<T>, Refused> {
    stream::iter(calls).buffered(AT_ONCE).try_collect().await
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[tokio::test]
    async fn a_few_are_under_way_at_once_and_all_answer_in_order() {
        let (now, most) = (&Cell::new(0), &Cell::new(0));
        let call = |number: usize| async move {
            now.set(now.get() + 1);
            most.set(most.get().max(now.get()));
            tokio::task::yield_now().await;
            now.set(now.get() - 1);
            Ok::<usize, Refused>(number)
        };
        let answers = side_by_side((0..20).map(call).collect()).await.unwrap();
        assert_eq!(answers, (0..20).collect::<Vec<_>>());
        assert_eq!(most.get(), AT_ONCE);
    }
}

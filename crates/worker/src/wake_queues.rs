//! Wakes the queues of this process that may have work which this process has not queued: another server has, or its time has come.
//!
//! One question for all queues, and a server with nothing to do asks it alone: which kinds of work are there? Deliveries are not among them: their
//! engine knows when its next one is due.

use pagesmith_model::Result;
use pagesmith_store::Wakeup;
use pagesmith_store::tables::pending_work::{self, WorkKind};

use crate::tools::{Left, Tools};

/// Wakes those whose kind of work there is; all of them while a part of the database is away, where that cannot be asked.
pub(crate) async fn wake(tools: Tools) -> Result<Left> {
    let now = tools.platform.clock().now();
    let mut kinds = WorkKind::ALL.to_vec();
    if !tools.outage.is_on(now) {
        let found = present(&tools).await;
        if !tools.outage.after_all(&found, now) {
            kinds = found?;
        }
    }
    for wakeup in kinds.into_iter().flat_map(queues) {
        tools.store.wake(*wakeup);
    }
    Ok(Left::Nothing)
}

/// The kinds of work that some tenant may have.
async fn present(tools: &Tools) -> Result<Vec<WorkKind>> {
    let (mut kinds, mut last) = (Vec::new(), String::new());
    loop {
        let after = last.clone();
        let next = tools.store.single_read(move |tx| pending_work::kind_after(tx, &after)).await?;
        let Some(next) = next else { return Ok(kinds) };
        // A newer server may have work of a kind that this one does not know.
        kinds.extend(WorkKind::parse(&next));
        last = next;
    }
}

/// The queues of a kind of work.
fn queues(kind: WorkKind) -> &'static [Wakeup] {
    match kind {
        WorkKind::Generations => &[Wakeup::Generations],
        WorkKind::Readings => &[Wakeup::Readings],
        WorkKind::Knowledge => &[Wakeup::Knowledge],
        WorkKind::Pictures => &[Wakeup::Pictures],
        WorkKind::Messages => &[Wakeup::Messages, Wakeup::ModelMessages],
        WorkKind::Enrichments => &[Wakeup::Enrichments],
        WorkKind::Descriptions => &[Wakeup::Descriptions],
        WorkKind::PersonImports => &[Wakeup::PersonImports],
        // The first poll by themselves; sessions are closed by a task.
        WorkKind::Deliveries | WorkKind::Sessions => &[],
    }
}

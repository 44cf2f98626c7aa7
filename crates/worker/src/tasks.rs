//! Everything that runs by itself, in two lists: [`TASKS`], which run again after a period; and [`QUEUES`], which run when there is work
//! and take as long as it takes.

use std::iter;
use std::time::Duration;

use futures_util::future::BoxFuture;
use pagesmith_model::Result;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::tools::{Left, Tools};
use crate::{
    certificates, delivery, descriptions, enrichment, generation, index_persons, integrity, invitations,
    key_use, knowledge, messages, own_thread, person_imports, pictures, reading, schedules, servers, sweep,
    tenant_domains, visits, wake_queues,
};

type Running = BoxFuture<'static, Result<Left>>;

/// A task.
pub struct Task {
    /// Its name in the log.
    pub name: &'static str,
    /// How long it rests.
    pub period: Duration,
    run: fn(Tools) -> Running,
}

/// The list.
pub const TASKS: &[Task] = &[
    // What another server queues is begun as soon as what a poll of each queue would find. With nothing queued it is one read of an index.
    Task {
        name: "wake_queues",
        period: Duration::from_millis(500),
        run: |tools| Box::pin(wake_queues::wake(tools)),
    },
    // Keys that were made or revoked elsewhere count within five seconds, even if one round fails.
    Task {
        name: "refresh_keys",
        period: Duration::from_secs(2),
        run: |tools| Box::pin(key_use::refresh(tools)),
    },
    // A domain that was verified or removed elsewhere counts here within two seconds.
    Task {
        name: "refresh_domains",
        period: Duration::from_secs(1),
        run: |tools| Box::pin(tenant_domains::refresh(tools)),
    },
    // Checks are minutes apart; a few seconds more do no harm.
    Task {
        name: "check_domains",
        period: Duration::from_secs(10),
        run: |tools| Box::pin(tenant_domains::check(tools)),
    },
    // Authorities decide within seconds, and people wait for their domain. Without anything to do it is one read.
    Task {
        name: "order_certificates",
        period: Duration::from_secs(2),
        run: |tools| Box::pin(certificates::order(tools)),
    },
    // What is scheduled happens within a second of its time. Without anything due it is one read of an index.
    Task {
        name: "carry_out_schedules",
        period: Duration::from_millis(500),
        run: |tools| Box::pin(schedules::carry_out(tools)),
    },
    // Whoever has invited somebody looks whether the mail was sent. Without anything due it is one read of an index.
    Task {
        name: "send_invitations",
        period: Duration::from_secs(2),
        run: |tools| Box::pin(invitations::send(tools)),
    },
    // Whoever looks at a graph of days can wait for a minute.
    Task {
        name: "measure_certificates",
        period: Duration::from_secs(60),
        run: |tools| Box::pin(certificates::measure(tools)),
    },
    // An operator learns within two minutes that a server is gone.
    Task {
        name: "note_server",
        period: Duration::from_secs(30),
        run: |tools| Box::pin(servers::note(tools)),
    },
    // Often enough to be of use to an operator, rarely enough to cost nothing.
    Task {
        name: "note_key_use",
        period: Duration::from_secs(30),
        run: |tools| Box::pin(key_use::note(tools)),
    },
    // What is not indexed yet is found all the same, only slower the more there is.
    Task {
        name: "index_persons",
        period: Duration::from_secs(2),
        run: |tools| Box::pin(index_persons::all(tools)),
    },
    // Until then a page counts an audience too many.
    Task {
        name: "count_erased_audiences",
        period: Duration::from_secs(1),
        run: |tools| Box::pin(sweep::erased_audiences(tools)),
    },
    // Often enough for somebody who looks at a graph.
    Task {
        name: "measure_deliveries",
        period: Duration::from_secs(5),
        run: |tools| Box::pin(delivery::measure(tools)),
    },
    // As often as deliveries are.
    Task {
        name: "measure_generations",
        period: Duration::from_secs(5),
        run: |tools| Box::pin(generation::measure(tools)),
    },
    // Events and deliveries are kept for thirty days, and an hour more or less does no harm: each round looks at every tenant.
    Task {
        name: "sweep_webhooks",
        period: Duration::from_mins(30),
        run: |tools| Box::pin(sweep::webhooks(tools)),
    },
    // What belongs to a deleted subscription should not stay as long.
    Task {
        name: "sweep_deleted_subscriptions",
        period: Duration::from_secs(60),
        run: |tools| Box::pin(sweep::deleted_subscriptions(tools)),
    },
    // Pages are read again after thirty days, and some minutes more do no harm.
    Task {
        name: "queue_readings",
        period: Duration::from_mins(5),
        run: |tools| Box::pin(reading::queue_again(tools)),
    },
    // Only an older server beside this one makes entries whose files nobody has queued, and each round looks at every tenant.
    Task {
        name: "queue_files",
        period: Duration::from_hours(1),
        run: |tools| Box::pin(reading::queue_files(tools)),
    },
    // Only an older server takes in pictures that nobody has queued, and each round looks at every tenant.
    Task {
        name: "queue_pictures",
        period: Duration::from_hours(1),
        run: |tools| Box::pin(pictures::queue_others(tools)),
    },
    // Pages in memory are not shown to anybody by then, but they hold names.
    Task {
        name: "forget_erased",
        period: Duration::from_secs(5),
        run: |tools| Box::pin(sweep::forget_erased(tools)),
    },
    // A tenant on the list costs each look for work a look-up or two.
    Task {
        name: "sweep_pending_work",
        period: Duration::from_secs(30),
        run: |tools| Box::pin(sweep::pending_work(tools)),
    },
    // Bytes that nothing uses wait for a day; an hour more does no harm, and each round looks at every tenant.
    Task {
        name: "sweep_unused_files",
        period: Duration::from_hours(1),
        run: |tools| Box::pin(sweep::files::unused(tools)),
    },
    // An hour more in the trash does no harm, and each round looks at every tenant.
    Task { name: "purge_trash", period: Duration::from_hours(1), run: |tools| Box::pin(sweep::trash(tools)) },
    // Only crashes leave orphans, and to find them each round lists every object of the storage.
    Task {
        name: "sweep_orphaned_files",
        period: Duration::from_hours(6),
        run: |tools| Box::pin(sweep::files::orphaned(tools)),
    },
    // Drafts wait for a day and reports stay for months: an hour more does no harm, and each round looks at every tenant.
    Task {
        name: "sweep_person_imports",
        period: Duration::from_hours(1),
        run: |tools| Box::pin(sweep::person_imports(tools)),
    },
    // Whoever has asked for it waits; without anything to do it is one read.
    Task {
        name: "erase_persons",
        period: Duration::from_secs(1),
        run: |tools| Box::pin(sweep::asked_erasures(tools)),
    },
    // They can be taken back for thirty days, and an hour more does no harm: each round looks at every tenant.
    Task {
        name: "forget_merges",
        period: Duration::from_hours(1),
        run: |tools| Box::pin(sweep::old_merges(tools)),
    },
    Task {
        name: "shorten_histories",
        period: Duration::from_hours(1),
        run: |tools| Box::pin(sweep::long_histories(tools)),
    },
    // Sessions are counted when they have ended for half an hour; half a minute more does no harm.
    Task {
        name: "close_sessions",
        period: Duration::from_secs(30),
        run: |tools| Box::pin(visits::close(tools)),
    },
    // Rows of visits are kept for months, and each round looks at every tenant.
    Task {
        name: "sweep_visits",
        period: Duration::from_hours(1),
        run: |tools| Box::pin(visits::sweep(tools)),
    },
    // They must not outlive their 48 hours by more than a minute.
    Task {
        name: "destroy_salts",
        period: Duration::from_secs(60),
        run: |tools| Box::pin(visits::destroy_salts(tools)),
    },
    // What has expired opens nothing by then; a few minutes more in the database do no harm.
    Task {
        name: "sweep_sign_ins",
        period: Duration::from_mins(5),
        run: |tools| Box::pin(sweep::sign_ins(tools)),
    },
    // Answers are kept for a day; a few minutes more do no harm.
    Task {
        name: "sweep_idempotency",
        period: Duration::from_secs(300),
        run: |tools| Box::pin(sweep::idempotency(tools)),
    },
    // Once a day, across restarts: that is looked after here, often enough for a server that is restarted every day.
    Task {
        name: "check_integrity",
        period: Duration::from_mins(10),
        run: |tools| Box::pin(integrity::check(tools)),
    },
];

/// What rests as long as this has no last round: it may take long, and can wait for the next start.
const NO_LAST_ROUND: Duration = Duration::from_mins(10);

/// The longest rest before the first round: a server that is restarted every half an hour has its hourly rounds all the same.
const FIRST_REST: Duration = Duration::from_mins(2);

impl Task {
    /// Runs it until nothing is left to do at once.
    pub async fn run(&self, tools: &Tools) -> Result<()> {
        while (self.run)(tools.clone()).await? == Left::More {}
        Ok(())
    }
}

/// A queue of work, beside the list of tasks: called when there is work.
pub struct Queue {
    /// What is done.
    pub name: &'static str,
    /// Whether it computes, and has a thread of its own. Others mostly wait, for the database, for other machines, for processes and
    /// threads of their own; they share one.
    has_own_thread: bool,
    run: fn(Tools, watch::Receiver<bool>) -> BoxFuture<'static, ()>,
    drain: for<'a> fn(&'a Tools) -> BoxFuture<'a, Result<()>>,
}

macro_rules! queue {
    ($name:literal, $module:ident, has_own_thread: $has_own_thread:literal) => {
        Queue {
            name: $name,
            has_own_thread: $has_own_thread,
            run: |tools, stop| Box::pin($module::run(tools, stop)),
            drain: |tools| Box::pin($module::drain(tools)),
        }
    };
}

/// The queues, in the order in which one fills the next.
pub const QUEUES: &[Queue] = &[
    queue!("readings", reading, has_own_thread: false),
    queue!("knowledge", knowledge, has_own_thread: false),
    queue!("pictures", pictures, has_own_thread: false),
    queue!("descriptions", descriptions, has_own_thread: false),
    queue!("generations", generation, has_own_thread: true),
    queue!("messages", messages, has_own_thread: false),
    queue!("enrichments", enrichment, has_own_thread: false),
    queue!("person_imports", person_imports, has_own_thread: false),
    queue!("deliveries", delivery, has_own_thread: true),
];

impl Queue {
    /// Does everything that is due.
    pub async fn drain(&self, tools: &Tools) -> Result<()> {
        (self.drain)(tools).await
    }
}

/// Runs every task of the list once; how a test steps the background.
pub async fn run_all(tools: &Tools) -> Result<()> {
    for task in TASKS {
        task.run(tools).await?;
    }
    for queue in QUEUES {
        queue.drain(tools).await?;
    }
    Ok(())
}

/// Starts all tasks; they end when `stop` turns true, after a last round.
pub fn spawn(tools: &Tools, stop: &watch::Receiver<bool>) -> JoinSet<()> {
    let mut running = JoinSet::new();
    for task in TASKS {
        running.spawn(repeat(task, tools.clone(), stop.clone()));
    }
    for queue in QUEUES.iter().filter(|queue| queue.has_own_thread) {
        let (tools, stop) = (tools.clone(), stop.clone());
        running.spawn_blocking(move || {
            own_thread::run(queue.name, stop, |stop| (queue.run)(tools, stop));
        });
    }
    let (tools, stop) = (tools.clone(), stop.clone());
    running.spawn_blocking(move || {
        own_thread::run("the other queues", stop, |stop| run_on_one_thread(tools, stop));
    });
    running
}

/// Runs the queues that have no thread of their own.
async fn run_on_one_thread(tools: Tools, stop: watch::Receiver<bool>) {
    let mut running = JoinSet::new();
    for queue in QUEUES.iter().filter(|queue| !queue.has_own_thread) {
        running.spawn((queue.run)(tools.clone(), stop.clone()));
    }
    while let Some(ended) = running.join_next().await {
        if let Err(error) = ended {
            tracing::error!(%error, "the work on a queue has ended early");
        }
    }
}

/// How long a task of this period rests before each of its rounds.
fn rests(period: Duration) -> impl Iterator<Item = Duration> {
    iter::once(period.min(FIRST_REST)).chain(iter::repeat(period))
}

async fn repeat(task: &'static Task, tools: Tools, mut stop: watch::Receiver<bool>) {
    for rest in rests(task.period) {
        let resting = tokio::time::sleep(rest);
        let ended = tokio::select! {
            () = resting => false,
            _ = stop.wait_for(|stop| *stop) => true,
        };
        if ended && task.period >= NO_LAST_ROUND {
            return;
        }
        if let Err(error) = task.run(&tools).await {
            // The next round tries again.
            tracing::warn!(task = task.name, %error, "a task failed");
        }
        if ended {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_scheduled_is_looked_for_within_a_second() {
        let task = TASKS.iter().find(|task| task.name == "carry_out_schedules").unwrap();
        assert!(task.period <= Duration::from_secs(1), "{:?}", task.period);
    }

    #[test]
    fn every_task_has_its_first_round_soon_after_the_start() {
        for task in TASKS {
            let rests: Vec<_> = rests(task.period).take(3).collect();
            assert!(rests[0] <= Duration::from_mins(2), "{}", task.name);
            assert_eq!(rests[1..], [task.period; 2], "{}", task.name);
        }
    }
}

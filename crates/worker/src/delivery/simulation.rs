//! The whole of delivery in one thread, on a time of its own, driven by a seed: subscriptions and events come and go, tenants are suspended and resumed, receivers
//! fail in every way, the database refuses or swallows answers, workers are ended wherever they wait and started again. The same
//! seed is the same run, step by step.
//!
//! After six minutes of this the faults end. What must be true then: every event has arrived at every subscription that was active and
//! wanted it; whatever arrived more often did so because a worker was ended or the database failed in between; no attempt came before its
//! time; nothing was sent to a subscription after its deletion, nor while its tenant was suspended; and where neither workers nor database fail, a receiver that is well has
//! everything within a second, whatever the others do, or within a second after its tenant is resumed.

mod chance;
mod check;
mod network;
mod run;

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use pagesmith_store::Store;

use chance::Chance;
use run::SimulationRun;

/// How many runs every test makes.
const USUAL: u64 = 200;

#[expect(clippy::disallowed_methods, reason = "the command says which seeds to run")]
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

/// A migrated database to begin each run with.
fn template(folder: &Path) -> PathBuf {
    let path = folder.join("template.db");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open_inline(&path).unwrap();
        store.migrate().await.unwrap();
        store.empty_journal().await.unwrap();
        store.close().await.unwrap();
    });
    path
}

/// One run; what it counted, to be compared with another run of the same seed.
fn run(seed: u64, template: &Path, folder: &Path) -> String {
    let path = folder.join(format!("{seed}.db"));
    fs::copy(template, &path).unwrap();
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let told = runtime.block_on(async {
        let mut chance = Chance::of(seed);
        let run = SimulationRun::new(&path, &mut chance).await;
        run.run(&mut chance).await;
        run.check().await
    });
    drop(runtime);
    for ending in ["db", "db-wal", "db-shm"] {
        drop(fs::remove_file(path.with_extension(ending)));
    }
    told
}

/// Runs them on all cores: each has a thread, a file and a time of its own. After a failure no more are begun.
fn run_all(seeds: Range<u64>) {
    let folder = tempfile::tempdir().unwrap();
    let template = template(folder.path());
    let (left, failed) = (Mutex::new(seeds), Mutex::new(Vec::new()));
    let work = || {
        while let Some(seed) = { left.lock().unwrap().next() } {
            if std::panic::catch_unwind(|| run(seed, &template, folder.path())).is_err() {
                failed.lock().unwrap().push(seed);
                *left.lock().unwrap() = 0..0;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().unwrap().get() {
            scope.spawn(work);
        }
    });
    if let Some(seed) = failed.into_inner().unwrap().first() {
        panic!("seed {seed} fails: cargo x simulate --seeds 1 --seed {seed}");
    }
}

#[test]
fn nothing_is_lost_whatever_fails() {
    let first = setting("PAGESMITH_SIMULATION_SEED").unwrap_or(1);
    let count = setting("PAGESMITH_SIMULATION_SEEDS").unwrap_or(USUAL);
    run_all(first..first + count);
}

#[test]
fn a_seed_is_the_same_run_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let template = template(folder.path());
    for seed in [3, 4, 5] {
        assert_eq!(run(seed, &template, folder.path()), run(seed, &template, folder.path()));
    }
}

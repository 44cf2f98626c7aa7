//! `pagesmith copy`: a whole database into an empty one, between the engines of this run and the embedded one.

mod interrupted;
mod refused;
mod restored;
mod rows;
mod served;

use std::future::Future;
use std::time::Instant;

use pagesmith_model::Result;
use pagesmith_store::copy::{Batch, CopiedTable, Progress, copy};
use pagesmith_store::{DatabaseUrl, Store, StoreOptions};
use pagesmith_testkit::database::{TestDatabase, ask_at, execute_at, is_postgres};

use crate::process::TIME_LIMIT;

/// Waits for something asynchronous; the copy itself is not.
fn wait<T>(what: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(what)
}

fn execute(database: &TestDatabase, text: &str) {
    wait(execute_at(&database.address, text));
}

fn ask(database: &TestDatabase, text: &str) -> String {
    wait(ask_at(&database.address, text))
}

/// An empty, migrated database on this run's engine.
fn own() -> TestDatabase {
    wait(TestDatabase::migrated())
}

/// An empty, migrated file of the embedded engine.
fn file() -> TestDatabase {
    migrated(TestDatabase::embedded())
}

fn migrated(database: TestDatabase) -> TestDatabase {
    wait(async {
        let store = open(&database.url);
        store.migrate().await.unwrap();
        store.close().await.unwrap();
    });
    database
}

fn open(url: &DatabaseUrl) -> Store {
    unlocked(|| Store::open(StoreOptions { connections: 1, ..StoreOptions::new(url.clone()) })).unwrap()
}

/// Tries again while an embedded database is locked: between its fork and its exec, a program that another test starts holds
/// every lock that this process holds.
fn unlocked<T>(mut attempt: impl FnMut() -> Result<T>) -> Result<T> {
    let begun = Instant::now();
    loop {
        match attempt() {
            Err(error)
                if error.detail().contains("another process.") || error.detail().contains("is in use") =>
            {
                assert!(begun.elapsed() < TIME_LIMIT, "{error}");
                std::thread::yield_now();
            }
            outcome => return outcome,
        }
    }
}

/// Sources and targets of every pair of engines that this run has.
fn pairs() -> Vec<(TestDatabase, TestDatabase)> {
    if is_postgres() {
        vec![(file(), own()), (own(), file()), (own(), own())]
    } else {
        vec![(file(), file())]
    }
}

/// A small batch, so that a few rows are many.
const SMALL: Batch = Batch { rows: 2, bytes: 1 << 20 };

/// Copies with an eye on each step.
fn copied_with(
    (from, to): (&TestDatabase, &TestDatabase),
    mut told: impl FnMut(Progress<'_>) -> Result<()>,
) -> Result<Vec<CopiedTable>> {
    unlocked(|| copy(&from.url, &to.url, SMALL, &mut told))
}

fn copied(from: &TestDatabase, to: &TestDatabase) -> Result<Vec<CopiedTable>> {
    copied_with((from, to), |_| Ok(()))
}

/// What a refusal says.
#[track_caller]
fn refusal<T: std::fmt::Debug>(outcome: Result<T>) -> String {
    outcome.unwrap_err().detail().to_owned()
}

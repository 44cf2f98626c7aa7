//! Writes that waited together share a commit, and nothing else: what becomes of one is no matter of the others.

use std::sync::mpsc;

use pagesmith_model::error::Kind;
use pagesmith_model::{Error, Result};
use pagesmith_store::tables::revisions;
use pagesmith_store::{Store, Tx};
use pagesmith_testkit::database::TestDatabase;
use tokio::task::JoinHandle;

/// Writes that are in the queue of a store with one connection, until they are let go.
struct Queue {
    database: TestDatabase,
    store: Store,
    go: mpsc::Sender<()>,
    first: JoinHandle<Result<()>>,
}

impl Queue {
    async fn held_up() -> Queue {
        let database = TestDatabase::migrated().await;
        let store = database.open_with(|options| options.connections = 1);
        let (go, gate) = mpsc::channel::<()>();
        let (begun, begins) = tokio::sync::oneshot::channel();
        let mut begun = Some(begun);
        let holding = store.clone();
        let hold = move |_: &mut Tx<'_>| {
            if let Some(begun) = begun.take() {
                begun.send(()).unwrap();
                gate.recv().unwrap();
            }
            Ok(())
        };
        let first = tokio::spawn(async move { holding.write(hold).await });
        begins.await.unwrap();
        Queue { database, store, go, first }
    }

    async fn add<T: Send + 'static>(
        &self,
        write: impl FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    ) -> JoinHandle<Result<T>> {
        let (depth, store) = (self.store.queue_depth(), self.store.clone());
        let task = tokio::spawn(async move { store.write(write).await });
        while self.store.queue_depth() == depth {
            tokio::task::yield_now().await;
        }
        task
    }

    /// Lets them go; the store, and the database, which is dropped with it.
    async fn let_go(self) -> (TestDatabase, Store) {
        self.go.send(()).unwrap();
        self.first.await.unwrap().unwrap();
        (self.database, self.store)
    }
}

async fn revision(store: &Store, name: &'static str) -> i64 {
    store.read(move |tx| revisions::find(tx, name)).await.unwrap()
}

#[tokio::test]
async fn each_sees_what_those_before_it_wrote() {
    let queue = Queue::held_up().await;
    let mut writes = Vec::new();
    for _ in 0..10 {
        let raise = |tx: &mut Tx<'_>| {
            tx.run(revisions::raise("shared_commit"))?;
            revisions::find(tx, "shared_commit")
        };
        writes.push(queue.add(raise).await);
    }
    let (_database, store) = queue.let_go().await;
    for (number, write) in (1..).zip(writes) {
        assert_eq!(write.await.unwrap().unwrap(), number);
    }
    assert_eq!(revision(&store, "shared_commit").await, 10);
}

#[tokio::test]
async fn whoever_is_refused_or_panics_takes_nothing_else_back() {
    let queue = Queue::held_up().await;
    let before = queue.add(|tx| tx.run(revisions::raise("before")).map(drop)).await;
    let refused = queue.add(|tx| {
        tx.run(revisions::raise("refused"))?;
        Err::<(), _>(Error::conflict("no"))
    });
    let refused = refused.await;
    let panicking = queue.add(|tx| -> Result<()> {
        tx.run(revisions::raise("panicking"))?;
        panic!("on purpose")
    });
    let panicking = panicking.await;
    let after = queue.add(|tx| tx.run(revisions::raise("after")).map(drop)).await;
    let (_database, store) = queue.let_go().await;
    before.await.unwrap().unwrap();
    after.await.unwrap().unwrap();
    assert_eq!(*refused.await.unwrap().unwrap_err().kind(), Kind::Conflict(None));
    assert_eq!(*panicking.await.unwrap().unwrap_err().kind(), Kind::Internal);
    for (name, expected) in [("before", 1), ("refused", 0), ("panicking", 0), ("after", 1)] {
        assert_eq!(revision(&store, name).await, expected, "{name}");
    }
}

#[tokio::test]
async fn whoever_must_run_again_is_run_again() {
    let queue = Queue::held_up().await;
    let before = queue.add(|tx| tx.run(revisions::raise("raced")).map(drop)).await;
    let mut runs = 0;
    let raced = queue.add(move |tx| {
        runs += 1;
        tx.run(revisions::raise("raced"))?;
        if runs < 3 { Err(pagesmith_store::fault::retry("on purpose")) } else { Ok(()) }
    });
    let raced = raced.await;
    let (_database, store) = queue.let_go().await;
    before.await.unwrap().unwrap();
    raced.await.unwrap().unwrap();
    assert_eq!(revision(&store, "raced").await, 2);
}

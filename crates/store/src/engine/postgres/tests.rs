//! What becomes of transactions when Citus, or a partition, answers with its own kinds of errors; the server is fake.

use std::sync::atomic::{AtomicUsize, Ordering};

use pagesmith_model::Kind;

use super::*;
use crate::connection::postgres::fake_server::{complete, coordinator, message};
use crate::fault::{self, OnConstraint};
use crate::options::StoreOptions;
use crate::store::Store;
use crate::tables::revisions;

/// A node's COMMIT has failed, as the coordinator passes it on.
const CONFLICT: &[u8] = b"SWARNING\0VWARNING\0C40001\0\
    Mcould not serialize access due to read/write dependencies among transactions\0\
    DReason code: Canceled on identification as a pivot, during commit attempt.\0\
    HThe transaction might succeed if retried.\0\
    Wwhile executing command on worker1:5432\0Fremote_commands.c\0L327\0RReportResultError\0\0";
const DEADLOCK: &[u8] = b"SWARNING\0VWARNING\0C40P01\0Mdeadlock detected\0\
    Wwhile executing command on worker1:5432\0Fremote_commands.c\0L327\0RReportResultError\0\0";
const UNREACHED: &[u8] = b"SWARNING\0VWARNING\0C08006\0\
    Mconnection to the remote node postgres@worker1:5432 failed with the following error: server closed the connection unexpectedly\0\
    Fremote_commands.c\0L265\0RReportConnectionError\0\0";
/// What the coordinator then says of it by itself.
const NOT_COMMITTED: &[u8] = b"SWARNING\0VWARNING\0C01000\0Mfailed to commit transaction on worker1:5432\0\
    Fremote_transaction.c\0L379\0RFinishRemoteTransactionCommit\0\0";
/// And what it answers.
const NO_NODE: &[u8] =
    b"SERROR\0VERROR\0CXX000\0Mcould not commit transaction for shard 102008 on any active node\0\
    Fplacement_connection.c\0L1003\0RPostCommitMarkFailedShardPlacements\0\0";
const NOT_EVERY_NODE: &[u8] = b"SERROR\0VERROR\0CXX000\0\
    Mcould not commit transaction for shard 102008 on at least one active node\0\
    Fplacement_connection.c\0L1078\0RErrorIfPostCommitFailedShardPlacements\0\0";

/// What [`raise`] says.
const RAISING: &str = "INSERT INTO revisions";

fn warnings(bodies: &[&[u8]]) -> Vec<u8> {
    bodies.iter().flat_map(|body| message(b'N', body)).collect()
}

/// The result of a write to the server at that port, and how often it ran.
fn write(port: u16, run: fn(&mut Tx<'_>) -> Result<()>) -> (Result<()>, usize) {
    let url = format!("postgres://me@127.0.0.1:{port}/shop?sslmode=disable");
    let mut options = StoreOptions::new(url.parse().unwrap());
    options.connections = 1;
    let store = Store::open(options).unwrap();
    let attempts = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&attempts);
    let write = store.write(move |tx| {
        count.fetch_add(1, Ordering::Relaxed);
        run(tx)
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let result = runtime.block_on(write);
    (result, attempts.load(Ordering::Relaxed))
}

fn raise(tx: &mut Tx<'_>) -> Result<()> {
    tx.run(revisions::raise("raced")).map(drop)
}

/// The same where the first COMMIT is answered like that, and every other one takes place.
fn write_with_first_commit(answer: Vec<u8>) -> (Result<()>, usize) {
    let commits = AtomicUsize::new(0);
    let port = coordinator(move |text| {
        let is_first = text == "COMMIT" && commits.fetch_add(1, Ordering::Relaxed) == 0;
        is_first.then(|| answer.clone())
    });
    write(port, raise)
}

#[track_caller]
fn check_unknown((result, attempts): (Result<()>, usize)) {
    let error = result.unwrap_err();
    assert!(matches!(fault::of(&error), Some(Fault::Lost(_))), "{error:?}");
    assert!(matches!(error.kind(), Kind::Unavailable(_)), "{error:?}");
    assert!(error.to_string().contains("whether it did is not known"), "{error}");
    assert_eq!(attempts, 1);
}

#[test]
fn a_commit_that_conflicts_on_a_node_of_citus_is_tried_again() {
    for (conflict, error) in [(CONFLICT, NO_NODE), (DEADLOCK, NO_NODE), (CONFLICT, NOT_EVERY_NODE)] {
        let answer = [warnings(&[conflict, NOT_COMMITTED]), message(b'E', error)].concat();
        let (result, attempts) = write_with_first_commit(answer);
        assert_eq!((result.map_err(|error| error.to_string()), attempts), (Ok(()), 2));
    }
}

#[test]
fn whether_citus_has_committed_is_unknown_if_it_tells_of_no_conflict() {
    for heard in [&[][..], &[NOT_COMMITTED], &[UNREACHED, NOT_COMMITTED]] {
        check_unknown(write_with_first_commit([warnings(heard), message(b'E', NO_NODE)].concat()));
    }
    // Of an earlier statement.
    check_unknown(write(
        coordinator(|text| match text {
            "COMMIT" => Some(message(b'E', NO_NODE)),
            text if text.contains(RAISING) => Some([warnings(&[CONFLICT]), complete()].concat()),
            _ => None,
        }),
        raise,
    ));
}

#[test]
fn a_commit_with_warnings_is_a_commit() {
    let (result, attempts) = write_with_first_commit([warnings(&[CONFLICT]), complete()].concat());
    assert_eq!((result.map_err(|error| error.to_string()), attempts), (Ok(()), 1));
}

#[test]
fn a_violated_constraint_of_a_shard_or_a_partition_is_the_declared_one() {
    for violation in [
        &b"SERROR\0VERROR\0C23505\0\
           Mduplicate key value violates unique constraint \"persons_tenant_id_email_key_102008\"\0\
           DKey (tenant_id, email)=(tenant_1, ada@acme.example) already exists.\0\
           Wwhile executing command on worker1:5432\0Fremote_commands.c\0L327\0RReportResultError\0\0"[..],
        b"SERROR\0VERROR\0C23505\0\
          Mduplicate key value violates unique constraint \"persons_p3_tenant_id_email_idx\"\0\
          DKey (tenant_id, email)=(tenant_1, ada@acme.example) already exists.\0\
          spublic\0tpersons_p3\0npersons_p3_tenant_id_email_idx\0Fnbtinsert.c\0L666\0R_bt_check_unique\0\0",
        b"SERROR\0VERROR\0C23505\0\
          Mduplicate key value violates unique constraint \"persons_tenant_id_email_key\"\0\
          DKey (tenant_id, email)=(tenant_1, ada@acme.example) already exists.\0\
          spublic\0tpersons\0npersons_tenant_id_email_key\0Fnbtinsert.c\0L666\0R_bt_check_unique\0\0",
    ] {
        let port = coordinator(move |text| text.contains(RAISING).then(|| message(b'E', violation)));
        let (result, attempts) = write(port, |tx| {
            raise(tx).on_constraint("persons_tenant_id_email_key", || Error::conflict("It is taken."))
        });
        assert_eq!((result.unwrap_err().to_string(), attempts), ("It is taken.".to_owned(), 1));
    }
}

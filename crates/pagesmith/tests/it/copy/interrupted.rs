//! A copy that is cut off goes on where it stopped.

use std::process::Stdio;

use pagesmith_model::Error;
use pagesmith_store::copy::Step;

use super::rows::some_rows;
use super::{ask, copied, copied_with, execute, file, open, own, pairs, refusal, wait};
use crate::process::{Instance, eventually};

const MARKED: &str = "SELECT source FROM unfinished_copy";

#[test]
fn a_copy_that_is_cut_off_after_any_batch_goes_on_there() {
    for (from, to) in pairs() {
        some_rows(&from);
        let whole = copied(&from, &own()).unwrap();
        let (mut reached, mut runs) = (0, 0);
        let there = loop {
            runs += 1;
            let outcome = copied_with((&from, &to), |progress| {
                if progress.step == Step::Verifying {
                    return Ok(());
                }
                assert_eq!(progress.total, 14);
                assert!(
                    progress.rows > reached && progress.rows <= reached + 2,
                    "{progress:?} after {reached}"
                );
                reached = progress.rows;
                Err(Error::conflict("cut off"))
            });
            match outcome {
                Ok(there) => break there,
                Err(error) => assert_eq!(error.detail(), "cut off"),
            }
            // Whatever opens a database refuses this one.
            let store = open(&to.url);
            let told = refusal(wait(store.schema_state()));
            assert!(told.contains("unfinished copy of"), "{told}");
            let told = refusal(wait(store.migrate()));
            assert!(told.contains("unfinished copy of"), "{told}");
            wait(store.close()).unwrap();
        };
        assert_eq!((reached, runs), (14, 9), "four batches of each of two tables, and the last run");
        assert_eq!(there, whole);
        wait(async {
            let store = open(&to.url);
            assert!(
                store.schema_state().await.unwrap().pending.is_empty(),
                "it is a database like any other"
            );
            let plain = open(&from.url);
            assert_eq!(store.describe().await.unwrap(), plain.describe().await.unwrap(), "without the mark");
            plain.close().await.unwrap();
            store.close().await.unwrap();
        });
    }
}

#[test]
fn a_copy_that_is_cut_off_while_it_compares_is_compared_again() {
    for (from, to) in pairs() {
        some_rows(&from);
        let outcome = copied_with((&from, &to), |progress| match progress.step {
            Step::Copying => Ok(()),
            Step::Verifying => Err(Error::conflict("cut off")),
        });
        assert_eq!(refusal(outcome), "cut off");
        let mut written = 0;
        copied_with((&from, &to), |progress| {
            written += usize::from(progress.step == Step::Copying);
            Ok(())
        })
        .unwrap();
        assert_eq!(written, 0);
    }
}

#[test]
fn rows_that_came_to_the_source_between_two_runs_are_copied_or_told() {
    let (from, to) = (file(), own());
    some_rows(&from);
    let cut_off = |from, to| {
        copied_with((from, to), |progress| match progress.rows {
            12.. => Err(Error::conflict("cut off")),
            _ => Ok(()),
        })
    };
    assert_eq!(refusal(cut_off(&from, &to)), "cut off");
    // Behind the place that was reached, and before it.
    execute(&from, "INSERT INTO topics VALUES ('t', 'topic_9', 'Title', 'f', 'w', 1, FALSE, 1, 1)");
    let known = ask(&from, "SELECT CAST(COUNT(*) AS TEXT) FROM topics");
    execute(&from, "INSERT INTO revisions VALUES ('a', 1)");
    let told = refusal(copied(&from, &to));
    assert!(told.contains("table revisions is not the same"), "{told}");
    execute(&from, "DELETE FROM revisions WHERE name = 'a'");
    copied(&from, &to).unwrap();
    assert_eq!(ask(&to, "SELECT CAST(COUNT(*) AS TEXT) FROM topics"), known);
}

#[test]
fn a_killed_program_leaves_a_copy_that_goes_on() {
    for (from, to) in pairs() {
        some_rows(&from);
        // Rows that take a while.
        let many = if from.address.starts_with("sqlite") {
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
             INSERT INTO erased_slugs (tenant_id, digest) SELECT 't', CAST(CAST(i AS TEXT) AS BLOB) FROM n"
        } else {
            "INSERT INTO erased_slugs (tenant_id, digest) SELECT 't', decode(md5(i::text), 'hex') FROM generate_series(1, 300000) i"
        };
        execute(&from, many);
        let instance = Instance::at(from.address.clone());
        let mut command = instance.command(&["copy", "--to", &to.address]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let begun = "SELECT CAST(COUNT(*) AS TEXT) FROM erased_slugs";
        eventually("the first rows are there", || (ask(&to, begun) != "0").then_some(()));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!ask(&to, MARKED).is_empty(), "it was killed before its end");
        let failure = Instance::at(to.address.clone()).run(&["migrate"]).failure();
        assert!(failure.contains("unfinished copy"), "{failure}");
        let said = instance.json(&["copy", "--to", &to.address, "--json"]);
        assert_eq!(said["rows"], 300_014);
        assert_eq!(ask(&to, begun), "300000");
        Instance::at(to.address.clone()).run(&["migrate"]).success();
    }
}

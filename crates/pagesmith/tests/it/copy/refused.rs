//! What is not copied, and stays as it is.

use pagesmith_model::Error;
use pagesmith_testkit::database::TestDatabase;

use super::rows::some_rows;
use super::{ask, copied, copied_with, execute, file, own, pairs, refusal, wait};
use crate::process::Instance;

const TOPICS: &str = "SELECT CAST(COUNT(*) AS TEXT) FROM topics";

#[test]
fn a_target_with_data_is_refused_and_stays() {
    for (from, to) in pairs() {
        some_rows(&from);
        execute(&to, "INSERT INTO revisions (name, revision) VALUES ('own', 5)");
        let told = refusal(copied(&from, &to));
        assert!(told.contains("holds data already (in the table revisions)"), "{told}");
        assert_eq!(ask(&to, "SELECT name FROM revisions"), "own");
        assert_eq!(ask(&to, TOPICS), "0");
        // It can be used as before.
        Instance::at(to.address.clone()).run(&["migrate"]).success();
    }
}

#[test]
fn a_target_with_an_unfinished_copy_of_another_source_is_refused() {
    for (from, to) in pairs() {
        some_rows(&from);
        let cut_off = copied_with((&from, &to), |_| Err(Error::conflict("cut off")));
        assert_eq!(refusal(cut_off), "cut off");
        let other = file();
        let told = refusal(copied(&other, &to));
        assert!(told.contains("holds an unfinished copy of") && told.contains("end that copy"), "{told}");
        // Nor is it a source.
        let told = refusal(copied(&to, &own()));
        assert!(told.contains("holds an unfinished copy of"), "{told}");
        copied(&from, &to).unwrap();
    }
}

#[test]
fn a_database_that_is_not_at_this_versions_form_is_refused() {
    let told = refusal(copied(&own(), &wait(TestDatabase::create())));
    let missing = if super::is_postgres() { "(0001_foundation, " } else { "There is no database at" };
    assert!(told.contains(missing) && told.contains("pagesmith migrate"), "{told}");
    let old = own();
    execute(&old, "DELETE FROM schema_migrations WHERE name = '0001_foundation'");
    for told in [refusal(copied(&old, &own())), refusal(copied(&own(), &old))] {
        assert!(told.contains("(0001_foundation missing)"), "{told}");
    }
}

#[test]
fn a_database_is_not_copied_into_itself() {
    let database = own();
    let told = refusal(copied(&database, &database));
    assert!(told.contains("the source and the target"), "{told}");
}

#[test]
fn an_embedded_database_is_not_copied_while_it_is_used() {
    let served = Instance::at(TestDatabase::embedded().address);
    std::fs::create_dir_all(served.database.trim_start_matches("sqlite:").rsplit_once('/').unwrap().0)
        .unwrap();
    let server = served.serve();
    let other = file();
    let failure = served.run(&["copy", "--to", &other.address]).failure();
    assert!(failure.contains("is in use"), "{failure}");
    let failure = served.run(&["copy", "--from", &other.address, "--to", &served.database]).failure();
    assert!(failure.contains("is in use"), "{failure}");
    server.is_well();
    server.stop();
    served.run(&["copy", "--to", &own().address]).success();
}

#[test]
fn addresses_that_are_none_are_told() {
    let instance = Instance::new();
    let failure = instance.run(&["copy", "--to", "mysql://x"]).failure();
    assert!(failure.contains("'mysql'"), "{failure}");
    let failure = instance.run(&["copy", "--from", "sqlite:nowhere.db", "--to", &file().address]).failure();
    assert!(failure.contains("There is no database at nowhere.db"), "{failure}");
    assert!(!instance.path().join("nowhere.db").exists());
}

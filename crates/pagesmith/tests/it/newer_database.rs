//! A database that a newer version has migrated: a server goes on beside it if the new migration allows that, and only then.

use pagesmith_testkit::database::execute_at;
use pagesmith_testkit::fixtures;

use crate::process::{Instance, KEY, eventually};

/// The migration with which a server learns to read what newer ones allow.
const OLDEST: &str = "0020_compatible_servers";

fn execute(instance: &Instance, text: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(execute_at(&instance.database, text));
}

/// Does what the newer version does: it has a table more, and says which servers can serve beside it.
fn migrate_further(instance: &Instance, name: &str, serves_from: &str) {
    execute(
        instance,
        &format!(
            "CREATE TABLE news_{name} (a TEXT PRIMARY KEY);
             INSERT INTO schema_migrations (name, checksum, serves_from) VALUES ('{name}', '', {serves_from})"
        ),
    );
}

#[test]
fn a_server_goes_on_and_can_be_started_anew_beside_a_newer_one() {
    let instance = Instance::new();
    let server = instance.serve();
    migrate_further(&instance, "m9998_more", &format!("'{OLDEST}'"));
    // Longer than an outcome of the readiness check holds.
    let begun = std::time::Instant::now();
    eventually("the check is made again", || (begun.elapsed().as_millis() > 1_100).then_some(()));
    assert_eq!(server.connect().call("GET", "/readyz", None, None).unwrap().status, 200);
    server.post("/v0/pages", KEY, &fixtures::page("Beside")).expect(201);
    server.kill();
    let server = instance.serve();
    server.post("/v0/pages", KEY, &fixtures::page("Again")).expect(201);
    assert_eq!(server.get("/v0/pages", KEY).json()["totalCount"], 2);
    server.stop();

    assert_eq!(instance.run(&["migrate"]).success(), "nothing to do\n");
    assert!(instance.run(&["tenant", "list"]).success().contains("default"));
    let doctor = instance.run(&["doctor"]).success();
    assert!(doctor.contains("WARN  migrations") && doctor.contains("m9998_more"), "{doctor}");
    // These have to know every table.
    let person = "person_01jpbz8n4xf5k9w2d7hq3mv6ta";
    for command in [&["person", "export", person][..], &["person", "erase", person, "--yes"]] {
        let failure = instance.run(command).failure();
        assert!(failure.contains("use that version for this"), "{command:?}: {failure}");
    }
    let to = format!("sqlite:{}", instance.path().join("copy.db").display());
    Instance::at(to.clone()).run(&["migrate"]).success();
    let copy = crate::process::Finished::of(
        crate::process::bare(std::path::Path::new(env!("CARGO_BIN_EXE_pagesmith"))).args([
            "copy",
            "--from",
            &instance.database,
            "--to",
            &to,
        ]),
    );
    assert!(copy.failure().contains("use that version for this"));
}

#[test]
fn a_server_that_knows_too_little_stops_being_ready_and_does_not_start_again() {
    for serves_from in ["NULL", "'m9998_between'"] {
        let instance = Instance::new();
        let server = instance.serve();
        migrate_further(&instance, "m9999_other", serves_from);
        eventually("the server is not ready any more", || {
            let reply = server.connect().call("GET", "/readyz", None, None).unwrap();
            (reply.status == 503).then_some(())
        });
        server.kill();
        let failure = instance.run(&["serve", "--listen", "127.0.0.1:0"]).failure();
        assert!(
            failure.contains("used by a newer version of Pagesmith (it has the migration m9999_other"),
            "{failure}"
        );
    }
}

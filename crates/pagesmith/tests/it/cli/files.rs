//! What the program writes is its owner's alone, whatever the shell that starts it allows.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use pagesmith_testkit::database;

use crate::process::{Finished, Instance, KEY, Server, after};

/// Everything below a folder, the folder included.
fn all(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(all(&path)) } else { found.push(path) }
    }
    found
}

#[test]
fn nobody_else_may_read_what_the_program_writes() {
    let instance = Instance::new();
    let folder = instance.path().join("made/by/us");
    let instance = match database::is_postgres() {
        true => instance,
        false => Instance { database: format!("sqlite:{}/test.db", folder.display()), ..instance },
    };
    let run =
        |arguments: &[&str]| Finished::of(&mut after("umask 000", &instance.command(arguments))).success();
    let mut serving = instance.serving();
    serving.env("PAGESMITH_SECRET_KEY_FILE", folder.join("key/of.key"));
    let server = Server::start(after("umask 000", &serving));
    server.get("/v0/pages", KEY).expect(200);
    let file = |name: &str| folder.join(name).display().to_string();
    if !database::is_postgres() {
        run(&["backup", &file("copy.db")]);
        // While the journal and its index are there.
        assert!(all(&folder).iter().any(|path| path.ends_with("test.db-wal")));
        let elsewhere = format!("sqlite:{}", file("restored/test.db"));
        // As a copy from elsewhere may be.
        std::fs::set_permissions(file("copy.db"), std::fs::Permissions::from_mode(0o644)).unwrap();
        let other = Instance::at(elsewhere);
        Finished::of(&mut after("umask 000", &other.command(&["restore", &file("copy.db")]))).success();
        std::fs::remove_file(file("copy.db")).unwrap();
    }
    let persons = instance.path().join("persons.csv");
    std::fs::write(&persons, "email\nnot an address\njane@acme.com\n").unwrap();
    let mut import = instance.command(&[
        "import",
        "persons",
        persons.to_str().unwrap(),
        "--tenant",
        "default",
        "--report",
        &file("refused.csv"),
    ]);
    import.env("PAGESMITH_SECRET_KEY_FILE", folder.join("key/of.key"));
    // Some rows are refused, so it does not succeed.
    drop(Finished::of(&mut after("umask 000", &import)));
    run(&["export", "persons", "--tenant", "default", "--output", &file("persons.csv")]);
    let made = all(&folder);
    for name in ["key/of.key", "refused.csv", "persons.csv"] {
        assert!(made.iter().any(|path| path.ends_with(name)), "{name} among {made:?}");
    }
    for path in made {
        let mode = std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode, expected, "{mode:o} {}", path.display());
    }
    server.stop();
}

#[test]
fn doctor_tells_of_a_database_that_others_may_read() {
    if database::is_postgres() {
        return;
    }
    let instance = Instance::new();
    instance.run(&["migrate"]).success();
    let level = || {
        let found = instance.run(&["doctor"]).out;
        let line = found.lines().find(|line| line.contains("  files ")).unwrap().to_owned();
        line.split(' ').next().unwrap().to_owned()
    };
    let folder = instance.path();
    let open_to = |mode| std::fs::set_permissions(folder, std::fs::Permissions::from_mode(mode)).unwrap();
    let file = instance.path().join("test.db");
    open_to(0o755);
    assert_eq!(level(), "OK");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(level(), "WARN");
    open_to(0o700);
    assert_eq!(level(), "OK");
}

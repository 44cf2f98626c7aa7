//! What is said when the program cannot do what it is asked: one line with the cause and the next step, at once where waiting would not help.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pagesmith_testkit::database;
use rustix::process::geteuid;

use crate::process::capture::Capture;
use crate::process::{Finished, Instance, KEY, bare, eventually};

/// A server that answers the greeting of PostgreSQL with an error; its address, and how many greetings came.
fn refusing(code: &'static str, message: &'static str) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("postgres://me:hunter2@{}/shop?sslmode=disable", listener.local_addr().unwrap());
    let greetings = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&greetings);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 1024]);
            count.fetch_add(1, Ordering::SeqCst);
            let fields = format!("SFATAL\0VFATAL\0C{code}\0M{message}\0\0");
            let length = u32::try_from(fields.len() + 4).unwrap().to_be_bytes();
            let _ = stream.write_all(&[b"E", &length[..], fields.as_bytes()].concat());
        }
    });
    (address, greetings)
}

const SERVE: &[&str] = &["serve", "--listen", "127.0.0.1:0"];

#[test]
fn an_address_that_is_taken_is_told_with_another() {
    let instance = Instance::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let _holder = TcpListener::bind(taken).unwrap();
    let failure = instance.run(&["serve", "--listen", &taken.to_string()]).failure();
    assert!(failure.starts_with(&format!("another program listens on {taken} already")), "{failure}");
    assert!(failure.contains("--listen 127.0.0.1:") && !failure.contains("os error"), "{failure}");
}

#[test]
fn a_database_that_no_waiting_helps_ends_every_command_at_once() {
    for (code, message, told) in [
        ("3D000", "database \"shop\" does not exist", "has no database shop: create it"),
        ("28P01", "password authentication failed", "does not accept the password of the user me"),
        ("28000", "role \"me\" does not exist", "create the role"),
    ] {
        for arguments in [SERVE, &["migrate"], &["tenant", "list"]] {
            let (address, greetings) = refusing(code, message);
            let failure = Instance::at(address).run(arguments).failure();
            assert!(failure.contains(told) && !failure.contains("hunter2"), "{arguments:?}: {failure}");
            assert_eq!(greetings.load(Ordering::SeqCst), 1, "{arguments:?} has tried again");
        }
    }
}

#[test]
fn a_database_that_is_missing_on_a_real_server_is_told() {
    if !database::is_postgres() {
        return;
    }
    let address = database::postgres_address();
    let (server, parameters) = address.split_once('?').unwrap_or((&address, ""));
    let (server, _) = server.rsplit_once('/').unwrap();
    let instance = Instance::at(format!("{server}/no_such_database?{parameters}"));
    let failure = instance.run(SERVE).failure();
    assert!(failure.contains("has no database no_such_database: create it"), "{failure}");
}

#[test]
fn a_start_waits_for_a_server_that_may_come_and_says_how_long() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for (address, told) in [
        (refusing("57P03", "the database system is starting up").0, "is starting or stopping"),
        (format!("postgres://me@{nobody}/shop"), "nothing listens where the PostgreSQL server at"),
    ] {
        let instance = Instance::at(address);
        let mut command = instance.command(SERVE);
        let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let log = Capture::of(child.stderr.take().unwrap());
        let line = log.wait_for("the warning", |text| text.lines().next().map(str::to_owned));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(line.contains("waiting up to 30 s for the database") && line.contains(told), "{line}");
    }
}

#[test]
fn a_command_does_not_wait_for_a_server_and_says_what_to_do() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let instance = Instance::at(format!("postgres://me@{nobody}/shop"));
    let failure = instance.run(&["tenant", "list"]).failure();
    let expected = format!(
        "the database is not available: nothing listens where the PostgreSQL server at {nobody} should be: start it, or correct its address in the setting `database`"
    );
    assert_eq!(failure, expected);
}

/// The program as a user without rights, who may read the folder.
fn as_nobody(instance: &Instance, arguments: &[&str]) -> Command {
    if !geteuid().is_root() {
        return instance.command(arguments);
    }
    // Wherever the program lies, another user may not get there.
    let program = instance.path().join("pagesmith");
    if !program.exists() && std::fs::hard_link(env!("CARGO_BIN_EXE_pagesmith"), &program).is_err() {
        std::fs::copy(env!("CARGO_BIN_EXE_pagesmith"), &program).unwrap();
    }
    let mut command = bare(&program);
    command.args(arguments).args(["--database", &instance.database]).current_dir(instance.path());
    command.uid(65534).gid(65534);
    command
}

fn allow(path: &std::path::Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_place_that_cannot_be_written_to_is_told() {
    let instance = Instance::at("sqlite:locked/data/pages.db".to_owned());
    let locked = instance.path().join("locked");
    std::fs::create_dir(&locked).unwrap();
    allow(instance.path(), 0o755);
    allow(&locked, 0o555);
    let failure = Finished::of(&mut as_nobody(&instance, SERVE)).failure();
    assert!(
        failure.starts_with("The folder locked/data for the database cannot be made (Permission denied)"),
        "{failure}"
    );
    let instance = Instance { database: "sqlite:locked/pages.db".to_owned(), ..instance };
    let failure = Finished::of(&mut as_nobody(&instance, SERVE)).failure();
    assert!(failure.contains("its lock locked/pages.db.lock cannot be written"), "{failure}");
    // Made by one user and read by another.
    allow(&locked, 0o755);
    instance.run(&["migrate"]).success();
    for (file, mode) in [("pages.db", 0o444), ("pages.db.lock", 0o666)] {
        allow(&locked.join(file), mode);
    }
    let failure = Finished::of(&mut as_nobody(&instance, &["tenant", "list"])).failure();
    assert!(failure.contains("locked/pages.db") && failure.contains("give this user the right"), "{failure}");
}

#[test]
fn a_file_that_is_no_database_is_told_with_what_to_set() {
    let instance = Instance::at("sqlite:notes.txt".to_owned());
    std::fs::write(instance.path().join("notes.txt"), "these are notes, and no database\n".repeat(50))
        .unwrap();
    std::fs::create_dir(instance.path().join("folder")).unwrap();
    let failure = instance.run(&["tenant", "list"]).failure();
    assert!(
        failure.contains("notes.txt is not a database that can be used (it is not a file of SQLite)"),
        "{failure}"
    );
    let instance = Instance { database: "sqlite:folder".to_owned(), ..instance };
    let failure = instance.run(SERVE).failure();
    assert!(failure.contains("folder is a folder: name a file in it"), "{failure}");
}

#[test]
fn a_database_of_a_newer_version_is_refused_by_every_command() {
    let instance = Instance::new();
    instance.run(&["migrate"]).success();
    let unknown = "9999_newer";
    // It does not say that an older server may serve beside it.
    let insert = format!("INSERT INTO schema_migrations (name, checksum) VALUES ('{unknown}', '')");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(database::execute_at(&instance.database, &insert));
    for arguments in [SERVE, &["migrate"], &["tenant", "list"]] {
        let failure = instance.run(arguments).failure();
        let told = format!("was used by a newer version of Pagesmith (it has the migration {unknown}");
        assert!(failure.contains(&told) && failure.contains("run that version"), "{arguments:?}: {failure}");
    }
}

#[test]
fn a_mistyped_setting_is_told_with_its_line_and_the_one_that_was_meant() {
    let instance = Instance::new();
    std::fs::write(instance.path().join("p.toml"), "\n[rate_limit]\nrequest = 7\n").unwrap();
    let failure = instance.run(&["serve", "--config", "p.toml"]).failure();
    assert_eq!(
        failure,
        "unknown key rate_limit.request in file p.toml, line 3; did you mean rate_limit.requests?; `pagesmith config show` lists every key"
    );
    std::fs::write(instance.path().join("p.toml"), "[log]\nformat = 'xml'\n").unwrap();
    let failure = instance.run(&["serve", "--config", "p.toml"]).failure();
    assert_eq!(failure, "log.format (from file p.toml, line 2) must be json, text or auto, not \"xml\"");
    let warned = Finished::of(instance.command(&["config", "show"]).env("PAGESMITH_LISTN", "x")).err;
    assert!(warned.contains("PAGESMITH_LISTN sets nothing; did you mean PAGESMITH_LISTEN?"), "{warned}");
}

#[test]
fn a_server_to_listen_to_that_is_not_there_is_told_once() {
    let instance = Instance::new();
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut command =
        instance.command(&["listen", "--forward-to", "127.0.0.1:9000", "--server", &nobody.to_string()]);
    command.env("PAGESMITH_KEY", KEY).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let said = Capture::of(child.stderr.take().unwrap());
    let line = said.wait_for("the reason", |text| text.contains('…').then(|| text.to_owned()));
    child.kill().unwrap();
    eventually("it ends", || child.try_wait().unwrap());
    let expected = format!(
        "pagesmith: nothing listens at http://{nobody}: start the server, or correct --server. Trying again…\n"
    );
    assert_eq!(line, expected);
}

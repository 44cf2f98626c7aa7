//! Through pgbouncer: with a connection for a session everything works, with one for less nothing begins.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::process::{Child, Stdio};

use pagesmith_testkit::{database, fixtures};
use serde_json::json;

use crate::process::postgres::Postgres;
use crate::process::{Finished, Instance, KEY, eventually};

/// A pooler before a server of its own; it ends with this.
struct Pooler {
    process: Child,
    port: u16,
    postgres: Postgres,
}

#[expect(clippy::disallowed_methods, reason = "the test command says where the program is")]
fn program() -> Option<String> {
    std::env::var("PAGESMITH_TEST_PGBOUNCER").ok()
}

impl Pooler {
    /// A pooler of that mode, or nothing where the test command has found no pgbouncer.
    fn start(mode: &str, pool_size: u32) -> Option<Pooler> {
        let program = program().filter(|_| database::is_postgres())?;
        let postgres = Postgres::start_new();
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let users = postgres.write("users.txt", "\"postgres\" \"\"\n");
        let settings = postgres.write(
            "pgbouncer.ini",
            &format!(
                "[databases]\n* = host=127.0.0.1 port={}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n\
                 unix_socket_dir =\nauth_type = trust\nauth_file = {}\npool_mode = {mode}\n\
                 default_pool_size = {pool_size}\n",
                postgres.port,
                users.display()
            ),
        );
        let mut command = postgres.program(&program);
        let process = command.arg(settings).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let process = process.spawn().unwrap();
        let pooler = Pooler { process, port, postgres };
        eventually("pgbouncer listens", || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok());
        Some(pooler)
    }

    fn instance(&self, query: &str) -> Instance {
        Instance::at(format!("postgres://postgres@127.0.0.1:{}/postgres{query}", self.port))
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

#[test]
fn with_a_connection_for_each_session_everything_works() {
    let Some(pooler) = Pooler::start("session", 40) else { return };
    let instance = pooler.instance("");
    let server = instance.serve();
    let page = server.post("/v0/pages", KEY, &fixtures::page("Pooled")).expect(201).json();
    let audiences = format!("/v0/pages/{}/audiences", page["pageId"].as_str().unwrap());
    let audience = server.post(&audiences, KEY, &json!({})).expect(201).json();
    let (id, version) = (&audience["audienceId"], &audience["latestVersion"]["versionId"]);
    let path = format!("{audiences}/{}/versions/{}", id.as_str().unwrap(), version.as_str().unwrap());
    eventually("the version is written", || {
        let version = server.get(&path, KEY).expect(200).json();
        (version["status"] == "published").then_some(())
    });
    assert!(instance.run(&["doctor"]).out.contains("OK    migrations  all applied"));
    server.stop();
    // With the server's own connections the same data.
    let direct = Instance { database: pooler.postgres.address(), ..instance };
    direct.serve().get(&path, KEY).expect(200);
}

#[test]
fn with_a_connection_for_each_transaction_or_less_it_does_not_start() {
    for (mode, pool_size) in [("transaction", 1), ("transaction", 20), ("statement", 20)] {
        let Some(pooler) = Pooler::start(mode, pool_size) else { return };
        let instance = pooler.instance("");
        // What ends by itself comes first: a server that is not refused would not.
        for command in [&mut instance.command(&["tenant", "list"]), &mut instance.serving()] {
            let refused = Finished::of(command);
            assert_eq!(refused.code, Some(1), "{mode}: {}", refused.err);
            let last = refused.err.lines().last().unwrap();
            assert!(last.contains("set pool_mode = session for this database"), "{mode}: {}", refused.err);
        }
        let left = pooler.postgres.ask("SELECT count(*)::text FROM pg_tables WHERE schemaname = 'public'");
        assert_eq!(left, "0", "{mode}: something was made before it was refused");
    }
}

#[test]
fn options_that_a_pooler_does_not_pass_on_are_refused_with_what_to_do() {
    let Some(pooler) = Pooler::start("session", 20) else { return };
    let refused = Finished::of(&mut pooler.instance("?options=-c%20search_path%3Dpublic").serving());
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    let last = refused.err.lines().last().unwrap();
    assert!(last.contains("ALTER ROLE … SET"), "{last}");
}

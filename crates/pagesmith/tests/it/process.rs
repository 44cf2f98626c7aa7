//! The real program, as a process of its own on a port of its own.
//!
//! What the other tests hold in their hand (clock, worker, router) is out of reach here, so these tests wait for what
//! they expect, up to a deadline that only says "never hangs". A process ends with its test, by its own id.

pub mod capture;
pub mod collector;
pub mod counter;
pub mod load;
pub mod postgres;
pub mod terminal;
pub mod wire;

use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use pagesmith_testkit::database::{DropLater, TestDatabase};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use capture::Capture;
use wire::{Connection, Reply};

/// The key that the first start is given, so that a test need not look for a printed one.
pub const KEY: &str = "ps_this-is-the-first-key-of-every-process-test";

/// Upper bound of every wait. Below the usual header time-out, so that a test with a shorter one shows its absence.
pub const TIME_LIMIT: Duration = Duration::from_secs(25);

/// How long a wait rests between two looks.
const PAUSE: Duration = Duration::from_millis(10);

/// A database, and a folder to work in.
pub struct Instance {
    pub database: String,
    pub folder: Arc<TempDir>,
    pub guard: Option<Arc<DropLater>>,
}

/// What a command came to.
#[derive(Debug)]
pub struct Finished {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// A running server; it is killed when this is dropped.
pub struct Server {
    child: Child,
    /// What drops its database and its folder, which have to be there for as long as it serves.
    database: Option<Arc<DropLater>>,
    folder: Option<Arc<TempDir>>,
    pub address: SocketAddr,
    pub out: Capture,
    pub err: Capture,
}

/// Looks again and again until there is something, which must not take forever.
#[track_caller]
pub fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < TIME_LIMIT, "waited in vain: {what}");
        std::thread::sleep(PAUSE);
    }
}

impl Instance {
    /// An empty database on the engine of this run.
    pub fn new() -> Instance {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let TestDatabase { address, folder, guard, .. } = runtime.block_on(TestDatabase::create());
        Instance { database: address, folder: Arc::new(folder), guard: guard.map(Arc::new) }
    }

    /// The database at that address.
    pub fn at(database: String) -> Instance {
        Instance { database, folder: Arc::new(tempfile::tempdir().unwrap()), guard: None }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The program with these arguments, for this instance.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = bare(Path::new(env!("CARGO_BIN_EXE_pagesmith")));
        command.args(arguments).args(["--database", &self.database]).current_dir(self.path());
        // Without an embedded database the server's key is with the user's own data.
        command.env("XDG_DATA_HOME", self.path());
        command
    }

    /// Runs a command to its end.
    pub fn run(&self, arguments: &[&str]) -> Finished {
        Finished::of(&mut self.command(arguments))
    }

    /// Runs a command, which must succeed and print JSON.
    #[track_caller]
    pub fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.run(arguments).success()).unwrap()
    }

    /// The command that serves on a free port; the first start takes [`KEY`].
    pub fn serving(&self) -> Command {
        let mut command = self.command(&["serve", "--listen", "127.0.0.1:0"]);
        command.env("PAGESMITH_BOOTSTRAP_KEY", KEY);
        command
    }

    /// A server that is ready.
    #[track_caller]
    pub fn serve(&self) -> Server {
        self.serve_with(&[])
    }

    /// A server that is ready, with other settings, named as their variables without the prefix.
    #[track_caller]
    pub fn serve_with(&self, settings: &[(&str, &str)]) -> Server {
        let mut command = self.serving();
        command.envs(settings.iter().map(|(name, value)| (format!("PAGESMITH_{name}"), value)));
        let mut server = Server::start(command);
        server.database.clone_from(&self.guard);
        server.folder = Some(Arc::clone(&self.folder));
        server
    }
}

/// A program without the settings that whoever runs the tests may have.
pub fn bare(program: &Path) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let ours = name.to_str().is_some_and(|name| name.starts_with("PAGESMITH_") || name.starts_with("PG"));
        if ours && name != "PAGESMITH_SQL_COVERAGE" {
            command.env_remove(name);
        }
    }
    command.stdin(Stdio::null());
    command
}

/// The same command, started by a shell that first does something to itself, such as lowering its limits.
pub fn after(first: &str, command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("{first}; exec \"$0\" \"$@\"")])
        .arg(command.get_program())
        .args(command.get_args());
    shell.current_dir(command.get_current_dir().unwrap()).stdin(Stdio::null());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell
}

impl Finished {
    pub fn of(command: &mut Command) -> Finished {
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Finished { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// What it printed; it must have succeeded without a word on standard error.
    #[track_caller]
    pub fn success(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{}", self.out);
        self.out
    }

    /// The one line that says why it failed, without the program's name.
    #[track_caller]
    pub fn failure(self) -> String {
        assert_eq!((self.code, self.out.as_str()), (Some(1), ""), "{}", self.err);
        let line = self.err.strip_prefix("pagesmith: ").and_then(|rest| rest.strip_suffix('\n'));
        let line = line.unwrap_or_else(|| panic!("not a line of ours: {}", self.err));
        assert!(!line.contains('\n'), "several lines: {line}");
        line.to_owned()
    }
}

impl Server {
    /// Starts it and waits until it is ready.
    #[track_caller]
    pub fn start(command: Command) -> Server {
        let server = Server::start_unready(command);
        eventually("the server is ready", || {
            let reply = server.connect().call("GET", "/readyz", None, None);
            reply.ok().filter(|reply| reply.status == 200)
        });
        server
    }

    /// Starts it and waits until it listens.
    #[track_caller]
    pub fn start_unready(mut command: Command) -> Server {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (out, err) =
            (Capture::of(child.stdout.take().unwrap()), Capture::of(child.stderr.take().unwrap()));
        let address = err.wait_for("the server's address", |log| {
            let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            let mut listening = lines.filter(|line| line["message"] == "listening");
            listening.next().map(|line| line["address"].as_str().unwrap().parse().unwrap())
        });
        Server { child, database: None, folder: None, address, out, err }
    }

    /// A connection to it.
    #[track_caller]
    pub fn connect(&self) -> Connection {
        Connection::open(self.address).unwrap()
    }

    /// The answer to a request on a connection of its own.
    #[track_caller]
    pub fn get(&self, path: &str, key: &str) -> Reply {
        self.connect().call("GET", path, Some(key), None).unwrap()
    }

    /// The answer to a request with a body on a connection of its own.
    #[track_caller]
    pub fn post(&self, path: &str, key: &str, body: &Value) -> Reply {
        self.connect().call("POST", path, Some(key), Some(body)).unwrap()
    }

    /// It serves others as before: a page is made and read.
    #[track_caller]
    pub fn is_well(&self) {
        let made = self.post("/v0/pages", KEY, &pagesmith_testkit::fixtures::page("Well")).expect(201).json();
        let read = self.get(&format!("/v0/pages/{}", made["pageId"].as_str().unwrap()), KEY);
        assert_eq!(read.expect(200).json(), made);
    }

    pub fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Asks it to stop.
    pub fn terminate(&self) {
        kill_process(self.pid(), Signal::TERM).unwrap();
    }

    /// Ends it like a power cut.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Whether it has ended, and how.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().unwrap()
    }

    /// Waits for its end.
    #[track_caller]
    pub fn wait(mut self) -> Finished {
        let status = eventually("the server ends", || self.ended());
        Finished { code: status.code(), out: self.out.whole(), err: self.err.whole() }
    }

    /// Stops it, which must end well; what it printed on standard output.
    #[track_caller]
    pub fn stop(self) -> String {
        self.terminate();
        let finished = self.wait();
        assert_eq!(finished.code, Some(0), "{}", finished.err);
        finished.out
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

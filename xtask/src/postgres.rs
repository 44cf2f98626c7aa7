//! A private PostgreSQL server for one run of a command: fresh data, a free port on 127.0.0.1, gone at the end.
//!
//! PostgreSQL refuses to run as root, so root hands it to another user, and its data lies where that user can reach it: in memory, or in
//! the system's folder for temporary files. Invariant: the server does not outlive the command. The ordinary end is
//! `Drop`; for every other (Ctrl-C, a kill) a small shell waits on a pipe that closes when this process is gone, stops
//! the server and removes the data.

mod binaries;
pub mod pooler;
mod user;

use std::io::Write;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::shell::{self, Outcome};
pub use binaries::Source;
use user::User;

/// How much the server promises about what it has acknowledged.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Nothing survives a crash; for tests.
    None,
    /// PostgreSQL's defaults, on a disk; for measurements.
    Full,
}

/// A running server; dropping it stops it and removes its data.
pub struct Server {
    process: Child,
    guard: Child,
    folder: PathBuf,
    port: u16,
    pgbench: PathBuf,
}

/// What the guard does: it reads until this process closes the pipe. Told `done`, there is nothing left to do.
const GUARD: &str = r#"
read -r word
[ "$word" = done ] && exit 0
pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null)
if [ -n "$pid" ]; then
    kill -INT "$pid"
    tries=0
    while kill -0 "$pid" 2>/dev/null && [ "$tries" -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
    kill -QUIT "$pid" 2>/dev/null
fi
rm -rf "$1"
"#;

impl Server {
    /// Finds PostgreSQL 15 or later (installing it where that is possible), makes a database cluster and serves it.
    pub fn start(durability: Durability) -> Outcome<Self> {
        Self::start_from(Source::System, durability)
    }

    /// The same with PostgreSQL from there.
    pub fn start_from(source: Source, durability: Durability) -> Outcome<Self> {
        let binaries = binaries::of(source)?;
        let user = User::for_server()?;
        let folder = fresh_folder(durability)?;
        let mut guard = Command::new("sh")
            .args(["-c", GUARD, "guard"])
            .arg(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Its own process group, so that Ctrl-C does not reach it.
            .process_group(0)
            .spawn()
            .map_err(|error| format!("no shell to guard PostgreSQL with: {error}"))?;
        let started = user
            .own(&folder)
            .and_then(|()| initialise(&binaries, &user, &folder))
            .and_then(|()| serve(&binaries, &user, &folder, durability));
        match started {
            Ok((process, port)) => {
                let pgbench = binaries.postgres.with_file_name("pgbench");
                let server = Self { process, guard, folder, port, pgbench };
                shell::say(format!("PostgreSQL {} serves at {}", binaries.major, server.url()));
                Ok(server)
            }
            Err(reason) => {
                remove(&mut guard, &folder);
                Err(reason)
            }
        }
    }

    /// The address of its database `postgres`, as its superuser.
    pub fn url(&self) -> String {
        self.url_at("127.0.0.1")
    }

    /// The same by its socket, as servers on its machine reach it.
    pub fn socket_url(&self) -> String {
        self.url_at(&self.folder.display().to_string().replace('/', "%2F"))
    }

    fn url_at(&self, host: &str) -> String {
        format!("postgres://postgres@{host}:{}/postgres", self.port)
    }

    /// PostgreSQL's own load generator, which comes with the server.
    pub fn pgbench(&self) -> &Path {
        &self.pgbench
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        stop(&mut self.process);
        remove(&mut self.guard, &self.folder);
    }
}

/// Where a server keeps what need not survive, if that is memory.
const MEMORY: &str = "/dev/shm";
/// How much of it has to be free, in KiB: far more than the databases of a few tests at a time.
const MEMORY_KIB: u64 = 4 * 1024 * 1024;

/// An empty folder of our own. Tests create and drop thousands of files for each database, which is fast in memory; measurements want a
/// disk, and `/tmp` is often memory where `/var/tmp` is not.
fn fresh_folder(durability: Durability) -> Outcome<PathBuf> {
    let on_disk = Path::new("/var/tmp");
    let parent = match durability {
        Durability::Full if on_disk.is_dir() => on_disk.to_owned(),
        Durability::None if free_kib(MEMORY).is_some_and(|free| free >= MEMORY_KIB) => MEMORY.into(),
        _ => std::env::temp_dir(),
    };
    for attempt in 0..100 {
        let folder = parent.join(format!("pagesmith-postgres-{}-{attempt}", std::process::id()));
        match std::fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(format!("{}: {error}", folder.display())),
        }
    }
    Err(format!("no free name for a folder in {}", parent.display()))
}

/// How much is free in a folder's file system, by the fourth column of what `df` prints.
fn free_kib(folder: &str) -> Option<u64> {
    let printed = Command::new("df").args(["-Pk", folder]).stderr(Stdio::null()).output().ok()?.stdout;
    String::from_utf8(printed).ok()?.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()
}

/// Makes the database cluster. Some systems lack the locale `C.UTF-8`; plain `C` sorts alike.
fn initialise(binaries: &binaries::Binaries, user: &User, folder: &Path) -> Outcome {
    let mut said = String::new();
    for locale in ["C.UTF-8", "C"] {
        let done = user
            .run(&binaries.initdb)
            .args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-sync"])
            .arg(format!("--locale={locale}"))
            .arg("--pgdata")
            .arg(folder.join("data"))
            .current_dir(folder)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("{}: {error}", binaries.initdb.display()))?;
        if done.status.success() {
            return Ok(());
        }
        said = String::from_utf8_lossy(&done.stderr).into_owned();
    }
    Err(format!("initdb failed:\n{said}"))
}

/// Starts the server. A port that was free a moment ago may be taken, so a start that ends at once is tried again.
fn serve(
    binaries: &binaries::Binaries,
    user: &User,
    folder: &Path,
    durability: Durability,
) -> Outcome<(Child, u16)> {
    let log = folder.join("log");
    for _ in 0..3 {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .and_then(|listener| listener.local_addr())
            .map_err(|error| format!("no free port: {error}"))?
            .port();
        let output = std::fs::File::create(&log).map_err(|error| format!("{}: {error}", log.display()))?;
        let mut command = user.run(&binaries.postgres);
        command.arg("-D").arg(folder.join("data")).arg("-k").arg(folder).args(["-h", "127.0.0.1", "-p"]);
        command.arg(port.to_string());
        for setting in settings(durability) {
            command.args(["-c", setting]);
        }
        let mut process = command
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(output)
            // Ctrl-C is the guard's business: the server stops when its clients are gone.
            .process_group(0)
            .spawn()
            .map_err(|error| format!("{}: {error}", binaries.postgres.display()))?;
        if ready(&mut process, folder, port) {
            return Ok((process, port));
        }
        stop(&mut process);
    }
    Err(format!("PostgreSQL did not start:\n{}", shell::read(&log).unwrap_or_default()))
}

fn settings(durability: Durability) -> &'static [&'static str] {
    const BOTH: [&str; 2] = ["max_connections=300", "shared_buffers=128MB"];
    // No test runs long enough for its plans to be worth compiling, or for its tables to be worth cleaning.
    const FAST: [&str; 6] =
        [BOTH[0], BOTH[1], "fsync=off", "full_page_writes=off", "jit=off", "autovacuum=off"];
    match durability {
        Durability::None => &FAST,
        Durability::Full => &BOTH,
    }
}

/// Waits up to 30 seconds until the server says that it is ready and takes a connection.
fn ready(process: &mut Child, folder: &Path, port: u16) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(30) {
        if !matches!(process.try_wait(), Ok(None)) {
            return false;
        }
        // The eighth line of this file is the server's state, put there for programs that wait as we do.
        let state = std::fs::read_to_string(folder.join("data/postmaster.pid")).unwrap_or_default();
        if state.lines().nth(7).is_some_and(|line| line.trim() == "ready")
            && TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok()
        {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

/// Ends the server: first as PostgreSQL likes it, disconnecting clients, then at once, then by force.
fn stop(process: &mut Child) {
    for (signal, seconds) in [("-INT", 10), ("-QUIT", 5)] {
        if !matches!(process.try_wait(), Ok(None)) {
            return;
        }
        let _ = Command::new("sh")
            .args(["-c", "kill \"$1\" \"$2\"", "kill", signal, &process.id().to_string()])
            .status();
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(seconds) && matches!(process.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    let _ = process.kill();
    let _ = process.wait();
}

/// Removes the stopped server's data and sends the guard home.
fn remove(guard: &mut Child, folder: &Path) {
    let _ = std::fs::remove_dir_all(folder);
    if let Some(mut pipe) = guard.stdin.take() {
        let _ = pipe.write_all(b"done\n");
    }
    let _ = guard.wait();
}

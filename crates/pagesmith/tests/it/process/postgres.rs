//! A PostgreSQL server that a test may stop and start as it likes: not the run's own, but of the same programs.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use pagesmith_testkit::database;
use rustix::process::{Pid, Signal, geteuid, kill_process};
use tempfile::TempDir;

use super::{bare, eventually};

/// A server, running or not; it ends with this.
pub struct Postgres {
    folder: TempDir,
    programs: PathBuf,
    /// Whom root runs it as.
    user: Option<(u32, u32)>,
    port: u16,
    running: Option<Child>,
}

impl Postgres {
    /// An empty database cluster, served.
    pub fn start_new() -> Postgres {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let ask = |text| runtime.block_on(database::ask(text));
        let programs = PathBuf::from(ask("SELECT setting FROM pg_config WHERE name = 'BINDIR'"));
        // PostgreSQL refuses to run as root; whoever owns the data of the run's own server is able to.
        let user = geteuid().is_root().then(|| {
            let owner = std::fs::metadata(ask("SHOW data_directory")).unwrap();
            (owner.uid(), owner.gid())
        });
        let folder = tempfile::tempdir().unwrap();
        if let Some((user, group)) = user {
            chown(folder.path(), Some(user), Some(group)).unwrap();
        }
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let mut server = Postgres { folder, programs, user, port, running: None };
        let mut initdb = server.program("initdb");
        initdb.args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]);
        let made = initdb.arg("-D").arg(server.data()).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        server.start();
        server
    }

    /// Its address.
    pub fn address(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// Runs a statement as its superuser.
    pub fn execute(&self, text: &str) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(database::execute_at(&self.address(), text));
    }

    pub fn start(&mut self) {
        let mut command = self.program("postgres");
        command.arg("-D").arg(self.data()).arg("-k").arg(self.folder.path());
        command.args(["-h", "127.0.0.1", "-p", &self.port.to_string()]);
        // A process that ends, however, loses nothing that the operating system has; only a power cut does.
        command.args(["-c", "fsync=off", "-c", "max_connections=50"]);
        self.running = Some(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        eventually("PostgreSQL is ready", || {
            assert!(self.running.as_mut()?.try_wait().unwrap().is_none(), "PostgreSQL did not start");
            // The eighth line of this file is the server's state.
            let state = std::fs::read_to_string(self.data().join("postmaster.pid")).unwrap_or_default();
            let ready = state.lines().nth(7).is_some_and(|line| line.trim() == "ready");
            (ready && TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_ok()).then_some(())
        });
    }

    /// Stops it as an operator does: clients are sent away, what runs is rolled back.
    pub fn stop(&mut self) {
        self.end(Signal::INT);
    }

    /// Stops it at once, as a crash does; the next start recovers.
    pub fn crash(&mut self) {
        self.end(Signal::QUIT);
    }

    fn end(&mut self, signal: Signal) {
        let mut process = self.running.take().unwrap();
        kill_process(Pid::from_child(&process), signal).unwrap();
        eventually("PostgreSQL ends", || process.try_wait().unwrap());
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn program(&self, name: &str) -> Command {
        let mut command = bare(Path::new(&self.programs.join(name)));
        command.current_dir(self.folder.path());
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if let Some(mut process) = self.running.take() {
            let _ = kill_process(Pid::from_child(&process), Signal::QUIT);
            drop(process.wait());
        }
    }
}

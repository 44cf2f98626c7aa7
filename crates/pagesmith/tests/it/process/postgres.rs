//! A PostgreSQL server that a test may stop and start as it likes: not the run's own, but of the same programs.

use std::fs::Permissions;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
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
    pub port: u16,
    settings: Vec<String>,
    running: Option<Child>,
    /// Its processes, if it hangs.
    frozen: Vec<Pid>,
}

impl Postgres {
    /// An empty database cluster, served.
    pub fn start_new() -> Postgres {
        let mut server = Postgres::new();
        server.start();
        server
    }

    /// An empty database cluster that is not served yet.
    pub fn new() -> Postgres {
        let server = Postgres::without_data();
        let mut initdb = server.program("initdb");
        initdb.args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]);
        run(initdb.arg("-D").arg(server.data()));
        server
    }

    /// A standby that follows a running primary, served.
    pub fn standby_of(primary: &Postgres) -> Postgres {
        let mut server = Postgres::without_data();
        let mut copy = server.program("pg_basebackup");
        copy.args(["--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync"]);
        run(copy.args(["-d", &primary.address(), "-D"]).arg(server.data()));
        server.start();
        server
    }

    fn without_data() -> Postgres {
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
        Postgres { folder, programs, user, port, settings: vec![], running: None, frozen: vec![] }
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

    /// The one text that a statement answers, asked as its superuser.
    pub fn ask(&self, text: &str) -> String {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(database::ask_at(&self.address(), text))
    }

    /// Settings of all later starts, as `name=value`.
    pub fn set(&mut self, settings: &[&str]) {
        self.settings.extend(settings.iter().map(|&setting| setting.to_owned()));
    }

    /// A file in the folder of its data that only it can read; its path.
    pub fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.data().join(name);
        std::fs::write(&path, content).unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        if let Some((user, group)) = self.user {
            chown(&path, Some(user), Some(group)).unwrap();
        }
        path
    }

    pub fn start(&mut self) {
        let mut command = self.program("postgres");
        command.arg("-D").arg(self.data()).arg("-k").arg(self.folder.path());
        command.args(["-h", "127.0.0.1", "-p", &self.port.to_string()]);
        // A process that ends, however, loses nothing that the operating system has; only a power cut does.
        command.args(["-c", "fsync=off", "-c", "max_connections=50"]);
        for setting in &self.settings {
            command.args(["-c", setting]);
        }
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

    /// Ends it as a broken machine does; what it had still to say is not said.
    pub fn kill(&mut self) {
        self.end(Signal::KILL);
    }

    /// Lets it hang as it is: connections stay and are taken, and nothing is answered.
    pub fn freeze(&mut self) {
        let main = Pid::from_child(self.running.as_ref().unwrap());
        // First, so that there will be no others.
        kill_process(main, Signal::STOP).unwrap();
        let number = main.as_raw_nonzero();
        let children = std::fs::read_to_string(format!("/proc/{number}/task/{number}/children")).unwrap();
        let children =
            children.split_whitespace().map(|number| Pid::from_raw(number.parse().unwrap()).unwrap());
        self.frozen = children.chain([main]).collect();
        for process in &self.frozen {
            // One that has just ended cannot answer either.
            let _ = kill_process(*process, Signal::STOP);
        }
    }

    /// Makes a standby the server that writes.
    pub fn promote(&self) {
        run(self.program("pg_ctl").args(["promote", "-w", "-D"]).arg(self.data()));
    }

    fn end(&mut self, signal: Signal) {
        let mut process = self.running.take().unwrap();
        kill_process(Pid::from_child(&process), signal).unwrap();
        eventually("PostgreSQL ends", || process.try_wait().unwrap());
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// A program of its version, run as its user.
    pub fn program(&self, name: &str) -> Command {
        let mut command = bare(Path::new(&self.programs.join(name)));
        command.current_dir(self.folder.path());
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        command
    }
}

/// Runs a command, which must succeed.
#[track_caller]
fn run(command: &mut Command) {
    let done = command.output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

impl Drop for Postgres {
    fn drop(&mut self) {
        for process in &self.frozen {
            let _ = kill_process(*process, Signal::KILL);
        }
        if let Some(mut process) = self.running.take() {
            let _ = kill_process(Pid::from_child(&process), Signal::QUIT);
            drop(process.wait());
        }
    }
}

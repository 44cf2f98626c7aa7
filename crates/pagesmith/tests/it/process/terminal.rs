//! The program at a terminal, as a person starts it: both streams lead to a pseudo-terminal.

use std::fs::{File, OpenOptions};
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::process::{Child, Command, ExitStatus};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::capture::Capture;
use super::{Instance, eventually};

/// A program at a terminal; it is killed when this is dropped.
pub struct Terminal {
    child: Child,
    pub screen: Capture,
}

/// The two ends of a pseudo-terminal: what a person sees, and what a program writes to.
pub fn pair() -> (File, File) {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let person: OwnedFd = openpt(flags).unwrap();
    grantpt(&person).unwrap();
    unlockpt(&person).unwrap();
    let name = ptsname(&person, Vec::new()).unwrap();
    let program = OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    (File::from(person), program)
}

impl Terminal {
    /// Starts the program; a terminal that knows colours unless the command says otherwise.
    pub fn start(mut command: Command) -> Terminal {
        let (person, program) = pair();
        command.stdout(program.try_clone().unwrap()).stderr(program);
        let child = command.spawn().unwrap();
        Terminal { child, screen: Capture::of(person) }
    }

    /// A server that is started at a terminal with such variables.
    pub fn serve(instance: &Instance, variables: &[(&str, &str)]) -> Terminal {
        let mut command = instance.command(&["serve", "--listen", "127.0.0.1:0"]);
        command.env_remove("NO_COLOR").env("TERM", "xterm-256color").envs(variables.iter().copied());
        Terminal::start(command)
    }

    /// What is shown when the server is ready.
    #[track_caller]
    pub fn welcome(&self) -> String {
        self.screen.wait_for("the welcome", |text| text.contains("Ctrl-C ends it.").then(|| text.to_owned()))
    }

    /// Asks it to stop; how it ended, and all that was shown.
    #[track_caller]
    pub fn stop(mut self) -> (ExitStatus, String) {
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
        let status = eventually("the program ends", || self.child.try_wait().unwrap());
        (status, self.screen.whole())
    }
}

/// Where a server answers, by what it has shown.
#[track_caller]
pub fn address(shown: &str) -> SocketAddr {
    let (_, rest) = shown.split_once("http://127.0.0.1:").unwrap_or_else(|| panic!("no address: {shown}"));
    let port = rest.split('/').next().unwrap().parse().unwrap();
    SocketAddr::from(([127, 0, 0, 1], port))
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

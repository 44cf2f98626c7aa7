//! Files that somebody else made are read in a process of their own, with limits; this is the only place that starts one.
//!
//! The process is this program with one of its commands that read a file. It gets the file's bytes on its standard input, sets limits for
//! itself before it looks at them, and answers on its standard output. Whatever the file does to it, it costs the process and nothing else:
//! it knows no settings and no secret, and ends when nobody waits for it any more.

use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use futures_util::TryStreamExt;
use pagesmith_file_storage::FileBytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, Command};
use tokio::time::timeout;

pub mod documents;
pub mod fonts;
pub mod pictures;

/// The program that runs, also after its file was replaced by that of another version.
const RUNNING: &str = "/proc/self/exe";
/// The signal that ends a process which has used up its time on a processor.
const TIME_IS_UP: i32 = 24;

/// What a process is given.
#[derive(Debug, Clone)]
pub(crate) struct LimitedProcess {
    /// The program.
    pub program: PathBuf,
    /// How much memory it has, in mebibytes of its address space.
    pub memory_mib: u64,
    /// How long it may take.
    pub time_limit: Duration,
}

/// How a process ended that has not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProcessEnd {
    /// It took too long.
    TooLong,
    /// It needed more memory than it had, or its stack ended.
    TooMuch,
    /// It has panicked.
    Broken,
    /// The bytes were not to be had.
    NoBytes,
    /// There was no process.
    NotStarted,
}

/// The program that runs, where it can be started once more.
pub(crate) fn this_program() -> PathBuf {
    let running = PathBuf::from(RUNNING);
    // Where a system has no such place, the file that was started has to stay as it is.
    if running.exists() { running } else { std::env::current_exe().unwrap_or(running) }
}

impl LimitedProcess {
    /// Has a process with this command and these flags read bytes; what it answers, up to `longest` bytes.
    pub async fn run(
        &self,
        command: &[&str],
        bytes: FileBytes,
        longest: usize,
    ) -> Result<Vec<u8>, ProcessEnd> {
        // A process that nobody waits for any more is killed.
        timeout(self.time_limit, self.answer(command, bytes, longest))
            .await
            .unwrap_or(Err(ProcessEnd::TooLong))
    }

    async fn answer(
        &self,
        command: &[&str],
        bytes: FileBytes,
        longest: usize,
    ) -> Result<Vec<u8>, ProcessEnd> {
        let not_started = |error: &dyn std::fmt::Display| {
            tracing::warn!(%error, "the process that reads a file could not be started");
            ProcessEnd::NotStarted
        };
        let mut child = self.start(command).map_err(|error| not_started(&error))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(not_started(&"it has no standard input and output"));
        };
        let mut answer = Vec::new();
        let mut output = output.take(u64::try_from(longest).unwrap_or(u64::MAX));
        let (fed, heard) = tokio::join!(feed(input, bytes), output.read_to_end(&mut answer));
        fed?;
        let status = child.wait().await;
        match (heard, status) {
            (Ok(_), Ok(status)) if status.success() => Ok(answer),
            (_, Ok(status)) => Err(of_status(status)),
            (_, Err(_)) => Err(ProcessEnd::Broken),
        }
    }

    fn start(&self, command: &[&str]) -> std::io::Result<Child> {
        let seconds = self.time_limit.as_secs().max(1).to_string();
        Command::new(&self.program)
            .args(command)
            .args(["--seconds", &seconds, "--memory-mib", &self.memory_mib.to_string()])
            .env_clear()
            // Else the allocator takes a gigabyte of address space at once, of which the limit would not know.
            .env("MIMALLOC_ARENA_RESERVE", "0")
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
    }
}

/// Gives the process its file. One that has heard enough closes its input.
async fn feed(mut input: ChildStdin, mut bytes: FileBytes) -> Result<(), ProcessEnd> {
    loop {
        match bytes.try_next().await {
            Ok(Some(some)) => {
                if input.write_all(&some).await.is_err() {
                    return Ok(());
                }
            }
            Ok(None) => return Ok(()),
            Err(error) => {
                tracing::warn!(%error, "the bytes of a file could not be read");
                return Err(ProcessEnd::NoBytes);
            }
        }
    }
}

/// What the end of a process without an answer means.
fn of_status(status: ExitStatus) -> ProcessEnd {
    match status.signal() {
        Some(TIME_IS_UP) => ProcessEnd::TooLong,
        Some(_) => ProcessEnd::TooMuch,
        None => ProcessEnd::Broken,
    }
}

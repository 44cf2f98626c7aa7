//! Documents are read in a process of their own, with limits; this is the only place that starts one.
//!
//! The process is this program with the command `read-document`. It gets a document's bytes on its standard input, sets limits for itself
//! before it looks at them, and answers on its standard output. Whatever the document does to it, it costs the process and nothing else:
//! it knows no settings and no secret, and ends when nobody waits for it any more.

use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use futures_util::TryStreamExt;
use pagesmith_documents::{Answer, Document, Kind, Refusal};
use pagesmith_file_storage::FileBytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, Command};
use tokio::time::timeout;

/// The program that runs, also after its file was replaced by that of another version.
const RUNNING: &str = "/proc/self/exe";
/// How much memory a process has unless told, in mebibytes.
const MEMORY_MIB: u64 = 512;
/// How long it may take unless told.
const PATIENCE: Duration = Duration::from_secs(20);
/// The longest answer, in bytes: every character of a text may take six.
const LONGEST_ANSWER: u64 = 4 * 1024 * 1024;
/// The signal that ends a process which has used up its time on a processor.
const TIME_IS_UP: i32 = 24;

/// What reads documents.
#[derive(Debug, Clone)]
pub struct DocumentReader {
    program: PathBuf,
    /// How much memory the process has that reads one, in mebibytes of its address space.
    pub memory_mib: u64,
    /// How long reading one may take.
    pub patience: Duration,
}

/// Why a document was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unread {
    /// The process says why.
    Refused(Refusal),
    /// It took too long.
    TooLong,
    /// The process needed more memory than it had, or its stack ended.
    TooMuch,
    /// The bytes were not to be had.
    NoBytes,
    /// There was no process.
    NotStarted,
}

impl Unread {
    /// The reason, for the owner of the file.
    pub fn reason(self) -> String {
        match self {
            Unread::Refused(refusal) => return refusal.reason("file"),
            Unread::TooLong => "It took too long to read the file.",
            Unread::TooMuch => {
                "The file is nested too deeply, or needs more memory than there is for reading it."
            }
            Unread::NoBytes => "The storage of files could not be read.",
            Unread::NotStarted => "The process that reads files could not be started.",
        }
        .to_owned()
    }

    /// Whether another try may help.
    pub fn may_pass(self) -> bool {
        matches!(self, Unread::NoBytes | Unread::NotStarted)
    }
}

impl DocumentReader {
    /// One that starts that program.
    pub fn new(program: PathBuf) -> DocumentReader {
        DocumentReader { program, memory_mib: MEMORY_MIB, patience: PATIENCE }
    }

    /// One that starts the program that runs.
    pub fn of_this_program() -> DocumentReader {
        let running = PathBuf::from(RUNNING);
        // Where a system has no such place, the file that was started has to stay as it is.
        DocumentReader::new(if running.exists() {
            running
        } else {
            std::env::current_exe().unwrap_or(running)
        })
    }

    /// Reads a document.
    pub async fn read(&self, kind: Kind, bytes: FileBytes) -> Result<Document, Unread> {
        // A process that nobody waits for any more is killed.
        timeout(self.patience, self.run(kind, bytes)).await.unwrap_or(Err(Unread::TooLong))
    }

    async fn run(&self, kind: Kind, bytes: FileBytes) -> Result<Document, Unread> {
        let not_started = |error: &dyn std::fmt::Display| {
            tracing::warn!(%error, "the process that reads a document could not be started");
            Unread::NotStarted
        };
        let mut child = self.start(kind).map_err(|error| not_started(&error))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(not_started(&"it has no standard input and output"));
        };
        let mut answer = Vec::new();
        let mut output = output.take(LONGEST_ANSWER);
        let (fed, heard) = tokio::join!(feed(input, bytes), output.read_to_end(&mut answer));
        fed?;
        let status = child.wait().await;
        match (heard, status) {
            (Ok(_), Ok(status)) if status.success() => understood(&answer),
            (_, Ok(status)) => Err(of_status(status)),
            (_, Err(_)) => Err(Unread::Refused(Refusal::Broken)),
        }
    }

    fn start(&self, kind: Kind) -> std::io::Result<Child> {
        let seconds = self.patience.as_secs().max(1).to_string();
        Command::new(&self.program)
            .args(["read-document", "--kind", kind.as_str(), "--seconds", &seconds])
            .args(["--memory-mib", &self.memory_mib.to_string()])
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

/// Gives the process its document. One that has heard enough closes its input.
async fn feed(mut input: ChildStdin, mut bytes: FileBytes) -> Result<(), Unread> {
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
                return Err(Unread::NoBytes);
            }
        }
    }
}

fn understood(answer: &[u8]) -> Result<Document, Unread> {
    match serde_json::from_slice(answer) {
        Ok(Answer::Read(document)) => Ok(document),
        Ok(Answer::Refused(refusal)) => Err(Unread::Refused(refusal)),
        Err(_) => Err(Unread::Refused(Refusal::Broken)),
    }
}

/// What the end of a process without an answer means.
fn of_status(status: ExitStatus) -> Unread {
    match status.signal() {
        Some(TIME_IS_UP) => Unread::TooLong,
        Some(_) => Unread::TooMuch,
        // It has panicked.
        None => Unread::Refused(Refusal::Broken),
    }
}

//! Documents are read in a process of their own, with limits (`limited_process`): this program with the command `read-document`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use pagesmith_documents::{Answer, Document, Kind, Refusal};
use pagesmith_file_storage::FileBytes;

use crate::limited_process::{LimitedProcess, ProcessEnd, this_program};

/// How much memory a process has unless told, in mebibytes.
const MEMORY_MIB: u64 = 512;
/// How long it may take unless told.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// The longest answer, in bytes: every character of a text may take six.
const LONGEST_ANSWER: usize = 4 * 1024 * 1024;

/// What reads documents.
#[derive(Debug, Clone)]
pub struct DocumentReader {
    program: PathBuf,
    /// How much memory the process has that reads one, in mebibytes of its address space.
    pub memory_mib: u64,
    /// How long reading one may take.
    pub time_limit: Duration,
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

impl From<ProcessEnd> for Unread {
    fn from(ended: ProcessEnd) -> Unread {
        match ended {
            ProcessEnd::TooLong => Unread::TooLong,
            ProcessEnd::TooMuch => Unread::TooMuch,
            ProcessEnd::Broken => Unread::Refused(Refusal::Broken),
            ProcessEnd::NoBytes => Unread::NoBytes,
            ProcessEnd::NotStarted => Unread::NotStarted,
        }
    }
}

impl DocumentReader {
    /// One that starts that program.
    pub fn new(program: PathBuf) -> DocumentReader {
        DocumentReader { program, memory_mib: MEMORY_MIB, time_limit: TIME_LIMIT }
    }

    /// One that starts the program that runs.
    pub fn of_this_program() -> DocumentReader {
        DocumentReader::new(this_program())
    }

    /// The program that it starts.
    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    /// Reads a document.
    pub async fn read(&self, kind: Kind, bytes: FileBytes) -> Result<Document, Unread> {
        let DocumentReader { program, memory_mib, time_limit } = self.clone();
        let process = LimitedProcess { program, memory_mib, time_limit };
        let command = ["read-document", "--kind", kind.as_str()];
        let answer = process.run(&command, bytes, LONGEST_ANSWER).await?;
        match serde_json::from_slice(&answer) {
            Ok(Answer::Read(document)) => Ok(document),
            Ok(Answer::Refused(refusal)) => Err(Unread::Refused(refusal)),
            Err(_) => Err(Unread::Refused(Refusal::Broken)),
        }
    }
}

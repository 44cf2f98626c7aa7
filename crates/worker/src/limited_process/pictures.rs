//! Pictures are read in a process of their own, with limits (`limited_process`): this program with the command `read-picture`.

use std::path::PathBuf;
use std::time::Duration;

use pagesmith_file_storage::FileBytes;
use pagesmith_pictures::{Answer, Kind, Picture, Refusal};

use crate::limited_process::documents::DocumentReader;
use crate::limited_process::{LimitedProcess, ProcessEnd};

/// What reads pictures and makes their variants.
#[derive(Debug, Clone)]
pub struct PictureReader {
    program: PathBuf,
    /// How much memory the process has that reads one, in mebibytes of its address space.
    pub memory_mib: u64,
    /// How long reading one may take.
    pub time_limit: Duration,
}

/// Why a picture has no variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unmade {
    /// The process says why.
    Refused(Refusal),
    /// It took too long.
    TooLong,
    /// The process needed more memory than it had.
    TooMuch,
    /// The bytes were not to be had.
    NoBytes,
    /// There was no process.
    NotStarted,
}

impl Unmade {
    /// The reason.
    pub fn reason(self) -> &'static str {
        match self {
            Unmade::Refused(refusal) => refusal.reason(),
            Unmade::TooLong => "It took too long to read the picture.",
            Unmade::TooMuch => "The picture needs more memory than there is for reading it.",
            Unmade::NoBytes => "The storage of files could not be read.",
            Unmade::NotStarted => "The process that reads pictures could not be started.",
        }
    }

    /// Whether another try may help.
    pub fn may_pass(self) -> bool {
        matches!(self, Unmade::NoBytes | Unmade::NotStarted)
    }
}

impl From<ProcessEnd> for Unmade {
    fn from(ended: ProcessEnd) -> Unmade {
        match ended {
            ProcessEnd::TooLong => Unmade::TooLong,
            ProcessEnd::TooMuch => Unmade::TooMuch,
            ProcessEnd::Broken => Unmade::Refused(Refusal::Broken),
            ProcessEnd::NoBytes => Unmade::NoBytes,
            ProcessEnd::NotStarted => Unmade::NotStarted,
        }
    }
}

impl PictureReader {
    /// One with the program and the limits of what reads documents.
    pub fn like(documents: &DocumentReader) -> PictureReader {
        PictureReader {
            program: documents.program().to_owned(),
            memory_mib: documents.memory_mib,
            time_limit: documents.time_limit,
        }
    }

    /// Reads a picture.
    pub async fn read(&self, kind: Kind, bytes: FileBytes) -> Result<Picture, Unmade> {
        self.answer(&["read-picture", "--kind", kind.as_str()], bytes).await
    }

    /// Reads a picture that is no drawing, with variants as AVIF. They have a process and limits of their own: a picture for which these do not
    /// suffice keeps its other variants.
    pub async fn read_as_avif(&self, bytes: FileBytes) -> Result<Picture, Unmade> {
        self.answer(&["read-picture", "--kind", Kind::Raster.as_str(), "--avif"], bytes).await
    }

    async fn answer(&self, command: &[&str], bytes: FileBytes) -> Result<Picture, Unmade> {
        let PictureReader { program, memory_mib, time_limit } = self.clone();
        let process = LimitedProcess { program, memory_mib, time_limit };
        let answer = process.run(command, bytes, Answer::LONGEST).await?;
        match Answer::decode(&answer) {
            Some(Answer::Read(picture)) => Ok(picture),
            Some(Answer::Refused(refusal)) => Err(Unmade::Refused(refusal)),
            None => Err(Unmade::Refused(Refusal::Broken)),
        }
    }
}

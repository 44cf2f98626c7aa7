//! Fonts are read in a process of their own, with limits (`limited_process`): this program with the command `read-font`.
//!
//! Whoever sets a look waits for it, so a font gets little time, and few are read at once.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use pagesmith_fonts::{Answer, Refusal};
use pagesmith_model::brand::font::FontFacts;
use pagesmith_operations::brands::fonts::{FontReading, Reading};
use tokio::sync::Semaphore;

use crate::limited_process::documents::DocumentReader;
use crate::limited_process::{LimitedProcess, ProcessEnd};

/// How many are read at once.
const CONCURRENCY: usize = 2;
/// How long reading one may take: a large one takes a tenth of a second.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// What reads fonts.
#[derive(Debug, Clone)]
pub struct FontReader {
    program: PathBuf,
    memory_mib: u64,
    turns: Arc<Semaphore>,
}

impl FontReader {
    /// One with the program and the memory of what reads documents.
    pub fn like(documents: &DocumentReader) -> FontReader {
        FontReader {
            program: documents.program().to_owned(),
            memory_mib: documents.memory_mib,
            turns: Arc::new(Semaphore::new(CONCURRENCY)),
        }
    }

    async fn facts(&self, bytes: Vec<u8>) -> Result<FontFacts, String> {
        let _turn = self.turns.acquire().await.map_err(|_| reason(ProcessEnd::NotStarted).to_owned())?;
        let FontReader { program, memory_mib, .. } = self.clone();
        let process = LimitedProcess { program, memory_mib, time_limit: TIME_LIMIT };
        let bytes = futures_util::stream::iter([Ok(Bytes::from(bytes))]).boxed();
        let answer = process.run(&["read-font"], bytes, Answer::LONGEST).await;
        match answer.map(|answer| Answer::decode(&answer)) {
            Ok(Some(Answer::Read(facts))) => Ok(facts),
            Ok(Some(Answer::Refused(refusal))) => Err(refusal.reason().to_owned()),
            Ok(None) => Err(Refusal::Broken.reason().to_owned()),
            Err(ended) => Err(reason(ended).to_owned()),
        }
    }
}

impl FontReading for FontReader {
    fn read(&self, bytes: Vec<u8>) -> Reading<'_> {
        Box::pin(self.facts(bytes))
    }
}

/// Why a process has not answered.
fn reason(ended: ProcessEnd) -> &'static str {
    match ended {
        ProcessEnd::Broken => Refusal::Broken.reason(),
        ProcessEnd::TooLong => "It took too long to read the font.",
        ProcessEnd::TooMuch => "The font needs more memory than there is for reading it.",
        ProcessEnd::NoBytes => "The storage of files could not be read.",
        ProcessEnd::NotStarted => "The process that reads fonts could not be started.",
    }
}

//! `read-document`: what a document on standard input says, as JSON on standard output. The server starts it for each file that it reads.
//!
//! Before it looks at the document it gives itself limits that it cannot raise again: of memory, of time on a processor, and that it opens
//! nothing. So it reads no settings either. It may end without an answer; who started it knows what that means.

use std::io::Read;
use std::thread;

use clap::Args;
use pagesmith_documents::{Answer, Kind, LARGEST, Refusal};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::output;
use crate::failure::{Failure, Result};

/// How large the stack is on which a document is read, in bytes; it is a part of the memory.
const STACK: usize = 64 * 1024 * 1024;
/// What a thread that panics ends the program with, as Rust itself does.
const PANICKED: i32 = 101;

/// How a document is read.
#[derive(Args)]
pub struct Flags {
    /// What the document is: pdf, office, old-office, html, markdown, plain or csv.
    #[arg(long, value_name = "KIND", value_parser = kind)]
    kind: Kind,
    /// How many mebibytes of address space it may take.
    #[arg(long, value_name = "NUMBER")]
    memory_mib: u64,
    /// How many seconds of a processor it may take.
    #[arg(long, value_name = "NUMBER")]
    seconds: u64,
}

fn kind(name: &str) -> std::result::Result<Kind, String> {
    Kind::parse(name).ok_or_else(|| "no such kind".to_owned())
}

/// Reads the document, and says what it says.
pub fn run(flags: &Flags) -> Result<()> {
    limit(Resource::Core, 0)?;
    limit(Resource::As, flags.memory_mib.saturating_mul(1024 * 1024))?;
    limit(Resource::Cpu, flags.seconds)?;
    limit(Resource::Fsize, 0)?;
    // What is open stays open: the three ends of the conversation.
    limit(Resource::Nofile, 0)?;
    let mut bytes = Vec::new();
    let most = u64::try_from(LARGEST).unwrap_or(u64::MAX);
    std::io::stdin().lock().take(most + 1).read_to_end(&mut bytes)?;
    let kind = flags.kind;
    let reading = move || match bytes.len() > LARGEST {
        true => Err(Refusal::Large),
        false => pagesmith_documents::read(kind, &bytes),
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(reading)?;
    let answer = match thread.join() {
        Ok(Ok(document)) => Answer::Read(document),
        Ok(Err(refusal)) => Answer::Refused(refusal),
        Err(_) => std::process::exit(PANICKED),
    };
    let answer = serde_json::to_vec(&answer).map_err(|error| Failure::new(error.to_string()))?;
    output::bytes(&answer)
}

/// Sets a limit, if the system does not have a lower one already.
fn limit(resource: Resource, most: u64) -> Result<()> {
    let maximum = getrlimit(resource).maximum.map_or(most, |maximum| maximum.min(most));
    // Of a processor's time, the first limit is a signal that tells what happened; the second one kills.
    let spare = u64::from(resource == Resource::Cpu);
    let limit = Rlimit { current: Some(maximum), maximum: Some(maximum.saturating_add(spare)) };
    setrlimit(resource, limit).map_err(|error| Failure::new(format!("a limit cannot be set: {error}")))
}

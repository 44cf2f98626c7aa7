//! What a process that reads other people's files gives itself before it looks at one: limits that it cannot raise again.
//!
//! They are of memory, of time on a processor, and that it opens and writes nothing. It may end without an answer; who started it knows what
//! that means.

use std::io::Read;
use std::thread;

use clap::Args;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::failure::{Failure, Result};

/// How large the stack is on which a file is read, in bytes; it is a part of the memory.
const STACK: usize = 64 * 1024 * 1024;
/// What a thread that panics ends the program with, as Rust itself does.
const PANICKED: i32 = 101;

/// The limits.
#[derive(Args, Clone, Copy)]
pub struct Limits {
    /// How many mebibytes of address space it may take beside the program itself.
    #[arg(long, value_name = "NUMBER")]
    memory_mib: u64,
    /// How many seconds of a processor it may take.
    #[arg(long, value_name = "NUMBER")]
    seconds: u64,
}

impl Limits {
    /// Sets the limits, takes the file from standard input, at most one byte more than `largest`, and reads it.
    pub fn run<T: Send + 'static>(
        self,
        largest: usize,
        read: impl FnOnce(Vec<u8>) -> T + Send + 'static,
    ) -> Result<T> {
        limit(Resource::Core, 0)?;
        limit(Resource::As, self.memory_mib.saturating_mul(1024 * 1024).saturating_add(taken_already()))?;
        limit(Resource::Cpu, self.seconds)?;
        limit(Resource::Fsize, 0)?;
        // What is open stays open: the three ends of the conversation.
        limit(Resource::Nofile, 0)?;
        let mut bytes = Vec::new();
        let most = u64::try_from(largest).unwrap_or(u64::MAX).saturating_add(1);
        std::io::stdin().lock().take(most).read_to_end(&mut bytes)?;
        // Without room for the stack there is too little memory, which ends a process by a signal.
        let spawned = thread::Builder::new().stack_size(STACK).spawn(move || read(bytes));
        let thread = spawned.unwrap_or_else(|_| std::process::abort());
        match thread.join() {
            Ok(read) => Ok(read),
            Err(_) => std::process::exit(PANICKED),
        }
    }
}

/// How many bytes of address space the program has before it reads anything; none where the system does not say so.
fn taken_already() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:"));
    let kib = size.and_then(|size| size.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.unwrap_or(0).saturating_mul(1024)
}

/// Sets a limit, if the system does not have a lower one already.
fn limit(resource: Resource, most: u64) -> Result<()> {
    let maximum = getrlimit(resource).maximum.map_or(most, |maximum| maximum.min(most));
    // Of a processor's time, the first limit is a signal that tells what happened; the second one kills.
    let spare = u64::from(resource == Resource::Cpu);
    let limit = Rlimit { current: Some(maximum), maximum: Some(maximum.saturating_add(spare)) };
    setrlimit(resource, limit).map_err(|error| Failure::new(format!("a limit cannot be set: {error}")))
}

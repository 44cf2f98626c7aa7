//! A program of others that serves at an address of its own choice, and says it in its log.

use std::io::{self, BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A running program; it ends with this.
pub struct Program {
    process: Child,
    /// Where it serves.
    pub address: String,
}

impl Program {
    /// Starts it, and reads what it writes to its standard error until a line has its address.
    pub fn start(command: &mut Command, address_in: impl Fn(&str) -> Option<String>) -> Program {
        let mut process =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(process.stderr.take().unwrap());
        let mut line = String::new();
        let address = loop {
            line.clear();
            assert_ne!(said.read_line(&mut line).unwrap(), 0, "{command:?} has ended");
            if let Some(address) = address_in(&line) {
                break address;
            }
        };
        // Whatever else it says is read, so that it never waits for a reader.
        std::thread::spawn(move || io::copy(&mut said, &mut io::sink()));
        Program { process, address }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

//! Runs `cargo test` and says in the reason of a failure which tests failed and how.
//!
//! The output of a whole run is tens of thousands of lines, and what failed may be said near its beginning. So it is
//! said again at the end, where people look first and where a log that was cut still has it.

use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::process::{Command, Stdio};

use crate::shell::{self, Outcome};

/// How many lines of one test's output are said again.
const LINES_OF_A_TEST: usize = 40;

/// How many tests that failed are named.
const TESTS: usize = 20;

/// Runs the command, which ends with the arguments of the test runner, with its output passed through.
pub fn run(command: &mut Command) -> Outcome {
    if std::io::stdout().is_terminal() {
        command.arg("--color=always");
    }
    let shown = shell::show(command);
    shell::say(format!("\n$ {shown}"));
    let not_started = |error| format!("`{shown}` could not be started: {error}");
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(not_started)?;
    let mut failures = Failures::default();
    if let Some(output) = child.stdout.take() {
        pass_through(BufReader::new(output), &mut failures).map_err(|error| format!("`{shown}`: {error}"))?;
    }
    match child.wait() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` failed ({status}){}", failures.listed())),
        Err(error) => Err(not_started(error)),
    }
}

/// Writes each line as soon as it is there. A closed terminal is no reason to stop.
fn pass_through(mut output: impl BufRead, failures: &mut Failures) -> std::io::Result<()> {
    let mut line = Vec::new();
    while output.read_until(b'\n', &mut line)? > 0 {
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(&line).and_then(|()| out.flush());
        failures.read(String::from_utf8_lossy(&line).trim_end());
        line.clear();
    }
    Ok(())
}

/// What the test runner says of the tests that failed: `---- NAME stdout ----`, their output, and a list of all names.
#[derive(Debug, Default)]
struct Failures {
    /// Each with its output, in the order of the runner.
    tests: Vec<Vec<String>>,
    /// Whether the lines that come belong to the last of them.
    within: bool,
}

impl Failures {
    fn read(&mut self, line: &str) {
        let name = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" ----"));
        if let Some(name) = name {
            self.tests.push(vec![name.to_owned()]);
            self.within = true;
        } else if line == "failures:" || line.starts_with("test result:") {
            self.within = false;
        } else if let Some(test) = self.tests.last_mut().filter(|_| self.within)
            && test.len() <= LINES_OF_A_TEST
        {
            test.push(line.to_owned());
        }
    }

    /// What follows the reason of a failure.
    fn listed(&self) -> String {
        let mut told = String::new();
        for test in self.tests.iter().take(TESTS) {
            for (number, line) in test.iter().enumerate() {
                told.push_str(if number == 0 { "\n  " } else { "\n    " });
                told.push_str(line);
            }
        }
        if self.tests.len() > TESTS {
            told.push_str(&format!("\n  and {} more", self.tests.len() - TESTS));
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::{Failures, LINES_OF_A_TEST, TESTS};

    fn told(output: &str) -> String {
        let mut failures = Failures::default();
        output.lines().for_each(|line| failures.read(line));
        failures.listed()
    }

    #[test]
    fn what_failed_is_said_with_its_output() {
        let output = "running 3 tests\ntest a::works ... ok\ntest a::fails ... FAILED\ntest b::fails ... FAILED\n\n\
                      failures:\n\n---- a::fails stdout ----\nleft: 1\nright: 2\n---- b::fails stdout ----\nwhy\n\n\
                      failures:\n    a::fails\n    b::fails\n\ntest result: FAILED. 1 passed; 2 failed";
        assert_eq!(
            told(output),
            "\n  a::fails stdout\n    left: 1\n    right: 2\n  b::fails stdout\n    why\n    "
        );
        assert_eq!(told("running 1 test\ntest a::works ... ok\n\ntest result: ok. 1 passed"), "");
    }

    #[test]
    fn long_output_and_many_failures_are_cut() {
        let long: String = (0..1000).map(|number| format!("line {number}\n")).collect();
        assert_eq!(told(&format!("---- a stdout ----\n{long}")).lines().count(), 2 + LINES_OF_A_TEST);
        let many: String = (0..TESTS + 5).map(|number| format!("---- t{number} stdout ----\n")).collect();
        assert!(told(&many).ends_with("t19 stdout\n  and 5 more"), "{}", told(&many));
    }
}

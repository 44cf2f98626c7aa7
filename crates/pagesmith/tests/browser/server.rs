//! `pagesmith demo` as a process of its own, and what it prints.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// The example, being served; it ends with the test.
pub struct Demo {
    process: Child,
    /// The links to its pages, in the order in which they were printed.
    pub links: Vec<String>,
    _folder: tempfile::TempDir,
}

impl Demo {
    /// Starts it on a free port with a database of its own.
    pub fn start() -> Demo {
        let folder = tempfile::tempdir().unwrap();
        let mut process = Command::new(env!("CARGO_BIN_EXE_pagesmith"))
            .args(["demo", "--listen", "127.0.0.1:0"])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines().map(Result::unwrap);
        let said = lines.take_while(|line| !line.starts_with("Ctrl-C"));
        let links = said.filter_map(|line| Some(format!("http{}", line.split_once("http")?.1)));
        let links = links.filter(|link| link.contains("localhost")).collect();
        Demo { process, links, _folder: folder }
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

//! The machine, as far as a number cannot be understood without it.

use std::path::Path;
use std::process::Command;

use crate::Result;
use crate::server::{kilobytes, sync_time};
use crate::setup::Setup;

/// Lines of "what" and "which", for the head of the report.
pub type Description = Vec<(&'static str, String)>;

/// Describes the machine that this runs on.
pub fn describe(setup: &Setup) -> Result<Description> {
    let directory = setup.directory.path();
    let cores = std::thread::available_parallelism()?;
    let memory = kilobytes(&std::fs::read_to_string("/proc/meminfo")?, "MemTotal:")?;
    let sync = sync_time(directory)?;
    let mut lines = vec![
        ("Processor", format!("{}, {cores} cores", processor()?)),
        ("Memory", format!("{:.1} GiB", memory as f64 / f64::from(1 << 30))),
        ("System", format!("{}, Linux {}", distribution(), read("/proc/sys/kernel/osrelease"))),
        (
            "Disk",
            format!("{}; 4 KiB made durable in {} µs (median)", file_system(directory)?, sync.as_micros()),
        ),
        ("Compiler", output("rustc", &["--version"])),
        (
            "SQLite",
            format!("{}, bundled (the floor's; the service's is the same crate)", rusqlite::version()),
        ),
    ];
    match &setup.postgres {
        Some(server) => lines.push(("PostgreSQL", server.describe()?)),
        None => lines.push(("PostgreSQL", "not measured: PAGESMITH_BENCH_POSTGRES is not set".to_owned())),
    }
    lines.push((
        "Load",
        "same machine, one thread, closed loops over keep-alive HTTP/1.1 on loopback".to_owned(),
    ));
    Ok(lines)
}

/// Today, as the machine has it.
pub fn date() -> String {
    output("date", &["-u", "+%-d %b %Y"])
}

fn processor() -> Result<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo")?;
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    Ok(model.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.to_owned()))
}

fn distribution() -> String {
    let text = read("/etc/os-release");
    let name = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    name.unwrap_or("unknown distribution").trim_matches('"').to_owned()
}

/// The type and device of the file system that holds `directory`: the longest mount point above it.
fn file_system(directory: &Path) -> Result<String> {
    let mounts = std::fs::read_to_string("/proc/mounts")?;
    let mut best = ("", "unknown", "");
    for line in mounts.lines() {
        let mut fields = line.split(' ');
        if let (Some(device), Some(point), Some(kind)) = (fields.next(), fields.next(), fields.next())
            && directory.starts_with(point)
            && point.len() >= best.2.len()
        {
            best = (device, kind, point);
        }
    }
    Ok(format!("{} on {}", best.1, best.0))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_default().trim().to_owned()
}

fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    output
        .map_or_else(|_| "unknown".to_owned(), |done| String::from_utf8_lossy(&done.stdout).trim().to_owned())
}

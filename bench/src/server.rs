//! Child processes: the measured server and the floors, each with a memory figure of its own.
//!
//! A child never outlives its handle: dropping it kills it by its process id, also when the run fails.
//! Figures come from `/proc`, so measuring works on Linux only.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::Result;

/// How long a server may take until `/readyz` answers 200.
const START_LIMIT: Duration = Duration::from_secs(60);
/// A clean stop may finish running requests for 20 s.
const STOP_LIMIT: Duration = Duration::from_secs(25);

/// What a process has used so far.
#[derive(Clone, Copy, Default)]
pub struct Usage {
    pub cpu: Duration,
    pub resident_bytes: u64,
    pub peak_bytes: u64,
}

/// A running child that answers HTTP.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
    log: PathBuf,
    /// From the start of the process to the first 200 from `/readyz`.
    pub ready_in: Duration,
}

impl Server {
    /// Starts `program`, whose arguments `arguments` makes from the port, and waits until it is ready.
    pub fn start(
        program: &Path,
        directory: &Path,
        name: &str,
        environment: &[(&str, &str)],
        arguments: impl FnOnce(u16) -> Vec<String>,
    ) -> Result<Self> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, free_port()?));
        let log = directory.join(format!("{name}.log"));
        // Appending, so that the file can be cut between two measurements.
        let file = OpenOptions::new().create(true).append(true).open(&log)?;
        let begun = Instant::now();
        let child = Command::new(program)
            .args(arguments(address.port()))
            // A developer's own settings must not change what is measured.
            .env_clear()
            .envs(environment.iter().copied())
            .current_dir(directory)
            // Where the key stands that PostgreSQL's servers need.
            .env("XDG_DATA_HOME", directory)
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file)
            .spawn()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        let mut server = Self { child, address, log, ready_in: Duration::ZERO };
        while !ready(address) {
            if let Some(status) = server.child.try_wait()? {
                return Err(
                    format!("{name} ended before it was ready ({status}):\n{}", server.last_words()).into()
                );
            }
            if begun.elapsed() > START_LIMIT {
                return Err(
                    format!("{name} is not ready after {START_LIMIT:?}:\n{}", server.last_words()).into()
                );
            }
            std::thread::sleep(Duration::from_micros(500));
        }
        server.ready_in = begun.elapsed();
        Ok(server)
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Empties the log: millions of lines would fill the disk, and each was written already.
    pub fn cut_log(&self) -> Result<()> {
        Ok(OpenOptions::new().write(true).open(&self.log)?.set_len(0)?)
    }

    /// Asks it to end and waits until it has, so that its database can be opened again.
    pub fn stop(mut self) -> Result<()> {
        // The shell's own `kill`: the program of that name is not installed everywhere.
        Command::new("sh").args(["-c", &format!("kill -TERM {}", self.child.id())]).status()?;
        let begun = Instant::now();
        while self.child.try_wait()?.is_none() {
            if begun.elapsed() > STOP_LIMIT {
                return Err("the server did not end after SIGTERM".into());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok(())
    }

    fn last_words(&self) -> String {
        let text = std::fs::read(&self.log).unwrap_or_default();
        String::from_utf8_lossy(&text[text.len().saturating_sub(2_000)..]).into_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail only if it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads what a process has used from `/proc`.
pub fn usage(pid: u32) -> Result<Usage> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The second field, the name, may hold anything; what follows its closing bracket does not.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| {
        fields.get(at).and_then(|field| field.parse::<u64>().ok()).ok_or("unreadable /proc/PID/stat")
    };
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    // Linux shows ticks of a hundredth of a second to every program, whatever the kernel counts in.
    let cpu = Duration::from_millis((ticks(11)? + ticks(12)?) * 10);
    Ok(Usage {
        cpu,
        resident_bytes: kilobytes(&status, "VmRSS:")?,
        peak_bytes: kilobytes(&status, "VmHWM:")?,
    })
}

/// The value of a `Name:   123 kB` line, in bytes.
pub fn kilobytes(text: &str, name: &str) -> Result<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name)).ok_or_else(|| format!("no {name}"))?;
    Ok(line.trim().trim_end_matches("kB").trim().parse::<u64>()? * 1024)
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

/// Whether `/readyz` answers 200; plain blocking calls, because the time to start is measured with it.
fn ready(address: SocketAddr) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        stream.write_all(b"GET /readyz HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")?;
        let mut status = [0; 12];
        stream.read_exact(&mut status)?;
        Ok(status.ends_with(b" 200"))
    };
    ask().unwrap_or(false)
}

const DIRECTORY: &str = "pagesmith-bench-";

/// A directory that is removed with everything in it when it is dropped.
pub struct TemporaryDirectory(PathBuf);

impl TemporaryDirectory {
    /// Makes one below `parent`, named after this process, and removes what interrupted runs left there.
    pub fn below(parent: &Path) -> Result<Self> {
        std::fs::create_dir_all(parent)?;
        for entry in std::fs::read_dir(parent)?.flatten() {
            let name = entry.file_name();
            let owner = name.to_str().and_then(|name| name.strip_prefix(DIRECTORY)?.parse::<u32>().ok());
            if owner.is_some_and(|pid| !Path::new("/proc").join(pid.to_string()).exists()) {
                std::fs::remove_dir_all(entry.path())?;
            }
        }
        let path = parent.join(format!("{DIRECTORY}{}", std::process::id()));
        std::fs::create_dir(&path)?;
        Ok(Self(path.canonicalize()?))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryDirectory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// How long the disk takes to make 4 KiB durable: the median of some attempts.
pub fn sync_time(directory: &Path) -> Result<Duration> {
    let mut file = File::create(directory.join("sync"))?;
    let mut times = Vec::new();
    for _ in 0..101 {
        file.write_all(&[7; 4096])?;
        let begun = Instant::now();
        file.sync_data()?;
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    Ok(times[times.len() / 2])
}

//! Receivers of webhooks, as cheap as they can be: one thread for all, which reads a request and answers 204.
//!
//! Counts what arrives, remembers when every thousandth did, and measures how long ago its version was marked as being published. A dead
//! one takes connections and never answers.

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};

use crate::Result;
use crate::histogram::Histogram;

/// How many arrivals lie between two that are remembered.
pub const STEP: u64 = 1_000;
const ANSWER: &[u8] = b"HTTP/1.1 204 No Content\r\n\r\n";

/// Running receivers; they end with this.
pub struct Receivers {
    /// The address of each.
    pub urls: Vec<String>,
    seen: Arc<Seen>,
    runtime: Runtime,
}

#[derive(Default)]
struct Seen {
    count: AtomicU64,
    told: Mutex<Arrivals>,
}

#[derive(Default)]
struct Arrivals {
    /// When the first, the thousandth, the two thousandth arrived.
    times: Vec<Instant>,
    /// Since when each version is on its way.
    marks: HashMap<String, Instant>,
    latencies: Option<Histogram>,
}

impl Receivers {
    /// So many that answer.
    pub fn start(count: usize) -> Result<Receivers> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let mut receivers = Receivers { urls: vec![], seen: Arc::default(), runtime };
        for _ in 0..count {
            let listener = receivers.listen()?;
            let seen = Arc::clone(&receivers.seen);
            receivers.runtime.spawn(async move {
                while let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(serve(stream, Arc::clone(&seen)));
                }
            });
        }
        Ok(receivers)
    }

    /// One more, which never answers.
    pub fn add_dead(&mut self) -> Result<()> {
        let listener = self.listen()?;
        self.runtime.spawn(async move {
            let mut held = Vec::new();
            while let Ok((stream, _)) = listener.accept().await {
                held.push(stream);
            }
        });
        Ok(())
    }

    fn listen(&mut self) -> Result<TcpListener> {
        let listener = self.runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?;
        self.urls.push(format!("http://{}/", listener.local_addr()?));
        Ok(listener)
    }

    /// How many requests have arrived.
    pub fn count(&self) -> u64 {
        self.seen.count.load(Ordering::Relaxed)
    }

    /// Waits until so many have arrived in all; when that was.
    pub fn wait_for(&self, count: u64, time_limit: Duration) -> Result<Instant> {
        let begun = Instant::now();
        while self.count() < count {
            if begun.elapsed() > time_limit {
                return Err(format!("{} deliveries of {count} arrived", self.count()).into());
            }
            std::thread::sleep(Duration::from_micros(500));
        }
        Ok(Instant::now())
    }

    /// When the first, the thousandth, the two thousandth arrived, and so on.
    pub fn times(&self) -> Vec<Instant> {
        self.arrivals().times.clone()
    }

    /// From now on latencies are measured.
    pub fn measure(&self) {
        self.arrivals().latencies = Some(Histogram::new());
    }

    /// What was measured.
    pub fn measured(&self) -> Histogram {
        self.arrivals().latencies.take().unwrap_or_else(Histogram::new)
    }

    /// A version begins to be published now.
    pub fn mark(&self, version: &str) {
        self.arrivals().marks.insert(version.to_owned(), Instant::now());
    }

    fn arrivals(&self) -> MutexGuard<'_, Arrivals> {
        self.seen.arrivals()
    }
}

impl Seen {
    fn arrivals(&self) -> MutexGuard<'_, Arrivals> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn arrived(&self, body: &[u8]) {
        let now = Instant::now();
        let count = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        let mut told = self.arrivals();
        if count == 1 || count.is_multiple_of(STEP) {
            told.times.push(now);
        }
        if told.latencies.is_some()
            && let Some(begun) = version(body).and_then(|version| told.marks.get(version).copied())
            && let Some(latencies) = &mut told.latencies
        {
            latencies.record(now - begun);
        }
    }
}

/// The version that an event is about.
fn version(body: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(body).ok()?;
    text.split_once("\"versionId\":\"")?.1.split('"').next()
}

/// Reads requests and answers them until the other side closes.
async fn serve(mut stream: TcpStream, seen: Arc<Seen>) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = Vec::with_capacity(8 * 1024);
    loop {
        let end = loop {
            if let Some(at) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
                break at + 4;
            }
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
        };
        let whole = end + content_length(&buffer[..end]);
        while buffer.len() < whole {
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
        }
        seen.arrived(&buffer[end..whole]);
        buffer.drain(..whole);
        stream.write_all(ANSWER).await?;
    }
}

fn content_length(head: &[u8]) -> usize {
    let lines = head.split(|byte| *byte == b'\n');
    let mut value = lines.filter_map(|line| {
        let (name, value) = line.split_at_checked(15)?;
        name.eq_ignore_ascii_case(b"content-length:").then_some(value.trim_ascii())
    });
    value.next().and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read_whole() {
        assert_eq!(content_length(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n\r\n"), 12);
        assert_eq!(content_length(b"GET / HTTP/1.1\r\n\r\n"), 0);
        let body = br#"{"timestamp":"t","eventId":"e","payload":{"type":"x","versionId":"version_1"}}"#;
        assert_eq!(version(body), Some("version_1"));
        assert_eq!(version(b"{}"), None);
    }
}

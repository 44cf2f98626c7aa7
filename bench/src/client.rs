//! The load generator: closed loops over keep-alive HTTP/1.1 connections, one thread for all of them.
//!
//! It reads a status and a `Content-Length` body and nothing more, because each microsecond it takes is
//! one that the server on the same two cores does not get. Each connection sends the next request when
//! the last is answered, so latencies are those of a server that is never asked for more than it gives.
//! Every run is bounded in time; every answer counts, and one that is not 2xx is an error.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::Result;
use crate::histogram::Histogram;
use crate::request::Template;
use crate::server::{Usage, usage};

/// How long after its planned end a run may still wait for answers.
const TIME_LIMIT: Duration = Duration::from_secs(35);

/// What one run of load showed.
pub struct LoadOutcome {
    /// Of the answers that came inside the measured time.
    pub latencies: Histogram,
    pub seconds: f64,
    pub errors: u64,
    /// The first answer that was not 2xx, or the first broken connection.
    pub first_error: Option<String>,
    /// What the watched process used: at the start and at the end of the measured time.
    pub usage: Option<(Usage, Usage)>,
    /// CPU that the load generator itself took in the measured time.
    pub own_cpu: Duration,
}

struct Tally {
    latencies: Histogram,
    errors: u64,
    first_error: Option<String>,
    /// Requests that may still be started, where a run is bounded by their number.
    left: u64,
    ids: Vec<String>,
}

#[derive(Clone, Copy)]
struct Window {
    start: Instant,
    end: Instant,
}

/// Drives `address` for a warm-up and then for the measured time, watching the process `pid`.
pub fn run(
    address: SocketAddr,
    template: &Template,
    connections: usize,
    warm_up: Duration,
    measured: Duration,
    pid: u32,
) -> Result<LoadOutcome> {
    let own = std::process::id();
    runtime()?.block_on(async {
        let streams = connect(address, connections).await?;
        let start = Instant::now() + warm_up;
        let window = Window { start, end: start + measured };
        let tally = shared(u64::MAX);
        let tasks = spawn(streams, template, window, &tally, false);
        tokio::time::sleep_until(window.start.into()).await;
        let before = (usage(pid)?, usage(own)?);
        tokio::time::sleep_until(window.end.into()).await;
        let after = (usage(pid)?, usage(own)?);
        finish(tasks, TIME_LIMIT).await?;
        let tally = take(&tally);
        Ok(LoadOutcome {
            latencies: tally.latencies,
            seconds: measured.as_secs_f64(),
            errors: tally.errors,
            first_error: tally.first_error,
            usage: Some((before.0, after.0)),
            own_cpu: after.1.cpu - before.1.cpu,
        })
    })
}

/// Drives `address` as long as `work` takes; what it answered, and what came of the work.
pub fn beside<T: Send + 'static>(
    address: SocketAddr,
    template: &Template,
    connections: usize,
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<(T, Histogram, Option<String>)> {
    runtime()?.block_on(async {
        let streams = connect(address, connections).await?;
        let start = Instant::now();
        let window = Window { start, end: start + Duration::from_secs(900) };
        let tally = shared(u64::MAX);
        let tasks = spawn(streams, template, window, &tally, false);
        let done = tokio::task::spawn_blocking(work).await?;
        tally.lock().unwrap_or_else(PoisonError::into_inner).left = 0;
        finish(tasks, TIME_LIMIT).await?;
        let tally = take(&tally);
        Ok((done?, tally.latencies, tally.first_error))
    })
}

/// Sends `count` requests over 256 connections and returns the page ids that were answered.
pub fn seed(address: SocketAddr, template: &Template, count: usize) -> Result<Vec<String>> {
    let ids = send(address, template, count)?;
    if ids.len() != count {
        return Err(format!("preparing pages: {} ids for {count} requests", ids.len()).into());
    }
    Ok(ids)
}

/// Sends `count` requests over 256 connections; the page ids in the answers, if there are any.
pub fn send(address: SocketAddr, template: &Template, count: usize) -> Result<Vec<String>> {
    runtime()?.block_on(async {
        let streams = connect(address, count.min(256)).await?;
        let start = Instant::now();
        let limit = Duration::from_secs(900);
        let tally = shared(count as u64);
        let tasks = spawn(streams, template, Window { start, end: start + limit }, &tally, true);
        finish(tasks, limit).await?;
        let tally = take(&tally);
        if let Some(error) = tally.first_error {
            return Err(format!("preparing: {} errors, the first: {error}", tally.errors).into());
        }
        Ok(tally.ids)
    })
}

/// Sends one request on a connection of its own; the answer's status, head and body.
pub fn fetch(address: SocketAddr, template: &Template) -> Result<(u16, String, Vec<u8>)> {
    let mut template = template.for_connection(0);
    runtime()?.block_on(async {
        let mut stream = TcpStream::connect(address).await?;
        let mut buffer = Vec::new();
        let exchange = exchange(&mut stream, template.next(), &mut buffer);
        let head = tokio::time::timeout(TIME_LIMIT, exchange).await??;
        let text = String::from_utf8_lossy(&buffer[..head.end]).into_owned();
        Ok((head.status, text, buffer.split_off(head.end)))
    })
}

fn runtime() -> Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?)
}

async fn connect(address: SocketAddr, connections: usize) -> Result<Vec<TcpStream>> {
    let mut streams = Vec::with_capacity(connections);
    for _ in 0..connections {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        streams.push(stream);
    }
    Ok(streams)
}

fn shared(left: u64) -> Arc<Mutex<Tally>> {
    let latencies = Histogram::new();
    Arc::new(Mutex::new(Tally { latencies, errors: 0, first_error: None, left, ids: Vec::new() }))
}

fn take(tally: &Arc<Mutex<Tally>>) -> Tally {
    let empty = Tally { latencies: Histogram::new(), errors: 0, first_error: None, left: 0, ids: Vec::new() };
    std::mem::replace(&mut tally.lock().unwrap_or_else(PoisonError::into_inner), empty)
}

type Tasks = tokio::task::JoinSet<()>;

fn spawn(
    streams: Vec<TcpStream>,
    template: &Template,
    window: Window,
    tally: &Arc<Mutex<Tally>>,
    keep_ids: bool,
) -> Tasks {
    let mut tasks = Tasks::new();
    for (number, stream) in streams.into_iter().enumerate() {
        tasks.spawn(connection(stream, template.for_connection(number), window, Arc::clone(tally), keep_ids));
    }
    tasks
}

async fn finish(mut tasks: Tasks, time_limit: Duration) -> Result<()> {
    let all = async { while tasks.join_next().await.is_some() {} };
    tokio::time::timeout(time_limit, all)
        .await
        .map_err(|_| "the server left requests without an answer".into())
}

/// One connection's loop. A broken connection ends it; the error is in the tally.
async fn connection(
    mut stream: TcpStream,
    mut template: Template,
    window: Window,
    tally: Arc<Mutex<Tally>>,
    keep_ids: bool,
) {
    let mut buffer = Vec::with_capacity(16 * 1024);
    let mut begun = Instant::now();
    while begun < window.end {
        {
            let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
            if tally.left == 0 {
                return;
            }
            tally.left -= 1;
        }
        let answer = exchange(&mut stream, template.next(), &mut buffer).await;
        let done = Instant::now();
        let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
        let problem = match answer {
            Ok(head) if head.status / 100 == 2 => {
                if done >= window.start && done < window.end {
                    tally.latencies.record(done - begun);
                }
                if keep_ids {
                    tally.ids.extend(page_id(&buffer[head.end..]));
                }
                None
            }
            Ok(head) => {
                let body = String::from_utf8_lossy(&buffer[head.end..]);
                Some((format!("{} {}", head.status, body.chars().take(300).collect::<String>()), false))
            }
            Err(error) => Some((error.to_string(), true)),
        };
        if let Some((text, broken)) = problem {
            tally.errors += 1;
            tally.first_error.get_or_insert(text);
            if broken {
                return;
            }
        }
        begun = done;
    }
}

struct Head {
    status: u16,
    /// Where the body begins.
    end: usize,
    length: usize,
}

async fn exchange(stream: &mut TcpStream, request: &[u8], buffer: &mut Vec<u8>) -> io::Result<Head> {
    buffer.clear();
    stream.write_all(request).await?;
    let mut head = None;
    loop {
        if stream.read_buf(buffer).await? == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "connection closed inside an answer"));
        }
        if head.is_none() {
            head = parse(buffer)?;
            if let Some(Head { end, length, .. }) = head {
                // One byte more than needed: a read that fills the buffer would be followed by an empty one.
                buffer.reserve((end + length + 1).saturating_sub(buffer.len()));
            }
        }
        match head {
            Some(head) if buffer.len() == head.end + head.length => return Ok(head),
            Some(Head { end, length, .. }) if buffer.len() > end + length => {
                return Err(invalid("more bytes than Content-Length"));
            }
            _ => {}
        }
    }
}

/// The status of an answer that has come whole.
pub fn whole(bytes: &[u8]) -> io::Result<Option<u16>> {
    let head = parse(bytes)?;
    Ok(head.filter(|head| bytes.len() >= head.end + head.length).map(|head| head.status))
}

/// The head, as soon as it has come whole.
fn parse(bytes: &[u8]) -> io::Result<Option<Head>> {
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n").map(|at| at + 4) else {
        return Ok(None);
    };
    let status = bytes.get(9..12).and_then(number).ok_or_else(|| invalid("no status line"))?;
    let length = bytes[..end].split(|byte| *byte == b'\n').find_map(|line| {
        let (name, value) = line.split_at_checked(15)?;
        if name.eq_ignore_ascii_case(b"content-length:") { number(value.trim_ascii()) } else { None }
    });
    // An answer of 204 has no body and need not say so.
    let length = length.or_else(|| (status == 204).then_some(0));
    let length = length.ok_or_else(|| invalid("an answer without Content-Length"))?;
    Ok(Some(Head { status: status as u16, end, length }))
}

fn number(digits: &[u8]) -> Option<usize> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

fn page_id(body: &[u8]) -> Option<String> {
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Created {
        page_id: String,
    }
    Some(serde_json::from_slice::<Created>(body).ok()?.page_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_whatever_the_case_of_its_names() {
        let bytes =
            b"HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length:  12\r\n\r\n{\"a\"";
        let head = parse(bytes).unwrap().unwrap();
        assert_eq!((head.status, head.length, &bytes[head.end..]), (201, 12, &b"{\"a\""[..]));
        assert!(parse(b"HTTP/1.1 200 OK\r\ncontent-le").unwrap().is_none());
        assert_eq!(parse(b"HTTP/1.1 204 No Content\r\ndate: x\r\n\r\n").unwrap().unwrap().length, 0);
        assert!(parse(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").is_err());
    }
}

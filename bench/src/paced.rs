//! Writes at a steady pace, beside whatever else is measured, and how long each took.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::Result;
use crate::histogram::Histogram;
use crate::pairs::Line;
use crate::request::Template;

/// Runs `work` while a request is sent so many times a second on one connection; what came of the work, and how long each answer took. A
/// request that had to wait for the answer to the one before counts from when it was due.
pub fn beside<T>(
    address: SocketAddr,
    template: &Template,
    per_second: u32,
    work: impl FnOnce() -> Result<T>,
) -> Result<(T, Histogram)> {
    let mut latencies = Histogram::new();
    if per_second == 0 {
        return Ok((work()?, latencies));
    }
    let mut line = Line::open(address)?;
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let sending = scope.spawn(|| {
            let (mut template, begun) = (template.for_connection(1), Instant::now());
            let mut sent = 0;
            while !over.load(Ordering::Relaxed) {
                let due = begun + Duration::from_secs(1) * sent / per_second;
                let wait = due.saturating_duration_since(Instant::now());
                std::thread::sleep(wait);
                let from = if wait.is_zero() { due } else { Instant::now() };
                line.call(&mut template).map_err(|error| error.to_string())?;
                latencies.record(from.elapsed());
                sent += 1;
            }
            Ok::<_, String>(latencies)
        });
        let outcome = work();
        over.store(true, Ordering::Relaxed);
        let latencies = sending.join().map_err(|_| "the thread that writes panicked")??;
        Ok((outcome?, latencies))
    })
}

//! Single functions timed without a server: what is too small to be seen in a request's time.
//!
//! `SUBJECTS` is the list. Each has a bar in nanoseconds where the project promises one.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::{Result, say};

/// One function under the clock.
struct Subject {
    name: &'static str,
    /// Nanoseconds a call may take at most.
    bar: Option<f64>,
    /// Runs the function this many times.
    repeat: fn(u64),
}

const SUBJECTS: [Subject; 1] =
    [Subject { name: "reading the monotonic clock (for comparison)", bar: None, repeat: read_clock }];

/// What one subject took.
pub struct Finding {
    pub name: &'static str,
    pub nanos: f64,
    pub bar: Option<f64>,
}

/// Times every subject, one after the other.
pub fn measure() -> Vec<Finding> {
    let find =
        |subject: &Subject| Finding { name: subject.name, nanos: time(subject.repeat), bar: subject.bar };
    SUBJECTS.iter().map(find).collect()
}

/// Times every subject and prints it; `false` if a bar was missed.
pub fn run() -> Result<bool> {
    let findings = measure();
    for Finding { name, nanos, bar } in &findings {
        let bar = bar.map_or_else(String::new, |bar| format!(" (bar: {bar:.0} ns)"));
        say(&format!("{name}: {nanos:.0} ns a call{bar}"))?;
    }
    Ok(findings.iter().all(|found| found.bar.is_none_or(|bar| found.nanos <= bar)))
}

/// Nanoseconds a call: the median of eleven rounds, each long enough that the clock's own cost is nothing.
fn time(repeat: fn(u64)) -> f64 {
    let mut calls = 64;
    while elapsed(repeat, calls) < Duration::from_millis(20) {
        calls *= 2;
    }
    let mut rounds: Vec<f64> =
        (0..11).map(|_| elapsed(repeat, calls).as_secs_f64() * 1e9 / calls as f64).collect();
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 2]
}

fn elapsed(repeat: fn(u64), calls: u64) -> Duration {
    let begun = Instant::now();
    repeat(black_box(calls));
    begun.elapsed()
}

fn read_clock(calls: u64) {
    for _ in 0..calls {
        black_box(Instant::now());
    }
}

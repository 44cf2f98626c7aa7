//! Single functions timed without a server: what is too small to be seen in a request's time.
//!
//! `SUBJECTS` is the list. Each has a bar in nanoseconds where the project promises one.

use std::hint::black_box;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use pagesmith_http::extract::body::{self, Validators};
use pagesmith_model::Error;
use pagesmith_model::brief::Brief;
use pagesmith_model::key::Scope;
use pagesmith_model::page::NewPage;
use pagesmith_operations::access::KeyRing;
use pagesmith_operations::keys::{self, NewKey};
use pagesmith_operations::{Platform, bootstrap};
use pagesmith_store::Store;

use crate::sites_sample::Sample;
use crate::{Result, brief_sample, domains, editing, say};

/// One function under the clock.
struct Subject {
    name: &'static str,
    /// Nanoseconds a call may take at most.
    bar: Option<f64>,
    /// Runs the function this many times.
    repeat: fn(u64),
}

const SUBJECTS: [Subject; 8] = [
    Subject { name: "reading the monotonic clock (for comparison)", bar: None, repeat: read_clock },
    Subject {
        name: "authenticating a key among 1,000 and counting it against its limit",
        bar: Some(10_000.0),
        repeat: let_in,
    },
    // The longest body that is read on a thread that serves others, at its worst; such a thread is promised back within 5 ms.
    Subject {
        name: "reading and refusing a body of 8 KiB that breaks a rule every two bytes",
        bar: Some(5_000_000.0),
        repeat: refuse,
    },
    Subject { name: "looking up a host among 100,000 domains", bar: Some(1_000.0), repeat: domains::look_up },
    Subject { name: "rendering a page of 12 blocks", bar: Some(200_000.0), repeat: draw },
    Subject {
        name: "composing and checking a page from a brief of 50 KB, English",
        bar: Some(20_000_000.0),
        repeat: compose_english,
    },
    Subject {
        name: "composing and checking a page from a brief of 50 KB, German",
        bar: Some(20_000_000.0),
        repeat: compose_german,
    },
    // Each is promised within 300 ms, of which this may take a third.
    Subject {
        name: "four messages to the offline editor about the page of a brief of 50 KB",
        bar: Some(400_000_000.0),
        repeat: editing::say,
    },
];

/// What one subject took.
pub struct Finding {
    pub name: &'static str,
    pub nanos: f64,
    pub bar: Option<f64>,
}

/// Times every subject, one after the other.
pub fn measure() -> Result<Vec<Finding>> {
    // An authentication that fails would be fast.
    AUTHENTICATOR.as_ref().map_err(Clone::clone)?;
    SAMPLE.as_ref().map_err(Clone::clone)?;
    domains::prepare()?;
    editing::prepare()?;
    for brief in [&ENGLISH, &GERMAN] {
        brief.as_ref().map_err(Clone::clone)?;
    }
    let find =
        |subject: &Subject| Finding { name: subject.name, nanos: time(subject.repeat), bar: subject.bar };
    Ok(SUBJECTS.iter().map(find).collect())
}

/// Times every subject and prints it; `false` if a bar was missed.
pub fn run() -> Result<bool> {
    let findings = measure()?;
    for Finding { name, nanos, bar } in &findings {
        let bar = bar.map_or_else(String::new, |bar| format!(" (bar: {bar:.0} ns)"));
        say(&format!("{name}: {nanos:.0} ns a call{bar}"))?;
    }
    Ok(findings.iter().all(|found| found.bar.is_none_or(|bar| found.nanos <= bar)))
}

/// Nanoseconds a call: the median of eleven rounds, each long enough that the clock's own cost is nothing.
fn time(repeat: fn(u64)) -> f64 {
    // The first call may read tables that the others find.
    repeat(1);
    let mut calls = 1;
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

/// A ring of 1,000 keys, and the text of one of them.
struct Authenticator {
    runtime: tokio::runtime::Runtime,
    platform: Arc<Platform>,
    ring: KeyRing,
    secret: String,
}

/// Made on first use; a bench that cannot make it has nothing to measure.
static AUTHENTICATOR: LazyLock<std::result::Result<Authenticator, String>> =
    LazyLock::new(|| make_authenticator().map_err(|error| error.to_string()));

fn make_authenticator() -> Result<Authenticator> {
    let folder = tempfile::tempdir()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let platform = Platform::system();
    let store = Store::open_inline(&folder.path().join("keys.db"))?;
    let ring = KeyRing::new(store.clone());
    let secret = runtime.block_on(async {
        store.migrate().await?;
        let ctx = platform.context();
        let secret = store.write(move |tx| {
            bootstrap::first_start(tx, &ctx, None)?;
            let new = NewKey {
                name: "bench".to_owned(),
                scope: Scope::Write,
                tenants: vec![bootstrap::TENANT.to_owned()],
                expires_in: None,
                rate_limit: None,
            };
            for _ in 0..998 {
                keys::create(tx, &ctx, &new)?;
            }
            Ok(keys::create(tx, &ctx, &new)?.secret)
        });
        let secret = secret.await?;
        ring.refresh().await?;
        ring.authenticate(&secret, platform.clock().now()).await?;
        Ok::<_, Error>(secret)
    })?;
    Ok(Authenticator { runtime, platform, ring, secret })
}

fn let_in(calls: u64) {
    let Ok(authenticator) = &*AUTHENTICATOR else { return };
    authenticator.runtime.block_on(async {
        for _ in 0..calls {
            let now = authenticator.platform.clock().now();
            if let Ok(caller) = authenticator.ring.authenticate(black_box(&authenticator.secret), now).await {
                black_box(caller.hit(now, u32::MAX, Duration::from_secs(60)));
            }
        }
    });
}

/// The rules of bodies, and a body of 8 KiB that has a broken value every two bytes.
static BROKEN: LazyLock<(Validators, Vec<u8>)> = LazyLock::new(|| {
    let (begin, end) = ("{\"actions\":[", "0]}");
    let values = (8 * 1024 - begin.len() - end.len()) / 2;
    (Validators::default(), format!("{begin}{}{end}", "0,".repeat(values)).into_bytes())
});

/// The issues are listed as an answer has them.
fn refuse(calls: u64) {
    let (validators, text) = &*BROKEN;
    for _ in 0..calls {
        if let Err(issues) = body::decode::<NewPage>(validators, black_box(text)) {
            black_box(Error::invalid(issues));
        }
    }
}

/// Read once: what is measured is the drawing alone.
static SAMPLE: LazyLock<std::result::Result<Sample, String>> =
    LazyLock::new(|| Sample::read().map_err(|error| error.to_string()));

fn draw(calls: u64) {
    let Ok(sample) = &*SAMPLE else { return };
    for _ in 0..calls {
        black_box(sample.draw());
    }
}

/// A brief; reading its file is not measured.
type LongBrief = LazyLock<std::result::Result<Brief, String>>;

static ENGLISH: LongBrief = LazyLock::new(|| brief_sample::read("en").map_err(|error| error.to_string()));
static GERMAN: LongBrief = LazyLock::new(|| brief_sample::read("de").map_err(|error| error.to_string()));

fn compose_english(calls: u64) {
    compose(&ENGLISH, calls);
}

fn compose_german(calls: u64) {
    compose(&GERMAN, calls);
}

/// The template agent's last stage is the checker, so that its time is in this.
fn compose(brief: &LongBrief, calls: u64) {
    let Ok(brief) = &**brief else { return };
    for _ in 0..calls {
        black_box(pagesmith_template_agent::compose(black_box(brief)).content);
    }
}

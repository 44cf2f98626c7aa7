//! What a process prints, collected while it runs.

use std::io::Read;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Instant;

use super::TIME_LIMIT;

/// A stream that is read to its end by a thread.
pub struct Capture {
    seen: Arc<(Mutex<Seen>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Seen {
    text: String,
    ended: bool,
}

impl Capture {
    pub fn of(mut stream: impl Read + Send + 'static) -> Capture {
        let seen: Arc<(Mutex<Seen>, Condvar)> = Arc::default();
        let shared = Arc::clone(&seen);
        let thread = std::thread::spawn(move || {
            let mut bytes = vec![0; 64 * 1024];
            loop {
                let count = stream.read(&mut bytes).unwrap_or(0);
                let mut seen = shared.0.lock().unwrap();
                seen.text.push_str(&String::from_utf8_lossy(&bytes[..count]));
                seen.ended = count == 0;
                shared.1.notify_all();
                if count == 0 {
                    return;
                }
            }
        });
        Capture { seen, thread: Some(thread) }
    }

    /// What was printed until now.
    pub fn text(&self) -> String {
        self.seen.0.lock().unwrap().text.clone()
    }

    /// Waits until `find` finds something in what was printed.
    #[track_caller]
    pub fn wait_for<T>(&self, what: &str, find: impl Fn(&str) -> Option<T>) -> T {
        let begun = Instant::now();
        let mut seen = self.seen.0.lock().unwrap();
        loop {
            if let Some(found) = find(&seen.text) {
                return found;
            }
            let left = TIME_LIMIT.saturating_sub(begun.elapsed());
            assert!(!seen.ended && !left.is_zero(), "waited in vain for {what}: {}", seen.text);
            seen = self.seen.1.wait_timeout(seen, left).unwrap().0;
        }
    }

    /// Everything, once the process has ended.
    pub fn whole(&mut self) -> String {
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
        self.text()
    }
}

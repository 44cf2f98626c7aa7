//! Where log lines wait for standard error: a buffer that a thread empties many lines at a time.
//!
//! A line costs its caller a lock and a copy; the thread is woken once for all the lines of a few milliseconds. Where
//! standard error is stuck, lines are dropped and counted rather than requests held up.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tracing_subscriber::fmt::MakeWriter;

/// How long lines are collected.
const PAUSE: Duration = Duration::from_millis(10);

/// Bytes that may wait; what would go beyond is dropped.
const WAITING: usize = 8 * 1024 * 1024;

#[derive(Default)]
struct Buffer {
    lines: Vec<u8>,
    dropped: u64,
    ended: bool,
}

#[derive(Default)]
struct Shared {
    buffer: Mutex<Buffer>,
    filled: Condvar,
}

/// Takes log lines; clones share one buffer.
#[derive(Clone, Default)]
pub struct LogWriter(Arc<Shared>);

/// Writes what waits when it is dropped.
pub struct LogGuard {
    writer: LogWriter,
    thread: Option<JoinHandle<()>>,
}

impl LogWriter {
    /// Starts the thread that writes to `out`.
    pub fn start(out: impl Write + Send + 'static) -> io::Result<(LogWriter, LogGuard)> {
        let writer = LogWriter::default();
        let shared = Arc::clone(&writer.0);
        let thread = thread::Builder::new().name("log".to_owned()).spawn(move || drain(&shared, out))?;
        let guard = LogGuard { writer: writer.clone(), thread: Some(thread) };
        Ok((writer, guard))
    }

    /// How many lines were dropped so far.
    pub fn dropped(&self) -> u64 {
        self.0.buffer.lock().unwrap_or_else(PoisonError::into_inner).dropped
    }
}

fn drain(shared: &Shared, mut out: impl Write) {
    let mut lines = Vec::new();
    loop {
        let buffer = shared.buffer.lock().unwrap_or_else(PoisonError::into_inner);
        let mut buffer = shared
            .filled
            .wait_while(buffer, |buffer| buffer.lines.is_empty() && !buffer.ended)
            .unwrap_or_else(PoisonError::into_inner);
        std::mem::swap(&mut lines, &mut buffer.lines);
        let ended = buffer.ended;
        drop(buffer);
        // Nobody is left to tell if standard error is gone.
        drop(out.write_all(&lines).and_then(|()| out.flush()));
        lines.clear();
        if ended {
            return;
        }
        thread::sleep(PAUSE);
    }
}

impl Write for LogWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut buffer = self.0.buffer.lock().unwrap_or_else(PoisonError::into_inner);
        if buffer.lines.len() + line.len() > WAITING {
            buffer.dropped += 1;
            return Ok(line.len());
        }
        let first = buffer.lines.is_empty();
        buffer.lines.extend_from_slice(line);
        drop(buffer);
        if first {
            self.0.filled.notify_one();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for LogWriter {
    type Writer = LogWriter;

    fn make_writer(&self) -> LogWriter {
        self.clone()
    }
}

impl Drop for LogGuard {
    fn drop(&mut self) {
        self.writer.0.buffer.lock().unwrap_or_else(PoisonError::into_inner).ended = true;
        self.writer.0.filled.notify_one();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has nothing more to write.
            drop(thread.join());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream whose bytes a test can see.
    #[derive(Clone, Default)]
    struct Stream(Arc<Mutex<Vec<u8>>>);

    impl Write for Stream {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn every_line_is_written_in_order_by_the_end() {
        let stream = Stream::default();
        let (mut writer, guard) = LogWriter::start(stream.clone()).unwrap();
        let lines: String = (0..1000).map(|number| format!("line {number}\n")).collect();
        for line in lines.split_inclusive('\n') {
            writer.write_all(line.as_bytes()).unwrap();
        }
        drop(guard);
        assert_eq!(String::from_utf8(stream.0.lock().unwrap().clone()).unwrap(), lines);
        assert_eq!(writer.dropped(), 0);
    }

    #[test]
    fn lines_beyond_the_buffer_are_dropped_and_counted() {
        let stream = Stream::default();
        let stuck = stream.0.lock().unwrap();
        let (mut writer, guard) = LogWriter::start(stream.clone()).unwrap();
        let line = vec![b'x'; WAITING / 2];
        // The thread may have taken up to one bufferful; the rest stays.
        for _ in 0..6 {
            writer.write_all(&line).unwrap();
        }
        assert!(writer.dropped() >= 2);
        drop(stuck);
        drop(guard);
    }
}

//! `listen --forward-to URL`: a tenant's events as they happen, shown, and sent on to an address of the developer's own machine.
//!
//! It asks `GET /v0/events` of a server with an API key, so that nothing of the developer's machine has to be reachable. What is sent on
//! is what a delivery is, to the byte, signed in both forms with a secret of this run. It is for trying things out: an event that the
//! receiver refuses is sent again when somebody asks for it, not by itself.

mod forward;
mod gateway;
mod pretty;
mod source;

use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use http::Uri;
use pagesmith_model::duration::parse_duration;
use pagesmith_model::webhook::Secret;
use pagesmith_operations::Platform;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::session::{Session, runtime};
use super::{output, webhook};
use crate::failure::{Failure, Result};
use crate::shutdown::Shutdown;
use forward::Forward;
use source::{Event, Source, Trouble};

/// How many events can be sent again.
const REMEMBERED: usize = 1_000;
/// How long the server is left alone when there is nothing new.
const PAUSE: Duration = Duration::from_millis(500);
/// How long it is left alone when it does not answer.
const RETRY_DELAY: Duration = Duration::from_secs(1);
const HELP: &str = "r + Enter sends the last event again, r EVENT_ID another one; Ctrl-C ends.";

/// Which server, and where to.
#[derive(Args)]
pub struct Flags {
    /// The receiver's URL, such as http://127.0.0.1:9000/hook.
    #[arg(long, value_name = "URL", value_parser = address)]
    forward_to: Uri,
    /// The server's URL; by default from the configuration. The API key is read from PAGESMITH_KEY.
    #[arg(long, value_name = "URL", value_parser = address)]
    server: Option<Uri>,
    /// Start with events of this period, such as 1h; by default only new events.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    since: Option<Duration>,
    /// The signing secret, whsec_…; by default a new one for each run.
    #[arg(long, value_parser = webhook::secret)]
    secret: Option<Secret>,
}

fn address(text: &str) -> Result<Uri, String> {
    let whole = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    let uri: Option<Uri> = whole.parse().ok();
    let is_http = |uri: &Uri| matches!(uri.scheme_str(), Some("http" | "https"));
    uri.filter(is_http).ok_or_else(|| "it must be an address such as http://127.0.0.1:9000/hook".to_owned())
}

/// Listens until a signal.
pub fn run(session: &Session, flags: Flags) -> Result<()> {
    let key = session.environment.api_key().ok_or_else(|| {
        Failure::new(
            "no API key is given: set PAGESMITH_KEY to one; `pagesmith key create --tenant TENANT` makes one",
        )
    })?;
    let server = match flags.server {
        Some(uri) => uri.to_string().trim_end_matches('/').to_owned(),
        None => session.config().map(|config| config.server.base_url(config.server.listen))?,
    };
    let platform = Platform::system();
    let context = platform.context();
    let secret = flags.secret.map_or_else(|| context.random().map(Secret::new), Ok)?;
    let runtime = runtime()?;
    let outcome = runtime.block_on(async {
        let shutdown = Shutdown::listen()?;
        let source = Source::new(&server, key, context.now, flags.since)?;
        output::line(&format!("Forwarding the events of {server} to {}", flags.forward_to))?;
        output::line(&format!("Signed with {}", secret.expose()))?;
        output::line(HELP)?;
        let forward = Forward::new(flags.forward_to.to_string(), secret, platform);
        let listener = Listener { source, forward, seen: VecDeque::new(), trouble: None };
        tokio::select! {
            () = shutdown.requested() => Ok(()),
            outcome = listener.run(lines()) => outcome,
        }
    });
    // A thread may wait for a line that never comes.
    runtime.shutdown_background();
    outcome
}

/// What is typed, line by line; it ends where nobody can type.
fn lines() -> UnboundedReceiver<String> {
    let (sender, receiver) = unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(std::io::Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

struct Listener {
    source: Source,
    forward: Forward,
    /// Newest last.
    seen: VecDeque<Arc<Event>>,
    /// What was last wrong with the server.
    trouble: Option<String>,
}

impl Listener {
    async fn run(mut self, mut lines: UnboundedReceiver<String>) -> Result<()> {
        let mut may_type = true;
        let mut pause = Duration::ZERO;
        loop {
            tokio::select! {
                line = lines.recv(), if may_type => match line {
                    Some(line) => self.command(line.trim()).await?,
                    None => may_type = false,
                },
                batch = after(pause, self.source.next()) => pause = self.take(batch).await?,
            }
        }
    }

    /// Shows and forwards what came; how long to wait for more.
    async fn take(&mut self, batch: Result<source::NewEvents, Trouble>) -> Result<Duration> {
        let batch = match batch {
            Ok(batch) => batch,
            Err(Trouble::Final(failure)) => return Err(failure),
            Err(Trouble::Passing(what)) => {
                if self.trouble.as_ref() != Some(&what) {
                    writeln!(std::io::stderr(), "pagesmith: {what}. Trying again…")?;
                    self.trouble = Some(what);
                }
                return Ok(RETRY_DELAY);
            }
        };
        if self.trouble.take().is_some() {
            writeln!(std::io::stderr(), "pagesmith: the server answers again.")?;
        }
        if batch.is_ready {
            output::line("Ready.")?;
        }
        for event in batch.events {
            let event = Arc::new(event);
            self.seen.push_back(Arc::clone(&event));
            if self.seen.len() > REMEMBERED {
                self.seen.pop_front();
            }
            output::line(&format!("\n{}", event.shown()))?;
            self.send(&event).await?;
        }
        Ok(if batch.has_more { Duration::ZERO } else { PAUSE })
    }

    async fn send(&self, event: &Event) -> Result<()> {
        output::line(&self.forward.send(event).await)
    }

    async fn command(&mut self, line: &str) -> Result<()> {
        let mut words = line.split_whitespace();
        let wanted = match (words.next(), words.next(), words.next()) {
            (None, ..) => return Ok(()),
            (Some("r"), None, _) => self.seen.back(),
            (Some("r"), Some(id), None) => self.seen.iter().find(|event| event.id == id),
            _ => return output::line(HELP),
        };
        let Some(event) = wanted.cloned() else {
            return output::line("There is no such event among those shown.");
        };
        output::line(&format!("\n{} once more", event.id))?;
        self.send(&event).await
    }
}

/// What comes, after a pause.
async fn after<T>(pause: Duration, coming: impl Future<Output = T>) -> T {
    tokio::time::sleep(pause).await;
    coming.await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_go_without_its_scheme() {
        assert_eq!(address("127.0.0.1:9000/hook").unwrap().to_string(), "http://127.0.0.1:9000/hook");
        assert_eq!(address("https://api.example.org").unwrap().host(), Some("api.example.org"));
        for wrong in ["", "ftp://a", "http://", "a b", "file:///x"] {
            assert!(address(wrong).is_err(), "{wrong}");
        }
    }
}

//! Where events come from: `GET /v0/events` of a server, followed by its cursor.
//!
//! Invariant: the cursor moves only with an answer that was read whole, so that nothing is left out when the server goes away. It asks for
//! what has just happened too, which comes again until nothing can come before it; so it knows what it has seen.

use std::collections::BTreeSet;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue};
use pagesmith_model::Timestamp;
use pagesmith_worker::egress::{self, Answer, Egress, Outgoing};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::output;
use super::gateway::gateway;
use super::pretty::pretty;
use crate::failure::{Failure, Result};

/// How far back the first question goes, so that a clock that is a little fast leaves nothing out; what is there already is not shown.
const MARGIN: Duration = Duration::from_secs(60);
/// How many of the last events are known again.
const KNOWN: usize = 1_000;
/// The largest answer, in bytes; a hundred events are far below it.
const LARGEST: usize = 64 * 1024 * 1024;

/// An event.
#[derive(Debug)]
pub struct Event {
    /// Its id.
    pub id: String,
    /// Its bytes, as every delivery of it carries them.
    pub body: Bytes,
    kind: String,
    timestamp: String,
}

impl Event {
    fn of(raw: &RawValue) -> Option<Event> {
        let value: Value = serde_json::from_str(raw.get()).ok()?;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        Some(Event {
            id: text(&value["eventId"])?,
            kind: text(&value["payload"]["type"])?,
            timestamp: text(&value["timestamp"])?,
            body: Bytes::copy_from_slice(raw.get().as_bytes()),
        })
    }

    /// The event for a person: no control character of its texts reaches the terminal.
    pub fn shown(&self) -> String {
        let body = pretty(&String::from_utf8_lossy(&self.body));
        let whole = format!("{}  {}  {}\n{body}", self.timestamp, self.kind, self.id);
        whole.lines().map(output::escape).collect::<Vec<_>>().join("\n")
    }
}

/// What an answer brings.
#[derive(Debug, Default)]
pub struct NewEvents {
    /// The events that are to be shown.
    pub events: Vec<Event>,
    /// Whether there are more already.
    pub has_more: bool,
    /// Whether from now on everything is shown; said once.
    pub is_ready: bool,
}

/// Why there are no events.
#[derive(Debug)]
pub enum Trouble {
    /// It may be better in a moment; a sentence.
    Passing(String),
    /// It will not get better.
    Final(Failure),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    items: Vec<Box<RawValue>>,
    has_more: bool,
    next_cursor: String,
}

/// See above.
pub struct Source {
    egress: Egress,
    server: String,
    url: String,
    headers: HeaderMap,
    since: Timestamp,
    cursor: Option<String>,
    /// The ids of the last events, which are in the order of time.
    known: BTreeSet<String>,
    /// Whether what comes is to be shown.
    is_live: bool,
    is_ready: bool,
}

impl Source {
    /// The events of a server since so long before `now`, or those that come.
    pub fn new(server: &str, key: &str, now: Timestamp, since: Option<Duration>) -> Result<Source> {
        let mut key = HeaderValue::from_str(key).map_err(|_| {
            Failure::new("PAGESMITH_KEY holds characters that no API key has: set it to the key alone")
        })?;
        key.set_sensitive(true);
        Ok(Source {
            egress: gateway(),
            server: server.to_owned(),
            url: format!("{server}/v0/events?live=true&limit=100"),
            headers: HeaderMap::from_iter([(http::HeaderName::from_static("x-api-key"), key)]),
            since: now.minus(since.unwrap_or(MARGIN)),
            cursor: None,
            known: BTreeSet::new(),
            is_live: since.is_some(),
            is_ready: false,
        })
    }

    /// Asks once for what comes next.
    pub async fn next(&mut self) -> Result<NewEvents, Trouble> {
        let url = match &self.cursor {
            Some(cursor) => format!("{}&cursor={cursor}", self.url),
            None => format!("{}&since={}", self.url, self.since),
        };
        let outgoing = Outgoing { url, headers: self.headers.clone(), body: Bytes::new() };
        let answer = self.egress.ask(outgoing, LARGEST).await;
        let answer = answer.map_err(|failure| unanswered(&self.server, &failure))?;
        let page = read(&self.server, &answer)?;
        let events: Option<Vec<Event>> = page.items.iter().map(|raw| Event::of(raw)).collect();
        let mut events = events.ok_or_else(|| unlike(&self.server, "an event"))?;
        self.cursor = Some(page.next_cursor);
        events.retain(|event| self.is_new(event));
        if !self.is_live {
            events.clear();
        }
        self.is_live |= !page.has_more;
        let is_ready = self.is_live && !std::mem::replace(&mut self.is_ready, self.is_live);
        Ok(NewEvents { events, has_more: page.has_more, is_ready })
    }

    fn is_new(&mut self, event: &Event) -> bool {
        let is_new = self.known.insert(event.id.clone());
        if self.known.len() > KNOWN {
            self.known.pop_first();
        }
        is_new
    }
}

fn unlike(server: &str, what: &str) -> Trouble {
    Trouble::Final(Failure::new(format!(
        "what {server} answers is not {what}: see that it is the address of a Pagesmith server's API, and correct --server"
    )))
}

/// Nobody has answered.
fn unanswered(server: &str, why: &egress::Failure) -> Trouble {
    use egress::Failure::{
        Address, Broken, Name, Nonsense, Refused, Reserved, TimedOut, Tls, Unconnected, Unresolved,
    };
    let correct = "or correct --server";
    match why {
        Refused => Trouble::Passing(format!("nothing listens at {server}: start the server, {correct}")),
        Name => Trouble::Passing(format!(
            "the host of {server} has no address that this machine knows: see that it is online, {correct}"
        )),
        Unresolved => Trouble::Passing(format!(
            "no name server says in time where {server} is: see that this machine is online, {correct}"
        )),
        TimedOut | Unconnected => Trouble::Passing(format!(
            "{server} does not answer in time: see that it is well and that no firewall is between, {correct}"
        )),
        Broken => Trouble::Passing(format!("{server} closed the connection before it had answered")),
        Tls(why) => Trouble::Final(Failure::new(format!(
            "no secure connection to {server} can be made: {why}; mend its certificate, {correct}"
        ))),
        Nonsense => Trouble::Final(Failure::new(format!(
            "what listens at {server} does not speak HTTP: correct --server"
        ))),
        Address(why) => {
            Trouble::Final(Failure::new(format!("{server} cannot be called ({why}): correct --server")))
        }
        Reserved(what) => Trouble::Final(Failure::new(format!(
            "{server} leads to an address that is reserved for {what}: correct --server"
        ))),
    }
}

fn read(server: &str, answer: &Answer) -> Result<Page, Trouble> {
    let status = answer.status;
    let told = || {
        let told: Option<Value> = serde_json::from_slice(&answer.body).ok();
        let detail = told.as_ref().and_then(|told| told["detail"].as_str()).unwrap_or_default();
        output::escape(detail.trim_end_matches('.'))
    };
    match status {
        200 => serde_json::from_slice(&answer.body).map_err(|_| unlike(server, "a list of events")),
        401 => Err(Trouble::Final(Failure::new(format!(
            "{server} does not take the key in PAGESMITH_KEY: `pagesmith key list` shows which are live, and `pagesmith key create --tenant TENANT` makes another"
        )))),
        403 => Err(Trouble::Final(Failure::new(format!(
            "{server} does not let the key in PAGESMITH_KEY see events: {}",
            told()
        )))),
        429 => Err(Trouble::Passing(format!("{server} has had too many requests with this key"))),
        500..=599 => Err(Trouble::Passing(format!("{server} answers {status}: {}", told()))),
        404 => Err(unlike(server, "a list of events (404)")),
        _ => Err(Trouble::Final(Failure::new(format!("{server} answers {status}: {}", told())))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, body: &str) -> Answer {
        Answer { status, again: None, body: Bytes::copy_from_slice(body.as_bytes()) }
    }

    #[test]
    fn an_event_keeps_its_bytes_and_shows_no_control_character() {
        let text = r#"{ "timestamp":"t", "eventId":"event_1","payload":{"type":"page.x","name":"\u001b[2J\u009b1m"} }"#;
        let event = Event::of(serde_json::from_str(text).unwrap()).unwrap();
        assert_eq!(event.body, text.as_bytes());
        let shown = event.shown();
        assert!(shown.starts_with("t  page.x  event_1\n{\n") && shown.ends_with("\n}"), "{shown}");
        assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
        assert!(Event::of(serde_json::from_str(r#"{"eventId":"event_1"}"#).unwrap()).is_none());
    }

    /// Whether it is tried again, and what is said.
    fn failed<T>(outcome: Result<T, Trouble>) -> (bool, String) {
        match outcome {
            Err(Trouble::Passing(what)) => (true, what),
            Err(Trouble::Final(failure)) => (false, failure.to_string()),
            Ok(_) => panic!("no trouble"),
        }
    }

    const SERVER: &str = "http://127.0.0.1:8080";

    #[test]
    fn an_answer_that_is_no_list_of_events_is_told_with_what_to_do() {
        for (status, body, again, expected) in [
            (401, r#"{"detail":"The key is unknown."}"#, false, "`pagesmith key create --tenant TENANT`"),
            (403, r#"{"detail":"The tenant is suspended."}"#, false, "see events: The tenant is suspended"),
            (404, "nothing", false, "correct --server"),
            (302, "", false, "answers 302"),
            (200, "<html>", false, "is not a list of events"),
            (429, "", true, "too many requests"),
            (500, "", true, "answers 500"),
            (503, r#"{"detail":"The database is not available right now."}"#, true, "not available"),
        ] {
            let (is_again, text) = failed(read(SERVER, &answer(status, body)));
            assert_eq!(is_again, again, "{status}: {text}");
            assert!(text.contains(SERVER) && text.contains(expected), "{text}");
        }
    }

    #[test]
    fn a_server_that_does_not_answer_is_told_with_what_to_do() {
        use egress::Failure::{Address, Broken, Name, Nonsense, Refused, TimedOut, Tls};
        for (why, again, expected) in [
            (Refused, true, "nothing listens at http://127.0.0.1:8080: start the server"),
            (Name, true, "has no address"),
            (TimedOut, true, "does not answer in time"),
            (Broken, true, "closed the connection"),
            (Tls("its certificate has expired"), false, "its certificate has expired; mend"),
            (Nonsense, false, "does not speak HTTP"),
            (Address("its port is none"), false, "cannot be called (its port is none)"),
        ] {
            let (is_again, text) = failed::<()>(Err(unanswered(SERVER, &why)));
            assert!(is_again == again && text.contains(expected), "{text}");
        }
    }
}

//! Where events come from: `GET /v0/events` of a server, followed by its cursor.
//!
//! Invariant: the cursor moves only with an answer that was read whole, so that nothing is left out when the server goes away. It asks for
//! what has just happened too, which comes again until nothing can come before it; so it knows what it has seen.

use std::collections::BTreeSet;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue};
use pagesmith_model::Timestamp;
use pagesmith_worker::egress::{Answer, Egress, Outgoing};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::output;
use super::forward;
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
pub struct News {
    /// The events that are to be shown.
    pub events: Vec<Event>,
    /// Whether there are more already.
    pub has_more: bool,
    /// Whether from now on everything is shown; said once.
    pub is_ready: bool,
}

/// Why there is no news.
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
        let mut key = HeaderValue::from_str(key)
            .map_err(|_| Failure::new("PAGESMITH_KEY holds what no key can hold"))?;
        key.set_sensitive(true);
        Ok(Source {
            egress: forward::door(),
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
    pub async fn next(&mut self) -> Result<News, Trouble> {
        let url = match &self.cursor {
            Some(cursor) => format!("{}&cursor={cursor}", self.url),
            None => format!("{}&since={}", self.url, self.since),
        };
        let outgoing = Outgoing { url, headers: self.headers.clone(), body: Bytes::new() };
        let answer = self.egress.ask(outgoing, LARGEST).await;
        let answer = answer.map_err(|failure| Trouble::Passing(failure.to_string()))?;
        let page = read(&answer)?;
        let events: Option<Vec<Event>> = page.items.iter().map(|raw| Event::of(raw)).collect();
        let mut events = events.ok_or_else(|| unlike("an event"))?;
        self.cursor = Some(page.next_cursor);
        events.retain(|event| self.is_new(event));
        if !self.is_live {
            events.clear();
        }
        self.is_live |= !page.has_more;
        let is_ready = self.is_live && !std::mem::replace(&mut self.is_ready, self.is_live);
        Ok(News { events, has_more: page.has_more, is_ready })
    }

    fn is_new(&mut self, event: &Event) -> bool {
        let is_new = self.known.insert(event.id.clone());
        if self.known.len() > KNOWN {
            self.known.pop_first();
        }
        is_new
    }
}

fn unlike(what: &str) -> Trouble {
    Trouble::Final(Failure::new(format!("what the server answers is not like {what}; is it a Pagesmith?")))
}

fn read(answer: &Answer) -> Result<Page, Trouble> {
    let status = answer.status;
    match status {
        200 => serde_json::from_slice(&answer.body).map_err(|_| unlike("a list of events")),
        429 | 500..=599 => Err(Trouble::Passing(format!("The server answers {status}."))),
        _ => {
            let told: Option<Value> = serde_json::from_slice(&answer.body).ok();
            let detail = told.as_ref().and_then(|told| told["detail"].as_str()).unwrap_or_default();
            let line = format!("the server answers {status}: {}", output::escape(detail));
            Err(Trouble::Final(Failure::new(line)))
        }
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

    #[test]
    fn only_what_may_pass_is_tried_again() {
        for status in [429, 500, 503] {
            assert!(matches!(read(&answer(status, "")), Err(Trouble::Passing(_))), "{status}");
        }
        let Err(Trouble::Final(failure)) = read(&answer(401, r#"{"detail":"The key is unknown."}"#)) else {
            panic!("not final")
        };
        assert_eq!(failure.to_string(), "the server answers 401: The key is unknown.");
        for (status, body) in [(404, "nothing"), (302, ""), (200, "<html>")] {
            assert!(matches!(read(&answer(status, body)), Err(Trouble::Final(_))), "{status}");
        }
    }
}

//! Receivers, each with behaviours that change as time passes, and a diary of everything that was sent to them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use pagesmith_model::Timestamp;
use pagesmith_model::webhook::{Secret, signature};
use pagesmith_operations::Platform;
use tokio::time::{sleep, timeout};

use super::Chance;
use crate::delivery::{SendFuture, Sender};
use crate::egress::{Again, Answer, Failure, Outgoing};

/// How a receiver behaves for a while.
#[derive(Debug, Clone, Copy)]
pub(super) enum Behaviour {
    /// It answers at once.
    Well,
    /// It answers late, perhaps too late, but takes what comes.
    Slow(Duration),
    /// It refuses.
    Refuses(u16),
    /// It refuses and says when to come again.
    Busy(Duration),
    /// It takes what comes and breaks the connection.
    Breaks,
    /// Nobody is there.
    Away,
    /// It fails so many times in a hundred.
    Erratic(u64),
    /// It wants nothing any more.
    Gone,
}

/// One attempt, as the receiver saw it.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) worker: usize,
    pub(super) begun: Timestamp,
    pub(super) ended: Option<Timestamp>,
    /// The status, if the worker heard one.
    pub(super) status: Option<u16>,
    /// How long it asked to be left alone.
    pub(super) asked: Option<Duration>,
}

impl Entry {
    pub(super) fn is_success(&self) -> bool {
        self.status == Some(200)
    }
}

/// The diary of a receiver: attempts by event.
type Diary = BTreeMap<String, Vec<Entry>>;

/// A receiver.
pub(super) struct Receiver {
    /// From when on which behaviour; the last one stays.
    pub(super) behaviours: Vec<(Timestamp, Behaviour)>,
    /// The secrets that it may be sent.
    pub(super) secrets: Vec<Secret>,
    pub(super) diary: Diary,
}

/// All receivers by their URL.
pub(super) type Receivers = Arc<Mutex<BTreeMap<String, Receiver>>>;

/// The way from one worker to all receivers.
pub(super) struct Network {
    pub(super) worker: usize,
    /// By which everything that happens is noted.
    pub(super) platform: Arc<Platform>,
    /// The worker's own, whose clock may show another time.
    pub(super) own: Arc<Platform>,
    pub(super) chance: Chance,
    pub(super) receivers: Receivers,
}

impl Network {
    fn now(&self) -> Timestamp {
        self.platform.clock().now()
    }

    /// Notes that an attempt has begun; its place, and how the receiver feels.
    fn begin(&self, outgoing: &Outgoing) -> (String, usize, Behaviour) {
        let now = self.now();
        let mut receivers = self.receivers.lock().unwrap();
        let receiver = receivers.get_mut(&outgoing.url).unwrap();
        let header = |name: &str| outgoing.headers.get(name).unwrap().to_str().unwrap().to_owned();
        let event = header(signature::ID);
        let own = self.own.clock().now();
        assert_eq!(header(signature::TIMESTAMP), own.as_millis().to_string(), "signed at another time");
        let (body, seconds) = (&outgoing.body, own.as_millis() / 1_000);
        assert!(receiver.secrets.iter().any(|secret| {
            signature::verify_body(secret, body, &header(signature::SIGNATURE_256))
                && signature::verify_standard(secret, &event, seconds, body, &header(signature::SIGNATURE))
        }));
        let behaviour = receiver
            .behaviours
            .iter()
            .rev()
            .find(|(from, _)| *from <= now)
            .map_or(Behaviour::Well, |(_, behaviour)| *behaviour);
        let entries = receiver.diary.entry(event.clone()).or_default();
        let entry = Entry { worker: self.worker, begun: now, ended: None, status: None, asked: None };
        entries.push(entry);
        (event, entries.len() - 1, behaviour)
    }

    fn end(&self, url: &str, (event, at): (&str, usize), answer: &Result<Answer, Failure>) {
        let now = self.now();
        let mut receivers = self.receivers.lock().unwrap();
        let entry = &mut receivers.get_mut(url).unwrap().diary.get_mut(event).unwrap()[at];
        entry.ended = Some(now);
        if let Ok(answer) = answer {
            entry.status = Some(answer.status);
            entry.asked = answer.again.map(|again| again.after(now));
        }
    }

    async fn answered(&self, behaviour: Behaviour) -> Result<Answer, Failure> {
        let answer = |status, again| Ok(Answer { status, again, body: Bytes::from_static(b"said") });
        let usual = self.chance.up_to(Duration::from_millis(40));
        match behaviour {
            Behaviour::Well => {
                sleep(usual).await;
                answer(200, None)
            }
            Behaviour::Slow(pause) => {
                sleep(pause).await;
                answer(200, None)
            }
            Behaviour::Refuses(status) => {
                sleep(usual).await;
                answer(status, None)
            }
            Behaviour::Busy(pause) => {
                sleep(usual).await;
                answer(503, Some(Again::In(pause)))
            }
            Behaviour::Gone => {
                sleep(usual).await;
                answer(410, None)
            }
            Behaviour::Breaks => {
                sleep(usual).await;
                Err(Failure::Broken)
            }
            Behaviour::Away => Err(Failure::Refused),
            Behaviour::Erratic(share) => {
                sleep(usual).await;
                if self.chance.percent(share) { answer(500, None) } else { answer(200, None) }
            }
        }
    }
}

impl Sender for Network {
    fn deliver(&self, outgoing: Outgoing) -> SendFuture<'_> {
        Box::pin(async move {
            let (event, at, behaviour) = self.begin(&outgoing);
            let answer = timeout(Duration::from_secs(15), self.answered(behaviour)).await;
            let answer = answer.unwrap_or(Err(Failure::TimedOut));
            self.end(&outgoing.url, (&event, at), &answer);
            answer
        })
    }
}

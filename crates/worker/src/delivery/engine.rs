//! The engine: one future that claims, sends and notes, several of each at a time.
//!
//! It spawns nothing. Whoever drops it has ended it, whatever it was doing, and a simulation sees every step. Of claims one is under way at
//! a time and so is one note; what ends meanwhile is noted with the next, so that notes are small when there is little to do and large
//! when there is much.

use std::collections::{BTreeMap, BTreeSet};
use std::future::{Future, pending};
use std::pin::Pin;
use std::time::Duration;

use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use pagesmith_model::{Error, Kind, LeaseId, Result, TenantId, Timestamp};
use pagesmith_operations::webhooks::deliveries::{self, AttemptResult, Claimed, Due, LEASE, QueueKey, Turn};
use pagesmith_store::Wakeup;
use pagesmith_store::tables::webhooks::deliveries::DeliveryKey;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};

use super::GRACE;
use super::attempt::{EndedAttempt, attempt};
use super::claims;
use super::noting::{RecordedBatch, hand_back, note};
use super::pace::Paces;
use crate::tools::Tools;

/// How long the database is left alone after it has refused.
const RETRY_DELAY: Duration = Duration::from_millis(500);
/// How long a wake-up waits after a claim that has found nothing while much is on its way: of a busy system each commit brings some, mostly for
/// a receiver that has all that it may have.
const EMPTY_CLAIM_DELAY: Duration = Duration::from_millis(5);
/// How many results one note holds at most.
const NOTED: usize = 256;
/// An attempt is begun only if so much of its lease is left: it takes at most fifteen seconds, and then waits to be noted.
const NEEDED: Duration = Duration::from_secs(25);

type Running<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// What a claim came to: when it was asked for, and how much it might give.
struct Claim {
    asked_at: Timestamp,
    capacity: deliveries::Capacity,
    result: Result<Claimed>,
}

/// What the engine waits for.
enum Event {
    Stop,
    Claimed(Claim),
    Noted(RecordedBatch),
    Ended(Box<EndedAttempt>),
    Again(Vec<AttemptResult>),
    Called,
}

/// See above.
pub(super) struct Engine {
    tools: Tools,
    paces: Paces,
    turn: Turn,
    sending: FuturesUnordered<Running<EndedAttempt>>,
    /// What has ended without a connection and waits until it may be noted; it takes no capacity.
    unreached: FuturesUnordered<Running<EndedAttempt>>,
    /// What is being sent, so that it can be handed back.
    held: BTreeSet<(DeliveryKey, LeaseId)>,
    ended: Vec<AttemptResult>,
    claiming: Option<Running<Claim>>,
    noting: Option<Running<RecordedBatch>>,
    /// Results of tenants whose rows cannot be reached, until they are tried again.
    unnoted: FuturesUnordered<Running<Vec<AttemptResult>>>,
    /// Since when those of a tenant are not noted.
    unnoted_since: BTreeMap<TenantId, Timestamp>,
    /// Whether something may have become due since the last claim.
    is_called: bool,
    /// Until when nothing is claimed as long as something is on its way.
    no_claim_until: Option<Timestamp>,
    /// When something becomes due by itself.
    next_at: Option<Timestamp>,
    /// Until when the database is left alone.
    rests_until: Option<Timestamp>,
    /// The last thing that the database refused.
    refusal: Option<Error>,
}

fn queue_of(key: &DeliveryKey) -> QueueKey {
    (key.tenant.clone(), key.subscription_id.clone())
}

/// What runs in a place, which is empty then; for ever if nothing does.
async fn finished<T>(place: &mut Option<Running<T>>) -> T {
    let done = match place {
        Some(running) => running.await,
        None => pending().await,
    };
    *place = None;
    done
}

impl Engine {
    pub(super) fn new(tools: Tools) -> Engine {
        Engine {
            tools,
            paces: Paces::default(),
            turn: Turn::default(),
            sending: FuturesUnordered::new(),
            unreached: FuturesUnordered::new(),
            held: BTreeSet::new(),
            ended: vec![],
            claiming: None,
            noting: None,
            unnoted: FuturesUnordered::new(),
            unnoted_since: BTreeMap::new(),
            is_called: true,
            no_claim_until: None,
            next_at: None,
            rests_until: None,
            refusal: None,
        }
    }

    /// Works until `stop` turns true; then lets what is on its way arrive for a moment, and hands the rest back.
    pub(super) async fn run(mut self, mut stop: watch::Receiver<bool>) {
        loop {
            self.begin();
            match self.next(&mut stop).await {
                Event::Stop => break,
                event => self.take(event).await,
            }
        }
        self.end().await;
    }

    /// Works until nothing is due at the present instant.
    pub(super) async fn drain(mut self) -> Result<()> {
        let (_running, mut stop) = watch::channel(false);
        loop {
            self.begin();
            let is_idle = self.sending.is_empty() && self.unreached.is_empty();
            if self.claiming.is_none() && self.noting.is_none() && is_idle && !self.is_called {
                return Ok(());
            }
            let event = self.next(&mut stop).await;
            self.take(event).await;
            if let Some(error) = self.refusal.take() {
                return Err(error);
            }
        }
    }

    fn now(&self) -> Timestamp {
        self.tools.platform.clock().now()
    }

    /// Begins whatever can be begun.
    fn begin(&mut self) {
        let now = self.now();
        if self.rests_until.is_some_and(|until| until > now) {
            return;
        }
        self.rests_until = None;
        if self.noting.is_none() && !self.ended.is_empty() {
            let rest = self.ended.split_off(self.ended.len().min(NOTED));
            let results = std::mem::replace(&mut self.ended, rest);
            self.noting = Some(note(self.tools.clone(), results).boxed());
        }
        let free = self.free();
        if self.claiming.is_none() && self.is_called && free > 0 && self.lull(now).is_none() {
            self.is_called = false;
            self.paces.forget(now);
            let capacity = self.paces.capacity(free, now);
            self.claiming = Some(claim(self.tools.clone(), self.turn.clone(), capacity).boxed());
        }
    }

    /// How many more can be sent. What is not noted yet takes capacity too: a database that is away must not let results pile up. Only what
    /// waits for its time does not, up to as many again.
    fn free(&self) -> usize {
        let (most, waiting) = (self.tools.delivery.concurrency, self.unreached.len());
        (most + waiting.min(most)).saturating_sub(self.held.len())
    }

    /// Until when wake-ups have to wait.
    fn lull(&self, now: Timestamp) -> Option<Timestamp> {
        self.no_claim_until.filter(|until| *until > now && !self.sending.is_empty())
    }

    async fn next(&mut self, stop: &mut watch::Receiver<bool>) -> Event {
        let pause = self.pause();
        let (is_sending, is_waiting) = (!self.sending.is_empty(), !self.unreached.is_empty());
        let has_unnoted = !self.unnoted.is_empty();
        tokio::select! {
            biased;
            _ = stop.wait_for(|stop| *stop) => Event::Stop,
            note = finished(&mut self.noting) => Event::Noted(note),
            claim = finished(&mut self.claiming) => Event::Claimed(claim),
            Some(ended) = self.sending.next(), if is_sending => Event::Ended(Box::new(ended)),
            Some(ended) = self.unreached.next(), if is_waiting => Event::Ended(Box::new(ended)),
            Some(results) = self.unnoted.next(), if has_unnoted => Event::Again(results),
            () = self.tools.store.wait_for(Wakeup::Deliveries) => Event::Called,
            () = sleep(pause) => Event::Called,
        }
    }

    /// How long there is nothing to do unless something happens.
    fn pause(&self) -> Duration {
        let now = self.now();
        let lull = self.lull(now).filter(|_| self.is_called);
        let ends = [self.next_at, self.rests_until, self.paces.next_at(now), lull];
        let first = ends.into_iter().flatten().filter(|at| *at > now).min();
        let poll = self.tools.delivery.poll;
        first.map_or(poll, |at| at.since(now).min(poll))
    }

    async fn take(&mut self, event: Event) {
        match event {
            Event::Stop => {}
            Event::Called => self.is_called = true,
            Event::Again(results) => self.ended.extend(results),
            Event::Ended(ended) => {
                self.arrived(*ended);
                // Others that have ended by now.
                while let Some(Some(ended)) = self.sending.next().now_or_never() {
                    self.arrived(ended);
                }
            }
            Event::Claimed(Claim { asked_at, capacity, result }) => match result {
                Ok(claimed) => self.claimed(asked_at, &capacity, claimed).await,
                Err(error) => {
                    self.is_called = true;
                    self.refused("no delivery could be claimed", error);
                }
            },
            Event::Noted(noted) => self.noted(noted),
        }
        self.tools.delivery.metrics.in_flight(self.sending.len());
    }

    async fn claimed(&mut self, asked_at: Timestamp, capacity: &deliveries::Capacity, claimed: Claimed) {
        self.turn = claimed.turn;
        self.next_at = claimed.next_at;
        self.no_claim_until = claimed.due.is_empty().then(|| self.now().plus(EMPTY_CLAIM_DELAY));
        self.is_called |= claimed.is_more || claimed.due.len() >= capacity.free;
        for (tenant, subscription) in claimed.sealed {
            let (tenant, subscription) = (tenant.as_str(), subscription.as_str());
            tracing::warn!(tenant, subscription, "the server key does not open a subscription's secrets");
        }
        if self.now() >= asked_at.plus(LEASE - NEEDED) {
            // The claim took so long that an attempt could outlast its lease.
            return hand_back(&self.tools, unsent(claimed.due)).await;
        }
        let mut given: BTreeMap<QueueKey, usize> = BTreeMap::new();
        for due in &claimed.due {
            *given.entry(queue_of(&due.key)).or_default() += 1;
        }
        for (queue, _) in given.iter().filter(|(queue, given)| **given >= capacity.room(queue)) {
            self.paces.was_filled(queue);
        }
        for due in claimed.due {
            self.send(due);
        }
    }

    fn send(&mut self, due: Due) {
        self.paces.began(&queue_of(&due.key));
        self.held.insert((due.key.clone(), due.lease.clone()));
        self.sending.push(attempt(self.tools.clone(), due).boxed());
    }

    fn arrived(&mut self, mut ended: EndedAttempt) {
        if let Some(at) = ended.not_before.take().filter(|at| *at > Instant::now()) {
            self.unreached.push(sleep_until(at).map(|()| ended).boxed());
            return;
        }
        let EndedAttempt { result, took, created_at, .. } = ended;
        let now = self.now();
        self.tools.delivery.metrics.attempted(&result, took, now.since(created_at));
        let is_success = result.attempt.is_success();
        if self.paces.ended(&queue_of(&result.key), is_success, took, now) {
            // A queue that was full may have more waiting.
            (self.is_called, self.no_claim_until) = (true, None);
        }
        self.ended.push(result);
    }

    fn noted(&mut self, noted: RecordedBatch) {
        let RecordedBatch { results, result, unreached } = noted;
        match result {
            Ok(recorded) => {
                self.let_go(&results);
                self.put_off(unreached);
                if recorded.lost > 0 {
                    tracing::info!(lost = recorded.lost, "deliveries were taken from their worker");
                }
                for ((tenant, subscription), why) in recorded.stopped {
                    let (tenant, subscription, why) = (tenant.as_str(), subscription.as_str(), why.as_str());
                    tracing::warn!(tenant, subscription, why, "a webhook subscription was deactivated");
                }
            }
            Err(error) if matches!(error.kind(), Kind::Unavailable(_)) => {
                let later = std::mem::replace(&mut self.ended, results);
                self.ended.extend(later);
                self.refused("results of deliveries could not be noted", error);
            }
            Err(error) => {
                // They are sent again when their leases end.
                self.let_go(&results);
                tracing::error!(%error, "results of deliveries were lost");
                self.refusal = Some(error);
            }
        }
    }

    /// Tries again later to note these, as long as their leases may last; then they are sent again.
    fn put_off(&mut self, results: Vec<AttemptResult>) {
        let now = self.now();
        let (over, left): (Vec<_>, Vec<_>) = results.into_iter().partition(|result| {
            let since = self.unnoted_since.entry(result.key.tenant.clone()).or_insert(now);
            now >= since.plus(LEASE)
        });
        self.let_go(&over);
        if !left.is_empty() {
            self.unnoted.push(sleep(RETRY_DELAY).map(|()| left).boxed());
        }
    }

    fn let_go(&mut self, results: &[AttemptResult]) {
        for result in results {
            self.held.remove(&(result.key.clone(), result.lease.clone()));
            self.unnoted_since.remove(&result.key.tenant);
        }
    }

    fn refused(&mut self, what: &str, error: Error) {
        tracing::warn!(%error, "{what}");
        self.rests_until = Some(self.now().plus(RETRY_DELAY));
        self.refusal = Some(error);
    }

    async fn end(mut self) {
        if let Some(claiming) = self.claiming.take()
            && let Ok(claimed) = claiming.await.result
        {
            hand_back(&self.tools, unsent(claimed.due)).await;
        }
        let (_running, mut stop) = watch::channel(false);
        let grace = sleep(GRACE);
        tokio::pin!(grace);
        loop {
            self.is_called = false;
            self.begin();
            if self.held.is_empty() {
                return;
            }
            tokio::select! {
                biased;
                () = &mut grace => break,
                event = self.next(&mut stop) => self.take(event).await,
            }
        }
        self.sending.clear();
        self.unreached.clear();
        if let Some(noting) = self.noting.take() {
            let noted = noting.await;
            self.noted(noted);
        }
        let results = std::mem::take(&mut self.ended);
        let noted = note(self.tools.clone(), results).await;
        self.noted(noted);
        let left = std::mem::take(&mut self.held);
        hand_back(&self.tools, left.into_iter().collect()).await;
    }
}

async fn claim(tools: Tools, turn: Turn, capacity: deliveries::Capacity) -> Claim {
    let asked_at = tools.platform.clock().now();
    let result = claims::claim(&tools, turn, &capacity).await;
    Claim { asked_at, capacity, result }
}

fn unsent(due: Vec<Due>) -> Vec<(DeliveryKey, LeaseId)> {
    due.into_iter().map(|due| (due.key, due.lease)).collect()
}

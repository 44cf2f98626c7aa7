//! What happens in a run: who is there, what is done to them, and what fails when.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use pagesmith_agent::Template;
use pagesmith_file_storage::Storage;
use pagesmith_model::agent::AgentSettings;
use pagesmith_model::json::JsonText;
use pagesmith_model::network::Networks;
use pagesmith_model::seal::SecretKey;
use pagesmith_model::webhook::event_type::EventType;
use pagesmith_model::webhook::{EventTypes, NewSubscription, SubscriptionPatch};
use pagesmith_model::{EventId, ServerId, SubscriptionId, TenantId, Timestamp};
use pagesmith_operations::access::KeyRing;
use pagesmith_operations::precondition::Precondition;
use pagesmith_operations::tenant_domains::check::{DnsChecker, Installation, NoNames};
use pagesmith_operations::tenant_domains::map::DomainMap;
use pagesmith_operations::tenants::{self, NewTenant};
use pagesmith_operations::webhooks::subscriptions;
use pagesmith_operations::{Clock, Platform, Random};
use pagesmith_store::tables::servers::Server;
use pagesmith_store::tables::webhooks::deliveries;
use pagesmith_store::tables::{events, pending_work, webhooks};
use pagesmith_store::{Extent, SimulatedOutcome, Store, Wakeup};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::Chance;
use super::network::{Behaviour, Network, Receiver, Receivers};
use crate::delivery::DeliveryConfig;
use crate::delivery::engine::Engine;
use crate::egress::{Egress, Options};
use crate::enrichment::EnrichmentConfig;
use crate::generation::{GenerationConfig, GenerationMetrics, Heartbeat, Models};
use crate::limited_process::documents::DocumentReader;
use crate::limited_process::pictures::PictureReader;
use crate::pictures::PictureConfig;
use crate::reading::ReadingConfig;
use crate::tools::Tools;

/// How long things fail.
const TROUBLE: Duration = Duration::from_secs(360);
/// The quiescence after it, within which everything must have arrived: the third gap of the schedule with its jitter, and everything that may delay it.
const QUIESCENCE: Duration = Duration::from_secs(3_000);
/// The servers, and how far the clock of each is ahead of the first one's, in seconds.
const CLOCKS_AHEAD: [u64; 3] = [0, 1, 2];
/// How much sooner one server may find something due than the one that has set the time.
pub(super) const CLOCKS_APART: Duration = Duration::from_secs(2);
/// How often workers poll: seldom, so that a run has fewer steps. What becomes due meanwhile may be that late.
pub(super) const POLL: Duration = Duration::from_secs(20);

/// A subscription of the run.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) tenant: TenantId,
    pub(super) subscription_id: SubscriptionId,
    pub(super) url: String,
    /// Whether its receiver is always well.
    pub(super) is_well: bool,
    pub(super) deleted_at: Option<Timestamp>,
    /// What must arrive: events by id, with when they were made.
    pub(super) expected: BTreeMap<String, Timestamp>,
    /// Whether it was ever inactive, so that deliveries had to wait.
    pub(super) was_inactive: bool,
}

/// A time in which a tenant is suspended, and its end if that has come.
pub(super) type Suspension = (Timestamp, Option<Timestamp>);

/// A worker that was ended, or a transaction that failed: when, and whose if it is known.
pub(super) type Disturbance = (Timestamp, Option<usize>);

/// A run.
pub(super) struct SimulationRun {
    pub(super) platform: Arc<Platform>,
    /// The servers' own time and chance.
    servers: [Arc<Platform>; CLOCKS_AHEAD.len()],
    /// The database as workers have it.
    store: Store,
    /// The same as another process has it, which never fails.
    pub(super) calm: Store,
    pub(super) receivers: Receivers,
    pub(super) members: Mutex<Vec<Member>>,
    /// When each tenant was suspended, in order.
    pub(super) suspensions: Mutex<BTreeMap<TenantId, Vec<Suspension>>>,
    pub(super) disturbances: Arc<Mutex<Vec<Disturbance>>>,
    /// When the trouble ends.
    until: Timestamp,
    /// Whether workers are ended, and whether the database fails.
    crashes: bool,
    faults: bool,
}

/// A future that is dropped at one of its await points, as a killed worker would be.
struct Killable<F> {
    inner: Option<Pin<Box<F>>>,
    polls: u64,
}

impl<F: Future<Output = ()>> Future for Killable<F> {
    type Output = bool;

    /// Whether it was killed.
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<bool> {
        if self.polls == 0 {
            self.inner = None;
            return Poll::Ready(true);
        }
        self.polls -= 1;
        let inner = self.inner.as_mut().unwrap();
        inner.as_mut().poll(context).map(|()| false)
    }
}

impl SimulationRun {
    pub(super) async fn new(path: &Path, chance: &mut Chance) -> SimulationRun {
        let start = Timestamp::from_micros(1_772_366_400_000_000);
        // What happens, happens by the clock in the middle: the other servers are a second behind it and ahead of it.
        let [first, platform, last] = CLOCKS_AHEAD.map(|ahead| {
            let clock = Clock::timers(start.plus(Duration::from_secs(ahead)));
            let platform = Platform::new(clock, Random::seeded(chance.below(u64::MAX)));
            platform.keep_secret(SecretKey::new([7; 32]));
            platform
        });
        let servers = [first, Arc::clone(&platform), last];
        let (crashes, faults) = (chance.percent(70), chance.percent(60));
        let disturbances: Arc<Mutex<Vec<Disturbance>>> = Arc::default();
        let (drawn, noted, clock) = (chance.clone(), Arc::clone(&disturbances), platform.clock().clone());
        let until = start.plus(TROUBLE);
        let outcomes = move || {
            let now = clock.now();
            if !faults || now >= until || !drawn.percent(6) {
                return SimulatedOutcome::Runs;
            }
            noted.lock().unwrap().push((now, None));
            if drawn.percent(50) { SimulatedOutcome::Refused } else { SimulatedOutcome::Unheard }
        };
        let store = Store::open_inline_with(path, Box::new(outcomes)).unwrap();
        let calm = Store::open_inline(path).unwrap();
        let run = SimulationRun {
            platform,
            servers,
            store,
            calm,
            receivers: Receivers::default(),
            members: Mutex::default(),
            suspensions: Mutex::default(),
            disturbances,
            until,
            crashes,
            faults,
        };
        for number in 0..=chance.below(3) {
            let ctx = run.platform.context();
            let new = NewTenant { name: format!("t{number}"), slug: None, default_region: None };
            let tenant = run.calm.write(move |tx| tenants::create(tx, &ctx, &new)).await.unwrap().tenant_id;
            for _ in 0..=chance.below(3) {
                run.subscribe(&tenant, chance).await;
            }
        }
        run
    }

    fn now(&self) -> Timestamp {
        self.platform.clock().now()
    }

    /// Whether nothing fails but receivers.
    pub(super) fn is_calm(&self) -> bool {
        !self.crashes && !self.faults
    }

    async fn subscribe(&self, tenant: &TenantId, chance: &Chance) {
        let url = format!("https://r{}.example/hook", self.members.lock().unwrap().len());
        let wanted: Vec<EventType> = EventType::ALL.into_iter().filter(|_| chance.percent(60)).collect();
        let events = (!wanted.is_empty() && chance.percent(50)).then_some(EventTypes(wanted));
        let new = NewSubscription { url: url.clone(), events, active: chance.percent(90) };
        let (ctx, active) = (self.platform.context().of(tenant.clone()), new.active);
        let made = self.calm.write(move |tx| subscriptions::create(tx, &ctx, &new, &Networks::default()));
        let (subscription, secret) = made.await.unwrap();
        let is_well = chance.percent(30);
        let behaviours = if is_well { vec![] } else { behaviours(self.now(), self.until, chance) };
        let receiver = Receiver { behaviours, secrets: vec![secret], diary: BTreeMap::new() };
        self.receivers.lock().unwrap().insert(url.clone(), receiver);
        self.members.lock().unwrap().push(Member {
            tenant: tenant.clone(),
            subscription_id: subscription.subscription_id,
            url,
            is_well,
            deleted_at: None,
            expected: BTreeMap::new(),
            was_inactive: !active,
        });
    }

    /// What a worker works with.
    fn tools(&self, worker: usize, chance: &Chance) -> Tools {
        let network = Network {
            worker,
            platform: Arc::clone(&self.platform),
            own: Arc::clone(&self.servers[worker]),
            chance: chance.clone(),
            receivers: Arc::clone(&self.receivers),
        };
        let delivery = DeliveryConfig {
            concurrency: 24,
            poll: POLL,
            // As a server of a cluster, among others.
            split_by_tenant: worker == 1,
            ..DeliveryConfig::new(Arc::new(network))
        };
        let generation = GenerationConfig {
            agent: Arc::new(Template),
            models: Models::new(
                AgentSettings::default(),
                Arc::new(Egress::new(&Options::new(Networks::default()))),
            ),
            concurrency: 1,
            heartbeat: Heartbeat::ByHand(Arc::default()),
            metrics: GenerationMetrics::default(),
        };
        let keys = Arc::new(KeyRing::new(self.store.clone()));
        Tools {
            store: self.store.clone(),
            files: Storage::in_memory(),
            platform: Arc::clone(&self.servers[worker]),
            keys,
            domains: Arc::new(DomainMap::new(self.store.clone())),
            salts: Arc::default(),
            dns_checker: DnsChecker::new(Arc::new(NoNames), Installation::default()),
            certificates: None,
            mailer: None,
            erasures: Arc::default(),
            session_timeout: pagesmith_model::visit::SESSION_TIMEOUT,
            generation,
            delivery,
            enrichment: EnrichmentConfig {
                egress: Egress::new(&Options::new(Networks::default())),
                site_address: Arc::new(|_, path| path.to_owned()),
            },
            reading: ReadingConfig::new(
                Egress::new(&Options::new(Networks::default())),
                DocumentReader::new(PathBuf::new()),
            ),
            pictures: PictureConfig {
                reader: PictureReader::like(&DocumentReader::new(PathBuf::new())),
                makes_avif: false,
                quota: 0,
            },
            server: Arc::new(Server {
                server_id: ServerId::parse("server_00000000000000000000000000").unwrap(),
                host: worker.to_string(),
                version: String::new(),
                started_at: Timestamp::from_micros(0),
                seen_at: Timestamp::from_micros(0),
            }),
            outage: Arc::default(),
        }
    }

    /// Lets everything happen.
    pub(super) async fn run(&self, chance: &mut Chance) {
        let until = self.until;
        let mut workers = JoinSet::new();
        let (stop, stopping) = watch::channel(false);
        for worker in 0..self.servers.len() {
            let (tools, chance, stopping) = (self.tools(worker, chance), chance.clone(), stopping.clone());
            let (crashes, noted, platform) =
                (self.crashes, Arc::clone(&self.disturbances), Arc::clone(&self.platform));
            workers.spawn(async move {
                while !*stopping.borrow() {
                    let dies = crashes && platform.clock().now() < until;
                    let polls = if dies { 1 + chance.below(400) } else { u64::MAX };
                    let inner = Some(Box::pin(Engine::new(tools.clone()).run(stopping.clone())));
                    if (Killable { inner, polls }).await {
                        noted.lock().unwrap().push((platform.clock().now(), Some(worker)));
                        sleep(chance.up_to(Duration::from_secs(20))).await;
                    }
                }
            });
        }
        while self.now() < until {
            sleep(chance.up_to(Duration::from_secs(12))).await;
            self.act(chance).await;
        }
        // What was on its way when the trouble ended may still tell of it.
        sleep(Duration::from_secs(60)).await;
        self.reconcile().await;
        sleep(QUIESCENCE).await;
        stop.send_replace(true);
        while let Some(ended) = workers.join_next().await {
            ended.unwrap();
        }
    }

    async fn act(&self, chance: &Chance) {
        let members = self.members.lock().unwrap().clone();
        let member = chance.pick(&members).clone();
        let ctx = self.platform.context().of(member.tenant.clone());
        let id = member.subscription_id.clone();
        match chance.below(100) {
            0..3 => self.subscribe(&member.tenant, chance).await,
            3..6 if member.deleted_at.is_none() => {
                let deleted = self
                    .calm
                    .write(move |tx| subscriptions::delete(tx, &ctx, &id, &Precondition::Unconditional));
                deleted.await.unwrap();
                let now = self.now();
                self.change(&member, |member| member.deleted_at = Some(now));
            }
            6..16 if member.deleted_at.is_none() => {
                let active = chance.percent(60);
                self.change(&member, |member| member.was_inactive |= !active);
                self.activate(&member, active).await;
            }
            16..20 if member.deleted_at.is_none() => {
                let overlap = chance.up_to(Duration::from_secs(60));
                let rotated = self.calm.write(move |tx| subscriptions::rotate_secret(tx, &ctx, &id, overlap));
                let secret = rotated.await.unwrap();
                self.receivers.lock().unwrap().get_mut(&member.url).unwrap().secrets.push(secret);
            }
            20..30 => self.suspend_or_resume(&member.tenant).await,
            _ => {
                for _ in 0..=chance.below(4) {
                    self.emit(&member.tenant, chance).await;
                }
            }
        }
    }

    fn change(&self, of: &Member, change: impl FnOnce(&mut Member)) {
        let mut members = self.members.lock().unwrap();
        change(members.iter_mut().find(|member| member.subscription_id == of.subscription_id).unwrap());
    }

    async fn activate(&self, member: &Member, active: bool) {
        let ctx = self.platform.context().of(member.tenant.clone());
        let id = member.subscription_id.clone();
        let patch = SubscriptionPatch { active: Some(active), ..SubscriptionPatch::default() };
        let updated = self.calm.write(move |tx| {
            subscriptions::update(tx, &ctx, &id, &patch, &Networks::default(), &Precondition::Unconditional)
        });
        updated.await.unwrap();
    }

    /// Suspends a tenant, or ends that.
    async fn suspend_or_resume(&self, tenant: &TenantId) {
        let (ctx, id) = (self.platform.context(), tenant.to_string());
        let is_suspended = self.suspended(tenant);
        // As a command beside the servers does it; while nothing fails, as a server does, which its workers hear.
        let store = if self.is_calm() { &self.store } else { &self.calm };
        let changed = store.write(move |tx| match is_suspended {
            true => tenants::resume(tx, &ctx, &id),
            false => tenants::suspend(tx, &ctx, &id),
        });
        changed.await.unwrap();
        let now = self.now();
        let mut suspensions = self.suspensions.lock().unwrap();
        let of_tenant = suspensions.entry(tenant.clone()).or_default();
        match of_tenant.last_mut().filter(|_| is_suspended) {
            Some((_, end)) => *end = Some(now),
            None => of_tenant.push((now, None)),
        }
    }

    fn suspended(&self, tenant: &TenantId) -> bool {
        let suspensions = self.suspensions.lock().unwrap();
        suspensions.get(tenant).and_then(|all| all.last()).is_some_and(|(_, end)| end.is_none())
    }

    /// Something happens to a tenant: an event, of which each subscription is told that is active and wants it.
    async fn emit(&self, tenant: &TenantId, chance: &Chance) {
        let ctx = self.platform.context().of(tenant.clone());
        let kind = *chance.pick(&EventType::ALL);
        let event_id = EventId::mint(ctx.uuid().unwrap());
        let body = JsonText::from_stored(format!("{{\"eventId\":\"{event_id}\"}}"));
        let (id, now, of) = (event_id.clone(), ctx.now, tenant.clone());
        let write = move |tx: &mut pagesmith_store::Tx<'_>| {
            let wanting = webhooks::subscriptions::list(tx, &of, None, Extent::of_items(100))?.0.items;
            tx.batch(vec![
                pending_work::add_matching(&of, kind),
                events::insert(&of, &id, kind, &body, now, None),
                deliveries::insert_matching(&of, &id, kind, now, None),
            ])?;
            tx.wake_after_commit(Wakeup::Deliveries);
            let wanting =
                wanting.into_iter().filter(|one| one.active && one.selection.bits() & kind.bit() != 0);
            Ok(wanting.map(|one| one.subscription_id).collect::<BTreeSet<_>>())
        };
        // Through the workers' own database, whose wake-ups they receive, or through another's, whose they do not.
        let told = if self.is_calm() || chance.percent(50) { &self.store } else { &self.calm };
        let Ok(wanting) = told.write(write).await else {
            // Whether it happened is not known here, and nobody was promised anything.
            return self.learn(tenant, &event_id, now).await;
        };
        self.expect(&event_id, now, &wanting);
    }

    /// What a transaction of unknown outcome has left counts like any other.
    async fn learn(&self, tenant: &TenantId, event_id: &EventId, now: Timestamp) {
        let members = self.members.lock().unwrap().clone();
        for member in members {
            let key = deliveries::DeliveryKey {
                tenant: tenant.clone(),
                subscription_id: member.subscription_id.clone(),
                event_id: event_id.clone(),
            };
            let id = BTreeSet::from([member.subscription_id]);
            if self.calm.read(move |tx| webhooks::history::find(tx, &key)).await.unwrap().is_some() {
                self.expect(event_id, now, &id);
            }
        }
    }

    fn expect(&self, event_id: &EventId, now: Timestamp, of: &BTreeSet<SubscriptionId>) {
        for member in self.members.lock().unwrap().iter_mut().filter(|one| of.contains(&one.subscription_id))
        {
            member.expected.insert(event_id.to_string(), now);
        }
    }

    /// Whoever is not deleted is active again, and no tenant suspended.
    async fn reconcile(&self) {
        let members = self.members.lock().unwrap().clone();
        let tenants: BTreeSet<&TenantId> = members.iter().map(|member| &member.tenant).collect();
        for tenant in tenants.into_iter().filter(|tenant| self.suspended(tenant)) {
            self.suspend_or_resume(tenant).await;
        }
        for member in members.iter().filter(|member| member.deleted_at.is_none()) {
            self.activate(member, true).await;
        }
    }
}

/// How a receiver behaves until the faults end; from then on it is well.
fn behaviours(start: Timestamp, end: Timestamp, chance: &Chance) -> Vec<(Timestamp, Behaviour)> {
    let (mut at, mut behaviours) = (start, Vec::new());
    while at < end {
        let behaviour = match chance.below(9) {
            0 | 1 => Behaviour::Well,
            2 => Behaviour::Slow(chance.up_to(Duration::from_secs(20))),
            3 => Behaviour::Refuses(*chance.pick(&[301, 400, 404, 429, 500, 503])),
            4 => Behaviour::Busy(chance.up_to(Duration::from_secs(900))),
            5 => Behaviour::Breaks,
            6 => Behaviour::Away,
            7 => Behaviour::Erratic(chance.below(100)),
            _ if chance.percent(30) => Behaviour::Gone,
            _ => Behaviour::Away,
        };
        behaviours.push((at, behaviour));
        at = at.plus(Duration::from_secs(5) + chance.up_to(Duration::from_secs(120)));
    }
    behaviours.push((end, Behaviour::Well));
    behaviours
}

//! What every request shares: one concrete struct.

use std::net::IpAddr;
use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

use pagesmith_model::forwarded::ProxyHeader;
use pagesmith_model::network::Networks;
use pagesmith_model::{TenantId, Timestamp};
use pagesmith_operations::Platform;
use pagesmith_operations::access::KeyRing;
use pagesmith_operations::persons::erasures::Erasures;
use pagesmith_person_index::Memory;
use pagesmith_store::Store;
use tokio::sync::{OnceCell, Semaphore, watch};

use crate::counts::Counts;
use crate::in_flight::InFlight;
use crate::metrics::Metrics;
use crate::offload::Offload;
use crate::readiness::Readiness;
use crate::running::Running;
use crate::site::cache::Cache;
use crate::site::link_cache::LinkCache;
use crate::static_text::StaticText;
use crate::validate::Validators;

/// What an operator decides about serving.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address that clients use, without a slash at the end.
    pub base_url: String,
    /// The domain below which each tenant has its site.
    pub site_domain: String,
    /// The port of the site's addresses, where it is not the scheme's own.
    pub site_port: Option<u16>,
    /// Requests that a key may send in a window, unless it has a limit of its own.
    pub rate_limit: u32,
    /// The window.
    pub rate_window: Duration,
    /// How long a body may take to arrive.
    pub body_timeout: Duration,
    /// How long a request may take in all.
    pub request_timeout: Duration,
    /// Connections that an address may have, and requests in flight of one behind a proxy.
    pub connections_per_address: usize,
    /// The networks of the proxies in front of this server, which tell the client's address.
    pub trusted_proxies: Networks,
    /// The header in which they tell it.
    pub proxy_header: ProxyHeader,
    /// Streams of events that a tenant may have open.
    pub streams_per_tenant: usize,
    /// How many bytes the items of a collection may take in one answer; what is more follows in the next.
    pub longest_answer: usize,
    /// How many bytes of answers may be in memory, made and not yet sent.
    pub answers_in_memory: usize,
    /// Networks that webhooks may lead to although they are reserved.
    pub allowed_networks: Networks,
    /// Pictures that sites have beside their pages: those of the example.
    pub pictures: &'static [SitePicture],
}

/// A picture that is part of the program.
#[derive(Debug, Clone, Copy)]
pub struct SitePicture {
    /// Where it is on every site.
    pub path: &'static str,
    /// The picture.
    pub svg: &'static str,
}

/// How many bytes the items of a collection take in one answer at most.
pub const LONGEST_ANSWER: usize = 8_000_000;

impl Settings {
    /// The usual ones, for a server at this address.
    pub fn usual(base_url: &str) -> Settings {
        Settings {
            base_url: base_url.to_owned(),
            site_domain: "localhost".to_owned(),
            site_port: None,
            rate_limit: 60_000,
            rate_window: Duration::from_secs(60),
            body_timeout: Duration::from_secs(15),
            request_timeout: Duration::from_secs(25),
            longest_answer: LONGEST_ANSWER,
            answers_in_memory: 256 * 1024 * 1024,
            connections_per_address: 1_000,
            trusted_proxies: Networks::default(),
            proxy_header: ProxyHeader::default(),
            streams_per_tenant: 100,
            allowed_networks: Networks::default(),
            pictures: &[],
        }
    }
}

/// The largest body, in bytes.
pub const MAX_BODY: usize = 1024 * 1024;

/// Shared by all requests; cheap to clone.
pub type AppState = Arc<Shared>;

/// See [`AppState`].
pub struct Shared {
    /// What the operator decided.
    pub settings: Settings,
    /// The database.
    pub store: Store,
    /// Time, chance and ids.
    pub platform: Arc<Platform>,
    /// Every key and tenant.
    pub keys: Arc<KeyRing>,
    /// What is measured.
    pub metrics: Metrics,
    /// Turns true when the server begins to stop; answers that would go on for long end then.
    pub ending: watch::Sender<bool>,
    /// What this process forgets when a person is erased.
    pub erasures: Arc<Erasures>,
    /// Page links that visitors follow.
    pub(crate) links: Arc<LinkCache>,
    /// Finished pages of sites.
    pub(crate) pages: Arc<Cache>,
    /// What searches for persons look through.
    pub(crate) searches: Arc<Memory>,
    /// The turn of whoever makes a list of a site's pages.
    pub(crate) lists: Semaphore,
    /// Requests in flight by the address behind a trusted proxy.
    pub(crate) requests_in_flight: Counts<IpAddr>,
    /// Open streams of events by tenant.
    pub(crate) streams: Counts<TenantId>,
    pub(crate) readiness: Readiness,
    pub(crate) running: Running,
    pub(crate) validators: Arc<Validators>,
    /// The OpenAPI document; it is made when it is first asked for.
    pub(crate) document: OnceCell<StaticText>,
    /// Whose turn it is to compute what takes long.
    pub offload: Arc<Offload>,
    /// The answers that are being sent.
    pub answers: Arc<InFlight>,
}

impl Shared {
    /// The state of a server.
    pub fn new(settings: Settings, store: Store, platform: Arc<Platform>, keys: Arc<KeyRing>) -> AppState {
        let metrics = Metrics::new(&store);
        let (running, validators) = (Running::default(), Arc::default());
        let offload = Offload::new(std::thread::available_parallelism().map_or(1, NonZero::get));
        let answers = InFlight::new(settings.answers_in_memory);
        let ending = watch::Sender::new(false);
        let (pages, erasures) = (Arc::<Cache>::default(), Arc::<Erasures>::default());
        let (links, searches) = (Arc::<LinkCache>::default(), Arc::<Memory>::default());
        let forgotten = (Arc::clone(&pages), Arc::clone(&links), Arc::clone(&searches));
        erasures.forget_by(move || {
            forgotten.0.clear();
            forgotten.1.clear();
            forgotten.2.clear();
        });
        Arc::new(Shared {
            settings,
            store,
            platform,
            keys,
            metrics,
            ending,
            erasures,
            links,
            pages,
            searches,
            lists: Semaphore::new(1),
            readiness: Readiness::default(),
            requests_in_flight: Counts::default(),
            streams: Counts::default(),
            running,
            validators,
            document: OnceCell::new(),
            offload,
            answers,
        })
    }

    /// How many finished pages of sites are in memory.
    pub fn kept_pages(&self) -> usize {
        self.pages.count()
    }

    /// The present instant.
    pub fn now(&self) -> Timestamp {
        self.platform.clock().now()
    }
}

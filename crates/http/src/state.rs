//! What every request shares: one concrete struct.

use std::net::IpAddr;
use std::num::NonZero;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::http::Uri;
use pagesmith_file_storage::Storage;
use pagesmith_model::agent::AgentSettings;
use pagesmith_model::forwarded::ProxyHeader;
use pagesmith_model::identity_provider::IdentityProvider;
use pagesmith_model::network::{ManyNetworks, Networks};
use pagesmith_model::user::password::Cost;
use pagesmith_model::visit::SESSION_TIMEOUT;
use pagesmith_model::{TenantId, Timestamp};
use pagesmith_operations::Platform;
use pagesmith_operations::access::KeyRing;
use pagesmith_operations::agent::trials::Trials;
use pagesmith_operations::brands::fonts::FontReading;
use pagesmith_operations::brands::websites::Websites;
use pagesmith_operations::installation::{Backups, Examination};
use pagesmith_operations::persons::erasures::Erasures;
use pagesmith_operations::questions::ReadPassages;
use pagesmith_operations::questions::answering::Answering;
use pagesmith_operations::tenant_domains::check::{DnsChecker, Installation, Names};
use pagesmith_operations::tenant_domains::map::DomainMap;
use pagesmith_operations::users::Hasher;
use pagesmith_operations::users::identity_providers::IdentityProviders;
use pagesmith_operations::users::sign_in::Rules;
use pagesmith_operations::visits::salts::Salts;
use pagesmith_person_index::Memory;
use pagesmith_store::Store;
use tokio::sync::{OnceCell, Semaphore, watch};

use crate::counts::Counts;
use crate::in_flight::InFlight;
use crate::kept_json::KeptJson;
use crate::metrics::Metrics;
use crate::offload::Offload;
use crate::readiness::Readiness;
use crate::reports::{Arrivals, Reports};
use crate::running::Running;
use crate::site_cache::Cache;
use crate::site_cache::file_cache::FileCache;
use crate::site_cache::link_cache::LinkCache;
use crate::static_text::StaticText;
use crate::tls::Certificates;
use crate::validate::Validators;

/// What an operator decides about serving.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address that clients use, without a slash at the end.
    pub base_url: String,
    /// Where the console is, if not beside the API.
    pub console: Option<ConsoleAddress>,
    /// The domain below which each tenant has its site.
    pub site_domain: String,
    /// The port of the site's addresses, where it is not the scheme's own.
    pub site_port: Option<u16>,
    /// The addresses that tenants' domains may have in the place of a CNAME record. Empty: those of their fallback domains.
    pub site_addresses: Vec<IpAddr>,
    /// Further host names of the service, which no tenant can have.
    pub other_hosts: Vec<String>,
    /// How this server speaks TLS itself, if it does.
    pub tls: Option<Tls>,
    /// What hashing a password costs.
    pub password_cost: Cost,
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
    /// What tenants may upload.
    pub files: FileLimits,
    /// Networks that webhooks may lead to although they are reserved.
    pub allowed_networks: Networks,
    /// Without activity for so long a visitor's session ends.
    pub session_timeout: Duration,
    /// Reports of page views that are taken from an address in a minute.
    pub reports_per_address: u32,
    /// Networks of data centres, from which no visits are counted.
    pub data_centres: Arc<ManyNetworks>,
    /// How users sign in, and for how long.
    pub sign_in: Rules,
    /// Where users can sign in without a password of ours.
    pub identity_providers: Vec<IdentityProvider>,
    /// Whether invitations are sent by e-mail.
    pub sends_mail: bool,
    /// The agent of tenants for which nothing else is set.
    pub agent: AgentSettings,
    /// Pictures that sites have beside their pages: those of the example.
    pub pictures: &'static [SitePicture],
}

/// A place of the console's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsoleAddress {
    /// The address that people use, without a slash at the end.
    pub url: String,
    /// Whether it is reached through a listener of its own, whatever the host, and not by its host.
    pub has_listener: bool,
}

/// What tenants may upload.
#[derive(Debug, Clone, Copy)]
pub struct FileLimits {
    /// How many bytes a file may have.
    pub largest: u64,
    /// How many bytes the files of a tenant may take.
    pub quota: u64,
    /// How many uploads may run at once; half of them for one tenant.
    pub concurrency: usize,
}

/// TLS of this server's own.
#[derive(Debug, Clone)]
pub struct Tls {
    /// Whom it can speak as.
    pub certificates: Arc<Certificates>,
    /// The port that clients reach it on, where it is not 443.
    pub port: Option<u16>,
    /// For how long browsers ask for a site by TLS alone; nothing if it is zero.
    pub strict_transport: Duration,
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
            console: None,
            site_domain: "localhost".to_owned(),
            site_port: None,
            site_addresses: vec![],
            other_hosts: vec![],
            tls: None,
            password_cost: Cost::recommended(),
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
            files: FileLimits { largest: 50 * MIB, quota: 5 * 1024 * MIB, concurrency: 32 },
            allowed_networks: Networks::default(),
            session_timeout: SESSION_TIMEOUT,
            reports_per_address: 6_000,
            data_centres: Arc::default(),
            sign_in: Rules::USUAL,
            identity_providers: vec![],
            sends_mail: false,
            agent: AgentSettings::default(),
            pictures: &[],
        }
    }

    /// Where the console's screens begin.
    pub fn console_home(&self) -> String {
        format!("{}{}", self.console_url(), pagesmith_console::ROOT)
    }

    /// The address of the console, without a slash at the end.
    pub fn console_url(&self) -> &str {
        self.console.as_ref().map_or(&self.base_url, |console| &console.url)
    }

    /// The names and addresses of the installation.
    fn installation(&self) -> Installation {
        let by_host = self.console.as_ref().filter(|console| !console.has_listener);
        Installation {
            api_host: host_of(&self.base_url),
            console_host: by_host.and_then(|console| host_of(&console.url)),
            other_hosts: self.other_hosts.clone(),
            site_domain: self.site_domain.clone(),
            addresses: self.site_addresses.clone(),
        }
    }
}

/// The host of an address, in lower case.
pub fn host_of(url: &str) -> Option<String> {
    url.parse::<Uri>().ok()?.host().map(str::to_ascii_lowercase)
}

const MIB: u64 = 1024 * 1024;

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
    /// The bytes of files.
    pub files: Storage,
    /// Time, chance and ids.
    pub platform: Arc<Platform>,
    /// Hashes passwords.
    pub hasher: Hasher,
    /// Every key and tenant.
    pub keys: Arc<KeyRing>,
    /// Every domain that a tenant holds.
    pub domains: Arc<DomainMap>,
    /// Checks the DNS of domains.
    pub dns_checker: DnsChecker,
    /// Who reads websites, if somebody does.
    pub websites: OnceLock<Arc<dyn Websites>>,
    /// Who reads fonts, if somebody does.
    pub fonts: OnceLock<Arc<dyn FontReading>>,
    /// Where users can sign in without a password of ours; the way there is given at the start.
    pub identity_providers: Arc<IdentityProviders>,
    /// Who has models answer visitors, if somebody does.
    pub answering: OnceLock<Arc<dyn Answering>>,
    /// Who tries tenants' agents, if somebody does.
    pub trials: OnceLock<Arc<dyn Trials>>,
    /// Who makes backups, if somebody does.
    pub backups: OnceLock<Arc<dyn Backups>>,
    /// Who examines the installation, if somebody does.
    pub examination: OnceLock<Arc<dyn Examination>>,
    /// What is measured.
    pub metrics: Metrics,
    /// Turns true when the server begins to stop; answers that would go on for long end then.
    pub ending: watch::Sender<bool>,
    /// What this process forgets when a person is erased.
    pub erasures: Arc<Erasures>,
    /// Finished JSON of resources.
    pub(crate) json: Arc<KeptJson>,
    /// Page links that visitors follow.
    pub(crate) links: Arc<LinkCache>,
    /// Finished pages of sites.
    pub(crate) pages: Arc<Cache>,
    /// Texts that questions were answered from.
    pub(crate) passages: Arc<ReadPassages>,
    /// What searches for persons look through.
    pub(crate) searches: Arc<Memory>,
    /// Files that pages of sites show.
    pub(crate) shown_files: Arc<FileCache>,
    /// Reports of page views that wait to be written.
    pub(crate) reports: Reports,
    /// How many forms came from where.
    pub(crate) form_arrivals: Arrivals,
    /// How much was sent with which form of which tenant.
    pub(crate) submissions: Arrivals<(TenantId, String)>,
    /// What visitors' numbers are made with.
    pub salts: Arc<Salts>,
    /// The turn of whoever makes a list of a site's pages.
    pub(crate) lists: Semaphore,
    /// Requests in flight by the address behind a trusted proxy.
    pub(crate) requests_in_flight: Counts<IpAddr>,
    /// Checks of the DNS of domains that callers wait for, by tenant.
    pub(crate) dns_checks_in_flight: Counts<TenantId>,
    /// Trials of agents that callers wait for, by tenant.
    pub(crate) trials_in_flight: Counts<TenantId>,
    /// Websites that callers wait for, by tenant.
    pub(crate) websites_in_flight: Counts<TenantId>,
    /// Looks whose fonts are read, by tenant.
    pub(crate) fonts_in_flight: Counts<TenantId>,
    /// Questions that models are answering, by tenant.
    pub(crate) model_answers_in_flight: Counts<TenantId>,
    /// Open streams of events by tenant.
    pub(crate) streams: Counts<TenantId>,
    /// Uploads that are running.
    pub(crate) uploads: Uploads,
    pub(crate) readiness: Readiness,
    pub(crate) running: Running,
    pub(crate) validators: Arc<Validators>,
    /// The OpenAPI document with this server's address in it, from when it is first asked for.
    pub(crate) document: OnceCell<StaticText>,
    /// Whose turn it is to compute what takes long.
    pub offload: Arc<Offload>,
    /// The answers that are being sent.
    pub answers: Arc<InFlight>,
}

/// The places of uploads.
pub(crate) struct Uploads {
    /// Those of everybody.
    pub(crate) all: Arc<Semaphore>,
    /// Those that a tenant has.
    pub(crate) of_tenants: Counts<TenantId>,
}

impl Shared {
    /// The state of a server, which looks up names by `names`.
    pub fn new(
        settings: Settings,
        store: Store,
        files: Storage,
        platform: Arc<Platform>,
        keys: Arc<KeyRing>,
        names: Arc<dyn Names>,
    ) -> AppState {
        let dns_checker = DnsChecker::new(names, settings.installation());
        let domains = Arc::new(DomainMap::new(store.clone()));
        let metrics = Metrics::new(&store);
        let (running, validators) = (Running::default(), Arc::default());
        let offload = Offload::new(std::thread::available_parallelism().map_or(1, NonZero::get));
        let answers = InFlight::new(settings.answers_in_memory);
        let all = Arc::new(Semaphore::new(settings.files.concurrency));
        let uploads = Uploads { all, of_tenants: Counts::default() };
        let ending = watch::Sender::new(false);
        let (pages, erasures) = (Arc::<Cache>::default(), Arc::<Erasures>::default());
        let (links, searches) = (Arc::<LinkCache>::default(), Arc::<Memory>::default());
        let (json, shown_files) = (Arc::<KeptJson>::default(), Arc::<FileCache>::default());
        let passages = Arc::<ReadPassages>::default();
        let forgotten = (Arc::clone(&pages), Arc::clone(&links), Arc::clone(&searches));
        let as_well = (Arc::clone(&json), Arc::clone(&shown_files), Arc::clone(&passages));
        erasures.forget_by(move || {
            let (pages, links, searches) = &forgotten;
            let (json, shown_files, passages) = &as_well;
            pages.clear();
            links.clear();
            searches.clear();
            json.clear();
            shown_files.clear();
            passages.clear();
        });
        let console_url = settings.console_url();
        let identity_providers = IdentityProviders::new(console_url, settings.identity_providers.clone());
        // A hash takes a core for a while; the other cores are for everybody else.
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() / 2);
        let hasher = Hasher::new(settings.password_cost.clone(), cores);
        Arc::new(Shared {
            settings,
            hasher,
            store,
            files,
            platform,
            keys,
            domains,
            dns_checker,
            dns_checks_in_flight: Counts::default(),
            websites: OnceLock::new(),
            websites_in_flight: Counts::default(),
            fonts: OnceLock::new(),
            fonts_in_flight: Counts::default(),
            identity_providers: Arc::new(identity_providers),
            answering: OnceLock::new(),
            trials: OnceLock::new(),
            trials_in_flight: Counts::default(),
            backups: OnceLock::new(),
            examination: OnceLock::new(),
            model_answers_in_flight: Counts::default(),
            metrics,
            ending,
            erasures,
            json,
            links,
            pages,
            passages,
            searches,
            shown_files,
            lists: Semaphore::new(1),
            reports: Reports::default(),
            form_arrivals: Arrivals::default(),
            submissions: Arrivals::default(),
            salts: Arc::default(),
            readiness: Readiness::default(),
            requests_in_flight: Counts::default(),
            streams: Counts::default(),
            uploads,
            running,
            validators,
            document: OnceCell::new(),
            offload,
            answers,
        })
    }

    /// How many resources' JSON is in memory.
    pub fn kept_resources(&self) -> usize {
        self.json.count()
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

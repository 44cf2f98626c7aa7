//! The whole server, in the test's process and hand.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pagesmith_agent::Template;
use pagesmith_file_storage::Storage;
use pagesmith_http::state::Shared;
use pagesmith_http::{App, AppState, Settings, site_address};
use pagesmith_model::agent::AgentSettings;
use pagesmith_model::key::Scope;
use pagesmith_model::seal::SecretKey;
use pagesmith_model::user::password::Cost;
use pagesmith_model::{KeyId, ServerId, TenantId, Timestamp};
use pagesmith_operations::access::KeyRing;
use pagesmith_operations::keys::{self, IssuedKey, NewKey};
use pagesmith_operations::tenants::{self, NewTenant};
use pagesmith_operations::{Clock, Platform, Random};
use pagesmith_store::tables::servers::Server;
use pagesmith_store::{Store, StoreOptions};
use pagesmith_worker::backups::FolderBackups;
use pagesmith_worker::delivery::{self, DeliveryConfig};
use pagesmith_worker::egress::{self, Egress, Records};
use pagesmith_worker::enrichment::{self, EnrichmentConfig};
use pagesmith_worker::generation::{self, GenerationConfig, GenerationMetrics, Heartbeat, Models};
use pagesmith_worker::identity_providers::ProviderCalls;
use pagesmith_worker::limited_process::documents::DocumentReader;
use pagesmith_worker::limited_process::fonts::FontReader;
use pagesmith_worker::limited_process::pictures::PictureReader;
use pagesmith_worker::mail::{self, MailServer, Mailer, Security};
use pagesmith_worker::messages;
use pagesmith_worker::pictures::{self, PictureConfig};
use pagesmith_worker::reading::{ReadingConfig, WebsiteReader};
use pagesmith_worker::tasks;
use pagesmith_worker::tools::Tools;
use pagesmith_worker::trials::AgentTrials;

use crate::client::Client;
use crate::database::TestDatabase;
use crate::name_server::NameServer;
use crate::websites::TestWebsites;

/// The instant at which every test begins: 2026-03-01T12:00:00Z.
pub const START: i64 = 1_772_366_400_000_000;
/// The seed of every test's randomness.
const SEED: u64 = 7;

/// A server without a socket.
pub struct TestApp {
    /// Where it keeps its data.
    pub database: TestDatabase,
    /// Its store.
    pub store: Store,
    /// Where it keeps the bytes of files.
    pub files: Storage,
    /// Its time and chance.
    pub platform: Arc<Platform>,
    /// What its requests share.
    pub state: AppState,
    /// Its router.
    pub router: App,
    /// The tenant `acme`.
    pub tenant: TenantId,
    /// A key of `acme` that may do everything.
    pub key: String,
    /// How it speaks to the outside, which is the machine itself.
    pub egress: egress::Options,
    /// What reads files: a process of the program that is tested.
    pub documents: DocumentReader,
    /// Where it asks for names of tenants' domains.
    pub names: NameServer,
    /// How it sends e-mails, if it does.
    pub mailer: Option<Arc<Mailer>>,
    /// What it is among other servers.
    pub server: Server,
}

/// The program that is tested, which cargo puts beside the folder of the tests' own.
fn program() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    tests.parent().and_then(Path::parent).unwrap().join("pagesmith")
}

/// What a test may change before the server starts.
pub struct Plan {
    /// The server's settings.
    pub settings: Settings,
    /// How its database is opened.
    pub options: Box<dyn FnOnce(&mut StoreOptions)>,
    /// Where it keeps the bytes of files; a folder unless that is said.
    pub files: Option<Storage>,
    /// Whether its database is a file also in a run on PostgreSQL.
    pub is_embedded: bool,
}

impl Default for Plan {
    fn default() -> Plan {
        let settings = Settings {
            site_port: Some(8080),
            // A test signs in often.
            password_cost: Cost::least().unwrap(),
            ..Settings::usual("http://pagesmith.test")
        };
        Plan { settings, options: Box::new(|_| {}), files: None, is_embedded: false }
    }
}

impl TestApp {
    /// A server with the tenant `acme` and one key.
    pub async fn start() -> TestApp {
        TestApp::with(|_| {}).await
    }

    /// The same, after `change` has changed the plan.
    pub async fn with(change: impl FnOnce(&mut Plan)) -> TestApp {
        let mut plan = Plan::default();
        change(&mut plan);
        let database = match plan.is_embedded {
            true => TestDatabase::migrated_embedded().await,
            false => TestDatabase::migrated().await,
        };
        let store = database.open_with(plan.options);
        let platform = Platform::new(Clock::manual(Timestamp::from_micros(START)), Random::seeded(SEED));
        platform.keep_secret(SecretKey::new([7; 32]));
        let ring = Arc::new(KeyRing::new(store.clone()));
        let names = NameServer::start().await;
        let asked = Arc::new(Records::new(vec![names.address]));
        let folder = || Storage::in_folder(&database.folder.path().join("files")).unwrap();
        let files = plan.files.unwrap_or_else(folder);
        let state =
            Shared::new(plan.settings, store.clone(), files.clone(), Arc::clone(&platform), ring, asked);
        let router = pagesmith_http::app(state.clone());
        let mut app = TestApp {
            database,
            store,
            files,
            platform,
            state,
            router,
            tenant: TenantId::parse("tenant_00000000000000000000000000").unwrap(),
            key: String::new(),
            egress: egress::Options {
                unreachable_takes: Duration::ZERO,
                ..egress::Options::new("127.0.0.0/8".parse().unwrap())
            },
            documents: DocumentReader::new(program()),
            names,
            mailer: None,
            server: Server {
                server_id: ServerId::parse("server_00000000000000000000000000").unwrap(),
                host: "test".to_owned(),
                version: "0.0.1".to_owned(),
                started_at: Timestamp::from_micros(START),
                seen_at: Timestamp::from_micros(START),
            },
        };
        app.tenant = app.add_tenant("acme").await;
        app.key = app.add_key("acme", Scope::Write).await;
        let websites = TestWebsites(WebsiteReader::new(app.tools().reading));
        drop(app.state.websites.set(Arc::new(websites)));
        app.state.identity_providers.call_by(Arc::new(ProviderCalls::new(&app.egress)));
        drop(app.state.fonts.set(Arc::new(FontReader::like(&app.documents))));
        let models = Models::new(AgentSettings::default(), Arc::new(Egress::new(&app.egress)));
        let trials = AgentTrials::new(models, Arc::clone(&app.platform), Duration::from_secs(20));
        drop(app.state.trials.set(Arc::new(trials)));
        let folder = app.database.folder.path().join("backups");
        let (store, files) = (app.store.clone(), app.files.clone());
        let backups = FolderBackups::new(store, files, Arc::clone(&app.platform), folder);
        drop(app.state.backups.set(Arc::new(backups)));
        app
    }

    /// Another server: the same database, its own memory.
    pub fn second_server(&self) -> App {
        pagesmith_http::app(self.server_on(self.store.clone()))
    }

    /// Another server that is not told what this process commits either: a store of its own on the same database.
    pub fn another_server(&self) -> App {
        pagesmith_http::app(self.server_on(self.database.open()))
    }

    /// What the requests of another server on that store share.
    pub fn server_on(&self, store: Store) -> AppState {
        self.server_with(store, self.files.clone())
    }

    /// The same with files of its own.
    pub fn server_with(&self, store: Store, files: Storage) -> AppState {
        let (keys, platform) = (Arc::new(KeyRing::new(store.clone())), Arc::clone(&self.platform));
        let names = Arc::new(Records::new(vec![self.names.address]));
        Shared::new(self.state.settings.clone(), store, files, platform, keys, names)
    }

    /// Adds a tenant; its slug is its name.
    pub async fn add_tenant(&self, name: &str) -> TenantId {
        let ctx = self.platform.context();
        let new = NewTenant { name: name.to_owned(), slug: Some(name.to_owned()), default_region: None };
        let tenant = self.store.write(move |tx| tenants::create(tx, &ctx, &new)).await.unwrap();
        self.refresh().await;
        tenant.tenant_id
    }

    /// Adds a key of one tenant; its text.
    pub async fn add_key(&self, tenant: &str, scope: Scope) -> String {
        self.issue(NewKey {
            name: "test".to_owned(),
            scope,
            tenants: vec![tenant.to_owned()],
            expires_in: None,
            rate_limit: None,
        })
        .await
        .secret
    }

    /// Issues a key.
    pub async fn issue(&self, new: NewKey) -> IssuedKey {
        let ctx = self.platform.context();
        let issued = self.store.write(move |tx| keys::create(tx, &ctx, &new)).await.unwrap();
        self.refresh().await;
        issued
    }

    /// Revokes a key.
    pub async fn revoke(&self, key: KeyId) {
        let ctx = self.platform.context();
        self.store.write(move |tx| keys::revoke(tx, &ctx, &key)).await.unwrap();
        self.refresh().await;
    }

    /// Suspends a tenant.
    pub async fn suspend(&self, tenant: &'static str) {
        let ctx = self.platform.context();
        self.store.write(move |tx| tenants::suspend(tx, &ctx, tenant)).await.unwrap();
        self.refresh().await;
    }

    /// Ends the suspension of a tenant.
    pub async fn resume(&self, tenant: &'static str) {
        let ctx = self.platform.context();
        self.store.write(move |tx| tenants::resume(tx, &ctx, tenant)).await.unwrap();
        self.refresh().await;
    }

    /// Lets the server know of changed keys and tenants at once.
    pub async fn refresh(&self) {
        self.state.keys.refresh().await.unwrap();
    }

    /// Turns the clock.
    pub fn advance(&self, by: Duration) {
        self.platform.clock().advance(by);
    }

    /// Runs everything that is due in the background.
    pub async fn run_due_work(&self) {
        tasks::run_all(&self.tools()).await.unwrap();
    }

    /// What the background works with; versions are written by the template, one at a time.
    pub fn tools(&self) -> Tools {
        let mut reading = ReadingConfig::new(Egress::new(&self.egress), self.documents.clone());
        reading.unreachable_takes = Duration::ZERO;
        let generation = GenerationConfig {
            agent: Arc::new(Template),
            models: Models::new(AgentSettings::default(), Arc::new(Egress::new(&self.egress))),
            concurrency: 1,
            heartbeat: Heartbeat::ByHand(Arc::default()),
            metrics: GenerationMetrics::default(),
        };
        let settings = self.state.settings.clone();
        let enrichment = EnrichmentConfig {
            egress: Egress::new(&self.egress),
            site_address: Arc::new(move |slug, path| site_address(&settings, slug, path)),
        };
        Tools {
            store: self.store.clone(),
            files: self.files.clone(),
            platform: Arc::clone(&self.platform),
            keys: Arc::clone(&self.state.keys),
            domains: Arc::clone(&self.state.domains),
            salts: Arc::clone(&self.state.salts),
            dns_checker: self.state.dns_checker.clone(),
            certificates: None,
            mailer: self.mailer.clone(),
            erasures: Arc::clone(&self.state.erasures),
            session_timeout: self.state.settings.session_timeout,
            generation,
            delivery: DeliveryConfig {
                unreachable_takes: Duration::ZERO,
                ..DeliveryConfig::new(Arc::new(Egress::new(&self.egress)))
            },
            enrichment,
            reading,
            pictures: PictureConfig {
                reader: PictureReader::like(&self.documents),
                makes_avif: false,
                quota: self.state.settings.files.quota,
            },
            server: Arc::new(self.server.clone()),
            outage: Arc::default(),
        }
    }

    /// Lets e-mails be sent by the mail server at that address.
    pub fn mail_by(&mut self, address: SocketAddr) {
        let server = MailServer {
            host: address.ip().to_string(),
            port: address.port(),
            security: Security::Nothing,
            credentials: None,
            roots: None,
            from: mail::sender("Pagesmith <pages@pagesmith.test>").unwrap(),
            hello: "pagesmith.test".to_owned(),
            time_limit: Duration::from_secs(10),
        };
        let base_url = self.state.settings.base_url.clone();
        let texts = move |language: &str, tenant: &str, token: &str| {
            pagesmith_console::mail::invitation(language, tenant, &base_url, token)
        };
        self.mailer = Some(Arc::new(Mailer::new(&server, Arc::new(texts)).unwrap()));
    }

    /// Makes every variant of pictures that is due.
    pub async fn make_variants(&self) {
        pictures::drain(&self.tools()).await.unwrap();
    }

    /// Sends every delivery that is due.
    pub async fn deliver(&self) {
        delivery::drain(&self.tools()).await.unwrap();
    }

    /// Calls the hooks for every submission that is due.
    pub async fn enrich(&self) {
        enrichment::drain(&self.tools()).await.unwrap();
    }

    /// Carries every message out that is due.
    pub async fn carry_messages_out(&self) {
        messages::drain(&self.tools()).await.unwrap();
    }

    /// Writes every version that is due.
    pub async fn write_versions(&self) {
        generation::drain(&self.tools()).await.unwrap();
    }

    /// A caller with the key of `acme`.
    pub fn client(&self) -> Client {
        Client::new(self.router.clone(), Some(self.key.clone())).with_tools(self.tools())
    }

    /// A caller with that key.
    pub fn client_with(&self, key: &str) -> Client {
        Client::new(self.router.clone(), Some(key.to_owned())).with_tools(self.tools())
    }

    /// A caller without a key.
    pub fn anonymous(&self) -> Client {
        Client::new(self.router.clone(), None)
    }

    /// A caller of another tenant, `globex`, that may do everything.
    pub async fn stranger(&self) -> Client {
        self.add_tenant("globex").await;
        let key = self.add_key("globex", Scope::Write).await;
        self.client_with(&key)
    }
}

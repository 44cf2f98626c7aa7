//! From settings to a running server: what is made, in which order, and in which order it ends.
//!
//! The address is taken first, so that a second server on it fails before it touches anything. The first key is
//! printed as soon as it is stored, since it cannot be shown again. On a signal: stop accepting, finish what runs, stop the
//! background, close the database.

mod database;
mod tls;
mod welcome;

use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pagesmith_agent::Template;
use pagesmith_file_storage::Storage;
use pagesmith_http::server::{self, Listeners, ServeOptions};
use pagesmith_http::state::{ConsoleAddress, Shared};
use pagesmith_http::{AppState, Settings, app, site_address};
use pagesmith_model::ServerId;
use pagesmith_model::user::password::Cost;
use pagesmith_operations::access::KeyRing;
use pagesmith_operations::installation::Examination;
use pagesmith_operations::users::first_user;
use pagesmith_operations::users::links::LinkTarget;
use pagesmith_operations::{Platform, bootstrap, tenants};
use pagesmith_store::Store;
use pagesmith_store::tables::servers::Server;
use pagesmith_worker::answering::{LONGEST, ModelAnswers, TimeLimit};
use pagesmith_worker::backups::FolderBackups;
use pagesmith_worker::delivery::DeliveryConfig;
use pagesmith_worker::egress::{self, Egress, Objects, Records};
use pagesmith_worker::enrichment::EnrichmentConfig;
use pagesmith_worker::generation::{self, GenerationConfig, GenerationMetrics, Heartbeat, Models};
use pagesmith_worker::identity_providers::ProviderCalls;
use pagesmith_worker::limited_process::documents::DocumentReader;
use pagesmith_worker::limited_process::fonts::FontReader;
use pagesmith_worker::limited_process::pictures::PictureReader;
use pagesmith_worker::mail::Mailer;
use pagesmith_worker::pictures::PictureConfig;
use pagesmith_worker::reading::{ReadingConfig, WebsiteReader};
use pagesmith_worker::tasks;
use pagesmith_worker::tools::Tools;
use pagesmith_worker::trials::{self, AgentTrials};
use rustls::RootCertStore;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::config::{Agent, Config, Console};
use crate::database_safety;
use crate::demo;
use crate::failure::{Failure, ListenSetting, Result};
use crate::open_files;
use crate::screen::Screen;
use crate::secret_key::{self, Missing};
use crate::shutdown::Shutdown;
use welcome::FirstKey;

/// How long the last round of the background may take.
const BACKGROUND_TIME_LIMIT: Duration = Duration::from_secs(5);

/// What a start makes where there is nothing yet.
pub enum First<'a> {
    /// A tenant and a key, whose text may be given.
    Key(Option<&'a str>),
    /// The example.
    Demo,
}

/// Serves until a signal; `missing` says what is done about a key that is not there, and `examination` is for operators.
pub async fn serve(
    config: &Config,
    first: First<'_>,
    missing: Missing,
    screen: Screen,
    examination: Arc<dyn Examination>,
) -> Result<()> {
    if let First::Key(Some(key)) = first {
        bootstrap::check_given(key)
            .map_err(|error| Failure::new(format!("PAGESMITH_BOOTSTRAP_KEY: {error}")))?;
    }
    let shutdown = Shutdown::listen()?;
    open_files::allow(config.limits.max_connections);
    let listen = config.server.listen;
    let listener = bind(ListenSetting::Api, listen).await?;
    let address = listener.local_addr()?;
    let tls = tls::listen(&config.tls).await?;
    let console = console_listener(&config.console).await?;
    let platform = Platform::system();
    let store = Store::open(config.database.serving_options(config.limits.request_timeout))?;
    tokio::select! {
        migrated = database::migrate(&store) => migrated?,
        () = shutdown.clone().requested() => return Ok(()),
    }
    database_safety::check(&store, &config.database).await?;
    let secret = secret_key::unlock(config, &store, &platform, missing).await?;
    let files = files(config)?;
    files.try_out().await?;
    let mut settings = settings(config, &config.server.base_url(address));
    let of_console = console.as_ref().map(TcpListener::local_addr).transpose()?;
    settings.console =
        config.console.url(of_console).map(|url| ConsoleAddress { url, has_listener: console.is_some() });
    settings.tls = tls.as_ref().map(|tls| tls.settings(&config.tls));
    settings.identity_providers = config.sign_in.providers()?;
    settings.data_centres = Arc::new(config.visits.data_centres()?);
    let link = set_up_link(&store, &platform, &settings).await?;
    let (example, is_shown) = match first {
        First::Key(given) => {
            (None, first_start(&store, &platform, &settings, (given, link.as_deref()), screen).await?)
        }
        First::Demo => {
            settings.pictures = demo::PICTURES;
            (Some(demo::prepare(&store, &platform, &settings).await?), false)
        }
    };
    let keys = Arc::new(KeyRing::new(store.clone()));
    keys.refresh().await?;
    let (stop, stopping) = watch::channel(false);
    if !is_shown {
        tracing::info!(%address, base_url = settings.base_url, database = %store.url(), "listening");
    }
    let names = Arc::new(Records::new(config.dns.servers.clone()));
    let state = Shared::new(settings, store.clone(), files, platform, keys, names);
    state.domains.refresh().await?;
    let tools = tools(config, &state)?;
    drop(state.examination.set(examination));
    connect(config, &state, &tools);
    if let Some(key) = example {
        demo::learn(&tools, &state.settings.files).await?;
        // Whoever opens a link finds a page behind it.
        generation::drain(&tools).await?;
        demo::live_through(&tools).await?;
        say(&demo::announcement(&store, &tools.platform, &state.settings, (&key, link.as_deref())).await?)?;
    }
    let mut background = tasks::spawn(&tools, &stopping);
    if let Some(tls) = &tls {
        tls.certificates.refresh(&store, &tools.platform).await?;
        let sources = (store.clone(), Arc::clone(&tools.platform));
        background.spawn(Arc::clone(&tls.certificates).follow(sources, stopping.clone()));
    }
    if config.server.secret_keys.is_none() {
        let (store, platform) = (store.clone(), Arc::clone(&tools.platform));
        background.spawn(secret_key::follow(secret_key::path(config)?, secret, (store, platform), stopping));
    }
    let ending = state.clone();
    let ends = async move {
        shutdown.requested().await;
        ending.ending.send_replace(true);
    };
    let tls = tls.map(|tls| (tls.listener, tls.acceptor));
    server::serve(Listeners { plain: listener, tls, console }, app(state), options(config), ends).await;
    stop.send_replace(true);
    end(background).await;
    store.close().await?;
    tracing::info!("stopped");
    Ok(())
}

async fn bind(setting: ListenSetting, listen: SocketAddr) -> Result<TcpListener> {
    TcpListener::bind(listen).await.map_err(|error| Failure::cannot_listen(setting, listen, &error))
}

/// Binds the console's own listener, if it has one.
async fn console_listener(config: &Console) -> Result<Option<TcpListener>> {
    let Some(listen) = config.listen else { return Ok(None) };
    let listener = bind(ListenSetting::Console, listen).await?;
    tracing::info!(address = %listener.local_addr()?, "listening for the console");
    Ok(Some(listener))
}

/// Gives requests what speaks to the outside or runs beside the server.
fn connect(config: &Config, state: &AppState, tools: &Tools) {
    let way = Egress::new(&with_own_resolver(&outwards(config)));
    let websites = WebsiteReader::new(ReadingConfig::new(way, tools.reading.documents.clone()));
    drop(state.websites.set(Arc::new(websites)));
    state.identity_providers.call_by(Arc::new(provider_calls(config)));
    drop(state.fonts.set(Arc::new(FontReader::like(&tools.reading.documents))));
    drop(state.trials.set(Arc::new(trials(config, tools))));
    if let Some(folder) = config.backup.folder(config.database.url.embedded_path()) {
        let (store, files, platform) =
            (state.store.clone(), state.files.clone(), Arc::clone(&state.platform));
        let backups = FolderBackups::new(store, files, platform, folder);
        drop(state.backups.set(Arc::new(backups)));
    }
    if config.agent.answers_questions {
        drop(state.answering.set(Arc::new(answers(config, tools))));
    }
}

/// What the background of this server works with.
fn tools(config: &Config, state: &AppState) -> Result<Tools> {
    let outwards = outwards(config);
    let generation = GenerationConfig {
        agent: Arc::new(Template),
        models: models(config, &outwards),
        concurrency: config.generation.concurrency,
        heartbeat: Heartbeat::USUAL,
        metrics: GenerationMetrics::default(),
    };
    let delivery = DeliveryConfig::new(Arc::new(Egress::new(&outwards)));
    let mut documents = DocumentReader::of_this_program();
    documents.memory_mib = config.files.reading_memory_mib;
    documents.time_limit = config.files.reading_timeout;
    let pictures = PictureConfig {
        reader: PictureReader::like(&documents),
        makes_avif: config.files.avif_pictures,
        quota: config.files.limits.quota,
    };
    let reading = ReadingConfig::new(Egress::new(&with_own_resolver(&outwards)), documents);
    let addresses = state.settings.clone();
    let enrichment = EnrichmentConfig {
        egress: Egress::new(&with_own_resolver(&outwards)),
        site_address: Arc::new(move |slug, path| site_address(&addresses, slug, path)),
    };
    let certificates = match (&config.tls.acme, &state.settings.tls) {
        (Some(acme), Some(tls)) => {
            let of = (acme, config.server.listen.ip());
            Some(Arc::new(tls::automatic(of, &outwards, &state.platform, &tls.certificates)?))
        }
        _ => None,
    };
    state.metrics.add(|registry| {
        if let Some(certificates) = &certificates {
            certificates.metrics.register(registry);
        }
        delivery.metrics.register(registry);
        generation.metrics.register(registry);
        generation.models.metrics.register(registry);
    });
    Ok(Tools {
        store: state.store.clone(),
        files: state.files.clone(),
        platform: Arc::clone(&state.platform),
        keys: Arc::clone(&state.keys),
        domains: Arc::clone(&state.domains),
        salts: Arc::clone(&state.salts),
        dns_checker: state.dns_checker.clone(),
        certificates,
        mailer: mailer(config, &state.settings.base_url, state.settings.console_url())?.map(Arc::new),
        erasures: Arc::clone(&state.erasures),
        session_timeout: state.settings.session_timeout,
        generation,
        delivery,
        enrichment,
        reading,
        pictures,
        server: Arc::new(this_server(&state.platform)?),
        outage: Arc::default(),
    })
}

/// The same way outwards for work that has a runtime of its own, to which its resolver belongs.
fn with_own_resolver(outwards: &egress::Options) -> egress::Options {
    egress::Options { net: Arc::new(egress::System::default()), ..outwards.clone() }
}

/// The way to identity providers, within a runtime.
pub fn provider_calls(config: &Config) -> ProviderCalls {
    ProviderCalls::new(&with_own_resolver(&outwards(config)))
}

/// How e-mails are sent, if they are; their links lead to the console.
pub fn mailer(config: &Config, base_url: &str, console_url: &str) -> Result<Option<Mailer>> {
    let Some(mail) = &config.mail else { return Ok(None) };
    let own = console_url.to_owned();
    let texts = move |language: &str, tenant: &str, token: &str| {
        pagesmith_console::mail::invitation(language, tenant, &own, token)
    };
    let mailer = Mailer::new(&mail.server(base_url)?, Arc::new(texts));
    Ok(Some(mailer.map_err(|why| Failure::new(format!("mail.server = {}: {why}", mail.name())))?))
}

/// The authorities that the system trusts, and those of the file that this setting names.
fn authorities(setting: &str, file: &Path) -> Result<Arc<RootCertStore>> {
    let unusable = |why: String| Failure::new(format!("{setting} = {}: {why}", file.display()));
    let pem = std::fs::read(file).map_err(|error| unusable(error.to_string()))?;
    egress::roots_of_pem(&pem).ok_or_else(|| unusable("it has no certificate in PEM form".to_owned()))
}

/// What goes out of this program goes so, unless there is a reason against it.
fn outwards(config: &Config) -> egress::Options {
    let proxy = config.egress.proxy.clone();
    egress::Options { proxy, ..egress::Options::new(config.egress.allow.clone()) }
}

/// The bucket of files, if they are kept in one. Its connections belong to the runtime in which this is called.
fn bucket(config: &Config) -> Result<Option<Storage>> {
    let Some(bucket) = &config.files.bucket else { return Ok(None) };
    let roots = bucket.roots.as_deref().map(|file| authorities("files.s3.roots", file)).transpose()?;
    let options = egress::Options { total: bucket.timeout, roots, ..outwards(config) };
    let way = Objects::new(&options, Arc::new(egress::System::default()), Handle::current());
    Ok(Some(Storage::in_bucket(bucket.options()?, way)?))
}

/// The storage of files, within a runtime; a folder is made where there is none yet.
pub fn files(config: &Config) -> Result<Storage> {
    match bucket(config)? {
        Some(bucket) => Ok(bucket),
        None => folder(config),
    }
}

/// The folder of files, which is made where there is none yet.
pub fn folder(config: &Config) -> Result<Storage> {
    let folder = config.files.folder(config.database.url.embedded_path()).ok_or_else(|| {
        Failure::new(
            "there is no place for files: set files.folder to an absolute path (there is neither a configuration file nor XDG_DATA_HOME nor HOME)",
        )
    })?;
    Ok(Storage::in_folder(&folder)?)
}

/// The way to the models that write, apart from that of deliveries: they take longer, and the work has a runtime of its own, and so has the
/// resolver.
fn models(config: &Config, outwards: &egress::Options) -> Models {
    let total = config.agent.timeout;
    let gateway = Egress::new(&egress::Options { total, ..with_own_resolver(outwards) });
    let models = Models::new(config.agent.settings.clone(), Arc::new(gateway));
    let Agent { max_output_tokens: most_output_tokens, concurrency, .. } = config.agent;
    Models { time_limit: total, most_output_tokens, concurrency, ..models }
}

/// Who has models answer visitors: they share all with those that write, but a way outside that belongs to the runtime of requests.
fn answers(config: &Config, tools: &Tools) -> ModelAnswers {
    // A page follows the answer in time, whatever an operator allows a request.
    let longest = config.limits.request_timeout / 2;
    let time_limit = TimeLimit::For(LONGEST.min(longest));
    let outwards = with_own_resolver(&outwards(config));
    // A visitor gets the passages at once where no model can be reached.
    let options = egress::Options { total: longest, unreachable_takes: Duration::ZERO, ..outwards };
    let models = Models { gateway: Arc::new(Egress::new(&options)), ..tools.generation.models.clone() };
    ModelAnswers::new(models, Arc::clone(&tools.platform), time_limit)
}

/// Who tries tenants' agents: they share all with those that write, but a way outside that belongs to the runtime of requests.
fn trials(config: &Config, tools: &Tools) -> AgentTrials {
    // Whoever waits is answered in time, whatever an operator allows a request.
    let longest = trials::LONGEST.min(config.limits.request_timeout * 4 / 5);
    let options = egress::Options { total: longest, ..with_own_resolver(&outwards(config)) };
    let models = Models { gateway: Arc::new(Egress::new(&options)), ..tools.generation.models.clone() };
    AgentTrials::new(models, Arc::clone(&tools.platform), longest)
}

/// This server, as others see it.
fn this_server(platform: &Arc<Platform>) -> Result<Server> {
    let context = platform.context();
    Ok(Server {
        server_id: ServerId::mint(context.uuid()?),
        host: rustix::system::uname().nodename().to_string_lossy().into_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started_at: context.now,
        seen_at: context.now,
    })
}

/// Prints on standard output; whoever does not listen wants nothing.
fn say(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        outcome => Ok(outcome?),
    }
}

/// Waits for the last round of the background, but not for ever: what it leaves undone, the next start does.
async fn end(mut background: JoinSet<()>) {
    let all = async { while background.join_next().await.is_some() {} };
    if timeout(BACKGROUND_TIME_LIMIT, all).await.is_err() {
        tracing::warn!("background tasks were cut off");
        background.shutdown().await;
    }
}

/// Makes the first tenant and key where there is none, and tells of it and of the link that makes the first user; whether all that is to be told
/// was shown on the terminal.
async fn first_start(
    store: &Store,
    platform: &Arc<Platform>,
    settings: &Settings,
    (given, set_up): (Option<&str>, Option<&str>),
    screen: Screen,
) -> Result<bool> {
    let (context, chosen) = (platform.context(), given.map(str::to_owned));
    let issued = store.write(move |tx| bootstrap::first_start(tx, &context, chosen.as_deref())).await?;
    let key = match &issued {
        None => FirstKey::Earlier,
        Some(_) if given.is_some() => FirstKey::Given,
        Some(issued) => FirstKey::Made(&issued.secret),
    };
    let printed = if screen.output {
        let tenants = store.read(tenants::list).await?;
        let only = if let [tenant] = &tenants[..] { Some(tenant.slug.as_str()) } else { None };
        say(&welcome::text(settings, only, key, set_up, screen.colors))
    } else if let FirstKey::Made(secret) = key {
        say(&format!("{secret}\n"))
    } else {
        Ok(())
    };
    if let Err(error) = &printed {
        let advice =
            "the first key could not be printed: make one with `pagesmith key create --tenant default`";
        tracing::warn!(%error, "{advice}");
    }
    let is_shown = screen.output && screen.errors && printed.is_ok();
    if let Some(issued) = issued.filter(|_| !is_shown) {
        let how =
            if given.is_some() { "the given key" } else { "a key, printed on standard output this once" };
        tracing::info!(
            key = issued.key.key_id.as_str(),
            "first start: created the tenant `default` and {how}"
        );
    }
    if let Some(link) = set_up.filter(|_| !screen.output) {
        let advice = "there is no user yet: open the link within 30 minutes to make the first one";
        tracing::info!(link, "{advice}");
    }
    Ok(is_shown)
}

/// While there is no user: a link by which the first one is made.
async fn set_up_link(store: &Store, platform: &Arc<Platform>, settings: &Settings) -> Result<Option<String>> {
    let context = platform.context();
    let token = store.write(move |tx| first_user::set_up_link(tx, &context)).await?;
    Ok(token.map(|token| LinkTarget::SetUp.link(settings.console_url(), &token)))
}

fn settings(config: &Config, base_url: &str) -> Settings {
    Settings {
        base_url: base_url.to_owned(),
        console: None,
        site_domain: config.server.site_domain.clone(),
        site_port: odd_port(base_url),
        site_addresses: config.dns.addresses.clone(),
        other_hosts: config.tls.acme.as_ref().map(|acme| acme.hosts.clone()).unwrap_or_default(),
        tls: None,
        rate_limit: config.rate_limit.requests,
        rate_window: config.rate_limit.window,
        body_timeout: config.limits.body_timeout,
        request_timeout: config.limits.request_timeout,
        longest_answer: pagesmith_http::state::LONGEST_ANSWER,
        answers_in_memory: config.limits.answers_in_memory,
        connections_per_address: config.limits.connections_per_address,
        trusted_proxies: config.server.trusted_proxies.clone(),
        proxy_header: config.server.proxy_header,
        streams_per_tenant: config.limits.streams_per_tenant,
        files: config.files.limits,
        allowed_networks: config.egress.allow.clone(),
        password_cost: Cost::recommended(),
        session_timeout: config.visits.session_timeout,
        reports_per_address: config.visits.reports_per_address,
        data_centres: Arc::default(),
        sign_in: config.sign_in.rules(config.console.sessions),
        identity_providers: vec![],
        sends_mail: config.mail.is_some(),
        agent: config.agent.settings.clone(),
        pictures: &[],
    }
}

fn options(config: &Config) -> ServeOptions {
    ServeOptions {
        max_connections: config.limits.max_connections,
        header_timeout: config.limits.header_timeout,
        write_timeout: config.limits.write_timeout,
        shutdown_timeout: config.limits.shutdown_timeout,
    }
}

/// The port of the address, unless it goes without saying.
fn odd_port(base_url: &str) -> Option<u16> {
    let uri: http::Uri = base_url.parse().ok()?;
    let usual = if uri.scheme_str() == Some("https") { 443 } else { 80 };
    uri.port_u16().filter(|port| *port != usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_odd_port_is_said() {
        assert_eq!(odd_port("http://127.0.0.1:8080"), Some(8080));
        assert_eq!(odd_port("http://x:80"), None);
        assert_eq!(odd_port("https://x:443"), None);
        assert_eq!(odd_port("https://x"), None);
        assert_eq!(odd_port("http://[::1]:81"), Some(81));
    }
}

//! The PostgreSQL servers of an address, one of which writes: they are tried in turn until one can be used.
//!
//! The server that was connected last is tried first, and one that has failed last. So after a failover one attempt costs time, and
//! not each connection. A server that takes a connection and says nothing counts as one that failed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::OnceCell;
use tokio::time::timeout;
use tokio_postgres::config::SslMode;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::connection::postgres::plans::Plans;
use crate::connection::postgres::wire::{self, Notices};
use crate::connection::postgres::{pooler, refusal, tls};
use crate::database_url::{Encryption, PostgresUrl};
use crate::fault::Fault;

/// How long it may take to reach a server. Whatever is sent later must be acknowledged by its machine in the same time.
const REACH: Duration = Duration::from_secs(3);
/// How long the only server may take in all until it can be used.
const ALONE: Duration = Duration::from_secs(6);

/// How long it may take to find out whether a pooler is between.
const CHECK: Duration = Duration::from_secs(2);

/// The servers of an address; clones share what they know.
#[derive(Clone)]
pub(crate) struct Servers {
    hosts: Arc<[Server]>,
    tls: Option<MakeRustlsConnect>,
    encryption: Encryption,
    /// The place of the one to try first.
    first: Arc<AtomicUsize>,
    /// How the database is to plan: asked by the first connection, for all.
    plans: Arc<OnceCell<Plans>>,
}

struct Server {
    config: Config,
    /// Whether it is known to be no pooler that would lose what belongs to a connection.
    keeps_sessions: OnceCell<()>,
}

impl Servers {
    /// Those of an address; certificates that it names are read.
    pub(crate) fn of(url: &PostgresUrl) -> Result<Servers, Fault> {
        let address = url.parsed().map_err(|error| Fault::Refused(error.to_string()))?;
        let hosts = address.hosts.into_iter().map(|mut host| {
            if host.get_connect_timeout().is_none() {
                host.connect_timeout(REACH);
            }
            // Without it the system waits a quarter of an hour for a machine that is gone.
            if host.get_tcp_user_timeout().is_none() {
                host.tcp_user_timeout(REACH);
            }
            if host.get_application_name().is_none() {
                host.application_name("pagesmith");
            }
            host.keepalives_idle(Duration::from_secs(30));
            Server { config: host, keeps_sessions: OnceCell::new() }
        });
        Ok(Servers {
            hosts: hosts.collect(),
            tls: tls::connector(&address.encryption)?,
            encryption: address.encryption,
            first: Arc::default(),
            plans: Arc::default(),
        })
    }

    /// A connection to the first server that can be used, on which `settings` have been carried out.
    pub(crate) async fn connect(&self, settings: &str) -> Result<(Client, Notices), Fault> {
        let (count, first) = (self.hosts.len(), self.first.load(Ordering::Relaxed));
        let mut faults = Vec::new();
        for at in (first..first + count).map(|at| at % count) {
            let Some(server) = self.hosts.get(at) else { continue };
            let answer_limit = self.answer_limit(&server.config);
            let connected = timeout(answer_limit, self.connect_to(server, settings)).await;
            match connected.unwrap_or_else(|_| Err(refusal::silent(&server.config, answer_limit))) {
                Ok(connected) => {
                    self.first.store(at, Ordering::Relaxed);
                    return Ok(connected);
                }
                Err(fault) => faults.push(fault),
            }
        }
        // Unless somebody has found one meanwhile.
        let next = (first + 1) % count;
        let _ = self.first.compare_exchange(first, next, Ordering::Relaxed, Ordering::Relaxed);
        Err(refusal::of_all(faults))
    }

    /// Whether they are a cluster whose nodes have the tenants' rows; known once one was connected.
    pub(crate) fn is_cluster(&self) -> bool {
        self.plans.get() == Some(&Plans::OfCluster)
    }

    fn answer_limit(&self, host: &Config) -> Duration {
        let reach = host.get_connect_timeout().copied().unwrap_or(REACH);
        if self.hosts.len() == 1 { reach.max(ALONE) } else { reach }
    }

    async fn connect_to(&self, server: &Server, settings: &str) -> Result<(Client, Notices), Fault> {
        let (client, notices) = self.greet(&server.config).await?;
        server.keeps_sessions.get_or_try_init(|| self.check_sessions(&server.config, &client)).await?;
        let plans = self.plans.get_or_try_init(|| Plans::of(&client)).await?;
        let settings = settings.to_owned() + plans.setting();
        client.batch_execute(&settings).await.map_err(|error| wire::fault(&error))?;
        Ok((client, notices))
    }

    /// Asks with the help of another connection. Where there can be none, nothing is refused.
    async fn check_sessions(&self, host: &Config, client: &Client) -> Result<(), Fault> {
        let check = async {
            match self.greet(host).await {
                Ok((other, _)) => pooler::check(client, &other).await,
                Err(_) => Ok(()),
            }
        };
        match timeout(CHECK, check).await {
            Ok(Err(fault @ Fault::Refused(_))) => Err(fault),
            _ => Ok(()),
        }
    }

    async fn greet(&self, host: &Config) -> Result<(Client, Notices), Fault> {
        let (Some(tls), SslMode::Prefer | SslMode::Require) = (&self.tls, host.get_ssl_mode()) else {
            return in_clear(host).await;
        };
        match host.connect(tls.clone()).await {
            Ok((client, connection)) => wire::begin(client, connection),
            // As libpq does: what is preferred is not needed.
            Err(error) if self.encryption == Encryption::IfOffered && is_about_tls(&error) => {
                in_clear(host).await
            }
            Err(error) => Err(refusal::explain(&error, host).await),
        }
    }
}

async fn in_clear(host: &Config) -> Result<(Client, Notices), Fault> {
    let mut host = host.clone();
    host.ssl_mode(SslMode::Disable);
    match host.connect(NoTls).await {
        Ok((client, connection)) => wire::begin(client, connection),
        Err(error) => Err(refusal::explain(&error, &host).await),
    }
}

/// Whether the same connection may be possible without TLS: the handshake failed, or the server lets this user in only without.
fn is_about_tls(error: &tokio_postgres::Error) -> bool {
    error.to_string().starts_with("error performing TLS handshake")
        || error.code() == Some(&SqlState::INVALID_AUTHORIZATION_SPECIFICATION)
}

//! Names, looked up by ourselves: asynchronously, within a time, and few at a time for any one owner of names.
//!
//! The system's library would hold a thread for every name whose servers do not answer, and there are only so many threads. Here a lookup
//! that hangs holds a few hundred bytes. `/etc/hosts` goes first, `localhost` and what ends in it is the machine itself, everything else is
//! asked of the servers in `/etc/resolv.conf`; both files are read again every half minute. What this is not: a judge of addresses,
//! which the connector is, at every connection; so an answer may be remembered as long as it says, up to half a minute.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hickory_resolver::config::{NameServerConfig, ResolveHosts, ResolverConfig, ResolverOpts};
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::op::Query;
use hickory_resolver::proto::rr::{Name, RecordType};
use hickory_resolver::{Hosts, TokioResolver, system_conf};
use pagesmith_model::domain::Domain;
use tokio::runtime::{Handle, Id};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

/// How long a lookup may take, all in all: less than a connection.
const LIMIT: Duration = Duration::from_secs(4);
/// How often a name server that does not answer is asked again.
const REPEATED: usize = 1;
/// For how long the system's files and the answers of name servers are believed.
const FRESH: Duration = Duration::from_secs(30);
/// For how long it is believed that there is no such name.
const MISSING: Duration = Duration::from_secs(5);
/// How many answers are remembered.
const REMEMBERED: u64 = 1_024;
/// How many names below one registered domain are looked up at a time: whoever owns them decides how long each takes.
const PER_OWNER: usize = 8;
/// How many are looked up at a time in all.
const CONCURRENCY: usize = 512;

/// What the system says about names.
pub(super) struct Setup {
    pub(super) config: ResolverConfig,
    pub(super) options: ResolverOpts,
    pub(super) hosts: Hosts,
}

impl Setup {
    /// The system's files as they are now. Without name servers in them the machine itself is asked, as the system's library does.
    pub(super) fn of_system() -> Setup {
        let (config, options) = system_conf::read_system_conf().unwrap_or_else(|error| {
            tracing::debug!(%error, "the system names no name server");
            let here = NameServerConfig::udp_and_tcp(IpAddr::from(Ipv4Addr::LOCALHOST));
            (ResolverConfig::from_parts(None, vec![], vec![here]), ResolverOpts::default())
        });
        Setup { config, options, hosts: Hosts::from_system().unwrap_or_default() }
    }
}

/// A resolver made from a setup.
struct Made {
    at: Instant,
    /// Its background work lives in the runtime that made it.
    runtime: Id,
    resolver: TokioResolver,
    hosts: Arc<Hosts>,
}

/// Looks up names.
pub(super) struct Resolver {
    setup: Box<dyn Fn() -> Setup + Send + Sync>,
    made: Mutex<Option<Arc<Made>>>,
    limit: Duration,
    all: Arc<Semaphore>,
    owners: Mutex<HashMap<String, Arc<Semaphore>>>,
}

impl Default for Resolver {
    fn default() -> Resolver {
        Resolver::new(Setup::of_system, LIMIT)
    }
}

impl Resolver {
    /// One whose lookups take no longer than `limit`.
    pub(super) fn new(setup: impl Fn() -> Setup + Send + Sync + 'static, limit: Duration) -> Resolver {
        Resolver {
            setup: Box::new(setup),
            made: Mutex::default(),
            limit,
            all: Arc::new(Semaphore::new(CONCURRENCY)),
            owners: Mutex::default(),
        }
    }

    /// All addresses of a name; [`io::ErrorKind::NotFound`] if it is certain that there are none.
    pub(super) async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let looked_up = timeout(self.limit, self.look_up(host)).await;
        looked_up.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }

    async fn look_up(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let name = Name::from_ascii(host).map_err(|_| io::Error::from(io::ErrorKind::NotFound))?;
        let made = self.present()?;
        let known = in_hosts(&made.hosts, &name);
        if !known.is_empty() {
            return Ok(known);
        }
        let _permits = self.permits(host).await?;
        let found = made.resolver.lookup_ip(name).await.map_err(|error| failure(&error))?;
        Ok(found.iter().collect())
    }

    /// The resolver of this runtime, from files that were read a moment ago.
    fn present(&self) -> io::Result<Arc<Made>> {
        let (now, runtime) = (Instant::now(), Handle::current().id());
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = made.as_ref().filter(|made| made.runtime == runtime && now - made.at < FRESH) {
            return Ok(Arc::clone(made));
        }
        let Setup { config, options, hosts } = (self.setup)();
        let mut builder = TokioResolver::builder_with_config(config, TokioRuntimeProvider::default());
        *builder.options_mut() = limited(options, self.limit);
        let resolver = builder.build().map_err(|error| failure(&error))?;
        let fresh = Arc::new(Made { at: now, runtime, resolver, hosts: Arc::new(hosts) });
        *made = Some(Arc::clone(&fresh));
        Ok(fresh)
    }

    /// A permit among the lookups of the name's owner, and then one among all.
    async fn permits(&self, host: &str) -> io::Result<[OwnedSemaphorePermit; 2]> {
        let owner = owner(host);
        let of_owner = {
            let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
            // Those whose permits nobody has or waits for.
            owners.retain(|_, permits| Arc::strong_count(permits) > 1);
            Arc::clone(owners.entry(owner).or_insert_with(|| Arc::new(Semaphore::new(PER_OWNER))))
        };
        let of_owner = of_owner.acquire_owned().await.map_err(io::Error::other)?;
        let of_all = Arc::clone(&self.all).acquire_owned().await.map_err(io::Error::other)?;
        Ok([of_owner, of_all])
    }
}

/// The domain that somebody has registered to have a name like this; of unusual names the last two labels.
fn owner(host: &str) -> String {
    let registered = Domain::parse(host).and_then(|domain| domain.registrable());
    let labels = || host.trim_end_matches('.').rsplitn(3, '.').take(2).collect::<Vec<_>>().join(".");
    registered.map_or_else(labels, |owner| owner.as_str().to_owned())
}

/// The system's options within our limits, for lookups that take no longer than `limit`.
fn limited(mut options: ResolverOpts, limit: Duration) -> ResolverOpts {
    // Time for one question and its repetition, and some to spare.
    options.timeout = limit.mul_f32(0.4);
    options.attempts = options.attempts.min(REPEATED);
    options.cache_size = REMEMBERED;
    options.positive_max_ttl = Some(FRESH);
    options.negative_max_ttl = Some(MISSING);
    // They are looked at before: a name that is in them is not asked for at all.
    options.use_hosts_file = ResolveHosts::Never;
    // One connection to a name server carries the questions of many.
    options.max_active_requests = 2 * CONCURRENCY;
    options
}

/// What `/etc/hosts` says of a name.
fn in_hosts(hosts: &Hosts, name: &Name) -> Vec<IpAddr> {
    let of = |kind| hosts.lookup_static_host(&Query::query(name.to_lowercase(), kind));
    let found = [RecordType::A, RecordType::AAAA].into_iter().filter_map(of);
    found
        .flat_map(|lookup| {
            lookup.answers().iter().filter_map(|record| record.data.ip_addr()).collect::<Vec<_>>()
        })
        .collect()
}

fn failure(error: &NetError) -> io::Error {
    if error.is_nx_domain() || error.is_no_records_found() {
        io::ErrorKind::NotFound.into()
    } else {
        io::Error::other(error.to_string())
    }
}

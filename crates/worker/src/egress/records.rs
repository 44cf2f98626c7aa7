//! What the domain name system says about tenants' domains, asked anew each time.
//!
//! What this is not: the way to an address ([`super::resolver`]). Nothing is remembered here, since people wait for what they have just
//! changed, and nothing that is found is connected to. A question takes [`LIMIT`] at most, whoever owns the name servers.

use std::net::SocketAddr;
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{NameServerConfig, ResolveHosts, ResolverConfig, ResolverOpts};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::rr::{Name, RData, RecordType};
use pagesmith_model::certificate::caa::CaaRecord;
use pagesmith_operations::tenant_domains::check::{Asking, FoundRecord, Names, RecordKind};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::resolver::Setup;

/// How long a question may take, its repetition and its wait for others included.
const LIMIT: Duration = Duration::from_millis(4_500);
/// How long a name server may take for it once.
const ONCE: Duration = Duration::from_secs(2);
/// How many questions are asked at a time.
const CONCURRENCY: usize = 128;

/// Asks name servers: given ones, or those of the system.
pub struct Records {
    servers: Vec<SocketAddr>,
    turns: Semaphore,
}

impl Records {
    /// Asks these servers; those of the system if there are none.
    pub fn new(servers: Vec<SocketAddr>) -> Records {
        Records { servers, turns: Semaphore::new(CONCURRENCY) }
    }

    /// A resolver for one question: it belongs to the runtime that asks, and the system's servers may have changed.
    fn resolver(&self) -> Option<TokioResolver> {
        let (config, mut options) = if self.servers.is_empty() {
            let Setup { config, options, .. } = Setup::of_system();
            (config, options)
        } else {
            let server = |address: &SocketAddr| {
                let mut server = NameServerConfig::udp_and_tcp(address.ip());
                server.connections.iter_mut().for_each(|connection| connection.port = address.port());
                server
            };
            let servers = self.servers.iter().map(server).collect();
            (ResolverConfig::from_parts(None, vec![], servers), ResolverOpts::default())
        };
        options.timeout = ONCE;
        options.attempts = 1;
        options.cache_size = 0;
        options.use_hosts_file = ResolveHosts::Never;
        let mut builder = TokioResolver::builder_with_config(config, TokioRuntimeProvider::default());
        *builder.options_mut() = options;
        builder.build().ok()
    }

    async fn ask(&self, name: &str, kind: RecordKind) -> Option<Vec<FoundRecord>> {
        let _turn = self.turns.acquire().await.ok()?;
        let mut name = Name::from_ascii(name).ok()?;
        // The system's search domains are not for other people's names.
        name.set_fqdn(true);
        let kind = match kind {
            RecordKind::Txt => RecordType::TXT,
            RecordKind::Cname => RecordType::CNAME,
            RecordKind::A => RecordType::A,
            RecordKind::Aaaa => RecordType::AAAA,
            RecordKind::Caa => RecordType::CAA,
        };
        match self.resolver()?.lookup(name, kind).await {
            Ok(found) => Some(found.answers().iter().filter_map(|record| read(&record.data)).collect()),
            Err(error) if error.is_nx_domain() || error.is_no_records_found() => Some(vec![]),
            Err(_) => None,
        }
    }
}

impl Names for Records {
    fn records<'a>(&'a self, name: &'a str, kind: RecordKind) -> Asking<'a> {
        Box::pin(async move { timeout(LIMIT, self.ask(name, kind)).await.ok().flatten() })
    }
}

fn read(data: &RData) -> Option<FoundRecord> {
    match data {
        RData::TXT(txt) => {
            let bytes: Vec<u8> = txt.txt_data.iter().flatten().copied().collect();
            Some(FoundRecord::Txt(String::from_utf8_lossy(&bytes).into_owned()))
        }
        RData::CNAME(name) => {
            let name = name.0.to_lowercase().to_ascii();
            Some(FoundRecord::Cname(name.trim_end_matches('.').to_owned()))
        }
        RData::A(address) => Some(FoundRecord::Address(address.0.into())),
        RData::CAA(caa) => Some(FoundRecord::Caa(CaaRecord {
            is_critical: caa.issuer_critical,
            tag: caa.tag.clone(),
            value: String::from_utf8_lossy(&caa.value).into_owned(),
        })),
        RData::AAAA(address) => Some(FoundRecord::Address(address.0.into())),
        _ => None,
    }
}

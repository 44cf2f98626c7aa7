//! A check of a domain's DNS: which records are asked for, and what comes of the answers.
//!
//! What this is not: a resolver. That is given as [`Names`], since it speaks to the network. A check takes as long as the slowest answer, and
//! what is not answered in time counts as not answered.

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::pin::Pin;
use std::sync::Arc;

use pagesmith_model::certificate::caa::CaaRecord;
use pagesmith_model::network;
use pagesmith_model::tenant_domain::check::{ExpectedDns, Seen};
use pagesmith_model::tenant_domain::{HostName, TenantDomain};

/// How many records of a kind are kept of what was seen, and how many characters of each.
const KEPT: usize = 20;
const LONGEST: usize = 255;
/// How many names are asked for CAA records for the sake of one: whoever has more labels asks much of others.
const MOST_LABELS: usize = 10;

/// What a name is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordKind {
    /// Texts.
    Txt,
    /// The name that it is another name of.
    Cname,
    /// IPv4 addresses.
    A,
    /// IPv6 addresses.
    Aaaa,
    /// Who may issue certificates.
    Caa,
}

/// A record in an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FoundRecord {
    /// A text.
    Txt(String),
    /// A name, without the dot of the root.
    Cname(String),
    /// An address.
    Address(IpAddr),
    /// Who may issue certificates.
    Caa(CaaRecord),
}

/// A name's records, when they are known; `None` if nobody answered in time.
pub type Asking<'a> = Pin<Box<dyn Future<Output = Option<Vec<FoundRecord>>> + Send + 'a>>;

/// Who asks the domain name system.
pub trait Names: Send + Sync {
    /// The records of a name and of those that it is another name of, as they are now: nothing is remembered from earlier.
    fn records<'a>(&'a self, name: &'a str, kind: RecordKind) -> Asking<'a>;
}

/// For servers that look up nothing.
#[derive(Debug, Clone, Copy)]
pub struct NoNames;

impl Names for NoNames {
    fn records<'a>(&'a self, _: &'a str, _: RecordKind) -> Asking<'a> {
        Box::pin(std::future::ready(None))
    }
}

/// The names of the installation itself, and where it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Installation {
    /// The host of the API.
    pub api_host: Option<String>,
    /// The host of the console, where it has one of its own.
    pub console_host: Option<String>,
    /// Further host names of the service, which it has certificates for.
    pub other_hosts: Vec<String>,
    /// The domain below which each tenant has its site.
    pub site_domain: String,
    /// The addresses that domains may have in the place of a CNAME record. Empty: those of the fallback domain.
    pub addresses: Vec<IpAddr>,
}

impl Installation {
    /// Whether no tenant can have the name.
    pub fn owns(&self, name: &HostName) -> bool {
        let is_own = |host: &Option<String>| host.as_deref() == Some(name.as_str());
        name.is_within(&self.site_domain)
            || is_own(&self.api_host)
            || is_own(&self.console_host)
            || self.other_hosts.iter().any(|host| host == name.as_str())
    }

    /// The domain of a tenant's site if the tenant has no domain of its own.
    pub fn fallback_domain(&self, tenant_slug: &str) -> String {
        format!("{tenant_slug}.{}", self.site_domain)
    }

    /// What the DNS of a tenant's domain has to show.
    pub fn wanted(&self, domain: &TenantDomain, tenant_slug: &str) -> ExpectedDns {
        ExpectedDns::of(domain, self.fallback_domain(tenant_slug), self.addresses.clone())
    }
}

/// Checks domains; cheap to clone.
#[derive(Clone)]
pub struct DnsChecker {
    names: Arc<dyn Names>,
    /// For whom.
    pub installation: Arc<Installation>,
}

impl DnsChecker {
    /// A checker for this installation by this resolver.
    pub fn new(names: Arc<dyn Names>, installation: Installation) -> DnsChecker {
        DnsChecker { names, installation: Arc::new(installation) }
    }

    /// What the DNS of a domain shows now.
    pub async fn check(&self, domain: &HostName, wanted: &ExpectedDns) -> Seen {
        let name = domain.as_str();
        let (txt, cname, addresses, expected) = tokio::join!(
            self.names.records(&wanted.txt_name, RecordKind::Txt),
            self.names.records(name, RecordKind::Cname),
            self.addresses(name),
            self.expected(wanted),
        );
        let text = |record| match record {
            FoundRecord::Txt(text) => Some(text.chars().take(LONGEST).collect()),
            _ => None,
        };
        let (addresses, chain) = addresses.unzip();
        let shown = |address: IpAddr| if expected.contains(&address) { address } else { shown(address) };
        Seen {
            txt: txt.map(|records| records.into_iter().filter_map(text).take(KEPT).collect()),
            // Whoever has no CNAME at the name itself may still have one further on, which the addresses tell.
            cname: chain.filter(|chain| !chain.is_empty()).or_else(|| Some(names(&cname?))),
            addresses: addresses.map(|addresses| addresses.into_iter().map(shown).collect()),
            expected_addresses: expected,
        }
    }

    /// The addresses of a name, and the names on the way to them. Both kinds must have been answered: one alone would hide a conflict.
    async fn addresses(&self, name: &str) -> Option<(Vec<IpAddr>, Vec<String>)> {
        let (four, six) =
            tokio::join!(self.names.records(name, RecordKind::A), self.names.records(name, RecordKind::Aaaa));
        let (four, six) = (four?, six?);
        let chain = if four.is_empty() { names(&six) } else { names(&four) };
        let address = |record: &FoundRecord| match record {
            FoundRecord::Address(address) => Some(*address),
            _ => None,
        };
        Some((four.iter().chain(&six).filter_map(address).take(KEPT).collect(), chain))
    }

    /// The CAA records that count for a name, and whose they are: its own, else those of the nearest name above it that has any (RFC 8659, 3).
    /// Without any, the list is empty. Nothing if it could not be found out.
    pub async fn caa(&self, name: &str) -> Option<(String, Vec<CaaRecord>)> {
        let mut owner = name;
        for _ in 0..MOST_LABELS {
            let found = self.names.records(owner, RecordKind::Caa).await?;
            let record = |record| match record {
                FoundRecord::Caa(record) => Some(record),
                _ => None,
            };
            let records: Vec<CaaRecord> = found.into_iter().filter_map(record).collect();
            let above = owner.split_once('.').map(|(_, above)| above);
            match above {
                Some(above) if records.is_empty() => owner = above,
                _ => return Some((owner.to_owned(), records)),
            }
        }
        None
    }

    async fn expected(&self, wanted: &ExpectedDns) -> Vec<IpAddr> {
        if !wanted.addresses.is_empty() {
            return wanted.addresses.clone();
        }
        self.addresses(&wanted.fallback).await.unwrap_or_default().0
    }
}

/// An address as callers see it: a reserved one would tell them what name servers say inside this network.
fn shown(address: IpAddr) -> IpAddr {
    match (network::reserved(address), address) {
        (None, address) => address,
        (Some(_), IpAddr::V4(_)) => Ipv4Addr::UNSPECIFIED.into(),
        (Some(_), IpAddr::V6(_)) => Ipv6Addr::UNSPECIFIED.into(),
    }
}

/// The names that records lead to.
fn names(records: &[FoundRecord]) -> Vec<String> {
    let name = |record: &FoundRecord| match record {
        FoundRecord::Cname(name) => Some(name.clone()),
        _ => None,
    };
    records.iter().filter_map(name).take(KEPT).collect()
}

//! Certificates from an authority: which names want one, what a step of an order leaves behind, and what servers show.
//!
//! What this is not: the authority itself, which is asked between transactions. Invariants: keys leave this module only opened for the server that
//! orders or shows them, and are in the database only sealed, bound to their name; and what a server found out counts only while it holds the
//! [`lease`].

use std::collections::BTreeSet;

use pagesmith_model::certificate::{Certificate, Issued, Progress};
use pagesmith_model::tenant_domain::{DomainStatus, HostName, TenantDomain};
use pagesmith_model::{Error, Result, Timestamp};
use pagesmith_store::Tx;
use pagesmith_store::tables::{certificates as table, revisions};

use crate::context::Context;
use crate::tenant_domains::check::Installation;

pub mod lease;
pub mod x509;

use lease::Lease;

/// The most names that have certificates.
pub const MOST_NAMES: usize = 100_000;
/// Names that lead nowhere in public.
const NOWHERE: [&str; 3] = ["localhost", "local", "internal"];
/// How many changes of the list of names travel together.
const AT_ONCE: usize = 200;
/// The longest token of a challenge.
const LONGEST_TOKEN: usize = 200;

/// What the sealed keys of a name are tied to.
pub fn bound_to(name: &str) -> String {
    format!("certificates {name}")
}

/// The names that want a certificate now: those of the installation, of tenants' domains that lead here, and of tenants' sites.
pub fn wanted_names(
    tx: &mut Tx<'_>,
    installation: &Installation,
    own: &[String],
) -> Result<BTreeSet<String>> {
    let hosts = installation.api_host.iter().chain(&installation.console_host);
    let mut names: BTreeSet<String> = own.iter().chain(hosts).cloned().collect();
    names.extend(table::wanted_names(tx, &installation.site_domain, MOST_NAMES)?);
    names.retain(|name| may_have_one(name));
    Ok(names)
}

/// Whether an authority could issue a certificate for a name: none does for an address, or a name such as localhost.
fn may_have_one(name: &str) -> bool {
    let host = HostName::parse(name).ok().filter(|host| host.as_str() == name);
    host.is_some_and(|host| !NOWHERE.iter().any(|zone| host.is_within(zone)))
}

/// Brings the list of names up to date: what is wanted and not there is added, unless files have a certificate for it (`is_covered`), and what
/// nobody wants any more is removed. How many there were of both.
pub fn reconcile(
    tx: &mut Tx<'_>,
    ctx: &Context,
    directory: &str,
    wanted: &BTreeSet<String>,
    is_covered: &dyn Fn(&str) -> bool,
) -> Result<(usize, usize)> {
    let known: BTreeSet<String> = table::names(tx)?.into_iter().collect();
    let mut changes = Vec::new();
    for name in wanted.difference(&known).filter(|name| !is_covered(name)) {
        changes.push(table::insert(&Certificate::wanted(name, directory, ctx.now)));
    }
    let added = changes.len();
    changes.extend(known.difference(wanted).map(|name| table::remove(name)));
    let removed = changes.len() - added;
    if removed > 0 {
        changes.push(revisions::raise(revisions::CERTIFICATES));
    }
    while !changes.is_empty() {
        let rest = changes.split_off(changes.len().min(AT_ONCE));
        tx.change(std::mem::replace(&mut changes, rest))?;
    }
    Ok((added, removed))
}

/// Begins an order: keeps its key sealed, and counts it, so that it may be made at the authority.
pub fn begin(
    tx: &mut Tx<'_>,
    ctx: &Context,
    lease: &Lease,
    certificate: &Certificate,
    key: &[u8],
) -> Result<()> {
    lease.keep(tx, ctx.now)?;
    lease.count_order(tx, ctx.now)?;
    let sealed = ctx.secret()?.seal(ctx.random()?, bound_to(&certificate.name).as_bytes(), key);
    // One after the other: several changes of a row in one statement are not told apart.
    tx.run(table::save_order_key(&certificate.name, &sealed))?;
    tx.run(table::update(certificate)).map(drop)
}

/// The key of the order of a name.
pub fn order_key(tx: &mut Tx<'_>, ctx: &Context, name: &str) -> Result<Option<Vec<u8>>> {
    let keys = ctx.secret()?;
    let sealed = table::order_key(tx, name)?;
    Ok(sealed.and_then(|sealed| keys.open(bound_to(name).as_bytes(), &sealed)))
}

/// Keeps what a step came to.
pub fn save(tx: &mut Tx<'_>, ctx: &Context, lease: &Lease, certificate: &Certificate) -> Result<()> {
    lease.keep(tx, ctx.now)?;
    tx.change(vec![table::update(certificate)])
}

/// What the authority is to find at a name: the token and what is answered to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    /// The last part of the path.
    pub token: String,
    /// The answer.
    pub key_authorization: String,
}

/// The same, with the challenge that every server answers from then on.
pub fn save_challenge(
    tx: &mut Tx<'_>,
    ctx: &Context,
    lease: &Lease,
    certificate: &Certificate,
    challenge: &Challenge,
) -> Result<()> {
    lease.keep(tx, ctx.now)?;
    let Challenge { token, key_authorization } = challenge;
    tx.run(table::save_challenge(&certificate.name, token, key_authorization))?;
    tx.run(table::update(certificate)).map(drop)
}

/// Shows a certificate that was issued, on every server.
pub fn show(
    tx: &mut Tx<'_>,
    ctx: &Context,
    lease: &Lease,
    certificate: &Certificate,
    chain: &str,
) -> Result<()> {
    lease.keep(tx, ctx.now)?;
    tx.run(table::show(&certificate.name, chain))?;
    tx.run(table::update(certificate))?;
    tx.run(revisions::raise(revisions::CERTIFICATES)).map(drop)
}

/// What is answered to an authority that asks under a name for a token.
pub fn challenge(tx: &mut Tx<'_>, name: &str, token: &str) -> Result<Option<String>> {
    let is_token = !token.is_empty()
        && token.len() <= LONGEST_TOKEN
        && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    if is_token { table::challenge(tx, name, token) } else { Ok(None) }
}

/// What is answered to an authority that looks at a name by TLS (TLS-ALPN-01).
pub fn challenge_of_name(tx: &mut Tx<'_>, name: &str) -> Result<Option<String>> {
    table::challenge_of_name(tx, name)
}

/// A certificate and its key, ready to be shown.
pub struct Pair {
    /// The name.
    pub name: String,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// The certificate and those behind it, in PEM form.
    pub chain: String,
    /// The key, in DER form (PKCS#8).
    pub key: Vec<u8>,
}

/// A revision, every name to show, and the pairs that were not known.
pub type Changes = (i64, BTreeSet<String>, Vec<Pair>);

/// What has changed since a revision of which `is_known` tells the certificates: the revision now, every name to show, and the pairs that are not known.
/// Nothing if nothing has.
pub fn changes(
    tx: &mut Tx<'_>,
    ctx: &Context,
    revision: Option<i64>,
    is_known: &dyn Fn(&str, Timestamp) -> bool,
) -> Result<Option<Changes>> {
    let now = revisions::find(tx, revisions::CERTIFICATES)?;
    if Some(now) == revision {
        return Ok(None);
    }
    let (keys, shown) = (ctx.secret()?, table::shown(tx)?);
    let mut pairs = Vec::new();
    for (name, issued_at) in shown.iter().filter(|(name, issued_at)| !is_known(name, *issued_at)) {
        let Some((chain, sealed)) = table::pair(tx, name)? else { continue };
        // What does not open is told of by `doctor`.
        if let Some(key) = keys.open(bound_to(name).as_bytes(), &sealed) {
            pairs.push(Pair { name: name.clone(), issued_at: *issued_at, chain, key });
        }
    }
    Ok(Some((now, shown.into_iter().map(|(name, _)| name).collect(), pairs)))
}

/// The status of a domain where the service orders certificates itself: one that leads here is active once its certificate is shown.
pub fn domain_status(
    domain: &TenantDomain,
    certificate: Option<&Certificate>,
    now: Timestamp,
) -> &'static str {
    match (domain.status, certificate) {
        (DomainStatus::Active, Some(certificate)) => certificate.progress(now).domain_status(),
        (DomainStatus::Active, None) => Progress::Issuance.domain_status(),
        (status, _) => status.as_str(),
    }
}

/// The instant at which the certificate that a chain in PEM form begins with ends, and what else of it matters.
pub fn read_issued(chain: &[u8]) -> Result<x509::Facts> {
    x509::Facts::of_pem(chain).ok_or_else(|| Error::internal("a certificate that cannot be read"))
}

/// Whether a certificate has less than a ninth of its time left, a third of what was left when it was to be renewed: somebody should look after it.
pub fn is_late(issued: &Issued, now: Timestamp) -> bool {
    let left = issued.validity.not_after.since(now);
    left < issued.validity.not_after.since(issued.validity.not_before) / 9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_is_for_a_host_name_that_is_known_in_public() {
        for name in
            ["example.com", "go.acme.example", "xn--bcher-kva.example", "localhost.example", "local.test"]
        {
            assert!(may_have_one(name), "{name}");
        }
        for name in [
            "localhost",
            "acme.localhost",
            "printer.local",
            "db.internal",
            "intranet",
            "127.0.0.1",
            "[::1]",
            "203.0.113.7",
            "*.example.com",
            "Example.com",
            "example.com.",
            "example.com:8443",
            "",
        ] {
            assert!(!may_have_one(name), "{name}");
        }
    }
}

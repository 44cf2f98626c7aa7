//! Hosts of tenants' own: looked up among 100,000 in memory, and what a second server knows of them after they were verified or removed at a
//! first.

use std::hint::black_box;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use pagesmith_model::id::Uuid7Source;
use pagesmith_model::tenant_domain::NewTenantDomain;
use pagesmith_model::tenant_domain::check::{ExpectedDns, Seen};
use pagesmith_model::{TenantDomainId, TenantId, Timestamp};
use pagesmith_operations::tenant_domains::check::Installation;
use pagesmith_operations::tenant_domains::map::DomainMap;
use pagesmith_operations::{Platform, tenant_domains};
use pagesmith_store::tables::tenant_domains::held::HeldDomain;
use pagesmith_store::tables::tenants;
use pagesmith_store::{Store as Database, StoreOptions, Tx};

use crate::pairs::Caller;
use crate::report::{Bar, Report};
use crate::request::Template;
use crate::server::Server;
use crate::setup::{Engine, Setup, key};
use crate::{Result, client, say};

/// How many hosts are in memory.
const HOSTS: usize = 100_000;
/// How long a change may take to be seen, in seconds.
const SEEN_WITHIN: f64 = 2.0;
/// What every site has.
const SCRIPT: &str = "/.pagesmith/ask.js";
/// When it is given up.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// How often the second server is asked.
const PAUSE: Duration = Duration::from_millis(10);

/// A full map, and the hosts that are asked for: known ones and as many unknown ones.
struct Full {
    map: DomainMap,
    asked: Vec<String>,
    _folder: tempfile::TempDir,
}

static FULL: LazyLock<std::result::Result<Full, String>> =
    LazyLock::new(|| fill().map_err(|error| error.to_string()));

fn fill() -> Result<Full> {
    let folder = tempfile::tempdir()?;
    let map = DomainMap::new(Database::open_inline(&folder.path().join("domains.db"))?);
    let (ids, now) = (Uuid7Source::new(), Timestamp::from_micros(1_800_000_000_000_000));
    let host = |number: usize| format!("go.customer-{number}.example");
    let held = |number: usize| {
        let random = u64::try_from(number).unwrap_or_default();
        HeldDomain {
            domain: host(number),
            tenant: TenantId::mint(ids.next(now, random)),
            tenant_domain_id: TenantDomainId::mint(ids.next(now, random)),
        }
    };
    map.keep(1, (0..HOSTS).map(held).collect());
    // A step that shares no factor with the number of hosts, so that neighbours in memory are not asked for in turn.
    let asked = (0..4_096).map(|at| host(at * 7_919 % (HOSTS * 2))).collect();
    Ok(Full { map, asked, _folder: folder })
}

/// Whether the map could be made.
pub fn prepare() -> std::result::Result<(), String> {
    FULL.as_ref().map(|_| ()).map_err(Clone::clone)
}

/// Looks so many hosts up.
pub fn look_up(calls: u64) {
    let Ok(full) = &*FULL else { return };
    for host in full.asked.iter().cycle().take(usize::try_from(calls).unwrap_or(usize::MAX)) {
        black_box(full.map.find(black_box(host)));
    }
}

/// Measures how long a second server does not know of a domain, or still serves it, if it was asked for.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if !setup.options.wants("domains") {
        return Ok(());
    }
    for engine in setup.engines() {
        let waits = seen(setup, engine)?;
        for (change, longest) in [("verified", waits.verified), ("removed", waits.removed)] {
            let bar = format!("a {change} domain is seen by another server, {}: longest", engine.name());
            say(&format!("{bar} {longest:.2} s"))?;
            report.bar(Bar::at_most(bar, longest, SEEN_WITHIN, "s"));
        }
    }
    Ok(())
}

/// The longest of some waits, in seconds.
#[derive(Default)]
struct Waits {
    /// Until a verified domain shows a site.
    verified: f64,
    /// Until a removed one does no more.
    removed: f64,
}

fn seen(setup: &Setup, engine: Engine) -> Result<Waits> {
    let store = setup.store(engine, "domains")?;
    let first = setup.serve(&store, "domains-first", &[])?;
    let second = setup.serve(&store, "domains-second", &[])?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let database = Database::open(StoreOptions::new(store.url().parse()?))?;
    let caller = Caller::new(&first, key());
    let mut longest = Waits::default();
    for round in 0..setup.options.rounds(8) {
        let host = format!("round-{round}.example");
        let id = runtime.block_on(verify(&database, &host))?;
        let wait = wait_until(&second, &host, true)?;
        longest.verified = longest.verified.max(wait);
        let begun = Instant::now();
        caller.remove(&format!("/v0/tenant_domains/{id}"))?;
        wait_until(&second, &host, false)?;
        longest.removed = longest.removed.max(begun.elapsed().as_secs_f64());
    }
    runtime.block_on(database.close())?;
    drop(first);
    Ok(longest)
}

/// How long it takes, in seconds, until a site is shown under that host, or is no more.
fn wait_until(server: &Server, host: &str, is_shown: bool) -> Result<f64> {
    let begun = Instant::now();
    while shows_site(server, host)? != is_shown {
        if begun.elapsed() > TIME_LIMIT {
            return Err(format!("a change of {host} was not seen within {TIME_LIMIT:?}").into());
        }
        std::thread::sleep(PAUSE);
    }
    Ok(begun.elapsed().as_secs_f64())
}

/// Adds a domain that leads here, as a look at its DNS would find it.
async fn verify(database: &Database, host: &str) -> Result<TenantDomainId> {
    let platform = Platform::system();
    let context = platform.context();
    let new = NewTenantDomain { domain: host.to_owned() };
    let address = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 7));
    let installation = Installation {
        other_hosts: vec![],
        site_domain: "localhost".to_owned(),
        addresses: vec![address],
        api_host: None,
        console_host: None,
    };
    let work = move |tx: &mut Tx<'_>| {
        let tenants = tenants::list(tx)?;
        let tenant = tenants.first().ok_or_else(|| pagesmith_model::Error::internal("no tenant"))?;
        let ctx = context.clone().of(tenant.tenant_id.clone());
        let domain = tenant_domains::create(tx, &ctx, &new, &installation)?;
        let wanted: ExpectedDns = installation.wanted(&domain, &tenant.slug);
        let seen = Seen {
            txt: Some(vec![wanted.txt.clone()]),
            cname: Some(vec![]),
            addresses: Some(vec![address]),
            expected_addresses: vec![address],
        };
        tenant_domains::note_check(tx, &ctx, &domain.tenant_domain_id, (&seen, &wanted), true)?;
        Ok(domain.tenant_domain_id)
    };
    Ok(database.write(work).await?)
}

/// Whether the server shows a site under that host: sites have a script that the API, which any other host leads to, does not know.
fn shows_site(server: &Server, host: &str) -> Result<bool> {
    let (status, _, _) = client::fetch(server.address, &Template::visit(host, SCRIPT, "identity"))?;
    Ok(status == 200)
}

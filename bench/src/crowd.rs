//! One dead receiver among a hundred: what the other ninety-nine notice of it.
//!
//! Two tenants with fifty subscriptions each, since a tenant has no more; an event goes to fifty receivers at once. Two servers, one of which has
//! the dead receiver, are measured in turns.

use std::time::{Duration, Instant};

use crate::pairs::{Caller, Line};
use crate::receiver::Receivers;
use crate::report::{Bar, Report, median};
use crate::request::Template;
use crate::server::Server;
use crate::setup::{Engine, Setup, Store, key};
use crate::{Result, deliveries, say};

/// Receivers of each tenant.
const EACH: usize = 50;
/// Audiences of each tenant: a version comes around again only after seconds.
const AUDIENCES: usize = 20;
/// Between two events: a thousand deliveries a second.
const PAUSE: Duration = Duration::from_millis(50);
/// How long what was sent last may take.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// A server with its receivers, and who makes events there.
struct Crowd {
    receivers: Receivers,
    /// How many of an event's receivers answer, for each version that can be published.
    versions: Vec<(String, Template, u64)>,
    line: Line,
    server: Server,
    _store: Store,
}

/// Measures SQLite, if it was asked for.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if !setup.options.wants("crowd") || !setup.options.wants_engine("sqlite") {
        return Ok(());
    }
    let mut all = Crowd::new(setup, "crowd", false)?;
    let mut dead = Crowd::new(setup, "crowd-dead", true)?;
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for round in 0..setup.options.rounds(5) {
        let (below, above) = (all.p99(setup)?, dead.p99(setup)?);
        say(&format!("round {round}: p99 of 100 receivers {below:?}, of 99 beside a dead one {above:?}"))?;
        without.push(below.as_secs_f64() * 1e3);
        with.push(above.as_secs_f64() * 1e3);
    }
    let without = median(without);
    let limit = (without * 1.2).max(25.0);
    let name = format!("1 dead receiver among 100, SQLite: p99 of the other 99 (without it {without:.1} ms)");
    report.bar(Bar::at_most(name, median(with), limit, "ms"));
    Ok(())
}

impl Crowd {
    fn new(setup: &Setup, name: &str, is_one_dead: bool) -> Result<Crowd> {
        let store = setup.store(Engine::Sqlite, name)?;
        let server = setup.serve(&store, name, &[deliveries::HERE])?;
        let mut receivers = Receivers::start(2 * EACH - usize::from(is_one_dead))?;
        if is_one_dead {
            receivers.add_dead()?;
        }
        setup.command(&store, &["tenant", "create", "second", "--json"])?;
        let second = setup.key_of(&store, "second")?;
        let mut versions = Vec::new();
        for (number, key) in [key(), second.as_str()].into_iter().enumerate() {
            let caller = Caller::new(&server, key);
            for url in &receivers.urls[number * EACH..][..EACH] {
                caller.subscribe(url)?;
            }
            let alive = EACH - usize::from(is_one_dead && number == 1);
            for pair in caller.pairs(AUDIENCES)? {
                versions
                    .push(pair.map(|version| (version.id.clone(), caller.publish(&version), alive as u64)));
            }
        }
        // Tenants take turns; each audience's first version, then each one's second.
        let (one, two) = versions.split_at(AUDIENCES);
        let in_turn = |half: usize| {
            one.iter().zip(two).flat_map(move |(one, two)| [one[half].clone(), two[half].clone()])
        };
        let versions = in_turn(0).chain(in_turn(1)).collect();
        let line = Line::open(server.address)?;
        Ok(Crowd { receivers, versions, line, server, _store: store })
    }

    /// How long deliveries take to those who answer.
    fn p99(&mut self, setup: &Setup) -> Result<Duration> {
        self.server.cut_log()?;
        self.receivers.measure();
        let (mut expected, begun) = (self.receivers.count(), Instant::now());
        for (number, (version, request, alive)) in (1_u32..).zip(self.versions.iter_mut()) {
            if setup.options.quick && number > 20 {
                break;
            }
            self.receivers.mark(version);
            self.line.call(request)?;
            expected += *alive;
            std::thread::sleep((begun + PAUSE * number).saturating_duration_since(Instant::now()));
        }
        self.receivers.wait_for(expected, TIME_LIMIT)?;
        Ok(self.receivers.measured().quantile(0.99))
    }
}

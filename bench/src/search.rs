//! A million persons imported from a spreadsheet and indexed, then searched over HTTP by eight callers at once.
//!
//! Beside the large tenant stand a thousand small ones, one of which asks as well: it must not pay for its neighbour. The texts
//! of the other small ones are written past the API, because a thousand imports would only take time.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pagesmith_model::id::Uuid7Source;
use pagesmith_model::{PersonId, TenantId, Timestamp, fields};
use pagesmith_person_index::{Pace, maintain, tenants_with_work};
use pagesmith_store::tables::person_index::texts;
use pagesmith_store::{Store as Database, StoreOptions};

use crate::people::{Chance, Fields, person};
use crate::report::{Bar, PeerRow, Report};
use crate::request::Template;
use crate::scenarios::measure_any;
use crate::setup::{Engine, Setup, Store, key};
use crate::{Result, client, say};

const CALLERS: usize = 8;
/// Searches that a server has answered before it is measured.
const WARMING: usize = 2_000;
const SMALL_TENANTS: u64 = 1_000;
const SMALL: u64 = 30;
/// Numbers of made-up persons that the large tenant does not have.
const SMALL_FROM: u64 = 7_000_000;

/// Measures both engines, if it was asked for.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if !setup.options.wants("search") {
        return Ok(());
    }
    for engine in setup.engines() {
        let store = setup.store(engine, "search")?;
        // The first start makes the tenant and its key.
        setup.serve(&store, "search", &[])?.stop()?;
        let count = if setup.options.quick { 100_000 } else { 1_000_000 };
        let rate = import(setup, engine, &store, count)?;
        if engine == Engine::Sqlite {
            let name = format!("import of {count} persons, search index included, {}", engine.name());
            report.bar(Bar::at_least(name, rate, 8_000.0, "rows a second"));
        }
        let small_key = small_tenants(setup, &store)?;
        store.settle()?;
        search(setup, engine, &store, &small_key, report)?;
    }
    Ok(())
}

/// Imports so many persons into the tenant `default` and indexes them; how many a second.
pub fn import(setup: &Setup, engine: Engine, store: &Store, count: u64) -> Result<f64> {
    let file = setup.directory.path().join("persons.csv");
    write_sheet(&file, 0..count)?;
    say(&format!("{}: importing {count} persons", engine.name()))?;
    let begun = Instant::now();
    setup.command(store, &["import", "persons", &file.to_string_lossy(), "--tenant", "default", "--json"])?;
    let imported = begun.elapsed();
    index(store)?;
    let took = begun.elapsed();
    let rate = count as f64 / took.as_secs_f64();
    say(&format!(
        "{}: imported in {imported:.1?}, indexed after {took:.1?}: {rate:.0} rows a second",
        engine.name()
    ))?;
    Ok(rate)
}

fn write_sheet(file: &std::path::Path, numbers: std::ops::Range<u64>) -> Result<()> {
    let mut out = std::io::BufWriter::new(std::fs::File::create(file)?);
    writeln!(out, "Name,Email,Phone,LinkedIn,Domain")?;
    let mut taken = HashSet::new();
    for number in numbers {
        let Fields { name, mut email, domain, phone, linkedin, .. } = person(number);
        if !taken.insert(email.clone()) {
            // Two persons never have one address.
            email = email.replacen('@', &format!("{number}@"), 1);
        }
        let [phone, linkedin, domain] = [phone, linkedin, domain].map(Option::unwrap_or_default);
        writeln!(out, "{name},{email},{phone},{linkedin},{domain}")?;
    }
    Ok(out.flush()?)
}

fn runtime() -> Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?)
}

/// Indexes whatever waits, as the server's own task does.
fn index(store: &Store) -> Result<()> {
    runtime()?.block_on(async {
        let database = Database::open(StoreOptions::new(store.url().parse()?))?;
        loop {
            let waiting = database.read(|tx| tenants_with_work(tx, 100)).await?;
            if waiting.is_empty() {
                break;
            }
            for tenant in waiting {
                while maintain(&database, &tenant, Pace::ALONE).await? {}
            }
        }
        database.close().await?;
        Ok(())
    })
}

/// A thousand small tenants, one of them a real one with a key, which is returned.
fn small_tenants(setup: &Setup, store: &Store) -> Result<String> {
    let tenant: serde_json::Value =
        serde_json::from_str(&setup.command(store, &["tenant", "create", "small", "--json"])?)?;
    let slug = tenant["slug"].as_str().ok_or("a tenant without a slug")?;
    let issued: serde_json::Value =
        serde_json::from_str(&setup.command(store, &["key", "create", "--tenant", slug, "--json"])?)?;
    let file = setup.directory.path().join("small.csv");
    write_sheet(&file, SMALL_FROM..SMALL_FROM + SMALL)?;
    setup.command(store, &["import", "persons", &file.to_string_lossy(), "--tenant", slug, "--json"])?;
    runtime()?.block_on(async {
        let database = Database::open(StoreOptions::new(store.url().parse()?))?;
        let source = Uuid7Source::new();
        for number in 1..SMALL_TENANTS {
            let tenant = TenantId::mint(source.next(Timestamp::from_micros(2), number << 8));
            let rows: Vec<_> = (0..SMALL)
                .map(|at| {
                    let at = SMALL_FROM + number * SMALL + at;
                    let id = PersonId::mint(source.next(Timestamp::from_micros(3), at << 8));
                    texts::insert(&tenant, &id, &fields::join(person(at).all()))
                })
                .collect();
            database.write(move |tx| tx.batch(rows.clone()).map(|_| ())).await?;
        }
        database.close().await?;
        Ok::<_, crate::Failure>(())
    })?;
    issued["secret"].as_str().map(str::to_owned).ok_or_else(|| "a key without its text".into())
}

fn search(setup: &Setup, engine: Engine, store: &Store, small_key: &str, report: &mut Report) -> Result<()> {
    let server = setup.serve(store, "search", &[])?;
    // What is measured is a server at work, not one that has just been started.
    let mut words: Vec<String> = kinds().into_iter().flat_map(|kind| kind.words).collect();
    words.extend(LONG_AND_COMMON.map(str::to_owned));
    client::send(server.address, &any_of(&words, key()), WARMING)?;
    let limit = if engine == Engine::Sqlite { 20.0 } else { 40.0 };
    for Kind { name, words, bar } in kinds() {
        let mut row = measured(setup, engine, &server, name, key(), &words)?;
        let p99 = milliseconds(row.service.p99);
        let bar = match bar {
            Expected::Quick => Some(limit),
            Expected::Short => Some(150.0),
            Expected::Nothing => None,
        };
        if let Some(bar) = bar {
            let name = format!(
                "search among 1,000,000 persons, {CALLERS} connections, {}, {name}: p99",
                engine.name()
            );
            report.bar(Bar::at_most(name, p99, bar, "ms"));
        }
        row.name = format!("search, {name}");
        report.peers.push(row);
    }
    // Each by itself: how long one takes depends on where in the texts it is.
    let limit = if engine == Engine::Sqlite { 25.0 } else { 50.0 };
    for word in LONG_AND_COMMON {
        let mut row = measured(setup, engine, &server, word, key(), &[word.to_owned()])?;
        row.name = format!("search, long, common: {word}");
        let name =
            format!("search among 1,000,000 persons, {CALLERS} connections, {}, {word}: p99", engine.name());
        report.bar(Bar::at_most(name, milliseconds(row.service.p99), limit, "ms"));
        report.peers.push(row);
    }
    let limit = if engine == Engine::Sqlite { 20.0 } else { 40.0 };
    let words = ["com", "anna", "a", "xqz"].map(str::to_owned).to_vec();
    let mut row = measured(setup, engine, &server, "small tenant", small_key, &words)?;
    row.name = format!("search in a tenant of {SMALL}");
    let name = format!(
        "search in a tenant of {SMALL} beside a million, {CALLERS} connections, {}: p99",
        engine.name()
    );
    report.bar(Bar::at_most(name, milliseconds(row.service.p99), limit, "ms"));
    report.peers.push(row);
    Ok(())
}

fn measured(
    setup: &Setup,
    engine: Engine,
    server: &crate::server::Server,
    name: &str,
    key: &str,
    words: &[String],
) -> Result<PeerRow> {
    let service = measure_any(setup, server, &any_of(words, key), CALLERS)?;
    say(&format!(
        "{}: search, {name}: {:.0} a second, p50 {:.1?}, p99 {:.1?}",
        engine.name(),
        service.per_second,
        service.p50,
        service.p99
    ))?;
    Ok(PeerRow { engine, name: name.to_owned(), connections: CALLERS, service, peer: None })
}

/// A search for one of these words at random.
fn any_of(words: &[String], key: &str) -> Template {
    let none = Arc::default();
    let asked = words.iter().map(|word| {
        let path = format!("/v0/persons/search?query={}", encoded(word));
        Template::new("GET", &path, None, key, &none)
    });
    Template::any_of(asked.collect())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Percent-encoded for a query string.
fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut text, byte| {
        if byte.is_ascii_alphanumeric() {
            text.push(byte.into());
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
        text
    })
}

/// Long words that a great part of all persons have.
const LONG_AND_COMMON: [&str; 6] = ["gmail", "linkedin", "anna", "gmail.com", "acme", "https"];

/// How fast a kind of search must be.
enum Expected {
    /// As words of three letters.
    Quick,
    /// As words of one or two.
    Short,
    /// No promise; it is shown.
    Nothing,
}

struct Kind {
    name: &'static str,
    words: Vec<String>,
    bar: Expected,
}

fn kinds() -> Vec<Kind> {
    let of = |name, bar, words: &[&str]| Kind {
        name,
        bar,
        words: words.iter().map(|word| (*word).to_owned()).collect(),
    };
    let mut chance = Chance::new(3);
    let any = (0..200)
        .map(|at| {
            let text = fields::join(person(at * 4_999).all());
            let words: Vec<&str> =
                text.split(|char: char| !char.is_alphanumeric()).filter(|word| word.len() > 2).collect();
            let word: Vec<char> = words[chance.below(words.len())].chars().collect();
            let from = chance.below(word.len().saturating_sub(2).max(1));
            word[from..].iter().take(3).collect()
        })
        .collect();
    vec![
        of(
            "3 letters, common",
            Expected::Quick,
            &["com", "gma", "ann", "lin", "www", "ber", "son", "sch", "tec", "tps"],
        ),
        of(
            "3 letters, rare",
            Expected::Quick,
            &["xan", "ygg", "q99", "839", "zzz", "f0f", "xqz", "bry", "zim", "qua"],
        ),
        Kind { name: "3 letters, any", bar: Expected::Quick, words: any },
        of("1 letter", Expected::Short, &["a", "e", "x", "q", "7", "@", "-"]),
        of("2 letters", Expected::Short, &["an", "co", "qu", "xa", "yg", "37", ".d", "zq"]),
        of("CJK", Expected::Short, &["王", "李", "伟", "王芳", "山田", "李伟敏", "郎子", "田"]),
        of(
            "two short words",
            Expected::Nothing,
            &["ann com", "com ann", "wei m", "ber son", "a b", "ali de"],
        ),
        of(
            "long, rare",
            Expected::Nothing,
            &["yggbryák", "xanquiuchi", "omegaenergy37", "kwame yggdow", "zimphaira"],
        ),
        of(
            "full name",
            Expected::Nothing,
            &["anna schmidt", "maria bermison", "james hofer", "julia müller"],
        ),
        of("nothing", Expected::Nothing, &["no such person", "xqzxqz", "%%%", "gmail xqz", "com zzz"]),
    ]
}

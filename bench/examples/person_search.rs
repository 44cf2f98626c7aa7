//! Measures the search over persons below HTTP: `cargo run --release -p bench --example person_search -- URL [COUNT [KIND]]`.
//!
//! It fills an empty database with one large tenant and a thousand small ones, indexes them, and asks with eight callers at
//! once. It tells rows a second and, for each kind of query, the median and the 99th percentile.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a measurement prints, and ends where something is missing"
)]

use std::time::{Duration, Instant};

use pagesmith_model::id::Uuid7Source;
use pagesmith_model::text::Query;
use pagesmith_model::{PersonId, TenantId, Timestamp, fields};
use pagesmith_operations::person_index::Sizes;
use pagesmith_operations::person_search;
use pagesmith_store::tables::person_texts;
use pagesmith_store::{Store, StoreOptions};
use pagesmith_worker::index_persons;
use pagesmith_worker::tasks::Left;

#[path = "../src/people.rs"]
mod people;

use people::{Chance, person};

const CALLERS: u64 = 8;
const SMALL_TENANTS: u64 = 1_000;
const SMALL: u64 = 30;

#[tokio::main]
async fn main() {
    let mut args = std::env::args().skip(1);
    let url = args.next().unwrap();
    let count: u64 = args.next().map_or(1_000_000, |count| count.parse().unwrap());
    let store = Store::open(StoreOptions::new(url.parse().unwrap())).unwrap();
    store.migrate().await.unwrap();
    let only = args.next().unwrap_or_default();
    let source = Uuid7Source::new();
    let tenant = TenantId::mint(source.next(Timestamp::from_micros(1), 0));
    let small: Vec<TenantId> = (0..SMALL_TENANTS)
        .map(|at| TenantId::mint(source.next(Timestamp::from_micros(2), at << 8)))
        .collect();
    if is_empty(&store, &tenant).await {
        for (at, small) in (0..).zip(&small) {
            fill(&store, small, &source, 7_000_000 + at * SMALL..7_000_000 + (at + 1) * SMALL).await;
        }
        let started = Instant::now();
        fill(&store, &tenant, &source, 0..count).await;
        tell_rate("written", count, started.elapsed());
        let started = Instant::now();
        while index_persons::tenant_turn(&store, &tenant, Sizes::default(), 64).await.unwrap() == Left::More {
        }
        tell_rate("indexed", count, started.elapsed());
    }
    for (kind, texts) in kinds().into_iter().filter(|(kind, _)| kind.contains(&only)) {
        measure(&store, std::slice::from_ref(&tenant), kind, &texts).await;
    }
    measure(&store, &small, "small tenants", &["com", "anna", "a", "xqz"].map(str::to_owned)).await;
    store.close().await.unwrap();
}

async fn is_empty(store: &Store, tenant: &TenantId) -> bool {
    let tenant = tenant.clone();
    let held = move |tx: &mut pagesmith_store::Tx<'_>| {
        tx.batch(vec![person_texts::fresh(&tenant), pagesmith_store::tables::person_segments::list(&tenant)])
    };
    store.read(held).await.unwrap().iter().all(Vec::is_empty)
}

async fn fill(store: &Store, tenant: &TenantId, source: &Uuid7Source, numbers: std::ops::Range<u64>) {
    let mut numbers = numbers.peekable();
    while numbers.peek().is_some() {
        let rows: Vec<_> = numbers
            .by_ref()
            .take(1_024)
            .map(|number| {
                let instant = Timestamp::from_micros(1_000_000 + number as i64 * 10);
                let id = PersonId::mint(source.next(instant, number.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
                person_texts::insert(tenant, &id, &fields::join(person(number).all()))
            })
            .collect();
        let write = move |tx: &mut pagesmith_store::Tx<'_>| {
            for some in rows.chunks(16) {
                tx.batch(some.to_vec())?;
            }
            Ok(())
        };
        store.write(write).await.unwrap();
    }
}

fn tell_rate(what: &str, count: u64, took: Duration) {
    println!("{what}: {count} rows in {took:.1?}, {:.0} a second", count as f64 / took.as_secs_f64());
}

fn kinds() -> Vec<(&'static str, Vec<String>)> {
    let of = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let mut chance = Chance::new(3);
    let grams: Vec<String> = (0..200)
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
        ("3 letters, common", of(&["com", "gma", "ann", "lin", "www", "ber", "son", "sch", "tec", "tps"])),
        ("3 letters, rare", of(&["xan", "ygg", "q99", "839", "zzz", "f0f", "xqz", "bry", "zim", "qua"])),
        ("3 letters, any", grams),
        ("1 letter", of(&["a", "e", "x", "q", "7", "@", "-"])),
        ("2 letters", of(&["an", "co", "qu", "xa", "yg", "37", ".d", "zq"])),
        ("CJK", of(&["王", "李", "伟", "王芳", "山田", "李伟敏", "郎子", "田"])),
        ("two short words", of(&["ann com", "com ann", "wei m", "ber son", "a b", "ali de"])),
        ("long, common", of(&["gmail", "linkedin", "anna", "gmail.com", "acme", "https"])),
        ("long, rare", of(&["yggbryák", "xanquiuchi", "omegaenergy37", "kwame yggdow", "zimphaira"])),
        ("full name", of(&["anna schmidt", "maria bermison", "james hofer", "julia müller"])),
        ("nothing", of(&["no such person", "xqzxqz", "%%%", "gmail xqz", "com zzz"])),
    ]
}

/// The processor time that this process has used (of the server's, PostgreSQL's own is not in it).
fn processor() -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let numbers = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = numbers.skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

async fn measure(store: &Store, tenants: &[TenantId], kind: &str, texts: &[String]) {
    let (started, used) = (Instant::now(), processor());
    let callers: Vec<_> = (0..CALLERS)
        .map(|caller| {
            let (store, tenants, texts) = (store.clone(), tenants.to_vec(), texts.to_vec());
            tokio::spawn(async move {
                let mut chance = Chance::new(caller);
                let mut took = Vec::new();
                while started.elapsed() < Duration::from_secs(4) {
                    let tenant = tenants[chance.below(tenants.len())].clone();
                    let text = chance.below(texts.len());
                    let query = Query::parse(&texts[text]);
                    let asked = Instant::now();
                    let found = store
                        .read(move |tx| person_search::search(tx, &tenant, &query, None, 21))
                        .await
                        .unwrap();
                    took.push((asked.elapsed(), text, found.total));
                }
                took
            })
        })
        .collect();
    let mut all = Vec::new();
    for caller in callers {
        all.extend(caller.await.unwrap());
    }
    let took = started.elapsed();
    all.sort();
    let at = |part: f64| all[((all.len() - 1) as f64 * part) as usize].0;
    println!(
        "{kind}: p50 {:.2?}, p99 {:.2?}, max {:.2?}; {:.0} a second, {:.2?} of a processor each",
        at(0.5),
        at(0.99),
        at(1.0),
        all.len() as f64 / took.as_secs_f64(),
        (processor() - used) / all.len() as u32
    );
    if texts.len() < 20 {
        for (number, text) in texts.iter().enumerate() {
            let of: Vec<_> = all.iter().filter(|(_, of, _)| *of == number).collect();
            if let Some((middle, _, total)) = of.get(of.len() / 2) {
                println!("    {text:?}: p50 {middle:.2?}, total {total:?}");
            }
        }
    }
}

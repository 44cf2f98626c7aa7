//! A tenant that knows 100,000 chunks, searched by eight callers at once.
//!
//! The texts are made up of 50,000 words, of which some are in nearly every chunk and most are rare, as in real texts. They are sent to
//! a server, which indexes them by itself.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pagesmith_store::tables::pending_work::{self, WorkKind};
use pagesmith_store::tables::tenants;
use pagesmith_store::{Store as Database, StoreOptions};
use serde_json::json;

use crate::people::Chance;
use crate::report::{Bar, PeerRow, Report};
use crate::request::Template;
use crate::scenarios::measure_any;
use crate::server::Server;
use crate::setup::{Engine, Setup, Store, key};
use crate::{Result, client, say};

const CALLERS: usize = 8;
/// Different texts; they are sent more than once.
const TEXTS: usize = 2_000;
/// Sentences of a text: of ten chunks.
const SENTENCES: usize = 200;
const WORDS_OF_A_SENTENCE: usize = 10;
const CHUNKS_OF_A_TEXT: usize = 10;
/// How many different words there are.
const WORDS: f64 = 50_000.0;
/// What the texts are made of.
const SEED: u64 = 5;
/// How long indexing may take.
const TIME_LIMIT: Duration = Duration::from_secs(1_800);

/// Measures both engines, if it was asked for.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if !setup.options.wants("knowledge") {
        return Ok(());
    }
    for engine in setup.engines() {
        let store = setup.store(engine, "knowledge")?;
        let server = setup.serve(&store, "knowledge", &[])?;
        let chunks = if setup.options.quick { 10_000 } else { 100_000 };
        fill(&store, &server, engine, chunks)?;
        store.settle()?;
        for (name, queries) in kinds() {
            let mut row = measured(setup, engine, &server, &queries)?;
            row.name = format!("knowledge search, {name}");
            let p99 = row.service.p99.as_secs_f64() * 1e3;
            let bar = format!(
                "knowledge search, {chunks} chunks, {CALLERS} connections, {}, {name}: p99",
                engine.name()
            );
            say(&format!("{bar} {p99:.1} ms, {:.0} a second", row.service.per_second))?;
            report.bar(Bar::at_most(bar, p99, 25.0, "ms"));
            report.peers.push(row);
        }
    }
    Ok(())
}

/// Sends entries of the first tenant and waits until they are indexed.
pub fn fill(store: &Store, server: &Server, engine: Engine, chunks: usize) -> Result<()> {
    let begun = Instant::now();
    send(server, key(), chunks)?;
    let sent = begun.elapsed();
    wait(store)?;
    let took = begun.elapsed();
    say(&format!("{}: {chunks} chunks sent in {sent:.1?}, indexed after {took:.1?}", engine.name()))
}

/// Sends entries of so many chunks; the path of those of the topic.
pub fn send(server: &Server, key: &str, chunks: usize) -> Result<String> {
    let none = Arc::default();
    let topics = Template::new("GET", "/v0/topics", None, key, &none);
    let (_, _, body) = client::fetch(server.address, &topics)?;
    let topics: serde_json::Value = serde_json::from_slice(&body)?;
    let topic = topics["items"][0]["topicId"].as_str().ok_or("a tenant without a topic")?;
    let path = format!("/v0/topics/{topic}/entries");
    let mut chance = Chance::new(SEED);
    let texts = (0..TEXTS).map(|_| {
        let body = json!({ "content": { "type": "text", "content": text(&mut chance) } }).to_string();
        Template::new("POST", &path, Some(&body), key, &none)
    });
    let texts = Template::any_of(texts.collect());
    client::send(server.address, &texts, chunks / CHUNKS_OF_A_TEXT)?;
    Ok(path)
}

/// Waits until the entries of all tenants are indexed.
pub fn wait(store: &Store) -> Result<()> {
    let begun = Instant::now();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let database = Database::open(StoreOptions::new(store.url().parse()?))?;
        for tenant in database.read(tenants::list).await? {
            loop {
                let of = tenant.tenant_id.clone();
                if database.read(move |tx| pending_work::is_idle(tx, &of, WorkKind::Knowledge)).await? {
                    break;
                }
                if begun.elapsed() > TIME_LIMIT {
                    return Err("the knowledge was not indexed in time".into());
                }
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        }
        database.close().await?;
        Ok::<_, crate::Failure>(())
    })
}

/// A word, the frequent ones shorter and more often.
fn word(chance: &mut Chance) -> String {
    const SYLLABLES: [&str; 16] =
        ["ba", "ce", "di", "fo", "gu", "ha", "ki", "lo", "mu", "ne", "pa", "ri", "so", "tu", "ve", "zi"];
    let share = chance.below(1 << 20) as f64 / f64::from(1 << 20);
    let mut number = WORDS.powf(share) as usize;
    let mut word = String::new();
    while number > 0 {
        word.push_str(SYLLABLES[number % 16]);
        number /= 16;
    }
    word
}

fn words(chance: &mut Chance, count: usize) -> String {
    (0..count).map(|_| word(chance)).collect::<Vec<_>>().join(" ")
}

fn text(chance: &mut Chance) -> String {
    let sentences = (0..SENTENCES).map(|_| format!("The {}.", words(chance, WORDS_OF_A_SENTENCE)));
    sentences.collect::<Vec<_>>().join(" ")
}

/// Questions of visitors: every other one about words that a sentence has, so that it is answered by that sentence.
pub fn questions(count: usize) -> Vec<String> {
    let (mut chance, mut known) = (Chance::new(9), Chance::new(SEED));
    let mut question = |number: usize| {
        let asked = if number.is_multiple_of(2) {
            let said = words(&mut known, WORDS_OF_A_SENTENCE);
            said.split(' ').take(WORDS_OF_A_SENTENCE / 2).collect::<Vec<_>>().join(" ")
        } else {
            words(&mut chance, WORDS_OF_A_SENTENCE / 2)
        };
        format!("What is the {asked}?")
    };
    (0..count).map(&mut question).collect()
}

/// Searches of so many words.
pub fn queries(count: usize) -> Vec<String> {
    let mut chance = Chance::new(7);
    (0..200).map(|_| words(&mut chance, count)).collect()
}

/// What is asked, by kind.
fn kinds() -> Vec<(&'static str, Vec<String>)> {
    vec![("1 word", queries(1)), ("4 words", queries(4)), ("16 words", queries(16))]
}

fn measured(setup: &Setup, engine: Engine, server: &Server, queries: &[String]) -> Result<PeerRow> {
    let none = Arc::default();
    let asked = queries.iter().map(|query| {
        let body = json!({ "query": query }).to_string();
        Template::new("POST", "/v0/knowledge/search", Some(&body), key(), &none)
    });
    let service = measure_any(setup, server, &Template::any_of(asked.collect()), CALLERS)?;
    Ok(PeerRow { engine, name: String::new(), connections: CALLERS, service, peer: None })
}

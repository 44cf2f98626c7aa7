//! The search over persons finds what its definition in memory finds, in the same order, whatever the index is doing.
//!
//! The definition is `pagesmith_model::fields`. The index has small sizes here, so that few persons fill segments,
//! and is stepped at random moments.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock, Mutex};

use pagesmith_model::id::Uuid7Source;
use pagesmith_model::text::Query;
use pagesmith_model::{PersonId, TenantId, Timestamp, fields};
use pagesmith_person_index::internals::{self, Next, Sizes};
use pagesmith_person_index::{Memory, Pace, PersonMatches};
use pagesmith_store::Store;
use pagesmith_store::tables::person_index::texts;
use pagesmith_testkit::TestApp;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::property;

const SIZES: Sizes = Sizes { fresh: 2, chunk: 5, segment: 16, mark: 3 };

/// What happens to persons and their index.
#[derive(Debug, Clone)]
enum Event {
    /// Persons come, with ids of these instants.
    Come(Vec<(i64, Vec<String>)>),
    /// One gets other fields, comes back if it was removed.
    Change(Index, Vec<String>),
    /// One goes.
    Go(Index),
    /// Many go.
    GoUntil(Index),
    /// One is erased, removed or not.
    Erase(Index),
    /// The indexer does so much.
    Work(Pace),
    /// The indexer dies half way.
    HalfAPost,
    /// Someone searches.
    Search(AnyQuery, usize),
}

/// A query: a text of its own, or a part of someone's fields.
#[derive(Debug, Clone)]
enum AnyQuery {
    Text(String),
    Part { of: Index, from: Index, length: usize },
}

/// The persons as they should be.
#[derive(Default)]
struct Model {
    all: BTreeMap<String, (PersonId, Option<String>)>,
}

impl Model {
    fn nth(&self, index: &Index) -> Option<(PersonId, Option<String>)> {
        (!self.all.is_empty()).then(|| self.all.values().nth(index.index(self.all.len())).unwrap().clone())
    }

    fn set(&mut self, id: &PersonId, fields: Option<String>) {
        self.all.insert(id.to_string(), (id.clone(), fields));
    }

    fn expected(&self, query: &Query) -> Vec<(i64, PersonId)> {
        let rank = |fields: &Option<String>| fields::rank(fields.as_deref()?, query);
        let mut matches: Vec<_> = self
            .all
            .values()
            .filter_map(|(id, fields)| Some((rank(fields)? as i64, Reverse(id.clone()))))
            .collect();
        matches.sort();
        matches.into_iter().map(|(rank, Reverse(id))| (rank, id)).collect()
    }
}

#[test]
fn search_finds_what_its_definition_finds_whatever_the_index_is_doing() {
    let events = prop::collection::vec(any_event(), 1..40);
    property::holds(48, &events, async |case, events| {
        let tenant = case.app.add_tenant(&format!("{}-of", case.tenant)).await;
        let store = &case.app.store;
        let mut model = Model::default();
        for event in events {
            happen(store, &tenant, &mut model, event).await;
        }
        for query in ["a", "an", "ann", "anna", "acme.com", "京", "東京", "o'neil", "%", "_", "com ann"] {
            compare(store, &tenant, &model, query, 3).await;
        }
    });
}

async fn happen(store: &Store, tenant: &TenantId, model: &mut Model, event: Event) {
    match event {
        Event::Come(persons) => {
            let mut queries = Vec::new();
            for (at, (instant, texts)) in persons.into_iter().enumerate() {
                let random = (model.all.len() + at) as u64;
                let uuid = Uuid7Source::new().next(Timestamp::from_micros(instant * 1_000), random << 3);
                let (id, fields) = (PersonId::mint(uuid), joined(&texts));
                if !model.all.contains_key(id.as_str()) {
                    queries.push(texts::insert(tenant, &id, &fields));
                    model.set(&id, Some(fields));
                }
            }
            run(store, queries).await;
        }
        Event::Change(which, texts) => {
            let Some((id, before)) = model.nth(&which) else { return };
            let fields = joined(&texts);
            run(
                store,
                match before {
                    Some(_) => texts::update(tenant, &id, &fields).into(),
                    None => vec![texts::insert(tenant, &id, &fields)],
                },
            )
            .await;
            model.set(&id, Some(fields));
        }
        Event::Go(which) => {
            let Some((id, _)) = model.nth(&which) else { return };
            run(store, texts::remove(tenant, &id).into()).await;
            model.set(&id, None);
        }
        Event::GoUntil(which) => {
            let Some((last, _)) = model.nth(&which) else { return };
            let gone: Vec<PersonId> =
                model.all.values().map(|(id, _)| id.clone()).take_while(|id| *id <= last).collect();
            for id in gone {
                run(store, texts::remove(tenant, &id).into()).await;
                model.set(&id, None);
            }
        }
        Event::Erase(which) => {
            let Some((id, _)) = model.nth(&which) else { return };
            let (of, person) = (tenant.clone(), id.clone());
            store.write(move |tx| internals::erase_with(tx, &of, &person, SIZES)).await.unwrap();
            model.set(&id, None);
        }
        Event::Work(pace) => {
            internals::maintain_with(store, tenant, SIZES, pace).await.unwrap();
        }
        Event::HalfAPost => half_a_post(store, tenant).await,
        Event::Search(query, limit) => compare(store, tenant, model, &query.on(model), limit).await,
    }
}

async fn run(store: &Store, queries: Vec<pagesmith_store::Query>) {
    for some in queries.chunks(16) {
        let some = some.to_vec();
        store.write(move |tx| tx.batch(some.clone())).await.unwrap();
    }
}

async fn half_a_post(store: &Store, tenant: &TenantId) {
    let of = tenant.clone();
    let next = store.claim(move |tx| internals::step(tx, &of, SIZES)).await.unwrap();
    let Next::WritePostings(segment) = next else { return };
    let of = tenant.clone();
    let loaded = store.read(move |tx| internals::load(tx, &of, segment, SIZES)).await.unwrap().unwrap();
    let mut postings = internals::postings(&loaded, SIZES);
    postings.truncate(postings.len() / 2);
    let of = tenant.clone();
    let post = move |tx: &mut pagesmith_store::Tx<'_>| {
        internals::post(tx, &of, segment, loaded.erasures, &postings, false)
    };
    assert!(store.claim(post).await.unwrap());
}

/// Walks the whole search in parts of `limit`; each part must tell the same total.
async fn compare(store: &Store, tenant: &TenantId, model: &Model, text: &str, limit: usize) {
    let query = Query::parse(text);
    if query.is_blank() {
        return;
    }
    let expected = model.expected(&query);
    let mut found: Vec<(i64, PersonId)> = Vec::new();
    loop {
        let part = search(store, tenant, &query, found.last().cloned(), limit, SIZES).await;
        assert_eq!(part.total, Some(expected.len() as u64), "{text:?}");
        let ended = part.matches.len() < limit;
        found.extend(part.matches);
        if ended {
            break;
        }
    }
    assert_eq!(found, expected, "{text:?}");
}

async fn search(
    store: &Store,
    tenant: &TenantId,
    query: &Query,
    after: Option<(i64, PersonId)>,
    fetch: usize,
    sizes: Sizes,
) -> PersonMatches {
    let (tenant, query, memory) = (tenant.clone(), query.clone(), memory_of(store));
    let search = move |tx: &mut pagesmith_store::Tx<'_>| {
        internals::search_with(tx, &tenant, &query, after.as_ref(), fetch, (sizes, &memory))
    };
    store.read(search).await.unwrap()
}

/// What a server keeps in memory: the same for all searches of a database, so that what is out of date would show.
fn memory_of(store: &Store) -> Arc<Memory> {
    static MEMORIES: LazyLock<Mutex<HashMap<String, Arc<Memory>>>> = LazyLock::new(Mutex::default);
    Arc::clone(MEMORIES.lock().unwrap().entry(store.url().to_string()).or_default())
}

fn joined(texts: &[String]) -> String {
    fields::join(texts.iter().map(String::as_str))
}

impl AnyQuery {
    fn on(&self, model: &Model) -> String {
        match self {
            AnyQuery::Text(text) => text.clone(),
            AnyQuery::Part { of, from, length } => {
                let fields = model.nth(of).and_then(|(_, fields)| fields).unwrap_or_default();
                let chars: Vec<char> = fields.chars().collect();
                if chars.is_empty() {
                    return "a".to_owned();
                }
                chars[from.index(chars.len())..].iter().take(*length).collect()
            }
        }
    }
}

fn any_event() -> impl Strategy<Value = Event> {
    let which = any::<Index>;
    prop_oneof![
        4 => prop::collection::vec((0..2_000_i64, any_fields()), 1..12).prop_map(Event::Come),
        2 => (2_000..2_003_i64, prop::collection::vec(any_fields(), 1..20))
            .prop_map(|(at, all)| Event::Come(all.into_iter().map(|fields| (at, fields)).collect())),
        3 => (which(), any_fields()).prop_map(|(which, fields)| Event::Change(which, fields)),
        1 => which().prop_map(Event::Go),
        1 => which().prop_map(Event::GoUntil),
        2 => which().prop_map(Event::Erase),
        5 => (1..12_usize, 1..4_usize, 1..40_usize)
            .prop_map(|(turn, batch, postings)| Event::Work(Pace { turn, batch, postings })),
        1 => Just(Event::HalfAPost),
        6 => (any_query(), 1..8_usize).prop_map(|(query, limit)| Event::Search(query, limit)),
    ]
}

fn any_fields() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(any_field(), 0..4)
}

fn any_field() -> impl Strategy<Value = String> {
    let letters = any::<char>().prop_filter("NUL is refused", |char| *char != '\0');
    let words = prop::collection::vec(prop::sample::select(&WORDS[..]), 1..4);
    prop_oneof![
        8 => (words, prop::sample::select(vec![" ", " ", "-", ".", "@", ""])).prop_map(|(words, gap)| words.join(gap)),
        1 => "[ab]{1,4}",
        1 => "[a-cA-C àÀ.'-]{1,8}",
        1 => prop::collection::vec(letters, 1..8).prop_map(String::from_iter),
    ]
}

fn any_query() -> impl Strategy<Value = AnyQuery> {
    let part = (any::<Index>(), any::<Index>(), 1..14_usize);
    prop_oneof![
        4 => prop::collection::vec(prop::sample::select(&WORDS[..]), 1..3)
            .prop_map(|words| AnyQuery::Text(words.join(" "))),
        4 => part.prop_map(|(of, from, length)| AnyQuery::Part { of, from, length }),
        1 => any_field().prop_map(AnyQuery::Text),
        1 => (any_field(), 9_000..10_000_usize)
            .prop_map(|(field, length)| AnyQuery::Text(field.chars().cycle().take(length).collect())),
    ]
}

const WORDS: [&str; 40] = [
    "Ann",
    "Anna",
    "ann",
    "an",
    "a",
    "Annabel",
    "Zoë",
    "zoe",
    "Ünal",
    "acme",
    "acme.com",
    "com",
    "co",
    "gmail.com",
    "gmail",
    "mail",
    "ann@acme.com",
    "+491701234567",
    "linkedin.com/in/ann-lee",
    "ann-lee",
    "lee",
    "Łódź",
    "ß",
    "straße",
    "東京",
    "京",
    "東京タワー",
    "李",
    "李伟",
    "王",
    "Дмитрий",
    "дм",
    "मोहन",
    "مرحبا",
    "🚀",
    "o'neil",
    "O’Neil",
    "%",
    "_",
    "\"*\" OR (NEAR)",
];

#[tokio::test]
async fn a_thousand_matches_are_counted_and_more_are_not() {
    let app = TestApp::start().await;
    let source = Uuid7Source::new();
    let mut queries = Vec::new();
    let mut ids = Vec::new();
    for number in 0..1_003_i64 {
        let id = PersonId::mint(source.next(Timestamp::from_micros(number * 1_000), 0));
        queries.push(texts::insert(
            &app.tenant,
            &id,
            &fields::join([format!("Ann {number}").as_str(), "acme.com"]),
        ));
        ids.push(id);
    }
    run(&app.store, queries).await;
    let sizes = Sizes { fresh: 10, chunk: 100, segment: 300, mark: 50 };
    for (removed, total) in [(0, None), (2, None), (3, Some(1_000)), (4, Some(999))] {
        while internals::maintain_with(&app.store, &app.tenant, sizes, Pace::SERVING).await.unwrap() {}
        if let Some(gone) = usize::checked_sub(removed, 1) {
            for id in &ids[..=gone] {
                run(&app.store, texts::remove(&app.tenant, id).into()).await;
            }
        }
        for text in ["com", "acme", "an ac", "ann acme.com", "m"] {
            let found = search(&app.store, &app.tenant, &Query::parse(text), None, 3, sizes).await;
            assert_eq!(found.total, total, "{text}");
            let newest: Vec<PersonId> = found.matches.into_iter().map(|(_, id)| id).collect();
            assert_eq!(newest, ids.iter().rev().take(3).cloned().collect::<Vec<_>>(), "{text}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn writers_and_two_indexers_do_not_disturb_each_other() {
    let app = TestApp::start().await;
    let (store, tenant) = (&app.store, &app.tenant);
    let writer = |writer: i64| {
        let (store, tenant) = (store.clone(), tenant.clone());
        tokio::spawn(async move {
            let mut model = Model::default();
            for round in 0..60_i64 {
                let instant = Timestamp::from_micros(round * 1_000);
                let uuid = Uuid7Source::new().next(instant, (writer as u64) << 40);
                let id = PersonId::mint(uuid);
                let text = joined(&[format!("Ann {writer}"), format!("{round}@acme.com")]);
                run(&store, vec![texts::insert(&tenant, &id, &text)]).await;
                model.set(&id, Some(text));
                let older = model.nth_back(round % 7);
                let text = joined(&[format!("Anna {writer}"), format!("{round}@acme.org")]);
                if round % 3 == 0 {
                    run(&store, texts::update(&tenant, &older, &text).into()).await;
                    model.set(&older, Some(text));
                } else if round % 3 == 1 && model.all[older.as_str()].1.is_some() {
                    run(&store, texts::remove(&tenant, &older).into()).await;
                    model.set(&older, None);
                }
            }
            model
        })
    };
    let indexer = || {
        let (store, tenant) = (store.clone(), tenant.clone());
        tokio::spawn(async move {
            for _ in 0..150 {
                internals::maintain_with(&store, &tenant, SIZES, Pace { turn: 3, ..Pace::SERVING })
                    .await
                    .unwrap();
            }
        })
    };
    let writers = [0, 1, 2].map(writer);
    let indexers = [indexer(), indexer()];
    let mut model = Model::default();
    for writer in writers {
        model.all.extend(writer.await.unwrap().all);
    }
    for indexer in indexers {
        indexer.await.unwrap();
    }
    for query in ["ann", "anna 1", "acme.org", "acm", "5"] {
        compare(store, tenant, &model, query, 20).await;
    }
}

impl Model {
    fn nth_back(&self, at: i64) -> PersonId {
        let live: Vec<&PersonId> =
            self.all.values().filter(|(_, fields)| fields.is_some()).map(|(id, _)| id).collect();
        live[live.len() - 1 - (at as usize).min(live.len() - 1)].clone()
    }
}

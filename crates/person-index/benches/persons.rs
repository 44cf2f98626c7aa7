//! What the index of 20,000 persons costs: searches for common, rare and unknown words, packing, and postings.
//!
//! The database is an embedded one in a temporary folder, whose closures run on the caller's thread.

use std::future::Future;
use std::pin::pin;
use std::sync::LazyLock;
use std::task::{Context, Poll, Waker};

use divan::Bencher;
use pagesmith_model::id::Uuid7Source;
use pagesmith_model::text::Query;
use pagesmith_model::{PersonId, Result, TenantId, Timestamp, fields};
use pagesmith_person_index::internals::{self, Loaded, Next, Sizes, search_with};
use pagesmith_person_index::{Memory, PersonMatches};
use pagesmith_store::Store;
use pagesmith_store::tables::person_index::texts;
use tempfile::TempDir;

fn main() {
    divan::main();
}

const PERSONS: u64 = 20_000;

/// Smaller segments than a server's, so that some are posted and one is packed only.
const SIZES: Sizes = Sizes { fresh: 256, chunk: 1024, segment: 8192, mark: 64 };

const FIRST: [&str; 8] = ["ann", "bob", "chen", "dana", "elif", "femi", "goran", "hana"];
const LAST: [&str; 8] = ["adler", "bauer", "costa", "dogan", "eriksen", "fischer", "garcia", "holm"];

/// A tenant whose persons are in the index as far as it has full chunks.
struct Indexed {
    store: Store,
    tenant: TenantId,
    memory: Memory,
    _folder: TempDir,
}

static INDEXED: LazyLock<Indexed> = LazyLock::new(|| {
    let fresh = Indexed::fresh();
    fresh.index();
    fresh
});

/// Waits for a future of a store without threads, which is ready at once.
fn now<T>(future: impl Future<Output = Result<T>>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(Ok(value)) => value,
        Poll::Ready(Err(error)) => panic!("{error}"),
        Poll::Pending => panic!("the store has threads"),
    }
}

fn fields_of(number: u64) -> String {
    let at = |list: &[&'static str; 8], step: u64| list[(number / step % 8) as usize];
    let (first, last) = (at(&FIRST, 1), at(&LAST, 8));
    let name = format!("{first} {last}");
    let email = format!("{first}.{last}{number}@example.com");
    fields::join([name.as_str(), email.as_str()])
}

impl Indexed {
    /// Persons of whom nothing is in the index.
    fn fresh() -> Indexed {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let store =
            Store::open_inline(&folder.path().join("persons.db")).unwrap_or_else(|error| panic!("{error}"));
        now(store.migrate());
        let source = Uuid7Source::new();
        let tenant = TenantId::mint(source.next(Timestamp::from_micros(1), 0));
        let people = |numbers: std::ops::Range<u64>| -> Vec<_> {
            let mint = |at: u64| PersonId::mint(source.next(Timestamp::from_micros(2), at << 8));
            numbers.map(|at| texts::insert(&tenant, &mint(at), &fields_of(at))).collect()
        };
        for first in (0..PERSONS).step_by(1_000) {
            let rows = people(first..first + 1_000);
            now(store.write(move |tx| tx.batch(rows.clone()).map(drop)));
        }
        Indexed { store, tenant, memory: Memory::default(), _folder: folder }
    }

    fn step(&self) -> Next {
        let tenant = self.tenant.clone();
        now(self.store.claim(move |tx| internals::step(tx, &tenant, SIZES)))
    }

    fn load(&self, segment: i64) -> Option<Loaded> {
        let tenant = self.tenant.clone();
        now(self.store.read(move |tx| internals::load(tx, &tenant, segment, SIZES)))
    }

    /// Does everything that there is to do.
    fn index(&self) {
        loop {
            match self.step() {
                Next::Rest => break,
                Next::Step => {}
                Next::WritePostings(segment) => {
                    let Some(loaded) = self.load(segment) else { continue };
                    let (tenant, erasures) = (self.tenant.clone(), loaded.erasures);
                    let postings = internals::postings(&loaded, SIZES);
                    now(self
                        .store
                        .claim(move |tx| internals::post(tx, &tenant, segment, erasures, &postings, true)));
                }
            }
        }
    }
}

/// A search in a transaction of its own, as a request makes it.
fn find(indexed: &'static Indexed, text: &str) -> PersonMatches {
    let query = Query::parse(text);
    let run = move |tx: &mut pagesmith_store::Tx<'_>| {
        search_with(tx, &indexed.tenant, &query, None, 20, (SIZES, &indexed.memory))
    };
    now(indexed.store.read(run))
}

/// Of a word that everyone has, one that an eighth has, one that a single person has, and one that nobody has.
#[divan::bench(args = ["example", "ann", "ann adler", "adler4000@", "zzz"])]
fn search(bencher: Bencher<'_, '_>, text: &str) {
    let indexed = &*INDEXED;
    bencher.bench(|| find(indexed, text));
}

/// The same when the process remembers nothing.
#[divan::bench(args = ["ann", "adler4000@"])]
fn search_without_memory(bencher: Bencher<'_, '_>, text: &str) {
    let indexed = &*INDEXED;
    bencher.bench(|| {
        indexed.memory.clear();
        find(indexed, text)
    });
}

/// One chunk of 1,024 persons.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn pack(bencher: Bencher<'_, '_>) {
    bencher.with_inputs(Indexed::fresh).bench_values(|indexed| {
        let next = indexed.step();
        (next, indexed)
    });
}

/// The postings of a full segment, computed and written.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn post(bencher: Bencher<'_, '_>) {
    let packed = || {
        let indexed = Indexed::fresh();
        while indexed.step() == Next::Step {}
        indexed
    };
    bencher.with_inputs(packed).bench_values(|indexed| {
        if let Some(loaded) = indexed.load(0) {
            let (tenant, erasures) = (indexed.tenant.clone(), loaded.erasures);
            let postings = internals::postings(&loaded, SIZES);
            now(indexed.store.claim(move |tx| internals::post(tx, &tenant, 0, erasures, &postings, true)));
        }
        indexed
    });
}

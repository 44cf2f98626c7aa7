//! What the index of 8,000 chunks costs: searches for common, rare and unknown words, the knowledge for a brief, and postings.
//!
//! The database is an embedded one in a temporary folder, whose closures run on the caller's thread.

use std::future::Future;
use std::pin::pin;
use std::sync::LazyLock;
use std::task::{Context, Poll, Waker};

use divan::Bencher;
use pagesmith_knowledge_index::internals::{self, Batch};
use pagesmith_knowledge_index::text::content_id;
use pagesmith_knowledge_index::{KeptPostings, Wanted, search};
use pagesmith_model::id::Uuid7Source;
use pagesmith_model::{Result, TenantId, Timestamp, TopicEntryId, TopicId};
use pagesmith_store::Store;
use pagesmith_store::tables::knowledge::chunks::ChunkText;
use tempfile::TempDir;

fn main() {
    divan::main();
}

const CHUNKS: u64 = 8_000;
/// How many chunks an entry has.
const OF_ENTRY: u64 = 100;
/// How many words a chunk has.
const WORDS: u64 = 200;

const SYLLABLES: [&str; 16] =
    ["ba", "ce", "do", "fi", "gu", "ha", "je", "ko", "li", "mu", "na", "pe", "ro", "si", "tu", "va"];

/// A word; the lower its number, the more often it is used.
fn word(number: u64) -> String {
    (0..4).map(|at| SYLLABLES[(number >> (4 * at)) as usize % SYLLABLES.len()]).collect()
}

/// The text of a chunk: of two words in a row the first is one of 64, the other one of up to 4,096.
fn text(chunk: u64) -> String {
    let numbers = (0..WORDS).map(|at| {
        let mixed = (chunk * WORDS + at).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        if at % 2 == 0 { mixed % 64 } else { mixed % 4_096 }
    });
    numbers.map(word).collect::<Vec<_>>().join(" ")
}

/// A tenant whose chunks are in the index.
struct Indexed {
    store: Store,
    tenant: TenantId,
    kept: KeptPostings,
    _folder: TempDir,
}

static INDEXED: LazyLock<Indexed> = LazyLock::new(|| {
    let fresh = Indexed::fresh();
    while fresh.step().is_some() {}
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

fn chunk(number: u64) -> ChunkText {
    let text = text(number);
    ChunkText {
        chunk_id: content_id(&[&number.to_string(), &text]),
        place: i64::try_from(number % OF_ENTRY).unwrap_or_default(),
        language: "en".to_owned(),
        source_type: "text".to_owned(),
        source_name: None,
        source_url: None,
        context: "General".to_owned(),
        heading: None,
        text,
    }
}

impl Indexed {
    /// Chunks of which nothing is posted. Their entries are gone, which the index does not mind.
    fn fresh() -> Indexed {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let store =
            Store::open_inline(&folder.path().join("knowledge.db")).unwrap_or_else(|error| panic!("{error}"));
        now(store.migrate());
        let source = Uuid7Source::new();
        let uuid = || source.next(Timestamp::from_micros(1), 0);
        let (tenant, topic) = (TenantId::mint(uuid()), TopicId::mint(uuid()));
        for first in (0..CHUNKS).step_by(usize::try_from(OF_ENTRY).unwrap_or(1)) {
            let chunks: Vec<ChunkText> = (first..first + OF_ENTRY).map(chunk).collect();
            let (tenant, topic, entry) = (tenant.clone(), topic.clone(), TopicEntryId::mint(uuid()));
            now(store.write(move |tx| internals::replace(tx, &tenant, (&topic, &entry), None, &chunks)));
        }
        Indexed { store, tenant, kept: KeptPostings::default(), _folder: folder }
    }

    fn batch(&self) -> Option<Batch> {
        let tenant = self.tenant.clone();
        now(self.store.read(move |tx| internals::batch(tx, &tenant)))
    }

    /// Posts the next chunks, if there are any.
    fn step(&self) -> Option<()> {
        let batch = self.batch()?;
        let deltas = internals::deltas(&batch);
        let tenant = self.tenant.clone();
        now(self.store.write(move |tx| {
            internals::post(tx, &tenant, &batch, &deltas)?;
            internals::finish(tx, &tenant, &batch)
        }));
        Some(())
    }
}

/// For a word of many chunks, a rarer one, several, and one that no chunk has.
#[divan::bench(args = ["bababa", "babacefi", "cebababa dobababa tusicela", "zzz"])]
fn find(bencher: Bencher<'_, '_>, query: &str) {
    let indexed = &*INDEXED;
    bencher.bench(|| {
        let query = query.to_owned();
        let run = move |tx: &mut pagesmith_store::Tx<'_>| {
            search(tx, &indexed.tenant, Wanted::Query(&query), 20, Some(&indexed.kept))
        };
        now(indexed.store.read(run))
    });
}

/// What a brief is given: the chunks that are about a text.
#[divan::bench]
fn about(bencher: Bencher<'_, '_>) {
    let indexed = &*INDEXED;
    let subject = text(CHUNKS + 1);
    bencher.bench(|| {
        let subject = subject.clone();
        now(indexed.store.read(move |tx| search(tx, &indexed.tenant, Wanted::Subject(&subject), 20, None)))
    });
}

/// The first chunks of a segment, counted and written.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn post(bencher: Bencher<'_, '_>) {
    bencher.with_inputs(Indexed::fresh).bench_values(|indexed| {
        indexed.step();
        indexed
    });
}

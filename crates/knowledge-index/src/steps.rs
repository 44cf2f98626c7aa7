//! The steps by which the index follows the entries. They may end anywhere.
//!
//! 1. Whoever changes an entry notes that in `knowledge_changes`.
//! 2. [`load`] reads a changed entry, [`chunks`] cuts it, without a transaction, and [`replace`] takes the new chunks over: those that
//!    say the same keep their numbers, others become `old`, and new ones get the next numbers.
//! 3. [`batch`] reads chunks that are new or old, [`deltas`] finds their terms, without a transaction, [`post`] changes the postings in
//!    parts, and [`finish`] notes that it is done.
//!
//! Invariants: every step does no harm if it is done twice, or by two workers. What is kept of an entry is replaced only by what was made
//! of the entry as it is at that moment. A chunk is removed only after its terms are out of all postings. Whatever changes postings raises
//! the revision of the index in the same transaction (`kept.rs`).

use std::collections::{BTreeMap, HashMap};

use pagesmith_model::topic::entry::{Entry, EntryContent};
use pagesmith_model::{Result, TenantId, TopicEntryId, TopicId};
use pagesmith_store::Tx;
use pagesmith_store::tables::knowledge::chunks::{self as rows, ChunkText, State, Unposted};
use pagesmith_store::tables::knowledge::postings::{self, Posting};
use pagesmith_store::tables::knowledge::{changes, indexes};
use pagesmith_store::tables::topics;
use pagesmith_store::tables::topics::texts;

use crate::posting::{self, Delta, SEGMENT};
use crate::text::terms;
use crate::text::{Language, Languages, content_id, cut, digest};

/// How many chunks are posted at once.
const BATCH: i64 = 128;

/// An entry as it was read to be indexed.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    topic_title: String,
    entry: Entry,
    /// What was read of its page.
    text: Option<String>,
}

/// Reads an entry; nothing if it is gone.
pub fn load(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    (topic_id, topic_entry_id): (&TopicId, &TopicEntryId),
) -> Result<Option<Source>> {
    let Some(topic) = topics::find(tx, tenant, topic_id)? else { return Ok(None) };
    let Some(entry) = topics::entries::find(tx, tenant, topic_id, topic_entry_id)? else { return Ok(None) };
    let text = match &entry.content {
        EntryContent::Text(_) => None,
        EntryContent::Url(_) | EntryContent::File(_) => texts::find(tx, tenant, topic_entry_id)?,
    };
    Ok(Some(Source { topic_title: topic.title, entry, text }))
}

/// Cuts an entry into chunks.
pub fn chunks(source: &Source) -> Vec<ChunkText> {
    let Source { topic_title, entry, text } = source;
    let (source_type, url, body) = match &entry.content {
        EntryContent::Text(text) => ("text", None, text.content.clone()),
        EntryContent::Url(page) => ("url", Some(page.url.clone()), text.clone().unwrap_or_default()),
        EntryContent::File(_) => ("file", None, text.clone().unwrap_or_default()),
    };
    // Of a page that cannot be read, what is said about it can be found all the same.
    let body = if body.trim().is_empty() { entry.summaries().collect::<Vec<_>>().join("\n\n") } else { body };
    let language = Language::of(&body);
    let name = entry.name();
    let context: Vec<&str> = [Some(topic_title.as_str()), name].into_iter().flatten().collect();
    let context = context.join("\n");
    let mut alike: HashMap<[u8; 32], u32> = HashMap::new();
    let mut chunks = Vec::new();
    for piece in cut(&body) {
        let heading = piece.heading.as_deref().unwrap_or_default();
        let parts = [entry.topic_entry_id.as_str(), &context, heading, &piece.text];
        let same = alike.entry(digest(&parts)).or_default();
        *same += 1;
        let chunk_id = content_id(&[parts[0], parts[1], parts[2], parts[3], &same.to_string()]);
        chunks.push(ChunkText {
            chunk_id,
            place: i64::try_from(chunks.len()).unwrap_or(i64::MAX),
            language: language.code().to_owned(),
            source_type: source_type.to_owned(),
            source_name: name.map(str::to_owned),
            source_url: url.clone(),
            context: context.clone(),
            heading: piece.heading,
            text: piece.text,
        });
    }
    chunks
}

/// Takes over the chunks of a changed entry, or removes those of one that is gone; false if the entry has changed since it was read. To
/// run in a `write`.
pub fn replace(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    (topic_id, topic_entry_id): (&TopicId, &TopicEntryId),
    source: Option<&Source>,
    chunks: &[ChunkText],
) -> Result<bool> {
    if load(tx, tenant, (topic_id, topic_entry_id))?.as_ref() != source {
        return Ok(false);
    }
    let index = indexes::find(tx, tenant)?;
    let mut kept: HashMap<String, rows::ComparedChunk> = HashMap::new();
    for row in rows::of_entry(tx, tenant, topic_entry_id)? {
        if row.state != State::Old {
            kept.insert(row.chunk_id.clone(), row);
        }
    }
    let mut changes = vec![changes::remove(tenant, topic_entry_id)];
    let mut next = index.next_number;
    let mut languages = Languages(index.languages);
    for chunk in chunks {
        match kept.remove(&chunk.chunk_id) {
            Some(row) if row.place == chunk.place => {}
            Some(row) => changes.push(rows::place(tenant, row.number, chunk.place)),
            None => {
                changes.push(rows::insert(tenant, (topic_id, topic_entry_id), next, chunk));
                languages = languages.with(Language::of_code(&chunk.language));
                next += 1;
            }
        }
    }
    let mut fewer = 0;
    for row in kept.values() {
        fewer += i64::from(row.state == State::Posted);
        changes.push(rows::retire(tenant, row.number));
    }
    changes.push(indexes::update(tenant, next, -fewer, languages.0));
    tx.batch(changes)?;
    Ok(true)
}

/// Chunks of one segment that are new or old.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    segment: i64,
    chunks: Vec<Unposted>,
}

/// The next chunks to be posted; nothing if there are none.
pub fn batch(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Option<Batch>> {
    let Some(first) = rows::unposted(tx, tenant, i64::MAX, 1)?.pop() else { return Ok(None) };
    let (segment, _) = posting::place(first.number);
    let chunks = rows::unposted(tx, tenant, (segment + 1) * SEGMENT, BATCH)?;
    Ok(Some(Batch { segment, chunks }))
}

/// What changes in the postings of a segment, by term.
pub type Deltas = Vec<(String, Delta)>;

/// Finds the terms of a batch.
pub fn deltas(batch: &Batch) -> Deltas {
    let mut deltas: BTreeMap<String, Delta> = BTreeMap::new();
    for chunk in &batch.chunks {
        let (_, at) = posting::place(chunk.number);
        let found = terms::of_text(&chunk.searched, Language::of_code(&chunk.language));
        for (term, count) in found.counts {
            let delta = deltas.entry(term).or_default();
            match chunk.state {
                State::Old => delta.out.push(at),
                State::New | State::Posted => delta.put.push((at, posting::weight(count, found.words))),
            }
        }
    }
    deltas.into_iter().collect()
}

/// Changes some of the postings, at least one. To run in a `write`.
pub fn post(tx: &mut Tx<'_>, tenant: &TenantId, batch: &Batch, deltas: &[(String, Delta)]) -> Result<()> {
    let terms: Vec<&str> = deltas.iter().map(|(term, _)| term.as_str()).collect();
    let known = postings::of_segment(tx, tenant, batch.segment, &terms)?;
    let known: HashMap<&str, &[u8]> =
        known.iter().map(|posting| (posting.term.as_str(), posting.chunks.as_slice())).collect();
    let (mut put, mut empty) = (Vec::new(), Vec::new());
    for (term, delta) in deltas {
        let occurrences = posting::changed(known.get(term.as_str()).copied().unwrap_or_default(), delta);
        if occurrences.is_empty() {
            empty.push(term.as_str());
            continue;
        }
        put.push(Posting {
            term: term.clone(),
            segment: batch.segment,
            count: i64::try_from(occurrences.len()).unwrap_or(i64::MAX),
            chunks: posting::encode(&occurrences),
        });
    }
    postings::put(tx, tenant, &put)?;
    if !empty.is_empty() {
        tx.run(postings::remove(tenant, batch.segment, &empty))?;
    }
    tx.run(indexes::changed(tenant, 0))?;
    Ok(())
}

/// Notes that all of a batch is in the postings or out of them. To run in a `write`.
pub fn finish(tx: &mut Tx<'_>, tenant: &TenantId, batch: &Batch) -> Result<()> {
    let of_state = |state: State| -> Vec<i64> {
        batch.chunks.iter().filter(|chunk| chunk.state == state).map(|chunk| chunk.number).collect()
    };
    let (new, old) = (of_state(State::New), of_state(State::Old));
    if !new.is_empty() {
        let posted = tx.run(rows::posted(tenant, &new))?;
        tx.run(indexes::changed(tenant, i64::try_from(posted).unwrap_or(i64::MAX)))?;
    }
    if !old.is_empty() {
        tx.run(rows::remove(tenant, &old))?;
    }
    Ok(())
}

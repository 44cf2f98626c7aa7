//! The steps of the maintenance: what is fresh is packed, what is packed is posted, what is gone is forgotten.
//!
//! Each function here is one short transaction; whoever indexes runs them one after another, and may stop anywhere:
//! a search is right at every commit in between. Two who index one tenant do no harm: [`step`] holds the tenant's row,
//! and [`post`] writes what another one would write too. Invariants: a number is given once; within a run ids rise with
//! numbers; a document of a segment is current unless `person_removals` or the segment's own set says that it is not.
//! An erased person's numbers stay without it: of its id and texts nothing is left in any table.

use std::collections::BTreeMap;

use pagesmith_model::{Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::person_index::chunks::{self, Chunk};
use pagesmith_store::tables::person_index::postings::{self, Posting};
use pagesmith_store::tables::person_index::segments::{self, Run, Segment, State};
use pagesmith_store::tables::person_index::texts::{self, PersonText};
use pagesmith_store::tables::person_index::{self, documents, removals};

use crate::document_set::{CAPACITY, Documents};
use crate::gram::Index;

mod erasing;

pub use erasing::erase_with;

/// How much of everything; one index needs the same sizes for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// So many fresh persons are worth packing: a search reads each of them.
    pub fresh: usize,
    /// At most so many are packed into one chunk.
    pub chunk: usize,
    /// Documents of a segment, at most `CAPACITY`: a search looks through those that are not posted.
    pub segment: usize,
    /// The id of every so many documents is kept, so that a walk may begin in the middle.
    pub mark: usize,
}

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes { fresh: 256, chunk: 1024, segment: CAPACITY, mark: 64 }
    }
}

impl Sizes {
    /// The segment of a document, and its place there.
    pub fn place(&self, document: i64) -> (i64, usize) {
        let size = i64::try_from(self.segment).unwrap_or(1);
        (document.div_euclid(size), usize::try_from(document.rem_euclid(size)).unwrap_or_default())
    }

    /// The first document of a segment.
    pub fn first_of(&self, segment: i64) -> i64 {
        segment * i64::try_from(self.segment).unwrap_or(1)
    }
}

/// What is left to do for a tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Nothing.
    Rest,
    /// Another [`step`].
    Step,
    /// This segment is full: [`load`] it, and [`post`] the postings.
    WritePostings(i64),
}

/// Removals that are folded, and postings that are forgotten, in one transaction.
const AT_ONCE: i64 = 4096;

/// Tenants that may have work.
pub fn tenants_with_work(tx: &mut Tx<'_>, limit: i64) -> Result<Vec<TenantId>> {
    let mut tenants = texts::calling(tx, limit)?;
    for tenant in removals::tenants(tx, limit)? {
        if !tenants.contains(&tenant) {
            tenants.push(tenant);
        }
    }
    Ok(tenants)
}

/// Whether a tenant may have work.
pub fn has_work(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<bool> {
    Ok(texts::calls(tx, tenant)? || removals::exist(tx, tenant)?)
}

/// Does the first thing that there is to do for a tenant; for a transaction that claims.
pub fn step(tx: &mut Tx<'_>, tenant: &TenantId, sizes: Sizes) -> Result<Next> {
    let Some(next_document) = person_index::hold(tx, tenant)? else {
        return Ok(Next::Rest);
    };
    if let Some(dissolved) = segments::first(tx, tenant, State::Dissolved)? {
        if tx.run(postings::remove(tenant, dissolved, AT_ONCE))? == 0 {
            tx.run(segments::remove(tenant, dissolved))?;
        }
        return Ok(Next::Step);
    }
    let removed = removals::take(tx, tenant, AT_ONCE)?;
    if !removed.is_empty() {
        fold(tx, tenant, &removed, sizes)?;
        tx.run(person_index::changed(tenant))?;
        return Ok(Next::Step);
    }
    if let Some(packed) = segments::first(tx, tenant, State::Packed)?
        && next_document >= sizes.first_of(packed + 1)
    {
        return Ok(Next::WritePostings(packed));
    }
    let (segment, used) = sizes.place(next_document);
    let fresh = texts::take_fresh(tx, tenant, i64::try_from(sizes.chunk).unwrap_or(1))?;
    if fresh.len() < sizes.fresh {
        tx.run(texts::answer_calls(tenant))?;
        return Ok(Next::Rest);
    }
    let fresh = &fresh[..fresh.len().min(sizes.segment - used)];
    pack(tx, tenant, segment, next_document, fresh, sizes)?;
    Ok(Next::Step)
}

/// Tells each segment which of its documents are gone; one that has lost half of them is dissolved.
fn fold(tx: &mut Tx<'_>, tenant: &TenantId, removed: &[i64], sizes: Sizes) -> Result<()> {
    let mut by_segment: BTreeMap<i64, Vec<u16>> = BTreeMap::new();
    for document in removed {
        let (segment, number) = sizes.place(*document);
        by_segment.entry(segment).or_default().extend(u16::try_from(number).ok());
    }
    for (number, removed) in by_segment {
        let Some((segment, _)) = segments::find(tx, tenant, number)? else { continue };
        let mut all = Documents::from_bytes(segment.removed.as_deref().unwrap_or_default());
        removed.into_iter().for_each(|document| all.insert(document));
        if segment.state == State::Posted && all.len() * 2 >= sizes.segment {
            tx.run(segments::dissolve(tenant, number))?;
            let (from, to) = (sizes.first_of(number), sizes.first_of(number + 1));
            tx.run(texts::forget_numbers(tenant, from, to))?;
            tx.run(documents::remove(tenant, from, to))?;
            tx.run(chunks::remove(tenant, from, to))?;
        } else {
            tx.run(segments::set_removed(tenant, number, &all.to_bytes()))?;
        }
    }
    Ok(())
}

/// Numbers persons, who come in the order of their ids, and puts their texts into a chunk.
fn pack(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    number: i64,
    first: i64,
    persons: &[PersonText],
    sizes: Sizes,
) -> Result<()> {
    let (Some(oldest), Some(newest)) = (persons.first(), persons.last()) else { return Ok(()) };
    let (from, to) = (sizes.place(first).1, sizes.place(first).1 + persons.len());
    let new = || {
        let state = State::Packed;
        (Segment { number, state, runs: Vec::new(), removed: None, erasures: 0 }, Vec::new())
    };
    let (mut segment, mut marks) = segments::find(tx, tenant, number)?.unwrap_or_else(new);
    for (at, person) in (from..).zip(persons) {
        if at % sizes.mark == 0 {
            marks.push(person.person_id.clone());
        }
    }
    match segment.runs.last_mut().filter(|last| last.newest < oldest.person_id) {
        Some(last) => (last.to, last.newest) = (to, newest.person_id.clone()),
        None => segment.runs.push(Run {
            from,
            to,
            oldest: oldest.person_id.clone(),
            newest: newest.person_id.clone(),
        }),
    }
    tx.run(segments::keep(tenant, &segment, &marks))?;
    tx.run(chunks::keep(tenant, &Chunk::of(first, persons))?)?;
    texts::number(tx, tenant, first, persons)?;
    documents::insert(tx, tenant, first, persons)?;
    tx.run(person_index::advance(tenant, sizes.first_of(number) + i64::try_from(to).unwrap_or_default()))
        .map(drop)
}

/// A full segment, as it is before it is posted.
#[derive(Debug)]
pub struct Loaded {
    /// Its texts.
    pub chunks: Vec<Chunk>,
    /// How often something was erased from it; for [`post`].
    pub erasures: i64,
}

/// A packed segment; `None` if it is posted meanwhile. Only reads.
pub fn load(tx: &mut Tx<'_>, tenant: &TenantId, segment: i64, sizes: Sizes) -> Result<Option<Loaded>> {
    let Some(erasures) = segments::erasures(tx, tenant, segment)? else { return Ok(None) };
    Ok(Some(Loaded { chunks: chunks_of(tx, tenant, segment, sizes)?, erasures }))
}

fn chunks_of(tx: &mut Tx<'_>, tenant: &TenantId, segment: i64, sizes: Sizes) -> Result<Vec<Chunk>> {
    let select = chunks::between(tenant, sizes.first_of(segment), sizes.first_of(segment + 1));
    chunks::chunks(&tx.all(select)?)
}

/// What a segment's texts say, gram by gram; takes no transaction, for it takes long.
pub fn postings(loaded: &Loaded, sizes: Sizes) -> Vec<Posting> {
    let mut index = Index::default();
    for chunk in &loaded.chunks {
        let first = sizes.place(chunk.first_document).1;
        for at in 0..chunk.len() {
            if let Ok(document) = u16::try_from(first + at) {
                index.add(document, chunk.fields(at));
            }
        }
    }
    index.finish()
}

/// Writes a part of a packed segment's postings; with `last`, the segment is posted. False if it is not any more what was
/// loaded: somebody else has posted it, or someone was erased. For a transaction that claims.
pub fn post(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    segment: i64,
    erasures: i64,
    postings: &[Posting],
    last: bool,
) -> Result<bool> {
    if last {
        // Before the segment, as those who step do: so nobody waits for somebody who waits for him.
        tx.run(person_index::changed(tenant))?;
    }
    if !segments::hold(tx, tenant, segment, erasures)? {
        return Ok(false);
    }
    postings::insert(tx, tenant, segment, postings)?;
    tx.run(segments::posted(tenant, segment, last))?;
    Ok(true)
}

//! Taking a person out of the index for good.
//!
//! Whatever was ever indexed of it goes: its id from chunks, numbers, runs and marks, its texts from chunks, and its numbers
//! from the postings of all their grams, which together would tell the texts again. What stays is a number that is nobody's.
//! Chunks are all read to find it, since nothing else knows a person's earlier numbers; whoever indexes has to wait.

use pagesmith_model::{Error, PersonId, Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::person_index::chunks::{self, Chunk};
use pagesmith_store::tables::person_index::segments::{self, Run};
use pagesmith_store::tables::person_index::{self, documents, postings, texts};

use super::{Sizes, chunks_of};
use crate::gram::{self, Index};

/// The mark where nobody is: below every id, so that no walk begins too late.
const NOBODY: &str = "-";

/// Postings that are rewritten with one statement.
const GRAMS: usize = 256;

/// Takes a person out of lists, searches and everything that an index of these sizes knows.
pub fn erase_with(tx: &mut Tx<'_>, tenant: &TenantId, person: &PersonId, sizes: Sizes) -> Result<()> {
    // First of all, as indexers do: so nobody waits for somebody who waits for him.
    tx.run(person_index::changed(tenant))?;
    tx.batch(texts::remove(tenant, person).into())?;
    let naming = chunks::naming(tx, tenant, person.as_str())?;
    let mut segments: Vec<i64> = naming.into_iter().map(|first| sizes.place(first).0).collect();
    segments.dedup();
    for segment in segments {
        erase_from(tx, tenant, person.as_str(), segment, sizes)?;
    }
    Ok(())
}

fn erase_from(tx: &mut Tx<'_>, tenant: &TenantId, person: &str, segment: i64, sizes: Sizes) -> Result<()> {
    let mut chunks = chunks_of(tx, tenant, segment, sizes)?;
    for chunk in &mut chunks {
        let erased = chunk.erase(person);
        if erased.is_empty() {
            continue;
        }
        tx.run(chunks::keep(tenant, chunk)?)?;
        for (at, fields) in erased {
            let document = chunk.first_document + i64::try_from(at).map_err(Error::internal)?;
            tx.run(documents::remove(tenant, document, document + 1))?;
            let number = u16::try_from(sizes.place(document).1).map_err(Error::internal)?;
            let mut index = Index::default();
            index.add(number, &fields);
            erase_postings(tx, tenant, segment, number, &index.grams())?;
        }
    }
    let (runs, marks) = outline(&chunks, sizes);
    tx.run(segments::erased(tenant, segment, &runs, &marks)).map(drop)
}

/// Removes a document from the postings of these grams.
fn erase_postings(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    segment: i64,
    document: u16,
    grams: &[String],
) -> Result<()> {
    for some in grams.chunks(GRAMS) {
        let some: Vec<&str> = some.iter().map(String::as_str).collect();
        let rows = tx.all(postings::wide(tenant, &[segment], &some))?;
        let found = postings::found(&rows)?.into_iter();
        let rest: Vec<_> = found.filter_map(|found| gram::without(found.posting, document)).collect();
        tx.run(postings::remove_grams(tenant, segment, &some))?;
        postings::insert(tx, tenant, segment, &rest)?;
    }
    Ok(())
}

/// The runs and marks of a segment's chunks, as if those who were erased had never been there.
fn outline(chunks: &[Chunk], sizes: Sizes) -> (Vec<Run>, Vec<String>) {
    let (mut runs, mut marks) = (Vec::<Run>::new(), Vec::new());
    for chunk in chunks {
        let first = sizes.place(chunk.first_document).1;
        for (number, at) in (first..).zip(0..chunk.len()) {
            let person = chunk.person(at);
            if number % sizes.mark == 0 {
                marks.push(if person.is_empty() { NOBODY } else { person }.to_owned());
            }
            if person.is_empty() {
                continue;
            }
            let (oldest, newest) = (person.to_owned(), person.to_owned());
            match runs.last_mut().filter(|last| last.newest < newest) {
                Some(last) => (last.to, last.newest) = (number + 1, newest),
                None => runs.push(Run { from: number, to: number + 1, oldest, newest }),
            }
        }
    }
    (runs, marks)
}

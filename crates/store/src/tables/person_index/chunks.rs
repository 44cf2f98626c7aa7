//! `person_chunks`: the texts of many documents in one row, quick to look through.
//!
//! Each text has a line end in front. A document that is not current any more stays where it is; an erased one leaves
//! nobody, who has no text.

use pagesmith_model::{Error, Result, TenantId};

use super::texts::PersonText;
use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, tables, values};

/// Texts in the order of their documents.
#[derive(Debug, Clone)]
pub struct Chunk {
    /// The number of the first.
    pub first_document: i64,
    /// The ids of the persons, a line each; all are equally long, and blank where nobody is.
    people: String,
    /// Where each text ends.
    ends: Vec<usize>,
    /// The texts, each with a line end in front.
    pub texts: String,
}

impl Chunk {
    /// A chunk of these texts; their documents are numbered from `first_document` on.
    pub fn of(first_document: i64, persons: &[PersonText]) -> Chunk {
        let mut chunk =
            Chunk { first_document, people: String::new(), ends: Vec::new(), texts: String::new() };
        for person in persons {
            chunk.people.push_str(&person.person_id);
            chunk.people.push('\n');
            chunk.texts.push('\n');
            chunk.texts.push_str(&person.fields);
            chunk.ends.push(chunk.texts.len());
        }
        chunk
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// About how many bytes it takes.
    pub fn size(&self) -> usize {
        self.people.len() + self.texts.len() + self.ends.len() * size_of::<usize>()
    }

    /// The person at a place; empty if it was erased.
    pub fn person(&self, at: usize) -> &str {
        let length = self.people.len() / self.len().max(1);
        self.people.get(at * length..(at + 1) * length).unwrap_or_default().trim_end()
    }

    /// The text at a place.
    pub fn fields(&self, at: usize) -> &str {
        let from = if at == 0 { 0 } else { self.end(at - 1) };
        self.texts.get(from + 1..self.end(at)).unwrap_or_default()
    }

    /// Where the text at a place ends.
    pub fn end(&self, at: usize) -> usize {
        self.ends.get(at).copied().unwrap_or_default()
    }

    /// At which place the text with this byte stands.
    pub fn place(&self, byte: usize) -> usize {
        self.ends.partition_point(|end| *end <= byte)
    }

    /// Leaves nobody where a person stood, as often as it did; the places with their texts.
    pub fn erase(&mut self, person: &str) -> Vec<(usize, String)> {
        let places: Vec<usize> = (0..self.len()).filter(|at| self.person(*at) == person).collect();
        let erase = |at: usize| {
            let (text, end, start) = (self.fields(at).to_owned(), self.end(at), at * (person.len() + 1));
            self.texts.replace_range(end - text.len()..end, "");
            self.ends[at..].iter_mut().for_each(|end| *end -= text.len());
            self.people.replace_range(start..start + person.len(), &" ".repeat(person.len()));
            (at, text)
        };
        places.into_iter().map(erase).collect()
    }
}

/// Those whose documents lie in a range; a query, to travel with others, for [`chunks`].
pub fn between(tenant: &TenantId, from: i64, to: i64) -> Query {
    sql!(
        "SELECT first_document, people, ends, texts FROM person_chunks
         WHERE tenant_id = $1 AND first_document >= $2 AND first_document < $3 ORDER BY first_document"
    )
    .with(values![tenant, from, to])
}

/// Which chunks belong to packed segments of this size, in their order; a query, to travel with others, for [`names`].
pub fn packed(tenant: &TenantId, segment: i64) -> Query {
    sql!(
        "SELECT c.first_document, s.erasures FROM person_segments s CROSS JOIN person_chunks c
         WHERE s.tenant_id = $1 AND s.state = 'packed' AND c.tenant_id = $1
            AND c.first_document >= s.segment * $2 AND c.first_document < (s.segment + 1) * $2
         ORDER BY c.first_document"
    )
    .with(values![tenant, segment])
}

/// What tells one state of a chunk from all others: nothing but an erasure changes what was packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name {
    /// The number of its first document.
    pub first_document: i64,
    /// How often something was erased from its segment.
    pub erasures: i64,
}

/// The names in an answer.
pub fn names(rows: &[Row]) -> Result<Vec<Name>> {
    let name =
        |row: &Row| Ok(Name { first_document: row.get("first_document")?, erasures: row.get("erasures")? });
    rows.iter().map(name).collect()
}

/// Those that begin with one of these documents.
pub fn these(tx: &mut Tx<'_>, tenant: &TenantId, first_documents: &[i64]) -> Result<Vec<Chunk>> {
    let select = sql!(
        "SELECT first_document, people, ends, texts FROM person_chunks
         WHERE tenant_id = $1 AND first_document IN ("
    );
    let firsts = first_documents.iter().map(|first| Value::from(*first));
    let select = tables::listed(select.with(values![tenant]), firsts).and(sql!(")"), vec![]);
    chunks(&tx.all(select)?)
}

/// The one that has a document.
pub fn with(tx: &mut Tx<'_>, tenant: &TenantId, document: i64) -> Result<Option<Chunk>> {
    let select = sql!(
        "SELECT first_document, people, ends, texts FROM person_chunks
         WHERE tenant_id = $1 AND first_document <= $2 ORDER BY first_document DESC LIMIT 1"
    );
    Ok(chunks(&tx.all(select.with(values![tenant, document]))?)?.pop())
}

/// The chunks in an answer.
pub fn chunks(rows: &[Row]) -> Result<Vec<Chunk>> {
    rows.iter().map(chunk).collect()
}

fn chunk(row: &Row) -> Result<Chunk> {
    let (people, ends): (String, Vec<u8>) = (row.take("people")?, row.take("ends")?);
    let chunk = Chunk {
        first_document: row.get("first_document")?,
        people,
        ends: ends.as_chunks::<4>().0.iter().map(|end| u32::from_le_bytes(*end) as usize).collect(),
        texts: row.take("texts")?,
    };
    let fits = chunk.people.len().is_multiple_of(chunk.len().max(1))
        && chunk.ends.last().is_none_or(|end| *end == chunk.texts.len())
        && chunk.ends.is_sorted();
    if fits { Ok(chunk) } else { Err(Error::internal("a broken chunk of the index of persons")) }
}

/// Keeps a chunk, in the place of an earlier one.
pub fn keep(tenant: &TenantId, chunk: &Chunk) -> Result<Query> {
    let mut ends = Vec::with_capacity(4 * chunk.len());
    for end in &chunk.ends {
        ends.extend(u32::try_from(*end).map_err(Error::internal)?.to_le_bytes());
    }
    let upsert = sql!(
        "INSERT INTO person_chunks (tenant_id, first_document, people, ends, texts)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tenant_id, first_document) DO UPDATE SET
            people = excluded.people, ends = excluded.ends, texts = excluded.texts"
    );
    let (people, texts) = (chunk.people.as_str(), chunk.texts.as_str());
    Ok(upsert.with(values![tenant, chunk.first_document, people, ends, texts]))
}

/// The first documents of those that name a person, by reading all of them.
pub fn naming(tx: &mut Tx<'_>, tenant: &TenantId, person: &str) -> Result<Vec<i64>> {
    let select = sql!(
        "SELECT first_document FROM person_chunks
         WHERE tenant_id = $1 AND {strpos}(people, $2) > 0 ORDER BY first_document"
    );
    tx.all(select.with(values![tenant, person]))?.iter().map(|row| row.get("first_document")).collect()
}

/// Forgets those whose documents lie in a range.
pub fn remove(tenant: &TenantId, from: i64, to: i64) -> Query {
    sql!("DELETE FROM person_chunks WHERE tenant_id = $1 AND first_document >= $2 AND first_document < $3")
        .with(values![tenant, from, to])
}

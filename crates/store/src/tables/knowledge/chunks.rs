//! `knowledge_chunks`: the pieces of entries that a search finds.
//!
//! A chunk is `new` until its terms are in the postings, and `old` from when its entry says something else until they are out of them.

use pagesmith_model::{Error, Result, TenantId, TopicEntryId, TopicId};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, tables, values};

/// Whether the terms of a chunk are in the postings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Not yet, or not all of them.
    New,
    /// They are.
    Posted,
    /// They are to be taken out.
    Old,
}

impl State {
    fn as_str(self) -> &'static str {
        match self {
            State::New => "new",
            State::Posted => "posted",
            State::Old => "old",
        }
    }

    fn parse(text: &str) -> Result<State> {
        let found = [State::New, State::Posted, State::Old].into_iter().find(|state| state.as_str() == text);
        found.ok_or_else(|| Error::internal("a chunk in an unknown state"))
    }
}

/// What a chunk says, and where that comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkText {
    /// Its id: the same as long as it says the same.
    pub chunk_id: String,
    /// Its place in its entry.
    pub place: i64,
    /// The code of its language; empty if that is none that is known.
    pub language: String,
    /// The type of its entry.
    pub source_type: String,
    /// The name of the page or file.
    pub source_name: Option<String>,
    /// The address of the page.
    pub source_url: Option<String>,
    /// What it is about: the topic and the name of the entry.
    pub context: String,
    /// The heading above it.
    pub heading: Option<String>,
    /// Its text.
    pub text: String,
}

/// A chunk of an entry, as far as it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedChunk {
    /// Its number.
    pub number: i64,
    /// Its state.
    pub state: State,
    /// Its id.
    pub chunk_id: String,
    /// Its place in its entry.
    pub place: i64,
}

/// The chunks of an entry.
pub fn of_entry(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    topic_entry_id: &TopicEntryId,
) -> Result<Vec<ComparedChunk>> {
    let select = sql!(
        "SELECT number, state, chunk_id, place FROM knowledge_chunks
         WHERE tenant_id = $1 AND topic_entry_id = $2 ORDER BY number"
    );
    let read = |row: &Row| {
        Ok(ComparedChunk {
            number: row.get("number")?,
            state: State::parse(&row.take::<String>("state")?)?,
            chunk_id: row.take("chunk_id")?,
            place: row.get("place")?,
        })
    };
    tx.all(select.with(values![tenant, topic_entry_id]))?.iter().map(read).collect()
}

/// Adds a chunk.
pub fn insert(
    tenant: &TenantId,
    (topic_id, topic_entry_id): (&TopicId, &TopicEntryId),
    number: i64,
    chunk: &ChunkText,
) -> Query {
    sql!(
        "INSERT INTO knowledge_chunks
            (tenant_id, number, state, topic_id, topic_entry_id, chunk_id, place, language, source_type, source_name,
             source_url, context, heading, text)
         VALUES ($1, $2, 'new', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"
    )
    .with(values![
        tenant,
        number,
        topic_id,
        topic_entry_id,
        &chunk.chunk_id,
        chunk.place,
        &chunk.language,
        &chunk.source_type,
        &chunk.source_name,
        &chunk.source_url,
        &chunk.context,
        &chunk.heading,
        &chunk.text,
    ])
}

/// Moves a chunk to another place of its entry.
pub fn place(tenant: &TenantId, number: i64, place: i64) -> Query {
    sql!("UPDATE knowledge_chunks SET place = $3 WHERE tenant_id = $1 AND number = $2")
        .with(values![tenant, number, place])
}

/// Notes that a chunk's entry says something else now.
pub fn retire(tenant: &TenantId, number: i64) -> Query {
    sql!("UPDATE knowledge_chunks SET state = 'old' WHERE tenant_id = $1 AND number = $2")
        .with(values![tenant, number])
}

/// A chunk whose terms are to be put into the postings, or taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unposted {
    /// Its number.
    pub number: i64,
    /// New or old.
    pub state: State,
    /// The code of its language.
    pub language: String,
    /// Everything of it that is searched.
    pub searched: String,
}

/// The first chunks of a tenant whose terms are to be put into the postings or taken out, all below a number.
pub fn unposted(tx: &mut Tx<'_>, tenant: &TenantId, below: i64, limit: i64) -> Result<Vec<Unposted>> {
    let select = sql!(
        "SELECT number, state, language, context, heading, text FROM knowledge_chunks
         WHERE tenant_id = $1 AND state <> 'posted' AND number < $2 ORDER BY number LIMIT $3"
    );
    let read = |row: &Row| {
        let heading: Option<String> = row.take("heading")?;
        let (context, text): (String, String) = (row.take("context")?, row.take("text")?);
        Ok(Unposted {
            number: row.get("number")?,
            state: State::parse(&row.take::<String>("state")?)?,
            language: row.take("language")?,
            searched: [context, heading.unwrap_or_default(), text].join("\n"),
        })
    };
    tx.all(select.with(values![tenant, below, limit]))?.iter().map(read).collect()
}

/// Notes that the terms of these chunks, at least one, are in the postings; of chunks that have become old meanwhile nothing. For `run`.
pub fn posted(tenant: &TenantId, numbers: &[i64]) -> Query {
    let update = sql!(
        "UPDATE knowledge_chunks SET state = 'posted' WHERE tenant_id = $1 AND state = 'new' AND number IN ("
    );
    numbered(update.with(values![tenant]), numbers)
}

/// Removes these chunks, at least one.
pub fn remove(tenant: &TenantId, numbers: &[i64]) -> Query {
    let delete = sql!("DELETE FROM knowledge_chunks WHERE tenant_id = $1 AND number IN (");
    numbered(delete.with(values![tenant]), numbers)
}

/// The topics of the chunks of these numbers, at least one, whose entries still say so.
pub fn topics_of(tx: &mut Tx<'_>, tenant: &TenantId, numbers: &[i64]) -> Result<Vec<TopicId>> {
    let select = sql!(
        "SELECT DISTINCT c.topic_id
         FROM knowledge_chunks c
         JOIN topic_entry_names e ON e.tenant_id = $1 AND e.topic_id = c.topic_id AND e.topic_entry_id = c.topic_entry_id
         WHERE c.tenant_id = $1 AND c.state = 'posted' AND c.number IN ("
    );
    let rows = tx.all(numbered(select.with(values![tenant]), numbers))?;
    rows.iter().map(|row| row.take("topic_id")).collect()
}

fn numbered(query: Query, numbers: &[i64]) -> Query {
    tables::listed(query, numbers.iter().map(|number| Value::from(*number))).and(sql!(")"), vec![])
}

/// A chunk as a search shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundChunk {
    /// Its number.
    pub number: i64,
    /// Its topic.
    pub topic_id: TopicId,
    /// The topic's title.
    pub topic_title: String,
    /// Its entry.
    pub topic_entry_id: TopicEntryId,
    /// What it says.
    pub chunk: ChunkText,
}

/// The chunks of these numbers, at least one, whose entries still say so.
pub fn found(tx: &mut Tx<'_>, tenant: &TenantId, numbers: &[i64]) -> Result<Vec<FoundChunk>> {
    let select = sql!(
        "SELECT c.number, c.topic_id, c.topic_entry_id, c.chunk_id, c.place, c.language, c.source_type, c.source_name,
                c.source_url, c.context, c.heading, c.text, t.title
         FROM knowledge_chunks c
         JOIN topics t ON t.tenant_id = $1 AND t.topic_id = c.topic_id
         JOIN topic_entry_names e ON e.tenant_id = $1 AND e.topic_id = c.topic_id AND e.topic_entry_id = c.topic_entry_id
         WHERE c.tenant_id = $1 AND c.state = 'posted' AND c.number IN ("
    );
    let read = |row: &Row| {
        Ok(FoundChunk {
            number: row.get("number")?,
            topic_id: row.take("topic_id")?,
            topic_title: row.take("title")?,
            topic_entry_id: row.take("topic_entry_id")?,
            chunk: ChunkText {
                chunk_id: row.take("chunk_id")?,
                place: row.get("place")?,
                language: row.take("language")?,
                source_type: row.take("source_type")?,
                source_name: row.take("source_name")?,
                source_url: row.take("source_url")?,
                context: row.take("context")?,
                heading: row.take("heading")?,
                text: row.take("text")?,
            },
        })
    };
    tx.all(numbered(select.with(values![tenant]), numbers))?.iter().map(read).collect()
}

//! Searching persons.

use pagesmith_model::text::Query;
use pagesmith_model::{Error, PersonId, Result};
use pagesmith_store::{Tx, sql, values};

use crate::world::TenantContext;

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Rank and person, best first.
    pub matches: Vec<(i64, PersonId)>,
    /// How many in all; not told beyond 1,000.
    pub total: Option<u64>,
}

/// A part of what matches.
pub fn search(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    words: &Query,
    after: Option<(i64, String)>,
    fetch: i64,
) -> Result<Found> {
    let all = tx.all(
        sql!("SELECT person_id, fields FROM person_texts WHERE tenant_id = $1").with(values![&ctx.tenant]),
    )?;
    let mut matches = Vec::new();
    for row in &all {
        let fields: String = row.get("fields")?;
        let id: String = row.get("person_id")?;
        if words.words.iter().all(|word| fields.contains(&word.text)) {
            matches.push((if fields.lines().any(|f| f == words.phrase) { 0 } else { 3 }, id));
        }
    }
    matches.sort_by(|a, b| (a.0, &b.1).cmp(&(b.0, &a.1)));
    let total = Some(matches.len() as u64);
    let matches = matches
        .into_iter()
        .filter(|found| after.as_ref().is_none_or(|after| (found.0, &after.1) > (after.0, &found.1)));
    let matches = matches.take(usize::try_from(fetch).unwrap_or(0));
    let matches =
        matches.map(|(rank, id)| Ok((rank, PersonId::parse(&id).ok_or_else(|| Error::internal("id"))?)));
    Ok(Found { matches: matches.collect::<Result<_>>()?, total })
}

//! Searching persons by name and identifiers.

use std::collections::HashMap;

use pagesmith_model::person::Person;
use pagesmith_model::text::Query;
use pagesmith_model::{PersonId, Result};
use pagesmith_person_index::Memory;
use pagesmith_store::tables::persons;
use pagesmith_store::{Extent, ListPart, Tx};

use crate::context::TenantContext;

/// A person who matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankedPerson {
    /// How well the person matches; 0 is best.
    pub rank: i64,
    /// The person.
    pub person: Person,
}

/// The persons who match a query that is not blank, best first, after a position; and how many
/// match in all, or nothing if they are too many to be counted.
pub fn search(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    query: &Query,
    after: Option<&(i64, PersonId)>,
    extent: Extent,
    memory: &Memory,
) -> Result<(ListPart<RankedPerson>, Option<u64>)> {
    let found = pagesmith_person_index::search(tx, &ctx.tenant, query, after, extent.items + 1, memory)?;
    let ids: Vec<PersonId> = found.matches.iter().map(|(_, person_id)| person_id.clone()).collect();
    let mut persons: HashMap<PersonId, Person> = persons::find_many(tx, &ctx.tenant, &ids)?
        .into_iter()
        .map(|person| (person.person_id.clone(), person))
        .collect();
    let ranked = found.matches.into_iter().filter_map(|(rank, id)| {
        let person = persons.remove(&id)?;
        Some((person.bytes(), RankedPerson { rank, person }))
    });
    Ok((ListPart::of(ranked, extent), found.total))
}

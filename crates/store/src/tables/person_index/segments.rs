//! `person_segments`: the parts of a tenant's index of persons.
//!
//! A segment is packed while its documents are in `person_chunks` only, posted once `person_postings` says it all,
//! and dissolved when most of its documents are gone: then nothing reads it any more and it is cleared away.

use pagesmith_model::{Error, Result, TenantId};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// What has become of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Its documents are in chunks.
    Packed,
    /// Its postings are complete.
    Posted,
    /// Its documents have gone elsewhere.
    Dissolved,
}

impl State {
    fn name(self) -> &'static str {
        match self {
            State::Packed => "packed",
            State::Posted => "posted",
            State::Dissolved => "dissolved",
        }
    }
}

/// Documents in a row whose numbers and ids rise together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The first, from the segment's beginning.
    pub from: usize,
    /// The first that is not of the run.
    pub to: usize,
    /// The id of the first.
    pub oldest: String,
    /// The id of the last.
    pub newest: String,
}

/// A segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Its number.
    pub number: i64,
    /// What has become of it.
    pub state: State,
    /// Its documents.
    pub runs: Vec<Run>,
    /// Those that are not current any more, as an encoded set of documents.
    pub removed: Option<Vec<u8>>,
    /// How often something was erased from it.
    pub erasures: i64,
}

/// All that are not dissolved, in their order; a query, to travel with others, for [`segments`].
pub fn list(tenant: &TenantId) -> Query {
    sql!(
        "SELECT segment, state, runs, removed, erasures FROM person_segments
         WHERE tenant_id = $1 AND state <> 'dissolved' ORDER BY segment"
    )
    .with(values![tenant])
}

/// The segments in an answer.
pub fn segments(rows: &[Row]) -> Result<Vec<Segment>> {
    rows.iter().map(segment).collect()
}

fn segment(row: &Row) -> Result<Segment> {
    let (state, runs): (String, String) = (row.get("state")?, row.get("runs")?);
    let states = [State::Packed, State::Posted, State::Dissolved];
    let state = states.into_iter().find(|known| known.name() == state);
    let runs: Option<Vec<Run>> = runs.lines().map(run_of).collect();
    match (state, runs) {
        (Some(state), Some(runs)) => {
            let (number, erasures) = (row.get("segment")?, row.get("erasures")?);
            Ok(Segment { number, state, runs, removed: row.get("removed")?, erasures })
        }
        _ => Err(Error::internal("a broken segment of the index of persons")),
    }
}

fn run_of(line: &str) -> Option<Run> {
    let mut parts = line.split(' ');
    Some(Run {
        from: parts.next()?.parse().ok()?,
        to: parts.next()?.parse().ok()?,
        oldest: parts.next()?.to_owned(),
        newest: parts.next()?.to_owned(),
    })
}

/// The segment with the ids of every so many documents.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, number: i64) -> Result<Option<(Segment, Vec<String>)>> {
    let select = sql!(
        "SELECT segment, state, runs, marks, removed, erasures FROM person_segments WHERE tenant_id = $1 AND segment = $2"
    );
    let row = tx.maybe(select.with(values![tenant, number]))?;
    row.map(|row| Ok((segment(&row)?, marks_of(&row)?))).transpose()
}

fn marks_of(row: &Row) -> Result<Vec<String>> {
    Ok(row.get::<String>("marks")?.lines().map(str::to_owned).collect())
}

/// How often something was erased from a packed segment; `None` if there is none.
pub fn erasures(tx: &mut Tx<'_>, tenant: &TenantId, number: i64) -> Result<Option<i64>> {
    let select = sql!(
        "SELECT erasures FROM person_segments WHERE tenant_id = $1 AND segment = $2 AND state = 'packed'"
    );
    tx.maybe(select.with(values![tenant, number]))?.map(|row| row.get("erasures")).transpose()
}

/// The ids of every so many documents of a segment.
pub fn marks(tx: &mut Tx<'_>, tenant: &TenantId, number: i64) -> Result<Vec<String>> {
    let select = sql!("SELECT marks FROM person_segments WHERE tenant_id = $1 AND segment = $2");
    tx.maybe(select.with(values![tenant, number]))?.map_or(Ok(Vec::new()), |row| marks_of(&row))
}

fn lines(runs: &[Run]) -> String {
    let lines: Vec<String> =
        runs.iter().map(|run| format!("{} {} {} {}", run.from, run.to, run.oldest, run.newest)).collect();
    lines.join("\n")
}

/// Keeps a segment as it is now.
pub fn keep(tenant: &TenantId, segment: &Segment, marks: &[String]) -> Query {
    let (state, runs, marks) = (segment.state.name(), lines(&segment.runs), marks.join("\n"));
    sql!(
        "INSERT INTO person_segments (tenant_id, segment, state, runs, marks, removed, erasures)
         VALUES ($1, $2, $3, $4, $5, $6, 0)
         ON CONFLICT (tenant_id, segment) DO UPDATE SET
            state = excluded.state, runs = excluded.runs, marks = excluded.marks,
            removed = excluded.removed"
    )
    .with(values![tenant, segment.number, state, runs, marks, segment.removed.as_deref()])
}

/// Keeps which documents of a segment are not current any more.
pub fn set_removed(tenant: &TenantId, number: i64, removed: &[u8]) -> Query {
    sql!("UPDATE person_segments SET removed = $3 WHERE tenant_id = $1 AND segment = $2")
        .with(values![tenant, number, removed])
}

/// Keeps what is left of a segment from which something was erased.
pub fn erased(tenant: &TenantId, number: i64, runs: &[Run], marks: &[String]) -> Query {
    sql!(
        "UPDATE person_segments SET runs = $3, marks = $4, erasures = erasures + 1
         WHERE tenant_id = $1 AND segment = $2"
    )
    .with(values![tenant, number, lines(runs), marks.join("\n")])
}

/// Forgets what a posted segment knows: nobody asks it any more.
pub fn dissolve(tenant: &TenantId, number: i64) -> Query {
    sql!(
        "UPDATE person_segments SET state = 'dissolved', runs = '', marks = '', removed = NULL
         WHERE tenant_id = $1 AND segment = $2 AND state = 'posted'"
    )
    .with(values![tenant, number])
}

/// Notes that postings of a packed segment were written; with `all`, it is posted.
pub fn posted(tenant: &TenantId, number: i64, all: bool) -> Query {
    // Without `all` too, so that whoever erases something meanwhile notices.
    let state = if all { State::Posted } else { State::Packed };
    sql!("UPDATE person_segments SET state = $3 WHERE tenant_id = $1 AND segment = $2 AND state = 'packed'")
        .with(values![tenant, number, state.name()])
}

/// The first segment that is in this state.
pub fn first(tx: &mut Tx<'_>, tenant: &TenantId, state: State) -> Result<Option<i64>> {
    let select = sql!(
        "SELECT segment FROM person_segments WHERE tenant_id = $1 AND state = $2 ORDER BY segment LIMIT 1"
    );
    tx.maybe(select.with(values![tenant, state.name()]))?.map(|row| row.get("segment")).transpose()
}

/// Holds a packed segment until the transaction ends; false if somebody else holds it, or it is not as it was.
pub fn hold(tx: &mut Tx<'_>, tenant: &TenantId, number: i64, erasures: i64) -> Result<bool> {
    let select = sql!(
        "SELECT segment FROM person_segments
         WHERE tenant_id = $1 AND segment = $2 AND state = 'packed' AND erasures = $3 {skip_locked}"
    );
    Ok(tx.maybe(select.with(values![tenant, number, erasures]))?.is_some())
}

/// Forgets a segment.
pub fn remove(tenant: &TenantId, number: i64) -> Query {
    sql!("DELETE FROM person_segments WHERE tenant_id = $1 AND segment = $2").with(values![tenant, number])
}

//! Sums over rows of `audience_sessions`, which the database makes: where [`sums`] are kept of longer spans than are asked for.
//!
//! What is counted of a session is said by `Sums::of` in the model; this says the same, and a test compares them.

use std::ops::Range;

use pagesmith_model::visit::BOUNCE_BELOW_MS;
use pagesmith_model::visit::sums::{HALF_SEEN, Sums};
use pagesmith_model::{PageId, Result, TenantId, Timestamp};

use crate::tables::visits::sessions::bound;
use crate::tables::visits::sums;
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

/// How many ranges a statement sums. Statements have so many or one, so that only two are prepared.
const AT_ONCE: usize = 16;

/// The sums of `Sums::of`; `$1` is below which time a session may be a bounce, and `$2` from which depth on half is seen.
macro_rules! counted {
    () => {
        "COUNT(*) AS sessions,
            CAST(COALESCE(SUM(CASE WHEN is_scripted THEN 1 ELSE 0 END), 0) AS BIGINT) AS measured,
            CAST(COALESCE(SUM(CASE WHEN is_scripted THEN 1 ELSE 0 END), 0) AS BIGINT) AS bounce_eligible,
            CAST(COALESCE(SUM(CASE WHEN is_scripted AND clicks = 0 AND questions = 0 AND NOT has_form AND engaged_ms < $1
                THEN 1 ELSE 0 END), 0) AS BIGINT) AS bounces,
            CAST(COALESCE(SUM(CASE WHEN has_conversion THEN 1 ELSE 0 END), 0) AS BIGINT) AS conversions,
            CAST(COALESCE(SUM(CASE WHEN has_action THEN 1 ELSE 0 END), 0) AS BIGINT) AS with_action,
            CAST(COALESCE(SUM(CASE WHEN has_form THEN 1 ELSE 0 END), 0) AS BIGINT) AS with_form,
            CAST(COALESCE(SUM(CASE WHEN scroll >= $2 THEN 1 ELSE 0 END), 0) AS BIGINT) AS half_seen,
            CAST(COALESCE(SUM(interactions), 0) AS BIGINT) AS interactions,
            CAST(COALESCE(SUM(CASE WHEN is_scripted THEN engaged_ms ELSE 0 END), 0) AS BIGINT) AS engaged_ms,
            CAST(COALESCE(SUM(CASE WHEN is_scripted THEN scroll ELSE 0 END), 0) AS BIGINT) AS scroll"
    };
}

/// The sums over the closed sessions of a page that began in each of these ranges.
pub fn of_ranges(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    page_id: &PageId,
    ranges: &[Range<Timestamp>],
) -> Result<Vec<Sums>> {
    let values = |part: usize, range: &Range<Timestamp>| -> Vec<Value> {
        values![
            BOUNCE_BELOW_MS,
            HALF_SEEN,
            i64::try_from(part).unwrap_or(i64::MAX),
            tenant,
            page_id.to_bytes().as_slice(),
            bound(range.start),
            bound(range.end),
        ]
    };
    let (whole, rest) = ranges.as_chunks::<AT_ONCE>();
    let steps = whole.iter().map(<[_; AT_ONCE]>::as_slice).chain(rest.chunks(1));
    let mut all = Vec::with_capacity(ranges.len());
    for step in steps {
        let mut select = sql!(
            "SELECT CAST($3 AS BIGINT) AS part, ",
            counted!(),
            " FROM audience_sessions WHERE tenant_id = $4 AND page_id = $5 AND verdict IS NULL AND closes_at IS NULL
              AND audience_session_id >= $6 AND audience_session_id < $7"
        )
        .with(values(0, &step[0]));
        for (part, range) in step.iter().enumerate().skip(1) {
            let more = sql!(
                "UNION ALL SELECT CAST($3 AS BIGINT) AS part, ",
                counted!(),
                " FROM audience_sessions WHERE tenant_id = $4 AND page_id = $5 AND verdict IS NULL AND closes_at IS NULL
                  AND audience_session_id >= $6 AND audience_session_id < $7"
            );
            select = select.and(more, values(part, range));
        }
        let mut found = vec![Sums::default(); step.len()];
        for row in tx.all(select)? {
            let part = usize::try_from(row.take::<i64>("part")?).unwrap_or(usize::MAX);
            if let Some(place) = found.get_mut(part) {
                *place = sums::sums(&row)?;
            }
        }
        all.extend(found);
    }
    Ok(all)
}

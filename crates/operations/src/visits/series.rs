//! The visits to a page over time: sums of each hour, day or week by the clocks of a time zone.
//!
//! Kept sums are of quarters and of UTC days. Those that lie in one span are added to it. Of a UTC day that lies in several, the rows of all
//! parts but the longest are summed, and the rest of the day's sums is the longest one's. Where those rows have expired, the whole day
//! counts for the span of its noon, and the answer says from when on that is not so.

use std::collections::BTreeMap;
use std::ops::Range;

use pagesmith_model::visit::calendar::{Calendar, Interval};
use pagesmith_model::visit::range::{DAY, QUARTER, Span, quarters_from};
use pagesmith_model::visit::sums::Sums;
use pagesmith_model::{PageId, Result, Timestamp};
use pagesmith_store::Tx;
use pagesmith_store::tables::pages;
use pagesmith_store::tables::visits::{row_sums, sessions, sums};

use crate::context::TenantContext;
use crate::pages::present;
use crate::visits::analytics::Given;
use crate::visits::settings;

/// Sums over time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Series {
    /// Those of each span that has sessions, by its beginning.
    pub spans: BTreeMap<Timestamp, Sums>,
    /// Spans that begin earlier may be made of whole UTC days; nothing if none is.
    pub exact_from: Option<Timestamp>,
}

/// A part of a kept sum's time, with the beginning of the span that it is in.
type SumPart = (Timestamp, Range<Timestamp>);

/// A kept sum that lies in several spans.
struct Divided {
    sums: Sums,
    /// The part that the rest of the sum is of, when those of the others are taken away.
    longest: SumPart,
    others: Vec<SumPart>,
}

impl Divided {
    /// Of the parts of its time; nothing if there is none.
    fn of(sums: Sums, mut parts: Vec<SumPart>) -> Option<Divided> {
        let lengths = parts.iter().map(|(_, part)| part.end.since(part.start)).enumerate();
        let (longest, _) = lengths.max_by_key(|(_, length)| *length)?;
        let longest = parts.remove(longest);
        Some(Divided { sums, longest, others: parts })
    }
}

/// The sums of each span of a range, for the page as a whole; spans without sessions are left out. The first and the last one count as a
/// whole.
pub fn by_time(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    calendar: &Calendar,
    given: Given,
) -> Result<Series> {
    present(pages::find(tx, &ctx.tenant, page_id)?)?;
    let mut range = given.range(ctx.now);
    if calendar.interval == Interval::Hour {
        range.start = range.start.max(quarters_from(ctx.now));
    }
    if range.is_empty() {
        return Ok(Series::default());
    }
    let last = Timestamp::from_micros(range.end.as_micros() - 1);
    let whole = calendar.span_of(range.start).start..calendar.span_of(last).end;
    let rows_from = settings::find(tx, &ctx.tenant)?.kept.rows_from;
    let (mut spans, mut divided, mut has_whole_days) = (BTreeMap::new(), Vec::new(), false);
    let mut add = |start: Timestamp, more: &Sums| {
        if whole.contains(&start) {
            spans.entry(start).or_insert_with(Sums::default).add(more);
        }
    };
    for (unit, sums) in kept(tx, ctx, page_id, calendar, &whole)? {
        let parts = calendar.parts(&unit);
        match parts.as_slice() {
            [(start, _)] => add(*start, &sums),
            _ if rows_from.is_some_and(|rows_from| unit.start < rows_from) => {
                has_whole_days = true;
                add(calendar.span_of(unit.start.plus(unit.end.since(unit.start) / 2)).start, &sums);
            }
            _ => divided.extend(Divided::of(sums, parts)),
        }
    }
    let wanted: Vec<Range<Timestamp>> =
        divided.iter().flat_map(|unit| &unit.others).map(|(_, part)| part.clone()).collect();
    let mut read = row_sums::of_ranges(tx, &ctx.tenant, page_id, &wanted)?.into_iter();
    for Divided { sums: mut rest, longest, others } in divided {
        for (start, _) in others {
            let sums = read.next().unwrap_or_default();
            rest.add(&sums.negated());
            add(start, &sums);
        }
        add(longest.0, &rest);
    }
    for session in sessions::open(tx, &ctx.tenant, page_id)? {
        if session.verdict.is_none() {
            add(calendar.span_of(session.started_at).start, &Sums::of(&session.counted));
        }
    }
    spans.retain(|_, sums| sums.sessions > 0);
    let exact_from =
        rows_from.filter(|_| has_whole_days).map(|rows_from| exact_from(ctx, calendar, rows_from));
    Ok(Series { spans, exact_from })
}

/// The kept sums that lie in a range or touch it, with the time that each covers.
fn kept(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    calendar: &Calendar,
    whole: &Range<Timestamp>,
) -> Result<Vec<(Range<Timestamp>, Sums)>> {
    let days_until = match calendar.interval {
        Interval::Hour => whole.start,
        // Its days are those of the sums.
        _ if calendar.zone.is_utc() => whole.end,
        _ => quarters_from(ctx.now).clamp(whole.start, whole.end),
    };
    let mut found = Vec::new();
    for (span, length, part) in
        [(Span::Day, DAY, whole.start..days_until), (Span::Quarter, QUARTER, days_until..whole.end)]
    {
        if !part.is_empty() {
            let part = span.start_of(part.start)..part.end;
            let sums = sums::by_time(tx, &ctx.tenant, page_id, span, &part)?;
            found.extend(sums.into_iter().map(|(start, sums)| (start..start.plus(length), sums)));
        }
    }
    Ok(found)
}

/// The first span behind which all have the rows of the days that they divide, or quarters.
fn exact_from(ctx: &TenantContext, calendar: &Calendar, rows_from: Timestamp) -> Timestamp {
    let from = rows_from.min(quarters_from(ctx.now));
    let span = calendar.span_of(from);
    if span.start == from { from } else { span.end }
}

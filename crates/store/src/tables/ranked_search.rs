//! Ranked search by name: one algorithm for every noun that has a table of folded names.
//!
//! `model::text` defines what matches and how it ranks; the statements here say the same in SQL, and property tests compare
//! the two on both engines. A noun supplies its table of names, the columns of an item and how to read one. Where a noun has many names, PostgreSQL
//! keeps an index that says which of them can match ([`Narrowing`]); it decides how many are looked at, never what is found.

use pagesmith_model::text::{self, Query as Words};
use pagesmith_model::{Error, Result, TenantId};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::{Query, Sql};
use crate::tables::{self, counters};
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

mod grams;

/// How one noun is searched. A search is these texts with the conditions on the words between them:
/// `columns`, `ids`, the rank, `names`, the words, the position, `joins`.
pub(super) struct RankedSearch<T> {
    /// `SELECT` and the columns of an item but its rank; `$1` in it is the tenant.
    pub(super) columns: Sql,
    /// `n.<id> AS item_id,` and what else `joins` reads of a name.
    pub(super) ids: Sql,
    /// The same columns of those that are chosen, [`ITEM_ID`] in most cases.
    pub(super) chosen: Sql,
    /// Which columns are compared with the words.
    pub(super) fields: Fields,
    /// `FROM <table of names> n WHERE n.tenant_id = $1`, and which of the names are searched.
    pub(super) names: Sql,
    /// From `) m`, with the joins on `m.item_id`, to `WHERE m.tenant_id = $1`. Each item has exactly one row in them.
    pub(super) joins: Sql,
    /// How fewer names are looked at, where PostgreSQL has an index for that.
    pub(super) narrowing: Option<Narrowing>,
    /// Reads an item; its rank is in the column `rank`.
    pub(super) read: fn(&Row) -> Result<T>,
}

/// The comparisons with the columns of a table of names.
pub(super) struct Fields {
    /// Whether the name is the phrase, `$1`.
    pub(super) exact: Sql,
    /// Whether the name starts with the phrase.
    pub(super) prefix: Sql,
    /// Whether a word of the name starts with a word.
    pub(super) word_start: Sql,
    /// Whether the name holds a word, `$1`; `$2`, if it is used, is the tenant.
    pub(super) holds: Sql,
}

/// How a search looks at fewer names.
#[derive(Clone, Copy)]
pub(super) struct Narrowing {
    /// Reads one of the names of the tenant `$1` behind its `$2` newest.
    pub(super) older: Sql,
    /// Whether a name is one of the `$2` newest of the tenant `$1`.
    pub(super) is_recent: Sql,
    /// Whether a name has each gram of the list `$1`, by an index.
    pub(super) has_grams: Sql,
}

/// What `joins` reads of a name where that is its id alone.
pub(super) const ITEM_ID: Sql = sql!("f.item_id,");

/// The columns `folded` and `word_form`, which [`folded`] fills.
pub(super) const NAME: Fields = Fields {
    exact: sql!("n.folded = $1 AND $1 <> ''"),
    prefix: sql!("substr(n.folded, 1, length($1)) = $1"),
    word_start: sql!("AND {strpos}(n.word_form, $1) > 0"),
    holds: sql!("AND {strpos}(n.folded, $1) > 0"),
};

/// A name as `folded` and `word_form` hold it.
pub(super) fn folded(name: &str) -> (String, String) {
    let folded = text::fold(name);
    let word_form = text::word_form(&folded);
    (folded, word_form)
}

impl<T> RankedSearch<T> {
    /// The items whose names hold every word, best first and newest first within a rank, after a rank and an id;
    /// and how many match in all.
    pub(super) fn run<I>(
        &self,
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        words: &Words,
        after: Option<&(i64, I)>,
        extent: Extent,
    ) -> Result<(ListPart<T>, u64)>
    where
        for<'i> &'i I: Into<Value>,
    {
        self.run_where(tx, tenant, words, after, extent, |query| query)
    }

    /// The same, and the items of these ids as well, whatever their names hold.
    pub(super) fn run_also<I>(
        &self,
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        words: &Words,
        after: Option<&(i64, I)>,
        extent: Extent,
        also: (Sql, &[I]),
    ) -> Result<(ListPart<T>, u64)>
    where
        for<'i> &'i I: Into<Value>,
    {
        let (is_one_of, ids) = also;
        let also = (!ids.is_empty()).then(|| (is_one_of, ids.iter().map(Into::into).collect()));
        let request =
            Request { search: self, tenant, words, conditions: &|query| query, also, narrowed: vec![] };
        request.run(tx, after, extent)
    }

    /// The same among the items whose names meet conditions; `conditions` appends those on `n`.
    pub(super) fn run_where<I>(
        &self,
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        words: &Words,
        after: Option<&(i64, I)>,
        extent: Extent,
        conditions: impl Fn(Query) -> Query,
    ) -> Result<(ListPart<T>, u64)>
    where
        for<'i> &'i I: Into<Value>,
    {
        let request =
            Request { search: self, tenant, words, conditions: &conditions, also: None, narrowed: vec![] };
        request.run(tx, after, extent)
    }
}

/// How many matches, the newest, are ranked before it is known whether there are more.
///
/// A word that all names hold then costs one pass over the names, and no sorting of them.
const NEWEST: i64 = 200;

/// In how many names, the newest, words are looked for before an index is asked.
const RECENT: i64 = 2_000;

/// The rank of what matches worst.
const WORST: i64 = 3;

/// A search of a noun by one tenant for these words.
struct Request<'a, T, C> {
    search: &'a RankedSearch<T>,
    tenant: &'a TenantId,
    words: &'a Words,
    conditions: &'a C,
    /// Which items are found whatever their names hold: the beginning of a list, and the ids in it.
    also: Option<(Sql, Vec<Value>)>,
    /// Conditions by which fewer names are looked at, each with its values.
    narrowed: Vec<(Sql, Vec<Value>)>,
}

impl<T, C: Fn(Query) -> Query> Request<'_, T, C> {
    /// The best of what is asked for, after a rank and an id, and how many match in all.
    fn run<I>(self, tx: &mut Tx<'_>, after: Option<&(i64, I)>, extent: Extent) -> Result<(ListPart<T>, u64)>
    where
        for<'i> &'i I: Into<Value>,
    {
        let read = self.search.read;
        if let Some((rank, id)) = after {
            let request = self.narrowed_by_grams(tx)?;
            let beyond = sql!("AND (f.rank > $1 OR (f.rank = $1 AND f.item_id < $2))");
            let found = request.found(beyond, vec![Value::from(*rank), id.into()], extent);
            let mut answers = tx.batch(vec![found, request.counted()])?;
            let total = counters::total(&answers.pop().unwrap_or_default())?;
            return Ok((ListPart::read(&answers.pop().unwrap_or_default(), extent, read)?, total));
        }
        let (request, newest, looked_at) = self.newest_found(tx, extent)?;
        if looked_at < NEWEST {
            let total = u64::try_from(looked_at).map_err(Error::internal)?;
            return Ok((ListPart::read(&newest, extent, read)?, total));
        }
        // More match than were looked at. Of the last rank that was found none is newer than those; better ones may be among the others.
        let last: i64 = newest.last().map_or(Ok(0), |row| row.get("rank"))?;
        let (total, best) = total_and_best(&tx.all(request.best(last))?)?;
        if best.is_none_or(|best| best >= last) {
            return Ok((ListPart::read(&newest, extent, read)?, total));
        }
        let mut rows = tx.all(request.found(sql!("AND f.rank < $1"), vec![Value::from(last)], extent))?;
        for row in newest {
            if row.get::<i64>("rank")? == last {
                rows.push(row);
            }
        }
        Ok((ListPart::read(&rows, extent, read)?, total))
    }

    /// The same among fewer names.
    fn narrowed(&self, narrowed: Vec<(Sql, Vec<Value>)>) -> Self {
        Request { narrowed, also: self.also.clone(), ..*self }
    }

    /// How it can be narrowed, and the same by an index of grams; nothing if no index helps.
    fn by_grams(&self, tx: &Tx<'_>) -> Option<(Narrowing, Self)> {
        let narrowing = self.search.narrowing.filter(|_| tx.has_gram_indexes())?;
        let lists = grams::lists(self.tenant, self.words).into_iter();
        let conditions: Vec<_> = lists.map(|list| (narrowing.has_grams, values![list])).collect();
        (!conditions.is_empty()).then(|| (narrowing, self.narrowed(conditions)))
    }

    /// The same by an index of grams, if that helps and the tenant has many names: few are looked at faster one by one.
    fn narrowed_by_grams(self, tx: &mut Tx<'_>) -> Result<Self> {
        let Some((narrowing, by_grams)) = self.by_grams(tx) else { return Ok(self) };
        let older = tx.maybe(narrowing.older.with(values![self.tenant, RECENT]))?;
        Ok(if older.is_some() { by_grams } else { self })
    }

    /// The best of the newest matches, how many were ranked for that ([`NEWEST`], or all), and the request by which to go on.
    fn newest_found(self, tx: &mut Tx<'_>, extent: Extent) -> Result<(Self, Vec<Row>, i64)> {
        let Some((narrowing, by_grams)) = self.by_grams(tx) else {
            let (rows, looked_at) = with_count(tx.all(self.newest(extent))?)?;
            return Ok((self, rows, looked_at));
        };
        // The index would bring all names with a common word. Such a word is found often enough among the newest names.
        let recent = self.narrowed(vec![(narrowing.is_recent, values![self.tenant, RECENT])]);
        let older = narrowing.older.with(values![self.tenant, RECENT]);
        let mut answers = tx.batch(vec![older, recent.newest(extent)])?;
        let (rows, looked_at) = with_count(answers.pop().unwrap_or_default())?;
        if answers.pop().unwrap_or_default().is_empty() {
            return Ok((self, rows, looked_at));
        }
        if looked_at >= NEWEST {
            return Ok((by_grams, rows, looked_at));
        }
        let (rows, looked_at) = with_count(tx.all(by_grams.newest(extent))?)?;
        Ok((by_grams, rows, looked_at))
    }

    /// The best of the newest matches, and how many these are.
    fn newest(&self, extent: Extent) -> Query {
        let names = sql!("f.rank, COUNT(*) OVER () AS looked_at FROM (SELECT n.tenant_id,");
        let ranked =
            self.ranked(self.columns(sql!(", m.rank, m.looked_at FROM (SELECT f.tenant_id,"), names));
        let newest = ranked.and(
            sql!("ORDER BY item_id DESC LIMIT $1) f WHERE f.tenant_id = $2"),
            values![NEWEST, self.tenant],
        );
        self.joined(newest, extent)
    }

    /// The best of all matches that meet a condition on `f`. They are chosen before anything is joined.
    fn found(&self, condition: Sql, values: Vec<Value>, extent: Extent) -> Query {
        let names = sql!("f.rank FROM (SELECT n.tenant_id,");
        let ranked = self.ranked(self.columns(sql!(", m.rank FROM (SELECT f.tenant_id,"), names));
        let found = ranked.and(sql!(") f WHERE f.tenant_id = $1"), values![self.tenant]);
        self.joined(found.and(condition, values), extent)
    }

    /// How many match.
    fn counted(&self) -> Query {
        self.matching(sql!("SELECT COUNT(*) AS total").with(values![]))
    }

    /// How many match, and the best rank of them, if that is better than one that was found; what is no better need not be told apart, for each
    /// name that matches.
    fn best(&self, than: i64) -> Query {
        let rank = self.rank(sql!("SELECT COUNT(*) AS total, MIN(").with(values![]), than);
        self.matching(rank.and(sql!(") AS best"), values![]))
    }

    /// The columns of the answer up to where a name is read.
    fn columns(&self, from: Sql, names: Sql) -> Query {
        let RankedSearch { columns, chosen, .. } = self.search;
        // PostgreSQL refuses a value that a text does not use.
        let names_tenant = columns.text.contains("$1");
        let columns = columns.with(if names_tenant { values![self.tenant] } else { values![] });
        columns.and(from, values![]).and(*chosen, values![]).and(names, values![])
    }

    /// Appends the ids and the rank of the names that match.
    fn ranked(&self, query: Query) -> Query {
        let rank = self.rank(query.and(self.search.ids, values![]), WORST);
        self.matching(rank.and(sql!("AS rank"), values![]))
    }

    /// Appends the rank of a name, of which those from `most` on are the same: 0 if it is the phrase, 1 if it starts with it, 2 if each word starts
    /// a word of it, 3 otherwise.
    fn rank(&self, query: Query, most: i64) -> Query {
        let Fields { exact, prefix, word_start, .. } = self.search.fields;
        let phrase = || values![self.words.phrase.as_str()];
        if most <= 0 {
            return query.and(sql!("0"), values![]);
        }
        let rank = query.and(sql!("CASE WHEN"), values![]).and(exact, phrase());
        if most == 1 {
            return rank.and(sql!("THEN 0 ELSE 1 END"), values![]);
        }
        let rank = rank.and(sql!("THEN 0 WHEN"), values![]).and(prefix, phrase());
        if most == 2 {
            return rank.and(sql!("THEN 1 ELSE 2 END"), values![]);
        }
        let mut rank = rank.and(sql!("THEN 1 WHEN 1 = 1"), values![]);
        for word in &self.words.words {
            rank = rank.and(word_start, values![word.start_form.as_str()]);
        }
        rank.and(sql!("THEN 2 ELSE 3 END"), values![])
    }

    /// Orders what was found, takes as much as is wanted and joins the rest of the items.
    fn joined(&self, query: Query, extent: Extent) -> Query {
        let chosen = query.and(sql!("ORDER BY f.rank, f.item_id DESC LIMIT $1"), values![extent.rows()]);
        let joined = chosen.and(self.search.joins, values![self.tenant]);
        joined.and(sql!("ORDER BY m.rank, m.item_id DESC"), values![]).within(extent.bytes)
    }

    /// Appends the names that hold every word.
    fn matching(&self, query: Query) -> Query {
        let RankedSearch { names, fields, .. } = self.search;
        let names = (self.conditions)(query.and(*names, values![self.tenant]));
        let narrowed = self.narrowed.iter();
        let names = narrowed.fold(names, |query, (condition, values)| query.and(*condition, values.clone()));
        let names_tenant = fields.holds.text.contains("$2");
        let hold = |query: Query| {
            self.words.words.iter().fold(query, |query, word| {
                let text = word.text.as_str();
                query.and(fields.holds, if names_tenant { values![text, self.tenant] } else { values![text] })
            })
        };
        match &self.also {
            None => hold(names),
            Some((is_one_of, ids)) => {
                let either = hold(names.and(sql!("AND ((1 = 1"), values![])).and(sql!(") OR"), values![]);
                tables::listed(either.and(*is_one_of, values![]), ids.iter().cloned())
                    .and(sql!("))"), values![])
            }
        }
    }
}

/// What [`Request::newest`] answers, with its count of matches.
fn with_count(rows: Vec<Row>) -> Result<(Vec<Row>, i64)> {
    let looked_at = rows.first().map_or(Ok(0), |row| row.get("looked_at"))?;
    Ok((rows, looked_at))
}

/// What [`Request::best`] answers.
fn total_and_best(rows: &[Row]) -> Result<(u64, Option<i64>)> {
    let best = rows.first().map_or(Ok(None), |row| row.get("best"))?;
    Ok((counters::total(rows)?, best))
}

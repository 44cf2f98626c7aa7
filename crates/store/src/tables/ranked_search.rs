//! Ranked search by name: one algorithm for every noun that has a table of folded names.
//!
//! `model::text` defines what matches and how it ranks; the statements here say the same in SQL, and property tests compare
//! the two on both engines. A noun supplies its table of names, the columns of an item and how to read one.

use pagesmith_model::text::{self, Query as Words};
use pagesmith_model::{Result, TenantId};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::{Query, Sql};
use crate::tables::counters;
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

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
    /// Reads an item; its rank is in the column `rank`.
    pub(super) read: fn(&Row) -> Result<T>,
}

/// The comparisons with the columns of a table of names.
pub(super) struct Fields {
    /// The beginning of the rank: what is exact, and what starts with the phrase.
    pub(super) phrase: Sql,
    /// Whether a word of the name starts with a word.
    pub(super) word_start: Sql,
    /// Whether the name holds a word, `$1`; `$2`, if it is used, is the tenant.
    pub(super) holds: Sql,
}

/// What `joins` reads of a name where that is its id alone.
pub(super) const ITEM_ID: Sql = sql!("f.item_id,");

/// The columns `folded` and `word_form`, which [`folded`] fills.
pub(super) const NAME: Fields = Fields {
    phrase: sql!(
        "CASE WHEN n.folded = $1 AND $1 <> '' THEN 0 WHEN substr(n.folded, 1, length($1)) = $1 THEN 1
              WHEN 1 = 1"
    ),
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
        // The items of the answer are chosen before anything is joined: a word that all names hold costs one pass over the names.
        let from = sql!(", m.rank FROM (SELECT f.tenant_id,");
        let names = sql!("f.rank FROM (SELECT n.tenant_id,");
        // PostgreSQL refuses a value that a text does not use.
        let names_tenant = self.columns.text.contains("$1");
        let columns = self.columns.with(if names_tenant { values![tenant] } else { values![] });
        let mut found = columns.and(from, values![]).and(self.chosen, values![]);
        found = found.and(names, values![]).and(self.ids, values![]);
        found = found.and(self.fields.phrase, values![words.phrase.as_str()]);
        for word in &words.words {
            found = found.and(self.fields.word_start, values![word.start_form.as_str()]);
        }
        found = found.and(sql!("THEN 2 ELSE 3 END AS rank"), values![]);
        found = self.matching(found, tenant, words, &conditions);
        found = found.and(sql!(") f WHERE f.tenant_id = $1"), values![tenant]);
        if let Some((rank, id)) = after {
            let beyond = sql!("AND (f.rank > $1 OR (f.rank = $1 AND f.item_id < $2))");
            found = found.and(beyond, vec![Value::from(*rank), id.into()]);
        }
        found = found.and(sql!("ORDER BY f.rank, f.item_id DESC LIMIT $1"), values![extent.rows()]);
        found = found.and(self.joins, values![tenant]);
        found = found.and(sql!("ORDER BY m.rank, m.item_id DESC"), values![]);
        let counted = sql!("SELECT COUNT(*) AS total").with(values![]);
        let counted = self.matching(counted, tenant, words, &conditions);
        let mut answers = tx.batch(vec![found.within(extent.bytes), counted])?;
        let total = counters::total(&answers.pop().unwrap_or_default())?;
        Ok((ListPart::read(&answers.pop().unwrap_or_default(), extent, self.read)?, total))
    }

    /// Appends the names that hold every word.
    fn matching(
        &self,
        query: Query,
        tenant: &TenantId,
        words: &Words,
        conditions: &impl Fn(Query) -> Query,
    ) -> Query {
        let names = conditions(query.and(self.names, values![tenant]));
        let names_tenant = self.fields.holds.text.contains("$2");
        words.words.iter().fold(names, |query, word| {
            let text = word.text.as_str();
            query.and(self.fields.holds, if names_tenant { values![text, tenant] } else { values![text] })
        })
    }
}

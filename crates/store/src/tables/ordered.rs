//! Ordered lists: a part of a list in one of its orders, by keyset.
//!
//! A noun says for each of its orders how it is read ([`Ordered`]). The statements walk an index in the order asked for, from the place
//! on, so a part costs the same wherever it stands. What has no key in an order is read behind all that have one, by a statement of its
//! own. Invariant: a walk meets every item once, whatever its bytes and however many are equal.

use std::cmp::Ordering;

use pagesmith_model::cursor::SortKey;
use pagesmith_model::list_order::{ListOrder, OrderedPlace};
use pagesmith_model::{Error, Result};

use crate::extent::{Extent, ListPart, ends_at};
use crate::row::{FromValue, Row};
use crate::sql::{Query, Sql};
use crate::tx::Tx;
use crate::value::Value;
use crate::values;

/// A part of an ordered list, each item with its place.
pub type OrderedPart<Id, T> = ListPart<(OrderedPlace<Id>, T)>;

/// A part of a list that is in the order of its ids, as one of an ordered list.
pub(super) fn placed_by_id<Id, T>(part: ListPart<T>, id: impl Fn(&T) -> Id) -> OrderedPart<Id, T> {
    part.map(|item| (OrderedPlace { key: None, id: id(&item) }, item))
}

/// A text for each direction: upwards and downwards.
#[derive(Clone, Copy)]
pub(super) struct Directions(pub Sql, pub Sql);

impl Directions {
    fn of(self, order: ListOrder) -> Sql {
        if order.is_descending { self.1 } else { self.0 }
    }
}

/// How those items are read that have a key.
pub(super) struct Keyed {
    /// `SELECT` with the key as `order_key`, up to the conditions.
    pub select: Query,
    /// `AND <key> >= $1 AND (<key>, <id>) > ($1, $2)`, and the other way round.
    pub after: Directions,
    /// `ORDER BY <key>, <id> LIMIT $1`, and downwards.
    pub by: Directions,
    /// What is joined with the part.
    pub joined: Option<Joined>,
}

/// What is joined with a part that a subquery has chosen: see `docs/design/store.md` on plans.
#[derive(Clone)]
pub(super) struct Joined {
    /// The end of the subquery and the joins.
    pub joins: Query,
    /// `ORDER BY` what the subquery calls key and id, and downwards.
    pub by: Directions,
}

/// How those items are read that are sorted by their ids alone.
pub(super) struct ById {
    /// `SELECT`, up to the conditions.
    pub select: Query,
    /// `AND <id> > $1`, and with `<`.
    pub after: Directions,
    /// `ORDER BY <id> LIMIT $1`, and downwards.
    pub by: Directions,
    /// What is joined with the part.
    pub joined: Option<Joined>,
}

/// A piece of the statements of a list, at the place of whoever declares the list: within a macro, `sql!` would be at that place as well, and
/// the record of what tests have run would miss it here. That each order of each list is walked is tested for all of them.
macro_rules! piece {
    ($($text:tt)+) => {
        $crate::sql::Sql::at(concat!($($text)+), concat!(file!(), ":", line!()))
    };
}

/// The texts of a list that is sorted by a key and an id. By the key alone, SQLite finds the place also in an index on an expression. With joins
/// the part is a subquery `n`, which calls the key `order_key`.
macro_rules! keyed {
    ($select:expr, $key:literal, $id:literal) => {
        $crate::tables::ordered::Keyed {
            select: $select,
            after: $crate::tables::ordered::Directions(
                $crate::tables::ordered::piece!(
                    "AND ",
                    $key,
                    " >= $1 AND (",
                    $key,
                    ", ",
                    $id,
                    ") > ($1, $2)"
                ),
                $crate::tables::ordered::piece!(
                    "AND ",
                    $key,
                    " <= $1 AND (",
                    $key,
                    ", ",
                    $id,
                    ") < ($1, $2)"
                ),
            ),
            by: $crate::tables::ordered::Directions(
                $crate::tables::ordered::piece!("ORDER BY ", $key, ", ", $id, " LIMIT $1"),
                $crate::tables::ordered::piece!("ORDER BY ", $key, " DESC, ", $id, " DESC LIMIT $1"),
            ),
            joined: None,
        }
    };
    ($select:expr, $key:literal, $id:literal, $joins:expr) => {
        $crate::tables::ordered::Keyed {
            joined: Some($crate::tables::ordered::Joined {
                joins: $joins,
                by: $crate::tables::ordered::Directions(
                    $crate::tables::ordered::piece!("ORDER BY n.order_key, ", $id),
                    $crate::tables::ordered::piece!("ORDER BY n.order_key DESC, ", $id, " DESC"),
                ),
            }),
            ..$crate::tables::ordered::keyed!($select, $key, $id)
        }
    };
}

/// The texts of a list that is sorted by an id.
macro_rules! by_id {
    ($select:expr, $id:literal) => {
        $crate::tables::ordered::ById {
            select: $select,
            after: $crate::tables::ordered::Directions(
                $crate::tables::ordered::piece!("AND ", $id, " > $1"),
                $crate::tables::ordered::piece!("AND ", $id, " < $1"),
            ),
            by: $crate::tables::ordered::Directions(
                $crate::tables::ordered::piece!("ORDER BY ", $id, " LIMIT $1"),
                $crate::tables::ordered::piece!("ORDER BY ", $id, " DESC LIMIT $1"),
            ),
            joined: None,
        }
    };
    ($select:expr, $id:literal, $joins:expr) => {
        $crate::tables::ordered::ById {
            joined: Some($crate::tables::ordered::Joined {
                joins: $joins,
                by: $crate::tables::ordered::Directions(
                    $crate::tables::ordered::piece!("ORDER BY ", $id),
                    $crate::tables::ordered::piece!("ORDER BY ", $id, " DESC"),
                ),
            }),
            ..$crate::tables::ordered::by_id!($select, $id)
        }
    };
}

pub(super) use {by_id, keyed, piece};

/// How a list is read in one order.
pub(super) enum Ordered {
    /// By a key that every item has.
    Key(Keyed),
    /// By a key, of items that stand in an index of it and of others that do not yet, of which there are few.
    KeyInTwo(Keyed, Keyed),
    /// By a key that some have; the others come last, the newest first.
    KeyOrLast(Keyed, ById),
    /// By the id, which is the order in which items were made.
    Id(ById),
}

impl Ordered {
    /// The rows behind a place, as many as the extent holds and one more, each with its place.
    pub(super) fn rows<I>(
        self,
        tx: &mut Tx<'_>,
        order: ListOrder,
        id: &'static str,
        after: Option<&OrderedPlace<I>>,
        extent: Extent,
    ) -> Result<Vec<(OrderedPlace<I>, Row)>>
    where
        I: FromValue + Ord,
        for<'i> &'i I: Into<Value>,
    {
        let place = |row: Row, has_key: bool| -> Result<(OrderedPlace<I>, Row)> {
            let key = if has_key { Some(SortKey::Text(row.get("order_key")?)) } else { None };
            Ok((OrderedPlace { key, id: row.get(id)? }, row))
        };
        let (keyed, rest) = match self {
            Ordered::Id(list) => {
                let after = after.map(|place| &place.id);
                let rows = tx.all(list.query(order, after, extent))?;
                return rows.into_iter().map(|row| place(row, false)).collect();
            }
            Ordered::KeyInTwo(..) if after.is_some_and(|place| place.key.is_none()) => return Ok(vec![]),
            Ordered::KeyInTwo(one, other) => {
                let mut found = Vec::new();
                for list in [one, other] {
                    for row in tx.all(list.query(order, after, extent)?)? {
                        found.push(place(row, true)?);
                    }
                }
                found.sort_by(|(one, _), (other, _)| compared(one, other, order));
                return Ok(found);
            }
            Ordered::Key(list) => (list, None),
            Ordered::KeyOrLast(list, rest) => (list, Some(rest)),
        };
        let mut found = Vec::new();
        let mut bytes = 0;
        let behind_all = after.filter(|place| place.key.is_none());
        if behind_all.is_none() {
            for row in tx.all(keyed.query(order, after, extent)?)? {
                bytes += row.bytes();
                found.push(place(row, true)?);
            }
            if found.len() > extent.items || ends_at(found.len(), bytes, extent.bytes) {
                return Ok(found);
            }
        }
        if let Some(rest) = rest {
            let downwards = ListOrder { is_descending: true, ..order };
            let left = Extent { items: extent.items - found.len(), bytes: extent.bytes };
            for row in tx.all(rest.query(downwards, behind_all.map(|place| &place.id), left))? {
                found.push(place(row, false)?);
            }
        }
        Ok(found)
    }

    /// The same as a part of the list, each item with its place.
    pub(super) fn list<I, T>(
        self,
        tx: &mut Tx<'_>,
        order: ListOrder,
        id: &'static str,
        after: Option<&OrderedPlace<I>>,
        extent: Extent,
        read: impl Fn(&Row) -> Result<T>,
    ) -> Result<OrderedPart<I, T>>
    where
        I: FromValue + Ord,
        for<'i> &'i I: Into<Value>,
    {
        let rows = self.rows(tx, order, id, after, extent)?;
        let part = ListPart::of(rows.into_iter().map(|(place, row)| (row.bytes(), (place, row))), extent);
        let items = part.items.into_iter().map(|(place, row)| Ok((place, read(&row)?)));
        Ok(ListPart { items: items.collect::<Result<_>>()?, more: part.more, bytes: part.bytes })
    }
}

/// Where an item stands in relation to another one that also has a key.
fn compared<I: Ord>(one: &OrderedPlace<I>, other: &OrderedPlace<I>, order: ListOrder) -> Ordering {
    let keys = match (&one.key, &other.key) {
        (Some(SortKey::Text(one)), Some(SortKey::Text(other))) => one.cmp(other),
        _ => Ordering::Equal,
    };
    let upwards = keys.then_with(|| one.id.cmp(&other.id));
    if order.is_descending { upwards.reverse() } else { upwards }
}

impl Keyed {
    /// What is behind a place, as many as the extent holds and one more.
    pub(super) fn query<I>(
        self,
        order: ListOrder,
        after: Option<&OrderedPlace<I>>,
        extent: Extent,
    ) -> Result<Query>
    where
        for<'i> &'i I: Into<Value>,
    {
        let mut select = self.select;
        if let Some(place) = after {
            let key = match &place.key {
                Some(SortKey::Text(text)) => Value::from(text.as_str()),
                _ => return Err(Error::internal("a place without the key that its order compares")),
            };
            select = select.and(self.after.of(order), vec![key, (&place.id).into()]);
        }
        let part = select.and(self.by.of(order), values![extent.rows()]);
        Ok(with_joins(part, self.joined, order).within(extent.bytes))
    }
}

impl ById {
    /// What is behind an id, as many as the extent holds and one more.
    pub(super) fn query<I>(self, order: ListOrder, after: Option<&I>, extent: Extent) -> Query
    where
        for<'i> &'i I: Into<Value>,
    {
        let mut select = self.select;
        if let Some(id) = after {
            select = select.and(self.after.of(order), vec![id.into()]);
        }
        let part = select.and(self.by.of(order), values![extent.rows()]);
        with_joins(part, self.joined, order).within(extent.bytes)
    }
}

fn with_joins(part: Query, joined: Option<Joined>, order: ListOrder) -> Query {
    match joined {
        Some(Joined { joins, by }) => part.followed_by(joins).and(by.of(order), vec![]),
        None => part,
    }
}

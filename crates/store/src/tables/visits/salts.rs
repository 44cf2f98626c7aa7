//! `visit_salts`: the random numbers that visitors' numbers are made with, one for each UTC day.

use pagesmith_model::Result;

use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// The numbers of a day and the day before it, each with its day, since 1970.
pub fn of_two_days(tx: &mut Tx<'_>, day: i64) -> Result<Vec<(i64, Vec<u8>)>> {
    let select = sql!(
        "SELECT day, salt FROM visit_salts WHERE day >= CAST($1 AS BIGINT) - 1 AND day <= $1 ORDER BY day DESC"
    );
    tx.all(select.with(values![day]))?.iter().map(|row| Ok((row.take("day")?, row.take("salt")?))).collect()
}

/// Adds the number of a day, unless another server has.
pub fn insert(day: i64, salt: &[u8]) -> Query {
    sql!("INSERT INTO visit_salts (day, salt) VALUES ($1, $2) ON CONFLICT (day) DO NOTHING")
        .with(values![day, salt])
}

/// Removes the numbers of the days before one.
pub fn remove_before(day: i64) -> Query {
    sql!("DELETE FROM visit_salts WHERE day < $1").with(values![day])
}

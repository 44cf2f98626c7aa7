//! What PostgreSQL tells about the tables of the current schema, through its catalogue.

use pagesmith_model::Result;

use super::{Tables, add_column, add_index_column, table_of};
use crate::connection::postgres::servers::Servers;
use crate::connection::postgres::{ASIDE, Session};
use crate::migrate::indexes_of_postgres;
use crate::row::Row;
use crate::sql;
use crate::tx::{Link, Tx};

pub(super) fn tables(servers: &Servers) -> Result<Tables> {
    let mut session = Session::connect(servers, 0, ASIDE)?;
    let mut tx = Tx::new(Link::Postgres(&mut session));
    let mut tables = columns(&mut tx)?;
    constraints(&mut tx, &mut tables)?;
    indexes(&mut tx, &mut tables)?;
    Ok(tables)
}

fn columns(tx: &mut Tx<'_>) -> Result<Tables> {
    // only: postgres
    let select = sql!(
        "SELECT t.relname AS table_name, a.attname AS column_name, CAST(a.attnotnull AS INTEGER) AS is_required,
                upper(format_type(a.atttypid, a.atttypmod)) AS column_type, c.collname AS collation
         FROM pg_class t
         JOIN pg_namespace s ON s.oid = t.relnamespace
         JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
         LEFT JOIN pg_collation c ON c.oid = a.attcollation
         WHERE s.nspname = current_schema() AND t.relkind IN ('r', 'p') AND NOT t.relispartition
         ORDER BY t.relname, a.attnum"
    );
    let mut tables = Tables::new();
    for row in &tx.all(select.with(vec![]))? {
        let mut column_type: String = row.get("column_type")?;
        // Every text sorts by its bytes; one that does not is a difference to be seen.
        if let Some(collation) = row.get::<Option<String>>("collation")?.filter(|collation| collation != "C")
        {
            column_type.push_str(&format!(" COLLATE \"{collation}\""));
        }
        add_column(&mut tables, row, &column_type)?;
    }
    Ok(tables)
}

fn constraints(tx: &mut Tx<'_>, tables: &mut Tables) -> Result<()> {
    // only: postgres
    let select = sql!(
        "SELECT t.relname AS table_name, n.conname AS constraint_name, CAST(n.contype AS TEXT) AS kind,
                a.attname AS column_name, o.relname AS other_table, b.attname AS other_column,
                CASE n.confdeltype WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL'
                                   WHEN 'd' THEN 'SET DEFAULT' ELSE 'NO ACTION' END AS on_delete
         FROM pg_constraint n
         JOIN pg_class t ON t.oid = n.conrelid
         JOIN pg_namespace s ON s.oid = t.relnamespace
         CROSS JOIN LATERAL unnest(n.conkey, n.confkey) WITH ORDINALITY AS k (own, other, position)
         JOIN pg_attribute a ON a.attrelid = n.conrelid AND a.attnum = k.own
         LEFT JOIN pg_class o ON o.oid = n.confrelid
         LEFT JOIN pg_attribute b ON b.attrelid = n.confrelid AND b.attnum = k.other
         WHERE s.nspname = current_schema() AND n.contype IN ('p', 'u', 'f') AND NOT t.relispartition
         ORDER BY t.relname, n.conname, k.position"
    );
    for row in &tx.all(select.with(vec![]))? {
        let (name, column): (String, String) = (row.get("constraint_name")?, row.get("column_name")?);
        let table = table_of(tables, row)?;
        match row.get::<String>("kind")?.as_str() {
            "p" => table.primary_key.push(column),
            "u" => table.uniques.entry(name).or_default().push(column),
            _ => {
                let key = table.foreign_keys.entry(name).or_default();
                key.columns.push(column);
                key.other_table = row.get("other_table")?;
                key.other_columns.push(row.get("other_column")?);
                key.on_delete = row.get("on_delete")?;
            }
        }
    }
    Ok(())
}

/// Those that no constraint made, without those that SQLite does not have.
fn indexes(tx: &mut Tx<'_>, tables: &mut Tables) -> Result<()> {
    // only: postgres
    let select = sql!(
        "SELECT t.relname AS table_name, x.relname AS index_name, CAST(i.indisunique AS INTEGER) AS is_unique,
                a.attname AS column_name, pg_get_indexdef(i.indexrelid, CAST(k.position AS INTEGER), true) AS expression,
                CAST(k.option AS INTEGER) & 1 AS is_descending,
                pg_get_expr(i.indpred, i.indrelid) AS condition
         FROM pg_index i
         JOIN pg_class t ON t.oid = i.indrelid
         JOIN pg_class x ON x.oid = i.indexrelid
         JOIN pg_am m ON m.oid = x.relam AND m.amname = 'btree'
         JOIN pg_namespace s ON s.oid = t.relnamespace
         CROSS JOIN LATERAL unnest(CAST(i.indkey AS SMALLINT[]), CAST(i.indoption AS SMALLINT[]))
             WITH ORDINALITY AS k (own, option, position)
         LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.own
         WHERE s.nspname = current_schema() AND k.position <= i.indnkeyatts AND NOT t.relispartition
           AND NOT EXISTS (SELECT 1 FROM pg_constraint n WHERE n.conindid = i.indexrelid AND n.contype IN ('p', 'u'))
         ORDER BY t.relname, x.relname, k.position"
    );
    let rows: Vec<Row> = tx.all(select.with(vec![]))?;
    let own: Vec<&str> = indexes_of_postgres().collect();
    for row in &rows {
        if own.contains(&row.get::<String>("index_name")?.as_str()) {
            continue;
        }
        let (expression, condition): (Option<String>, Option<String>) =
            (row.get("expression")?, row.get("condition")?);
        add_index_column(tables, row, expression.as_deref(), condition.as_deref())?;
    }
    Ok(())
}

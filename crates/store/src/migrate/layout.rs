//! Where the tables of a PostgreSQL database lie: as they are written, divided by tenant, or on the nodes of a Citus cluster.
//!
//! One rule says which tables belong to tenants: those whose every key contains `tenant_id`. Citus distributes them by tenant,
//! all alike, so that what belongs to a tenant lies on one node; the other tables it copies to every node. The same tables are
//! divided where the database's setting `pagesmith.partitions` says into how many parts. The tests do that, because
//! PostgreSQL then refuses what Citus would: a key without the tenant.

use pagesmith_model::Result;

use crate::sql;
use crate::tx::Tx;

/// What a database is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// Tables as they are written.
    Plain,
    /// Tenants' tables are divided into so many partitions.
    Partitioned(u32),
    /// The extension Citus is installed.
    Citus,
}

impl Layout {
    /// What this PostgreSQL database is, which is no cluster.
    pub(super) fn of(tx: &mut Tx<'_>) -> Result<Layout> {
        // only: postgres
        let select = sql!(
            "SELECT COALESCE(NULLIF(current_setting('pagesmith.partitions', TRUE), ''), '0') AS partitions"
        );
        let partitions =
            tx.one(select.with(vec![]))?.get::<String>("partitions")?.parse().unwrap_or_default();
        Ok(if partitions == 0 { Layout::Plain } else { Layout::Partitioned(partitions) })
    }

    /// The statements by which one of a migration is carried out here.
    pub(super) fn apply(self, statement: &str) -> Vec<String> {
        let (Layout::Partitioned(partitions), Some(table)) = (self, Table::made_by(statement)) else {
            return vec![statement.to_owned()];
        };
        if !table.is_of_tenants {
            return vec![statement.to_owned()];
        }
        let name = table.name;
        let mut all = vec![format!("{statement} PARTITION BY HASH (tenant_id)")];
        all.extend((0..partitions).map(|number| {
            format!(
                "CREATE TABLE {name}_p{number} PARTITION OF {name} \
                 FOR VALUES WITH (MODULUS {partitions}, REMAINDER {number})"
            )
        }));
        all
    }
}

/// A table that a statement makes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Table<'a> {
    pub(super) name: &'a str,
    /// Whether each of its keys contains the tenant.
    pub(super) is_of_tenants: bool,
}

/// Each row of `tenants` is a tenant, and none belongs to one. What every key is bound to is read whenever a key has changed, which must
/// not wait for a node that is away.
const OF_ALL_NODES: [&str; 2] = ["tenants", "key_tenants"];
/// Every server writes it each second, to see whether it can: if every node had it, no node could be away.
const OF_COORDINATOR: &str = "health_checks";

impl<'a> Table<'a> {
    /// The table that a statement makes, if it makes one.
    pub(super) fn made_by(statement: &'a str) -> Option<Table<'a>> {
        let begin = statement.find("CREATE TABLE ")?;
        let is_first =
            statement[..begin].lines().all(|line| line.trim().is_empty() || line.starts_with("--"));
        let rest = statement[begin..].strip_prefix("CREATE TABLE ").filter(|_| is_first)?;
        let rest = rest.strip_prefix("IF NOT EXISTS ").unwrap_or(rest);
        let (name, body) = rest.split_once(" (")?;
        let keys = body.lines().filter(|line| line.contains("PRIMARY KEY (") || line.contains(" UNIQUE ("));
        let mut keys = keys.peekable();
        let is_of_tenants = keys.peek().is_some() && keys.all(|key| key.contains("tenant_id"));
        Some(Table { name, is_of_tenants: is_of_tenants && !OF_ALL_NODES.contains(&name) })
    }

    /// The statement by which Citus distributes the table, unless it has done so; none for a table that only the coordinator has.
    pub(super) fn distribution(&self) -> Option<String> {
        let name = self.name;
        if name == OF_COORDINATOR {
            return None;
        }
        let distribute = if self.is_of_tenants {
            format!("create_distributed_table('{name}', 'tenant_id')")
        } else {
            format!("create_reference_table('{name}')")
        };
        Some(format!(
            "SELECT {distribute} WHERE NOT EXISTS \
             (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = CAST('{name}' AS REGCLASS))"
        ))
    }
}

/// The statements of a text, without the semicolons behind them.
pub(super) fn statements(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let (mut all, mut from, mut at) = (Vec::new(), 0, 0);
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'\'' | b'"') => at = past(bytes, at + 1, quote),
            b'-' if bytes.get(at + 1) == Some(&b'-') => at = past(bytes, at, b'\n'),
            b';' => {
                all.push(text[from..at].trim());
                at += 1;
                from = at;
            }
            _ => at += 1,
        }
    }
    all.push(text[from..].trim());
    let is_statement = |text: &&str| text.lines().any(|line| !line.is_empty() && !line.starts_with("--"));
    all.retain(is_statement);
    all
}

fn past(bytes: &[u8], from: usize, end: u8) -> usize {
    bytes[from..].iter().position(|byte| *byte == end).map_or(bytes.len(), |at| from + at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGES: &str = "-- What is shown; to everyone.\nCREATE TABLE pages (\n    tenant_id TEXT NOT NULL,\n    slug TEXT NOT NULL,\n    \
                         PRIMARY KEY (tenant_id, slug)\n)";

    #[test]
    fn a_text_is_divided_at_semicolons_that_end_statements() {
        let text = format!("{PAGES};\n\nINSERT INTO a VALUES (';', \"b;\"); -- the end;\n-- really;\n");
        assert_eq!(statements(&text), [PAGES, "INSERT INTO a VALUES (';', \"b;\")"]);
        assert_eq!(statements(" ;; \n"), [""; 0]);
    }

    #[test]
    fn a_table_belongs_to_tenants_if_each_of_its_keys_contains_the_tenant() {
        assert_eq!(Table::made_by(PAGES), Some(Table { name: "pages", is_of_tenants: true }));
        for (keys, is_of_tenants) in [
            ("    PRIMARY KEY (tenant_id, id),\n    CONSTRAINT a UNIQUE (tenant_id, slug)", true),
            ("    PRIMARY KEY (tenant_id, id),\n    CONSTRAINT a UNIQUE (slug)", false),
            ("    PRIMARY KEY (id)", false),
        ] {
            let text = format!("CREATE TABLE IF NOT EXISTS t (\n    tenant_id TEXT NOT NULL,\n{keys}\n)");
            assert_eq!(Table::made_by(&text), Some(Table { name: "t", is_of_tenants }), "{keys}");
        }
        assert_eq!(Table::made_by("CREATE INDEX a ON b (c)"), None);
        assert_eq!(Table::made_by("INSERT INTO a VALUES ('CREATE TABLE b (')"), None);
        for of_all in [
            "CREATE TABLE tenants (\n    PRIMARY KEY (tenant_id)\n)",
            "CREATE TABLE key_tenants (\n    PRIMARY KEY (key_id, tenant_id)\n)",
        ] {
            assert!(!Table::made_by(of_all).unwrap().is_of_tenants, "{of_all}");
        }
    }

    #[test]
    fn only_tenants_tables_are_divided() {
        assert_eq!(Layout::Plain.apply(PAGES), [PAGES]);
        assert_eq!(
            Layout::Partitioned(2).apply(PAGES),
            [
                &format!("{PAGES} PARTITION BY HASH (tenant_id)"),
                "CREATE TABLE pages_p0 PARTITION OF pages FOR VALUES WITH (MODULUS 2, REMAINDER 0)",
                "CREATE TABLE pages_p1 PARTITION OF pages FOR VALUES WITH (MODULUS 2, REMAINDER 1)",
            ]
        );
        let shared = "CREATE TABLE keys (\n    PRIMARY KEY (key_id)\n)";
        assert_eq!(Layout::Partitioned(2).apply(shared), [shared]);
        let distribution = |text| Table::made_by(text).unwrap().distribution().unwrap();
        assert!(
            distribution(PAGES)
                .starts_with("SELECT create_distributed_table('pages', 'tenant_id') WHERE NOT EXISTS")
        );
        assert!(distribution(shared).starts_with("SELECT create_reference_table('keys') WHERE NOT EXISTS"));
        let checked = "CREATE TABLE health_checks (\n    PRIMARY KEY (slot)\n)";
        assert_eq!(Table::made_by(checked).unwrap().distribution(), None);
    }
}

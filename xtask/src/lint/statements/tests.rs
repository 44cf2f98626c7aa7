//! Each rule shown where it finds something and where it finds nothing.

use super::*;

fn found(text: &str, is_declared: bool) -> Vec<String> {
    let owned = ["pages", "audiences"].map(str::to_owned).into();
    let tables = "CREATE TABLE pages (tenant_id TEXT, page_id TEXT, slug TEXT, a TEXT);
        CREATE TABLE keys (tenant_id TEXT, key_id TEXT, name TEXT);";
    let columns = columns(tables).unwrap();
    let declared = if is_declared { ["a.rs:1".to_owned()].into() } else { BTreeSet::new() };
    let executed = [Executed { locations: vec!["a.rs:1"], text }];
    findings(&executed, &declared, &Schema { owned, columns }).into_iter().collect()
}

#[test]
fn each_table_has_its_own_tenant() {
    for (text, tables) in [
        ("SELECT a FROM pages WHERE tenant_id = $1 AND page_id = $2", vec![]),
        ("SELECT a FROM pages WHERE page_id = $2", vec!["pages"]),
        ("SELECT a FROM pages WHERE tenant_id = $1 OR page_id = $2", vec!["pages"]),
        (
            "SELECT a FROM pages p JOIN audiences a ON a.tenant_id = p.tenant_id WHERE p.tenant_id = $1",
            vec!["a"],
        ),
        (
            "SELECT a FROM pages p LEFT JOIN audiences a ON a.tenant_id = $1 AND a.id = p.id WHERE p.tenant_id = $1",
            vec![],
        ),
        (
            "SELECT a FROM pages p WHERE p.tenant_id = $1 AND EXISTS (SELECT 1 FROM audiences a WHERE a.page_id = p.page_id)",
            vec!["a"],
        ),
        ("SELECT a FROM keys WHERE key_id = $1", vec![]),
        (
            "UPDATE pages SET a = (SELECT b FROM audiences WHERE id = $2) WHERE tenant_id = $1",
            vec!["audiences"],
        ),
        ("UPDATE pages SET a = 1 FROM keys WHERE tenant_id = $1", vec!["pages"]),
        ("UPDATE pages SET a = 1 FROM keys WHERE pages.tenant_id = $1", vec![]),
        ("DELETE FROM pages WHERE page_id = $1", vec!["pages"]),
        (
            "WITH c AS (DELETE FROM pages WHERE page_id = $1) UPDATE audiences SET a = 1 WHERE tenant_id = $1",
            vec!["pages"],
        ),
        ("SELECT a FROM keys k JOIN (pages p JOIN audiences a ON a.id = p.id) ON TRUE", vec!["a", "p"]),
        ("SELECT a FROM (pages p JOIN audiences a ON a.tenant_id = $1) WHERE p.tenant_id = $1", vec![]),
        ("SELECT a FROM ((pages p JOIN keys ON TRUE)) WHERE p.page_id = $1", vec!["p"]),
        ("SELECT a FROM (pages JOIN keys ON TRUE) WHERE tenant_id = $1", vec!["pages"]),
        // What a row on the left is joined with does not say which rows there are.
        ("SELECT a FROM pages p LEFT JOIN audiences a ON a.tenant_id = $1 AND p.tenant_id = $1", vec!["p"]),
    ] {
        let expected: Vec<String> = tables
            .iter()
            .map(|table| format!("a.rs:1: `{table}` has no condition `tenant_id = $n`"))
            .collect();
        assert_eq!(found(text, false), expected, "{text}");
    }
}

#[test]
fn what_is_returned_has_its_own_tenant() {
    for change in [
        "UPDATE pages SET a = 1 WHERE tenant_id = $1",
        "DELETE FROM pages WHERE tenant_id = $1",
        "INSERT INTO pages (tenant_id) VALUES ($1)",
    ] {
        for (condition, is_well) in [("a.tenant_id = $1", true), ("a.page_id = pages.page_id", false)] {
            let text = format!("{change} RETURNING (SELECT b FROM audiences a WHERE {condition})");
            assert_eq!(found(&text, false).is_empty(), is_well, "{text}: {:?}", found(&text, false));
        }
    }
}

#[test]
fn new_rows_have_their_tenant_as_a_parameter() {
    for (text, is_well) in [
        ("INSERT INTO pages (page_id, tenant_id) VALUES ($1, $2), ($3, $2)", true),
        ("INSERT INTO pages (page_id, tenant_id) SELECT page_id, $1 FROM keys", true),
        (
            "INSERT INTO pages (page_id, tenant_id) SELECT page_id, tenant_id FROM audiences WHERE tenant_id = $1",
            true,
        ),
        ("INSERT INTO pages (tenant_id) SELECT CAST($1 AS TEXT)", true),
        (
            "INSERT INTO pages (tenant_id, slug) VALUES ($1, $2) ON CONFLICT (tenant_id, slug) WHERE slug IS NOT NULL DO NOTHING",
            true,
        ),
        ("INSERT INTO pages (page_id, tenant_id) VALUES ($1, 'x')", false),
        ("INSERT INTO pages (page_id) VALUES ($1)", false),
        ("INSERT INTO keys (key_id) VALUES ($1)", true),
    ] {
        assert_eq!(found(text, false).is_empty(), is_well, "{text}: {:?}", found(text, false));
    }
}

#[test]
fn statements_across_tenants_are_plain_reads() {
    for (text, reason) in [
        ("SELECT tenant_id FROM pages ORDER BY tenant_id LIMIT $1", None),
        ("SELECT tenant_id FROM pages LIMIT $1 FOR UPDATE SKIP LOCKED", Some("locks rows across tenants")),
        (
            "WITH RECURSIVE c (n) AS (SELECT tenant_id FROM pages UNION ALL SELECT n FROM c) SELECT n FROM c",
            Some("is recursive across tenants"),
        ),
        (
            "SELECT a FROM pages p WHERE EXISTS (SELECT 1 FROM keys k WHERE k.tenant_id = p.tenant_id)",
            Some("is correlated across tenants, by `p.tenant_id`"),
        ),
        // A column without a table's name is of a table outside if none inside has it.
        (
            "SELECT page_id FROM pages WHERE EXISTS (SELECT 1 FROM keys WHERE key_id = slug)",
            Some("is correlated across tenants, by `slug`"),
        ),
        ("SELECT page_id FROM pages WHERE EXISTS (SELECT 1 FROM keys WHERE key_id = name)", None),
        (
            "WITH c AS (SELECT slug FROM pages) SELECT 1 FROM c WHERE EXISTS (SELECT 1 FROM keys WHERE key_id = slug)",
            Some("is correlated across tenants, by `slug`"),
        ),
        (
            "SELECT 1 FROM pages WHERE EXISTS (SELECT 1 FROM (SELECT key_id FROM keys) k WHERE key_id = slug)",
            Some("is correlated across tenants, by `slug`"),
        ),
        ("SELECT 1 FROM pages p WHERE a IN (SELECT total FROM (SELECT COUNT(*) AS total FROM keys) k)", None),
        (
            "INSERT INTO pages (page_id) VALUES ($1) RETURNING (SELECT name FROM keys WHERE key_id = slug)",
            Some("is correlated across tenants, by `slug`"),
        ),
        ("UPDATE pages SET a = 1 WHERE a <= $1", Some("changes rows across tenants")),
        ("DELETE FROM pages WHERE a <= $1", Some("changes rows across tenants")),
        ("DELETE FROM keys WHERE a <= $1 AND b IN (SELECT tenant_id FROM pages)", None),
        (
            "SELECT a FROM pages WHERE tenant_id = $1",
            Some("stays within a tenant: `across tenants` is not true"),
        ),
    ] {
        let expected: Vec<String> = reason.iter().map(|reason| format!("a.rs:1: {reason}")).collect();
        assert_eq!(found(text, true), expected, "{text}");
    }
}

#[test]
fn no_insert_of_what_is_selected_ends_a_chain() {
    let insert = "INSERT INTO pages (tenant_id) SELECT $1";
    let update = "UPDATE pages SET a = 1 WHERE tenant_id = $1";
    assert_eq!(found(&format!("WITH a AS ({insert}) {update}"), false), [""; 0]);
    let expected = ["a.rs:1: ends a chain of changes with INSERT … SELECT"];
    assert_eq!(found(&format!("WITH a AS ({update}) {insert}"), false), expected);
}

#[test]
fn what_cannot_be_read_is_a_finding() {
    assert_eq!(found("SELEC a", false).len(), 1);
    assert!(read("no tab").is_none());
}

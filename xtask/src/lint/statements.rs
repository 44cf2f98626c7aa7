//! What statements may do where tenants lie on different nodes, proven on those that a test run executed.
//!
//! The store appends each statement as it was put together (`PAGESMITH_SQL_COVERAGE` with `.statements`). Since every literal ran
//! ([`coverage`]), these are all there are. The rules:
//!
//! - Each tenant's table of a statement has a condition `tenant_id = $n` of its own, so that one node answers it.
//! - A statement that is declared to go `across tenants` locks no rows and has neither recursion nor correlation, and could not do
//!   without the declaration.
//! - No `INSERT … SELECT` ends a chain of changes.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;

use sqlparser::ast::{
    BinaryOperator, Delete, Expr, FromTable, Insert, JoinConstraint, JoinOperator, Query, Select, SelectItem,
    SetExpr, Statement, TableFactor, TableObject, TableWithJoins, Update, UpdateTableFromKind, Value, Visit,
    Visitor,
};
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::parser::Parser;

use super::coverage;
use super::sql::Literal;
use crate::shell::{self, Outcome};

/// A statement that ran: where its literals stand, and its text.
struct Executed<'a> {
    locations: Vec<&'a str>,
    text: &'a str,
}

/// Checks the statements in a record.
pub fn run(record: &Path) -> Outcome {
    let sources = super::sources()?;
    let across = |literal: &Literal| literal.remark("across tenants:").is_some();
    let literals = coverage::all_literals(&sources)?;
    let declared = literals.iter().filter(|(_, literal)| across(literal));
    let declared = declared.map(|(source, literal)| format!("{}:{}", source.path, literal.line)).collect();
    let text = shell::read(record)?;
    let executed: Vec<Executed<'_>> = text.lines().filter_map(read).collect();
    let findings = findings(&executed, &declared, &super::owned_tables(&sources));
    for finding in &findings {
        shell::say(finding);
    }
    if findings.is_empty() && !executed.is_empty() {
        shell::say(format!(
            "statements: {} different ones, each within one tenant or declared",
            executed.len()
        ));
        return Ok(());
    }
    Err(format!("statements: {} findings in {} statements", findings.len(), executed.len()))
}

fn read(line: &str) -> Option<Executed<'_>> {
    let (locations, text) = line.split_once('\t')?;
    Some(Executed { locations: locations.split(' ').collect(), text })
}

fn findings(
    executed: &[Executed<'_>],
    declared: &BTreeSet<String>,
    owned: &BTreeSet<String>,
) -> BTreeSet<String> {
    let mut findings = BTreeSet::new();
    // Whether a declared literal is needed by one of its statements.
    let mut needed: BTreeMap<&str, bool> = BTreeMap::new();
    for statement in executed {
        let place = statement.locations.first().copied().unwrap_or_default();
        let mut check = Check::new(owned);
        match Parser::parse_sql(&PostgreSqlDialect {}, &without_index_conditions(statement.text)) {
            Ok(parsed) => drop(parsed.visit(&mut check)),
            Err(error) => {
                findings.insert(format!("{place}: {error} in {}", statement.text));
                continue;
            }
        }
        let of_declaration: Vec<&str> =
            statement.locations.iter().filter(|place| declared.contains(**place)).copied().collect();
        for place in &of_declaration {
            *needed.entry(place).or_default() |= !check.without_tenant.is_empty();
        }
        let reasons = if of_declaration.is_empty() { &check.without_tenant } else { &check.not_across };
        findings.extend(reasons.iter().chain(&check.chains).map(|reason| format!("{place}: {reason}")));
    }
    let idle = needed.into_iter().filter(|(_, is_needed)| !is_needed);
    findings.extend(
        idle.map(|(place, _)| format!("{place}: stays within a tenant: `across tenants` is not true")),
    );
    findings
}

/// What is wrong with a statement.
struct Check<'a> {
    owned: &'a BTreeSet<String>,
    /// The names by which each open `SELECT`, `UPDATE` or `DELETE` calls its tables, the innermost last.
    scopes: Vec<Vec<String>>,
    /// Tables without a tenant.
    without_tenant: BTreeSet<String>,
    /// What a statement across tenants may not have.
    not_across: BTreeSet<String>,
    /// Chains that end wrongly.
    chains: BTreeSet<String>,
}

impl<'a> Check<'a> {
    fn new(owned: &'a BTreeSet<String>) -> Check<'a> {
        let [without_tenant, not_across, chains] = [const { BTreeSet::new() }; 3];
        Check { owned, scopes: vec![], without_tenant, not_across, chains }
    }

    /// Checks what a part of a statement reads or changes.
    fn part(&mut self, tables: &[&TableWithJoins], selection: Option<&Expr>) {
        let (mut names, mut conditions) = (Vec::new(), Vec::new());
        for table in tables {
            names.extend(name(&table.relation));
            for join in &table.joins {
                names.extend(name(&join.relation));
                conditions.extend(on(&join.join_operator));
            }
        }
        conditions.extend(selection);
        let bound: Vec<Option<String>> = conditions.into_iter().flat_map(bound_tenants).collect();
        let is_only = names.len() == 1;
        for (table, alias) in &names {
            let is_bound = |bound: &Option<String>| match bound {
                Some(qualifier) => qualifier == alias,
                None => is_only,
            };
            if self.owned.contains(table) && !bound.iter().any(is_bound) {
                self.without_tenant.insert(format!("`{alias}` has no condition `tenant_id = $n`"));
            }
        }
        self.scopes.push(names.into_iter().map(|(_, alias)| alias).collect());
    }

    /// Checks a change: on a cluster one of several tenants' rows is a commit of several nodes.
    fn change(&mut self, tables: &[&TableWithJoins], selection: Option<&Expr>) {
        let known = self.without_tenant.len();
        self.part(tables, selection);
        if self.without_tenant.len() > known {
            self.not_across.insert("changes rows across tenants".to_owned());
        }
    }

    fn insert(&mut self, insert: &Insert) {
        let TableObject::TableName(table) = &insert.table else { return };
        if !self.owned.contains(&table.to_string()) {
            return;
        }
        let at = insert.columns.iter().position(|column| column.to_string() == "tenant_id");
        let value = |at: usize, source: &SetExpr| match source {
            SetExpr::Values(values) => values.rows.iter().all(|row| row.get(at).is_some_and(is_parameter)),
            SetExpr::Select(select) => select.projection.get(at).is_some_and(|item| match item {
                SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
                    is_parameter(expr) || is_tenant(expr).is_some()
                }
                _ => false,
            }),
            _ => false,
        };
        let is_bound = at.zip(insert.source.as_ref()).is_some_and(|(at, source)| value(at, &source.body));
        if !is_bound {
            self.without_tenant.insert(format!("`{table}` gets rows without `tenant_id` as a parameter"));
        }
    }
}

impl Visitor for Check<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        if !query.locks.is_empty() {
            self.not_across.insert("locks rows across tenants".to_owned());
        }
        let Some(with) = &query.with else { return ControlFlow::Continue(()) };
        if with.recursive {
            self.not_across.insert("is recursive across tenants".to_owned());
        }
        let changes = |query: &Query| {
            matches!(*query.body, SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_))
        };
        if with.cte_tables.iter().any(|table| changes(&table.query))
            && let SetExpr::Insert(Statement::Insert(last)) = &*query.body
            && last.source.as_ref().is_some_and(|source| matches!(*source.body, SetExpr::Select(_)))
        {
            self.chains.insert("ends a chain of changes with INSERT … SELECT".to_owned());
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        self.part(&select.from.iter().collect::<Vec<_>>(), select.selection.as_ref());
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, _: &Select) -> ControlFlow<()> {
        self.scopes.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_statement(&mut self, statement: &Statement) -> ControlFlow<()> {
        match statement {
            Statement::Update(Update { table, from, selection, .. }) => {
                let mut tables = vec![table];
                if let Some(UpdateTableFromKind::AfterSet(more) | UpdateTableFromKind::BeforeSet(more)) = from
                {
                    tables.extend(more);
                }
                self.change(&tables, selection.as_ref());
            }
            Statement::Delete(Delete { from, using, selection, .. }) => {
                let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) = from;
                let tables: Vec<_> = from.iter().chain(using.iter().flatten()).collect();
                self.change(&tables, selection.as_ref());
            }
            Statement::Insert(insert) => {
                self.insert(insert);
                self.scopes.push(vec![]);
            }
            _ => self.scopes.push(vec![]),
        }
        ControlFlow::Continue(())
    }

    fn post_visit_statement(&mut self, _: &Statement) -> ControlFlow<()> {
        self.scopes.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::CompoundIdentifier(parts) = expr
            && let [table, _] = parts.as_slice()
            && let Some((inner, outer)) = self.scopes.split_last()
            && !inner.contains(&table.value)
            && outer.iter().flatten().any(|name| *name == table.value)
        {
            self.not_across.insert(format!("is correlated across tenants, by `{expr}`"));
        }
        ControlFlow::Continue(())
    }
}

/// The name of a table and what the statement calls it.
fn name(factor: &TableFactor) -> Option<(String, String)> {
    match factor {
        TableFactor::Table { name, alias, .. } => {
            let name = name.to_string();
            let alias = alias.as_ref().map_or_else(|| name.clone(), |alias| alias.name.value.clone());
            Some((name, alias))
        }
        TableFactor::Derived { alias, .. } => {
            let alias = alias.as_ref().map_or_else(String::new, |alias| alias.name.value.clone());
            Some((String::new(), alias))
        }
        _ => None,
    }
}

fn on(operator: &JoinOperator) -> Option<&Expr> {
    match operator {
        JoinOperator::Join(JoinConstraint::On(on))
        | JoinOperator::Inner(JoinConstraint::On(on))
        | JoinOperator::Left(JoinConstraint::On(on))
        | JoinOperator::LeftOuter(JoinConstraint::On(on)) => Some(on),
        _ => None,
    }
}

/// For each condition `tenant_id = $n` that always has to hold: what `tenant_id` is qualified with.
fn bound_tenants(condition: &Expr) -> Vec<Option<String>> {
    match condition {
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
            [bound_tenants(left), bound_tenants(right)].concat()
        }
        Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => {
            let pairs = [(left, right), (right, left)];
            pairs
                .into_iter()
                .filter(|(_, value)| is_parameter(value))
                .filter_map(|(tenant, _)| is_tenant(tenant))
                .collect()
        }
        Expr::Nested(inner) => bound_tenants(inner),
        _ => vec![],
    }
}

/// If this is `tenant_id`: what it is qualified with.
fn is_tenant(expr: &Expr) -> Option<Option<String>> {
    match expr {
        Expr::Identifier(name) if name.value == "tenant_id" => Some(None),
        Expr::CompoundIdentifier(parts) => match parts.as_slice() {
            [table, name] if name.value == "tenant_id" => Some(Some(table.value.clone())),
            _ => None,
        },
        _ => None,
    }
}

fn is_parameter(expr: &Expr) -> bool {
    match expr {
        Expr::Value(value) => matches!(&value.value, Value::Placeholder(_)),
        Expr::Cast { expr, .. } => is_parameter(expr),
        _ => false,
    }
}

/// The text without the conditions of partial indexes behind `ON CONFLICT (…)`, which the parser does not know.
fn without_index_conditions(text: &str) -> String {
    let mut parts = text.split("ON CONFLICT (");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str("ON CONFLICT (");
        let columns = part.find(')').map_or(part.len(), |at| at + 1);
        let (columns, rest) = part.split_at(columns);
        out.push_str(columns);
        let condition = rest.trim_start().starts_with("WHERE");
        out.push_str(rest.find(" DO ").filter(|_| condition).map_or(rest, |at| &rest[at..]));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, is_declared: bool) -> Vec<String> {
        let owned = ["pages", "audiences"].map(str::to_owned).into();
        let declared = if is_declared { ["a.rs:1".to_owned()].into() } else { BTreeSet::new() };
        let executed = [Executed { locations: vec!["a.rs:1"], text }];
        findings(&executed, &declared, &owned).into_iter().collect()
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
        ] {
            let expected: Vec<String> = tables
                .iter()
                .map(|table| format!("a.rs:1: `{table}` has no condition `tenant_id = $n`"))
                .collect();
            assert_eq!(found(text, false), expected, "{text}");
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
            (
                "SELECT tenant_id FROM pages LIMIT $1 FOR UPDATE SKIP LOCKED",
                Some("locks rows across tenants"),
            ),
            (
                "WITH RECURSIVE c (n) AS (SELECT tenant_id FROM pages UNION ALL SELECT n FROM c) SELECT n FROM c",
                Some("is recursive across tenants"),
            ),
            (
                "SELECT a FROM pages p WHERE EXISTS (SELECT 1 FROM keys k WHERE k.tenant_id = p.tenant_id)",
                Some("is correlated across tenants, by `p.tenant_id`"),
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
}

//! What statements may do where tenants lie on different nodes, proven on those that a test run executed.
//!
//! The store appends each statement as it was put together (`PAGESMITH_SQL_COVERAGE` with `.statements`). Since every literal ran
//! ([`coverage`]), these are all there are. The rules:
//!
//! - Each tenant's table of a statement has a condition `tenant_id = $n` of its own, so that one node answers it.
//! - A statement that is declared to go `across tenants` locks no rows and has neither recursion nor correlation, and could not do
//!   without the declaration. Whose a column without a table's name is says the schema.
//! - No `INSERT … SELECT` ends a chain of changes.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;

use sqlparser::ast::{
    BinaryOperator, Delete, Expr, FromTable, Ident, Insert, JoinConstraint, JoinOperator, Query, Select,
    SelectItem, SetExpr, Statement, TableFactor, TableObject, TableWithJoins, Update, UpdateTableFromKind,
    Value, Visit, Visitor,
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

/// What is known of tables.
struct Schema {
    /// Those that hold tenants' rows.
    owned: BTreeSet<String>,
    /// The columns of each.
    columns: BTreeMap<String, BTreeSet<String>>,
}

/// A table as a statement has it.
struct Table {
    name: String,
    alias: String,
    /// None where they are not known.
    columns: Option<BTreeSet<String>>,
}

impl Table {
    fn has(&self, column: &str) -> bool {
        self.columns.as_ref().is_some_and(|columns| columns.contains(column))
    }
}

/// Checks the statements in a record.
pub fn run(record: &Path) -> Outcome {
    let sources = super::sources()?;
    let across = |literal: &Literal| literal.remark("across tenants:").is_some();
    let literals = coverage::all_literals(&sources)?;
    let declared = literals.iter().filter(|(_, literal)| across(literal));
    let declared = declared.map(|(source, literal)| format!("{}:{}", source.path, literal.line)).collect();
    let tables = sources.iter().find(|source| source.path == "migrations/schema.sql");
    let columns = columns(&tables.ok_or("migrations/schema.sql is not there")?.text)?;
    let schema = Schema { owned: super::owned_tables(&sources), columns };
    let text = shell::read(record)?;
    let executed: Vec<Executed<'_>> = text.lines().filter_map(read).collect();
    let findings = findings(&executed, &declared, &schema);
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

/// The columns of the tables in this text.
fn columns(schema: &str) -> Outcome<BTreeMap<String, BTreeSet<String>>> {
    let statements = Parser::parse_sql(&PostgreSqlDialect {}, schema).map_err(|error| error.to_string())?;
    let tables = statements.into_iter().filter_map(|statement| match statement {
        Statement::CreateTable(table) => Some(table),
        _ => None,
    });
    Ok(tables
        .map(|table| {
            let columns = table.columns.into_iter().map(|column| column.name.value);
            (table.name.to_string(), columns.collect())
        })
        .collect())
}

fn findings(executed: &[Executed<'_>], declared: &BTreeSet<String>, schema: &Schema) -> BTreeSet<String> {
    let mut findings = BTreeSet::new();
    // Whether a declared literal is needed by one of its statements.
    let mut needed: BTreeMap<&str, bool> = BTreeMap::new();
    for statement in executed {
        let place = statement.locations.first().copied().unwrap_or_default();
        let mut check = Check::new(schema);
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
    schema: &'a Schema,
    /// The tables of each open `SELECT` and change, the innermost last.
    scopes: Vec<Vec<Table>>,
    /// Tables without a tenant.
    without_tenant: BTreeSet<String>,
    /// What a statement across tenants may not have.
    not_across: BTreeSet<String>,
    /// Chains that end wrongly.
    chains: BTreeSet<String>,
}

impl<'a> Check<'a> {
    fn new(schema: &'a Schema) -> Check<'a> {
        let [without_tenant, not_across, chains] = [const { BTreeSet::new() }; 3];
        Check { schema, scopes: vec![], without_tenant, not_across, chains }
    }

    /// Checks what a part of a statement reads or changes.
    fn part(&mut self, parts: &[&TableWithJoins], selection: Option<&Expr>) {
        let (mut tables, mut bound) = (Vec::new(), selection.map_or_else(Vec::new, bound_tenants));
        for part in parts {
            self.joined(part, &mut tables, &mut bound);
        }
        let is_only = tables.len() == 1;
        for Table { name, alias, .. } in &tables {
            let is_bound = |bound: &Option<String>| match bound {
                Some(qualifier) => qualifier == alias,
                None => is_only,
            };
            if self.schema.owned.contains(name) && !bound.iter().any(is_bound) {
                self.without_tenant.insert(format!("`{alias}` has no condition `tenant_id = $n`"));
            }
        }
        self.scopes.push(tables);
    }

    /// Adds the tables of a join, and what `tenant_id` is qualified with in its conditions.
    fn joined(&self, part: &TableWithJoins, tables: &mut Vec<Table>, bound: &mut Vec<Option<String>>) {
        self.factor(&part.relation, tables, bound);
        for join in &part.joins {
            let right = tables.len();
            self.factor(&join.relation, tables, bound);
            let is_right = |bound: &Option<String>| {
                tables[right..].iter().any(|table| Some(&table.alias) == bound.as_ref())
            };
            match &join.join_operator {
                JoinOperator::Join(JoinConstraint::On(on)) | JoinOperator::Inner(JoinConstraint::On(on)) => {
                    bound.extend(bound_tenants(on));
                }
                // All rows on the left stay, whatever is said of them here.
                JoinOperator::Left(JoinConstraint::On(on))
                | JoinOperator::LeftOuter(JoinConstraint::On(on)) => {
                    bound.extend(bound_tenants(on).into_iter().filter(is_right));
                }
                _ => {}
            }
        }
    }

    fn factor(&self, factor: &TableFactor, tables: &mut Vec<Table>, bound: &mut Vec<Option<String>>) {
        match factor {
            TableFactor::Table { name, alias, .. } => {
                tables.push(self.table(name.to_string(), alias.as_ref().map(|alias| &alias.name)));
            }
            TableFactor::Derived { alias, subquery, .. } => {
                let alias = alias.as_ref().map_or_else(String::new, |alias| alias.name.value.clone());
                tables.push(Table { name: String::new(), alias, columns: answered(subquery) });
            }
            TableFactor::NestedJoin { table_with_joins, .. } => self.joined(table_with_joins, tables, bound),
            _ => {}
        }
    }

    fn table(&self, name: String, alias: Option<&Ident>) -> Table {
        let alias = alias.map_or_else(|| name.clone(), |alias| alias.value.clone());
        let columns = self.schema.columns.get(&name).cloned();
        Table { name, alias, columns }
    }

    /// Whether a column without a table's name is that of a table outside, as far as columns are known.
    fn is_outside(&self, column: &str) -> bool {
        let Some((inner, outer)) = self.scopes.split_last() else { return false };
        let all_known = inner.iter().all(|table| table.columns.is_some());
        let is_of = |table: &Table| table.has(column) || (all_known && table.columns.is_none());
        !inner.iter().any(|table| table.has(column)) && outer.iter().flatten().any(is_of)
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
        if !self.schema.owned.contains(&table.to_string()) {
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
                let TableObject::TableName(name) = &insert.table else { return ControlFlow::Continue(()) };
                let alias = insert.table_alias.as_ref().map(|alias| &alias.alias);
                self.scopes.push(vec![self.table(name.to_string(), alias)]);
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
        let is_correlated = match (expr, self.scopes.split_last()) {
            (Expr::CompoundIdentifier(parts), Some((inner, outer))) => {
                let is_of = |table: &Table| parts.len() == 2 && table.alias == parts[0].value;
                !inner.iter().any(is_of) && outer.iter().flatten().any(is_of)
            }
            (Expr::Identifier(column), _) => self.is_outside(&column.value),
            _ => false,
        };
        if is_correlated {
            self.not_across.insert(format!("is correlated across tenants, by `{expr}`"));
        }
        ControlFlow::Continue(())
    }
}

/// The columns of what a query answers; none where one of them has no name here.
fn answered(query: &Query) -> Option<BTreeSet<String>> {
    let SetExpr::Select(select) = &*query.body else { return None };
    let name = |item: &SelectItem| match item {
        SelectItem::UnnamedExpr(Expr::Identifier(name)) => Some(name.value.clone()),
        SelectItem::UnnamedExpr(Expr::CompoundIdentifier(parts)) => Some(parts.last()?.value.clone()),
        SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.clone()),
        _ => None,
    };
    select.projection.iter().map(name).collect()
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
mod tests;

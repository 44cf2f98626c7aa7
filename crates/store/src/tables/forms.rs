//! `forms`: the forms of all tenants, deleted ones included.

use pagesmith_model::form::Form;
use pagesmith_model::json::JsonText;
use pagesmith_model::{FormId, Result, TenantId};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::{Query, Sql};
use crate::tables::{counters, listed};
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

pub mod enrichments;
pub mod hooks;
pub mod submission_files;
pub mod submissions;

/// `SELECT` and the columns of a form.
const FORM: Sql = sql!("SELECT form_id, name, content, revision, created_at, updated_at, deleted_at");

fn form(row: &Row) -> Result<Form> {
    let content: JsonText = row.take("content")?;
    Ok(Form {
        form_id: row.take("form_id")?,
        name: row.take("name")?,
        content: content.read()?,
        revision: row.take("revision")?,
        created_at: row.take("created_at")?,
        updated_at: row.take("updated_at")?,
        deleted_at: row.take("deleted_at")?,
    })
}

/// Adds a form.
pub fn insert(tenant: &TenantId, form: &Form) -> Result<Query> {
    Ok(sql!(
        "INSERT INTO forms (tenant_id, form_id, name, content, revision, created_at, updated_at, deleted_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
    )
    .with(values![
        tenant,
        &form.form_id,
        &form.name,
        &JsonText::of(&form.content)?,
        form.revision,
        form.created_at,
        form.updated_at,
        form.deleted_at,
    ]))
}

/// The form of this id, whatever text that is, deleted or not.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, id: &str) -> Result<Option<Form>> {
    let select =
        FORM.with(vec![]).and(sql!("FROM forms WHERE tenant_id = $1 AND form_id = $2"), values![tenant, id]);
    tx.maybe(select)?.as_ref().map(form).transpose()
}

/// Those of the forms with these ids, whatever texts those are, that are there and not deleted.
pub fn find_many(tx: &mut Tx<'_>, tenant: &TenantId, ids: &[&str]) -> Result<Vec<Form>> {
    if ids.is_empty() {
        return Ok(vec![]);
    }
    let select = FORM.with(vec![]).and(
        sql!("FROM forms WHERE tenant_id = $1 AND deleted_at IS NULL AND form_id IN ("),
        values![tenant],
    );
    let select = listed(select, ids.iter().map(|id| Value::from(*id)));
    tx.all(select.and(sql!(")"), vec![]))?.iter().map(form).collect()
}

/// How many forms a tenant has; with `deleted`, also those that are.
pub fn count(tx: &mut Tx<'_>, tenant: &TenantId, deleted: bool) -> Result<u64> {
    let mut select = sql!("SELECT COUNT(*) AS total FROM forms WHERE tenant_id = $1").with(values![tenant]);
    if !deleted {
        select = select.and(sql!("AND deleted_at IS NULL"), vec![]);
    }
    counters::total(&tx.all(select)?)
}

/// The forms after one that are not deleted, newest first; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    after: Option<&FormId>,
    extent: Extent,
) -> Result<(ListPart<Form>, u64)> {
    let mut select = FORM
        .with(vec![])
        .and(sql!("FROM forms WHERE tenant_id = $1 AND deleted_at IS NULL"), values![tenant]);
    if let Some(form_id) = after {
        select = select.and(sql!("AND form_id < $1"), values![form_id]);
    }
    select = select.and(sql!("ORDER BY form_id DESC LIMIT $1"), values![extent.rows()]);
    let rows = tx.all(select.within(extent.bytes))?;
    Ok((ListPart::read(&rows, extent, form)?, count(tx, tenant, false)?))
}

/// Replaces what may change of a form.
pub fn update(tenant: &TenantId, form: &Form) -> Result<Query> {
    Ok(sql!(
        "UPDATE forms SET name = $3, content = $4, revision = $5, updated_at = $6, deleted_at = $7
         WHERE tenant_id = $1 AND form_id = $2"
    )
    .with(values![
        tenant,
        &form.form_id,
        &form.name,
        &JsonText::of(&form.content)?,
        form.revision,
        form.updated_at,
        form.deleted_at,
    ]))
}

//! Forms: created, changed, deleted and restored. What is sent with them is for [`submit`] and [`submissions`].
//!
//! Pages draw the forms that their actions name, so that whatever changes how a form looks raises the revision of the tenant's site.

use pagesmith_model::form::{Form, FormPatch, MOST_FORMS, NewForm};
use pagesmith_model::{Error, FormId, Kind, Result, Timestamp};
use pagesmith_store::Tx;
use pagesmith_store::tables::forms;
use pagesmith_store::tables::site;
use serde_json::json;

use crate::context::TenantContext;
use crate::precondition::Precondition;
use crate::soft_deletion::{self, SoftDelete};

pub mod enrichment;
pub mod hooks;
pub mod submissions;
pub mod submit;
pub mod tokens;

impl SoftDelete for Form {
    const NOUN: &'static str = FormId::NOUN;

    fn deleted_at(&mut self) -> &mut Option<Timestamp> {
        &mut self.deleted_at
    }
}

/// Creates a form.
pub fn create(tx: &mut Tx<'_>, ctx: &TenantContext, new: &NewForm) -> Result<Form> {
    let (name, content) = new.clone().content().map_err(Error::invalid)?;
    if forms::count(tx, &ctx.tenant, true)? >= MOST_FORMS {
        let detail = format!("A tenant may have at most {MOST_FORMS} forms, deleted ones included.");
        return Err(Error::new(Kind::Conflict(Some(json!({ "limit": MOST_FORMS }))), detail));
    }
    let form = Form {
        form_id: FormId::mint(ctx.uuid()?),
        name,
        content,
        revision: 1,
        created_at: ctx.now,
        updated_at: ctx.now,
        deleted_at: None,
    };
    tx.run(forms::insert(&ctx.tenant, &form)?)?;
    Ok(form)
}

/// The form, unless it is deleted.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext, form_id: &FormId) -> Result<Form> {
    soft_deletion::present(forms::find(tx, &ctx.tenant, form_id.as_str())?)
}

/// The form, deleted or not.
pub fn find_any(tx: &mut Tx<'_>, ctx: &TenantContext, form_id: &FormId) -> Result<Form> {
    soft_deletion::any(forms::find(tx, &ctx.tenant, form_id.as_str())?)
}

/// Changes the given fields. Pages with the form show it at once.
pub fn update(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    form_id: &FormId,
    patch: &FormPatch,
    precondition: &Precondition<Form>,
) -> Result<Form> {
    let before = find(tx, ctx, form_id)?;
    precondition.check(&before)?;
    let form = patch.applied(&before, ctx.now).map_err(Error::invalid)?;
    if form != before {
        store(tx, ctx, &form)?;
    }
    Ok(form)
}

/// Deletes a form; again changes nothing. Pages that name it show a plain contact form.
pub fn delete(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    form_id: &FormId,
    precondition: &Precondition<Form>,
) -> Result<()> {
    let found = forms::find(tx, &ctx.tenant, form_id.as_str())?;
    match soft_deletion::delete(found, ctx.now, precondition)? {
        Some(form) => store(tx, ctx, &form),
        None => Ok(()),
    }
}

/// Restores a deleted form; one that is not deleted stays as it is.
pub fn restore(tx: &mut Tx<'_>, ctx: &TenantContext, form_id: &FormId) -> Result<()> {
    match soft_deletion::restore(forms::find(tx, &ctx.tenant, form_id.as_str())?)? {
        Some(form) => store(tx, ctx, &form),
        None => Ok(()),
    }
}

fn store(tx: &mut Tx<'_>, ctx: &TenantContext, form: &Form) -> Result<()> {
    tx.change(vec![forms::update(&ctx.tenant, form)?, site::touch(&ctx.tenant, ctx.now)])
}

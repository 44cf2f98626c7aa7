//! Whether pages take questions: as the site says, unless it is set for a page.
//!
//! Pages show the field, so that every change raises the revision of the tenant's site.

use pagesmith_model::question::{PageQuestionSettings, QuestionSettings};
use pagesmith_model::{Error, Issue, PageId, Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::pages;
use pagesmith_store::tables::questions::settings as table;
use pagesmith_store::tables::site;

use crate::context::TenantContext;
use crate::pages::present;
use crate::precondition::Precondition;

/// What holds for a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effective {
    /// What the tenant has decided.
    pub site: QuestionSettings,
    /// What is set for the page.
    pub page: PageQuestionSettings,
}

impl Effective {
    /// Whether the page has the field.
    pub fn is_shown(&self) -> bool {
        self.page.is_shown.unwrap_or(self.site.is_shown)
    }
}

/// What a tenant has decided.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<QuestionSettings> {
    table::find(tx, &ctx.tenant)
}

/// What holds for a page, whether it is there or not.
pub(crate) fn effective(tx: &mut Tx<'_>, tenant: &TenantId, page_id: &PageId) -> Result<Effective> {
    Ok(Effective { site: table::find(tx, tenant)?, page: table::of_page(tx, tenant, page_id)? })
}

/// What holds for a page.
pub fn find_of_page(tx: &mut Tx<'_>, ctx: &TenantContext, page_id: &PageId) -> Result<Effective> {
    present(pages::find(tx, &ctx.tenant, page_id)?)?;
    effective(tx, &ctx.tenant, page_id)
}

/// Replaces what a tenant has decided.
pub fn set(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    wanted: QuestionSettings,
    precondition: &Precondition<QuestionSettings>,
) -> Result<QuestionSettings> {
    precondition.check(&find(tx, ctx)?)?;
    tx.change(vec![table::save(&ctx.tenant, &wanted), site::touch(&ctx.tenant, ctx.now)])?;
    Ok(wanted)
}

/// Replaces what is set for a page.
pub fn set_of_page(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    wanted: &PageQuestionSettings,
) -> Result<Effective> {
    let page = present(pages::find(tx, &ctx.tenant, page_id)?)?;
    if let Some(action_id) = &wanted.action_id {
        let actions: Vec<pagesmith_model::page::action::Action> = page.actions.read()?;
        if !actions.iter().any(|action| action.id() == action_id) {
            return Err(Error::invalid(vec![Issue::unknown_reference(&["actionId"], "action", action_id)]));
        }
    }
    tx.change(vec![table::save_of_page(&ctx.tenant, page_id, wanted), site::touch(&ctx.tenant, ctx.now)])?;
    effective(tx, &ctx.tenant, page_id)
}

//! Questions of visitors: what a tenant decides about them ([`settings`]), what they are answered from ([`material`]), how a model answers them
//! ([`answering`], [`draft`]), and what is kept of them ([`keep`]).
//!
//! An answer is put together between two transactions: one reads, at one instant, whether a question is taken and what is known; the other
//! keeps it. Limits are looked at in the first, so that what is asked at the very same time may go a little beyond them.

use pagesmith_model::question::UnansweredQuestion;
use pagesmith_model::{Error, PageId, Result, UnansweredQuestionId};
use pagesmith_store::tables::pages;
use pagesmith_store::tables::questions::unanswered;
use pagesmith_store::{Extent, ListPart, Tx};

use crate::context::TenantContext;
use crate::pages::present;

pub use pagesmith_ask::ReadPassages;

pub mod answering;
pub mod draft;
pub mod keep;
pub mod material;
pub mod settings;

/// What visitors of a page asked and nothing was known of, newest first after a position; and how many there are in all.
pub fn list_unanswered(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    after: Option<&UnansweredQuestionId>,
    extent: Extent,
) -> Result<(ListPart<UnansweredQuestion>, u64)> {
    present(pages::find(tx, &ctx.tenant, page_id)?)?;
    unanswered::list(tx, &ctx.tenant, page_id, after, extent)
}

/// Takes a question off that list. The visit keeps it.
pub fn delete_unanswered(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    id: &UnansweredQuestionId,
) -> Result<()> {
    present(pages::find(tx, &ctx.tenant, page_id)?)?;
    if tx.run(unanswered::remove(&ctx.tenant, page_id, id))? == 0 {
        return Err(Error::not_found(UnansweredQuestionId::NOUN));
    }
    Ok(())
}

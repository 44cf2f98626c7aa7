//! What waits for somebody of a tenant, over all its pages.

use pagesmith_model::Result;
use pagesmith_model::tenant_domain::MOST_DOMAINS;
use pagesmith_model::tenant_domain::TenantDomain;
use pagesmith_model::webhook::{MOST_SUBSCRIPTIONS, Subscription};
use pagesmith_store::Tx;
use pagesmith_store::extent::Extent;
use pagesmith_store::tables::audiences::waiting::{self, WaitingAudience};
use pagesmith_store::tables::questions::unanswered::{self, PageWithQuestions};
use pagesmith_store::tables::{tenant_domains, webhooks};

use crate::context::TenantContext;

/// How many audiences and how many pages with questions are named.
pub const NAMED: usize = 50;

/// What waits.
#[derive(Debug, Clone)]
pub struct Attention {
    /// Audiences whose newest version is a draft, or was cancelled or could not be written.
    pub audiences: Vec<WaitingAudience>,
    /// Pages on which questions were asked that nothing was known of.
    pub questions: Vec<PageWithQuestions>,
    /// Subscriptions that the service itself has deactivated.
    pub subscriptions: Vec<Subscription>,
    /// The domains, of which those wait that are not active.
    pub domains: Vec<TenantDomain>,
    /// Whether more audiences or pages wait than are named.
    pub has_more: bool,
}

/// Reads what waits.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<Attention> {
    let tenant = &ctx.tenant;
    let mut audiences = waiting::list(tx, tenant, NAMED + 1)?;
    let mut questions = unanswered::newest_by_page(tx, tenant, NAMED + 1)?;
    let has_more = audiences.len() > NAMED || questions.len() > NAMED;
    audiences.truncate(NAMED);
    questions.truncate(NAMED);
    let (subscriptions, _) =
        webhooks::subscriptions::list(tx, tenant, None, Extent::of_items(MOST_SUBSCRIPTIONS))?;
    let (domains, _) = tenant_domains::list(tx, tenant, None, Extent::of_items(MOST_DOMAINS))?;
    let subscriptions = subscriptions.items.into_iter().filter(|one| one.stopped.is_some()).collect();
    Ok(Attention { audiences, questions, subscriptions, domains: domains.items, has_more })
}

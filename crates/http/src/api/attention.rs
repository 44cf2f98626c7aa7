//! What waits for somebody. Ours, beyond the contract.

use pagesmith_endpoint::endpoint;
use pagesmith_model::example::example;
use pagesmith_model::tenant_domain::DomainStatus;
use pagesmith_model::version::VersionStatus;
use pagesmith_model::webhook::{Stopped, Subscription};
use pagesmith_model::{
    AudienceId, PageId, PersonId, Result, SubscriptionId, TenantDomainId, Timestamp, VersionId,
};
use pagesmith_operations::attention::{self, Attention, NAMED};
use pagesmith_store::tables::audiences::waiting::WaitingAudience;
use pagesmith_store::tables::questions::unanswered::PageWithQuestions;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::api::audiences::view::NAME_OF_PERSONS;
use crate::api::tenant_domains::shown::Needs;
use crate::api::tenant_domains::view::DomainWithStatus;
use crate::extract::Call;
use crate::reply::Single;

/// Everything that needs attention.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Attention", deny_unknown_fields)]
#[schemars(example = json!({
    "audiences": [example::<AudienceToLookAt>()],
    "pagesWithQuestions": [example::<PageWithQuestionsView>()],
    "webhookSubscriptions": [example::<DeactivatedSubscription>()],
    "tenantDomains": [example::<WaitingDomain>()],
    "hasMore": false,
}))]
pub(crate) struct AttentionView {
    /// Audiences whose newest version is a draft, or was cancelled or could not be written; the latest first.
    #[schemars(length(max = NAMED))]
    audiences: Vec<AudienceToLookAt>,
    /// Pages with unanswered questions of visitors, the page with the latest question first.
    #[schemars(length(max = NAMED))]
    pages_with_questions: Vec<PageWithQuestionsView>,
    /// Webhook subscriptions that the service has deactivated.
    webhook_subscriptions: Vec<DeactivatedSubscription>,
    /// Domains that do not serve yet, or no longer.
    tenant_domains: Vec<WaitingDomain>,
    /// Whether more audiences or pages wait than are listed.
    has_more: bool,
}

/// An audience whose newest version waits.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AudienceToLookAt", deny_unknown_fields)]
#[schemars(example = json!({
    "audienceId": "audience_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "effectiveName": "Finance teams",
    "personId": null,
    "pageId": "page_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "pageName": "Spring launch",
    "versionId": "version_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "status": "draft",
    "since": "2026-03-20T09:30:00.000Z",
}))]
struct AudienceToLookAt {
    /// Id of the audience.
    audience_id: AudienceId,
    /// Name of the audience.
    effective_name: String,
    /// Person whose page it is.
    person_id: Option<PersonId>,
    /// Id of its page.
    page_id: PageId,
    /// Name of its page.
    page_name: String,
    /// Id of its newest version.
    version_id: VersionId,
    /// Status of that version: `draft` or `cancelled`.
    status: VersionStatus,
    /// Since when it has that status.
    since: Timestamp,
}

impl AudienceToLookAt {
    fn of(waiting: WaitingAudience, shows_persons: bool) -> AudienceToLookAt {
        let is_withheld = waiting.person_id.is_some() && !shows_persons;
        AudienceToLookAt {
            audience_id: waiting.audience_id,
            effective_name: if is_withheld { NAME_OF_PERSONS.to_owned() } else { waiting.effective_name },
            person_id: waiting.person_id,
            page_id: waiting.page_id,
            page_name: waiting.page_name,
            version_id: waiting.version_id,
            status: waiting.status,
            since: waiting.since,
        }
    }
}

/// A page with questions that were not answered.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PageWithQuestions", deny_unknown_fields)]
#[schemars(example = json!({
    "pageId": "page_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "pageName": "Spring launch",
    "unansweredQuestions": 3,
}))]
struct PageWithQuestionsView {
    /// Id of the page.
    page_id: PageId,
    /// Name of the page.
    page_name: String,
    /// How many of its questions are among the thousand that the tenant was asked last without an answer.
    #[schemars(range(min = 1, max = 1_000))]
    unanswered_questions: u64,
}

impl From<PageWithQuestions> for PageWithQuestionsView {
    fn from(page: PageWithQuestions) -> PageWithQuestionsView {
        PageWithQuestionsView {
            page_id: page.page_id,
            page_name: page.page_name,
            unanswered_questions: page.questions,
        }
    }
}

/// A webhook subscription that the service has deactivated.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DeactivatedSubscription", deny_unknown_fields)]
#[schemars(example = json!({
    "subscriptionId": "sub_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "url": "https://example.com/hooks/pagesmith",
    "deactivatedBecause": "gone",
}))]
struct DeactivatedSubscription {
    /// Id of the subscription.
    subscription_id: SubscriptionId,
    /// Address that it sends to.
    url: String,
    /// Why: `gone` after an answer of 410, `failing` after five days of failures, `secret_lost` when the server's key was lost.
    deactivated_because: Option<Stopped>,
}

impl From<Subscription> for DeactivatedSubscription {
    fn from(subscription: Subscription) -> DeactivatedSubscription {
        DeactivatedSubscription {
            subscription_id: subscription.subscription_id,
            url: subscription.url,
            deactivated_because: subscription.stopped,
        }
    }
}

/// A domain that does not serve.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WaitingDomain", deny_unknown_fields)]
#[schemars(example = json!({
    "tenantDomainId": "domain_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "domain": "go.acme.example",
    "verificationStatus": "pending_verification",
}))]
struct WaitingDomain {
    /// Id of the domain.
    tenant_domain_id: TenantDomainId,
    /// Host name, in lower case and ASCII.
    domain: String,
    /// Verification status, as in the domain itself.
    #[schemars(with = "String", extend("enum" = DomainStatus::NAMES))]
    verification_status: &'static str,
}

impl From<DomainWithStatus> for WaitingDomain {
    fn from(DomainWithStatus { domain, status, .. }: DomainWithStatus) -> WaitingDomain {
        WaitingDomain {
            tenant_domain_id: domain.tenant_domain_id,
            domain: domain.domain.to_string(),
            verification_status: status,
        }
    }
}

/// Returns everything that needs attention, on all pages of the tenant.
///
/// Pages and audiences that are archived or deleted are left out. At most 50 audiences and 50 pages are listed. They are looked for among the 500
/// versions that became drafts last, the 500 that were cancelled last, and the 1,000 questions that were asked last without an answer.
#[endpoint]
pub(crate) async fn get_attention(call: Call) -> Result<Single<AttentionView>> {
    let (needs, shows_persons) = (Needs::of(&call.state), call.caller.sees_personal_data());
    let read = call.read(move |tx, ctx| {
        let Attention { audiences, questions, subscriptions, domains, has_more } = attention::find(tx, ctx)?;
        let domains = domains.into_iter().map(|domain| needs.shown(tx, domain));
        let domains = domains.collect::<Result<Vec<_>>>()?.into_iter();
        let waits = |shown: &DomainWithStatus| shown.status != DomainStatus::Active.as_str();
        Ok(AttentionView {
            audiences: audiences.into_iter().map(|one| AudienceToLookAt::of(one, shows_persons)).collect(),
            pages_with_questions: questions.into_iter().map(PageWithQuestionsView::from).collect(),
            webhook_subscriptions: subscriptions.into_iter().map(DeactivatedSubscription::from).collect(),
            tenant_domains: domains.filter(waits).map(WaitingDomain::from).collect(),
            has_more,
        })
    });
    Ok(Single(read.await?))
}

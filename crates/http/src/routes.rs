//! The table of contents of the product: every URL, its handler, who may call it, and what it does.

mod server;

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::{
    account_logs, accounts, audiences, audit, events, pages, person_logs, persons, site, version_content,
    versions, webhook_deliveries, webhook_subscriptions,
};
use crate::table::{Table, may};

pub use crate::table::{Access, Route};

/// All routes of the API.
#[expect(clippy::too_many_lines, reason = "it is the list")]
pub fn routes() -> Vec<Route> {
    Table::default()
        .group("Pages")
        .get("/v0/pages", "listPages", pages::list_pages, may(Read), "List the pages, newest first.")
        .post("/v0/pages", "createPage", pages::create_page, may(Write), "Create a page.")
        .get(
            "/v0/pages/search",
            "searchPages",
            pages::search_pages,
            may(Read),
            "Search pages by name, best match first.",
        )
        .get("/v0/pages/{page_id}", "getPage", pages::get_page, may(Read), "Get a page.")
        .patch(
            "/v0/pages/{page_id}",
            "updatePage",
            pages::update_page,
            may(Write),
            "Change the given fields of a page.",
        )
        .delete(
            "/v0/pages/{page_id}",
            "deletePage",
            pages::delete_page,
            may(Write),
            "Delete a page; it can be restored.",
        )
        .post(
            "/v0/pages/{page_id}/archive",
            "archivePage",
            pages::archive_page,
            may(Write),
            "Put a page away: its links are gone, it stays readable.",
        )
        .post(
            "/v0/pages/{page_id}/restore",
            "restorePage",
            pages::restore_page,
            may(Write),
            "Bring back a page that was archived or deleted.",
        )
        .get(
            "/v0/pages/{page_id}/link",
            "getPageGroupLink",
            pages::get_page_group_link,
            may(Read),
            "Get the shareable link of a page.",
        )
        .group("Audiences")
        .get(
            "/v0/audiences/search",
            "searchAudiences",
            audiences::search_audiences,
            may(Read),
            "Search audiences by name, best match first.",
        )
        .get(
            "/v0/pages/{page_id}/audiences",
            "listAudiences",
            audiences::list_audiences,
            may(Read),
            "List the audiences of a page, newest first.",
        )
        .post(
            "/v0/pages/{page_id}/audiences",
            "createAudience",
            audiences::create_audience,
            may(Write),
            "Create an audience of a page; its first version is queued to be written.",
        )
        .get(
            "/v0/pages/{page_id}/audiences/{audience_id}",
            "getAudience",
            audiences::get_audience,
            may(Read),
            "Get an audience with its newest and its live version.",
        )
        .patch(
            "/v0/pages/{page_id}/audiences/{audience_id}",
            "updateAudience",
            audiences::update_audience,
            may(Write),
            "Change the given fields of an audience.",
        )
        .delete(
            "/v0/pages/{page_id}/audiences/{audience_id}",
            "archiveAudience",
            audiences::archive_audience,
            may(Write),
            "Put an audience away: its link is gone, what is still to be written is called off.",
        )
        .post(
            "/v0/pages/{page_id}/audiences/{audience_id}/restore",
            "restoreAudience",
            audiences::restore_audience,
            may(Write),
            "Bring back an audience that was archived.",
        )
        .get(
            "/v0/pages/{page_id}/audiences/{audience_id}/link",
            "getAudienceLink",
            audiences::get_audience_link,
            may(Read),
            "Get the shareable link of an audience.",
        )
        .put(
            "/v0/pages/{page_id}/audiences/{audience_id}/access",
            "setAudienceAccess",
            audiences::set_audience_access,
            may(Write),
            "Set who may open a person's or an account's own page.",
        )
        .group("Audience Versions")
        .get(
            "/v0/pages/{page_id}/audiences/{audience_id}/versions",
            "listAudienceVersions",
            versions::list_audience_versions,
            may(Read),
            "List the versions of an audience, newest first.",
        )
        .post(
            "/v0/pages/{page_id}/audiences/{audience_id}/versions",
            "createAudienceVersion",
            versions::create_audience_version,
            may(Write),
            "Create a further version of an audience, to be written and kept as a draft.",
        )
        .get(
            "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}",
            "getAudienceVersion",
            versions::get_audience_version,
            may(Read),
            "Get a version.",
        )
        .post(
            "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/cancel",
            "cancelAudienceVersion",
            versions::cancel_audience_version,
            may(Write),
            "Call off a version that is not written yet; what there is of it is kept.",
        )
        .post(
            "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/publish",
            "publishAudienceVersion",
            versions::publish_audience_version,
            may(Write),
            "Let a version be live: at once if it is written, else as soon as it is.",
        )
        .get(
            "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/content",
            "getAudienceVersionContent",
            version_content::get_version_content,
            may(Read),
            "Get what a version says: a document of components.",
        )
        .put(
            "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/content",
            "updateAudienceVersionContent",
            version_content::update_version_content,
            may(Write),
            "Give a version that is a draft or cancelled its content.",
        )
        .get(
            "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/progress",
            "getAudienceVersionProgress",
            version_content::get_version_progress,
            may(Read),
            "Tell how far a version has come, once or as server-sent events.",
        )
        .post(
            "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/preview",
            "createAudienceVersionPreview",
            site::create_version_preview,
            may(Write),
            "Make a link that shows a version, live or not, to whoever has it for a time.",
        )
        .group("Site")
        .get("/v0/site", "getSite", site::get_site, may(Read), "Get what was decided about the site.")
        .put(
            "/v0/site",
            "updateSite",
            site::update_site,
            may(Write),
            "Decide about the site: its name, look, home page, and whether visitors are asked for consent.",
        )
        .group("Persons")
        .get(
            "/v0/persons",
            "listPersons",
            persons::list_persons,
            may(Read),
            "List the persons, newest first.",
        )
        .post(
            "/v0/persons",
            "createPerson",
            persons::create_person,
            may(Write),
            "Create a person, or update the one who has an identifier of it.",
        )
        .get(
            "/v0/persons/search",
            "searchPersons",
            persons::search_persons,
            may(Read),
            "Search persons in all their fields, best match first.",
        )
        .get("/v0/persons/{person_id}", "getPerson", persons::get_person, may(Read), "Get a person.")
        .patch(
            "/v0/persons/{person_id}",
            "updatePerson",
            persons::update_person,
            may(Write),
            "Change the given fields of a person.",
        )
        .delete(
            "/v0/persons/{person_id}",
            "deletePerson",
            persons::delete_person,
            may(Write),
            "Delete a person; it can be restored.",
        )
        .post(
            "/v0/persons/{person_id}/restore",
            "restorePerson",
            persons::restore_person,
            may(Write),
            "Bring back a person that was deleted.",
        )
        .group("Person Logs")
        .post(
            "/v0/person_logs",
            "createPersonLog",
            person_logs::create_person_log,
            may(Write),
            "Write what happened to a person, who is made if nobody has the identifiers.",
        )
        .get(
            "/v0/persons/{person_id}/logs",
            "listPersonLogs",
            person_logs::list_person_logs,
            may(Read),
            "List the entries of a person, newest first.",
        )
        .get(
            "/v0/persons/{person_id}/logs/{person_log_id}",
            "getPersonLog",
            person_logs::get_person_log,
            may(Read),
            "Get an entry of a person.",
        )
        .patch(
            "/v0/persons/{person_id}/logs/{person_log_id}",
            "updatePersonLog",
            person_logs::update_person_log,
            may(Write),
            "Change the text of a note on a person.",
        )
        .delete(
            "/v0/persons/{person_id}/logs/{person_log_id}",
            "deletePersonLog",
            person_logs::delete_person_log,
            may(Write),
            "Delete an entry of a person; it can be restored.",
        )
        .post(
            "/v0/persons/{person_id}/logs/{person_log_id}/restore",
            "restorePersonLog",
            person_logs::restore_person_log,
            may(Write),
            "Bring back an entry of a person that was deleted.",
        )
        .group("Accounts")
        .get(
            "/v0/accounts",
            "listAccounts",
            accounts::list_accounts,
            may(Read),
            "List the accounts, newest first.",
        )
        .post(
            "/v0/accounts",
            "createAccount",
            accounts::create_account,
            may(Write),
            "Create the account of a domain, or get the one that is there.",
        )
        .get(
            "/v0/accounts/search",
            "searchAccounts",
            accounts::search_accounts,
            may(Read),
            "Search accounts by name and domain, best match first.",
        )
        .get(
            "/v0/accounts/{account_id}",
            "getAccount",
            accounts::get_account,
            may(Read),
            "Get an account with its newest persons.",
        )
        .patch(
            "/v0/accounts/{account_id}",
            "updateAccount",
            accounts::update_account,
            may(Write),
            "Name an account.",
        )
        .group("Account Activity")
        .get(
            "/v0/accounts/{account_id}/activity",
            "listAccountActivity",
            account_logs::list_account_activity,
            may(Read),
            "List what happened to an account and its persons, newest first.",
        )
        .group("Account Logs")
        .post(
            "/v0/account_logs",
            "createAccountLog",
            account_logs::create_account_log,
            may(Write),
            "Write what happened to an account, which is made if there is none of the domain.",
        )
        .get(
            "/v0/accounts/{account_id}/logs",
            "listAccountLogs",
            account_logs::list_account_logs,
            may(Read),
            "List the entries of an account, newest first.",
        )
        .get(
            "/v0/accounts/{account_id}/logs/{account_log_id}",
            "getAccountLog",
            account_logs::get_account_log,
            may(Read),
            "Get an entry of an account.",
        )
        .patch(
            "/v0/accounts/{account_id}/logs/{account_log_id}",
            "updateAccountLog",
            account_logs::update_account_log,
            may(Write),
            "Change the text of a note on an account.",
        )
        .delete(
            "/v0/accounts/{account_id}/logs/{account_log_id}",
            "deleteAccountLog",
            account_logs::delete_account_log,
            may(Write),
            "Delete an entry of an account; it can be restored.",
        )
        .post(
            "/v0/accounts/{account_id}/logs/{account_log_id}/restore",
            "restoreAccountLog",
            account_logs::restore_account_log,
            may(Write),
            "Bring back an entry of an account that was deleted.",
        )
        .group("Webhook Subscriptions")
        .get(
            "/v0/webhook_subscriptions",
            "listWebhookSubscriptions",
            webhook_subscriptions::list_subscriptions,
            may(Read),
            "List the webhook subscriptions, newest first.",
        )
        .post(
            "/v0/webhook_subscriptions",
            "createWebhookSubscription",
            webhook_subscriptions::create_subscription,
            may(Write),
            "Subscribe to events; the signing secret is shown only in this answer.",
        )
        .get(
            "/v0/webhook_subscriptions/{subscription_id}",
            "getWebhookSubscription",
            webhook_subscriptions::get_subscription,
            may(Read),
            "Get a webhook subscription.",
        )
        .patch(
            "/v0/webhook_subscriptions/{subscription_id}",
            "updateWebhookSubscription",
            webhook_subscriptions::update_subscription,
            may(Write),
            "Change the given fields of a webhook subscription.",
        )
        .delete(
            "/v0/webhook_subscriptions/{subscription_id}",
            "deleteWebhookSubscription",
            webhook_subscriptions::delete_subscription,
            may(Write),
            "Delete a webhook subscription; nothing more is delivered to it.",
        )
        .post(
            "/v0/webhook_subscriptions/{subscription_id}/rotate_secret",
            "rotateWebhookSecret",
            webhook_subscriptions::rotate_secret,
            may(Write),
            "Give a webhook subscription another signing secret; the old one signs beside it for a while.",
        )
        .post(
            "/v0/webhook_subscriptions/{subscription_id}/test",
            "testWebhookSubscription",
            webhook_deliveries::test_subscription,
            may(Write),
            "Send a signed sample event to a webhook subscription.",
        )
        .get(
            "/v0/webhook_subscriptions/{subscription_id}/stats",
            "getWebhookSubscriptionStats",
            webhook_deliveries::get_stats,
            may(Read),
            "Count the deliveries of a webhook subscription.",
        )
        .post(
            "/v0/webhook_subscriptions/{subscription_id}/recover",
            "recoverWebhookDeliveries",
            webhook_deliveries::recover_deliveries,
            may(Write),
            "Send everything anew that has failed since an instant.",
        )
        .get(
            "/v0/webhook_subscriptions/{subscription_id}/deliveries",
            "listWebhookDeliveries",
            webhook_deliveries::list_deliveries,
            may(Read),
            "List the deliveries of a webhook subscription with their attempts, newest first.",
        )
        .get(
            "/v0/webhook_subscriptions/{subscription_id}/deliveries/{delivery_id}",
            "getWebhookDelivery",
            webhook_deliveries::get_delivery,
            may(Read),
            "Get a delivery with its attempts.",
        )
        .post(
            "/v0/webhook_subscriptions/{subscription_id}/deliveries/{delivery_id}/resend",
            "resendWebhookDelivery",
            webhook_deliveries::resend_delivery,
            may(Write),
            "Send a delivery once more.",
        )
        .group("Events")
        .get(
            "/v0/events",
            "listEvents",
            events::list_events,
            may(Read),
            "List what happened, oldest first, for those who would rather ask than be told.",
        )
        .group("Audit")
        .get(
            "/v0/audit",
            "listAudit",
            audit::list_audit,
            may(Read),
            "List what operators and keys have changed or taken out, newest first.",
        )
        .append(server::routes)
        .into_routes()
}

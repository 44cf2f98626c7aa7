//! One of everything that a tenant can own, and for every route a request about it.
//!
//! Tests that walk the route table make their requests here. A route for which nothing is known ends the test, so that no
//! route goes without.

use pagesmith_http::routes::Route;
use pagesmith_testkit::{Client, fixtures};
use serde_json::{Value, json};

/// A page with an audience and its version, a person and an account with an entry each, a webhook subscription with a delivery, by the names that paths give their ids.
#[derive(Debug, Clone)]
pub(crate) struct Owned(Vec<(&'static str, String)>);

/// The version that is not written yet: the one to be cancelled.
const WAITING: &str = "{waiting_version_id}";

/// What a path needs and nobody owns.
const OF_NOBODY: [(&str, &str); 2] = [("{asset}", "docs.css"), ("{code}", "not_found")];

impl Owned {
    /// Makes one of everything; `number` tells it from others of the tenant.
    pub(crate) async fn make(client: &Client, number: usize) -> Owned {
        let made = |path: &'static str, body: Value| async move {
            client.post(path, &body).await.expect(201).json()
        };
        let note = json!({ "text": "Called back." });
        let email = format!("ada@owned-{number}.com");
        let domain = format!("owned-{number}.com");
        let page = made("/v0/pages", fixtures::page("Spring")).await;
        let of_account = json!({ "domain": domain, "source": "crm", "type": "note", "payload": note });
        let of_account = made("/v0/account_logs", of_account).await;
        let audiences = format!("/v0/pages/{}/audiences", page["pageId"].as_str().unwrap());
        // Somebody's own page, whose access can be set.
        let own = json!({ "accountId": of_account["accountId"] });
        let audience = client.post(&audiences, &own).await.expect(201).json();
        let versions = format!("{audiences}/{}/versions", audience["audienceId"].as_str().unwrap());
        let first = audience["latestVersion"]["versionId"].as_str().unwrap();
        // With content, so that there is something to read and to replace.
        client.post(&format!("{versions}/{first}/cancel"), &json!({})).await.expect(200);
        let content = Some(json!({ "blocks": [] }).to_string().into_bytes());
        client.send("PUT", &format!("{versions}/{first}/content"), content).await.expect(200);
        let waiting = client.post(&versions, &json!({})).await.expect(201).json();
        let of_person = json!({ "email": email, "source": "crm", "type": "note", "payload": note });
        let of_person = made("/v0/person_logs", of_person).await;
        // A tenant may have fifty, and a walk over all routes makes more: one here, and one by its route.
        let hooks = client.get("/v0/webhook_subscriptions").await.expect(200).json();
        if let [.., oldest] = hooks["items"].as_array().unwrap().as_slice()
            && hooks["totalCount"].as_u64() >= Some(49)
        {
            let oldest = oldest["subscriptionId"].as_str().unwrap();
            client.delete(&format!("/v0/webhook_subscriptions/{oldest}")).await.expect(200);
        }
        let hook = json!({ "url": "https://example.com/hooks", "events": ["form.submitted"] });
        let hook = made("/v0/webhook_subscriptions", hook).await;
        let test = format!("/v0/webhook_subscriptions/{}/test", hook["subscriptionId"].as_str().unwrap());
        let delivery = client.post(&test, &json!({})).await.expect(201).json();
        let id = |answer: &Value, field: &str| answer[field].as_str().unwrap().to_owned();
        Owned(vec![
            ("{page_id}", id(&page, "pageId")),
            ("{audience_id}", id(&audience, "audienceId")),
            ("{version_id}", id(&audience["latestVersion"], "versionId")),
            (WAITING, id(&waiting, "versionId")),
            ("{person_id}", id(&of_person, "personId")),
            ("{person_log_id}", id(&of_person, "personLogId")),
            ("{account_id}", id(&of_account, "accountId")),
            ("{account_log_id}", id(&of_account, "accountLogId")),
            ("{subscription_id}", id(&hook, "subscriptionId")),
            ("{delivery_id}", id(&delivery, "deliveryId")),
        ])
    }

    /// Ids that look right and that nobody has.
    pub(crate) fn nobody() -> Owned {
        let prefixes = [
            ("{page_id}", "page"),
            ("{audience_id}", "audience"),
            ("{version_id}", "version"),
            (WAITING, "version"),
            ("{person_id}", "person"),
            ("{person_log_id}", "personlog"),
            ("{account_id}", "account"),
            ("{account_log_id}", "accountlog"),
            ("{subscription_id}", "sub"),
            ("{delivery_id}", "delivery"),
        ];
        let id = |prefix: &str| format!("{prefix}_00000000000000000000000000");
        Owned(prefixes.iter().map(|(name, prefix)| (*name, id(prefix))).collect())
    }

    /// The same with another's things that stand under a page, a person or an account.
    pub(crate) fn with_entries_of(&self, other: &Owned) -> Owned {
        let is_under = |name: &str| {
            name.ends_with("_log_id}")
                || ["{audience_id}", "{version_id}", "{delivery_id}", WAITING].contains(&name)
        };
        let take = |name: &str| if is_under(name) { other.id(name) } else { self.id(name) };
        Owned(self.0.iter().map(|(name, _)| (*name, take(name).to_owned())).collect())
    }

    /// The id of that name.
    pub(crate) fn id(&self, name: &str) -> &str {
        &self.0.iter().find(|(known, _)| *known == name).unwrap().1
    }

    /// Every id.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(_, id)| id.as_str())
    }

    /// A path with its ids filled in.
    pub(crate) fn fill(&self, template: &str) -> String {
        let template = match template.ends_with("/cancel") {
            true => template.replace("{version_id}", WAITING),
            false => template.to_owned(),
        };
        let owned = self.0.iter().map(|(name, id)| (*name, id.as_str()));
        let path = owned.chain(OF_NOBODY).fold(template, |path, (name, id)| path.replace(name, id));
        assert!(!path.contains('{'), "no value is known for a parameter of {path}");
        path
    }

    /// Deletes everything that can be deleted.
    pub(crate) async fn delete(&self, client: &Client) {
        for template in [
            "/v0/pages/{page_id}",
            "/v0/accounts/{account_id}/logs/{account_log_id}",
            "/v0/persons/{person_id}/logs/{person_log_id}",
            "/v0/persons/{person_id}",
            "/v0/webhook_subscriptions/{subscription_id}",
        ] {
            client.delete(&self.fill(template)).await.expect(200);
        }
    }

    /// Everything that a caller can see, and every detail of what is owned here.
    pub(crate) async fn everything(&self, client: &Client) -> Vec<Value> {
        let mut seen = Vec::new();
        for template in [
            "/v0/pages?limit=100",
            "/v0/audiences/search?limit=100",
            "/v0/pages/{page_id}/audiences",
            "/v0/pages/{page_id}/audiences/{audience_id}/versions",
            "/v0/persons?limit=100",
            "/v0/accounts?limit=100",
            "/v0/accounts/{account_id}",
            "/v0/accounts/{account_id}/logs?includeDeleted=true",
            "/v0/accounts/{account_id}/activity?includePersonActivity=true&includeDeleted=true",
            "/v0/persons/{person_id}/logs?includeDeleted=true",
            "/v0/webhook_subscriptions",
            "/v0/webhook_subscriptions/{subscription_id}/deliveries",
            "/v0/webhook_subscriptions/{subscription_id}/stats",
        ] {
            seen.push(client.get(&self.fill(template)).await.expect(200).json());
        }
        seen
    }
}

/// Whether a path leads to something that a tenant owns.
pub(crate) fn is_of_something(route: &Route) -> bool {
    route.path.starts_with("/v0/") && route.path.contains('{')
}

/// A body that the route takes.
pub(crate) fn body(route: &Route) -> Option<Value> {
    match (route.method, route.operation) {
        ("GET" | "DELETE", _) => None,
        (_, "createPage") => Some(fixtures::page("One more")),
        (_, "createPerson") => Some(json!({ "name": "Grace Hopper", "email": "grace@one-more.com" })),
        (_, "createPersonLog") => Some(json!({ "email": "grace@one-more.com", "source": "crm" })),
        (_, "createAccount") => Some(json!({ "domain": "yet-another.com" })),
        (_, "createAccountLog") => Some(json!({ "domain": "one-more.com", "source": "crm" })),
        (_, "updatePage" | "updatePerson" | "updateAccount") => Some(json!({ "name": "Another name" })),
        (_, "updatePersonLog" | "updateAccountLog") => Some(json!({ "text": "Called back twice." })),
        (_, "archivePage" | "restorePage" | "restorePerson" | "restorePersonLog" | "restoreAccountLog") => {
            Some(json!({}))
        }
        (_, "createAudience" | "restoreAudience" | "createAudienceVersion") => Some(json!({})),
        (_, "cancelAudienceVersion" | "publishAudienceVersion") => Some(json!({})),
        (_, "updateAudience") => Some(json!({ "customName": "Another name" })),
        (_, "createWebhookSubscription" | "updateWebhookSubscription") => {
            Some(json!({ "url": "https://example.org/hooks" }))
        }
        (_, "rotateWebhookSecret" | "testWebhookSubscription" | "resendWebhookDelivery") => Some(json!({})),
        (_, "recoverWebhookDeliveries") => Some(json!({ "since": "2026-01-01T00:00:00Z" })),
        (_, "setAudienceAccess") => Some(json!({ "access": null })),
        (_, "createAudienceVersionPreview" | "updateSite") => Some(json!({})),
        (_, "updateAudienceVersionContent") => Some(json!({ "blocks": [] })),
        (_, operation) => panic!("no body is known for {operation}"),
    }
}

//! Page links: paths of a tenant's choice that lead to its pages, or on to other addresses.

pub mod path;

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::json;
use url::Url;

use crate::bounds::{Bounded, Text};
use crate::example::example;
use crate::id::{PageId, PageLinkId, TenantDomainId};
use crate::issue::{Issue, IssueCode};
use crate::json::{given, tagged_union};
use crate::time::Timestamp;

pub use path::{LinkPath, first_segment, key_on};

/// The most routes of a link.
pub const MOST_ROUTES: usize = 100;

/// A weight: routes are chosen as often as their weights are to each other.
struct Weight;

impl JsonSchema for Weight {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Weight".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "exclusiveMinimum": 0, "maximum": 9_007_199_254_740_991_u64 })
    }
}

/// A route to an audience of the tenant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "audienceId": "audience_01jpbz8n4xf5k9w2d7hq3mv6ta", "weight": 3 }))]
pub struct AudienceRoute {
    /// Audience whose page visitors see.
    #[schemars(with = "Text")]
    pub audience_id: String,
    /// How often the route is taken, relative to the weights of the others.
    #[schemars(with = "Weight")]
    pub weight: u64,
}

/// A route to an address elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "targetUrl": "https://example.com/demo", "weight": 1, "preserveQueryParams": true }))]
pub struct ExternalRoute {
    /// Address that visitors are sent to, beginning with `http://` or `https://`.
    #[schemars(with = "crate::page::Url")]
    pub target_url: String,
    /// How often the route is taken, relative to the weights of the others.
    #[schemars(with = "Weight")]
    pub weight: u64,
    /// Whether the query of the visitor's address is passed on. Parameters of `targetUrl` win.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub preserve_query_params: Option<bool>,
}

/// A row of a routing table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum Route {
    /// To an audience.
    Audience(AudienceRoute),
    /// Elsewhere.
    External(ExternalRoute),
}

/// The schema of a routing table.
struct RoutingTable;

impl JsonSchema for RoutingTable {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "RoutingTable".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut table = json_schema!({ "type": "array", "items": generator.subschema_for::<Route>() });
        if generator.contract().is_deserialize() {
            table.insert("maxItems".to_owned(), MOST_ROUTES.into());
        }
        json_schema!({ "anyOf": [table, { "type": "null" }] })
    }
}

/// A link to an audience.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "targetType": "audience", "audienceId": "audience_01jpbz8n4xf5k9w2d7hq3mv6ta" }))]
pub struct AudienceTarget {
    /// Type of the target: `audience`.
    #[schemars(extend("const" = "audience"))]
    pub target_type: String,
    /// Audience whose page visitors see.
    #[schemars(with = "Text")]
    pub audience_id: String,
}

/// A link to a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "targetType": "page", "pageId": "page_01jpbz8n4xf5k9w2d7hq3mv6ta" }))]
pub struct PageTarget {
    /// Type of the target: `page`.
    #[schemars(extend("const" = "page"))]
    pub target_type: String,
    /// Page that visitors see.
    #[schemars(with = "Text")]
    pub page_id: String,
}

/// A link that shares its visitors among several targets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "targetType": "page_routing",
    "pageId": "page_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "routingTable": [example::<AudienceRoute>(), example::<ExternalRoute>()],
}))]
pub struct PageRoutingTarget {
    /// Type of the target: `page_routing`.
    #[schemars(extend("const" = "page_routing"))]
    pub target_type: String,
    /// Page that visitors see while no route can be taken.
    #[schemars(with = "Text")]
    pub page_id: String,
    /// Routes, one of which a visitor is given by its weight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "RoutingTable")]
    pub routing_table: Option<Vec<Route>>,
}

tagged_union! {
    /// Where a link leads.
    PageLinkTarget by "targetType" {
        "audience" => Audience(AudienceTarget),
        "page" => Page(PageTarget),
        "page_routing" => Routing(PageRoutingTarget),
    }
}

impl PageLinkTarget {
    /// A link to this audience.
    pub fn audience(audience_id: String) -> PageLinkTarget {
        PageLinkTarget::Audience(AudienceTarget {
            target_type: TargetType::Audience.as_str().to_owned(),
            audience_id,
        })
    }

    /// A link to this page.
    pub fn page(page_id: String) -> PageLinkTarget {
        PageLinkTarget::Page(PageTarget { target_type: TargetType::Page.as_str().to_owned(), page_id })
    }

    /// A link to these routes, or to the page.
    pub fn routing(page_id: String, routing_table: Option<Vec<Route>>) -> PageLinkTarget {
        let target_type = TargetType::Routing.as_str().to_owned();
        PageLinkTarget::Routing(PageRoutingTarget { target_type, page_id, routing_table })
    }

    /// Its type.
    pub fn target_type(&self) -> TargetType {
        match self {
            PageLinkTarget::Audience(_) => TargetType::Audience,
            PageLinkTarget::Page(_) => TargetType::Page,
            PageLinkTarget::Routing(_) => TargetType::Routing,
        }
    }

    /// The rows of its table, if it has one.
    pub fn routes(&self) -> &[Route] {
        match self {
            PageLinkTarget::Routing(PageRoutingTarget { routing_table: Some(routes), .. }) => routes,
            _ => &[],
        }
    }

    /// The addresses of routes that no browser should be sent to.
    pub fn unusable_addresses(&self) -> Vec<Issue> {
        let mut issues = Vec::new();
        for (at, route) in self.routes().iter().enumerate() {
            if let Route::External(route) = route
                && !is_web_address(&route.target_url)
            {
                let path = ["target", "routingTable", &at.to_string(), "targetUrl"];
                let message =
                    format!("{}: must begin with http:// or https:// and have a host.", path.join("."));
                issues.push(Issue::body(IssueCode::InvalidFormat, &path, message));
            }
        }
        issues
    }
}

fn is_web_address(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

/// The kinds of targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetType {
    /// One audience.
    Audience,
    /// A page.
    Page,
    /// A table of routes.
    Routing,
}

impl TargetType {
    /// Every type.
    pub const ALL: [TargetType; 3] = [TargetType::Audience, TargetType::Page, TargetType::Routing];

    /// Its name in requests, answers and the database.
    pub fn as_str(self) -> &'static str {
        match self {
            TargetType::Audience => "audience",
            TargetType::Page => "page",
            TargetType::Routing => "page_routing",
        }
    }

    /// The type of this name.
    pub fn parse(name: &str) -> Option<TargetType> {
        TargetType::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// A link to be made.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CreatePageLinkRequest")]
#[schemars(example = json!({ "path": "/go/spring", "target": example::<PageRoutingTarget>() }))]
pub struct NewPageLink {
    /// Domain of the tenant on which the link is. Left out or `null`, it is on the fallback domain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Text>")]
    pub tenant_domain_id: Option<String>,
    /// Path of the link, such as `/spring`. It has at least one letter or digit, and at most 500 bytes when percent-encoded.
    #[schemars(with = "Bounded<1, 1_000>")]
    pub path: String,
    /// Where the link leads: to an audience, a page, or the routes of a table.
    pub target: PageLinkTarget,
}

/// Changes of a link.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UpdatePageLinkRequest")]
#[schemars(example = json!({ "path": "/go/summer" }))]
pub struct PageLinkPatch {
    /// Domain of the tenant on which the link is; `null` for the fallback domain.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Text>")]
    pub tenant_domain_id: Option<Option<String>>,
    /// Path of the link, such as `/spring`. It has at least one letter or digit, and at most 500 bytes when percent-encoded.
    #[serde(default)]
    #[schemars(with = "Bounded<1, 1_000>")]
    pub path: Option<String>,
    /// Where the link leads: to an audience, a page, or the routes of a table.
    #[serde(default)]
    #[schemars(with = "PageLinkTarget")]
    pub target: Option<PageLinkTarget>,
}

/// A link as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct PageLink {
    /// Its id.
    pub page_link_id: PageLinkId,
    /// The domain that it is on, with the domain's name; nothing for the fallback domain.
    pub domain: Option<(TenantDomainId, String)>,
    /// Its path.
    pub path: LinkPath,
    /// Where it leads.
    pub target: PageLinkTarget,
    /// The page of the target.
    pub page_id: PageId,
    /// Whether that page is deleted, and the link leads nowhere until the page is restored.
    pub is_target_deleted: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl PageLink {
    /// The domain that it is on.
    pub fn tenant_domain_id(&self) -> Option<&TenantDomainId> {
        self.domain.as_ref().map(|(id, _)| id)
    }

    /// What tells it from the tenant's other links.
    pub fn key(&self) -> String {
        key_on(self.tenant_domain_id(), &self.path)
    }
}

/// The place, in a list of weights, that a number stands for: each as often as its weight is to the sum, over all numbers.
pub fn weighted(weights: impl Iterator<Item = u64> + Clone, number: u64) -> Option<usize> {
    let total: u128 = weights.clone().map(u128::from).sum();
    // The upper half of the product is the number scaled down to the total.
    let mut left = (u128::from(number) * total) >> 64;
    for (at, weight) in weights.enumerate() {
        let weight = u128::from(weight);
        if left < weight {
            return Some(at);
        }
        left -= weight;
    }
    None
}

/// An address with the parameters of a visitor's query that it does not have itself.
pub fn with_query(address: &str, query: &str) -> String {
    let Ok(mut url) = Url::parse(address) else { return address.to_owned() };
    let name =
        |pair: &str| url::form_urlencoded::parse(pair.as_bytes()).next().map(|(name, _)| name.into_owned());
    let own: Vec<String> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
    let mut whole = url.query().unwrap_or_default().to_owned();
    for pair in query.split('&') {
        if name(pair).is_some_and(|name| !own.contains(&name)) {
            if !whole.is_empty() {
                whole.push('&');
            }
            whole.push_str(pair);
        }
    }
    url.set_query(Some(whole.as_str()).filter(|query| !query.is_empty()));
    url.into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn target(value: &serde_json::Value) -> Result<PageLinkTarget, serde_json::Error> {
        serde_json::from_str(&value.to_string())
    }

    #[test]
    fn a_target_comes_back_as_it_was_sent() {
        for value in [
            example::<AudienceTarget>(),
            example::<PageTarget>(),
            example::<PageRoutingTarget>(),
            json!({ "targetType": "page_routing", "pageId": "page" }),
            json!({ "targetType": "page_routing", "pageId": "page", "routingTable": [] }),
        ] {
            let target = target(&value).unwrap();
            assert_eq!(serde_json::to_value(&target).unwrap(), value);
            assert_eq!(TargetType::parse(value["targetType"].as_str().unwrap()), Some(target.target_type()));
        }
        for value in [
            json!({ "targetType": "folder", "pageId": "page" }),
            json!({ "targetType": "page", "audienceId": "audience" }),
            json!({ "targetType": "page_routing", "pageId": "page", "routingTable": [{ "weight": 1 }] }),
        ] {
            assert!(target(&value).is_err(), "{value}");
        }
    }

    #[test]
    fn only_the_web_is_an_address_of_a_route() {
        let table = |url: &str| {
            PageLinkTarget::routing(
                "page".to_owned(),
                Some(vec![Route::External(ExternalRoute {
                    target_url: url.to_owned(),
                    weight: 1,
                    preserve_query_params: None,
                })]),
            )
        };
        for url in ["https://acme.example", "http://acme.example:8080/a?b=c#d", "https://müller.example/ä"]
        {
            assert!(table(url).unusable_addresses().is_empty(), "{url}");
        }
        for url in [
            "javascript:alert(1)",
            "data:text/html,a",
            "ftp://acme.example",
            "/pricing",
            "acme.example",
            "https://",
            "",
        ] {
            assert_eq!(table(url).unusable_addresses().len(), 1, "{url}");
        }
    }

    #[test]
    fn the_targets_own_parameters_win() {
        for (address, query, expected) in [
            ("https://acme.example/a", "", "https://acme.example/a"),
            ("https://acme.example/a", "x=1&y=2", "https://acme.example/a?x=1&y=2"),
            ("https://acme.example/a?x=own", "x=1&y=2&x=3", "https://acme.example/a?x=own&y=2"),
            ("https://acme.example/a?x=own#part", "y=%20a+b", "https://acme.example/a?x=own&y=%20a+b#part"),
            ("https://acme.example/a?%78=own", "x=1", "https://acme.example/a?%78=own"),
            ("https://acme.example", "&&a&=b", "https://acme.example/?a&=b"),
        ] {
            assert_eq!(with_query(address, query), expected, "{address} {query}");
        }
    }

    #[test]
    fn weights_share_numbers_in_proportion() {
        assert_eq!(weighted(std::iter::empty(), 7), None);
        let largest = 9_007_199_254_740_991;
        let weights = vec![largest; MOST_ROUTES];
        assert_eq!(weighted(weights.iter().copied(), u64::MAX), Some(MOST_ROUTES - 1));
        assert_eq!(weighted([1, 3].into_iter(), 0), Some(0));
        assert_eq!(weighted([1, 3].into_iter(), u64::MAX / 4 - 1), Some(0));
        assert_eq!(weighted([1, 3].into_iter(), u64::MAX / 4 + 1), Some(1));
    }

    proptest! {
        #[test]
        fn every_number_has_a_place(weights in prop::collection::vec(1..=9_007_199_254_740_991_u64, 1..100), number: u64) {
            let place = weighted(weights.iter().copied(), number);
            prop_assert!(place.is_some_and(|place| place < weights.len()));
        }

        #[test]
        fn a_query_never_changes_where_an_address_leads(query in "[ -~]{0,60}") {
            let url = Url::parse(&with_query("https://acme.example/a?x=own#part", &query)).unwrap();
            prop_assert_eq!((url.host_str(), url.path(), url.fragment()), (Some("acme.example"), "/a", Some("part")));
            prop_assert_eq!(url.query_pairs().find(|(name, _)| name == "x").unwrap().1, "own");
        }
    }
}

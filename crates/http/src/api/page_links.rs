//! The operations on page links.

use pagesmith_endpoint::endpoint;
use pagesmith_model::page_link::{LinkPath, NewPageLink, PageLink, PageLinkPatch, TargetType};
use pagesmith_model::{PageLinkId, Result, text};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::page_links;
use pagesmith_operations::precondition::Precondition;
use pagesmith_store::tables::page_links::{Match, PageLinkFilter};
use pagesmith_store::{Tx, tables};
use serde_json::{Value, json};

use crate::api::page_links::view::{PageLinkView, ViewContext};
use crate::collection::Collection;
use crate::extract::query::{self, FromQuery, Parameter, Parameters, Search};
use crate::extract::{Body, Call, Findings, IdempotencyKey, IfMatch, Paging, Path, Query};
use crate::reply::{DONE, Reply, Single, Success};

pub(crate) mod qr;
pub(crate) mod view;
pub(crate) mod visits;

const PAGE_ID: Parameter = Parameter {
    name: "pageId",
    description: "Id of a page: only links to the page, to one of its audiences, or with a routing table of the page are listed.",
    example: "page_01jpbz8n4xf5k9w2d7hq3mv6ta",
};
const TENANT_DOMAIN_ID: Parameter = Parameter {
    name: "tenantDomainId",
    description: "Id of a domain of the tenant: only links on that domain are listed. Left out, the links of all domains are.",
    example: "domain_01jpbz8n4xf5k9w2d7hq3mv6ta",
};

/// What lists and searches have in common.
fn filter(parameters: &Parameters, findings: &mut Findings) -> PageLinkFilter {
    let page_id = parameters.one("pageId", findings).map(str::to_owned);
    let tenant_domain_id = parameters.one("tenantDomainId", findings).map(str::to_owned);
    PageLinkFilter { page_id, path_key: None, tenant_domain_id, target_type: None }
}

/// The filters that a cursor of links is bound to.
fn bound_to<'a>(words: &'a text::Query, filter: &'a PageLinkFilter) -> [(&'static str, &'a str); 5] {
    [
        ("query", words.phrase.as_str()),
        ("page", filter.page_id.as_deref().unwrap_or_default()),
        ("path", filter.path_key.as_deref().unwrap_or("*")),
        ("domain", filter.tenant_domain_id.as_deref().unwrap_or_default()),
        ("type", filter.target_type.map_or("", TargetType::as_str)),
    ]
}

/// Which links are listed.
pub(crate) struct Listed(PageLinkFilter);

impl FromQuery for Listed {
    const PARAMETERS: &'static [Parameter] = &[
        PAGE_ID,
        Parameter {
            name: "path",
            description: "Path of a link, in any case: only links with that path are listed, at most one on each domain.",
            example: "/spring",
        },
        TENANT_DOMAIN_ID,
    ];

    fn read(parameters: &Parameters, findings: &mut Findings) -> Listed {
        let path = parameters.one("path", findings);
        // What is no path is the path of no link; the empty text is the key of none.
        let key =
            |text: &str| LinkPath::parse(text).map_or_else(|_| String::new(), |path| path.key().to_owned());
        Listed(PageLinkFilter { path_key: path.map(key), ..filter(parameters, findings) })
    }
}

/// Which links are searched.
pub(crate) struct Searched(PageLinkFilter);

impl FromQuery for Searched {
    const PARAMETERS: &'static [Parameter] = &[
        PAGE_ID,
        Parameter {
            name: "targetType",
            description: "Type of the target, `audience`, `page` or `page_routing`: only links to such targets are searched.",
            example: "page_routing",
        },
        TENANT_DOMAIN_ID,
    ];

    fn schema(name: &str) -> Value {
        match name {
            "targetType" => json!({ "type": "string", "enum": TargetType::ALL.map(TargetType::as_str) }),
            _ => json!({ "type": "string" }),
        }
    }

    fn read(parameters: &Parameters, findings: &mut Findings) -> Searched {
        parameters.one("targetType", findings);
        let target_type = query::one(
            parameters,
            "targetType",
            "audience, page or page_routing",
            TargetType::parse,
            findings,
        );
        Searched(PageLinkFilter { target_type, ..filter(parameters, findings) })
    }
}

/// Lists the page links of the tenant, newest first.
///
/// Links on every domain are listed, or those that fit the parameters.
#[endpoint]
pub(crate) async fn list_page_links(
    call: Call,
    paging: Paging,
    Query(Listed(filter)): Query<Listed>,
) -> Result<Reply<Collection<PageLinkView>>> {
    find_links(call, paging, "page links", filter, text::Query::default()).await
}

/// Searches the page links by path and target, best match first.
///
/// Every word of `query` must occur in the path, the name of the target's page, or the name of its audience. The ranking is that of all
/// searches. Without words the links are listed, newest first.
#[endpoint]
pub(crate) async fn search_page_links(
    call: Call,
    paging: Paging,
    Query(Searched(filter)): Query<Searched>,
    Query(Search(words)): Query<Search>,
) -> Result<Reply<Collection<PageLinkView>>> {
    find_links(call, paging, "page links/search", filter, words).await
}

async fn find_links(
    call: Call,
    paging: Paging,
    collection: &str,
    filter: PageLinkFilter,
    words: text::Query,
) -> Result<Reply<Collection<PageLinkView>>> {
    let list = paging.ranked(&call, collection, &bound_to(&words, &filter))?;
    let shows_persons = call.caller.sees_personal_data();
    let found = list.list_or_search(&call, words, move |tx, ctx, (words, after), extent| {
        tables::page_links::search(tx, &ctx.tenant, (words, shows_persons), &filter, after, extent)
    });
    let views = ViewContext::of(&call);
    let position = |(rank, link): &Match| (*rank, link.page_link_id.clone());
    list.answer(&call, found.await?, position, move |(_, link)| views.view(link)).await
}

/// Creates a page link.
///
/// The path is kept in one form: with one slash before each segment, none at the end, and percent-encoded where a URL needs it.
/// Upper and lower case are kept, but paths that differ only in case are the same path. A path that another link on the same
/// domain has, that begins with the slug of a page, or that begins with a reserved word fails with 409; `details.reason` is
/// `page_link`, `page_slug` or `reserved_word`. A target or a domain that does not exist fails with 400. A domain that is not
/// verified fails with 409 and `not_verified`.
#[endpoint]
pub(crate) async fn create_page_link(
    call: Call,
    key: IdempotencyKey,
    Body(new): Body<NewPageLink>,
) -> Result<Reply<PageLinkView>> {
    let views = ViewContext::of(&call);
    call.change_once(key, move |tx, ctx| page_links::create(tx, ctx, &new).map(|link| views.view(link))).await
}

/// Returns a page link.
///
/// `target` is null while the page of the target is deleted. The link then shows nothing.
#[endpoint]
pub(crate) async fn get_page_link(call: Call, Path(id): Path<PageLinkId>) -> Result<Single<PageLinkView>> {
    let views = ViewContext::of(&call);
    let link = call.single_read(move |tx, ctx| page_links::find(tx, ctx, &id)).await?;
    Ok(Single(views.view(link)))
}

/// What `If-Match` demands of a link.
async fn precondition(call: &Call, id: &PageLinkId, if_match: &IfMatch) -> Result<Precondition<PageLink>> {
    let (id, views) = (id.clone(), ViewContext::of(call));
    let read = move |tx: &mut Tx<'_>, ctx: &TenantContext| page_links::find(tx, ctx, &id);
    if_match.precondition(call, read, move |link| Ok(views.view(link))).await
}

/// Changes the given fields of a page link.
///
/// Visitors are led by the changed link at once. `target` replaces the whole target. Fields that are left out keep their
/// value. The errors are those of creation.
#[endpoint]
pub(crate) async fn update_page_link(
    call: Call,
    Path(id): Path<PageLinkId>,
    if_match: IfMatch,
    Body(patch): Body<PageLinkPatch>,
) -> Result<Reply<PageLinkView>> {
    let precondition = precondition(&call, &id, &if_match).await?;
    let views = ViewContext::of(&call);
    call.change(move |tx, ctx| {
        page_links::update(tx, ctx, &id, &patch, &precondition).map(|link| views.view(link))
    })
    .await
}

/// Deletes a page link.
///
/// Its path answers 404 from then on and can be used again. A deleted link cannot be restored.
#[endpoint]
pub(crate) async fn delete_page_link(
    call: Call,
    Path(id): Path<PageLinkId>,
    if_match: IfMatch,
) -> Result<Reply<Success>> {
    let precondition = precondition(&call, &id, &if_match).await?;
    call.change(move |tx, ctx| page_links::delete(tx, ctx, &id, &precondition).map(|()| DONE)).await
}

//! The operations on audiences.

use pagesmith_endpoint::endpoint;
use pagesmith_model::audience::{AudiencePatch, NewAudience};
use pagesmith_model::error::Kind;
use pagesmith_model::list_order::{ListOrder, OrderBy};
use pagesmith_model::page::access::PageAccess;
use pagesmith_model::site::SiteSettings;
use pagesmith_model::{AudienceId, Error, PageId, Result};
use pagesmith_operations::audiences;
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::precondition::Precondition;
use pagesmith_operations::site::access::{self, AccessChange};
use pagesmith_operations::site::settings;

use pagesmith_store::Tx;
use pagesmith_store::tables::audiences::AudienceDetail;
use pagesmith_store::tables::audiences::names::{self, AudienceFilter, Match};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::api::audiences::view::{AudienceView, AudienceViews, FoundAudience, metadata_of};
use crate::api::page_links::qr::{Picture, Png, Svg};
use crate::api::pages::LinkDomain;
use crate::api::pages::view::ShareableLink;
use crate::collection::Collection;
use crate::extract::body::EmptyObject;
use crate::extract::query::{FromQuery, Parameter, Parameters, Search};
use crate::extract::sort::{Orders, sort_parameter};
use crate::extract::{Body, Call, Findings, IdempotencyKey, IfMatch, Paging, Path, Query, Sort};
use crate::pictures;
use crate::reply::{Reply, Single};

pub(crate) mod view;

/// Lists the audiences of a page, newest first.
///
/// Archived audiences are included. Each item contains the newest and the published version of the
/// audience.
#[endpoint]
pub(crate) async fn list_audiences(
    call: Call,
    Path(page_id): Path<PageId>,
    paging: Paging,
    Query(Sort { order, .. }): Query<Sort<AudiencesOfPage>>,
) -> Result<Reply<Collection<AudienceView>>> {
    refuse_hidden_names(&call, order)?;
    let list = paging.ordered(&call, "audiences", &[("page", page_id.as_str())], order)?;
    let read = list.read(&call, move |tx, ctx, after, extent| {
        audiences::list(tx, ctx, &page_id, order, (after, extent))
    });
    let (found, metadata) = read.await?;
    let shown = found.0.items.iter().map(|(_, listed)| listed);
    let view = AudienceViews::of(&call).of_page(&call, metadata, shown).await?;
    list.try_answer(&call, found, |(place, _)| place.clone(), move |(_, listed)| view(listed)).await
}

/// The orders of the list of audiences.
pub(crate) struct AudiencesOfPage;

impl Orders for AudiencesOfPage {
    const BY: &'static [OrderBy] = &[OrderBy::Name, OrderBy::CreatedAt];
    const PARAMETER: &'static [Parameter] = sort_parameter!(
        "By `name`, archived audiences are the last, in both directions; who may not see persons is refused it with 403. A cursor goes on in its \
         own order only."
    );
}

/// Refuses an order by names that the caller may not see: where a name stands among others would tell what it is.
fn refuse_hidden_names(call: &Call, order: Option<ListOrder>) -> Result<()> {
    if order.is_none_or(|order| order.by != OrderBy::Name) || call.caller.sees_personal_data() {
        return Ok(());
    }
    let detail = "You may not see the names of persons, by which audiences would be sorted.";
    Err(Error::new(Kind::Forbidden, detail))
}

/// Whose audiences are searched: one page's, or those of all.
pub(crate) struct OfPage(Option<String>);

impl FromQuery for OfPage {
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "pageId",
        description: "Only the audiences of this page are searched.",
        example: "page_01jpbz8n4xf5k9w2d7hq3mv6ta",
    }];

    fn read(parameters: &Parameters, findings: &mut Findings) -> OfPage {
        OfPage(parameters.one("pageId", findings).map(str::to_owned))
    }
}

/// Searches the audiences of all pages, or of one, by name, best match first.
///
/// The search looks at `effectiveName` and ranks like the search of pages. Archived audiences and those of
/// deleted pages are not found. Without words every audience matches.
#[endpoint]
pub(crate) async fn search_audiences(
    call: Call,
    paging: Paging,
    Query(Search(words)): Query<Search>,
    Query(OfPage(page_id)): Query<OfPage>,
) -> Result<Reply<Collection<FoundAudience>>> {
    let mut filters = vec![("query", words.phrase.as_str())];
    filters.extend(page_id.as_deref().map(|page_id| ("page", page_id)));
    let list = paging.ranked(&call, "audiences/search", &filters)?;
    let wanted = AudienceFilter { page_id, shows_persons: call.caller.sees_personal_data() };
    let found = list.search(&call, move |tx, ctx, after, extent| {
        names::search(tx, &ctx.tenant, &words, &wanted, after, extent)
    });
    let position = |found: &Match| (found.rank, found.audience_id.clone());
    list.answer(&call, found.await?, position, FoundAudience::from).await
}

/// The audience as it is now.
fn view(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    audience_id: &AudienceId,
    views: &AudienceViews,
) -> Result<AudienceView> {
    let found = audiences::find(tx, ctx, page_id, audience_id)?;
    let pictures = pictures::find(tx, &ctx.tenant, metadata_of(&found))?;
    views.of_detail(found, &pictures)
}

/// What `If-Match` demands of an audience.
async fn precondition(
    call: &Call,
    (page_id, audience_id): (&PageId, &AudienceId),
    if_match: &IfMatch,
) -> Result<Precondition<AudienceDetail>> {
    let (page_id, audience_id) = (page_id.clone(), audience_id.clone());
    let read = move |tx: &mut Tx<'_>, ctx: &TenantContext| {
        let found = audiences::find(tx, ctx, &page_id, &audience_id)?;
        let pictures = pictures::find(tx, &ctx.tenant, metadata_of(&found))?;
        Ok((found, pictures))
    };
    let views = AudienceViews::of(call);
    let view = |(found, pictures)| views.of_detail(found, &pictures);
    Ok(if_match.precondition(call, read, view).await?.of_part(|(found, _)| found))
}

/// Creates an audience of a page, with its first version.
///
/// The version is queued, generated in the background, and announced by the event `page.version.created`.
/// With `publishBehavior` `publish`, which is the default, it goes live when it is generated; with `draft`
/// it stays a draft. With `personId` or `accountId` the audience becomes the page of that person or account
/// and is named after it; an id that is not known fails with 400. Fails with 409 if the page is archived,
/// or if it already has an audience for the person: `details.audienceId` names it.
#[endpoint]
pub(crate) async fn create_audience(
    call: Call,
    Path(page_id): Path<PageId>,
    key: IdempotencyKey,
    Body(new): Body<NewAudience>,
) -> Result<Reply<AudienceView, 201>> {
    let views = AudienceViews::of(&call);
    call.change_once(key, move |tx, ctx| {
        let audience_id = audiences::create(tx, ctx, &page_id, &new)?;
        view(tx, ctx, &page_id, &audience_id, &views)
    })
    .await
}

/// Returns an audience with its newest and its published version.
///
/// An archived audience is returned like any other, with the status `archived`.
#[endpoint]
pub(crate) async fn get_audience(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
) -> Result<Single<AudienceView>> {
    let found = call.single_read(move |tx, ctx| audiences::find(tx, ctx, &page_id, &audience_id)).await?;
    let pictures = pictures::read(&call, metadata_of(&found)).await?;
    AudienceViews::of(&call).of_detail(found, &pictures).map(Single)
}

/// Changes the given fields of an audience.
///
/// Fields that are left out keep their value, `null` clears a field, and `metadataOverride` is replaced as
/// a whole. Overrides need no new version: visitors see them within a second. A new `supplementaryContext`
/// is used by versions that are created afterwards; existing versions keep theirs. It also changes
/// `computedName`, unless the audience is the page of a person or an account. The address of the audience
/// stays.
#[endpoint]
pub(crate) async fn update_audience(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    if_match: IfMatch,
    Body(patch): Body<AudiencePatch>,
) -> Result<Reply<AudienceView>> {
    let precondition = precondition(&call, (&page_id, &audience_id), &if_match).await?;
    let update = move |tx: &mut Tx<'_>, ctx: &TenantContext| {
        audiences::update(tx, ctx, (&page_id, &audience_id), &patch, &precondition)?;
        audiences::find(tx, ctx, &page_id, &audience_id)
    };
    changed(&call, call.apply(update).await?).await
}

/// The answer that shows an audience after a change.
async fn changed(call: &Call, found: AudienceDetail) -> Result<Reply<AudienceView>> {
    let pictures = pictures::read(call, metadata_of(&found)).await?;
    Reply::of(&AudienceViews::of(call).of_detail(found, &pictures)?)
}

/// Archives an audience.
///
/// Its link answers 410, and versions that are not generated yet are cancelled; what was generated of them
/// so far is kept. The audience stays readable, but creating and publishing versions fail with 409.
/// Archiving an archived audience changes nothing. `restoreAudience` undoes it.
#[endpoint]
pub(crate) async fn archive_audience(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    if_match: IfMatch,
) -> Result<Reply<AudienceView>> {
    let precondition = precondition(&call, (&page_id, &audience_id), &if_match).await?;
    let archive = move |tx: &mut Tx<'_>, ctx: &TenantContext| {
        audiences::archive(tx, ctx, (&page_id, &audience_id), &precondition)?;
        audiences::find(tx, ctx, &page_id, &audience_id)
    };
    changed(&call, call.apply(archive).await?).await
}

/// Restores an archived audience.
///
/// Its link works again and shows the version that was published. Versions that were cancelled when it was
/// archived stay cancelled. An audience that is not archived is returned unchanged.
#[endpoint]
pub(crate) async fn restore_audience(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    key: IdempotencyKey,
    Body(EmptyObject {}): Body<EmptyObject>,
) -> Result<Reply<AudienceView>> {
    let views = AudienceViews::of(&call);
    call.change_once(key, move |tx, ctx| {
        audiences::restore(tx, ctx, &page_id, &audience_id)?;
        view(tx, ctx, &page_id, &audience_id, &views)
    })
    .await
}

/// Returns the shareable link of an audience.
///
/// The link exists as soon as the audience does, whether or not a version is published. Where access is
/// `signed`, the link carries a signature that expires after the `signedLinkDays` of the site's settings:
/// ask for the link again to get a fresh one. A `tenantDomainId` that names no verified domain of the
/// tenant fails with 404.
#[endpoint]
pub(crate) async fn get_audience_link(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    Query(wanted): Query<LinkDomain>,
) -> Result<Single<ShareableLink>> {
    shareable(&call, page_id, audience_id, wanted).await.map(Single)
}

async fn shareable(
    call: &Call,
    page_id: PageId,
    audience_id: AudienceId,
    wanted: LinkDomain,
) -> Result<ShareableLink> {
    let (path, domain) = call
        .point_read(move |tx, ctx| {
            let found = audiences::find(tx, ctx, &page_id, &audience_id)?;
            let settings = match found.listed.access() {
                PageAccess::Signed => settings::find(tx, &ctx.tenant)?,
                _ => SiteSettings::default(),
            };
            Ok((access::path(ctx, &found, &settings)?, wanted.find(tx, ctx)?))
        })
        .await?;
    Ok(ShareableLink::on(call, domain, path))
}

/// Returns the QR code of an audience's link as SVG.
///
/// The code is the shareable link, with the margin that readers need. About 15 % of it may be damaged. Where access is
/// `signed`, the code stops working when the link expires.
#[endpoint]
pub(crate) async fn get_audience_link_qr_svg(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    Query(wanted): Query<LinkDomain>,
) -> Result<Picture<Svg>> {
    Picture::<Svg>::of(&shareable(&call, page_id, audience_id, wanted).await?.url)
}

/// Returns the QR code of an audience's link as PNG.
///
/// The code is the shareable link, black on white, 16 pixels a module. For print at any size take the SVG.
#[endpoint]
pub(crate) async fn get_audience_link_qr_png(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    Query(wanted): Query<LinkDomain>,
) -> Result<Picture<Png>> {
    Picture::<Png>::of(&shareable(&call, page_id, audience_id, wanted).await?.url)
}

/// Who may open the page of a person or an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "access": "signed", "renew": false }))]
pub(crate) struct SetAccessRequest {
    /// `open` at an address made from the name, `unguessable` at an address with a random part, `signed` only
    /// by a link that expires. `null` means the tenant's setting for persons, and `open` for accounts.
    #[schemars(schema_with = "nullable_access")]
    access: Option<PageAccess>,
    /// Whether the page gets a new unguessable address. Signed links are revoked by it.
    #[serde(default)]
    renew: bool,
}

/// The schema of a field that must be there and may be null. It is one list, so that whoever sends another value is told the right ones.
fn nullable_access(_: &mut SchemaGenerator) -> Schema {
    let words = PageAccess::ALL.map(|access| json!(access.as_str()));
    let values = [words.as_slice(), &[Value::Null]].concat();
    json_schema!({ "type": ["string", "null"], "enum": values })
}

/// Who may open the page of a person or an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
#[schemars(example = json!({
    "access": "signed",
    "effectiveAccess": "signed",
    "path": "/spring-launch/ada-lovelace-7k2m9x4p1q",
}))]
pub(crate) struct AudienceAccess {
    /// What is set for the audience, or `null`.
    access: Option<PageAccess>,
    /// What applies.
    effective_access: PageAccess,
    /// Path of the page's address. Where access is `signed` it opens nothing without the signature that the
    /// audience's link carries.
    path: String,
}

/// Sets who may open the page of a person or an account.
///
/// With `access` `null` the tenant's setting applies to the page of a person, and `open` to that of an
/// account. `renew` gives the page a new unguessable address; the old one shows nothing from then on.
/// `renew` and a change of the effective access revoke the links that were signed before. The change is
/// recorded in the audit. Fails with 409 if the audience belongs to neither a person nor an account.
#[endpoint]
pub(crate) async fn set_audience_access(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    Body(wanted): Body<SetAccessRequest>,
) -> Result<Reply<AudienceAccess>> {
    call.change(move |tx, ctx| {
        let wanted = AccessChange { access: wanted.access, renew: wanted.renew };
        access::set(tx, ctx, (&page_id, &audience_id), wanted)?;
        let found = audiences::find(tx, ctx, &page_id, &audience_id)?;
        Ok(AudienceAccess {
            access: found.listed.audience.access,
            effective_access: found.listed.access(),
            path: format!("/{}/{}", found.page_slug, found.listed.address()),
        })
    })
    .await
}

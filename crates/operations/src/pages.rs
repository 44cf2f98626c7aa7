//! Pages: created, changed, put away, deleted and brought back.
//!
//! A page's slug is fixed when it is made and stays taken for ever, deletion included. Its name is searchable and it counts
//! in the tenant's total exactly as long as it is not deleted.

use pagesmith_model::json::JsonText;
use pagesmith_model::link::{FillIds, FooterLinkGroup, NavEntry};
use pagesmith_model::link_block::LinkBlockKind;
use pagesmith_model::page::action::{self, Action, ActionInput};
use pagesmith_model::page::metadata::{Metadata, MetadataInput};
use pagesmith_model::page::{NewPage, Page, PagePatch, Tally};
use pagesmith_model::{ActionId, Error, Issue, IssueCode, PageId, PageLinkId, Result, slug};
use pagesmith_store::Tx;
use pagesmith_store::tables::{counters, pages, site};

use crate::context::{Context, TenantContext};
use crate::precondition::Precondition;
use crate::{link_blocks, soft_deletion};

/// What a page without a usable name is called in its address.
const NAMELESS: &str = "page";

/// A page that is to be made, as far as that needs no transaction: transactions of the embedded database run one after the other.
#[derive(Debug, Clone)]
pub struct PreparedPage {
    page: Page,
    issues: Vec<Issue>,
}

/// Prepares a page: its ids, its slug, its JSON.
pub fn prepare(ctx: &TenantContext, new: NewPage) -> Result<PreparedPage> {
    let mut issues = action::duplicate_ids(&new.actions);
    let actions = keep_actions(ctx, &new.actions)?;
    issues.extend(unknown_header_action(&actions, new.header_action_id.as_deref()));
    let title = new.metadata.as_ref().and_then(|metadata| metadata.title.as_deref());
    let page = Page {
        page_id: PageId::mint(ctx.uuid()?),
        title: Page::title_of(&new.name, title),
        slug: slug::slugify(&new.name, NAMELESS),
        name: new.name,
        page_context: new.page_context,
        page_type: new.page_type,
        brand_id: new.brand_id,
        actions: JsonText::of(&actions)?,
        action_card_widgets: JsonText::of(&new.action_card_widgets)?,
        scripts: JsonText::of(&new.scripts)?,
        footer_links: keep_footer_links(ctx, new.footer_links)?,
        nav_links: keep_nav_links(ctx, new.nav_links)?,
        footer_link_block_id: new.footer_link_block_id,
        nav_link_block_id: new.nav_link_block_id,
        shared_footer_links: None,
        shared_nav_links: None,
        header_action_id: new.header_action_id,
        metadata: keep_metadata(new.metadata)?,
        created_at: ctx.now,
        updated_at: ctx.now,
        archived_at: None,
        deleted_at: None,
        audiences: Tally::default(),
        is_home: false,
    };
    Ok(PreparedPage { page, issues })
}

/// Makes a page.
pub fn create(tx: &mut Tx<'_>, ctx: &TenantContext, prepared: &PreparedPage) -> Result<Page> {
    let PreparedPage { mut page, mut issues } = prepared.clone();
    page.shared_footer_links = shared(tx, ctx, FOOTER, page.footer_link_block_id.as_deref(), &mut issues)?;
    page.shared_nav_links = shared(tx, ctx, NAVIGATION, page.nav_link_block_id.as_deref(), &mut issues)?;
    if !issues.is_empty() {
        return Err(Error::invalid(issues));
    }
    for wished in slug::wished(&prepared.page.slug, prepared.page.page_id.as_str()) {
        page.slug = wished;
        if tx.run(pages::insert(&ctx.tenant, &page))? == 0 {
            continue;
        }
        show(tx, ctx, &page)?;
        return Ok(page);
    }
    Err(Error::internal("no free slug"))
}

/// The page that was found; 404 if there is none, or it is deleted.
pub fn present(found: Option<Page>) -> Result<Page> {
    soft_deletion::present(found)
}

/// The page, unless it is deleted.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext, page_id: &PageId) -> Result<Page> {
    present(pages::find(tx, &ctx.tenant, page_id)?)
}

/// Changes the fields that are given.
pub fn update(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    patch: &PagePatch,
    precondition: &Precondition<Page>,
) -> Result<Page> {
    let before = find(tx, ctx, page_id)?;
    precondition.check(&before)?;
    let mut page = patched(tx, ctx, &before, patch)?;
    if page == before {
        return Ok(before);
    }
    page.updated_at = ctx.now;
    let mut changes = vec![pages::update(&ctx.tenant, &page)];
    if page.name != before.name {
        changes.push(pages::names::update(&ctx.tenant, page_id, &page.name));
    }
    tx.change(changes)?;
    Ok(page)
}

/// The page as the patch makes it.
fn patched(tx: &mut Tx<'_>, ctx: &TenantContext, before: &Page, patch: &PagePatch) -> Result<Page> {
    let mut page = before.clone();
    let mut issues = Vec::new();
    if let Some(id) = &patch.footer_link_block_id {
        page.shared_footer_links = shared(tx, ctx, FOOTER, id.as_deref(), &mut issues)?;
        page.footer_link_block_id.clone_from(id);
    }
    if let Some(id) = &patch.nav_link_block_id {
        page.shared_nav_links = shared(tx, ctx, NAVIGATION, id.as_deref(), &mut issues)?;
        page.nav_link_block_id.clone_from(id);
    }
    if let Some(inputs) = &patch.actions {
        issues.extend(action::duplicate_ids(inputs));
        page.actions = JsonText::of(&keep_actions(ctx, inputs)?)?;
    }
    if patch.actions.is_some() || patch.header_action_id.is_some() {
        let actions: Vec<Action> = serde_json::from_str(page.actions.as_str()).map_err(Error::internal)?;
        match &patch.header_action_id {
            Some(wanted) => {
                issues.extend(unknown_header_action(&actions, wanted.as_deref()));
                page.header_action_id.clone_from(wanted);
            }
            None if !has_action(&actions, page.header_action_id.as_deref()) => page.header_action_id = None,
            None => {}
        }
    }
    if !issues.is_empty() {
        return Err(Error::invalid(issues));
    }
    if let Some(name) = &patch.name {
        page.name.clone_from(name);
    }
    if let Some(metadata) = &patch.metadata {
        page.metadata = keep_metadata(Some(metadata.clone()))?;
    }
    if patch.name.is_some() || patch.metadata.is_some() {
        page.title = title_of(&page)?;
    }
    if let Some(page_context) = &patch.page_context {
        page.page_context.clone_from(page_context);
    }
    if let Some(brand_id) = &patch.brand_id {
        page.brand_id.clone_from(brand_id);
    }
    page.page_type = patch.page_type.unwrap_or(page.page_type);
    if let Some(widgets) = &patch.action_card_widgets {
        page.action_card_widgets = JsonText::of(widgets)?;
    }
    if let Some(scripts) = &patch.scripts {
        page.scripts = JsonText::of(scripts)?;
    }
    if let Some(groups) = &patch.footer_links {
        page.footer_links = keep_footer_links(ctx, groups.clone())?;
    }
    if let Some(entries) = &patch.nav_links {
        page.nav_links = keep_nav_links(ctx, entries.clone())?;
    }
    Ok(page)
}

/// Puts a page away; again changes nothing.
pub fn archive(tx: &mut Tx<'_>, ctx: &TenantContext, page_id: &PageId) -> Result<Page> {
    let page = find(tx, ctx, page_id)?;
    if page.archived_at.is_some() {
        return Ok(page);
    }
    set_state(tx, ctx, Page { archived_at: Some(ctx.now), ..page })
}

/// Deletes a page; again changes nothing.
pub fn delete(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    precondition: &Precondition<Page>,
) -> Result<()> {
    let found = pages::find(tx, &ctx.tenant, page_id)?;
    let Some(page) = soft_deletion::delete(found, ctx.now, precondition)? else { return Ok(()) };
    set_state(tx, ctx, page)?;
    let shard = tx.shard();
    tx.batch(vec![
        site::touch_home(&ctx.tenant, page_id, ctx.now),
        pages::names::remove(&ctx.tenant, page_id),
        counters::add(&ctx.tenant, counters::PAGES, shard, -1),
    ])?;
    Ok(())
}

/// Brings a page back, archived or deleted as it may be; one that is neither is left as it is.
pub fn restore(tx: &mut Tx<'_>, ctx: &TenantContext, page_id: &PageId) -> Result<Page> {
    let page = soft_deletion::any(pages::find(tx, &ctx.tenant, page_id)?)?;
    if page.archived_at.is_none() && page.deleted_at.is_none() {
        return Ok(page);
    }
    let was_deleted = page.deleted_at.is_some();
    let page = set_state(tx, ctx, Page { archived_at: None, deleted_at: None, ..page })?;
    if was_deleted {
        show(tx, ctx, &page)?;
        tx.run(site::touch_home(&ctx.tenant, page_id, ctx.now))?;
    }
    Ok(page)
}

/// Lets a page show in lists, searches and the total.
fn show(tx: &mut Tx<'_>, ctx: &TenantContext, page: &Page) -> Result<()> {
    let shard = tx.shard();
    tx.change(vec![
        pages::names::insert(&ctx.tenant, &page.page_id, &page.name),
        counters::add(&ctx.tenant, counters::PAGES, shard, 1),
    ])
}

fn set_state(tx: &mut Tx<'_>, ctx: &TenantContext, page: Page) -> Result<Page> {
    let page = Page { updated_at: ctx.now, ..page };
    tx.run(pages::set_state(&ctx.tenant, &page))?;
    Ok(page)
}

fn keep_actions(ctx: &Context, inputs: &[ActionInput]) -> Result<Vec<Action>> {
    let mut mint = || ctx.uuid().map(ActionId::mint);
    inputs.iter().enumerate().map(|(index, input)| input.keep(index, &mut mint)).collect()
}

fn keep_footer_links(ctx: &Context, mut groups: Vec<FooterLinkGroup>) -> Result<JsonText> {
    groups.fill_ids(&mut || ctx.uuid().map(PageLinkId::mint))?;
    JsonText::of(&groups)
}

fn keep_nav_links(ctx: &Context, mut entries: Vec<NavEntry>) -> Result<JsonText> {
    entries.fill_ids(&mut || ctx.uuid().map(PageLinkId::mint))?;
    JsonText::of(&entries)
}

fn keep_metadata(metadata: Option<MetadataInput>) -> Result<Option<JsonText>> {
    metadata.map(|metadata| JsonText::of(&Metadata::from(metadata))).transpose()
}

fn title_of(page: &Page) -> Result<String> {
    let Some(metadata) = &page.metadata else { return Ok(page.name.clone()) };
    let metadata: Metadata = serde_json::from_str(metadata.as_str()).map_err(Error::internal)?;
    Ok(Page::title_of(&page.name, metadata.title.as_deref()))
}

/// The fields that name link blocks, each with the kind of its block.
const FOOTER: (&str, LinkBlockKind) = ("footerLinkBlockId", LinkBlockKind::Footer);
const NAVIGATION: (&str, LinkBlockKind) = ("navLinkBlockId", LinkBlockKind::Navigation);

/// The links of the block that a field names; an issue if there is none.
fn shared(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    field: (&str, LinkBlockKind),
    id: Option<&str>,
    issues: &mut Vec<Issue>,
) -> Result<Option<JsonText>> {
    let Some(id) = id else { return Ok(None) };
    Ok(match link_blocks::find_named(tx, ctx, field, id)? {
        Ok(block) => Some(block.links),
        Err(issue) => {
            issues.push(issue);
            None
        }
    })
}

fn has_action(actions: &[Action], id: Option<&str>) -> bool {
    id.is_none_or(|id| actions.iter().any(|action| action.id() == id))
}

fn unknown_header_action(actions: &[Action], id: Option<&str>) -> Option<Issue> {
    if has_action(actions, id) {
        return None;
    }
    let message = format!("headerActionId: the page has no action '{}'.", id.unwrap_or_default());
    Some(Issue::body(IssueCode::UnknownReference, &["headerActionId"], message))
}

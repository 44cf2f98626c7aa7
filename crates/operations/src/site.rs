//! What the addresses of a tenant's site lead to.
//!
//! [`resolve`] is cheap and asked again and again: its [`SiteTarget`] changes whenever anything changes that the page shows. [`read`] gets
//! everything that a page is drawn from, in one transaction, and [`PageParts::open`] reads it. Invariant: nothing is shown of a page
//! or an audience that is archived, deleted or not published.

use std::collections::{HashMap, HashSet};

use pagesmith_model::audience::Audience;
use pagesmith_model::brand::Brand;
use pagesmith_model::content::Content;
use pagesmith_model::form::FormContent;
use pagesmith_model::json::JsonText;
use pagesmith_model::link::{FooterLinkGroup, NavEntry};
use pagesmith_model::page::Page;
use pagesmith_model::page::action::Action;
use pagesmith_model::page::metadata::Metadata;
use pagesmith_model::page::script::Script;
use pagesmith_model::page::widget::ActionCardWidget;
use pagesmith_model::question::PageQuestionSettings;
use pagesmith_model::site::SiteSettings;
use pagesmith_model::{AudienceId, Error, PageId, Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::site::targets::{self, SiteTarget};
use pagesmith_store::tables::{audiences, brands, forms, pages, tenant_domains, versions};

use crate::assets::shown::ShownAssets;
use crate::brands::pictures::LookPictures;
use crate::context::Context;
use crate::files::logos::Logos;
use crate::files::pictures::{self, Pictures};
use crate::files::shown::{self, OwnPicture};
use crate::questions;
use crate::questions::settings::Effective;

pub mod access;
pub(crate) mod address;
pub mod links;
pub mod previews;
pub mod settings;

pub use address::{Address, Resolution};

/// What an address leads to now.
pub fn resolve(tx: &mut Tx<'_>, ctx: &Context, tenant: &TenantId, address: &Address) -> Result<Resolution> {
    let target = match address {
        Address::Home => targets::at_home(tx, tenant)?,
        Address::Page(page) => targets::oldest_published(tx, tenant, page)?,
        Address::Audience(page, audience) | Address::Signed { page, audience, .. } => {
            targets::find_by_slug(tx, tenant, page, audience)?
        }
    };
    if let Some(target) = &target
        && let Some(refusal) = access::refusal(ctx, tenant, address, target)?
    {
        return Ok(refusal);
    }
    Ok(match target {
        None => Resolution::Nothing,
        Some(target) if target.is_gone => Resolution::Gone,
        Some(target) if target.version_id.is_none() => Resolution::NotPublished,
        Some(target) => Resolution::Published(target),
    })
}

/// What a page is drawn from, as it is kept.
#[derive(Debug, Clone)]
pub struct PageParts {
    pub(crate) page: Page,
    pub(crate) audience: Audience,
    pub(crate) content: JsonText,
    /// What the tenant decided about its site, without a brand.
    pub settings: SiteSettings,
    /// The tenant's default domain, if it has one.
    pub default_domain: Option<String>,
    /// The page's brand: the one that it names, else the tenant's default.
    pub brand: Option<Brand>,
    /// The pictures of its look that are assets.
    pub look_pictures: LookPictures,
    /// The pictures that the metadata of the page and the audience names.
    pub(crate) pictures: Pictures,
    /// The logos that its widgets name by ids.
    pub(crate) logos: Logos,
    /// The pictures of its content and its widgets that are the tenant's own.
    pub own_pictures: Vec<OwnPicture>,
    /// The assets that the content names.
    pub(crate) assets: ShownAssets,
    /// The forms that its actions name.
    pub(crate) forms: HashMap<String, FormContent>,
    /// The actions as the audience has them.
    pub(crate) actions: Vec<Action>,
    /// What holds for questions on the page.
    pub(crate) questions: Effective,
}

/// What is shown at an address, and what it is drawn from; or what there is instead.
type Read = Result<(SiteTarget, Box<PageParts>), Resolution>;

/// The parts of the page at an address, if one is shown there.
pub fn read(tx: &mut Tx<'_>, ctx: &Context, tenant: &TenantId, address: &Address) -> Result<Read> {
    let target = match resolve(tx, ctx, tenant, address)? {
        Resolution::Published(target) => target,
        other => return Ok(Err(other)),
    };
    let (Some(audience_id), Some(version_id)) = (&target.audience_id, &target.version_id) else {
        return Ok(Err(Resolution::NotPublished));
    };
    let missing = |what: &str| Error::internal(format!("a published page without its {what}"));
    let page = pages::find(tx, tenant, &target.page_id)?.ok_or_else(|| missing("row"))?;
    let audience = audiences::find(tx, tenant, &target.page_id, audience_id)?;
    let audience = audience.ok_or_else(|| missing("audience"))?;
    let content = versions::contents::find(tx, tenant, version_id)?.ok_or_else(|| missing("content"))?;
    let parts = PageParts::with(tx, tenant, page, audience, content)?;
    Ok(Ok((target, Box::new(parts))))
}

/// The forms that actions name, by their ids.
fn forms_of(tx: &mut Tx<'_>, tenant: &TenantId, actions: &[Action]) -> Result<HashMap<String, FormContent>> {
    let named = actions.iter().filter_map(|action| match action {
        Action::Form(action) => Some(action.form_id.as_str()),
        _ => None,
    });
    let named: Vec<&str> = named.collect::<HashSet<_>>().into_iter().collect();
    let found = forms::find_many(tx, tenant, &named)?;
    Ok(found.into_iter().map(|form| (form.form_id.into_string(), form.content)).collect())
}

/// What a page is drawn from.
#[derive(Debug, Clone)]
pub struct Opened {
    /// What it says to visitors.
    pub content: Content,
    /// What the page is called.
    pub name: String,
    /// The page's part of the address.
    pub slug: String,
    /// The audience's part.
    pub audience_slug: String,
    /// The actions as the audience has them.
    pub actions: Vec<Action>,
    /// The forms that they name, by their ids.
    pub forms: HashMap<String, FormContent>,
    /// The action in the header.
    pub header_action_id: Option<String>,
    /// The field for questions, if the page has it.
    pub questions: Option<PageQuestionSettings>,
    /// The navigation.
    pub nav: Vec<NavEntry>,
    /// The links in the footer.
    pub footer: Vec<FooterLinkGroup>,
    /// The widgets of the action card.
    pub widgets: Vec<ActionCardWidget>,
    /// The page's own scripts.
    pub scripts: Vec<Script>,
    /// What is said of the page.
    pub metadata: Option<Metadata>,
    /// What is said of it for the audience, and wins.
    pub metadata_override: Option<Metadata>,
    /// Whether it is one person's or account's own page.
    pub is_personal: bool,
    /// The page's id.
    pub page_id: PageId,
    /// The audience's id.
    pub audience_id: AudienceId,
}

impl PageParts {
    /// The parts of a page for an audience, with what other tables have of it.
    fn with(
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        page: Page,
        audience: Audience,
        content: JsonText,
    ) -> Result<PageParts> {
        let settings = settings::without_brand(tx, tenant)?;
        let brand = brands::of_page(tx, tenant, &page.brand_id)?;
        let look_pictures = match &brand {
            Some(brand) => LookPictures::find(tx, tenant, &brand.look)?,
            None => LookPictures::default(),
        };
        let default_domain = tenant_domains::default_domain(tx, tenant)?;
        let metadata = page.metadata.iter().chain(&audience.metadata_override);
        let pictures = Pictures::find(tx, tenant, &pictures::named_by(metadata)?)?;
        let texts = [content.as_str(), page.action_card_widgets.as_str()];
        let mut own_pictures = shown::named_in(tx, tenant, texts)?;
        let (logos, mut files) = Logos::find(tx, tenant, &page.action_card_widgets)?;
        let (assets, of_assets) = ShownAssets::of(tx, tenant, &content)?;
        files.extend(of_assets);
        own_pictures.extend(shown::of_files(tx, tenant, files)?);
        let actions = audience.overrides.apply(page.actions.read()?);
        let forms = forms_of(tx, tenant, &actions)?;
        let questions = questions::settings::effective(tx, tenant, &page.page_id)?;
        Ok(PageParts {
            page,
            audience,
            content,
            settings,
            default_domain,
            brand,
            look_pictures,
            pictures,
            logos,
            assets,
            own_pictures,
            forms,
            actions,
            questions,
        })
    }

    /// Reads what is kept as JSON; `address` makes addresses of paths of the site.
    pub fn open(self, address: impl Fn(&str) -> String) -> Result<Opened> {
        let PageParts {
            page,
            audience,
            content,
            settings,
            pictures,
            logos,
            assets,
            forms,
            actions,
            questions,
            ..
        } = self;
        let mut widgets: Vec<ActionCardWidget> = page.action_card_widgets.read()?;
        logos.fill(&mut widgets, &address);
        let metadata = |kept: Option<&JsonText>| {
            let mut metadata: Option<Metadata> = kept.map(JsonText::read).transpose()?;
            metadata.iter_mut().for_each(|metadata| pictures.fill(metadata, &address));
            Ok::<_, Error>(metadata)
        };
        let mut content: Content = content.read()?;
        // Everything here is for visitors, and this is for the page's owner.
        content.head.unapplied_instructions.clear();
        content.head.sources.clear();
        assets.fill(&mut content, &address);
        Ok(Opened {
            content,
            actions,
            forms,
            questions: questions.is_shown().then_some(questions.page),
            nav: page.shown_nav_links().read()?,
            footer: page.shown_footer_links().read()?,
            widgets,
            scripts: page.scripts.read()?,
            metadata: metadata(page.metadata.as_ref())?,
            metadata_override: metadata(audience.metadata_override.as_ref())?,
            is_personal: audience.is_own(),
            page_id: page.page_id,
            audience_id: audience.audience_id.clone(),
            name: page.name,
            slug: page.slug,
            audience_slug: audience.address(settings.person_page_access).to_owned(),
            header_action_id: page.header_action_id,
        })
    }
}

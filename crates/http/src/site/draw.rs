//! A page, drawn and made ready to be sent.

use axum::http::{HeaderValue, header};
use pagesmith_model::Result;
use pagesmith_model::brand::{Brand, LegalLink};
use pagesmith_model::form::FormContent;
use pagesmith_model::picture::Variant;
use pagesmith_model::site::{Consent, SiteSettings};
use pagesmith_model::tenant::Tenant;
use pagesmith_model::version::Version;
use pagesmith_operations::files::addresses;
use pagesmith_operations::files::shown::OwnPicture;
use pagesmith_operations::site::previews::Ticket;
use pagesmith_operations::site::{Address, Opened, PageParts};
use pagesmith_render::{
    AskView, Defaults, FrameAncestors, Head, KnownPicture, KnownPictures, Language, Measured, PageView,
    Preview, Source, Theme,
};

use crate::hosts::{canonical_address, site_address};
use crate::site::answer::ROBOTS;
use crate::site::measure::view_of;
use crate::site_cache::Finished;
use crate::state::Settings;
use crate::theme::theme_with;

/// What its owner calls the site.
pub(crate) fn given_name(settings: &SiteSettings) -> Option<&str> {
    visible(settings.site_name.as_deref())
}

/// What the site is called where no page is shown. A tenant whose name is its slug has none for visitors.
pub(crate) fn name_without_page<'a>(settings: &'a SiteSettings, tenant: &'a Tenant) -> &'a str {
    given_name(settings).unwrap_or(if tenant.name == tenant.slug { "" } else { &tenant.name })
}

/// What the site is called on a page: as its brand says, else its owner, else the content, else like the page.
fn name_on<'a>(page: &'a Opened, surroundings: &'a Surroundings) -> &'a str {
    let of_brand = surroundings.brand.as_ref().and_then(|brand| visible(brand.site_name.as_deref()));
    of_brand
        .or_else(|| given_name(&surroundings.settings))
        .or_else(|| visible(page.content.head.site_name.as_deref()))
        .unwrap_or(&page.name)
}

fn visible(name: Option<&str>) -> Option<&str> {
    name.filter(|name| !name.trim().is_empty())
}

/// What is around a page's content and is not the page's own.
struct Surroundings {
    settings: SiteSettings,
    brand: Option<Brand>,
    /// How the page looks.
    theme: Theme,
    /// What is known of the page's pictures.
    pictures: KnownPictures,
}

impl Surroundings {
    /// What is around the page of these parts; `address` makes addresses of paths of the site.
    fn of(parts: &PageParts, address: impl Fn(&str) -> String) -> Surroundings {
        let mut pictures = KnownPictures::default();
        for own in &parts.own_pictures {
            pictures.add(addresses::lasting(&own.file), known(own, &address));
        }
        let theme = parts
            .brand
            .as_ref()
            .map(|brand| theme_with(&brand.look, &brand.fonts, &parts.look_pictures, &address));
        Surroundings {
            settings: parts.settings.clone(),
            brand: parts.brand.clone(),
            theme: theme.unwrap_or_default(),
            pictures,
        }
    }

    fn legal_links(&self) -> &[LegalLink] {
        self.brand.as_ref().map_or(&[], |brand| &brand.legal_links)
    }
}

/// A picture of the tenant's own, as pages draw it. One that moves is shown as it is.
fn known(own: &OwnPicture, address: impl Fn(&str) -> String) -> KnownPicture {
    let picture = &own.picture;
    let sources = |variants: &[Variant]| {
        let shown = variants.iter().filter(|_| !picture.is_animated);
        let source = |variant: &Variant| Source {
            url: address(&addresses::of_variant(&own.file.file_id, variant)),
            width: variant.width,
        };
        shown.map(source).collect()
    };
    KnownPicture {
        sources: sources(&picture.variants),
        avifs: sources(&picture.avifs),
        width: picture.width,
        height: picture.height,
        colour: picture.colour,
        placeholder: picture.placeholder.clone(),
    }
}

/// Draws the page of these parts for its address.
pub(crate) fn draw(
    settings: &Settings,
    tenant: &Tenant,
    address: &Address,
    parts: PageParts,
) -> Result<Finished> {
    let default_domain = parts.default_domain.clone();
    let address_of = |path: &str| canonical_address(settings, &tenant.slug, default_domain.as_deref(), path);
    let site = Surroundings::of(&parts, address_of);
    let page = parts.open(address_of)?;
    // The home page is where its own link says; the root only shows it.
    let path = match address {
        Address::Home | Address::Page(_) => format!("/{}", page.slug),
        Address::Audience(..) | Address::Signed { .. } => format!("/{}/{}", page.slug, page.audience_slug),
    };
    let here = address_of(&path);
    // The address of a signed link is a secret, and opens nothing without its signature.
    let is_signed = matches!(address, Address::Signed { .. });
    let mut head = head_of(&page, name_on(&page, &site), (!is_signed).then_some(here.as_str()));
    if is_signed {
        head.robots = vec!["noindex".to_owned(), "nofollow".to_owned()];
    }
    let mut drawn = finish(&page, &site, &head, None, &FrameAncestors::Nobody)?;
    if page.is_personal {
        drawn.headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    }
    if !head.is_indexable() {
        drawn.headers.insert(ROBOTS, HeaderValue::from_static("noindex"));
    }
    if is_signed {
        close(&mut drawn);
    }
    Ok(drawn)
}

/// Has nobody keep, index or tell others of a page whose address is a secret that ends.
fn close(drawn: &mut Finished) {
    let headers = &mut drawn.headers;
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(ROBOTS, HeaderValue::from_static("noindex, nofollow"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
}

/// Draws a version for whoever has the link to its preview. The page's own scripts are left out: it is no visit.
pub(crate) fn draw_preview(
    settings: &Settings,
    tenant: &Tenant,
    (version, ticket): (&Version, &Ticket),
    parts: PageParts,
) -> Result<Finished> {
    let address_of = |path: &str| site_address(settings, &tenant.slug, path);
    let site = Surroundings::of(&parts, address_of);
    let mut page = parts.open(address_of)?;
    page.scripts.clear();
    let mut head = head_of(&page, name_on(&page, &site), None);
    head.robots = vec!["noindex".to_owned(), "nofollow".to_owned()];
    let until = ticket.expires_at.to_string();
    // Owners see previews in the console, which is another origin.
    let frames = FrameAncestors::Origins(vec![settings.console_url().to_owned()]);
    let preview = Preview { number: version.life.number, until: &until, console: settings.console_url() };
    let mut drawn = finish(&page, &site, &head, Some(preview), &frames)?;
    close(&mut drawn);
    Ok(drawn)
}

/// Draws a form as its page would, for the console.
pub(crate) fn draw_form_preview(
    settings: &Settings,
    content: &FormContent,
    (site_name, theme): (&str, &Theme),
    language: Option<&str>,
) -> Result<Finished> {
    let frames = FrameAncestors::Origins(vec![settings.console_url().to_owned()]);
    let rendered =
        pagesmith_render::form_preview(content, site_name, theme, &Language::of(language), &frames);
    let mut drawn = Finished::new(rendered.html, &rendered.content_security_policy)?;
    close(&mut drawn);
    Ok(drawn)
}

fn head_of(page: &Opened, site_name: &str, url: Option<&str>) -> Head {
    let defaults = Defaults { page_name: &page.name, site_name, url, is_personal: page.is_personal };
    Head::resolve(page.metadata.as_ref(), page.metadata_override.as_ref(), &page.content, &defaults)
}

fn finish(
    page: &Opened,
    site: &Surroundings,
    head: &Head,
    preview: Option<Preview<'_>>,
    frame_ancestors: &FrameAncestors,
) -> Result<Finished> {
    let rendered = pagesmith_render::page(&PageView {
        content: &page.content,
        head,
        actions: &page.actions,
        forms: &page.forms,
        header_action_id: page.header_action_id.as_deref(),
        nav: &page.nav,
        footer: &page.footer,
        legal_links: site.legal_links(),
        widgets: &page.widgets,
        scripts: &page.scripts,
        needs_consent: site.settings.consent == Consent::Ask,
        theme: &site.theme,
        pictures: &site.pictures,
        site_name: name_on(page, site),
        home_url: site.settings.home_page_id.is_some().then_some("/"),
        preview,
        // A preview is no visit.
        measured: preview
            .is_none()
            .then_some(Measured { page_id: page.page_id.as_str(), audience_id: page.audience_id.as_str() }),
        ask: page.questions.as_ref().map(|questions| AskView {
            heading: questions.heading.as_deref(),
            action_id: questions
                .offered(&page.actions, page.header_action_id.as_deref())
                .map(|(_, action)| action.id()),
        }),
        frame_ancestors,
    });
    let mut drawn = Finished::new(rendered.html, &rendered.content_security_policy)?;
    drawn.about = view_of(&page.page_id, &page.audience_id);
    Ok(drawn)
}

#[cfg(test)]
mod tests {
    use pagesmith_model::Timestamp;
    use pagesmith_model::id::TenantId;

    use super::*;

    #[test]
    fn a_slug_is_no_name() {
        let mut tenant = Tenant {
            tenant_id: TenantId::parse("tenant_00000000000000000000000000").unwrap(),
            name: "acme".to_owned(),
            slug: "acme".to_owned(),
            default_region: None,
            created_at: Timestamp::from_micros(0),
            suspended_at: None,
            resumed_at: None,
        };
        let mut settings = SiteSettings::default();
        assert_eq!(name_without_page(&settings, &tenant), "");
        tenant.name = "Acme".to_owned();
        assert_eq!(name_without_page(&settings, &tenant), "Acme");
        settings.site_name = Some(" ".to_owned());
        assert_eq!(name_without_page(&settings, &tenant), "Acme");
        settings.site_name = Some("Acme Robotics".to_owned());
        assert_eq!(name_without_page(&settings, &tenant), "Acme Robotics");
    }
}

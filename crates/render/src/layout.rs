//! What is around a page's content: its header with navigation, and its footer.

use maud::{Markup, html};
use pagesmith_model::brand::LegalLink;
use pagesmith_model::content::address;
use pagesmith_model::link::{FooterLinkGroup, LinkItem, NavEntry};

use crate::action;
use crate::draw::Draw;
use crate::escape::said;
use crate::theme::Theme;

/// Whose site it is, and where its first page is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site<'a> {
    pub name: &'a str,
    pub home_url: Option<&'a str>,
    pub theme: &'a Theme,
}

/// The header.
pub(crate) fn header(
    site: Site<'_>,
    nav: &[NavEntry],
    header_action_id: Option<&str>,
    page: &Draw<'_>,
) -> Markup {
    let name = html! {
        @match &site.theme.logo {
            Some(logo) => img src=(logo.url()) alt=(said(Some(&logo.alt_text)).unwrap_or(site.name)) height="32" width="160" decoding="async";,
            None => span dir="auto" { (site.name) },
        }
    };
    let entries: Vec<Markup> = nav.iter().filter_map(|entry| entry_of(entry, page)).collect();
    html! {
        header class="top" {
            div class="wrap" {
                @match site.home_url.filter(|url| address::is_linked(url)) {
                    Some(url) => a class="name" href=(url) { (name) },
                    None => div class="name" { (name) },
                }
                @if !entries.is_empty() {
                    nav aria-label=(page.words.navigation) { ul { @for entry in &entries { li { (entry) } } } }
                }
                @if let Some(button) = header_action_id.and_then(|id| page.action(id))
                    .and_then(|action| action::button(action, "button small", page)) { (button) }
            }
        }
    }
}

fn entry_of(entry: &NavEntry, page: &Draw<'_>) -> Option<Markup> {
    match entry {
        NavEntry::Link(entry) => link(&entry.text, &entry.url, page),
        NavEntry::Other(entry) => link(entry.text.as_deref()?, entry.url.as_deref()?, page),
        NavEntry::Group(group) => {
            let links = links(&group.links, page)?;
            let title = said(Some(&group.title))?;
            Some(html! { details name="ps-nav" { summary dir="auto" { (title) } (links) } })
        }
    }
}

fn links(items: &[LinkItem], page: &Draw<'_>) -> Option<Markup> {
    let drawn: Vec<Markup> = items.iter().filter_map(|item| link(&item.text, &item.url, page)).collect();
    (!drawn.is_empty()).then(|| html! { ul { @for one in &drawn { li { (one) } } } })
}

fn link(text: &str, url: &str, page: &Draw<'_>) -> Option<Markup> {
    let text = said(Some(text))?;
    let is_elsewhere = address::is_fetched(url) && !page.is_ours(url);
    address::is_linked(url)
        .then(|| html! { a href=(url) dir="auto" rel=[is_elsewhere.then_some("noopener")] { (text) } })
}

/// The footer; `more` is at its end.
pub(crate) fn footer(
    site: Site<'_>,
    groups: &[FooterLinkGroup],
    legal_links: &[LegalLink],
    more: &Markup,
    page: &Draw<'_>,
) -> Markup {
    let legal: Vec<Markup> = legal_links.iter().filter_map(|one| link(&one.text, &one.url, page)).collect();
    let groups: Vec<(&str, Markup)> =
        groups.iter().filter_map(|group| Some((group.title.as_str(), links(&group.links, page)?))).collect();
    html! {
        footer {
            div class="wrap" {
                @if !groups.is_empty() {
                    nav aria-label=(page.words.footer) {
                        @for (title, links) in &groups {
                            div {
                                @if let Some(title) = said(Some(title)) { p class="label" dir="auto" { (title) } }
                                (links)
                            }
                        }
                    }
                }
                div class="last" { span dir="auto" { (site.name) } @for one in &legal { (one) } (more) }
            }
        }
    }
}

//! The shell around every screen: head, side navigation, title bar, main, and what waits out of sight.
//!
//! On a narrow screen the navigation is a popover of the browser's own, which opens and closes without script. The bare variant is
//! for screens before anybody is signed in.

use maud::{DOCTYPE, Markup, html};

use super::icon::{Icon, icon};
use super::navigation::{Area, GROUPS};
use super::palette;
use super::toast::{Toast, toasts};
use crate::assets;
use crate::words::Words;

/// How htmx is to behave: no style sheet of its own, which the policy forbids, and what somebody has opened stays open.
const HTMX_CONFIG: &str = r#"{"includeIndicatorCSS":false,"morphIgnore":["data-htmx-powered","open"]}"#;

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scheme {
    /// As the system is.
    #[default]
    System,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

impl Scheme {
    fn name(self) -> Option<&'static str> {
        match self {
            Scheme::System => None,
            Scheme::Light => Some("light"),
            Scheme::Dark => Some("dark"),
        }
    }
}

/// A tenant that somebody can work for.
#[derive(Debug, Clone, Copy)]
pub struct TenantLink<'a> {
    /// Its name.
    pub name: &'a str,
    /// Where its console is.
    pub href: &'a str,
}

/// Who is signed in.
#[derive(Debug, Clone, Copy)]
pub struct User<'a> {
    /// The name or, without one, the e-mail address.
    pub name: &'a str,
    /// The e-mail address.
    pub email: &'a str,
    /// What the menu leads to: texts and addresses.
    pub links: &'a [(&'a str, &'a str)],
    /// Where signing out is sent.
    pub sign_out: &'a str,
}

/// A screen above this one.
#[derive(Debug, Clone, Copy)]
pub struct Crumb<'a> {
    /// Its title.
    pub title: &'a str,
    /// Its address.
    pub href: &'a str,
}

/// Everything around a screen of somebody who is signed in.
#[derive(Debug, Clone)]
pub struct Shell<'a> {
    /// The language.
    pub words: Words,
    /// Light or dark.
    pub scheme: Scheme,
    /// The path that all areas stand below, without a slash at its end: `/console`.
    pub root: &'a str,
    /// The area that this screen belongs to.
    pub area: Option<Area>,
    /// The areas that this user may open.
    pub areas: &'a [Area],
    /// The tenant that is worked for.
    pub tenant: &'a str,
    /// The other tenants.
    pub tenants: &'a [TenantLink<'a>],
    /// Who is signed in.
    pub user: User<'a>,
    /// The screens above this one, the highest first, without the area.
    pub crumbs: &'a [Crumb<'a>],
    /// What this screen is called: its first heading.
    pub title: &'a str,
    /// Links and buttons beside the title.
    pub actions: Markup,
    /// What has just happened.
    pub toasts: &'a [Toast<'a>],
}

/// A whole screen within the shell.
pub fn screen(shell: &Shell<'_>, main: &Markup) -> Markup {
    let words = shell.words;
    let title = format!("{} · {}", shell.title, shell.tenant);
    let palette_url = format!("{}{}", shell.root, palette::PATH);
    let body = html! {
        (skip(words))
        div.shell {
            header.frame {
                div.top {
                    button.button.quiet type="button" popovertarget="side" { (icon(Icon::Menu)) (words.text("menu")) }
                    span.top-title dir="auto" { (shell.tenant) }
                    @if !shell.areas.is_empty() {
                        a.button.quiet href=(palette_url) data-palette-open aria-label=(words.text("palette-open")) {
                            (icon(Icon::Search))
                        }
                    }
                }
                div.side #side popover { (side(shell, &palette_url)) }
            }
            main.body #main tabindex="-1" {
                div.bar {
                    (crumbs(shell))
                    div.bar-line {
                        h1 { bdi { (shell.title) } }
                        div.actions { (shell.actions) }
                    }
                }
                div.content { (main) }
            }
        }
        (toasts(words, shell.toasts))
        (palette::palette(words, Some(palette_url.as_str()).filter(|_| !shell.areas.is_empty())))
        (palette::keys(words, shell.areas))
    };
    document(words, shell.scheme, &title, "", &body)
}

/// A screen without navigation, such as the one to sign in on.
pub fn bare_screen(
    words: Words,
    scheme: Scheme,
    title: &str,
    messages: &[Toast<'_>],
    main: &Markup,
) -> Markup {
    let body = html! {
        (skip(words))
        main.bare #main tabindex="-1" {
            p.brand { (mark()) "Pagesmith" }
            h1 { (title) }
            (main)
        }
        (toasts(words, messages))
    };
    document(words, scheme, &format!("{title} · Pagesmith"), "page-bare", &body)
}

/// A screen for somebody who has a link and no user: a title and what it leads to, as wide as a screen of the console.
pub fn public_screen(words: Words, scheme: Scheme, title: &str, main: &Markup) -> Markup {
    let body = html! {
        (skip(words))
        main.public #main tabindex="-1" {
            p.brand { (mark()) "Pagesmith" }
            h1 dir="auto" { (title) }
            (main)
        }
    };
    document(words, scheme, &format!("{title} · Pagesmith"), "page-public", &body)
}

fn document(words: Words, scheme: Scheme, title: &str, class: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(words.tag()) dir=(words.text("direction")) data-scheme=[scheme.name()] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content=(scheme.name().unwrap_or("light dark"));
                meta name="htmx-config" content=(HTMX_CONFIG);
                title { (title) }
                link rel="icon" href=(assets::url("mark.svg")) type="image/svg+xml";
                link rel="stylesheet" href=(assets::url("console.css"));
                script src=(assets::url("htmx.min.js")) defer {}
                script src=(assets::url("console.js")) defer {}
                script src=(assets::url("palette.js")) defer {}
            }
            body.(class) data-dismiss=(words.text("dismiss")) data-failed=(words.text("request-failed")) { (body) }
        }
    }
}

fn skip(words: Words) -> Markup {
    html! { a.skip href="#main" { (words.text("skip-to-content")) } }
}

/// The sign of the product.
fn mark() -> Markup {
    html! { img.mark src=(assets::url("mark.svg")) alt="" width="20" height="20"; }
}

fn side(shell: &Shell<'_>, palette_url: &str) -> Markup {
    let words = shell.words;
    html! {
        div.side-head {
            (tenant_switcher(shell))
            @if !shell.areas.is_empty() {
                a.find href=(palette_url) data-palette-open aria-keyshortcuts="Control+K Meta+K" {
                    (icon(Icon::Search)) span { (words.text("palette-open")) } kbd aria-hidden="true" data-mod="K" { "Ctrl K" }
                }
            }
        }
        nav.areas aria-label=(words.text("navigation")) {
            @for (heading, areas) in GROUPS {
                @let shown: Vec<Area> = areas.iter().copied().filter(|area| shell.areas.contains(area)).collect();
                @if !shown.is_empty() {
                    @if let Some(key) = heading { h2 { (words.text(key)) } }
                    ul {
                        @for area in shown {
                            li {
                                a href={ (shell.root) (area.path()) } aria-current=[(shell.area == Some(area)).then_some(
                                    if shell.crumbs.is_empty() { "page" } else { "true" })] data-key={ "g " (area.letter()) } {
                                    (icon(area.icon())) span { (words.text(area.key())) }
                                }
                            }
                        }
                    }
                }
            }
        }
        (user_menu(shell))
    }
}

fn tenant_switcher(shell: &Shell<'_>) -> Markup {
    let words = shell.words;
    html! {
        @if shell.tenants.is_empty() {
            p.switcher { (mark()) span.cut dir="auto" { (shell.tenant) } }
        } @else {
            details.menu {
                summary.switcher {
                    (mark()) span.unseen { (words.text("tenant")) ": " } span.cut dir="auto" { (shell.tenant) } (icon(Icon::Switch))
                }
                div.menu-panel {
                    p.menu-title { (words.text("tenant-switch")) }
                    ul {
                        @for tenant in shell.tenants { li { a.cut href=(tenant.href) dir="auto" { (tenant.name) } } }
                    }
                }
            }
        }
    }
}

fn user_menu(shell: &Shell<'_>) -> Markup {
    let (words, user) = (shell.words, shell.user);
    html! {
        details.menu.menu-up {
            summary.switcher {
                span.unseen { (words.text("user-menu")) ": " } span.cut dir="auto" { (user.name) } (icon(Icon::Switch))
            }
            div.menu-panel {
                p.menu-title.cut dir="auto" { (user.email) }
                ul {
                    @for (text, href) in user.links { li { a href=(href) { (text) } } }
                    li.scripted { button type="button" data-keys-open { (words.text("keys-title")) kbd aria-hidden="true" { "?" } } }
                    li { form method="post" action=(user.sign_out) { button type="submit" { (words.text("sign-out")) } } }
                }
            }
        }
    }
}

fn crumbs(shell: &Shell<'_>) -> Markup {
    let words = shell.words;
    let area = shell.area.filter(|area| !shell.crumbs.is_empty() || words.text(area.key()) != shell.title);
    html! {
        @if area.is_some() || !shell.crumbs.is_empty() {
            nav.crumbs aria-label=(words.text("breadcrumb")) {
                ol {
                    @if let Some(area) = area {
                        li { a href={ (shell.root) (area.path()) } { (words.text(area.key())) } }
                    }
                    @for crumb in shell.crumbs { li { a.cut href=(crumb.href) dir="auto" { (crumb.title) } } }
                }
            }
        }
    }
}

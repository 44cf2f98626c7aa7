//! Slugs: the readable part of an address, made from a name in any script.
//!
//! What this is not: a promise of uniqueness; who stores a slug tries it plain and then with the end of an id.
//! Invariant: a slug is groups of `a`–`z` and `0`–`9` joined by single hyphens, never empty, and never a
//! word that the service needs itself at the root of a site.

use deunicode::deunicode_char;

/// The greatest length of a slug made from a name.
const FROM_NAME: usize = 60;

/// The greatest length with a suffix.
const WITH_SUFFIX: usize = 72;

/// First segments of paths at a site's root that are, or may become, the service's own; sorted.
pub const RESERVED: [&str; 47] = [
    ".pagesmith",
    ".well-known",
    "_",
    "about",
    "admin",
    "api",
    "app",
    "apple-touch-icon",
    "archive",
    "assets",
    "auth",
    "console",
    "docs",
    "errors",
    "events",
    "favicon",
    "favicon-ico",
    "favicon.ico",
    "feed",
    "files",
    "forms",
    "health",
    "healthz",
    "help",
    "images",
    "index",
    "index-html",
    "login",
    "logout",
    "mcp",
    "media",
    "metrics",
    "openapi",
    "openapi-json",
    "openapi.json",
    "preview",
    "readyz",
    "robots",
    "robots.txt",
    "robots-txt",
    "signup",
    "sitemap",
    "sitemap.xml",
    "sitemap-xml",
    "static",
    "v0",
    "well-known",
];

/// Labels before the site's domain that an operator is likely to need for something else.
const RESERVED_LABELS: [&str; 8] = ["admin", "api", "app", "console", "docs", "mail", "static", "www"];

/// The slug of a name, at most 60 characters; `fallback`, itself a slug, where the name has no letter or digit that
/// can be transliterated. A reserved word gets `-page` appended.
pub fn slugify(name: &str, fallback: &str) -> String {
    let mut slug = letters_and_digits(name, FROM_NAME);
    if slug.is_empty() {
        fallback.clone_into(&mut slug);
    }
    if is_reserved(&slug) {
        slug.push_str("-page");
    }
    slug
}

/// The word is reserved for the service itself at the root of a site.
pub fn is_reserved(segment: &str) -> bool {
    RESERVED.contains(&segment)
}

/// The slug of a tenant, valid as one label of a host name; `tenant` where the name gives none. A label that operators
/// use for other things gets `-site` appended.
pub fn tenant_slug(name: &str) -> String {
    let mut slug = letters_and_digits(name, FROM_NAME - 5);
    if slug.is_empty() {
        slug.push_str("tenant");
    }
    if RESERVED_LABELS.contains(&slug.as_str()) {
        slug.push_str("-site");
    }
    slug
}

/// The slugs that something with this id may have, the best first.
pub fn wished(slug: &str, id_text: &str) -> [String; 3] {
    [slug.to_owned(), with_suffix(slug, id_text), with_long_suffix(slug, id_text)]
}

/// The slug, `-` and the last 5 characters of the id: for when the plain one is taken.
pub fn with_suffix(slug: &str, id_text: &str) -> String {
    suffixed(slug, id_text, 5)
}

/// The slug, `-` and the last 11 characters of the id: for when [`with_suffix`] is taken as well.
pub fn with_long_suffix(slug: &str, id_text: &str) -> String {
    suffixed(slug, id_text, 11)
}

fn suffixed(slug: &str, id_text: &str, count: usize) -> String {
    let tail = id_text.char_indices().rev().take(count).last().map_or("", |(at, _)| &id_text[at..]);
    let mut text = cut(slug, WITH_SUFFIX - 1 - count).to_owned();
    text.push('-');
    text.push_str(tail);
    text
}

/// Transliterates and joins with single hyphens; cut at a hyphen where that keeps at least half.
fn letters_and_digits(name: &str, limit: usize) -> String {
    let mut slug = String::new();
    let mut gap = false;
    for char in name.chars() {
        // A name may be long: what lies far beyond the cut need not be looked at.
        if slug.len() > limit {
            break;
        }
        for ascii in deunicode_char(char).unwrap_or(" ").chars() {
            if ascii.is_ascii_alphanumeric() {
                if gap && !slug.is_empty() {
                    slug.push('-');
                }
                gap = false;
                slug.push(ascii.to_ascii_lowercase());
            } else if ascii != '\'' {
                // An apostrophe does not part a word: `don't` is `dont`.
                gap = true;
            }
        }
    }
    cut(&slug, limit).to_owned()
}

fn cut(slug: &str, limit: usize) -> &str {
    if slug.len() <= limit {
        return slug;
    }
    let end = slug.floor_char_boundary(limit);
    // Looking one further finds a hyphen that stands exactly at the cut.
    let hyphen = slug[..slug.floor_char_boundary(limit + 1)].rfind('-').filter(|at| *at >= limit / 2);
    slug[..hyphen.unwrap_or(end)].trim_end_matches('-')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ID: &str = "page_01h2xcejqtf2nbrexx3vqjhp41";

    fn is_slug(text: &str) -> bool {
        let groups =
            |group: &str| !group.is_empty() && group.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9'));
        text.split('-').all(groups)
    }

    #[test]
    fn reads_names_of_any_script() {
        for (name, slug) in [
            ("Spring Launch", "spring-launch"),
            ("  --Crème brûlée!! 2026 ", "creme-brulee-2026"),
            ("Straße & Söhne", "strasse-sohne"),
            ("Don’t panic", "dont-panic"),
            ("北京", "bei-jing"),
            ("Привет", "privet"),
            ("v0.1", "v0-1"),
            ("!!!", "page"),
            ("", "page"),
            ("API", "api-page"),
            ("robots.txt", "robots-txt-page"),
        ] {
            assert_eq!(slugify(name, "page"), slug);
        }
    }

    #[test]
    fn cuts_at_a_hyphen_where_possible() {
        let name = format!("{} bbbbb ccccc", "a".repeat(52));
        assert_eq!(slugify(&name, "page"), format!("{}-bbbbb", "a".repeat(52)));
        let exact = format!("{}-{} more", "a".repeat(50), "b".repeat(9));
        assert_eq!(slugify(&exact, "page"), exact[..60]);
        assert_eq!(slugify(&"a".repeat(100), "page"), "a".repeat(60));
        assert_eq!(slugify(&format!("a {}", "b".repeat(100)), "page").len(), 60);
    }

    #[test]
    fn appends_the_end_of_an_id() {
        assert_eq!(with_suffix("spring-launch", ID), "spring-launch-jhp41");
        assert_eq!(with_long_suffix("spring-launch", ID), "spring-launch-exx3vqjhp41");
        assert_eq!(with_suffix("a", "é1"), "a-é1");
    }

    #[test]
    fn a_tenants_slug_is_a_host_label() {
        assert_eq!(tenant_slug("default"), "default");
        assert_eq!(tenant_slug("Acme GmbH"), "acme-gmbh");
        assert_eq!(tenant_slug("www"), "www-site");
        assert_eq!(tenant_slug("…"), "tenant");
        assert_eq!(tenant_slug("xn--a"), "xn-a");
    }

    proptest! {
        #[test]
        fn every_name_gives_a_slug(name in "\\PC*|[a-z' -]{0,200}") {
            let slug = slugify(&name, "page");
            prop_assert!(is_slug(&slug) && slug.len() <= FROM_NAME + 5, "{}", slug);
            prop_assert!(!is_reserved(&slug));
            for longer in [with_suffix(&slug, ID), with_long_suffix(&slug, ID)] {
                prop_assert!(is_slug(&longer) && longer.len() <= WITH_SUFFIX, "{}", longer);
            }
            let label = tenant_slug(&name);
            prop_assert!(is_slug(&label) && label.len() <= 63, "{}", label);
        }

        #[test]
        fn nothing_panics(slug in ".*", id in ".*") {
            with_long_suffix(&with_suffix(&slug, &id), &id);
        }
    }
}

//! Where a visit comes from: the tags of its address, or the page before.
//!
//! The source is `utm_source`, else `source`, else `ref`, else the name of a well-known page before, else its host. Tags are kept as
//! they were sent; of the page before only the host is kept.

use std::collections::HashSet;
use std::sync::LazyLock;

use percent_encoding::percent_decode;
use url::Url;

/// Hosts that advertise themselves in reports, one per line; see the file beside it.
static SPAM: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("referrers/spam.txt").lines().collect());

/// How many characters are kept of a tag.
const LONGEST: usize = 200;

/// Hosts of well-known sites, without what is before the name, and their names.
const KNOWN: &[(&str, &str)] = &[
    ("baidu.com", "Baidu"),
    ("bing.com", "Bing"),
    ("bsky.app", "Bluesky"),
    ("chatgpt.com", "ChatGPT"),
    ("claude.ai", "Claude"),
    ("duckduckgo.com", "DuckDuckGo"),
    ("ecosia.org", "Ecosia"),
    ("facebook.com", "Facebook"),
    ("fb.me", "Facebook"),
    ("gemini.google.com", "Gemini"),
    ("github.com", "GitHub"),
    ("instagram.com", "Instagram"),
    ("lnkd.in", "LinkedIn"),
    ("linkedin.com", "LinkedIn"),
    ("mail.google.com", "Gmail"),
    ("news.ycombinator.com", "Hacker News"),
    ("perplexity.ai", "Perplexity"),
    ("pinterest.com", "Pinterest"),
    ("qwant.com", "Qwant"),
    ("reddit.com", "Reddit"),
    ("slack.com", "Slack"),
    ("startpage.com", "Startpage"),
    ("t.co", "X"),
    ("teams.microsoft.com", "Microsoft Teams"),
    ("threads.net", "Threads"),
    ("twitter.com", "X"),
    ("wikipedia.org", "Wikipedia"),
    ("x.com", "X"),
    ("xing.com", "XING"),
    ("yahoo.com", "Yahoo"),
    ("yandex.ru", "Yandex"),
    ("youtube.com", "YouTube"),
];

/// Where a visit comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The source.
    pub source: Option<String>,
    /// `utm_medium`.
    pub medium: Option<String>,
    /// `utm_campaign`.
    pub campaign: Option<String>,
    /// `utm_term`.
    pub term: Option<String>,
    /// `utm_content`.
    pub content: Option<String>,
    /// The host of the page before, unless it is the site's own.
    pub referrer: Option<String>,
}

impl Origin {
    /// Of a page view on that host, at that path and query, with that page before.
    pub fn of(host: &str, location: &str, referrer: &str) -> Origin {
        let query =
            location.split_once('?').map_or("", |(_, query)| query.split('#').next().unwrap_or_default());
        let tag = |name: &str| {
            let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
            pairs.filter(|(key, _)| *key == name).find_map(|(_, value)| text(value))
        };
        let referrer = host_of(referrer).filter(|before| !before.eq_ignore_ascii_case(host));
        let source = tag("utm_source").or_else(|| tag("source")).or_else(|| tag("ref"));
        let source = source.or_else(|| referrer.as_deref().map(|before| name_of(before).to_owned()));
        Origin {
            source,
            medium: tag("utm_medium"),
            campaign: tag("utm_campaign"),
            term: tag("utm_term"),
            content: tag("utm_content"),
            referrer,
        }
    }

    /// Whether the page before is one that advertises itself in reports.
    pub fn is_spam(&self) -> bool {
        self.referrer.as_deref().is_some_and(|host| with_parents(host).any(|host| SPAM.contains(host)))
    }
}

/// A value of a query, as it is kept; nothing if it is blank or no text.
fn text(value: &str) -> Option<String> {
    let value = value.replace('+', " ");
    let value = percent_decode(value.as_bytes()).decode_utf8().ok()?;
    let value: String = value.trim().chars().filter(|char| !char.is_control()).take(LONGEST).collect();
    (!value.is_empty()).then_some(value)
}

/// The host of an address, in lower case and without `www.`.
fn host_of(address: &str) -> Option<String> {
    let url =
        Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https" | "android-app"))?;
    let host = url.host_str()?.to_ascii_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    (!host.is_empty()).then(|| host.chars().take(LONGEST).collect())
}

/// A host and the domains above it.
fn with_parents(host: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(host), |host| host.split_once('.').map(|(_, parent)| parent))
}

/// What the site at a host is called; the host if it is not well known.
fn name_of(host: &str) -> &str {
    let mut domains = with_parents(host);
    let named =
        domains.find_map(|domain| KNOWN.iter().find(|(known, _)| *known == domain).map(|(_, name)| *name));
    let is_google = || host == "google.com" || host.starts_with("google.") || host.contains(".google.");
    named.or_else(|| is_google().then_some("Google")).unwrap_or(host)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn source(location: &str, referrer: &str) -> Option<String> {
        Origin::of("acme.pages.example", location, referrer).source
    }

    #[test]
    fn the_source_is_a_tag_or_the_page_before() {
        let search = "https://www.google.com/";
        assert_eq!(source("/a?utm_source=Mail+list&source=b&ref=c", search).as_deref(), Some("Mail list"));
        assert_eq!(source("/a?utm_source=&source=b%C3%A9&ref=c", search).as_deref(), Some("bé"));
        assert_eq!(source("/a?ref=c#?utm_source=d", search).as_deref(), Some("c"));
        assert_eq!(source("/a", search).as_deref(), Some("Google"));
        assert_eq!(source("/a", "https://www.google.co.uk/search?q=secret").as_deref(), Some("Google"));
        assert_eq!(source("/a", "https://old.reddit.com/r/anvils").as_deref(), Some("Reddit"));
        assert_eq!(source("/a", "https://t.co/x").as_deref(), Some("X"));
        assert_eq!(source("/a", "https://blog.example.com/anvils").as_deref(), Some("blog.example.com"));
        assert_eq!(source("/a", "https://acme.pages.example/b"), None, "the site itself");
        for none in ["", "about:blank", "javascript:alert(1)", "%%%", "https://"] {
            assert_eq!(source("/a", none), None, "{none}");
        }
        assert_eq!(source("/a", "https://notgoogle.com/").as_deref(), Some("notgoogle.com"));
    }

    #[test]
    fn tags_are_kept_as_they_were_sent_and_cut() {
        let long = "x".repeat(500);
        let location =
            format!("/a?utm_medium=E-Mail&utm_campaign=Fr%FChling&utm_term={long}&utm_content=%00b%0A");
        let origin = Origin::of("acme.pages.example", &location, "");
        assert_eq!(origin.medium.as_deref(), Some("E-Mail"));
        assert_eq!(origin.campaign, None, "no UTF-8");
        assert_eq!(origin.term.map(|term| term.len()), Some(LONGEST));
        assert_eq!(origin.content.as_deref(), Some("b"));
    }

    #[test]
    fn sites_that_advertise_themselves_are_told() {
        let spam = |referrer: &str| Origin::of("acme.pages.example", "/", referrer).is_spam();
        assert!(spam("http://semalt.com/crawler.php?u=acme.example"));
        assert!(spam("http://deep.semalt.com/"));
        assert!(!spam("https://semalt.com.example.org/"));
        assert!(!spam(""));
    }

    proptest! {
        #[test]
        fn any_address_can_be_read(location in "\\PC{0,60}", referrer in "(https?://)?\\PC{0,60}") {
            let origin = Origin::of("acme.pages.example", &location, &referrer);
            for text in [origin.source, origin.medium, origin.campaign, origin.referrer].into_iter().flatten() {
                prop_assert!((1..=LONGEST).contains(&text.chars().count()), "{text}");
            }
        }
    }
}

//! The Content-Security-Policy of a page: what its browser may run and fetch.
//!
//! A page is kept and handed to many visitors, so it cannot carry a nonce: every style and script of ours is named by its hash. With
//! `strict-dynamic` our loader may add the page's own scripts, and nothing that found its way into the markup runs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The players that a video may be shown in.
pub(crate) const PLAYERS: [&str; 4] = [
    "https://www.youtube-nocookie.com",
    "https://player.vimeo.com",
    "https://www.loom.com",
    "https://fast.wistia.net",
];

/// What a policy names a text by.
pub(crate) fn hash_of(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

/// Who may show a page in a frame.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum FrameAncestors {
    /// Nobody.
    #[default]
    Nobody,
    /// The page's own site.
    Itself,
    /// These origins; what is none is left out.
    Origins(Vec<String>),
}

/// A policy that is being put together.
#[derive(Debug, Default)]
pub(crate) struct Policy {
    /// Hashes of the scripts that may run.
    pub scripts: Vec<String>,
    /// Hashes and origins of the styles that may apply.
    pub styles: Vec<String>,
    /// Origins that may be framed, beside the players.
    pub frames: Vec<String>,
    /// Whether the page has fonts of its own site.
    pub has_own_fonts: bool,
    /// Whether the page has scripts of its own, which fetch what they need.
    pub has_own_scripts: bool,
}

impl Policy {
    /// The header's value.
    pub fn write(&self, ancestors: &FrameAncestors) -> String {
        let mut directives = vec!["default-src 'none'".to_owned()];
        let scripts = if self.scripts.is_empty() {
            "'none'".to_owned()
        } else {
            format!("{} 'strict-dynamic'", self.scripts.join(" "))
        };
        directives.push(format!("script-src {scripts}"));
        directives.push(format!("style-src {}", self.styles.join(" ")));
        directives.push("img-src https: http: data:".to_owned());
        directives.push("media-src https: http:".to_owned());
        let frames: Vec<&str> = PLAYERS.into_iter().chain(self.frames.iter().map(String::as_str)).collect();
        directives.push(format!("frame-src {}", frames.join(" ")));
        if self.has_own_scripts {
            directives.push("connect-src 'self' https: wss:".to_owned());
        } else {
            directives.push("connect-src 'self'".to_owned());
        }
        // Scripts of a page's own bring the fonts of what they show.
        let fonts = match (self.has_own_fonts, self.has_own_scripts) {
            (false, false) => None,
            (true, false) => Some("font-src 'self'"),
            (false, true) => Some("font-src https: data:"),
            (true, true) => Some("font-src 'self' https: data:"),
        };
        directives.extend(fonts.map(str::to_owned));
        directives.push("base-uri 'none'; object-src 'none'; form-action 'self'".to_owned());
        let ancestors = match ancestors {
            FrameAncestors::Nobody => String::new(),
            FrameAncestors::Itself => "'self'".to_owned(),
            FrameAncestors::Origins(origins) => {
                origins.iter().filter_map(|url| origin_of(url)).collect::<Vec<_>>().join(" ")
            }
        };
        let ancestors = if ancestors.is_empty() { "'none'" } else { &ancestors };
        directives.push(format!("frame-ancestors {ancestors}"));
        directives.join("; ")
    }
}

/// The origin of an address, if it is one that a policy can name.
pub(crate) fn origin_of(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let is_plain = |char: char| char.is_ascii_alphanumeric() || matches!(char, '.' | '-' | ':');
    let is_http = scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
    (is_http && !host.is_empty() && host.chars().all(is_plain))
        .then(|| format!("{}://{}", scheme.to_ascii_lowercase(), host.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_named_by_the_hash_that_browsers_compute() {
        // From the specification of the policy: the hash of `alert('Hello, world.');`.
        let hash = hash_of("alert('Hello, world.');");
        assert_eq!(hash, "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='");
    }

    #[test]
    fn only_what_is_named_is_allowed() {
        let policy = Policy { scripts: vec![hash_of("a")], styles: vec![hash_of("b")], ..Policy::default() };
        let origins = ["https://example.com/a", "* 'self'"].map(str::to_owned).to_vec();
        let written = policy.write(&FrameAncestors::Origins(origins));
        assert!(written.starts_with("default-src 'none'; script-src 'sha256-"), "{written}");
        assert!(written.contains("' 'strict-dynamic'; style-src 'sha256-"), "{written}");
        assert!(written.ends_with("form-action 'self'; frame-ancestors https://example.com"), "{written}");
        assert!(!written.contains("unsafe"), "{written}");
    }

    #[test]
    fn fonts_are_fetched_from_the_page_s_own_site_if_it_has_some() {
        let fonts = |has_own_fonts, has_own_scripts| {
            let policy = Policy { has_own_fonts, has_own_scripts, ..Policy::default() };
            let written = policy.write(&FrameAncestors::Nobody);
            written.split("; ").find(|directive| directive.starts_with("font-src")).map(str::to_owned)
        };
        assert_eq!(fonts(false, false), None);
        assert_eq!(fonts(true, false).as_deref(), Some("font-src 'self'"));
        assert_eq!(fonts(false, true).as_deref(), Some("font-src https: data:"));
        assert_eq!(fonts(true, true).as_deref(), Some("font-src 'self' https: data:"));
    }

    #[test]
    fn an_origin_that_could_end_a_directive_is_none() {
        assert_eq!(origin_of("HTTPS://Example.com:8080/a?b").as_deref(), Some("https://example.com:8080"));
        for bad in ["javascript:alert(1)", "https://a;script-src *", "https://", "https://a b", "data:x"] {
            assert_eq!(origin_of(bad), None, "{bad}");
        }
    }
}

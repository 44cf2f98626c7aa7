//! Programs that read pages, told by their user agents.
//!
//! The list is kept beside this file. Nearly all of its patterns are plain texts, which one automaton looks for; the few others are
//! regular expressions. A browser that tells no user agent is taken for a program.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::RegexSet;

/// A pattern per line.
const PATTERNS: &str = include_str!("crawlers/patterns.txt");

/// How many bytes of a user agent are looked at.
const LOOKED_AT: usize = 1_000;

struct Crawlers {
    texts: Option<AhoCorasick>,
    expressions: Option<RegexSet>,
}

static CRAWLERS: LazyLock<Crawlers> = LazyLock::new(|| {
    let (mut texts, mut expressions) = (vec![], vec![]);
    for pattern in PATTERNS.lines() {
        match plain(pattern) {
            Some(text) => texts.push(text),
            None => expressions.push(pattern),
        }
    }
    // Browsers that nobody looks at are in the list only as far as they crawl.
    texts.push("HeadlessChrome".to_owned());
    Crawlers { texts: AhoCorasick::new(texts).ok(), expressions: RegexSet::new(expressions).ok() }
});

/// The text that a pattern stands for, if it stands for one.
fn plain(pattern: &str) -> Option<String> {
    let mut text = String::with_capacity(pattern.len());
    let mut chars = pattern.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => text.push(chars.next().filter(|escaped| !escaped.is_alphanumeric())?),
            '^' | '$' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' => return None,
            plain => text.push(plain),
        }
    }
    Some(text)
}

/// Whether a user agent is that of a program that reads pages.
pub fn is_crawler(user_agent: &str) -> bool {
    let end = user_agent.char_indices().map(|(at, _)| at).find(|at| *at >= LOOKED_AT);
    let agent = end.map_or(user_agent, |end| &user_agent[..end]);
    agent.trim().is_empty()
        || CRAWLERS.texts.as_ref().is_some_and(|texts| texts.is_match(agent))
        || CRAWLERS.expressions.as_ref().is_some_and(|expressions| expressions.is_match(agent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_of_the_list_is_told() {
        assert!(CRAWLERS.texts.is_some() && CRAWLERS.expressions.is_some());
        let samples = include_str!("crawlers/samples.txt");
        let missed: Vec<&str> = samples.lines().filter(|sample| !is_crawler(sample)).collect();
        assert!(samples.lines().count() > 1_000);
        assert!(missed.is_empty(), "{missed:?}");
    }

    #[test]
    fn browsers_are_none() {
        for agent in [
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
            "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
            "Mozilla/5.0 (Linux; Android 15; SM-S928B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 OPR/121.0.0.0",
        ] {
            assert!(!is_crawler(agent), "{agent}");
        }
        assert!(is_crawler(""), "no user agent");
        assert!(is_crawler(
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/141.0.0.0 Safari/537.36"
        ));
        assert!(!is_crawler(&"é".repeat(2_000)));
    }
}

//! What a browser that says what it is is called: people know it as "Firefox on Windows" and by nothing longer.

use super::Words;

/// Marks of browsers, those first that also have the marks of others.
const BROWSERS: [(&str, &str); 8] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
];

/// Marks of systems, those first that also have the marks of others.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// The name of the browser of this user agent; the agent itself where it has no known one.
pub fn browser_name(words: Words, agent: &str) -> String {
    let of = |names: &[(&str, &'static str)]| {
        names.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| *name)
    };
    match (of(&BROWSERS), of(&SYSTEMS)) {
        (Some(browser), Some(system)) => {
            words.with("browser-on", &[("browser", browser.into()), ("system", system.into())])
        }
        _ => agent.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Words, browser_name};

    #[test]
    fn browsers_are_known_by_their_names_and_others_by_what_they_say() {
        let words = Words::choose(None, None);
        for (agent, name) in [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
                "Safari on iPhone",
            ),
            (
                "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0", "Firefox on Linux"),
            ("curl/8.5.0", "curl/8.5.0"),
            ("", ""),
        ] {
            assert_eq!(browser_name(words, agent), name);
        }
    }
}

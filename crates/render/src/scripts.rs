//! A page's own scripts: the markup of its owner, held in the page until our loader sets it free.
//!
//! The markup is read into elements, and only elements go into the page: whatever it holds, it cannot end the place it is in.
//! Code is kept in an attribute and named in the policy by its hash, so that it runs as it was written or not at all.
//! What is held: scripts, styles, links, pictures, frames and empty containers. Texts and handlers are dropped.

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use maud::{Markup, html};
use pagesmith_model::content::address;
use pagesmith_model::page::script::{InjectionPoint, Script};

use crate::csp::{Policy, hash_of, origin_of};
use crate::escape::escape;

/// An element of a script's markup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    /// The text of a script or a style.
    code: Option<String>,
}

/// The enabled scripts of a page, read.
#[derive(Debug, Default)]
pub(crate) struct Scripts {
    head: Vec<Element>,
    body_start: Vec<Element>,
    body_end: Vec<Element>,
    /// What visitors without scripts get.
    without: Vec<Element>,
}

impl Scripts {
    /// Reads those that are enabled.
    pub fn read(scripts: &[Script]) -> Scripts {
        let mut all = Scripts::default();
        for script in scripts.iter().filter(|script| script.enabled) {
            let found = read(&script.content);
            all.without.extend(found.without);
            match script.injection_point {
                InjectionPoint::Head => all.head.extend(found.elements),
                InjectionPoint::BodyStart => all.body_start.extend(found.elements),
                InjectionPoint::BodyEnd => all.body_end.extend(found.elements),
            }
        }
        all
    }

    /// Whether there is anything to run or load.
    pub fn is_empty(&self) -> bool {
        self.elements().next().is_none() && self.without.is_empty()
    }

    fn elements(&self) -> impl Iterator<Item = &Element> {
        self.head.iter().chain(&self.body_start).chain(&self.body_end)
    }

    /// Adds what they need to a policy.
    pub fn allow(&self, policy: &mut Policy) {
        policy.has_own_scripts = true;
        for element in self.elements().chain(&self.without) {
            let address = |name: &str| {
                let attribute = element.attributes.iter().find(|(known, _)| known == name);
                attribute.and_then(|(_, url)| origin_of(url))
            };
            match (element.name.as_str(), &element.code) {
                ("script", Some(code)) => policy.scripts.push(hash_of(code)),
                ("style", Some(code)) => policy.styles.push(hash_of(code)),
                ("iframe", _) => policy.frames.extend(address("src")),
                ("link", _) => policy.styles.extend(address("href")),
                _ => {}
            }
        }
        for list in [&mut policy.scripts, &mut policy.styles, &mut policy.frames] {
            let mut seen = std::collections::HashSet::new();
            list.retain(|one| seen.insert(one.clone()));
        }
    }

    /// What is held for one place, inert until the loader comes.
    pub fn held(&self, point: InjectionPoint) -> Markup {
        let (elements, name) = match point {
            InjectionPoint::Head => (&self.head, "head"),
            InjectionPoint::BodyStart => (&self.body_start, "body-start"),
            InjectionPoint::BodyEnd => (&self.body_end, "body-end"),
        };
        html! {
            @if !elements.is_empty() {
                template data-scripts=(name) { @for element in elements { (element) } }
            }
        }
    }

    /// What visitors without scripts get; nothing while their consent is needed, which they cannot give.
    pub fn without(&self, needs_consent: bool) -> Markup {
        html! {
            @if !needs_consent && !self.without.is_empty() {
                noscript { @for element in &self.without { (element) } }
            }
        }
    }
}

impl maud::Render for Element {
    fn render_to(&self, html: &mut String) {
        html.push('<');
        html.push_str(&self.name);
        let code = self.code.iter().map(|code| ("data-code", code));
        for (name, value) in self.attributes.iter().map(|(name, value)| (name.as_str(), value)).chain(code) {
            html.push(' ');
            html.push_str(name);
            html.push_str("=\"");
            escape(value, html);
            html.push('"');
        }
        html.push('>');
        if !matches!(self.name.as_str(), "link" | "meta" | "img") {
            html.push_str("</");
            html.push_str(&self.name);
            html.push('>');
        }
    }
}

#[derive(Debug, Default)]
struct ParsedMarkup {
    elements: Vec<Element>,
    without: Vec<Element>,
    in_noscript: bool,
    /// Whether texts belong to the last script or style.
    in_code: bool,
}

/// What a script's content is made of. Code without any markup is taken for a script.
fn read(content: &str) -> ParsedMarkup {
    // Browsers do both before they read; the hash is of what they read.
    let content = content.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "");
    let content = content.trim();
    if !content.starts_with('<') {
        let code = (!content.is_empty()).then(|| content.to_owned());
        let script =
            code.map(|code| Element { name: "script".to_owned(), attributes: Vec::new(), code: Some(code) });
        return ParsedMarkup { elements: script.into_iter().collect(), ..ParsedMarkup::default() };
    }
    let sink = Sink(RefCell::default());
    let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(content));
    while let html5ever::TokenizerResult::Script(()) = tokenizer.feed(&queue) {}
    tokenizer.end();
    let mut found = tokenizer.sink.0.into_inner();
    // A script with neither code nor address does nothing.
    found.elements.retain(|element| {
        let is_loaded = element.attributes.iter().any(|(name, _)| name == "src");
        element.name != "script"
            || is_loaded
            || element.code.as_deref().is_some_and(|code| !code.trim().is_empty())
    });
    for element in &mut found.elements {
        let is_loaded = element.attributes.iter().any(|(name, _)| name == "src");
        if element.name == "script" && is_loaded {
            element.code = None;
        }
    }
    found
}

struct Sink(RefCell<ParsedMarkup>);

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut found = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => start(&mut found, &tag),
            Token::TagToken(tag) => {
                found.in_code = false;
                if &*tag.name == "noscript" {
                    found.in_noscript = false;
                }
                TokenSinkResult::Continue
            }
            Token::CharacterTokens(text) => {
                if found.in_code
                    && let Some(code) = found.elements.last_mut().and_then(|element| element.code.as_mut())
                {
                    code.push_str(&text);
                }
                TokenSinkResult::Continue
            }
            _ => TokenSinkResult::Continue,
        }
    }
}

fn start(found: &mut ParsedMarkup, tag: &Tag) -> TokenSinkResult<()> {
    let name = &*tag.name;
    let text = match name {
        "script" => Some(RawKind::ScriptData),
        "style" | "iframe" | "noembed" | "noframes" | "xmp" => Some(RawKind::Rawtext),
        "textarea" | "title" => Some(RawKind::Rcdata),
        _ => None,
    };
    if name == "noscript" {
        found.in_noscript = true;
    } else if let Some(element) = element(name, tag) {
        let is_seen_without = matches!(name, "img" | "iframe" | "link");
        match found.in_noscript {
            true if is_seen_without => found.without.push(element),
            true => {}
            false => {
                found.in_code = element.code.is_some();
                found.elements.push(element);
            }
        }
    }
    text.map_or(TokenSinkResult::Continue, TokenSinkResult::RawData)
}

/// The element of a tag, if it is one that a page may hold.
fn element(name: &str, tag: &Tag) -> Option<Element> {
    let is_custom =
        name.contains('-') && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if !is_custom && !matches!(name, "script" | "style" | "link" | "meta" | "img" | "iframe" | "div" | "span")
    {
        return None;
    }
    let mut attributes: Vec<(String, String)> = Vec::new();
    for attribute in &tag.attrs {
        let (key, value) = (&*attribute.name.local, &*attribute.value);
        let is_name =
            key.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        let is_ours =
            matches!(key, "data-code" | "data-scripts" | "nonce" | "style" | "srcdoc" | "http-equiv");
        if !is_name || is_ours || key.starts_with("on") || key.is_empty() {
            continue;
        }
        let value = if matches!(key, "src" | "href") {
            // Snippets leave the scheme to the page; ours is always the safe one.
            let url = if value.starts_with("//") { format!("https:{value}") } else { value.to_owned() };
            if !address::is_fetched(&url) {
                return None;
            }
            url
        } else {
            value.to_owned()
        };
        attributes.push((key.to_owned(), value));
    }
    if name == "iframe" && attributes.iter().any(|(key, value)| key == "height" && value == "0") {
        attributes.push(("hidden".to_owned(), String::new()));
    }
    if name == "img" && !attributes.iter().any(|(key, _)| key == "alt") {
        attributes.push(("alt".to_owned(), String::new()));
    }
    let code = matches!(name, "script" | "style").then(String::new);
    Some(Element { name: name.to_owned(), attributes, code })
}

#[cfg(test)]
mod tests {
    use maud::Render;
    use proptest::prelude::*;

    use super::*;

    fn drawn(content: &str) -> String {
        read(content).elements.iter().map(|element| element.render().into_string()).collect()
    }

    #[test]
    fn scripts_are_held_with_their_code_as_it_is() {
        let drawn = drawn(
            "<!-- Tag --><script async src='//cdn.example/a.js' data-id=7></script>\n<script>\nif (a < b) f(\"&amp;\")\n</script>",
        );
        insta::assert_snapshot!(drawn, @r#"
        <script async="" src="https://cdn.example/a.js" data-id="7"></script><script data-code="
        if (a &lt; b) f(&quot;&amp;amp;&quot;)
        "></script>
        "#);
    }

    #[test]
    fn code_without_markup_is_a_script() {
        assert_eq!(drawn(" window.a = 1 "), "<script data-code=\"window.a = 1\"></script>");
        assert_eq!(drawn(" "), "");
    }

    #[test]
    fn what_would_end_its_place_or_run_by_itself_is_dropped() {
        let drawn = drawn(
            "</template></head><body onload=x><img src=https://e.example/p.gif onerror=y style=z><form></form>text\
            <iframe src=javascript:a></iframe><script src=javascript:b></script><script></script><plaintext>",
        );
        assert_eq!(drawn, "<img src=\"https://e.example/p.gif\" alt=\"\">");
    }

    #[test]
    fn what_is_for_visitors_without_scripts_is_kept_apart() {
        let found = read(
            "<script>a</script><noscript><iframe src=\"https://t.example/ns.html\" height=\"0\"></iframe></noscript>",
        );
        assert_eq!((found.elements.len(), found.without.len()), (1, 1));
        let scripts = Scripts { without: found.without, ..Scripts::default() };
        let frame = "<noscript><iframe src=\"https://t.example/ns.html\" height=\"0\" hidden=\"\"></iframe></noscript>";
        assert_eq!(scripts.without(false).into_string(), frame);
        assert_eq!(scripts.without(true).into_string(), "");
        let mut policy = Policy::default();
        scripts.allow(&mut policy);
        assert_eq!(policy.frames, ["https://t.example"]);
    }

    #[test]
    fn the_policy_names_code_as_a_browser_will_run_it() {
        let script = |content: &str| Script {
            content: content.to_owned(),
            description: None,
            enabled: true,
            injection_point: InjectionPoint::Head,
            name: "s".to_owned(),
        };
        let mut policy = Policy::default();
        let off = Script { enabled: false, ..script("<script>off()</script>") };
        Scripts::read(&[script("<script>\r\na()\r\n</script>"), script("<script>\na()\n</script>"), off])
            .allow(&mut policy);
        assert_eq!(policy.scripts, [hash_of("\na()\n")]);
    }

    proptest! {
        #[test]
        fn reading_random_markup_never_panics(content in "(<|>|/|script|style|noscript|!--|\"|'|=| |on|src|\\PC){0,40}") {
            let drawn = drawn(&content);
            prop_assert!(!drawn.contains("</template"));
        }
    }
}

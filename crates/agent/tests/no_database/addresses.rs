//! Whatever a model writes, the page that is drawn of it leads nowhere but where the brief does.
//!
//! The corpus holds the ways in which a text can name an address; they are joined and nested at random, put into every field that there is, drawn by
//! the real renderer, and the HTML is read by a parser as browsers have it.

use std::collections::BTreeSet;

use pagesmith_agent::llm::answer::Judge;
use pagesmith_agent::llm::growing::Growing;
use pagesmith_model::brand::Voice;
use pagesmith_model::brief::Brief;
use pagesmith_model::content::Content;
use pagesmith_model::page::PageType;
use pagesmith_model::page::action::Action;
use pagesmith_render::{Defaults, FrameAncestors, Head, KnownPictures, PageView, Theme, page};
use proptest::prelude::*;
use scraper::Html;
use serde_json::{Value, json};

/// What the brief names, as a browser spells it.
const KNOWN: [&str; 5] = [
    "https://acme.example/a",
    "https://acme.example/b?c=1",
    "https://acme.example/p.png",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    "https://acme.example/demo",
];

/// The player of the video that the brief names.
const PLAYER: &str = "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&rel=0";

/// Where nobody may be led.
const FOREIGN: [&str; 22] = [
    "https://evil.example",
    "https://evil.example/?leak=1",
    "http://evil.example/p.png?leak=1",
    "HTTPS://EVIL.EXAMPLE/A",
    "//evil.example/a",
    "/a",
    "?leak=1",
    "#content-of-mine",
    "mailto:jo@evil.example",
    "tel:+4912345",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "https://acme.example/",
    "https://acme.example/a?leak=1",
    "https://acme.example/a#leak",
    "https://acme.example@evil.example/a",
    "https://acme.example.evil.example/a",
    "https://acme.example/b?c=1&leak=1",
    "https&#58;//evil.example",
    "&#104;ttps://evil.example/&#x61;",
    "https://ácme.example/a",
];

/// Ways to name the address `@`; each draws it where nothing is taken out.
const FORMS: [&str; 34] = [
    "[go](@)",
    "[go](<@>)",
    "[go](@ \"title\")",
    "[go](@ 'ti)tle')",
    "[go](\n@\n)",
    "[**go** `now`](@)",
    "[g\\]o](@)",
    "![pic](@)",
    "![pic](<@> \"title\")",
    "[![pic](@)](@)",
    "[![pic](https://acme.example/p.png)](@)",
    "[![pic](@)](https://acme.example/a)",
    "[go][ref]\n\n[ref]: @",
    "[go][]\n\n[go]: <@> 'title'",
    "[go]\n\n[GO]: @",
    "![pic][ref]\n\n[ref]:\n    @\n",
    "> [go][quoted]\n>\n> [quoted]: @",
    "<a href=\"@\">go</a>",
    "<A HREF='@'>go</A>",
    "<a\nhref=@ >go</a>",
    "<a title=\">\" href=\"@\">go",
    "<img src=\"@\">",
    "<IMG alt=x SRC='@' width=1 height=1/>",
    "<div><a href=\"@\">go</a></div>",
    "<p>\n<img src=@>\n</p>",
    "<details open><summary>a</summary><a href=\"@\">go</a></details>",
    "- [go](@)\n- ![pic](@)",
    "1. > [go](@)",
    "# [go](@)",
    "| a | b |\n|---|---|\n| [go](@) | ![pic](@) |",
    "| a |\n|---|\n| <a href=\"@\">go</a> |",
    "~~[go](@)~~",
    "[go](@)<!-- -->",
    "**<span>[go](@)</span>**",
];

/// Ways that matter only together with others, or only to careless readers.
const PIECES: [&str; 40] = [
    "<@>",
    "<jo@evil.example>",
    "<mailto:jo@evil.example>",
    "[^1]\n\n[^1]: [go](@)",
    "[go]<b>(@)",
    "[go]<!-- -->(@)",
    "[go](@",
    "[go](",
    "@)",
    "](@)",
    "![",
    "[",
    "]",
    "[x](https://acme.example/a)",
    "![x](https://acme.example/p.png)",
    "[x]: @",
    "\n\n[x]: https://acme.example/a\n",
    "<a href=\"",
    "\">",
    "<b>",
    "</a>",
    "<script>document.location='@'</script>",
    "<style>a{background:url(@)}</style>",
    "<p style=\"background:url(@)\">",
    "<iframe src=\"@\"></iframe>",
    "<form action=\"@\"><button formaction=\"@\">",
    "<img srcset=\"@ 2x\">",
    "<svg><a xlink:href=\"@\">",
    "<meta http-equiv=refresh content=\"0;url=@\">",
    "<base href=\"@\">",
    "<![CDATA[<a href=\"@\">]]>",
    "<?php <a href=\"@\"> ?>",
    "`[go](@)`",
    "\n```\n[go](@)\n```\n",
    "\\[go](@)",
    "&lt;a href=\"@\"&gt;",
    "\u{200b}",
    "\u{202e}",
    "www.evil.example @ text",
    "\u{0}",
];

const JOINTS: [&str; 10] = ["", " ", "\n", "\n\n", "> ", "\n- ", "\n    ", "|", "\\", "\t"];

fn brief() -> Brief {
    let action = json!({ "actionId": "demo", "actionIndex": 0, "purpose": "p", "buttonTitle": "Go",
        "actionType": "open-url", "url": "https://acme.example/demo" });
    let action: Action = serde_json::from_value(action).unwrap();
    Brief {
        page_type: PageType::Inbound,
        page_name: "Page".to_owned(),
        page_context: "Acme makes anvils: https://acme.example/a, [b](https://ACME.example/b?c=1), \
                       ![p](https://acme.example/p.png). Ask Jo <jo@acme.example>."
            .to_owned(),
        supplementary_context: Some("The film: https://www.youtube.com/watch?v=dQw4w9WgXcQ".to_owned()),
        voice: Voice::default(),
        actions: vec![action],
        person: None,
        account: None,
        logs: Vec::new(),
        knowledge: Vec::new(),
        assets: Vec::new(),
    }
}

/// A document with a text and an address in every field that may have one.
fn document(text: &str, url: &str) -> Value {
    let picture = json!({ "url": url, "altText": text });
    json!({ "head": { "title": text, "description": text, "language": "en" }, "blocks": [
        { "type": "hero", "title": "T", "subtitle": text, "image": picture, "actionIds": ["demo", url] },
        { "type": "text", "title": text, "markdown": text },
        { "type": "image", "image": picture, "caption": text },
        { "type": "video", "url": url, "caption": text },
        { "type": "table", "columns": ["a", text], "rows": [[text, url]] },
        { "type": "feature-cards", "cards": [{ "title": "a", "text": text, "actionId": url }, { "title": "b", "text": url }] },
        { "type": "frame", "title": "F", "markdown": text, "collapsible": true },
        { "type": "frame-list", "frames": [{ "title": "Q", "markdown": text }, { "title": "Q", "markdown": url }] },
        { "type": "testimonial-carousel", "testimonials": [{ "quote": "Q", "author": "A", "picture": picture }] },
        { "type": "call-to-action", "title": "C", "text": text, "actionIds": [url, "demo"] },
        { "type": "logo-marquee", "logos": [picture, { "url": "https://acme.example/p.png", "altText": "A" }] },
        { "type": "steps", "steps": [{ "title": "1", "text": text }, { "title": text, "text": url }] },
        { "type": "comparison", "columns": [{ "title": "a", "points": [text, url] }, { "title": "b", "points": [url] }] },
        { "type": "price-cards", "plans": [{ "name": "a", "price": "1 €", "text": text, "points": [text, url], "actionId": url }] },
        { "type": "threads", "question": "Q", "choices": [{ "label": "1", "markdown": text }, { "label": "2", "markdown": url }] },
        { "type": "custom", "name": "x", "html": text },
    ] })
}

/// The HTML of the page.
fn drawn(content: &Content, brief: &Brief) -> String {
    let defaults = Defaults {
        page_name: "Page",
        site_name: "Acme",
        url: Some("https://pages.example/p"),
        is_personal: false,
    };
    let head = Head::resolve(None, None, content, &defaults);
    let view = PageView {
        content,
        head: &head,
        actions: &brief.actions,
        forms: pagesmith_render::no_forms(),
        header_action_id: None,
        nav: &[],
        footer: &[],
        legal_links: &[],
        widgets: &[],
        scripts: &[],
        needs_consent: false,
        theme: &Theme::default(),
        pictures: &KnownPictures::none(),
        site_name: "Acme",
        home_url: None,
        preview: None,
        ask: None,
        measured: None,
        frame_ancestors: &FrameAncestors::Nobody,
    };
    page(&view).html
}

/// Everything in a page that a browser or a visitor may follow.
fn addresses(html: &str) -> BTreeSet<String> {
    let html = Html::parse_document(html);
    let elements = html.root_element().descendent_elements();
    let named = elements.flat_map(|element| {
        let element = element.value();
        let (name, attributes): (_, Vec<_>) = (element.name(), element.attrs().collect());
        attributes
            .into_iter()
            .filter(move |(attribute, value)| match *attribute {
                "href" | "src" | "srcset" | "action" | "formaction" | "poster" | "data" | "data-embed"
                | "cite" | "background" | "ping" | "xlink:href" | "longdesc" | "usemap" | "manifest" => true,
                // A picture for social networks, a redirection.
                "content" => name == "meta" && value.contains(':'),
                "style" => value.contains("url("),
                attribute => attribute.starts_with("on"),
            })
            .map(|(_, value)| value.to_owned())
            .collect::<Vec<_>>()
    });
    named.collect()
}

/// What a page leads to beyond the brief and what every page has; a text for readers is no address.
fn foreign(content: &Content, brief: &Brief) -> Vec<String> {
    let plain: Content = serde_json::from_value(json!({ "format": 1, "blocks": [
        { "type": "hero", "title": "T" }, { "type": "text", "markdown": "t" }, { "type": "text", "markdown": "t" },
    ] }))
    .unwrap();
    let own = addresses(&drawn(&plain, brief));
    let texts = [&content.head.title, &content.head.description];
    let is_known = |found: &String| {
        own.contains(found)
            || found == PLAYER
            || KNOWN.contains(&found.as_str())
            || texts.iter().any(|text| text.as_ref() == Some(found))
    };
    addresses(&drawn(content, brief)).into_iter().filter(|found| !is_known(found)).collect()
}

/// What becomes of a document of a model, at the end and on the way there.
fn taken(document: &Value, brief: &Brief) -> Vec<Content> {
    let text = document.to_string();
    let judge = Judge::of(brief);
    // As it is before the check, which is about what is said.
    let whole = judge.document(&text).unwrap_or_else(|faults| panic!("{faults:?}: {text}")).content;
    let mut growing = Growing::new(&judge);
    let half = text.floor_char_boundary(text.len() / 2);
    let mut all = Vec::new();
    for part in [&text[..half], &text[half..]] {
        all.extend(growing.push(part).cloned());
    }
    all.push(whole);
    all
}

#[test]
fn every_form_leads_away_where_nothing_is_taken_out() {
    for form in FORMS {
        let text = form.replace('@', "https://evil.example/x");
        let content = json!({ "format": 1, "blocks": [{ "type": "text", "markdown": text }] });
        let found = foreign(&serde_json::from_value(content).unwrap(), &brief());
        assert_eq!(found, ["https://evil.example/x"], "{text}");
    }
}

#[test]
fn each_form_of_each_address_alone_leads_nowhere() {
    let brief = brief();
    for url in FOREIGN {
        for content in taken(&document("a", url), &brief) {
            assert_eq!(foreign(&content, &brief), Vec::<String>::new(), "{url}");
        }
    }
    // Texts apart from each other, so that none spoils another one.
    for form in FORMS.iter().chain(&PIECES) {
        let texts = FOREIGN.map(|url| form.replace('@', url));
        let frames: Vec<Value> =
            texts.iter().map(|text| json!({ "title": "Q", "markdown": format!("a {text} b") })).collect();
        let blocks = json!([{ "type": "hero", "title": "T" }, { "type": "frame-list", "frames": frames }]);
        for content in taken(&json!({ "blocks": blocks }), &brief) {
            assert_eq!(foreign(&content, &brief), Vec::<String>::new(), "{form}");
        }
    }
}

#[test]
fn what_the_brief_names_stays() {
    let brief = brief();
    let text = "[a](https://acme.example/a) [b](https://acme.example/b?c=1) ![p](https://acme.example/p.png) <HTTPS://ACME.example/a>";
    for url in ["https://acme.example/p.png", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"] {
        let content = taken(&document(text, url), &brief).pop().unwrap();
        let html = drawn(&content, &brief);
        let found = addresses(&html);
        for known in ["https://acme.example/a", "https://acme.example/b?c=1", url] {
            assert!(found.contains(known), "{known}: {found:?}");
        }
        assert!(content.blocks.len() >= 12, "{}", content.blocks.len());
    }
}

#[test]
fn what_is_a_link_only_after_the_check_leads_nowhere() {
    let text =
        "[![pic](\n```\n[go](https://evil.example)\n```\n|)](\n```\n[go](https://evil.example)\n```\n|)";
    let brief = brief();
    for content in taken(&document(text, "https://evil.example"), &brief) {
        assert_eq!(foreign(&content, &brief), Vec::<String>::new(), "{content:?}");
    }
}

/// A text of forms and pieces, joined and put into each other.
fn text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        prop::sample::select(&FORMS[..]).prop_map(str::to_owned),
        prop::sample::select(&PIECES[..]).prop_map(str::to_owned),
        "\\PC{0,6}",
    ];
    let filled = (part, prop::sample::select(&FOREIGN[..])).prop_map(|(part, url)| part.replace('@', url));
    let joined = prop::collection::vec((filled, prop::sample::select(&JOINTS[..])), 1..7)
        .prop_map(|parts| parts.into_iter().fold(String::new(), |text, (part, joint)| text + &part + joint));
    (joined, prop::sample::select(&FORMS[..]), prop::sample::select(&FOREIGN[..]), 0..4_usize).prop_map(
        |(text, form, url, way)| match way {
            0 => form.replace('@', url).replacen("go", &text, 1),
            1 => form.replace('@', &text),
            2 => format!("[{text}]({url})"),
            _ => text,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn no_text_of_a_model_leads_anywhere_else(text in text(), url in prop::sample::select(&FOREIGN[..])) {
        let brief = brief();
        for content in taken(&document(&text, url), &brief) {
            prop_assert_eq!(foreign(&content, &brief), Vec::<String>::new());
        }
    }
}

//! The field for questions, and the page that answers one.
//!
//! The field is complete without script: the answer is a page. With script the answer's part of that same page is shown below the
//! field. Invariant: what is shown of a question and of its sources is text, and no link leads but to the page, to what its owner named
//! as a source, and where the offered action leads.

use maud::{Markup, html};
use pagesmith_model::content::{Component, Content, address};
use pagesmith_model::page::action::Action;

use crate::Measured;
use crate::Rendered;
use crate::action::dialog_id;
use crate::csp::FrameAncestors;
use crate::draw::{Draw, PagePosition};
use crate::escape::said;
use crate::language::Language;
use crate::notice::Frame;
use crate::statics::{ASK, ASK_STYLE, STYLE};
use crate::theme::Theme;
use crate::words::{AskWords, FormWords};

/// Where programs send questions, on every site.
pub const ASK_PATH: &str = "/.pagesmith/q";
/// Where the script of the field is.
pub const ASK_SCRIPT_PATH: &str = "/.pagesmith/ask.js";
/// The longest question, in characters.
const LONGEST: usize = pagesmith_model::question::LONGEST;

/// The field for questions on a page.
#[derive(Debug, Clone, Copy, Default)]
pub struct AskView<'a> {
    /// What is above it, if its owner has said so.
    pub heading: Option<&'a str>,
    /// The action that is offered where nothing is known, if the page has any.
    pub action_id: Option<&'a str>,
}

/// The script of the field, which pages load when it is used.
pub fn ask_script() -> &'static str {
    &ASK.text
}

/// The ids by which a page's blocks can be led to, in their order.
pub fn block_anchors(content: &Content) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    let place = |(index, block): (usize, &Component)| {
        let id = block.block_id().filter(|id| seen.insert(id.to_string()));
        PagePosition::new(index, id, false).id
    };
    content.blocks.iter().enumerate().map(place).collect()
}

/// The field; without anything measured it is a preview's and cannot be used.
pub(crate) fn field(ask: &AskView<'_>, page: &Draw<'_>, language: &Language) -> Markup {
    let words = AskWords::of(language.tag());
    html! {
        section class="ask" id="ps-ask" aria-labelledby="ps-ask-title" {
            div class="wrap" {
                h2 id="ps-ask-title" dir="auto" { (said(ask.heading).unwrap_or(words.heading)) }
                (form(page.measured, "", words))
                small { (words.note) }
                div role="status" {}
            }
        }
    }
}

fn form(measured: Option<Measured<'_>>, question: &str, words: &AskWords) -> Markup {
    html! {
        // Without an action: to the address of the page itself.
        form method="post" data-ask="" {
            @if let Some(Measured { page_id, audience_id }) = measured {
                input type="hidden" name="ps.page" value=(page_id);
                input type="hidden" name="ps.audience" value=(audience_id);
            }
            label class="hidden" for="ps-ask-question" { (words.label) }
            input id="ps-ask-question" name="q" type="text" value=[said(Some(question))] required maxlength=(LONGEST) placeholder=(words.label) autocomplete="off" enterkeyhint="search" dir="auto";
            button class="button" type="submit" disabled[measured.is_none()] { (words.ask) }
        }
    }
}

/// Sentences from a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskQuote<'a> {
    /// The sentences.
    pub sentences: Vec<&'a str>,
    /// What the source is called.
    pub title: Option<&'a str>,
    /// The id of the block of the page that says so.
    pub anchor: Option<&'a str>,
    /// The address of the page that was read.
    pub url: Option<&'a str>,
}

/// What a question is answered with.
#[derive(Debug, Clone, PartialEq)]
pub enum AskAnswer<'a> {
    /// What is known.
    Told {
        /// What is quoted; nothing if nothing is known.
        quotes: Vec<AskQuote<'a>>,
        /// Whether a model wrote the sentences, so that they are no quotations.
        is_written: bool,
        /// What of the question nothing is known of.
        missed: &'a [String],
        /// What is offered where nothing is known: the action, and its place among the page's.
        action: Option<(usize, &'a Action)>,
    },
    /// Nothing was asked.
    NothingAsked,
    /// Too much was asked already.
    UsedUp,
    /// The page takes no questions.
    NotTaken,
}

impl AskAnswer<'_> {
    /// Whether no further question would be answered, so that none can be asked.
    fn closes_the_field(&self) -> bool {
        matches!(self, AskAnswer::UsedUp | AskAnswer::NotTaken)
    }
}

/// A page that answers a question.
#[derive(Debug, Clone, Copy)]
pub struct AskPage<'a> {
    /// What was asked.
    pub question: &'a str,
    /// The page that it was asked on, where another question can be asked.
    pub measured: Option<Measured<'a>>,
    /// The address that leads back to that page, if it was asked there.
    pub back: Option<&'a str>,
    /// What the site is called.
    pub site_name: &'a str,
    /// How it looks.
    pub theme: &'a Theme,
    /// The language of the page.
    pub language: &'a Language,
}

/// Draws a page that answers a question.
pub fn ask_answer(answer: &AskAnswer<'_>, page: &AskPage<'_>) -> Rendered {
    let words = AskWords::of(page.language.tag());
    let back = linked(page.back);
    let said = html! {
        h1 { (words.answer) }
        @if !page.question.trim().is_empty() { p class="lead" dir="auto" { (page.question) } }
        (element(answer, back, words))
        @if page.measured.is_some() && !answer.closes_the_field() {
            div class="ask" {
                h2 { (words.another) }
                (form(page.measured, "", words))
            }
        }
        @if let Some(back) = back { p { a href={ (back) "#ps-ask" } { (FormWords::of(page.language.tag()).back) } } }
    };
    let styles = [&*STYLE, &*ASK_STYLE];
    let title = words.answer;
    Frame {
        tag: words.tag,
        title,
        refresh: None,
        site_name: page.site_name,
        theme: page.theme,
        styles: &styles,
        frame_ancestors: &FrameAncestors::Nobody,
    }
    .around(&said)
}

/// Draws what such a page has as the answer and nothing else, for the script, which puts it below the field. A whole page has styles that the
/// page with the field does not allow.
pub fn ask_answer_alone(answer: &AskAnswer<'_>, back: Option<&str>, language: &Language) -> String {
    element(answer, linked(back), AskWords::of(language.tag())).into_string()
}

/// The path that leads back, if it can be a link.
fn linked(back: Option<&str>) -> Option<&str> {
    back.filter(|back| back.starts_with('/') && address::is_linked(back))
}

fn element(answer: &AskAnswer<'_>, back: Option<&str>, words: &AskWords) -> Markup {
    let closed = answer.closes_the_field().then_some("");
    html! { div class="quoted" data-answer="" data-closed=[closed] { (body(answer, back, words)) } }
}

fn body(answer: &AskAnswer<'_>, back: Option<&str>, words: &AskWords) -> Markup {
    match answer {
        AskAnswer::Told { quotes, is_written, missed, action } => html! {
            @for quote in quotes {
                @if *is_written { p dir="auto" { (draw_quote(quote, back, words)) } } @else { blockquote dir="auto" { (draw_quote(quote, back, words)) } }
            }
            @if *is_written && !quotes.is_empty() { small { (words.written) } }
            @if quotes.is_empty() {
                p { (words.unknown) }
                @if let Some(action) = action { (offer(*action, back)) }
            } @else if !missed.is_empty() {
                p { (words.missed) }
                ul { @for part in *missed { li dir="auto" { (part) } } }
                @if let Some(action) = action { (offer(*action, back)) }
            }
        },
        AskAnswer::NothingAsked => html! { p { (words.nothing_asked) } },
        AskAnswer::UsedUp => html! { p { (words.used_up) } },
        AskAnswer::NotTaken => html! { p { (words.not_taken) } },
    }
}

fn draw_quote(quote: &AskQuote<'_>, back: Option<&str>, words: &AskWords) -> Markup {
    let title = said(quote.title);
    let here = quote.anchor.zip(back).map(|(anchor, back)| format!("{back}#{anchor}"));
    let elsewhere = quote.url.filter(|url| address::is_fetched(url));
    html! {
        @for (at, sentence) in quote.sentences.iter().enumerate() { @if at > 0 { " " } (sentence) }
        @match (here, elsewhere) {
            (Some(here), _) => cite { (words.source) (words.colon()) a href=(here) data-here="" { (title.unwrap_or(words.answer)) } },
            (None, Some(url)) => cite { (words.source) (words.colon()) a href=(url) rel="noopener" { (title.unwrap_or(url)) } },
            (None, None) => @if let Some(title) = title { cite { (words.source) (words.colon()) (title) } },
        }
    }
}

/// The page's action as a link, if it leads anywhere from here.
fn offer((at, action): (usize, &Action), back: Option<&str>) -> Markup {
    let title = said(action.button_title());
    html! {
        @match (action.url().filter(|url| address::is_linked(url)), back, title) {
            (Some(url), _, Some(title)) => p { a class="button" href=(url) data-action=(action.id()) { (title) } },
            (None, Some(back), Some(title)) if matches!(action, Action::Form(_)) => p {
                a class="button" href={ (back) "#" (dialog_id(at)) } data-here="" data-dialog="" data-action=(action.id()) { (title) }
            },
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use pagesmith_model::page::action::Action;
    use serde_json::json;

    use super::*;

    fn page<'a>(question: &'a str, theme: &'a Theme, language: &'a Language) -> AskPage<'a> {
        let measured = Some(Measured { page_id: "page_1", audience_id: "audience_1" });
        AskPage { question, measured, back: Some("/bikes?x=1"), site_name: "Acme", theme, language }
    }

    #[test]
    fn what_is_asked_and_quoted_cannot_become_markup_and_links_lead_home() {
        let (theme, language) = (Theme::default(), Language::of(Some("de")));
        let quote = |anchor, url| AskQuote {
            sentences: vec!["<b>89</b> pounds.", "A month."],
            title: Some("<i>Prices"),
            anchor,
            url,
        };
        let quotes = vec![
            quote(Some("plans"), None),
            quote(None, Some("javascript:alert(1)")),
            quote(None, Some("https://acme.example/prices")),
        ];
        let missed = ["And <u>free</u>?".to_owned()];
        let action: Action = serde_json::from_value(
            json!({ "actionId": "contact", "actionIndex": 2, "actionType": "form", "purpose": "p",
            "buttonTitle": "Write", "formId": "f" }),
        )
        .unwrap();
        let answer =
            AskAnswer::Told { quotes: quotes.clone(), is_written: true, missed: &missed, action: None };
        let written = ask_answer(&answer, &page("q", &theme, &language)).html;
        assert!(!written.contains("<blockquote") && !written.contains("<b>"), "{written}");
        assert!(written.contains("Ein Programm hat diese Antwort"), "{written}");
        assert!(written.contains("href=\"/bikes?x=1#plans\" data-here"), "{written}");
        let answer =
            AskAnswer::Told { quotes, is_written: false, missed: &missed, action: Some((2, &action)) };
        let html = ask_answer(&answer, &page("<script>x</script>", &theme, &language)).html;
        assert!(!html.contains("Ein Programm"), "{html}");
        assert!(!html.contains("<script") && !html.contains("<b>") && !html.contains("<u>"), "{html}");
        assert!(!html.contains("javascript:"), "{html}");
        assert!(html.contains("href=\"/bikes?x=1#plans\" data-here"), "{html}");
        assert!(html.contains("href=\"https://acme.example/prices\""), "{html}");
        assert!(html.contains("href=\"/bikes?x=1#ps-action-2\""), "{html}");
        assert!(html.contains("lang=\"de\"") && html.contains("Quelle: "), "{html}");
    }

    #[test]
    fn every_outcome_is_said_in_each_language() {
        let theme = Theme::default();
        for tag in crate::words::tags().chain(["de-AT", "pt-BR", "no", "th"]) {
            let language = Language::of(Some(tag));
            let words = AskWords::of(tag);
            let unknown = AskAnswer::Told { quotes: vec![], is_written: false, missed: &[], action: None };
            for (answer, text) in [
                (unknown, words.unknown),
                (AskAnswer::NothingAsked, words.nothing_asked),
                (AskAnswer::UsedUp, words.used_up),
                (AskAnswer::NotTaken, words.not_taken),
            ] {
                let html = ask_answer(&answer, &page("q", &theme, &language)).html;
                assert!(html.contains(text) && html.contains("data-answer"), "{html}");
            }
        }
    }
}

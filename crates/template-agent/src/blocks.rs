//! The components of a page, each within the limits of its schema.
//!
//! Invariant: what is built here is valid whatever it is given; what would be empty is not built, and no block of prose is longer than
//! [`MOST_PROSE`] words.

use pagesmith_model::content::component::{
    CallToAction, Comparison, Component, FeatureCards, Frame, FrameList, Hero, ImageBlock, LogoMarquee,
    PriceCards, StatsCards, Steps, Table, TestimonialCarousel, Text, Threads, VideoBlock,
};
use pagesmith_model::content::part::{
    Choice, ComparisonColumn, FeatureCard, FrameItem, Picture, PricePlan, Stat, Step, Testimonial,
};
use pagesmith_model::content::tag::Tag;

use crate::count::words;
use crate::outline::Grid;
use crate::rich::Rich;
use crate::tidy::{self, fit};

/// The most words of a block of prose.
pub const MOST_PROSE: usize = 45;
/// How long a heading is at most.
const HEADING: usize = 160;
/// The most cards, steps, rows of a component.
const MOST_PARTS: usize = 20;

fn heading(title: Option<String>) -> Option<String> {
    title.map(|title| fit(&title, HEADING)).filter(|title| tidy::says_something(title))
}

/// A page's opening.
pub fn hero(
    eyebrow: Option<String>,
    title: &str,
    subtitle: Option<String>,
    image: Option<Picture>,
    figure: Option<Stat>,
    action_ids: Vec<String>,
) -> Component {
    Component::Hero(Hero {
        kind: Tag::default(),
        block_id: None,
        eyebrow: eyebrow.map(|text| fit(&text, 100)).filter(|text| tidy::says_something(text)),
        title: fit(title, HEADING),
        subtitle: subtitle.map(|text| fit(&text, 600)).filter(|text| tidy::says_something(text)),
        image,
        figure,
        action_ids,
    })
}

/// Sentences as a paragraph if they are few words, as a list if they are more.
pub fn prose(title: Option<String>, sentences: &[Rich]) -> Option<Component> {
    let markdown = prose_markdown(sentences);
    (!markdown.trim().is_empty()).then(|| {
        Component::Text(Text {
            kind: Tag::default(),
            block_id: None,
            title: heading(title),
            markdown: within(&markdown),
        })
    })
}

/// The same in a frame, which has a heading in any case.
pub fn frame(title: &str, sentences: &[Rich]) -> Option<Component> {
    let markdown = prose_markdown(sentences);
    let has_both = !markdown.trim().is_empty() && tidy::says_something(title);
    has_both.then(|| {
        Component::Frame(Frame {
            kind: Tag::default(),
            block_id: None,
            title: fit(title, HEADING),
            markdown: within(&markdown),
            collapsible: false,
        })
    })
}

/// The Markdown of sentences: one paragraph, or a list.
pub fn prose_markdown(sentences: &[Rich]) -> String {
    let parts: Vec<Rich> = sentences.iter().flat_map(short_parts).collect();
    let total: usize = parts.iter().map(|part| words(part.plain())).sum();
    if total <= MOST_PROSE {
        let begun: Vec<Rich> =
            parts.iter().map(|part| Rich::of_markdown(&tidy::capital(part.markdown()))).collect();
        return guarded(Rich::paragraph(&begun).markdown());
    }
    let item = |part: &Rich| {
        let text = part.markdown().trim_end_matches([',', ';']);
        format!("- {}", guarded(&tidy::capital(text)))
    };
    parts.iter().map(item).collect::<Vec<_>>().join("\n")
}

/// A sentence in parts of few words, divided where it has a mark.
pub fn short_parts(sentence: &Rich) -> Vec<Rich> {
    if words(sentence.plain()) <= MOST_PROSE {
        return vec![sentence.clone()];
    }
    let mut parts = Vec::new();
    let mut part = String::new();
    for clause in clauses(sentence.plain()) {
        if !part.is_empty() && words(&part) + words(&clause) > MOST_PROSE {
            parts.push(std::mem::take(&mut part));
        }
        if words(&clause) > MOST_PROSE {
            parts.extend(chunks(&clause));
        } else {
            part.push_str(&clause);
        }
    }
    parts.push(part);
    parts.iter().map(|part| part.trim()).filter(|part| tidy::says_something(part)).map(Rich::of).collect()
}

fn clauses(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut part = String::new();
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        part.push(char);
        let ends = matches!(char, ',' | ';' | '、' | '，' | '；' | '。')
            && chars.peek().is_none_or(|next| next.is_whitespace() || *next > '\u{2e80}')
            || char == '\n';
        if ends {
            out.push(std::mem::take(&mut part));
        }
    }
    out.push(part);
    out
}

/// A text without any mark, in pieces.
fn chunks(text: &str) -> Vec<String> {
    let all: Vec<&str> = text.split_whitespace().collect();
    if all.len() > 1 {
        let parts = all.chunks(MOST_PROSE / 2).map(|part| part.join(" "));
        return parts
            .flat_map(|part| if words(&part) > MOST_PROSE { by_characters(&part) } else { vec![part] })
            .collect();
    }
    by_characters(text)
}

fn by_characters(text: &str) -> Vec<String> {
    use unicode_segmentation::UnicodeSegmentation;
    let graphemes: Vec<&str> = text.graphemes(true).collect();
    graphemes.chunks(MOST_PROSE).map(<[&str]>::concat).collect()
}

/// Markdown up to the last line that has room.
fn within(markdown: &str) -> String {
    const MOST: usize = 16_000;
    if markdown.len() <= MOST {
        return markdown.to_owned();
    }
    let start = tidy::head(markdown, MOST);
    start.rfind('\n').map_or_else(String::new, |end| start[..end].to_owned())
}

/// A paragraph whose start is not taken for a list or a heading.
pub fn guarded(markdown: &str) -> String {
    let digits = markdown.bytes().take_while(u8::is_ascii_digit).count();
    let behind = &markdown[digits..];
    if digits > 0 && behind.starts_with(['.', ')']) {
        return format!("{}\\{behind}", &markdown[..digits]);
    }
    if markdown.starts_with(['-', '+', '=', ':']) { format!("\\{markdown}") } else { markdown.to_owned() }
}

/// A card; a title that is too long for one becomes its text.
pub fn card(title: &str, text: &str, action_id: Option<String>) -> FeatureCard {
    FeatureCard { title: fit(title, 280), text: fit(&tidy::capital(text), 1800), action_id, picture: None }
}

/// Cards; a single one is no row.
pub fn cards(title: Option<String>, cards: Vec<FeatureCard>) -> Option<Component> {
    (cards.len() >= 2).then(|| {
        let cards = cards.into_iter().take(MOST_PARTS).collect();
        Component::FeatureCards(FeatureCards {
            kind: Tag::default(),
            block_id: None,
            title: heading(title),
            subtitle: None,
            cards,
        })
    })
}

/// Figures; a single one is no band.
pub fn stats(title: Option<String>, stats: Vec<Stat>) -> Option<Component> {
    (stats.len() >= 2).then(|| {
        let stats = stats.into_iter().take(12).collect();
        Component::StatsCards(StatsCards {
            kind: Tag::default(),
            block_id: None,
            title: heading(title),
            stats,
        })
    })
}

/// The most cards of a row, which is what the schema allows.
const CARDS: usize = 6;
/// The most figures of a band.
const STATS: usize = 4;

/// A block in rows of about the same length, if it has more parts than its schema allows; the first keeps the title.
pub fn rows(block: Component) -> Vec<Component> {
    match block {
        Component::FeatureCards(block) if block.cards.len() > CARDS => {
            let parts = even(block.cards.clone(), CARDS).into_iter().enumerate();
            let row = |(at, cards)| {
                let title = block.title.clone().filter(|_| at == 0);
                Component::FeatureCards(FeatureCards { title, cards, ..block.clone() })
            };
            parts.map(row).collect()
        }
        Component::StatsCards(block) if block.stats.len() > STATS => {
            let parts = even(block.stats.clone(), STATS).into_iter().enumerate();
            let row = |(at, stats)| {
                let title = block.title.clone().filter(|_| at == 0);
                Component::StatsCards(StatsCards { title, stats, ..block.clone() })
            };
            parts.map(row).collect()
        }
        block => vec![block],
    }
}

/// Parts of at most that many, the longer ones first; none is shorter by more than one.
fn even<T>(mut all: Vec<T>, most: usize) -> Vec<Vec<T>> {
    let mut rows = Vec::new();
    let mut left = all.len().div_ceil(most);
    while left > 0 {
        let rest = all.split_off(all.len().div_ceil(left));
        rows.push(std::mem::replace(&mut all, rest));
        left -= 1;
    }
    rows
}

/// Steps of a sequence.
pub fn steps(title: Option<String>, steps: &[(String, Rich)]) -> Option<Component> {
    let steps: Vec<Step> = steps
        .iter()
        .take(MOST_PARTS)
        .filter(|(title, _)| tidy::says_something(title))
        .map(|(title, text)| Step { title: fit(title, 280), text: fit(&tidy::capital(text.plain()), 1800) })
        .collect();
    (steps.len() >= 2).then(|| {
        Component::Steps(Steps { kind: Tag::default(), block_id: None, title: heading(title), steps })
    })
}

/// What was said by whom.
pub fn voices(title: Option<String>, testimonials: Vec<Testimonial>) -> Option<Component> {
    (!testimonials.is_empty()).then(|| {
        let testimonials = testimonials.into_iter().take(12).map(|mut said| {
            said.role = said.role.map(|role| tidy::capital(&role));
            said
        });
        let testimonials = testimonials.collect();
        Component::TestimonialCarousel(TestimonialCarousel {
            kind: Tag::default(),
            block_id: None,
            title: heading(title),
            testimonials,
        })
    })
}

/// A question to the visitor, and a text for each answer.
pub fn threads(question: &str, choices: &[(String, Rich)]) -> Component {
    let choices = choices.iter().map(|(label, text)| Choice {
        label: fit(label, 180),
        markdown: within(&prose_markdown(std::slice::from_ref(text))),
    });
    Component::Threads(Threads {
        kind: Tag::default(),
        block_id: None,
        question: fit(question, HEADING),
        choices: choices.collect(),
    })
}

/// Questions and answers.
pub fn questions(title: Option<String>, frames: Vec<FrameItem>) -> Option<Component> {
    (!frames.is_empty()).then(|| {
        let frames = frames.into_iter().take(24).collect();
        Component::FrameList(FrameList {
            kind: Tag::default(),
            block_id: None,
            title: heading(title),
            frames,
        })
    })
}

/// Names in a row, or logos.
pub fn names(title: Option<String>, logos: Vec<Picture>, names: &[String]) -> Option<Component> {
    let names: Vec<String> = names.iter().take(30).map(|name| fit(name, 100)).collect();
    (!names.is_empty() || !logos.is_empty()).then(|| {
        let logos = logos.into_iter().take(40).collect();
        Component::LogoMarquee(LogoMarquee {
            kind: Tag::default(),
            block_id: None,
            title: heading(title),
            logos,
            names,
        })
    })
}

/// Price cards.
pub fn prices(title: Option<String>, plans: Vec<PricePlan>) -> Option<Component> {
    (!plans.is_empty()).then(|| {
        let plans = plans.into_iter().take(6).collect();
        Component::PriceCards(PriceCards {
            kind: Tag::default(),
            block_id: None,
            title: heading(title),
            plans,
        })
    })
}

/// Two sides with their points, the better one behind.
pub fn comparison(title: Option<String>, sides: [(String, Vec<String>); 2]) -> Component {
    let column = |(name, points): (String, Vec<String>)| ComparisonColumn {
        title: fit(&name, 180),
        points: points.iter().map(|point| fit(point, 480)).collect(),
    };
    let columns = sides.into_iter().map(column).collect();
    Component::Comparison(Comparison { kind: Tag::default(), block_id: None, title: heading(title), columns })
}

/// A table.
pub fn table(title: Option<String>, grid: &Grid) -> Option<Component> {
    let width = grid.columns.len().min(8);
    let cell = |text: &String| fit(text, 900);
    let rows: Vec<Vec<String>> = grid
        .rows
        .iter()
        .take(100)
        .map(|row| row.iter().map(cell).chain(std::iter::repeat(String::new())).take(width).collect())
        .collect();
    let columns: Vec<String> = grid.columns.iter().take(width).map(|name| fit(name, 180)).collect();
    let is_table = width >= 1 && !rows.is_empty() && columns.iter().all(|name| tidy::says_something(name));
    is_table.then(|| {
        Component::Table(Table { kind: Tag::default(), block_id: None, title: heading(title), columns, rows })
    })
}

/// A picture.
pub fn image(picture: Picture) -> Component {
    Component::Image(ImageBlock { kind: Tag::default(), block_id: None, image: picture, caption: None })
}

/// A video.
pub fn video(title: Option<String>, url: String) -> Component {
    Component::Video(VideoBlock {
        kind: Tag::default(),
        block_id: None,
        title: heading(title),
        url,
        caption: None,
    })
}

/// Code as it was written.
pub fn code(title: Option<String>, code: &str) -> Option<Component> {
    let markdown = format!("```\n{}\n```", code.trim_end().replace("```", ""));
    tidy::says_something(code).then(|| {
        Component::Text(Text { kind: Tag::default(), block_id: None, title: heading(title), markdown })
    })
}

/// The end of a page.
pub fn closing(title: &str, text: Option<String>, action_ids: Vec<String>) -> Component {
    let text = text.map(|text| fit(&text, 600)).filter(|text| tidy::says_something(text));
    Component::CallToAction(CallToAction {
        kind: Tag::default(),
        block_id: None,
        title: fit(title, HEADING),
        text,
        action_ids,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn long_prose_becomes_a_list_of_short_parts() {
        let short = [Rich::of("We bake."), Rich::of("You eat.")];
        assert_eq!(prose_markdown(&short), "We bake. You eat.");
        let long = Rich::of(&"we bake bread for you, ".repeat(30));
        let markdown = prose_markdown(&[long]);
        assert!(markdown.lines().count() > 2);
        assert!(
            markdown.lines().all(|line| line.starts_with("- ") && words(line) <= MOST_PROSE),
            "{markdown}"
        );
    }

    #[test]
    fn rows_are_about_as_long_as_each_other() {
        let lengths =
            |count: usize, most| even((0..count).collect(), most).iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(lengths(7, 6), [4, 3]);
        assert_eq!(lengths(12, 6), [6, 6]);
        assert_eq!(lengths(5, 4), [3, 2]);
        assert_eq!(lengths(4, 4), [4]);
    }

    proptest! {
        #[test]
        fn no_part_is_too_long_and_no_word_is_lost(text in "([a-z]{1,8}[ ,;]){0,200}|\\PC{0,200}") {
            let parts = short_parts(&Rich::of(&text));
            prop_assert!(parts.iter().all(|part| words(part.plain()) <= MOST_PROSE));
            let signs = |text: &str| text.chars().filter(|char| char.is_alphanumeric()).count();
            if words(&text) > MOST_PROSE {
                prop_assert_eq!(parts.iter().map(|part| signs(part.plain())).sum::<usize>(), signs(&text));
            }
        }
    }
}

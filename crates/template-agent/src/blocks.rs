//! The components of the template's pages, each within the limits of its schema.
//!
//! Invariant: what is built here is valid whatever it is given; what has no room is shortened, and what would be empty is not built.

use pagesmith_model::content::component::{
    CallToAction, Component, FeatureCards, FrameList, Hero, ImageBlock, LogoMarquee, StatsCards, Table,
    TestimonialCarousel, Text, Threads, VideoBlock,
};
use pagesmith_model::content::part::{Choice, FeatureCard, FrameItem, Picture, Stat, Testimonial};
use pagesmith_model::content::tag::Tag;

use crate::material::Point;
use crate::outline::Grid;
use crate::rich::Rich;
use crate::tidy::fit;

/// How long a heading is at most.
const HEADING: usize = 160;

fn heading(title: Option<String>) -> Option<String> {
    title.map(|title| fit(&title, HEADING)).filter(|title| !title.is_empty())
}

/// A page's opening.
pub fn hero(
    eyebrow: Option<String>,
    title: &str,
    subtitle: Option<String>,
    image: Option<Picture>,
    actions: Vec<String>,
) -> Component {
    Component::Hero(Hero {
        kind: Tag::default(),
        block_id: None,
        eyebrow: eyebrow.map(|text| fit(&text, 100)).filter(|text| !text.is_empty()),
        title: fit(title, HEADING),
        subtitle: subtitle.map(|text| fit(&text, 320)).filter(|text| !text.is_empty()),
        image,
        figure: None,
        action_ids: actions,
    })
}

/// Text in Markdown.
pub fn text(title: Option<String>, markdown: &str) -> Option<Component> {
    let markdown = within(markdown, 20_000);
    (!markdown.trim().is_empty()).then(|| {
        Component::Text(Text { kind: Tag::default(), block_id: None, title: heading(title), markdown })
    })
}

/// Markdown up to the last paragraph that has room.
fn within(markdown: &str, most: usize) -> String {
    if markdown.len() <= most {
        return markdown.to_owned();
    }
    let start = super::tidy::head(markdown, most);
    match start.rfind("\n\n") {
        Some(end) if end > 0 => start[..end].to_owned(),
        _ => fit(&super::rich::words(start), most / 4),
    }
}

/// A picture of its own.
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

/// A table, every row as wide as its head.
pub fn table(title: Option<String>, grid: &Grid) -> Option<Component> {
    let width = grid.columns.len().min(12);
    let cell = |text: &String| fit(text, 300);
    let rows =
        grid.rows.iter().take(60).map(|row| {
            (0..width).map(|at| row.get(at).map(cell).unwrap_or_default()).collect::<Vec<String>>()
        });
    let rows: Vec<Vec<String>> = rows.filter(|row| row.iter().any(|cell| !cell.is_empty())).collect();
    let columns = grid.columns.iter().take(width).map(cell).collect();
    (width > 0 && !rows.is_empty()).then(|| {
        Component::Table(Table { kind: Tag::default(), block_id: None, title: heading(title), columns, rows })
    })
}

/// Cards in groups of two to six, the first with the title.
pub fn cards(title: Option<String>, subtitle: Option<String>, cards: &[FeatureCard]) -> Vec<Component> {
    let groups = cards.len().div_ceil(6);
    if cards.len() < 2 || groups == 0 {
        return Vec::new();
    }
    // Groups of nearly the same size: seven cards are four and three.
    let size = cards.len().div_ceil(groups);
    let mut titles = Some((title, subtitle));
    let group = |cards: &[FeatureCard]| {
        let (title, subtitle) = titles.take().unwrap_or_default();
        Component::FeatureCards(FeatureCards {
            kind: Tag::default(),
            block_id: None,
            title: heading(title),
            subtitle: subtitle.map(|text| fit(&text, 400)).filter(|text| !text.is_empty()),
            cards: cards.to_vec(),
        })
    };
    cards.chunks(size).filter(|cards| cards.len() >= 2).map(group).collect()
}

/// A card.
pub fn card(title: &str, text: &str, action_id: Option<String>) -> FeatureCard {
    FeatureCard { title: fit(title, 100), text: fit(text, 600), action_id }
}

/// Things that open and close.
pub fn frames(title: Option<String>, frames: Vec<FrameItem>) -> Option<Component> {
    let frames: Vec<FrameItem> = frames
        .into_iter()
        .filter(|frame| !frame.title.is_empty() && !frame.markdown.trim().is_empty())
        .map(|frame| FrameItem { title: fit(&frame.title, 300), markdown: within(&frame.markdown, 8000) })
        .take(20)
        .collect();
    (!frames.is_empty()).then(|| {
        Component::FrameList(FrameList {
            kind: Tag::default(),
            block_id: None,
            title: heading(title),
            frames,
        })
    })
}

/// What customers say.
pub fn voices(title: Option<String>, testimonials: Vec<Testimonial>) -> Option<Component> {
    let testimonials: Vec<Testimonial> = testimonials.into_iter().take(8).collect();
    (!testimonials.is_empty()).then(|| {
        Component::TestimonialCarousel(TestimonialCarousel {
            kind: Tag::default(),
            block_id: None,
            title: heading(title),
            testimonials,
        })
    })
}

/// Numbers with their meaning.
pub fn stats(title: Option<String>, stats: Vec<Stat>) -> Option<Component> {
    let stats: Vec<Stat> = stats.into_iter().take(4).collect();
    (stats.len() >= 2).then(|| {
        Component::StatsCards(StatsCards {
            kind: Tag::default(),
            block_id: None,
            title: heading(title),
            stats,
        })
    })
}

/// Logos.
pub fn logos(title: Option<String>, logos: Vec<Picture>) -> Option<Component> {
    let logos: Vec<Picture> = logos.into_iter().take(24).collect();
    (!logos.is_empty()).then(|| {
        Component::LogoMarquee(LogoMarquee {
            kind: Tag::default(),
            block_id: None,
            title: heading(title),
            logos,
            names: Vec::new(),
        })
    })
}

/// A question with choices.
pub fn threads(question: &str, choices: &[(String, Rich)]) -> Option<Component> {
    let choices: Vec<Choice> = choices
        .iter()
        .take(4)
        .map(|(label, text)| Choice { label: fit(label, 120), markdown: within(text.markdown(), 4000) })
        .collect();
    (choices.len() >= 2).then(|| {
        Component::Threads(Threads {
            kind: Tag::default(),
            block_id: None,
            question: fit(question, HEADING),
            choices,
        })
    })
}

/// The last words and the action that follows them.
pub fn closing(title: &str, actions: Vec<String>) -> Component {
    Component::CallToAction(CallToAction {
        kind: Tag::default(),
        block_id: None,
        title: fit(title, HEADING),
        text: None,
        action_ids: actions,
    })
}

/// A list in Markdown.
pub fn list(points: &[Point], ordered: bool) -> String {
    let mut out = String::new();
    for (at, point) in points.iter().take(40).enumerate() {
        let mark = if ordered { format!("{}.", at + 1) } else { "-".to_owned() };
        let room = " ".repeat(mark.len() + 1);
        out.push_str(&format!("{mark} {}\n", guarded(point.text.markdown())));
        for nested in point.nested.iter().take(20) {
            out.push_str(&format!("{room}- {}\n", guarded(nested.markdown())));
        }
    }
    out.trim_end().to_owned()
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

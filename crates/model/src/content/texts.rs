//! What a document says, as plain texts below their headings: what questions are answered from.
//!
//! HTML of custom blocks is left out. What this is not: a drawing.

use pulldown_cmark::{Event, TagEnd};

use super::component::{
    Comparison, FeatureCards, FrameList, PriceCards, Steps, Table, TestimonialCarousel, Threads,
};
use super::{Component, Content, markdown};

/// A text of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockText {
    /// The number of the block, from 0.
    pub block: usize,
    /// What is above it.
    pub heading: String,
    /// What it says.
    pub text: String,
}

/// The texts of a document, in order; those that say nothing are left out.
pub fn of(content: &Content) -> Vec<BlockText> {
    let mut found = Vec::new();
    for (block, component) in content.blocks.iter().enumerate() {
        for (heading, text) in of_block(component) {
            if !text.trim().is_empty() {
                found.push(BlockText { block, heading: heading.trim().to_owned(), text });
            }
        }
    }
    found
}

fn of_block(block: &Component) -> Vec<(String, String)> {
    let titled = |title: &Option<String>| title.clone().unwrap_or_default();
    match block {
        Component::Hero(block) => {
            let figure = block.figure.as_ref().map(|figure| format!("{} {}", figure.value, figure.label));
            vec![(block.title.clone(), lines([block.subtitle.clone(), figure]))]
        }
        Component::Text(block) => sections(&titled(&block.title), &block.markdown),
        Component::Image(block) => vec![(String::new(), titled(&block.caption))],
        Component::Video(block) => vec![(titled(&block.title), titled(&block.caption))],
        Component::Table(block) => vec![(titled(&block.title), rows(block))],
        Component::FeatureCards(block) => cards(block),
        Component::Frame(block) => sections(&block.title, &block.markdown),
        Component::FrameList(FrameList { frames, .. }) => {
            frames.iter().flat_map(|frame| sections(&frame.title, &frame.markdown)).collect()
        }
        Component::TestimonialCarousel(TestimonialCarousel { title, testimonials, .. }) => testimonials
            .iter()
            .map(|one| {
                (titled(title), lines([Some(one.quote.clone()), Some(one.author.clone()), one.role.clone()]))
            })
            .collect(),
        Component::CallToAction(block) => vec![(block.title.clone(), titled(&block.text))],
        Component::StatsCards(block) => {
            let stats = block.stats.iter().map(|stat| Some(format!("{} {}", stat.value, stat.label)));
            vec![(titled(&block.title), lines(stats))]
        }
        Component::Threads(Threads { question, choices, .. }) => choices
            .iter()
            .map(|choice| (format!("{question} {}", choice.label), plain(&choice.markdown)))
            .collect(),
        Component::Steps(Steps { title, steps, .. }) => {
            let steps = steps.iter().flat_map(|step| [Some(step.title.clone()), Some(step.text.clone())]);
            vec![(titled(title), lines(steps))]
        }
        Component::Comparison(Comparison { columns, .. }) => {
            columns.iter().map(|column| (column.title.clone(), column.points.join("\n"))).collect()
        }
        Component::PriceCards(PriceCards { plans, .. }) => plans
            .iter()
            .map(|plan| {
                let points = plan.points.iter().cloned().map(Some);
                let price = plan.price.as_ref().map(|price| format!("{}: {price}", plan.name));
                (plan.name.clone(), lines([price, Some(plan.text.clone())].into_iter().chain(points)))
            })
            .collect(),
        Component::LogoMarquee(block) => vec![(titled(&block.title), block.names.join("\n"))],
        Component::Custom(_) => vec![],
    }
}

fn cards(block: &FeatureCards) -> Vec<(String, String)> {
    block.cards.iter().map(|card| (card.title.clone(), card.text.clone())).collect()
}

/// Each row as a line that names its columns: a row of numbers says nothing by itself.
fn rows(table: &Table) -> String {
    let row = |cells: &Vec<String>| {
        let cells = table.columns.iter().zip(cells).map(|(column, cell)| format!("{column}: {cell}"));
        cells.collect::<Vec<String>>().join("; ")
    };
    table.rows.iter().map(row).collect::<Vec<String>>().join("\n")
}

fn lines(parts: impl IntoIterator<Item = Option<String>>) -> String {
    parts.into_iter().flatten().filter(|part| !part.trim().is_empty()).collect::<Vec<String>>().join("\n")
}

/// Markdown without its signs.
fn plain(text: &str) -> String {
    sections("", text).into_iter().map(|(_, text)| text).collect::<Vec<String>>().join("\n")
}

/// The sections of a Markdown text, each below its heading; the first below `title`.
fn sections(title: &str, text: &str) -> Vec<(String, String)> {
    let mut found = vec![(title.to_owned(), String::new())];
    let mut heading: Option<String> = None;
    for event in markdown::parser(text) {
        let (_, body) = found.last_mut().map_or((None, None), |(title, body)| (Some(title), Some(body)));
        let Some(body) = body else { break };
        match event {
            Event::Start(pulldown_cmark::Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => found.push((heading.take().unwrap_or_default(), String::new())),
            Event::Text(text) | Event::Code(text) => heading.as_mut().unwrap_or(body).push_str(&text),
            Event::SoftBreak => heading.as_mut().unwrap_or(body).push(' '),
            Event::End(TagEnd::TableCell) => body.push_str("; "),
            Event::HardBreak
            | Event::End(
                TagEnd::Paragraph | TagEnd::Item | TagEnd::CodeBlock | TagEnd::TableRow | TagEnd::TableHead,
            ) => {
                body.push('\n');
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn blocks_are_told_as_texts_below_their_headings() {
        let content: Content = serde_json::from_value(json!({ "blocks": [
            { "type": "hero", "title": "Bikes", "subtitle": "For families." },
            { "type": "text", "markdown": "Made in **Leeds**.\n\n## Prices\n- From [89 pounds](/p)\n- A month" },
            { "type": "table", "title": "Plans", "columns": ["Plan", "Price"], "rows": [["Hauler", "89"]] },
            { "type": "frame-list", "frames": [{ "title": "Is it free?", "markdown": "No." }] },
            { "type": "price-cards", "plans": [{ "name": "Pro", "price": "9 €", "points": ["Mail"] }, { "name": "Free" }] },
            { "type": "custom", "name": "x", "html": "<p>y</p>" },
        ] }))
        .unwrap();
        let told: Vec<(usize, String, String)> =
            of(&content).into_iter().map(|text| (text.block, text.heading, text.text)).collect();
        let expected = [
            (0, "Bikes", "For families."),
            (1, "", "Made in Leeds.\n"),
            (1, "Prices", "From 89 pounds\nA month\n"),
            (2, "Plans", "Plan: Hauler; Price: 89"),
            (3, "Is it free?", "No.\n"),
            (4, "Pro", "Pro: 9 €\nMail"),
        ];
        let expected = expected.map(|(block, heading, text)| (block, heading.to_owned(), text.to_owned()));
        assert_eq!(told, expected);
    }

    proptest! {
        #[test]
        fn any_markdown_is_read(text in "\\PC{0,200}") {
            sections("", &text);
        }
    }
}

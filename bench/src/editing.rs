//! Messages of owners, carried out by the offline editor as the worker does it: the page's brief is composed anew, for words and blocks that may
//! come onto the page, and the message is understood and carried out.
//!
//! What this is not: the time of the request, of the queue and of two transactions, which are those of any other write.

use std::hint::black_box;
use std::sync::LazyLock;

use pagesmith_editor::operation::Operation;
use pagesmith_editor::{Document, EarlierChange, EditOutcome, Head, Material, Reply, Request, edit};
use pagesmith_model::brief::Brief;

use crate::{Result, brief_sample};

/// The page of a brief of 50 KB, and its last change.
struct Page {
    brief: Brief,
    document: Document,
    earlier: Vec<EarlierChange>,
}

static PAGE: LazyLock<std::result::Result<Page, String>> =
    LazyLock::new(|| make().map_err(|error| error.to_string()));

/// The messages that the project promises an answer to.
const MESSAGES: [&str; 4] =
    ["make the headline shorter", "remove the questions", "put the figures first", "undo the last one"];

fn make() -> Result<Page> {
    let brief = brief_sample::read("en")?;
    let mut content = pagesmith_template_agent::compose(&brief).content;
    let more = serde_json::json!([
        { "type": "frame-list", "blockId": "bench-questions", "frames": [{ "title": "How long?", "markdown": "A day." }] },
        { "type": "stats-cards", "blockId": "bench-figures",
          "stats": [{ "value": "1", "label": "day" }, { "value": "2", "label": "people" }] },
    ]);
    // A page has each at most once, so that nothing is ambiguous.
    let kept =
        |block: &serde_json::Value| !matches!(block["type"].as_str(), Some("frame-list" | "stats-cards"));
    let mut value = serde_json::to_value(&content)?;
    if let Some(blocks) = value["blocks"].as_array_mut() {
        blocks.retain(kept);
        blocks.extend(more.as_array().into_iter().flatten().cloned());
        if let Some(hero) = blocks.first_mut() {
            hero["title"] = "A really quite long headline, as many pages have".into();
        }
    }
    content = serde_json::from_value(value)?;
    let mut document = Document { content, head: Head::default(), context: None };
    let title = Operation::SetHead {
        field: pagesmith_editor::operation::HeadField::Title,
        from: None,
        to: Some("A title".to_owned()),
    };
    title.apply(&mut document).map_err(|refused| format!("{refused:?}"))?;
    Ok(Page {
        brief,
        document,
        earlier: vec![EarlierChange { operations: vec![title], ..EarlierChange::default() }],
    })
}

/// Makes the page and says each message once: one that is not understood would be fast.
pub fn prepare() -> Result<()> {
    let page = PAGE.as_ref().map_err(Clone::clone)?;
    for message in MESSAGES {
        let reply = answered(page, message);
        if reply.outcome != EditOutcome::Done {
            return Err(format!("\"{message}\" was answered: {}", reply.text).into());
        }
    }
    Ok(())
}

fn answered(page: &Page, message: &str) -> Reply {
    let material = Material::of_blocks(pagesmith_template_agent::compose(&page.brief).content.blocks);
    let request = Request {
        message,
        document: &page.document,
        selection: None,
        material: &material,
        earlier: &page.earlier,
    };
    edit(&request)
}

/// Says all four messages, so many times.
pub fn say(calls: u64) {
    let Ok(page) = &*PAGE else { return };
    for _ in 0..calls {
        for message in MESSAGES {
            black_box(answered(page, black_box(message)));
        }
    }
}

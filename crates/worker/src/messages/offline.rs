//! Messages that the offline editor carries out: what it is given, what it makes of a message, and what of that visitors may read.

use pagesmith_agent::Sayable;
use pagesmith_editor::{EditOutcome, Head, Material, Offer, Reply, Request, Selection, Voice, edit};
use pagesmith_model::Result;
use pagesmith_model::asset::AssetType;
use pagesmith_model::brief::{AssetBrief, Brief};
use pagesmith_model::content::part::Picture;
use pagesmith_operations::messages::draft::head_of;
use pagesmith_operations::messages::runs::Turn;
use pagesmith_template_agent::shared::pictures::alt_text;

use crate::generation::brief;

/// What the offline editor makes of a message.
pub(super) async fn answer(turn: Box<Turn>) -> Result<(Box<Turn>, Reply)> {
    super::computed(move || {
        let brief = brief::of(turn.material.clone(), Vec::new())?;
        let reply = edited(&turn, &brief)?;
        Ok((turn, reply))
    })
    .await
}

/// The same with the brief of its page.
pub(super) fn edited(turn: &Turn, brief: &Brief) -> Result<Reply> {
    let page = head_of(turn.material.page.metadata.as_ref())?;
    let written = pagesmith_template_agent::compose(brief);
    let head = &turn.document.content.head;
    let label = |action: &pagesmith_model::page::action::Action| {
        let text = action.button_title().or(action.purpose()).unwrap_or_default();
        (action.id().to_owned(), text.to_owned())
    };
    let material = Material {
        actions: brief.actions.iter().map(label).collect(),
        offers: brief::assets(turn.pictures.clone()).iter().filter_map(offer).collect(),
        head: Head {
            title: page.title.or_else(|| head.title.clone()),
            description: page.description.or_else(|| head.description.clone()),
            keywords: page.keywords,
        },
        ..Material::of_blocks(written.content.blocks)
    };
    let (message, document, selection) = (turn.message.content.as_str(), &turn.document, selection(turn));
    let (selection, earlier) = (selection.as_ref(), turn.earlier.as_slice());
    let reply = edit(&Request { message, document, selection, material: &material, earlier });
    if reply.edits.is_empty() {
        return Ok(reply);
    }
    let rules = Sayable::of(written.checker, &reply.base.content, message);
    Ok(sayable(reply, &rules, message))
}

/// An answer without the edits that put on the page what visitors may not read; it says which block was left as it was.
fn sayable(mut reply: Reply, rules: &Sayable, message: &str) -> Reply {
    let voice = Voice::of(message, &reply.base);
    let mut page = reply.base.clone();
    let mut left = Vec::new();
    for edit in std::mem::take(&mut reply.edits) {
        let mut after = page.clone();
        // An edit may build on one that was left out.
        let applies = edit.operation.apply(&mut after).is_ok();
        if !applies || rules.fault(&edit.operation, &page.content, &after.content).is_some() {
            left.push(voice.say("unsaid", &[("x", &voice.label(&page, edit.operation.block_id()))]));
            continue;
        }
        page = after;
        reply.edits.push(edit);
    }
    if left.is_empty() {
        return reply;
    }
    left.dedup();
    if reply.edits.is_empty() && reply.took_back == 0 {
        (reply.outcome, reply.text) = (EditOutcome::Refused, String::new());
    }
    let said = std::mem::take(&mut reply.text);
    let texts = Some(said).filter(|said| !said.is_empty()).into_iter().chain(left);
    reply.text = texts.collect::<Vec<_>>().join("\n\n");
    reply.document = page;
    reply
}

/// A picture of the tenant's that can be asked for.
fn offer(asset: &AssetBrief) -> Option<Offer> {
    if !matches!(asset.kind, AssetType::Image | AssetType::Logo) || asset.video_url.is_some() {
        return None;
    }
    let picture =
        Picture { asset_id: Some(asset.asset_id.clone()), alt_text: alt_text(asset), ..Picture::default() };
    let words = [&asset.name, &asset.purpose].into_iter().chain(&asset.tags).cloned().collect();
    Some(Offer { picture, name: asset.name.clone(), words })
}

/// A place within a block as a JSON pointer: `/cards/1/title`, `$.cards[1].title` and `cards[1].title` are the same.
fn pointer(path: &str) -> Option<String> {
    let path = path.trim();
    if path.starts_with('/') {
        return Some(path.to_owned());
    }
    let parts =
        path.trim_start_matches('$').split(['.', '[', ']']).map(|part| part.trim_matches(['\'', '"']));
    let pointer: String = parts.filter(|part| !part.is_empty()).flat_map(|part| ["/", part]).collect();
    Some(pointer).filter(|pointer| !pointer.is_empty())
}

/// What is selected, as editors see it.
pub(super) fn selection(turn: &Turn) -> Option<Selection> {
    turn.selection.as_ref().map(|selected| {
        let path = selected.json_path.as_deref().and_then(pointer);
        let texts = [&selected.selected_text, &selected.content].into_iter().flatten();
        let by_text =
            || texts.map(|text| turn.document.place_of(&selected.block_id, text)).find_map(|place| place);
        Selection { block_id: selected.block_id.clone(), path: path.or_else(by_text) }
    })
}

#[cfg(test)]
mod tests {
    use pagesmith_editor::operation::Operation;
    use pagesmith_editor::{Document, Edit};
    use pagesmith_model::page::PageType;
    use pagesmith_template_agent::shared::check::Checker;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_place_is_read_however_it_is_written() {
        for path in [
            "/cards/1/title",
            "$.cards[1].title",
            "cards[1].title",
            "$['cards'][1]['title']",
            " cards.1.title ",
        ] {
            assert_eq!(pointer(path).as_deref(), Some("/cards/1/title"), "{path}");
        }
        for path in ["", "$", " ", "[]"] {
            assert_eq!(pointer(path), None, "{path}");
        }
    }

    fn page() -> Document {
        let content = json!({ "format": 1, "head": { "language": "en" }, "blocks": [
            { "type": "text", "blockId": "one", "title": "Stations", "markdown": "A station measures every minute." },
            { "type": "text", "blockId": "two", "title": "Frost", "markdown": "The warning comes early." },
        ] });
        serde_json::from_value(json!({ "content": content })).unwrap()
    }

    fn set(block_id: &str, from: &str, to: &str) -> Edit {
        let text = |text: &str| Some(Value::from(text));
        let operation = Operation::Set {
            block_id: block_id.to_owned(),
            path: "/markdown".to_owned(),
            from: text(from),
            to: text(to),
        };
        Edit { operation, reason: "Shorter, please.".to_owned() }
    }

    fn reply(edits: Vec<Edit>) -> Reply {
        let mut document = page();
        for edit in &edits {
            edit.operation.apply(&mut document).unwrap();
        }
        Reply {
            document,
            base: page(),
            edits,
            text: "Done.".to_owned(),
            outcome: EditOutcome::Done,
            understood: true,
            took_back: 0,
            writes_anew: false,
            candidates: Vec::new(),
        }
    }

    const NOTE: &str = "The buyer is nervous about the layoffs of last spring.";

    fn rules(message: &str) -> Sayable {
        let brief = Brief {
            supplementary_context: Some(NOTE.to_owned()),
            ..Brief::new(
                PageType::Inbound,
                "Frost",
                "A station measures every minute. The warning comes early.",
            )
        };
        Sayable::of(Checker::of(&brief), &page().content, message)
    }

    #[test]
    fn an_edit_that_shows_a_note_is_left_out_and_the_others_are_kept() {
        let message = "Shorter, please.";
        let harmless = set("one", "A station measures every minute.", "A station measures.");
        let leak = set("two", "The warning comes early.", NOTE);
        let after = sayable(reply(vec![harmless.clone(), leak.clone()]), &rules(message), message);
        assert_eq!(after.edits, std::slice::from_ref(&harmless));
        assert_eq!(after.document, reply(vec![harmless]).document);
        assert!(after.text.starts_with("Done.\n\nI left ") && after.text.contains("Frost"), "{}", after.text);
        let after = sayable(reply(vec![leak.clone()]), &rules(message), message);
        assert_eq!((after.outcome, &after.document), (EditOutcome::Refused, &page()));
        assert!(after.text.starts_with("I left "), "{}", after.text);
        // An owner may say what they like.
        let after = sayable(reply(vec![leak.clone()]), &rules(NOTE), NOTE);
        assert_eq!(after.edits, [leak]);
    }

    #[test]
    fn an_edit_that_builds_on_one_that_was_left_out_is_left_out_as_well() {
        let message = "Shorter, please.";
        let edits =
            vec![set("two", "The warning comes early.", NOTE), set("two", NOTE, "The warning comes.")];
        let after = sayable(reply(edits), &rules(message), message);
        assert_eq!((after.edits.len(), after.document), (0, page()));
    }
}

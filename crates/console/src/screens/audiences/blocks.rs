//! The blocks of an audience's draft: listed in their order, moved, doubled, removed, and the last change taken back.
//!
//! What is done here is an edit of the API, so that it is a message of the conversation like what the editor does. Without a draft the blocks are
//! those of the published version, and the first edit makes a draft of it.

use maud::{Markup, html};
use pagesmith_model::hexadecimal::hexadecimal;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{api_path, path};
use crate::client::{Refused, segment};
use crate::json::{items, text};
use crate::notice::with_notice;
use crate::parts::icon::{Icon, icon};
use crate::visit::{Drawn, Visit};
use words::{component, first_words};

pub(super) mod edit;
pub(super) mod words;

/// The version whose blocks are shown and changed: the draft that the API works on, else what visitors see, else whatever there is.
pub(super) fn version(versions: &Value) -> Value {
    let all = items(versions);
    let newer = all.iter().take_while(|version| text(version, "status") != "published");
    let draft = newer.into_iter().find(|version| text(version, "status") == "draft");
    let published = || all.iter().find(|version| text(version, "status") == "published");
    draft.or_else(published).or_else(|| all.first()).cloned().unwrap_or_default()
}

/// Whether a version has blocks that can be changed, be it that none is left.
pub(super) fn is_written(version: &Value) -> bool {
    matches!(text(version, "status"), "draft" | "published")
}

/// The blocks of a version; none as long as nothing is written.
pub(super) async fn of_version(visit: &Visit, version: &Value) -> Result<Vec<Value>, Refused> {
    if !is_written(version) {
        return Ok(Vec::new());
    }
    let api = format!("{}/versions/{}/content", api_path(visit), segment(text(version, "versionId")));
    let content = visit.api.get(&api).await?.body;
    Ok(content["blocks"].as_array().cloned().unwrap_or_default())
}

/// The blocks that are changed.
pub(super) async fn present(visit: &Visit) -> Result<Vec<Value>, Refused> {
    let versions = visit.api.get(&format!("{}/versions", api_path(visit))).await?.body;
    of_version(visit, &version(&versions)).await
}

/// The id of a block.
pub(super) fn id(block: &Value) -> &str {
    text(block, "blockId")
}

/// The block with this id, and the id of the one before it.
pub(super) fn find<'a>(blocks: &'a [Value], block_id: &str) -> Option<(&'a Value, Option<&'a str>)> {
    let at = blocks.iter().position(|block| id(block) == block_id)?;
    let before = at.checked_sub(1).and_then(|at| blocks.get(at)).map(id);
    blocks.get(at).map(|block| (block, before))
}

/// What a block was like when it was shown.
fn seen(block: &Value) -> String {
    let digest = Sha256::digest(block.to_string().as_bytes());
    hexadecimal(&digest[..8])
}

/// The list beside the preview. `last` is the message whose changes can be taken back.
pub(super) fn draw(visit: &Visit, blocks: &[Value], last: Option<&str>, here: &str) -> Markup {
    let may_write = visit.may_write();
    if blocks.is_empty() && !may_write {
        return html! {};
    }
    html! {
        details.blocks open {
            summary { h2 #blocks-title { (visit.text("content-blocks")) } }
            @if may_write && !blocks.is_empty() { p.help { (visit.text("content-blocks-help")) } }
            block-order {
                ol.plain aria-labelledby="blocks-title" {
                    @for (at, block) in blocks.iter().enumerate() { (row(visit, blocks, at, block, here)) }
                }
            }
            @if may_write {
                div.line {
                    a.button href={ (here) "/add-block?after=" (segment(blocks.last().map_or("", id))) } data-key="a" { (visit.text("block-add")) }
                    @if let Some(last) = last {
                        form method="post" action={ (here) "/messages/" (segment(last)) "/undo" } {
                            button.button.quiet type="submit" data-key="z" { (visit.text("undo-last")) }
                        }
                    }
                }
            }
        }
    }
}

fn row(visit: &Visit, blocks: &[Value], at: usize, block: &Value, here: &str) -> Markup {
    let (name, said) = (component(visit.words, text(block, "type")), first_words(block));
    let base = format!("{here}/blocks/{}", segment(id(block)));
    let before = |steps: usize| at.checked_sub(steps).and_then(|at| blocks.get(at)).map_or("", id);
    let button = |to: Option<&str>, action: &str, sign: &str, label: String| {
        let label = format!("{label}: {name} {said}");
        html! {
            button.button.quiet.only-icon type="submit" name=[to.map(|_| "to")] value=[to] formaction={ (base) "/" (action) }
                data-act=(sign) aria-label=(label) title=(label) {
                @if sign == "duplicate" { (icon(Icon::Copy)) } @else { (sign) }
            }
        }
    };
    html! {
        li.block data-block=(id(block)) {
            @if visit.may_write() {
                a href=(base) { strong { (name) } " " bdi { (said) } }
                form method="post" action={ (base) "/move" } {
                    input type="hidden" name="after" value=(before(1));
                    input type="hidden" name="seen" value=(seen(block));
                    @if at > 0 { (button(Some(before(2)), "move", "↑", visit.text("move-up"))) }
                    @if let Some(next) = blocks.get(at + 1) { (button(Some(id(next)), "move", "↓", visit.text("move-down"))) }
                    (button(None, "duplicate", "duplicate", visit.text("duplicate")))
                    (button(None, "remove", "×", visit.text("remove")))
                }
            } @else { span { strong { (name) } " " bdi { (said) } } }
        }
    }
}

/// A text of a form as an id; empty for none.
fn some_id(text: &str) -> Value {
    if text.is_empty() { Value::Null } else { text.into() }
}

/// Carries operations out, and goes on at the audience, which offers to take them back.
pub(super) async fn edit(visit: &Visit, operations: &[Value]) -> Result<Drawn, Refused> {
    let (api, body) = (format!("{}/messages/edits", api_path(visit)), json!({ "operations": operations }));
    let edited = visit.api.post(&api, &body).await?.body;
    Ok(visit.moved(&with_notice(&path(visit), "draft-edited", text(&edited, "messageId"))))
}

/// The same for what was asked for in the list; what is refused is told there.
async fn edit_in_list(visit: Visit, operation: Result<Value, Refused>) -> Result<Drawn, Refused> {
    let edited = match operation {
        Ok(operation) => edit(&visit, &[operation]).await,
        Err(refused) => Err(refused),
    };
    match edited {
        Ok(drawn) => Ok(drawn),
        Err(refused) if refused.status == axum::http::StatusCode::NOT_FOUND => Err(refused),
        Err(refused) => super::shown(&visit, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

/// Moves a block behind another one.
pub(crate) async fn move_block(visit: Visit) -> Result<Drawn, Refused> {
    let (from, to) = (some_id(visit.entered.text("after")), some_id(visit.entered.text("to")));
    let operation = json!({ "operation": "move", "blockId": visit.id("block_id"), "from": from, "to": to });
    edit_in_list(visit, Ok(operation)).await
}

/// Puts the same block behind it.
pub(crate) async fn duplicate(visit: Visit) -> Result<Drawn, Refused> {
    let operation = as_seen(&visit).await.map(|(mut block, _)| {
        let after = block.as_object_mut().and_then(|fields| fields.remove("blockId"));
        json!({ "operation": "insert", "block": block, "after": after })
    });
    edit_in_list(visit, operation).await
}

/// Removes a block.
pub(crate) async fn remove(visit: Visit) -> Result<Drawn, Refused> {
    let operation = as_seen(&visit).await;
    let operation =
        operation.map(|(block, before)| json!({ "operation": "remove", "block": block, "after": before }));
    edit_in_list(visit, operation).await
}

/// The block as it was when the list was drawn, and the one before it.
async fn as_seen(visit: &Visit) -> Result<(Value, Option<String>), Refused> {
    let blocks = present(visit).await?;
    let conflict = |words: String| Refused::new(axum::http::StatusCode::CONFLICT, &words);
    let Some((block, before)) = find(&blocks, visit.id("block_id")) else {
        return Err(conflict(visit.text("block-gone")));
    };
    if seen(block) != visit.entered.text("seen") {
        return Err(conflict(visit.text("block-changed-meanwhile")));
    }
    Ok((block.clone(), before.map(str::to_owned)))
}

/// Takes back all that a message has changed.
pub(crate) async fn undo(visit: Visit) -> Result<Drawn, Refused> {
    let api = format!("{}/messages/{}/revert", api_path(&visit), segment(visit.id("message_id")));
    match visit.api.post(&api, &json!({})).await {
        Ok(_) => Ok(visit.moved(&with_notice(&path(&visit), "undone", ""))),
        Err(refused) if refused.status == axum::http::StatusCode::CONFLICT => {
            super::shown(&visit, Some(refused)).await.map(Drawn::from)
        }
        Err(refused) => Err(refused),
    }
}

//! The conversation with the editor: what was said, what it changed, and how to take that back.

use axum::http::StatusCode;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::{api_path, path, versions};
use crate::client::{Refused, segment};
use crate::events::beside;
use crate::json::{list_of, some, text};
use crate::parts::field::{Field, Kind};
use crate::parts::form::Form;
use crate::screens::actors::Actors;
use crate::screens::entering::filled;
use crate::visit::{Drawn, Visit};

/// The longest message that the API takes.
const MESSAGE: u64 = 50_000;
/// How much of a selected text the API takes.
const ELEMENT: usize = 1_000;
/// How many of the last messages are shown.
const SHOWN: usize = 30;

/// The conversation of an audience.
pub(super) struct DrawnConversation {
    /// As it is drawn.
    pub drawn: Markup,
    /// How many messages it has.
    pub count: usize,
    /// The last message that has changed the draft and was not taken back.
    pub last_changed: Option<String>,
}

/// Draws the conversation of an audience with these blocks, of which the editor is so far. What was to be said and was refused comes back
/// in its field. Without `may_change` it is only read.
pub(super) async fn draw(
    visit: &Visit,
    (api, here): (&str, &str),
    blocks: &[Value],
    (editing, may_change): (&Value, bool),
    refused: Option<&Refused>,
) -> Result<DrawnConversation, Refused> {
    let found = visit.api.get(&format!("{api}/messages?include=blockChanges,actor")).await?.body;
    let messages = list_of(&found, "messages");
    let hidden = messages.len().saturating_sub(SHOWN);
    // Their names are read where somebody else has said something.
    let actors = match messages[hidden..].iter().any(|message| colleague(visit, message).is_some()) {
        true => Some(Actors::read(visit).await?),
        false => None,
    };
    let content = html! {
        @if messages.is_empty() { p.help { (visit.text("conversation-empty")) } }
        ol.messages {
            @for message in &messages[hidden..] { (one(visit, (message, actors.as_ref()), here, may_change)) }
            @if let Some(so_far) = some(editing, "partialText") {
                li.message.assistant aria-busy="true" {
                    span.unseen { (visit.text("editor")) ": " }
                    p dir="auto" { (so_far) }
                }
            }
        }
        @if !editing["activeRun"].is_null() {
            p.help role="status" { (visit.text("editor-works")) }
            @if may_change {
                form method="post" action={ (here) "/interrupt" } {
                    button.button.quiet type="submit" { (visit.text("interrupt")) }
                }
            }
        }
    };
    let refused = refused.filter(|_| !visit.entered.all("message").is_empty());
    let about = refused.and_then(|_| visit.entered.some("block"));
    let about = about.filter(|block_id| super::blocks::find(blocks, block_id).is_some());
    let about = about.map(|block_id| (block_id, visit.entered.some("element")));
    let drawn = html! {
        section.conversation aria-labelledby="conversation-title" {
            h2 #conversation-title { (visit.text("conversation")) }
            (content)
            @if may_change { (say_form(visit, here, about, refused)) }
        }
    };
    let is_applied = |message: &&Value| changes(message).any(|change| text(change, "status") == "applied");
    let last = messages.iter().rev().find(is_applied).map(|message| text(message, "messageId").to_owned());
    Ok(DrawnConversation { drawn, count: messages.len(), last_changed: last })
}

/// The field in which somebody says what is to be different: of the page, or of the block with this id, where this text was clicked.
pub(super) fn say_form(
    visit: &Visit,
    here: &str,
    block: Option<(&str, Option<&str>)>,
    refused: Option<&Refused>,
) -> Markup {
    let (action, submit) = (format!("{here}/say"), visit.text("send"));
    let help = match block {
        Some((_, Some(element))) => visit
            .words
            .with("message-of-element-help", &[("text", crate::screens::pages::shortened(element).into())]),
        Some((_, None)) => visit.text("message-of-block-help"),
        None => visit.text("message-help"),
    };
    let message =
        Field::new("message", visit.text("message"), Kind::LongText(Some(MESSAGE))).required().help(help);
    let mut fields = vec![message];
    if let Some((block_id, element)) = block {
        fields.push(Field::hidden("block", block_id));
        fields.extend(element.map(|element| Field::hidden("element", element)));
    }
    let form = Form::new("say", &action, &submit, fields);
    if refused.is_some() { filled(form, visit, refused) } else { form }.draw(visit.words)
}

/// What a message has changed.
fn changes(message: &Value) -> impl Iterator<Item = &Value> {
    ["changes", "blockChanges"].into_iter().filter_map(|name| message[name].as_array()).flatten()
}

/// Who else has sent a message.
fn colleague<'m>(visit: &Visit, message: &'m Value) -> Option<&'m str> {
    let actor = some(message, "actor").filter(|_| text(message, "role") == "user");
    actor.filter(|actor| *actor != visit.user.user_id.as_str())
}

fn one(visit: &Visit, (message, actors): (&Value, Option<&Actors>), here: &str, may_change: bool) -> Markup {
    let name = colleague(visit, message).zip(actors).map(|(actor, actors)| actors.name(visit, actor));
    let (id, is_ours) = (text(message, "messageId"), text(message, "role") == "assistant");
    let changes: Vec<&Value> = changes(message).collect();
    html! {
        li.message.assistant[is_ours] {
            @if let Some(name) = &name {
                bdi.help { (name) }
            } @else {
                span.unseen { @if is_ours { (visit.text("editor")) } @else { (visit.text("you")) } ": " }
            }
            p dir="auto" { (text(message, "content")) }
            @if message["isInterrupted"] == true { p.help { (visit.text("interrupted")) } }
            @for change in changes {
                @let change_id = text(change, "changeId");
                @if may_change && text(change, "status") == "applied" {
                    form method="post" action={ (here) "/revert" } {
                        input type="hidden" name="message" value=(id);
                        input type="hidden" name="change" value=(change_id);
                        span.help { (what_changed(visit, change)) " " }
                        button.button.quiet type="submit" { (visit.text("undo")) }
                    }
                }
            }
            @if may_change && message["hasSnapshot"] == true {
                form method="post" action={ (here) "/snapshot" } {
                    input type="hidden" name="message" value=(id);
                    button.button.quiet type="submit" { (visit.text("back-to-here")) }
                }
            }
        }
    }
}

/// What a change is about: the request that it was made for, or what was done by hand.
fn what_changed(visit: &Visit, change: &Value) -> Markup {
    let operation = &change["operation"];
    let block = if operation["block"].is_object() { &operation["block"] } else { operation };
    let said = match text(operation, "operation") {
        "insert" => visit.text("change-insert"),
        "remove" => visit.text("change-remove"),
        "move" => visit.text("change-move"),
        "set" => visit.text("change-set"),
        _ => String::new(),
    };
    let reason = some(change, "reason").or_else(|| some(change, "field")).unwrap_or_default();
    html! { bdi { (visit.words.issue(reason)) } @if !said.is_empty() { " (" (said) " " bdi { (text(block, "blockId")) } ")" } }
}

/// Says what is to be different; with a block that is selected, of that block only. What is refused can be mended and said again.
pub(crate) async fn say(visit: Visit) -> Result<Drawn, Refused> {
    match said(&visit).await {
        // Whoever said something sees what is answered, which stands far below the page's versions.
        Ok(()) => Ok(visit.moved(&format!("{}#conversation-title", path(&visit)))),
        Err(refused) if refused.status == StatusCode::NOT_FOUND => Err(refused),
        Err(refused) => super::shown(&visit, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

async fn said(visit: &Visit) -> Result<(), Refused> {
    let mut body = json!({ "message": visit.entered.text("message") });
    if let Some(block_id) = visit.entered.some("block") {
        let blocks = super::blocks::present(visit).await?;
        let Some((block, _)) = super::blocks::find(&blocks, block_id) else {
            return Err(Refused::new(StatusCode::CONFLICT, &visit.text("block-gone")));
        };
        let shortened = |text: &str| text.chars().take(ELEMENT).collect::<String>();
        body["selectedElement"] = json!({
            "blockId": block_id,
            "elementId": block_id,
            "elementType": text(block, "type"),
            "blockTitle": some(block, "title").map(shortened),
            "content": visit.entered.some("element").map(shortened),
        });
    }
    visit.api.post(&format!("{}/messages", api_path(visit)), &body).await.map(drop)
}

/// Stops the editor; what it has finished stays.
pub(crate) async fn interrupt(visit: Visit) -> Result<Drawn, Refused> {
    let api = api_path(&visit);
    let run = visit.api.get(&format!("{api}/messages/active_run")).await?.body;
    if some(&run, "runToken").is_some() {
        visit.api.post(&format!("{api}/messages/interrupt"), &json!({})).await?;
    }
    Ok(visit.moved(&path(&visit)))
}

/// Takes one change back.
pub(crate) async fn revert(visit: Visit) -> Result<Drawn, Refused> {
    let (message, change) = (segment(visit.entered.text("message")), segment(visit.entered.text("change")));
    let api = format!("{}/messages/{message}/changes/{change}/revert", api_path(&visit));
    visit.api.post(&api, &json!({})).await?;
    Ok(visit.moved(&path(&visit)))
}

/// Brings the draft back to what it was after a message.
pub(crate) async fn to_snapshot(visit: Visit) -> Result<Drawn, Refused> {
    let message = segment(visit.entered.text("message"));
    visit.api.post(&format!("{}/messages/{message}/restore", api_path(&visit)), &json!({})).await?;
    Ok(visit.moved(&path(&visit)))
}

/// Says when the conversation goes on, and when something else has become of the audience.
pub(crate) async fn conversation_events(visit: Visit) -> Result<Drawn, Refused> {
    let api = api_path(&visit);
    let path = format!("{api}/messages/active_run/progress");
    beside(&visit, &path, "progress", move |client| versions::state(client, api.clone())).await
}

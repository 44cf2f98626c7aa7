//! An audience: the page as its visitors see it, beside what can be done with it.

mod conversation;
mod making;
mod versions;

pub(crate) use conversation::{conversation_events, interrupt, revert, say, to_snapshot};
pub(crate) use making::{create, new};
pub(crate) use versions::{
    cancel, compare, publish, restore_version, rewrite, schedule, unschedule, versions, writing_events,
};

use maud::{Markup, html};
use serde_json::{Value, json};

use crate::client::{Refused, segment};
use crate::json::{items, some, text};
use crate::notice::told;
use crate::parts::field::{Field, Kind};
use crate::parts::form::Form;
use crate::parts::live::{Source, live};
use crate::parts::navigation::Area;
use crate::parts::tabs::{Tab, tabs};
use crate::screens::pages::filled;
use crate::screens::status;
use crate::visit::{Drawn, Screen, Visit};

/// The widths that a preview is shown in, with the words for them.
const DEVICES: [&str; 3] = ["desk", "tablet", "phone"];
/// How long a preview's link works, in seconds.
const PREVIEW: u32 = 3600;
/// The longest notes that the field takes.
const CONTEXT: u64 = 100_000;

/// The API's path of the audience that the address names.
fn api_path(visit: &Visit) -> String {
    format!("/v0/pages/{}/audiences/{}", segment(visit.id("page_id")), segment(visit.id("audience_id")))
}

/// The console's path of it.
fn path(visit: &Visit) -> String {
    format!("/pages/{}/audiences/{}", segment(visit.id("page_id")), segment(visit.id("audience_id")))
}

/// An audience with the page's preview.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    let api = api_path(&visit);
    let audience = visit.api.get(&api).await?.body;
    let page = visit.api.get(&crate::screens::pages::api_path(&visit)).await?.body;
    let found = visit.api.get(&format!("{api}/versions")).await?.body;
    // The draft that the conversation works on, else what visitors see, else whatever is being written.
    let version = ["draft", "published"]
        .iter()
        .find_map(|wanted| items(&found).iter().find(|version| text(version, "status") == *wanted))
        .or_else(|| items(&found).first())
        .cloned()
        .unwrap_or_default();
    let writing = items(&found).iter().find(|version| status::is_being_written(text(version, "status")));
    let link = visit.api.get(&format!("{api}/link")).await.ok().map(|link| link.body);
    let has_content = matches!(text(&version, "status"), "draft" | "published");
    let preview = if visit.may_write() && has_content {
        let path = format!("{api}/versions/{}/preview", text(&version, "versionId"));
        Some(visit.api.post(&path, &json!({ "expiresIn": PREVIEW })).await?.body)
    } else {
        link.clone().filter(|_| text(&audience, "status") == "published")
    };
    let address = preview.as_ref().and_then(|preview| some(preview, "url")).map(str::to_owned);
    let here = visit.url(&path(&visit));
    let said = conversation::draw(&visit, &api, &here).await?;
    let shown = html! {
        div.beside {
            div.stack {
                (state(&visit, &audience, &version, writing, &here))
                (said)
                (context_form(&visit, &audience, &here, None))
            }
            (frame(&visit, address.as_deref(), &here))
        }
    };
    // What is written and what the editor does change the same things: the state, the conversation and the preview.
    let events = match writing {
        Some(writing) => format!("{here}/versions/{}/events", text(writing, "versionId")),
        None => format!("{here}/events"),
    };
    let main = live("audience", &Source { events: &events, event: "progress", content: &here }, &shown);
    let mut screen = Screen::new(Area::Pages, text(&audience, "effectiveName"), main)
        .below(text(&page, "name"), visit.url(&format!("/pages/{}", text(&page, "pageId"))))
        .actions(actions(&visit, &audience, link.as_ref(), &here));
    // Whatever the preview shows later, its policy is that of the document that is here now.
    screen.frames = Some((visit.installation.site_origin)(&visit.tenant.slug));
    Ok(screen.into())
}

fn actions(visit: &Visit, audience: &Value, link: Option<&Value>, here: &str) -> Markup {
    let is_archived = text(audience, "status") == "archived";
    html! {
        @if visit.may_write() && is_archived {
            form method="post" action={ (here) "/restore" } { button.button.primary type="submit" { (visit.text("restore")) } }
        }
        @if let Some(url) = link.and_then(|link| some(link, "url")).filter(|_| text(audience, "status") == "published") {
            a.button href=(url) target="_blank" rel="noopener" { (visit.text("open-page")) }
        }
        a.button.quiet href={ (here) "/versions" } data-key="v" { (visit.text("versions")) }
    }
}

/// What is being written, and what came of it.
fn state(visit: &Visit, audience: &Value, version: &Value, writing: Option<&Value>, here: &str) -> Markup {
    let shown = html! {
        p {
            (status::of(visit.words, text(writing.unwrap_or(version), "status"))) " "
            span.help { (visit.words.with("version-number", &[("number", version["versionNumber"].as_i64().unwrap_or_default().into())])) }
        }
        @if let Some(writing) = writing {
            p.help role="status" { (visit.text("being-written")) }
            @if visit.may_write() {
                form method="post" action={ (here) "/cancel" } {
                    input type="hidden" name="version" value=(text(writing, "versionId"));
                    button.button.quiet type="submit" { (visit.text("cancel-writing")) }
                }
            }
        } @else if text(version, "status") == "cancelled" {
            p { (visit.text("writing-failed")) }
        }
        @if visit.may_write() && text(audience, "status") != "archived" && text(version, "status") == "draft" {
            form method="post" action={ (here) "/publish" } {
                input type="hidden" name="version" value=(text(version, "versionId"));
                button.button.primary type="submit" data-key="p" { (visit.text("publish")) }
            }
        }
        @if text(audience, "status") == "archived" { p.help { (visit.text("archived-text")) } }
    };
    html! { div.stack { (shown) } }
}

/// The notes about the audience, which visitors never see.
fn context_form(visit: &Visit, audience: &Value, here: &str, refused: Option<&Refused>) -> Markup {
    let known = text(audience, "supplementaryContext");
    let name = some(audience, "customName").unwrap_or_default();
    if !visit.may_write() {
        return html! { @if !known.is_empty() { p.prose dir="auto" { (known) } } };
    }
    let fields = vec![
        Field::new("customName", visit.text("audience-name"), Kind::Text(Some(200))).value(name),
        Field::new("supplementaryContext", visit.text("audience-context"), Kind::LongText(Some(CONTEXT)))
            .value(known)
            .help(visit.text("audience-context-help")),
    ];
    let (action, submit) = (format!("{here}/context"), visit.text("save-and-rewrite"));
    let form = filled(Form::new("context", &action, &submit, fields), visit, refused);
    html! { details { summary { (visit.text("audience-about")) } (form.draw(visit.words)) } }
}

/// The page in a frame of its own origin.
fn frame(visit: &Visit, address: Option<&str>, here: &str) -> Markup {
    let device = visit.asked("device").filter(|device| DEVICES.contains(&device.as_str()));
    let current = DEVICES.iter().position(|known| device.as_deref() == Some(*known)).unwrap_or_default();
    let is_dark = visit.asked("scheme").as_deref() == Some("dark");
    let url = |device: &str, dark: bool| {
        format!("{here}?device={device}{}", if dark { "&scheme=dark" } else { "" })
    };
    let urls = DEVICES.map(|device| url(device, is_dark));
    let labels = [visit.text("device-desk"), visit.text("device-tablet"), visit.text("device-phone")];
    let shown: Vec<Tab<'_>> =
        labels.iter().zip(&urls).map(|(label, href)| Tab { label, href, count: None }).collect();
    html! {
        section.preview.(DEVICES[current]) aria-label=(visit.text("preview")) {
            div.preview-bar {
                (tabs(&visit.text("preview-width"), &shown, current))
                a.button.quiet href=(url(DEVICES[current], !is_dark)) {
                    @if is_dark { (visit.text("scheme-light")) } @else { (visit.text("scheme-dark")) }
                }
            }
            @match address {
                Some(address) => iframe.dark[is_dark] src=(address) title=(visit.text("preview")) loading="lazy" {},
                None => p.help { (visit.text("preview-none")) },
            }
        }
    }
}

/// Changes what is known of an audience and has a new version written for it.
pub(crate) async fn context(visit: Visit) -> Result<Drawn, Refused> {
    let api = api_path(&visit);
    let change = visit.entered.change(&["customName", "supplementaryContext"]);
    visit.api.patch(&api, &change, None).await?;
    visit.api.post(&format!("{api}/versions"), &json!({})).await?;
    Ok(visit.moved(&told(&path(&visit), "saved", "")))
}

/// Archives an audience, whose link answers 404 from then on.
pub(crate) async fn archive(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.delete(&api_path(&visit)).await?;
    let page = segment(visit.id("page_id"));
    Ok(visit.moved(&told(&format!("/pages/{page}"), "saved", "")))
}

/// Takes back that an audience was archived.
pub(crate) async fn restore(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&format!("{}/restore", api_path(&visit)), &json!({})).await?;
    Ok(visit.moved(&told(&path(&visit), "saved", "")))
}

//! An audience: the page as its visitors see it, beside what can be done with it.

mod block_form;
mod blocks;
mod comparing;
mod conversation;
mod making;
mod many;
mod of_file;
mod schedule;
mod sharing;
mod versions;
mod writing;

pub(crate) use block_form::{
    create as create_block, new as new_block, show as show_block, update as update_block,
};
pub(crate) use blocks::{duplicate as duplicate_block, move_block, remove as remove_block, undo};

pub(crate) use comparing::{choose as choose_compared, compare};
pub(crate) use conversation::{conversation_events, interrupt, revert, say, to_snapshot};
pub(crate) use making::{create, new};
pub(crate) use many::{
    accounts, change_selected, create_for_accounts, create_for_persons, create_of_notes, notes, persons,
};
pub(crate) use of_file::{create_of_file, new_of_file};
pub(crate) use schedule::unschedule;
pub(crate) use sharing::{qr_png, qr_svg};
pub(crate) use versions::{
    cancel, events as versions_events, publish, restore_version, rewrite, set_schedule, versions,
    writing_events,
};

use futures_util::future::try_join_all;
use maud::{Markup, html};
use pagesmith_model::{AudienceId, PageId, VersionId};
use pagesmith_operations::site::previews;
use serde_json::{Value, json};

use crate::client::{Refused, segment};
use crate::json::{items, some, text};
use crate::notice::with_notice;
use crate::parts::field::{Field, Kind};
use crate::parts::form::Form;
use crate::parts::live::{Source, and_beside, live, since};
use crate::parts::navigation::Area;
use crate::parts::tabs::{Tab, tabs};
use crate::screens::entering::filled;
use crate::screens::withheld::{is_withheld, name_of};
use crate::screens::{site_frame, status};
use crate::visit::{Drawn, Screen, Visit};

/// The widths that a preview is shown in, with the words for them.
const DEVICES: [&str; 3] = ["desk", "tablet", "phone"];
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
    shown(&visit, None).await.map(Drawn::from)
}

async fn shown(visit: &Visit, refused: Option<Refused>) -> Result<Screen, Refused> {
    let api = api_path(visit);
    let audience = visit.api.get(&api).await?.body;
    let page = visit.api.get(&crate::screens::pages::api_path(visit)).await?.body;
    if is_withheld(visit, &audience) {
        return Ok(withheld(visit, &audience, &page));
    }
    // What there is, and how far the editor is, before all that is shown: what changes afterwards is an event.
    let others = versions::state(visit.api.clone(), api.clone()).await?;
    let editing = visit.api.get(&format!("{api}/messages/active_run/progress")).await?;
    let found = visit.api.get(&format!("{api}/versions")).await?.body;
    // The draft that the conversation works on, else what visitors see, else whatever is being written.
    let version = blocks::version(&found);
    let writing = items(&found).iter().find(|version| status::is_being_written(text(version, "status")));
    let link = visit.api.get(&format!("{api}/link")).await.ok().map(|link| link.body);
    let address = preview(visit, &version).await?;
    let here = visit.url(&path(visit));
    let content = blocks::of_version(visit, &version).await?;
    let said = conversation::draw(
        visit,
        (&api, &here),
        &content,
        (&editing.body, may_change(visit, &audience)),
        refused.as_ref(),
    )
    .await?;
    // Another address has the frame loaded anew: when something was said, and not whenever the screen is drawn.
    let address = address.map(|address| format!("{address}?said={}", said.count));
    let scheduled = scheduled(visit, &found).await?;
    let shown = html! {
        div.beside {
            div.stack {
                (state(visit, &audience, (&version, writing), &here).await?)
                @for (version, schedule) in &scheduled { (schedule::draw(visit, version, schedule, (&here, "audience"))) }
                @if text(&audience, "status") != "archived" && blocks::is_written(&version) { (blocks::draw(visit, &content, said.last_changed.as_deref(), &here)) }
                (said.drawn)
                (context_form(visit, &audience, &here, None))
                @if let Some(link) = &link { (sharing::draw(visit, link, &here)) }
            }
            (frame(visit, address.as_deref(), &here, None))
        }
    };
    // What is written and what the editor does change the same things: the state, the conversation and the preview.
    let events = match writing {
        Some(writing) => {
            let version = format!("/versions/{}", segment(text(writing, "versionId")));
            status::events(visit, &format!("{api}{version}"), &format!("{here}{version}")).await?
        }
        None => since(&format!("{here}/events"), &editing),
    };
    let events = and_beside(&events, &others);
    // Drawn again, the preview stays as wide and as dark as it is.
    let content = Look::of(visit).url(&here);
    let main = live("audience", &Source { events: &events, event: "progress", content: &content }, &shown);
    let mut screen = Screen::new(Area::Pages, text(&audience, "effectiveName"), main)
        .below(text(&page, "name"), visit.url(&format!("/pages/{}", text(&page, "pageId"))))
        .actions(actions(visit, &audience, link.as_ref(), &here))
        .refused(refused);
    // Whatever the preview shows later, its policy is that of the document that is here now.
    screen.frames = Some((visit.installation.site_origin)(&visit.tenant.slug));
    Ok(screen)
}

/// A person's audience for whoever does not see personal data: that there is one, and its state. What was written for the person
/// names the person.
fn withheld(visit: &Visit, audience: &Value, page: &Value) -> Screen {
    let main = html! {
        div.stack {
            p { (status::of(visit.words, text(audience, "status"))) }
            p.help { (visit.text("audience-withheld")) }
        }
    };
    Screen::new(Area::Pages, name_of(visit, audience), main)
        .below(text(page, "name"), visit.url(&format!("/pages/{}", text(page, "pageId"))))
}

/// The address of a version's preview, if it has content. Whoever reads the screen may see it: the API makes links only for those who
/// may change something, since a link can be given to anybody.
async fn preview(visit: &Visit, version: &Value) -> Result<Option<String>, Refused> {
    let ids = (
        PageId::parse(visit.id("page_id")),
        AudienceId::parse(visit.id("audience_id")),
        VersionId::parse(text(version, "versionId")),
    );
    let (Some(page_id), Some(audience_id), Some(version_id)) = ids else { return Ok(None) };
    if !blocks::is_written(version) {
        return Ok(None);
    }
    let ctx = visit.context().of(visit.tenant.tenant_id.clone());
    let (ids, lasts) = ((page_id, audience_id, version_id), site_frame::lasts(ctx.now));
    let (path, _) = visit.read(move |tx| previews::grant(tx, &ctx, &ids, lasts)).await?;
    Ok(Some(site_frame::address(visit, &path)))
}

fn actions(visit: &Visit, audience: &Value, link: Option<&Value>, here: &str) -> Markup {
    let is_archived = text(audience, "status") == "archived";
    html! {
        @if visit.may_write() && is_archived {
            form method="post" action={ (here) "/restore" } { button.button.primary type="submit" { (visit.text("restore")) } }
        }
        @if visit.may_write() && !is_archived {
            form method="post" action={ (here) "/archive" } { button.button.quiet type="submit" { (visit.text("archive")) } }
        }
        @if let Some(url) = link.and_then(|link| some(link, "url")).filter(|_| text(audience, "status") == "published") {
            a.button href=(url) target="_blank" rel="noopener" { (visit.text("open-page")) }
        }
        a.button.quiet href={ (here) "/versions" } data-key="v" { (visit.text("versions")) }
    }
}

/// Whether the user may change what an audience says: one that is archived can only be restored.
fn may_change(visit: &Visit, audience: &Value) -> bool {
    visit.may_write() && text(audience, "status") != "archived"
}

/// The versions that have a schedule, with it.
async fn scheduled<'a>(visit: &Visit, versions: &'a Value) -> Result<Vec<(&'a Value, Value)>, Refused> {
    let reads = items(versions).iter().map(|version| async move {
        let schedule = schedule::of(visit, version).await?;
        Ok::<_, Refused>(schedule.map(|schedule| (version, schedule)))
    });
    Ok(try_join_all(reads).await?.into_iter().flatten().collect())
}

/// The API's path of the version that was sent.
fn of_version(visit: &Visit, rest: &str) -> String {
    format!("{}/versions/{}{rest}", api_path(visit), segment(visit.entered.text("version")))
}

/// What is being written, and what came of it.
async fn state(
    visit: &Visit,
    audience: &Value,
    (version, writing): (&Value, Option<&Value>),
    here: &str,
) -> Result<Markup, Refused> {
    let told = writing::notices(visit, writing.unwrap_or(version), None).await?;
    let shown = html! {
        p {
            (status::of(visit.words, text(writing.unwrap_or(version), "status"))) " "
            span.help { (visit.words.with("version-number", &[("number", version["versionNumber"].as_i64().unwrap_or_default().into())])) }
        }
        (told)
        @if let Some(writing) = writing {
            @if visit.may_write() {
                form method="post" action={ (here) "/cancel" } {
                    input type="hidden" name="version" value=(text(writing, "versionId"));
                    button.button.quiet type="submit" { (visit.text("cancel-writing")) }
                }
            }
        }
        @if may_change(visit, audience) && text(version, "status") == "draft" {
            form method="post" action={ (here) "/publish" } {
                input type="hidden" name="version" value=(text(version, "versionId"));
                button.button.primary type="submit" data-key="p" { (visit.text("publish")) }
            }
        }
        @if text(audience, "status") == "archived" { p.help { (visit.text("archived-text")) } }
    };
    Ok(html! { div.stack { (shown) } })
}

/// The notes about the audience, which visitors never see.
fn context_form(visit: &Visit, audience: &Value, here: &str, refused: Option<&Refused>) -> Markup {
    let known = text(audience, "supplementaryContext");
    let name = some(audience, "customName").unwrap_or_default();
    if !may_change(visit, audience) {
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

/// How a preview is looked at; the address of the screen says it.
#[derive(Clone, Copy)]
struct Look {
    /// The place in [`DEVICES`].
    device: usize,
    is_dark: bool,
}

impl Look {
    fn of(visit: &Visit) -> Look {
        let device = visit.asked("device");
        let device = DEVICES.iter().position(|known| device.as_deref() == Some(*known)).unwrap_or_default();
        Look { device, is_dark: visit.asked("scheme").as_deref() == Some("dark") }
    }

    /// The address of a screen whose preview is looked at so.
    fn url(self, here: &str) -> String {
        let device = DEVICES.get(self.device).copied();
        crate::client::with_query(here, &[("device", device), ("scheme", self.is_dark.then_some("dark"))])
    }
}

/// The page in a frame of its own origin; with a block that it shows, if one is edited.
fn frame(visit: &Visit, address: Option<&str>, here: &str, block: Option<&str>) -> Markup {
    let look = Look::of(visit);
    let Look { device: current, is_dark } = look;
    let urls: Vec<String> = (0..DEVICES.len()).map(|device| Look { device, ..look }.url(here)).collect();
    let labels = [visit.text("device-desk"), visit.text("device-tablet"), visit.text("device-phone")];
    let shown: Vec<Tab<'_>> =
        labels.iter().zip(&urls).map(|(label, href)| Tab { label, href, count: None }).collect();
    html! {
        section.preview.(DEVICES[current]) aria-label=(visit.text("preview")) data-shows=[block] {
            div.preview-bar {
                (tabs(&visit.text("preview-width"), &shown, current))
                a.button.quiet href=(Look { is_dark: !is_dark, ..look }.url(here)) {
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
    Ok(visit.moved(&with_notice(&path(&visit), "saved", "")))
}

/// Archives an audience, whose link answers 404 from then on.
pub(crate) async fn archive(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.delete(&api_path(&visit)).await?;
    let page = segment(visit.id("page_id"));
    Ok(visit.moved(&with_notice(&format!("/pages/{page}"), "audience-archived", visit.id("audience_id"))))
}

/// Takes back that an audience was archived.
pub(crate) async fn restore(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&format!("{}/restore", api_path(&visit)), &json!({})).await?;
    Ok(visit.moved(&with_notice(&path(&visit), "saved", "")))
}

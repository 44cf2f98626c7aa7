//! The versions of an audience's page: listed with who did what, published, written anew.

use axum::http::StatusCode;
use futures_util::future::{try_join, try_join_all};
use maud::{Markup, html};
use pagesmith_model::Timestamp;
use serde_json::{Value, json};

use super::{api_path, comparing, of_version, path, schedule, writing};
use crate::client::{Client, Refused, segment, tag_of};
use crate::events::{beside, changes_of, tag_at};
use crate::json::{items, some, text, time};
use crate::notice::with_notice;
use crate::parts::badge::Tone;
use crate::parts::live::{Source, and_beside, live, since_tag};
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::pagination::{pagination, part};
use crate::parts::timeline::{Happening, timeline};
use crate::screens::actors::Actors;
use crate::screens::listing::asked;
use crate::screens::status;
use crate::visit::{Drawn, Screen, Visit};

/// How many versions a screen shows.
const SHOWN: &str = "20";
/// How much of what was done with a version.
const HISTORY: &str = "100";

/// The versions of an audience, the newest first.
pub(crate) async fn versions(visit: Visit) -> Result<Drawn, Refused> {
    listed(&visit, None).await.map(Drawn::from)
}

/// A version, and what else is told of it.
struct ShownVersion<'a> {
    version: &'a Value,
    history: Value,
    schedule: Option<Value>,
    writing: Markup,
}

impl<'a> ShownVersion<'a> {
    async fn read(visit: &Visit, version: &'a Value, actors: &Actors) -> Result<ShownVersion<'a>, Refused> {
        let history = format!("{}/versions/{}/history", api_path(visit), segment(text(version, "versionId")));
        let limit = [("limit", Some(HISTORY))];
        let (history, schedule) =
            try_join(visit.api.find(&history, &limit), schedule::of(visit, version)).await?;
        let writing = writing::notices(visit, version, Some((&history.body, actors))).await?;
        Ok(ShownVersion { version, history: history.body, schedule, writing })
    }
}

/// The screen of the versions; with the form of a schedule that was refused.
pub(super) async fn listed(visit: &Visit, refused: Option<Refused>) -> Result<Screen, Refused> {
    let api = api_path(visit);
    // Before all that is shown: what changes afterwards is an event.
    let present = state(visit.api.clone(), api.clone()).await?;
    let audience = visit.api.get(&api).await?.body;
    let page = visit.api.get(&crate::screens::pages::api_path(visit)).await?.body;
    let all = visit.api.find(&format!("{api}/versions"), &[("limit", Some(comparing::CHOICES))]).await?.body;
    let query = asked(visit, &[]);
    let shown = [("limit", Some(SHOWN)), ("cursor", query.cursor.as_deref())];
    let found = visit.api.find(&format!("{api}/versions"), &shown).await?.body;
    let actors = Actors::read(visit).await?;
    let told =
        try_join_all(items(&found).iter().map(|version| ShownVersion::read(visit, version, &actors))).await?;
    let here = visit.url(&path(visit));
    let url = format!("{here}/versions");
    let next = |list: &'_ Value, version: &Value| {
        let at = items(list).iter().position(|known| known["versionId"] == version["versionId"])?;
        items(list).get(at + 1).cloned()
    };
    let before = |version: &Value| next(&found, version).or_else(|| next(&all, version));
    let may_change = super::may_change(visit, &audience);
    let main = html! {
        div.stack {
            (comparing::form(visit, items(&all), &here))
            ol.plain {
                @for one in &told {
                    li { (row(visit, one, before(one.version).as_ref(), (&here, &actors), (may_change, refused.as_ref()))) }
                }
            }
            div hx-target:inherited="#versions" hx-select:inherited="#versions" hx-swap:inherited="outerMorph"
                hx-push-url:inherited="true" {
                (pagination(visit.words, &url, &query, &part(&found)))
            }
        }
    };
    let writing = items(&all).iter().find(|version| status::is_being_written(text(version, "status")));
    let events = match writing.map(|version| segment(text(version, "versionId"))) {
        Some(id) => {
            let (api, here) = (format!("{api}/versions/{id}"), format!("{url}/{id}"));
            and_beside(&status::events(visit, &api, &here).await?, &present)
        }
        None => since_tag(&format!("{url}/events"), &present),
    };
    let content = query.url(&url);
    let source = Source { events: &events, event: "progress", content: &content };
    let main = live("versions", &source, &main);
    let actions = html! {
        @if may_change {
            form method="post" action={ (here) "/rewrite" } { button.button type="submit" { (visit.text("rewrite")) } }
        }
    };
    Ok(Screen::new(Area::Pages, visit.text("versions"), main)
        .below(text(&page, "name"), visit.url(&format!("/pages/{}", text(&page, "pageId"))))
        .below(text(&audience, "effectiveName"), here)
        .actions(actions)
        .refused(refused))
}

fn row(
    visit: &Visit,
    told: &ShownVersion<'_>,
    before: Option<&Value>,
    (here, actors): (&str, &Actors),
    (may_change, refused): (bool, Option<&Refused>),
) -> Markup {
    let version = told.version;
    let (id, state) = (text(version, "versionId"), text(version, "status"));
    let number = version["versionNumber"].as_i64().unwrap_or_default();
    let form = |action: &str, label: String| {
        html! {
            form method="post" action={ (here) "/" (action) } {
                input type="hidden" name="version" value=(id);
                button.button.quiet type="submit" { (label) }
            }
        }
    };
    html! {
        div.version {
            strong { (visit.words.with("version-number", &[("number", number.into())])) } " "
            (status::of(visit.words, state))
            (did(visit, told, actors))
            div.actions {
                @if let Some(before) = before {
                    a.button.quiet href={ (here) "/compare/" (text(before, "versionId")) "/" (id) } { (visit.text("compare")) }
                }
                @if may_change {
                    @if state == "draft" { (form("publish", visit.text("publish"))) }
                    (schedule::form(visit, version, told.schedule.as_ref(), here, refused))
                    @if matches!(state, "archived" | "published") { (form("restore-version", visit.text("as-draft"))) }
                    @if status::is_being_written(state) { (form("cancel", visit.text("cancel-writing"))) }
                }
            }
        }
        (told.writing)
        @if let Some(schedule) = &told.schedule { (schedule::draw(visit, version, schedule, (here, "versions"))) }
        @if !items(&told.history).is_empty() {
            details { summary { (visit.text("version-history")) } (history(visit, &told.history, actors)) }
        }
    }
}

/// Who made a version, and who published it last.
fn did(visit: &Visit, told: &ShownVersion<'_>, actors: &Actors) -> Markup {
    let entry =
        |actions: &[&str]| items(&told.history).iter().find(|entry| actions.contains(&text(entry, "action")));
    let line = |label: String, at: Option<Timestamp>, entry: Option<&Value>| {
        html! {
            @if let Some(at) = at {
                span.help {
                    (label) " " (moment(visit.words, at, visit.now))
                    @if let Some(entry) = entry { " · " bdi { (actors.name(visit, text(entry, "actor"))) } }
                }
            }
        }
    };
    html! {
        (line(visit.text("version-created"), time(told.version, "createdAt"), entry(&["created", "restored"])))
        (line(visit.text("version-published"), time(told.version, "publishedAt"), entry(&["published"])))
    }
}

/// Everything that was done with a version.
fn history(visit: &Visit, history: &Value, actors: &Actors) -> Markup {
    let names: Vec<String> =
        items(history).iter().map(|entry| actors.name(visit, text(entry, "actor"))).collect();
    let happened = items(history).iter().zip(&names).filter_map(|(entry, name)| {
        let (tone, word) = done(visit, text(entry, "action"));
        let reason = some(entry, "reason");
        Some(Happening {
            tone,
            text: html! { (word) @if let Some(reason) = reason { " " span lang="en" { (reason) } } },
            actor: Some(name),
            time: time(entry, "createdAt")?,
            detail: None,
        })
    });
    timeline(visit.words, visit.now, &happened.collect::<Vec<_>>())
}

/// What was done, and what it means.
fn done(visit: &Visit, action: &str) -> (Tone, String) {
    match action {
        "created" => (Tone::Plain, visit.text("version-created")),
        "restored" => (Tone::Plain, visit.text("version-restored")),
        "generated" => (Tone::Plain, visit.text("version-generated")),
        "failed" => (Tone::Bad, visit.text("version-failed")),
        "edited" => (Tone::Plain, visit.text("version-edited")),
        "edited-by-message" => (Tone::Plain, visit.text("version-edited-by-message")),
        "cancelled" => (Tone::Warning, visit.text("version-cancelled")),
        "publish-requested" => (Tone::Plain, visit.text("version-publish-requested")),
        "published" => (Tone::Good, visit.text("version-published")),
        "archived" => (Tone::Plain, visit.text("version-replaced")),
        "unpublished" => (Tone::Warning, visit.text("version-unpublished")),
        "scheduled" => (Tone::Plain, visit.text("version-scheduled")),
        "unscheduled" => (Tone::Plain, visit.text("version-unscheduled")),
        "schedule-failed" => (Tone::Bad, visit.text("version-schedule-failed")),
        other => (Tone::Plain, other.to_owned()),
    }
}

/// Sets when a version is published and when it is taken offline.
pub(crate) async fn set_schedule(visit: Visit) -> Result<Drawn, Refused> {
    match schedule::set(&visit).await {
        Ok(()) => Ok(visit.moved(&with_notice(&format!("{}/versions", path(&visit)), "scheduled", ""))),
        Err(refused) if refused.status == StatusCode::NOT_FOUND => Err(refused),
        Err(refused) => listed(&visit, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

/// Publishes a version.
pub(crate) async fn publish(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&of_version(&visit, "/publish"), &json!({})).await?;
    Ok(visit.moved(&with_notice(&path(&visit), "published", "")))
}

/// Stops the writing of a version.
pub(crate) async fn cancel(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&of_version(&visit, "/cancel"), &json!({})).await?;
    Ok(visit.moved(&path(&visit)))
}

/// Has a new version written.
pub(crate) async fn rewrite(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&format!("{}/versions", api_path(&visit)), &json!({})).await?;
    Ok(visit.moved(&path(&visit)))
}

/// Makes a draft of what an earlier version says.
pub(crate) async fn restore_version(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&of_version(&visit, "/restore"), &json!({})).await?;
    Ok(visit.moved(&with_notice(&path(&visit), "saved", "")))
}

/// Says when a version has got further, and when something else has become of the audience.
pub(crate) async fn writing_events(visit: Visit) -> Result<Drawn, Refused> {
    let api = api_path(&visit);
    let path = format!("{api}/versions/{}/progress", segment(visit.id("version_id")));
    beside(&visit, &path, "progress", move |client| state(client, api.clone())).await
}

/// Says when a version was begun, published or scheduled, or something else has become of the audience.
pub(crate) async fn events(visit: Visit) -> Result<Drawn, Refused> {
    let api = api_path(&visit);
    changes_of(&visit, "progress", move |client| state(client, api.clone())).await
}

/// What there is of the audience at this path of the API, as a tag: the audience, its versions, and what was done with those that may have a schedule.
pub(super) async fn state(api: Client, audience: String) -> Result<String, Refused> {
    let versions = api.get(&format!("{audience}/versions")).await?;
    let history = |version: &Value| {
        format!("{audience}/versions/{}/history?limit={HISTORY}", segment(text(version, "versionId")))
    };
    let mut paths = vec![audience.clone()];
    paths.extend(items(&versions.body).iter().filter(|version| schedule::can_have(version)).map(history));
    Ok(tag_of([versions.tag(), tag_at(api, paths).await?]))
}

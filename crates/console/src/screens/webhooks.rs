//! Webhooks: where events are sent, and what became of each delivery.

use maud::{Markup, html};
use pagesmith_model::webhook::EventType;
use pagesmith_operations::webhooks::sweep::KEPT;
use serde_json::{Value, json};

use crate::client::{Refused, segment};
use crate::json::{count, items, list_of, some, text, time};
use crate::notice::{RECOVERED_SOME, with_notice};
use crate::parts::badge::{Tone, badge};
use crate::parts::code::copied;
use crate::parts::date_range::day_of;
use crate::parts::dialog::dialog_link;
use crate::parts::field::{Choice, Field, Kind};
use crate::parts::form::Form;
use crate::parts::live::{Source, live, since};
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::table::Row;
use crate::screens::entering::filled;
use crate::screens::listing::{
    Heading, Listing, asked, asked_unsearched, create_button, followed, found_to_follow, list_events,
};
use crate::screens::removal::Removal;
use crate::visit::{Drawn, Screen, Visit};

/// The list of subscriptions in the API.
const API: &str = "/v0/webhook_subscriptions";

/// The list of subscriptions.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    let query = asked_unsearched(&visit);
    let answered = found_to_follow(&visit, API, &query).await?;
    let found = &answered.body;
    let row = |subscription: &Value| Row {
        id: text(subscription, "subscriptionId").to_owned(),
        name: text(subscription, "url").to_owned(),
        href: Some(visit.url(&format!("/webhooks/{}", text(subscription, "subscriptionId")))),
        cells: vec![is_active(&visit, subscription), html! { (events_of(&visit, subscription)) }],
    };
    let title = visit.text("area-webhooks");
    let listing = Listing {
        id: "webhooks",
        caption: &title,
        path: "/webhooks",
        query: &query,
        columns: vec![
            Heading::new(visit.text("address")),
            Heading::new(visit.text("state")),
            Heading::new(visit.text("events")),
        ],
        rows: items(found).iter().map(row).collect(),
        answer: found,
        search: None,
        filter: None,
        bulk: None,
        empty: (visit.text("webhooks-empty"), visit.text("webhooks-empty-text")),
        make: Some((visit.text("webhook-new"), "/webhooks/new")),
    };
    let main = followed(&visit, "/webhooks/events", &query, &answered, &listing.draw(&visit));
    let actions = create_button(&visit, "/webhooks/new", &visit.text("webhook-new"));
    Ok(Screen::new(Area::Webhooks, title, main).actions(actions).into())
}

/// Says when something in the list has changed.
pub(crate) async fn list_changes(visit: Visit) -> Result<Drawn, Refused> {
    list_events(&visit, API, &asked_unsearched(&visit)).await
}

fn is_active(visit: &Visit, subscription: &Value) -> Markup {
    if subscription["active"] == true {
        badge(Tone::Good, &visit.text("active"))
    } else {
        badge(Tone::Warning, &visit.text("inactive"))
    }
}

fn events_of(visit: &Visit, subscription: &Value) -> String {
    let Some(events) = subscription["events"].as_array() else { return visit.text("events-all") };
    events.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
}

/// The form of a new subscription.
pub(crate) async fn new(visit: Visit) -> Result<Drawn, Refused> {
    Ok(new_screen(&visit, None).into())
}

/// The fields of a subscription, holding those of this one; null for a new one.
fn fields(visit: &Visit, subscription: &Value) -> Vec<Field> {
    let choices = EventType::ALL.map(|kind| Choice::new(kind.as_str(), kind.as_str())).to_vec();
    let chosen =
        list_of(subscription, "events").iter().filter_map(Value::as_str).map(str::to_owned).collect();
    vec![
        Field::new("url", visit.text("address"), Kind::Url)
            .required()
            .value(text(subscription, "url"))
            .help(visit.text("webhook-url-help")),
        Field::new("events", visit.text("events"), Kind::Choices(choices))
            .values(chosen)
            .help(visit.text("events-help")),
    ]
}

fn new_screen(visit: &Visit, refused: Option<Refused>) -> Screen {
    let fields = fields(visit, &Value::Null);
    let (action, cancel, submit) =
        (visit.url("/webhooks/new"), visit.url("/webhooks"), visit.text("webhook-new"));
    let form = Form { cancel: Some(&cancel), ..Form::new("webhook", &action, &submit, fields) };
    let main = filled(form, visit, refused.as_ref()).draw(visit.words);
    Screen::new(Area::Webhooks, submit.clone(), main).refused(refused)
}

/// Subscribes; the secret is shown on the screen that follows, and never again.
pub(crate) async fn create(visit: Visit) -> Result<Drawn, Refused> {
    let mut body = visit.entered.object(&["url"]);
    let events = visit.entered.all("events");
    if !events.is_empty() {
        body["events"] = json!(events);
    }
    match visit.api.post("/v0/webhook_subscriptions", &body).await {
        Ok(made) => Ok(secret_screen(&visit, &made.body).into()),
        Err(refused) => Ok(new_screen(&visit, Some(refused.mendable()?)).into()),
    }
}

fn secret_screen(visit: &Visit, subscription: &Value) -> Screen {
    let here = visit.url(&format!("/webhooks/{}", text(subscription, "subscriptionId")));
    let main = html! {
        div.stack {
            p { (visit.text("secret-once")) }
            (copied(visit.words, &visit.text("signing-secret"), text(subscription, "signingSecret")))
            p { a.button.primary href=(here) { (visit.text("secret-kept")) } }
        }
    };
    Screen::new(Area::Webhooks, visit.text("signing-secret"), main).below(text(subscription, "url"), here)
}

fn api_path(visit: &Visit) -> String {
    format!("/v0/webhook_subscriptions/{}", segment(visit.id("subscription_id")))
}

fn path(visit: &Visit) -> String {
    format!("/webhooks/{}", segment(visit.id("subscription_id")))
}

/// The form that changes where events are sent, and which.
pub(crate) async fn edit(visit: Visit) -> Result<Drawn, Refused> {
    edit_screen(&visit, None).await.map(Drawn::from)
}

async fn edit_screen(visit: &Visit, refused: Option<Refused>) -> Result<Screen, Refused> {
    let found = visit.api.get(&api_path(visit)).await?;
    let mut all = vec![Field::hidden("etag", found.etag.unwrap_or_default())];
    all.extend(fields(visit, &found.body));
    let base = visit.url(&path(visit));
    let (action, submit) = (format!("{base}/edit"), visit.text("save"));
    let form = Form { cancel: Some(&base), ..Form::new("webhook", &action, &submit, all) };
    let main = filled(form, visit, refused.as_ref()).draw(visit.words);
    Ok(Screen::new(Area::Webhooks, visit.text("edit"), main)
        .below(text(&found.body, "url"), base)
        .refused(refused))
}

/// Changes a subscription, if nobody else has changed it meanwhile.
pub(crate) async fn update(visit: Visit) -> Result<Drawn, Refused> {
    let events = visit.entered.all("events");
    let events = if events.is_empty() { Value::Null } else { json!(events) };
    let change = json!({ "url": visit.entered.text("url"), "events": events });
    match visit.api.patch(&api_path(&visit), &change, visit.entered.some("etag")).await {
        Ok(_) => back(&visit, "saved", ""),
        Err(refused) => edit_screen(&visit, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

/// Asks whether a subscription is to be deleted.
pub(crate) async fn ask_delete(visit: Visit) -> Result<Drawn, Refused> {
    let subscription = visit.api.get(&api_path(&visit)).await?.body;
    let removal = Removal {
        area: Area::Webhooks,
        name: text(&subscription, "url"),
        path: &path(&visit),
        text: visit.text("webhook-delete-text"),
    };
    Ok(removal.ask(&visit).into())
}

/// Deletes a subscription with its deliveries.
pub(crate) async fn delete(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.delete(&api_path(&visit)).await?;
    Ok(visit.moved(&with_notice("/webhooks", "deleted", "")))
}

/// A subscription with its deliveries.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    let api = api_path(&visit);
    let subscription = visit.api.get(&api).await?.body;
    let stats = visit.api.get(&format!("{api}/stats")).await?;
    let query = asked(&visit, &["status"]);
    let asked =
        [("cursor", query.cursor.as_deref()), ("limit", query.limit()), ("status", query.filter("status"))];
    let found = visit.api.find(&format!("{api}/deliveries"), &asked).await?.body;
    let path = format!("/webhooks/{}", text(&subscription, "subscriptionId"));
    let base = visit.url(&path);
    let row = |delivery: &Value| Row {
        id: text(delivery, "deliveryId").to_owned(),
        name: text(delivery, "eventType").to_owned(),
        href: Some(format!("{base}/deliveries/{}", text(delivery, "deliveryId"))),
        cells: vec![
            delivery_status(&visit, text(delivery, "status")),
            html! { (delivery["attempts"].as_array().map_or(0, Vec::len)) },
            html! { @if let Some(at) = time(delivery, "createdAt") { (moment(visit.words, at, visit.now)) } },
        ],
    };
    let caption = visit.text("deliveries");
    let states = ["waiting", "delivered", "failed"].map(|state| (state, status_word(&visit, state))).to_vec();
    let listing = Listing {
        id: "deliveries",
        caption: &caption,
        path: &path,
        query: &query,
        columns: vec![
            Heading::new(visit.text("event")),
            Heading::new(visit.text("state")),
            Heading::new(visit.text("attempts")).number(),
            Heading::new(visit.text("when")).by("createdAt"),
        ],
        rows: items(&found).iter().map(row).collect(),
        answer: &found,
        search: None,
        filter: Some(("status", visit.text("state"), states)),
        bulk: None,
        empty: (visit.text("deliveries-empty"), visit.text("deliveries-empty-text")),
        make: None,
    };
    let table = listing.draw(&visit);
    let number = |name: &str| visit.count(count(&stats.body, name));
    let has_more = visit.may_write() && visit.asked("done").is_some_and(|done| done == RECOVERED_SOME);
    let shown = html! {
        div.stack {
            dl.cards {
                div.card { dt.help { (visit.text("state")) } dd.stat { (is_active(&visit, &subscription)) } }
                @for state in ["waiting", "delivered", "failed"] {
                    div.card { dt.help { (status_word(&visit, state)) } dd.stat { (number(state)) } }
                }
            }
            (table)
        }
    };
    let events = since(&format!("{base}/events"), &stats);
    let main = html! {
        @if has_more {
            form.line method="post" action={ (base) "/recover" } {
                p { (visit.text("failed-left")) }
                button.button.primary type="submit" { (visit.text("resend-failed-next")) }
            }
        }
        (live("webhook", &Source { events: &events, event: "stats", content: "" }, &shown))
    };
    Ok(Screen::new(Area::Webhooks, text(&subscription, "url"), main)
        .actions(actions(&visit, &subscription, &base))
        .into())
}

/// Tells whenever a delivery of the subscription has arrived or failed, or another one is to be made.
pub(crate) async fn events(visit: Visit) -> Result<Drawn, Refused> {
    let api = format!("{}/stats", api_path(&visit));
    visit.follow(&api).await
}

/// Tells whenever something has become of a delivery.
pub(crate) async fn delivery_events(visit: Visit) -> Result<Drawn, Refused> {
    let api = format!("{}/deliveries/{}", api_path(&visit), segment(visit.id("delivery_id")));
    visit.follow(&api).await
}

fn actions(visit: &Visit, subscription: &Value, base: &str) -> Markup {
    let is_on = subscription["active"] == true;
    html! {
        @if visit.may_write() {
            form method="post" action={ (base) "/test" } { button.button.primary type="submit" { (visit.text("webhook-test")) } }
            form method="post" action={ (base) "/active" } {
                input type="hidden" name="active" value=(if is_on { "" } else { "on" });
                button.button type="submit" { @if is_on { (visit.text("deactivate")) } @else { (visit.text("activate")) } }
            }
            form method="post" action={ (base) "/recover" } { button.button.quiet type="submit" { (visit.text("resend-failed")) } }
            form method="post" action={ (base) "/rotate" } { button.button.quiet type="submit" { (visit.text("rotate-secret")) } }
            a.button.quiet href={ (base) "/edit" } { (visit.text("edit")) }
            (dialog_link(&format!("{base}/delete"), &visit.text("delete"), "button quiet"))
        }
    }
}

fn status_word(visit: &Visit, state: &str) -> String {
    match state {
        "delivered" => visit.text("delivered"),
        "failed" => visit.text("failed"),
        _ => visit.text("waiting"),
    }
}

fn delivery_status(visit: &Visit, state: &str) -> Markup {
    let tone = match state {
        "delivered" => Tone::Good,
        "failed" => Tone::Bad,
        _ => Tone::Busy,
    };
    badge(tone, &status_word(visit, state))
}

/// One delivery: what was sent, and what was answered at each attempt.
pub(crate) async fn delivery(visit: Visit) -> Result<Drawn, Refused> {
    let subscription = visit.api.get(&api_path(&visit)).await?.body;
    let api = format!("{}/deliveries/{}", api_path(&visit), segment(visit.id("delivery_id")));
    let answered_with = visit.api.get(&api).await?;
    let delivery = &answered_with.body;
    // An event is kept as long as its deliveries.
    let event = visit.api.get(&format!("/v0/events/{}", segment(text(delivery, "eventId")))).await?.body;
    let sent = serde_json::to_string_pretty(&event).unwrap_or_default();
    let base = visit.url(&format!("/webhooks/{}", text(&subscription, "subscriptionId")));
    let attempts = list_of(delivery, "attempts");
    let shown = html! {
        div.stack {
            p { (delivery_status(&visit, text(delivery, "status"))) " " span.help { (text(delivery, "eventId")) } }
            @if let Some(at) = time(delivery, "nextAttemptAt") {
                p { (visit.text("next-attempt")) ": " (moment(visit.words, at, visit.now)) }
            }
            section.stack {
                h2 { (visit.text("sent-body")) }
                (copied(visit.words, &visit.text("sent-body"), &sent))
            }
            section.stack {
                h2 { (visit.text("attempts")) }
                @if attempts.is_empty() { p.help { (visit.text("attempts-none")) } }
                ol.plain {
                    @for attempt in attempts { li.card { (answered(&visit, attempt)) } }
                }
            }
        }
    };
    let (here, is_waiting) = (
        format!("{base}/deliveries/{}", text(delivery, "deliveryId")),
        text(delivery, "status") == "waiting",
    );
    // In every state there is this part, so that the one that waited is replaced by what came of it.
    let main = if is_waiting {
        let events = since(&format!("{here}/events"), &answered_with);
        live("delivery", &Source { events: &events, event: "delivery", content: "" }, &shown)
    } else {
        html! { div #delivery { (shown) } }
    };
    let resend = html! {
        @if visit.may_write() {
            form method="post" action={ (here) "/resend" } {
                button.button.primary type="submit" { (visit.text("resend")) }
            }
        }
    };
    Ok(Screen::new(Area::Webhooks, text(delivery, "eventType"), main)
        .below(text(&subscription, "url"), base)
        .actions(resend)
        .into())
}

/// What was answered at an attempt.
fn answered(visit: &Visit, attempt: &Value) -> Markup {
    let status = attempt["status"].as_u64().map(|status| status.to_string());
    html! {
        strong { (status.unwrap_or_else(|| visit.words.issue(text(attempt, "error")))) }
        " " span.help {
            (attempt["durationMs"].as_u64().unwrap_or_default()) " ms"
            @if let Some(at) = time(attempt, "at") { " · " (moment(visit.words, at, visit.now)) }
        }
        @if let Some(response) = some(attempt, "response") { pre tabindex="0" dir="auto" { (response) } }
    }
}

/// Sends a delivery once more.
pub(crate) async fn resend(visit: Visit) -> Result<Drawn, Refused> {
    let delivery = format!("/deliveries/{}", segment(visit.id("delivery_id")));
    visit.api.post(&format!("{}{delivery}/resend", api_path(&visit)), &json!({})).await?;
    Ok(visit.moved(&with_notice(
        &format!("/webhooks/{}{delivery}", visit.id("subscription_id")),
        "sent-again",
        "",
    )))
}

/// Sends an event that says it is a test.
pub(crate) async fn test(visit: Visit) -> Result<Drawn, Refused> {
    visit
        .api
        .post(&format!("{}/test", api_path(&visit)), &json!({ "type": EventType::VersionPublished.as_str() }))
        .await?;
    back(&visit, "sent-again", "")
}

/// Sends what has failed once more, of all that is kept, as much as one call takes.
pub(crate) async fn recover(visit: Visit) -> Result<Drawn, Refused> {
    // The beginning of a day: the same form sent twice asks for the same.
    let since = json!({ "since": format!("{}T00:00:00.000Z", day_of(visit.now.minus(KEPT))) });
    let done = visit.api.post(&format!("{}/recover", api_path(&visit)), &since).await?.body;
    let told = if done["hasMore"] == true { RECOVERED_SOME } else { "recovered" };
    back(&visit, told, &count(&done, "recovered").to_string())
}

/// Lets events be sent, or keeps them.
pub(crate) async fn set_active(visit: Visit) -> Result<Drawn, Refused> {
    let change = json!({ "active": visit.entered.is_on("active") });
    visit.api.patch(&api_path(&visit), &change, None).await?;
    back(&visit, "saved", "")
}

/// Makes another secret, which is shown once.
pub(crate) async fn rotate(visit: Visit) -> Result<Drawn, Refused> {
    let made = visit.api.post(&format!("{}/rotate_secret", api_path(&visit)), &json!({})).await?.body;
    Ok(secret_screen(&visit, &made).into())
}

fn back(visit: &Visit, done: &str, id: &str) -> Result<Drawn, Refused> {
    Ok(visit.moved(&with_notice(&path(visit), done, id)))
}

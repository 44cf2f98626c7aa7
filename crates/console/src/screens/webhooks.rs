//! Webhooks: where events are sent, and what became of each delivery.

use maud::{Markup, html};
use serde_json::{Value, json};

use crate::client::{Refused, segment};
use crate::json::{count, items, list_of, some, text, time};
use crate::notice::told;
use crate::parts::badge::{Tone, badge};
use crate::parts::code::copied;
use crate::parts::field::{Choice, Field, Kind};
use crate::parts::form::Form;
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::table::Row;
use crate::screens::entering::filled;
use crate::screens::listing::{Listing, asked, create_button};
use crate::visit::{Drawn, Screen, Visit};

/// The types of events, by their names in the API.
const EVENTS: [&str; 6] = [
    "page.version.created",
    "page.version.processed",
    "page.version.published",
    "form.submitted",
    "form.enriched",
    "form.enrichment_failed",
];

/// The list of subscriptions.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    let query = asked(&visit, &[]);
    let found =
        visit.api.find("/v0/webhook_subscriptions", &[("cursor", query.cursor.as_deref())]).await?.body;
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
            (visit.text("address"), false),
            (visit.text("state"), false),
            (visit.text("events"), false),
        ],
        rows: items(&found).iter().map(row).collect(),
        answer: &found,
        search: None,
        filter: None,
        bulk: None,
        empty: (visit.text("webhooks-empty"), visit.text("webhooks-empty-text")),
        make: Some((visit.text("webhook-new"), "/webhooks/new")),
    };
    let main = listing.draw(&visit);
    let actions = create_button(&visit, "/webhooks/new", &visit.text("webhook-new"));
    Ok(Screen::new(Area::Webhooks, title, main).actions(actions).into())
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

fn new_screen(visit: &Visit, refused: Option<Refused>) -> Screen {
    let choices = EVENTS.map(|name| Choice::new(name, name)).to_vec();
    let fields = vec![
        Field::new("url", visit.text("address"), Kind::Url).required().help(visit.text("webhook-url-help")),
        Field::new("events", visit.text("events"), Kind::Choices(choices)).help(visit.text("events-help")),
    ];
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

/// A subscription with its deliveries.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    let api = api_path(&visit);
    let subscription = visit.api.get(&api).await?.body;
    let stats = visit.api.get(&format!("{api}/stats")).await?.body;
    let query = asked(&visit, &["status"]);
    let asked = [("cursor", query.cursor.as_deref()), ("status", query.filter("status"))];
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
            (visit.text("event"), false),
            (visit.text("state"), false),
            (visit.text("attempts"), true),
            (visit.text("when"), false),
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
    let number = |name: &str| visit.count(count(&stats, name));
    let main = html! {
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
    Ok(Screen::new(Area::Webhooks, text(&subscription, "url"), main)
        .actions(actions(&visit, &subscription, &base))
        .into())
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

/// One delivery: what was answered at each attempt.
pub(crate) async fn delivery(visit: Visit) -> Result<Drawn, Refused> {
    let subscription = visit.api.get(&api_path(&visit)).await?.body;
    let api = format!("{}/deliveries/{}", api_path(&visit), segment(visit.id("delivery_id")));
    let delivery = visit.api.get(&api).await?.body;
    let base = visit.url(&format!("/webhooks/{}", text(&subscription, "subscriptionId")));
    let attempts = list_of(&delivery, "attempts");
    let main = html! {
        div.stack {
            p { (delivery_status(&visit, text(&delivery, "status"))) " " span.help { (text(&delivery, "eventId")) } }
            @if let Some(at) = time(&delivery, "nextAttemptAt") {
                p { (visit.text("next-attempt")) ": " (moment(visit.words, at, visit.now)) }
            }
            ol.plain {
                @for attempt in attempts {
                    li.card {
                        strong { (attempt["status"].as_u64().map_or_else(|| text(attempt, "error").to_owned(), |status| status.to_string())) }
                        " " span.help { (attempt["durationMs"].as_u64().unwrap_or_default()) " ms"
                            @if let Some(at) = time(attempt, "at") { " · " (moment(visit.words, at, visit.now)) } }
                        @if let Some(response) = some(attempt, "response") { pre tabindex="0" dir="auto" { (response) } }
                    }
                }
            }
        }
    };
    let resend = html! {
        @if visit.may_write() {
            form method="post" action={ (base) "/deliveries/" (text(&delivery, "deliveryId")) "/resend" } {
                button.button.primary type="submit" { (visit.text("resend")) }
            }
        }
    };
    Ok(Screen::new(Area::Webhooks, text(&delivery, "eventType"), main)
        .below(text(&subscription, "url"), base)
        .actions(resend)
        .into())
}

/// Sends a delivery once more.
pub(crate) async fn resend(visit: Visit) -> Result<Drawn, Refused> {
    let delivery = format!("/deliveries/{}", segment(visit.id("delivery_id")));
    visit.api.post(&format!("{}{delivery}/resend", api_path(&visit)), &json!({})).await?;
    Ok(visit.moved(&told(&format!("/webhooks/{}{delivery}", visit.id("subscription_id")), "sent-again", "")))
}

/// Sends an event that says it is a test.
pub(crate) async fn test(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&format!("{}/test", api_path(&visit)), &json!({ "type": EVENTS[2] })).await?;
    back(&visit, "sent-again")
}

/// Sends what failed in the last days once more.
pub(crate) async fn recover(visit: Visit) -> Result<Drawn, Refused> {
    let since = visit.now.minus(std::time::Duration::from_hours(7 * 24));
    visit.api.post(&format!("{}/recover", api_path(&visit)), &json!({ "since": since.to_string() })).await?;
    back(&visit, "sent-again")
}

/// Lets events be sent, or keeps them.
pub(crate) async fn set_active(visit: Visit) -> Result<Drawn, Refused> {
    let change = json!({ "active": visit.entered.is_on("active") });
    visit.api.patch(&api_path(&visit), &change, None).await?;
    back(&visit, "saved")
}

/// Makes another secret, which is shown once.
pub(crate) async fn rotate(visit: Visit) -> Result<Drawn, Refused> {
    let made = visit.api.post(&format!("{}/rotate_secret", api_path(&visit)), &json!({})).await?.body;
    Ok(secret_screen(&visit, &made).into())
}

fn back(visit: &Visit, done: &str) -> Result<Drawn, Refused> {
    Ok(visit.moved(&told(&format!("/webhooks/{}", segment(visit.id("subscription_id"))), done, "")))
}

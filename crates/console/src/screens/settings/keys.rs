//! Keys: by which programs call the API.

use maud::{Markup, html};
use serde_json::{Value, json};

use super::{Tab, tabbed, tabs};
use crate::client::{Refused, segment};
use crate::json::{items, text, time};
use crate::notice::with_notice;
use crate::parts::badge::{Tone, badge};
use crate::parts::code::{Request, Sent, command, copied};
use crate::parts::dialog::{Question, dialog_link, question};
use crate::parts::field::{Choice, Field, Kind};
use crate::parts::form::Form;
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::table::Row;
use crate::screens::entering::filled;
use crate::screens::listing::{Heading, Listing, asked, create_button, found_unsearched};
use crate::visit::{Drawn, Screen, Visit};

const PATH: &str = "/settings/keys";

/// The list of keys.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    let query = asked(&visit, &[]);
    let found = found_unsearched(&visit, "/v0/keys", &query).await?;
    let when = |key: &Value, name: &str| {
        html! { @if let Some(at) = time(key, name) { (moment(visit.words, at, visit.now)) } @else { (visit.text("never")) } }
    };
    let row = |key: &Value| Row {
        id: text(key, "keyId").to_owned(),
        name: text(key, "name").to_owned(),
        href: None,
        cells: vec![
            state(&visit, key),
            html! { (scope_word(&visit, text(key, "scope"))) },
            when(key, "createdAt"),
            when(key, "lastUsedAt"),
            when(key, "expiresAt"),
            html! { @if is_live(&visit, key) { (row_actions(&visit, key)) } },
        ],
    };
    let caption = visit.text("settings-keys");
    let listing = Listing {
        id: "keys",
        caption: &caption,
        path: PATH,
        query: &query,
        columns: vec![
            Heading::new(visit.text("name")),
            Heading::new(visit.text("state")),
            Heading::new(visit.text("key-scope")),
            Heading::new(visit.text("key-made")).by("createdAt"),
            Heading::new(visit.text("key-used")).by("lastUsedAt"),
            Heading::new(visit.text("key-expires")).by("expiresAt"),
            Heading::new(visit.text("key-actions")),
        ],
        rows: items(&found).iter().map(row).collect(),
        answer: &found,
        search: None,
        filter: None,
        bulk: None,
        empty: (visit.text("keys-empty"), visit.text("keys-empty-text")),
        make: Some((visit.text("key-new"), "/settings/keys/new")),
    };
    let main = html! { div.stack { (tabs(&visit, Tab::Keys)) (listing.draw(&visit)) } };
    let make = create_button(&visit, "/settings/keys/new", &visit.text("key-new"));
    Ok(Screen::new(Area::Settings, caption, main).actions(make).into())
}

fn is_live(visit: &Visit, key: &Value) -> bool {
    key["revokedAt"].is_null() && time(key, "expiresAt").is_none_or(|end| visit.now < end)
}

fn state(visit: &Visit, key: &Value) -> Markup {
    if is_live(visit, key) {
        badge(Tone::Good, &visit.text("active"))
    } else if key["revokedAt"].is_null() {
        badge(Tone::Plain, &visit.text("key-expired"))
    } else {
        badge(Tone::Plain, &visit.text("key-revoked"))
    }
}

fn scope_word(visit: &Visit, scope: &str) -> String {
    if scope == "write" { visit.text("scope-write") } else { visit.text("scope-read") }
}

fn row_actions(visit: &Visit, key: &Value) -> Markup {
    let base = visit.url(&format!("{PATH}/{}", text(key, "keyId")));
    html! {
        form.line method="post" action={ (base) "/rotate" } {
            button.button.quiet type="submit" title=(visit.text("key-rotate-help")) { (visit.text("key-rotate")) }
        }
        (dialog_link(&format!("{base}/revoke"), &visit.text("revoke"), "button quiet"))
    }
}

/// The form of a new key.
pub(crate) async fn new(visit: Visit) -> Result<Drawn, Refused> {
    Ok(new_screen(&visit, None).into())
}

fn new_screen(visit: &Visit, refused: Option<Refused>) -> Screen {
    let scopes = ["read", "write"].map(|scope| Choice::new(scope, scope_word(visit, scope))).to_vec();
    let days = Kind::Number { min: Some("1".to_owned()), max: Some("3650".to_owned()), whole: true };
    let fields = vec![
        Field::new("name", visit.text("name"), Kind::Text(Some(100)))
            .required()
            .help(visit.text("key-name-help")),
        Field::new("scope", visit.text("key-scope"), Kind::Choice(scopes)).required().value("read"),
        Field::new("expiresInDays", visit.text("key-days"), days).help(visit.text("key-days-help")),
    ];
    let (action, cancel, submit) = (visit.url("/settings/keys/new"), visit.url(PATH), visit.text("key-new"));
    let form = Form { cancel: Some(&cancel), ..Form::new("key", &action, &submit, fields) };
    let main = filled(form, visit, refused.as_ref()).draw(visit.words);
    Screen::new(Area::Settings, submit.clone(), main)
        .below(visit.text("settings-keys"), cancel.clone())
        .refused(refused)
}

/// Makes a key; its text is shown on the screen that follows, and never again.
pub(crate) async fn create(visit: Visit) -> Result<Drawn, Refused> {
    let mut body = visit.entered.object(&["name", "scope"]);
    if visit.entered.some("expiresInDays").is_some() {
        body["expiresInDays"] = super::site::number(&visit, "expiresInDays");
    }
    match visit.api.post("/v0/keys", &body).await {
        Ok(made) => Ok(secret_screen(&visit, &made.body).into()),
        Err(refused) => Ok(new_screen(&visit, Some(refused.mendable()?)).into()),
    }
}

fn secret_screen(visit: &Visit, issued: &Value) -> Screen {
    let keys = visit.url(PATH);
    let url = format!("{}/v0/pages", visit.installation.base_url);
    let call = command(&Request { method: "GET", url: &url, sent: Sent::Nothing });
    let call = format!("KEY={}\n{call}", text(issued, "secret"));
    let main = html! {
        div.stack {
            p { (visit.text("key-once")) }
            (copied(visit.words, text(&issued["key"], "name"), text(issued, "secret")))
            p { (visit.text("key-call")) }
            (copied(visit.words, &visit.text("key-call"), &call))
            p { a.button.primary href=(keys) { (visit.text("secret-kept")) } }
        }
    };
    Screen::new(Area::Settings, text(&issued["key"], "name"), main).below(visit.text("settings-keys"), keys)
}

fn api_path(visit: &Visit) -> String {
    format!("/v0/keys/{}", segment(visit.id("key_id")))
}

/// Makes another key in the place of one, which works on for a day.
pub(crate) async fn rotate(visit: Visit) -> Result<Drawn, Refused> {
    let made = visit.api.post(&format!("{}/rotate", api_path(&visit)), &json!({})).await;
    match made {
        Ok(made) => Ok(secret_screen(&visit, &made.body).into()),
        Err(refused) if refused.status == axum::http::StatusCode::CONFLICT => {
            let main = html! { p { (visit.words.issue(&refused.detail)) } };
            Ok(tabbed(&visit, Tab::Keys, &main).refused(Some(refused)).into())
        }
        Err(refused) => Err(refused),
    }
}

/// Asks whether a key is to be revoked.
pub(crate) async fn ask_revoke(visit: Visit) -> Result<Drawn, Refused> {
    let key = visit.api.get(&api_path(&visit)).await?.body;
    let name = text(&key, "name");
    let title = visit.words.with("key-revoke-question", &[("name", name.into())]);
    let (told, yes, back) = (visit.text("key-revoke-text"), visit.text("revoke"), visit.url(PATH));
    let action = visit.url(&format!("{PATH}/{}/revoke", segment(visit.id("key_id"))));
    let asked = Question {
        title: &title,
        text: &told,
        action: &action,
        values: &[],
        yes: &yes,
        back: &back,
        is_destructive: true,
        typed: None,
        error: None,
    };
    let main = question(visit.words, &asked);
    Ok(Screen::new(Area::Settings, yes.clone(), main).below(visit.text("settings-keys"), back.clone()).into())
}

/// Revokes a key.
pub(crate) async fn revoke(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&format!("{}/revoke", api_path(&visit)), &json!({})).await?;
    Ok(visit.moved(&with_notice(PATH, "key-revoked", "")))
}

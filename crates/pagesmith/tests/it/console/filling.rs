//! The forms that the console's screens have, filled in: what a browser would send of each.

use std::collections::BTreeMap;

use pagesmith_console::screens::rows;
use pagesmith_testkit::samples::owned::Owned;
use scraper::{ElementRef, Html, Selector};

use super::browser::Browser;
use super::walking::{address_of, ends};

/// What is sent of a form.
#[derive(Debug, Clone)]
pub struct Filled {
    /// Its fields.
    pub fields: Vec<(String, String)>,
    /// Whether it carries a file.
    pub has_file: bool,
}

fn select<'a>(html: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    html.select(&Selector::parse(selector).unwrap()).collect()
}

/// A text that a field takes.
fn entered(control: &ElementRef<'_>) -> &'static str {
    match control.attr("type") {
        Some("email") => "ada@acme.example",
        Some("url") => "https://example.com/",
        Some("number") => "30",
        Some("password") => "correct horse battery",
        Some("date") => "2026-03-01",
        Some("datetime-local") => "2027-01-04T08:00",
        Some("color") => "#117733",
        _ => "acme.example",
    }
}

/// What a control sends, if anything.
fn sent(control: &ElementRef<'_>) -> Option<(String, String)> {
    let name = control.attr("name")?.to_owned();
    let written = match control.value().name() {
        "textarea" => control.text().collect::<String>().trim_start_matches('\n').to_owned(),
        "select" => {
            let option = |selector| control.select(&Selector::parse(selector).unwrap()).next();
            let chosen = option("option[selected]").or_else(|| option("option"));
            chosen.and_then(|option| option.attr("value")).unwrap_or_default().to_owned()
        }
        _ if control.attr("type") == Some("checkbox") && name != "id" => {
            control.attr("checked")?;
            control.attr("value").unwrap_or("on").to_owned()
        }
        _ => control.attr("value").unwrap_or_default().to_owned(),
    };
    let is_hidden = control.attr("type") == Some("hidden");
    let written = control.attr("data-typed").map_or(written, str::to_owned);
    Some((name, if written.is_empty() && !is_hidden { entered(control).to_owned() } else { written }))
}

/// The forms of a screen, by where they are sent. Of several choices the last one is sent.
pub fn forms(screen: &str) -> BTreeMap<String, Filled> {
    let html = Html::parse_document(screen);
    let mut found = BTreeMap::new();
    for form in select(&html, "form[method=post]") {
        let inside = Selector::parse("input, textarea, select").unwrap();
        let mut controls: Vec<ElementRef<'_>> = form.select(&inside).collect();
        if let Some(id) = form.attr("id") {
            controls.extend(select(&html, &format!("input[form='{id}']")));
        }
        let has_file = controls.iter().any(|control| control.attr("type") == Some("file"));
        let mut fields: Vec<(String, String)> = Vec::new();
        for control in controls {
            let Some((name, value)) = sent(&control) else { continue };
            if control.attr("type") == Some("radio") {
                fields.retain(|(known, _)| *known != name);
            }
            fields.push((name, value));
        }
        let buttons = Selector::parse("button").unwrap();
        for button in form.select(&buttons) {
            if let Some(action) = button.attr("formaction") {
                let mut fields = fields.clone();
                if let Some(name) = button.attr("name") {
                    fields.push((name.to_owned(), button.attr("value").unwrap_or_default().to_owned()));
                }
                found.insert(action.to_owned(), Filled { fields, has_file });
            }
        }
        if let Some(action) = form.attr("action") {
            found.insert(action.to_owned(), Filled { fields, has_file });
        }
    }
    found
}

/// The forms of all screens of somebody who owns this.
pub async fn forms_of(browser: &mut Browser, tenant: &str, owned: &Owned) -> BTreeMap<String, Filled> {
    let mut found = BTreeMap::new();
    for row in rows().iter().filter(|row| row.method == "GET" && ends(row)) {
        let answer = browser.open(&address_of(row, tenant, owned)).await;
        if answer.header("content-type").is_some_and(|kind| kind.starts_with("text/html")) {
            found.extend(forms(&answer.text()));
        }
    }
    found
}

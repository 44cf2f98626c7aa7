//! A new page from somebody's own text.

use maud::html;
use serde_json::{Value, json};

use super::{type_choices, type_name};
use crate::client::Refused;
use crate::json::text;
use crate::notice::with_notice;
use crate::parts::field::{Field, Kind};
use crate::parts::form::Form;
use crate::parts::navigation::Area;
use crate::screens::entering::filled;
use crate::visit::{Drawn, Screen, Visit};

/// The longest name and the longest texts that the fields take.
const NAME: u64 = 200;
const CONTEXT: u64 = 100_000;

/// The fewest and the most characters of a name that is taken from a text.
const SHORTEST_NAME: usize = 4;
const LONGEST_NAME: usize = 60;

/// The kinds of page of which there is an example.
const EXAMPLES: [&str; 4] = ["inbound", "outbound", "call_followup", "sales_deck"];

/// What an example fills the form with; of nothing, an empty form.
#[derive(Default)]
struct Filling {
    page_type: &'static str,
    name: String,
    context: String,
    audience: String,
}

/// The example of a kind of page, if there is one.
fn example(visit: &Visit, page_type: &str) -> Option<Filling> {
    let page_type = EXAMPLES.into_iter().find(|known| *known == page_type)?;
    let [name, context, audience] = match page_type {
        "outbound" => ["example-outbound-name", "example-outbound-context", "example-outbound-audience"],
        "call_followup" => ["example-call-name", "example-call-context", "example-call-audience"],
        "sales_deck" => ["example-deck-name", "example-deck-context", "example-deck-audience"],
        _ => ["example-inbound-name", "example-inbound-context", "example-inbound-audience"],
    }
    .map(|key| visit.text(key));
    Some(Filling { page_type, name, context, audience })
}

/// The form of a new page.
pub(crate) async fn new(visit: Visit) -> Result<Drawn, Refused> {
    Ok(new_screen(&visit, None).into())
}

fn new_screen(visit: &Visit, refused: Option<Refused>) -> Screen {
    let words = visit.words;
    let chosen = visit.asked("example").and_then(|page_type| example(visit, &page_type));
    let filling = chosen.unwrap_or_default();
    let chosen_type = filling.page_type;
    let fields = vec![
        Field::new("pageContext", visit.text("page-context"), Kind::LongText(Some(CONTEXT)))
            .required()
            .value(filling.context)
            .help(visit.text("page-context-help")),
        Field::new("name", visit.text("page-name"), Kind::Text(Some(NAME)))
            .value(filling.name)
            .help(visit.text("page-name-help")),
        Field::new("supplementaryContext", visit.text("audience-context"), Kind::LongText(Some(CONTEXT)))
            .value(filling.audience)
            .help(visit.text("audience-everyone-help")),
        Field::new("pageType", visit.text("page-type"), Kind::Choice(type_choices(visit)))
            .value(if chosen_type.is_empty() { "inbound" } else { chosen_type }),
    ];
    let (action, cancel, submit) = (visit.url("/pages/new"), visit.url("/pages"), visit.text("page-write"));
    let form = Form { cancel: Some(&cancel), ..Form::new("page", &action, &submit, fields) };
    let form = filled(form, visit, refused.as_ref());
    let main = html! {
        div.stack {
            p { (visit.text("page-new-text")) }
            nav.line aria-labelledby="examples" {
                span #examples { (visit.text("page-new-example")) }
                @for page_type in EXAMPLES {
                    a.button href=(visit.url(&format!("/pages/new?example={page_type}")))
                        aria-current=[(page_type == chosen_type).then_some("true")] { (type_name(visit, page_type)) }
                }
            }
            (form.draw(words))
        }
    };
    let title = visit.text("page-new");
    Screen::new(Area::Pages, title, main).refused(refused)
}

/// What a text begins with, up to a mark, as the name of its page; nothing if it has no words.
fn name_of_text(text: &str) -> Option<&str> {
    let line = text.lines().find(|line| line.contains(char::is_alphanumeric))?;
    let line = line
        .trim_matches(|char: char| char.is_whitespace() || matches!(char, '#' | '*' | '-' | '>' | '•' | '_'));
    let ends = line.char_indices().filter(|(at, char)| {
        let is_mark =
            matches!(char, '.' | ',' | ':' | ';' | '!' | '?' | '|' | '–' | '—' | '。' | '、' | '！' | '？');
        let behind = &line[at + char.len_utf8()..];
        is_mark
            && *at > 0
            && (!char.is_ascii() || behind.is_empty() || behind.starts_with(char::is_whitespace))
    });
    let begun = ends
        .map(|(at, _)| line[..at].trim())
        .find(|begun| begun.chars().count() >= SHORTEST_NAME)
        .unwrap_or(line);
    let Some((end, _)) = begun.char_indices().nth(LONGEST_NAME) else { return Some(begun) };
    let words = begun[..end].rfind(char::is_whitespace).unwrap_or(end);
    Some(begun[..words].trim_end())
}

/// Makes a page and its first audience, whose draft is written at once.
pub(crate) async fn create(visit: Visit) -> Result<Drawn, Refused> {
    let entered = &visit.entered;
    let mut body = entered.object(&["pageContext", "name", "pageType"]);
    for (field, empty) in [("actions", json!([])), ("actionCardWidgets", json!([])), ("scripts", json!([]))] {
        body[field] = empty;
    }
    body["brandId"] = json!("");
    if body.get("name").is_none() {
        let name = entered.some("pageContext").and_then(name_of_text);
        body["name"] = name.map_or(Value::Null, Value::from);
    }
    let page = match visit.api.post("/v0/pages", &body).await {
        Ok(page) => page.body,
        Err(refused) => return Ok(new_screen(&visit, Some(refused.mendable()?)).into()),
    };
    let page_id = text(&page, "pageId").to_owned();
    let mut audience = entered.object(&["supplementaryContext"]);
    audience["publishBehavior"] = json!("draft");
    if audience.get("supplementaryContext").is_none() {
        // Nothing says whom it is for, and the API would name it by its number.
        audience["customName"] = json!(visit.text("audience-everyone"));
    }
    let path = format!("/v0/pages/{page_id}/audiences");
    let audience = visit.api.post(&path, &audience).await?.body;
    let next = format!("/pages/{page_id}/audiences/{}", text(&audience, "audienceId"));
    Ok(visit.moved(&with_notice(&next, "page-created", "")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_page_is_called_what_its_text_begins_with() {
        for (text, name) in [
            ("Bäckerei Krume, Leipzig-Plagwitz. We bake bread.", Some("Bäckerei Krume")),
            ("\n\n# Kammerkoret Lyng\nVi søker tenorer.", Some("Kammerkoret Lyng")),
            ("St. Anna bakes 3.5 kinds of bread!", Some("St. Anna bakes 3.5 kinds of bread")),
            ("私たちは毎朝パンを焼いています。無料です。", Some("私たちは毎朝パンを焼いています")),
            (
                "We sweep chimneys and stoves in the whole of the county and you get a paper",
                Some("We sweep chimneys and stoves in the whole of the county and"),
            ),
            (" \n***\n", None),
        ] {
            assert_eq!(name_of_text(text), name, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_name_is_a_part_of_its_text_and_says_something(text in "(\\PC|\n){0,200}") {
            match name_of_text(&text) {
                Some(name) => prop_assert!(text.contains(name) && name.contains(char::is_alphanumeric) && name.chars().count() <= LONGEST_NAME),
                None => prop_assert!(!text.contains(char::is_alphanumeric)),
            }
        }
    }
}

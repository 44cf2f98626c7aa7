//! The fields of a brand, and the body of a request that what was entered makes.

use serde_json::{Map, Value, json};

use crate::client::Refused;
use crate::json::text;
use crate::parts::field::{Choice, Field, Kind};
use crate::parts::swatch::meant;
use crate::screens::assets::words_of;
use crate::screens::knowledge::adding::missing;
use crate::screens::link_blocks::lines;
use crate::visit::Visit;

use super::preview::WISHED;

/// The longest of each text.
const NAME: u64 = 200;
const FONTS: u64 = 500;
/// The texts of a look, in the API's names.
const LOOK: [&str; 8] = [
    "primaryColor",
    "accentColor",
    "backgroundColor",
    "textColor",
    "headingFonts",
    "bodyFonts",
    "spacing",
    "iconUrl",
];

/// The fields, holding what the brand has.
pub(super) fn of(visit: &Visit, brand: &Value) -> Vec<Field> {
    let (look, voice) = (&brand["look"], &brand["voice"]);
    let colour = |name: &str, label: String| {
        Field::new(format!("look.{name}"), label, Kind::Colour).value(text(look, name))
    };
    let in_look = |name: &str, label: String, kind: Kind| {
        Field::new(format!("look.{name}"), label, kind).value(text(look, name))
    };
    let spacings = vec![
        Choice::new("", visit.text("spacing-unset")),
        Choice::new("compact", visit.text("spacing-compact")),
        Choice::new("regular", visit.text("spacing-regular")),
        Choice::new("roomy", visit.text("spacing-roomy")),
    ];
    let radius = Kind::Number { min: Some("0".to_owned()), max: Some("40".to_owned()), whole: true };
    let logo = &look["logo"];
    vec![
        Field::new("name", visit.text("brand-name"), Kind::Text(Some(NAME)))
            .required()
            .value(text(brand, "name")),
        Field::new("siteName", visit.text("brand-site-name"), Kind::Text(Some(NAME)))
            .value(text(brand, "siteName"))
            .help(visit.text("brand-site-name-help")),
        colour("accentColor", visit.text("colour-accent")).help(visit.text("colour-accent-help")),
        colour("primaryColor", visit.text("colour-primary")),
        colour("backgroundColor", visit.text("colour-background")),
        colour("textColor", visit.text("colour-text")).help(visit.text("colour-text-help")),
        in_look("headingFonts", visit.text("fonts-headings"), Kind::Text(Some(FONTS)))
            .help(visit.text("fonts-help")),
        in_look("bodyFonts", visit.text("fonts-body"), Kind::Text(Some(FONTS))),
        Field::new("look.cornerRadius", visit.text("corner-radius"), radius)
            .value(look["cornerRadius"].as_u64().map(|radius| radius.to_string()).unwrap_or_default()),
        in_look("spacing", visit.text("spacing"), Kind::Choice(spacings)),
        Field::new("look.logo.url", visit.text("logo-address"), Kind::Url).value(text(logo, "url")),
        Field::new("look.logo.altText", visit.text("logo-description"), Kind::Text(Some(NAME)))
            .value(text(logo, "altText")),
        in_look("iconUrl", visit.text("icon-address"), Kind::Url),
        words_field(visit, "wordsToUse", visit.text("words-to-use"), voice),
        words_field(visit, "wordsToAvoid", visit.text("words-to-avoid"), voice),
        Field::new("legalLinks", visit.text("legal-links"), Kind::LongText(None))
            .value(lines::of_links(&brand["legalLinks"]))
            .help(visit.text("link-lines-help")),
    ]
}

fn words_field(visit: &Visit, name: &str, label: String, voice: &Value) -> Field {
    let known = voice[name].as_array().into_iter().flatten().filter_map(Value::as_str);
    Field::new(format!("voice.{name}"), label, Kind::Text(None))
        .value(known.collect::<Vec<_>>().join(", "))
        .help(visit.text("words-help"))
}

/// Sets a field, or takes it away.
fn set(object: &mut Map<String, Value>, name: &str, value: Option<Value>) {
    match value {
        Some(value) => object.insert(name.to_owned(), value),
        None => object.remove(name),
    };
}

/// The body that creates a brand, or replaces what `known` says. Whatever is the API's to judge goes there as it was entered; what the form does
/// not show, such as fonts and pictures of the tenant's own, stays.
pub(super) fn read(visit: &Visit, known: &Value) -> Result<Value, Refused> {
    let entered = &visit.entered;
    let mut look = known["look"].as_object().cloned().unwrap_or_default();
    for name in LOOK {
        let value = entered.some(&format!("look.{name}"));
        let value = value.map(|text| if WISHED.contains(&name) { meant(text) } else { text.to_owned() });
        set(&mut look, name, value.map(Value::from));
    }
    // What is no number is sent as text, which the API refuses at its field.
    let radius = entered.some("look.cornerRadius");
    let radius = radius.map(|radius| radius.parse::<u64>().map_or_else(|_| Value::from(radius), Value::from));
    set(&mut look, "cornerRadius", radius);
    let mut logo = look.remove("logo").and_then(|logo| logo.as_object().cloned()).unwrap_or_default();
    set(&mut logo, "url", entered.some("look.logo.url").map(Value::from));
    set(&mut logo, "altText", entered.some("look.logo.altText").map(Value::from));
    if logo.contains_key("url") || logo.contains_key("assetId") {
        look.insert("logo".to_owned(), Value::Object(logo));
    }
    let links = lines::links(entered.text("legalLinks")).map_err(|line| {
        missing("legalLinks", &visit.words.with("link-line-wrong", &[("count", line.into())]))
    })?;
    Ok(json!({
        "name": entered.text("name"),
        "siteName": entered.some("siteName"),
        "look": look,
        "voice": {
            "wordsToUse": words_of(entered.text("voice.wordsToUse")),
            "wordsToAvoid": words_of(entered.text("voice.wordsToAvoid")),
        },
        "legalLinks": links,
    }))
}

//! Assets: pictures, videos and components that pages may show, found by what they are for; changed, put into the trash and taken out.

use maud::{Markup, html};
use serde_json::{Value, json};

use crate::client::{Refused, segment};
use crate::json::{items, some, text, time};
use crate::notice::with_notice;
use crate::parts::badge::{Tone, badge};
use crate::parts::field::{Choice, Field, Kind};
use crate::parts::form::Form;
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::table::Row;
use crate::parts::tabs::{Tab, tabs};
use crate::screens::entering::filled;
use crate::screens::listing::{Heading, Listing, asked};
use crate::screens::offered::PICTURES;
use crate::visit::{Drawn, Screen, Visit};

pub(crate) mod adding;

/// The longest name and the longest purpose that the fields take.
const NAME: u64 = 1_000;
const PURPOSE: u64 = 10_000;
/// The types of assets.
const TYPES: [&str; 5] = ["image", "logo", "icon", "video", "custom-component"];

/// The list of assets.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    listed(visit, false).await
}

/// The assets in the trash.
pub(crate) async fn trash(visit: Visit) -> Result<Drawn, Refused> {
    listed(visit, true).await
}

async fn listed(visit: Visit, is_trash: bool) -> Result<Drawn, Refused> {
    let query = asked(&visit, &["type"]);
    let search = Some(query.search.as_str()).filter(|search| !search.is_empty());
    let parameters = [
        ("query", search),
        ("assetType", query.filter("type").filter(|known| TYPES.contains(known))),
        ("cursor", query.cursor.as_deref()),
        ("limit", query.limit()),
    ];
    let api = match (is_trash, search) {
        (true, _) => "/v0/assets/trash",
        (false, Some(_)) => "/v0/assets/search",
        (false, None) => "/v0/assets",
    };
    let found = visit.api.find(api, &parameters).await?.body;
    let row = |asset: &Value| Row {
        id: text(asset, "assetId").to_owned(),
        name: text(asset, "name").to_owned(),
        href: Some(visit.url(&format!("/assets/{}", text(asset, "assetId")))),
        cells: vec![
            picture(asset, "thumb"),
            html! { (kind(&visit, asset)) @if asset["hidden"] == true { " " (badge(Tone::Plain, &visit.text("asset-hidden"))) } },
            html! { span dir="auto" { (text(asset, "purpose")) } },
            html! { @if let Some(at) = time(asset, if is_trash { "trashedAt" } else { "updatedAt" }) { (moment(visit.words, at, visit.now)) } },
        ],
    };
    let (title, path) = (
        visit.text(if is_trash { "trash" } else { "area-assets" }),
        if is_trash { "/assets/trash" } else { "/assets" },
    );
    let types = TYPES.map(|name| (name, type_word(&visit, name))).to_vec();
    let listing = Listing {
        id: "assets",
        caption: &title,
        path,
        query: &query,
        columns: vec![
            Heading::new(visit.text("name")),
            Heading::new(visit.text("picture")),
            Heading::new(visit.text("asset-type")),
            Heading::new(visit.text("purpose")),
            Heading::new(visit.text(if is_trash { "trashed" } else { "changed" })).by(if is_trash {
                "trashedAt"
            } else {
                "updatedAt"
            }),
        ],
        rows: items(&found).iter().map(row).collect(),
        answer: &found,
        search: Some(visit.text("assets-search")),
        filter: Some(("type", visit.text("asset-type"), types)),
        bulk: None,
        empty: empty_words(&visit, is_trash),
        make: (!is_trash).then(|| (visit.text("picture-new"), "/assets/new")),
    };
    let (all, thrown) = (visit.url("/assets"), visit.url("/assets/trash"));
    let labels = [visit.text("area-assets"), visit.text("trash")];
    let shown = [
        Tab { label: &labels[0], href: &all, count: None },
        Tab { label: &labels[1], href: &thrown, count: None },
    ];
    let main = html! {
        div.stack {
            (tabs(&labels[0], &shown, usize::from(is_trash)))
            @if is_trash { p.help { (visit.text("trash-text")) } }
            (listing.draw(&visit))
        }
    };
    let actions = html! {
        @if visit.may_write() {
            a.button.primary href=(visit.url("/assets/new")) data-key="c" { (visit.text("picture-new")) }
            a.button href=(visit.url("/assets/video")) { (visit.text("video-new")) }
        }
    };
    let mut screen = Screen::new(Area::Assets, title.clone(), main).actions(actions);
    screen.pictures = items(&found).iter().find_map(origin);
    Ok(screen.into())
}

/// What is said where there are none.
fn empty_words(visit: &Visit, is_trash: bool) -> (String, String) {
    if is_trash {
        (visit.text("trash-empty"), visit.text("trash-text"))
    } else {
        (visit.text("assets-empty"), visit.text("assets-empty-text"))
    }
}

/// The origin of the pictures of an asset, which is that of the tenant's site.
fn origin(asset: &Value) -> Option<String> {
    let address = some(asset, "previewDownloadUrl")?;
    Some(url::Url::parse(address).ok()?.origin().ascii_serialization())
}

/// The small form of a picture. Its name stands beside it.
fn picture(asset: &Value, class: &str) -> Markup {
    html! {
        @if let Some(address) = some(asset, "previewDownloadUrl") {
            img.(class) src=(address) alt="" loading="lazy" decoding="async";
        }
    }
}

/// What an asset is, by its data: answers do not tell a logo from another picture.
fn kind(visit: &Visit, asset: &Value) -> String {
    type_word(visit, text(&asset["data"], "type"))
}

fn type_word(visit: &Visit, asset_type: &str) -> String {
    match asset_type {
        "logo" => visit.text("asset-logo"),
        "icon" => visit.text("asset-icon"),
        "video" => visit.text("asset-video"),
        "custom-component" => visit.text("asset-component"),
        _ => visit.text("picture"),
    }
}

/// What every asset can be told: its name, what it is for, words to find it by.
fn fields(visit: &Visit, asset: &Value) -> Vec<Field> {
    let tags: Vec<&str> = asset["tags"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    vec![
        Field::new("name", visit.text("name"), Kind::Text(Some(NAME))).required().value(text(asset, "name")),
        Field::new("purpose", visit.text("purpose"), Kind::LongText(Some(PURPOSE)))
            .value(text(asset, "purpose"))
            .help(visit.text("purpose-help")),
        Field::new("tags", visit.text("tags"), Kind::Text(None))
            .value(tags.join(", "))
            .help(visit.text("tags-help")),
    ]
}

/// Words between commas, each once.
pub(super) fn words_of(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = Vec::new();
    for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

fn picture_types(visit: &Visit) -> Vec<Choice> {
    PICTURES.map(|name| Choice::new(name, type_word(visit, name))).to_vec()
}

fn api_path(visit: &Visit) -> String {
    format!("/v0/assets/{}", segment(visit.id("asset_id")))
}

fn path(visit: &Visit) -> String {
    format!("/assets/{}", segment(visit.id("asset_id")))
}

/// An asset with its picture.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    shown(&visit, None).await.map(Drawn::from)
}

async fn shown(visit: &Visit, refused: Option<Refused>) -> Result<Screen, Refused> {
    let found = visit.api.get(&api_path(visit)).await?;
    let (asset, base) = (&found.body, visit.url(&path(visit)));
    let is_trashed = text(asset, "lifecycleState") == "trashed";
    let data = &asset["data"];
    let mut all = fields(visit, asset);
    all.push(
        Field::new("hidden", visit.text("asset-hidden"), Kind::Toggle)
            .value(if asset["hidden"] == true { "true" } else { "" })
            .help(visit.text("asset-hidden-help")),
    );
    all.push(Field::hidden("etag", found.etag.unwrap_or_default()));
    let (action, submit) = (format!("{base}/edit"), visit.text("save"));
    let form = filled(Form::new("asset", &action, &submit, all), visit, refused.as_ref());
    let main = html! {
        div.stack {
            @if is_trashed { p { (visit.text("trash-text")) } }
            (picture(asset, "picture"))
            @if let Some(address) = some(data, "youtubeUrl") { p { a href=(address) target="_blank" rel="noopener noreferrer" { (address) } } }
            @if let Some(body) = some(data, "body") { pre tabindex="0" dir="ltr" { (body) } }
            @if visit.may_write() && !is_trashed { (form.draw(visit.words)) } @else { p.prose dir="auto" { (text(asset, "purpose")) } }
        }
    };
    let actions = html! {
        @if let Some(address) = some(asset, "downloadUrl") { a.button href=(address) target="_blank" rel="noopener" { (visit.text("asset-open")) } }
        @if visit.may_write() {
            @if is_trashed { form method="post" action={ (base) "/restore" } { button.button.primary type="submit" { (visit.text("restore")) } } }
            @else { form method="post" action={ (base) "/trash" } { button.button.quiet type="submit" { (visit.text("to-trash")) } } }
        }
    };
    let mut screen = Screen::new(Area::Assets, text(asset, "name"), main).actions(actions).refused(refused);
    screen.pictures = origin(asset);
    Ok(screen)
}

/// Changes an asset, if nobody else has changed it meanwhile.
pub(crate) async fn update(visit: Visit) -> Result<Drawn, Refused> {
    let entered = &visit.entered;
    let change = json!({
        "name": entered.text("name"),
        "purpose": entered.text("purpose"),
        "tags": words_of(entered.text("tags")),
        "hidden": entered.is_on("hidden"),
    });
    match visit.api.patch(&api_path(&visit), &change, entered.some("etag")).await {
        Ok(_) => Ok(visit.moved(&with_notice(&path(&visit), "saved", ""))),
        Err(refused) => shown(&visit, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

/// Puts an asset into the trash.
pub(crate) async fn to_trash(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.delete(&api_path(&visit)).await?;
    Ok(visit.moved(&with_notice("/assets", "asset-trashed", visit.id("asset_id"))))
}

/// Takes an asset out of the trash.
pub(crate) async fn restore(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&format!("{}/restore", api_path(&visit)), &json!({})).await?;
    Ok(visit.moved(&with_notice(&path(&visit), "asset-restored", "")))
}

#[cfg(test)]
mod tests {
    use super::words_of;

    #[test]
    fn words_stand_between_commas_and_once() {
        assert_eq!(words_of(" team, workshop,,team , größe "), ["team", "workshop", "größe"]);
        assert!(words_of(" , ").is_empty());
    }
}

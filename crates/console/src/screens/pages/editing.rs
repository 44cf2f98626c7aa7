//! The forms that change a page, one for each of its aspects. A form sends what it shows, if nobody else has changed the page meanwhile.

use axum::http::StatusCode;
use maud::{Markup, html};
use serde_json::{Map, Value, json};

use super::form_layout::{Aspect, Offers, PageFormLayout};
use super::{api_path, card};
use crate::client::Refused;
use crate::json::{items, some, text};
use crate::notice::with_notice;
use crate::parts::field::{Choice, Field, Kind};
use crate::parts::form::FormError;
use crate::parts::navigation::Area;
use crate::parts::schema_form::{SchemaForm, cleaned};
use crate::parts::tabs::{Tab, tabs};
use crate::screens::entering::errors_of;
use crate::screens::link_blocks::lines::{self, BlockKind};
use crate::screens::offered::{self, OFFERED, named};
use crate::visit::{Drawn, Screen, Visit};

/// The links of a page that are written as lines: the property, and the kind of links.
const LINKS: [(&str, BlockKind); 2] =
    [("navLinks", BlockKind::Navigation), ("footerLinks", BlockKind::Footer)];

macro_rules! aspects {
    ($($show:ident $save:ident $aspect:ident,)*) => {
        $(
            /// The form of an aspect.
            pub(crate) async fn $show(visit: Visit) -> Result<Drawn, Refused> {
                show(visit, Aspect::$aspect).await
            }

            /// Saves what was entered into it, or only changes its lists.
            pub(crate) async fn $save(visit: Visit) -> Result<Drawn, Refused> {
                save(visit, Aspect::$aspect).await
            }
        )*
    };
}

aspects! {
    about save_about About,
    actions save_actions Actions,
    navigation save_navigation Navigation,
    metadata save_metadata Metadata,
    scripts save_scripts Scripts,
}

/// A page as it was read, and what its form shows.
struct PageFormState<'a> {
    page: &'a Value,
    etag: Option<&'a str>,
    /// The lists that the form was drawn from: its items are known by their places in these.
    from: Value,
    /// What the form shows.
    entered: &'a Value,
    /// Links as lines, where they can be written so.
    links: [Option<String>; 2],
    errors: Vec<FormError>,
    focus: Option<String>,
    refused: Option<Refused>,
}

async fn show(visit: Visit, aspect: Aspect) -> Result<Drawn, Refused> {
    let found = visit.api.get(&api_path(&visit)).await?;
    let layout = PageFormLayout { offers: offers(&visit, aspect, &found.body).await?, visit: &visit, aspect };
    let entered = input(&found.body);
    let shown = PageFormState {
        page: &found.body,
        etag: found.etag.as_deref(),
        from: lists(aspect, &entered),
        entered: &entered,
        links: written(&found.body),
        errors: vec![],
        focus: None,
        refused: None,
    };
    screen(&visit, aspect, &layout, shown).await.map(Drawn::from)
}

async fn save(visit: Visit, aspect: Aspect) -> Result<Drawn, Refused> {
    let found = visit.api.get(&api_path(&visit)).await?;
    let page = &found.body;
    let layout = PageFormLayout { offers: offers(&visit, aspect, page).await?, visit: &visit, aspect };
    let mut known = input(page);
    // Somebody else may have moved an item meanwhile; what the form does not show of it would go to another one.
    let sent = serde_json::from_str::<Value>(visit.entered.text("from")).unwrap_or_default();
    let from = lists(aspect, if sent.is_object() { &sent } else { &known });
    for (name, list) in from.as_object().into_iter().flatten() {
        known[name] = list.clone();
    }
    let mut entered = schema(&visit, &layout)?.read(&visit.entered.0, &known);
    let mut shown = PageFormState {
        page,
        etag: visit.entered.some("etag"),
        from,
        entered: &Value::Null,
        links: LINKS.map(|(name, _)| {
            visit.entered.0.iter().find(|(known, _)| known == name).map(|(_, text)| text.clone())
        }),
        errors: vec![],
        focus: None,
        refused: None,
    };
    if visit.entered.is_on("do") {
        let focus = SchemaForm::rearranged(&visit.entered.0, &mut entered).or_else(|| Some(String::new()));
        (shown.entered, shown.focus) = (&entered, focus);
        return screen(&visit, aspect, &layout, shown).await.map(Drawn::from);
    }
    let mut change = change(aspect, &cleaned(&entered));
    let wrong =
        if aspect == Aspect::Navigation { links(&visit, page, &shown.links, &mut change) } else { vec![] };
    if !wrong.is_empty() {
        let detail = wrong.iter().map(|error| (error.name.clone(), error.message.clone())).collect();
        let refused = Refused { issues: detail, ..Refused::new(StatusCode::BAD_REQUEST, "") };
        (shown.entered, shown.errors, shown.refused) = (&entered, wrong, Some(refused));
        return screen(&visit, aspect, &layout, shown).await.map(Drawn::from);
    }
    match visit.api.patch(&api_path(&visit), &Value::Object(change), shown.etag).await {
        Ok(_) => {
            let page = super::path(&visit);
            // The first form is where a page is edited; from the others somebody goes on to the next one.
            let next = if aspect == Aspect::About { page } else { format!("{page}{}", aspect.path()) };
            Ok(visit.moved(&told_saved(&next)))
        }
        Err(refused) => {
            let refused = refused.mendable()?;
            // Whoever was told that somebody else was faster can send what they have entered again.
            shown.etag = found.etag.as_deref();
            (shown.entered, shown.errors, shown.refused) = (&entered, errors_of(&refused), Some(refused));
            screen(&visit, aspect, &layout, shown).await.map(Drawn::from)
        }
    }
}

fn told_saved(next: &str) -> String {
    with_notice(next, "saved", "")
}

fn schema<'a>(visit: &Visit, layout: &'a PageFormLayout<'_>) -> Result<SchemaForm<'a>, Refused> {
    let missing = || Refused::new(StatusCode::NOT_FOUND, &visit.text("form-broken"));
    Ok(SchemaForm::new(SchemaForm::schema("CreatePageRequest").ok_or_else(missing)?, layout))
}

async fn screen(
    visit: &Visit,
    aspect: Aspect,
    layout: &PageFormLayout<'_>,
    shown: PageFormState<'_>,
) -> Result<Screen, Refused> {
    let base = visit.url(&format!("/pages/{}", text(shown.page, "pageId")));
    let mut links = Vec::new();
    if aspect == Aspect::Navigation {
        for ((name, kind), written) in LINKS.into_iter().zip(&shown.links) {
            links.push(links_field(visit, name, kind, written.as_deref(), &shown.errors));
        }
    }
    let errors = (shown.errors.as_slice(), shown.focus.as_deref());
    let fields = schema(visit, layout)?.draw("page", shown.entered, errors, visit.words);
    let is_dirty = shown.focus.is_some() || shown.refused.is_some();
    let form = html! {
        form.form #page method="post" action={ (base) (aspect.path()) } novalidate data-unsaved=(visit.text("unsaved")) data-dirty[is_dirty] {
            input type="hidden" name="etag" value=(shown.etag.unwrap_or_default());
            input type="hidden" name="from" value=(shown.from);
            (fields)
            @for field in &links { (field) }
            div.form-end {
                button.button.primary type="submit" { (visit.text("save")) }
                @if aspect == Aspect::Metadata { button.button type="submit" name="do" value="show" { (visit.text("form-show")) } }
                a.button href=(base) { (visit.text("cancel")) }
            }
        }
    };
    let picture = picture(shown.page, shown.entered);
    let preview = match aspect {
        Aspect::Metadata => {
            let link = visit.api.get(&format!("{}/link", api_path(visit))).await.map(|link| link.body);
            let link = link.unwrap_or_default();
            Some(card::draw(visit, shown.page, &shown.entered["metadata"], text(&link, "url"), picture))
        }
        _ => None,
    };
    let main = html! {
        (aspect_tabs(visit, aspect, &base))
        @match preview {
            Some(preview) => div.beside.even { (form) (preview) },
            None => (form),
        }
    };
    let mut screen = Screen::new(Area::Pages, visit.text("edit"), main)
        .below(text(shown.page, "name"), base)
        .refused(shown.refused);
    screen.pictures = Some((visit.installation.site_origin)(&visit.tenant.slug));
    Ok(screen)
}

fn aspect_tabs(visit: &Visit, current: Aspect, base: &str) -> Markup {
    let shown = Aspect::ALL.map(|aspect| (aspect.label(visit), format!("{base}{}", aspect.path())));
    let all: Vec<Tab<'_>> = shown.iter().map(|(label, href)| Tab { label, href, count: None }).collect();
    let at = Aspect::ALL.iter().position(|aspect| *aspect == current).unwrap_or_default();
    tabs(&visit.text("edit"), &all, at)
}

/// The address of the saved picture, if the form still shows that one.
fn picture<'a>(page: &'a Value, entered: &Value) -> Option<&'a str> {
    let is_same = entered["metadata"]["ogImage"]["fileId"] == page["metadata"]["ogImageFileId"];
    some(&page["metadata"], "ogImageUrl").filter(|_| is_same)
}

/// The field of links, with its error; without lines it only says why.
fn links_field(
    visit: &Visit,
    name: &str,
    kind: BlockKind,
    written: Option<&str>,
    errors: &[FormError],
) -> Markup {
    let (label, help) = match kind {
        BlockKind::Navigation => (visit.text("page-nav-links"), visit.text("page-nav-links-help")),
        BlockKind::Footer => (visit.text("page-footer-links"), visit.text("block-lines-help")),
    };
    let Some(written) = written else {
        return html! { div.field { p { strong { (label) } } p.help { (visit.text("block-not-lines")) } } };
    };
    let mut field = Field::new(name, label, Kind::LongText(None)).value(written).help(help);
    let is_ours = |error: &FormError| error.name == name || error.name.starts_with(&format!("{name}."));
    field.error = errors.iter().find(|error| is_ours(error)).map(|error| error.message.clone());
    field.draw("page", visit.words)
}

/// The links of a page as lines.
fn written(page: &Value) -> [Option<String>; 2] {
    LINKS.map(|(name, kind)| lines::of_block(&page[name], kind))
}

/// Puts the links that were entered into a change; what is wrong with them.
fn links(
    visit: &Visit,
    page: &Value,
    entered: &[Option<String>; 2],
    change: &mut Map<String, Value>,
) -> Vec<FormError> {
    let mut wrong = Vec::new();
    for ((name, kind), written) in LINKS.into_iter().zip(entered) {
        let Some(written) = written else { continue };
        match lines::block(written, kind) {
            Ok(mut links) => {
                lines::with_ids(&mut links, &page[name]);
                change.insert(name.to_owned(), links);
            }
            Err(line) => {
                let message = match kind {
                    BlockKind::Navigation => visit.words.with("link-line-wrong", &[("count", line.into())]),
                    BlockKind::Footer => {
                        visit.words.with("link-line-wrong-footer", &[("count", line.into())])
                    }
                };
                wrong.push(FormError { name: name.to_owned(), message });
            }
        }
    }
    wrong
}

/// A page as the API takes it: actions have no places, and a picture is a reference to its file.
fn input(page: &Value) -> Value {
    let mut input = page.clone();
    for action in input["actions"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        action.remove("actionIndex");
    }
    let mut metadata = page["metadata"].as_object().cloned().unwrap_or_default();
    for picture in ["ogImage", "twitterImage"] {
        metadata.remove(&format!("{picture}Url"));
        if let Some(Value::String(file_id)) = metadata.remove(&format!("{picture}FileId")) {
            metadata.insert(picture.to_owned(), json!({ "type": "file", "fileId": file_id }));
        }
    }
    metadata.retain(|_, value| !value.is_null());
    input["metadata"] = Value::Object(metadata);
    input
}

/// Those parts of a page that are lists, and that a form of this aspect shows.
fn lists(aspect: Aspect, page: &Value) -> Value {
    let shown = aspect.properties().iter().map(|name| ((*name).to_owned(), page[name].clone()));
    Value::Object(shown.filter(|(_, value)| value.is_array()).collect())
}

/// The change that a form of this aspect makes: all that it shows, with what is empty taken away.
fn change(aspect: Aspect, entered: &Value) -> Map<String, Value> {
    let empty = |name: &str| match name {
        "brandId" | "name" | "pageContext" | "pageType" => json!(""),
        "metadata" => json!({}),
        "actions" | "actionCardWidgets" | "scripts" => json!([]),
        _ => Value::Null,
    };
    let value = |name: &&str| {
        let value = entered.get(*name).filter(|value| !value.is_null()).cloned();
        ((*name).to_owned(), value.unwrap_or_else(|| empty(name)))
    };
    let mut change: Map<String, Value> = aspect.properties().iter().map(value).collect();
    if let Some(Value::Object(metadata)) = change.get_mut("metadata") {
        for picture in ["ogImage", "twitterImage"] {
            match metadata.get(picture).and_then(|picture| some(picture, "fileId")).map(str::to_owned) {
                Some(file_id) => {
                    metadata.insert(picture.to_owned(), json!({ "type": "file", "fileId": file_id }));
                }
                None => drop(metadata.remove(picture)),
            }
        }
        // An empty text would say that there is none; left out, it is taken from the page.
        metadata.retain(|_, value| value.as_str() != Some("") && !value.is_null());
    }
    change
}

/// What can be chosen on the form of an aspect.
async fn offers(visit: &Visit, aspect: Aspect, page: &Value) -> Result<Offers, Refused> {
    let mut offers = Offers::default();
    let all = async |path: &str| visit.api.find(path, &[("limit", Some(OFFERED))]).await;
    match aspect {
        Aspect::About => offers.brands = named(items(&all("/v0/brands").await?.body), "brandId"),
        Aspect::Actions => {
            offers.forms = named(items(&all("/v0/forms").await?.body), "formId");
            offers.actions = offered::actions(page);
        }
        Aspect::Navigation => {
            let found = visit.api.get("/v0/page_link_blocks").await?.body;
            let of_kind = |kind: &str| {
                named(items(&found).iter().filter(|block| text(block, "kind") == kind), "linkBlockId")
            };
            (offers.navigations, offers.footers) = (of_kind("navigation"), of_kind("footer"));
        }
        Aspect::Metadata | Aspect::Scripts => {}
    }
    if matches!(aspect, Aspect::Actions | Aspect::Metadata) {
        let pictures = offered::pictures(visit).await?;
        let file = |asset: &Value| Choice::new(text(&asset["data"], "fileId"), text(asset, "name"));
        offers.files = pictures.iter().map(file).collect();
        offers.pictures = named(&pictures, "assetId");
    }
    Ok(offers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_changes_what_it_shows_and_nothing_else() {
        let page = json!({ "name": "P", "actions": [{ "actionId": "a", "actionIndex": 0 }], "headerActionId": null,
            "metadata": { "title": "T", "ogImageFileId": "file_1", "ogImageUrl": "https://x", "author": null } });
        let input = input(&page);
        assert_eq!(input["actions"], json!([{ "actionId": "a" }]));
        let change = |aspect, entered: &Value| Value::Object(change(aspect, entered));
        assert_eq!(
            change(Aspect::Metadata, &input),
            json!({ "metadata": { "title": "T", "ogImage": { "type": "file", "fileId": "file_1" } } })
        );
        let emptied = json!({ "metadata": { "title": "", "ogImage": { "type": "file" } } });
        assert_eq!(change(Aspect::Metadata, &emptied), json!({ "metadata": {} }));
        let expected =
            json!({ "actions": [{ "actionId": "a" }], "headerActionId": null, "actionCardWidgets": [] });
        assert_eq!(change(Aspect::Actions, &input), expected);
    }
}

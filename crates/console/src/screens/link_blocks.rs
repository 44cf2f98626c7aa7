//! Link blocks: links that several pages share as their navigation or footer, edited as lines.

use maud::html;
use serde_json::{Value, json};

use crate::client::{Refused, segment};
use crate::json::{items, text, time};
use crate::notice::with_notice;
use crate::parts::dialog::dialog_link;
use crate::parts::field::{Choice, Field, Kind};
use crate::parts::form::Form;
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::table::Row;
use crate::screens::entering::filled;
use crate::screens::knowledge::adding::missing;
use crate::screens::link_blocks::lines::BlockKind;
use crate::screens::listing::{Heading, Listing, asked, create_button};
use crate::screens::page_links::tabs_of;
use crate::screens::removal::Removal;
use crate::visit::{Drawn, Screen, Visit};

pub(crate) mod lines;

/// The longest name of a block.
const NAME: u64 = 120;

/// The list of link blocks.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    let query = asked(&visit, &["kind"]);
    let kind = query.filter("kind").filter(|kind| ["navigation", "footer"].contains(kind));
    let found = visit.api.find("/v0/page_link_blocks", &[("kind", kind)]).await?.body;
    let row = |block: &Value| Row {
        id: text(block, "linkBlockId").to_owned(),
        name: text(block, "name").to_owned(),
        href: Some(visit.url(&format!("/links/blocks/{}", text(block, "linkBlockId")))),
        cells: vec![
            html! { (kind_word(&visit, text(block, "kind"))) },
            html! { @if let Some(at) = time(block, "updatedAt") { (moment(visit.words, at, visit.now)) } },
        ],
    };
    let title = visit.text("blocks");
    let kinds = ["navigation", "footer"].map(|kind| (kind, kind_word(&visit, kind))).to_vec();
    let listing = Listing {
        id: "blocks",
        caption: &title,
        path: "/links/blocks",
        query: &query,
        columns: vec![
            Heading::new(visit.text("name")),
            Heading::new(visit.text("block-kind")),
            Heading::new(visit.text("changed")).by("updatedAt"),
        ],
        rows: items(&found).iter().map(row).collect(),
        answer: &found,
        search: None,
        filter: Some(("kind", visit.text("block-kind"), kinds)),
        bulk: None,
        empty: (visit.text("blocks-empty"), visit.text("blocks-empty-text")),
        make: Some((visit.text("block-new"), "/links/blocks/new")),
    };
    let main = html! { div.stack { (tabs_of(&visit, 1)) (listing.draw(&visit)) } };
    let actions = create_button(&visit, "/links/blocks/new", &visit.text("block-new"));
    Ok(Screen::new(Area::PageLinks, title, main).actions(actions).into())
}

fn kind_word(visit: &Visit, kind: &str) -> String {
    if kind == "footer" { visit.text("block-footer") } else { visit.text("block-navigation") }
}

fn fields(visit: &Visit, name: &str, written: &str) -> Vec<Field> {
    vec![
        Field::new("name", visit.text("name"), Kind::Text(Some(NAME))).required().value(name),
        Field::new("links", visit.text("area-links"), Kind::LongText(None))
            .value(written)
            .help(visit.text("block-lines-help")),
    ]
}

/// The form of a new block.
pub(crate) async fn new(visit: Visit) -> Result<Drawn, Refused> {
    Ok(new_screen(&visit, None).into())
}

fn new_screen(visit: &Visit, refused: Option<Refused>) -> Screen {
    let kinds = ["navigation", "footer"].map(|kind| Choice::new(kind, kind_word(visit, kind))).to_vec();
    let mut all = vec![Field::new("kind", visit.text("block-kind"), Kind::Choice(kinds)).value("navigation")];
    all.extend(fields(visit, "", ""));
    let (action, cancel, submit) =
        (visit.url("/links/blocks/new"), visit.url("/links/blocks"), visit.text("block-new"));
    let form = Form { cancel: Some(&cancel), ..Form::new("block", &action, &submit, all) };
    let main = filled(form, visit, refused.as_ref()).draw(visit.words);
    Screen::new(Area::PageLinks, submit.clone(), main)
        .below(visit.text("blocks"), cancel.clone())
        .refused(refused)
}

/// The links that were entered as lines.
fn read(visit: &Visit, kind: BlockKind) -> Result<Value, Refused> {
    lines::block(visit.entered.text("links"), kind).map_err(|line| {
        let message = match kind {
            BlockKind::Navigation => visit.words.with("link-line-wrong", &[("count", line.into())]),
            BlockKind::Footer => visit.words.with("link-line-wrong-footer", &[("count", line.into())]),
        };
        missing("links", &message)
    })
}

/// Makes a block.
pub(crate) async fn create(visit: Visit) -> Result<Drawn, Refused> {
    let kind = visit.entered.text("kind");
    let made = match read(&visit, BlockKind::of(kind)) {
        Ok(links) => {
            let body = json!({ "kind": kind, "name": visit.entered.text("name"), "links": links });
            visit.api.post("/v0/page_link_blocks", &body).await
        }
        Err(refused) => Err(refused),
    };
    match made {
        Ok(made) => Ok(visit.moved(&with_notice(
            &format!("/links/blocks/{}", text(&made.body, "linkBlockId")),
            "saved",
            "",
        ))),
        Err(refused) => Ok(new_screen(&visit, Some(refused.mendable()?)).into()),
    }
}

fn api_path(visit: &Visit) -> String {
    format!("/v0/page_link_blocks/{}", segment(visit.id("block_id")))
}

fn path(visit: &Visit) -> String {
    format!("/links/blocks/{}", segment(visit.id("block_id")))
}

/// A block with its links as lines.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    shown(&visit, None).await.map(Drawn::from)
}

async fn shown(visit: &Visit, refused: Option<Refused>) -> Result<Screen, Refused> {
    let found = visit.api.get(&api_path(visit)).await?;
    let (block, base) = (&found.body, visit.url(&path(visit)));
    let written = lines::of_block(&block["links"], BlockKind::of(text(block, "kind")));
    let (action, submit) = (format!("{base}/edit"), visit.text("save"));
    let form = written.as_ref().map(|written| {
        let mut all = fields(visit, text(block, "name"), written);
        all.push(Field::hidden("etag", found.etag.clone().unwrap_or_default()));
        filled(Form::new("block", &action, &submit, all), visit, refused.as_ref())
    });
    let main = html! {
        div.stack {
            p { (kind_word(visit, text(block, "kind"))) }
            @match (&form, &written) {
                (Some(form), _) if visit.may_write() => (form.draw(visit.words)),
                (_, Some(written)) => pre tabindex="0" dir="auto" { (written) },
                _ => {
                    p { (visit.text("block-not-lines")) }
                    pre tabindex="0" dir="ltr" { (serde_json::to_string_pretty(&block["links"]).unwrap_or_default()) }
                },
            }
        }
    };
    let actions = html! {
        @if visit.may_write() { (dialog_link(&format!("{base}/delete"), &visit.text("delete"), "button quiet")) }
    };
    Ok(Screen::new(Area::PageLinks, text(block, "name"), main)
        .below(visit.text("blocks"), visit.url("/links/blocks"))
        .actions(actions)
        .refused(refused))
}

/// Changes a block, if nobody else has changed it meanwhile. Links that stay keep their ids.
pub(crate) async fn update(visit: Visit) -> Result<Drawn, Refused> {
    let block = visit.api.get(&api_path(&visit)).await?.body;
    let changed = match read(&visit, BlockKind::of(text(&block, "kind"))) {
        Ok(mut links) => {
            lines::with_ids(&mut links, &block["links"]);
            let change = json!({ "name": visit.entered.text("name"), "links": links });
            visit.api.patch(&api_path(&visit), &change, visit.entered.some("etag")).await
        }
        Err(refused) => Err(refused),
    };
    match changed {
        Ok(_) => Ok(visit.moved(&with_notice(&path(&visit), "saved", ""))),
        Err(refused) => shown(&visit, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

/// Asks whether a block is to be deleted.
pub(crate) async fn ask_delete(visit: Visit) -> Result<Drawn, Refused> {
    let block = visit.api.get(&api_path(&visit)).await?.body;
    let removal = Removal {
        area: Area::PageLinks,
        name: text(&block, "name"),
        path: &path(&visit),
        text: visit.text("block-delete-text"),
    };
    Ok(removal.ask(&visit).into())
}

/// Deletes a block; pages that use it keep its links as their own.
pub(crate) async fn delete(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.delete(&api_path(&visit)).await?;
    Ok(visit.moved(&with_notice("/links/blocks", "deleted", "")))
}

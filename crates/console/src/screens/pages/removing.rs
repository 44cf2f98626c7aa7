//! A page is archived or deleted after a question, and comes back from either.

use serde_json::json;

use super::{api_path, path};
use crate::client::Refused;
use crate::json::{some, text};
use crate::notice::with_notice;
use crate::parts::dialog::{Question, question};
use crate::parts::navigation::Area;
use crate::screens::removal::Removal;
use crate::visit::{Drawn, Screen, Visit};

/// Asks whether a page is to be archived.
pub(crate) async fn ask_archive(visit: Visit) -> Result<Drawn, Refused> {
    let page = visit.api.get(&api_path(&visit)).await?.body;
    let base = visit.url(&format!("/pages/{}", text(&page, "pageId")));
    let name = some(&page, "name").unwrap_or_default();
    let (title, told) =
        (visit.words.with("archive-question", &[("name", name.into())]), visit.text("archive-page-text"));
    let (yes, action) = (visit.text("archive"), format!("{base}/archive"));
    let main = question(
        visit.words,
        &Question {
            title: &title,
            text: &told,
            action: &action,
            values: &[],
            yes: &yes,
            back: &base,
            is_destructive: true,
            typed: None,
            error: None,
        },
    );
    Ok(Screen::new(Area::Pages, visit.text("archive"), main).below(name, base.clone()).into())
}

/// Archives a page.
pub(crate) async fn archive(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&format!("{}/archive", api_path(&visit)), &json!({})).await?;
    Ok(visit.moved(&with_notice("/pages", "page-archived", visit.id("page_id"))))
}

/// Asks whether a page is to be deleted.
pub(crate) async fn ask_delete(visit: Visit) -> Result<Drawn, Refused> {
    let page = visit.api.get(&api_path(&visit)).await?.body;
    let removal = Removal {
        area: Area::Pages,
        name: text(&page, "name"),
        path: &path(&visit),
        text: visit.text("page-delete-text"),
    };
    Ok(removal.ask(&visit).into())
}

/// Deletes a page.
pub(crate) async fn delete(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.delete(&api_path(&visit)).await?;
    Ok(visit.moved(&with_notice("/pages", "page-deleted", visit.id("page_id"))))
}

/// Takes back that a page was archived or deleted.
pub(crate) async fn restore(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&format!("{}/restore", api_path(&visit)), &json!({})).await?;
    Ok(visit.moved(&with_notice(&format!("/pages/{}", visit.id("page_id")), "page-restored", "")))
}

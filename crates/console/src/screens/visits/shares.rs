//! Links by which somebody without a user sees the figures of a page: made with an end and a password, listed, ended.

use std::time::Duration;

use maud::{Markup, html};
use pagesmith_model::visit::share::VisitShare;
use pagesmith_model::{PageId, VisitShareId};
use pagesmith_operations::visits::shares::{self, NewShare};
use serde_json::Value;

use crate::client::{Refused, segment};
use crate::json::text;
use crate::notice::with_notice;
use crate::parts::code::copied;
use crate::parts::field::{Choice, Field, Kind};
use crate::parts::form::Form;
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::screens::entering::filled;
use crate::visit::{Drawn, ROOT, Screen, Visit};

/// Where links lead, below the console's root.
pub(crate) const SHARED: &str = "shared/";
/// For how many days a link can be chosen to be good.
const DAYS: [u32; 4] = [7, 30, 90, 365];

/// The address of a link.
fn address(console_url: &str, slug: &str, token: &str) -> String {
    format!("{console_url}{ROOT}/{SHARED}{}/{}", segment(slug), segment(token))
}

/// The links to the figures of a page.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    let page = page(&visit).await?;
    screen(&visit, page, None, None).await.map(Drawn::from)
}

/// Makes one; its address is shown once, and again to whoever sends the same form twice.
pub(crate) async fn create(visit: Visit) -> Result<Drawn, Refused> {
    let (page_id, page) = page(&visit).await?;
    let days: u32 = visit.entered.text("days").parse().unwrap_or_default();
    let new = NewShare {
        name: visit.entered.text("name").to_owned(),
        open_for: Duration::from_secs(u64::from(days) * 86_400),
        password: visit.entered.as_typed("password"),
    };
    let ctx = visit.context().of(visit.tenant.tenant_id.clone());
    let installation = &visit.installation;
    let (store, hasher) = (&installation.store, &installation.hasher);
    let request = visit.form_request(&format!("/visits/{page_id}/shares"))?;
    match shares::create(store, &ctx, hasher, page_id.clone(), new, request).await {
        Ok(token) => {
            let link = address(&installation.console_url, &visit.tenant.slug, &token);
            screen(&visit, (page_id, page), Some(&link), None).await.map(Drawn::from)
        }
        Err(error) => {
            let refused = Refused::of(&error).mendable()?;
            screen(&visit, (page_id, page), None, Some(refused)).await.map(Drawn::from)
        }
    }
}

/// Ends one.
pub(crate) async fn end(visit: Visit) -> Result<Drawn, Refused> {
    let (page_id, _) = page(&visit).await?;
    let ctx = visit.context().of(visit.tenant.tenant_id.clone());
    let back = format!("/visits/{page_id}/shares");
    if let Some(share) = VisitShareId::parse(visit.entered.text("share")) {
        visit.write(move |tx| shares::end(tx, &ctx, &page_id, &share)).await?;
    }
    Ok(visit.moved(&with_notice(&back, "saved", "")))
}

/// The page of the path, which has to be there, and its id.
async fn page(visit: &Visit) -> Result<(PageId, Value), Refused> {
    let page = visit.api.get(&format!("/v0/pages/{}", segment(visit.id("page_id")))).await?.body;
    let not_found = || Refused::new(axum::http::StatusCode::NOT_FOUND, "There is no such page.");
    let page_id = PageId::parse(text(&page, "pageId")).ok_or_else(not_found)?;
    Ok((page_id, page))
}

async fn screen(
    visit: &Visit,
    (id, page): (PageId, Value),
    link: Option<&str>,
    refused: Option<Refused>,
) -> Result<Screen, Refused> {
    let ctx = visit.context().of(visit.tenant.tenant_id.clone());
    let of_page = id.clone();
    let open = visit.read(move |tx| shares::list(tx, &ctx, &of_page)).await?;
    let here = visit.url(&format!("/visits/{id}/shares"));
    let main = html! {
        div.stack {
            @if let Some(link) = link {
                section.card {
                    h2 { (visit.text("share-link")) }
                    p.help { (visit.text("share-link-help")) }
                    (copied(visit.words, &visit.text("share-link"), link))
                }
            }
            p { (visit.text("shares-text")) }
            @if !open.is_empty() { ul.plain { @for share in &open { li.card { (one(visit, &here, share)) } } } }
            section {
                h2 { (visit.text("share-new")) }
                (form(visit, &here, refused.as_ref().filter(|_| link.is_none())))
            }
        }
    };
    let of_page = visit.url(&format!("/visits/{id}"));
    let screen = Screen::new(Area::Visits, visit.text("shares"), main).below(text(&page, "name"), of_page);
    Ok(screen.refused(refused))
}

fn one(visit: &Visit, here: &str, share: &VisitShare) -> Markup {
    html! {
        strong dir="auto" { (share.name) }
        " " span.help {
            (visit.text("share-until")) " " (moment(visit.words, share.expires_at, visit.now))
            @if share.password_hash.is_some() { " · " (visit.text("share-with-password")) }
        }
        form method="post" action={ (here) "/end" } {
            input type="hidden" name="share" value=(share.visit_share_id.as_str());
            button.button.quiet type="submit" { (visit.text("share-end")) }
        }
    }
}

fn form(visit: &Visit, here: &str, refused: Option<&Refused>) -> Markup {
    let days = |days: u32| {
        Choice::new(days.to_string(), visit.words.with("days", &[("count", i64::from(days).into())]))
    };
    let fields = vec![
        Field::new("name", visit.text("share-for"), Kind::Text(Some(100)))
            .required()
            .help(visit.text("share-for-help")),
        Field::new("days", visit.text("share-days"), Kind::Choice(DAYS.map(days).to_vec())).value("30"),
        Field::new("password", visit.text("password"), Kind::Password)
            .autocomplete("new-password")
            .help(visit.text("share-password-help")),
    ];
    let submit = visit.text("share-make");
    let form = Form::new("share", here, &submit, fields);
    // After one was made, the form is for another.
    if refused.is_none() { form.draw(visit.words) } else { filled(form, visit, refused).draw(visit.words) }
}

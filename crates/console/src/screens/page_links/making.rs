//! A new link: first the page that it leads to, then the path and who is led where.

use maud::html;
use serde_json::{Value, json};

use crate::client::Refused;
use crate::json::{items, text};
use crate::notice::with_notice;
use crate::parts::field::{Choice, Field, Kind};
use crate::parts::form::Form;
use crate::parts::navigation::Area;
use crate::screens::entering::filled;
use crate::visit::{Drawn, Screen, Visit};

use super::PATH;
use super::target::{self, Offered, page_screen};

/// Which page a new link leads to, or the form of a link to it.
pub(crate) async fn new(visit: Visit) -> Result<Drawn, Refused> {
    match visit.asked("page") {
        Some(page_id) => screen(&visit, &page_id, None).await.map(Drawn::from),
        None => {
            let (here, title) = (visit.url("/links/new"), visit.text("link-new"));
            page_screen(&visit, (&here, &here), title).await.map(Drawn::from)
        }
    }
}

async fn screen(visit: &Visit, page_id: &str, refused: Option<Refused>) -> Result<Screen, Refused> {
    let offered = Offered::of(visit, page_id).await?;
    let domains = visit.api.find("/v0/tenant_domains", &[("limit", Some("100"))]).await?.body;
    let mut hosts = vec![Choice::new("", visit.text("link-own-domain"))];
    let verified = items(&domains).iter().filter(|domain| domain["verified"] == true);
    hosts.extend(verified.map(|domain| Choice::new(text(domain, "tenantDomainId"), text(domain, "domain"))));
    let mut fields = vec![
        Field::hidden("page", text(&offered.page, "pageId")),
        Field::new("path", visit.text("link-path"), Kind::Text(Some(PATH)))
            .required()
            .help(visit.text("link-path-help")),
        Field::new("tenantDomainId", visit.text("domain"), Kind::Choice(hosts)).value(""),
    ];
    fields.extend(offered.fields(visit, &Value::Null));
    let (action, cancel, submit) = (visit.url("/links/new"), visit.url("/links"), visit.text("link-new"));
    let form = Form { cancel: Some(&cancel), ..Form::new("link", &action, &submit, fields) };
    let main = html! {
        div.stack {
            p { (visit.words.with("link-of-page", &[("name", text(&offered.page, "name").into())])) }
            (offered.search(visit, &action))
            (filled(form, visit, refused.as_ref()).draw(visit.words))
        }
    };
    Ok(Screen::new(Area::PageLinks, submit.clone(), main).refused(refused))
}

/// Makes a link.
pub(crate) async fn create(visit: Visit) -> Result<Drawn, Refused> {
    let entered = &visit.entered;
    let page_id = entered.text("page");
    let made = match target::read(&visit, &Value::Null) {
        Ok(target) => {
            let mut body = json!({ "path": entered.text("path"), "target": target });
            if let Some(domain) = entered.some("tenantDomainId") {
                body["tenantDomainId"] = domain.into();
            }
            let made = visit.api.post("/v0/page_links", &body).await;
            made.map_err(|refused| target::at_fields(refused, &body["target"]))
        }
        Err(refused) => Err(refused),
    };
    match made {
        Ok(made) => {
            Ok(visit.moved(&with_notice(&format!("/links/{}", text(&made.body, "pageLinkId")), "saved", "")))
        }
        Err(refused) => screen(&visit, page_id, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

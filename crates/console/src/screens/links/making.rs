//! A new link: first the page that it leads to, then the path and who is led where.

use maud::html;
use serde_json::{Value, json};

use crate::client::{Refused, segment};
use crate::entered::Entered;
use crate::json::{items, text};
use crate::notice::told;
use crate::parts::field::{Choice, Field, Kind};
use crate::parts::form::Form;
use crate::parts::icon::{Icon, icon};
use crate::parts::navigation::Area;
use crate::screens::entering::filled;
use crate::screens::knowledge::adding::missing;
use crate::visit::{Drawn, Screen, Visit};

use super::PATH;

/// How many audiences a link can share its visitors among here; the API takes more.
const SHARING: usize = 20;
/// What the choice of a target says, if it is no audience.
const PAGE: &str = "page";
const SHARED: &str = "page_routing";

/// Which page a new link leads to, or the form of a link to it.
pub(crate) async fn new(visit: Visit) -> Result<Drawn, Refused> {
    match visit.asked("page") {
        Some(page_id) => screen(&visit, &page_id, None).await.map(Drawn::from),
        None => page_screen(&visit).await.map(Drawn::from),
    }
}

async fn page_screen(visit: &Visit) -> Result<Screen, Refused> {
    let wanted = visit.asked("q").unwrap_or_default();
    let asked = [("query", Some(wanted.as_str())), ("limit", Some("50"))];
    let pages = visit.api.find("/v0/pages/search", &asked).await?.body;
    let here = visit.url("/links/new");
    let main = html! {
        div.stack {
            p { (visit.text("link-which-page")) }
            form.search role="search" method="get" action=(here) {
                label.unseen for="link-page" { (visit.text("pages-search")) }
                input #link-page type="search" name="q" value=(wanted) dir="auto" placeholder=(visit.text("pages-search"));
                (icon(Icon::Search))
                button.button type="submit" { (visit.text("search")) }
            }
            @if items(&pages).is_empty() { p.help role="status" { (visit.text("nothing-found")) } }
            ul.found { @for page in items(&pages) { li { a.option href={ (here) "?page=" (text(page, "pageId")) } { bdi { (text(page, "name")) } } } } }
        }
    };
    Ok(Screen::new(Area::Links, visit.text("link-new"), main))
}

async fn screen(visit: &Visit, page_id: &str, refused: Option<Refused>) -> Result<Screen, Refused> {
    let api = format!("/v0/pages/{}", segment(page_id));
    let page = visit.api.get(&api).await?.body;
    let audiences = visit.api.find(&format!("{api}/audiences"), &[("limit", Some("100"))]).await?.body;
    let domains = visit.api.find("/v0/tenant_domains", &[("limit", Some("100"))]).await?.body;
    let mut hosts = vec![Choice::new("", visit.text("link-own-domain"))];
    let verified = items(&domains).iter().filter(|domain| domain["verified"] == true);
    hosts.extend(verified.map(|domain| Choice::new(text(domain, "tenantDomainId"), text(domain, "domain"))));
    let mut targets = vec![
        Choice::new(PAGE, visit.text("link-to-page")),
        Choice::new(SHARED, visit.text("link-to-shared")),
    ];
    let audience = |one: &Value| (text(one, "audienceId").to_owned(), text(one, "effectiveName").to_owned());
    let known: Vec<(String, String)> = items(&audiences).iter().map(audience).collect();
    targets.extend(known.iter().map(|(id, name)| Choice::new(id, name)));
    let mut fields = vec![
        Field::hidden("page", text(&page, "pageId")),
        Field::new("path", visit.text("link-path"), Kind::Text(Some(PATH)))
            .required()
            .help(visit.text("link-path-help")),
        Field::new("tenantDomainId", visit.text("domain"), Kind::Choice(hosts)).value(""),
        Field::new("target", visit.text("link-target"), Kind::Choice(targets))
            .value(PAGE)
            .help(visit.text("link-target-help")),
    ];
    let weight = || Kind::Number { min: Some("1".to_owned()), max: None, whole: true };
    fields.extend(known.iter().take(SHARING).map(|(id, name)| {
        let label = visit.words.with("link-weight", &[("name", name.as_str().into())]);
        Field::new(format!("weight.{id}"), label, weight())
    }));
    fields.push(
        Field::new("elsewhere", visit.text("link-elsewhere"), Kind::LongText(None))
            .help(visit.text("link-elsewhere-help")),
    );
    let (action, cancel, submit) = (visit.url("/links/new"), visit.url("/links"), visit.text("link-new"));
    let form = Form { cancel: Some(&cancel), ..Form::new("link", &action, &submit, fields) };
    let main = html! {
        div.stack {
            p { (visit.words.with("link-of-page", &[("name", text(&page, "name").into())])) }
            (filled(form, visit, refused.as_ref()).draw(visit.words))
        }
    };
    Ok(Screen::new(Area::Links, submit.clone(), main).refused(refused))
}

/// Makes a link.
pub(crate) async fn create(visit: Visit) -> Result<Drawn, Refused> {
    let entered = &visit.entered;
    let page_id = entered.text("page");
    let made = match target(entered) {
        Ok(target) => {
            let mut body = json!({ "path": entered.text("path"), "target": target });
            if let Some(domain) = entered.some("tenantDomainId") {
                body["tenantDomainId"] = domain.into();
            }
            visit.api.post("/v0/page_links", &body).await
        }
        Err(Wrong::Line(line)) => {
            let message = visit.words.with("link-weight-wrong", &[("count", line.into())]);
            Err(missing("elsewhere", &message))
        }
        Err(Wrong::NoRoute) => Err(missing("target", &visit.text("link-no-route"))),
    };
    match made {
        Ok(made) => {
            Ok(visit.moved(&told(&format!("/links/{}", text(&made.body, "pageLinkId")), "saved", "")))
        }
        Err(refused) => screen(&visit, page_id, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

/// Why what was entered is no target.
#[derive(Debug, PartialEq, Eq)]
enum Wrong {
    /// The line of this number is no address with a weight.
    Line(usize),
    /// Visitors are to be shared, and there is nothing to share them among.
    NoRoute,
}

/// The target that was entered. Weights count only if visitors are shared.
fn target(entered: &Entered) -> Result<Value, Wrong> {
    let page_id = entered.text("page");
    match entered.some("target").unwrap_or(PAGE) {
        PAGE => Ok(json!({ "targetType": "page", "pageId": page_id })),
        SHARED => {
            let routes = routes(entered)?;
            if routes.is_empty() {
                return Err(Wrong::NoRoute);
            }
            Ok(json!({ "targetType": "page_routing", "pageId": page_id, "routingTable": routes }))
        }
        audience => Ok(json!({ "targetType": "audience", "audienceId": audience })),
    }
}

fn routes(entered: &Entered) -> Result<Vec<Value>, Wrong> {
    let mut routes = vec![];
    for (name, value) in &entered.0 {
        let Some(audience) = name.strip_prefix("weight.") else { continue };
        if value.trim().is_empty() {
            continue;
        }
        routes.push(json!({ "audienceId": audience, "weight": weight(value) }));
    }
    let lines = entered.text("elsewhere").lines().enumerate();
    for (at, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let (address, share) = line.rsplit_once('|').ok_or(Wrong::Line(at + 1))?;
        let share = share.trim().parse::<u64>().map_err(|_| Wrong::Line(at + 1))?;
        routes.push(json!({ "targetUrl": address.trim(), "weight": share, "preserveQueryParams": true }));
    }
    Ok(routes)
}

/// A weight as it was entered; what is no number is left to the API, which says so.
fn weight(text: &str) -> Value {
    let text = text.trim();
    text.parse::<u64>().map_or_else(|_| Value::from(text), Value::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entered(pairs: &[(&str, &str)]) -> Entered {
        Entered(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn a_target_is_a_page_an_audience_or_shared() {
        assert_eq!(
            target(&entered(&[("page", "page_1"), ("weight.audience_1", "3")])),
            Ok(json!({ "targetType": "page", "pageId": "page_1" })),
            "weights count only if visitors are shared"
        );
        assert_eq!(
            target(&entered(&[("page", "page_1"), ("target", "audience_1")])),
            Ok(json!({ "targetType": "audience", "audienceId": "audience_1" }))
        );
        let shared = [
            ("page", "page_1"),
            ("target", "page_routing"),
            ("weight.audience_1", "3"),
            ("weight.audience_2", " "),
            ("weight.audience_3", "many"),
            ("elsewhere", "https://example.com/demo?a=b | 1\n"),
        ];
        assert_eq!(
            target(&entered(&shared)),
            Ok(json!({ "targetType": "page_routing", "pageId": "page_1", "routingTable": [
                { "audienceId": "audience_1", "weight": 3 },
                { "audienceId": "audience_3", "weight": "many" },
                { "targetUrl": "https://example.com/demo?a=b", "weight": 1, "preserveQueryParams": true },
            ]}))
        );
    }

    #[test]
    fn what_is_no_target_is_told() {
        let with = |lines| entered(&[("page", "page_1"), ("target", "page_routing"), ("elsewhere", lines)]);
        assert_eq!(target(&with("")), Err(Wrong::NoRoute));
        assert_eq!(target(&with("https://a.example | 1\nhttps://b.example")), Err(Wrong::Line(2)));
        assert_eq!(target(&with("https://a.example | -1")), Err(Wrong::Line(1)));
    }
}

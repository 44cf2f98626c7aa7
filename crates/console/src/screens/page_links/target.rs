//! Where a link leads: the fields of a target, what was entered into them, and the screen that changes a target.

use maud::{Markup, html};
use serde_json::{Value, json};

use crate::client::{Answered, Refused, segment};
use crate::entered::Entered;
use crate::json::{items, list_of, some, text};
use crate::notice::with_notice;
use crate::parts::field::{Choice, Field, Kind};
use crate::parts::form::Form;
use crate::parts::icon::{Icon, icon};
use crate::parts::navigation::Area;
use crate::screens::entering::filled;
use crate::screens::knowledge::adding::missing;
use crate::screens::names::Names;
use crate::visit::{Drawn, Screen, Visit};

use super::{api_path, path};

/// How many audiences of a page a link can share its visitors among here; the API takes more.
const SHARING: usize = 20;
/// How many audiences of a page are offered, and how many are searched.
const OFFERED: usize = 100;
const SEARCHED: usize = 2_000;
/// What the choice of a target says, if it is no audience.
const PAGE: &str = "page";
const SHARED: &str = "page_routing";

/// A page with the audiences that a link to it can lead to: their ids and names.
pub(super) struct Offered {
    pub(super) page: Value,
    audiences: Vec<(String, String)>,
    /// How many of them, from the first on, visitors can be shared among.
    shared: usize,
    /// What their names were searched for.
    sought: String,
    /// Whether the page has others, or more than visitors can be shared among.
    has_others: bool,
}

impl Offered {
    /// What a link to this page can lead to: its newest audiences, or those of which the name has what is searched for.
    pub(super) async fn of(visit: &Visit, page_id: &str) -> Result<Offered, Refused> {
        let api = format!("/v0/pages/{}", segment(page_id));
        let page = visit.api.get(&api).await?.body;
        let sought = visit.asked("q").or_else(|| visit.entered.some("q").map(ToOwned::to_owned));
        let sought = sought.unwrap_or_default().trim().to_lowercase();
        let mut audiences: Vec<(String, String)> = Vec::new();
        let (mut cursor, mut looked_at, mut has_others) = (None::<String>, 0, false);
        loop {
            let asked = [("limit", Some("100")), ("cursor", cursor.as_deref())];
            let found = visit.api.find(&format!("{api}/audiences"), &asked).await?.body;
            looked_at += items(&found).len();
            for one in items(&found) {
                let name = text(one, "effectiveName");
                if name.to_lowercase().contains(&sought) && audiences.len() < OFFERED {
                    audiences.push((text(one, "audienceId").to_owned(), name.to_owned()));
                } else {
                    has_others = true;
                }
            }
            cursor = some(&found, "nextCursor").map(ToOwned::to_owned);
            if cursor.is_none() || audiences.len() == OFFERED || looked_at >= SEARCHED {
                break;
            }
        }
        has_others |= cursor.is_some() || audiences.len() > SHARING;
        Ok(Offered { page, shared: audiences.len().min(SHARING), audiences, sought, has_others })
    }

    /// The field that finds audiences which are not among those that are offered, on the screen at this address.
    pub(super) fn search(&self, visit: &Visit, here: &str) -> Markup {
        html! {
            @if self.has_others {
                form.search role="search" method="get" action=(here) {
                    input type="hidden" name="page" value=(text(&self.page, "pageId"));
                    label for="audience-search" { (visit.text("link-search")) }
                    input #audience-search type="search" name="q" value=(self.sought) autocomplete="off" dir="auto";
                    button.button type="submit" { (visit.text("search")) }
                }
                p.help { (visit.text("link-search-help")) }
            }
        }
    }

    /// With the audiences that a link leads to already, whatever page they are of.
    fn with(mut self, target: &Value, names: &Names) -> Offered {
        let routes = list_of(target, "routingTable").iter();
        for id in routes.filter_map(|route| some(route, "audienceId")) {
            let at = self.audiences.iter().position(|(known, _)| known == id);
            if at.is_some_and(|at| at < self.shared) {
                continue;
            }
            let shared = match at {
                Some(at) => self.audiences.remove(at),
                None => (id.to_owned(), names.audience(id)),
            };
            self.audiences.insert(self.shared, shared);
            self.shared += 1;
        }
        if let Some(id) = some(target, "audienceId")
            && !self.audiences.iter().any(|(known, _)| known == id)
        {
            self.audiences.push((id.to_owned(), names.audience(id)));
        }
        self
    }

    /// The fields of a target, holding this one.
    pub(super) fn fields(&self, visit: &Visit, target: &Value) -> Vec<Field> {
        let mut choices = vec![
            Choice::new(PAGE, visit.text("link-to-page")),
            Choice::new(SHARED, visit.text("link-to-shared")),
        ];
        choices.extend(self.audiences.iter().map(|(id, name)| Choice::new(id, name)));
        let chosen = some(target, "audienceId").unwrap_or(match some(target, "targetType") {
            Some(SHARED) => SHARED,
            _ => PAGE,
        });
        let routes = list_of(target, "routingTable");
        let weight_of = |route: &Value| route["weight"].as_u64().unwrap_or_default().to_string();
        let weight = || Kind::Number { min: Some("1".to_owned()), max: None, whole: true };
        let mut fields = vec![
            Field::hidden("q", self.sought.clone()),
            Field::new("target", visit.text("link-target"), Kind::Choice(choices))
                .value(chosen)
                .help(visit.text("link-target-help")),
        ];
        fields.extend(self.audiences.iter().take(self.shared).map(|(id, name)| {
            let label = visit.words.with("link-weight", &[("name", name.as_str().into())]);
            let given = routes.iter().find(|route| text(route, "audienceId") == id);
            Field::new(format!("weight.{id}"), label, weight())
                .value(given.map(weight_of).unwrap_or_default())
        }));
        let elsewhere = routes
            .iter()
            .filter_map(|route| Some(format!("{} | {}", some(route, "targetUrl")?, weight_of(route))));
        fields.push(
            Field::new("elsewhere", visit.text("link-elsewhere"), Kind::LongText(None))
                .value(elsewhere.collect::<Vec<_>>().join("\n"))
                .help(visit.text("link-elsewhere-help")),
        );
        fields
    }
}

/// The target that was entered in the place of the one before, or what is wrong with it, at its field.
pub(super) fn read(visit: &Visit, before: &Value) -> Result<Value, Refused> {
    target(&visit.entered, before).map_err(|wrong| match wrong {
        Wrong::Line(line) => {
            missing("elsewhere", &visit.words.with("link-weight-wrong", &[("count", line.into())]))
        }
        Wrong::NoRoute => missing("target", &visit.text("link-no-route")),
    })
}

/// What the API says of the routes of this target, at the fields in which they were entered.
pub(super) fn at_fields(mut refused: Refused, target: &Value) -> Refused {
    let routes = list_of(target, "routingTable");
    for (name, message) in &mut refused.issues {
        let rest = name.strip_prefix("target.routingTable.").unwrap_or_default();
        let at = rest.split('.').next().and_then(|at| at.parse::<usize>().ok());
        let Some(route) = at.and_then(|at| routes.get(at)) else { continue };
        // The API names the place in front of each sentence.
        if let Some(rest) = message.strip_prefix(&format!("{name}: ")) {
            *message = rest.to_owned();
        }
        *name = some(route, "audienceId").map_or_else(|| "elsewhere".to_owned(), |id| format!("weight.{id}"));
    }
    refused
}

/// Which page a link leads to: `here` is the screen itself, and `next` goes on with a page.
pub(super) async fn page_screen(
    visit: &Visit,
    (here, next): (&str, &str),
    title: String,
) -> Result<Screen, Refused> {
    let wanted = visit.asked("q").unwrap_or_default();
    let asked = [("query", Some(wanted.as_str())), ("limit", Some("50"))];
    let pages = visit.api.find("/v0/pages/search", &asked).await?.body;
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
            ul.found { @for page in items(&pages) { li { a.option href={ (next) "?page=" (text(page, "pageId")) } { bdi { (text(page, "name")) } } } } }
        }
    };
    Ok(Screen::new(Area::PageLinks, title, main))
}

/// The page that a link leads to, or the one of the audience, as far as it is known.
fn page_of<'a>(target: &'a Value, names: &'a Names) -> Option<&'a str> {
    some(target, "pageId").or_else(|| names.page_of(some(target, "audienceId")?))
}

/// The form that changes where a link leads, within its page or the one that was chosen.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    let link = visit.api.get(&api_path(&visit)).await?;
    let names = Names::of_targets(&visit, [&link.body["target"]].into_iter()).await?;
    let chosen = visit.asked("page");
    match chosen.as_deref().or_else(|| page_of(&link.body["target"], &names)) {
        Some(page_id) => screen(&visit, (&link, &names), page_id, None).await.map(Drawn::from),
        None => Ok(visit.moved(&format!("{}/target/page", path(&visit)))),
    }
}

/// Which page a link is to lead to.
pub(crate) async fn choose_page(visit: Visit) -> Result<Drawn, Refused> {
    let link = visit.api.get(&api_path(&visit)).await?.body;
    let base = visit.url(&path(&visit));
    let urls = (format!("{base}/target/page"), format!("{base}/target"));
    let shown = page_screen(&visit, (&urls.0, &urls.1), visit.text("link-target-change")).await?;
    Ok(shown.below(text(&link, "path"), base).into())
}

async fn screen(
    visit: &Visit,
    (link, names): (&Answered, &Names),
    page_id: &str,
    refused: Option<Refused>,
) -> Result<Screen, Refused> {
    let target = &link.body["target"];
    // An audience that is known to be of another page is none to choose from.
    let is_elsewhere =
        target["targetType"] == "audience" && page_of(target, names).is_some_and(|of| of != page_id);
    let held = if is_elsewhere { &Value::Null } else { target };
    let offered = Offered::of(visit, page_id).await?.with(held, names);
    let mut fields = vec![
        Field::hidden("etag", link.etag.clone().unwrap_or_default()),
        Field::hidden("page", text(&offered.page, "pageId")),
    ];
    fields.extend(offered.fields(visit, held));
    let base = visit.url(&path(visit));
    let (action, submit) = (format!("{base}/target"), visit.text("save"));
    let search = offered.search(visit, &action);
    let form = Form { cancel: Some(&base), ..Form::new("target", &action, &submit, fields) };
    let main = html! {
        div.stack {
            p {
                (visit.words.with("link-of-page", &[("name", text(&offered.page, "name").into())])) " "
                a href={ (base) "/target/page" } { (visit.text("link-another-page")) }
            }
            (search)
            (filled(form, visit, refused.as_ref()).draw(visit.words))
        }
    };
    Ok(Screen::new(Area::PageLinks, visit.text("link-target-change"), main)
        .below(text(&link.body, "path"), base)
        .refused(refused))
}

/// Changes where a link leads, if nobody else has changed it meanwhile.
pub(crate) async fn update(visit: Visit) -> Result<Drawn, Refused> {
    let before = visit.api.get(&api_path(&visit)).await?;
    let saved = match read(&visit, &before.body["target"]) {
        Ok(target) => {
            let change = json!({ "target": target });
            let saved = visit.api.patch(&api_path(&visit), &change, visit.entered.some("etag")).await;
            saved.map_err(|refused| at_fields(refused, &target))
        }
        Err(refused) => Err(refused),
    };
    match saved {
        Ok(_) => Ok(visit.moved(&with_notice(&path(&visit), "saved", ""))),
        Err(refused) => {
            let refused = refused.mendable()?;
            let names = Names::of_targets(&visit, [&before.body["target"]].into_iter()).await?;
            let page_id = visit.entered.text("page");
            screen(&visit, (&before, &names), page_id, Some(refused)).await.map(Drawn::from)
        }
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

/// The target that was entered. Weights count only if visitors are shared; `before` is the target that is replaced.
fn target(entered: &Entered, before: &Value) -> Result<Value, Wrong> {
    let page_id = entered.text("page");
    match entered.some("target").unwrap_or(PAGE) {
        PAGE => Ok(json!({ "targetType": "page", "pageId": page_id })),
        SHARED => {
            let routes = routes(entered, before)?;
            if routes.is_empty() {
                return Err(Wrong::NoRoute);
            }
            Ok(json!({ "targetType": "page_routing", "pageId": page_id, "routingTable": routes }))
        }
        audience => Ok(json!({ "targetType": "audience", "audienceId": audience })),
    }
}

fn routes(entered: &Entered, before: &Value) -> Result<Vec<Value>, Wrong> {
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
        let address = address.trim();
        let known = list_of(before, "routingTable").iter().find(|route| text(route, "targetUrl") == address);
        // What is not shown is kept.
        let keeps_query = known.is_none_or(|route| route["preserveQueryParams"] == true);
        routes.push(json!({ "targetUrl": address, "weight": share, "preserveQueryParams": keeps_query }));
    }
    // In the order that they had, since it decides which visitor is given which; what is new comes last.
    let same = |one: &Value, other: &Value| {
        one["audienceId"] == other["audienceId"] && one["targetUrl"] == other["targetUrl"]
    };
    let known = list_of(before, "routingTable");
    routes.sort_by_key(|route| known.iter().position(|other| same(route, other)).unwrap_or(known.len()));
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

    fn target(entered: &Entered) -> Result<Value, Wrong> {
        super::target(entered, &Value::Null)
    }

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

    #[test]
    fn what_is_not_shown_of_an_address_is_kept() {
        let before = json!({ "routingTable": [
            { "targetUrl": "https://a.example/", "weight": 1, "preserveQueryParams": false },
        ]});
        let lines = "https://a.example/ | 2\nhttps://b.example/ | 3";
        let sent = entered(&[("page", "page_1"), ("target", "page_routing"), ("elsewhere", lines)]);
        let routes = super::target(&sent, &before).unwrap()["routingTable"].take();
        assert_eq!(routes[0]["preserveQueryParams"], false);
        assert_eq!(routes[1]["preserveQueryParams"], true);
    }

    #[test]
    fn what_is_wrong_with_a_route_stands_where_it_was_entered() {
        let target = json!({ "routingTable": [{ "audienceId": "audience_1", "weight": "many" }, { "targetUrl": "ftp://a" }] });
        let refused = missing("target.routingTable.0.weight", "target.routingTable.0.weight: no.");
        assert_eq!(at_fields(refused, &target).issues, [("weight.audience_1".to_owned(), "no.".to_owned())]);
        let refused = missing("target.routingTable.1.targetUrl", "no.");
        assert_eq!(at_fields(refused, &target).issues, [("elsewhere".to_owned(), "no.".to_owned())]);
        let refused = missing("target.pageId", "no.");
        assert_eq!(at_fields(refused, &target).issues, [("target.pageId".to_owned(), "no.".to_owned())]);
    }
}

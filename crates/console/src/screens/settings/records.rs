//! What is recorded of a tenant: what it uses, what was done, and how long things are kept.

use maud::{Markup, html};
use pagesmith_model::audit::Action;
use pagesmith_model::user::{Membership, User};
use serde_json::{Value, json};

use super::site::{VISITS, change, etag, form, number};
use super::{Tab, actions, amount, tabbed, tabs};
use crate::client::Refused;
use crate::json::{count, items, text, time};
use crate::notice::with_notice;
use crate::parts::field::{Field, Kind};
use crate::parts::list_query::ListQuery;
use crate::parts::moment::exact_moment;
use crate::parts::navigation::Area;
use crate::parts::table::{Row, scrolled};
use crate::screens::actors::{self, Actors};
use crate::screens::listing::{Heading, Listing, asked};
use crate::visit::{Drawn, Screen, Visit};

/// What the tenant uses.
pub(crate) async fn usage(visit: Visit) -> Result<Drawn, Refused> {
    let usage = visit.api.get("/v0/usage").await?.body;
    let number = |value: &Value, name: &str| visit.count(count(value, name));
    let bytes = visit.words.bytes(count(&usage, "fileBytes"));
    let quota = visit.words.bytes(count(&usage, "fileQuota"));
    let months = usage["months"].as_array().map(Vec::as_slice).unwrap_or_default();
    let present = months.first().unwrap_or(&Value::Null);
    let main = html! {
        dl.cards {
            (card(&visit.text("area-pages"), &number(&usage, "pages")))
            (card(&visit.text("area-persons"), &number(&usage, "persons")))
            (card(&visit.text("area-accounts"), &number(&usage, "accounts")))
            (card(&visit.text("users"), &number(&usage, "users")))
            (card(&visit.text("usage-files"), &number(&usage, "files")))
            (card(&visit.text("usage-storage"), &format!("{bytes} / {quota}")))
            (card(&visit.text("usage-budget"), &budget(&visit, &usage, present)))
        }
        (scrolled(&visit.text("usage-by-month"), &html! {
            caption { (visit.text("usage-by-month")) }
            thead { tr {
                th scope="col" { (visit.text("usage-month")) }
                @for label in [visit.text("versions"), visit.text("visits"), visit.text("deliveries"), visit.text("usage-tries"),
                    visit.text("tokens-read"), visit.text("tokens-written"), visit.text("usage-cost")] {
                    th.number scope="col" { (label) }
                }
            } }
            tbody {
                @for month in months {
                    tr {
                        th scope="row" { (text(month, "month")) }
                        @for name in ["versions", "visits", "deliveries", "tries", "inputTokens", "outputTokens"] {
                            td.number { (number(month, name)) }
                        }
                        td.number { (visit.words.decimal(text(month, "cost"))) }
                    }
                }
            }
        }))
        p.help { (visit.text("usage-help")) }
    };
    Ok(tabbed(&visit, Tab::Usage, &main).into())
}

fn card(label: &str, value: &str) -> Markup {
    html! { div.card { dt.help { (label) } dd.stat { (value) } } }
}

/// How much of the month's budget is used.
fn budget(visit: &Visit, usage: &Value, month: &Value) -> String {
    let tokens = count(usage, "tokenBudget");
    if tokens > 0 {
        let used = count(month, "inputTokens") + count(month, "outputTokens");
        return format!("{} / {}", visit.count(used), visit.count(tokens));
    }
    match amount(usage, "costBudget") {
        None => visit.text("usage-no-budget"),
        Some(cost) => format!("{} / {}", visit.words.decimal(text(month, "cost")), visit.words.decimal(cost)),
    }
}

/// Who and what the audit can be narrowed by, and from when to when.
const FILTERS: [&str; 4] = ["actor", "action", "since", "until"];
/// What was done.
pub(crate) async fn audit(visit: Visit) -> Result<Drawn, Refused> {
    let query = asked(&visit, &FILTERS);
    let day = |name: &str| query.filter(name).map(|day| format!("{day}T00:00:00Z"));
    let (since, until) = (day("since"), day("until"));
    let parameters = [
        ("cursor", query.cursor.as_deref()),
        ("limit", query.limit()),
        ("actor", query.filter("actor")),
        ("action", query.filter("action")),
        ("since", since.as_deref()),
        ("until", until.as_deref()),
    ];
    let found = visit.api.find("/v0/audit", &parameters).await;
    let (found, refused) = match found {
        Ok(found) => (found.body, None),
        Err(refused) => (json!({ "items": [] }), Some(refused.mendable()?)),
    };
    let actors = Actors::read(&visit).await?;
    let row = |entry: &Value| Row {
        id: text(entry, "auditEntryId").to_owned(),
        name: what(&visit, text(entry, "action")),
        href: None,
        cells: vec![
            html! { bdi { (actors.name(&visit, text(entry, "actor"))) } },
            html! { code dir="ltr" { (text(entry, "subject")) } },
            html! { @if let Some(at) = time(entry, "createdAt") { (exact_moment(visit.words, at)) } },
        ],
    };
    let caption = visit.text("audit");
    let listing = Listing {
        id: "audit",
        caption: &caption,
        path: "/settings/audit",
        query: &query,
        columns: vec![
            Heading::new(visit.text("audit-action")),
            Heading::new(visit.text("audit-actor")),
            Heading::new(visit.text("audit-subject")),
            Heading::new(visit.text("when")).by("createdAt"),
        ],
        rows: items(&found).iter().map(row).collect(),
        answer: &found,
        search: None,
        filter: None,
        bulk: None,
        empty: (visit.text("audit-empty"), visit.text("audit-empty-text")),
        make: None,
    };
    let main = html! {
        div.stack {
            (tabs(&visit, Tab::Audit))
            (narrowing(&visit, &query, &actors.users))
            (listing.draw(&visit))
        }
    };
    Ok(Screen::new(Area::Settings, caption, main).refused(refused).into())
}

/// What was done; an action of a newer server by its name in the API.
fn what(visit: &Visit, action: &str) -> String {
    Action::parse(action).map_or_else(|| action.to_owned(), |action| actions::word(visit, action))
}

/// What the entries are narrowed by: who, what, and when.
fn narrowing(visit: &Visit, query: &ListQuery, users: &[(User, Membership)]) -> Markup {
    let filter = |name: &str| query.filter(name).unwrap_or_default();
    let mut choices: Vec<(String, &str)> =
        Action::ALL.iter().map(|action| (actions::word(visit, *action), action.as_str())).collect();
    choices.sort_unstable_by_key(|(word, _)| word.to_lowercase());
    html! {
        form.tools method="get" action=(visit.url("/settings/audit")) {
            div.field {
                label for="audit-actor" { (visit.text("audit-actor")) }
                input #audit-actor type="text" name="actor" value=(filter("actor")) list="audit-actors" dir="auto" autocomplete="off";
                datalist #audit-actors {
                    @for (user, _) in users { option value=(user.user_id.as_str()) { (user.name) } }
                    @for actor in ["operator", "server", "schedule"] { option value=(actor) { (actors::word(visit, actor)) } }
                }
            }
            div.field {
                label for="audit-action" { (visit.text("audit-action")) }
                select #audit-action name="action" {
                    option value="" { (visit.text("audit-any")) }
                    @for (word, action) in &choices { option value=(action) selected[filter("action") == *action] { (word) } }
                }
            }
            div.field {
                label for="audit-since" { (visit.text("audit-since")) }
                input #audit-since type="date" name="since" value=(filter("since"));
            }
            div.field {
                label for="audit-until" { (visit.text("audit-until")) }
                input #audit-until type="date" name="until" value=(filter("until"));
            }
            button.button type="submit" { (visit.text("audit-narrow")) }
        }
    }
}

/// How long things are kept.
pub(crate) async fn retention(visit: Visit) -> Result<Drawn, Refused> {
    retention_screen(&visit, None).await.map(Drawn::from)
}

async fn retention_screen(visit: &Visit, refused: Option<Refused>) -> Result<Screen, Refused> {
    let visits = visit.api.get(VISITS).await?;
    let days = Kind::Number { min: Some("1".to_owned()), max: Some("3650".to_owned()), whole: true };
    let fields = vec![
        etag(&visits),
        Field::new("retentionDays", visit.text("retention-days"), days)
            .required()
            .value(count(&visits.body, "retentionDays").to_string())
            .help(visit.text("retention-days-help")),
    ];
    let kept = [
        (visit.text("kept-deleted"), visit.text("kept-deleted-for")),
        (visit.text("kept-events"), visit.text("kept-events-for")),
        (visit.text("kept-visitors"), visit.text("kept-visitors-for")),
        (visit.text("kept-answers"), visit.text("kept-answers-for")),
        (visit.text("kept-files"), visit.text("kept-files-for")),
        (visit.text("kept-audit"), visit.text("kept-audit-for")),
    ];
    let main = html! {
        (form(visit, ("retention", "/settings/retention"), fields, refused.as_ref()))
        section.stack {
            h2 { (visit.text("kept-rest")) }
            dl.facts { @for (what, long) in &kept { dt { (what) } dd { (long) } } }
        }
    };
    Ok(tabbed(visit, Tab::Retention, &main).refused(refused))
}

/// Changes for how long visits are kept.
pub(crate) async fn update_retention(visit: Visit) -> Result<Drawn, Refused> {
    match change(&visit, VISITS, json!({ "retentionDays": number(&visit, "retentionDays") })).await {
        Ok(()) => Ok(visit.moved(&with_notice("/settings/retention", "saved", ""))),
        Err(refused) => retention_screen(&visit, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

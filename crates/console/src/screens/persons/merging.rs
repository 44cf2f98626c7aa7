//! Two persons become one: the other one is chosen, what would happen is shown and may be changed, then it is done, and can be taken back.

use maud::{Markup, html};
use serde_json::{Map, Value, json};

use crate::client::Refused;
use crate::json::{count, items, list_of, some, text, time};
use crate::notice::with_notice;
use crate::parts::field::{Choice, Field, Kind};
use crate::parts::form::Form;
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::screens::entering::filled;
use crate::visit::{Drawn, Screen, Visit};

use super::{api_path, name_of, path};

/// How many persons are offered.
const OFFERED: &str = "20";
/// The fields that are chosen among, in the API's names.
const FIELDS: [&str; 5] = ["name", "email", "phoneNumber", "linkedinProfileUrl", "domain"];

/// Asks for the other person, or shows what merging it would do.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    match visit.asked("other") {
        Some(other) => preview(&visit, &other, None).await.map(Drawn::from),
        None => choose(&visit).await.map(Drawn::from),
    }
}

fn screen(visit: &Visit, person: &Value, main: Markup) -> Screen {
    Screen::new(Area::Persons, visit.text("merge"), main).below(name_of(person), visit.url(&path(visit)))
}

async fn choose(visit: &Visit) -> Result<Screen, Refused> {
    let person = visit.api.get(&api_path(visit)).await?.body;
    // Namesakes are most often the ones.
    let sought = visit.asked("q").unwrap_or_else(|| name_of(&person));
    let found =
        visit.api.find("/v0/persons/search", &[("query", Some(&sought)), ("limit", Some(OFFERED))]).await?;
    let others: Vec<&Value> = items(&found.body)
        .iter()
        .filter(|other| text(other, "personId") != text(&person, "personId"))
        .collect();
    let here = visit.url(&format!("{}/merge", path(visit)));
    let main = html! {
        div.stack {
            p.help { (visit.text("merge-help")) }
            form.search role="search" method="get" action=(here) hx-get=(here) hx-trigger="input delay:250ms, submit"
                hx-target="#merge-found" hx-select="#merge-found" hx-swap="outerMorph" {
                label.unseen for="merge-search" { (visit.text("persons-search")) }
                input #merge-search type="search" name="q" value=(sought) autocomplete="off" dir="auto";
                button.button type="submit" { (visit.text("search")) }
            }
            div #merge-found {
                @if others.is_empty() { p { (visit.text("merge-nobody")) } }
                ul.plain {
                    @for other in others {
                        li {
                            a href=(format!("{here}?other={}", text(other, "personId"))) dir="auto" { (name_of(other)) }
                            @if let Some(email) = some(other, "email") { " · " bdi { (email) } }
                        }
                    }
                }
            }
        }
    };
    Ok(screen(visit, &person, main))
}

fn label(visit: &Visit, field: &str) -> String {
    match field {
        "name" => visit.text("name"),
        "email" => visit.text("email"),
        "phoneNumber" => visit.text("phone"),
        "linkedinProfileUrl" => visit.text("linkedin"),
        _ => visit.text("company-domain"),
    }
}

/// The fields in which the persons differ, each with both values to choose from.
fn choices(visit: &Visit, plan: &Value) -> Vec<Field> {
    let (before, other, after) = (&plan["before"], &plan["other"], &plan["after"]);
    let differs = |field: &&&str| some(before, field) != some(other, field);
    let field = |field: &&str| {
        let shown =
            |person: &Value| some(person, field).map_or_else(|| visit.text("merge-nothing"), str::to_owned);
        let winner = if some(after, field) == some(before, field) { "this" } else { "other" };
        let options = vec![Choice::new("this", shown(before)), Choice::new("other", shown(other))];
        Field::new(*field, label(visit, field), Kind::Choice(options)).value(winner)
    };
    FIELDS.iter().filter(differs).map(field).collect()
}

async fn preview(visit: &Visit, other: &str, refused: Option<Refused>) -> Result<Screen, Refused> {
    let body = json!({ "otherPersonId": other, "dryRun": true });
    let plan = visit.api.ask(&format!("{}/merge", api_path(visit)), &body).await?.body;
    let moves = &plan["moves"];
    let collisions = list_of(&plan, "collisions");
    let (action, back, submit) = (
        visit.url(&format!("{}/merge", path(visit))),
        visit.url(&format!("{}/merge", path(visit))),
        visit.text("merge-do"),
    );
    let mut fields = choices(visit, &plan);
    fields.push(Field::hidden("other", other));
    let form =
        Form { is_destructive: true, cancel: Some(&back), ..Form::new("merge", &action, &submit, fields) };
    let form = filled(form, visit, refused.as_ref());
    let names = [("this", name_of(&plan["before"])), ("other", name_of(&plan["other"]))];
    let main = html! {
        div.stack {
            p { bdi { (visit.words.with("merge-question", &[("this", names[0].1.as_str().into()), ("other", names[1].1.as_str().into())])) } }
            dl.facts {
                dt { (visit.text("merge-logs")) } dd { (visit.count(count(moves, "logs"))) }
                dt { (visit.text("merge-audiences")) } dd { (visit.count(count(moves, "audiences"))) }
                dt { (visit.text("submissions")) } dd { (visit.count(count(moves, "submissions"))) }
                dt { (visit.text("area-visits")) } dd { (visit.count(count(moves, "sessions"))) }
            }
            @if !collisions.is_empty() {
                p { (visit.text("merge-collisions")) }
                ul.plain {
                    @for collision in collisions {
                        li { a href=(visit.url(&format!("/pages/{}/audiences/{}", text(collision, "pageId"), text(collision, "audienceId")))) {
                            (visit.text("audience"))
                        } }
                    }
                }
            }
            (form.draw(visit.words))
        }
    };
    Ok(screen(visit, &plan["before"], main).refused(refused))
}

/// Merges.
pub(crate) async fn merge(visit: Visit) -> Result<Drawn, Refused> {
    let other = visit.entered.text("other");
    let winners =
        FIELDS.iter().filter_map(|field| Some(((*field).to_owned(), visit.entered.some(field)?.into())));
    let body = json!({ "otherPersonId": other, "fields": winners.collect::<Map<String, Value>>() });
    match visit.api.post(&format!("{}/merge", api_path(&visit)), &body).await {
        Ok(_) => Ok(visit.moved(&with_notice(&path(&visit), "persons-merged", other))),
        Err(refused) if refused.status == axum::http::StatusCode::NOT_FOUND => Err(refused),
        Err(refused) => preview(&visit, other, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

/// Takes a merge back, by the person that was merged away.
pub(crate) async fn unmerge(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&format!("{}/unmerge", api_path(&visit)), &json!({})).await?;
    Ok(visit.moved(&with_notice(&path(&visit), "saved", "")))
}

/// The merges into a person that can be undone.
pub(super) async fn reversible(visit: &Visit) -> Result<Markup, Refused> {
    let merges = visit.api.get(&format!("{}/merges", api_path(visit))).await?.body;
    let merges = items(&merges);
    Ok(html! {
        @if !merges.is_empty() {
            section.stack {
                h2 { (visit.text("merged-persons")) }
                ul.plain {
                    @for merge in merges {
                        li {
                            @if let Some(at) = time(merge, "mergedAt") { (moment(visit.words, at, visit.now)) " " }
                            @if visit.may_write() {
                                form method="post" action=(visit.url(&format!("/persons/{}/unmerge", text(merge, "personId")))) {
                                    button.button type="submit" { (visit.text("merge-undo")) }
                                }
                            }
                        }
                    }
                }
            }
        }
    })
}

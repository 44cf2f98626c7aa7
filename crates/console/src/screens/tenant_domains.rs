//! Domains: the tenant's own host names, the DNS records that each needs, and what was seen of them.

use maud::{Markup, html};
use serde_json::{Value, json};

use crate::client::{Refused, segment, tag_of};
use crate::events::{changes_of, tag_at};
use crate::json::{items, list_of, some, text, time};
use crate::notice::with_notice;
use crate::parts::badge::{Tone, badge};
use crate::parts::dialog::dialog_link;
use crate::parts::field::{Field, Kind};
use crate::parts::form::Form;
use crate::parts::live::{Source, live, since_tag};
use crate::parts::moment::{exact_moment, moment};
use crate::parts::navigation::Area;
use crate::parts::table::{Row, scrolled};
use crate::screens::entering::filled;
use crate::screens::listing::{
    Heading, Listing, asked_unsearched, create_button, followed, found_to_follow, list_events,
};
use crate::screens::removal::Removal;
use crate::visit::{Drawn, Screen, Visit};

/// The longest host name that the field takes.
const DOMAIN: u64 = 1_000;

/// The list of domains in the API.
const API: &str = "/v0/tenant_domains";

/// The list of domains.
pub(crate) async fn list(visit: Visit) -> Result<Drawn, Refused> {
    let query = asked_unsearched(&visit);
    let answered = found_to_follow(&visit, API, &query).await?;
    let found = &answered.body;
    let row = |domain: &Value| Row {
        id: text(domain, "tenantDomainId").to_owned(),
        name: text(domain, "domain").to_owned(),
        href: Some(visit.url(&format!("/domains/{}", text(domain, "tenantDomainId")))),
        cells: vec![
            html! {
                (state(&visit, domain))
                @if domain["isDefault"] == true { " " (badge(Tone::Plain, &visit.text("default"))) }
            },
            html! { @if let Some(at) = time(domain, "updatedAt") { (moment(visit.words, at, visit.now)) } },
        ],
    };
    let title = visit.text("area-domains");
    let listing = Listing {
        id: "domains",
        caption: &title,
        path: "/domains",
        query: &query,
        columns: vec![
            Heading::new(visit.text("domain")),
            Heading::new(visit.text("state")),
            Heading::new(visit.text("changed")).by("updatedAt"),
        ],
        rows: items(found).iter().map(row).collect(),
        answer: found,
        search: None,
        filter: None,
        bulk: None,
        empty: (visit.text("domains-empty"), visit.text("domains-empty-text")),
        make: Some((visit.text("domain-new"), "/domains/new")),
    };
    let main = followed(&visit, "/domains/events", &query, &answered, &listing.draw(&visit));
    let actions = create_button(&visit, "/domains/new", &visit.text("domain-new"));
    Ok(Screen::new(Area::TenantDomains, title, main).actions(actions).into())
}

/// Says when the state of a domain changes, or something else in the list.
pub(crate) async fn list_changes(visit: Visit) -> Result<Drawn, Refused> {
    list_events(&visit, API, &asked_unsearched(&visit)).await
}

/// Where a domain stands.
pub(crate) fn state(visit: &Visit, domain: &Value) -> Markup {
    let (tone, word) = match text(domain, "verificationStatus") {
        "active" => (Tone::Good, visit.text("domain-active")),
        "verifying" => (Tone::Busy, visit.text("domain-verifying")),
        "pending_issuance" | "pending_validation" | "pending_deployment" => {
            (Tone::Busy, visit.text("domain-certificate-waits"))
        }
        "failed" => (Tone::Bad, visit.text("domain-failed")),
        _ => (Tone::Warning, visit.text("domain-pending")),
    };
    badge(tone, &word)
}

/// The form of a new domain.
pub(crate) async fn new(visit: Visit) -> Result<Drawn, Refused> {
    Ok(new_screen(&visit, None).into())
}

fn new_screen(visit: &Visit, refused: Option<Refused>) -> Screen {
    let fields = vec![
        Field::new("domain", visit.text("domain"), Kind::Text(Some(DOMAIN)))
            .required()
            .help(visit.text("domain-help")),
    ];
    let (action, cancel, submit) =
        (visit.url("/domains/new"), visit.url("/domains"), visit.text("domain-new"));
    let form = Form { cancel: Some(&cancel), ..Form::new("domain", &action, &submit, fields) };
    let main = filled(form, visit, refused.as_ref()).draw(visit.words);
    Screen::new(Area::TenantDomains, submit.clone(), main).refused(refused)
}

/// Adds a domain; the screen that follows says which records it needs.
pub(crate) async fn create(visit: Visit) -> Result<Drawn, Refused> {
    let body = json!({ "domain": visit.entered.text("domain") });
    match visit.api.post("/v0/tenant_domains", &body).await {
        Ok(made) => Ok(visit.moved(&format!("/domains/{}", text(&made.body, "tenantDomainId")))),
        Err(refused) => Ok(new_screen(&visit, Some(refused.mendable()?)).into()),
    }
}

fn api_path(visit: &Visit) -> String {
    format!("/v0/tenant_domains/{}", segment(visit.id("tenant_domain_id")))
}

fn path(visit: &Visit) -> String {
    format!("/domains/{}", segment(visit.id("tenant_domain_id")))
}

/// A domain: where it stands, what is wrong, the records that it needs, what was seen.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    let [domain, dns] = of_domain(&visit);
    let (domain, dns) = (visit.api.get(&domain).await?, visit.api.get(&dns).await?);
    let tag = tag_of([domain.tag(), dns.tag()]);
    let (domain, dns) = (domain.body, dns.body);
    let main = html! {
        div.stack {
            p {
                (state(&visit, &domain))
                @if domain["isDefault"] == true { " " (badge(Tone::Plain, &visit.text("default"))) " " span.help { (visit.text("domain-default-text")) } }
            }
            @for problem in dns["problems"].as_array().into_iter().flatten() {
                p.card role="status" { strong { (visit.text("domain-problem")) } " " (visit.words.issue(text(problem, "message"))) }
            }
            (certificate(&visit, &dns["certificate"]))
            section.stack { h2 { (visit.text("records-wanted")) } p.help { (visit.text("records-help")) } (records(&visit, &dns)) }
            section.stack { h2 { (visit.text("records-seen")) } (seen(&visit, &dns)) }
        }
    };
    let base = visit.url(&path(&visit));
    let events = since_tag(&format!("{base}/events"), &tag);
    let main = live("domain", &Source { events: &events, event: "domain", content: "" }, &main);
    let actions = html! {
        @if visit.may_write() {
            form method="post" action={ (base) "/verify" } { button.button.primary type="submit" { (visit.text("domain-verify")) } }
            @if domain["verified"] == true {
                form method="post" action={ (base) "/default" } {
                    @let is_default = domain["isDefault"] == true;
                    input type="hidden" name="default" value=(if is_default { "" } else { "true" });
                    button.button type="submit" {
                        @if is_default { (visit.text("default-take")) } @else { (visit.text("default-make")) }
                    }
                }
            }
            (dialog_link(&format!("{base}/delete"), &visit.text("delete"), "button quiet"))
        }
    };
    Ok(Screen::new(Area::TenantDomains, text(&domain, "domain"), main).actions(actions).into())
}

/// Says when the state of a domain changes, or other records were seen.
pub(crate) async fn events(visit: Visit) -> Result<Drawn, Refused> {
    let paths = of_domain(&visit);
    changes_of(&visit, "domain", move |api| tag_at(api, paths.to_vec())).await
}

/// What is shown of a domain, at the API.
fn of_domain(visit: &Visit) -> [String; 2] {
    let domain = api_path(visit);
    [domain.clone(), format!("{domain}/dns")]
}

fn records(visit: &Visit, dns: &Value) -> Markup {
    let records = list_of(dns, "records");
    html! {
        (scrolled(&visit.text("records-wanted"), &html! {
            thead { tr {
                th scope="col" { (visit.text("record-for")) }
                th scope="col" { (visit.text("record-type")) }
                th scope="col" { (visit.text("name")) }
                th scope="col" { (visit.text("record-value")) }
            } }
            tbody {
                @for record in records {
                    tr {
                        td { @if text(record, "purpose") == "ownership" { (visit.text("record-ownership")) } @else { (visit.text("record-address")) } }
                        td { code { (text(record, "type")) } }
                        td { code dir="ltr" { (text(record, "name")) } }
                        td { code dir="ltr" { (text(record, "value")) } }
                    }
                }
            }
        }))
    }
}

/// What the domain's DNS answered, and when it is asked again.
fn seen(visit: &Visit, dns: &Value) -> Markup {
    let seen = &dns["seen"];
    let rows = [("txt", "TXT"), ("cname", "CNAME"), ("addresses", "A, AAAA")];
    html! {
        @if seen.is_null() { p.help { (visit.text("records-not-looked")) } }
        @else {
            dl.facts {
                @for (field, label) in rows { dt { (label) } dd { (answered(visit, &seen[field])) } }
            }
        }
        dl.facts {
            @for (field, label) in [
                ("lastLookAt", visit.text("look-last")),
                ("nextLookAt", visit.text("look-next")),
                ("looksEndAt", visit.text("looks-end")),
            ] {
                @if let Some(at) = time(dns, field) { dt { (label) } dd { (moment(visit.words, at, visit.now)) } }
            }
        }
        @if time(dns, "nextLookAt").is_none() { p { (visit.text("looks-ended")) } }
    }
}

/// The records of one type as they were seen: nothing is known where the name servers did not answer.
fn answered(visit: &Visit, records: &Value) -> Markup {
    let Some(records) = records.as_array() else { return html! { (visit.text("records-unanswered")) } };
    html! {
        @if records.is_empty() { (visit.text("records-none")) }
        @for record in records { code dir="ltr" { (record.as_str().unwrap_or_default()) } " " }
    }
}

fn certificate(visit: &Visit, certificate: &Value) -> Markup {
    if certificate.is_null() {
        return Markup::default();
    }
    let problem = &certificate["problem"];
    html! {
        section.stack {
            h2 { (visit.text("certificate")) }
            @if !problem.is_null() {
                p { strong { (visit.text("domain-problem")) } " " (visit.words.issue(text(problem, "message"))) }
                @if let Some(detail) = some(problem, "detail") { p.help dir="auto" { (detail) } }
            }
            dl.facts {
                @for (field, label) in [
                    ("expiresAt", visit.text("certificate-ends")),
                    ("renewsAt", visit.text("certificate-renews")),
                    ("nextStepAt", visit.text("certificate-next")),
                ] {
                    @if let Some(at) = time(certificate, field) { dt { (label) } dd { (exact_moment(visit.words, at)) } }
                }
            }
        }
    }
}

/// Has the DNS of a domain looked at now.
pub(crate) async fn verify(visit: Visit) -> Result<Drawn, Refused> {
    visit.api.post(&format!("{}/verify", api_path(&visit)), &json!({})).await?;
    Ok(visit.moved(&with_notice(&path(&visit), "looked", "")))
}

/// Makes a domain the default one, or takes that from it.
pub(crate) async fn set_default(visit: Visit) -> Result<Drawn, Refused> {
    let change = json!({ "isDefault": visit.entered.is_on("default") });
    visit.api.patch(&api_path(&visit), &change, None).await?;
    Ok(visit.moved(&with_notice(&path(&visit), "saved", "")))
}

fn removal<'a>(visit: &Visit, name: &'a str, path: &'a str) -> Removal<'a> {
    Removal { area: Area::TenantDomains, name, path, text: visit.text("domain-delete-text") }
}

/// Asks whether a domain is to be deleted.
pub(crate) async fn ask_delete(visit: Visit) -> Result<Drawn, Refused> {
    let domain = visit.api.get(&api_path(&visit)).await?.body;
    Ok(removal(&visit, text(&domain, "domain"), &path(&visit)).ask_for_name(&visit, None).into())
}

/// Deletes a domain whose name was typed. One that links are on is kept, and the question says so.
pub(crate) async fn delete(visit: Visit) -> Result<Drawn, Refused> {
    let domain = visit.api.get(&api_path(&visit)).await?.body;
    if let Some(again) = removal(&visit, text(&domain, "domain"), &path(&visit)).unconfirmed(&visit) {
        return Ok(again.into());
    }
    match visit.api.delete(&api_path(&visit)).await {
        Ok(_) => Ok(visit.moved(&with_notice("/domains", "deleted", ""))),
        Err(refused) => Ok({
            let path = path(&visit);
            removal(&visit, text(&domain, "domain"), &path).ask_for_name(&visit, Some(&refused.detail))
        }
        .into()),
    }
}

//! The site: what it is called and what stands at its root; consent, and how visits are measured.

use pagesmith_operations::names::Ids;
use serde_json::{Value, json};

use super::{Tab, tabbed};
use crate::client::{Answered, Refused};
use crate::json::{count, items, text};
use crate::notice::with_notice;
use crate::parts::field::{Choice, Field, Kind};
use crate::parts::form::Form;
use crate::screens::entering::filled;
use crate::screens::names::Names;
use crate::visit::{Drawn, Screen, Visit};

/// The most pages that can be chosen from.
const PAGES: &str = "100";
const SITE: &str = "/v0/site";
pub(super) const VISITS: &str = "/v0/visit_settings";

/// The settings of the site.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    screen(&visit, None).await.map(Drawn::from)
}

async fn screen(visit: &Visit, refused: Option<Refused>) -> Result<Screen, Refused> {
    let found = visit.api.get(SITE).await?;
    let pages = visit.api.find("/v0/pages", &[("limit", Some(PAGES))]).await?.body;
    let site = &found.body;
    let home = text(site, "homePageId");
    let mut choices = vec![Choice::new("", visit.text("site-home-stays"))];
    choices.extend(items(&pages).iter().map(|page| Choice::new(text(page, "pageId"), text(page, "name"))));
    if !home.is_empty() && !choices.iter().any(|choice| choice.value == home) {
        let names = Names::read(visit, Ids { pages: vec![home.to_owned()], ..Ids::default() }).await?;
        choices.push(Choice::new(home, names.page(home)));
    }
    let accesses = vec![
        Choice::new("open", visit.text("access-open")).help(visit.text("access-open-help")),
        Choice::new("unguessable", visit.text("access-unguessable"))
            .help(visit.text("access-unguessable-help")),
        Choice::new("signed", visit.text("access-signed")).help(visit.text("access-signed-help")),
    ];
    let days = Kind::Number { min: Some("1".to_owned()), max: Some("365".to_owned()), whole: true };
    let fields = vec![
        etag(&found),
        Field::new("siteName", visit.text("site-name"), Kind::Text(Some(200)))
            .value(text(site, "siteName"))
            .help(visit.text("site-name-help")),
        Field::new("homePageId", visit.text("site-home"), Kind::Choice(choices))
            .value(home)
            .help(visit.text("site-home-help")),
        Field::new("personPageAccess", visit.text("person-page-access"), Kind::Choice(accesses))
            .required()
            .value(text(site, "personPageAccess")),
        Field::new("signedLinkDays", visit.text("signed-link-days"), days)
            .required()
            .value(count(site, "signedLinkDays").to_string()),
    ];
    let main = form(visit, ("site", "/settings/site"), fields, refused.as_ref());
    let brands = visit.url("/brands");
    let main = maud::html! {
        (main)
        p.help { (visit.text("site-look")) " " a href=(brands) { (visit.text("area-brands")) } }
    };
    Ok(tabbed(visit, Tab::Site, &main).refused(refused))
}

/// The state that a form shows, which has to be the present one when it is sent.
pub(super) fn etag(found: &Answered) -> Field {
    Field::hidden("etag", found.etag.clone().unwrap_or_default())
}

/// A form for those who may change it; without its button for others.
pub(super) fn form(
    visit: &Visit,
    (id, path): (&str, &str),
    fields: Vec<Field>,
    refused: Option<&Refused>,
) -> maud::Markup {
    let (action, submit) = (visit.url(path), visit.text("save"));
    if visit.may_write() {
        let form = Form::new(id, &action, &submit, fields);
        // A screen may have several forms: only the one that was refused holds what was entered.
        let form = if refused.is_some() { filled(form, visit, refused) } else { form };
        return form.draw(visit.words);
    }
    let shown = fields.iter().filter(|field| field.kind != Kind::Hidden && field.kind != Kind::Password);
    maud::html! {
        dl.facts {
            @for field in shown {
                dt { (field.label) }
                dd { bdi { (shown_value(visit, field)) } }
            }
        }
        p.help { (visit.text("role-forbids")) }
    }
}

/// What a field holds, as a text.
fn shown_value(visit: &Visit, field: &Field) -> String {
    let value = field.values.join("\n");
    match &field.kind {
        Kind::Choice(choices) => {
            choices.iter().find(|choice| choice.value == value).map_or(value, |choice| choice.label.clone())
        }
        Kind::Toggle if value == "true" => visit.text("switched-on"),
        Kind::Toggle => visit.text("switched-off"),
        _ if value.is_empty() => "–".to_owned(),
        _ => value,
    }
}

/// A whole number as it was entered; what is none goes to the API as text, which refuses it at its field.
pub(super) fn number(visit: &Visit, name: &str) -> Value {
    let entered = visit.entered.text(name);
    entered.parse::<u64>().map_or_else(|_| Value::from(entered), Value::from)
}

/// Changes what a form shows of an object of the API, and keeps the rest of it.
pub(super) async fn change(visit: &Visit, path: &str, fields: Value) -> Result<(), Refused> {
    let mut body = visit.api.get(path).await?.body;
    if let (Some(body), Some(fields)) = (body.as_object_mut(), fields.as_object()) {
        body.extend(fields.clone());
    }
    visit.api.replace(path, &body, visit.entered.some("etag")).await.map(drop)
}

/// Changes the site.
pub(crate) async fn update(visit: Visit) -> Result<Drawn, Refused> {
    let fields = json!({
        "siteName": visit.entered.some("siteName"),
        "homePageId": visit.entered.some("homePageId"),
        "personPageAccess": visit.entered.text("personPageAccess"),
        "signedLinkDays": number(&visit, "signedLinkDays"),
    });
    match change(&visit, SITE, fields).await {
        Ok(()) => Ok(visit.moved(&with_notice("/settings/site", "saved", ""))),
        Err(refused) => screen(&visit, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

/// Consent, and how visits are measured.
pub(crate) async fn show_consent(visit: Visit) -> Result<Drawn, Refused> {
    consent_screen(&visit, None, None).await.map(Drawn::from)
}

async fn consent_screen(
    visit: &Visit,
    of_consent: Option<Refused>,
    of_visits: Option<Refused>,
) -> Result<Screen, Refused> {
    let (site, visits) = (visit.api.get(SITE).await?, visit.api.get(VISITS).await?);
    let consents = vec![
        Choice::new("ask", visit.text("consent-ask")).help(visit.text("consent-ask-help")),
        Choice::new("none", visit.text("consent-none")).help(visit.text("consent-none-help")),
    ];
    let signals = vec![
        Choice::new("ignore", visit.text("signal-ignore")).help(visit.text("signal-ignore-help")),
        Choice::new("no_person", visit.text("signal-no-person")).help(visit.text("signal-no-person-help")),
        Choice::new("count_nothing", visit.text("signal-nothing")).help(visit.text("signal-nothing-help")),
    ];
    let networks = visits.body["ownNetworks"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let networks = networks.collect::<Vec<_>>().join("\n");
    let consent = vec![
        etag(&site),
        Field::new("consent", visit.text("consent-scripts"), Kind::Choice(consents))
            .required()
            .value(text(&site.body, "consent")),
    ];
    let measurement = vec![
        etag(&visits),
        Field::new("privacySignal", visit.text("privacy-signal"), Kind::Choice(signals))
            .required()
            .value(text(&visits.body, "privacySignal")),
        Field::new("ownNetworks", visit.text("own-networks"), Kind::LongText(None))
            .value(networks)
            .help(visit.text("own-networks-help")),
    ];
    let consent_form = form(visit, ("consent", "/settings/consent"), consent, of_consent.as_ref());
    let measurement_form =
        form(visit, ("measurement", "/settings/measurement"), measurement, of_visits.as_ref());
    let main = maud::html! {
        section.stack { h2 { (visit.text("settings-consent")) } (consent_form) }
        section.stack { h2 { (visit.text("measurement")) } p.help { (visit.text("measurement-help")) } (measurement_form) }
    };
    Ok(tabbed(visit, Tab::Consent, &main).refused(of_consent.or(of_visits)))
}

/// Changes whether visitors are asked for consent.
pub(crate) async fn update_consent(visit: Visit) -> Result<Drawn, Refused> {
    match change(&visit, SITE, json!({ "consent": visit.entered.text("consent") })).await {
        Ok(()) => Ok(visit.moved(&with_notice("/settings/consent", "saved", ""))),
        Err(refused) => consent_screen(&visit, Some(refused.mendable()?), None).await.map(Drawn::from),
    }
}

/// Changes how visits are measured.
pub(crate) async fn update_measurement(visit: Visit) -> Result<Drawn, Refused> {
    let networks: Vec<&str> = visit.entered.text("ownNetworks").split_whitespace().collect();
    let fields = json!({ "privacySignal": visit.entered.text("privacySignal"), "ownNetworks": networks });
    match change(&visit, VISITS, fields).await {
        Ok(()) => Ok(visit.moved(&with_notice("/settings/consent", "saved", ""))),
        Err(refused) => consent_screen(&visit, None, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

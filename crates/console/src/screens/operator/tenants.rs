//! Tenants in numbers: listed, made, suspended, resumed.

use maud::{Markup, html};
use pagesmith_model::tenant::Tenant;
use pagesmith_model::user::Role;
use pagesmith_operations::idempotency::text_once;
use pagesmith_operations::installation::{self, TENANTS_AT_ONCE};
use pagesmith_operations::tenants::overview::Counts;
use pagesmith_operations::tenants::{self, NewTenant};
use pagesmith_operations::users::invitations;
use pagesmith_operations::users::links::LinkTarget;

use super::{Tab, tabbed};
use crate::client::{Refused, with_query};
use crate::notice::with_notice;
use crate::operator::OperatorVisit;
use crate::parts::badge::{Tone, badge};
use crate::parts::code::copied;
use crate::parts::dialog::{Question, dialog_link, question};
use crate::parts::field::{Field, Kind};
use crate::parts::form::Form;
use crate::parts::moment::moment;
use crate::parts::table::scrolled;
use crate::screens::entering::refilled;
use crate::visit::{Drawn, Screen};

/// The list of tenants.
pub(super) async fn list(visit: OperatorVisit) -> Result<Drawn, Refused> {
    let search = visit.asked("q").unwrap_or_default();
    let skipped = visit.asked("from").and_then(|from| from.parse().ok()).unwrap_or(0_usize);
    let searched = search.trim().to_owned();
    let (found, more) = visit.read(move |tx| installation::tenants(tx, &searched, skipped)).await?;
    let at = |from: usize| {
        let from = Some(from.to_string()).filter(|_| from > 0);
        let query = [("q", Some(search.as_str()).filter(|text| !text.is_empty())), ("from", from.as_deref())];
        with_query(&visit.url("/tenants"), &query)
    };
    let main = html! {
        form.tools role="search" method="get" action=(visit.url("/tenants")) {
            div.field {
                label for="tenants-search" { (visit.text("tenants-search")) }
                input #tenants-search type="search" name="q" value=(search) dir="auto" data-key="/";
            }
            button.button type="submit" { (visit.text("search")) }
        }
        @if found.is_empty() { p.help { (visit.text("nothing-found-text")) } } @else { (table(&visit, &found)) }
        p {
            @if skipped > 0 { a.button href=(at(skipped.saturating_sub(TENANTS_AT_ONCE))) rel="prev" { (visit.text("page-previous")) } " " }
            @if more { a.button href=(at(skipped + TENANTS_AT_ONCE)) rel="next" { (visit.text("page-next")) } }
        }
    };
    let make = html! { a.button.primary href=(visit.url("/tenants/new")) data-key="c" { (visit.text("tenant-new")) } };
    Ok(tabbed(&visit, Tab::Tenants, &main).actions(make).into())
}

fn table(visit: &OperatorVisit, found: &[(Tenant, Counts)]) -> Markup {
    html! {
        (scrolled(&visit.text("operator-tenants"), &html! {
            thead { tr {
                th scope="col" { (visit.text("name")) }
                th scope="col" { (visit.text("state")) }
                @for label in [visit.text("area-pages"), visit.text("area-persons"), visit.text("users"), visit.text("usage-storage")] {
                    th.number scope="col" { (label) }
                }
                th scope="col" { (visit.text("key-made")) }
                th scope="col" { (visit.text("key-actions")) }
            } }
            tbody { @for (tenant, counts) in found { (row(visit, tenant, counts)) } }
        }))
    }
}

fn row(visit: &OperatorVisit, tenant: &Tenant, counts: &Counts) -> Markup {
    let base = visit.url(&format!("/tenants/{}", tenant.tenant_id));
    html! {
        tr {
            th scope="row" { bdi { (tenant.name) } " " span.help dir="ltr" { (tenant.slug) } }
            td {
                @if tenant.suspended_at.is_some() { (badge(Tone::Warning, &visit.text("tenant-suspended"))) }
                @else { (badge(Tone::Good, &visit.text("active"))) }
            }
            td.number { (visit.count(counts.pages)) }
            td.number { (visit.count(counts.persons)) }
            td.number { (visit.count(counts.users)) }
            td.number { (visit.words.bytes(counts.file_bytes)) }
            td { (moment(visit.words, tenant.created_at, visit.now)) }
            td {
                @if tenant.suspended_at.is_some() {
                    form method="post" action={ (base) "/resume" } { button.button.quiet type="submit" { (visit.text("tenant-resume")) } }
                } @else {
                    (dialog_link(&format!("{base}/suspend"), &visit.text("tenant-suspend"), "button quiet"))
                }
            }
        }
    }
}

/// The form of a new tenant.
pub(super) async fn new(visit: OperatorVisit) -> Result<Drawn, Refused> {
    Ok(new_screen(&visit, None).into())
}

fn new_screen(visit: &OperatorVisit, refused: Option<Refused>) -> Screen {
    let fields = vec![
        Field::new("name", visit.text("name"), Kind::Text(Some(200))).required(),
        Field::new("slug", visit.text("tenant-slug"), Kind::Text(Some(63)))
            .help(visit.text("tenant-slug-help")),
        Field::new("region", visit.text("tenant-region"), Kind::Text(Some(2)))
            .help(visit.text("tenant-region-help")),
        Field::new("email", visit.text("tenant-owner"), Kind::Email).help(visit.text("tenant-owner-help")),
    ];
    let (action, cancel, submit) =
        (visit.url("/tenants/new"), visit.url("/tenants"), visit.text("tenant-new"));
    let form = Form { cancel: Some(&cancel), ..Form::new("tenant", &action, &submit, fields) };
    let main = refilled(form, &visit.entered, refused.as_ref()).draw(visit.words);
    let screen = tabbed(visit, Tab::Tenants, &main);
    Screen { title: submit, ..screen }.below(visit.text("operator-tenants"), cancel).refused(refused)
}

/// Makes a tenant; the link by which somebody becomes its owner is shown once, and again to whoever sends the same form twice.
pub(super) async fn create(visit: OperatorVisit) -> Result<Drawn, Refused> {
    let ctx = visit.context();
    let wanted = NewTenant {
        name: visit.entered.text("name").to_owned(),
        slug: visit.entered.some("slug").map(str::to_owned),
        default_region: visit.entered.some("region").map(str::to_owned),
    };
    let email = visit.entered.some("email").map(str::to_owned);
    let (name, request) = (wanted.name.clone(), visit.form_request("/operator/tenants/new")?);
    let made = visit.write(move |tx| {
        text_once(tx, &ctx, request.as_ref(), |tx| {
            let tenant = tenants::create(tx, &ctx, &wanted)?;
            let ctx = ctx.clone().of(tenant.tenant_id);
            Ok(invitations::create(tx, &ctx, Role::Owner, email.as_deref())?.1)
        })
    });
    let token = match made.await {
        Ok(made) => made,
        Err(refused) => return Ok(new_screen(&visit, Some(refused.mendable()?)).into()),
    };
    // A request to the new tenant's screens finds it at once.
    visit.installation.keys.refresh().await.map_err(|error| Refused::of(&error))?;
    let link = LinkTarget::Invitation.link(&visit.installation.console_url, &token);
    let main = html! {
        p { (visit.words.with("tenant-made", &[("name", name.as_str().into())])) }
        (copied(visit.words, &visit.text("share-link"), &link))
        p { a.button.primary href=(visit.url("/tenants")) { (visit.text("operator-tenants")) } }
    };
    Ok(tabbed(&visit, Tab::Tenants, &main).into())
}

/// Asks whether a tenant is to be suspended.
pub(super) async fn ask_suspend(visit: OperatorVisit) -> Result<Drawn, Refused> {
    let id = visit.id("tenant_id").to_owned();
    let tenant = visit.read(move |tx| tenants::find(tx, &id)).await?;
    Ok(suspend_question(&visit, &tenant, None).into())
}

fn suspend_question(visit: &OperatorVisit, tenant: &Tenant, error: Option<&str>) -> Screen {
    let title = visit.words.with("tenant-suspend-question", &[("name", tenant.name.as_str().into())]);
    let (back, yes) = (visit.url("/tenants"), visit.text("tenant-suspend"));
    let action = visit.url(&format!("/tenants/{}/suspend", tenant.tenant_id));
    let asked = Question {
        title: &title,
        text: &visit.text("tenant-suspend-text"),
        action: &action,
        values: &[],
        yes: &yes,
        back: &back,
        is_destructive: true,
        typed: Some(&tenant.slug),
        error,
    };
    let main = question(visit.words, &asked);
    let screen = Screen { area: None, ..tabbed(visit, Tab::Tenants, &main) };
    Screen { title: yes.clone(), main, ..screen }.below(visit.text("operator-tenants"), back.clone())
}

/// Suspends a tenant whose slug was typed.
pub(super) async fn suspend(visit: OperatorVisit) -> Result<Drawn, Refused> {
    let id = visit.id("tenant_id").to_owned();
    let tenant = visit.read(move |tx| tenants::find(tx, &id)).await?;
    if !crate::parts::dialog::is_confirmed(visit.entered.text("confirmation"), &tenant.slug) {
        return Ok(suspend_question(&visit, &tenant, Some(&visit.text("not-confirmed"))).into());
    }
    let (ctx, id) = (visit.context(), tenant.tenant_id.to_string());
    visit.write(move |tx| tenants::suspend(tx, &ctx, &id)).await?;
    visit.installation.keys.refresh().await.map_err(|error| Refused::of(&error))?;
    Ok(visit.moved(&with_notice("/tenants", "tenant-suspended", "")))
}

/// Ends the suspension of a tenant.
pub(super) async fn resume(visit: OperatorVisit) -> Result<Drawn, Refused> {
    let (ctx, id) = (visit.context(), visit.id("tenant_id").to_owned());
    visit.write(move |tx| tenants::resume(tx, &ctx, &id)).await?;
    visit.installation.keys.refresh().await.map_err(|error| Refused::of(&error))?;
    Ok(visit.moved(&with_notice("/tenants", "tenant-resumed", "")))
}

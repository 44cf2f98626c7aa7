//! Settings: who may do what in the tenant; and, a file each, its site, its agent, its keys, and what is recorded of it.

mod actions;
pub(crate) mod agent;
pub(crate) mod keys;
pub(crate) mod records;
pub(crate) mod site;

use maud::{Markup, html};
use pagesmith_model::user::{Invitation, MailState, Membership, Permission, Role, User};
use pagesmith_model::{InvitationId, UserId};
use pagesmith_operations::idempotency::text_once;
use pagesmith_operations::users::links::LinkTarget;
use pagesmith_operations::users::{invitation_mails, invitations, memberships};
use serde_json::Value;

use crate::client::Refused;
use crate::json::some;
use crate::notice::with_notice;
use crate::parts::code::copied;
use crate::parts::field::{Choice, Field, Kind};
use crate::parts::form::Form;
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::parts::tabs;
use crate::screens::entering::filled;
use crate::sign_in::role_key;
use crate::visit::{Drawn, Screen, Visit};

/// A tab of the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tab {
    Users,
    Site,
    Consent,
    Agent,
    Keys,
    Usage,
    Audit,
    Retention,
}

impl Tab {
    const ALL: [Tab; 8] =
        [Tab::Users, Tab::Site, Tab::Consent, Tab::Agent, Tab::Keys, Tab::Usage, Tab::Audit, Tab::Retention];

    fn path(self) -> &'static str {
        match self {
            Tab::Users => "/settings",
            Tab::Site => "/settings/site",
            Tab::Consent => "/settings/consent",
            Tab::Agent => "/settings/agent",
            Tab::Keys => "/settings/keys",
            Tab::Usage => "/settings/usage",
            Tab::Audit => "/settings/audit",
            Tab::Retention => "/settings/retention",
        }
    }

    fn label(self, visit: &Visit) -> String {
        match self {
            Tab::Users => visit.text("users"),
            Tab::Site => visit.text("settings-site"),
            Tab::Consent => visit.text("settings-consent"),
            Tab::Agent => visit.text("settings-agent"),
            Tab::Keys => visit.text("settings-keys"),
            Tab::Usage => visit.text("settings-usage"),
            Tab::Audit => visit.text("audit"),
            Tab::Retention => visit.text("settings-retention"),
        }
    }
}

/// The tabs that the user may open, with this one marked.
fn tabs(visit: &Visit, current: Tab) -> Markup {
    let may_open = |tab: &Tab| *tab != Tab::Keys || visit.may(Permission::ManageUsers);
    let shown: Vec<Tab> = Tab::ALL.into_iter().filter(may_open).collect();
    let texts: Vec<(String, String)> =
        shown.iter().map(|tab| (tab.label(visit), visit.url(tab.path()))).collect();
    let links: Vec<tabs::Tab<'_>> =
        texts.iter().map(|(label, href)| tabs::Tab { label, href, count: None }).collect();
    let at = shown.iter().position(|tab| *tab == current).unwrap_or_default();
    tabs::tabs(&visit.text("area-settings"), &links, at)
}

/// A screen of the settings with the tabs above it.
fn tabbed(visit: &Visit, tab: Tab, content: &Markup) -> Screen {
    let main = html! { div.stack { (tabs(visit, tab)) (content) } };
    Screen::new(Area::Settings, tab.label(visit), main)
}

/// An amount of money in an answer, unless it is zero.
fn amount<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    some(value, name).filter(|text| text.bytes().any(|byte| byte.is_ascii_digit() && byte != b'0'))
}

/// Users and invitations.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    screen(&visit, None, None).await.map(Drawn::from)
}

async fn screen(visit: &Visit, link: Option<&str>, refused: Option<Refused>) -> Result<Screen, Refused> {
    let (tenant, ctx) = (visit.tenant.tenant_id.clone(), visit.context());
    let (users, open) = visit
        .read(move |tx| Ok((memberships::list(tx, &tenant)?, invitations::list(tx, &ctx, &tenant)?)))
        .await?;
    let manages = visit.may(Permission::ManageUsers);
    let main = html! {
        div.stack {
            (tabs(visit, Tab::Users))
            @if let Some(link) = link {
                section.card {
                    p { (visit.text("invitation-made")) }
                    (copied(visit.words, &visit.text("share-link"), link))
                }
            }
            section {
                h2 { (visit.text("users")) }
                ul.plain { @for (user, membership) in &users { li.card { (one(visit, user, membership, manages)) } } }
            }
            @if manages {
                section {
                    h2 { (visit.text("invite")) }
                    (invite_form(visit, refused.as_ref()))
                    @if !open.is_empty() { ul.plain { @for invitation in &open { li { (invited(visit, invitation)) } } } }
                }
            }
        }
    };
    Ok(Screen::new(Area::Settings, visit.text("area-settings"), main).refused(refused))
}

fn role_word(visit: &Visit, role: Role) -> String {
    visit.words.text(role_key(role))
}

fn role_choices(visit: &Visit) -> Vec<Choice> {
    Role::ALL.map(|role| Choice::new(role.as_str(), role_word(visit, role))).to_vec()
}

fn one(visit: &Visit, user: &User, membership: &Membership, manages: bool) -> Markup {
    let id = format!("role-{}", user.user_id.as_str());
    html! {
        div.line {
            span { strong dir="auto" { (user.name) } " " span.help dir="auto" { (user.email.as_str()) } }
            @if manages {
                form.line method="post" action=(visit.url("/settings/role")) {
                    input type="hidden" name="user" value=(user.user_id.as_str());
                    label.unseen for=(id) { (visit.text("role")) }
                    select #(id) name="role" {
                        @for role in Role::ALL { option value=(role.as_str()) selected[role == membership.role] { (role_word(visit, role)) } }
                    }
                    button.button type="submit" { (visit.text("save")) }
                }
                form method="post" action=(visit.url("/settings/remove-user")) {
                    input type="hidden" name="user" value=(user.user_id.as_str());
                    button.button.quiet type="submit" { (visit.text("remove-user")) }
                }
            } @else { " " (role_word(visit, membership.role)) }
        }
    }
}

fn invite_form(visit: &Visit, refused: Option<&Refused>) -> Markup {
    let fields = vec![
        Field::new("email", visit.text("email"), Kind::Email).help(visit.text("invite-help")),
        Field::new("role", visit.text("role"), Kind::Choice(role_choices(visit)))
            .value(Role::Editor.as_str()),
    ];
    let (action, submit) = (visit.url("/settings/invite"), visit.text("invite"));
    filled(Form::new("invite", &action, &submit, fields), visit, refused).draw(visit.words)
}

fn invited(visit: &Visit, invitation: &Invitation) -> Markup {
    html! {
        span dir="auto" { (invitation.email.as_ref().map_or_else(|| visit.text("anybody"), |email| email.as_str().to_owned())) }
        " " span.help { (role_word(visit, invitation.role)) " · " (moment(visit.words, invitation.expires_at, visit.now)) }
        (mailed(visit, invitation))
        form method="post" action=(visit.url("/settings/revoke")) {
            input type="hidden" name="invitation" value=(invitation.invitation_id.as_str());
            button.button.quiet type="submit" { (visit.text("revoke")) }
        }
    }
}

/// How the e-mail of an invitation fares, and a way to send it again.
fn mailed(visit: &Visit, invitation: &Invitation) -> Markup {
    let Some(mail) = &invitation.mail else { return Markup::default() };
    let state = match mail.state {
        MailState::Waiting => visit.text("mail-waiting"),
        MailState::Sent => visit.text("mail-sent"),
        MailState::Failed => visit.text("mail-failed"),
    };
    html! {
        p {
            (state)
            @if let Some(problem) = &mail.problem { " " span.help dir="auto" lang="en" { (problem) } }
        }
        @if visit.installation.sends_mail && mail.state != MailState::Waiting {
            form method="post" action=(visit.url("/settings/resend")) {
                input type="hidden" name="invitation" value=(invitation.invitation_id.as_str());
                button.button.quiet type="submit" { (visit.text("mail-again")) }
            }
        }
    }
}

/// Sends the e-mail of an invitation again.
pub(crate) async fn resend(visit: Visit) -> Result<Drawn, Refused> {
    let (ctx, user_id) = (visit.context().of(visit.tenant.tenant_id.clone()), visit.user.user_id.clone());
    let (language, sends) = (visit.words.tag().to_owned(), visit.installation.sends_mail);
    if let Some(invitation) = InvitationId::parse(visit.entered.text("invitation")).filter(|_| sends) {
        let request = visit.form_request("/settings/resend")?;
        visit
            .write(move |tx| {
                memberships::require(tx, &ctx.tenant, &user_id, Permission::ManageUsers)?;
                text_once(tx, &ctx, request.as_ref(), |tx| {
                    invitation_mails::queue_again(tx, &ctx, &invitation, &language)?;
                    Ok(String::new())
                })
            })
            .await?;
    }
    Ok(visit.moved(&with_notice("/settings", "saved", "")))
}

/// Invites somebody, by e-mail where there is a mail server; the link is shown once in any case, and again to whoever sends the same form
/// twice.
pub(crate) async fn invite(visit: Visit) -> Result<Drawn, Refused> {
    let role = Role::parse(visit.entered.text("role")).unwrap_or(Role::Viewer);
    let email = visit.entered.some("email").map(str::to_owned);
    let (ctx, user_id) = (visit.context().of(visit.tenant.tenant_id.clone()), visit.user.user_id.clone());
    let (language, sends) = (visit.words.tag().to_owned(), visit.installation.sends_mail);
    let request = visit.form_request("/settings/invite")?;
    let made = visit
        .write(move |tx| {
            memberships::require(tx, &ctx.tenant, &user_id, Permission::ManageUsers)?;
            text_once(tx, &ctx, request.as_ref(), |tx| {
                let (invitation, token) = invitations::create(tx, &ctx, role, email.as_deref())?;
                if sends {
                    invitation_mails::queue(tx, &ctx, &invitation.invitation_id, &language)?;
                }
                Ok(token)
            })
        })
        .await;
    match made {
        Ok(token) => {
            let link = LinkTarget::Invitation.link(&visit.installation.console_url, &token);
            screen(&visit, Some(&link), None).await.map(Drawn::from)
        }
        Err(refused) => screen(&visit, None, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

/// Takes an invitation back.
pub(crate) async fn revoke(visit: Visit) -> Result<Drawn, Refused> {
    let (ctx, user_id) = (visit.context().of(visit.tenant.tenant_id.clone()), visit.user.user_id.clone());
    if let Some(invitation) = InvitationId::parse(visit.entered.text("invitation")) {
        visit
            .write(move |tx| {
                memberships::require(tx, &ctx.tenant, &user_id, Permission::ManageUsers)?;
                invitations::revoke(tx, &ctx, &invitation)
            })
            .await?;
    }
    Ok(visit.moved(&with_notice("/settings", "saved", "")))
}

/// Changes what a user may do.
pub(crate) async fn set_role(visit: Visit) -> Result<Drawn, Refused> {
    let wanted = (UserId::parse(visit.entered.text("user")), Role::parse(visit.entered.text("role")));
    if let (Some(of), Some(role)) = wanted {
        let (ctx, user_id) = (visit.context().of(visit.tenant.tenant_id.clone()), visit.user.user_id.clone());
        let changed = visit
            .write(move |tx| {
                memberships::require(tx, &ctx.tenant, &user_id, Permission::ManageUsers)?;
                memberships::change(tx, &ctx, &of, role)
            })
            .await;
        if let Err(refused) = changed {
            return screen(&visit, None, Some(refused)).await.map(Drawn::from);
        }
    }
    Ok(visit.moved(&with_notice("/settings", "saved", "")))
}

/// Takes a user out of the tenant.
pub(crate) async fn remove_user(visit: Visit) -> Result<Drawn, Refused> {
    if let Some(of) = UserId::parse(visit.entered.text("user")) {
        let (ctx, user_id) = (visit.context().of(visit.tenant.tenant_id.clone()), visit.user.user_id.clone());
        let removed = visit
            .write(move |tx| {
                memberships::require(tx, &ctx.tenant, &user_id, Permission::ManageUsers)?;
                memberships::remove(tx, &ctx, &of)
            })
            .await;
        if let Err(refused) = removed {
            return screen(&visit, None, Some(refused)).await.map(Drawn::from);
        }
    }
    Ok(visit.moved(&with_notice("/settings", "saved", "")))
}

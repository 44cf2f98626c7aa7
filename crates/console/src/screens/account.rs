//! The user's own account: name, password, authenticator app, sessions.

use fast_qr::{ECL, QRBuilder};
use maud::{Markup, html};
use pagesmith_model::UserSessionId;
use pagesmith_operations::users::{UserChange, passwords, second_factor, sessions};

use crate::client::Refused;
use crate::notice::with_notice;
use crate::parts::field::{Choice, Field, Kind};
use crate::parts::form::Form;
use crate::parts::moment::moment;
use crate::parts::navigation::Area;
use crate::screens::entering::filled;
use crate::visit::{Drawn, Screen, Visit};
use crate::words::{Words, browser_name};

/// The account of whoever is signed in.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    screen(&visit, None).await.map(Drawn::from)
}

async fn screen(visit: &Visit, refused: Option<Refused>) -> Result<Screen, Refused> {
    let (user_id, ctx) = (visit.user.user_id.clone(), visit.context());
    let (open, left) = visit
        .read(move |tx| Ok((sessions::list(tx, &ctx, &user_id)?, second_factor::codes_left(tx, &user_id)?)))
        .await?;
    let main = html! {
        div.stack {
            section.card { h2 { (visit.text("profile")) } (profile(visit, refused.as_ref())) }
            section.card {
                h2 { (visit.text("password")) }
                @if uses_password(visit) { (password_form(visit, refused.as_ref())) } @else { p { (visit.text("password-none")) } }
            }
            // Whoever has no password could not take an app away again, which takes one.
            @if visit.user.has_password { section.card { h2 { (visit.text("second-factor")) } (second_factor_part(visit, left)) } }
            section.card {
                h2 { (visit.text("signed-in-at")) }
                ul.plain {
                    @for session in &open {
                        li {
                            span dir="auto" title=(session.client) { (browser_name(visit.words, &session.client)) } " "
                            span.help { (session.network) " · " (moment(visit.words, session.last_seen_at, visit.now)) }
                            @if session.user_session_id == visit.session.user_session_id { " " strong { (visit.text("this-browser")) } }
                            @else {
                                form method="post" action=(visit.url("/account/end-session")) {
                                    input type="hidden" name="session" value=(session.user_session_id.as_str());
                                    button.button.quiet type="submit" { (visit.text("end-session")) }
                                }
                            }
                        }
                    }
                }
                @if open.len() > 1 {
                    form method="post" action=(visit.url("/account/end-others")) {
                        button.button type="submit" { (visit.text("end-others")) }
                    }
                }
            }
        }
    };
    Ok(Screen { area: None, ..Screen::new(Area::Settings, visit.text("account"), main) }.refused(refused))
}

fn profile(visit: &Visit, refused: Option<&Refused>) -> Markup {
    let languages = Words::languages().map(|(tag, name)| Choice::new(tag, name)).collect();
    let fields = vec![
        Field::new("name", visit.text("name"), Kind::Text(Some(100)))
            .required()
            .value(visit.user.name.as_str()),
        Field::new("language", visit.text("language"), Kind::Choice(languages)).value(visit.words.tag()),
    ];
    let (action, submit) = (visit.url("/account"), visit.text("save"));
    filled(Form::new("profile", &action, &submit, fields), visit, refused).draw(visit.words)
}

/// Whether the user has a password that opens anything.
fn uses_password(visit: &Visit) -> bool {
    visit.user.has_password && (visit.installation.rules.passwords_for_all || visit.user.is_break_glass)
}

fn password_form(visit: &Visit, refused: Option<&Refused>) -> Markup {
    let fields = vec![
        Field::new("currentPassword", visit.text("current-password"), Kind::Password)
            .required()
            .autocomplete("current-password"),
        Field::new("password", visit.text("password-new"), Kind::Password)
            .required()
            .autocomplete("new-password")
            .help(visit.text("password-help")),
    ];
    let (action, submit) = (visit.url("/account/password"), visit.text("password-set"));
    let errors: Vec<crate::parts::form::FormError> = refused
        .map(|refused| refused.issues.as_slice())
        .unwrap_or_default()
        .iter()
        .map(|(name, message)| crate::parts::form::FormError { name: name.clone(), message: message.clone() })
        .collect();
    Form::new("password", &action, &submit, fields).with_errors(&errors).draw(visit.words)
}

fn second_factor_part(visit: &Visit, left: i64) -> Markup {
    html! {
        @if visit.user.has_totp {
            p { (visit.words.with("codes-left", &[("count", left.into())])) }
            form method="post" action=(visit.url("/account/codes")) { button.button type="submit" { (visit.text("codes-renew")) } }
            form method="post" action=(visit.url("/account/app/remove")) { button.button.quiet type="submit" { (visit.text("app-remove")) } }
        } @else {
            p { (visit.text("app-none")) }
            form method="post" action=(visit.url("/account/app")) { button.button type="submit" { (visit.text("app-add")) } }
        }
    }
}

/// Changes the name or the language.
pub(crate) async fn update(visit: Visit) -> Result<Drawn, Refused> {
    let (ctx, user_id) = (visit.context(), visit.user.user_id.clone());
    let change = UserChange {
        email: None,
        name: visit.entered.some("name").map(str::to_owned),
        language: visit.entered.some("language").map(str::to_owned),
    };
    let changed =
        visit.write(move |tx| pagesmith_operations::users::update(tx, &ctx, &user_id, &change)).await;
    match changed {
        Ok(_) => Ok(visit.moved(&with_notice("/account", "saved", ""))),
        Err(refused) => again(&visit, refused).await,
    }
}

async fn again(visit: &Visit, refused: Refused) -> Result<Drawn, Refused> {
    screen(visit, Some(refused.mendable()?)).await.map(Drawn::from)
}

/// Changes the password, which ends the user's other sessions.
pub(crate) async fn password(visit: Visit) -> Result<Drawn, Refused> {
    let (current, new) = (visit.entered.as_typed("currentPassword"), visit.entered.as_typed("password"));
    let whose = (&visit.user.user_id, &visit.session.user_session_id);
    let (store, hasher) = (&visit.installation.store, &visit.installation.hasher);
    let changed =
        passwords::change(store, &visit.context(), hasher, &visit.client, whose, (current, new)).await;
    match changed {
        Ok(()) => Ok(visit.moved(&with_notice("/account", "password-changed", ""))),
        Err(error) => again(&visit, Refused::of(&error)).await,
    }
}

/// Offers a secret for an authenticator app.
pub(crate) async fn add_app(visit: Visit) -> Result<Drawn, Refused> {
    let (ctx, user_id) = (visit.context(), visit.user.user_id.clone());
    let proposal = visit.write(move |tx| second_factor::propose(tx, &ctx, &user_id)).await?;
    Ok(app_screen(&visit, &proposal, None).into())
}

fn app_screen(visit: &Visit, proposal: &second_factor::Proposal, refused: Option<Refused>) -> Screen {
    let field = Field::new("code", visit.text("code"), Kind::Text(Some(10)))
        .required()
        .autocomplete("one-time-code")
        .help(visit.text("app-code-help"));
    let (action, submit, cancel) =
        (visit.url("/account/app/confirm"), visit.text("app-confirm"), visit.url("/account"));
    let form = Form { cancel: Some(&cancel), ..Form::new("app", &action, &submit, vec![field]) };
    let main = html! {
        div.stack {
            p { (visit.text("app-scan")) }
            (code_picture(&proposal.address, &visit.text("app-picture")))
            p { (visit.text("app-type")) " " code dir="ltr" { (proposal.secret) } }
            (filled(form, visit, refused.as_ref()).draw(visit.words))
        }
    };
    Screen { area: None, ..Screen::new(Area::Settings, visit.text("app-add"), main) }.refused(refused)
}

/// A QR code as SVG; nothing where the text is too long for one.
fn code_picture(text: &str, label: &str) -> Markup {
    let Ok(code) = QRBuilder::new(text).ecl(ECL::M).build() else { return Markup::default() };
    let width = code.size;
    let all = (0..width).flat_map(|y| (0..width).map(move |x| (x, y)));
    let dark = all.filter(|(x, y)| code[*y][*x].value());
    let path: String = dark.map(|(x, y)| format!("M{} {}h1v1h-1z", x + 4, y + 4)).collect();
    let side = width + 8;
    html! {
        svg.qr viewBox={ "0 0 " (side) " " (side) } width="200" height="200" role="img" aria-label=(label) shape-rendering="crispEdges" {
            rect width=(side) height=(side) fill="#fff" {}
            path d=(path) fill="#000" {}
        }
    }
}

/// Takes the app for good, once it shows a right code.
pub(crate) async fn confirm_app(visit: Visit) -> Result<Drawn, Refused> {
    let (ctx, user_id, code) =
        (visit.context(), visit.user.user_id.clone(), visit.entered.text("code").to_owned());
    let confirmed = visit.write(move |tx| second_factor::confirm(tx, &ctx, &user_id, &code)).await;
    match confirmed {
        Ok(codes) => Ok(codes_screen(&visit, &codes).into()),
        Err(refused) => {
            let refused = refused.mendable()?;
            let (ctx, user_id) = (visit.context(), visit.user.user_id.clone());
            match visit.read(move |tx| second_factor::proposal(tx, &ctx, &user_id)).await? {
                Some(proposal) => Ok(app_screen(&visit, &proposal, Some(refused)).into()),
                None => Err(refused),
            }
        }
    }
}

fn codes_screen(visit: &Visit, codes: &[String]) -> Screen {
    let main = html! {
        div.stack {
            p { (visit.text("codes-text")) }
            ul.plain { @for code in codes { li { code dir="ltr" { (code) } } } }
            p { a.button.primary href=(visit.url("/account")) { (visit.text("codes-kept")) } }
        }
    };
    Screen { area: None, ..Screen::new(Area::Settings, visit.text("codes"), main) }
}

/// Makes other recovery codes.
pub(crate) async fn renew_codes(visit: Visit) -> Result<Drawn, Refused> {
    let (ctx, user_id) = (visit.context(), visit.user.user_id.clone());
    let codes = visit.write(move |tx| second_factor::renew_codes(tx, &ctx, &user_id)).await?;
    Ok(codes_screen(&visit, &codes).into())
}

/// Asks for the password before the app is removed.
pub(crate) async fn ask_remove_app(visit: Visit) -> Result<Drawn, Refused> {
    Ok(remove_screen(&visit, None).into())
}

fn remove_screen(visit: &Visit, refused: Option<Refused>) -> Screen {
    let field = Field::new("currentPassword", visit.text("current-password"), Kind::Password)
        .required()
        .autocomplete("current-password");
    let (action, submit, cancel) =
        (visit.url("/account/app/removed"), visit.text("app-remove"), visit.url("/account"));
    let form = Form {
        cancel: Some(&cancel),
        is_destructive: true,
        ..Form::new("app", &action, &submit, vec![field])
    };
    let main = filled(form, visit, refused.as_ref()).draw(visit.words);
    Screen { area: None, ..Screen::new(Area::Settings, submit.clone(), main) }.refused(refused)
}

/// Removes the app, if the password is right.
pub(crate) async fn remove_app(visit: Visit) -> Result<Drawn, Refused> {
    let typed = visit.entered.as_typed("currentPassword");
    let (store, hasher) = (&visit.installation.store, &visit.installation.hasher);
    let ctx = visit.context();
    let confirmed = passwords::confirm(store, &ctx, hasher, &visit.client, &visit.user.user_id, typed).await;
    if let Err(error) = confirmed {
        return Ok(remove_screen(&visit, Some(Refused::of(&error).mendable()?)).into());
    }
    let user_id = visit.user.user_id.clone();
    visit.write(move |tx| second_factor::remove(tx, &ctx, &user_id)).await?;
    Ok(visit.moved(&with_notice("/account", "saved", "")))
}

/// Ends one other session.
pub(crate) async fn end_session(visit: Visit) -> Result<Drawn, Refused> {
    if let Some(session) = UserSessionId::parse(visit.entered.text("session")) {
        let (ctx, user_id) = (visit.context(), visit.user.user_id.clone());
        visit.write(move |tx| sessions::end(tx, &ctx, &user_id, &session)).await?;
    }
    Ok(visit.moved(&with_notice("/account", "saved", "")))
}

/// Ends all other sessions.
pub(crate) async fn end_others(visit: Visit) -> Result<Drawn, Refused> {
    let (ctx, user_id) = (visit.context(), visit.user.user_id.clone());
    let kept = visit.session.user_session_id.clone();
    visit.write(move |tx| sessions::end_others(tx, &ctx, &user_id, Some(&kept))).await?;
    Ok(visit.moved(&with_notice("/account", "saved", "")))
}

#[cfg(test)]
mod tests {
    use rqrr::{Grid, SimpleGrid};

    use super::*;

    #[test]
    fn an_app_reads_the_text_of_the_picture() {
        let text = "otpauth://totp/Pagesmith:jane%40example%2Ecom?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Pagesmith";
        let drawn = code_picture(text, "").into_string();
        let between = |start: &str, end: &str| drawn.split(start).nth(1).unwrap().split(end).next().unwrap();
        let side: usize = between("viewBox=\"0 0 ", " ").parse().unwrap();
        let path = format!("M{}", between("path d=\"M", "\""));
        let is_dark = |x: usize, y: usize| path.contains(&format!("M{} {}h1v1h-1z", x + 4, y + 4));
        let grid = Grid::new(SimpleGrid::from_func(side - 8, is_dark));
        assert_eq!(grid.decode().unwrap().1, text);
    }
}

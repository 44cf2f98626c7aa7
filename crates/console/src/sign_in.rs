//! Who signs in, and how: the screens that are open to everybody.
//!
//! Each of them answers the same whether there is such a user or not. Where a browser would not keep the cookie, which is everywhere but over TLS and
//! on the machine itself, signing in is refused with the reason.

mod links;
mod provider;

pub(crate) use links::role_key;

use std::sync::Arc;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Request, Response, StatusCode, header};
use maud::{Markup, html};
use pagesmith_model::{Error, Kind};
use pagesmith_operations::context::Context;
use pagesmith_operations::users::sign_in::{self, Credentials, HALF_SIGN_IN_FOR, SignIn};
use pagesmith_operations::users::{self, sessions};

use crate::client::{Refused, with_query};
use crate::cookies;
use crate::entered::{Entered, query_value};
use crate::headers::words_of;
use crate::installation::Installation;
use crate::parts::field::{Field, Kind as Input};
use crate::parts::form::{Form, FormError};
use crate::parts::layout::{Scheme, bare_screen};
use crate::parts::toast::Toast;
use crate::respond::{html as respond, see_other};
use crate::visit::ROOT;
use crate::words::Words;

/// The longest code, e-mail address and password that a field takes.
const CODE: u64 = 40;
const EMAIL: usize = 255;

/// A request of somebody who need not be signed in.
pub(crate) struct SignInRequest {
    /// Its head.
    pub parts: Parts,
    /// What was entered.
    pub entered: Entered,
    /// Where it comes from.
    pub client: users::Client,
    /// The server.
    pub installation: Arc<Installation>,
}

/// Whether a path below the console's is open to everybody.
pub(crate) fn takes(path: &str) -> bool {
    matches!(path, "sign-in" | "sign-out" | "code" | "setup" | "password" | "invitation")
        || provider::takes(path)
}

/// To the screen to sign in on, and from there to what was asked for.
pub(crate) fn wanted(request: &Request<Body>) -> Response<Body> {
    let target = request.uri().path_and_query().map(axum::http::uri::PathAndQuery::as_str);
    let next =
        target.filter(|_| *request.method() == Method::GET && !request.headers().contains_key("hx-request"));
    see_other(&with_query(&format!("{ROOT}/sign-in"), &[("next", next)]))
}

/// Answers a request to one of these paths.
pub(crate) async fn serve(path: &str, asking: SignInRequest) -> Result<Response<Body>, Refused> {
    let is_post = asking.parts.method == Method::POST;
    if !keeps_cookies(&asking.installation, &asking.parts.headers) {
        return Ok(asking.draw(
            "sign-in-title",
            None,
            &html! { p { (asking.words().text("sign-in-insecure")) } },
        ));
    }
    match (path, is_post) {
        ("sign-in", false) => Ok(asking.sign_in(None)),
        ("sign-in", true) => asking.password().await,
        ("code", false) => Ok(asking.code(None)),
        ("code", true) => asking.second_factor().await,
        ("sign-out", true) => asking.sign_out().await,
        ("setup", _) => links::set_up(asking, is_post).await,
        ("password", _) => links::password(asking, is_post).await,
        ("invitation", _) => links::invitation(asking, is_post).await,
        (path, false) if provider::takes(path) => provider::serve(path, asking).await,
        _ => Ok(see_other(ROOT)),
    }
}

impl SignInRequest {
    fn words(&self) -> Words {
        words_of(None, &self.parts.headers)
    }

    fn context(&self) -> Context {
        self.installation.platform.context()
    }

    /// A value of the query, or of the form that was sent.
    fn given(&self, name: &str) -> String {
        self.parameter(name).unwrap_or_else(|| self.entered.text(name).to_owned())
    }

    /// A value of the query.
    fn parameter(&self, name: &str) -> Option<String> {
        query_value(self.parts.uri.query().unwrap_or_default(), name)
    }

    /// Where to go on: a path of the console, and nothing else.
    fn next(&self) -> String {
        let next = self.given("next");
        let is_ours = next.strip_prefix(ROOT).is_some_and(|rest| rest.starts_with('/'))
            && !next.contains(['\\', '\n', '\r'])
            && !next.contains("//")
            && !next.contains("..");
        if is_ours { next } else { ROOT.to_owned() }
    }

    /// A screen with a message, if anything is wrong.
    fn draw(&self, title: &str, refused: Option<&Refused>, main: &Markup) -> Response<Body> {
        let words = self.words();
        let title = match title {
            "code-title" => words.text("code-title"),
            "setup-title" => words.text("setup-title"),
            "password-title" => words.text("password-title"),
            "invitation-title" => words.text("invitation-title"),
            _ => words.text("sign-in-title"),
        };
        let told = refused.filter(|refused| refused.issues.is_empty());
        let said = told.map(|refused| words.issue(&refused.detail));
        let toasts: Vec<Toast<'_>> = said.iter().map(|said| Toast::failed(said)).collect();
        let status = refused.map_or(StatusCode::OK, |refused| refused.status);
        respond(status, &bare_screen(words, Scheme::System, &title, &toasts, main), None)
    }

    /// A form whose fields show what was entered, with what is wrong.
    fn form(&self, action: &str, submit: &str, fields: Vec<Field>, refused: Option<&Refused>) -> Markup {
        let issues = refused.map(|refused| refused.issues.as_slice()).unwrap_or_default();
        let errors: Vec<FormError> = issues
            .iter()
            .map(|(name, message)| FormError { name: name.clone(), message: message.clone() })
            .collect();
        let kept: Vec<(String, String)> = self
            .entered
            .0
            .iter()
            .filter(|(name, _)| !name.to_lowercase().contains("password"))
            .cloned()
            .collect();
        let action = format!("{ROOT}/{action}");
        Form::new("sign-in", &action, submit, fields).entered(&kept).with_errors(&errors).draw(self.words())
    }

    fn sign_in(&self, refused: Option<&Refused>) -> Response<Body> {
        let words = self.words();
        let fields = vec![
            Field::hidden("next", self.next()),
            Field::new("email", words.text("email"), Input::Email).required().autocomplete("username"),
            Field::new("password", words.text("password"), Input::Password)
                .required()
                .autocomplete("current-password"),
        ];
        let form = self.form("sign-in", &words.text("sign-in"), fields, refused);
        let with_password = if self.installation.rules.passwords_for_all {
            form
        } else {
            html! {
                details open[self.parts.method == Method::POST] {
                    summary { (words.text("sign-in-emergency")) }
                    p.help { (words.text("sign-in-emergency-help")) }
                    (form)
                }
            }
        };
        let next = self.next();
        let main = html! { (self.ways("sign-in-with", &[("next", Some(next.as_str()))])) (with_password) };
        self.draw("sign-in-title", refused, &main)
    }

    fn code(&self, refused: Option<&Refused>) -> Response<Body> {
        let words = self.words();
        let fields = vec![
            Field::hidden("next", self.next()),
            Field::new("code", words.text("code"), Input::Text(Some(CODE)))
                .required()
                .autocomplete("one-time-code")
                .help(words.text("code-help")),
        ];
        self.draw("code-title", refused, &self.form("code", &words.text("sign-in"), fields, refused))
    }

    async fn password(&self) -> Result<Response<Body>, Refused> {
        let Installation { store, hasher, rules, .. } = &*self.installation;
        let credentials = Credentials {
            email: self.entered.text("email").chars().take(EMAIL + 50).collect(),
            password: self.entered.as_typed("password"),
        };
        let before = cookies::find(&self.parts.headers, cookies::SESSION);
        let ctx = self.context();
        let signed_in =
            sign_in::with_password(store, &ctx, hasher, *rules, &self.client, credentials, before).await;
        match signed_in {
            Ok(signed_in) => Ok(self.goes_on(&signed_in, &self.next())),
            Err(error) => self.refuse(&error, |refused| self.sign_in(Some(refused))),
        }
    }

    async fn second_factor(&self) -> Result<Response<Body>, Refused> {
        let Installation { store, rules, .. } = &*self.installation;
        let half = cookies::find(&self.parts.headers, cookies::HALF_SIGN_IN).unwrap_or_default();
        let (code, before) =
            (self.entered.text("code"), cookies::find(&self.parts.headers, cookies::SESSION));
        let signed_in =
            sign_in::with_code(store, &self.context(), rules.sessions, &self.client, &half, code, before)
                .await;
        match signed_in {
            Ok(session) => {
                let mut response = self.begun(&session.token, &self.next());
                cookies::remove(&mut response, cookies::HALF_SIGN_IN);
                Ok(response)
            }
            Err(error) => self.refuse(&error, |refused| self.code(Some(refused))),
        }
    }

    /// Shows the screen again with what was refused; what nobody could mend by typing goes on as it is.
    fn refuse(
        &self,
        error: &Error,
        again: impl FnOnce(&Refused) -> Response<Body>,
    ) -> Result<Response<Body>, Refused> {
        let refused = Refused::of(error);
        if matches!(error.kind(), Kind::Internal) { Err(refused) } else { Ok(again(&refused)) }
    }

    /// On to where somebody wanted to go, or to the code first.
    fn goes_on(&self, signed_in: &SignIn, next: &str) -> Response<Body> {
        match signed_in {
            SignIn::Complete(session) => self.begun(&session.token, next),
            SignIn::NeedsCode { token, .. } => {
                let mut response = see_other(&with_query(&format!("{ROOT}/code"), &[("next", Some(next))]));
                cookies::keep(&mut response, cookies::HALF_SIGN_IN, token, HALF_SIGN_IN_FOR);
                response
            }
        }
    }

    fn begun(&self, token: &str, next: &str) -> Response<Body> {
        let mut response = see_other(next);
        cookies::keep(&mut response, cookies::SESSION, token, self.installation.rules.sessions.lifetime);
        response
    }

    async fn sign_out(&self) -> Result<Response<Body>, Refused> {
        if let Some(token) = cookies::find(&self.parts.headers, cookies::SESSION) {
            let ctx = self.context();
            let out = self.installation.store.write(move |tx| sessions::sign_out(tx, &ctx, &token)).await;
            out.map_err(|error| Refused::of(&error))?;
        }
        let mut response = see_other(&format!("{ROOT}/sign-in"));
        cookies::remove(&mut response, cookies::SESSION);
        Ok(response)
    }
}

/// Whether a browser keeps our cookies.
pub(crate) fn keeps_cookies(installation: &Installation, headers: &HeaderMap) -> bool {
    installation.console_url.starts_with("https://") || is_local(headers)
}

/// Whether the browser runs on the machine itself, where it keeps secure cookies without TLS.
fn is_local(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let address = name.parse::<std::net::IpAddr>();
    name == "localhost" || name.ends_with(".localhost") || address.is_ok_and(|address| address.is_loopback())
}

/// A refusal of a link that is no good.
fn no_token() -> Refused {
    Refused::new(StatusCode::NOT_FOUND, "The link is not good any more: it was used, replaced or is too old.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_machine_itself_keeps_cookies_without_tls() {
        let says = |host: &str| is_local(&[(header::HOST, host.parse().unwrap())].into_iter().collect());
        for local in
            ["localhost", "localhost:8080", "127.0.0.1:8080", "127.8.0.1", "[::1]:8080", "a.localhost"]
        {
            assert!(says(local), "{local}");
        }
        for other in
            ["example.com", "10.0.0.1:8080", "localhost.example.com", "[2001:db8::1]", "127.0.0.1.example"]
        {
            assert!(!says(other), "{other}");
        }
    }
}

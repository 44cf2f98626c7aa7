//! From what was drawn to the response: the shell around a screen, and the headers that all of them have.

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use maud::{Markup, PreEscaped};
use pagesmith_model::Timestamp;
use pagesmith_model::user::{Permission, User};

use crate::client::{Client, Refused};
use crate::command_lines::{Asked, CommandLines, OF_OPERATORS, OF_TENANT};
use crate::form_calls::{self, Call};
use crate::form_key;
use crate::notice::Notice;
use crate::operator::{self, OperatorVisit};
use crate::parts::code::{self, Request, same_by_api, same_on_command_line};
use crate::parts::layout::{self, Crumb, Scheme, Shell, TenantLink};
use crate::parts::navigation::Area;
use crate::parts::toast::Toast;
use crate::problem;
use crate::visit::{self, Drawn, Screen, Visit};
use crate::words::Words;

/// The API as a screen called it, its address, and the instant.
struct Calls {
    api: Client,
    base_url: String,
    now: Timestamp,
}

/// What is done on the command line, and for which request to a screen below which root.
struct Commands {
    lines: &'static CommandLines,
    asked: Asked,
    root: String,
    now: Timestamp,
}

fn requests<'a>(calls: &'a [(&'static str, String, code::Sent<'a>)]) -> Vec<Request<'a>> {
    calls.iter().map(|(method, url, sent)| Request { method, url, sent: *sent }).collect()
}

/// What a user's request has, as far as it is around every screen.
pub struct Frame {
    root: String,
    tenant: String,
    tenants: Vec<(String, String)>,
    user: (String, String),
    links: Vec<(String, String)>,
    areas: Vec<Area>,
    words: Words,
    notice: Option<Notice>,
    /// The API and its address, where what was read there is told.
    calls: Option<Calls>,
    /// What does the same on the command line, where that is told.
    commands: Option<Commands>,
    /// What makes the keys of forms.
    random: Option<[u8; 16]>,
}

impl Frame {
    /// What is around the screens of this visit.
    pub fn of(visit: &Visit, areas: &[(Area, Permission)]) -> Frame {
        let others = visit.tenants.iter().filter(|(tenant, _)| tenant.tenant_id != visit.tenant.tenant_id);
        let open = areas.iter().filter(|(_, needs)| visit.may(*needs));
        Frame {
            root: visit.root(),
            tenant: visit.tenant.name.clone(),
            tenants: others.map(|(tenant, _)| (tenant.name.clone(), visit::root(&tenant.slug))).collect(),
            user: (visit.user.name.clone(), visit.user.email.as_str().to_owned()),
            links: links(&visit.user, visit.words, visit.url("/account")),
            areas: open.map(|(area, _)| *area).collect(),
            words: visit.words,
            notice: Notice::read(visit),
            calls: None,
            commands: None,
            random: visit.context().random().ok(),
        }
    }

    /// With the calls of the API that the screen of a path makes, so that a program can do the same; of what has none, with commands.
    #[must_use]
    pub fn with_calls(self, visit: &Visit, path: &'static str) -> Frame {
        let (api, base_url) = (visit.api.clone(), visit.installation.base_url.clone());
        let email = visit.user.email.as_str().to_owned();
        let asked = Asked { path, known: vec![("tenant", visit.tenant.slug.clone()), ("email", email)] };
        let (root, now) = (self.root.clone(), visit.now);
        let commands = Some(Commands { lines: &OF_TENANT, asked, root, now });
        Frame { calls: Some(Calls { api, base_url, now }), commands, ..self }
    }

    /// With the commands that do the same as the screen of operators at a path.
    #[must_use]
    pub fn with_commands(self, visit: &OperatorVisit, path: &'static str) -> Frame {
        let asked = Asked { path, known: vec![("base", visit.installation.base_url.clone())] };
        let root = operator::PATH.to_owned();
        Frame { commands: Some(Commands { lines: &OF_OPERATORS, asked, root, now: visit.now }), ..self }
    }

    /// What is around the screens of operators.
    pub fn of_operator(visit: &OperatorVisit) -> Frame {
        let root = visit.root();
        let account = if visit.tenants.is_empty() { String::new() } else { format!("{root}/account") };
        Frame {
            root,
            tenant: visit.text("operator"),
            tenants: visit
                .tenants
                .iter()
                .map(|(tenant, _)| (tenant.name.clone(), visit::root(&tenant.slug)))
                .collect(),
            user: (visit.user.name.clone(), visit.user.email.as_str().to_owned()),
            links: links(&visit.user, visit.words, account),
            areas: vec![],
            words: visit.words,
            notice: Notice::of_operator(visit),
            calls: None,
            commands: None,
            random: visit.context().random().ok(),
        }
    }

    /// The response to what was drawn, or why it was refused.
    pub fn respond(self, drawn: Result<Drawn, Refused>) -> Response<Body> {
        match drawn {
            Ok(Drawn::Screen(screen)) => self.screen(*screen),
            Ok(Drawn::Part(part)) => html(StatusCode::OK, &self.keyed(part), None),
            Ok(Drawn::Moved(to)) => see_other(&to),
            Ok(Drawn::Response(response)) => response,
            Err(refused) => {
                let screen = problem::screen(self.words, &refused);
                self.screen(screen)
            }
        }
    }

    /// What was drawn, with a key in each of its forms.
    fn keyed(&self, drawn: Markup) -> Markup {
        match self.random {
            Some(random) => PreEscaped(form_key::put(&drawn.0, random)),
            None => drawn,
        }
    }

    /// How whoever has a shell does the same as a screen: by the API, or on the server; or that there is no way but the console.
    fn same_elsewhere(&self, screen: &Screen) -> Markup {
        let drawn = [&screen.actions, &screen.main].map(|drawn| drawn.0.as_str()).concat();
        let commands = self.commands.as_ref().map(|Commands { lines, asked, root, now }| {
            same_on_command_line(self.words, &lines.of(asked, &drawn, root, *now))
        });
        let (by_api, commands) = (self.same_by_api(&drawn), commands.unwrap_or_default());
        let is_silent = by_api.0.is_empty() && commands.0.is_empty();
        maud::html! {
            (by_api) (commands)
            @if is_silent && self.commands.is_some() { p.help { (self.words.text("by-nothing")) } }
        }
    }

    /// The commands that read what a screen shows, and those that do what its forms do.
    fn same_by_api(&self, drawn: &str) -> Markup {
        let Some(Calls { api, base_url, now }) = &self.calls else { return Markup::default() };
        let reads = api.reads();
        let read = |path: &str| reads.iter().find(|read| read.path == path)?.found.clone();
        let forms = form_calls::calls(drawn, &self.root, *now, reads.is_empty(), read);
        let url = |path: &str| format!("{base_url}{path}");
        let reading = reads.iter().map(|read| {
            let method = if read.asked.is_some() { "POST" } else { "GET" };
            (method, url(&read.path), read.asked.as_ref().map_or(code::Sent::Nothing, code::Sent::Json))
        });
        let doing = forms.iter().map(|Call { method, path, sent }| {
            let sent = match sent {
                form_calls::Sent::Nothing => code::Sent::Nothing,
                form_calls::Sent::Json(body) => code::Sent::Json(body),
                form_calls::Sent::File(name) => code::Sent::File(name),
            };
            (*method, url(path), sent)
        });
        let (reading, doing): (Vec<_>, Vec<_>) = (reading.collect(), doing.collect());
        same_by_api(self.words, &requests(&reading), &requests(&doing))
    }

    fn screen(self, screen: Screen) -> Response<Body> {
        let words = self.words;
        let main = match screen.refused {
            None => {
                let elsewhere = self.same_elsewhere(&screen);
                maud::html! { (screen.main) (elsewhere) }
            }
            Some(_) => screen.main,
        };
        let tenants: Vec<TenantLink<'_>> =
            self.tenants.iter().map(|(name, href)| TenantLink { name, href }).collect();
        let links: Vec<(&str, &str)> =
            self.links.iter().map(|(text, href)| (text.as_str(), href.as_str())).collect();
        let crumbs: Vec<Crumb<'_>> =
            screen.crumbs.iter().map(|(title, href)| Crumb { title, href }).collect();
        let status = screen.refused.as_ref().map_or(StatusCode::OK, |refused| refused.status);
        let refused = screen.refused.as_ref().filter(|refused| refused.issues.is_empty());
        let said = refused.map(|refused| words.issue(&refused.detail));
        let mut toasts: Vec<Toast<'_>> = said.iter().map(|said| Toast::failed(said)).collect();
        if let Some(notice) = &self.notice {
            let toast = Toast::done(&notice.text);
            toasts.push(match &notice.undo {
                Some(action) => toast.undo(action, &[]),
                None => toast,
            });
        }
        let sign_out = format!("{}/sign-out", visit::ROOT);
        let shell = Shell {
            words,
            scheme: Scheme::System,
            root: &self.root,
            area: screen.area,
            areas: &self.areas,
            tenant: &self.tenant,
            tenants: &tenants,
            user: layout::User {
                name: &self.user.0,
                email: &self.user.1,
                links: &links,
                sign_out: &sign_out,
            },
            crumbs: &crumbs,
            title: &screen.title,
            actions: screen.actions,
            toasts: &toasts,
        };
        let (frames, pictures) = (screen.frames.as_deref(), screen.pictures.as_deref());
        showing(status, &self.keyed(layout::screen(&shell, &main)), frames, pictures)
    }
}

/// Where the menu of a user leads.
fn links(user: &User, words: Words, account: String) -> Vec<(String, String)> {
    let account = Some((words.text("account"), account)).filter(|(_, href)| !href.is_empty());
    let operator = user.is_operator.then(|| (words.text("operator"), format!("{}/tenants", operator::PATH)));
    account.into_iter().chain(operator).collect()
}

/// A response of HTML. `frames` is the origin that may be shown in a frame.
pub fn html(status: StatusCode, markup: &Markup, frames: Option<&str>) -> Response<Body> {
    showing(status, markup, frames, None)
}

/// The same with the origin that pictures may come from beside the console's own.
fn showing(
    status: StatusCode,
    markup: &Markup,
    frames: Option<&str>,
    pictures: Option<&str>,
) -> Response<Body> {
    let is_origin = |origin: &&str| origin.bytes().all(is_plain);
    let frames = frames.filter(is_origin).unwrap_or("'none'");
    let pictures = pictures.filter(is_origin).map(|origin| format!(" {origin}")).unwrap_or_default();
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:{pictures}; connect-src 'self'; \
         font-src 'self'; form-action 'self'; frame-src {frames}; base-uri 'none'; frame-ancestors 'none'"
    );
    let mut response = Response::new(Body::from(markup.0.clone()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    if let Ok(policy) = HeaderValue::try_from(policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Whether a byte of an origin cannot end a directive of a policy.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'/' | b'.' | b'-' | b'[' | b']')
}

/// A response that leads elsewhere, by `GET`.
pub fn see_other(to: &str) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(to) = HeaderValue::try_from(to) {
        response.headers_mut().insert(header::LOCATION, to);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_adds_nothing_but_itself_to_the_policy() {
        let policy = |pictures| {
            let response = showing(StatusCode::OK, &Markup::default(), None, pictures);
            response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned()
        };
        let bare = policy(None);
        assert!(bare.contains("img-src 'self' data:; "), "{bare}");
        let with = policy(Some("https://acme.pages.example:8443"));
        assert!(with.contains("img-src 'self' data: https://acme.pages.example:8443; "), "{with}");
        for evil in ["https://a.example; script-src *", "* 'unsafe-inline'", "https://a.example,b"] {
            assert_eq!(policy(Some(evil)), bare, "{evil}");
        }
    }
}

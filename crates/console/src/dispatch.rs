//! The console as a service: from a request to what answers it.
//!
//! In this order: whether a change comes from the console itself (403); what is open to everybody, which is signing in and
//! shared figures; the session, else the screen to sign in on; the tenant and the role in it, else 404; the screen and what it needs, else 403.
//! Invariant: a screen is reached only by somebody who is signed in, and calls the API only as that user.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Limited};
use pagesmith_model::tenant::Tenant;
use pagesmith_model::user::session::Session;
use pagesmith_model::user::{Permission, Role, User};
use pagesmith_model::{Error, Kind, Result, TenantId};
use pagesmith_operations::access::Caller;
use pagesmith_operations::users::sessions::{self, Authenticated};
use pagesmith_operations::users::{self, memberships};

use crate::arrival::Arrival;
use crate::client::{Client, Refused};
use crate::entered::{Bounds, Entered};
use crate::headers::{self, words_of};
use crate::installation::Installation;
use crate::listener::{Listener, ListeningAs};
use crate::operator::{self, OperatorVisit};
use crate::parts::layout::{Scheme, bare_screen};
use crate::parts::navigation::Area;
use crate::respond::{Frame, html, see_other};
use crate::screens::operator::OperatorRow;
use crate::screens::{self, Row};
use crate::visit::{ROOT, Visit};
use crate::words::Words;
use crate::{cookies, cross_site, form_key, problem, shared, sign_in};

/// The console.
#[derive(Clone)]
pub struct Console {
    api: Router,
    installation: Arc<Installation>,
    paths: Arc<Paths>,
}

/// The screens by path.
struct Paths {
    found: matchit::Router<Vec<usize>>,
    rows: Vec<Row>,
    areas: Vec<(Area, Permission)>,
    of_operators: matchit::Router<Vec<usize>>,
    operator_rows: Vec<OperatorRow>,
}

impl Paths {
    fn new() -> Paths {
        let (rows, operator_rows) = (screens::rows(), screens::operator::rows());
        let found = by_path(&format!("{ROOT}/t/{{tenant}}"), rows.iter().map(|row| row.path));
        let of_operators = by_path(operator::PATH, operator_rows.iter().map(|row| row.path));
        let areas = screens::areas(&rows);
        Paths { found, rows, areas, of_operators, operator_rows }
    }
}

/// The numbers of rows by their paths below a root.
fn by_path<'a>(root: &str, paths: impl Iterator<Item = &'a str>) -> matchit::Router<Vec<usize>> {
    let mut by_path: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, path) in paths.enumerate() {
        by_path.entry(path).or_default().push(at);
    }
    let mut found = matchit::Router::new();
    for (path, of_path) in by_path {
        // Two rows that could be meant by one address would be a defect of the list, which its test finds.
        let _ = found.insert(format!("{root}{path}"), of_path);
    }
    found
}

/// Where a request comes from, and its id.
#[derive(Debug, Clone)]
pub struct RequestInfo {
    /// The client's address, behind trusted proxies.
    pub address: IpAddr,
    /// The request's id.
    pub request_id: String,
}

impl Console {
    /// A console that calls this API.
    pub fn new(api: Router, installation: Installation) -> Console {
        Console { api, installation: Arc::new(installation), paths: Arc::new(Paths::new()) }
    }

    /// Whether a path is the console's.
    pub fn takes(path: &str) -> bool {
        path.strip_prefix(ROOT).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Answers a request to a path that is the console's.
    pub async fn serve(&self, request: Request<Body>, info: &RequestInfo) -> Response<Body> {
        let words = words_of(None, request.headers());
        match self.answer(request, info).await {
            Ok(response) => response,
            Err(refused) => bare_problem(words, &refused),
        }
    }

    async fn answer(&self, request: Request<Body>, info: &RequestInfo) -> Result<Response<Body>, Refused> {
        let path = request.uri().path().to_owned();
        let words = words_of(None, request.headers());
        let shows = matches!(*request.method(), Method::GET | Method::HEAD);
        if !shows && *request.method() != Method::POST {
            return Err(Refused::new(StatusCode::METHOD_NOT_ALLOWED, &words.text("problem-methods")));
        }
        if !shows && !cross_site::is_same_origin(request.headers()) {
            return Err(Refused::new(StatusCode::FORBIDDEN, &words.text("problem-cross-site")));
        }
        let client = users::Client {
            address: info.address,
            user_agent: headers::text(request.headers(), header::USER_AGENT.as_str()).to_owned(),
        };
        let arrival = Arrival::of(&request, &info.request_id);
        let open = path.strip_prefix(ROOT).unwrap_or_default().trim_start_matches('/').to_owned();
        if sign_in::takes(&open) {
            let (parts, body) = request.into_parts();
            let entered = self.entered((&parts, body), words, Bounds::OF_ANYBODY, None).await?;
            let asking = sign_in::SignInRequest {
                parts,
                entered,
                client,
                installation: Arc::clone(&self.installation),
            };
            return sign_in::serve(&open, asking).await;
        }
        if shared::takes(&open) {
            let (parts, body) = request.into_parts();
            let entered = self.entered((&parts, body), words, Bounds::OF_ANYBODY, None).await?;
            let (installation, api) = (Arc::clone(&self.installation), self.api.clone());
            let request = shared::GuestRequest { parts, entered, client, arrival, installation, api };
            return shared::serve(&open, request).await;
        }
        let token = cookies::find(request.headers(), cookies::SESSION);
        let signed_in = self.session(token, &client).await;
        let signed_in = match signed_in {
            Ok(signed_in) => signed_in,
            Err(error) if matches!(error.kind(), Kind::Unauthorized) => return Ok(sign_in::wanted(&request)),
            Err(error) => return Err(refused(&error, info)),
        };
        let new_token = signed_in.new_token.clone();
        let words = words_of(Some(&signed_in.user.language), request.headers());
        let answered = self.of_user(request, signed_in, client, arrival, info).await;
        // Whatever comes of the request, the browser has to learn the token that took the place of its own.
        let mut response = answered.unwrap_or_else(|refused| bare_problem(words, &refused));
        if let Some(token) = new_token {
            cookies::keep(&mut response, cookies::SESSION, &token, self.installation.rules.sessions.lifetime);
        }
        Ok(response)
    }

    async fn session(&self, token: Option<String>, client: &users::Client) -> Result<Authenticated> {
        let nobody = || Error::new(Kind::Unauthorized, "Nobody is signed in.");
        let token = token.ok_or_else(nobody)?;
        let Installation { store, platform, rules, .. } = &*self.installation;
        sessions::authenticate(store, &platform.context(), rules.sessions, client, &token).await
    }

    async fn of_user(
        &self,
        request: Request<Body>,
        Authenticated { user, session, .. }: Authenticated,
        client: users::Client,
        arrival: Arrival,
        info: &RequestInfo,
    ) -> Result<Response<Body>, Refused> {
        let words = words_of(Some(&user.language), request.headers());
        let user_id = user.user_id.clone();
        let of_user = self.installation.store.read(move |tx| memberships::of_user(tx, &user_id)).await;
        let tenants = of_user.map_err(|error| refused(&error, info))?;
        let path = request.uri().path().to_owned();
        if path == operator::PATH || path.starts_with(&format!("{}/", operator::PATH)) {
            return self.of_operator(request, (user, session), tenants, words).await;
        }
        if path.trim_end_matches('/') == ROOT {
            // To the first of the user's tenants.
            return match tenants.first() {
                Some((tenant, _)) => Ok(see_other(&crate::visit::root(&tenant.slug))),
                None if user.is_operator => Ok(see_other(&format!("{}/tenants", operator::PATH))),
                None => Err(Refused::new(StatusCode::FORBIDDEN, &words.text("problem-no-role"))),
            };
        }
        let not_found = || Refused::new(StatusCode::NOT_FOUND, "There is no such screen.");
        let matched = self.paths.found.at(path.trim_end_matches('/')).map_err(|_| not_found())?;
        let slug = matched.params.get("tenant").unwrap_or_default();
        let (tenant, role) =
            tenants.iter().find(|(tenant, _)| tenant.slug == slug).cloned().ok_or_else(not_found)?;
        let suspended = || Refused::new(StatusCode::FORBIDDEN, &words.text("problem-suspended"));
        let tenant = self.installation.keys.open_tenant(&tenant.tenant_id).ok_or_else(suspended)?;
        let is_post = *request.method() == Method::POST;
        let row = matched.value.iter().map(|at| &self.paths.rows[*at]);
        let row = row.clone().find(|row| (row.method == "POST") == is_post).ok_or_else(not_found)?;
        let ids = matched.params.iter().filter(|(name, _)| *name != "tenant");
        let ids = ids.map(|(name, value)| (name.to_owned(), decoded(value))).collect();
        let caller = Caller::user(user.user_id.clone(), role, Arc::clone(&tenant));
        let (parts, body) = request.into_parts();
        let wants_part = parts.headers.contains_key("hx-request");
        let query = parts.uri.query().unwrap_or_default().to_owned();
        let is_form = is_post && !is_multipart(&parts);
        let (mut entered, body) = if is_form {
            let of_tenant = Some(tenant.tenant_id.clone());
            (self.entered((&parts, body), words, Bounds::OF_USER, of_tenant).await?, None)
        } else {
            (Entered::default(), Some(body))
        };
        let form_key = if is_form { form_key::take(&mut entered) } else { form_key::of_query(&query) };
        let visit = Visit {
            user,
            session,
            role,
            tenant: Arc::clone(&tenant),
            tenants,
            words,
            now: self.installation.platform.clock().now(),
            api: Client::new(self.api.clone(), caller, arrival).of_form(form_key),
            installation: Arc::clone(&self.installation),
            path: ids,
            query,
            entered,
            upload: Mutex::new(body.filter(|_| is_post).map(|body| (parts.headers, body))),
            client,
            wants_part,
        };
        let listener = Listener {
            installation: Arc::clone(&visit.installation),
            user_id: visit.user.user_id.clone(),
            session_id: visit.session.user_session_id.clone(),
            standing: ListeningAs::Member(visit.tenant.tenant_id.clone(), role),
        };
        let frame = Frame::of(&visit, &self.paths.areas);
        let frame = if is_post { frame } else { frame.with_calls(&visit, row.path) };
        if !visit.may(row.needs) {
            return Ok(frame.respond(Err(Refused::new(StatusCode::FORBIDDEN, &visit.text("role-forbids")))));
        }
        let mut response = listener.attend(frame.respond((row.serve)(visit).await));
        // Whose it is: the server counts for each tenant what its users do not read.
        response.extensions_mut().insert(tenant);
        Ok(response)
    }
}

impl Console {
    /// Answers a request to a screen of operators; for everybody else there are none.
    async fn of_operator(
        &self,
        request: Request<Body>,
        (user, session): (User, Session),
        tenants: Vec<(Tenant, Role)>,
        words: Words,
    ) -> Result<Response<Body>, Refused> {
        let not_found = || Refused::new(StatusCode::NOT_FOUND, "There is no such screen.");
        if !user.is_operator {
            return Err(not_found());
        }
        let path = request.uri().path().trim_end_matches('/').to_owned();
        if path == operator::PATH {
            return Ok(see_other(&format!("{}/tenants", operator::PATH)));
        }
        let matched = self.paths.of_operators.at(&path).map_err(|_| not_found())?;
        let is_post = *request.method() == Method::POST;
        let mut rows = matched.value.iter().map(|at| &self.paths.operator_rows[*at]);
        let row = rows.find(|row| (row.method == "POST") == is_post).ok_or_else(not_found)?;
        let ids = matched.params.iter().map(|(name, value)| (name.to_owned(), decoded(value))).collect();
        let (parts, body) = request.into_parts();
        let mut entered = self.entered((&parts, body), words, Bounds::OF_USER, None).await?;
        let visit = OperatorVisit {
            user,
            tenants,
            words,
            now: self.installation.platform.clock().now(),
            installation: Arc::clone(&self.installation),
            path: ids,
            query: parts.uri.query().unwrap_or_default().to_owned(),
            form_key: form_key::take(&mut entered),
            entered,
        };
        let listener = Listener {
            installation: Arc::clone(&visit.installation),
            user_id: visit.user.user_id.clone(),
            session_id: session.user_session_id,
            standing: ListeningAs::Operator,
        };
        let frame = Frame::of_operator(&visit);
        let frame = if is_post { frame } else { frame.with_commands(&visit, row.path) };
        Ok(listener.attend(frame.respond((row.serve)(visit).await)))
    }

    /// What was entered into the form that a body is; a large one is read where nobody else waits for the thread.
    async fn entered(
        &self,
        (parts, body): (&Parts, Body),
        words: Words,
        bounds: Bounds,
        of_tenant: Option<TenantId>,
    ) -> Result<Entered, Refused> {
        if parts.method != Method::POST {
            return Ok(Entered::default());
        }
        let too_large = || Refused::new(StatusCode::PAYLOAD_TOO_LARGE, &words.text("problem-form-too-large"));
        let whole = Limited::new(body, bounds.bytes).collect().await.map_err(|_| too_large())?.to_bytes();
        let length = whole.len();
        let read = move || Entered::read(&whole, bounds.fields);
        let read = if length <= self.installation.inline_form {
            read()
        } else {
            let reading = (self.installation.read_large_form)(of_tenant, Box::new(read));
            reading.await.map_err(|error| Refused::of(&error))?
        };
        read.ok_or_else(too_large)
    }
}

fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

fn is_multipart(parts: &Parts) -> bool {
    let declared = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    declared.is_some_and(|declared| declared.starts_with("multipart/form-data"))
}

/// What an operation that the console calls itself has refused.
fn refused(error: &Error, info: &RequestInfo) -> Refused {
    Refused { request_id: info.request_id.clone(), ..Refused::of(error) }
}

fn bare_problem(words: Words, refused: &Refused) -> Response<Body> {
    let (title, main) = problem::describe(words, refused);
    let main = maud::html! { (main) p { a href=(ROOT) { (words.text("problem-home")) } } };
    html(refused.status, &bare_screen(words, Scheme::System, &title, &[], &main), None)
}

//! A browser that keeps cookies and sends forms, without script.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::http::request::Builder;
use axum::http::{Request, Response, header};
use pagesmith_model::user::Role;
use pagesmith_operations::users::{first_user, invitations};
use pagesmith_testkit::{Answer, Client, TestApp};
use scraper::{Html, Selector};
use tower::ServiceExt;
use url::form_urlencoded::Serializer;

/// The password of every user of these tests.
pub const PASSWORD: &str = "correct horse battery";

/// Somebody at a browser.
pub struct Browser {
    client: Client,
    host: &'static str,
    cookies: BTreeMap<String, String>,
}

impl Browser {
    /// A browser that knows nothing yet.
    pub fn new(app: &TestApp) -> Browser {
        Browser::at(app, "127.0.0.1:8080")
    }

    /// A browser that opens addresses at this host.
    pub fn at(app: &TestApp, host: &'static str) -> Browser {
        Browser { client: app.anonymous(), host, cookies: BTreeMap::new() }
    }

    /// The owner of the tenant `acme`, signed in.
    pub async fn owner(app: &TestApp) -> Browser {
        Browser::new(app).become_owner(app).await
    }

    /// This browser once the owner of the tenant `acme` is signed in.
    pub async fn become_owner(mut self, app: &TestApp) -> Browser {
        let context = app.platform.context();
        let token = app.store.write(move |tx| first_user::set_up_link(tx, &context)).await.unwrap().unwrap();
        let fields = [
            ("token", token.as_str()),
            ("name", "Olga Owner"),
            ("email", "olga@acme.example"),
            ("password", PASSWORD),
        ];
        self.send("/console/setup", &fields).await.expect(303);
        self
    }

    /// Another user of the tenant `acme` with this role, signed in.
    pub async fn with_role(app: &TestApp, role: Role) -> Browser {
        let context = app.platform.context().of(app.tenant.clone());
        let invite = move |tx: &mut pagesmith_store::Tx<'_>| invitations::create(tx, &context, role, None);
        let (_, token) = app.store.write(invite).await.unwrap();
        let mut browser = Browser::new(app);
        let email = format!("{role}@acme.example");
        let name = format!("{role} of acme");
        let fields = [("token", token.as_str()), ("name", &name), ("email", &email), ("password", PASSWORD)];
        browser.send("/console/invitation", &fields).await.expect(303);
        browser
    }

    /// Opens an address.
    pub async fn open(&mut self, path: &str) -> Answer {
        self.ask(Request::get(path), Body::empty()).await
    }

    /// Opens an address with other headers.
    pub async fn open_with(&mut self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let request =
            headers.iter().fold(Request::get(path), |request, (name, value)| request.header(*name, *value));
        self.ask(request, Body::empty()).await
    }

    /// Opens an address by a link on a page whose relation to the console is this value of `Sec-Fetch-Site`.
    pub async fn open_from(&mut self, path: &str, site: &str) -> Answer {
        self.ask(Request::get(path).header("sec-fetch-site", site), Body::empty()).await
    }

    /// Opens an address and what it leads to.
    pub async fn follow(&mut self, path: &str) -> Answer {
        let mut answer = self.open(path).await;
        for _ in 0..5 {
            let Some(next) = answer.header("location").map(str::to_owned) else { break };
            answer = self.open(&next).await;
        }
        answer
    }

    /// Sends a form as a screen of the console does.
    pub async fn send(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        self.send_from(path, fields, Some("same-origin")).await
    }

    /// Sends what [`fields`] are of a form.
    pub async fn send_fields(&mut self, path: &str, fields: &[(String, String)]) -> Answer {
        let fields: Vec<(&str, &str)> =
            fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        self.send(path, &fields).await
    }

    /// Sends a form with one file, which is its field `file`.
    pub async fn send_file(&mut self, path: &str, name: &str, bytes: &str) -> Answer {
        let body = format!(
            "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n{bytes}\r\n--edge--\r\n"
        );
        let request = Request::post(path)
            .header(header::CONTENT_TYPE, "multipart/form-data; boundary=edge")
            .header("sec-fetch-site", "same-origin");
        self.ask(request, Body::from(body)).await
    }

    /// Sends a form that is on such a page; without a value, by a browser that does not tell the relation.
    pub async fn send_from(&mut self, path: &str, fields: &[(&str, &str)], site: Option<&str>) -> Answer {
        let headers: Vec<(&str, &str)> = site.map(|site| ("sec-fetch-site", site)).into_iter().collect();
        self.send_with(path, fields, &headers).await
    }

    /// Sends a form with these headers, which say where it stands.
    pub async fn send_with(
        &mut self,
        path: &str,
        fields: &[(&str, &str)],
        headers: &[(&str, &str)],
    ) -> Answer {
        let body = Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = Request::post(path).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        self.ask(request, Body::from(body)).await
    }

    /// Begins to listen to a stream of events, for which nobody may wait to its end.
    pub async fn listen(&self, app: &TestApp, path: &str) -> Body {
        let request = self.with_cookies(Request::get(path)).body(Body::empty()).unwrap();
        let response = app.router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/event-stream");
        response.into_body()
    }

    /// The answer at an address, whose body nobody has read yet.
    pub async fn unread(&self, app: &TestApp, path: &str) -> Response<Body> {
        let request = self.with_cookies(Request::get(path)).body(Body::empty()).unwrap();
        app.router.clone().oneshot(request).await.unwrap()
    }

    fn with_cookies(&self, request: Builder) -> Builder {
        let request = request.header(header::HOST, self.host);
        if self.cookies.is_empty() {
            return request;
        }
        let pairs = self.cookies.iter().map(|(name, value)| format!("{name}={value}"));
        request.header(header::COOKIE, pairs.collect::<Vec<_>>().join("; "))
    }

    async fn ask(&mut self, request: Builder, body: Body) -> Answer {
        let request = self.with_cookies(request);
        let answer = self.client.raw(request.body(body).unwrap()).await;
        for cookie in answer.headers.get_all(header::SET_COOKIE) {
            let (name, rest) = cookie.to_str().unwrap().split_once('=').unwrap();
            let value = rest.split(';').next().unwrap();
            for attribute in ["Path=/", "Secure", "HttpOnly", "SameSite=Lax"] {
                assert!(rest.contains(attribute), "{rest}");
            }
            if value.is_empty() {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        answer
    }

    /// The value of a cookie.
    pub fn cookie(&self, name: &str) -> Option<&String> {
        self.cookies.get(name)
    }

    /// Sets a cookie, as an attacker would.
    pub fn set_cookie(&mut self, name: &str, value: &str) {
        self.cookies.insert(name.to_owned(), value.to_owned());
    }
}

/// What a browser sends of the form with this id, without any of its buttons.
pub fn fields(screen: &str, form: &str) -> Vec<(String, String)> {
    let sent = fields_of(screen, &format!("form[id='{form}']"));
    assert!(!sent.is_empty(), "there is no form {form}: {screen}");
    sent
}

/// What it sends of the form that a selector finds, with what has to be typed.
pub fn fields_of(screen: &str, form: &str) -> Vec<(String, String)> {
    let html = Html::parse_document(screen);
    let within = |rest: &str| Selector::parse(&format!("{form} {rest}")).unwrap();
    let mut sent = Vec::new();
    let controls = within(":is(input, textarea, select)");
    for control in html.select(&controls) {
        let Some(name) = control.attr("name") else { continue };
        let value = match control.value().name() {
            "textarea" => control.text().collect::<String>().trim_start_matches('\n').to_owned(),
            "select" => {
                let chosen = Selector::parse("option[selected]").unwrap();
                let first = Selector::parse("option").unwrap();
                let option = control.select(&chosen).next().or_else(|| control.select(&first).next());
                option.and_then(|option| option.attr("value")).unwrap_or_default().to_owned()
            }
            _ if matches!(control.attr("type"), Some("checkbox" | "radio")) => {
                if control.attr("checked").is_none() {
                    continue;
                }
                control.attr("value").unwrap_or("on").to_owned()
            }
            _ => {
                let typed = control.attr("data-typed").or_else(|| control.attr("value"));
                typed.unwrap_or_default().to_owned()
            }
        };
        sent.push((name.to_owned(), value));
    }
    sent
}

/// The same with another value in a field.
pub fn with(mut fields: Vec<(String, String)>, name: &str, value: &str) -> Vec<(String, String)> {
    fields.retain(|(known, _)| known != name);
    fields.push((name.to_owned(), value.to_owned()));
    fields
}

/// Where the live part with this id hears of changes.
pub fn events_of(screen: &str, id: &str) -> String {
    let part = screen.split(&format!("<live-part id=\"{id}\" data-events=\"")).nth(1);
    part.unwrap_or_else(|| panic!("{id}: {screen}")).split('"').next().unwrap().replace("&amp;", "&")
}

//! A whole server on a socket, with a page to look at and the pictures that it shows.

use std::time::Duration;

use axum::Router;
use axum::extract::Path;
use axum::http::header;
use axum::routing::get;
use pagesmith_http::Settings;
use pagesmith_http::server::{self, ServeOptions};
use pagesmith_model::identity_provider::IdentityProvider;
use pagesmith_testkit::TestApp;
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// A server with one published page.
pub struct Scene {
    /// The page's address.
    pub url: String,
    /// The path of the audience that is shown.
    audience: String,
    /// The port of the pictures.
    pictures: u16,
    // What it lives on.
    app: TestApp,
}

/// A body in which `PICTURES` has become the place of the pictures.
fn placed(body: &Value, port: u16) -> Value {
    serde_json::from_str(&body.to_string().replace("PICTURES", &format!("http://127.0.0.1:{port}"))).unwrap()
}

/// Serves for ever on a free port of this machine; the port.
async fn listen() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

/// A drawn picture of that size, as a page's owner would have it elsewhere.
async fn picture(
    Path((width, height, name)): Path<(u32, u32, String)>,
) -> ([(header::HeaderName, &'static str); 2], String) {
    let hue = name.bytes().fold(150, |hue, byte| (hue * 31 + u32::from(byte)) % 360);
    let (middle, low) = (height / 2, height * 2 / 3);
    let svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' viewBox='0 0 {width} {height}'>\
         <defs><linearGradient id='a' x1='0' y1='0' x2='0' y2='1'><stop offset='0' stop-color='hsl({hue} 55% 88%)'/>\
         <stop offset='1' stop-color='hsl({hue} 45% 62%)'/></linearGradient></defs><rect width='100%' height='100%' fill='url(#a)'/>\
         <circle cx='{low}' cy='{middle}' r='{r}' fill='hsl({hue} 70% 96%)'/>\
         <path d='M0 {low}L{middle} {middle}L{width} {low}V{height}H0z' fill='hsl({hue} 40% 34%)'/></svg>",
        r = height / 6,
    );
    ([(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "public, max-age=31536000")], svg)
}

/// A whole server on a socket, and its address.
pub async fn served() -> (TestApp, String) {
    serve(|_, _| {}).await
}

/// The same, which says the address of the socket where it says its own, since its console is framed by no other; users can sign in at
/// these providers, and webhooks may lead to this machine.
pub async fn served_at_its_address(providers: Vec<IdentityProvider>) -> (TestApp, String) {
    let change = |settings: &mut Settings, port| {
        settings.base_url = format!("http://127.0.0.1:{port}");
        settings.identity_providers = providers;
        settings.allowed_networks = "127.0.0.0/8".parse().unwrap();
    };
    serve(change).await
}

async fn serve(change: impl FnOnce(&mut Settings, u16)) -> (TestApp, String) {
    let (listener, port) = listen().await;
    let app = TestApp::with(|plan| {
        plan.settings.site_port = Some(port);
        change(&mut plan.settings, port);
    })
    .await;
    let options = ServeOptions {
        max_connections: 100,
        header_timeout: Duration::from_secs(30),
        write_timeout: Duration::from_secs(15),
        shutdown_timeout: Duration::from_secs(1),
    };
    tokio::spawn(server::serve(listener, app.router.clone(), options, std::future::pending()));
    (app, format!("http://127.0.0.1:{port}"))
}

impl Scene {
    /// A server with this page; `PICTURES` in its texts becomes the place of the pictures.
    pub async fn of(page: &Value, audience: &Value, person: Option<&Value>) -> Scene {
        let (pictures, pictures_port) = listen().await;
        let gallery = Router::new().route("/{width}/{height}/{name}", get(picture));
        tokio::spawn(async move { axum::serve(pictures, gallery).await.unwrap() });
        let (app, _) = served().await;
        let client = app.client();
        let mut audience = placed(audience, pictures_port);
        if let Some(person) = person {
            let made =
                client.post("/v0/person_logs", &placed(person, pictures_port)).await.expect(201).json();
            audience["personId"] = made["personId"].clone();
        }
        let page = placed(page, pictures_port);
        let Made { url, audience } = make(&app, &page, &audience).await;
        Scene { url, audience, pictures: pictures_port, app }
    }

    /// A server with this page, which shows this content whatever its context says.
    pub async fn saying(page: &Value, content: &Value) -> Scene {
        let scene = Scene::of(page, &json!({}), None).await;
        let content = placed(content, scene.pictures).to_string().into_bytes();
        replace(&scene.app, &scene.audience, content).await;
        scene
    }

    /// The same with a page and nothing special about its audience.
    pub async fn plain(page: &Value) -> Scene {
        Scene::of(page, &json!({}), None).await
    }
}

/// A page with one audience, written and published.
pub struct Made {
    /// Where visitors find it.
    pub url: String,
    /// The path of the audience.
    pub audience: String,
}

/// Makes a page with one audience.
pub async fn make(app: &TestApp, page: &Value, audience: &Value) -> Made {
    let client = app.client();
    let made = client.post("/v0/pages", page).await.expect(201).json();
    let page = format!("/v0/pages/{}", made["pageId"].as_str().unwrap());
    let made = client.post(&format!("{page}/audiences"), audience).await.expect(201).json();
    app.write_versions().await;
    let audience = format!("{page}/audiences/{}", made["audienceId"].as_str().unwrap());
    let link = client.get(&format!("{audience}/link")).await.expect(200).json();
    Made { url: link["url"].as_str().unwrap().to_owned(), audience }
}

/// Publishes this content for an audience, whatever was written for it.
pub async fn replace(app: &TestApp, audience: &str, content: Vec<u8>) {
    let client = app.client();
    let made = client.post(&format!("{audience}/versions"), &json!({})).await.expect(201).json();
    let version = format!("{audience}/versions/{}", made["versionId"].as_str().unwrap());
    client.post(&format!("{version}/cancel"), &json!({})).await.expect(200);
    client.send("PUT", &format!("{version}/content"), Some(content)).await.expect(200);
    client.post(&format!("{version}/publish"), &json!({})).await.expect(200);
}

//! The console at a host of its own, or behind a listener of its own.

use std::net::Ipv4Addr;
use std::time::Duration;

use pagesmith_console::screens::rows;
use pagesmith_http::server::{self, Listeners, ServeOptions};
use pagesmith_http::state::{ConsoleAddress, Tls};
use pagesmith_http::tls::Certificates;
use pagesmith_operations::certificates;
use pagesmith_testkit::TestApp;
use rcgen::{CertificateParams, KeyPair};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::browser::{Browser, PASSWORD};
use crate::tenant_domains;

const HOST: &str = "team.example";

async fn start(has_listener: bool) -> TestApp {
    let url = format!("https://{HOST}");
    TestApp::with(|plan| plan.settings.console = Some(ConsoleAddress { url, has_listener })).await
}

#[tokio::test]
async fn its_host_leads_to_it_and_to_nothing_else() {
    let app = start(false).await;
    let mut owner = Browser::at(&app, HOST).become_owner(&app).await;
    let screen = owner.follow("/").await.expect(200).text();
    assert!(screen.contains("Make your first page"), "{screen}");
    owner.open("/console/t/acme/pages").await.expect(200);
    for path in ["/v0/pages", "/docs", "/openapi.json", "/healthz", "/metrics", "/spring", "/.pagesmith/v"] {
        let answer = owner.open_with(path, &[("x-api-key", &app.key)]).await.expect(404);
        assert_eq!(answer.json()["status"], 404, "{path}");
    }
    // At no other host is it anything. A site says of any address but its own that nothing is sent there.
    for (host, sent) in [("127.0.0.1:8080", 404), ("api.example", 404), ("acme.localhost:8080", 405)] {
        let mut elsewhere = Browser::at(&app, host);
        for path in ["/console", "/console/sign-in", "/console/t/acme/pages"] {
            elsewhere.open(path).await.expect(404);
        }
        let fields = [("email", "olga@acme.example"), ("password", PASSWORD)];
        elsewhere.send("/console/sign-in", &fields).await.expect(sent);
    }
    app.client().get("/v0/pages").await.expect(200);
}

#[tokio::test]
async fn links_and_previews_name_its_address() {
    let app = start(false).await;
    let mut owner = Browser::at(&app, HOST).become_owner(&app).await;
    let invited = [("email", "eda@acme.example"), ("role", "editor")];
    let shown = owner.send("/console/t/acme/settings/invite", &invited).await.expect(200).text();
    assert!(shown.contains("https://team.example/console/invitation?token="), "{shown}");

    let client = app.client();
    let page = crate::audiences::page(&client).await;
    let at = crate::audiences::audience(&client, &page, &json!({})).await;
    app.write_versions().await;
    let versions = client.get(&format!("{at}/versions")).await.expect(200).json();
    let version = versions["items"][0]["versionId"].as_str().unwrap();
    let preview =
        client.post(&format!("{at}/versions/{version}/preview"), &json!({})).await.expect(201).json();
    let preview = preview["url"].as_str().unwrap().strip_prefix("http://acme.localhost:8080").unwrap();
    let shown = app.client().with("host", "acme.localhost:8080").get(preview).await.expect(200);
    let policy = shown.header("content-security-policy").unwrap();
    assert!(policy.contains("frame-ancestors https://team.example"), "{policy}");
}

#[tokio::test]
async fn no_site_answers_for_it_where_it_has_no_host_of_its_own() {
    let app = TestApp::start().await;
    let client = app.client();
    tenant_domains::active(&app, &client, "go.acme.example").await;
    let mut owner = Browser::owner(&app).await;
    owner.open("/console/t/acme/pages").await.expect(200);
    let files = pagesmith_console::assets::url("console.css");
    for host in ["acme.localhost:8080", "go.acme.example"] {
        // With the very cookie that opens every screen.
        let mut there = Browser::at(&app, host);
        let session = owner.cookie("__Host-pagesmith-session").unwrap();
        there.set_cookie("__Host-pagesmith-session", session);
        let wide = rows().into_iter().filter(|row| row.method == "GET" && !row.path.contains('{'));
        let mut paths: Vec<String> = wide.map(|row| format!("/console/t/acme{}", row.path)).collect();
        paths
            .extend(["/console", "/console/sign-in", "/console/operator/tenants", &files].map(str::to_owned));
        for path in paths {
            let answer = there.open(&path).await.expect(404);
            assert!(
                answer.header("set-cookie").is_none() && !answer.text().contains("Pagesmith"),
                "{host}{path}"
            );
        }
        let fields = [("email", "olga@acme.example"), ("password", PASSWORD)];
        let refused = there.send("/console/sign-in", &fields).await.expect(405);
        assert!(refused.header("set-cookie").is_none());
        there
            .send("/console/t/acme/pages/new", &[("name", "Spring"), ("pageContext", "Text.")])
            .await
            .expect(405);
    }
    assert_eq!(client.get("/v0/pages").await.expect(200).json()["totalCount"], 0);
}

#[tokio::test]
async fn no_tenant_can_have_its_host() {
    let app = start(false).await;
    app.client().post("/v0/tenant_domains", &json!({ "domain": HOST })).await.expect(400);
}

/// The first line of the answer to a request at this port.
async fn ask(port: u16, path: &str, host: &str) -> String {
    let mut socket = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await.unwrap();
    answer.lines().next().unwrap().to_owned()
}

/// The ports of the API and of the console's own listener.
async fn listening(app: &TestApp) -> [u16; 2] {
    let plain = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let console = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let ports = [&plain, &console].map(|listener| listener.local_addr().unwrap().port());
    let options = ServeOptions {
        max_connections: 100,
        header_timeout: Duration::from_secs(60),
        write_timeout: Duration::from_secs(60),
        shutdown_timeout: Duration::from_secs(1),
    };
    let listeners = Listeners { plain, tls: None, console: Some(console) };
    let served = pagesmith_http::app(app.state.clone());
    tokio::spawn(server::serve(listeners, served, options, std::future::pending()));
    ports
}

#[tokio::test]
async fn its_listener_leads_to_it_and_to_nothing_else() {
    let app = start(true).await;
    let [of_api, of_console] = listening(&app).await;
    // Whatever the host: a proxy may tell its own.
    for host in [HOST, "127.0.0.1", "acme.localhost", "api.example"] {
        for (path, status) in [
            ("/console/sign-in", "200"),
            ("/", "303"),
            ("/v0/pages", "404"),
            ("/docs", "404"),
            ("/healthz", "404"),
        ] {
            assert_eq!(ask(of_console, path, host).await.split(' ').nth(1), Some(status), "{path} at {host}");
        }
        let there = ask(of_api, "/console/sign-in", host).await;
        assert_eq!(there.split(' ').nth(1), Some("404"), "{host}: {there}");
    }
    assert_eq!(ask(of_api, "/healthz", HOST).await.split(' ').nth(1), Some("200"));
}

#[tokio::test]
async fn its_listener_leads_nobody_to_tls_where_it_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let key = KeyPair::generate().unwrap();
    let own = CertificateParams::new(vec![HOST.to_owned()]).unwrap().self_signed(&key).unwrap();
    std::fs::write(folder.path().join("own.pem"), own.pem()).unwrap();
    std::fs::write(folder.path().join("own.key"), key.serialize_pem()).unwrap();
    let certificates = Certificates::read(folder.path()).unwrap();
    let url = format!("https://{HOST}");
    let app = TestApp::with(|plan| {
        plan.settings.console = Some(ConsoleAddress { url, has_listener: true });
        plan.settings.tls = Some(Tls { certificates, port: None, strict_transport: Duration::ZERO });
    })
    .await;
    let [of_api, of_console] = listening(&app).await;
    let status = |line: String| line.split(' ').nth(1).map(str::to_owned);
    assert_eq!(status(ask(of_console, "/console/sign-in", HOST).await).as_deref(), Some("200"));
    assert_eq!(status(ask(of_api, "/v0/pages", HOST).await).as_deref(), Some("308"));
}

#[tokio::test]
async fn its_host_wants_a_certificate() {
    let app = start(false).await;
    // Neither one that nobody has verified, nor one that waits for that.
    let client = app.client();
    client.post("/v0/tenant_domains", &json!({ "domain": "pending.acme.example" })).await.expect(201);
    tenant_domains::active(&app, &client, "go.acme.example").await;
    let installation = app.state.dns_checker.installation.clone();
    let wanted = app.store.read(move |tx| certificates::wanted_names(tx, &installation, &[])).await.unwrap();
    assert!(wanted.contains(HOST) && wanted.contains("go.acme.example"), "{wanted:?}");
    assert!(!wanted.contains("pending.acme.example"), "{wanted:?}");
}

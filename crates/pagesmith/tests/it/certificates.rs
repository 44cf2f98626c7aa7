//! Certificates by ACME: ordered of a real server of the protocol, challenged at one server and shown by another, renewed, refused, given up.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pagesmith_http::AppState;
use pagesmith_http::server::{Listeners, ServeOptions, serve};
use pagesmith_http::state::Tls;
use pagesmith_http::tls::Certificates;
use pagesmith_model::certificate::Certificate;
use pagesmith_model::certificate::challenge::ChallengeKind;
use pagesmith_store::tables::certificates as table;
use pagesmith_store::tables::certificates::acme_accounts;
use pagesmith_testkit::TestApp;
use pagesmith_worker::certificates::{Automatic, CertificateMetrics};
use pagesmith_worker::egress::Egress;
use pagesmith_worker::tasks::TASKS;
use pagesmith_worker::tools::Tools;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsConnector;

use crate::tenant_domains;

mod authority;
mod by_tls;
mod keys;
mod limits;
mod names;
mod pebble;
mod program;
mod records;

use pebble::{Pebble, TIME_LIMIT};

const NAME: &str = "go.acme.test";

/// A server that shows issued certificates, and gets them by itself.
async fn app() -> TestApp {
    let app = TestApp::with(|plan| {
        plan.settings.site_addresses = vec![Ipv4Addr::LOCALHOST.into()];
        plan.settings.tls = Some(Tls {
            certificates: Certificates::of(None, true).unwrap(),
            port: None,
            strict_transport: Duration::from_hours(1),
        });
    });
    app.await
}

/// How one server, called `holder`, orders.
fn ordering(app: &TestApp, holder: &str, directory: &str, gateway: &Egress) -> Tools {
    ordering_by(app, holder, (directory, gateway), &[ChallengeKind::Http, ChallengeKind::TlsAlpn])
}

/// The same with other challenges.
fn ordering_by(
    app: &TestApp,
    holder: &str,
    (directory, gateway): (&str, &Egress),
    challenges: &'static [ChallengeKind],
) -> Tools {
    let automatic = Automatic {
        directory: directory.to_owned(),
        contact: "ops@example.com".to_owned(),
        own_names: vec![],
        challenges,
        orders_per_hour: 3,
        gateway: gateway.clone(),
        // The host of the API has a certificate from elsewhere.
        is_covered: Arc::new(|name| name == "pagesmith.test"),
        metrics: CertificateMetrics::default(),
        holder: holder.to_owned(),
        compared: Mutex::default(),
    };
    Tools { certificates: Some(Arc::new(automatic)), ..app.tools() }
}

/// The same with names of the service itself.
fn ordering_for(app: &TestApp, (directory, gateway): (&str, &Egress), own_names: &[&str]) -> Tools {
    let mut tools = ordering(app, "first", directory, gateway);
    let automatic = tools.certificates.as_mut().and_then(Arc::get_mut).unwrap();
    automatic.own_names = own_names.iter().map(ToString::to_string).collect();
    tools
}

/// Does what is due.
async fn step(tools: &Tools) {
    for name in ["order_certificates", "measure_certificates"] {
        TASKS.iter().find(|task| task.name == name).unwrap().run(tools).await.unwrap();
    }
}

/// Another server of the same database on ports of its own: in the clear, and by TLS.
async fn listen(app: &TestApp) -> ([SocketAddr; 2], AppState) {
    let state = app.server_on(app.database.open());
    let [plain, tls] = [
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap(),
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap(),
    ];
    let addresses = [plain.local_addr().unwrap(), tls.local_addr().unwrap()];
    let acceptor = certificates(app).acceptor().unwrap();
    let options = ServeOptions {
        max_connections: 100,
        header_timeout: Duration::from_secs(10),
        write_timeout: Duration::from_secs(10),
        shutdown_timeout: Duration::from_secs(1),
    };
    let listeners = Listeners { plain, tls: Some((tls, acceptor)), console: None };
    tokio::spawn(serve(listeners, pagesmith_http::app(state.clone()), options, std::future::pending()));
    (addresses, state)
}

fn certificates(app: &TestApp) -> Arc<Certificates> {
    Arc::clone(&app.state.settings.tls.as_ref().unwrap().certificates)
}

async fn find(app: &TestApp, name: &'static str) -> Certificate {
    app.store.read(move |tx| table::find(tx, name)).await.unwrap().unwrap()
}

/// How many orders were begun in this hour.
async fn orders(app: &TestApp, directory: &str) -> u64 {
    let directory = directory.to_owned();
    app.store.read(move |tx| acme_accounts::find(tx, &directory)).await.unwrap().unwrap().orders
}

/// Steps until the certificate is as it should be, the clock going on as it goes.
async fn until(app: &TestApp, tools: &Tools, is_there: impl Fn(&Certificate) -> bool) -> Certificate {
    let begun = Instant::now();
    loop {
        step(tools).await;
        let certificate = find(app, NAME).await;
        if is_there(&certificate) {
            return certificate;
        }
        assert!(begun.elapsed() < TIME_LIMIT, "waited in vain: {certificate:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
        app.advance(Duration::from_secs(2));
    }
}

async fn status(app: &TestApp, domain: &Value) -> String {
    let path = format!("/v0/tenant_domains/{}", domain["tenantDomainId"].as_str().unwrap());
    app.client().get(&path).await.expect(200).json()["verificationStatus"].as_str().unwrap().to_owned()
}

/// A domain whose DNS is right.
async fn domain(app: &TestApp) -> Value {
    let client = app.client();
    let added = tenant_domains::add(&client, NAME).await;
    app.names.address(NAME, "127.0.0.1");
    let record = &added["records"][0];
    app.names.txt(record["name"].as_str().unwrap(), record["value"].as_str().unwrap());
    let path = format!("/v0/tenant_domains/{}/verify", added["tenantDomainId"].as_str().unwrap());
    client.post(&path, &json!({})).await.expect(200).json()
}

/// What is answered in the clear.
async fn in_the_clear(address: SocketAddr, path: &str) -> String {
    let mut socket = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: {NAME}\r\nconnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await.unwrap();
    answer
}

/// What a client that trusts `root` is answered under a name, and the certificate that it was shown.
async fn ask(
    address: SocketAddr,
    root: &[u8],
    name: &str,
) -> std::io::Result<(CertificateDer<'static>, String)> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(root).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_root_certificates(roots).with_no_client_auth();
    let socket = TcpStream::connect(address).await?;
    let to = ServerName::try_from(name.to_owned()).unwrap();
    let mut socket = TlsConnector::from(Arc::new(config)).connect(to, socket).await?;
    let shown = socket.get_ref().1.peer_certificates().unwrap()[0].clone().into_owned();
    let request = format!("GET / HTTP/1.1\r\nhost: {name}\r\nconnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await?;
    Ok((shown, answer))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_domain_gets_its_certificate_at_one_node_and_shows_it_at_another_and_a_new_one_in_time() {
    let app = app().await;
    let ([plain, tls], node) = listen(&app).await;
    let Some(pebble) = Pebble::start(app.names.address, [plain.port(), 1]).await else { return };
    let domain = domain(&app).await;
    assert_eq!(domain["verificationStatus"], "pending_issuance");
    let [first, second] =
        ["first", "second"].map(|holder| ordering(&app, holder, &pebble.directory, &pebble.gateway));
    step(&first).await;
    assert_eq!(status(&app, &domain).await, "pending_validation");
    assert!(find(&app, NAME).await.order.unwrap().url.is_some());
    // The server that ordered is gone; another one goes on with the same order.
    drop(first);
    let certificate = until(&app, &second, |certificate| certificate.issued.is_some()).await;
    assert_eq!(orders(&app, &pebble.directory).await, 1);
    assert_eq!(certificate.order, None);
    let issued = certificate.issued.unwrap();
    assert_eq!(status(&app, &domain).await, "pending_deployment");
    app.advance(Duration::from_secs(5));
    assert_eq!(status(&app, &domain).await, "active");
    let root = pebble.root().await;
    let refused = ask(tls, &root, NAME).await;
    assert!(refused.is_err(), "this server has not read it yet");
    certificates(&app).refresh(&app.database.open(), &app.platform).await.unwrap();
    node.keys.refresh().await.unwrap();
    node.domains.refresh().await.unwrap();
    let (shown, answer) = ask(tls, &root, NAME).await.unwrap();
    assert!(answer.contains("strict-transport-security: max-age=3600"), "{answer}");
    assert!(ask(tls, &root, "other.test").await.is_err(), "nobody asked for a certificate of that name");
    // In the clear, visitors are sent on, and authorities are answered.
    let moved = in_the_clear(plain, "/a?b=c").await;
    assert!(moved.contains(" 308 ") && moved.contains(&format!("location: https://{NAME}/a?b=c")), "{moved}");
    assert!(in_the_clear(plain, "/.well-known/acme-challenge/unknown").await.contains(" 404 "));
    // pebble has no ARI: the certificate is renewed at two thirds of its time.
    let lifetime = issued.validity.not_after.since(issued.validity.not_before);
    assert_eq!(issued.renew_at, issued.validity.not_before.plus(lifetime / 3 * 2));
    step(&second).await;
    assert_eq!(find(&app, NAME).await.next_step_at, issued.renew_at);
    app.advance(issued.renew_at.since(app.platform.clock().now()));
    let is_renewed =
        |certificate: &Certificate| certificate.issued.as_ref().unwrap().issued_at > issued.issued_at;
    until(&app, &second, is_renewed).await;
    assert_eq!(status(&app, &domain).await, "active");
    certificates(&app).refresh(&app.database.open(), &app.platform).await.unwrap();
    let (renewed, _) = ask(tls, &root, NAME).await.unwrap();
    assert_ne!(renewed, shown);
    // A domain that is removed loses its certificate.
    let path = format!("/v0/tenant_domains/{}", domain["tenantDomainId"].as_str().unwrap());
    app.client().delete(&path).await.expect(200);
    step(&second).await;
    certificates(&app).refresh(&app.database.open(), &app.platform).await.unwrap();
    assert!(!certificates(&app).is_there(NAME));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_authority_cannot_reach_is_told_and_tried_again_after_growing_pauses() {
    let app = app().await;
    // Nobody listens there.
    let Some(pebble) = Pebble::start(app.names.address, [1, 1]).await else { return };
    let domain = domain(&app).await;
    let tools = ordering(&app, "first", &pebble.directory, &pebble.gateway);
    let certificate = until(&app, &tools, |certificate| certificate.failures == 1).await;
    let (now, pause) = (app.platform.clock().now(), Duration::from_mins(5));
    assert!(certificate.next_step_at <= now.plus(pause) && certificate.next_step_at > now.plus(pause / 2));
    assert_eq!(status(&app, &domain).await, "pending_issuance");
    let path = format!("/v0/tenant_domains/{}/dns", domain["tenantDomainId"].as_str().unwrap());
    let dns = app.client().get(&path).await.expect(200).json();
    let problem = &dns["certificate"]["problem"];
    assert_eq!(problem["code"], "unreachable", "{dns}");
    assert!(problem["message"].as_str().unwrap().contains("AAAA"), "{dns}");
    assert_eq!(
        (&dns["certificate"]["expiresAt"], &dns["certificate"]["failures"]),
        (&Value::Null, &json!(1))
    );
    // Nothing is asked of the authority until the pause is over.
    step(&tools).await;
    assert_eq!(orders(&app, &pebble.directory).await, 1);
    app.advance(pause);
    let certificate = until(&app, &tools, |certificate| certificate.failures == 2).await;
    let now = app.platform.clock().now();
    assert!(certificate.next_step_at > now.plus(pause * 2), "the second pause is longer");
    // Three orders an hour, and no more.
    app.advance(pause * 3);
    until(&app, &tools, |certificate| certificate.failures == 3).await;
    let account = acme_accounts::find;
    let directory = pebble.directory.clone();
    let found = app.store.read(move |tx| account(tx, &directory)).await.unwrap().unwrap();
    assert_eq!((found.orders, found.failures), (3, 0));
    assert!(found.sealed.is_some_and(|sealed| !String::from_utf8_lossy(&sealed).contains("key_pkcs8")));
}

#[tokio::test]
async fn an_authority_that_is_down_at_the_start_is_left_alone_longer_each_time() {
    let app = app().await;
    domain(&app).await;
    let directory = "https://127.0.0.1:9/dir";
    let [first, second] =
        ["first", "second"].map(|holder| ordering(&app, holder, directory, &pebble::gateway(None)));
    let mut pauses = Vec::new();
    for _ in 0..4 {
        step(&first).await;
        // Nor does another server ask.
        step(&second).await;
        let found = app.store.read(move |tx| acme_accounts::find(tx, directory)).await.unwrap().unwrap();
        let pause = found.paused_until.since(app.platform.clock().now());
        assert!(found.trouble.is_some() && found.orders == 0, "{found:?}");
        pauses.push(pause.as_secs() / 60);
        app.advance(pause);
    }
    assert_eq!(pauses, [1, 2, 4, 8]);
    assert_eq!(find(&app, NAME).await.failures, 0, "the name is not to blame");
    app.client().get("/v0/pages").await.expect(200);
}

//! The program itself speaks TLS: with the certificates of a folder, and with those that it orders as its settings say.

use std::fs;
use std::io::copy;
use std::net;
use std::sync::OnceLock;
use std::thread;

use pagesmith_testkit::NameServer;
use rcgen::{CertificateParams, KeyPair};
use tokio::runtime::Runtime;

use super::authority::{Authority, IDENTITY};
use super::*;
use crate::process::wire::Connection;
use crate::process::{Instance, KEY, Server, eventually};

/// The lines of a server's log.
fn lines(server: &Server) -> Vec<Value> {
    server.err.text().lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Where a server speaks TLS.
fn tls_address(server: &Server) -> SocketAddr {
    let lines = lines(server);
    let line = lines.iter().find(|line| line["message"] == "listening for TLS").unwrap();
    line["address"].as_str().unwrap().parse().unwrap()
}

fn text_of(reply: &[u8]) -> String {
    String::from_utf8_lossy(reply).to_ascii_lowercase()
}

/// What the server answers in the clear to a request for a host.
fn clear(server: &Server, host: &str, path: &str) -> String {
    let mut connection = server.connect();
    connection.send(format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n")).unwrap();
    text_of(&connection.rest())
}

#[test]
fn the_program_speaks_tls_with_the_certificates_of_its_folder() {
    let instance = Instance::new();
    let folder = instance.path().join("certificates");
    fs::create_dir(&folder).unwrap();
    let key = KeyPair::generate().unwrap();
    let [api, site] = ["api.acme.test", "default.pages.acme.test"];
    let own = CertificateParams::new(vec![api.to_owned(), site.to_owned()]).unwrap();
    let own = own.self_signed(&key).unwrap();
    fs::write(folder.join("api.pem"), own.pem()).unwrap();
    fs::write(folder.join("api.key"), key.serialize_pem()).unwrap();
    let server = instance.serve_with(&[
        ("BASE_URL", "https://api.acme.test"),
        ("SITE_DOMAIN", "pages.acme.test"),
        ("TLS_LISTEN", "127.0.0.1:0"),
        ("TLS_CERTIFICATES", folder.to_str().unwrap()),
        ("TLS_STRICT_TRANSPORT_DAYS", "3"),
    ]);
    let tls = tls_address(&server);
    let runtime = Runtime::new().unwrap();
    let ask = |name| runtime.block_on(ask(tls, own.pem().as_bytes(), name)).unwrap();
    let (shown, answer) = ask(api);
    assert_eq!(shown, *own.der());
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    // Browsers are told of sites.
    let (_, answer) = ask(site);
    assert!(answer.contains("\r\nstrict-transport-security: max-age=259200\r\n"), "{answer}");
    for host in [api, site] {
        let moved = clear(&server, host, "/v0/pages?limit=1");
        assert!(moved.starts_with("http/1.1 308 "), "{moved}");
        let to = format!("\r\nlocation: https://{host}:{}/v0/pages?limit=1\r\n", tls.port());
        assert!(moved.contains(&to) && !moved.contains("strict-transport-security"), "{moved}");
    }
    // A host that nobody has a certificate for is served in the clear.
    let plain = clear(&server, "other.acme.test", "/");
    assert!(plain.starts_with("http/1.1 200 ") && !plain.contains("strict-transport-security"), "{plain}");
    server.stop();
}

/// A port that is known before the server is, which passes connections on to it.
struct Door {
    port: u16,
    to: Arc<OnceLock<SocketAddr>>,
}

impl Door {
    fn new() -> Door {
        let listener = net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let to = Arc::<OnceLock<SocketAddr>>::default();
        let known = Arc::clone(&to);
        // It ends with the program of the tests.
        thread::spawn(move || {
            for from in listener.incoming().map_while(Result::ok) {
                let Some(Ok(to)) = known.get().map(net::TcpStream::connect) else { continue };
                let back = (to.try_clone().unwrap(), from.try_clone().unwrap());
                thread::spawn(move || drop(pass((from, to))));
                thread::spawn(move || drop(pass(back)));
            }
        });
        Door { port, to }
    }
}

fn pass((mut from, mut to): (net::TcpStream, net::TcpStream)) -> std::io::Result<()> {
    copy(&mut from, &mut to)?;
    to.shutdown(net::Shutdown::Write)
}

/// A line of the log about this name.
fn said(server: &Server, message: &str, name: &str) -> Option<Value> {
    lines(server).into_iter().find(|line| line["message"] == message && line["name"] == name)
}

#[test]
fn the_program_orders_certificates_as_its_settings_say() {
    let runtime = Runtime::new().unwrap();
    let names = runtime.block_on(NameServer::start());
    let door = Door::new();
    // Nobody answers by TLS: what the authority sees, it sees by HTTP.
    let Some(pebble) = runtime.block_on(Pebble::start(names.address, [door.port, 1])) else { return };
    let authority = runtime.block_on(Authority::start(&pebble));
    let own = ["api.acme.test", "www.acme.test", "forbidden.acme.test"];
    own.iter().for_each(|name| names.address(name, "127.0.0.1"));
    names.caa("forbidden.acme.test", "issue", "other.example");
    let instance = Instance::new();
    let roots = instance.path().join("roots.pem");
    fs::write(&roots, &authority.pem).unwrap();
    let server = instance.serve_with(&[
        ("BASE_URL", "https://api.acme.test"),
        ("TLS_LISTEN", "127.0.0.1:0"),
        ("TLS_ACME", "true"),
        ("TLS_ACME_TERMS_ACCEPTED", "true"),
        ("TLS_ACME_DIRECTORY", &authority.directory),
        ("TLS_ACME_ROOTS", roots.to_str().unwrap()),
        // On this machine it would be TLS-ALPN-01 unless it is said.
        ("TLS_ACME_CHALLENGE", "http-01"),
        ("TLS_ACME_HOSTS", "www.acme.test,forbidden.acme.test"),
        ("DNS_SERVERS", &names.address.to_string()),
        ("DNS_ADDRESSES", "127.0.0.1"),
    ]);
    door.to.set(server.address).unwrap();
    for name in ["api.acme.test", "www.acme.test"] {
        eventually("a certificate is issued", || said(&server, "a certificate was issued", name));
    }
    let (tls, root) = (tls_address(&server), runtime.block_on(pebble.root()));
    // Servers look for what was issued each second.
    let answer = eventually("it is shown", || {
        runtime.block_on(ask(tls, &root, "www.acme.test")).ok().map(|(_, answer)| answer)
    });
    assert!(answer.starts_with("HTTP/1.1 "), "{answer}");
    // The server itself has asked the name servers of its settings: this authority issues whatever CAA records say.
    let refused = eventually("it is not ordered", || {
        said(&server, "no certificate was ordered", "forbidden.acme.test")
    });
    let why = format!("The CAA records of forbidden.acme.test allow other.example, and not {IDENTITY}.");
    assert_eq!(refused["why"], why);
    assert!(said(&server, "a certificate was issued", "forbidden.acme.test").is_none());
    // So have its requests.
    let call = |path: &str, body: Value| {
        let mut connection = Connection::open(server.address).unwrap();
        connection.call("POST", path, Some(KEY), Some(&body)).unwrap()
    };
    let added = call("/v0/tenant_domains", json!({ "domain": "go.acme.test" })).expect(201).json();
    let record = &added["records"][0];
    names.txt(record["name"].as_str().unwrap(), record["value"].as_str().unwrap());
    names.address("go.acme.test", "127.0.0.1");
    let verify = format!("/v0/tenant_domains/{}/verify", added["tenantDomainId"].as_str().unwrap());
    assert_eq!(call(&verify, json!({})).expect(200).json()["verified"], true);
    eventually("its certificate is issued", || said(&server, "a certificate was issued", "go.acme.test"));
    server.stop();
}

//! `pagesmith demo`: what it prints is true, and it can be run again.

use crate::process::{Instance, Server};

/// Starts the example; what it printed.
fn shown(instance: &Instance) -> (Server, String) {
    let server = Server::start(instance.command(&["demo", "--listen", "127.0.0.1:0"]));
    let said = server.out.wait_for("the links", |out| out.contains("Ctrl-C").then(|| out.to_owned()));
    (server, said)
}

/// The paths of the links to pages.
fn paths(said: &str) -> Vec<String> {
    let links = said.split_whitespace().filter(|word| word.starts_with("http://norrvik.localhost:"));
    links.map(|link| format!("/{}", link.splitn(4, '/').nth(3).unwrap())).collect()
}

fn key(said: &str) -> String {
    said.split_whitespace().find(|word| word.starts_with("ps_")).unwrap().to_owned()
}

/// The page at a path of the example's site.
fn page(server: &Server, path: &str) -> String {
    let mut connection = server.connect();
    connection.send(format!("GET {path} HTTP/1.1\r\nhost: norrvik.localhost\r\n\r\n")).unwrap();
    String::from_utf8(connection.receive().unwrap().expect(200).body).unwrap()
}

/// How often each page was visited.
fn visits(server: &Server, key: &str) -> Vec<u64> {
    let pages = server.get("/v0/pages", key).expect(200).json();
    let visits = |page: &serde_json::Value| {
        let path = format!("/v0/pages/{}/analytics/summary", page["pageId"].as_str().unwrap());
        server.get(&path, key).expect(200).json()["totalSessions"].as_u64().unwrap()
    };
    pages["items"].as_array().unwrap().iter().map(visits).collect()
}

#[test]
fn the_example_is_served_as_it_is_printed_and_can_be_started_again() {
    let instance = Instance::new();
    let (server, said) = shown(&instance);
    let (first, links) = (key(&said), paths(&said));
    assert_eq!(links.len(), 8, "{said}");
    for (link, words) in [
        (0, "HACCP without folders"),
        (1, "The on-call pharmacist"),
        (2, "Power per tenant"),
        (4, "Thank you for the conversation, Marit"),
        (5, "You asked about power use per room and per tenant."),
        (6, "The vaccine store comes first"),
        // From its context, from the PDF, from the website.
        (7, "the temperature of its cold room every minute"),
        (7, "needs one socket"),
        (7, "sends each alarm by text message"),
    ] {
        assert!(page(&server, &links[link]).contains(words), "{words} is not at {}", links[link]);
    }
    for path in ["/pictures/screen.svg", "/pictures/sensor.svg"] {
        assert!(links.iter().any(|link| page(&server, link).contains(path)), "no page shows {path}");
        assert!(page(&server, path).starts_with("<svg "));
    }
    assert_eq!(links[3], "/trade-fair");
    let shared = page(&server, &links[3]);
    assert!(links[..3].iter().any(|link| page(&server, link) == shared), "a link to none of them");
    let blocks = server.get("/v0/page_link_blocks", &first).expect(200).json();
    assert_eq!(blocks["items"].as_array().map(Vec::len), Some(2));
    for link in &links {
        assert!(page(&server, link).contains("https://norrvik.example/imprint"), "no footer at {link}");
    }
    assert!(page(&server, &links[0]).contains("https://norrvik.example/how-it-works"));
    let learned = page(&server, &links[7]);
    for other in ["canteen", "coffee", "waffles", "chunk_", "Jobs"] {
        assert!(!learned.contains(other), "{other} at {}", links[7]);
    }
    let widths = learned.split("srcset=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let widths: Vec<&str> = widths.split(", ").collect();
    assert!(widths.len() > 1, "{widths:?}");
    for picture in widths {
        let picture = picture.split_once("/files/").unwrap().1.split(' ').next().unwrap();
        let mut connection = server.connect();
        let request = format!("GET /files/{picture} HTTP/1.1\r\nhost: norrvik.localhost\r\n\r\n");
        connection.send(request).unwrap();
        let body = connection.receive().unwrap().expect(200).body;
        assert!(body.starts_with(b"RIFF") || body.starts_with(b"\xff\xd8"), "{picture} is no variant");
    }
    let brands = server.get("/v0/brands", &first).expect(200).json();
    assert_eq!(
        (&brands["items"][0]["name"], &brands["items"][0]["isDefault"]),
        (&"Norrvik".into(), &true.into())
    );
    let console = said.split_whitespace().find(|word| word.contains("/console/setup?token=")).unwrap();
    let mut connection = server.connect();
    let path = &console[console.find("/console/").unwrap()..];
    let host = console.split('/').nth(2).unwrap();
    connection.send(format!("GET {path} HTTP/1.1\r\nhost: {host}\r\n\r\n")).unwrap();
    let form = String::from_utf8(connection.receive().unwrap().expect(200).body).unwrap();
    assert!(form.contains("name=\"password\""), "{form}");
    let qr = said.split_whitespace().find(|word| word.ends_with("/qr.svg")).unwrap();
    let qr = &qr[qr.find("/v0/").unwrap()..];
    assert!(String::from_utf8(server.get(qr, &first).expect(200).body).unwrap().contains("<svg"));
    assert_eq!(server.get("/v0/pages", &first).expect(200).json()["totalCount"], 3);
    // Three that it knows, and four who have sent a form in its month.
    assert_eq!(server.get("/v0/persons", &first).expect(200).json()["totalCount"], 7);
    let submissions = server.get("/v0/form_submissions", &first).expect(200).json();
    assert_eq!(submissions["totalCount"], 4, "{submissions}");
    let visits = visits(&server, &first);
    assert!(visits.iter().sum::<u64>() > 200 && visits.iter().all(|visits| *visits > 0), "{visits:?}");
    server.stop();

    let (server, said) = shown(&instance);
    assert_eq!(paths(&said), links);
    let second = key(&said);
    assert_eq!(server.get("/v0/pages", &second).expect(200).json()["totalCount"], 3);
    assert_eq!(self::visits(&server, &second), visits);
    server.get("/v0/pages", &first).expect(401);
    server.stop();
}

#[test]
fn the_example_keeps_out_of_the_database_that_the_settings_name() {
    let instance = Instance::new();
    let mut command = crate::process::bare(std::path::Path::new(env!("CARGO_BIN_EXE_pagesmith")));
    command.args(["demo", "--listen", "127.0.0.1:0"]).current_dir(instance.path());
    command.env("PAGESMITH_DATABASE", "sqlite:elsewhere.db");
    let server = Server::start(command);
    server.out.wait_for("the links", |out| out.contains("Ctrl-C").then_some(()));
    server.stop();
    assert!(instance.path().join("data/demo/pagesmith.db").exists());
    assert!(!instance.path().join("elsewhere.db").exists());
}

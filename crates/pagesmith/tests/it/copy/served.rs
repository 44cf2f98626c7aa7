//! A server on the copy answers as the one before.

use pagesmith_testkit::fixtures;
use serde_json::{Value, json};

use super::pairs;
use crate::process::wire::Reply;
use crate::process::{Instance, KEY, Server, eventually};

/// Makes a subscription under an `Idempotency-Key`; its answer is stored, and is sealed as is its secret.
#[track_caller]
fn subscribe(server: &Server) -> Reply {
    let body = json!({ "url": "https://hooks.example/x", "events": ["page.version.created"] }).to_string();
    let head = format!(
        "POST /v0/webhook_subscriptions HTTP/1.1\r\nhost: api\r\nx-api-key: {KEY}\r\nidempotency-key: once\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let mut connection = server.connect();
    connection.send(head + &body).unwrap();
    connection.receive().unwrap().expect(201)
}

/// What a visitor finds at a page's link.
fn visit(server: &Server, link: &Value) -> Reply {
    let (path, domain) = (link["path"].as_str().unwrap(), link["domain"].as_str().unwrap());
    let mut connection = server.connect();
    connection.send(format!("GET {path} HTTP/1.1\r\nhost: {domain}\r\n\r\n")).unwrap();
    connection.receive().unwrap()
}

/// What a server says of all that was made on it.
fn answers(server: &Server, page: &str, person: &str) -> Vec<Value> {
    [
        format!("/v0/pages/{page}"),
        format!("/v0/pages/{page}/audiences"),
        format!("/v0/persons/{person}"),
        "/v0/pages".to_owned(),
        "/v0/webhook_subscriptions".to_owned(),
    ]
    .iter()
    .map(|path| server.get(path, KEY).expect(200).json())
    .collect()
}

#[test]
fn a_server_on_the_copy_answers_as_the_one_before() {
    for (from, to) in pairs() {
        let old = Instance::at(from.address.clone());
        let key = old.path().join("server.key");
        let settings = [("SECRET_KEY_FILE", key.to_str().unwrap()), ("SITE_DOMAIN", "pages.example")];
        let server = old.serve_with(&settings);
        let page = server.post("/v0/pages", KEY, &fixtures::full_page()).expect(201).json();
        let page = page["pageId"].as_str().unwrap();
        server.post(&format!("/v0/pages/{page}/audiences"), KEY, &json!({})).expect(201);
        let person = json!({ "email": "ida@example.org", "name": "Ida Holm \u{1f600}" });
        let person = server.post("/v0/persons", KEY, &person).expect(201).json();
        let person = person["personId"].as_str().unwrap();
        let subscription = subscribe(&server);
        let link = server.get(&format!("/v0/pages/{page}/link"), KEY).expect(200).json();
        let shown = eventually("the page is shown", || {
            let shown = visit(&server, &link);
            (shown.status == 200).then_some(shown)
        });
        let before = answers(&server, page, person);
        server.stop();

        let said = old.json(&["copy", "--to", &to.address, "--json"]);
        assert!(said["rows"].as_u64().unwrap() > 10, "{said}");
        let tables = said["tables"].as_array().unwrap();
        let of = |name: &str| tables.iter().find(|table| table["name"] == name).unwrap()["rows"].as_u64();
        assert_eq!((of("pages"), of("persons"), of("webhook_subscriptions")), (Some(1), Some(1), Some(1)));

        let new = Instance::at(to.address.clone());
        let server = new.serve_with(&settings);
        assert_eq!(answers(&server, page, person), before);
        assert_eq!(subscribe(&server).body, subscription.body, "the stored answer");
        assert!(visit(&server, &link).body == shown.body, "the page is another");
        server.is_well();
        server.stop();
    }
}

#[test]
fn what_is_printed_names_the_tables_and_the_key_and_no_password() {
    let (from, to) = pairs().remove(0);
    let from = Instance::at(from.address);
    from.serve().stop();
    let said = from.run(&["copy", "--to", &to.address.replace("postgres@", "postgres:secret@")]).success();
    assert!(
        said.contains("TABLE")
            && said.contains("webhook_subscriptions")
            && said.contains("both were read again"),
        "{said}"
    );
    assert!(said.contains("needs the server key of the source"), "{said}");
    assert!(!said.contains("secret@"), "{said}");
}

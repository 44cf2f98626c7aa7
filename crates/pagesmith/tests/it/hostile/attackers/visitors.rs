//! The same of visitors: the sites of twelve tenants get reports, forms and questions without end, from one address each or from all of them
//! together, and the tenant next door does not notice.

use std::net::SocketAddr;

use pagesmith_testkit::fixtures;
use pagesmith_testkit::samples::visits::{BROWSER, report};
use serde_json::{Value, json};

use super::{ATTACKERS, attacked, beside};
use crate::process::wire::{Connection, Reply};
use crate::process::{Server, eventually};

const FORM: &str = "application/x-www-form-urlencoded";

/// A page that visitors of a tenant's site are shown: its id, and that of its audience.
struct Shown {
    page: String,
    audience: String,
}

/// A page of each attacker, with a form and with the field for questions, of which so many of a visitor are answered.
fn shown(server: &Server, keys: &[String], questions: u32) -> Vec<Shown> {
    let settings =
        json!({ "isShown": true, "perVisitor": questions, "perPage": 1_000_000, "perTenant": 1_000_000 });
    let page = |key: &String| {
        let mut connection = server.connect();
        let mut call = |method: &str, path: &str, body: Option<&Value>, status: u16| {
            connection.call(method, path, Some(key), body).unwrap().expect(status).json()
        };
        let id = |answer: &Value, name: &str| answer[name].as_str().unwrap().to_owned();
        call("PUT", "/v0/question_settings", Some(&settings), 200);
        let mut body = fixtures::page("Attacked");
        body["actions"] = json!([{ "actionId": "contact", "actionType": "form", "purpose": "Ask us.",
            "buttonTitle": "Contact us", "formId": "contact" }]);
        let page = id(&call("POST", "/v0/pages", Some(&body), 201), "pageId");
        let audiences = format!("/v0/pages/{page}/audiences");
        let audience = call("POST", &audiences, Some(&json!({})), 201);
        let version = id(&audience["latestVersion"], "versionId");
        let audience = id(&audience, "audienceId");
        let version = format!("{audiences}/{audience}/versions/{version}");
        eventually("the page is written", || {
            (call("GET", &version, None, 200)["status"] == "published").then_some(())
        });
        Shown { page, audience }
    };
    keys.iter().map(page).collect()
}

/// What a visitor of an attacker's site sends, with script.
fn visit(server: SocketAddr, number: usize, path: &str, kind: &str, body: &str) -> Reply {
    let mut connection = Connection::open(server).unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: attacker-{number}.localhost\r\nuser-agent: {BROWSER}\r\n\
         sec-fetch-site: same-origin\r\naccept: application/json\r\ncontent-type: {kind}\r\n\
         content-length: {}\r\n\r\n",
        body.len()
    );
    connection.send(head + body).unwrap();
    connection.receive().unwrap()
}

#[test]
fn reports_of_page_views_without_end() {
    let (server, keys) = attacked(&[("VISITS_REPORTS_PER_ADDRESS", "2")]);
    let (address, shown) = (server.address, shown(&server, &keys, 1));
    let dropped = beside(&server, move |number| {
        let Shown { page, audience } = &shown[number];
        let reports = (0..20).map(|view| {
            let body = report(&format!("{:032x}", number * 100 + view), page, audience).to_string();
            let reply = visit(address, number, "/.pagesmith/v", "text/plain", &body).expect(204);
            reply.header("x-pagesmith-dropped").map(str::to_owned)
        });
        reports.collect::<Vec<_>>()
    });
    let dropped: Vec<_> = dropped.into_iter().flatten().collect();
    // All come from one address, of which two in a minute are counted; the others are answered as well.
    assert!(dropped.iter().any(Option::is_none), "{dropped:?}");
    assert!(dropped.iter().flatten().all(|why| why == "too_many"), "{dropped:?}");
    assert!(dropped.contains(&Some("too_many".to_owned())), "{dropped:?}");
    server.is_well();
}

#[test]
fn forms_that_are_sent_without_end() {
    let (server, keys) = attacked(&[]);
    let (address, shown) = (server.address, shown(&server, &keys, 1));
    let statuses = beside(&server, move |number| {
        let Shown { page, audience } = &shown[number];
        let sent = (0..40).map(|sent| {
            let body = format!(
                "ps.page={page}&ps.audience={audience}&ps.action=contact&name=Ida+Holm\
                 &email=ida-{number}-{sent}%40holm.example&message=A+call."
            );
            visit(address, number, "/.pagesmith/f", FORM, &body).status
        });
        sent.collect::<Vec<_>>()
    });
    let statuses: Vec<u16> = statuses.into_iter().flatten().collect();
    // Whoever floods a busy database may be told that it is.
    assert!(statuses.iter().all(|status| [200, 429, 503].contains(status)), "{statuses:?}");
    assert!(statuses.contains(&200) && statuses.contains(&429), "{statuses:?}");
    // What was taken beyond five of an address in a minute waits for somebody to look at it, and makes no persons.
    let (taken, accepted) =
        (statuses.iter().filter(|status| **status == 200).count(), accepted(&server, &keys));
    assert!(accepted > 0 && accepted < taken, "{accepted} of {taken}");
    server.is_well();
}

/// How many submissions of all attackers were accepted.
fn accepted(server: &Server, keys: &[String]) -> usize {
    let of = |key: &String| server.get("/v0/persons?limit=100", key).expect(200).json()["items"].clone();
    keys.iter().map(|key| of(key).as_array().unwrap().len()).sum()
}

#[test]
fn questions_without_end() {
    let (server, keys) = attacked(&[]);
    let (address, shown) = (server.address, shown(&server, &keys, 3));
    let answered = beside(&server, move |number| {
        let Shown { page, audience } = &shown[number];
        let asked = (0..10).map(|asked| {
            let body =
                format!("ps.page={page}&ps.audience={audience}&q=What+does+the+anvil+number+{asked}+cost%3F");
            visit(address, number, "/.pagesmith/q", FORM, &body).status
        });
        (number, asked.collect::<Vec<_>>())
    });
    for attacker in 0..ATTACKERS {
        let of_one = answered.iter().filter(|(number, _)| *number == attacker);
        let statuses: Vec<u16> = of_one.flat_map(|(_, statuses)| statuses.clone()).collect();
        assert!(statuses.iter().all(|status| [200, 429, 503].contains(status)), "{statuses:?}");
        // Of one visit three are answered.
        let answered = statuses.iter().filter(|status| **status == 200).count();
        assert!((1..=3).contains(&answered) && statuses.contains(&429), "{statuses:?}");
    }
    server.is_well();
}

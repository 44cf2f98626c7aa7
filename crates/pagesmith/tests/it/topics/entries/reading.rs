//! Pages of entries are read in the background.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use pagesmith_model::network::Networks;
use pagesmith_operations::topics::readings::{self, LEASE, PER_HOST};
use pagesmith_testkit::{Client, Receiver, Script, TestApp};
use pagesmith_worker::turns::Turns;
use pagesmith_worker::{reading, tasks};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::{make, page, path, topic};
use crate::log_lines::LogLines;
use crate::webhooks::deliveries::unreachable::{CAUSES, Inside};

const WORDS: &str =
    "Acme heats houses with heat pumps from Sweden, and every pump has a warranty of ten years. ";

fn html(title: &str) -> Script {
    let body = format!(
        "<!doctype html><title>{title}</title><link rel=icon href=/icon.svg><meta name=description content='Who we are'>
         <article><h2>Warranty</h2><p>{}</p></article>",
        WORDS.repeat(8)
    );
    Script { body, ..Script::status(200).with("content-type", "text/html") }
}

/// No rules for whoever reads pages.
fn no_robots() -> Script {
    Script::status(404)
}

/// A page that is about to be read.
async fn pending(client: &Client, site: &Receiver) -> (String, Value) {
    let (_, entries) = topic(client, "About us").await;
    let entry = make(client, &entries, &page(&site.url())).await;
    assert_eq!(entry["content"]["enrichmentStatus"], "pending");
    (path(&entries, &entry), entry)
}

async fn log(client: &Client, path: &str) -> Vec<Value> {
    client.get(&format!("{path}/log")).await.expect(200).json()["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_page_is_read_and_fills_what_the_caller_left_open() {
    let app = TestApp::start().await;
    let client = app.client();
    let tools = app.tools();
    let site = Receiver::start().await;
    site.answer([no_robots(), html("About Acme, the heat pump people"), html("Once more")]);
    let (path, _) = pending(&client, &site).await;
    tasks::run_all(&tools).await.unwrap();
    let read = client.get(&path).await.expect(200).json();
    let content = &read["content"];
    assert_eq!(content["enrichmentStatus"], "success");
    assert_eq!(content["name"], "About Acme, the heat pump people");
    assert_eq!(content["metaDescription"], "Who we are");
    let origin = site.url().replace("/hook?from=pagesmith", "");
    assert_eq!(content["icon"], format!("{origin}/icon.svg"));
    assert!(content["aiSummary"].as_str().unwrap().contains("heat pumps"));
    let arrived = site.arrived();
    assert_eq!(arrived[0].path, "/robots.txt");
    assert_eq!(
        (arrived[1].path.as_str(), arrived[1].header("user-agent")),
        ("/hook?from=pagesmith", "Pagesmith")
    );
    let log = log(&client, &path).await;
    assert_eq!((log.len(), &log[0]["outcome"], &log[0]["status"]), (1, &json!("success"), &json!(200)));
    // What the caller gives counts, whatever is read later.
    let mut given = content.clone();
    given["name"] = json!("Ours");
    client.patch(&path, &json!({ "content": given })).await.expect(200);
    let asked = client.post(&format!("{path}/refresh"), &json!({})).await.expect(200).json();
    assert_eq!(asked["content"]["enrichmentStatus"], "pending");
    tasks::run_all(&tools).await.unwrap();
    let again = client.get(&path).await.expect(200).json();
    assert_eq!(
        (&again["content"]["name"], &again["content"]["enrichmentStatus"]),
        (&json!("Ours"), &json!("success"))
    );
    assert_eq!(site.arrived().len(), 3, "the site's rules are kept for an hour");
}

#[tokio::test]
async fn a_page_is_read_again_after_thirty_days_if_it_has_changed() {
    let app = TestApp::start().await;
    let client = app.client();
    let site = Receiver::start().await;
    site.answer([no_robots(), html("First").with("etag", "\"v1\""), no_robots(), Script::status(304)]);
    let (path, _) = pending(&client, &site).await;
    app.run_due_work().await;
    let read = client.get(&path).await.expect(200).json();
    app.advance(Duration::from_secs(29 * 24 * 60 * 60));
    app.run_due_work().await;
    assert_eq!(site.arrived().len(), 2);
    app.advance(Duration::from_secs(25 * 60 * 60));
    app.run_due_work().await;
    let arrived = site.arrived();
    assert_eq!((arrived.len(), arrived[3].header("if-none-match")), (4, "\"v1\""));
    assert_eq!(client.get(&path).await.expect(200).json(), read, "nothing has changed");
    assert_eq!(log(&client, &path).await[0]["outcome"], "unchanged");
    // A page that is gone later keeps what was read of it.
    site.answer([no_robots(), Script::status(410)]);
    app.advance(Duration::from_secs(31 * 24 * 60 * 60));
    app.run_due_work().await;
    assert_eq!(client.get(&path).await.expect(200).json(), read);
    assert_eq!(log(&client, &path).await[0]["reason"], "The server answered 410.");
}

#[tokio::test]
async fn what_cannot_be_read_has_failed_with_its_reason() {
    let app = TestApp::start().await;
    let client = app.client();
    let robots = Script { body: "User-agent: *\nDisallow: /".to_owned(), ..Script::status(200) };
    // What is in its first 500 KiB counts, however much follows.
    let long_robots = Script {
        body: format!("User-agent: *\nDisallow: /\n{}", "# and so on\n".repeat(60_000)),
        ..Script::status(200)
    };
    let to = |address: &str| Script::status(302).with("location", address);
    let large = Script { body: "x".repeat(5 * 1024 * 1024 + 1), ..html("Large") };
    let binary =
        Script { headers: vec![("content-type", "application/octet-stream".to_owned())], ..html("Binary") };
    let empty = Script { body: String::new(), ..html("Empty") };
    let packed = html("No gzip").with("content-encoding", "gzip");
    let unreachable = "The page could not be reached: its name, its address or the connection to it failed.";
    for (script, reason) in [
        (vec![no_robots(), Script::status(404)], "The server answered 404."),
        (vec![no_robots(), Script::status(304)], "The server answered 304."),
        (vec![robots], "The site's robots.txt does not allow the page to be read."),
        (vec![long_robots], "The site's robots.txt does not allow the page to be read."),
        // What is not reached is tried once more, as a name that nobody knows is.
        (vec![no_robots(), to("http://10.0.0.1/"), to("http://10.0.0.1/")], unreachable),
        (
            vec![
                no_robots(),
                to("http://169.254.169.254/meta-data/"),
                to("http://169.254.169.254/meta-data/"),
            ],
            unreachable,
        ),
        (vec![no_robots(), to("file:///etc/passwd")], "The address does not begin with http:// or https://."),
        (vec![no_robots(), Script::status(302)], "The page redirects to no address."),
        (
            vec![no_robots(), to("/a"), to("/b"), to("/c"), to("/d")],
            "The page redirects more than three times.",
        ),
        (vec![no_robots(), large], "The page is larger than 5 MiB."),
        (vec![no_robots(), binary], "What the address leads to is no page of text."),
        (vec![no_robots(), empty], "The page has no text."),
        (vec![no_robots(), packed], "The page cannot be unpacked."),
    ] {
        let site = Receiver::start().await;
        site.answer(script);
        let (path, _) = pending(&client, &site).await;
        app.run_due_work().await;
        // What may pass is tried once more.
        app.advance(Duration::from_secs(3));
        app.run_due_work().await;
        let log = log(&client, &path).await;
        assert_eq!(log[0]["reason"], reason);
        assert_eq!(client.get(&path).await.json()["content"]["enrichmentStatus"], "failed", "{reason}");
    }
    let (_, entries) = topic(&client, "Odd addresses").await;
    for address in
        ["mailto:a@acme.example", "http://10.0.0.1/", "http://user:pw@[::1]:1/", "ftp://acme.example/"]
    {
        let entry = make(&client, &entries, &page(address)).await;
        app.run_due_work().await;
        app.advance(Duration::from_secs(3));
        app.run_due_work().await;
        let entry = client.get(&path(&entries, &entry)).await.json();
        assert_eq!(entry["content"]["enrichmentStatus"], "failed", "{address}");
    }
}

#[tokio::test]
async fn a_site_that_is_redirected_to_has_its_own_rules() {
    let app = TestApp::start().await;
    let client = app.client();
    let (from, to) = (Receiver::start().await, Receiver::start().await);
    from.answer([no_robots(), Script::status(302).with("location", &to.url())]);
    to.answer([Script { body: "User-agent: *\nDisallow: /hook".to_owned(), ..Script::status(200) }]);
    let (path, _) = pending(&client, &from).await;
    app.run_due_work().await;
    let told = &log(&client, &path).await[0];
    assert_eq!(told["reason"], "The site's robots.txt does not allow the page to be read.");
    assert_eq!(told["url"], to.url());
    assert_eq!(client.get(&path).await.json()["content"]["enrichmentStatus"], "failed");
    let asked: Vec<String> = to.arrived().into_iter().map(|request| request.path).collect();
    assert_eq!(asked, ["/robots.txt"]);
}

#[tokio::test]
async fn of_a_page_that_cannot_be_reached_the_owner_is_told_the_same_and_the_operator_the_cause() {
    let mut app = TestApp::start().await;
    app.egress.net = Arc::new(Inside);
    app.egress.allowed = Networks::default();
    let client = app.client();
    let mut entries_of = Vec::new();
    for (name, cause) in CAUSES {
        let (_, entries) = topic(&client, name).await;
        let entry = make(&client, &entries, &page(&format!("http://{name}/about"))).await;
        entries_of.push((entry["topicEntryId"].as_str().unwrap().to_owned(), path(&entries, &entry), cause));
    }
    let lines = LogLines::default();
    {
        let _logged = lines.collect();
        app.run_due_work().await;
        app.advance(Duration::from_secs(3));
        app.run_due_work().await;
    }
    let (text, mut shown) = (lines.text(), Vec::new());
    for (id, path, cause) in &entries_of {
        let is_told =
            |line: &str| line.contains(id) && line.contains(cause) && line.contains("request_id=\"req_");
        assert!(text.lines().any(is_told), "{id} {cause}: {text}");
        let status = client.get(path).await.json()["content"]["enrichmentStatus"].clone();
        let told = log(&client, path).await;
        let told = told
            .iter()
            .map(|entry| (entry["outcome"].clone(), entry["reason"].clone(), entry["status"].clone()));
        shown.push((status, told.collect::<Vec<_>>()));
    }
    shown.dedup();
    let told = "The page could not be reached: its name, its address or the connection to it failed.";
    let told = |outcome: &str| (json!(outcome), json!(told), Value::Null);
    assert_eq!(shown, [(json!("failed"), vec![told("failed"), told("retry")])]);
}

#[tokio::test]
async fn a_server_that_fails_for_a_moment_is_asked_once_more() {
    let app = TestApp::start().await;
    let client = app.client();
    let tools = app.tools();
    let site = Receiver::start().await;
    site.answer([no_robots(), Script::status(503), html("Back")]);
    let (path, _) = pending(&client, &site).await;
    tasks::run_all(&tools).await.unwrap();
    assert_eq!(client.get(&path).await.json()["content"]["enrichmentStatus"], "pending");
    app.advance(Duration::from_secs(3));
    tasks::run_all(&tools).await.unwrap();
    assert_eq!(client.get(&path).await.json()["content"]["name"], "Back");
    let outcomes: Vec<Value> =
        log(&client, &path).await.iter().map(|entry| entry["outcome"].clone()).collect();
    assert_eq!(outcomes, ["success", "retry"]);
}

#[tokio::test]
async fn a_page_whose_worker_is_lost_is_read_by_another() {
    let app = TestApp::start().await;
    let client = app.client();
    let site = Receiver::start().await;
    site.answer([no_robots(), html("Read by another")]);
    let (path, _) = pending(&client, &site).await;
    let lost = reading::claim(&app.tools(), &mut Turns::default(), 8).await.unwrap();
    assert_eq!(lost.len(), 1);
    app.run_due_work().await;
    assert!(site.arrived().is_empty(), "the lost worker's lease holds");
    app.advance(LEASE);
    app.run_due_work().await;
    let read = client.get(&path).await.json();
    assert_eq!(read["content"]["name"], "Read by another");
    // The lost worker comes back, and its word does not count.
    let ctx = app.tools().context().of(app.tenant.clone());
    let ended = readings::EndedReading {
        url: Some("https://acme.example/".to_owned()),
        status: None,
        result: readings::ReadResult::Failed { reason: "Lost.".to_owned(), may_pass: false },
    };
    let claimed = lost[0].clone();
    assert!(!app.store.write(move |tx| readings::finish(tx, &ctx, &claimed, &ended)).await.unwrap());
    assert_eq!(client.get(&path).await.json(), read);
}

#[tokio::test]
async fn a_process_that_stops_leaves_its_page_to_others_at_once() {
    let app = TestApp::start().await;
    let client = app.client();
    let site = Receiver::start().await;
    let (path, _) = pending(&client, &site).await;
    let claimed = reading::claim(&app.tools(), &mut Turns::default(), 8).await.unwrap();
    let (_stopping, stop) = watch::channel(true);
    for claimed in claimed {
        reading::attempt(app.tools(), claimed, stop.clone()).await;
    }
    assert_eq!(client.get(&path).await.json()["content"]["enrichmentStatus"], "pending");
    site.answer([no_robots(), html("Read by another")]);
    app.run_due_work().await;
    assert_eq!(client.get(&path).await.json()["content"]["name"], "Read by another");
}

#[tokio::test]
async fn another_address_is_read_instead_of_the_one_that_is_being_read() {
    let app = TestApp::start().await;
    let client = app.client();
    let (old, new) = (Receiver::start().await, Receiver::start().await);
    new.answer([no_robots(), html("The new page")]);
    let (path, _) = pending(&client, &old).await;
    let claimed = reading::claim(&app.tools(), &mut Turns::default(), 8).await.unwrap();
    assert_eq!(claimed.len(), 1);
    client.patch(&path, &page(&new.url())).await.expect(200);
    app.run_due_work().await;
    assert_eq!(client.get(&path).await.json()["content"]["name"], "The new page");
    client.patch(&path, &super::text("No page any more")).await.expect(200);
    client.post(&format!("{path}/refresh"), &json!({})).await.expect(409);
    app.run_due_work().await;
    assert_eq!(log(&client, &path).await, [] as [Value; 0]);
}

#[tokio::test]
async fn tenants_have_their_turns_and_a_host_is_asked_for_few_pages_at_once() {
    let app = TestApp::start().await;
    let (ours, theirs) = (app.client(), app.stranger().await);
    for (client, hosts) in [(&ours, vec!["busy"; 20]), (&theirs, vec!["a", "b", "busy", "busy"])] {
        let (_, entries) = topic(client, "Pages").await;
        for (at, host) in hosts.into_iter().enumerate() {
            make(client, &entries, &page(&format!("https://{host}.example/{at}"))).await;
        }
    }
    let tools = app.tools();
    let claimed = reading::claim(&tools, &mut Turns::default(), 16).await.unwrap();
    let of = |host: &str| claimed.iter().filter(|claimed| claimed.of.host == host).count();
    assert_eq!((of("busy.example"), of("a.example"), of("b.example")), (PER_HOST, 1, 1));
    // While these are being read, no more of the host are begun.
    assert_eq!(reading::claim(&tools, &mut Turns::default(), 16).await.unwrap(), []);
}

/// Sites that take connections and never answer, each at an address of its own.
fn silent_sites(count: u8) -> Vec<TcpListener> {
    let bind = |at| TcpListener::bind((Ipv4Addr::new(127, 1, 0, at), 0)).unwrap();
    (1..=count).map(bind).collect()
}

/// Takes the sites away that somebody has come to.
fn without_visited(sites: &mut Vec<TcpListener>, visits: &mut Vec<TcpStream>) {
    sites.retain(|site| {
        site.set_nonblocking(true).unwrap();
        let visit = site.accept().ok().map(|(visit, _)| visit);
        let is_visited = visit.is_some();
        // One that is closed would be an answer.
        visits.extend(visit);
        !is_visited
    });
}

#[tokio::test]
async fn a_tenant_whose_sites_never_answer_leaves_half_of_the_readers_to_others() {
    let app = TestApp::start().await;
    let (slow, other) = (app.client(), app.stranger().await);
    let (mut sites, mut visits) = (silent_sites(20), Vec::new());
    let (_, entries) = topic(&slow, "Pages").await;
    for site in &sites {
        make(&slow, &entries, &page(&format!("http://{}/", site.local_addr().unwrap()))).await;
    }
    let (stopping, stop) = watch::channel(false);
    let running = tokio::spawn(reading::run(app.tools(), stop));
    while visits.len() < 8 {
        tokio::task::yield_now().await;
        without_visited(&mut sites, &mut visits);
    }
    let site = Receiver::start().await;
    site.answer([no_robots(), html("Read at once")]);
    let (path, _) = pending(&other, &site).await;
    while other.get(&path).await.json()["content"]["enrichmentStatus"] != "success" {
        tokio::task::yield_now().await;
        without_visited(&mut sites, &mut visits);
        assert_eq!(visits.len(), 8);
    }
    stopping.send_replace(true);
    running.await.unwrap();
}

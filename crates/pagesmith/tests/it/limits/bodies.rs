//! Bodies that break very many rules or are nested, long or odd beyond measure.

use std::time::Duration;

use futures_util::FutureExt;
use pagesmith_testkit::app::Plan;
use pagesmith_testkit::{Answer, TestApp, fixtures};
use serde_json::{Value, json};

/// How many issues an answer lists.
fn listed(answer: &Answer) -> usize {
    let parts = answer.json()["details"].as_array().unwrap().clone();
    parts.iter().map(|part| part["issues"].as_array().unwrap().len()).sum()
}

fn detail(answer: &Answer) -> String {
    answer.json()["detail"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_hundred_issues_are_listed_and_the_others_counted() {
    let app = TestApp::start().await;
    let mut page = fixtures::page("Broken");
    page["actions"] = json!(vec![0; 990]);
    let answer = app.client().post("/v0/pages", &page).await.expect(400);
    assert_eq!(listed(&answer), 100);
    assert!(detail(&answer).ends_with("; … and 890 more."), "{}", detail(&answer));
    page["actions"] = json!(vec![0; 100]);
    let answer = app.client().post("/v0/pages", &page).await.expect(400);
    assert_eq!((listed(&answer), detail(&answer).contains('…')), (100, false));
    // All parts of a request have one list together.
    page["actions"] = json!(vec![0; 120]);
    let client = app.client().with("idempotency-key", &"k".repeat(300));
    let answer = client.post("/v0/pages", &page).await.expect(400);
    assert_eq!(listed(&answer), 100);
    assert!(detail(&answer).ends_with("; … and 21 more."), "{}", detail(&answer));
}

#[tokio::test]
async fn a_large_broken_body_has_a_small_answer() {
    // Of a program that is not optimised this takes its time; what counts is how much is built and told.
    let patient = |plan: &mut Plan| plan.settings.request_timeout = Duration::from_secs(600);
    let app = TestApp::with(patient).await;
    let names = (0..20_000).map(|number| format!("\"n{number}\":0")).collect::<Vec<_>>().join(",");
    let long = format!("\"{}\":0,", "n".repeat(1_000)).repeat(1_000);
    let deep = "{\"footerLinks\":[{\"links\":[".to_owned() + &"0,".repeat(50_000) + "0]}]}";
    let bodies = [
        ("unknown names", format!("{{{names}}}"), 20_006),
        ("zeros", format!("{{\"actions\":[{}0]}}", "0,".repeat(50_000)), 50_007),
        ("nested zeros", deep, 50_009),
        ("NULs", format!("{{\"brandId\":[{}1]}}", "\"\\u0000\",".repeat(20_000)), 0),
        ("one name again and again", format!("{{{long}\"a\":1}}"), 0),
        ("arrays", "[".repeat(1_000_000), 1),
        ("objects", "{\"a\":".repeat(150_000), 1),
        ("a text", format!("\"{}\"", "x".repeat(1_000_000)), 1),
        ("a number", format!("{{\"name\":1{}}}", "0".repeat(1_000_000)), 0),
        ("an exponent", "{\"name\":1e999999999}".to_owned(), 0),
    ];
    for (what, body, issues) in bodies {
        let answer = app.client().send("POST", "/v0/pages", Some(body.into_bytes())).await.expect(400);
        assert!(answer.bytes.len() < 300_000, "{what}: {} bytes", answer.bytes.len());
        let unlisted = detail(&answer).rsplit_once("… and ").map_or(0, |(_, more)| {
            more.trim_end_matches(" more.").replace(',', "").parse::<usize>().unwrap()
        });
        let found = listed(&answer) + unlisted;
        assert!(issues == 0 || found == issues, "{what}: {found} issues, {}", detail(&answer));
    }
    let empty = app.client().get("/v0/pages").await.expect(200).json();
    assert_eq!(empty["totalCount"], 0);
}

#[tokio::test]
async fn a_number_of_a_million_digits_comes_back_as_it_was_sent() {
    let app = TestApp::start().await;
    let number = format!("1{}", "0".repeat(1_000_000));
    let body = format!("{{\"email\":\"a@acme.example\",\"source\":\"crm\",\"payload\":{{\"n\":{number}}}}}");
    let client = app.client();
    let made = client.send("POST", "/v0/person_logs", Some(body.into_bytes())).await.expect(201).json();
    let listed = client.get(&format!("/v0/persons/{}/logs", made["personId"].as_str().unwrap())).await;
    assert!(listed.text().contains(&number));
}

#[tokio::test]
async fn a_large_body_is_not_read_on_the_thread_that_serves_others() {
    let app = TestApp::start().await;
    let client = app.client();
    // As long as nobody has a place elsewhere, a large body waits, and this one thread goes on serving.
    let taken = app.state.offload.take_all().await;
    let large = |name: &str| {
        let mut page = fixtures::page(name);
        page["pageContext"] = Value::String("x".repeat(50_000));
        page
    };
    let (valid, mut broken) = (large("Large"), large("Broken"));
    broken["actions"] = json!(0);
    let mut waiting = [client.post("/v0/pages", &valid).boxed(), client.post("/v0/pages", &broken).boxed()];
    for request in &mut waiting {
        assert!(request.now_or_never().is_none());
    }
    client.post("/v0/pages", &fixtures::page("Small")).await.expect(201);
    for request in &mut waiting {
        assert!(request.now_or_never().is_none());
    }
    let listed = client.get("/v0/pages").await.expect(200).json();
    assert_eq!(listed["totalCount"], 1);
    drop(taken);
    let [valid, broken] = waiting;
    valid.await.expect(201);
    broken.await.expect(400);
}

#[tokio::test]
async fn a_body_of_eight_kibibytes_is_read_at_once_and_a_byte_more_elsewhere() {
    let app = TestApp::start().await;
    let client = app.client();
    // Without a place elsewhere, a body that is not read at once waits.
    let taken = app.state.offload.take_all().await;
    let of = |length: usize, mut page: Value| {
        page["pageContext"] = Value::String(String::new());
        let missing = length - page.to_string().len();
        page["pageContext"] = Value::String("x".repeat(missing));
        page.to_string().into_bytes()
    };
    let broken = json!({ "name": "Broken", "actions": 0 });
    let [longest, longest_broken] =
        [fixtures::page("Longest"), broken.clone()].map(|page| of(8 * 1024, page));
    assert_eq!((longest.len(), longest_broken.len()), (8_192, 8_192));
    client.send("POST", "/v0/pages", Some(longest)).await.expect(201);
    client.send("POST", "/v0/pages", Some(longest_broken)).await.expect(400);

    let longer = [fixtures::page("Longer"), broken].map(|page| of(8 * 1024 + 1, page));
    let mut waiting = longer.map(|body| client.send("POST", "/v0/pages", Some(body)).boxed());
    for request in &mut waiting {
        assert!(request.now_or_never().is_none());
    }
    drop(taken);
    let [valid, broken] = waiting;
    valid.await.expect(201);
    broken.await.expect(400);
}

//! Brands that are proposed from websites.

use pagesmith_model::key::Scope;
use pagesmith_testkit::{Receiver, Script, TestApp};
use serde_json::{Value, json};

fn answer(kind: &str, body: &str) -> Script {
    Script { body: body.to_owned(), ..Script::status(200).with("content-type", kind) }
}

fn no_robots() -> Script {
    Script::status(404)
}

const PAGE: &str = "<!doctype html><html><head><title>Bread | Nord Bakery</title><meta name=theme-color content='#14213d'>
    <link rel=icon href=/icon.png><link rel=stylesheet href=/main.css><link rel=stylesheet href=/gone.css>
    <style>.btn{border-radius:6px}</style></head><body><header><a href=/><img src=/logo.svg class=logo alt=Nord></a></header>
    <h1>Bread</h1><footer><a href=/impressum>Impressum</a></footer></body></html>";

const SHEET: &str = ":root{--brand:#8a3324} body{color:#aaa;background:#fff;font-family:Inter,sans-serif}
    h1{font-family:'Playfair Display',serif} .btn{background:var(--brand)}";

async fn ask(app: &TestApp, url: &str) -> pagesmith_testkit::Answer {
    app.client().post("/v0/brands/from_website", &json!({ "url": url })).await
}

#[tokio::test]
async fn a_website_is_read_and_its_proposal_can_be_created() {
    let app = TestApp::start().await;
    let site = Receiver::start().await;
    site.answer([
        no_robots(),
        answer("text/html; charset=utf-8", PAGE),
        answer("text/css", SHEET),
        Script::status(404),
    ]);
    let proposal = ask(&app, &site.url()).await.expect(200).json();
    let origin = site.url().replace("/hook?from=pagesmith", "");
    let expected = json!({
        "name": "Nord Bakery",
        "look": {
            "primaryColor": "#14213d", "accentColor": "#8a3324", "textColor": "#767676",
            "headingFonts": "Playfair Display", "bodyFonts": "Inter", "cornerRadius": 6,
            "logo": { "url": format!("{origin}/logo.svg"), "altText": "Nord" }, "iconUrl": format!("{origin}/icon.png"),
        },
        "voice": { "wordsToUse": [], "wordsToAvoid": [] },
        "legalLinks": [{ "text": "Impressum", "url": format!("{origin}/impressum") }],
    });
    assert_eq!(proposal["brand"], expected);
    assert_eq!(proposal["url"], site.url());
    assert_eq!(
        proposal["notes"],
        json!([
            "The text colour #aaaaaa has a contrast of 2.3 on the background #ffffff, and 4.5 is needed: #767676 is proposed.",
            "Fonts are named and not copied: visitors who do not have them see the next one.",
            "1 style sheets of the website could not be read.",
        ])
    );
    let client = app.client();
    assert_eq!(client.get("/v0/brands").await.expect(200).json()["totalCount"], 0, "nothing was saved");
    let brand = client.post("/v0/brands", &proposal["brand"]).await.expect(201).json();
    assert_eq!(brand["palette"], proposal["palette"]);
    assert_eq!(
        site.arrived().iter().map(|arrived| arrived.path.as_str()).collect::<Vec<_>>(),
        ["/robots.txt", "/hook?from=pagesmith", "/main.css", "/gone.css",]
    );
}

#[tokio::test]
async fn what_cannot_be_read_is_told_and_nothing_else_is_asked() {
    let app = TestApp::start().await;
    let moved = |to: &str| Script::status(302).with("location", to);
    let html = |body: &str| answer("text/html", body);
    let deep = "<div>".repeat(1_000);
    let cases: [(Vec<Script>, &str); 9] = [
        (vec![answer("text/plain", "User-agent: *\nDisallow: /")], "robots.txt does not allow"),
        (vec![no_robots(), Script::status(404)], "The server answered 404"),
        (vec![no_robots(), answer("application/pdf", "%PDF")], "is no page of text"),
        (vec![no_robots(), moved("http://10.0.0.1/")], "could not be reached"),
        (vec![no_robots(), moved("http://[::1]:22/")], "could not be reached"),
        (vec![no_robots(), moved("file:///etc/passwd")], "does not begin with http"),
        (vec![no_robots(), moved("/1"), moved("/2"), moved("/3"), moved("/4")], "more than three times"),
        (vec![no_robots(), html(&deep)], "nested too deeply"),
        (vec![no_robots(), html(&"x".repeat(5 * 1024 * 1024 + 1))], "larger than 5 MiB"),
    ];
    for (scripts, reason) in cases {
        let site = Receiver::start().await;
        let count = scripts.len();
        site.answer(scripts);
        let error = ask(&app, &site.url()).await.expect(409).json();
        let detail = error["detail"].as_str().unwrap();
        assert!(detail.contains(reason), "{detail}");
        assert_eq!(error["details"], json!({ "reason": "website_unreadable" }), "{reason}");
        assert_eq!(site.arrived().len(), count, "{reason}");
    }
    for unreachable in
        ["http://10.0.0.1/", "http://169.254.169.254/latest", "http://nobody.invalid/", "http://127.0.0.1:1/"]
    {
        let error = ask(&app, unreachable).await.expect(409).json();
        let told = "The website was not read. The page could not be reached: its name, its address or the connection to it failed.";
        assert_eq!(error["detail"], told, "{unreachable}");
    }
}

#[tokio::test]
async fn a_style_sheet_leads_nowhere_else_than_a_page_may() {
    let app = TestApp::start().await;
    let site = Receiver::start().await;
    let page =
        "<title>A</title><link rel=stylesheet href='http://10.0.0.1/a.css'><link rel=stylesheet href=/b.css>";
    let moved = Script::status(301).with("location", "http://192.168.0.1/c.css");
    site.answer([no_robots(), answer("text/html", page), moved]);
    let proposal = ask(&app, &site.url()).await.expect(200).json();
    assert_eq!(proposal["brand"]["look"], json!({}));
    let notes: Vec<&str> = proposal["notes"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(notes.contains(&"2 style sheets of the website could not be read."), "{notes:?}");
}

#[tokio::test]
async fn an_address_that_is_none_and_a_key_that_only_reads_are_refused() {
    let app = TestApp::start().await;
    for url in ["", "acme.example", "ftp://acme.example/", "javascript:alert(1)", "http://"] {
        ask(&app, url).await.expect(400);
    }
    let reader = app.client_with(&app.add_key("acme", Scope::Read).await);
    reader.post("/v0/brands/from_website", &json!({ "url": "https://acme.example/" })).await.expect(403);
}

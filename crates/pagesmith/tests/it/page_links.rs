//! `/v0/page_links`, and the paths of links on the site.

mod followed;
mod paths;
mod routed;

use std::collections::HashSet;
use std::time::Duration;

use pagesmith_testkit::{Client, TestApp, fixtures};
use serde_json::{Value, json};

use crate::audiences::audience;

/// A page of this name; its id.
pub(crate) async fn page(client: &Client, name: &str) -> String {
    let page = client.post("/v0/pages", &fixtures::page(name)).await.expect(201).json();
    page["pageId"].as_str().unwrap().to_owned()
}

/// An audience of a page; its id.
pub(crate) async fn audience_of(client: &Client, page: &str, name: &str) -> String {
    let path = audience(client, &format!("/v0/pages/{page}"), &json!({ "customName": name })).await;
    path.rsplit('/').next().unwrap().to_owned()
}

pub(crate) fn to_page(page: &str) -> Value {
    json!({ "targetType": "page", "pageId": page })
}

fn to_audience(audience: &str) -> Value {
    json!({ "targetType": "audience", "audienceId": audience })
}

fn routing(page: &str, table: &Value) -> Value {
    json!({ "targetType": "page_routing", "pageId": page, "routingTable": table })
}

pub(crate) async fn link(client: &Client, path: &str, target: &Value) -> Value {
    let body = json!({ "path": path, "target": target });
    // The contract has 200 here.
    client.post("/v0/page_links", &body).await.expect(200).json()
}

fn path_of(link: &Value) -> String {
    format!("/v0/page_links/{}", link["pageLinkId"].as_str().unwrap())
}

async fn found(client: &Client, query: &str) -> Value {
    client.get(&format!("/v0/page_links{query}")).await.expect(200).json()
}

fn paths(found: &Value) -> Vec<&str> {
    found["items"].as_array().unwrap().iter().map(|link| link["path"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_link_comes_back_as_it_was_made() {
    let app = TestApp::start().await;
    let client = app.client();
    let page = page(&client, "Spring").await;
    let audience = audience_of(&client, &page, "Plants").await;
    let table = json!([
        { "audienceId": audience, "weight": 9_007_199_254_740_991_u64 },
        { "targetUrl": "https://acme.example/demo?a=b", "weight": 1, "preserveQueryParams": false },
        { "targetUrl": "https://acme.example", "weight": 3 },
    ]);
    let bare = json!({ "targetType": "page_routing", "pageId": page });
    for (path, target) in [
        ("/Go", to_page(&page)),
        ("/plants", to_audience(&audience)),
        ("/split", routing(&page, &table)),
        ("/split/none", routing(&page, &json!([]))),
        ("/bare", bare.clone()),
    ] {
        let made = link(&client, path, &target).await;
        let expected = json!({
            "pageLinkId": made["pageLinkId"], "tenantDomainId": null, "path": path,
            "url": format!("http://acme.localhost:8080{path}"), "domain": "acme.localhost", "hostname": "acme.localhost",
            "target": target, "createdAt": made["createdAt"], "updatedAt": made["createdAt"], "deletedAt": null,
        });
        assert_eq!(made, expected);
        assert_eq!(client.get(&path_of(&made)).await.expect(200).json(), made);
    }
    let null_table = link(&client, "/null", &routing(&page, &Value::Null)).await;
    assert_eq!(null_table["target"], bare);
}

#[tokio::test]
async fn links_are_listed_newest_first_page_by_page() {
    let app = TestApp::start().await;
    let client = app.client();
    let (spring, summer) = (page(&client, "Spring").await, page(&client, "Summer").await);
    let audience = audience_of(&client, &summer, "Plants").await;
    for (path, target) in [
        ("/a", to_page(&spring)),
        ("/b", to_audience(&audience)),
        ("/c", routing(&spring, &json!([{ "audienceId": audience, "weight": 1 }]))),
        ("/d", to_page(&summer)),
    ] {
        link(&client, path, &target).await;
    }
    let all = found(&client, "").await;
    assert_eq!((paths(&all), &all["totalCount"]), (vec!["/d", "/c", "/b", "/a"], &json!(4)));
    let first = found(&client, "?limit=3").await;
    assert_eq!((paths(&first), &first["hasMore"]), (vec!["/d", "/c", "/b"], &json!(true)));
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = found(&client, &format!("?limit=3&cursor={cursor}")).await;
    assert_eq!((paths(&second), &second["totalCount"]), (vec!["/a"], &json!(4)));
    client.get(&format!("/v0/page_links?cursor={cursor}&pageId={spring}")).await.expect(400);
    for (query, expected) in [
        (format!("?pageId={spring}"), vec!["/c", "/a"]),
        (format!("?pageId={summer}"), vec!["/d", "/b"]),
        (format!("?pageId={summer}&path=/B"), vec!["/b"]),
        ("?path=%2FB%2F".to_owned(), vec!["/b"]),
        ("?path=b".to_owned(), vec!["/b"]),
        ("?path=/e".to_owned(), vec![]),
        ("?path=..".to_owned(), vec![]),
        ("?path=".to_owned(), vec![]),
        ("?pageId=none".to_owned(), vec![]),
        ("?tenantDomainId=domain_01jpbz8n4xf5k9w2d7hq3mv6ta".to_owned(), vec![]),
    ] {
        let found = found(&client, &query).await;
        assert_eq!(
            (paths(&found), &found["totalCount"]),
            (expected.clone(), &json!(expected.len())),
            "{query}"
        );
    }
}

#[tokio::test]
async fn links_are_found_by_path_page_and_audience() {
    let app = TestApp::start().await;
    let client = app.client();
    let (spring, winter) = (page(&client, "Frühling im Werk").await, page(&client, "Winter").await);
    let audience = audience_of(&client, &winter, "Night shift").await;
    for (path, target) in [
        ("/go/Messe-Köln", to_page(&spring)),
        ("/winter", to_page(&spring)),
        ("/a", to_page(&winter)),
        ("/b", to_audience(&audience)),
        ("/c", routing(&winter, &json!([]))),
    ] {
        // A page's slug cannot be a path.
        if path == "/winter" {
            client.post("/v0/page_links", &json!({ "path": path, "target": target })).await.expect(409);
        } else {
            link(&client, path, &target).await;
        }
    }
    for (query, expected) in [
        ("query=koln", vec!["/go/Messe-K%C3%B6ln"]),
        ("query=fruhling%20werk", vec!["/go/Messe-K%C3%B6ln"]),
        ("query=winter", vec!["/c", "/b", "/a"]),
        ("query=winter&targetType=audience", vec!["/b"]),
        ("query=night", vec!["/b"]),
        ("query=nothing", vec![]),
        ("query=go%20winter", vec![]),
        ("query=", vec!["/c", "/b", "/a", "/go/Messe-K%C3%B6ln"]),
        ("targetType=page_routing", vec!["/c"]),
        ("targetType=page&query=", vec!["/a", "/go/Messe-K%C3%B6ln"]),
    ] {
        let found = found(&client, &format!("/search?{query}")).await;
        assert_eq!(
            (paths(&found), &found["totalCount"]),
            (expected.clone(), &json!(expected.len())),
            "{query}"
        );
    }
    let of_page = found(&client, &format!("/search?query=a&pageId={winter}")).await;
    assert_eq!(paths(&of_page)[0], "/a", "what is exact is best");
    client.get("/v0/page_links/search?targetType=folder").await.expect(400);
    // Renamed pages are found by their new names, and links to deleted ones by their paths.
    client.patch(&format!("/v0/pages/{spring}"), &json!({ "name": "Herbst" })).await.expect(200);
    assert_eq!(paths(&found(&client, "/search?query=herbst").await), ["/go/Messe-K%C3%B6ln"]);
    client.delete(&format!("/v0/pages/{spring}")).await.expect(200);
    assert!(paths(&found(&client, "/search?query=herbst").await).is_empty());
    assert_eq!(paths(&found(&client, "/search?query=messe").await), ["/go/Messe-K%C3%B6ln"]);
}

#[tokio::test]
async fn a_link_is_changed_field_by_field() {
    let app = TestApp::start().await;
    let client = app.client();
    let (spring, summer) = (page(&client, "Spring").await, page(&client, "Summer").await);
    let made = link(&client, "/go", &to_page(&spring)).await;
    let path = path_of(&made);
    app.advance(Duration::from_secs(5));
    for same in
        [json!({}), json!({ "path": "//go/" }), json!({ "target": to_page(&spring), "tenantDomainId": null })]
    {
        assert_eq!(client.patch(&path, &same).await.expect(200).json(), made, "nothing was changed");
    }
    let tag = client.get(&path).await.expect(200).header("etag").unwrap().to_owned();
    let moved = client.patch(&path, &json!({ "path": "/GO" })).await.expect(200).json();
    assert_eq!(
        (&moved["path"], &moved["target"]),
        (&json!("/GO"), &made["target"]),
        "another case is no other path"
    );
    assert_ne!(moved["updatedAt"], made["updatedAt"]);
    client.with("if-match", &tag).patch(&path, &json!({ "path": "/late" })).await.expect(412);
    let led = client.patch(&path, &json!({ "target": to_page(&summer) })).await.expect(200).json();
    assert_eq!((&led["path"], &led["target"]), (&json!("/GO"), &to_page(&summer)));
    assert_eq!(client.get(&path).await.expect(200).json(), led);
    client.delete(&path).await.expect(200);
    for answer in [client.get(&path).await, client.delete(&path).await, client.patch(&path, &json!({})).await]
    {
        answer.expect(404);
    }
    assert_eq!(found(&client, "").await["totalCount"], 0);
    link(&client, "/go", &to_page(&summer)).await;
}

#[tokio::test]
async fn targets_must_be_the_tenants_own() {
    let app = TestApp::start().await;
    let (client, stranger) = (app.client(), app.stranger().await);
    let (own, foreign, gone) =
        (page(&client, "Spring").await, page(&stranger, "Theirs").await, page(&client, "Gone").await);
    let (audience, lost) =
        (audience_of(&stranger, &foreign, "Theirs").await, audience_of(&client, &gone, "Lost").await);
    client.delete(&format!("/v0/pages/{gone}")).await.expect(200);
    let route = |id: &str| json!([{ "targetUrl": "https://acme.example", "weight": 1 }, { "audienceId": id, "weight": 1 }]);
    let made = link(&client, "/go", &to_page(&own)).await;
    for (target, place) in [
        (to_page(&foreign), "target.pageId"),
        (to_page(&gone), "target.pageId"),
        (to_page(""), "target.pageId"),
        (to_page(&audience), "target.pageId"),
        (to_audience(&audience), "target.audienceId"),
        (to_audience(&lost), "target.audienceId"),
        (to_audience("x"), "target.audienceId"),
        (routing(&foreign, &Value::Null), "target.pageId"),
        (routing(&own, &route(&audience)), "target.routingTable.1.audienceId"),
        (routing(&own, &route("'")), "target.routingTable.1.audienceId"),
    ] {
        let expected = [("unknown_reference".to_owned(), place.to_owned())];
        let body = json!({ "path": "/new", "target": target });
        assert_eq!(client.post("/v0/page_links", &body).await.expect(400).issues(), expected, "{target}");
        let patch = json!({ "target": target });
        assert_eq!(client.patch(&path_of(&made), &patch).await.expect(400).issues(), expected, "{target}");
    }
    let body = json!({ "path": "/new", "target": to_page(&own), "tenantDomainId": "domain_01jpbz8n4xf5k9w2d7hq3mv6ta" });
    let issues = client.post("/v0/page_links", &body).await.expect(400).issues();
    assert_eq!(issues, [("unknown_reference".to_owned(), "tenantDomainId".to_owned())]);
    assert_eq!(paths(&found(&client, "").await), ["/go"]);
    stranger.get(&path_of(&made)).await.expect(404);
    stranger.get(&format!("{}/qr.svg", path_of(&made))).await.expect(404);
    // The same path is another one on another site.
    link(&stranger, "/go", &to_page(&foreign)).await;
}

#[tokio::test]
async fn tables_that_make_no_sense_are_refused() {
    let app = TestApp::start().await;
    let client = app.client();
    let page = page(&client, "Spring").await;
    let external = |weight: &Value| json!([{ "targetUrl": "https://acme.example", "weight": weight }]);
    let many = |count: usize| json!(vec![json!({ "targetUrl": "https://acme.example", "weight": 1 }); count]);
    for table in [
        external(&json!(0)),
        external(&json!(-1)),
        external(&json!(0.5)),
        external(&json!("1")),
        external(&json!(9_007_199_254_740_992_u64)),
        external(&json!(1e300)),
        json!([{ "targetUrl": "https://acme.example" }]),
        json!([{ "targetUrl": "javascript:alert(1)", "weight": 1 }]),
        json!([{ "targetUrl": "/pricing", "weight": 1 }]),
        json!([{ "targetUrl": "https://acme.example", "audienceId": "audience", "weight": 1 }]),
        json!([{ "weight": 1 }]),
        json!([null]),
        json!({}),
        many(101),
        many(10_000),
    ] {
        let body = json!({ "path": "/split", "target": routing(&page, &table) });
        client.post("/v0/page_links", &body).await.expect(400);
    }
    for target in
        [json!(null), json!({}), json!({ "targetType": "folder", "pageId": page }), json!({ "pageId": page })]
    {
        client.post("/v0/page_links", &json!({ "path": "/split", "target": target })).await.expect(400);
    }
    link(&client, "/split", &routing(&page, &many(100))).await;
}

/// The dark modules of a code as SVG, without its margin of four, and how many a side has.
fn dark_modules(svg: &str) -> (usize, Vec<(usize, usize)>) {
    let width: usize =
        svg.split("viewBox=\"0 0 ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    let path = svg.split(" d=\"").last().unwrap().split('"').next().unwrap();
    let runs = path.split('M').filter(|run| !run.is_empty()).flat_map(|run| {
        let (x, rest) = run.split_once(' ').unwrap();
        let (y, rest) = rest.split_once('h').unwrap();
        let length: usize = rest.split('v').next().unwrap().parse().unwrap();
        let (x, y): (usize, usize) = (x.parse().unwrap(), y.parse().unwrap());
        (0..length).map(move |at| (x + at - 4, y - 4))
    });
    (width - 8, runs.collect())
}

/// What a reader finds in a drawing of a code.
fn read_svg(svg: &str) -> String {
    let (width, dark) = dark_modules(svg);
    let dark: HashSet<(usize, usize)> = dark.into_iter().collect();
    let grid = rqrr::SimpleGrid::from_func(width, |x, y| dark.contains(&(x, y)));
    rqrr::Grid::new(grid).decode().unwrap().1
}

/// What it finds in a picture, where the code has to be looked for.
fn read_png(png: &[u8]) -> String {
    let pixels = image::load_from_memory(png).unwrap().into_luma8();
    // Four pixels a module are enough.
    let (width, height) = (pixels.width() / 4, pixels.height() / 4);
    let shade = |x: usize, y: usize| pixels.get_pixel(4 * x as u32, 4 * y as u32).0[0];
    let mut image = rqrr::PreparedImage::prepare_from_greyscale(width as usize, height as usize, shade);
    let grids = image.detect_grids();
    let [grid] = &grids[..] else { panic!("{} codes", grids.len()) };
    grid.decode().unwrap().1
}

#[tokio::test]
async fn a_link_has_a_code_to_scan() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = link(&client, "/go", &to_page(&page(&client, "Spring").await)).await;
    let svg = client.get(&format!("{}/qr.svg", path_of(&made))).await.expect(200);
    assert_eq!(svg.header("content-type"), Some("image/svg+xml"));
    assert!(svg.text().starts_with("<svg ") && svg.text().ends_with("</svg>"));
    assert_eq!(read_svg(&svg.text()), made["url"]);
    let png = client.get(&format!("{}/qr.png", path_of(&made))).await.expect(200);
    assert_eq!(png.header("content-type"), Some("image/png"));
    assert_eq!(read_png(&png.bytes), made["url"]);
    let longest = link(&client, &format!("/{}", "a".repeat(499)), &made["target"]).await;
    let svg = client.get(&format!("{}/qr.svg", path_of(&longest))).await.expect(200);
    assert_eq!(read_svg(&svg.text()), longest["url"]);
    app.anonymous().get(&format!("{}/qr.svg", path_of(&made))).await.expect(401);
}

//! The screens of links: who came by a link, and where it leads.

use pagesmith_model::user::Role;
use pagesmith_testkit::TestApp;
use serde_json::{Value, json};

use super::browser::{Browser, fields, with};
use crate::audiences;
use crate::page_links::link;
use crate::visits::{Scene, page, shown};

/// Makes a link of the scene's page that shares its visitors among the page's audience, another one of it, and an address elsewhere.
async fn shared(scene: &Scene) -> (Value, String) {
    let other = shown(&scene.client, &scene.page, &json!({ "customName": "Bakers" })).await;
    let table = json!([
        { "audienceId": scene.audience, "weight": 3 },
        { "audienceId": other, "weight": 1 },
        { "targetUrl": "https://example.com/demo", "weight": 4, "preserveQueryParams": false },
    ]);
    let target = json!({ "targetType": "page_routing", "pageId": scene.page, "routingTable": table });
    (link(&scene.client, "/spring", &target).await, other)
}

fn path_of(link: &Value) -> String {
    format!("/console/t/acme/links/{}", link["pageLinkId"].as_str().unwrap())
}

#[tokio::test]
async fn shares_by_weight_stand_beside_those_of_visits() {
    let scene = Scene::start().await;
    let (link, other) = shared(&scene).await;
    // Another link on the same page, and a visit by none.
    let by_link = json!({ "l": "/spring?utm_source=mail" });
    for (view, fields) in [
        (1, by_link.clone()),
        (2, json!({ "l": "/spring", "a": other })),
        (3, json!({ "l": "/SPRING/", "a": other })),
        (4, json!({ "a": other })),
    ] {
        let visitor = scene.browser(100 + u32::try_from(view).unwrap());
        assert_eq!(scene.send_as(&visitor, view, &fields).await, None);
    }
    scene.after(31).await;
    assert_eq!(scene.send_as(&scene.browser(105), 5, &json!({ "l": "/spring", "a": other })).await, None);
    let api = format!("/v0/page_links/{}/visits", link["pageLinkId"].as_str().unwrap());
    let came = scene.client.get(&api).await.expect(200).json();
    assert_eq!(came["totalSessions"], 4);
    let expected = json!([
        { "audienceId": other, "totalSessions": 3 },
        { "audienceId": scene.audience, "totalSessions": 1 },
    ]);
    assert_eq!(came["audiences"], expected);

    let screen = Browser::owner(&scene.app).await.open(&path_of(&link)).await.expect(200).text();
    for told in
        ["4 visits by this link", ">75\u{a0}%<", ">25\u{a0}%<", "37.5\u{a0}%", "12.5\u{a0}%", "not counted"]
    {
        assert!(screen.contains(told), "{told}: {screen}");
    }
    let mut viewer = Browser::with_role(&scene.app, Role::Viewer).await;
    let screen = viewer.open(&path_of(&link)).await.expect(200).text();
    assert!(screen.contains("4 visits by this link") && !screen.contains("/target"), "{screen}");
    // What was long ago does not count.
    scene.app.advance(std::time::Duration::from_hours(31 * 24));
    assert_eq!(scene.client.get(&api).await.expect(200).json()["totalSessions"], 0);
    scene.client.get(&api.replace("pagelink_0", "pagelink_7")).await.expect(404);
}

#[tokio::test]
async fn where_a_link_leads_is_changed_and_told_where_it_is_wrong() {
    let scene = Scene::start().await;
    let (link, other) = shared(&scene).await;
    let mut owner = Browser::owner(&scene.app).await;
    let path = format!("{}/target", path_of(&link));
    let api = format!("/v0/page_links/{}", link["pageLinkId"].as_str().unwrap());
    let held = fields(&owner.open(&path).await.expect(200).text(), "target");

    // Sent as it stands, nothing changes, not even what the form does not show.
    owner.send_fields(&path, &held).await.expect(303);
    assert_eq!(scene.client.get(&api).await.expect(200).json()["target"], link["target"]);

    let weight = format!("weight.{other}");
    for (name, value, told) in [
        (weight.as_str(), "many", "many"),
        (&weight, "0", "value=\"0\""),
        ("elsewhere", "ftp://example.com/ | 1", "must begin with http:// or https://"),
        ("elsewhere", "https://example.com/", "Line 1 needs an address"),
    ] {
        let refused = owner.send_fields(&path, &with(held.clone(), name, value)).await.text();
        assert!(refused.contains(told), "{name}={value}: {refused}");
        let error = format!("id=\"target-{}-error\"", name.replace(['.', '_'], "-"));
        assert!(refused.contains(&error), "{error}: {refused}");
    }
    let none = held.iter().map(|(name, value)| {
        let is_route = name.starts_with("weight.") || name == "elsewhere";
        (name.clone(), if is_route { String::new() } else { value.clone() })
    });
    let refused = owner.send_fields(&path, &none.collect::<Vec<_>>()).await.text();
    assert!(refused.contains("Give a weight to at least one"), "{refused}");
    assert_eq!(scene.client.get(&api).await.expect(200).json()["target"], link["target"]);

    owner.send_fields(&path, &with(held.clone(), "target", &other)).await.expect(303);
    let target = scene.client.get(&api).await.expect(200).json()["target"].take();
    assert_eq!(target, json!({ "targetType": "audience", "audienceId": other }));
    // Whoever changed it on an older screen is told.
    let late = owner.send_fields(&path, &with(held, "target", "page")).await;
    assert_eq!(late.status, 412, "{}", late.text());

    let autumn = page(&scene.client, "Autumn").await;
    let choice = owner.open(&format!("{path}/page?q=autumn")).await.expect(200).text();
    assert!(choice.contains(&format!("{path}?page={autumn}")), "{choice}");
    let form = fields(&owner.open(&format!("{path}?page={autumn}")).await.expect(200).text(), "target");
    owner.send_fields(&path, &form).await.expect(303);
    let target = scene.client.get(&api).await.expect(200).json()["target"].take();
    assert_eq!(target, json!({ "targetType": "page", "pageId": autumn }));

    // Of a link whose page is gone, the page is chosen first.
    scene.client.delete(&format!("/v0/pages/{autumn}")).await.expect(200);
    let choice = owner.follow(&path).await.expect(200).text();
    assert!(choice.contains("Which page does the link lead to?"), "{choice}");
}

#[tokio::test]
async fn what_a_link_leads_to_is_named_however_many_pages_and_audiences_there_are() {
    let app = TestApp::start().await;
    let client = app.client();
    let old = page(&client, "The first page").await;
    let make = async |body: &Value| {
        let path = audiences::audience(&client, &format!("/v0/pages/{old}"), body).await;
        path.rsplit('/').next().unwrap().to_owned()
    };
    let person = client.post("/v0/persons", &json!({ "name": "Ada Lovelace" })).await.expect(201).json();
    let (plain, of_person) = (
        make(&json!({ "customName": "Millers" })).await,
        make(&json!({ "personId": person["personId"] })).await,
    );
    link(&client, "/page", &json!({ "targetType": "page", "pageId": old })).await;
    let to_plain = link(&client, "/plain", &json!({ "targetType": "audience", "audienceId": plain })).await;
    link(&client, "/person", &json!({ "targetType": "audience", "audienceId": of_person })).await;
    let later = page(&client, "A later page").await;
    for number in 0..101 {
        page(&client, &format!("Page {number}")).await;
        audiences::audience(&client, &format!("/v0/pages/{later}"), &json!({})).await;
    }

    let mut owner = Browser::owner(&app).await;
    // Those of which there are too many to be offered at once are found by their names.
    let new = format!("/console/t/acme/links/new?page={later}");
    let first =
        audiences::audience(&client, &format!("/v0/pages/{later}"), &json!({ "customName": "Sawyers" }))
            .await;
    let first = first.rsplit('/').next().unwrap().to_owned();
    for _ in 0..100 {
        audiences::audience(&client, &format!("/v0/pages/{later}"), &json!({})).await;
    }
    let offered = owner.open(&new).await.expect(200).text();
    assert!(!offered.contains(&first) && offered.contains("Find audiences"), "{offered}");
    let offered = owner.open(&format!("{new}&q=sawy")).await.expect(200).text();
    assert!(offered.contains(&first) && offered.contains(&format!("weight.{first}")), "{offered}");
    let screen = owner.open("/console/t/acme/links").await.expect(200).text();
    for name in [">The first page<", "The first page · Millers", "The first page · Ada Lovelace"] {
        assert!(screen.contains(name), "{name}: {screen}");
    }
    let target = owner.open(&format!("{}/target", path_of(&to_plain))).await.expect(200).text();
    assert!(target.contains("The first page") && target.contains(&plain), "{target}");
    let mut analyst = Browser::with_role(&app, Role::Analyst).await;
    let screen = analyst.open("/console/t/acme/links").await.expect(200).text();
    assert!(screen.contains("The first page · Millers") && screen.contains(&of_person), "{screen}");
    assert!(!screen.contains("Lovelace"), "{screen}");
}

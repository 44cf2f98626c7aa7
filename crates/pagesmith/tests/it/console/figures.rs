//! The figures of a page: where its visitors came from, how far they got, and its audiences side by side.

use pagesmith_model::user::Role;
use scraper::{Html, Selector};
use serde_json::json;

use super::browser::Browser;
use crate::visits::{Scene, shown};

/// The texts of the elements of this kind in each element that a selector finds.
fn texts(screen: &str, found: &str, within: &str) -> Vec<Vec<String>> {
    let html = Html::parse_document(screen);
    let (found, within) = (Selector::parse(found).unwrap(), Selector::parse(within).unwrap());
    let told = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    html.select(&found)
        .map(|one| one.select(&within).map(|part| told(part.text().collect())).collect())
        .collect()
}

/// The rows of the table behind a chart.
fn behind(screen: &str, chart: &str) -> Vec<Vec<String>> {
    texts(screen, &format!("figure#{chart} tbody tr"), "th, td")
}

/// The rows of the table of audiences.
fn side_by_side(screen: &str) -> Vec<Vec<String>> {
    texts(screen, "[aria-label='Audiences side by side'] tbody tr", "th, td")
}

#[tokio::test]
async fn sources_campaigns_steps_and_audiences_are_told_with_their_numbers() {
    let scene = Scene::start().await;
    let segment = shown(&scene.client, &scene.page, &json!({ "customName": "Heads of finance" })).await;
    let at = |source: &str, campaign: &str| format!("/?utm_source={source}&utm_campaign={campaign}");
    for (view, fields) in [
        (1, json!({ "l": at("Mail", "Spring"), "s": 80, "c": 1, "x": ["book"] })),
        (2, json!({ "l": at("Mail", "Autumn") })),
        (3, json!({ "l": at("Ads", "Spring"), "a": segment, "s": 60 })),
    ] {
        let sent = scene.send_as(&scene.browser(100 + view), u128::from(view), &fields).await;
        assert_eq!(sent, None);
    }
    scene.after(31).await;
    let path = format!("/console/t/acme/visits/{}", scene.page);
    let screen = Browser::owner(&scene.app).await.open(&path).await.expect(200).text();
    assert_eq!(behind(&screen, "by-source"), [["Mail", "2"], ["Ads", "1"]]);
    assert_eq!(behind(&screen, "by-campaign"), [["Spring", "2"], ["Autumn", "1"]]);
    let steps = texts(&screen, "section:has(ol.plain)", "ol.plain li").remove(0);
    assert_eq!(
        steps,
        [
            "Saw the page: 3 100 %",
            "Scrolled to the middle: 2 66.7 %",
            "Used an action: 1 33.3 %",
            "Sent a form: 0 0 %"
        ]
    );
    let everyone = scene.get(&format!("audiences/{}", scene.audience)).await;
    assert_eq!(
        side_by_side(&screen),
        [
            [everyone["effectiveName"].as_str().unwrap(), "2", "50 %", "0 %", "50 %"],
            ["Heads of finance", "1", "0 %", "0 %", "100 %"],
        ]
    );
}

#[tokio::test]
async fn eleven_personal_pages_stand_side_by_side() {
    let scene = Scene::start().await;
    for at in 1..=11 {
        let person = json!({ "name": format!("Person {at}"), "email": format!("p{at}@example.com") });
        let person = scene.client.post("/v0/persons", &person).await.expect(201).json();
        let audience = shown(&scene.client, &scene.page, &json!({ "personId": person["personId"] })).await;
        let sent = scene.send_as(&scene.browser(100 + at), u128::from(at), &json!({ "a": audience })).await;
        assert_eq!(sent, None);
    }
    let path = format!("/console/t/acme/visits/{}", scene.page);
    let screen = Browser::owner(&scene.app).await.open(&path).await.expect(200).text();
    let mut names: Vec<String> =
        side_by_side(&screen).into_iter().map(|mut row| row.swap_remove(0)).collect();
    names.sort_by_key(|name| name.trim_start_matches("Person ").parse::<u32>().unwrap());
    assert_eq!(names, (1..=11).map(|at| format!("Person {at}")).collect::<Vec<_>>());
    assert!(!screen.contains("Not shown:"), "{screen}");
}

#[tokio::test]
async fn more_sources_than_a_screen_shows_are_counted() {
    let scene = Scene::start().await;
    for at in 0..102 {
        let location = json!({ "l": format!("/?utm_source=source{at:03}") });
        let sent = scene.send_as(&scene.browser(100 + at), u128::from(at), &location).await;
        assert_eq!(sent, None);
    }
    let path = format!("/console/t/acme/visits/{}", scene.page);
    let owner = Browser::owner(&scene.app).await.open(&path).await.expect(200).text();
    let analyst = Browser::with_role(&scene.app, Role::Analyst).await.open(&path).await.expect(200).text();
    for screen in [&owner, &analyst] {
        assert_eq!(behind(screen, "by-source").len(), 100);
        assert!(screen.contains("Not shown: 2 more, with 2 visits together."), "{screen}");
    }
    // The file names visitors.
    let file = format!("href=\"{path}/sessions.csv\"");
    assert!(owner.contains(&file) && !analyst.contains(&file));
}

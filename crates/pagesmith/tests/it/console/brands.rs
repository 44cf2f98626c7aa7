//! The screens of brands: how pages would look, before anything is saved.

use pagesmith_model::user::Role;
use pagesmith_testkit::TestApp;
use serde_json::json;

use super::browser::{Browser, fields, with};

const NEW: &str = "/console/t/acme/brands/new";

#[tokio::test]
async fn a_brand_is_seen_before_it_is_saved() {
    let app = TestApp::start().await;
    let mut owner = Browser::owner(&app).await;
    let held = fields(&owner.open(NEW).await.expect(200).text(), "brand");
    // A grey that cannot be read on white, and a yellow that no link can have.
    let sent = with(with(held.clone(), "look.textColor", "#999999"), "look.accentColor", "#ffee00");
    let sent = with(with(sent, "name", "Acme"), "look.cornerRadius", "7");

    let part = owner.send_fields("/console/t/acme/brands/preview", &sent).await.expect(200).text();
    assert!(part.starts_with("<section") && part.contains("id=\"brand-preview\""), "{part}");
    let mut shown = sent.clone();
    shown.push(("do".to_owned(), "show".to_owned()));
    let screen = owner.send_fields(NEW, &shown).await.expect(200).text();
    assert!(screen.contains("value=\"#999999\"") && !screen.contains("role=\"alert\""), "{screen}");
    for drawn in [&part, &screen] {
        assert!(drawn.contains("fill=\"#ffee00\"") && drawn.contains("rx=\"7\""), "{drawn}");
        assert!(drawn.contains("has a contrast of") && drawn.contains("2.8"), "{drawn}");
        assert!(drawn.contains("The nearest colour that has it is"), "{drawn}");
        assert!(drawn.contains("Links are drawn in"), "{drawn}");
        assert!(!drawn.contains("style="), "{drawn}");
    }
    let none = app.client().get("/v0/brands").await.expect(200).json();
    assert_eq!(none["totalCount"], 0, "nothing is saved");

    // The colour that is named is one that can be saved.
    let refused = owner.send_fields(NEW, &sent).await.expect(400).text();
    assert!(refused.contains("brand-look-textColor-error"), "{refused}");
    let nearest = part.split("The nearest colour that has it is").nth(1).unwrap();
    let nearest: String = nearest.chars().skip_while(|char| *char != '#').take(7).collect();
    let better = with(sent, "look.textColor", &nearest);
    let part = owner.send_fields("/console/t/acme/brands/preview", &better).await.expect(200).text();
    assert!(!part.contains("It cannot be saved"), "{part}");
    // White as designers write it.
    owner.send_fields(NEW, &with(better, "look.backgroundColor", "#FFF")).await.expect(303);
    let saved = app.client().get("/v0/brands").await.expect(200).json();
    assert_eq!(saved["items"][0]["look"]["backgroundColor"], "#ffffff", "{saved}");

    // What is no colour is told, and the rest is drawn.
    let wrong = with(with(held, "look.backgroundColor", "<b>red"), "look.accentColor", "#336699");
    let part = owner.send_fields("/console/t/acme/brands/preview", &wrong).await.expect(200).text();
    assert!(part.contains("&lt;b&gt;red") && part.contains("fill=\"#336699\""), "{part}");
}

#[tokio::test]
async fn a_saved_brand_is_shown_as_it_is_and_as_it_is_entered() {
    let app = TestApp::start().await;
    let look = json!({ "accentColor": "#2b55b8", "headingFonts": "Georgia, serif" });
    let brand = json!({ "name": "Acme", "look": look });
    let brand = app.client().post("/v0/brands", &brand).await.expect(201).json();
    let path = format!("/console/t/acme/brands/{}", brand["brandId"].as_str().unwrap());
    let mut owner = Browser::owner(&app).await;
    let screen = owner.open(&path).await.expect(200).text();
    assert!(
        screen.contains("fill=\"#2b55b8\"") && screen.contains("font-family=\"Georgia, serif\""),
        "{screen}"
    );
    let mut shown = with(fields(&screen, "brand"), "look.accentColor", "#117733");
    shown.push(("do".to_owned(), "show".to_owned()));
    let screen = owner.send_fields(&format!("{path}/edit"), &shown).await.expect(200).text();
    assert!(screen.contains("fill=\"#117733\"") && !screen.contains("fill=\"#2b55b8\""), "{screen}");
    let kept = app.client().get(&format!("/v0/brands/{}", brand["brandId"].as_str().unwrap())).await;
    assert_eq!(kept.expect(200).json()["look"], brand["look"]);
    // Whoever may only look sees the pages' look, and nothing to enter.
    let mut viewer = Browser::with_role(&app, Role::Viewer).await;
    let looked = viewer.open(&path).await.expect(200).text();
    assert!(looked.contains("fill=\"#2b55b8\"") && !looked.contains("id=\"brand\""), "{looked}");
}

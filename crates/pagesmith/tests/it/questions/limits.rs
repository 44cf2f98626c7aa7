//! How many questions are answered: for a visitor, on a page, for a tenant.

use std::time::Duration;

use serde_json::json;

use super::Scene;

#[tokio::test]
async fn a_visitor_may_ask_so_many_questions_in_a_visit() {
    let scene = Scene::start().await;
    scene.set(&json!({ "isShown": true, "perVisitor": 2, "perPage": 100, "perTenant": 100 })).await;
    scene.ask("What does the Hauler cost?").await.expect(200);
    let answer = scene.ask("What does the Tender cost?").await.expect(200);
    assert!(answer.text().contains("name=\"q\"") && !answer.text().contains("data-closed"));
    let answer = scene.ask("Can I cancel?").await.expect(429);
    assert_eq!(answer.header("retry-after"), Some("3600"));
    assert!(answer.text().contains("Please come back later."));
    // The field is closed: the page has none, and the script hides that of the page it is on.
    assert!(!answer.text().contains("name=\"q\"") && answer.text().contains("data-closed"));
    let program = scene.visitor.with("accept", "application/json");
    let told = scene.ask_as(&program, &scene.audience, "Can I cancel?").await.expect(429).json();
    assert_eq!(told, json!({ "error": "Too Many Requests" }));
    // Another visitor, and another visit of the same one.
    let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    let other = scene.client.with("host", "acme.localhost").with("user-agent", firefox);
    scene.ask_as(&other, &scene.audience, "Can I cancel?").await.expect(200);
    scene.app.advance(Duration::from_mins(31));
    scene.app.run_due_work().await;
    scene.ask("Can I cancel?").await.expect(200);
}

#[tokio::test]
async fn who_is_not_counted_may_ask_so_many_questions_in_a_day() {
    let scene = Scene::start().await;
    scene.set(&json!({ "isShown": true, "perVisitor": 2, "perPage": 100, "perTenant": 100 })).await;
    let program = |agent: &str| scene.client.with("host", "acme.localhost").with("user-agent", agent);
    let (crawler, other) = (program("Googlebot/2.1"), program("curl/8.5.0"));
    for question in ["What does the Hauler cost?", "What does the Tender cost?"] {
        scene.ask_as(&crawler, &scene.audience, question).await.expect(200);
    }
    scene.ask_as(&crawler, &scene.audience, "Can I cancel?").await.expect(429);
    // Nobody else's questions are fewer.
    scene.ask_as(&other, &scene.audience, "Can I cancel?").await.expect(200);
    scene.ask("Can I cancel?").await.expect(200);
    scene.app.advance(Duration::from_hours(24));
    scene.ask_as(&crawler, &scene.audience, "Can I cancel?").await.expect(200);
}

#[tokio::test]
async fn a_page_and_a_tenant_answer_so_many_questions_in_a_day() {
    let scene = Scene::start().await;
    scene.set(&json!({ "isShown": true, "perVisitor": 20, "perPage": 2, "perTenant": 3 })).await;
    scene.ask("What does the Hauler cost?").await.expect(200);
    scene.ask("What does the Tender cost?").await.expect(200);
    scene.ask("Can I cancel?").await.expect(429);
    let (page, audience) = (scene.page.clone(), scene.audience.clone());
    let other = crate::visits::page(&scene.client, "Other bikes").await;
    let shown = super::shown(&scene.client, &other, &json!({})).await;
    let scene = Scene { page: other, audience: shown, ..scene };
    scene.ask("What does the Hauler cost?").await.expect(200);
    scene.ask("What does the Tender cost?").await.expect(429);
    let scene = Scene { page, audience, ..scene };
    scene.app.advance(Duration::from_hours(24));
    scene.ask("Can I cancel?").await.expect(200);
}

//! What a page tells apart of its visits, and what becomes of values that visitors make up.

use pagesmith_model::PersonId;
use pagesmith_operations::subject_requests;
use pagesmith_operations::visits::values::MOST;
use serde_json::{Value, json};

use super::{Scene, shown};

const PHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";

fn counts(breakdown: &Value) -> Vec<(String, u64)> {
    let items = breakdown["items"].as_array().unwrap().iter();
    let count = |item: &Value| item["summary"]["totalSessions"].as_u64().unwrap();
    items.map(|item| (item["value"].as_str().unwrap().to_owned(), count(item))).collect()
}

fn others(breakdown: &Value) -> Option<u64> {
    breakdown["other"]["totalSessions"].as_u64()
}

async fn by(scene: &Scene, dimension: &str, range: &str) -> Value {
    scene.get(&format!("analytics/breakdown?by={dimension}{range}")).await
}

#[tokio::test]
async fn visits_are_told_apart_by_referrer_device_and_language() {
    let scene = Scene::start().await;
    let phone = scene.agent(PHONE).with("accept-language", "de-CH,de;q=0.9");
    let television = scene.agent("Mozilla/5.0 (Web0S; Linux/SmartTV) Chrome/120.0");
    let first = json!({ "r": "https://www.Blog.example/post?q=secret" });
    scene.send_as(&phone, 1, &first).await;
    scene.send_as(&scene.browser(150).with("accept-language", "en-GB"), 2, &first).await;
    scene.send_as(&television, 3, &json!({ "r": "https://acme.localhost:8080/other" })).await;
    // The same while the sessions are open and when they are in the sums.
    for minutes in [0, 31, 24 * 60] {
        scene.after(minutes).await;
        let told = counts(&by(&scene, "referrer", "").await);
        assert_eq!(told, [("blog.example".to_owned(), 2)], "the site's own pages lead to nothing new");
        let told = counts(&by(&scene, "device", "").await);
        assert_eq!(
            told,
            [("desktop", 1), ("other", 1), ("phone", 1)].map(|(name, count)| (name.to_owned(), count))
        );
        let told = counts(&by(&scene, "language", "").await);
        assert_eq!(told, [("de", 1), ("en", 1)].map(|(name, count)| (name.to_owned(), count)));
    }
    let wrong = scene.client.get(&format!("/v0/pages/{}/analytics/breakdown?by=moon", scene.page)).await;
    assert_eq!(wrong.expect(400).issues()[0].1, "by");
}

/// Sends visits, each with a campaign and a source of its own, and ends them.
async fn made_up(scene: &Scene, numbers: std::ops::Range<u32>) {
    for number in numbers {
        let location = format!("/spring-launch?utm_source=s{number}&utm_campaign=c{number}");
        let site = scene.browser(1_000 + number);
        assert_eq!(scene.send_as(&site, number.into(), &json!({ "l": location })).await, None);
    }
    scene.after(31).await;
}

#[tokio::test]
async fn values_beyond_the_most_of_a_day_count_as_others_and_nothing_disappears() {
    let scene = Scene::start().await;
    let most = u32::try_from(MOST).unwrap();
    // Not all at once: what is known is in the database.
    made_up(&scene, 0..most - 1).await;
    made_up(&scene, most - 1..most + 7).await;
    made_up(&scene, most + 7..most + 10).await;
    let told = by(&scene, "campaign", "").await;
    assert_eq!((counts(&told).len(), others(&told)), (most as usize, Some(10)));
    // A value that has a place keeps it, and one that has none gets none.
    let again = |number: u32| json!({ "l": format!("/spring-launch?utm_campaign=c{number}") });
    scene.send_as(&scene.browser(5_000), 5_000, &again(3)).await;
    scene.send_as(&scene.browser(5_001), 5_001, &again(most + 9)).await;
    for _ in ["open", "closed"] {
        let told = by(&scene, "campaign", "").await;
        assert_eq!((counts(&told)[0].clone(), others(&told)), (("c3".to_owned(), 2), Some(11)));
        let sources = by(&scene, "source", "").await;
        assert_eq!((counts(&sources).len(), others(&sources)), (most as usize, Some(10)));
        scene.after(31).await;
    }
    // An edge of a range, of which rows are counted, agrees with the sums.
    let edge = by(&scene, "campaign", "&startDate=2026-03-01T12:30:00.001Z").await;
    let all = counts(&edge).iter().map(|(_, count)| count).sum::<u64>() + others(&edge).unwrap();
    let sessions = scene.get("analytics/summary?startDate=2026-03-01T12:30:00.001Z").await;
    assert_eq!(all, sessions["totalSessions"].as_u64().unwrap());
    assert!(counts(&edge).iter().all(|(value, _)| value[1..].parse::<u32>().unwrap() < most), "{edge}");
    // Another day has room again.
    scene.after(24 * 60).await;
    made_up(&scene, 9_000..9_002).await;
    let told = by(&scene, "campaign", "").await;
    assert_eq!(others(&told), Some(11));
    assert!(counts(&told).contains(&("c9001".to_owned(), 1)));
}

#[tokio::test]
async fn an_erased_visit_leaves_the_place_where_it_was_counted() {
    let scene = Scene::start().await;
    let person =
        scene.client.post("/v0/persons", &json!({ "name": "Ida Holm", "email": "ida@holm.example" })).await;
    let person = person.expect(201).json()["personId"].as_str().unwrap().to_owned();
    let audience = shown(&scene.client, &scene.page, &json!({ "personId": person })).await;
    let most = u32::try_from(MOST).unwrap();
    made_up(&scene, 0..most).await;
    let campaigns = by(&scene, "campaign", "").await;
    let referrers = by(&scene, "referrer", "").await;
    let hers = json!({
        "a": audience, "k": true, "l": "/ida?utm_campaign=late", "r": "https://forum.example/",
    });
    scene.send(8_000, &hers).await;
    scene.after(31).await;
    assert_eq!(others(&by(&scene, "campaign", "").await), Some(1));
    assert_eq!(counts(&by(&scene, "referrer", "").await), [("forum.example".to_owned(), 1)]);
    let (ctx, id) =
        (scene.app.platform.context().of(scene.app.tenant.clone()), PersonId::parse(&person).unwrap());
    subject_requests::erase(&scene.app.store, &ctx, &id).await.unwrap();
    assert_eq!(by(&scene, "campaign", "").await, campaigns);
    assert_eq!(by(&scene, "referrer", "").await, referrers);
    assert_eq!(counts(&by(&scene, "device", "").await), [("desktop".to_owned(), u64::from(most))]);
}

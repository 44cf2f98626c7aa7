//! Visits over time by the clocks of a time zone.

use serde_json::{Value, json};

use super::Scene;

async fn series(scene: &Scene, query: &str) -> Value {
    scene.get(&format!("analytics/timeseries?{query}")).await
}

fn spans(series: &Value) -> Vec<(String, u64)> {
    let items = series["items"].as_array().unwrap().iter();
    let count = |item: &Value| item["summary"]["totalSessions"].as_u64().unwrap();
    items.map(|item| (item["startsAt"].as_str().unwrap().replace(":00.000Z", "Z"), count(item))).collect()
}

#[track_caller]
fn are(series: &Value, expected: &[(&str, u64)]) {
    let expected: Vec<(String, u64)> =
        expected.iter().map(|(start, count)| ((*start).to_owned(), *count)).collect();
    assert_eq!(spans(series), expected);
}

/// A visit at an instant, which is later than the last one, and its end.
async fn visit(scene: &Scene, view: u128, at: &str) {
    let at: pagesmith_model::Timestamp = at.parse().unwrap();
    scene.app.advance(at.since(scene.app.platform.clock().now()));
    let browser = scene.browser(1_000 + u32::try_from(view).unwrap());
    assert_eq!(scene.send_as(&browser, view, &json!({})).await, None);
}

#[tokio::test]
async fn days_and_hours_are_those_of_the_zone() {
    let scene = Scene::start().await;
    // On the 8th clocks in New York went from 02:00 to 03:00, which was 07:00 in UTC.
    visit(&scene, 1, "2026-03-08T04:59:59Z").await;
    visit(&scene, 2, "2026-03-08T05:00:00Z").await;
    visit(&scene, 3, "2026-03-08T06:59:00Z").await;
    visit(&scene, 4, "2026-03-08T07:00:00Z").await;
    visit(&scene, 5, "2026-03-09T03:59:59Z").await;
    visit(&scene, 6, "2026-03-09T04:00:00Z").await;
    for _ in ["open", "closed"] {
        let told = series(&scene, "timeZone=America/New_York").await;
        assert_eq!((&told["timeZone"], &told["exactFrom"]), (&json!("America/New_York"), &Value::Null));
        are(&told, &[("2026-03-07T05:00Z", 1), ("2026-03-08T05:00Z", 4), ("2026-03-09T04:00Z", 1)]);
        let told = series(&scene, "interval=hour&timeZone=asia/kathmandu&endDate=2026-03-08T08:00:00Z").await;
        assert_eq!(told["timeZone"], "Asia/Kathmandu");
        are(&told, &[("2026-03-08T04:15Z", 2), ("2026-03-08T06:15Z", 2)]);
        let told = series(&scene, "interval=week&timeZone=Pacific/Kiritimati").await;
        are(&told, &[("2026-03-01T10:00Z", 4), ("2026-03-08T10:00Z", 2)]);
        let told = series(&scene, "").await;
        assert_eq!(told["timeZone"], "UTC");
        are(&told, &[("2026-03-08T00:00Z", 4), ("2026-03-09T00:00Z", 2)]);
        // A span counts as a whole, wherever in it the range begins.
        let query = "timeZone=America/New_York&startDate=2026-03-08T06:00:00Z&endDate=2026-03-08T06:00:01Z";
        are(&series(&scene, query).await, &[("2026-03-08T05:00Z", 4)]);
        scene.after(31).await;
    }
}

#[tokio::test]
async fn old_days_are_exact_while_their_rows_are_kept_and_then_whole_days_of_utc() {
    let scene = Scene::start().await;
    visit(&scene, 1, "2026-03-10T22:59:00Z").await;
    visit(&scene, 2, "2026-03-10T23:01:00Z").await;
    visit(&scene, 3, "2026-03-11T01:00:00Z").await;
    scene.after(31).await;
    scene.after(60 * 24 * 60).await;
    visit(&scene, 4, "2026-05-20T22:01:00Z").await;
    scene.after(31).await;
    let exact = [("2026-03-09T23:00Z", 1), ("2026-03-10T23:00Z", 2), ("2026-05-20T22:00Z", 1)];
    let told = series(&scene, "timeZone=Europe/Berlin").await;
    are(&told, &exact);
    assert_eq!(told["exactFrom"], Value::Null);
    are(&series(&scene, "timeZone=Europe/Berlin&interval=hour").await, &[("2026-05-20T22:00Z", 1)]);
    // Without the rows nobody knows in which hour of the day they were.
    let days = json!({ "retentionDays": 20, "privacySignal": "ignore", "ownNetworks": [] });
    let set = scene.client.send("PUT", "/v0/visit_settings", Some(days.to_string().into_bytes())).await;
    set.expect(200);
    scene.after(60).await;
    let told = series(&scene, "timeZone=Europe/Berlin").await;
    are(&told, &[("2026-03-09T23:00Z", 2), ("2026-03-10T23:00Z", 1), ("2026-05-20T22:00Z", 1)]);
    assert_eq!(told["exactFrom"], "2026-04-19T22:00:00.000Z", "31 days ago, when quarters begin");
    assert_eq!(series(&scene, "").await["exactFrom"], Value::Null);
    let late = series(&scene, "timeZone=Europe/Berlin&startDate=2026-05-01T00:00:00Z").await;
    assert_eq!(late["exactFrom"], Value::Null, "all that is told is");
}

#[tokio::test]
async fn many_old_days_are_divided_at_once() {
    const DAYS: u64 = 18;
    let scene = Scene::start().await;
    // An hour before midnight in UTC, which is the next day in Berlin, and at noon.
    let mut view = 0;
    for day in 0..DAYS {
        for hour in ["12:00", "23:00"] {
            view += 1;
            visit(&scene, view, &format!("2026-04-{:02}T{hour}:00Z", day + 1)).await;
        }
    }
    scene.after(60 * 24 * 60).await;
    let told = spans(&series(&scene, "timeZone=Europe/Berlin").await);
    let counts: Vec<u64> = told.iter().map(|(_, count)| *count).collect();
    let mut expected = vec![2; usize::try_from(DAYS).unwrap() + 1];
    (expected[0], expected[usize::try_from(DAYS).unwrap()]) = (1, 1);
    assert_eq!(counts, expected, "{told:?}");
}

#[tokio::test]
async fn a_zone_that_is_none_is_refused_with_an_example() {
    let scene = Scene::start().await;
    let path = format!("/v0/pages/{}/analytics/timeseries", scene.page);
    for zone in ["Mars/Olympus", "", "+01:00", "CET-1CEST", "..%2Fetc", "Etc/Unknown", "%F0%9F%8C%8D"] {
        let answer = scene.client.get(&format!("{path}?timeZone={zone}")).await.expect(400);
        let text = answer.text();
        assert!(text.contains("such as Europe/Berlin"), "{text}");
        assert_eq!(answer.issues()[0].1, "timeZone");
    }
    let twice = scene.client.get(&format!("{path}?timeZone=UTC&timeZone=UTC")).await.expect(400);
    assert_eq!(twice.issues().len(), 1);
}

//! Sessions as a file.

use serde_json::{Value, json};

use super::{Scene, page};

async fn file(scene: &Scene, query: &str) -> (String, String) {
    let answer = scene.client.get(&format!("/v0/pages/{}/analytics/export{query}", scene.page)).await;
    let answer = answer.expect(200);
    (answer.header("content-type").unwrap().to_owned(), answer.text())
}

fn lines_of(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn a_file_has_the_fields_of_the_list_and_more_and_runs_nothing() {
    let scene = Scene::start().await;
    let hostile = json!({
        "l": "/spring-launch?utm_source=%3DHYPERLINK(1)&utm_campaign=a%2C%22b%22%0Ac", "r": "https://www.-blog.example/a",
    });
    let german = scene.site.with("accept-language", "de-CH,de;q=0.9,en;q=0.8");
    scene.send_as(&german, 1, &hostile).await;
    scene.after(31).await;
    scene.send_as(&scene.browser(150), 2, &json!({ "c": 2 })).await;
    let (media_type, lines) = file(&scene, "?format=ndjson").await;
    let mut listed = scene.sessions().await;
    for session in &mut listed {
        session["referrer"] = Value::Null;
        session["device"] = json!("desktop");
        session["language"] = Value::Null;
    }
    listed[1]["referrer"] = json!("-blog.example");
    listed[1]["language"] = json!("de");
    assert_eq!((media_type.as_str(), lines_of(&lines)), ("application/x-ndjson", listed));
    let (media_type, table) = file(&scene, "").await;
    assert_eq!(media_type, "text/csv; charset=utf-8");
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let heading: Vec<String> = rows.headers().unwrap().iter().map(str::to_owned).collect();
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 2);
    for (row, session) in rows.iter().zip(lines_of(&lines)) {
        let fields = session.as_object().unwrap();
        assert_eq!(fields.len(), heading.len());
        for (name, cell) in heading.iter().zip(row) {
            let told = match &fields[name] {
                Value::Null => String::new(),
                Value::String(text) => text.replace("=HYPERLINK", "'=HYPERLINK").replace("-blog", "'-blog"),
                other => other.to_string(),
            };
            assert_eq!(cell, told, "{name}");
        }
    }
    // The order of the fields is that of the list.
    let first = lines.lines().next().unwrap();
    let places: Vec<usize> =
        heading.iter().map(|name| first.find(&format!("\"{name}\":")).unwrap()).collect();
    assert!(places.is_sorted(), "{heading:?}");
}

#[tokio::test]
async fn a_file_of_many_pieces_has_every_session_once() {
    let scene = Scene::start().await;
    const SESSIONS: u32 = 1_010;
    for number in 0..SESSIONS {
        if number % 100 == 0 {
            scene.after(2).await;
        }
        assert_eq!(scene.send_as(&scene.browser(1_000 + number), number.into(), &json!({})).await, None);
    }
    let (_, lines) = file(&scene, "?format=ndjson").await;
    let ids: Vec<Value> =
        lines_of(&lines).iter().map(|session| session["audienceSessionId"].clone()).collect();
    let (mut listed, mut cursor) = (Vec::new(), None);
    loop {
        let more = cursor.map(|cursor: String| format!("&cursor={cursor}")).unwrap_or_default();
        let part = scene.get(&format!("audience_sessions?limit=100{more}")).await;
        let items = part["items"].as_array().unwrap().iter();
        listed.extend(items.map(|session| session["audienceSessionId"].clone()));
        let Some(next) = part["nextCursor"].as_str() else { break };
        cursor = Some(next.to_owned());
    }
    assert_eq!((ids.len(), &ids), (SESSIONS as usize, &listed));
    assert_eq!(file(&scene, "").await.1.lines().count(), SESSIONS as usize + 1, "one heading");
}

#[tokio::test]
async fn a_file_of_nothing_has_a_heading_and_what_is_wrong_is_refused() {
    let scene = Scene::start().await;
    scene.send(1, &json!({})).await;
    for query in ["?audienceId=none", "?endDate=2026-01-01T00:00:00Z"] {
        assert_eq!(file(&scene, query).await.1.lines().count(), 1);
        assert_eq!(file(&scene, &format!("{query}&format=ndjson")).await.1, "");
    }
    let other = page(&scene.client, "Other").await;
    let of_other = format!("/v0/pages/{other}/analytics/export?audienceId={}", scene.audience);
    assert_eq!(scene.client.get(&of_other).await.expect(200).text().lines().count(), 1);
    let export = format!("/v0/pages/{}/analytics/export", scene.page);
    scene.client.get(&format!("{export}?format=xlsx")).await.expect(400);
    scene.client.get("/v0/pages/page_01jpbz8n4xf5k9w2d7hq3mv6ta/analytics/export").await.expect(404);
}

//! The submissions of a form as a file.

use pagesmith_testkit::Client;
use serde_json::{Value, json};

use super::Scene;

async fn table(client: &Client, path: &str) -> Vec<Vec<String>> {
    let answer = client.get(path).await.expect(200);
    assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"submissions.csv\""));
    let text = answer.text();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

#[tokio::test]
async fn a_table_has_a_column_for_each_field_and_guards_formulas() {
    let scene = Scene::start().await;
    let path = format!("/v0/forms/{}/submissions/export", scene.form);
    assert_eq!(table(&scene.client, &path).await.len(), 1, "a heading alone");
    let dangerous =
        [("email", "ada@example.com"), ("text", "=HYPERLINK(\"https://evil.example\")"), ("agree", "on")];
    scene.shown.send(&scene.visitor, &dangerous).await.expect(303);
    scene.shown.send(&scene.visitor, &[("email", "bob@example.com"), ("ps.note", "x")]).await.expect(303);
    // A field that the form no longer has keeps its answers.
    let fields = json!([{ "key": "email", "kind": "email", "label": "E-mail" },
        { "key": "text", "kind": "long-text", "label": "Text" }]);
    scene.client.patch(&format!("/v0/forms/{}", scene.form), &json!({ "fields": fields })).await.expect(200);

    let rows = table(&scene.client, &path).await;
    assert_eq!(rows.len(), 3);
    let column = |name: &str| rows[0].iter().position(|heading| heading == name).unwrap();
    assert_eq!((column("email"), column("text"), column("otherInput")), (8, 9, 10));
    let (spam, ada) = (&rows[1], &rows[2]);
    assert_eq!((spam[column("status")].as_str(), ada[column("status")].as_str()), ("spam", "accepted"));
    assert_eq!(spam[column("spamReasons")], "no_token; hidden_field");
    assert_eq!(ada[column("email")], "ada@example.com");
    assert_eq!(ada[column("text")], "'=HYPERLINK(\"https://evil.example\")");
    assert_eq!(serde_json::from_str::<Value>(&ada[column("otherInput")]).unwrap(), json!({ "agree": true }));
    let agreed = json!([{ "key": "agree", "text": "You may call me about maps.", "revision": 1 }]);
    assert_eq!(serde_json::from_str::<Value>(&ada[column("agreements")]).unwrap(), agreed);
    assert_eq!(spam[column("otherInput")], "{\"agree\":false}".to_owned());

    assert_eq!(table(&scene.client, &format!("{path}?status=accepted")).await.len(), 2);
    let lines = scene.client.get(&format!("{path}?format=ndjson")).await.expect(200).text();
    let listed = scene.client.get(&format!("/v0/forms/{}/submissions", scene.form)).await.expect(200).json();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json!(lines), listed["items"]);
    scene.client.get(&format!("{path}?format=xlsx")).await.expect(400);
    scene.app.stranger().await.get(&path).await.expect(404);
}

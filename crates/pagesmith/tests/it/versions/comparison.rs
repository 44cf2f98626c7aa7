//! Versions compared.

use serde_json::{Value, json};

use super::Scene;

#[tokio::test]
async fn two_versions_are_compared_by_blocks_and_words() {
    let scene = Scene::with_draft().await;
    let second = scene.add().await;
    scene.client.get(&format!("{second}/diff/{}", id(&second))).await.expect(404);
    scene.write().await;
    let first = scene.path(1).await;
    let text = |id: &str, words: &str| json!({ "type": "text", "blockId": id, "markdown": words });
    let contents = [
        (
            &first,
            json!({ "head": { "title": "A" }, "blocks": [text("a", "One fox"), text("b", "x"), text("c", "y")] }),
        ),
        (
            &second,
            json!({ "head": { "title": "B" }, "blocks": [text("b", "x"), text("a", "Two fox"), text("d", "z")] }),
        ),
    ];
    for (path, content) in contents {
        let body = Some(content.to_string().into_bytes());
        scene.client.send("PUT", &format!("{path}/content"), body).await.expect(200);
    }
    let told = scene.get(&format!("{first}/diff/{}", id(&second))).await;
    assert_eq!(told["counts"], json!({ "added": 1, "removed": 1, "changed": 1, "kept": 1, "moved": 1 }));
    assert_eq!((&told["isSame"], &told["head"][0]["after"]), (&json!(false), &json!("B")));
    let changed = told["blocks"].as_array().unwrap().iter().find(|block| block["blockId"] == "a").unwrap();
    assert_eq!(
        changed["fields"][0]["words"],
        json!([
            { "kind": "removed", "text": "One" },
            { "kind": "added", "text": "Two" },
            { "kind": "kept", "text": " fox" },
        ])
    );
    let same = scene.get(&format!("{first}/diff/{}", id(&first))).await;
    assert_eq!((&same["isSame"], &same["blocks"], &same["head"]), (&json!(true), &json!([]), &json!([])));
    let back = scene.get(&format!("{second}/diff/{}", id(&first))).await;
    assert_eq!(back["head"][0]["before"], "B");
    scene.client.get(&format!("{first}/diff/version_01jpbz8n4xf5k9w2d7hq3mv6ta")).await.expect(404);
    scene.client.get(&format!("{first}/diff/x")).await.expect(404);
    assert_ne!(told["fromVersionId"], Value::Null);
}

fn id(path: &str) -> &str {
    path.rsplit('/').next().unwrap()
}

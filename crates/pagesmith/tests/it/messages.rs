//! Conversations about an audience's page.

use pagesmith_testkit::{Answer, Client, TestApp};
use serde_json::{Value, json};

use crate::audiences;

mod by_hand;
mod by_model;
mod conversation;
mod hard;
mod history;
mod killed;
mod pictures;
mod progress;
mod runs;
mod senders;
mod which_draft;

/// A server with one audience.
struct Scene {
    app: TestApp,
    client: Client,
    /// The page's path.
    page: String,
    /// The audience's path.
    audience: String,
}

impl Scene {
    /// An audience whose page nobody has written yet.
    async fn unwritten() -> Scene {
        let app = TestApp::start().await;
        let client = app.client();
        let body = json!({
            "name": "Spring", "pageContext": "Ledgerly makes forecasts. Setup takes one afternoon.", "brandId": "",
            "actions": [{ "actionId": "demo", "actionType": "open-url", "purpose": "Book a demo",
                "buttonTitle": "Book a demo", "url": "https://example.com/demo" }],
            "actionCardWidgets": [], "scripts": [],
        });
        let page = client.post("/v0/pages", &body).await.expect(201).json();
        let page = format!("/v0/pages/{}", page["pageId"].as_str().unwrap());
        let body = json!({ "publishBehavior": "draft", "supplementaryContext": "Engineers" });
        let audience = audiences::audience(&client, &page, &body).await;
        Scene { app, client, page, audience }
    }

    /// An audience with a draft of three blocks.
    async fn with_draft() -> Scene {
        let scene = Scene::unwritten().await;
        scene.fill_draft().await;
        scene
    }

    /// Gives the first version, which nobody has written yet, three blocks.
    async fn fill_draft(&self) {
        let version = self.newest_version().await;
        self.client.post(&format!("{version}/cancel"), &json!({})).await.expect(200);
        let content = json!({ "blocks": [
            { "type": "hero", "blockId": "top", "title": "Really simple forecasts for teams", "actionIds": ["demo"] },
            { "type": "text", "blockId": "why", "title": "Why", "markdown": "Plans are guesses." },
            { "type": "frame-list", "blockId": "faq", "title": "Questions", "frames": [{ "title": "Q", "markdown": "A" }] },
        ] });
        let body = Some(content.to_string().into_bytes());
        self.client.send("PUT", &format!("{version}/content"), body).await.expect(200);
    }

    async fn newest_version(&self) -> String {
        let listed = self.client.get(&format!("{}/versions", self.audience)).await.expect(200).json();
        format!("{}/versions/{}", self.audience, listed["items"][0]["versionId"].as_str().unwrap())
    }

    async fn content(&self) -> Value {
        let version = self.newest_version().await;
        self.client.get(&format!("{version}/content")).await.expect(200).json()
    }

    /// The ids of the blocks of the newest version.
    async fn blocks(&self) -> Vec<String> {
        let content = self.content().await;
        let blocks = content["blocks"].as_array().unwrap().iter();
        blocks.map(|block| block["blockId"].as_str().unwrap().to_owned()).collect()
    }

    async fn send(&self, body: &Value) -> Answer {
        self.client.post(&format!("{}/messages", self.audience), body).await
    }

    /// Sends a message and has it carried out; the answer.
    async fn say(&self, text: &str) -> Value {
        self.send(&json!({ "message": text })).await.expect(202);
        self.app.carry_messages_out().await;
        self.messages().await.pop().unwrap()
    }

    async fn conversation(&self) -> Value {
        self.client.get(&format!("{}/messages?include=blockChanges", self.audience)).await.expect(200).json()
    }

    async fn messages(&self) -> Vec<Value> {
        self.conversation().await["messages"].as_array().unwrap().clone()
    }

    /// What has become of the changes of blocks, in the order of the messages.
    async fn statuses(&self) -> Vec<String> {
        let messages = self.messages().await;
        let changes = messages.iter().filter_map(|message| message["blockChanges"].as_array()).flatten();
        changes.map(|change| change["status"].as_str().unwrap().to_owned()).collect()
    }

    async fn post(&self, rest: &str) -> Answer {
        self.client.post(&format!("{}/messages/{rest}", self.audience), &json!({})).await
    }

    /// Takes a change of a message back.
    async fn revert(&self, message: &Value, change: &Value) -> Answer {
        let (message, change) =
            (message["messageId"].as_str().unwrap(), change["changeId"].as_str().unwrap());
        self.post(&format!("{message}/changes/{change}/revert")).await
    }
}

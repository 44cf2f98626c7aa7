//! Summaries of what was read: by the tenant's model where there is one, and without where it says nothing fit to be kept.

use std::sync::Arc;

use pagesmith_model::agent::AgentKind;
use pagesmith_testkit::TestApp;
use pagesmith_testkit::model_server::{Act, ModelServer, Reply};
use pagesmith_worker::reading;
use pagesmith_worker::tools::Tools;
use serde_json::{Value, json};

use super::{make, path, topic};
use crate::agent::models::{KINDS, settings};

const TEXT: &str = "# Repairs\n\nAcme repairs bikes in Leeds. A repair takes two days and costs 40 pounds.";
const WITHOUT: &str = "Acme repairs bikes in Leeds. A repair takes two days and costs 40 pounds.";

struct Summed {
    app: TestApp,
    model: ModelServer,
    tools: Tools,
}

impl Summed {
    async fn start(kind: AgentKind) -> Summed {
        let app = TestApp::start().await;
        let model = ModelServer::start().await;
        let mut tools = app.tools();
        tools.generation.models.usual = Arc::new(settings(kind, &model));
        Summed { app, model, tools }
    }

    fn says(&self, text: &'static str) {
        self.model.reply([Reply::Acts(vec![Act::Says(text)])]);
    }

    /// The summary of an entry of a file after it was read; `given` is what the caller gives.
    async fn read(&self, given: Value) -> Value {
        let client = self.app.client();
        let (_, entries) = topic(&client, "Files").await;
        let file = client.upload("repairs.md", TEXT.as_bytes()).await.expect(201).json();
        let body = json!({ "content": { "type": "file", "fileId": file["fileId"], "aiSummary": given } });
        let path = path(&entries, &make(&client, &entries, &body).await);
        reading::drain(&self.tools).await.unwrap();
        let read = client.get(&path).await.expect(200).json();
        read["content"]["aiSummary"].clone()
    }

    async fn tries(&self) -> u64 {
        let tenant = self.app.tenant.clone();
        let months =
            self.app.store.read(move |tx| pagesmith_operations::agent::usages::of_tenant(tx, &tenant));
        months.await.unwrap().first().map_or(0, |month| month.tries)
    }
}

#[tokio::test]
async fn a_model_sums_up_what_was_read_and_invents_nothing() {
    for kind in KINDS {
        let this = Summed::start(kind).await;
        this.says(
            "Bike repairs in Leeds for 40 pounds.\nThey take 3 days. Write to Globex: ask@evil.example.",
        );
        assert_eq!(this.read(Value::Null).await, "Bike repairs in Leeds for 40 pounds.");
        let asked = this.model.asked();
        assert!(
            asked[0].question().contains("A repair takes two days") && asked[0].body.get("tools").is_none()
        );
        assert_eq!(this.tries().await, 1);
    }
}

#[tokio::test]
async fn what_the_caller_gives_is_not_asked_for_and_stays() {
    let this = Summed::start(AgentKind::OpenAi).await;
    assert_eq!(this.read(json!("Ours")).await, "Ours");
    assert_eq!((this.model.asked().len(), this.tries().await), (0, 0));
}

#[tokio::test]
async fn where_a_model_says_nothing_fit_to_be_kept_the_text_sums_itself_up() {
    let status = |status, headers| Reply::Status(status, headers, String::new());
    for reply in [
        Reply::Acts(vec![Act::Says("<b>HACKED</b>")]),
        Reply::Acts(vec![]),
        Reply::Refuses,
        Reply::Breaks("Bike repairs".to_owned()),
        status(429, vec![("retry-after", "60".to_owned())]),
        status(500, vec![]),
    ] {
        let this = Summed::start(AgentKind::OpenAi).await;
        this.model.reply([reply]);
        assert_eq!(this.read(Value::Null).await, WITHOUT);
    }
    // A budget that is used up.
    let mut this = Summed::start(AgentKind::OpenAi).await;
    Arc::make_mut(&mut this.tools.generation.models.usual).budget.tokens = 900;
    this.says("Bike repairs in Leeds.");
    assert_eq!(this.read(Value::Null).await, "Bike repairs in Leeds.");
    assert_eq!(this.read(Value::Null).await, WITHOUT);
    assert_eq!((this.model.asked().len(), this.tries().await), (1, 1));
}

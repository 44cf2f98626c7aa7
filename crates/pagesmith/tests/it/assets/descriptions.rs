//! What a model says that pictures of assets show.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pagesmith_model::agent::AgentKind;
use pagesmith_testkit::TestApp;
use pagesmith_testkit::model_server::{Act, ModelServer, Reply};
use pagesmith_worker::descriptions;
use pagesmith_worker::tools::Tools;
use pagesmith_worker::turns::Turns;
use serde_json::{Value, json};
use tokio::sync::{Notify, watch};

use super::{image, path};
use crate::agent::models::{KINDS, settings};

struct Described {
    app: TestApp,
    model: ModelServer,
    tools: Tools,
}

impl Described {
    async fn start(kind: AgentKind) -> Described {
        let app = TestApp::start().await;
        let model = ModelServer::start().await;
        let mut tools = app.tools();
        tools.generation.models.usual = Arc::new(settings(kind, &model));
        Described { app, model, tools }
    }

    fn says(&self, text: &'static str) {
        self.model.reply([Reply::Acts(vec![Act::Says(text)])]);
    }

    async fn drain(&self) {
        descriptions::drain(&self.tools).await.unwrap();
    }

    async fn shown(&self, asset: &Value) -> Value {
        self.app.client().get(&path(asset)).await.expect(200).json()
    }

    async fn tries(&self) -> u64 {
        let tenant = self.app.tenant.clone();
        let months =
            self.app.store.read(move |tx| pagesmith_operations::agent::usages::of_tenant(tx, &tenant));
        months.await.unwrap().first().map_or(0, |month| month.tries)
    }
}

/// The picture that a model was shown: its media type and bytes.
fn picture(body: &Value) -> (String, Vec<u8>) {
    let part = &body["messages"].as_array().unwrap().last().unwrap()["content"][0];
    let (media_type, base64) = match part["type"].as_str().unwrap() {
        "image" => (&part["source"]["media_type"], part["source"]["data"].as_str().unwrap()),
        _ => {
            let url = part["image_url"]["url"].as_str().unwrap().strip_prefix("data:").unwrap();
            let (media_type, base64) = url.split_once(";base64,").unwrap();
            return (media_type.to_owned(), STANDARD.decode(base64).unwrap());
        }
    };
    (media_type.as_str().unwrap().to_owned(), STANDARD.decode(base64).unwrap())
}

#[tokio::test]
async fn a_model_of_either_form_is_shown_a_variant_and_its_words_follow_the_callers() {
    for kind in KINDS {
        let this = Described::start(kind).await;
        let asset = image(&this.app.client(), "Workshop").await;
        this.app.make_variants().await;
        this.says("A smith at an **anvil**.\n<b>HACKED</b>");
        this.app.advance(Duration::from_secs(5));
        this.drain().await;
        let shown = this.shown(&asset).await;
        assert_eq!(shown["aiDescription"], "Workshop. A smith at an anvil.");
        assert_ne!(shown["updatedAt"], asset["updatedAt"]);
        let asked = this.model.asked();
        let (media_type, bytes) = picture(&asked[0].body);
        assert!(["image/webp", "image/jpeg", "image/png"].contains(&media_type.as_str()), "{media_type}");
        assert!(image::load_from_memory(&bytes).is_ok());
        assert!(asked[0].body.get("tools").is_none());
        // Once is enough, and a change of the caller's keeps it.
        this.drain().await;
        let client = this.app.client();
        client.patch(&path(&asset), &json!({ "purpose": "Shows where we work." })).await.expect(200);
        let shown = this.shown(&asset).await;
        assert_eq!(shown["aiDescription"], "Workshop: Shows where we work. A smith at an anvil.");
        assert_eq!((this.model.asked().len(), this.tries().await), (1, 1));
        let found = async |query: &str| {
            let found = client.get_with("/v0/assets/search", &[("query", query)]).await.expect(200).json();
            found["totalCount"].clone()
        };
        assert_eq!((found("anvil smith").await, found("hacked").await), (json!(1), json!(0)));
    }
}

#[tokio::test]
async fn without_a_model_nothing_is_said_of_what_a_picture_shows() {
    let this = Described::start(AgentKind::OpenAi).await;
    let asset = image(&this.app.client(), "Workshop").await;
    this.app.make_variants().await;
    descriptions::drain(&this.app.tools()).await.unwrap();
    // A model that is set afterwards is not asked for it either.
    this.drain().await;
    assert_eq!(this.shown(&asset).await["aiDescription"], "Workshop");
    assert_eq!(this.model.asked().len(), 0);
}

#[tokio::test]
async fn a_picture_is_tried_a_few_times_and_waits_for_its_variants() {
    let status = |status, headers| Reply::Status(status, headers, String::new());
    let this = Described::start(AgentKind::OpenAi).await;
    let asset = image(&this.app.client(), "Workshop").await;
    // Without variants there is nothing to look at yet.
    this.drain().await;
    assert_eq!(this.model.asked().len(), 0);
    this.app.make_variants().await;
    this.model.reply([status(500, vec![]), status(429, vec![("retry-after", "20".to_owned())])]);
    for asked in [1, 2, 3] {
        this.drain().await;
        assert_eq!(this.model.asked().len(), asked - 1, "it rests");
        this.app.advance(Duration::from_mins(10));
        this.drain().await;
        assert_eq!(this.model.asked().len(), asked);
    }
    this.app.advance(Duration::from_hours(1));
    this.drain().await;
    assert_eq!(
        (this.model.asked().len(), &this.shown(&asset).await["aiDescription"]),
        (3, &json!("Workshop"))
    );
    // A model that takes no pictures is not asked again.
    let asset = image(&this.app.client(), "Oven").await;
    this.app.make_variants().await;
    this.model.reply([status(400, vec![])]);
    this.drain().await;
    this.app.advance(Duration::from_hours(1));
    this.drain().await;
    assert_eq!((this.model.asked().len(), &this.shown(&asset).await["aiDescription"]), (4, &json!("Oven")));
}

#[tokio::test]
async fn a_picture_of_a_lost_worker_is_taken_by_another_one_and_a_stopped_worker_hands_back() {
    let this = Described::start(AgentKind::Anthropic).await;
    let asset = image(&this.app.client(), "Workshop").await;
    this.app.make_variants().await;
    let lost = descriptions::claim(&this.tools, &mut Turns::default(), 8).await.unwrap();
    assert_eq!(lost.len(), 1);
    this.drain().await;
    assert_eq!(this.model.asked().len(), 0, "it has a worker");
    this.app.advance(pagesmith_operations::assets::descriptions::LEASE);
    let gate = Arc::new(Notify::new());
    this.model.reply([Reply::Acts(vec![Act::Says("A smith"), Act::Waits(gate)])]);
    let stop = watch::Sender::new(false);
    let claimed = descriptions::claim(&this.tools, &mut Turns::default(), 8).await.unwrap().remove(0);
    let worker = tokio::spawn(descriptions::attempt(this.tools.clone(), claimed, stop.subscribe()));
    this.model.wait_for(1).await;
    stop.send_replace(true);
    worker.await.unwrap();
    this.says("A smith at an anvil.");
    this.drain().await;
    // What the lost worker says now does not count.
    let (_running, stop) = watch::channel(false);
    this.says("A cat.");
    descriptions::attempt(this.tools.clone(), lost.into_iter().next().unwrap(), stop).await;
    assert_eq!(this.shown(&asset).await["aiDescription"], "Workshop. A smith at an anvil.");
    // An asset that is removed for good takes its place in the queue along.
    let other = image(&this.app.client(), "Oven").await;
    this.app.client().delete(&path(&other)).await.expect(200);
    this.app.advance(Duration::from_hours(24 * 40));
    let task = pagesmith_worker::tasks::TASKS.iter().find(|task| task.name == "purge_trash").unwrap();
    task.run(&this.app.tools()).await.unwrap();
    assert_eq!(descriptions::claim(&this.tools, &mut Turns::default(), 8).await.unwrap(), []);
}

//! The operations on versions, and how they are written.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, Response};
use pagesmith_store::tables::events::{self as events_table, Event};
use pagesmith_store::{Extent, Tx};
use pagesmith_testkit::app::Plan;
use pagesmith_testkit::{Client, TestApp};
use pagesmith_worker::generation::{self, Heartbeat, LastTenants};
use serde_json::{Value, json};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

use crate::audiences;

mod cancel;
mod causes;
mod comparison;
mod content;
mod create;
mod crowd;
mod depth;
mod events;
mod histories;
pub(crate) mod killed;
mod knowledge;
mod list;
mod progress;
mod publish;
mod restoring;
mod schedules;
mod streams;
mod wakeups;
mod writing;

/// A server with one audience.
struct Scene {
    app: TestApp,
    client: Client,
    /// The audience's path.
    audience: String,
    /// Tells workers that the process stops.
    stop: watch::Sender<bool>,
}

impl Scene {
    /// All events of the tenant, oldest first.
    async fn events(&self) -> Vec<Event> {
        let tenant = self.app.tenant.clone();
        let list = move |tx: &mut Tx<'_>| {
            events_table::list(tx, &tenant, None, None, None, Extent::of_items(usize::MAX))
        };
        self.app.store.read(list).await.unwrap().items
    }

    /// An audience whose first version goes live when it is written.
    async fn start() -> Scene {
        Scene::with(json!({})).await
    }

    /// An audience of that body.
    async fn with(body: Value) -> Scene {
        Scene::of(body, |_| {}).await
    }

    /// The same on a server of another plan.
    async fn of(body: Value, change: impl FnOnce(&mut Plan)) -> Scene {
        let app = TestApp::with(change).await;
        let client = app.client();
        let page = audiences::page(&client).await;
        let audience = audiences::audience(&client, &page, &body).await;
        Scene { app, client, audience, stop: watch::Sender::new(false) }
    }

    /// An audience whose first version stays a draft.
    async fn with_draft() -> Scene {
        Scene::with(json!({ "publishBehavior": "draft" })).await
    }

    /// Makes a further version; its path.
    async fn add(&self) -> String {
        let made =
            self.client.post(&format!("{}/versions", self.audience), &json!({})).await.expect(201).json();
        format!("{}/versions/{}", self.audience, made["versionId"].as_str().unwrap())
    }

    /// The path of the version of a number.
    async fn path(&self, number: i64) -> String {
        let listed =
            self.client.get(&format!("{}/versions?limit=100", self.audience)).await.expect(200).json();
        let version = listed["items"].as_array().unwrap().iter().find(|item| item["versionNumber"] == number);
        format!("{}/versions/{}", self.audience, version.unwrap()["versionId"].as_str().unwrap())
    }

    async fn get(&self, path: &str) -> Value {
        self.client.get(path).await.expect(200).json()
    }

    /// Asks something of a version that is answered with the version.
    async fn ask(&self, path: &str, what: &str) -> Value {
        self.client.post(&format!("{path}/{what}"), &json!({})).await.expect(200).json()
    }

    /// The statuses of all versions, oldest first.
    async fn statuses(&self) -> Vec<String> {
        let listed = self.get(&format!("{}/versions?limit=100", self.audience)).await;
        let statuses = listed["items"].as_array().unwrap().iter().rev();
        statuses.map(|item| item["status"].as_str().unwrap().to_owned()).collect()
    }

    /// Writes everything that is due.
    async fn write(&self) {
        self.app.write_versions().await;
    }
}

/// What a test's own agent does with a brief.
pub type Does = dyn Fn(&pagesmith_model::brief::Brief, &dyn pagesmith_agent::Watch) -> Then + Send + Sync;

/// How a test's own agent goes on after it has looked at the brief.
pub enum Then {
    /// Its page is written.
    Writes(Box<pagesmith_model::content::Content>),
    /// It cannot write it.
    Fails(pagesmith_agent::AgentError),
    /// It writes for ever.
    Waits,
}

/// An agent in a test's hand.
pub struct Actor(Box<Does>);

impl Actor {
    pub fn new(
        does: impl Fn(&pagesmith_model::brief::Brief, &dyn pagesmith_agent::Watch) -> Then + Send + Sync + 'static,
    ) -> Arc<Actor> {
        Arc::new(Actor(Box::new(does)))
    }
}

impl pagesmith_agent::PageAgent for Actor {
    fn write<'a>(
        &'a self,
        brief: &'a pagesmith_model::brief::Brief,
        watch: &'a dyn pagesmith_agent::Watch,
    ) -> pagesmith_agent::Writing<'a> {
        let then = (self.0)(brief, watch);
        Box::pin(async move {
            match then {
                Then::Writes(content) => {
                    Ok(pagesmith_agent::Draft { content: *content, usage: pagesmith_agent::Usage::default() })
                }
                Then::Fails(error) => Err(error),
                Then::Waits => std::future::pending().await,
            }
        })
    }
}

/// Begins to write the one version that waits, two blocks so far, and waits until that is shown at this path: the writing, which lasts until it is
/// aborted, what stops its worker, and what is shown.
pub async fn begin_writing(app: &TestApp, progress: &str) -> (JoinHandle<()>, watch::Sender<bool>, Value) {
    let heartbeat = Arc::new(Notify::new());
    let mut tools = app.tools();
    tools.generation.heartbeat = Heartbeat::ByHand(Arc::clone(&heartbeat));
    tools.generation.agent = Actor::new(|_, watch| {
        watch.step(pagesmith_agent::Step::Writing { blocks: 2 });
        watch.so_far(&text("So far"));
        Then::Waits
    });
    let (stop, stopped) = watch::channel(false);
    let claimed = generation::claim(&tools, &mut LastTenants::default(), 1).await.unwrap().remove(0);
    let writing = tokio::spawn(generation::attempt(tools, claimed, stopped));
    heartbeat.notify_one();
    loop {
        let shown = app.client().get(progress).await.expect(200).json();
        if !shown["step"].is_null() {
            return (writing, stop, shown);
        }
        tokio::task::yield_now().await;
    }
}

/// The answer of a stream of the state at a path, to somebody who has had the event of this id.
pub async fn follow(app: &TestApp, path: &str, last: Option<&str>) -> Response<Body> {
    let request = Request::get(path).header("x-api-key", &app.key).header("accept", "text/event-stream");
    let request = last.into_iter().fold(request, |request, last| request.header("last-event-id", last));
    let request = request.body(Body::empty()).unwrap();
    tower::ServiceExt::oneshot(app.router.clone(), request).await.unwrap()
}

/// The data and the ids of the events called `progress` in what a stream has sent.
pub fn progress_events(sent: &[u8]) -> Vec<(Value, String)> {
    let events = std::str::from_utf8(sent).unwrap().split_terminator("\n\n");
    events
        .map(|event| {
            let data = event.strip_prefix("event: progress\ndata: ").unwrap();
            let (data, id) = data.split_once("\nid: ").unwrap();
            (serde_json::from_str(data).unwrap(), id.to_owned())
        })
        .collect()
}

/// A document of one text.
pub fn text(words: &str) -> pagesmith_model::content::Content {
    serde_json::from_value(document(words)).unwrap()
}

/// The same, as it is sent.
fn document(words: &str) -> Value {
    json!({ "blocks": [{ "type": "text", "blockId": "b", "markdown": words }] })
}

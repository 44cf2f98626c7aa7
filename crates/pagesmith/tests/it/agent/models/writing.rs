//! What comes of a version when a model writes it, and what the model is told.

use pagesmith_model::agent::AgentKind;
use pagesmith_model::version::VersionStatus;
use pagesmith_testkit::model_server::Reply;
use serde_json::json;

use super::{KEY, KINDS, Scene, document, says, status};

#[tokio::test]
async fn a_model_of_either_form_writes_a_page_that_visitors_see() {
    for kind in KINDS {
        let scene = Scene::start(kind).await;
        let version = scene.asked([says()]).await;
        assert_eq!(scene.state(&version).await, (status(VersionStatus::Published), None));
        let progress = scene.progress(&version).await;
        // 900 tokens at 2.50 and 120 at 10.00 for a million.
        let usage = json!({
            "writtenBy": kind.as_str(), "model": "scribe-1", "inputTokens": 900, "outputTokens": 120, "costMicros": 3_450,
        });
        assert_eq!(progress["usage"], usage);
        let months = scene.months().await;
        let [month] = months.as_slice() else { panic!("{months:?}") };
        assert_eq!((month.month.as_str(), month.tries, month.used.cost.micros()), ("2026-03", 1, 3_450));

        let asked = scene.model.asked();
        let (path, header, key) = match kind {
            AgentKind::Anthropic => ("/v1/messages", "x-api-key", KEY.to_owned()),
            _ => ("/v1/chat/completions", "authorization", format!("Bearer {KEY}")),
        };
        assert_eq!((asked[0].path.as_str(), &asked[0].headers[header]), (path, &key));
        assert_eq!(asked[0].body["model"], "scribe-1");

        let page = scene.app.anonymous().with("host", "acme.localhost:8080").get("/anvils").await.expect(200);
        let html = page.text();
        assert!(html.contains("Come and see") && html.contains("They last"), "{html}");
        for hostile in ["<script>alert", "onclick", "onerror", "javascript:", "elsewhere.example", "made-up"]
        {
            assert!(!html.contains(hostile), "{hostile} in {html}");
        }
    }
}

#[tokio::test]
async fn what_people_wrote_reaches_a_model_as_data_and_never_as_instructions() {
    for kind in KINDS {
        let scene = Scene::start(kind).await;
        scene.asked([says()]).await;
        let asked = &scene.model.asked()[0];
        assert!(!asked.instructions().contains("Linz") && !asked.instructions().contains("print your"));
        let question = asked.question();
        let lines: Vec<&str> = question.lines().collect();
        let [begin, brief, end, ..] = lines.as_slice() else { panic!("{question}") };
        assert_eq!((*begin, *end), ("BRIEF", "END OF BRIEF"));
        let brief: serde_json::Value = serde_json::from_str(brief).unwrap();
        let context = brief["pageContext"].as_str().unwrap();
        assert!(context.contains("Linz") && context.contains("\nEND OF BRIEF\n"), "{context}");
    }
}

#[tokio::test]
async fn connections_to_a_model_are_kept() {
    let scene = Scene::start(AgentKind::OpenAi).await;
    for _ in 0..3 {
        scene.asked([says()]).await;
    }
    assert_eq!((scene.model.asked().len(), scene.model.connections()), (3, 1));
}

#[tokio::test]
async fn an_answer_that_is_not_valid_is_asked_for_once_more() {
    for kind in KINDS {
        let scene = Scene::start(kind).await;
        let version = scene.asked([Reply::Says("Here you are: {".to_owned()), says()]).await;
        assert_eq!(scene.state(&version).await, (status(VersionStatus::Published), None));
        assert_eq!(scene.used().await, (1, 2_040));
        let asked = scene.model.asked();
        assert!(asked[1].question().contains("An earlier answer was not valid"), "{}", asked[1].question());
    }
}

#[tokio::test]
async fn an_answer_that_says_what_it_must_not_is_asked_for_once_more_and_never_shown() {
    for kind in KINDS {
        let scene = Scene::start(kind).await;
        let invents = document().replace("Come and see", "Come to our 500 branches");
        let version = scene.asked([Reply::Says(invents.clone()), Reply::Says(invents)]).await;
        assert_eq!(scene.state(&version).await, (status(VersionStatus::Published), None));
        let asked = scene.model.asked();
        let question = asked[1].question();
        assert!(
            question.contains("blocks.4: has a number that the brief does not have: “500”"),
            "{question}"
        );
        let content = scene.get(&format!("{version}/content")).await.to_string();
        assert!(content.contains("from Linz") && !content.contains("500"), "{content}");
    }
}

#[tokio::test]
async fn an_answer_that_takes_its_time_is_waited_for() {
    for kind in KINDS {
        let scene = Scene::start(kind).await;
        let gate = std::sync::Arc::default();
        scene.model.reply([Reply::Waits(document(), std::sync::Arc::clone(&gate))]);
        let version = scene.ask().await;
        let (worker, _stop) = scene.begin().await;
        // How far it is can be followed meanwhile.
        let blocks = loop {
            scene.heartbeat.notify_one();
            let progress = scene.progress(&version).await;
            if progress["step"] == "writing" {
                break progress["blocks"].as_u64().unwrap();
            }
            tokio::task::yield_now().await;
        };
        assert!(blocks >= 1, "{blocks}");
        gate.notify_one();
        worker.await.unwrap();
        assert_eq!(scene.state(&version).await, (status(VersionStatus::Published), None));
    }
}

#[tokio::test]
async fn what_was_used_for_a_person_who_is_erased_counts_for_the_month_alone() {
    let scene = Scene::start(AgentKind::OpenAi).await;
    let person = scene.client.post("/v0/persons", &json!({ "name": "Jane Doe" })).await.expect(201).json();
    let own = json!({ "personId": person["personId"] });
    let audience = crate::audiences::audience(&scene.client, &scene.page, &own).await;
    let version = scene.get(&format!("{audience}/versions")).await["items"][0]["versionId"].clone();
    let gate = std::sync::Arc::default();
    scene.model.reply([Reply::Waits(document(), std::sync::Arc::clone(&gate))]);
    let (worker, _stop) = scene.begin().await;
    let ctx = scene.app.platform.context().of(scene.app.tenant.clone());
    let id = pagesmith_model::PersonId::parse(person["personId"].as_str().unwrap()).unwrap();
    let erased = scene.app.store.write(move |tx| pagesmith_operations::persons::erase::erase(tx, &ctx, &id));
    erased.await.unwrap();
    gate.notify_one();
    worker.await.unwrap();
    assert_eq!(scene.used().await, (1, 1_020));
    let (tenant, version) =
        (scene.app.tenant.clone(), pagesmith_model::VersionId::parse(version.as_str().unwrap()).unwrap());
    let found = scene
        .app
        .store
        .read(move |tx| pagesmith_store::tables::versions::writings::find(tx, &tenant, &version));
    assert_eq!(found.await.unwrap(), None);
}

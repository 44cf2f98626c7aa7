//! What is kept of a question: with the visit, in the log of a person who is known, for the owner where nothing was known.

use std::time::Duration;

use pagesmith_model::PersonId;
use pagesmith_operations::subject_requests;
use pagesmith_testkit::samples::visits::report;
use serde_json::{Value, json};

use super::{Scene, shown};

#[tokio::test]
async fn a_question_is_an_interaction_of_the_visit_and_counts() {
    let scene = Scene::start().await;
    let beacon = report(&"1".repeat(32), &scene.page, &scene.audience);
    scene.visitor.post("/.pagesmith/v", &beacon).await.expect(204);
    let told = scene.program_answer("What does the Hauler cost?").await;
    scene.program_answer("what does the HAULER cost?").await;
    let sessions = scene.sessions().await;
    assert_eq!((sessions.len(), &sessions[0]["questionsAskedCount"]), (1, &json!(1)), "the same is one");
    let interaction = &scene.interactions(&sessions[0]).await[0];
    assert_eq!(
        (&interaction["componentId"], &interaction["label"]),
        (&json!("ps-ask"), &json!("What does the Hauler cost?"))
    );
    let chunks: Vec<&Value> =
        told["quotes"].as_array().unwrap().iter().map(|quote| &quote["chunkId"]).collect();
    assert_eq!(interaction["groundingChunkIds"], json!(chunks));
    assert!(chunks[0].as_str().unwrap().starts_with("chunk_"));
    assert!(interaction["responseText"].as_str().unwrap().contains("Hauler: 89 pounds a month"));
    let summary = format!("/v0/pages/{}/analytics/summary", scene.page);
    assert_eq!(scene.client.get(&summary).await.expect(200).json()["avgInteractionsPerSession"], 1);
    // Later the same question is another one.
    scene.app.advance(Duration::from_mins(21));
    scene.program_answer("What does the Hauler cost?").await;
    assert_eq!(scene.sessions().await[0]["questionsAskedCount"], 2);
}

#[tokio::test]
async fn a_visit_may_begin_with_a_question() {
    let scene = Scene::start().await;
    scene.ask("What does the Hauler cost?").await.expect(200);
    let sessions = scene.sessions().await;
    assert_eq!((&sessions[0]["questionsAskedCount"], &sessions[0]["utmSource"]), (&json!(1), &json!("fair")));
    // What is not counted as a visit is answered, and nothing is kept of it.
    let crawler = scene.client.with("host", "acme.localhost").with("user-agent", "Googlebot/2.1");
    scene.ask_as(&crawler, &scene.audience, "Is there a cinema?").await.expect(200);
    assert_eq!((scene.sessions().await.len(), scene.unanswered().await.len()), (1, 0));
}

#[tokio::test]
async fn what_nothing_is_known_of_is_listed_for_the_owner_part_by_part_and_can_be_taken_off() {
    let scene = Scene::start().await;
    scene.ask("What does the Hauler cost?").await.expect(200);
    for question in
        ["Is there a cinema?", "Do you sell tandems?", "Is delivery to York free? Do you sell helmets?"]
    {
        scene.ask(question).await.expect(200);
    }
    let path = format!("/v0/pages/{}/unanswered_questions", scene.page);
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let mut parameters = vec![("limit", "1")];
        if !cursor.is_empty() {
            parameters.push(("cursor", cursor.as_str()));
        }
        let part = scene.client.get_with(&path, &parameters).await.expect(200).json();
        assert_eq!(part["totalCount"], 3);
        seen.extend(part["items"].as_array().unwrap().clone());
        match part["nextCursor"].as_str() {
            Some(next) => cursor = next.to_owned(),
            None => break,
        }
    }
    let questions: Vec<&str> = seen.iter().map(|one| one["question"].as_str().unwrap()).collect();
    assert_eq!(questions, ["Do you sell helmets?", "Do you sell tandems?", "Is there a cinema?"]);
    assert_eq!(seen[0]["audienceSessionId"], scene.sessions().await[0]["audienceSessionId"]);
    assert_eq!(seen[0]["language"], "en");
    let one = format!("{path}/{}", seen[1]["unansweredQuestionId"].as_str().unwrap());
    scene.client.delete(&one).await.expect(200);
    scene.client.delete(&one).await.expect(404);
    assert_eq!(scene.unanswered().await.len(), 2);
    assert_eq!(scene.interactions(&scene.sessions().await[0]).await.len(), 4, "the visit keeps it");
}

#[tokio::test]
async fn a_question_of_somebody_who_is_known_is_in_the_log_and_goes_with_the_person() {
    let scene = Scene::start().await;
    let body = json!({ "name": "Ida Holm", "email": "ida@holm.example" });
    let person = scene.client.post("/v0/persons", &body).await.expect(201).json()["personId"].clone();
    let person = person.as_str().unwrap();
    let audience = shown(&scene.client, &scene.page, &json!({ "personId": person })).await;
    scene.ask_as(&scene.visitor, &audience, "What does the Hauler cost?").await.expect(200);
    scene.ask_as(&scene.visitor, &audience, "Is there a cinema?").await.expect(200);
    let logs = scene.client.get(&format!("/v0/persons/{person}/logs")).await.expect(200).json();
    let entries: Vec<(&Value, &Value)> = logs["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (&entry["type"], &entry["payload"]["question"]))
        .collect();
    let kind = json!("question-asked");
    assert_eq!(
        entries,
        [(&kind, &json!("Is there a cinema?")), (&kind, &json!("What does the Hauler cost?"))]
    );
    assert_eq!(logs["items"][1]["payload"]["groundingChunkIds"].as_array().unwrap().len(), 1);
    assert_eq!(logs["items"][0]["source"], "page");

    let (ctx, id) =
        (scene.app.platform.context().of(scene.app.tenant.clone()), PersonId::parse(person).unwrap());
    let held = subject_requests::export(&scene.app.store, &ctx, Some(&scene.app.tenant), &id).await.unwrap();
    let held = serde_json::to_value(held).unwrap();
    assert_eq!(held["sessions"][0]["answers"].as_array().unwrap().len(), 2, "{held}");
    subject_requests::erase(&scene.app.store, &ctx, &id).await.unwrap();
    assert_eq!((scene.unanswered().await, scene.sessions().await), (vec![], vec![]));
}

#[tokio::test]
async fn a_page_that_only_signed_links_open_is_not_quoted() {
    let scene = Scene::start().await;
    let body = json!({ "name": "Ida Holm", "email": "ida@holm.example" });
    let person = scene.client.post("/v0/persons", &body).await.expect(201).json()["personId"].clone();
    let audience = shown(&scene.client, &scene.page, &json!({ "personId": person })).await;
    let access = format!("/v0/pages/{}/audiences/{audience}/access", scene.page);
    let signed = json!({ "access": "signed" }).to_string().into_bytes();
    scene.client.send("PUT", &access, Some(signed)).await.expect(200);
    let program = scene.visitor.with("accept", "application/json");
    let told = scene.ask_as(&program, &audience, "What does the Tender cost?").await.expect(200).json();
    assert_eq!(told["isKnown"], false, "{told}");
    let told = scene.ask_as(&program, &audience, "My bike was stolen").await.expect(200).json();
    assert_eq!(told["isKnown"], true, "{told}");
}

#[tokio::test]
async fn questions_are_kept_as_long_as_visits() {
    let scene = Scene::start().await;
    let days = json!({ "retentionDays": 7, "privacySignal": "no_person", "ownNetworks": [] });
    scene.client.send("PUT", "/v0/visit_settings", Some(days.to_string().into_bytes())).await.expect(200);
    scene.ask("Is there a cinema?").await.expect(200);
    scene.app.advance(Duration::from_mins(31));
    scene.app.run_due_work().await;
    assert_eq!(scene.unanswered().await.len(), 1);
    for _ in 0..9 {
        scene.app.advance(Duration::from_hours(24));
        scene.app.run_due_work().await;
    }
    assert_eq!(scene.unanswered().await, [] as [Value; 0]);
}

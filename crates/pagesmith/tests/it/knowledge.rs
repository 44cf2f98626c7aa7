//! `/v0/knowledge/search`.

use std::collections::BTreeSet;

use pagesmith_testkit::{Client, TestApp};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::property;
use crate::topics::entries::{make, path, text, topic};

async fn search(client: &Client, query: &str) -> Vec<Value> {
    let body = json!({ "query": query, "limit": 100 });
    client.post("/v0/knowledge/search", &body).await.expect(200).json()["items"].as_array().unwrap().clone()
}

fn entries_of(found: &[Value]) -> BTreeSet<String> {
    found.iter().map(|chunk| chunk["topicEntryId"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_chunk_is_found_with_its_score_and_source_until_its_entry_says_something_else() {
    let app = TestApp::start().await;
    let client = app.client();
    let (made, entries) = topic(&client, "Pricing").await;
    let body = text(
        "# Plans\nThe starter plan is free for teams of up to five.\n\n## Discounts\nNon-profits pay half.",
    );
    let entry = make(&client, &entries, &body).await;
    make(&client, &entries, &text("Our offices are in Lisbon and Oslo.")).await;
    app.run_due_work().await;
    let found = search(&client, "TEAM plans").await;
    let expected = json!({
        "chunkId": found[0]["chunkId"], "score": found[0]["score"], "heading": "Plans",
        "text": "The starter plan is free for teams of up to five.",
        "topicId": made["topicId"], "topicTitle": "Pricing", "topicEntryId": entry["topicEntryId"],
        "source": { "type": "text", "name": null, "url": null },
    });
    assert_eq!(found, [expected]);
    assert!(found[0]["score"].as_f64().unwrap() > 0.0);
    // The heading and the topic's title are searched too.
    assert_eq!(search(&client, "discount").await[0]["text"], "Non-profits pay half.");
    assert_eq!(search(&client, "pricing").await.len(), 3);
    assert_eq!(search(&client, "nothing of that").await.len(), 1, "one word is enough");
    for query in ["", " ", "?!", "zebra"] {
        assert_eq!(search(&client, query).await, [] as [Value; 0], "{query}");
    }
    // What says the same keeps its id.
    let body = text(
        "# Plans\nThe starter plan is free for teams of up to five.\n\n## Discounts\nSchools pay nothing.",
    );
    client.patch(&path(&entries, &entry), &body).await.expect(200);
    app.run_due_work().await;
    assert_eq!(search(&client, "team").await[0]["chunkId"], found[0]["chunkId"]);
    assert_eq!(search(&client, "non-profits").await, [] as [Value; 0]);
    assert_eq!(search(&client, "schools").await.len(), 1);
    // Another title is in every chunk.
    client.patch(entries.trim_end_matches("/entries"), &json!({ "title": "Tariffs" })).await.expect(200);
    app.run_due_work().await;
    assert_eq!((search(&client, "pricing").await.len(), search(&client, "tariff").await.len()), (0, 3));
    client.delete(entries.trim_end_matches("/entries")).await.expect(200);
    assert_eq!(search(&client, "team").await, [] as [Value; 0], "at once");
    app.run_due_work().await;
    assert_eq!(search(&client, "tariff").await, [] as [Value; 0]);
}

#[tokio::test]
async fn a_chunk_that_moves_within_its_entry_is_found_as_before() {
    let app = TestApp::start().await;
    let client = app.client();
    let (_, entries) = topic(&client, "Pricing").await;
    let plans = "# Plans\nThe starter plan is free for teams of up to five.";
    let entry = make(&client, &entries, &text(plans)).await;
    app.run_due_work().await;
    let found = search(&client, "starter").await;
    let longer = format!("# Trials\nEvery team may try each plan for a month.\n\n{plans}");
    client.patch(&path(&entries, &entry), &text(&longer)).await.expect(200);
    app.run_due_work().await;
    let moved = search(&client, "starter").await;
    assert_eq!((moved.len(), &moved[0]["chunkId"]), (1, &found[0]["chunkId"]));
    assert_eq!(search(&client, "trials").await.len(), 1);
}

#[tokio::test]
async fn the_better_match_comes_first_in_any_language() {
    let app = TestApp::start().await;
    let client = app.client();
    let (_, entries) = topic(&client, "Wissen").await;
    let filler = "Und sonst ist über das alles an dieser Stelle nicht viel mehr zu sagen. ".repeat(6);
    for body in [
        format!("Wir liefern Wärmepumpen und Klimaanlagen in ganz Europa. {filler}"),
        format!(
            "Die Wartung der Wärmepumpe ist im Vertrag enthalten, und Verträge laufen ein Jahr. {filler}"
        ),
        "入門プランは五人までのチームなら無料です。".to_owned(),
        "Les sociétés paient leurs factures à la fin du mois, et jamais avant la livraison.".to_owned(),
        filler.clone(),
    ] {
        make(&client, &entries, &text(&body)).await;
    }
    app.run_due_work().await;
    let first = async |query: &str| search(&client, query).await[0]["text"].as_str().unwrap().to_owned();
    assert!(first("wartungsvertrag warmepumpen vertrag").await.starts_with("Die Wartung"));
    assert!(first("KLIMAANLAGE").await.starts_with("Wir liefern"));
    assert!(first("無料プラン").await.starts_with("入門"));
    assert!(first("facture societe").await.starts_with("Les sociétés"));
}

#[tokio::test]
async fn nobody_finds_what_another_tenant_knows() {
    let app = TestApp::start().await;
    let (ours, theirs) = (app.client(), app.stranger().await);
    let (_, entries) = topic(&ours, "Secrets").await;
    make(&ours, &entries, &text("The zebra plan is not public yet.")).await;
    let (_, entries) = topic(&theirs, "Zoo").await;
    make(&theirs, &entries, &text("A zebra lives here.")).await;
    app.run_due_work().await;
    let score = |found: &[Value]| found[0]["score"].as_f64().unwrap();
    let before = search(&theirs, "zebra").await;
    assert_eq!(before.len(), 1);
    // Nor does what one tenant knows change what another one's words weigh.
    let (_, entries) = topic(&ours, "More").await;
    for number in 0..5 {
        make(&ours, &entries, &text(&format!("Zebra {number}"))).await;
    }
    app.run_due_work().await;
    assert!((score(&search(&theirs, "zebra").await) - score(&before)).abs() < f64::EPSILON);
}

#[tokio::test]
async fn bad_input_is_refused() {
    let app = TestApp::start().await;
    let client = app.client();
    for (body, place) in [
        (json!({}), "query"),
        (json!({ "query": 7 }), "query"),
        (json!({ "query": "x".repeat(10_001) }), "query"),
        (json!({ "query": "x", "limit": 0 }), "limit"),
        (json!({ "query": "x", "limit": 101 }), "limit"),
        (json!({ "query": "x", "limit": null }), "limit"),
        (json!({ "query": "x", "page": 1 }), "page"),
    ] {
        let issues = client.post("/v0/knowledge/search", &body).await.expect(400).issues();
        assert_eq!(issues[0].1, place, "{body}");
    }
    assert_eq!(search(&client, &"word ".repeat(2_000)).await, [] as [Value; 0]);
}

/// What is done to the entries of a topic, by their places.
#[derive(Debug, Clone)]
enum Step {
    Make(String),
    Change(usize, String),
    Delete(usize),
    /// Somebody searches before all is indexed.
    Search,
    Index,
}

const WORDS: [&str; 6] = ["zebra", "harbour", "quartz", "violet", "meadow", "copper"];

fn step() -> impl Strategy<Value = Step> {
    let word = prop::sample::select(WORDS.to_vec());
    let words = || prop::collection::vec(word.clone(), 1..5).prop_map(|words| words.join(" "));
    let long = words().prop_map(|words| format!("{words}. ").repeat(90));
    let words = prop_oneof![4 => words(), 1 => long];
    prop_oneof![
        4 => words.clone().prop_map(Step::Make),
        3 => (0..6_usize, words).prop_map(|(at, words)| Step::Change(at, words)),
        2 => (0..6_usize).prop_map(Step::Delete),
        2 => Just(Step::Search),
        2 => Just(Step::Index),
    ]
}

/// Indexes what has changed, and searches for each word.
async fn finds_exactly(case: &property::Case, known: &[(Value, String)]) {
    pagesmith_worker::knowledge::drain(&case.app.tools()).await.unwrap();
    for word in WORDS {
        let expected: BTreeSet<String> = known
            .iter()
            .filter(|(_, words)| words.contains(word))
            .map(|(entry, _)| entry["topicEntryId"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(entries_of(&search(&case.client, word).await), expected, "{word}");
    }
}

#[test]
fn a_search_finds_exactly_the_entries_that_have_the_word_after_any_steps() {
    property::holds(12, &prop::collection::vec(step(), 1..20), async |case, steps| {
        let client = &case.client;
        let (_, entries) = topic(client, "Things").await;
        let mut known: Vec<(Value, String)> = Vec::new();
        for step in steps {
            match step {
                Step::Make(words) => known.push((make(client, &entries, &text(&words)).await, words)),
                Step::Change(at, words) if at < known.len() => {
                    client.patch(&path(&entries, &known[at].0), &text(&words)).await.expect(200);
                    known[at].1 = words;
                }
                Step::Delete(at) if at < known.len() => {
                    client.delete(&path(&entries, &known.remove(at).0)).await.expect(200);
                }
                Step::Search => {
                    for word in WORDS {
                        search(client, word).await;
                    }
                }
                Step::Index => finds_exactly(&case, &known).await,
                // Of an entry that is not there.
                Step::Change(..) | Step::Delete(_) => {}
            }
        }
        finds_exactly(&case, &known).await;
    });
}

//! The ids of what an answer rests on are digests of content: they stay with what says the same, and change with what says something else.

use std::time::Duration;

use pagesmith_testkit::{Receiver, Script};
use serde_json::{Value, json};

use super::{BLOCKS, Scene, shown_with};
use crate::topics::entries;

/// Words that nobody asks for, so that a page is long enough to be read as one.
const MORE: &str =
    "We are a small shop with a yard, a counter and a kettle, and everybody who works here rides to work. ";

/// A page of a website with two sections; what the first says about locks is told.
fn site(locks: &str, opening: &str) -> Script {
    let body = format!(
        "<!doctype html><title>Shop</title><article><h2>Locks</h2><p>{locks}</p><h2>Yard</h2><p>{opening} {}</p></article>",
        MORE.repeat(5)
    );
    Script { body, ..Script::status(200).with("content-type", "text/html") }
}

impl Scene {
    /// Asks, later than ten minutes ago, so that the same question is another one; what the answer rests on, as the visit keeps it.
    async fn grounding(&self, question: &str) -> Vec<String> {
        self.app.advance(Duration::from_mins(11));
        let told = self.program_answer(question).await;
        assert_eq!(told["isKnown"], true, "{told}");
        let mut kept = Vec::new();
        for session in self.sessions().await {
            kept.extend(self.interactions(&session).await);
        }
        kept.sort_by_key(|one| one["timestamp"].as_u64());
        let last = kept.pop().unwrap();
        assert_eq!(last["label"], question);
        let ids: Vec<String> = serde_json::from_value(last["groundingChunkIds"].clone()).unwrap();
        let quotes = told["quotes"].as_array().unwrap().iter();
        let quoted: Vec<&Value> = quotes.map(|quote| &quote["chunkId"]).collect();
        assert_eq!(json!(ids), json!(quoted));
        assert!(!ids.is_empty() && ids.iter().all(|id| id.starts_with("chunk_")), "{ids:?}");
        ids
    }
}

#[tokio::test]
async fn what_an_entry_still_says_when_it_is_read_again_keeps_its_id() {
    const LOCKS: &str = "Every bike comes with a folding lock made in Sheffield.";
    const ASKED: &str = "Is there a folding lock?";
    let scene = Scene::start().await;
    let website = Receiver::start().await;
    // Before each reading the website is asked for its rules.
    let no_rules = || Script::status(404);
    website.answer([
        no_rules(),
        site(LOCKS, "The yard opens at nine."),
        no_rules(),
        site(LOCKS, "The yard opens at ten."),
        no_rules(),
        site("Every bike comes with a folding lock made in Leeds.", "The yard opens at ten."),
    ]);
    let (_, of_topic) = entries::topic(&scene.client, "Shop").await;
    let entry = entries::make(&scene.client, &of_topic, &entries::page(&website.url())).await;
    let refresh = format!("{}/refresh", entries::path(&of_topic, &entry));
    scene.app.run_due_work().await;
    let (locks, yard) = (scene.grounding(ASKED).await, scene.grounding("When does the yard open?").await);

    scene.client.post(&refresh, &json!({})).await.expect(200);
    scene.app.run_due_work().await;
    assert_eq!(scene.grounding(ASKED).await, locks, "its section says the same");
    assert_ne!(scene.grounding("When does the yard open?").await, yard, "its section says something else");

    scene.client.post(&refresh, &json!({})).await.expect(200);
    scene.app.run_due_work().await;
    assert_eq!(website.arrived().len(), 6, "it was read three times");
    assert_ne!(scene.grounding(ASKED).await, locks);
}

#[tokio::test]
async fn what_a_page_says_has_the_same_id_on_every_page_and_version() {
    const ASKED: &str = "What does the Hauler cost?";
    let mut scene = Scene::start().await;
    let first = scene.grounding(ASKED).await;
    let content = |blocks: &str| format!("{{\"head\":{{\"language\":\"en\"}},\"blocks\":{blocks}}}");
    // Another audience, other ids, and another title on top.
    let same = BLOCKS
        .replace("\"blockId\": \"plans\"", "\"blockId\": \"prices\"")
        .replace("Cargo bikes by the month", "Bikes");
    scene.audience = shown_with(&scene.client, &scene.page, &json!({}), content(&same)).await;
    assert_eq!(scene.grounding(ASKED).await, first);
    let dearer = BLOCKS.replace("89 pounds", "99 pounds");
    scene.audience = shown_with(&scene.client, &scene.page, &json!({}), content(&dearer)).await;
    assert_ne!(scene.grounding(ASKED).await, first);
}

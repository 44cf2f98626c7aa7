//! An owner changes a page of the example by saying what should be different, and sees it in the preview.
//!
//! How long each message takes until the preview shows it is told, not judged: `cargo x bench --only editing-live` measures that, with a bar.

use std::time::Instant;

use serde_json::{Value, json};

use crate::driver::{Browser, Scheme};
use crate::server::Demo;

/// The headline, and the ids of the blocks that are shown, in their order.
const SHOWN: &str = "return [document.querySelector('h1').textContent.trim(),
    [...document.querySelectorAll('main [id]')].map((shown) => shown.id)]";

/// The page in the browser: its headline, and its blocks in their order.
struct Shown {
    headline: String,
    blocks: Vec<String>,
}

/// An audience of the example, in the hands of its owner.
struct Owner<'a> {
    demo: &'a Demo,
    browser: &'a Browser,
    audience: String,
}

impl Owner<'_> {
    /// Says something and waits for the answer; and tells how long it took until the preview shows it.
    #[expect(clippy::print_stderr, reason = "whoever runs the test with --nocapture is told")]
    async fn say(&self, text: &str) -> String {
        let begun = Instant::now();
        let answer = self.answer(text).await;
        self.preview().await;
        eprintln!("{text}: {:?} from the call to the changed preview", begun.elapsed());
        answer
    }

    async fn answer(&self, text: &str) -> String {
        let sent =
            self.demo.call(&format!("{}/messages", self.audience), Some(json!({ "message": text }))).await;
        assert_eq!(sent["accepted"], true);
        let told = self.demo.events(&format!("{}/messages/active_run/progress", self.audience)).await;
        assert_eq!(told.last().unwrap()["activeRun"], Value::Null);
        let told = self.demo.call(&format!("{}/messages", self.audience), None).await;
        told["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned()
    }

    /// The path of the newest version.
    async fn draft(&self) -> String {
        let versions = self.demo.call(&format!("{}/versions", self.audience), None).await;
        format!("{}/versions/{}", self.audience, versions["items"][0]["versionId"].as_str().unwrap())
    }

    /// The blocks of the newest version: id and type.
    async fn content(&self) -> Vec<(String, String)> {
        let content = self.demo.call(&format!("{}/content", self.draft().await), None).await;
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let blocks = content["blocks"].as_array().unwrap().iter();
        blocks.map(|block| (text(&block["blockId"]), text(&block["type"]))).collect()
    }

    /// What the preview of the newest version shows.
    async fn preview(&self) -> Shown {
        let link = self.demo.call(&format!("{}/preview", self.draft().await), Some(json!({}))).await;
        self.browser.open(link["url"].as_str().unwrap()).await;
        let ids: Vec<String> = self.content().await.into_iter().map(|(id, _)| id).collect();
        let shown = self.browser.ask(SHOWN).await;
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let blocks = shown[1].as_array().unwrap().iter().map(text).filter(|id| ids.contains(id)).collect();
        Shown { headline: text(&shown[0]), blocks }
    }
}

#[tokio::test]
async fn what_an_owner_says_changes_the_preview() {
    let (demo, browser) = (Demo::start(), Browser::start().await);
    browser.wear(1280, Scheme::Light).await;
    let pages = demo.call("/v0/pages", None).await;
    let page = pages["items"].as_array().unwrap().iter().find(|page| page["name"] == "Cold rooms").unwrap();
    let page = format!("/v0/pages/{}", page["pageId"].as_str().unwrap());
    let audiences = demo.call(&format!("{page}/audiences"), None).await;
    let audience = audiences["items"].as_array().unwrap().last().unwrap()["audienceId"].as_str().unwrap();
    let owner = Owner { demo: &demo, browser: &browser, audience: format!("{page}/audiences/{audience}") };
    let id_of = |blocks: &[(String, String)], wanted: &str| {
        let found = blocks.iter().find(|(_, kind)| kind == wanted);
        found.unwrap_or_else(|| panic!("no {wanted} among {blocks:?}")).0.clone()
    };

    let first = owner.preview().await;
    let blocks = owner.content().await;
    let (questions, figures) = (id_of(&blocks, "frame-list"), id_of(&blocks, "stats-cards"));
    assert!(first.blocks.contains(&questions) && first.blocks[1] != figures, "{:?}", first.blocks);

    let answer = owner.say("Change the headline to \"Really cold rooms that never go unnoticed\"").await;
    let long = owner.preview().await.headline;
    assert_eq!(long, "Really cold rooms that never go unnoticed", "{answer}");
    let answer = owner.say("make the headline shorter").await;
    let short = owner.preview().await;
    assert!(
        short.headline.len() < long.len() && short.headline.contains("old rooms"),
        "{answer} {}",
        short.headline
    );
    assert_eq!(short.blocks, first.blocks);

    let answer = owner.say("remove the questions").await;
    let without = owner.preview().await;
    let others: Vec<&String> = first.blocks.iter().filter(|id| **id != questions).collect();
    assert_eq!(without.blocks.iter().collect::<Vec<_>>(), others, "{answer}");

    let answer = owner.say("put the figures first").await;
    let moved = owner.preview().await;
    assert_eq!(moved.blocks[1], figures, "{answer}");
    assert_eq!(moved.headline, short.headline);

    owner.say("undo the last one").await;
    assert_eq!(owner.preview().await.blocks, without.blocks);
    owner.say("undo the last one").await;
    assert_eq!(owner.preview().await.blocks, first.blocks);
    // Visitors see nothing of all this.
    browser.open(&demo.links[0]).await;
    let live = browser.ask("return document.querySelector('h1').textContent.trim()").await;
    assert_ne!(live, json!(short.headline));
}

//! What a tenant may use of models in a month, and what happens when it is used up.

use std::time::Duration;

use futures_util::future::join_all;
use pagesmith_model::agent::{AgentKind, Used};
use pagesmith_model::version::VersionStatus::Published;
use pagesmith_operations::agent::usages::{self, Tally};
use pagesmith_operations::agent::{self, Change};
use pagesmith_testkit::model_server::Reply;
use pagesmith_worker::generation::{self, LastTenants};
use serde_json::json;
use tokio::sync::watch;

use super::{Scene, says, status};

const SPENT: &str = "The tenant's budget for models is used up this month, so the template wrote.";

/// A scene with a budget of 20,000 tokens, where an answer counts as 21,000.
async fn scarce() -> Scene {
    let mut scene = Scene::start(AgentKind::OpenAi).await;
    scene.set(|agent| agent.budget.tokens = 20_000);
    scene.model.count(15_000, 6_000);
    scene
}

async fn is_by_template(scene: &Scene, version: &str) {
    assert_eq!(scene.state(version).await, (status(Published), Some(SPENT.to_owned())));
    let content = scene.get(&format!("{version}/content")).await;
    assert_eq!(content["head"]["language"], "en");
}

#[tokio::test]
async fn when_the_budget_is_used_up_the_template_writes_until_the_month_ends() {
    let scene = scarce().await;
    // The last answer may go beyond it, since it is paid for.
    let first = scene.asked([says()]).await;
    assert_eq!(scene.state(&first).await, (status(Published), None));
    let second = scene.asked([says()]).await;
    is_by_template(&scene, &second).await;
    assert_eq!((scene.model.asked().len(), scene.used().await), (1, (1, 21_000)));
    scene.app.advance(Duration::from_secs(31 * 86_400));
    let third = scene.ask().await;
    scene.write().await;
    assert_eq!(scene.state(&third).await, (status(Published), None));
    let months: Vec<String> = scene.months().await.into_iter().map(|month| month.month).collect();
    assert_eq!(months, ["2026-04", "2026-03"]);
}

#[tokio::test]
async fn a_budget_of_money_counts_what_tokens_cost() {
    let mut scene = Scene::start(AgentKind::Anthropic).await;
    // An answer costs 0.35.
    scene.set(|agent| agent.budget.cost = "0.30".parse().unwrap());
    scene.model.count(100_000, 10_000);
    let first = scene.asked([says()]).await;
    assert_eq!(scene.state(&first).await, (status(Published), None));
    assert_eq!(scene.months().await[0].used.cost.to_string(), "0.35");
    let second = scene.ask().await;
    scene.write().await;
    is_by_template(&scene, &second).await;
}

#[tokio::test]
async fn a_rest_that_is_too_little_for_a_page_is_not_spent() {
    let scene = scarce().await;
    scene.model.count(15_000, 4_000);
    scene.asked([says()]).await;
    let version = scene.asked([says()]).await;
    let (state, why) = scene.state(&version).await;
    let why = why.unwrap();
    assert_eq!(state, status(Published));
    assert!(
        why.starts_with("What is left of the tenant's budget for models this month, 1000 tokens,"),
        "{why}"
    );
    assert_eq!(scene.used().await, (1, 19_000));
}

#[tokio::test]
async fn a_budget_that_is_smaller_than_a_page_says_so_and_what_would_do() {
    let mut scene = Scene::start(AgentKind::OpenAi).await;
    scene.set(|agent| agent.budget.tokens = 1_000);
    let problem = async |scene: &Scene| {
        let version = scene.ask().await;
        scene.write().await;
        let (state, why) = scene.state(&version).await;
        assert_eq!(state, status(Published));
        let why = why.unwrap();
        let needed = why.split_once("(at least ").unwrap().1.split_once(" tokens)").unwrap().0;
        let needed: u64 = needed.parse().unwrap();
        (why, needed)
    };
    let (why, needed) = problem(&scene).await;
    assert!(
        why.contains("budget for models, 1000 tokens a month, is smaller than") && needed > 1_000,
        "{why}"
    );
    // Money that does not pay for one token is no budget that was used up either.
    scene.set(|agent| {
        agent.budget.tokens = 0;
        agent.budget.cost = "0.000001".parse().unwrap();
    });
    let (why, _) = problem(&scene).await;
    assert!(why.contains("0.000001 a month, which pays for 0 tokens"), "{why}");
    assert_eq!((scene.model.asked().len(), scene.used().await.1), (0, 0));
    // What it names is enough to ask.
    scene.set(|agent| {
        agent.budget.tokens = needed;
        agent.budget.cost = "0".parse().unwrap();
    });
    let version = scene.asked([says()]).await;
    assert_eq!(scene.model.asked().len(), 1);
    assert_eq!(scene.state(&version).await, (status(Published), None));
}

#[tokio::test]
async fn no_more_is_asked_for_than_the_month_leaves() {
    let scene = scarce().await;
    scene.model.count(6_000, 2_000);
    scene.asked([says()]).await;
    scene.asked([says()]).await;
    let most = |at: usize| scene.model.asked()[at].body["max_tokens"].as_u64().unwrap();
    assert!(most(1) < most(0) && most(1) + 8_000 < 20_000, "{} then {}", most(0), most(1));
}

#[tokio::test]
async fn an_answer_that_eats_up_the_rest_gives_way_to_the_template() {
    let scene = scarce().await;
    // 60,000 letters are no page and more than is left.
    let version = scene.asked([Reply::Says(format!("{{\"blocks\":[\"{}", "x".repeat(60_000)))]).await;
    is_by_template(&scene, &version).await;
    let (tries, tokens) = scene.used().await;
    assert!(tries == 1 && tokens > 10_000, "{tokens}");
}

#[tokio::test]
async fn tries_that_fail_count_as_well() {
    let scene = scarce().await;
    let failed = scene.asked([Reply::Refuses]).await;
    assert_eq!(scene.state(&failed).await.0, "cancelled");
    let version = scene.asked([says()]).await;
    is_by_template(&scene, &version).await;
}

#[tokio::test]
async fn a_budget_is_overshot_by_at_most_what_is_under_way() {
    let scene = scarce().await;
    for _ in 0..4 {
        scene.ask().await;
    }
    scene.model.reply([says(), says(), says()]);
    let claimed = generation::claim(&scene.tools, &mut LastTenants::default(), 3).await.unwrap();
    let (_running, stop) = watch::channel(false);
    let attempts =
        claimed.into_iter().map(|claimed| generation::attempt(scene.tools.clone(), claimed, stop.clone()));
    join_all(attempts).await;
    assert_eq!(scene.used().await, (3, 63_000));
    scene.write().await;
    assert_eq!((scene.model.asked().len(), scene.used().await), (3, (3, 63_000)));
}

#[tokio::test]
async fn a_tenant_may_have_a_budget_of_its_own() {
    let scene = scarce().await;
    let budget = |tokens: u64| {
        let ctx = scene.app.platform.context().of(scene.app.tenant.clone());
        let usual = scene.tools.generation.models.usual.clone();
        let change = Change { token_budget: Some(tokens), ..Change::default() };
        let networks = "127.0.0.0/8".parse().unwrap();
        scene.app.store.write(move |tx| agent::change(tx, &ctx, &change, &usual, &networks))
    };
    budget(60_000).await.unwrap();
    for asked in 1..=3 {
        scene.asked([says()]).await;
        assert_eq!(scene.model.asked().len(), asked);
    }
    let version = scene.ask().await;
    scene.write().await;
    is_by_template(&scene, &version).await;
    // Without a limit it goes on.
    budget(0).await.unwrap();
    let version = scene.asked([says()]).await;
    assert_eq!(scene.state(&version).await, (status(Published), None));
    assert_eq!(scene.progress(&version).await["usage"]["writtenBy"], json!("openai"));
}

#[tokio::test]
async fn a_last_word_that_is_said_twice_counts_once() {
    let scene = scarce().await;
    let version = scene.ask().await;
    let claimed = generation::claim(&scene.tools, &mut LastTenants::default(), 1).await.unwrap().remove(0);
    let used = Used { input_tokens: 5, output_tokens: 6, cost: "0.07".parse().unwrap() };
    let tally = Tally { kind: AgentKind::OpenAi, model: Some("m".to_owned()), used, problem: None };
    for _ in 0..2 {
        let ctx = scene.app.platform.context().of(scene.app.tenant.clone());
        let (claimed, tally) = (claimed.clone(), tally.clone());
        scene
            .app
            .store
            .write(move |tx| usages::record(tx, &ctx, (&claimed.of, &claimed.lease), &tally))
            .await
            .unwrap();
    }
    assert_eq!(scene.used().await, (1, 11));
    assert_eq!(scene.progress(&version).await["usage"]["costMicros"], 70_000);
}

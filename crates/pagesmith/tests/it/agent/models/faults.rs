//! What goes wrong with models: each ends a try, says why, and holds nobody up.

use std::sync::Arc;
use std::time::Duration;

use pagesmith_model::agent::AgentKind;
use pagesmith_model::version::VersionStatus::{Cancelled, Published, Queued};
use pagesmith_testkit::model_server::Reply;
use pagesmith_worker::egress::{Egress, Options};
use serde_json::{Value, json};

use super::{KINDS, Scene, document, says, status};
use crate::log_lines::LogLines;
use crate::webhooks::deliveries::unreachable::{CAUSES, Inside};

fn refusal(status: u16) -> Reply {
    let error = json!({ "error": { "type": "some_error", "message": "Acme makes anvils in Linz." } });
    Reply::Status(status, vec![], error.to_string())
}

fn problem(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[tokio::test]
async fn answers_that_are_never_valid_end_in_cancelled() {
    for kind in KINDS {
        let scene = Scene::start(kind).await;
        let why = problem("The model's answers were not valid documents.");
        let version = scene.asked(vec![Reply::Says("No.".to_owned()); 6]).await;
        for tries in 1..3 {
            assert_eq!(scene.state(&version).await, (status(Queued), why.clone()));
            assert_eq!(scene.used().await, (tries, tries * 2_040));
            // Whatever ails a model lasts longer than what ails us.
            scene.write().await;
            assert_eq!(scene.used().await.0, tries, "it must rest first");
            scene.app.advance(Duration::from_secs(50));
            scene.write().await;
        }
        assert_eq!(scene.state(&version).await, (status(Cancelled), why));
        assert_eq!(scene.progress(&version).await["usage"]["inputTokens"], 6 * 900);
        scene.client.get(&format!("{version}/content")).await.expect(404);
        // It can be asked for again, and then nothing is left of the problem.
        scene.model.reply([says()]);
        scene.client.post(&format!("{version}/publish"), &json!({})).await.expect(200);
        scene.write().await;
        assert_eq!(scene.state(&version).await, (status(Published), None));
    }
}

#[tokio::test]
async fn a_model_that_will_not_is_not_asked_again() {
    for kind in KINDS {
        let scene = Scene::start(kind).await;
        let version = scene.asked([Reply::Refuses]).await;
        let why = problem("The model refused to write the page.");
        assert_eq!(scene.state(&version).await, (status(Cancelled), why));
        assert_eq!(scene.used().await, (1, 1_020));
        assert_eq!(scene.model.asked().len(), 1);
    }
}

#[tokio::test]
async fn a_key_that_is_refused_says_so_and_repeats_nothing() {
    for kind in KINDS {
        let scene = Scene::start(kind).await;
        let version = scene.asked([refusal(401)]).await;
        let why = problem("The model's server answered 401 (some_error).");
        assert_eq!(scene.state(&version).await, (status(Cancelled), why));
        assert_eq!(scene.used().await, (0, 0));
    }
}

#[tokio::test]
async fn a_model_that_asks_for_a_rest_has_it() {
    for kind in KINDS {
        let scene = Scene::start(kind).await;
        let busy =
            |seconds: &str| Reply::Status(429, vec![("retry-after", seconds.to_owned())], "{}".to_owned());
        let version = scene.asked([busy("75"), busy("86400"), says()]).await;
        assert_eq!(
            scene.state(&version).await,
            (status(Queued), problem("The model's server answered 429."))
        );
        scene.app.advance(Duration::from_secs(74));
        scene.write().await;
        assert_eq!(scene.model.asked().len(), 1);
        scene.app.advance(Duration::from_secs(1));
        scene.write().await;
        assert_eq!(scene.model.asked().len(), 2);
        // A day would be a version lost.
        scene.app.advance(Duration::from_secs(15 * 60));
        scene.write().await;
        assert_eq!(scene.state(&version).await, (status(Published), None));
    }
}

#[tokio::test]
async fn while_a_model_rests_no_other_version_is_begun_with_it() {
    let scene = Scene::start(KINDS[0]).await;
    scene.model.reply([Reply::Status(429, vec![("retry-after", "75".to_owned())], "{}".to_owned())]);
    let versions = [scene.ask().await, scene.ask().await, scene.ask().await];
    scene.write().await;
    assert_eq!(scene.model.asked().len(), 1);
    scene.model.reply([says(), says(), says()]);
    scene.app.advance(Duration::from_secs(75));
    scene.write().await;
    let mut tries = 0;
    for version in versions {
        assert_eq!(scene.state(&version).await, (status(Published), None));
        tries += scene.progress(&version).await["tries"].as_u64().unwrap();
    }
    assert_eq!(tries, 4);
}

#[tokio::test]
async fn a_broken_server_is_tried_three_times() {
    for kind in KINDS {
        let scene = Scene::start(kind).await;
        let version = scene.asked([refusal(500), refusal(503), refusal(529)]).await;
        for _ in 0..2 {
            scene.app.advance(Duration::from_secs(60));
            scene.write().await;
        }
        let why = problem("The model's server answered 529 (some_error).");
        assert_eq!(scene.state(&version).await, (status(Cancelled), why));
        assert_eq!((scene.model.asked().len(), scene.used().await), (3, (0, 0)));
    }
}

#[tokio::test]
async fn an_answer_that_breaks_off_costs_what_came_and_is_tried_again() {
    for kind in KINDS {
        let scene = Scene::start(kind).await;
        let version = scene.asked([Reply::Breaks(document()), says()]).await;
        let (state, why) = scene.state(&version).await;
        assert_eq!((state, why.is_some()), (status(Queued), true));
        let (tries, tokens) = scene.used().await;
        assert!(tries == 1 && tokens > 900, "{tokens}");
        scene.app.advance(Duration::from_secs(10));
        scene.write().await;
        assert_eq!(scene.state(&version).await, (status(Published), None));
        assert_eq!(scene.used().await, (2, tokens + 1_020));
    }
}

#[tokio::test]
async fn an_answer_that_never_ends_is_left_when_its_time_is_over() {
    for kind in KINDS {
        let scene = Scene::start(kind).await;
        scene.model.reply([Reply::Waits(document(), Arc::default())]);
        let version = scene.ask().await;
        let (worker, _stop) = scene.begin().await;
        scene.heartbeat.notify_one();
        tokio::task::yield_now().await;
        assert!(!worker.is_finished());
        scene.app.advance(scene.tools.generation.models.time_limit);
        scene.heartbeat.notify_one();
        worker.await.unwrap();
        scene.model.wait_for_hang_ups(1).await;
        let why = problem("The model did not finish in time.");
        assert_eq!(scene.state(&version).await, (status(Queued), why));
        let (tries, tokens) = scene.used().await;
        assert!(tries == 1 && tokens > 0, "what came is paid for: {tokens}");
    }
}

#[tokio::test]
async fn a_version_that_is_called_off_lets_go_of_its_model() {
    for kind in KINDS {
        let scene = Scene::start(kind).await;
        scene.model.reply([Reply::Waits(document(), Arc::default())]);
        let version = scene.ask().await;
        let (worker, _stop) = scene.begin().await;
        // So that what is there is noted.
        while scene.progress(&version).await["blocks"] == 0 {
            scene.heartbeat.notify_one();
            tokio::task::yield_now().await;
        }
        scene.client.post(&format!("{version}/cancel"), &json!({})).await.expect(200);
        scene.heartbeat.notify_one();
        worker.await.unwrap();
        scene.model.wait_for_hang_ups(1).await;
        assert_eq!(scene.state(&version).await, (status(Cancelled), None));
        let content = scene.get(&format!("{version}/content")).await;
        assert_eq!(content["blocks"][0]["type"], "hero");
        let (tries, tokens) = scene.used().await;
        assert!(tries == 1 && tokens > 0, "what came is paid for: {tokens}");
        assert_ne!(scene.progress(&version).await["usage"], Value::Null);
    }
}

#[tokio::test]
async fn a_process_that_stops_hands_a_models_version_back() {
    for kind in KINDS {
        let scene = Scene::start(kind).await;
        scene.model.reply([Reply::Waits(document(), Arc::default()), says()]);
        let version = scene.ask().await;
        let (worker, stop) = scene.begin().await;
        stop.send_replace(true);
        worker.await.unwrap();
        scene.model.wait_for_hang_ups(1).await;
        let progress = scene.progress(&version).await;
        assert_eq!((&progress["status"], &progress["tries"]), (&json!("queued"), &json!(0)));
        scene.write().await;
        assert_eq!(scene.state(&version).await, (status(Published), None));
    }
}

const UNREACHABLE: &str =
    "The model could not be reached: its name, its address or the connection to it failed.";

#[tokio::test]
async fn a_model_that_nobody_may_call_is_not_called() {
    for kind in KINDS {
        let mut scene = Scene::start(kind).await;
        scene.tools.generation.models.gateway = Arc::new(Egress::new(&Options {
            unreachable_takes: Duration::ZERO,
            ..Options::new("".parse().unwrap())
        }));
        let version = scene.asked([says()]).await;
        assert_eq!(scene.state(&version).await, (status(Queued), problem(UNREACHABLE)));
        assert_eq!(scene.model.connections(), 0);
    }
}

#[tokio::test]
async fn of_a_model_that_cannot_be_reached_the_owner_is_told_the_same_and_the_operator_the_cause() {
    let mut shown = Vec::new();
    for (name, cause) in CAUSES {
        let mut scene = Scene::start(AgentKind::OpenAi).await;
        let (net, unreachable_takes) = (Arc::new(Inside), Duration::ZERO);
        let options = Options { net, unreachable_takes, ..Options::new("".parse().unwrap()) };
        scene.tools.generation.models.gateway = Arc::new(Egress::new(&options));
        scene.set(|agent| agent.base_url = format!("http://{name}/v1"));
        let version = scene.ask().await;
        let (lines, mut told) = (LogLines::default(), Vec::new());
        for _ in 0..4 {
            {
                let _logged = lines.collect();
                scene.write().await;
            }
            told.push(scene.state(&version).await);
            scene.app.advance(Duration::from_mins(5));
        }
        let text = lines.text();
        assert!(text.lines().any(|line| line.contains(name) && line.contains(cause)), "{cause}: {text}");
        shown.push(told);
    }
    shown.dedup();
    assert_eq!(shown.len(), 1, "{shown:#?}");
    assert_eq!(shown[0][0], (status(Queued), problem(UNREACHABLE)));
    assert_eq!(shown[0][3], (status(Cancelled), problem(UNREACHABLE)));
}

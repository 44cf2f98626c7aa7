//! What must stay between the server and its model: the key, and what page and model say.

use pagesmith_testkit::model_server::{ModelServer, Reply};
use serde_json::json;

use super::{document, page};
use crate::process::{Instance, KEY, eventually};

const SECRET: &str = "sk-never-to-be-seen-77";

#[test]
fn neither_the_key_nor_what_is_said_gets_into_the_log_or_an_error() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let model = runtime.block_on(ModelServer::start());
    let echo =
        json!({ "error": { "type": "bad", "message": format!("{SECRET} Acme makes anvils in Linz.") } });
    model.reply([
        Reply::Status(401, vec![], echo.to_string()),
        Reply::Says(document().replace("Come and see", "Come to our 500 branches")),
        Reply::Says(document()),
        Reply::Says(format!("{SECRET}: Acme makes anvils in Linz.")),
        Reply::Says("Still no page from Linz.".to_owned()),
    ]);
    let instance = Instance::new();
    let settings = [
        ("AGENT_KIND", "openai"),
        ("AGENT_BASE_URL", &model.url()),
        ("AGENT_MODEL", "scribe-1"),
        ("AGENT_API_KEY", SECRET),
        ("EGRESS_ALLOW", "127.0.0.0/8"),
        ("LOG_LEVEL", "trace"),
    ];
    let server = instance.serve_with(&settings);
    let made = server.post("/v0/pages", KEY, &page()).expect(201).json();
    let audiences = format!("/v0/pages/{}/audiences", made["pageId"].as_str().unwrap());
    let mut problems = String::new();
    for wanted in ["cancelled", "published", "queued"] {
        let audience = server.post(&audiences, KEY, &json!({})).expect(201).json();
        let version = audience["latestVersion"]["versionId"].as_str().unwrap();
        let path =
            format!("{audiences}/{}/versions/{version}/progress", audience["audienceId"].as_str().unwrap());
        problems += &eventually("the version comes to that", || {
            let reply = server.get(&path, KEY).expect(200);
            let progress = reply.json();
            let is_tried = wanted != "queued" || progress["problem"].is_string();
            (progress["status"] == wanted && is_tried).then(|| progress.to_string())
        });
    }
    assert!(problems.contains("401 (bad)") && problems.contains("not valid documents"), "{problems}");
    let asked = model.asked();
    assert_eq!(asked[0].headers["authorization"], format!("Bearer {SECRET}"));

    let shown =
        instance.command(&["config", "show"]).env("PAGESMITH_AGENT_API_KEY", SECRET).output().unwrap();
    let metrics = server.connect().call("GET", "/metrics", None, None).unwrap();
    let measured = String::from_utf8_lossy(&metrics.body).into_owned();
    for line in [
        r#"pagesmith_model_tries_total{outcome="written"} 1"#,
        r#"pagesmith_model_tries_total{outcome="failed"} 2"#,
        r#"pagesmith_model_tokens_total{direction="written"} 480"#,
        r#"pagesmith_generation_tries_total{writer="model",outcome="written"} 1"#,
        r#"pagesmith_generation_tries_total{writer="model",outcome="failed"} 2"#,
        r#"pagesmith_generation_findings_total{agent="model",rule="unknown_number",answer="first"} 1"#,
        r#"pagesmith_generation_try_seconds_count{writer="model"} 3"#,
        "pagesmith_generations_in_flight 0",
    ] {
        assert!(measured.contains(line), "{line} is not in {measured}");
    }
    server.terminate();
    let log = server.wait().err;
    assert!(log.contains("a version could not be written"), "{log}");
    for (what, text) in [
        ("the log", log),
        ("the problems", problems),
        ("the metrics", measured),
        ("config show", String::from_utf8(shown.stdout).unwrap()),
    ] {
        for secret in [SECRET, "Linz", "Forged to last", "Come and see"] {
            assert!(!text.contains(secret), "{secret} in {what}: {text}");
        }
    }
}

#[test]
fn a_server_whose_agent_could_not_write_does_not_start() {
    let instance = Instance::new();
    let mut command = instance.serving();
    command.env("PAGESMITH_AGENT_KIND", "anthropic").env("PAGESMITH_AGENT_API_KEY", SECRET);
    let failure = crate::process::Finished::of(&mut command).failure();
    assert!(failure.starts_with("agent.model (from ") && !failure.contains(SECRET), "{failure}");
}

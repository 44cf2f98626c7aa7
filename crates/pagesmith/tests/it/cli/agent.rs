//! `tenant agent …` and `tenant usage …`, beside a running server and on its database.

use std::io::Write;
use std::process::Stdio;

use pagesmith_testkit::model_server::{ModelServer, Reply};
use serde_json::{Value, json};

use crate::process::{Finished, Instance, KEY, eventually};

const SECRET: &str = "sk-of-a-tenant-42";

/// An instance with a file that holds the key.
fn instance() -> (Instance, String) {
    let instance = Instance::new();
    let file = instance.path().join("model.key");
    std::fs::write(&file, format!("{SECRET}\n")).unwrap();
    let file = file.to_str().unwrap().to_owned();
    (instance, file)
}

/// A page by the template of which only the length matters here.
fn document() -> String {
    json!({ "blocks": [{ "type": "hero", "title": "By a model" }, { "type": "text", "markdown": "Well." }] })
        .to_string()
}

#[test]
fn an_agent_that_is_set_beside_a_running_server_writes_its_next_version() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let model = runtime.block_on(ModelServer::start());
    model.reply([Reply::Says(document())]);
    let (instance, file) = instance();
    let server = instance.serve_with(&[("EGRESS_ALLOW", "127.0.0.0/8")]);
    let page = server.post("/v0/pages", KEY, &pagesmith_testkit::fixtures::page("Spring")).expect(201).json();
    let audiences = format!("/v0/pages/{}/audiences", page["pageId"].as_str().unwrap());
    let ask = || {
        let audience = server.post(&audiences, KEY, &json!({})).expect(201).json();
        let version = audience["latestVersion"]["versionId"].as_str().unwrap();
        let audience = audience["audienceId"].as_str().unwrap();
        let path = format!("{audiences}/{audience}/versions/{version}/progress");
        eventually("the version is written", || {
            let progress = server.get(&path, KEY).expect(200).json();
            (progress["status"] == "published").then_some(progress)
        })
    };
    assert_eq!(ask()["usage"], Value::Null);
    let mut set = instance.command(&[
        "tenant",
        "agent",
        "default",
        "--kind",
        "openai",
        "--base-url",
        &model.url(),
        "--model",
        "scribe-1",
        "--key-file",
        &file,
        "--input-price",
        "2.50",
        "--output-price",
        "10",
        "--json",
    ]);
    set.env("PAGESMITH_EGRESS_ALLOW", "127.0.0.0/8");
    let shown: Value = serde_json::from_str(&Finished::of(&mut set).success()).unwrap();
    assert_eq!(
        (&shown["model"], &shown["hasKey"], &shown["own"]["agent"]),
        (&json!("scribe-1"), &json!(true), &json!(true))
    );
    assert_eq!(ask()["usage"]["writtenBy"], "openai");
    assert_eq!(model.asked()[0].headers["authorization"], format!("Bearer {SECRET}"));

    let used = instance.json(&["tenant", "usage", "default", "--json"]);
    let month = &used["months"][0];
    assert_eq!(
        (&month["tries"], &month["inputTokens"], &month["outputTokens"], &month["costMicros"]),
        (&json!(1), &json!(900), &json!(120), &json!(3_450))
    );
    let table = instance.run(&["tenant", "usage", "default"]).success();
    assert!(table.starts_with("MONTH") && table.contains("0.00345") && table.lines().count() == 2, "{table}");

    instance.run(&["tenant", "agent", "default", "--clear"]).success();
    assert_eq!(ask()["usage"], Value::Null);
    assert_eq!(model.asked().len(), 1);
}

#[test]
fn what_counts_is_shown_with_where_it_comes_from_and_never_the_key() {
    let (instance, file) = instance();
    instance.run(&["migrate"]).success();
    instance.run(&["tenant", "create", "Acme"]).success();
    let server_key = instance.path().join("server.key");
    std::fs::write(&server_key, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=").unwrap();
    let sealing = |arguments: &[&str]| {
        let mut command = instance.command(arguments);
        command.env("PAGESMITH_SECRET_KEY_FILE", &server_key).env("PAGESMITH_AGENT_TOKEN_BUDGET", "7000");
        command
    };
    let run = |arguments: &[&str]| Finished::of(&mut sealing(arguments));
    let before = run(&["tenant", "agent", "acme"]).success();
    let lines: Vec<Vec<&str>> = before
        .lines()
        .map(|line| line.split("  ").filter(|cell| !cell.is_empty()).map(str::trim).collect())
        .collect();
    assert_eq!(
        lines[1..],
        [
            vec!["agent", "template", "server"],
            vec!["tokens a month", "7000", "server"],
            vec!["cost a month", "any", "server"],
        ]
    );
    // From standard input.
    let mut command =
        sealing(&["tenant", "agent", "acme", "--kind", "anthropic", "--model", "m", "--key-file", "-"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(SECRET.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let after = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(output.status.success() && after.contains("https://api.anthropic.com"), "{after}");
    let small = run(&["tenant", "agent", "acme", "--token-budget", "9"]).success();
    assert!(small.contains("The budget, 9 tokens a month, is smaller than what one page takes"), "{small}");
    assert!(run(&["tenant", "usage", "acme"]).success().contains("smaller than what one page takes"));
    let used: Value = serde_json::from_str(&run(&["tenant", "usage", "acme", "--json"]).success()).unwrap();
    assert_eq!(used["budgetIsTooSmall"], json!(true));
    let budgets = run(&["tenant", "agent", "acme", "--token-budget", "9", "--json"]).success();
    let shown: Value = serde_json::from_str(&budgets).unwrap();
    assert_eq!((&shown["tokenBudget"], &shown["kind"]), (&json!(9), &json!("anthropic")));
    assert_eq!(shown["own"], json!({ "agent": true, "tokenBudget": true, "costBudget": false }));
    let other = run(&["tenant", "agent", "acme", "--kind", "template", "--key-file", &file]).failure();
    let cleared = run(&["tenant", "agent", "acme", "--clear"]).success();
    assert_eq!(cleared, before);
    for text in [&after, &budgets, &other, &cleared] {
        assert!(!text.contains(SECRET), "{text}");
    }
}

#[test]
fn what_cannot_be_is_one_clear_line() {
    let (instance, file) = instance();
    instance.run(&["migrate"]).success();
    instance.run(&["tenant", "create", "Acme"]).success();
    let model = ["--kind", "openai", "--model", "m"];
    for (arguments, said) in [
        (&["nobody", "--kind", "template"][..], "No such tenant"),
        (&["acme", "--model", "m"], "--kind openai or --kind anthropic"),
        (&["acme", "--kind", "openai"], "--model must be"),
        (&[&["acme"], &model[..]].concat(), "--key-file must hold the key for https://api.openai.com/v1"),
        (&[&["acme", "--base-url", "http://127.0.0.1:1"], &model[..]].concat(), "--base-url must be"),
        (&[&["acme", "--key-file", "absent"], &model[..]].concat(), "absent cannot be read"),
        (&[&["acme", "--key-file", &file], &model[..]].concat(), "the server's key is needed"),
    ] {
        let failure = instance.run(&[&["tenant", "agent"], arguments].concat()).failure();
        assert!(failure.contains(said) && !failure.contains(SECRET), "{failure}");
    }
    for arguments in [
        vec!["acme", "--clear", "--model", "m"],
        vec!["acme", "--kind", "gpt"],
        vec!["acme", "--token-budget", "-1"],
        vec!["acme", "--cost-budget", "1e3"],
    ] {
        let Finished { code, out, err } =
            instance.run(&[&["tenant", "agent"], arguments.as_slice()].concat());
        assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}: {err}");
    }
    assert!(instance.run(&["tenant", "usage", "nobody"]).failure().contains("No such tenant"));
    assert_eq!(instance.json(&["tenant", "usage", "acme", "--json"])["months"], json!([]));
}

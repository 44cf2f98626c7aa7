//! Who writes a tenant's pages, as the tenant itself chooses, and what it uses.

use pagesmith_testkit::TestApp;
use pagesmith_testkit::fixtures::page;
use pagesmith_testkit::model_server::{ModelServer, Reply};
use serde_json::{Value, json};

pub mod models;

fn own(model: &ModelServer) -> Value {
    json!({
        "own": {
            "kind": "openai", "baseUrl": model.url(), "model": "small", "apiKey": "sk-1", "inputPrice": "2.5", "outputPrice": "10",
        },
        "tokenLimit": 5_000, "costLimit": "1",
    })
}

async fn with_model() -> (TestApp, ModelServer) {
    let app = TestApp::with(|plan| plan.settings.allowed_networks = "127.0.0.0/8".parse().unwrap()).await;
    (app, ModelServer::start().await)
}

#[tokio::test]
async fn a_choice_is_shown_without_its_key_and_kept_when_it_is_sent_again() {
    let (app, model) = with_model().await;
    let client = app.client();
    let before = client.get("/v0/agent").await.expect(200).json();
    assert_eq!((&before["own"], &before["server"]["kind"]), (&json!(null), &json!("template")));
    let chosen =
        client.send("PUT", "/v0/agent", Some(own(&model).to_string().into_bytes())).await.expect(200);
    assert!(!chosen.text().contains("sk-1"));
    let chosen = chosen.json();
    assert_eq!((&chosen["own"]["hasKey"], &chosen["own"]["inputPrice"]), (&json!(true), &json!("2.50")));
    let mut again = own(&model);
    again["own"].as_object_mut().unwrap().remove("apiKey");
    let audit = client.get("/v0/audit?action=agent-updated").await.expect(200).json();
    assert_eq!(audit["items"].as_array().unwrap().len(), 1);
    let kept = client.send("PUT", "/v0/agent", Some(again.to_string().into_bytes())).await.expect(200).json();
    assert_eq!(kept, chosen);
    let audit = client.get("/v0/audit?action=agent-updated").await.expect(200).json();
    assert_eq!(audit["items"].as_array().unwrap().len(), 1, "nothing was changed");
    // The key is for nothing but the address, the model and the prices that it was given for.
    for (name, value) in [
        ("baseUrl", "https://elsewhere.example/v1"),
        ("model", "large"),
        ("inputPrice", "0.01"),
        ("outputPrice", "0.01"),
    ] {
        let mut other = again.clone();
        other["own"][name] = json!(value);
        let refused = client.send("PUT", "/v0/agent", Some(other.to_string().into_bytes())).await.issues();
        assert_eq!(refused, [("required".to_owned(), "own.apiKey".to_owned())], "{name}");
        assert_eq!(client.get("/v0/agent").await.expect(200).json(), chosen, "{name}");
        other["own"]["apiKey"] = json!("sk-2");
        client.send("PUT", "/v0/agent", Some(other.to_string().into_bytes())).await.expect(200);
        client.send("PUT", "/v0/agent", Some(own(&model).to_string().into_bytes())).await.expect(200);
    }
}

#[tokio::test]
async fn what_does_not_fit_is_told_at_its_field() {
    let app = TestApp::start().await;
    let client = app.client();
    for (own, place) in [
        (json!({ "kind": "openai", "model": "m", "baseUrl": "http://127.0.0.1:1" }), "own.baseUrl"),
        (json!({ "kind": "openai", "baseUrl": "https://models.example" }), "own.model"),
        (json!({ "kind": "anthropic", "model": "m" }), "own.apiKey"),
        (json!({ "kind": "openai", "model": "m", "apiKey": "a b" }), "own.apiKey"),
        (json!({ "kind": "openai", "model": "m", "inputPrice": "much" }), "own.inputPrice"),
    ] {
        let body = json!({ "own": own }).to_string().into_bytes();
        let found = client.send("PUT", "/v0/agent", Some(body)).await.issues();
        assert_eq!(found.first().map(|(_, at)| at.as_str()), Some(place), "{own}");
    }
    let body = json!({ "costLimit": "5" }).to_string().into_bytes();
    assert_eq!(client.send("PUT", "/v0/agent", Some(body)).await.expect(200).json()["costLimit"], "5.00");
}

#[tokio::test]
async fn a_change_of_what_somebody_else_has_changed_is_refused() {
    let app = TestApp::start().await;
    let client = app.client();
    for path in ["/v0/agent", "/v0/visit_settings", "/v0/question_settings"] {
        let shown = client.get(path).await.expect(200);
        let etag = shown.header("etag").unwrap().to_owned();
        let (first, second) = match path {
            "/v0/agent" => (json!({ "tokenLimit": 1 }), json!({ "tokenLimit": 2 })),
            "/v0/visit_settings" => {
                let days = |days: u32| {
                    let mut body = shown.json();
                    body["retentionDays"] = json!(days);
                    body
                };
                (days(10), days(20))
            }
            _ => {
                let most = |most: u32| {
                    let mut body = shown.json();
                    body["perVisitor"] = json!(most);
                    body
                };
                (most(10), most(30))
            }
        };
        let guarded = client.with("if-match", &etag);
        guarded.send("PUT", path, Some(first.to_string().into_bytes())).await.expect(200);
        guarded.send("PUT", path, Some(second.to_string().into_bytes())).await.expect(412);
    }
}

#[tokio::test]
async fn a_tenant_cannot_allow_itself_more_than_the_operator_does() {
    let app = TestApp::with(|plan| plan.settings.agent.budget.tokens = 1_000).await;
    let client = app.client();
    let limited = |tokens: u64| json!({ "tokenLimit": tokens }).to_string().into_bytes();
    for (limit, counts) in [(5_000, 1_000), (200, 200), (0, 1_000)] {
        let shown = client.send("PUT", "/v0/agent", Some(limited(limit))).await.expect(200).json();
        assert_eq!((&shown["tokenLimit"], &shown["tokenBudget"]), (&json!(limit), &json!(1_000)));
        assert_eq!(client.get("/v0/usage").await.expect(200).json()["tokenBudget"], counts);
    }
}

#[tokio::test]
async fn a_trial_says_what_was_written_or_why_nothing_was_and_is_counted() {
    let (app, model) = with_model().await;
    let client = app.client();
    let sentence =
        json!({ "text": "Acme makes anvils. \"It rings like a bell\", says Ida Holm, smith in Bergen." });
    let by_template = client.post("/v0/agent/try", &sentence).await.expect(200).json();
    assert!(by_template["text"].as_str().unwrap().contains("It rings like a bell"), "{by_template}");
    assert_eq!(by_template["model"], json!(null));

    client.send("PUT", "/v0/agent", Some(own(&model).to_string().into_bytes())).await.expect(200);
    model.reply([Reply::Says("Anvils that last.".to_owned())]);
    let answered = client.post("/v0/agent/try", &sentence).await.expect(200).json();
    assert_eq!((&answered["text"], &answered["problem"]), (&json!("Anvils that last."), &json!(null)));
    let month = client.get("/v0/usage").await.expect(200).json()["months"][0].clone();
    assert_eq!(month["month"], "2026-03");
    assert!(month["inputTokens"].as_u64().unwrap() > 0 && month["cost"] != "0.00", "{month}");

    model.reply([Reply::Status(401, vec![], "no".to_owned())]);
    let refused = client.post("/v0/agent/try", &sentence).await.expect(200).json();
    assert!(refused["text"].is_null() && refused["problem"].as_str().unwrap().contains("401"), "{refused}");

    let mut spent = own(&model);
    spent["own"].as_object_mut().unwrap().remove("apiKey");
    spent["tokenLimit"] = json!(1);
    client.send("PUT", "/v0/agent", Some(spent.to_string().into_bytes())).await.expect(200);
    let asked = model.asked().len();
    let refused = client.post("/v0/agent/try", &sentence).await.expect(200).json();
    assert!(refused["problem"].as_str().unwrap().contains("budget"), "{refused}");
    assert_eq!(model.asked().len(), asked, "nobody was asked");
    assert_eq!(client.get("/v0/pages").await.expect(200).json()["totalCount"], 0, "nothing is kept");
}

#[tokio::test]
async fn a_trial_of_a_model_that_cannot_be_reached_says_the_same_whatever_the_cause() {
    let (app, model) = with_model().await;
    let client = app.client();
    // Nobody listens there any more.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let refusing = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    for url in [refusing.as_str(), "http://nobody.invalid"] {
        let mut chosen = own(&model);
        chosen["own"]["baseUrl"] = json!(url);
        client.send("PUT", "/v0/agent", Some(chosen.to_string().into_bytes())).await.expect(200);
        let answer = client.post("/v0/agent/try", &json!({ "text": "Acme makes anvils." })).await;
        let told = "The model could not be reached: its name, its address or the connection to it failed.";
        assert_eq!(answer.expect(200).json()["problem"], told, "{url}");
    }
}

#[tokio::test]
async fn a_model_whose_server_asks_to_wait_is_not_tried_meanwhile() {
    let (app, model) = with_model().await;
    let client = app.client();
    client.send("PUT", "/v0/agent", Some(own(&model).to_string().into_bytes())).await.expect(200);
    model.reply([Reply::Status(429, vec![("retry-after", "60".to_owned())], "slow down".to_owned())]);
    let ask = async || {
        let answer = client.post("/v0/agent/try", &json!({ "text": "Acme makes anvils." })).await;
        answer.expect(200).json()["problem"].as_str().map(str::to_owned)
    };
    assert!(ask().await.unwrap().contains("429"));
    let asked = model.asked().len();
    assert!(ask().await.unwrap().contains("asked clients to wait"));
    assert_eq!(model.asked().len(), asked, "nobody was asked");
    app.advance(std::time::Duration::from_secs(60));
    model.reply([Reply::Says("Anvils that last.".to_owned())]);
    assert_eq!(ask().await, None);
}

#[tokio::test]
async fn what_happens_is_counted_in_its_month() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = client.post("/v0/pages", &page("Spring")).await.expect(201).json();
    let audiences = format!("/v0/pages/{}/audiences", made["pageId"].as_str().unwrap());
    client.post(&audiences, &json!({})).await.expect(201);
    app.advance(std::time::Duration::from_hours(24 * 40));
    client.post(&audiences, &json!({})).await.expect(201);
    client.post(&audiences, &json!({})).await.expect(201);
    let usage = client.get("/v0/usage").await.expect(200).json();
    let months = usage["months"].as_array().unwrap();
    let versions =
        |at: usize| (months[at]["month"].as_str().unwrap(), months[at]["versions"].as_u64().unwrap());
    assert_eq!((months.len(), versions(0), versions(1)), (12, ("2026-04", 2), ("2026-03", 1)));
    assert_eq!((&usage["pages"], &usage["users"]), (&json!(1), &json!(0)));
}

#[tokio::test]
async fn the_audit_is_narrowed_by_actor_action_and_time() {
    let app = TestApp::start().await;
    let client = app.client();
    let key = json!({ "name": "k", "scope": "read" });
    client.post("/v0/keys", &key).await.expect(201);
    app.advance(std::time::Duration::from_hours(24));
    client.post("/v0/keys", &key).await.expect(201);
    let own = client.get("/v0/keys").await.expect(200).json();
    let own =
        own["items"].as_array().unwrap().iter().find(|key| key["name"] == "test").unwrap()["keyId"].clone();
    let count = async |query: &str| {
        let found = client.get(&format!("/v0/audit?limit=100&{query}")).await.expect(200).json();
        assert_eq!(found["totalCount"], json!(null), "what is narrowed is not counted: {query}");
        found["items"].as_array().unwrap().len()
    };
    assert_eq!(count(&format!("actor={}", own.as_str().unwrap())).await, 2);
    assert_eq!(count("action=key-created").await, 3);
    assert_eq!(count("action=key-created&actor=server").await, 1);
    assert_eq!(count("action=key-created&since=2026-03-02T00:00:00Z").await, 1);
    assert_eq!(count("action=key-created&until=2026-03-02T00:00:00Z").await, 2);
    assert_eq!(count("action=none").await, 0);
    let first = client.get("/v0/audit?action=key-created&limit=2").await.expect(200).json();
    let next =
        format!("/v0/audit?action=key-created&limit=2&cursor={}", first["nextCursor"].as_str().unwrap());
    assert_eq!(client.get(&next).await.expect(200).json()["items"].as_array().unwrap().len(), 1);
    let other = format!("/v0/audit?action=site-updated&cursor={}", first["nextCursor"].as_str().unwrap());
    client.get(&other).await.expect(400);
}

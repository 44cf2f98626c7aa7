//! The settings of a tenant: what a form shows stays when it is sent as it is, and changes are refused to whoever may not make them.

use pagesmith_model::user::Role;
use pagesmith_testkit::TestApp;
use pagesmith_testkit::model_server::{ModelServer, Reply};
use scraper::{Html, Selector};
use serde_json::{Value, json};

use super::browser::{Browser, fields, with};

const BASE: &str = "/console/t/acme";

/// A form: its screen, its id, where it is sent, what it changes in the API, and a field with two other values.
type Row = (&'static str, &'static str, &'static str, &'static str, (&'static str, [&'static str; 2]));

const FORMS: [Row; 6] = [
    ("/settings/site", "site", "/settings/site", "/v0/site", ("signedLinkDays", ["7", "9"])),
    ("/settings/consent", "consent", "/settings/consent", "/v0/site", ("consent", ["none", "none"])),
    (
        "/settings/consent",
        "measurement",
        "/settings/measurement",
        "/v0/visit_settings",
        ("privacySignal", ["ignore", "count_nothing"]),
    ),
    ("/settings/agent", "agent", "/settings/agent", "/v0/agent", ("tokenLimit", ["7", "9"])),
    (
        "/settings/agent",
        "questions",
        "/settings/questions",
        "/v0/question_settings",
        ("perVisitor", ["7", "9"]),
    ),
    (
        "/settings/retention",
        "retention",
        "/settings/retention",
        "/v0/visit_settings",
        ("retentionDays", ["7", "9"]),
    ),
];

async fn with_settings() -> (TestApp, ModelServer) {
    let app = TestApp::with(|plan| plan.settings.allowed_networks = "127.0.0.0/8".parse().unwrap()).await;
    let (client, model) = (app.client(), ModelServer::start().await);
    let own = json!({
        "kind": "openai", "baseUrl": model.url(), "model": "small", "apiKey": "sk-1", "inputPrice": "2.5", "outputPrice": "10",
    });
    let site = json!({
        "siteName": "Acme & Söhne", "consent": "ask", "brand": { "accentColor": "#2b55b8" }, "personPageAccess": "signed",
        "signedLinkDays": 12,
    });
    let networks = ["203.0.113.0/24", "2001:db8::/32"];
    for (path, body) in [
        ("/v0/agent", json!({ "own": own, "tokenLimit": 5_000_000, "costLimit": "20" })),
        ("/v0/site", site),
        (
            "/v0/visit_settings",
            json!({ "retentionDays": 90, "privacySignal": "no_person", "ownNetworks": networks }),
        ),
        (
            "/v0/question_settings",
            json!({ "isShown": true, "perVisitor": 5, "perPage": 60, "perTenant": 700 }),
        ),
    ] {
        client.send("PUT", path, Some(body.to_string().into_bytes())).await.expect(200);
    }
    (app, model)
}

#[tokio::test]
async fn a_form_that_is_sent_as_it_is_changes_nothing_and_one_field_changes_alone() {
    let (app, _model) = with_settings().await;
    let (client, mut browser) = (app.client(), Browser::owner(&app).await);
    for (screen, form, action, api, (name, [value, _])) in FORMS {
        let before = client.get(api).await.expect(200).json();
        let shown = browser.open(&format!("{BASE}{screen}")).await.expect(200).text();
        assert!(!shown.contains("sk-1"), "{screen}");
        browser.send_fields(&format!("{BASE}{action}"), &fields(&shown, form)).await.expect(303);
        assert_eq!(client.get(api).await.expect(200).json(), before, "{form}");
        let shown = browser.open(&format!("{BASE}{screen}")).await.expect(200).text();
        let changed = with(fields(&shown, form), name, value);
        browser.send_fields(&format!("{BASE}{action}"), &changed).await.expect(303);
        let mut expected = before;
        expected[name] = value.parse::<u64>().map_or_else(|_| Value::from(value), Value::from);
        assert_eq!(client.get(api).await.expect(200).json(), expected, "{form}");
    }
    assert_eq!(client.get("/v0/agent").await.expect(200).json()["own"]["hasKey"], true);
}

#[tokio::test]
async fn what_somebody_else_has_changed_meanwhile_is_not_overwritten() {
    let (app, _model) = with_settings().await;
    let (client, mut browser) = (app.client(), Browser::owner(&app).await);
    for (screen, form, action, api, (name, [theirs, mine])) in FORMS {
        let shown = browser.open(&format!("{BASE}{screen}")).await.expect(200).text();
        let sent = fields(&shown, form);
        let action = format!("{BASE}{action}");
        browser.send_fields(&action, &with(sent.clone(), name, theirs)).await.expect(303);
        let before = client.get(api).await.expect(200).json();
        let answer = browser.send_fields(&action, &with(sent, name, mine)).await.expect(412).text();
        assert!(answer.contains(&format!("value=\"{mine}\"")), "{form}: what was entered stays");
        assert_eq!(client.get(api).await.expect(200).json(), before, "{form}");
    }
}

#[tokio::test]
async fn what_is_wrong_is_told_at_its_field_and_what_was_entered_stays() {
    let (app, _model) = with_settings().await;
    let (client, mut browser) = (app.client(), Browser::owner(&app).await);
    for (at, name, value) in [
        (0, "signedLinkDays", "soon"),
        (2, "ownNetworks", "here"),
        (3, "own.baseUrl", "http://10.0.0.1"),
        (3, "own.inputPrice", "much"),
        (4, "perPage", "-4"),
        (5, "retentionDays", "0"),
    ] {
        let (screen, form, action, api, _) = FORMS[at];
        let before = client.get(api).await.expect(200).json();
        let shown = browser.open(&format!("{BASE}{screen}")).await.expect(200).text();
        let mut sent = with(fields(&shown, form), name, value);
        if name == "own.baseUrl" {
            sent = with(sent, "own.apiKey", "sk-2");
        }
        let answer = browser.send_fields(&format!("{BASE}{action}"), &sent).await.expect(400).text();
        let drawn = Html::parse_document(&answer);
        let field = Selector::parse(&format!("#{form} [name='{name}'][aria-invalid=true]")).unwrap();
        assert!(drawn.select(&field).next().is_some(), "{name}: {answer}");
        assert!(answer.contains(value) && !answer.contains("sk-2"), "{name}");
        assert_eq!(client.get(api).await.expect(200).json(), before, "{name}");
    }
}

#[tokio::test]
async fn the_key_of_a_model_is_removed_and_the_servers_agent_chosen_again() {
    let (app, _model) = with_settings().await;
    let (client, mut browser) = (app.client(), Browser::owner(&app).await);
    let path = format!("{BASE}/settings/agent");
    let sent = fields(&browser.open(&path).await.expect(200).text(), "agent");
    browser.send_fields(&path, &with(sent, "removeKey", "true")).await.expect(303);
    assert_eq!(client.get("/v0/agent").await.expect(200).json()["own"]["hasKey"], false);
    let sent = fields(&browser.open(&path).await.expect(200).text(), "agent");
    browser.send_fields(&path, &with(sent, "own.kind", "")).await.expect(303);
    assert_eq!(client.get("/v0/agent").await.expect(200).json()["own"], Value::Null);
}

#[tokio::test]
async fn the_agent_is_tried_and_its_answer_or_its_fault_is_shown() {
    let (app, model) = with_settings().await;
    let mut browser = Browser::owner(&app).await;
    let path = format!("{BASE}/settings/agent/try");
    model.reply([Reply::Says("<b>Anvils</b> that last.".to_owned())]);
    let answer = browser.send(&path, &[("text", "Acme makes anvils.")]).await.expect(200).text();
    assert!(
        answer.contains("&lt;b&gt;Anvils&lt;/b&gt; that last.") && answer.contains("It works"),
        "{answer}"
    );
    model.reply([Reply::Status(401, vec![], String::new())]);
    let answer = browser.send(&path, &[("text", "Acme makes anvils.")]).await.expect(200).text();
    assert!(answer.contains("It did not answer") && answer.contains("401"), "{answer}");
    browser.send(&path, &[("text", " ")]).await.expect(400);
}

#[tokio::test]
async fn a_key_is_shown_once_replaced_and_revoked_after_a_question() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let new = format!("{BASE}/settings/keys/new");
    let refused = browser.send(&new, &[("name", ""), ("scope", "read")]).await.expect(400).text();
    assert!(refused.contains("aria-invalid"), "{refused}");
    let fields = [("name", "CRM <i>"), ("scope", "read"), ("expiresInDays", "30")];
    let made = browser.send(&new, &fields).await.expect(200).text();
    let secret = made.split("ps_").nth(1).unwrap().split('<').next().unwrap();
    let secret = format!("ps_{secret}");
    assert!(made.contains("curl") && made.contains("x-api-key"), "{made}");
    app.refresh().await;
    app.client_with(&secret).get("/v0/pages").await.expect(200);
    let list = browser.open(&format!("{BASE}/settings/keys")).await.expect(200).text();
    assert!(list.contains("CRM &lt;i&gt;") && !list.contains(&secret), "{list}");
    let keys = app.client().get("/v0/keys").await.expect(200).json();
    let key = keys["items"].as_array().unwrap().iter().find(|key| key["name"] == "CRM <i>").unwrap();
    let base = format!("{BASE}/settings/keys/{}", key["keyId"].as_str().unwrap());
    let question = browser.open(&format!("{base}/revoke")).await.expect(200).text();
    assert!(question.contains("CRM &lt;i&gt;"), "{question}");
    assert!(browser.send(&format!("{base}/rotate"), &[]).await.expect(200).text().contains("ps_"));
    browser.send(&format!("{base}/revoke"), &[]).await.expect(303);
    // A second press changes nothing.
    browser.send(&format!("{base}/revoke"), &[]).await.expect(303);
    app.refresh().await;
    app.client_with(&secret).get("/v0/pages").await.expect(401);
    browser.send(&format!("{base}/rotate"), &[]).await.expect(409);
}

#[tokio::test]
async fn keys_of_another_tenant_do_not_exist_and_only_owners_see_any() {
    let app = TestApp::start().await;
    let stranger = app.stranger().await;
    let wanted = json!({ "name": "Theirs", "scope": "read" });
    let issued = stranger.post("/v0/keys", &wanted).await.expect(201).json();
    let id = issued["key"]["keyId"].as_str().unwrap();
    let mut owner = Browser::owner(&app).await;
    owner.open(&format!("{BASE}/settings/keys/{id}/revoke")).await.expect(404);
    owner.send(&format!("{BASE}/settings/keys/{id}/revoke"), &[]).await.expect(404);
    owner.send(&format!("{BASE}/settings/keys/{id}/rotate"), &[]).await.expect(404);
    assert!(!owner.open(&format!("{BASE}/settings/keys")).await.expect(200).text().contains("Theirs"));
    app.refresh().await;
    app.client_with(issued["secret"].as_str().unwrap()).get("/v0/pages").await.expect(200);
    let mut editor = Browser::with_role(&app, Role::Editor).await;
    editor.open(&format!("{BASE}/settings/keys")).await.expect(403);
    let site = editor.open(&format!("{BASE}/settings/site")).await.expect(200).text();
    assert!(!site.contains("/settings/keys\""), "a tab that cannot be opened is not shown");
}

#[tokio::test]
async fn who_may_only_read_sees_settings_and_no_form() {
    let (app, _model) = with_settings().await;
    Browser::owner(&app).await;
    for role in [Role::Viewer, Role::Analyst] {
        let mut browser = Browser::with_role(&app, role).await;
        for (screen, form, ..) in FORMS {
            let shown =
                Html::parse_document(&browser.open(&format!("{BASE}{screen}")).await.expect(200).text());
            let sent = Selector::parse(&format!("form#{form}")).unwrap();
            assert!(shown.select(&sent).next().is_none(), "{role}: {screen}");
        }
        let site = browser.open(&format!("{BASE}/settings/site")).await.expect(200).text();
        assert!(site.contains("Acme &amp; Söhne"), "{site}");
    }
}

#[tokio::test]
async fn the_audit_is_narrowed_on_its_screen() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let site = format!("{BASE}/settings/site");
    let sent = fields(&browser.open(&site).await.expect(200).text(), "site");
    browser.send_fields(&site, &with(sent, "siteName", "Acme")).await.expect(303);
    let audit = async |browser: &mut Browser, query: &str| {
        let answer = browser.open(&format!("{BASE}/settings/audit?{query}")).await;
        let rows = Selector::parse("table.rows tbody tr").unwrap();
        let count = Html::parse_document(&answer.text()).select(&rows).count();
        (answer.status.as_u16(), count, answer.text())
    };
    let (status, rows, shown) = audit(&mut browser, "action=site-updated").await;
    assert!((status, rows) == (200, 1) && shown.contains("Olga Owner"), "{shown}");
    for action in pagesmith_model::audit::Action::ALL {
        // Each is said in words.
        let code = action.as_str();
        assert!(shown.contains(&format!("<option value=\"{code}\"")), "{action:?}: {shown}");
        assert!(!shown.contains(&format!(">{code}<")), "{action:?}: {shown}");
    }
    assert!(shown.contains("Site changed"), "{shown}");
    assert_eq!(audit(&mut browser, "action=site-updated&actor=operator").await.1, 0);
    assert_eq!(audit(&mut browser, "action=site-updated&since=2026-03-02").await.1, 0);
    assert_eq!(audit(&mut browser, "since=someday").await.0, 400);
}

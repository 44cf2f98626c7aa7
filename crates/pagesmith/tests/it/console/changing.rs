//! What the buttons of screens change, as the API tells it afterwards, and a few things that screens show.

use std::time::Duration;

use pagesmith_model::content::Content;
use pagesmith_model::user::Role;
use pagesmith_model::webhook::{Secret, signature};
use pagesmith_operations::users::{self, memberships};
use pagesmith_store::Tx;
use pagesmith_testkit::samples::forms;
use pagesmith_testkit::{Answer, Client, Receiver, Script, TestApp, authenticator, fixtures};
use pagesmith_worker::{generation, tasks};
use scraper::{Html, Selector};
use serde_json::{Value, json};

use super::browser::{Browser, PASSWORD, fields, with};
use super::making::make;
use crate::topics::entries;
use crate::versions::{Actor, Then};
use crate::webhooks::happen;
use crate::{assets, audiences, tenant_domains};

const BASE: &str = "/console/t/acme";
const ACCOUNT: &str = "/console/t/acme/account";
const EMAIL: (&str, &str) = ("email", "olga@acme.example");

/// A server, a caller of its API, and the owner at a browser.
async fn start() -> (TestApp, Client, Browser) {
    let app = TestApp::start().await;
    let (client, owner) = (app.client(), Browser::owner(&app).await);
    (app, client, owner)
}

/// The API's path of a screen with this address.
fn api(screen: &str) -> String {
    format!("/v0{}", screen.strip_prefix(BASE).unwrap())
}

/// The ids of the versions of an audience, the newest first.
async fn versions(app: &TestApp, audience: &str) -> Vec<String> {
    let listed = app.client().get(&format!("{}/versions", api(audience))).await.expect(200).json();
    let id = |version: &Value| version["versionId"].as_str().unwrap().to_owned();
    listed["items"].as_array().unwrap().iter().map(id).collect()
}

async fn version(app: &TestApp, audience: &str, id: &str) -> Value {
    app.client().get(&format!("{}/versions/{id}", api(audience))).await.expect(200).json()
}

/// Has the version that waits written: a page with this heading.
async fn write(app: &TestApp, title: &str) {
    let content = json!({ "blocks": [{ "type": "hero", "blockId": "a", "title": title }] });
    let content: Content = serde_json::from_value(content).unwrap();
    let mut tools = app.tools();
    tools.generation.agent = Actor::new(move |_, _| Then::Writes(Box::new(content.clone())));
    generation::drain(&tools).await.unwrap();
}

/// The heading of the newest version of an audience.
async fn heading(app: &TestApp, audience: &str) -> String {
    let newest = versions(app, audience).await.remove(0);
    let content = version(app, audience, &format!("{newest}/content")).await;
    content["blocks"][0]["title"].as_str().unwrap().to_owned()
}

/// What a screen shows to be copied: secrets and codes.
fn codes(screen: &str) -> Vec<String> {
    let parts = screen.split("<code dir=\"ltr\">").skip(1);
    parts.map(|part| part.split('<').next().unwrap().to_owned()).collect()
}

async fn sign_in(browser: &mut Browser, password: &str) -> Answer {
    browser.send("/console/sign-in", &[EMAIL, ("password", password)]).await
}

/// Another browser at which the owner is signed in.
async fn elsewhere(app: &TestApp) -> Browser {
    let mut browser = Browser::new(app);
    sign_in(&mut browser, PASSWORD).await.expect(303);
    browser
}

async fn is_signed_in(browser: &mut Browser) -> bool {
    let answer = browser.open("/console/t/acme/pages").await;
    assert!([200, 303].contains(&answer.status.as_u16()), "{}", answer.text());
    answer.status == 200
}

#[tokio::test]
async fn what_is_known_of_an_audience_is_changed_and_its_page_written_anew() {
    let (app, client, mut owner) = start().await;
    let (_, audience) = make(&mut owner).await;
    app.write_versions().await;
    let held = fields(&owner.open(&audience).await.expect(200).text(), "context");
    let sent = with(with(held, "customName", "Bakers"), "supplementaryContext", "They bake at night.");
    owner.send_fields(&format!("{audience}/context"), &sent).await.expect(303);
    let known = client.get(&api(&audience)).await.expect(200).json();
    assert_eq!(known["customName"], "Bakers");
    assert_eq!(known["supplementaryContext"], "They bake at night.");
    let ids = versions(&app, &audience).await;
    assert_eq!(ids.len(), 2);
    let newest = version(&app, &audience, &ids[0]).await;
    assert_eq!(newest["supplementaryContext"], "They bake at night.");
}

#[tokio::test]
async fn what_an_older_version_says_becomes_a_draft_again() {
    let (app, _, mut owner) = start().await;
    let (_, audience) = make(&mut owner).await;
    for title in ["First", "Second"] {
        write(&app, title).await;
        let newest = versions(&app, &audience).await.remove(0);
        owner.send(&format!("{audience}/publish"), &[("version", &newest)]).await.expect(303);
        owner.send(&format!("{audience}/rewrite"), &[]).await.expect(303);
    }
    write(&app, "Third").await;
    let [_, second, first]: [String; 3] = versions(&app, &audience).await.try_into().unwrap();
    let restore = format!("{audience}/restore-version");
    let shown = owner.open(&format!("{audience}/versions")).await.expect(200).text();
    assert_eq!(shown.matches(&format!("action=\"{restore}\"")).count(), 2, "{shown}");
    owner.send(&restore, &[("version", &first)]).await.expect(303);
    let ids = versions(&app, &audience).await;
    assert_eq!((ids.len(), heading(&app, &audience).await.as_str()), (4, "First"));
    assert_eq!(version(&app, &audience, &ids[0]).await["status"], "draft");
    assert_eq!(version(&app, &audience, &second).await["status"], "published");
}

#[tokio::test]
async fn the_editor_is_stopped_and_the_draft_brought_back_to_what_it_was_after_a_message() {
    let (app, client, mut owner) = start().await;
    let (_, audience) = make(&mut owner).await;
    write(&app, "First").await;
    let (say, interrupt) = (format!("{audience}/say"), format!("{audience}/interrupt"));
    let messages = format!("{}/messages", api(&audience));
    owner.send(&say, &[("message", "Change the headline to \"Other\"")]).await.expect(303);
    let shown = owner.open(&audience).await.expect(200).text();
    assert!(shown.contains(&format!("action=\"{interrupt}\"")), "{shown}");
    owner.send(&interrupt, &[]).await.expect(303);
    app.carry_messages_out().await;
    let told = client.get(&messages).await.expect(200).json();
    assert_eq!((&told["messages"][0]["isInterrupted"], &told["messages"][1]), (&json!(true), &Value::Null));
    assert_eq!(heading(&app, &audience).await, "First");
    let shown = owner.open(&audience).await.expect(200).text();
    assert!(shown.contains("Stopped before it was finished.") && !shown.contains(&interrupt), "{shown}");
    for title in ["One", "Two"] {
        let message = format!("Change the headline to \"{title}\"");
        owner.send(&say, &[("message", &message)]).await.expect(303);
        app.carry_messages_out().await;
        assert_eq!(heading(&app, &audience).await, title);
    }
    let told = client.get(&messages).await.expect(200).json();
    let answer = told["messages"][2]["messageId"].as_str().unwrap();
    let shown = owner.open(&audience).await.expect(200).text();
    let form = shown.split(&format!("action=\"{audience}/snapshot\"")).nth(1).unwrap();
    assert!(form.split("</form>").next().unwrap().contains(answer), "{shown}");
    owner.send(&format!("{audience}/snapshot"), &[("message", answer)]).await.expect(303);
    assert_eq!(heading(&app, &audience).await, "One");
}

#[tokio::test]
async fn a_merge_is_taken_back_and_a_person_is_exported() {
    let (_app, client, mut owner) = start().await;
    let mut ids = Vec::new();
    for (name, email) in [("Ada", "ada@acme.example"), ("Ada Lovelace", "al@other.example")] {
        let body = json!({ "name": name, "email": email });
        let person = client.post("/v0/persons", &body).await.expect(201).json();
        ids.push(person["personId"].as_str().unwrap().to_owned());
    }
    let (this, other) = (format!("{BASE}/persons/{}", ids[0]), format!("{BASE}/persons/{}", ids[1]));
    let choice = [("other", ids[1].as_str()), ("name", "other")];
    owner.send(&format!("{this}/merge"), &choice).await.expect(303);
    client.get(&api(&other)).await.expect(404);
    assert_eq!(client.get(&api(&this)).await.expect(200).json()["name"], "Ada Lovelace");
    let shown = owner.open(&this).await.expect(200).text();
    assert!(shown.contains(&format!("action=\"{other}/unmerge\"")), "{shown}");
    owner.send(&format!("{other}/unmerge"), &[]).await.expect(303);
    assert_eq!(client.get(&api(&this)).await.expect(200).json()["name"], "Ada");
    assert_eq!(client.get(&api(&other)).await.expect(200).json()["email"], "al@other.example");
    let export = owner.open(&format!("{other}/export")).await.expect(200);
    assert_eq!(export.header("content-disposition"), Some("attachment; filename=\"person.json\""));
    assert_eq!(export.json()["person"]["name"], "Ada Lovelace");
}

#[tokio::test]
async fn an_asset_goes_into_the_trash_and_comes_back() {
    let (_app, client, mut owner) = start().await;
    let asset = assets::image(&client, "Forge").await;
    let api = assets::path(&asset);
    let screen = api.replacen("/v0", BASE, 1);
    let done = owner.send(&format!("{screen}/trash"), &[]).await.expect(303);
    let told = owner.open(done.header("location").unwrap()).await.expect(200).text();
    assert!(told.contains(&format!("action=\"{screen}/restore\"")), "{told}");
    assert_eq!(client.get(&api).await.expect(200).json()["lifecycleState"], "trashed");
    let trash = format!("{BASE}/assets/trash");
    assert!(owner.open(&trash).await.expect(200).text().contains("Forge"));
    owner.send(&format!("{screen}/restore"), &[]).await.expect(303);
    assert_eq!(client.get(&api).await.expect(200).json()["lifecycleState"], "active");
    assert!(owner.open(&trash).await.expect(200).text().contains("The trash is empty"));
}

#[tokio::test]
async fn a_text_and_an_address_are_added_and_what_was_not_read_is_read_again() {
    let ((app, client, mut owner), site) = (start().await, Receiver::start().await);
    let said = "Acme heats houses with heat pumps, and every pump has a warranty of ten years. ".repeat(8);
    let body = format!("<!doctype html><title>About Acme</title><article><h2>Us</h2><p>{said}</p></article>");
    let page = Script { body, ..Script::status(200).with("content-type", "text/html") };
    // It has no rules for whoever reads pages.
    site.answer([Script::status(404), Script::status(404), page]);
    let (topic, api) = entries::topic(&client, "About us").await;
    let screen = format!("{BASE}/knowledge/{}", topic["topicId"].as_str().unwrap());
    let listed = async || client.get(&api).await.expect(200).json()["items"].clone();
    owner.send(&format!("{screen}/text"), &[("content.content", " ")]).await.expect(400);
    assert_eq!(listed().await, json!([]));
    for (way, name, value) in
        [("text", "content.content", "Bakers pay half.".to_owned()), ("address", "content.url", site.url())]
    {
        let way = format!("{screen}/{way}");
        let held = fields(&owner.open(&way).await.expect(200).text(), "entry");
        owner.send_fields(&way, &with(held, name, &value)).await.expect(303);
    }
    let made = listed().await;
    assert_eq!(made[0]["content"]["content"], "Bakers pay half.");
    assert_eq!(made[1]["content"]["url"], site.url());
    let shown = owner.open(&screen).await.expect(200).text();
    assert!(shown.contains("Being read") && shown.contains(&site.url()), "{shown}");
    let tools = app.tools();
    tasks::run_all(&tools).await.unwrap();
    let entry = format!("{screen}/entries/{}", made[1]["topicEntryId"].as_str().unwrap());
    for address in [&screen, &entry] {
        let shown = owner.open(address).await.expect(200).text();
        assert!(shown.contains("Not read") && shown.contains("The server answered 404."), "{shown}");
    }
    owner.send(&format!("{entry}/refresh"), &[]).await.expect(303);
    assert_eq!(listed().await[1]["content"]["enrichmentStatus"], "pending");
    tasks::run_all(&tools).await.unwrap();
    let read = listed().await[1]["content"].clone();
    assert_eq!((&read["enrichmentStatus"], &read["name"]), (&json!("success"), &json!("About Acme")));
    let shown = owner.open(&screen).await.expect(200).text();
    assert!(shown.contains("About Acme") && !shown.contains("Not read"), "{shown}");
}

#[tokio::test]
async fn a_domain_shows_what_is_wanted_and_seen_and_becomes_the_default() {
    let (app, client, mut owner) = start().await;
    let added = tenant_domains::add(&client, "go.acme.example").await;
    let api = format!("/v0/tenant_domains/{}", added["tenantDomainId"].as_str().unwrap());
    let screen = format!("{BASE}/domains/{}", added["tenantDomainId"].as_str().unwrap());
    let record = |at: usize, field: &str| added["records"][at][field].as_str().unwrap().to_owned();
    let code = |text: &str| format!("<code dir=\"ltr\">{text}</code>");
    let seen = |shown: &str| shown.split("<h2>What was seen</h2>").nth(1).unwrap().to_owned();
    let shown = owner.open(&screen).await.expect(200).text();
    for (at, field) in [(0, "name"), (0, "value"), (1, "name"), (1, "value")] {
        assert!(shown.contains(&code(&record(at, field))), "{at} {field}: {shown}");
    }
    assert!(seen(&shown).contains("The DNS has not been checked yet."), "{shown}");
    assert!(!shown.contains(&format!("{screen}/default")), "{shown}");
    let (verify, default) = (format!("{screen}/verify"), format!("{screen}/default"));
    owner.send(&default, &[("default", "true")]).await.expect(409);
    app.names.txt(&record(0, "name"), "something else");
    owner.send(&verify, &[]).await.expect(303);
    assert_eq!(client.get(&api).await.expect(200).json()["verified"], false);
    let shown = owner.open(&screen).await.expect(200).text();
    assert!(seen(&shown).contains(&code("something else")) && shown.contains("What is wrong:"), "{shown}");
    app.names.clear(&record(0, "name"));
    app.names.txt(&record(0, "name"), &record(0, "value"));
    app.names.cname(&record(1, "name"), &record(1, "value"));
    owner.send(&verify, &[]).await.expect(303);
    assert_eq!(client.get(&api).await.expect(200).json()["verificationStatus"], "active");
    let shown = owner.open(&screen).await.expect(200).text();
    let seen = seen(&shown);
    assert!(seen.contains(&code(&record(0, "value"))) && seen.contains(&code(&record(1, "value"))), "{seen}");

    for (value, is_default) in [("true", true), ("", false)] {
        owner.send(&default, &[("default", value)]).await.expect(303);
        assert_eq!(client.get(&api).await.expect(200).json()["isDefault"], is_default);
        let shown = owner.open(&screen).await.expect(200).text();
        assert_eq!(shown.contains("No longer the default"), is_default, "{shown}");
    }
}

#[tokio::test]
async fn what_was_kept_apart_as_spam_is_released() {
    let (_app, client, mut owner) = start().await;
    let email = json!({ "key": "email", "kind": "email", "label": "E-mail", "required": true });
    let form = json!({ "name": "Contact", "fields": [email] });
    let form = client.post("/v0/forms", &form).await.expect(201).json();
    let page = forms::shown(&client, form["formId"].as_str().unwrap()).await;
    // A program fills in what nobody sees.
    let sent = [("email", "ada@example.com"), ("ps.note", "x")];
    page.send(&page.visitor(&client), &sent).await.expect(303);
    let kept = client.get("/v0/form_submissions?status=spam").await.expect(200).json();
    let id = kept["items"][0]["submissionId"].as_str().unwrap();
    let (screen, api) = (format!("{BASE}/forms/submissions/{id}"), format!("/v0/form_submissions/{id}"));
    let shown = owner.open(&screen).await.expect(200).text();
    assert!(shown.contains("a field was filled in that nobody sees"), "{shown}");
    assert!(shown.contains("name=\"status\" value=\"accepted\""), "{shown}");
    owner.send(&screen, &[("status", "accepted")]).await.expect(303);
    let released = client.get(&api).await.expect(200).json();
    assert_eq!(released["status"], "accepted");
    // Whoever has sent it is a person from then on.
    assert!(released["personId"].is_string(), "{released}");
}

#[tokio::test]
async fn a_new_secret_is_shown_and_signs_beside_the_old_one_for_a_day() {
    let app = TestApp::with(|plan| plan.settings.allowed_networks = "127.0.0.0/8".parse().unwrap()).await;
    let (client, mut owner, receiver) = (app.client(), Browser::owner(&app).await, Receiver::start().await);
    let body = json!({ "url": receiver.url() });
    let made = client.post("/v0/webhook_subscriptions", &body).await.expect(201).json();
    let screen = format!("{BASE}/webhooks/{}", made["subscriptionId"].as_str().unwrap());
    let shown = owner.send(&format!("{screen}/rotate"), &[]).await.expect(200).text();
    let old = Secret::parse(made["signingSecret"].as_str().unwrap()).unwrap();
    let new = Secret::parse(&codes(&shown).remove(0)).unwrap();
    for (hours, both) in [(0, true), (25, false)] {
        app.advance(Duration::from_hours(hours));
        happen(&client).await;
        app.deliver().await;
        let one = receiver.arrived().pop().unwrap();
        let (id, seconds) = (one.header("webhook-id"), one.header("webhook-timestamp").parse().unwrap());
        let signed = one.header("webhook-signature");
        let signs = |secret: &Secret| signature::verify_standard(secret, id, seconds, &one.body, signed);
        assert_eq!((signs(&new), signs(&old)), (true, both), "after {hours} hours");
    }
}

#[tokio::test]
async fn one_session_is_ended_then_all_others_and_then_those_of_an_old_password() {
    let app = TestApp::start().await;
    let (mut owner, mut other) = (Browser::owner(&app).await, elsewhere(&app).await);
    let shown = owner.open(ACCOUNT).await.expect(200).text();
    let session = shown.split("name=\"session\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    owner.send(&format!("{ACCOUNT}/end-session"), &[("session", session)]).await.expect(303);
    assert!(!is_signed_in(&mut other).await && is_signed_in(&mut owner).await);
    let mut others = [elsewhere(&app).await, elsewhere(&app).await];
    owner.send(&format!("{ACCOUNT}/end-others"), &[]).await.expect(303);
    for other in &mut others {
        assert!(!is_signed_in(other).await);
    }
    let shown = owner.open(ACCOUNT).await.expect(200).text();
    assert!(shown.contains("this browser") && !shown.contains("/end-others"), "{shown}");

    let mut other = elsewhere(&app).await;
    let (path, new) = (format!("{ACCOUNT}/password"), "another long enough one");
    let wrong = [("currentPassword", "wrong password 1"), ("password", new)];
    let refused = owner.send(&path, &wrong).await.expect(400).text();
    assert!(refused.contains("aria-invalid") && !refused.contains(new), "{refused}");
    assert!(is_signed_in(&mut other).await);
    owner.send(&path, &[("currentPassword", PASSWORD), ("password", new)]).await.expect(303);
    assert!(!is_signed_in(&mut other).await && is_signed_in(&mut owner).await);
    sign_in(&mut other, PASSWORD).await.expect(401);
    sign_in(&mut other, new).await.expect(303);
}

#[tokio::test]
async fn recovery_codes_are_made_anew_and_the_app_is_removed_by_the_password() {
    let (app, _, mut owner) = start().await;
    let offered = owner.send(&format!("{ACCOUNT}/app"), &[]).await.expect(200).text();
    let code = authenticator::code(&codes(&offered).remove(0), app.state.now());
    let before = owner.send(&format!("{ACCOUNT}/app/confirm"), &[("code", &code)]).await.expect(200);
    let after = owner.send(&format!("{ACCOUNT}/codes"), &[]).await.expect(200);
    let (before, after) = (codes(&before.text()), codes(&after.text()));
    assert_eq!((before.len(), after.len()), (10, 10));
    assert!(before.iter().all(|code| !after.contains(code)));
    owner.send("/console/sign-out", &[]).await.expect(303);
    let half = sign_in(&mut owner, PASSWORD).await.expect(303);
    assert!(half.header("location").unwrap().starts_with("/console/code"));
    for (code, expected) in [(&before[0], 401), (&after[0], 303)] {
        owner.send("/console/code", &[("code", code)]).await.expect(expected);
    }

    let asked = owner.send(&format!("{ACCOUNT}/app/remove"), &[]).await.expect(200).text();
    assert!(asked.contains("name=\"currentPassword\""), "{asked}");
    let removed = format!("{ACCOUNT}/app/removed");
    owner.send(&removed, &[("currentPassword", "wrong password 1")]).await.expect(400);
    let shown = owner.open(ACCOUNT).await.expect(200).text();
    assert!(shown.contains("9 recovery codes are left"), "{shown}");
    owner.send(&removed, &[("currentPassword", PASSWORD)]).await.expect(303);
    owner.send("/console/sign-out", &[]).await.expect(303);
    sign_in(&mut owner, PASSWORD).await.expect(303);
    assert!(is_signed_in(&mut owner).await, "the password alone is enough");
}

#[tokio::test]
async fn a_user_is_taken_out_of_the_tenant_and_the_last_owner_is_not() {
    let app = TestApp::start().await;
    let (mut owner, mut editor) = (Browser::owner(&app).await, Browser::with_role(&app, Role::Editor).await);
    assert!(is_signed_in(&mut editor).await);
    let settings = format!("{BASE}/settings");
    let shown = owner.open(&settings).await.expect(200).text();
    let id_of = |name: &str| {
        // The owner is named in the menu as well.
        let line = shown.rsplit(&format!(">{name}<")).next().unwrap();
        line.split("name=\"user\" value=\"").nth(1).unwrap().split('"').next().unwrap()
    };
    let remove = format!("{BASE}/settings/remove-user");
    owner.send(&remove, &[("user", id_of("editor of acme"))]).await.expect(303);
    editor.open("/console/t/acme/pages").await.expect(404);
    editor.open("/console").await.expect(403);
    assert!(!owner.open(&settings).await.expect(200).text().contains("editor of acme"));
    let audit = app.client().get("/v0/audit?action=role-removed").await.expect(200).json();
    assert_eq!(audit["items"][0]["subject"], id_of("editor of acme"));
    let refused = owner.send(&remove, &[("user", id_of("Olga Owner"))]).await.expect(409).text();
    assert!(refused.contains("no owner") && is_signed_in(&mut owner).await, "{refused}");
}

#[tokio::test]
async fn whoever_has_two_tenants_switches_between_them() {
    let (app, _, mut owner) = start().await;
    let globex = app.add_tenant("globex").await;
    assert!(!owner.open(BASE).await.expect(200).text().contains("/console/t/globex"));
    let ctx = app.platform.context();
    let join = move |tx: &mut Tx<'_>| {
        let olga = users::find_by_name(tx, "olga@acme.example")?;
        memberships::add(tx, &ctx.of(globex.clone()), &olga.user_id, Role::Viewer)
    };
    app.store.write(join).await.unwrap();
    for (here, there) in [("acme", "globex"), ("globex", "acme")] {
        let shown = owner.open(&format!("/console/t/{here}")).await.expect(200).text();
        let html = Html::parse_document(&shown);
        let link = Selector::parse(&format!("details.menu a[href='/console/t/{there}']")).unwrap();
        let link = html.select(&link).next().unwrap_or_else(|| panic!("{here}: {shown}"));
        assert_eq!(link.text().collect::<String>(), there);
    }
}

#[tokio::test]
async fn the_palette_finds_a_page_an_audience_a_person_and_an_account() {
    let (_app, client, mut owner) = start().await;
    let page = audiences::page_of(&client, &fixtures::page("Harbour tour")).await;
    let audience = audiences::audience(&client, &page, &json!({ "customName": "Harbour masters" })).await;
    let person = client.post("/v0/persons", &json!({ "name": "Hanna Harbour" })).await.expect(201).json();
    let person = format!("/v0/persons/{}", person["personId"].as_str().unwrap());
    let account = json!({ "domain": "harbour.example", "name": "Harbour Ltd" });
    let account = client.post("/v0/accounts", &account).await.expect(200).json();
    let account = format!("/v0/accounts/{}", account["accountId"].as_str().unwrap());
    let part = [("hx-request", "true"), ("accept-language", "en")];
    let found = owner.open_with(&format!("{BASE}/find?q=harbour"), &part).await.expect(200).text();
    let html = Html::parse_fragment(&found);
    for (path, told) in [
        (&page, ["Harbour tour", "Page"]),
        (&audience, ["Harbour tour · Harbour masters", "Audience"]),
        (&person, ["Hanna Harbour", "Person"]),
        (&account, ["Harbour Ltd", "Account"]),
    ] {
        let option = format!("a.option[href='{}']", path.replacen("/v0", BASE, 1));
        let option = html.select(&Selector::parse(&option).unwrap()).next();
        let option = option.unwrap_or_else(|| panic!("{path}: {found}"));
        assert_eq!(option.text().collect::<Vec<_>>(), told);
    }
}

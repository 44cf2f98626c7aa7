//! Forms that make, change or delete something do so: each is opened, filled in and sent, and the API is asked what came of it.

use pagesmith_model::user::Role;
use pagesmith_operations::users::{find_by_name, memberships};
use pagesmith_testkit::TestApp;
use pagesmith_testkit::samples::owned::Owned;
use scraper::{Html, Selector};
use serde_json::{Value, json};

use super::browser::{Browser, fields_of, with};
use super::walking::address;

/// What a form is to have done.
enum Done {
    /// What the API answers has this at a pointer.
    Is(&'static str, Value),
    /// There is no such thing any more.
    Gone,
}

use Done::{Gone, Is};

/// A form that is filled in.
struct Form {
    /// The screen that it stands on, below the tenant's root.
    screen: &'static str,
    /// A selector that finds it.
    form: &'static str,
    /// What is entered; the rest is sent as it stands.
    entered: &'static [(&'static str, &'static str)],
    /// What is asked of the API; `{made}` is the id at the end of the address that the form led to.
    api: &'static str,
    /// What it answers.
    done: Done,
}

fn form(
    screen: &'static str,
    form: &'static str,
    entered: &'static [(&'static str, &'static str)],
    api: &'static str,
    done: Done,
) -> Form {
    Form { screen, form, entered, api, done }
}

/// Forms of what makes links and addresses.
fn of_addresses() -> Vec<Form> {
    let (link, block) = ("/v0/page_links/{page_link_id}", "/v0/page_link_blocks/{page_link_block_id}");
    vec![
        form(
            "/links/new?page={page_id}",
            "#link",
            &[("path", "/go/autumn")],
            "/v0/page_links/{made}",
            Is("/path", json!("/go/autumn")),
        ),
        form(
            "/links/{page_link_id}",
            "form[action$='/edit']",
            &[("path", "/go/winter")],
            link,
            Is("/path", json!("/go/winter")),
        ),
        form(
            "/links/{page_link_id}/target",
            "#target",
            &[("target", "{audience_id}")],
            link,
            Is("/target/targetType", json!("audience")),
        ),
        form("/links/{page_link_id}/delete", "form[action$='/delete']", &[], link, Gone),
        form(
            "/links/blocks/new",
            "#block",
            &[("kind", "footer"), ("name", "Foot"), ("links", "# Company\nImprint | https://acme.example/i")],
            "/v0/page_link_blocks/{made}",
            Is("/links/0/links/0/text", json!("Imprint")),
        ),
        form(
            "/links/blocks/{block_id}",
            "form[action$='/edit']",
            &[("name", "Above")],
            block,
            Is("/name", json!("Above")),
        ),
        form("/links/blocks/{block_id}/delete", "form[action$='/delete']", &[], block, Gone),
        form(
            "/domains/new",
            "#domain",
            &[("domain", "go.acme.example")],
            "/v0/tenant_domains/{made}",
            Is("/domain", json!("go.acme.example")),
        ),
        form(
            "/domains/{tenant_domain_id}/delete",
            "form[action$='/delete']",
            &[],
            "/v0/tenant_domains/{tenant_domain_id}",
            Gone,
        ),
    ]
}

/// Forms of what pages are made of.
fn of_content() -> Vec<Form> {
    let (topic, asset) = ("/v0/topics/{topic_id}", "/v0/assets/{asset_id}");
    let (text, brand) = ("/v0/topics/{topic_id}/entries/{text_id}", "/v0/brands/{brand_id}");
    vec![
        form(
            "/knowledge/{topic_id}",
            "form[action$='/edit']",
            &[("title", "Tariffs")],
            topic,
            Is("/title", json!("Tariffs")),
        ),
        form(
            "/knowledge/{topic_id}/entries/{text_id}",
            "#entry",
            &[("content.content", "Ten euros.")],
            text,
            Is("/content/content", json!("Ten euros.")),
        ),
        form("/knowledge/{topic_id}/entries/{text_id}/delete", "form[action$='/delete']", &[], text, Gone),
        form("/knowledge/{topic_id}/delete", "form[action$='/delete']", &[], topic, Gone),
        form(
            "/assets/describe?file={picture_id}&name=Team",
            "#picture",
            &[("purpose", "For the page of the team."), ("tags", "team, people"), ("assetType", "logo")],
            "/v0/assets/{made}",
            Is("/tags", json!(["team", "people"])),
        ),
        form(
            "/assets/video",
            "#video",
            &[("name", "Tour"), ("youtubeUrl", "https://www.youtube.com/watch?v=dQw4w9WgXcQ")],
            "/v0/assets/{made}",
            Is("/data/type", json!("video")),
        ),
        form(
            "/assets/{asset_id}",
            "#asset",
            &[("name", "Mark"), ("hidden", "true")],
            asset,
            Is("/hidden", json!(true)),
        ),
        form("/brands/{brand_id}", "form[action$='/default']", &[], brand, Is("/isDefault", json!(true))),
        form(
            "/brands/{other_brand_id}/delete",
            "form[action$='/delete']",
            &[],
            "/v0/brands/{other_brand_id}",
            Gone,
        ),
    ]
}

/// Forms about people.
fn of_people() -> Vec<Form> {
    vec![
        form(
            "/accounts/new",
            "#account",
            &[("domain", "globex.com"), ("name", "Globex")],
            "/v0/accounts/{made}",
            Is("/name", json!("Globex")),
        ),
        form(
            "/accounts/{account_id}",
            "form[action$='/edit']",
            &[("name", "Initech")],
            "/v0/accounts/{account_id}",
            Is("/name", json!("Initech")),
        ),
        form(
            "/persons/imports/{person_import_id}",
            "form[action$='/cancel']",
            &[],
            "/v0/person_imports/{person_import_id}",
            Is("/status", json!("cancelled")),
        ),
    ]
}

/// One of everything, and what the forms need besides: their placeholders, with ids.
async fn owned(app: &TestApp) -> (Owned, Vec<(&'static str, String)>) {
    let client = app.client();
    let owned = Owned::make(&client, 0).await;
    let id = |made: &Value, name: &str| made[name].as_str().unwrap().to_owned();
    let text = json!({ "content": { "type": "text", "content": "Nine euros." } });
    let text = client.post(&owned.fill("/v0/topics/{topic_id}/entries"), &text).await.expect(201).json();
    let picture = client.upload("team.png", crate::files::PNG).await.expect(201).json();
    let brand = client.post("/v0/brands", &json!({ "name": "Another" })).await.expect(201).json();
    let more = vec![
        ("{text_id}", id(&text, "topicEntryId")),
        ("{picture_id}", id(&picture, "fileId")),
        ("{other_brand_id}", id(&brand, "brandId")),
    ];
    (owned, more)
}

#[tokio::test]
async fn what_is_entered_is_what_the_api_answers() {
    let app = TestApp::start().await;
    let (client, mut browser) = (app.client(), Browser::owner(&app).await);
    let (owned, more) = owned(&app).await;
    let own = |text: &str| more.iter().fold(text.to_owned(), |text, (name, id)| text.replace(name, id));
    for Form { screen, form, entered, api, done } in
        of_addresses().into_iter().chain(of_content()).chain(of_people())
    {
        let shown = browser.open(&address(&own(screen), "acme", &owned)).await.expect(200).text();
        let html = Html::parse_document(&shown);
        let found = html.select(&Selector::parse(form).unwrap()).next();
        let action = found.unwrap_or_else(|| panic!("{screen} has no {form}: {shown}"));
        let action = action.attr("action").unwrap().to_owned();
        let fill = |sent, (name, value): &(&str, &str)| with(sent, name, &owned.fill(value));
        let sent = entered.iter().fold(fields_of(&shown, form), fill);
        let before = match &done {
            Is(pointer, value) if !api.contains("{made}") => {
                let before = client.get(&owned.fill(&own(api))).await.expect(200).json();
                assert_ne!(before.pointer(pointer), Some(value), "{api} is so without the form");
                Some(before)
            }
            _ => None,
        };
        let answer = browser.send_fields(&action, &sent).await;
        assert_eq!(answer.status, 303, "{action}: {}", answer.text());
        let led = answer.header("location").unwrap().split('?').next().unwrap().to_owned();
        let made = led.rsplit('/').next().unwrap().to_owned();
        let path = owned.fill(&own(&api.replace("{made}", &made)));
        match done {
            Gone => drop(client.get(&path).await.expect(404)),
            Is(pointer, value) => {
                let found = client.get(&path).await.expect(200).json();
                assert_eq!(found.pointer(pointer), Some(&value), "{action}: {found:#}");
                // What else the form shows has stayed.
                if let Some(name) = before.as_ref().map(|before| &before["purpose"]) {
                    assert_eq!(&found["purpose"], name, "{action}");
                }
            }
        }
        browser.open(&led).await.expect(200);
    }
}

#[tokio::test]
async fn a_user_is_given_another_role() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    Browser::with_role(&app, Role::Viewer).await;
    let user = app.store.read(|tx| find_by_name(tx, "viewer@acme.example")).await.unwrap().user_id;
    let screen = browser.open("/console/t/acme/settings").await.expect(200).text();
    let form = format!("form[action$='/settings/role']:has(input[value='{}'])", user.as_str());
    let sent = fields_of(&screen, &form);
    assert!(sent.contains(&("role".to_owned(), "viewer".to_owned())), "{sent:?}");
    let sent = with(sent, "role", "analyst");
    browser.send_fields("/console/t/acme/settings/role", &sent).await.expect(303);
    let tenant = app.tenant.clone();
    let role = app.store.read(move |tx| memberships::role(tx, &tenant, &user)).await.unwrap();
    assert_eq!(role, Some(Role::Analyst));
    let screen = browser.open("/console/t/acme/settings").await.expect(200).text();
    assert!(fields_of(&screen, &form).contains(&("role".to_owned(), "analyst".to_owned())));
}

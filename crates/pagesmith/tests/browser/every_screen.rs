//! Every screen of the console, as its lists have them, with what the example has: axe finds nothing on it, on a phone and on a desk, and nothing
//! is wider than the window, and the keyboard reaches everything. What no address leads to is in `more_screens.rs`.

use pagesmith_console::screens::{operator, rows};
use pagesmith_model::Timestamp;
use pagesmith_testkit::authenticator;
use serde_json::{Value, json};

use crate::checks;
use crate::driver::{Browser, Scheme};
use crate::screenshots::{PASSWORD, PREVIEW_IS_THERE, sign_up};
use crate::server::Demo;

/// How a screen is looked at.
pub const LOOKS: [(u32, Scheme); 2] = [(360, Scheme::Dark), (1440, Scheme::Light)];
/// How the paths end of what is no screen: streams of events, pictures, files, parts of screens.
pub const NO_SCREENS: [&str; 6] = ["/events", ".svg", ".png", ".csv", "/export", "/now"];

async fn look(browser: &Browser, url: &str) {
    for (width, scheme) in LOOKS {
        browser.wear(width, scheme).await;
        browser.open(url).await;
        browser.arrives(PREVIEW_IS_THERE).await;
        let what = format!("{url} at {width}");
        checks::is_sound(browser, &what).await;
        checks::is_accessible(browser, &what).await;
        checks::is_walked_with_the_keyboard(browser, &what).await;
    }
}

#[tokio::test]
async fn axe_finds_nothing_on_any_screen() {
    let (demo, browser) = (Demo::start(), Browser::start().await);
    let console = format!("{}/console", demo.set_up.split("/console/").next().unwrap());
    look(&browser, &demo.set_up).await;
    let root = sign_up(&demo, &browser).await;
    let ids = ids(&demo, &browser, &root).await;
    let mut urls = Vec::new();
    for row in rows().iter().filter(|row| row.method == "GET") {
        let blocks = if row.path.starts_with("/links/") { "linkBlockId" } else { "blockId" };
        let path = row.path.replace("{block_id}", &format!("{{{blocks}}}"));
        urls.push(format!("{root}{path}"));
    }
    for row in operator::rows().iter().filter(|row| row.method == "GET") {
        urls.push(format!("{console}/operator{}", row.path));
    }
    for url in urls.iter().filter(|url| !NO_SCREENS.iter().any(|end| url.ends_with(end))) {
        let url = ids.iter().fold(url.clone(), |url, (name, id)| url.replace(name, id));
        assert!(!url.contains('{'), "the example has nothing for {url}");
        look(&browser, &url).await;
    }
    screens_of_signing_in(&browser, &console, &root).await;
}

/// The screens on which an authenticator app is added and asked for.
async fn screens_of_signing_in(browser: &Browser, console: &str, root: &str) {
    browser.open(&format!("{root}/account")).await;
    browser.evaluated("document.querySelector('form[action$=\"/account/app\"]').requestSubmit()").await;
    browser.arrives("document.querySelector('form#app input[name=code]')").await;
    checks::is_accessible(browser, "adding an app").await;
    let secret = browser.evaluated("document.querySelector('main code').textContent").await;
    let now = browser.evaluated("Date.now() * 1000").await.to_string().parse::<f64>().unwrap() as i64;
    let code = authenticator::code(secret.as_str().unwrap(), Timestamp::from_micros(now));
    let confirm = format!(
        "const form = document.querySelector('form#app'); form.elements.code.value = '{code}'; form.requestSubmit()"
    );
    browser.evaluated(&confirm).await;
    browser.arrives("!document.querySelector('form#app') && document.readyState === 'complete'").await;
    checks::is_accessible(browser, "an app that was added").await;
    browser.evaluated("document.querySelector('form[action$=\"/sign-out\"]').requestSubmit()").await;
    browser.arrives("location.pathname.endsWith('/sign-in') && document.readyState === 'complete'").await;
    look(browser, &format!("{console}/sign-in")).await;
    let sign_in = format!(
        "const form = document.querySelector('form#sign-in'); form.elements.email.value = 'sunniva@norrvik.example';
         form.elements.password.value = '{PASSWORD}'; form.requestSubmit()"
    );
    browser.evaluated(&sign_in).await;
    browser.arrives("location.pathname.endsWith('/code') && document.readyState === 'complete'").await;
    look(browser, &format!("{console}/code")).await;
}

/// What stands for an id, and one of the example; what the example lacks is made.
async fn ids(demo: &Demo, browser: &Browser, root: &str) -> Vec<(&'static str, String)> {
    let id = |found: &Value, id: &str| found[id].as_str().unwrap().to_owned();
    let last = async |path: &str, name: &str| {
        let found = demo.call(path, None).await;
        // The page with the most visits is the oldest one.
        id(found["items"].as_array().unwrap().last().unwrap(), name)
    };
    let page = last("/v0/pages", "pageId").await;
    let audience = last(&format!("/v0/pages/{page}/audiences"), "audienceId").await;
    let versions = format!("/v0/pages/{page}/audiences/{audience}/versions");
    let version = last(&versions, "versionId").await;
    let content = demo.call(&format!("{versions}/{version}/content"), None).await;
    let session = last(&format!("/v0/pages/{page}/audience_sessions"), "audienceSessionId").await;
    let topic = last("/v0/topics", "topicId").await;
    let entry = last(&format!("/v0/topics/{topic}/entries"), "topicEntryId").await;
    let domain = demo.call("/v0/tenant_domains", Some(json!({ "domain": "go.norrvik.example" }))).await;
    let hook = json!({ "url": "https://hooks.norrvik.example/in", "events": ["page.version.published"] });
    let hook = id(&demo.call("/v0/webhook_subscriptions", Some(hook)).await, "subscriptionId");
    let send = |path: &str, body: &str| {
        format!(
            "const done = arguments[0], {body};
             fetch('{root}{path}', {{ method: 'POST', body }}).then((answer) => done(answer.url))"
        )
    };
    let tried = send(&format!("/webhooks/{hook}/test"), "body = new URLSearchParams()");
    browser.ask_later(&tried).await;
    let delivery = last(&format!("/v0/webhook_subscriptions/{hook}/deliveries"), "deliveryId").await;
    let file = "body = new FormData(); body.append('file', new File(['Name,E-mail\\nIda,ida@norrvik.example\\n'], 'people.csv'))";
    browser.ask_later(&send("/persons/imports/new", file)).await;
    let import = last("/v0/person_imports", "personImportId").await;
    browser.open(&format!("{}/operator/tenants", root.split("/t/").next().unwrap())).await;
    let tenant = "document.querySelector('a[href*=\"/suspend\"]').href.split('/').at(-2)";
    let tenant = browser.evaluated(tenant).await.as_str().unwrap().to_owned();
    vec![
        ("{page_id}", page),
        ("{audience_id}", audience),
        ("{version_id}", version.clone()),
        ("{from_id}", version.clone()),
        ("{to_id}", version),
        ("{blockId}", id(&content["blocks"][0], "blockId")),
        ("{linkBlockId}", last("/v0/page_link_blocks", "linkBlockId").await),
        ("{page_link_id}", last("/v0/page_links", "pageLinkId").await),
        ("{audience_session_id}", session),
        ("{person_id}", last("/v0/persons", "personId").await),
        ("{person_import_id}", import),
        ("{account_id}", last("/v0/accounts", "accountId").await),
        ("{submission_id}", last("/v0/form_submissions", "submissionId").await),
        ("{form_id}", last("/v0/forms", "formId").await),
        ("{subscription_id}", hook),
        ("{delivery_id}", delivery),
        ("{topic_id}", topic),
        ("{topic_entry_id}", entry),
        ("{tenant_domain_id}", id(&domain, "tenantDomainId")),
        ("{asset_id}", last("/v0/assets", "assetId").await),
        ("{brand_id}", last("/v0/brands", "brandId").await),
        ("{key_id}", last("/v0/keys", "keyId").await),
        ("{tenant_id}", tenant),
    ]
}

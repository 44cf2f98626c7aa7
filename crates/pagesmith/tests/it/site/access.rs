//! Who may open a person's or an account's own page: whoever guesses its address, has it, or has a signed link.

use std::time::Duration;

use pagesmith_model::audience::Audience;
use pagesmith_model::{AudienceId, PageId};
use pagesmith_store::Tx;
use pagesmith_store::tables::audiences;
use pagesmith_testkit::{Answer, Client, TestApp, fixtures};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{GONE, NOT_HERE, says, visitor};
use crate::audiences::{audience, page_of};
use crate::property;

const EXPIRED: &str = "This link has expired";
const OPEN: &str = "/spring/jane-doe";

struct Scene {
    app: TestApp,
    client: Client,
    site: Client,
    /// The path of the person.
    person: String,
    /// The path of the audience.
    at: String,
}

/// The page "Spring" with Jane Doe's own, which is published.
async fn scene() -> Scene {
    let app = TestApp::start().await;
    let (client, site) = (app.client(), visitor(&app, "acme.localhost:8080"));
    let person = client.post("/v0/persons", &json!({ "name": "Jane Doe" })).await.expect(201).json();
    let page = page_of(&client, &fixtures::page("Spring")).await;
    let at = audience(&client, &page, &json!({ "personId": person["personId"] })).await;
    app.write_versions().await;
    let person = format!("/v0/persons/{}", person["personId"].as_str().unwrap());
    Scene { app, client, site, person, at }
}

impl Scene {
    async fn set(&self, body: Value) -> Value {
        set(&self.client, &self.at, body).await.expect(200).json()
    }

    async fn tenant(&self, access: &str) {
        let body = json!({ "personPageAccess": access }).to_string().into_bytes();
        self.client.send("PUT", "/v0/site", Some(body)).await.expect(200);
    }

    async fn key(&self) -> String {
        self.client.get(&self.at).await.expect(200).json()["personRouteKey"].as_str().unwrap().to_owned()
    }

    async fn path(&self) -> String {
        link(&self.client, &self.at).await
    }
}

async fn set(client: &Client, at: &str, body: Value) -> Answer {
    client.send("PUT", &format!("{at}/access"), Some(body.to_string().into_bytes())).await
}

async fn link(client: &Client, at: &str) -> String {
    let link = client.get(&format!("{at}/link")).await.expect(200).json();
    let path = link["path"].as_str().unwrap().to_owned();
    assert_eq!(link["url"], format!("http://acme.localhost:8080{path}"));
    path
}

fn is_random(key: &str) -> bool {
    key.strip_prefix("jane-doe-").is_some_and(|end| {
        end.len() == 10 && end.bytes().all(|byte| b"0123456789abcdefghjkmnpqrstvwxyz".contains(&byte))
    })
}

#[tokio::test]
async fn a_persons_page_is_not_where_its_name_leads_unless_it_is_open() {
    let scene = scene().await;
    let secret = scene.path().await;
    assert_eq!(secret, format!("/spring/{}", scene.key().await));
    assert!(is_random(secret.trim_start_matches("/spring/")), "{secret}");
    let page = scene.site.get(&secret).await.expect(200);
    assert!(page.text().contains(&format!("http://acme.localhost:8080{secret}")), "it names another address");
    let never = scene.site.get("/spring/john-doe").await.expect(404);
    assert_eq!(scene.site.get(OPEN).await.expect(404).bytes, never.bytes);
    let set = scene.set(json!({ "access": "open" })).await;
    assert_eq!(set, json!({ "access": "open", "effectiveAccess": "open", "path": OPEN }));
    assert_eq!((scene.key().await.as_str(), scene.path().await.as_str()), ("jane-doe", OPEN));
    // Whoever has the secret address may open it there as well, and is told the other.
    for path in [OPEN, &secret] {
        let page = scene.site.get(path).await.expect(200).text();
        assert!(
            page.contains(&format!("http://acme.localhost:8080{OPEN}")) && !page.contains(&secret),
            "{path}"
        );
    }
    // Set back, the address that was known by its name is nothing again, and the other is what it was.
    scene.set(json!({ "access": "unguessable" })).await;
    assert_eq!(scene.path().await, secret);
    scene.site.get(&secret).await.expect(200);
    assert_eq!(scene.site.get(OPEN).await.expect(404).bytes, never.bytes);
    // What is known to too many gets another one.
    let renewed = scene.set(json!({ "access": "unguessable", "renew": true })).await;
    let other = renewed["path"].as_str().unwrap();
    assert!(is_random(other.trim_start_matches("/spring/")) && other != secret, "{other}");
    assert_eq!(scene.path().await, other);
    scene.site.get(other).await.expect(200);
    says(&scene.site.get(&secret).await.expect(404), NOT_HERE);
}

#[tokio::test]
async fn a_change_counts_at_once_on_every_server() {
    let scene = scene().await;
    let other = Client::new(scene.app.second_server(), Some(scene.app.key.clone()));
    other.get("/v0/pages").await.expect(200);
    let there = other.with("host", "acme.localhost");
    let secret = scene.path().await;
    let answers = async |path: &str, status: u16| {
        for site in [&scene.site, &there] {
            site.get(path).await.expect(status);
        }
    };
    scene.set(json!({ "access": "open" })).await;
    answers(OPEN, 200).await;
    scene.set(json!({ "access": null })).await;
    scene.app.advance(Duration::from_secs(1));
    answers(OPEN, 404).await;
    answers(&secret, 200).await;
    scene.client.delete(&scene.person).await.expect(200);
    scene.app.advance(Duration::from_secs(1));
    answers(&secret, 410).await;
}

#[tokio::test]
async fn a_tenant_decides_where_nothing_is_set_for_an_audience() {
    let scene = scene().await;
    let secret = scene.path().await;
    scene.tenant("open").await;
    assert_eq!(scene.path().await, OPEN);
    scene.site.get(OPEN).await.expect(200);
    scene.tenant("signed").await;
    let signed = scene.path().await;
    assert!(signed.starts_with(&format!("{secret}/")), "{signed}");
    scene.site.get(&signed).await.expect(200);
    for path in [OPEN, &secret] {
        says(&scene.site.get(path).await.expect(404), NOT_HERE);
    }
    let set = scene.set(json!({ "access": "unguessable" })).await;
    assert_eq!((&set["access"], &set["effectiveAccess"]), (&json!("unguessable"), &json!("unguessable")));
    scene.site.get(&secret).await.expect(200);
    let set = scene.set(json!({ "access": null })).await;
    assert_eq!((&set["access"], &set["effectiveAccess"]), (&json!(null), &json!("signed")));
    says(&scene.site.get(&secret).await.expect(404), NOT_HERE);
    let told = scene.client.get("/v0/audit").await.expect(200).json();
    let changes = told["items"].as_array().unwrap().iter();
    assert_eq!(changes.filter(|entry| entry["action"] == "access-updated").count(), 4, "{told}");
}

#[tokio::test]
async fn a_signed_link_ends_and_is_kept_nowhere() {
    let scene = scene().await;
    let body = json!({ "personPageAccess": "signed", "signedLinkDays": 2 }).to_string().into_bytes();
    scene.client.send("PUT", "/v0/site", Some(body)).await.expect(200);
    let path = scene.path().await;
    assert_eq!(scene.path().await, path, "the same link is told for a while");
    let page = scene.site.get(&path).await.expect(200);
    for (name, value) in [
        ("cache-control", "no-store"),
        ("x-robots-tag", "noindex, nofollow"),
        ("referrer-policy", "no-referrer"),
    ] {
        assert_eq!(page.header(name), Some(value), "{name}");
    }
    assert!(!page.text().contains("rel=\"canonical\""), "{}", page.text());
    scene.app.advance(Duration::from_secs(2 * 86_400 - 1));
    scene.site.get(&path).await.expect(200);
    scene.app.advance(Duration::from_secs(1));
    says(&scene.site.get(&path).await.expect(410), EXPIRED);
    let later = scene.path().await;
    assert_ne!(later, path);
    scene.site.get(&later).await.expect(200);
    // A change revokes what was signed before it, for good.
    scene.set(json!({ "access": "unguessable" })).await;
    says(&scene.site.get(&later).await.expect(404), NOT_HERE);
    scene.set(json!({ "access": "signed" })).await;
    says(&scene.site.get(&later).await.expect(404), NOT_HERE);
    let again = scene.path().await;
    scene.site.get(&again).await.expect(200);
    scene.set(json!({ "access": "signed", "renew": true })).await;
    says(&scene.site.get(&again).await.expect(404), NOT_HERE);
    scene.site.get(&scene.path().await).await.expect(200);
}

#[tokio::test]
async fn a_signature_opens_only_what_it_was_made_for() {
    let scene = scene().await;
    scene.tenant("signed").await;
    let path = scene.path().await;
    let (place, ticket) = path.rsplit_once('/').unwrap();
    let (end, signature) = ticket.split_once('-').unwrap();
    let john = scene.client.post("/v0/persons", &json!({ "name": "John Doe" })).await.expect(201).json();
    let page = scene.at.split("/audiences").next().unwrap();
    let other = audience(&scene.client, page, &json!({ "personId": john["personId"] })).await;
    scene.app.write_versions().await;
    let theirs = link(&scene.client, &other).await;
    scene.site.get(&theirs).await.expect(200);
    let moved = format!("{}/{ticket}", theirs.rsplit_once('/').unwrap().0);
    for changed in [
        moved,
        format!("{place}/1999999999-{signature}"),
        format!("{place}/0{end}-{signature}"),
        format!("{OPEN}/{ticket}"),
        path.to_uppercase(),
        place.to_owned(),
    ] {
        says(&scene.site.get(&changed).await.expect(404), NOT_HERE);
    }
    scene.app.stranger().await;
    says(&visitor(&scene.app, "globex.localhost:8080").get(&path).await.expect(404), NOT_HERE);
}

#[tokio::test]
async fn a_deleted_persons_page_is_gone_until_the_person_is_restored() {
    let scene = scene().await;
    let secret = scene.path().await;
    let version = scene.client.get(&scene.at).await.expect(200).json();
    let version = version["latestVersion"]["versionId"].as_str().unwrap().to_owned();
    let preview = format!("{}/versions/{version}/preview", scene.at);
    let preview = scene.client.post(&preview, &json!({})).await.expect(201).json();
    let preview = preview["url"].as_str().unwrap().strip_prefix("http://acme.localhost:8080").unwrap();
    scene.site.get(preview).await.expect(200);
    for access in ["unguessable", "open", "signed"] {
        scene.set(json!({ "access": access })).await;
        let path = scene.path().await;
        scene.site.get(&path).await.expect(200);
        scene.client.delete(&scene.person).await.expect(200);
        says(&scene.site.get(&path).await.expect(410), GONE);
        says(&scene.site.get(preview).await.expect(410), GONE);
        // Whoever guesses is told nothing more than before.
        scene.site.get(OPEN).await.expect(if access == "open" { 410 } else { 404 });
        scene.client.post(&format!("{}/restore", scene.person), &json!({})).await.expect(200);
        scene.site.get(&path).await.expect(200);
    }
    scene.site.get(&secret).await.expect(404);
}

#[tokio::test]
async fn an_accounts_page_is_open_unless_it_is_set_and_nobodys_page_cannot_be() {
    let scene = scene().await;
    let account =
        scene.client.post("/v0/accounts", &json!({ "domain": "globex.com" })).await.expect(200).json();
    let page = scene.at.split("/audiences").next().unwrap();
    let of_account = audience(&scene.client, page, &json!({ "accountId": account["accountId"] })).await;
    let of_all = audience(&scene.client, page, &json!({})).await;
    scene.app.write_versions().await;
    scene.tenant("signed").await;
    let open = link(&scene.client, &of_account).await;
    assert_eq!(open, "/spring/globex-com");
    scene.site.get(&open).await.expect(200);
    set(&scene.client, &of_account, json!({ "access": "unguessable" })).await.expect(200);
    let secret = link(&scene.client, &of_account).await;
    assert_ne!(secret, open);
    scene.site.get(&secret).await.expect(200);
    says(&scene.site.get(&open).await.expect(404), NOT_HERE);
    set(&scene.client, &of_all, json!({ "access": "signed" })).await.expect(409);
    for (body, code, path) in [
        (json!({}), "required", "access"),
        (json!({ "access": "closed" }), "invalid_value", "access"),
        (json!({ "access": "open", "until": 1 }), "unrecognized_key", "until"),
    ] {
        let issues = set(&scene.client, &of_account, body).await.issues();
        assert_eq!(issues, [(code.to_owned(), path.to_owned())]);
    }
}

#[tokio::test]
async fn a_page_from_before_there_were_secret_addresses_stays_where_it_is() {
    let scene = scene().await;
    let tenant = scene.app.tenant.clone();
    let mut path = scene.at.split('/').skip(3).step_by(2);
    let page_id = PageId::parse(path.next().unwrap()).unwrap();
    let audience_id = AudienceId::parse(path.next().unwrap()).unwrap();
    let forget = move |tx: &mut Tx<'_>| {
        let found = audiences::find_whole(tx, &tenant, &page_id, &audience_id)?;
        let audience = Audience { secret_slug: None, ..found.unwrap().listed.audience };
        tx.run(audiences::update_access(&tenant, &audience)).map(drop)
    };
    scene.app.store.write(forget).await.unwrap();
    assert_eq!((scene.key().await.as_str(), scene.path().await.as_str()), ("jane-doe", OPEN));
    scene.site.get(OPEN).await.expect(200);
    scene.tenant("signed").await;
    scene.site.get(OPEN).await.expect(200);
    let set = scene.set(json!({ "access": "unguessable" })).await;
    assert!(is_random(set["path"].as_str().unwrap().trim_start_matches("/spring/")), "{set}");
    says(&scene.site.get(OPEN).await.expect(404), NOT_HERE);
}

#[tokio::test]
async fn nobody_is_given_an_address_that_is_somebodys_secret_one() {
    let scene = scene().await;
    let secret = scene.path().await;
    let name = secret.trim_start_matches("/spring/").replace('-', " ");
    let page = scene.at.split("/audiences").next().unwrap();
    let body = json!({ "supplementaryContext": name, "customName": name });
    let namesake = audience(&scene.client, page, &body).await;
    let other = link(&scene.client, &namesake).await;
    assert!(other.starts_with(&secret) && other != secret, "{other}");
}

/// What may be done to an audience.
fn history() -> impl Strategy<Value = Vec<(u8, bool)>> {
    prop::collection::vec((0..8_u8, any::<bool>()), 1..10)
}

#[test]
fn of_all_addresses_that_a_page_ever_had_only_those_of_now_open_it() {
    property::holds(8, &history(), async |case, history| {
        let address = format!("{}.localhost", case.tenant);
        let (client, site) = (&case.client, visitor(&case.app, &address));
        let person = client.post("/v0/persons", &json!({ "name": "Jane Doe" })).await.expect(201).json();
        let page = page_of(client, &fixtures::page("Spring")).await;
        let at = audience(client, &page, &json!({ "personId": person["personId"] })).await;
        case.app.write_versions().await;
        let mut ever: Vec<String> = vec![];
        for (step, renew) in history {
            match step {
                0..4 => {
                    let access = [Some("open"), Some("unguessable"), Some("signed"), None][usize::from(step)];
                    let body = json!({ "access": access, "renew": renew });
                    set(client, &at, body).await.expect(200);
                }
                4..7 => {
                    let access = ["open", "unguessable", "signed"][usize::from(step) - 4];
                    let body = json!({ "personPageAccess": access }).to_string().into_bytes();
                    client.send("PUT", "/v0/site", Some(body)).await.expect(200);
                }
                _ => case.app.advance(Duration::from_secs(3_600)),
            }
            let told = client.get(&format!("{at}/link")).await.expect(200).json();
            let now = told["path"].as_str().unwrap().to_owned();
            site.get(&now).await.expect(200);
            let (secret, is_open, is_signed) =
                (now.split('/').nth(2).unwrap(), now.ends_with("/jane-doe"), now.matches('/').count() == 3);
            if !is_open {
                site.get(&now[..now.rfind('/').unwrap()]).await.expect(404);
            }
            ever.push(now.clone());
            for before in &ever {
                let status = site.get(before).await.status;
                let same = before.split('/').nth(2) == Some(secret);
                let was_signed = before.matches('/').count() == 3;
                match (is_open, is_signed) {
                    (true, _) => assert!(status == 200 || before != &now),
                    (false, true) => assert!(was_signed && same || status == 404, "{before} {now}"),
                    (false, false) => assert_eq!(status == 200, same && !was_signed, "{before} {now}"),
                }
            }
        }
    });
}

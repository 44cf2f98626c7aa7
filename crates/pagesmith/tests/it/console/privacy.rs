//! An analyst sees no person, on whatever screen and by whatever operation.

use axum::body::Body;
use axum::http::Request;
use pagesmith_console::screens::rows;
use pagesmith_http::routes::{Access, routes};
use pagesmith_model::UserId;
use pagesmith_model::key::Scope;
use pagesmith_model::user::Role;
use pagesmith_operations::access::Caller;
use pagesmith_testkit::samples::owned::Owned;
use pagesmith_testkit::{Answer, Client, TestApp};
use serde_json::{Value, json};

use super::browser::Browser;
use super::walking::{address_of, ends};

/// What nobody else is called.
const NAME: &str = "Zebedee Quillfeather";

/// A person with a page that was written, published and talked about; the file that the person came with; a link to that page.
struct Planted {
    owned: Owned,
    page: String,
    audience: String,
    version: String,
    file: String,
}

async fn plant(app: &TestApp) -> Planted {
    let client = app.client();
    let owned = Owned::make(&client, 0).await;
    let page = owned.id("{page_id}").to_owned();
    let person = json!({ "name": NAME, "email": "zebedee@quillfeather.example" });
    let person = client.post("/v0/persons", &person).await.expect(201).json();
    let audience = json!({ "personId": person["personId"],
        "supplementaryContext": format!("{NAME} leads the purchasing of a zebedee factory."),
        "metadataOverride": { "title": format!("For {NAME}") } });
    let path = format!("/v0/pages/{page}/audiences");
    let made = client.post(&path, &audience).await.expect(201).json();
    let audience = made["audienceId"].as_str().unwrap().to_owned();
    app.write_versions().await;
    let said = json!({ "message": format!("Change the page title to \"Hello {NAME}\".") });
    client.post(&format!("{path}/{audience}/messages"), &said).await.expect(202);
    client.carry_messages_out().await;
    let link = json!({ "path": "/go/there", "target": { "targetType": "audience", "audienceId": audience } });
    client.post("/v0/page_links", &link).await.expect(200);
    let table = format!("Name,E-mail\n{NAME},zebedee@quillfeather.example\n");
    let file = client.upload("zebedee.csv", table.as_bytes()).await.expect(201).json();
    client.post("/v0/person_imports", &json!({ "fileId": file["fileId"] })).await.expect(201);
    Planted {
        owned,
        page,
        audience,
        version: made["latestVersion"]["versionId"].as_str().unwrap().to_owned(),
        file: file["fileId"].as_str().unwrap().to_owned(),
    }
}

impl Planted {
    /// A path with what was planted in the place of what every tenant has.
    fn of_person(&self, path: &str) -> String {
        let own = |name: &str| self.owned.id(name).to_owned();
        path.replace(&own("{audience_id}"), &self.audience)
            .replace(&own("{version_id}"), &self.version)
            .replace(&own("{other_version_id}"), &self.version)
            .replace(&own("{file_id}"), &self.file)
    }

    /// Both, if they differ.
    fn paths(&self, path: String) -> Vec<String> {
        let of_person = self.of_person(&path);
        if of_person == path { vec![path] } else { vec![path, of_person] }
    }
}

fn names_the_person(answer: &Answer) -> bool {
    String::from_utf8_lossy(&answer.bytes).to_lowercase().contains("zebedee")
}

/// A call of the API as the console makes it for a user with this role.
async fn as_role(app: &TestApp, role: Role, method: &str, path: &str, body: Option<&Value>) -> Answer {
    let tenant = app.state.keys.open_tenant(&app.tenant).unwrap();
    let user_id = UserId::parse("user_01jpbz8n4xf5k9w2d7hq3mv6ta").unwrap();
    let request = Request::builder().method(method).uri(path).header("content-type", "application/json");
    let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
    let mut request = request.body(body).unwrap();
    request.extensions_mut().insert(Caller::user(user_id, role, tenant));
    app.anonymous().raw(request).await
}

#[tokio::test]
async fn no_screen_shows_a_person_to_an_analyst() {
    let app = TestApp::start().await;
    Browser::owner(&app).await;
    let planted = plant(&app).await;
    let mut analyst = Browser::with_role(&app, Role::Analyst).await;
    let mut viewer = Browser::with_role(&app, Role::Viewer).await;
    let mut seen = 0;
    for row in rows().iter().filter(|row| row.method == "GET" && ends(row)) {
        for path in planted.paths(address_of(row, "acme", &planted.owned)) {
            let answer = analyst.open(&path).await;
            assert!(!answer.status.is_server_error(), "{path}: {}", answer.text());
            assert!(!names_the_person(&answer), "{path}: {}", answer.text());
            seen += usize::from(names_the_person(&viewer.open(&path).await));
        }
    }
    // Whoever may see persons finds this one in many places.
    assert!(seen >= 6, "{seen}");
    let audience = format!("/console/t/acme/pages/{}/audiences/{}", planted.page, planted.audience);
    let shown = analyst.open(&audience).await.expect(200).text();
    assert!(shown.contains("A personal page") && !shown.contains("<iframe"), "{shown}");
    for address in [
        format!("{audience}/versions"),
        format!("{audience}/events"),
        format!("{audience}/versions/{}/events", planted.version),
        format!("{audience}/qr.svg"),
    ] {
        analyst.open(&address).await.expect(403);
    }
    for asked in ["find?q=zebedee", "links?q=zebedee", "pages?q=zebedee", "accounts?q=zebedee"] {
        let found = analyst.open(&format!("/console/t/acme/{asked}")).await.expect(200).text();
        assert!(!found.contains(&planted.audience) && !found.contains("/go/there"), "{asked}: {found}");
    }
}

#[tokio::test]
async fn no_operation_shows_a_person_to_an_analyst() {
    let app = TestApp::start().await;
    app.refresh().await;
    let planted = plant(&app).await;
    let mut seen = 0;
    for route in routes().iter().filter(|route| route.method == "GET" && route.access != Access::Everyone) {
        for path in planted.paths(planted.owned.fill(route.path)) {
            let answer = as_role(&app, Role::Analyst, "GET", &path, None).await;
            assert!(!answer.status.is_server_error(), "{path}: {}", answer.text());
            assert!(!names_the_person(&answer), "{path}: {}", answer.text());
            let has_person = path.contains(&planted.audience) || path.contains(&planted.file);
            let is_closed = matches!(route.access, Access::OfPersons(Scope::Read)) && has_person;
            let status = answer.status.as_u16();
            if is_closed {
                assert_eq!(status, 403, "{path}");
                assert_eq!(answer.json()["detail"], "Your role does not show personal data.");
            } else if !matches!(route.access, Access::Persons(_) | Access::Owners(_)) {
                assert_ne!(status, 403, "{path}");
            }
            seen += usize::from(names_the_person(&as_role(&app, Role::Viewer, "GET", &path, None).await));
        }
    }
    assert!(seen >= 10, "{seen}");
}

#[tokio::test]
async fn a_person_is_not_found_by_an_analyst_and_shown_without_a_name() {
    let app = TestApp::start().await;
    app.refresh().await;
    let planted = plant(&app).await;
    for (path, of_all) in [("/v0/audiences/search", 1), ("/v0/page_links/search", 1)] {
        let path = format!("{path}?query=quillfeather");
        let found = as_role(&app, Role::Analyst, "GET", &path, None).await.expect(200).json();
        assert_eq!(found["totalCount"], 0, "{found}");
        let found = app.client().get(&path).await.expect(200).json();
        assert_eq!(found["totalCount"], of_all, "{found}");
    }
    // What is not a person's is found by both.
    let found = as_role(&app, Role::Analyst, "GET", "/v0/audiences/search?limit=100", None).await;
    let found = found.expect(200).text();
    assert!(found.contains(planted.owned.id("{audience_id}")), "{found}");
    assert!(!found.contains(&planted.audience), "{found}");
    let path = format!("/v0/pages/{}/audiences/{}", planted.page, planted.audience);
    let shown = as_role(&app, Role::Analyst, "GET", &path, None).await.expect(200).json();
    let whole = app.client().get(&path).await.expect(200).json();
    for field in ["computedName", "effectiveName"] {
        assert_eq!(shown[field], "A personal page");
        assert_eq!(whole[field], NAME);
    }
    for field in ["customName", "personRouteKey", "supplementaryContext"] {
        assert_eq!(shown[field], Value::Null, "{field}");
    }
    assert_eq!(shown["latestVersion"]["supplementaryContext"], Value::Null);
    assert!(shown.get("metadataOverride").is_none());
    // How it is doing is shown, as of any other.
    for field in ["audienceId", "personId", "status", "createdAt"] {
        assert_eq!(shown[field], whole[field], "{field}");
    }
    assert_same_for_keys(&app.client(), &path, &whole).await;
}

/// A key that may only read sees everything as before.
async fn assert_same_for_keys(client: &Client, path: &str, whole: &Value) {
    assert_eq!(&client.get(path).await.expect(200).json(), whole);
    for below in ["versions", "messages", "link"] {
        client.get(&format!("{path}/{below}")).await.expect(200);
    }
}

#[tokio::test]
async fn an_analyst_does_not_learn_names_from_the_order_of_audiences() {
    let app = TestApp::start().await;
    app.refresh().await;
    let made =
        app.client().post("/v0/pages", &pagesmith_testkit::fixtures::page("A page")).await.expect(201).json();
    let path = format!("/v0/pages/{}/audiences", made["pageId"].as_str().unwrap());
    for (sort, status) in [("name", 403), ("-name", 403), ("createdAt", 200)] {
        as_role(&app, Role::Analyst, "GET", &format!("{path}?sort={sort}"), None).await.expect(status);
        as_role(&app, Role::Viewer, "GET", &format!("{path}?sort={sort}"), None).await.expect(200);
    }
}

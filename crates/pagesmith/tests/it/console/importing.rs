//! Persons are imported from a file on the screens.

use pagesmith_model::user::Role;
use pagesmith_testkit::TestApp;
use pagesmith_worker::person_imports;
use scraper::{Html, Selector};

use super::browser::Browser;

const FILE: &str = "Kontakt;Name\nada@example.com;Ada <b>\nnobody;Bob\n";

/// The part of a screen that is drawn again while the import is at work.
fn part(screen: &str) -> String {
    let html = Html::parse_document(screen);
    html.select(&Selector::parse("#import").unwrap()).next().unwrap().html()
}

#[tokio::test]
async fn a_file_is_uploaded_its_columns_assigned_checked_and_imported() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let new = "/console/t/acme/persons/imports/new";
    let form = browser.open(new).await.expect(200).text();
    assert!(form.contains("multipart/form-data") && form.contains("type=\"file\""), "{form}");
    let made = browser.send_file(new, "contacts.csv", FILE).await.expect(303);
    let import = made.header("location").unwrap().to_owned();
    let draft = browser.open(&import).await.expect(200).text();
    assert!(draft.contains("ada@example.com") && draft.contains("Ada &lt;b&gt;"), "{draft}");
    assert!(!draft.contains("/start\""), "what was not checked is not started by mistake: {draft}");

    // Nothing tells persons apart yet: the form comes back with what was chosen and the reason.
    let check = format!("{import}/check");
    let again =
        browser.send(&check, &[("columns.0", "context"), ("columns.1", "name")]).await.expect(409).text();
    assert!(again.contains("must hold e-mail addresses"), "{again}");
    browser.send(&check, &[("columns.0", "email"), ("columns.1", "name")]).await.expect(303);
    let checking = browser.open(&import).await.expect(200).text();
    assert!(checking.contains("<live-part") && checking.contains("/events?since="), "{checking}");
    assert!(part(&checking).contains("/cancel\""), "{checking}");
    person_imports::drain(&app.tools()).await.unwrap();
    let checked = browser.open(&import).await.expect(200).text();
    assert!(checked.contains("This is what would happen") && checked.contains("/start\""), "{checked}");
    assert!(checked.contains("Kontakt: not an e-mail address"), "{checked}");
    assert!(
        part(&checked).contains("/start\"") && part(&checked).contains("not an e-mail address"),
        "{checked}"
    );
    let change = browser.open(&format!("{import}?columns=change")).await.expect(200).text();
    assert!(!change.contains("/start\"") && change.contains("columns.1"), "{change}");

    // Twice, as by a double click.
    for _ in 0..2 {
        browser.send(&format!("{import}/start"), &[]).await.expect(303);
    }
    person_imports::drain(&app.tools()).await.unwrap();
    let done = browser.open(&import).await.expect(200).text();
    assert!(done.contains("Imported") && !done.contains("<live-part"), "{done}");
    assert!(part(&done).contains("Imported") && !part(&done).contains("<form"), "{done}");
    let csv = browser.open(&format!("{import}/refused.csv")).await.expect(200);
    assert_eq!(csv.text(), "Line,Reason\n3,Kontakt: is no e-mail address\n");
    let persons = browser.open("/console/t/acme/persons").await.expect(200).text();
    assert!(persons.contains("ada@example.com"), "{persons}");
    let list = browser.open("/console/t/acme/persons/imports").await.expect(200).text();
    assert!(list.contains("contacts.csv"), "{list}");

    // What is no field is shown with the person, as it stood in the file.
    let file = "E-Mail;Was zählt;Notiz\nbo@example.com;<i>Preis</i>;\n";
    let made = browser.send_file(new, "more.csv", file).await.expect(303);
    let other = made.header("location").unwrap().to_owned();
    let columns = [("columns.0", "email"), ("columns.1", "context"), ("columns.2", "context")];
    browser.send(&format!("{other}/check"), &columns).await.expect(303);
    person_imports::drain(&app.tools()).await.unwrap();
    browser.send(&format!("{other}/start"), &[]).await.expect(303);
    person_imports::drain(&app.tools()).await.unwrap();
    let shown = async |browser: &mut Browser, query: &str| {
        let found = app.client().get(&format!("/v0/persons/search?query={query}")).await.expect(200).json();
        let id = found["items"][0]["personId"].as_str().unwrap();
        browser.open(&format!("/console/t/acme/persons/{id}")).await.expect(200).text()
    };
    let bo = shown(&mut browser, "bo@example.com").await;
    assert!(bo.contains("Known from imports") && bo.contains("Was zählt"), "{bo}");
    assert!(bo.contains("&lt;i&gt;Preis&lt;/i&gt;") && !bo.contains("Notiz"), "{bo}");
    assert!(!shown(&mut browser, "ada@example.com").await.contains("Known from imports"));

    let mut viewer = Browser::with_role(&app, Role::Viewer).await;
    let looked = viewer.open(&import).await.expect(200).text();
    assert!(looked.contains("Imported") && !looked.contains("<select"), "{looked}");
}

#[tokio::test]
async fn a_file_that_is_no_table_comes_back_at_its_field_and_is_not_kept() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let new = "/console/t/acme/persons/imports/new";
    let again = browser.send_file(new, "empty.csv", "").await.expect(400).text();
    assert!(again.contains("The file is empty"), "{again}");
    let wide = format!("Email{}\n", ",a".repeat(120));
    let again = browser.send_file(new, "wide.csv", &wide).await.expect(400).text();
    assert!(again.contains("more than 120 columns") && again.contains("aria-invalid"), "{again}");
    assert_eq!(app.client().get("/v0/files").await.expect(200).json()["totalCount"], 0);
}

//! Many audiences at once: of notes, for persons and accounts, of a file; published and archived together.

use std::time::Duration;

use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

use super::browser::Browser;
use super::making::make;

/// The audiences of the page with this address in the console.
async fn audiences(client: &Client, page: &str) -> Vec<Value> {
    let api = format!("/v0{}/audiences?limit=100", page.strip_prefix("/console/t/acme").unwrap());
    client.get(&api).await.expect(200).json()["items"].as_array().unwrap().clone()
}

async fn person(client: &Client, name: &str, email: &str) -> String {
    let made = client.post("/v0/persons", &json!({ "name": name, "email": email })).await.expect(201).json();
    made["personId"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn many_audiences_are_made_at_once() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let (page, _) = make(&mut browser).await;
    let fields = [("audiences", "Law firms in Leeds\n\n  Schools  \nHospitals")];
    browser.send(&format!("{page}/audiences/new/notes"), &fields).await.expect(303);
    let api = format!("/v0{}/audiences", page.strip_prefix("/console/t/acme").unwrap());
    assert_eq!(app.client().get(&api).await.expect(200).json()["totalCount"], 4);
}

#[tokio::test]
async fn audiences_that_were_made_are_not_made_again_when_one_is_mended() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let (page, _) = make(&mut browser).await;
    let lines = format!("Law firms in Leeds\n{}\nHospitals", "x".repeat(400_000));
    let again = browser
        .send(&format!("{page}/audiences/new/notes"), &[("audiences", &lines)])
        .await
        .expect(400)
        .text();
    assert!(!again.contains("Law firms in Leeds") && again.contains("Hospitals"), "{}", again.len());
}

#[tokio::test]
async fn more_audiences_than_are_made_at_once_wait_in_the_form() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let (page, _) = make(&mut browser).await;
    let lines: Vec<String> = (1..=103).map(|number| format!("Group {number:03}")).collect();
    let fields = [("audiences", lines.join("\n"))];
    let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
    let rest = browser.send(&format!("{page}/audiences/new/notes"), &fields).await.expect(200).text();
    assert!(!rest.contains("Group 100") && rest.contains("Group 101\nGroup 102\nGroup 103"), "{rest}");
}

#[tokio::test]
async fn each_of_the_chosen_persons_gets_a_page_and_none_a_second_one() {
    let app = TestApp::start().await;
    let (mut browser, client) = (Browser::owner(&app).await, app.client());
    let (page, _) = make(&mut browser).await;
    let way = format!("{page}/audiences/new/persons");
    let empty = browser.open(&way).await.expect(200).text();
    assert!(empty.contains("No persons yet") && empty.contains("aria-current=\"page\">Persons"), "{empty}");
    let ada = person(&client, "Ada Lovelace", "ada@analytical.example").await;
    let bob = person(&client, "Bob Builder", "bob@site.example").await;
    let found = browser.open(&format!("{way}?q=lovelace")).await.expect(200).text();
    assert!(found.contains(&format!("value=\"{ada}\"")) && !found.contains("Bob Builder"), "{found}");

    let none = browser.send(&way, &[("action", "draft")]).await.expect(400).text();
    assert!(none.contains("Nothing is selected") && none.contains("Ada Lovelace"), "{none}");
    let made = browser.send(&way, &[("action", "publish"), ("id", &ada)]).await.expect(303);
    let told = browser.follow(made.header("location").unwrap()).await.expect(200).text();
    assert!(told.contains("The audiences are being written."), "{told}");
    let both = [("action", "draft"), ("id", ada.as_str()), ("id", bob.as_str()), ("id", "person_of_nobody")];
    let left = browser.send(&way, &both).await.expect(200).text();
    assert!(left.contains("Done for one.") && left.contains("for this person already"), "{left}");
    assert!(left.contains("Ada Lovelace</th>") && left.contains("Does not exist any more</th>"), "{left}");
    app.write_versions().await;
    let status = |who: &str| {
        let who = who.to_owned();
        move |audience: &&Value| audience["personId"] == who.as_str()
    };
    let made = audiences(&client, &page).await;
    assert_eq!(made.len(), 3, "{made:?}");
    let of = |who: &str| made.iter().find(status(who)).unwrap()["status"].clone();
    assert_eq!([of(&ada), of(&bob)], ["published", "draft"]);
}

#[tokio::test]
async fn each_of_the_chosen_accounts_gets_a_page() {
    let app = TestApp::start().await;
    let (mut browser, client) = (Browser::owner(&app).await, app.client());
    let (page, _) = make(&mut browser).await;
    let way = format!("{page}/audiences/new/accounts");
    let mut chosen = vec![("action".to_owned(), "draft".to_owned())];
    for domain in ["globex.example", "initech.example"] {
        let made = client.post("/v0/accounts", &json!({ "domain": domain })).await.expect(200).json();
        chosen.push(("id".to_owned(), made["accountId"].as_str().unwrap().to_owned()));
    }
    let shown = browser.open(&way).await.expect(200).text();
    assert!(shown.contains("globex.example") && shown.contains("Write drafts"), "{shown}");
    let fields: Vec<(&str, &str)> =
        chosen.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    browser.send(&way, &fields).await.expect(303);
    let made = audiences(&client, &page).await;
    for domain in ["globex.example", "initech.example"] {
        assert_eq!(made.iter().filter(|audience| audience["computedName"] == domain).count(), 1, "{made:?}");
    }
}

#[tokio::test]
async fn each_row_of_a_file_finds_or_makes_its_person_and_gets_a_page() {
    let app = TestApp::start().await;
    let (mut browser, client) = (Browser::owner(&app).await, app.client());
    let (page, _) = make(&mut browser).await;
    let way = format!("{page}/audiences/new/file");
    let ada = person(&client, "Ada King, Countess of Lovelace", "ada@analytical.example").await;
    let file = "Nachname;E-Mail;Telefon;Sorge\n;ADA@analytical.example;;\"Pünktlichkeit; Preis\"\n\
                Baumann;bob@bau.example;;Lärm\nOhne;;;\n;kein-mail;;\n\n";
    let left = browser.send_file(&way, "liste.csv", file).await.expect(200).text();
    assert!(left.contains("Done for 2.") && left.contains("Line 4") && left.contains("Line 5"), "{left}");
    let made = audiences(&client, &page).await;
    let of_ada = made.iter().find(|audience| audience["personId"] == ada.as_str()).unwrap();
    let api = format!(
        "/v0{}/audiences/{}",
        page.strip_prefix("/console/t/acme").unwrap(),
        of_ada["audienceId"].as_str().unwrap()
    );
    let of_ada = client.get(&api).await.expect(200).json();
    assert_eq!(of_ada["supplementaryContext"], "Sorge: Pünktlichkeit; Preis");
    let kept = client.get(&format!("/v0/persons/{ada}")).await.expect(200).json();
    assert_eq!(kept["name"], "Ada King, Countess of Lovelace");
    assert_eq!(
        (made.len(), client.get("/v0/persons").await.expect(200).json()["totalCount"].clone()),
        (3, json!(2))
    );
    // The file is read and removed again; its bytes go later.
    app.advance(Duration::from_hours(48));
    app.run_due_work().await;
    let folder = app.files.folder().unwrap().join(app.tenant.as_str());
    assert_eq!(std::fs::read_dir(folder).map_or(0, Iterator::count), 0);
}

#[tokio::test]
async fn a_file_that_cannot_be_taken_makes_nothing() {
    let app = TestApp::start().await;
    let (mut browser, client) = (Browser::owner(&app).await, app.client());
    let (page, _) = make(&mut browser).await;
    let way = format!("{page}/audiences/new/file");
    let rows: String = (0..1_001).map(|row| format!("p{row}@example.com\n")).collect();
    for (file, why) in [
        (format!("E-mail\n{rows}"), "more than 1,000 rows"),
        ("E-mail\n".to_owned(), "no rows below"),
        ("名前,メール\n山田 太郎,taro@yamada.example\n".to_owned(), "No column is known to hold"),
        (String::new(), "The file is empty"),
        (format!("E-mail\n{}", "x".repeat(5 << 20)), "more than 4 MB"),
    ] {
        let again = browser.send_file(&way, "list.csv", &file).await.expect(400).text();
        assert!(again.contains(why) && again.contains("type=\"file\""), "{why}: {again}");
    }
    assert_eq!(audiences(&client, &page).await.len(), 1);
    assert_eq!(client.get("/v0/persons").await.expect(200).json()["totalCount"], 0);
}

#[tokio::test]
async fn selected_audiences_are_published_and_archived_together() {
    let app = TestApp::start().await;
    let (mut browser, client) = (Browser::owner(&app).await, app.client());
    let (page, _) = make(&mut browser).await;
    browser
        .send(&format!("{page}/audiences/new/notes"), &[("audiences", "Schools\nHospitals")])
        .await
        .expect(303);
    let selected = format!("{page}/audiences/selected");
    let ids = |made: &[Value]| -> Vec<String> {
        made.iter().map(|audience| audience["audienceId"].as_str().unwrap().to_owned()).collect()
    };
    let all = ids(&audiences(&client, &page).await);
    let send = |action: &'static str| {
        let mut fields = vec![("action", action)];
        fields.extend(all.iter().map(|id| ("id", id.as_str())));
        fields
    };
    let none = [("action", "publish"), ("id", "audience_of_nobody"), ("id", all[0].as_str())];
    let left = browser.send(&selected, &none).await.expect(200).text();
    assert!(left.contains("Done for one.") && left.contains("Does not exist any more</th>"), "{left}");
    app.write_versions().await;
    browser.send(&selected, &send("publish")).await.expect(303);
    browser.send(&selected, &send("publish")).await.expect(303);
    let made = audiences(&client, &page).await;
    assert!(made.iter().all(|audience| audience["status"] == "published"), "{made:?}");
    browser.send(&selected, &[("action", "archive")]).await.expect(400);
    browser.send(&selected, &send("archive")).await.expect(303);
    let made = audiences(&client, &page).await;
    assert!(made.iter().all(|audience| audience["status"] == "archived"), "{made:?}");
}

#[tokio::test]
async fn the_audiences_of_a_page_are_searched_by_name() {
    let app = TestApp::start().await;
    let (mut browser, client) = (Browser::owner(&app).await, app.client());
    let (other, _) = make(&mut browser).await;
    let (page, _) = make(&mut browser).await;
    for (page, notes) in [(&other, "Schools elsewhere"), (&page, "Schools in the north\nHospitals")] {
        browser.send(&format!("{page}/audiences/new/notes"), &[("audiences", notes)]).await.expect(303);
    }
    app.write_versions().await;
    let listed = browser.open(&page).await.expect(200).text();
    assert!(listed.contains("Search audiences") && listed.contains("Hospitals"), "{listed}");
    let found = browser.open(&format!("{page}?q=SCHOOL")).await.expect(200).text();
    let rows = found.split_once("<tbody").unwrap().1.split_once("</tbody>").unwrap().0;
    assert_eq!(rows.matches("<tr").count(), 1, "{rows}");
    assert!(rows.contains("Schools in the north"), "{rows}");
    // With its state, which the search itself does not tell, and selectable.
    let all = audiences(&client, &page).await;
    let school =
        all.iter().find(|one| one["effectiveName"].as_str().unwrap().starts_with("Schools")).unwrap();
    assert_eq!(school["status"], "draft");
    assert!(rows.contains("Draft") && rows.contains(school["audienceId"].as_str().unwrap()), "{rows}");
    let none = browser.open(&format!("{page}?q=%3Cb%3Ehotels")).await.expect(200).text();
    assert!(none.contains("Nothing found") && !none.contains("<b>hotels"), "{none}");
}

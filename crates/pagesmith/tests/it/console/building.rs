//! Forms are built, and pages edited, as somebody does it in a browser without script.

use pagesmith_model::user::Role;
use pagesmith_testkit::{TestApp, fixtures};
use serde_json::{Value, json};

use super::browser::{Browser, fields, with};

type Fields = Vec<(String, String)>;

async fn send(browser: &mut Browser, path: &str, sent: &Fields, status: u16) -> String {
    let answer = browser.send_fields(path, sent).await.expect(status);
    answer.header("location").map(str::to_owned).unwrap_or_else(|| answer.text())
}

const FORMS: &str = "/console/t/acme/forms";

#[tokio::test]
async fn a_form_is_built_changed_and_deleted_with_undo() {
    let app = TestApp::start().await;
    let client = app.client();
    let mut browser = Browser::owner(&app).await;
    assert!(browser.open(&format!("{FORMS}/all")).await.expect(200).text().contains("No forms yet"));
    let new = format!("{FORMS}/new");
    let screen = browser.open(&new).await.expect(200).text();
    // A name, an address, and a choice that is added before anything is saved.
    let sent = with(with(fields(&screen, "form"), "name", "Book a demo"), "fields.0.label", "Your name");
    let sent = with(with(sent, "fields.1.label", "Work e-mail"), "do", "fields.add:kind=choice");
    let screen = send(&mut browser, &new, &sent, 200).await;
    assert!(
        screen.contains("value=\"Book a demo\"") && screen.contains("name=\"fields.2.options\""),
        "{screen}"
    );
    let sent = with(fields(&screen, "form"), "fields.2.label", "Größe <b>");
    // Without options it is refused at its field, and all that was entered is still there.
    let screen = send(&mut browser, &new, &sent, 400).await;
    assert!(
        screen.contains("id=\"form-fields-2-options-error\"") && screen.contains("Größe &lt;b&gt;"),
        "{screen}"
    );
    let sent = with(with(fields(&screen, "form"), "fields.2.options", "1-10\r\n11-50"), "do", "fields.2.up");
    let screen = send(&mut browser, &new, &sent, 200).await;
    let next = send(&mut browser, &new, &fields(&screen, "form"), 303).await;
    let form = client.get("/v0/forms").await.expect(200).json()["items"][0].clone();
    let told = |form: &Value, name: &str| -> Vec<Value> {
        form["fields"].as_array().unwrap().iter().map(|field| field[name].clone()).collect()
    };
    assert_eq!(told(&form, "key"), ["your_name", "gr_e_b", "work_e_mail"]);
    assert_eq!(told(&form, "kind"), ["text", "choice", "email"]);
    assert_eq!(form["fields"][0]["personField"], "name");
    assert_eq!(form["fields"][1]["options"], json!(["1-10", "11-50"]));

    // Nothing changed changes nothing: the wording keeps its version.
    let screen = browser.open(&next).await.expect(200).text();
    assert!(screen.contains("Wording version 1"), "{screen}");
    let at = format!("{FORMS}/{}", form["formId"].as_str().unwrap());
    send(&mut browser, &format!("{at}/edit"), &fields(&screen, "form"), 303).await;
    let same =
        client.get(&format!("/v0/forms/{}", form["formId"].as_str().unwrap())).await.expect(200).json();
    assert_eq!(same, form);
    // What belongs to another kind is taken away with the kind.
    let sent = with(fields(&screen, "form"), "fields.1.kind", "consent");
    let sent = with(sent, "afterSubmission.message", "Thank you");
    send(&mut browser, &format!("{at}/edit"), &sent, 303).await;
    let changed =
        client.get(&format!("/v0/forms/{}", form["formId"].as_str().unwrap())).await.expect(200).json();
    assert_eq!((&changed["fields"][1]["options"], &changed["revision"]), (&Value::Null, &json!(2)));
    assert_eq!(changed["afterSubmission"], json!({ "message": "Thank you" }));
    // A form that was opened before that is refused, and keeps what was entered.
    let late = with(fields(&screen, "form"), "name", "Late");
    let again = send(&mut browser, &format!("{at}/edit"), &late, 412).await;
    assert!(again.contains("value=\"Late\""), "{again}");

    let csv = browser.open(&format!("{at}/export")).await.expect(200);
    assert!(csv.header("content-type").unwrap().starts_with("text/csv"));
    assert!(browser.open(&format!("{at}/delete")).await.expect(200).text().contains("Delete Book a demo?"));
    let next = send(&mut browser, &format!("{at}/delete"), &vec![], 303).await;
    let told = browser.open(&next).await.expect(200).text();
    assert!(told.contains(&format!("action=\"{at}/restore\"")), "{told}");
    send(&mut browser, &format!("{at}/restore"), &vec![], 303).await;
    browser.open(&at).await.expect(200);
    let mut analyst = Browser::with_role(&app, Role::Analyst).await;
    let shown = analyst.open(&at).await.expect(200).text();
    assert!(!shown.contains("/export") && !shown.contains("<form class=\"form\" id=\"form\""), "{shown}");
    // The area leads to what they may see, without what was sent.
    assert!(shown.contains(&format!("href=\"{FORMS}\"")), "{shown}");
    let all = analyst.follow(FORMS).await.expect(200).text();
    assert!(all.contains(&at) && !all.contains("Submissions"), "{all}");
}

/// A page in the console, and what the API says of it.
struct PageEditor {
    app: TestApp,
    browser: Browser,
    page_id: String,
}

impl PageEditor {
    async fn new(body: &Value) -> PageEditor {
        let app = TestApp::start().await;
        let page = app.client().post("/v0/pages", body).await.expect(201).json();
        let browser = Browser::owner(&app).await;
        PageEditor { page_id: page["pageId"].as_str().unwrap().to_owned(), app, browser }
    }

    fn at(&self, rest: &str) -> String {
        format!("/console/t/acme/pages/{}{rest}", self.page_id)
    }

    async fn page(&self) -> Value {
        let mut page = self.app.client().get(&format!("/v0/pages/{}", self.page_id)).await.expect(200).json();
        page.as_object_mut().unwrap().remove("updatedAt");
        page
    }

    async fn open(&mut self, rest: &str) -> String {
        let at = self.at(rest);
        self.browser.open(&at).await.expect(200).text()
    }

    async fn send(&mut self, rest: &str, sent: &Fields, status: u16) -> String {
        let at = self.at(rest);
        send(&mut self.browser, &at, sent, status).await
    }
}

/// A page with something of everything, some of which no form shows.
fn everything() -> Value {
    let mut body = fixtures::page("Spring");
    body["actions"] = json!([
        { "actionId": "demo", "actionType": "open-url", "purpose": "Book", "buttonTitle": "Book a demo", "url": "https://example.com/demo" },
        { "actionId": "talk", "actionType": "form", "purpose": "Talk", "buttonTitle": "Talk to us", "formId": "form_gone" },
        { "actionId": "call", "actionType": "phone", "buttonTitle": "Call", "url": "tel:+1" },
    ]);
    body["headerActionId"] = json!("demo");
    body["actionCardWidgets"] = json!([
        { "type": "marquee", "title": "Trusted by", "logos": [{ "image": { "altText": "A", "url": "https://example.com/a.svg" } }] },
        { "type": "video", "video": { "youtubeUrl": "https://www.youtube.com/watch?v=aqz-KE-bpKQ", "muted": true, "controls": false } },
    ]);
    body["scripts"] = json!([{ "name": "Count", "content": "<script>1</script>", "enabled": false, "injectionPoint": "head" }]);
    body["navLinks"] =
        json!([{ "type": "link", "id": "one", "text": "Prices", "url": "https://example.com/p" }]);
    body["footerLinks"] =
        json!([{ "title": "Company", "links": [{ "text": "About", "url": "https://example.com/a" }] }]);
    body["metadata"] =
        json!({ "title": "T", "keywords": ["a", "b"], "robots": ["noindex"], "ogType": "article" });
    body
}

const ASPECTS: [&str; 5] = ["/edit", "/edit/actions", "/edit/navigation", "/edit/metadata", "/edit/scripts"];

#[tokio::test]
async fn forms_of_a_page_that_were_not_changed_change_nothing() {
    let mut desk = PageEditor::new(&everything()).await;
    let before = desk.page().await;
    for rest in ASPECTS {
        let screen = desk.open(rest).await;
        desk.send(rest, &fields(&screen, "page"), 303).await;
        assert_eq!(desk.page().await, before, "{rest}");
    }
    let empty = fixtures::page("Empty");
    let mut desk = PageEditor::new(&empty).await;
    let before = desk.page().await;
    for rest in ASPECTS {
        let screen = desk.open(rest).await;
        desk.send(rest, &fields(&screen, "page"), 303).await;
    }
    let mut after = desk.page().await;
    // An empty object sets as little as none.
    assert_eq!(after.as_object_mut().unwrap().remove("metadata"), Some(json!({})));
    assert_eq!(after, before);
}

#[tokio::test]
async fn actions_are_added_moved_and_removed() {
    let mut desk = PageEditor::new(&everything()).await;
    let screen = desk.open("/edit/actions").await;
    let screen =
        desk.send("/edit/actions", &with(fields(&screen, "page"), "do", "actions.0.down"), 200).await;
    let sent = with(fields(&screen, "page"), "do", "actions.add:actionType=copy-text");
    let screen = desk.send("/edit/actions", &sent, 200).await;
    let sent = with(
        with(fields(&screen, "page"), "actions.3.purpose", "Save"),
        "actions.3.buttonTitle",
        "Copy the code",
    );
    let sent = with(sent, "actions.3.copyText", "SPRING26");
    let screen = desk.send("/edit/actions", &with(sent, "do", "actions.2.remove"), 200).await;
    let sent = with(fields(&screen, "page"), "do", "actionCardWidgets.0.logos.add");
    let screen = desk.send("/edit/actions", &sent, 200).await;
    let sent = with(fields(&screen, "page"), "actionCardWidgets.0.logos.1.image.altText", "B");
    // An address that is none is told at its field.
    let wrong = desk.send("/edit/actions", &with(sent.clone(), "actions.1.url", "no address"), 400).await;
    assert!(wrong.contains("id=\"page-actions-1-url-error\""), "{wrong}");
    desk.send("/edit/actions", &sent, 303).await;
    let page = desk.page().await;
    let ids: Vec<&Value> =
        page["actions"].as_array().unwrap().iter().map(|action| &action["actionId"]).collect();
    assert_eq!((ids[0], ids[1], ids.len()), (&json!("talk"), &json!("demo"), 3));
    assert_eq!(page["actions"][0]["formId"], "form_gone");
    assert_eq!(page["actions"][2]["copyText"], "SPRING26");
    assert_eq!(page["actionCardWidgets"][0]["logos"][1]["image"]["altText"], "B");
    assert_eq!(page["actionCardWidgets"][1]["video"]["muted"], true);
}

#[tokio::test]
async fn what_a_form_does_not_show_stays_with_its_item_when_somebody_else_was_faster() {
    let mut desk = PageEditor::new(&everything()).await;
    let before = desk.page().await;
    let screen = desk.open("/edit/actions").await;
    let others: Vec<Value> = before["actions"].as_array().unwrap()[1..].iter().map(as_sent).collect();
    let faster = json!({ "actions": others, "headerActionId": null });
    let client = desk.app.client();
    client.patch(&format!("/v0/pages/{}", desk.page_id), &faster).await.expect(200);
    // Neither a moved item nor being refused changes which action is which.
    let sent = with(fields(&screen, "page"), "do", "actions.2.up");
    let screen = desk.send("/edit/actions", &sent, 200).await;
    let again = desk.send("/edit/actions", &fields(&screen, "page"), 412).await;
    desk.send("/edit/actions", &fields(&again, "page"), 303).await;
    let told = |page: &Value| -> Vec<Value> {
        let actions = page["actions"].as_array().unwrap().iter();
        actions.map(|action| json!([action["actionId"], action["buttonTitle"]])).collect()
    };
    let [demo, talk, call] = told(&before).try_into().unwrap();
    assert_eq!(told(&desk.page().await), [demo, call, talk]);
}

/// An action as the API takes it.
fn as_sent(action: &Value) -> Value {
    let mut action = action.clone();
    action.as_object_mut().unwrap().remove("actionIndex");
    action
}

#[tokio::test]
async fn links_scripts_and_metadata_are_changed_where_they_are_shown() {
    let mut desk = PageEditor::new(&everything()).await;
    let screen = desk.open("/edit/navigation").await;
    let wrong =
        desk.send("/edit/navigation", &with(fields(&screen, "page"), "navLinks", "Prices\r\n"), 400).await;
    assert!(wrong.contains("Line 1 is no link") && wrong.contains("Company"), "{wrong}");
    let sent = with(
        fields(&screen, "page"),
        "navLinks",
        "New | https://example.com/n\r\nPrices | https://example.com/p",
    );
    desk.send("/edit/navigation", &sent, 303).await;
    let page = desk.page().await;
    assert_eq!((&page["navLinks"][0]["text"], &page["navLinks"][1]["id"]), (&json!("New"), &json!("one")));

    let screen = desk.open("/edit/scripts").await;
    let screen = desk.send("/edit/scripts", &with(fields(&screen, "page"), "do", "scripts.add"), 200).await;
    let sent = with(
        with(fields(&screen, "page"), "scripts.1.name", "Chat"),
        "scripts.1.content",
        "</textarea><script>2</script>",
    );
    desk.send("/edit/scripts", &sent, 303).await;
    let page = desk.page().await;
    assert_eq!(
        (&page["scripts"][0]["enabled"], &page["scripts"][1]["enabled"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(page["scripts"][1]["content"], "</textarea><script>2</script>");
    assert!(!desk.open("/edit/scripts").await.contains("<script>2"));

    let screen = desk.open("/edit/metadata").await;
    assert!(screen.contains("Search engines are told to leave it out"), "{screen}");
    // The preview shows what was entered before it is saved.
    let sent =
        with(with(fields(&screen, "page"), "metadata.title", &"long ".repeat(30)), "metadata.robots", "");
    let shown = desk.send("/edit/metadata", &with(sent, "do", "show"), 200).await;
    assert!(shown.contains("long lon…") || shown.contains("…</strong>"), "{shown}");
    assert!(!shown.contains("Search engines are told to leave it out"), "{shown}");
    desk.send("/edit/metadata", &fields(&shown, "page"), 303).await;
    let page = desk.page().await;
    assert_eq!(
        (&page["metadata"]["ogType"], &page["metadata"]["keywords"]),
        (&json!("article"), &json!(["a", "b"]))
    );
}

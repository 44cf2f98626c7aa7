//! The blocks of a draft, edited by hand.

use pagesmith_model::user::Role;
use pagesmith_testkit::contents::everything;
use pagesmith_testkit::{Client, TestApp};
use scraper::{Html, Selector};
use serde_json::{Value, json};

use super::browser::{Browser, fields, with};

/// An audience with a draft of four blocks, and who looks after it.
struct DraftEditor {
    app: TestApp,
    client: Client,
    browser: Browser,
    /// The audience's path below `/v0` and below the tenant's console.
    path: String,
}

impl DraftEditor {
    async fn new() -> DraftEditor {
        let content = json!({ "blocks": [
            { "type": "hero", "blockId": "top", "title": "Simple forecasts", "actionIds": ["demo"],
              "image": { "url": "https://example.com/a.png", "altText": "A", "width": 1200, "height": 630 } },
            { "type": "text", "blockId": "why", "title": "Why", "markdown": "Plans are guesses." },
            { "type": "table", "blockId": "plans", "columns": ["Plan", "Seats"], "rows": [["Team", "10"]] },
            { "type": "frame-list", "blockId": "a/b c?", "title": "Questions",
              "frames": [{ "title": "Q1", "markdown": "A1" }, { "title": "Q2", "markdown": "A2" }] },
        ] });
        DraftEditor::of(&content).await
    }

    /// With a draft that says this.
    async fn of(content: &Value) -> DraftEditor {
        let action = |id: &str| {
            json!({ "actionId": id, "actionType": "open-url", "purpose": "Book a demo",
                "buttonTitle": "Book a demo", "url": "https://example.com/demo" })
        };
        let actions = ["demo", "talk", "guide", "code"].map(action);
        let app = TestApp::start().await;
        let client = app.client();
        let body = json!({
            "name": "Spring", "pageContext": "Ledgerly makes forecasts.", "brandId": "",
            "actions": actions,
            "actionCardWidgets": [], "scripts": [],
        });
        let page = client.post("/v0/pages", &body).await.expect(201).json();
        let page = format!("/pages/{}", page["pageId"].as_str().unwrap());
        let made = json!({ "publishBehavior": "draft", "supplementaryContext": "Engineers" });
        let made = client.post(&format!("/v0{page}/audiences"), &made).await.expect(201).json();
        let path = format!("{page}/audiences/{}", made["audienceId"].as_str().unwrap());
        app.write_versions().await;
        let browser = Browser::owner(&app).await;
        let desk = DraftEditor { app, client, browser, path };
        let version = desk.version().await;
        let api = format!("/v0{}/versions/{version}/content", desk.path);
        desk.client.send("PUT", &api, Some(content.to_string().into_bytes())).await.expect(200);
        desk
    }

    async fn version(&self) -> String {
        let listed = self.client.get(&format!("/v0{}/versions", self.path)).await.expect(200).json();
        listed["items"][0]["versionId"].as_str().unwrap().to_owned()
    }

    async fn blocks(&self) -> Vec<Value> {
        let api = format!("/v0{}/versions/{}/content", self.path, self.version().await);
        self.client.get(&api).await.expect(200).json()["blocks"].as_array().unwrap().clone()
    }

    async fn order(&self) -> Vec<String> {
        self.blocks().await.iter().map(|block| block["blockId"].as_str().unwrap().to_owned()).collect()
    }

    /// The address of a screen of the audience.
    fn at(&self, rest: &str) -> String {
        format!("/console/t/acme{}{rest}", self.path)
    }

    async fn open(&mut self, rest: &str) -> String {
        let address = self.at(rest);
        self.browser.open(&address).await.expect(200).text()
    }

    async fn send(&mut self, rest: &str, fields: &[(String, String)], status: u16) -> String {
        let address = self.at(rest);
        let answer = self.browser.send_fields(&address, fields).await.expect(status);
        answer.header("location").map(str::to_owned).unwrap_or_else(|| answer.text())
    }
}

/// What the form in the row of a block sends.
fn row(screen: &str, block: &str) -> Vec<(String, String)> {
    let html = Html::parse_document(screen);
    let inputs = Selector::parse("block-order li form input").unwrap();
    let found = html.select(&inputs).filter(|input| {
        let row = input
            .ancestors()
            .filter_map(scraper::ElementRef::wrap)
            .find(|one| one.attr("data-block").is_some());
        row.is_some_and(|row| row.attr("data-block") == Some(block))
    });
    found
        .map(|input| (input.attr("name").unwrap().to_owned(), input.attr("value").unwrap().to_owned()))
        .collect()
}

#[tokio::test]
async fn a_form_that_was_not_changed_changes_nothing() {
    let mut desk = DraftEditor::new().await;
    let before = desk.blocks().await;
    for block in ["top", "why", "plans", "a%2Fb%20c%3F"] {
        let rest = format!("/blocks/{block}");
        let screen = desk.open(&rest).await;
        let sent = fields(&screen, "block");
        desk.send(&rest, &sent, 303).await;
    }
    assert_eq!(desk.blocks().await, before);
    let said = desk.client.get(&format!("/v0{}/messages", desk.path)).await.expect(200).json();
    assert_eq!(said["messages"], json!([]));
}

#[tokio::test]
async fn the_form_of_every_component_gives_back_what_the_block_holds() {
    let content = everything().to_string().replace("PICTURES", "https://example.com");
    let content: Value = serde_json::from_str(&content).unwrap();
    let mut desk = DraftEditor::of(&content).await;
    let mut expected = desk.blocks().await;
    assert_eq!(expected.len(), content["blocks"].as_array().unwrap().len());
    for at in 0..expected.len() {
        let rest = format!("/blocks/{}", expected[at]["blockId"].as_str().unwrap());
        let sent = fields(&desk.open(&rest).await, "block");
        desk.send(&rest, &sent, 303).await;
        assert_eq!(desk.blocks().await, expected, "{}", expected[at]);
        // One text is changed, and the rest is sent back as it was.
        let name = ["title", "question", "caption", "html", "name"]
            .into_iter()
            .find(|name| expected[at][name].is_string());
        let Some(name) = name else { continue };
        let changed = if name == "name" { "changed" } else { "Another text" };
        let sent = with(fields(&desk.open(&rest).await, "block"), name, changed);
        desk.send(&rest, &sent, 303).await;
        expected[at][name] = json!(changed);
        assert_eq!(desk.blocks().await, expected, "{}", expected[at]);
    }
    let said = desk.client.get(&format!("/v0{}/messages", desk.path)).await.expect(200).json();
    let changes = said["messages"].as_array().unwrap().iter().filter(|one| one["role"] == "user").count();
    assert!(changes <= expected.len(), "what was not changed is no message: {said}");
}

#[tokio::test]
async fn a_field_is_changed_and_all_others_stay() {
    let mut desk = DraftEditor::new().await;
    let before = desk.blocks().await;
    let screen = desk.open("/blocks/top").await;
    assert!(screen.contains("Simple forecasts") && screen.contains("Book a demo"), "{screen}");
    let sent = with(fields(&screen, "block"), "title", "Forecasts <b>");
    let next = desk.send("/blocks/top", &sent, 303).await;
    let mut expected = before.clone();
    expected[0]["title"] = json!("Forecasts <b>");
    assert_eq!(desk.blocks().await, expected);
    // It is told with a button that takes it back, for the screen without script as well.
    let told = desk.browser.open(&next).await.expect(200).text();
    let undo =
        told.split("action=\"").find(|rest| rest.split('"').next().unwrap().ends_with("/undo")).unwrap();
    let undo = undo.split('"').next().unwrap().to_owned();
    desk.browser.send(&undo, &[]).await.expect(303);
    assert_eq!(desk.blocks().await, before);
    desk.browser.send(&undo, &[]).await.expect(409);
    let history = format!("/v0{}/versions/{}/history", desk.path, desk.version().await);
    let history = desk.client.get(&history).await.expect(200).json().to_string();
    assert!(history.contains("\"edited\"") && history.contains("user_"), "{history}");
}

#[tokio::test]
async fn another_picture_is_shown_in_its_own_size_and_can_be_an_asset() {
    let mut desk = DraftEditor::new().await;
    let screen = desk.open("/blocks/top").await;
    let sent = with(fields(&screen, "block"), "image.altText", "Bread");
    desk.send("/blocks/top", &sent, 303).await;
    let image = desk.blocks().await[0]["image"].clone();
    assert_eq!((&image["altText"], &image["width"]), (&json!("Bread"), &json!(1200)));
    let screen = desk.open("/blocks/top").await;
    let sent = with(fields(&screen, "block"), "image.url", "https://example.com/b.png");
    desk.send("/blocks/top", &sent, 303).await;
    let expected = json!({ "url": "https://example.com/b.png", "altText": "Bread" });
    assert_eq!(desk.blocks().await[0]["image"], expected);

    // A picture is offered, however many assets of other types there are.
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>";
    let file = desk.client.upload("a.svg", svg).await.expect(201).json();
    let logo = json!({ "assetType": "logo", "name": "Our logo", "fileId": file["fileId"] });
    let logo = desk.client.post("/v0/assets", &logo).await.expect(201).json();
    for number in 0..101 {
        let video = json!({ "assetType": "video", "name": format!("V{number}"), "youtubeUrl": "https://youtu.be/aqz-KE-bpKQ" });
        desk.client.post("/v0/assets", &video).await.expect(201);
    }
    let offered = format!("value=\"{}\"", logo["assetId"].as_str().unwrap());
    assert!(desk.open("/blocks/top").await.contains(&offered), "{offered}");
}

#[tokio::test]
async fn items_are_added_moved_and_removed_without_script_before_anything_is_saved() {
    let mut desk = DraftEditor::new().await;
    let before = desk.blocks().await;
    let rest = "/blocks/a%2Fb%20c%3F";
    let screen = desk.open(rest).await;
    let screen = desk.send(rest, &with(fields(&screen, "block"), "do", "frames.1.up"), 200).await;
    let screen = desk.send(rest, &with(fields(&screen, "block"), "do", "frames.add"), 200).await;
    assert!(screen.contains("id=\"block-frames-2\" tabindex=\"-1\" autofocus"), "{screen}");
    assert_eq!(desk.blocks().await, before, "nothing is saved yet");
    let sent = with(fields(&screen, "block"), "frames.2.title", "Q3");
    // Nonsense from a button changes nothing.
    for nonsense in ["frames.9.up", "frames.0.up", "frames.x.remove", "x", "type.add", "frames.0.title.add"] {
        desk.send(rest, &with(sent.clone(), "do", nonsense), 200).await;
    }
    let screen = desk.send(rest, &with(sent, "do", "frames.1.remove"), 200).await;
    desk.send(rest, &fields(&screen, "block"), 303).await;
    let frames = desk.blocks().await[3]["frames"].clone();
    assert_eq!(frames, json!([{ "title": "Q2", "markdown": "A2" }, { "title": "Q3", "markdown": "" }]));
}

#[tokio::test]
async fn what_is_wrong_is_told_at_its_field_and_what_was_entered_stays() {
    let mut desk = DraftEditor::new().await;
    let before = desk.blocks().await;
    let screen = desk.open("/blocks/top").await;
    let sent = with(fields(&screen, "block"), "title", &"x".repeat(301));
    let sent = with(sent, "image.url", "no address");
    let again = desk.send("/blocks/top", &sent, 400).await;
    assert!(again.contains(&"x".repeat(301)) && again.contains("no address"), "{again}");
    assert!(again.contains("id=\"block-title-error\""), "{again}");
    let rest = "/blocks/a%2Fb%20c%3F";
    let sent = with(fields(&desk.open(rest).await, "block"), "frames.0.title", "");
    let again = desk.send(rest, &sent, 400).await;
    assert!(again.contains("id=\"block-frames-0-title-error\""), "{again}");
    // Rows that are not as wide as the head.
    let sent = with(fields(&desk.open("/blocks/plans").await, "block"), "rows", "Team | 10 | 3");
    let again = desk.send("/blocks/plans", &sent, 400).await;
    assert!(again.contains("id=\"block-rows-error\""), "{again}");
    assert_eq!(desk.blocks().await, before);
    // Columns and rows together.
    let sent = with(fields(&desk.open("/blocks/plans").await, "block"), "rows", "Team | 10 | 3");
    desk.send("/blocks/plans", &with(sent, "columns", "Plan\r\nSeats\r\nRooms"), 303).await;
    assert_eq!(desk.blocks().await[2]["rows"], json!([["Team", "10", "3"]]));
    assert_eq!(desk.order().await, ["top", "why", "plans", "a/b c?"]);
    desk.send("/blocks/top", &[("from".to_owned(), "nonsense".to_owned())], 400).await;
    let other = with(fields(&desk.open("/blocks/why").await, "block"), "title", "Other");
    desk.send("/blocks/top", &other, 400).await;
}

#[tokio::test]
async fn two_who_change_the_same_field_see_both_values_and_lose_nothing() {
    let mut desk = DraftEditor::new().await;
    let screen = desk.open("/blocks/why").await;
    let mine = with(with(fields(&screen, "block"), "title", "Mine"), "markdown", "Plans are guesses.");
    let theirs = json!({ "operations": [
        { "operation": "set", "blockId": "why", "path": "/title", "from": "Why", "to": "Theirs" },
        { "operation": "set", "blockId": "why", "path": "/markdown", "from": "Plans are guesses.", "to": "Their text." },
    ] });
    desk.client.post(&format!("/v0{}/messages/edits", desk.path), &theirs).await.expect(200);
    let again = desk.send("/blocks/why", &mine, 409).await;
    assert!(
        again.contains("value=\"Mine\"") && again.contains("Theirs") && again.contains("Their text."),
        "{again}"
    );
    assert_eq!(desk.blocks().await[1]["title"], "Theirs");
    desk.send("/blocks/why", &fields(&again, "block"), 303).await;
    let block = &desk.blocks().await[1];
    assert_eq!((&block["title"], &block["markdown"]), (&json!("Mine"), &json!("Their text.")));

    // The block is removed under the form: what was entered becomes a new one.
    let mine = with(fields(&desk.open("/blocks/why").await, "block"), "title", "Kept");
    let sent = row(&desk.open("").await, "why");
    desk.send("/blocks/why/remove", &sent, 303).await;
    let again = desk.send("/blocks/why", &mine, 409).await;
    assert!(again.contains("/add-block\"") && again.contains("value=\"Kept\""), "{again}");
    desk.send("/add-block", &fields(&again, "block"), 303).await;
    assert_eq!(desk.blocks().await.last().unwrap()["title"], "Kept");
}

#[tokio::test]
async fn blocks_are_moved_doubled_removed_and_added() {
    let mut desk = DraftEditor::new().await;
    let screen = desk.open("").await;
    assert!(screen.contains("Blocks of the page") && screen.contains("Simple forecasts"), "{screen}");
    desk.send("/blocks/plans/move", &with(row(&screen, "plans"), "to", "top"), 303).await;
    assert_eq!(desk.order().await, ["top", "plans", "why", "a/b c?"]);
    // Sent twice, it is done once; by a form that was drawn before and is another, it is refused and said.
    desk.send("/blocks/plans/move", &with(row(&screen, "plans"), "to", "top"), 303).await;
    assert_eq!(desk.order().await, ["top", "plans", "why", "a/b c?"]);
    let stale = with(with(row(&screen, "plans"), "to", "top"), "form-key", "another");
    let again = desk.send("/blocks/plans/move", &stale, 409).await;
    assert!(again.contains("Something else stands there"), "{again}");
    let screen = desk.open("").await;
    desk.send("/blocks/plans/duplicate", &row(&screen, "plans"), 303).await;
    assert_eq!(desk.order().await, ["top", "plans", "table", "why", "a/b c?"]);
    let screen = desk.open("").await;
    desk.send("/blocks/plans/remove", &row(&screen, "plans"), 303).await;
    let stale = with(row(&screen, "plans"), "form-key", "another");
    desk.send("/blocks/plans/remove", &stale, 409).await;
    let changed = json!({ "operations": [
        { "operation": "set", "blockId": "why", "path": "/title", "from": "Why", "to": "Changed" } ] });
    let screen = desk.open("").await;
    desk.client.post(&format!("/v0{}/messages/edits", desk.path), &changed).await.expect(200);
    desk.send("/blocks/why/remove", &row(&screen, "why"), 409).await;
    assert_eq!(desk.order().await, ["top", "table", "why", "a/b c?"]);

    assert!(desk.open("/add-block?after=top").await.contains("Testimonials"));
    let form = desk.open("/add-block?after=top&type=feature-cards").await;
    let sent = with(with(fields(&form, "block"), "cards.0.title", "One"), "cards.1.title", "Two");
    desk.send("/add-block", &sent, 303).await;
    assert_eq!(desk.order().await, ["top", "feature-cards", "table", "why", "a/b c?"]);
    let empty = fields(&desk.open("/add-block?type=hero").await, "block");
    let again = desk.send("/add-block", &empty, 400).await;
    assert!(again.contains("id=\"block-title-error\""), "{again}");
    assert!(desk.open("/add-block?type=nonsense").await.contains("Testimonials"));
}

#[tokio::test]
async fn a_draft_without_blocks_can_get_one_and_its_last_one_back() {
    let mut desk = DraftEditor::new().await;
    for block in ["top", "why", "plans", "a/b c?"] {
        let sent = row(&desk.open("").await, block);
        let rest =
            format!("/blocks/{}/remove", block.replace('/', "%2F").replace(' ', "%20").replace('?', "%3F"));
        desk.send(&rest, &sent, 303).await;
    }
    assert_eq!(desk.blocks().await, Vec::<Value>::new());
    let screen = desk.open("").await;
    assert!(screen.contains("/add-block?after=\"") && screen.contains("/undo\""), "{screen}");
    let form = desk.open("/add-block?after=&type=text").await;
    desk.send("/add-block", &with(fields(&form, "block"), "markdown", "Again."), 303).await;
    assert_eq!(desk.order().await, ["text"]);
}

#[tokio::test]
async fn what_is_said_of_a_block_changes_only_that_block() {
    let mut desk = DraftEditor::new().await;
    let screen = desk.open("/blocks/why?element=Plans").await;
    let sent = with(fields(&screen, "say"), "message", "Change the title to \"Because\"");
    assert!(sent.contains(&("block".to_owned(), "why".to_owned())), "{sent:?}");
    desk.send("/say", &sent, 303).await;
    desk.app.carry_messages_out().await;
    let blocks = desk.blocks().await;
    assert_eq!((&blocks[1]["title"], &blocks[0]["title"]), (&json!("Because"), &json!("Simple forecasts")));
    // Where the block is gone, what was typed is not.
    let again = desk.send("/say", &with(sent.clone(), "block", "gone"), 409).await;
    let kept = fields(&again, "say");
    assert!(kept.iter().any(|(name, value)| name == "message" && value.contains("Because")), "{again}");
    assert!(!kept.iter().any(|(name, _)| name == "block"), "{kept:?}");
    let again = desk.send("/say", &with(sent, "message", " "), 400).await;
    assert!(again.contains("id=\"say-message-error\""), "{again}");
    assert!(fields(&again, "say").contains(&("block".to_owned(), "why".to_owned())), "{again}");
}

#[tokio::test]
async fn who_may_only_look_sees_the_blocks_and_nothing_to_press() {
    let desk = DraftEditor::new().await;
    let mut viewer = Browser::with_role(&desk.app, Role::Viewer).await;
    let screen = viewer.open(&desk.at("")).await.expect(200).text();
    assert!(screen.contains("Simple forecasts") && !screen.contains("/blocks/top"), "{screen}");
    viewer.open(&desk.at("/blocks/top")).await.expect(403);
    viewer.send(&desk.at("/blocks/top/remove"), &[]).await.expect(403);
    let code = viewer.open(&desk.at("/qr.svg")).await.expect(200);
    assert!(code.text().starts_with("<svg"));
}

//! Every screen tells the calls of the API that it makes, and those of its forms, and they can be made.

use std::collections::{BTreeMap, BTreeSet};

use pagesmith_console::screens::rows;
use pagesmith_testkit::samples::owned::Owned;
use pagesmith_testkit::{Client, TestApp};
use scraper::{Html, Selector};
use serde_json::{Value, json};

use super::browser::Browser;
use super::walking::{address, address_of, ends};

/// A command of a screen.
#[derive(Debug, Clone, PartialEq)]
struct Command {
    method: String,
    path: String,
    body: Option<String>,
    file: Option<String>,
}

/// What a shell runs.
fn command(text: &str) -> Command {
    let words = shlex::split(text).unwrap();
    let after = |option: &str| words.iter().skip_while(|word| *word != option).nth(1).cloned();
    let url = words.iter().find(|word| word.starts_with("http")).unwrap();
    let (body, file) = (after("--data-raw"), after("-F"));
    let sends = body.is_some() || file.is_some();
    let method = after("-X").unwrap_or_else(|| if sends { "POST" } else { "GET" }.to_owned());
    assert!(after("-H").unwrap().starts_with("x-api-key: "));
    Command { method, path: url[url.find("/v0/").unwrap()..].to_owned(), body, file }
}

/// The commands in the boxes with this label: what a screen reads, and what its forms do.
fn commands_of(screen: &str, label: &str) -> Vec<Command> {
    boxes_of(screen, label).iter().map(|code| command(code)).collect()
}

fn boxes_of(screen: &str, label: &str) -> Vec<String> {
    let html = Html::parse_document(screen);
    let boxes: Vec<String> = html
        .select(&Selector::parse(&format!("details.by-api pre[aria-label='{label}'] code")).unwrap())
        .map(|code| code.text().collect())
        .collect();
    assert!(boxes.len() < 2, "{boxes:?}");
    boxes.iter().flat_map(|code| code.split("\n\n")).map(str::to_owned).collect()
}

fn reads(screen: &str) -> Vec<Command> {
    commands_of(screen, "The same by API")
}

/// The paths that the commands of a screen read.
fn commands(screen: &str) -> Vec<String> {
    reads(screen).into_iter().map(|command| command.path).collect()
}

/// The commands of the server's own program that a screen tells.
pub fn command_lines(screen: &str) -> Vec<String> {
    boxes_of(screen, "The same on the command line")
}

fn forms(screen: &str) -> Vec<Command> {
    commands_of(screen, "Forms and buttons by API")
}

/// Runs a command; why it did not succeed, if so. `ids` are those that answers have told so far, in the place of words in capitals.
async fn run(
    client: &Client,
    command: &Command,
    ids: &mut Vec<(&'static str, String)>,
) -> Result<(), String> {
    let fill = |text: &str| ids.iter().fold(text.to_owned(), |text, (word, id)| text.replace(word, id));
    let path = fill(&command.path);
    let answer = match (&command.file, &command.body) {
        (Some(file), _) => {
            let content: &[u8] =
                if file.ends_with(".csv") { b"email\nada@example.com\n" } else { b"Our prices." };
            let name = file.strip_prefix("file=@").unwrap();
            client.upload(name, if file.ends_with(".jpg") { crate::files::PNG } else { content }).await
        }
        (None, body) => {
            client.send(&command.method, &path, body.as_deref().map(|body| fill(body).into_bytes())).await
        }
    };
    if !answer.status.is_success() {
        return Err(format!("{command:?}: {} {}", answer.status, answer.text()));
    }
    let answer: Value = answer.json();
    for (word, field) in [("PAGE_ID", "pageId"), ("PERSON_ID", "personId"), ("FILE_ID", "fileId")] {
        if let Some(id) = answer[field].as_str() {
            ids.retain(|(known, _)| *known != word);
            ids.push((word, id.to_owned()));
        }
    }
    Ok(())
}

/// What is asked for by GET and is no screen, so that there is no place to tell anything.
const NO_SCREENS: [&str; 9] = [
    // A part of a screen, which is drawn into it.
    "/visits/{page_id}/now",
    // Files.
    "/forms/{form_id}/export",
    "/links/{page_link_id}/qr.png",
    "/links/{page_link_id}/qr.svg",
    "/pages/{page_id}/audiences/{audience_id}/qr.png",
    "/pages/{page_id}/audiences/{audience_id}/qr.svg",
    "/persons/imports/{person_import_id}/refused.csv",
    "/persons/{person_id}/export",
    "/visits/{page_id}/sessions.csv",
];

/// Screens whose content the API has no operation for, since users are the installation's; the command line has.
pub const BY_COMMAND_LINE: [&str; 2] = ["/account", "/settings"];

/// Whether the document of the API has an operation of this method at a path.
fn is_operation(document: &Value, method: &str, path: &str) -> bool {
    let asked: Vec<&str> = path.split('/').collect();
    document["paths"].as_object().unwrap().iter().any(|(known, operations)| {
        let known: Vec<&str> = known.split('/').collect();
        let mut parts = known.iter().zip(&asked);
        let is_alike = known.len() == asked.len()
            && parts.all(|(known, asked)| known == asked || known.starts_with('{') && !asked.is_empty());
        is_alike && operations.get(method.to_lowercase()).is_some()
    })
}

#[tokio::test]
async fn every_screen_tells_how_a_program_does_the_same_by_operations_that_there_are() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let owned = Owned::make(&app.client(), 0).await;
    let document: Value = serde_json::from_str(include_str!("../../../../../api/openapi.json")).unwrap();
    let (mut told, mut no_screens, mut by_command_line) = (0, BTreeSet::new(), BTreeSet::new());
    for row in rows().iter().filter(|row| row.method == "GET" && ends(row)) {
        let answer = browser.open(&address_of(row, "acme", &owned)).await;
        assert_eq!(answer.status, 200, "{}: {}", row.path, answer.text());
        let is_html = answer.header("content-type").is_some_and(|kind| kind.starts_with("text/html"));
        if !is_html || !answer.text().contains("<main") {
            no_screens.insert(row.path);
            continue;
        }
        let (reads, forms) = (reads(&answer.text()), forms(&answer.text()));
        for Command { method, path, .. } in reads.iter().chain(&forms) {
            let there = is_operation(&document, method, path.split('?').next().unwrap());
            assert!(there, "{}: {method} {path}", row.path);
            told += 1;
        }
        if reads.is_empty() && forms.is_empty() {
            assert!(!command_lines(&answer.text()).is_empty(), "{} tells nothing", row.path);
            by_command_line.insert(row.path);
        }
        for read in reads {
            run(&app.client(), &read, &mut vec![]).await.unwrap();
        }
    }
    assert_eq!(no_screens, BTreeSet::from(NO_SCREENS));
    assert_eq!(by_command_line, BTreeSet::from(BY_COMMAND_LINE));
    assert!(told > 160, "{told}");
}

#[tokio::test]
async fn a_screen_tells_exactly_what_it_has_read() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let searched = browser.open("/console/t/acme/pages?q=a%20%26%20b").await.expect(200).text();
    assert_eq!(commands(&searched), ["/v0/pages/search?query=a%20%26%20b"]);
    // A screen that is not there has read nothing.
    let gone = browser.open("/console/t/acme/pages/page_01jpbz8n4xf5k9w2d7hq3mv6ta").await.expect(404).text();
    assert!(commands(&gone).is_empty());
    let refused = browser.send("/console/t/acme/pages/new", &[]).await.expect(400).text();
    assert!(commands(&refused).is_empty());
}

/// Screens whose forms show only once something was done before: what is sent, the person that it names, and the screen.
const LATER: [(&str, &str, &str, &str); 8] = [
    ("GET", "/v0/pages", "", "/links/new?page={page_id}"),
    ("GET", "/v0/pages", "", "/persons/{person_id}/merge?other={other_person_id}"),
    ("GET", "/v0/pages", "", "/pages/{page_id}/audiences/{audience_id}/add-block?type=text"),
    ("POST", "/v0/persons/{person_id}/merge", "{other_person_id}", "/persons/{person_id}"),
    ("DELETE", "/v0/assets/{asset_id}", "", "/assets/{asset_id}"),
    ("DELETE", "/v0/forms/{form_id}", "", "/forms/{form_id}"),
    ("DELETE", "/v0/pages/{page_id}/audiences/{audience_id}", "", "/pages/{page_id}/audiences/{audience_id}"),
    ("POST", "/v0/pages/{page_id}/archive", "", "/pages/{page_id}"),
];

/// The commands of the forms of a screen; of a screen that shows its forms only after something, once that is done.
async fn forms_at(
    (client, browser): (&Client, &mut Browser),
    (before, path): Shown,
    owned: &Owned,
) -> Vec<Command> {
    if let Some((method, path, other, _)) = before {
        let body = match (*method, *other) {
            ("POST", "") => Some(json!({})),
            ("POST", other) => Some(json!({ "otherPersonId": owned.fill(other) })),
            _ => None,
        };
        let body = body.map(|body| body.to_string().into_bytes());
        let answer = client.send(method, &owned.fill(path), body).await;
        assert!(answer.status.is_success(), "{path}: {}", answer.text());
    }
    let answer = browser.open(&address(path, "acme", owned)).await;
    let is_html = answer.header("content-type").is_some_and(|kind| kind.starts_with("text/html"));
    if answer.status == 200 && is_html { forms(&answer.text()) } else { vec![] }
}

fn has_capitals(command: &Command) -> bool {
    command.path.contains("_ID") || command.body.as_deref().is_some_and(|body| body.contains("_ID\""))
}

/// A screen, and what is done before.
type Shown = (Option<&'static (&'static str, &'static str, &'static str, &'static str)>, &'static str);

#[tokio::test]
async fn the_calls_of_every_form_can_be_made() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let client = app.client();
    let rows = rows();
    let shown = rows.iter().filter(|row| row.method == "GET" && ends(row)).map(|row| (None, row.path));
    let shown: Vec<Shown> = shown.chain(LATER.iter().map(|later| (Some(later), later.3))).collect();
    // What one call changes may keep the next from being made, so each round has things of its own, and at most one call of each noun.
    let mut rounds: BTreeMap<(bool, String), Vec<(Shown, usize)>> = BTreeMap::new();
    let first = Owned::make(&client, 0).await;
    for (number, screen) in shown.into_iter().enumerate() {
        let owned = if screen.0.is_some() { Owned::make(&client, 1 + number).await } else { first.clone() };
        for (at, command) in forms_at((&client, &mut browser), screen, &owned).await.iter().enumerate() {
            let noun = command.path.split(['/', '?']).nth(2).unwrap().to_owned();
            // Pages come last: links lead to them.
            rounds.entry((noun == "pages", noun)).or_default().push((screen, at));
        }
    }
    let (mut ids, mut tried, mut failed) = (vec![], 0, vec![]);
    for round in 0..rounds.values().map(Vec::len).max().unwrap() {
        let owned = Owned::make(&client, 1_000 + round).await;
        for (screen, at) in rounds.values().filter_map(|calls| calls.get(round)) {
            let forms = forms_at((&client, &mut browser), *screen, &owned).await;
            let Some(command) = forms.get(*at) else {
                failed.push(format!("{}: call {at} is not shown", screen.1));
                continue;
            };
            // What is in capitals the calls before have answered; a picture was sent from another screen.
            let picture = Command { file: Some("file=@team.jpg".to_owned()), ..command.clone() };
            let takes_answers = has_capitals(command);
            let before = if takes_answers { &forms[..*at] } else { &[] };
            let upload = Some(&picture).filter(|_| takes_answers && *at == 0);
            for command in upload.into_iter().chain(before).chain([command]) {
                failed.extend(run(&client, command, &mut ids).await.err());
            }
            tried += 1;
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(tried > 80, "{tried}");
}

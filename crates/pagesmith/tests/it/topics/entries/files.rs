//! Files of entries are read in the background, each in a process of its own.

mod hostile;
mod limits;
pub(crate) mod samples;

use std::time::Duration;

use pagesmith_model::file::File;
use pagesmith_model::{FileId, TopicEntryId};
use pagesmith_operations::topics::readings::{LEASE, PER_HOST};
use pagesmith_store::tables;
use pagesmith_testkit::{Client, TestApp};
use pagesmith_worker::reading;
use pagesmith_worker::turns::Turns;
use serde_json::{Value, json};

use super::{make, path, text, topic};

/// The body of an entry of a file.
fn entry_of(file: &Value) -> Value {
    json!({ "content": { "type": "file", "fileId": file["fileId"], "aiSummary": null } })
}

/// A file that is about to be read: the path of its entry.
async fn pending(client: &Client, entries: &str, name: &str, bytes: &[u8]) -> String {
    let file = client.upload(name, bytes).await.expect(201).json();
    path(entries, &make(client, entries, &entry_of(&file)).await)
}

/// Whether an entry was read, and its last reading.
async fn log(client: &Client, path: &str) -> (String, Value) {
    let log = client.get(&format!("{path}/log")).await.expect(200).json();
    (log["enrichmentStatus"].as_str().unwrap().to_owned(), log["items"][0].clone())
}

async fn search(client: &Client, query: &str) -> Vec<Value> {
    let found = client.post("/v0/knowledge/search", &json!({ "query": query })).await.expect(200).json();
    found["items"].as_array().unwrap().clone()
}

/// A file of one format, a word that only it has, and what a search by that word answers.
struct FileCase {
    file: &'static str,
    bytes: Vec<u8>,
    word: &'static str,
    title: &'static str,
    heading: Option<&'static str>,
    said: &'static str,
}

const TABLE: &str = "Tarif;Preis\nKleiner Numbatbau;9,50 €\n";

fn cases() -> [FileCase; 7] {
    [
        FileCase {
            file: "guarantee.pdf",
            bytes: samples::pdf(),
            word: "quokka",
            title: "Warranty of heat pumps",
            heading: Some("Warranty"),
            said: "Every heat pump of Acme has a warranty of ten years, in cafés too.",
        },
        FileCase {
            file: "a.docx",
            bytes: samples::docx(),
            word: "numbat",
            title: "Liefer&Wartung",
            heading: Some("Lieferung"),
            said: "- Norwegen\n- Island\nPreis | 9 €",
        },
        FileCase {
            file: "b.pptx",
            bytes: samples::pptx(),
            word: "bilby",
            title: "Our roadmap",
            heading: Some("Next year"),
            said: "every language of Europe",
        },
        FileCase {
            file: "c.html",
            bytes: samples::HTML.as_bytes().to_vec(),
            word: "potoroo",
            title: "Opening hours",
            heading: Some("Weekdays"),
            said: "eight to five",
        },
        FileCase {
            file: "d.md",
            bytes: samples::MARKDOWN.as_bytes().to_vec(),
            word: "dunnart",
            title: "Returns",
            heading: Some("Returns"),
            said: "within thirty days",
        },
        FileCase {
            file: "e.txt",
            bytes: b"The wombat knows it all, and tells it to nobody but us.".to_vec(),
            word: "wombat",
            title: "e.txt",
            heading: None,
            said: "knows",
        },
        FileCase {
            file: "f.csv",
            bytes: TABLE.as_bytes().to_vec(),
            word: "numbatbau",
            title: "f.csv",
            heading: None,
            said: "Tarif: Kleiner Numbatbau; Preis: 9,50 €",
        },
    ]
}

#[tokio::test]
async fn a_file_of_each_format_is_read_and_found_by_what_it_says() {
    let app = TestApp::start().await;
    let client = app.client();
    let (_, entries) = topic(&client, "Knowledge").await;
    for FileCase { file, bytes, word, title, heading, said } in cases() {
        let path = pending(&client, &entries, file, &bytes).await;
        assert_eq!(log(&client, &path).await, ("pending".to_owned(), Value::Null), "{file}");
        app.run_due_work().await;
        let (status, reading) = log(&client, &path).await;
        assert_eq!(
            (status.as_str(), &reading["outcome"]),
            ("success", &json!("success")),
            "{file}: {reading}"
        );
        assert_eq!(
            (&reading["url"], &reading["status"], &reading["reason"]),
            (&Value::Null, &Value::Null, &Value::Null)
        );
        let found = search(&client, word).await;
        assert_eq!(found.len(), 1, "{file}: {found:?}");
        assert_eq!(found[0]["source"], json!({ "type": "file", "name": title, "url": null }));
        assert_eq!(found[0]["heading"], json!(heading), "{file}");
        assert!(found[0]["text"].as_str().unwrap().contains(said), "{file}: {}", found[0]["text"]);
        let summary = client.get(&path).await.json()["content"]["aiSummary"].clone();
        assert_eq!(summary.is_string(), file != "f.csv", "{file}: {summary}");
    }
    for hidden in ["geheim", "hidden", "alte"] {
        assert_eq!(search(&client, hidden).await, [] as [Value; 0], "{hidden}");
    }
    assert_eq!(search(&client, "価格表").await.len(), 1);
    // Topics are found by titles, names and summaries of files, and say what they are for.
    for query in ["guarantee pdf", "warranty heat pumps", "quokka"] {
        let found = client.get_with("/v0/topics/search", &[("query", query)]).await.expect(200).json();
        assert_eq!(found["totalCount"], 1, "{query}");
    }
    let shown = client.get(entries.trim_end_matches("/entries")).await.expect(200).json();
    let purpose = "Warranty of heat pumps; Liefer&Wartung; Our roadmap; Opening hours; Returns; e.txt; f.csv";
    assert_eq!(shown["purpose"], purpose);
}

#[tokio::test]
async fn texts_are_read_in_whatever_encoding_they_are() {
    let app = TestApp::start().await;
    let client = app.client();
    let (_, entries) = topic(&client, "Encodings").await;
    let shift_jis =
        b"<!doctype html><meta charset=shift_jis><title>\x89\xbf\x8ai</title><p>\x89\xbf\x8ai\x95\\</p>";
    for (name, bytes, word) in [
        ("a.csv", samples::windows_1252("Größe;Preis\nklein;9 €\n"), "große klein"),
        ("b.txt", samples::utf_16("\u{feff}Ærlige priser på æbler."), "ærlige"),
        ("c.txt", samples::utf_16("Unmarked words about marmots."), "marmots"),
        ("d.txt", "\u{feff}Цена девять евро.".as_bytes().to_vec(), "девять"),
        ("e.html", shift_jis.to_vec(), "価格表"),
        ("f.md", samples::windows_1252("# Fenêtre\n\nOuverte le matin à huit heures."), "fenetre"),
    ] {
        let path = pending(&client, &entries, name, &bytes).await;
        app.run_due_work().await;
        assert_eq!(log(&client, &path).await.0, "success", "{name}");
        assert_eq!(search(&client, word).await.len(), 1, "{name}");
    }
}

#[tokio::test]
async fn what_the_caller_gives_is_kept_and_another_file_is_read_anew() {
    let app = TestApp::start().await;
    let client = app.client();
    let (_, entries) = topic(&client, "Files").await;
    let file = client.upload("a.md", samples::MARKDOWN.as_bytes()).await.expect(201).json();
    let mut body = entry_of(&file);
    body["content"]["aiSummary"] = json!("Ours");
    let made = make(&client, &entries, &body).await;
    let path = path(&entries, &made);
    app.run_due_work().await;
    let read = client.get(&path).await.expect(200).json();
    assert_eq!(read["content"], body["content"]);
    // Read again on demand, and not by itself: a file does not change.
    app.advance(Duration::from_secs(31 * 24 * 60 * 60));
    app.run_due_work().await;
    client.post(&format!("{path}/refresh"), &json!({})).await.expect(200);
    assert_eq!(log(&client, &path).await.0, "pending");
    app.run_due_work().await;
    let items = client.get(&format!("{path}/log")).await.json()["items"].as_array().unwrap().len();
    assert_eq!((log(&client, &path).await.0.as_str(), items), ("success", 2));
    // What the caller gives back is not what was found.
    client.patch(&path, &entry_of(&file)).await.expect(200);
    assert_eq!(log(&client, &path).await.0, "success", "the same file");
    assert!(client.get(&path).await.json()["content"]["aiSummary"].as_str().unwrap().contains("thirty days"));
    let other =
        client.upload("b.txt", b"Numbats sleep at night, and nobody wakes them.").await.expect(201).json();
    let changed = client.patch(&path, &entry_of(&other)).await.expect(200).json();
    assert_eq!(
        (log(&client, &path).await.0.as_str(), &changed["content"]["aiSummary"]),
        ("pending", &Value::Null)
    );
    app.run_due_work().await;
    assert_eq!((search(&client, "numbats").await.len(), search(&client, "dunnart").await.len()), (1, 0));
    client.delete(&format!("/v0/files/{}", other["fileId"].as_str().unwrap())).await.expect(409);
    client.patch(&path, &text("Words")).await.expect(200);
    client.post(&format!("{path}/refresh"), &json!({})).await.expect(409);
    assert_eq!(log(&client, &path).await, ("success".to_owned(), Value::Null));
    app.run_due_work().await;
    assert_eq!(search(&client, "numbats").await, [] as [Value; 0]);
}

#[tokio::test]
async fn a_file_whose_worker_is_lost_is_read_by_another() {
    let app = TestApp::start().await;
    let client = app.client();
    let (_, entries) = topic(&client, "Files").await;
    let path = pending(&client, &entries, "a.md", samples::MARKDOWN.as_bytes()).await;
    for _ in 0..4 {
        assert_eq!(reading::claim(&app.tools(), &mut Turns::default(), 8).await.unwrap().len(), 1);
        app.run_due_work().await;
        assert_eq!(log(&client, &path).await.0, "pending");
        app.advance(LEASE);
    }
    app.run_due_work().await;
    let (status, reading) = log(&client, &path).await;
    assert_eq!(status, "failed");
    assert_eq!(reading["reason"], "Reading the file was given up, because workers were lost over it.");
    client.post(&format!("{path}/refresh"), &json!({})).await.expect(200);
    app.run_due_work().await;
    assert_eq!(log(&client, &path).await.0, "success");
}

#[tokio::test]
async fn a_file_that_nobody_has_queued_is_read_within_the_hour() {
    let app = TestApp::start().await;
    let client = app.client();
    let (_, entries) = topic(&client, "Files").await;
    let path = pending(&client, &entries, "a.md", samples::MARKDOWN.as_bytes()).await;
    // An older server makes entries of files without a reading, and forgets a reading that it does not understand.
    let id = TopicEntryId::parse(path.rsplit('/').next().unwrap()).unwrap();
    let tenant = app.tenant.clone();
    let forget =
        move |tx: &mut pagesmith_store::Tx<'_>| tx.run(tables::topics::readings::remove(&tenant, &id));
    app.store.write(forget).await.unwrap();
    reading::drain(&app.tools()).await.unwrap();
    assert_eq!(log(&client, &path).await, ("pending".to_owned(), Value::Null));
    app.run_due_work().await;
    assert_eq!(log(&client, &path).await.0, "success");
}

#[tokio::test]
async fn a_file_whose_bytes_are_away_is_tried_again() {
    let app = TestApp::start().await;
    let client = app.client();
    let (_, entries) = topic(&client, "Files").await;
    let bytes = samples::MARKDOWN.as_bytes();
    let path = pending(&client, &entries, "a.md", bytes).await;
    let shown = client.get(&path).await.json();
    let id = FileId::parse(shown["content"]["fileId"].as_str().unwrap()).unwrap();
    let tenant = app.tenant.clone();
    let find = move |tx: &mut pagesmith_store::Tx<'_>| tables::files::find(tx, &tenant, &id);
    let File { content_id, .. } = app.store.read(find).await.unwrap().unwrap();
    app.files.remove(&app.tenant, &content_id).await.unwrap();
    app.run_due_work().await;
    let (status, reading) = log(&client, &path).await;
    assert_eq!((status.as_str(), &reading["outcome"]), ("pending", &json!("retry")));
    app.advance(Duration::from_secs(3));
    app.run_due_work().await;
    let (status, reading) = log(&client, &path).await;
    assert_eq!(
        (status.as_str(), &reading["reason"]),
        ("failed", &json!("The storage of files could not be read."))
    );
    let mut upload = app.files.begin(&app.tenant, &content_id);
    upload.write(bytes).await.unwrap();
    upload.finish().await.unwrap();
    app.run_due_work().await;
    assert_eq!(log(&client, &path).await.0, "failed");
    app.advance(Duration::from_secs(60 * 60));
    app.run_due_work().await;
    assert_eq!(log(&client, &path).await.0, "success");
}

#[tokio::test]
async fn few_files_are_read_at_once_and_tenants_have_their_turns() {
    let app = TestApp::start().await;
    let (ours, theirs) = (app.client(), app.stranger().await);
    for (client, count) in [(&ours, 9), (&theirs, 1)] {
        let (_, entries) = topic(client, "Files").await;
        for number in 0..count {
            pending(client, &entries, "a.txt", format!("Number {number}").as_bytes()).await;
        }
    }
    let (tools, mut turns) = (app.tools(), Turns::default());
    let (_running, stop) = tokio::sync::watch::channel(false);
    let mut order = Vec::new();
    for _ in 0..3 {
        let claimed = reading::claim(&tools, &mut turns, 16).await.unwrap();
        assert!(claimed.len() <= PER_HOST);
        assert_eq!(
            reading::claim(&tools, &mut turns.clone(), 16).await.unwrap(),
            [],
            "while these are being read"
        );
        for claimed in claimed {
            order.push(claimed.of.tenant.clone());
            reading::attempt(tools.clone(), claimed, stop.clone()).await;
        }
    }
    // Whichever comes first, the tenant with a single file does not wait for the other one's nine.
    assert!(order.iter().any(|tenant| *tenant != app.tenant), "{order:?}");
}

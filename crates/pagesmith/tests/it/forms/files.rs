//! Files that visitors send with forms.

use std::time::Duration;

use pagesmith_model::PersonId;
use pagesmith_operations::subject_requests;
use pagesmith_testkit::samples::forms::{ShownForm, shown};
use pagesmith_testkit::{Answer, Client, TestApp};
use serde_json::{Value, json};

const BOUNDARY: &str = "----a-boundary";

/// A form that takes a letter of application and, if there is one, a picture.
struct Scene {
    app: TestApp,
    client: Client,
    form: String,
    shown: ShownForm,
    visitor: Client,
}

/// What is sent: a text, or a file by its name and bytes.
enum FormPart<'a> {
    Text(&'a str, &'a str),
    File(&'a str, &'a str, &'a [u8]),
}

use FormPart::{File, Text};

impl Scene {
    async fn start() -> Scene {
        let app = TestApp::start().await;
        let client = app.client();
        let form = json!({ "name": "Apply", "fields": [
            { "key": "email", "kind": "email", "label": "E-mail", "required": true },
            { "key": "letter", "kind": "file", "label": "Letter", "required": true },
            { "key": "picture", "kind": "file", "label": "Picture" },
        ] });
        let form = client.post("/v0/forms", &form).await.expect(201).json();
        let form = form["formId"].as_str().unwrap().to_owned();
        let shown = shown(&client, &form).await;
        let visitor = shown.visitor(&client);
        Scene { app, client, form, shown, visitor }
    }

    async fn send(&self, visitor: &Client, parts: &[FormPart<'_>]) -> Answer {
        let mut body = Vec::new();
        let own = [
            ("ps.page", self.shown.page.as_str()),
            ("ps.audience", &self.shown.audience),
            ("ps.action", "contact"),
        ];
        let own = own.map(|(name, value)| Text(name, value));
        for part in own.iter().chain(parts) {
            let (head, bytes) = match part {
                Text(name, value) => (format!("name=\"{name}\""), value.as_bytes()),
                File(name, file, bytes) => {
                    (format!("name=\"{name}\"; filename=\"{file}\"\r\nContent-Type: text/html"), *bytes)
                }
            };
            body.extend_from_slice(
                format!("--{BOUNDARY}\r\nContent-Disposition: form-data; {head}\r\n\r\n").as_bytes(),
            );
            body.extend_from_slice(bytes);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
        let typed = visitor.with("content-type", &format!("multipart/form-data; boundary={BOUNDARY}"));
        typed.send("POST", "/.pagesmith/f", Some(body)).await
    }

    async fn submissions(&self) -> Vec<Value> {
        let path = format!("/v0/forms/{}/submissions", self.form);
        self.client.get(&path).await.expect(200).json()["items"].as_array().unwrap().clone()
    }

    async fn files(&self) -> Vec<Value> {
        self.client.get("/v0/files").await.expect(200).json()["items"].as_array().unwrap().clone()
    }
}

const EMAIL: FormPart<'static> = Text("email", "ada@example.com");
const PDF: &[u8] = b"%PDF-1.7\nDear Norrvik, I would like to apply.";

#[tokio::test]
async fn a_file_is_kept_with_its_submission_and_goes_with_it() {
    let scene = Scene::start().await;
    let link = scene.client.get(&format!("/v0/pages/{}/link", scene.shown.page)).await.expect(200).json();
    let path = format!("/{}", link["url"].as_str().unwrap().splitn(4, '/').last().unwrap());
    let html = scene.visitor.get(&path).await.expect(200).text();
    assert!(html.contains("enctype=\"multipart/form-data\"") && html.contains("type=\"file\""), "{html}");

    // A browser sends a field in which nothing was chosen without a name and bytes.
    let sent = [EMAIL, File("letter", "C:\\docs\\letter.pdf", PDF), File("picture", "", b"")];
    scene.send(&scene.visitor, &sent).await.expect(303);
    let submission = scene.submissions().await.remove(0);
    let letter = &submission["input"]["letter"];
    assert_eq!((&letter["name"], &letter["contentType"]), (&json!("letter.pdf"), &json!("application/pdf")));
    assert_eq!((&letter["size"], &submission["input"]["picture"]), (&json!(PDF.len()), &Value::Null));
    let file = format!("/v0/files/{}", letter["fileId"].as_str().unwrap());
    let content = scene.client.get(&format!("{file}/content")).await.expect(200);
    assert_eq!(content.text().as_bytes(), PDF);
    let refused = scene.client.delete(&file).await.expect(409).json();
    assert_eq!(refused["details"]["submissionIds"], json!([submission["submissionId"]]));
    let table =
        scene.client.get(&format!("/v0/forms/{}/submissions/export", scene.form)).await.expect(200).text();
    assert!(table.contains(",letter.pdf,"), "{table}");

    // The same again is the same; with another file it is another one.
    scene.send(&scene.visitor, &sent).await.expect(303);
    assert_eq!((scene.submissions().await.len(), scene.files().await.len()), (1, 1));
    scene.send(&scene.visitor, &[EMAIL, File("letter", "letter.pdf", b"%PDF-1.7 another")]).await.expect(303);
    assert_eq!((scene.submissions().await.len(), scene.files().await.len()), (2, 2));

    let path = format!("/v0/form_submissions/{}", submission["submissionId"].as_str().unwrap());
    scene.client.delete(&path).await.expect(200);
    scene.client.get(&file).await.expect(404);
    assert_eq!(scene.files().await.len(), 1);
    // Erasing the person takes the other one.
    let person = PersonId::parse(submission["personId"].as_str().unwrap()).unwrap();
    let ctx = scene.app.platform.context().of(scene.app.tenant.clone());
    subject_requests::erase(&scene.app.store, &ctx, &person).await.unwrap();
    assert_eq!((scene.submissions().await.len(), scene.files().await.len()), (0, 0));
}

#[tokio::test]
async fn a_file_whose_name_names_somebody_else_is_told_and_renamed_when_that_person_is_erased() {
    let scene = Scene::start().await;
    let body = json!({ "name": "Zebulon Quux", "email": "zebulon@quux.example" });
    let named = scene.client.post("/v0/persons", &body).await.expect(201).json();
    let named = PersonId::parse(named["personId"].as_str().unwrap()).unwrap();
    scene
        .send(&scene.visitor, &[EMAIL, File("letter", "Reference by Zebulon Quux.pdf", PDF)])
        .await
        .expect(303);
    let ctx = scene.app.platform.context().of(scene.app.tenant.clone());
    let told =
        subject_requests::export(&scene.app.store, &ctx, Some(&scene.app.tenant), &named).await.unwrap();
    let told = serde_json::to_value(told).unwrap();
    let is_file = |mention: &&Value| mention["table"] == "files" && mention["column"] == "name";
    let mention = told["mentions"].as_array().unwrap().iter().find(is_file);
    assert_eq!(mention.unwrap_or_else(|| panic!("{told}"))["text"], "Reference by Zebulon Quux.pdf");
    subject_requests::erase(&scene.app.store, &ctx, &named).await.unwrap();
    let letter = scene.submissions().await.remove(0)["input"]["letter"].clone();
    assert_eq!(letter["name"], "Reference by [erased].pdf");
    let file = &scene.files().await[0];
    assert_eq!((&file["name"], &file["fileId"]), (&letter["name"], &letter["fileId"]));
    let path = format!("/v0/files/{}/content", file["fileId"].as_str().unwrap());
    assert_eq!(scene.client.get(&path).await.expect(200).text().as_bytes(), PDF);
}

#[tokio::test]
async fn a_file_is_taken_only_where_it_is_asked_for() {
    let scene = Scene::start().await;
    // A text in place of a file is none, and so is a file without bytes.
    for parts in
        [vec![EMAIL], vec![EMAIL, Text("letter", "letter.pdf")], vec![EMAIL, File("letter", "a.pdf", b"")]]
    {
        let html = scene.send(&scene.visitor, &parts).await.expect(422).text();
        assert!(html.contains("Please fill this in."), "{html}");
    }
    // What is refused leaves nothing.
    scene.send(&scene.visitor, &[Text("email", "x"), File("letter", "a.pdf", PDF)]).await.expect(422);
    assert_eq!((scene.submissions().await.len(), scene.files().await.len()), (0, 0));
    // A file for a field that is no file's, or that there is not, or the second one for a field.
    let many = [
        File("email", "x.txt", b"evil@example.com"),
        File("other", "x.txt", b"x"),
        EMAIL,
        File("letter", "a.pdf", PDF),
        File("letter", "b.pdf", b"%PDF-1.7 second"),
    ];
    scene.app.advance(Duration::from_mins(2));
    scene.send(&scene.visitor, &many).await.expect(303);
    let input = &scene.submissions().await[0]["input"];
    assert_eq!((&input["email"], &input["letter"]["name"]), (&json!("ada@example.com"), &json!("a.pdf")));
    assert_eq!((scene.files().await.len(), input.as_object().unwrap().len()), (1, 2));
    // What runs as a program is a file like all others, and never shown in place.
    scene.app.advance(Duration::from_mins(2));
    scene
        .send(&scene.visitor, &[EMAIL, File("letter", "x.html", b"<script>alert(1)</script>")])
        .await
        .expect(303);
    let file = scene.submissions().await[0]["input"]["letter"]["fileId"].as_str().unwrap().to_owned();
    let content = scene.client.get(&format!("/v0/files/{file}/content")).await.expect(200);
    assert!(content.header("content-disposition").unwrap().starts_with("attachment"));
}

#[tokio::test]
async fn what_is_too_large_or_no_form_leaves_nothing() {
    let scene = Scene::start().await;
    let large = vec![b'x'; 11 * 1024 * 1024];
    let answer = scene.send(&scene.visitor, &[EMAIL, File("letter", "a.pdf", &large)]).await.expect(413);
    assert!(answer.text().contains("all files together may have 10 MB"), "{}", answer.text());
    let text = "x".repeat(300 * 1024);
    scene.send(&scene.visitor, &[EMAIL, Text("note", &text), File("letter", "a.pdf", PDF)]).await.expect(413);
    for (kind, body) in [
        ("multipart/form-data", "x"),
        ("multipart/form-data; boundary=x", "--x\r\nnonsense"),
        ("multipart/form-data; boundary=x", ""),
    ] {
        let typed = scene.visitor.with("content-type", kind);
        let answer = typed.send("POST", "/.pagesmith/f", Some(body.as_bytes().to_vec())).await;
        assert!(answer.status.is_client_error(), "{kind} {body}: {}", answer.status);
    }
    assert_eq!((scene.submissions().await.len(), scene.files().await.len()), (0, 0));
    assert!(scene.app.files.list(&scene.app.tenant).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_tenant_without_room_takes_no_files() {
    let app = TestApp::with(|plan| plan.settings.files.quota = 100).await;
    let client = app.client();
    let form = json!({ "name": "Apply", "fields": [{ "key": "letter", "kind": "file", "label": "Letter" }] });
    let form = client.post("/v0/forms", &form).await.expect(201).json();
    let form = form["formId"].as_str().unwrap().to_owned();
    let shown = shown(&client, &form).await;
    let visitor = shown.visitor(&client);
    let scene = Scene { app, client, form, shown, visitor };
    scene.send(&scene.visitor, &[File("letter", "a.pdf", &[b'x'; 60])]).await.expect(303);
    let answer = scene.send(&scene.visitor, &[File("letter", "a.pdf", &[b'y'; 60])]).await.expect(413);
    assert!(answer.text().contains("try again later"), "{}", answer.text());
    scene.send(&scene.visitor, &[]).await.expect(303);
    assert_eq!((scene.submissions().await.len(), scene.files().await.len()), (2, 1));
}

//! New entries of a topic: a text, the address of a web page, or a file, which is uploaded first and then named.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::client::Refused;
use crate::json::{count, text};
use crate::notice::with_notice;
use crate::parts::field::{Field, Kind};
use crate::parts::form::Form;
use crate::parts::navigation::Area;
use crate::screens::entering::filled;
use crate::visit::{Drawn, Screen, Visit};

use super::entries::TEXT;
use super::{api_path, path};

/// What browsers offer to choose; the API says what it reads.
const READ: &str = ".pdf,.docx,.pptx,.html,.htm,.md,.txt,.csv";

/// What an entry is made of.
#[derive(Clone, Copy)]
enum Source {
    Text,
    Address,
    File,
}

/// The form of an entry that is a text.
pub(crate) async fn new_text(visit: Visit) -> Result<Drawn, Refused> {
    screen(&visit, Source::Text, None).await.map(Drawn::from)
}

/// The form of an entry that is a web page.
pub(crate) async fn new_address(visit: Visit) -> Result<Drawn, Refused> {
    screen(&visit, Source::Address, None).await.map(Drawn::from)
}

/// The form of an entry that is a file.
pub(crate) async fn new_file(visit: Visit) -> Result<Drawn, Refused> {
    screen(&visit, Source::File, None).await.map(Drawn::from)
}

async fn screen(visit: &Visit, source: Source, refused: Option<Refused>) -> Result<Screen, Refused> {
    let topic = visit.api.get(&api_path(visit)).await?.body;
    let base = visit.url(&path(visit));
    let (title, way, field) = match source {
        Source::Text => (
            visit.text("entry-add-text"),
            "text",
            Field::new("content.content", visit.text("entry-of-text"), Kind::LongText(Some(TEXT)))
                .help(visit.text("entry-text-help")),
        ),
        Source::Address => (
            visit.text("entry-add-address"),
            "address",
            Field::new("content.url", visit.text("address"), Kind::Url)
                .help(visit.text("entry-address-help")),
        ),
        Source::File => (
            visit.text("entry-add-file"),
            "file",
            Field::new("file", visit.text("file"), Kind::File(READ.to_owned()))
                .help(visit.text("entry-file-help")),
        ),
    };
    let action = format!("{base}/{way}");
    let form = Form { cancel: Some(&base), ..Form::new("entry", &action, &title, vec![field.required()]) };
    let main = filled(form, visit, refused.as_ref()).draw(visit.words);
    Ok(Screen::new(Area::Knowledge, title.clone(), main)
        .below(text(&topic, "title"), base.clone())
        .refused(refused))
}

/// Makes an entry of a text.
pub(crate) async fn add_text(visit: Visit) -> Result<Drawn, Refused> {
    let written = visit.entered.text("content.content");
    if written.is_empty() {
        let missing = missing("content.content", &visit.text("entry-text-missing"));
        return screen(&visit, Source::Text, Some(missing)).await.map(Drawn::from);
    }
    let content = json!({ "type": "text", "content": written });
    added(&visit, Source::Text, content, "saved").await
}

/// Makes an entry of a web page, which is read in the background.
pub(crate) async fn add_address(visit: Visit) -> Result<Drawn, Refused> {
    let content = json!({
        "type": "url", "url": visit.entered.text("content.url"), "name": null, "icon": null, "aiSummary": null,
    });
    added(&visit, Source::Address, content, "reading").await
}

/// Makes an entry of a file that was sent. A file whose entry is refused is removed again.
pub(crate) async fn add_file(visit: Visit) -> Result<Drawn, Refused> {
    // Without a topic nothing is stored.
    visit.api.get(&api_path(&visit)).await?;
    let file = match uploaded(&visit).await {
        Ok(file) => file,
        Err(refused) => {
            return screen(&visit, Source::File, Some(refused.mendable()?)).await.map(Drawn::from);
        }
    };
    let file_id = text(&file, "fileId");
    let content = json!({ "type": "file", "fileId": file_id, "aiSummary": null });
    let made = visit.api.post(&format!("{}/entries", api_path(&visit)), &json!({ "content": content })).await;
    match made {
        Ok(_) => Ok(visit.moved(&with_notice(&path(&visit), "reading", ""))),
        Err(refused) => {
            visit.api.delete(&format!("/v0/files/{file_id}")).await?;
            screen(&visit, Source::File, Some(refused.mendable()?)).await.map(Drawn::from)
        }
    }
}

async fn added(visit: &Visit, source: Source, content: Value, done: &str) -> Result<Drawn, Refused> {
    match visit.api.post(&format!("{}/entries", api_path(visit)), &json!({ "content": content })).await {
        Ok(_) => Ok(visit.moved(&with_notice(&path(visit), done, ""))),
        Err(refused) => screen(visit, source, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

/// The file that was sent with the form, as the API has stored it: the same one however often the form is sent.
pub(crate) async fn uploaded(visit: &Visit) -> Result<Value, Refused> {
    let Some(upload) = visit.take_upload() else { return Err(no_file(visit)) };
    let file = visit.api.upload(upload).await?.body;
    // When the form was sent before, its file may have been refused and removed.
    match visit.api.get(&format!("/v0/files/{}", text(&file, "fileId"))).await {
        Ok(_) => checked(visit, file).await,
        Err(refused) if refused.status == StatusCode::NOT_FOUND => {
            Err(missing("file", &visit.text("file-again")))
        }
        Err(refused) => Err(refused),
    }
}

/// The file that was sent with the form and is removed once it has been read.
pub(crate) async fn uploaded_for_now(visit: &Visit) -> Result<Value, Refused> {
    let Some(upload) = visit.take_upload() else { return Err(no_file(visit)) };
    checked(visit, visit.api.upload_for_now(upload).await?.body).await
}

async fn checked(visit: &Visit, file: Value) -> Result<Value, Refused> {
    // A browser sends an empty file if none was chosen.
    if count(&file, "size") == 0 {
        visit.api.delete(&format!("/v0/files/{}", text(&file, "fileId"))).await?;
        return Err(no_file(visit));
    }
    Ok(file)
}

fn no_file(visit: &Visit) -> Refused {
    missing("file", &visit.text("file-missing"))
}

/// What the console itself says of a field, in the form in which the API would.
pub(crate) fn missing(field: &str, message: &str) -> Refused {
    Refused {
        status: StatusCode::BAD_REQUEST,
        detail: message.to_owned(),
        issues: vec![(field.to_owned(), message.to_owned())],
        request_id: String::new(),
    }
}

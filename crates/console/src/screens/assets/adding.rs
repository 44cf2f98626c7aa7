//! New assets: a picture, which is uploaded first and described then, or the address of a video.
//!
//! The form with the file is passed on to the API unread, so that no file is ever in the console's memory; what the picture is called
//! and what it is for is therefore asked on the screen that follows.

use serde_json::{Value, json};

use crate::client::{Refused, with_query};
use crate::json::text;
use crate::notice::with_notice;
use crate::parts::field::{Field, Kind};
use crate::parts::form::Form;
use crate::parts::navigation::Area;
use crate::screens::entering::filled;
use crate::screens::knowledge::adding::{missing, uploaded};
use crate::visit::{Drawn, Screen, Visit};

use super::{fields, picture_types, words_of};

/// What browsers offer to choose; the API says what is a picture.
const PICTURE_FILES: &str = "image/*";

/// The form with the file of a new picture.
pub(crate) async fn new(visit: Visit) -> Result<Drawn, Refused> {
    Ok(file_screen(&visit, None).into())
}

fn file_screen(visit: &Visit, refused: Option<Refused>) -> Screen {
    let fields = vec![
        Field::new("file", visit.text("file"), Kind::File(PICTURE_FILES.to_owned()))
            .required()
            .help(visit.text("picture-file-help")),
    ];
    let (action, cancel, submit) = (visit.url("/assets/new"), visit.url("/assets"), visit.text("upload"));
    let form = Form { cancel: Some(&cancel), ..Form::new("picture", &action, &submit, fields) };
    let main = filled(form, visit, refused.as_ref()).draw(visit.words);
    Screen::new(Area::Assets, visit.text("picture-new"), main).refused(refused)
}

/// Takes the file, and goes on to what it is for.
pub(crate) async fn upload(visit: Visit) -> Result<Drawn, Refused> {
    match uploaded(&visit).await {
        Ok(file) if !text(&file, "contentType").starts_with("image/") => {
            visit.api.delete(&format!("/v0/files/{}", text(&file, "fileId"))).await?;
            let refused = missing("file", &visit.text("picture-file-wrong"));
            Ok(file_screen(&visit, Some(refused)).into())
        }
        Ok(file) => {
            let asked = [("file", Some(text(&file, "fileId"))), ("name", Some(name_of(text(&file, "name"))))];
            Ok(visit.moved(&with_query("/assets/describe", &asked)))
        }
        Err(refused) => Ok(file_screen(&visit, Some(refused.mendable()?)).into()),
    }
}

/// The name of a file without what says its type.
fn name_of(file_name: &str) -> &str {
    file_name.rsplit_once('.').map_or(file_name, |(name, _)| name).trim()
}

/// The form that says what an uploaded picture is for.
pub(crate) async fn describe(visit: Visit) -> Result<Drawn, Refused> {
    Ok(picture_screen(&visit, None).into())
}

fn picture_screen(visit: &Visit, refused: Option<Refused>) -> Screen {
    let file_id = visit.asked("file").unwrap_or_else(|| visit.entered.text("fileId").to_owned());
    let mut all = vec![Field::hidden("fileId", file_id)];
    all.extend(fields(visit, &json!({ "name": visit.asked("name") })));
    all.push(
        Field::new("assetType", visit.text("asset-type"), Kind::Choice(picture_types(visit))).value("image"),
    );
    let (action, cancel, submit) = (visit.url("/assets/describe"), visit.url("/assets"), visit.text("save"));
    let form = Form { cancel: Some(&cancel), ..Form::new("picture", &action, &submit, all) };
    let main = filled(form, visit, refused.as_ref()).draw(visit.words);
    Screen::new(Area::Assets, visit.text("picture-new"), main).refused(refused)
}

/// Makes a picture of an uploaded file.
pub(crate) async fn create(visit: Visit) -> Result<Drawn, Refused> {
    let mut body = described(&visit);
    body["assetType"] = visit.entered.some("assetType").unwrap_or("image").into();
    body["fileId"] = visit.entered.text("fileId").into();
    made(&visit, &body, picture_screen).await
}

/// The form of a new video.
pub(crate) async fn new_video(visit: Visit) -> Result<Drawn, Refused> {
    Ok(video_screen(&visit, None).into())
}

fn video_screen(visit: &Visit, refused: Option<Refused>) -> Screen {
    let mut all = vec![
        Field::new("youtubeUrl", visit.text("video-address"), Kind::Url)
            .required()
            .help(visit.text("video-address-help")),
    ];
    all.extend(fields(visit, &Value::Null));
    let (action, cancel, submit) = (visit.url("/assets/video"), visit.url("/assets"), visit.text("save"));
    let form = Form { cancel: Some(&cancel), ..Form::new("video", &action, &submit, all) };
    let main = filled(form, visit, refused.as_ref()).draw(visit.words);
    Screen::new(Area::Assets, visit.text("video-new"), main).refused(refused)
}

/// Makes a video.
pub(crate) async fn create_video(visit: Visit) -> Result<Drawn, Refused> {
    let mut body = described(&visit);
    body["assetType"] = "video".into();
    body["youtubeUrl"] = visit.entered.text("youtubeUrl").into();
    made(&visit, &body, video_screen).await
}

/// What was said of a new asset.
fn described(visit: &Visit) -> Value {
    let entered = &visit.entered;
    json!({
        "name": entered.text("name"), "purpose": entered.text("purpose"), "tags": words_of(entered.text("tags")),
    })
}

async fn made(
    visit: &Visit,
    body: &Value,
    again: fn(&Visit, Option<Refused>) -> Screen,
) -> Result<Drawn, Refused> {
    match visit.api.post("/v0/assets", body).await {
        Ok(made) => {
            Ok(visit.moved(&with_notice(&format!("/assets/{}", text(&made.body, "assetId")), "saved", "")))
        }
        Err(refused) => Ok(again(visit, Some(refused.mendable()?)).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::name_of;

    #[test]
    fn a_picture_is_called_like_its_file() {
        assert_eq!(["team.photo.JPG", "logo", ".png", ""].map(name_of), ["team.photo", "logo", "", ""]);
    }
}

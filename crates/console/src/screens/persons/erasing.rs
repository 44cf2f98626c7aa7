//! What data protection asks for: everything about a person as a file, and erasing it for good.

use axum::http::{HeaderValue, header};
use serde_json::json;

use crate::client::Refused;
use crate::notice::with_notice;
use crate::parts::dialog::{Question, question};
use crate::parts::navigation::Area;
use crate::visit::{Drawn, Screen, Visit};

use super::{api_path, name_of, path};

/// Everything that is held about a person.
pub(crate) async fn export(visit: Visit) -> Result<Drawn, Refused> {
    let path = format!("{}/export", api_path(&visit));
    let mut response = visit.api.stream(&path, "application/json").await?;
    let saved = HeaderValue::from_static("attachment; filename=\"person.json\"");
    response.headers_mut().insert(header::CONTENT_DISPOSITION, saved);
    Ok(Drawn::Response(response))
}

/// Asks whether a person is to be erased.
pub(crate) async fn ask(visit: Visit) -> Result<Drawn, Refused> {
    asked(&visit, None).await.map(Drawn::from)
}

async fn asked(visit: &Visit, refused: Option<Refused>) -> Result<Screen, Refused> {
    let person = visit.api.get(&api_path(visit)).await?.body;
    let (name, base) = (name_of(&person), visit.url(&path(visit)));
    let title = visit.words.with("erase-question", &[("name", name.as_str().into())]);
    let (text, yes, action) = (visit.text("erase-text"), visit.text("erase"), format!("{base}/erase"));
    let wrong = visit.text("not-confirmed");
    let error = refused.as_ref().map(|refused| {
        if refused.issues.is_empty() { visit.words.issue(&refused.detail) } else { wrong.clone() }
    });
    let asked = Question {
        title: &title,
        text: &text,
        action: &action,
        values: &[],
        yes: &yes,
        back: &base,
        is_destructive: true,
        typed: Some(&name),
        error: error.as_deref(),
    };
    let main = question(visit.words, &asked);
    Ok(Screen::new(Area::Persons, yes.clone(), main).below(name.clone(), base).refused(refused))
}

/// Has a person erased if what it is called on screens was typed.
pub(crate) async fn erase(visit: Visit) -> Result<Drawn, Refused> {
    let typed = visit.entered.some("confirmation").unwrap_or("-");
    match visit.api.post(&format!("{}/erase", api_path(&visit)), &json!({ "confirmation": typed })).await {
        Ok(_) => Ok(visit.moved(&with_notice("/persons", "person-erased", ""))),
        Err(refused) if refused.status == axum::http::StatusCode::NOT_FOUND => Err(refused),
        Err(refused) => asked(&visit, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

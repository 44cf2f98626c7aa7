//! Audiences of a file of persons: each row finds or makes its person, and makes the person's audience.

use std::fmt::Write as _;
use std::io::Cursor;

use futures_util::{FutureExt, TryFutureExt};
use http_body_util::{BodyExt, Limited};
use pagesmith_model::domain::Domain;
use pagesmith_model::email::EmailAddress;
use pagesmith_model::linkedin::LinkedinProfile;
use pagesmith_model::person::name;
use pagesmith_model::person_import::columns::Unusable;
use pagesmith_model::phone::PhoneNumber;
use pagesmith_operations::persons::import::sheet::Sheet;
use pagesmith_operations::persons::import::{self, Row};
use serde_json::{Value, json};

use super::making::{api_path, form};
use super::many::carry_out;
use crate::client::{Refused, segment};
use crate::json::{count, text};
use crate::parts::field::{Field, Kind};
use crate::screens::knowledge::adding::{missing, uploaded_for_now};
use crate::screens::pages;
use crate::screens::persons::imports::TABLES;
use crate::visit::{Drawn, Screen, Visit};

/// How many rows a file may have.
const MOST: usize = 1_000;
/// How large it may be, in bytes.
const LARGEST: usize = 4 * 1024 * 1024;

/// The form with the file.
pub(crate) async fn new_of_file(visit: Visit) -> Result<Drawn, Refused> {
    screen(&visit, None).await.map(Drawn::from)
}

async fn screen(visit: &Visit, refused: Option<Refused>) -> Result<Screen, Refused> {
    let help = visit.words.with("audiences-of-file-help", &[("most", MOST.into())]);
    let file = Field::new("file", visit.text("file"), Kind::File(TABLES.to_owned())).required().help(help);
    form(visit, "/file", "many-draft", vec![file], refused).await
}

/// Makes an audience for the person of each row. The file is read and removed again.
pub(crate) async fn create_of_file(visit: Visit) -> Result<Drawn, Refused> {
    // Without a page nothing is stored.
    visit.api.get(&pages::api_path(&visit)).await?;
    match rows(&visit).await {
        Ok((names, lines)) => {
            let create = |(line, row)| {
                let made = create_of_row(&visit, &names, row);
                made.map_err(|refused| (line, refused)).boxed()
            };
            carry_out(&visit, "audiences-made", lines.into_iter().map(create).collect()).await
        }
        Err(refused) => screen(&visit, Some(refused.mendable()?)).await.map(Drawn::from),
    }
}

/// Lines, each with its row or why it cannot be taken.
type Lines = Vec<(String, Result<Row, String>)>;

/// The names of the columns and the rows of the file that was sent.
async fn rows(visit: &Visit) -> Result<(Vec<String>, Lines), Refused> {
    let file = uploaded_for_now(visit).await?;
    let path = format!("/v0/files/{}", segment(text(&file, "fileId")));
    let content = if count(&file, "size") > LARGEST as u64 {
        Err(missing("file", &visit.text("audiences-of-file-large")))
    } else {
        content(visit, &format!("{path}/content")).await
    };
    visit.api.delete(&path).await?;
    let refuse = |why: String| missing("file", &why);
    let region = visit.tenant.default_region.clone();
    let mut sheet = Sheet::open(Cursor::new(content?), region).map_err(|why| refuse(why.to_string()))?;
    if sheet.columns().check() == Err(Unusable::NoIdentifier) {
        return Err(refuse(visit.text("audiences-of-file-nobody")));
    }
    let mut lines: Lines = Vec::new();
    while let Some(row) = sheet.next_row().map_err(|why| refuse(why.to_string()))? {
        if lines.len() == MOST {
            let most = [("most", MOST.into())];
            return Err(refuse(visit.words.with("audiences-of-file-many", &most)));
        }
        lines.push((visit.words.with("line-number", &[("line", row.line.into())]), row.row));
    }
    if lines.is_empty() {
        return Err(refuse(visit.text("audiences-of-file-empty")));
    }
    Ok((sheet.columns().names.clone(), lines))
}

async fn content(visit: &Visit, path: &str) -> Result<Vec<u8>, Refused> {
    let body = visit.api.stream(path, "*/*").await?.into_body();
    let whole = Limited::new(body, LARGEST).collect().await;
    Ok(whole.map_err(|_| missing("file", &visit.text("audiences-of-file-large")))?.to_bytes().to_vec())
}

async fn create_of_row(visit: &Visit, names: &[String], row: Result<Row, String>) -> Result<(), Refused> {
    let row = row.map_err(|reason| missing("file", &reason))?;
    let name = name_of(visit, &row).await?;
    let person = person_of(&row, name.as_deref());
    let person = visit.api.post("/v0/persons", &person).await?.body;
    let mut audience = json!({ "personId": person["personId"], "publishBehavior": "draft" });
    let notes = notes_of(names, &row);
    if !notes.is_empty() {
        audience["supplementaryContext"] = json!(notes);
    }
    visit.api.post(&api_path(visit), &audience).await.map(drop)
}

/// The name in a row; without one, the name that the person has, or one after the identifiers.
async fn name_of(visit: &Visit, row: &Row) -> Result<Option<String>, Refused> {
    if row.name.is_some() {
        return Ok(row.name.clone());
    }
    let (ctx, rows) = (visit.context().of(visit.tenant.tenant_id.clone()), [row.clone()]);
    let known = visit.read(move |tx| import::look_up(tx, &ctx, &rows)).await?;
    let ids = &row.identifiers;
    let by_ids = || {
        let (email, profile, phone) = (&ids.email, &ids.linkedin_profile_url, &ids.phone_number);
        name::from_identifiers(email.as_ref(), profile.as_ref(), phone.as_ref())
    };
    Ok(known.into_iter().next().map(|person| person.name).or_else(by_ids))
}

/// The person of a row, as the API takes it.
fn person_of(row: &Row, name: Option<&str>) -> Value {
    let mut person = json!({ "name": name });
    let ids = &row.identifiers;
    let fields = [
        ("email", ids.email.as_ref().map(EmailAddress::as_str)),
        ("linkedinProfileUrl", ids.linkedin_profile_url.as_ref().map(LinkedinProfile::as_str)),
        ("phoneNumber", ids.phone_number.as_ref().map(PhoneNumber::as_str)),
        ("domain", row.domain.as_ref().map(Domain::as_str)),
    ];
    for (field, value) in fields {
        if let Some(value) = value {
            person[field] = json!(value);
        }
    }
    person
}

/// What the other cells of a row say, each under the name of its column.
fn notes_of(names: &[String], row: &Row) -> String {
    let mut notes = String::new();
    for (at, cell) in &row.context {
        let sign = if notes.is_empty() { "" } else { "\n" };
        // Writing to a text does not fail.
        let _ = write!(notes, "{sign}{}: {cell}", names.get(*at).map_or("", String::as_str));
    }
    notes
}

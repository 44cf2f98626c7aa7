//! Floor (b): the least that a durable create can cost. Decode, insert one row, commit, answer.
//!
//! The request is decoded into types, as the service does, and the row has the columns that a page has;
//! but nothing is validated, no key is looked up, there is one table with one index, no counters, no
//! idempotency and no log. How it commits is in `writer.rs`. The service is compared with it where it writes.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path as UrlPath, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{patch, post};
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::floors::listen;
use crate::floors::writer::Queue;

/// The columns of the service's own table, and its key; none of its other indexes and tables.
const SCHEMA: &str = "
    CREATE TABLE pages (
        tenant_id TEXT NOT NULL, page_id TEXT NOT NULL, name TEXT NOT NULL, title TEXT NOT NULL,
        page_context TEXT NOT NULL, page_type TEXT NOT NULL, brand_id TEXT NOT NULL, slug TEXT NOT NULL,
        actions TEXT NOT NULL, action_card_widgets TEXT NOT NULL, scripts TEXT NOT NULL,
        footer_links TEXT NOT NULL, nav_links TEXT NOT NULL, footer_link_block_id TEXT,
        nav_link_block_id TEXT, header_action_id TEXT, metadata TEXT, created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL, archived_at INTEGER, deleted_at INTEGER,
        PRIMARY KEY (tenant_id, page_id)) STRICT";

const INSERT: &str = "
    INSERT INTO pages (tenant_id, page_id, name, title, page_context, page_type, brand_id, slug,
        actions, action_card_widgets, scripts, footer_links, nav_links, metadata, created_at, updated_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, '[]', '[]', ?12, ?13, ?13)";

const UPDATE: &str = "
    UPDATE pages SET name = ?3, updated_at = updated_at + 1 WHERE tenant_id = ?1 AND page_id = ?2
    RETURNING title, brand_id, page_type, page_context, actions, action_card_widgets, scripts, metadata";

const TENANT: &str = "tenant_01jdefault0000000000000000";
/// Both engines store microseconds; a floor needs no clock, only a number of that size.
const SOME_TIME: i64 = 1_780_000_000_000_000;

static NEXT_ID: AtomicU64 = AtomicU64::new(0);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreatePage {
    name: String,
    brand_id: String,
    #[serde(default)]
    page_type: PageType,
    page_context: String,
    actions: Vec<Action>,
    action_card_widgets: Vec<Widget>,
    scripts: Vec<Script>,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UpdatePage {
    name: String,
}

#[derive(Default, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PageType {
    #[default]
    Inbound,
    Outbound,
    CallFollowup,
    SalesDeck,
    Custom,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Action {
    action_type: String,
    purpose: String,
    button_title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    copy_text: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Widget {
    r#type: String,
    title: Option<String>,
    logos: Vec<Logo>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Logo {
    image: Image,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Image {
    alt_text: Option<String>,
    url: Option<String>,
    file_id: Option<String>,
    asset_id: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Script {
    name: String,
    content: String,
    injection_point: String,
    enabled: bool,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Metadata {
    title: Option<String>,
    description: Option<String>,
    keywords: Option<Vec<String>>,
    robots: Option<Vec<String>>,
}

/// The columns of one row, and what an update gives back of it.
struct Row {
    page_id: String,
    name: String,
    title: String,
    slug: String,
    brand_id: String,
    page_type: String,
    page_context: String,
    actions: String,
    action_card_widgets: String,
    scripts: String,
    metadata: String,
}

enum Job {
    Insert(Box<Row>),
    Update { page_id: String, name: String },
}

type Answer = Option<Box<Row>>;

/// Serves `POST /v0/pages` and `PATCH /v0/pages/{page_id}` on `port` until the process is killed.
pub fn serve(port: u16, database: &Path) -> Result<()> {
    let queue = Queue::open(database, SCHEMA, run)?;
    let routes = Router::new()
        .route("/v0/pages", post(create))
        .route("/v0/pages/{page_id}", patch(update))
        .with_state(queue);
    listen(port, routes)
}

async fn create(State(queue): State<Queue<Job, Answer>>, body: Bytes) -> Response {
    let Ok(page) = serde_json::from_slice::<CreatePage>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let Ok(row) = row(page) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    reply(StatusCode::CREATED, queue, Job::Insert(Box::new(row))).await
}

async fn update(
    State(queue): State<Queue<Job, Answer>>,
    UrlPath(page_id): UrlPath<String>,
    body: Bytes,
) -> Response {
    let Ok(UpdatePage { name }) = serde_json::from_slice(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    reply(StatusCode::OK, queue, Job::Update { page_id, name }).await
}

fn row(page: CreatePage) -> serde_json::Result<Row> {
    // Growing ids, as a UUIDv7's are: inserts go to the end of the index.
    let page_id = format!("page_01{:024}", NEXT_ID.fetch_add(1, Ordering::Relaxed));
    Ok(Row {
        title: page.metadata.title.clone().unwrap_or_else(|| page.name.clone()),
        slug: page.name.to_lowercase().replace(' ', "-"),
        page_type: serde_json::to_string(&page.page_type)?.trim_matches('"').to_owned(),
        actions: serde_json::to_string(&page.actions)?,
        action_card_widgets: serde_json::to_string(&page.action_card_widgets)?,
        scripts: serde_json::to_string(&page.scripts)?,
        metadata: serde_json::to_string(&page.metadata)?,
        page_id,
        name: page.name,
        brand_id: page.brand_id,
        page_context: page.page_context,
    })
}

async fn reply(status: StatusCode, queue: Queue<Job, Answer>, job: Job) -> Response {
    match queue.write(job).await {
        Ok(Some(row)) => (status, [(CONTENT_TYPE, "application/json")], render(&row)).into_response(),
        Ok(None) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Err(status) => status.into_response(),
    }
}

/// The answer has about the size of the service's, from the texts as they are stored.
fn render(row: &Row) -> String {
    let text = |value: &str| serde_json::to_string(value).unwrap_or_default();
    format!(
        concat!(
            r#"{{"pageId":"{}","name":{},"title":{},"brandId":{},"pageType":"{}","pageContext":{},"#,
            r#""status":"draft","actions":{},"actionCardWidgets":{},"scripts":{},"metadata":{},"#,
            r#""footerLinkBlockId":null,"footerLinks":[],"navLinkBlockId":null,"navLinks":[],"flags":[],"#,
            r#""audiencesCount":0,"createdAt":"2026-01-01T00:00:00.000Z","#,
            r#""updatedAt":"2026-01-01T00:00:00.000Z","archivedAt":null,"deletedAt":null}}"#,
        ),
        row.page_id,
        text(&row.name),
        text(&row.title),
        text(&row.brand_id),
        row.page_type,
        text(&row.page_context),
        row.actions,
        row.action_card_widgets,
        row.scripts,
        row.metadata,
    )
}

fn run(connection: &Connection, job: Job) -> rusqlite::Result<Answer> {
    match job {
        Job::Insert(row) => {
            connection.prepare_cached(INSERT)?.execute(params![
                TENANT,
                row.page_id,
                row.name,
                row.title,
                row.page_context,
                row.page_type,
                row.brand_id,
                row.slug,
                row.actions,
                row.action_card_widgets,
                row.scripts,
                row.metadata,
                SOME_TIME,
            ])?;
            Ok(Some(row))
        }
        Job::Update { page_id, name } => {
            let mut statement = connection.prepare_cached(UPDATE)?;
            let mut rows = statement.query(params![TENANT, page_id, name])?;
            let Some(found) = rows.next()? else {
                return Ok(None);
            };
            let row = Row {
                title: found.get(0)?,
                brand_id: found.get(1)?,
                page_type: found.get(2)?,
                page_context: found.get(3)?,
                actions: found.get(4)?,
                action_card_widgets: found.get(5)?,
                scripts: found.get(6)?,
                metadata: found.get(7)?,
                slug: String::new(),
                page_id,
                name,
            };
            // To the end of the statement, or it would still be running at COMMIT.
            while rows.next()?.is_some() {}
            Ok(Some(Box::new(row)))
        }
    }
}

//! Floor (c): the least that a durable entry of a person's log can cost. Decode, find or make the person and its account,
//! insert, commit, answer.
//!
//! The lookups and inserts are those that the service cannot do without, on tables with the service's columns and keys; but
//! nothing is validated or normalised, no key is looked up, nothing is counted, nothing is searchable. How it commits is in
//! `writer.rs`.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use rusqlite::{Connection, OptionalExtension as _, params};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::Result;
use crate::floors::listen;
use crate::floors::writer::Queue;

const SCHEMA: &str = "
    CREATE TABLE accounts (
        tenant_id TEXT NOT NULL, account_id TEXT NOT NULL, domain TEXT NOT NULL, created_at INTEGER NOT NULL,
        PRIMARY KEY (tenant_id, account_id), UNIQUE (tenant_id, domain)) STRICT;
    CREATE TABLE persons (
        tenant_id TEXT NOT NULL, person_id TEXT NOT NULL, name TEXT NOT NULL, email TEXT, domain TEXT,
        slug TEXT NOT NULL, phone_number TEXT, linkedin_profile_url TEXT, account_id TEXT,
        created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, deleted_at INTEGER,
        PRIMARY KEY (tenant_id, person_id), UNIQUE (tenant_id, slug)) STRICT;
    CREATE UNIQUE INDEX persons_email ON persons (tenant_id, email) WHERE deleted_at IS NULL;
    CREATE INDEX persons_account ON persons (tenant_id, account_id, person_id) WHERE deleted_at IS NULL;
    CREATE TABLE person_logs (
        tenant_id TEXT NOT NULL, person_id TEXT NOT NULL, person_log_id TEXT NOT NULL, account_id TEXT,
        source TEXT NOT NULL, type TEXT NOT NULL, payload TEXT NOT NULL, created_at INTEGER NOT NULL,
        PRIMARY KEY (tenant_id, person_id, person_log_id)) STRICT, WITHOUT ROWID;
    CREATE INDEX person_logs_account ON person_logs (tenant_id, account_id, person_log_id)";

const FIND: &str = "
    SELECT person_id, account_id FROM persons WHERE tenant_id = ?1 AND email = ?2 AND deleted_at IS NULL";
const FIND_ACCOUNT: &str = "SELECT account_id FROM accounts WHERE tenant_id = ?1 AND domain = ?2";
const MAKE_ACCOUNT: &str =
    "INSERT INTO accounts (tenant_id, account_id, domain, created_at) VALUES (?1, ?2, ?3, ?4)";
const MAKE: &str = "
    INSERT INTO persons (tenant_id, person_id, name, email, domain, slug, account_id, created_at, updated_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)";
const INSERT: &str = "
    INSERT INTO person_logs (tenant_id, person_id, person_log_id, account_id, source, type, payload, created_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

const TENANT: &str = "tenant_01jdefault0000000000000000";
const SOME_TIME: i64 = 1_780_000_000_000_000;

static NEXT_ID: AtomicU64 = AtomicU64::new(0);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    email: String,
    source: String,
    r#type: String,
    payload: Box<RawValue>,
}

struct Answer {
    person_id: String,
    person_log_id: String,
    created_person: bool,
}

/// Serves `POST /v0/person_logs` on `port` until the process is killed.
pub fn serve(port: u16, database: &Path) -> Result<()> {
    let queue = Queue::open(database, SCHEMA, run)?;
    listen(port, Router::new().route("/v0/person_logs", post(create)).with_state(queue))
}

async fn create(State(queue): State<Queue<Entry, Answer>>, body: Bytes) -> Response {
    let Ok(entry) = serde_json::from_slice::<Entry>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let (source, kind) = (entry.source.clone(), entry.r#type.clone());
    match queue.write(entry).await {
        Ok(Answer { person_id, person_log_id, created_person }) => {
            let body = format!(
                concat!(
                    r#"{{"personId":"{}","personLogId":"{}","createdAt":"2026-01-01T00:00:00.000Z","#,
                    r#""createdPerson":{},"source":"{}","type":"{}"}}"#
                ),
                person_id, person_log_id, created_person, source, kind
            );
            (StatusCode::CREATED, [(CONTENT_TYPE, "application/json")], body).into_response()
        }
        Err(status) => status.into_response(),
    }
}

/// Growing ids, as a UUIDv7's are: inserts go to the end of the index.
fn id(prefix: &str) -> String {
    format!("{prefix}_01{:024}", NEXT_ID.fetch_add(1, Ordering::Relaxed))
}

fn run(connection: &Connection, entry: Entry) -> rusqlite::Result<Answer> {
    let Entry { email, source, r#type: kind, payload } = entry;
    let found = connection
        .prepare_cached(FIND)?
        .query_row(params![TENANT, email], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let created_person = found.is_none();
    let (person_id, account_id): (String, Option<String>) = match found {
        Some(found) => found,
        None => make(connection, &email)?,
    };
    let person_log_id = id("personlog");
    connection.prepare_cached(INSERT)?.execute(params![
        TENANT,
        person_id,
        person_log_id,
        account_id,
        source,
        kind,
        payload.get(),
        SOME_TIME
    ])?;
    Ok(Answer { person_id, person_log_id, created_person })
}

fn make(connection: &Connection, email: &str) -> rusqlite::Result<(String, Option<String>)> {
    let (name, domain) = email.split_once('@').unwrap_or((email, ""));
    let account = connection
        .prepare_cached(FIND_ACCOUNT)?
        .query_row(params![TENANT, domain], |row| row.get(0))
        .optional()?;
    let account_id: String = match account {
        Some(account_id) => account_id,
        None => {
            let account_id = id("account");
            connection
                .prepare_cached(MAKE_ACCOUNT)?
                .execute(params![TENANT, account_id, domain, SOME_TIME])?;
            account_id
        }
    };
    let person_id = id("person");
    let values = params![TENANT, person_id, name, email, domain, name, account_id, SOME_TIME];
    connection.prepare_cached(MAKE)?.execute(values)?;
    Ok((person_id, Some(account_id)))
}

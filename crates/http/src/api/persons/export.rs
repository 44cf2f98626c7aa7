//! Everything that is held about a person as one JSON object, read and sent piece by piece.
//!
//! Where it cannot go on the answer breaks off, so that nobody takes a part for the whole. Invariants: each item has the fields of the API's description
//! in the order of their names; the lists come in the order of [`LISTS`].

use axum::body::Body as Payload;
use axum::http::{HeaderValue, Response, header};
use bytes::Bytes;
use futures_util::stream;
use pagesmith_model::{Error, PersonId, Result, TenantId};
use pagesmith_operations::persons::export::pieces::Pieces;
use pagesmith_operations::persons::export::{Beginning, ExportPiece};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::sync::watch;

use crate::counts::Permit;
use crate::description::{Operation, Schemas};
use crate::extract::Call;
use crate::reply::{AnswerContext, IntoAnswer};

/// The lists of the object.
const LISTS: [&str; 7] =
    ["logs", "audiences", "sessions", "submissions", "mentions", "merged", "auditEntries"];
/// The end of an audience without versions, in front of which they are put.
const NO_VERSIONS: &[u8] = b"]}";

/// Any object.
type Object = Map<String, Value>;

/// Everything that is held about a person.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "PersonExport")]
#[schemars(example = json!({
    "tenantId": "tenant_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "person": { "personId": "person_01jpbz8n4xf5k9w2d7hq3mv6ta", "name": "Ada Lovelace" },
    "account": null,
    "logs": [],
    "audiences": [],
    "sessions": [],
    "submissions": [],
    "mentions": [],
    "merged": [],
    "auditEntries": [],
}))]
pub(crate) struct PersonExport {
    /// Id of the tenant.
    tenant_id: String,
    /// The person.
    person: Object,
    /// Account of the person's company.
    account: Option<Object>,
    /// Entries of the log, deleted ones included.
    logs: Vec<Object>,
    /// Audiences of its own with everything that was written for them.
    audiences: Vec<Object>,
    /// Visits that are known to be the person's: the oldest 10,000.
    sessions: Vec<Object>,
    /// What the person has sent with forms: the oldest 10,000.
    submissions: Vec<Object>,
    /// Texts of others that name the person.
    mentions: Vec<Object>,
    /// Persons that were merged into this one, or into such a person.
    merged: Vec<Object>,
    /// Audit entries about the person.
    audit_entries: Vec<Object>,
}

/// An export that is being sent.
pub(crate) struct Export {
    call: Call,
    pieces: Pieces,
    /// What is written of it; nothing once all was sent.
    writing: Option<Writing>,
    /// What is sent next, if that is known already.
    written: Vec<u8>,
    ending: watch::Receiver<bool>,
    /// One of the streams that the tenant may have open.
    _permit: Permit<TenantId>,
}

impl Export {
    /// Begins an export, which the audit notes.
    pub(crate) async fn begin(call: Call, person_id: &PersonId) -> Result<Export> {
        let permit = call.stream_permit()?;
        let (store, ctx) = (&call.state.store, &**call.ctx);
        let (beginning, pieces) = Pieces::begin(store, ctx, Some(&call.ctx.tenant), person_id).await?;
        let (writing, written) = Writing::begin(&beginning)?;
        let ending = call.state.ending.subscribe();
        Ok(Export { call, pieces, writing: Some(writing), written, ending, _permit: permit })
    }

    /// The next bytes; nothing behind the end.
    async fn next(&mut self) -> Result<Option<Bytes>> {
        while let Some(mut writing) = self.writing.take() {
            if *self.ending.borrow() || !self.call.is_still_admitted() {
                return Err(Error::unavailable("The export was ended. Ask again."));
            }
            let mut text = std::mem::take(&mut self.written);
            let Some(piece) = self.pieces.next(&self.call.state.store).await? else {
                writing.end(&mut text);
                return self.call.share().hold(text).map(Some);
            };
            let write = move || {
                writing.write(&mut text, piece)?;
                Ok::<_, Error>((writing, text))
            };
            let tenant = Some(&self.call.ctx.tenant);
            let (writing, text) = self.call.state.offload.run(tenant, write).await??;
            self.writing = Some(writing);
            if !text.is_empty() {
                return self.call.share().hold(text).map(Some);
            }
        }
        Ok(None)
    }
}

impl IntoAnswer for Export {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        operation.success::<PersonExport>(schemas, 200);
    }

    fn into_answer(self, _: &AnswerContext<'_>) -> Result<Response<Payload>> {
        let pieces = stream::try_unfold(self, |mut export| async move {
            Ok::<_, Error>(export.next().await?.map(|bytes| (bytes, export)))
        });
        let mut response = Response::new(Payload::from_stream(pieces));
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Ok(response)
    }
}

/// How far an object is written.
struct Writing {
    /// The list that is open.
    list: usize,
    /// Whether that has items.
    has_items: bool,
    /// Whether the last of them is an audience whose versions may follow, and whether it has any.
    versions: Option<bool>,
}

impl Writing {
    fn begin(beginning: &Beginning) -> Result<(Writing, Vec<u8>)> {
        let mut text = serde_json::to_vec(beginning).map_err(Error::internal)?;
        // The records of it are written as all others are.
        let values: Value = serde_json::from_slice(&text).map_err(Error::internal)?;
        text.clear();
        for (at, name) in ["tenantId", "person", "account"].into_iter().enumerate() {
            text.push(if at == 0 { b'{' } else { b',' });
            text.extend_from_slice(format!("\"{name}\":{}", values[name]).as_bytes());
        }
        text.extend_from_slice(format!(",\"{}\":[", LISTS[0]).as_bytes());
        Ok((Writing { list: 0, has_items: false, versions: None }, text))
    }

    fn write(&mut self, text: &mut Vec<u8>, piece: ExportPiece) -> Result<()> {
        match piece {
            ExportPiece::Logs(items) => self.items(text, 0, items),
            ExportPiece::Audience(audience) => {
                self.items(text, 1, [audience])?;
                // Of its fields that is the last one.
                if !text.ends_with(NO_VERSIONS) {
                    return Err(Error::internal("an audience does not end with its versions"));
                }
                text.truncate(text.len() - NO_VERSIONS.len());
                self.versions = Some(false);
                Ok(())
            }
            ExportPiece::Versions(items) => {
                for item in items {
                    if self.versions.replace(true) == Some(true) {
                        text.push(b',');
                    }
                    write_item(text, &item)?;
                }
                Ok(())
            }
            ExportPiece::Sessions(items) => self.items(text, 2, items),
            ExportPiece::Submissions(items) => self.items(text, 3, items),
            ExportPiece::Mentions(items) => self.items(text, 4, items),
            ExportPiece::Merged(items) => self.items(text, 5, items),
            ExportPiece::AuditEntries(items) => self.items(text, 6, items),
        }
    }

    /// Appends items to a list. If another list is open, it is closed first.
    fn items<T: Serialize>(
        &mut self,
        text: &mut Vec<u8>,
        list: usize,
        items: impl IntoIterator<Item = T>,
    ) -> Result<()> {
        self.go_to(text, list);
        for item in items {
            if std::mem::replace(&mut self.has_items, true) {
                text.push(b',');
            }
            write_item(text, &item)?;
        }
        Ok(())
    }

    fn go_to(&mut self, text: &mut Vec<u8>, list: usize) {
        if self.versions.take().is_some() {
            text.extend_from_slice(NO_VERSIONS);
        }
        while self.list < list {
            self.list += 1;
            self.has_items = false;
            text.extend_from_slice(format!("],\"{}\":[", LISTS[self.list]).as_bytes());
        }
    }

    fn end(&mut self, text: &mut Vec<u8>) {
        self.go_to(text, LISTS.len() - 1);
        text.extend_from_slice(b"]}");
    }
}

/// Writes a record with its fields in the order of their names.
fn write_item(text: &mut Vec<u8>, item: &impl Serialize) -> Result<()> {
    let value = serde_json::to_value(item).map_err(Error::internal)?;
    serde_json::to_writer(text, &value).map_err(Error::internal)
}

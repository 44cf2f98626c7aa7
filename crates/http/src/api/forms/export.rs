//! The submissions of a form as a file.
//!
//! A table has a column for each field that the form has now; what was answered to fields that it had before stands together in one of its
//! own, so that nothing is left out.

use std::collections::BTreeSet;
use std::sync::Arc;

use pagesmith_model::form::submission::Submission;
use pagesmith_model::spreadsheet;
use pagesmith_model::{Error, Result, SubmissionId};
use pagesmith_store::ListPart;
use pagesmith_store::tables::forms::submissions as table;
use serde_json::{Map, Value};

use crate::api::forms::submission_view::SubmissionView;
use crate::extract::Call;
use crate::file_export::{Exported, Format, PIECE, lines_of, table_of};

/// The columns before those of the fields.
const BEFORE: [&str; 8] = [
    "submissionId",
    "submittedAt",
    "status",
    "spamReasons",
    "pageId",
    "audienceId",
    "audienceSessionId",
    "personId",
];
/// The columns behind them.
const BEHIND: [&str; 5] = ["otherInput", "agreements", "utmParameters", "enrichmentStatus", "enrichedData"];

/// A filter of submissions.
pub(crate) struct Selection {
    pub filter: table::SubmissionFilter,
    /// The keys of the fields that the form has now.
    pub keys: Arc<[String]>,
}

impl Exported for Selection {
    const NAME: &'static str = "submissions";
    const CSV_EXAMPLE: &'static str = "submissionId,submittedAt,status,…\n";
    const LINE_EXAMPLE: &'static str = "{\"submissionId\":\"submission_01jpbz8n4xf5k9w2d7hq3mv6ta\",…}\n";
    type Piece = (ListPart<Submission>, Arc<[String]>);
    type After = SubmissionId;

    async fn read(&self, call: &Call, after: Option<SubmissionId>) -> Result<Self::Piece> {
        let filter = self.filter.clone();
        let read = call.read(move |tx, ctx| table::list(tx, &ctx.tenant, &filter, after.as_ref(), PIECE));
        Ok((read.await?.0, Arc::clone(&self.keys)))
    }

    fn last((part, _): &Self::Piece) -> Option<SubmissionId> {
        part.items.last().map(|sent| sent.submission_id.clone()).filter(|_| part.more)
    }

    fn bytes((part, _): &Self::Piece) -> usize {
        part.bytes
    }

    fn written((part, keys): Self::Piece, format: Format, with_heading: bool) -> Result<Vec<u8>> {
        if format == Format::Ndjson {
            return lines_of(part.items.into_iter().map(SubmissionView::from));
        }
        let names: Vec<&str> = keys.iter().map(String::as_str).collect();
        let heading = [BEFORE.as_slice(), &names, &BEHIND].concat();
        let rows: Vec<Vec<String>> =
            part.items.iter().map(|sent| row(sent, &names)).collect::<Result<_>>()?;
        table_of(with_heading.then_some(heading.as_slice()), rows)
    }
}

/// A submission as a row, in the order of the columns.
fn row(sent: &Submission, keys: &[&str]) -> Result<Vec<String>> {
    let input: Map<String, Value> = sent.input.read()?;
    let reasons: Vec<String> = sent.spam_reasons.read()?;
    let known: BTreeSet<&str> = keys.iter().copied().collect();
    let others: Map<String, Value> = input
        .iter()
        .filter(|(key, _)| !known.contains(key.as_str()))
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect();
    let enrichment = sent.enrichment.as_ref();
    let mut cells = vec![
        sent.submission_id.to_string(),
        sent.submitted_at.to_string(),
        if sent.is_spam { "spam" } else { "accepted" }.to_owned(),
        reasons.join("; "),
        sent.page_id.to_string(),
        sent.audience_id.to_string(),
        sent.session_id.clone().unwrap_or_default(),
        sent.person_id.as_ref().map(ToString::to_string).unwrap_or_default(),
    ];
    cells.extend(keys.iter().map(|key| input.get(*key).map(cell).unwrap_or_default()));
    cells.extend([
        if others.is_empty() {
            String::new()
        } else {
            serde_json::to_string(&others).map_err(Error::internal)?
        },
        filled(sent.agreements.as_str(), "[]"),
        filled(sent.utm_parameters.as_str(), "{}"),
        enrichment.map(|enrichment| enrichment.status.as_str().to_owned()).unwrap_or_default(),
        enrichment
            .and_then(|enrichment| enrichment.data.as_ref())
            .map(|data| data.as_str().to_owned())
            .unwrap_or_default(),
    ]);
    Ok(cells.into_iter().map(|cell| spreadsheet::guarded(&cell).into_owned()).collect())
}

/// A JSON text, or nothing if it says nothing.
fn filled(text: &str, nothing: &str) -> String {
    if text == nothing { String::new() } else { text.to_owned() }
}

/// An answer as a person reads it.
fn cell(answer: &Value) -> String {
    match answer {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(agreed) => if *agreed { "yes" } else { "no" }.to_owned(),
        Value::Object(file) => file.get("name").map(cell).unwrap_or_default(),
        Value::Array(chosen) => chosen.iter().map(cell).collect::<Vec<_>>().join("; "),
        other => other.to_string(),
    }
}

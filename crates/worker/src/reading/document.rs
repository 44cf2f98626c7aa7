//! What a file says: its text as the process that reads documents tells it, and a summary.

use pagesmith_documents::{KEPT, Kind, LARGEST, Refusal};
use pagesmith_knowledge_index::text::summary;
use pagesmith_model::TenantId;
use pagesmith_model::file::File;
use pagesmith_model::topic::entry::ExtractedFields;
use pagesmith_operations::topics::readings::Facts;

use crate::tools::Tools;
use crate::tools::reading::problem::Problem;

/// How many characters a title has at most.
const LONGEST_TITLE: usize = 1_000;

/// Reads a file.
pub(super) async fn facts(tools: &Tools, tenant: &TenantId, file: &File) -> Result<Facts, Problem> {
    let Some(kind) = Kind::of(&file.content_type, file.name.extension().as_deref()) else {
        let reason = format!(
            "Files of the type {} are not read: PDF, DOCX, PPTX, HTML, Markdown, plain text and CSV are.",
            file.content_type
        );
        return Err(Problem::permanent(reason));
    };
    if file.size > u64::try_from(LARGEST).unwrap_or(u64::MAX) {
        return Err(Problem::permanent(Refusal::Large.reason("file")));
    }
    let bytes = tools.files.read(tenant, &file.content_id, 0..file.size).await;
    let bytes = bytes.map_err(|error| {
        tracing::warn!(%error, file = file.file_id.as_str(), "the bytes of a file could not be read");
        Problem::passing("The storage of files could not be read.")
    })?;
    let read = tools.reading.documents.read(kind, bytes).await;
    let document = read
        .map_err(|unread| Problem { may_pass: unread.may_pass(), ..Problem::permanent(unread.reason()) })?;
    // What the process says is bounded here once more: it has read what a stranger wrote.
    let text: String = document.text.replace('\0', "").chars().take(KEPT).collect();
    if text.trim().is_empty() {
        return Err(Problem::permanent(Refusal::Empty.reason("file")));
    }
    let title = document.title.map(|title| title.replace('\0', "").chars().take(LONGEST_TITLE).collect());
    let summing = tokio::task::spawn_blocking(move || (summary(&text), text)).await;
    let (ai_summary, text) = summing.map_err(|_| Problem::permanent(Refusal::Broken.reason("file")))?;
    let file_name = Some(file.name.as_str().to_owned());
    Ok(Facts {
        found: ExtractedFields { name: title, file_name, ai_summary, ..ExtractedFields::default() },
        text,
        ..Facts::default()
    })
}

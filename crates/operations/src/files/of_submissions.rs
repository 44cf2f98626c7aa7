//! Files that visitors send with forms: they become files of the tenant, belong to their submission, and go with it.

use pagesmith_model::form::field::{FieldKind, FormField};
use pagesmith_model::form::submission::Submission;
use pagesmith_model::json::JsonText;
use pagesmith_model::{FileId, Kind, PersonId, Result, SubmissionId};
use pagesmith_store::Tx;
use pagesmith_store::tables::forms::{submission_files, submissions};
use serde_json::{Map, Value, json};

use crate::context::TenantContext;
use crate::files::{self, StoredBytes};
use crate::precondition::Precondition;

/// What was sent, with the name of a file as the answer to its field; a text in its place is no answer.
pub(crate) fn as_answers(
    fields: &[FormField],
    texts: &[(String, String)],
    sent: &[(String, StoredBytes)],
) -> Vec<(String, String)> {
    let takes_file = |key: &str| fields.iter().any(|field| field.key == key && field.kind == FieldKind::File);
    let texts = texts.iter().filter(|(key, _)| !takes_file(key)).cloned();
    let names = sent.iter().filter(|(key, _)| takes_file(key));
    texts.chain(names.map(|(key, file)| (key.clone(), file.name.as_str().to_owned()))).collect()
}

/// Makes files of what was sent, of which the tenant may have `quota` bytes in all, and names them in the submission, which is in its table.
pub(crate) fn keep(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (sent, quota): (&[(String, StoredBytes)], u64),
    fields: &[FormField],
    submission: &mut Submission,
) -> Result<()> {
    let mut input: Map<String, Value> = submission.input.read()?;
    let mut is_changed = false;
    for field in fields.iter().filter(|field| field.kind == FieldKind::File) {
        let stored = sent.iter().find(|(key, _)| *key == field.key);
        let (Some((_, stored)), Some(answer)) = (stored, input.get_mut(&field.key)) else { continue };
        let file = files::create(tx, ctx, stored, quota)?;
        *answer = json!({
            "fileId": file.file_id,
            "name": file.name.as_str(),
            "contentType": file.content_type,
            "size": file.size,
        });
        tx.run(submission_files::insert(&ctx.tenant, &file.file_id, &submission.submission_id))?;
        is_changed = true;
    }
    if is_changed {
        submission.input = JsonText::of(&input)?;
        tx.run(submissions::set_input(&ctx.tenant, submission))?;
    }
    Ok(())
}

/// Removes the files of a submission, but for those that something else uses by now.
pub(crate) fn remove(tx: &mut Tx<'_>, ctx: &TenantContext, id: &SubmissionId) -> Result<()> {
    let of_submission = submission_files::of_submission(tx, &ctx.tenant, id)?;
    remove_all(tx, ctx, of_submission)
}

/// The same for all submissions of a person.
pub(crate) fn remove_of_person(tx: &mut Tx<'_>, ctx: &TenantContext, person_id: &PersonId) -> Result<()> {
    let of_person = submission_files::of_person(tx, &ctx.tenant, person_id)?;
    remove_all(tx, ctx, of_person)
}

fn remove_all(tx: &mut Tx<'_>, ctx: &TenantContext, ids: Vec<FileId>) -> Result<()> {
    for id in ids {
        tx.run(submission_files::remove(&ctx.tenant, &id))?;
        match files::delete(tx, ctx, &id, &Precondition::Unconditional) {
            Ok(()) => {}
            Err(error) if matches!(error.kind(), Kind::Conflict(_) | Kind::NotFound) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

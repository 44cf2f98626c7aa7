//! The operations on forms and on what visitors send with them. Ours, beyond the contract.

use pagesmith_endpoint::endpoint;
use pagesmith_model::form::{FormPatch, NewForm};
use pagesmith_model::{FormId, Result, SubmissionId};
use pagesmith_operations::forms::{self, submissions};
use pagesmith_store::tables;
use pagesmith_store::tables::forms::submissions::SubmissionFilter;
use serde_json::{Value, json};

use crate::api::forms::export::Selection;
use crate::api::forms::submission_view::{SubmissionPatch, SubmissionView};
use crate::api::forms::view::FormView;
use crate::collection::Collection;
use crate::extract::query::{self, FromQuery, Parameter, Parameters};
use crate::extract::{Body, Call, Findings, IdempotencyKey, IfMatch, Paging, Path, Query};
use crate::file_export::{Export, Format};
use crate::reply::{DONE, Reply, Single, Success};

pub(crate) mod export;
pub(crate) mod hook;
pub(crate) mod submission_view;
pub(crate) mod view;

/// Lists the forms of the tenant, newest first.
///
/// A tenant has at most 500 forms. Deleted ones are not listed.
#[endpoint]
pub(crate) async fn list_forms(call: Call, paging: Paging) -> Result<Reply<Collection<FormView>>> {
    let list = paging.keyset(&call, "forms", &[])?;
    let found =
        list.read(&call, move |tx, ctx, after, extent| tables::forms::list(tx, &ctx.tenant, after, extent));
    list.answer(&call, found.await?, |form| form.form_id.clone(), FormView::from).await
}

/// Creates a form.
///
/// An action of a page shows the form by its `formId`. The key of a field is its name in submissions. The first e-mail field
/// sets the e-mail address of the person and the first phone field the phone number, unless `personField` says otherwise. A
/// tenant may have 500 forms, deleted ones included; one more fails with 409.
#[endpoint]
pub(crate) async fn create_form(
    call: Call,
    key: IdempotencyKey,
    Body(new): Body<NewForm>,
) -> Result<Reply<FormView, 201>> {
    call.change_once(key, move |tx, ctx| forms::create(tx, ctx, &new).map(FormView::from)).await
}

/// Returns a form.
///
/// Its `ETag` is what `If-Match` takes in a change of the form.
#[endpoint]
pub(crate) async fn get_form(call: Call, Path(form_id): Path<FormId>) -> Result<Single<FormView>> {
    let form = call.single_read(move |tx, ctx| forms::find(tx, ctx, &form_id)).await?;
    Ok(Single(FormView::from(form)))
}

/// Changes the given fields of a form.
///
/// Hosted pages show the changed form within a second. `fields` and `afterSubmission` are replaced whole. Each change of
/// `fields` raises `revision`. What was sent before keeps the answers and the wording that was agreed to.
#[endpoint]
pub(crate) async fn update_form(
    call: Call,
    Path(form_id): Path<FormId>,
    if_match: IfMatch,
    Body(patch): Body<FormPatch>,
) -> Result<Reply<FormView>> {
    let precondition = if_match.of(&call, &form_id, forms::find, FormView::from).await?;
    call.change(move |tx, ctx| forms::update(tx, ctx, &form_id, &patch, &precondition).map(FormView::from))
        .await
}

/// Deletes a form. Its submissions stay.
///
/// Pages that name it show a plain contact form of name, e-mail address and message until it is restored. Deleting it again
/// changes nothing.
#[endpoint]
pub(crate) async fn delete_form(
    call: Call,
    Path(form_id): Path<FormId>,
    if_match: IfMatch,
) -> Result<Reply<Success>> {
    let precondition = if_match.of(&call, &form_id, forms::find, FormView::from).await?;
    call.change(move |tx, ctx| forms::delete(tx, ctx, &form_id, &precondition).map(|()| DONE)).await
}

/// Restores a deleted form.
///
/// Pages that name it show it again. Restoring a form that is not deleted changes nothing.
#[endpoint]
pub(crate) async fn restore_form(
    call: Call,
    Path(form_id): Path<FormId>,
    key: IdempotencyKey,
) -> Result<Reply<Success>> {
    call.change_once(key, move |tx, ctx| forms::restore(tx, ctx, &form_id).map(|()| DONE)).await
}

const STATUS: Parameter = Parameter {
    name: "status",
    description: "`accepted` or `spam`: only these are listed. Left out, both are.",
    example: "spam",
};

fn is_spam(parameters: &Parameters, findings: &mut Findings) -> Option<bool> {
    parameters.one("status", findings);
    let read = |text: &str| match text {
        "accepted" => Some(false),
        "spam" => Some(true),
        _ => None,
    };
    query::one(parameters, "status", "accepted or spam", read, findings)
}

/// Which submissions of a form are listed.
pub(crate) struct OfStatus(Option<bool>);

impl FromQuery for OfStatus {
    const PARAMETERS: &'static [Parameter] = &[STATUS];

    fn schema(_: &str) -> Value {
        json!({ "type": "string", "enum": ["accepted", "spam"] })
    }

    fn read(parameters: &Parameters, findings: &mut Findings) -> OfStatus {
        OfStatus(is_spam(parameters, findings))
    }
}

/// The text of a status.
fn status_of(is_spam: Option<bool>) -> &'static str {
    match is_spam {
        None => "",
        Some(true) => "spam",
        Some(false) => "accepted",
    }
}

async fn list(
    call: &Call,
    paging: Paging,
    (collection, filter): (&'static str, SubmissionFilter),
) -> Result<Reply<Collection<SubmissionView>>> {
    let parameters =
        [("formId", filter.form_id.as_deref().unwrap_or_default()), ("status", status_of(filter.is_spam))];
    let list = paging.keyset(call, collection, &parameters)?;
    let found = list.read(call, move |tx, ctx, after, extent| {
        tables::forms::submissions::list(tx, &ctx.tenant, &filter, after, extent)
    });
    list.answer(call, found.await?, |sent| sent.submission_id.clone(), SubmissionView::from).await
}

/// Lists the submissions of a form, newest first.
///
/// Suspicious submissions are listed as well, with the status `spam` and the reasons; no event was sent for them. The submissions
/// of a deleted form are still listed.
#[endpoint]
pub(crate) async fn list_form_submissions(
    call: Call,
    Path(form_id): Path<FormId>,
    paging: Paging,
    Query(OfStatus(is_spam)): Query<OfStatus>,
) -> Result<Reply<Collection<SubmissionView>>> {
    let known = form_id.clone();
    call.read(move |tx, ctx| forms::find_any(tx, ctx, &known)).await?;
    list(
        &call,
        paging,
        ("forms/submissions", SubmissionFilter { form_id: Some(form_id.into_string()), is_spam }),
    )
    .await
}

/// Exports the submissions of a form, newest first.
///
/// A table has a column for each field of the form as it is now; answers to earlier fields are in `otherInput` as JSON. The
/// response is streamed, so there is no limit to the number of submissions. In CSV, a text that a spreadsheet would run as a
/// formula has an apostrophe in front. If the export fails midway, the response ends without its terminator, which HTTP clients
/// report as an error.
#[endpoint]
pub(crate) async fn export_form_submissions(
    call: Call,
    Path(form_id): Path<FormId>,
    Query(OfStatus(is_spam)): Query<OfStatus>,
    Query(format): Query<Format>,
) -> Result<Export<Selection>> {
    let known = form_id.clone();
    let form = call.read(move |tx, ctx| forms::find_any(tx, ctx, &known)).await?;
    let keys = form.content.fields.into_iter().map(|field| field.key).collect();
    let filter = SubmissionFilter { form_id: Some(form_id.into_string()), is_spam };
    Export::begin(call, Selection { filter, keys }, format).await
}

/// Lists the submissions of all forms, newest first.
///
/// Submissions of the plain contact form are included. Pages show it if an action names a form that does not exist; the
/// `formId` is the one that the action names.
#[endpoint]
pub(crate) async fn list_submissions(
    call: Call,
    paging: Paging,
    Query(OfStatus(is_spam)): Query<OfStatus>,
) -> Result<Reply<Collection<SubmissionView>>> {
    list(&call, paging, ("form_submissions", SubmissionFilter { form_id: None, is_spam })).await
}

/// Returns a submission.
///
/// `agreements` has the words of each consent as they were shown.
#[endpoint]
pub(crate) async fn get_submission(
    call: Call,
    Path(id): Path<SubmissionId>,
) -> Result<Single<SubmissionView>> {
    let submission = call.single_read(move |tx, ctx| submissions::find(tx, ctx, &id)).await?;
    Ok(Single(SubmissionView::from(submission)))
}

/// Marks a submission as spam, or releases it.
///
/// Releasing one that was quarantined when it came does what accepting does: the person is found or created, the log gets an
/// entry, and `form.submitted` is sent. That happens once. Marking an accepted submission as spam takes nothing of it back.
#[endpoint]
pub(crate) async fn update_submission(
    call: Call,
    Path(id): Path<SubmissionId>,
    Body(patch): Body<SubmissionPatch>,
) -> Result<Reply<SubmissionView>> {
    let is_spam = patch.is_spam();
    call.change(move |tx, ctx| submissions::judge(tx, ctx, &id, is_spam).map(SubmissionView::from)).await
}

/// Deletes a submission for good.
///
/// The person and the log entry that came of it stay. A deleted submission cannot be restored.
#[endpoint]
pub(crate) async fn delete_submission(call: Call, Path(id): Path<SubmissionId>) -> Result<Reply<Success>> {
    call.change(move |tx, ctx| submissions::delete(tx, ctx, &id).map(|()| DONE)).await
}

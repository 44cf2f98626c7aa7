//! What a visitor did in a session, step by step.

use pagesmith_endpoint::endpoint;
use pagesmith_model::{AudienceSessionId, PageId, Result, SubmissionId, Timestamp};
use pagesmith_operations::visits::analytics::{self, Step};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::extract::{Call, Path};
use crate::reply::Single;

/// What a visitor did.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum StepType {
    View,
    Action,
    Answer,
    Form,
}

/// Something that a visitor did.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, inline)]
pub(crate) struct SessionStep {
    /// `view` if the page was opened, `action` if an action was used, `answer` if something was answered or asked, `form` if a form was sent.
    #[serde(rename = "type")]
    step_type: StepType,
    /// When the report of it came.
    at: Timestamp,
    /// Path at which the page was opened again. Null for the first time, and for other types.
    path: Option<String>,
    /// Id of the action.
    action_id: Option<String>,
    /// What the action's button said, or the question.
    label: Option<String>,
    /// What was answered.
    response_text: Option<String>,
    /// Id of the form, as the page names it.
    form_id: Option<String>,
    /// Id of the submission of the form.
    form_submission_id: Option<SubmissionId>,
}

impl SessionStep {
    fn of((at, step): (Timestamp, Step)) -> SessionStep {
        let bare = SessionStep {
            step_type: StepType::View,
            at,
            path: None,
            action_id: None,
            label: None,
            response_text: None,
            form_id: None,
            form_submission_id: None,
        };
        match step {
            Step::View(path) => SessionStep { path, ..bare },
            Step::Action(id, label) => {
                SessionStep { step_type: StepType::Action, action_id: Some(id), label: Some(label), ..bare }
            }
            Step::Answer(answer) => SessionStep {
                step_type: StepType::Answer,
                label: Some(answer.label),
                response_text: Some(answer.response_text),
                ..bare
            },
            Step::Form(form_id, submission_id) => SessionStep {
                step_type: StepType::Form,
                form_id: Some(form_id),
                form_submission_id: Some(submission_id),
                ..bare
            },
        }
    }
}

/// What a visitor did in a session.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
#[schemars(example = json!({
    "items": [
        {
            "type": "view", "at": "2026-03-20T09:30:00.000Z", "path": null, "actionId": null, "label": null, "responseText": null,
            "formId": null, "formSubmissionId": null,
        },
        {
            "type": "action", "at": "2026-03-20T09:30:40.000Z", "path": null, "actionId": "book", "label": "Book a demo",
            "responseText": null, "formId": null, "formSubmissionId": null,
        },
    ],
}))]
pub(crate) struct SessionSteps {
    /// The steps, in order.
    items: Vec<SessionStep>,
}

/// Returns what a visitor did in a session, step by step.
///
/// The first step is the page view with which the session began. Page views, actions and answers have the time at which the report of them
/// came, up to five minutes later. Sessions that began before steps were recorded have no further page views and no actions. At most 1,000 steps
/// besides the first view and the form are answered.
#[endpoint]
pub(crate) async fn get_audience_session_steps(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(id): Path<AudienceSessionId>,
) -> Result<Single<SessionSteps>> {
    let steps = call.read(move |tx, ctx| analytics::steps(tx, ctx, &page_id, &id)).await?;
    Ok(Single(SessionSteps { items: steps.into_iter().map(SessionStep::of).collect() }))
}

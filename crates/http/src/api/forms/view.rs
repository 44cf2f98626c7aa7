//! A form as answers show it.

use pagesmith_model::example::example;
use pagesmith_model::form::field::FormField;
use pagesmith_model::form::{AfterSubmission, Form, SpamFilter};
use pagesmith_model::{FormId, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::collection::CollectionItem;

/// A form that pages show.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Form", deny_unknown_fields)]
#[schemars(example = json!({
    "formId": "form_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "name": "Book a demo",
    "title": null,
    "instructions": null,
    "submitLabel": null,
    "fields": [example::<FormField>()],
    "afterSubmission": example::<AfterSubmission>(),
    "spamFilter": "standard",
    "revision": 1,
    "createdAt": "2026-03-20T09:30:00.000Z",
    "updatedAt": "2026-03-21T14:05:12.480Z",
}))]
pub(crate) struct FormView {
    /// Id of the form.
    form_id: FormId,
    /// Name of the form. Visitors do not see it.
    name: String,
    /// Heading above the form. Null: the text of the button that opens it.
    title: Option<String>,
    /// Text above the fields.
    instructions: Option<String>,
    /// Text of the button that sends the form. Null: a word in the language of the page.
    submit_label: Option<String>,
    /// Fields, in order.
    fields: Vec<FormField>,
    /// What a visitor sees after a submission.
    after_submission: AfterSubmission,
    /// How submissions are judged.
    spam_filter: SpamFilter,
    /// Raised with every change of the fields.
    #[schemars(with = "f64")]
    revision: i64,
    /// When the form was created.
    created_at: Timestamp,
    /// When the form was last changed.
    updated_at: Timestamp,
}

impl From<Form> for FormView {
    fn from(form: Form) -> FormView {
        FormView {
            form_id: form.form_id,
            name: form.name,
            title: form.content.title,
            instructions: form.content.instructions,
            submit_label: form.content.submit_label,
            fields: form.content.fields,
            after_submission: form.content.after_submission,
            spam_filter: form.content.spam_filter,
            revision: form.revision,
            created_at: form.created_at,
            updated_at: form.updated_at,
        }
    }
}

impl CollectionItem for FormView {
    const COLLECTION: &str = "A part of the list of forms.";
}

//! Forms: what visitors of pages can fill in and send.
//!
//! An action of a page names its form by id. An id that names none shows a plain contact form ([`FormContent::contact`]), so that no button of a
//! page leads nowhere. What is sent is checked against the fields ([`answers`]), judged ([`spam`]) and kept ([`submission`]).

pub mod answers;
pub mod enrichment;
pub mod field;
pub mod spam;
pub mod submission;
pub mod token;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::bounds::{NameUpTo, Text, Title};
use crate::content::address;
use crate::example::example;
use crate::form::field::{FieldKind, FormField, MOST_FIELDS, check_fields};
use crate::id::FormId;
use crate::issue::{Issue, IssueCode};
use crate::json::given;
use crate::time::Timestamp;

/// The most forms of a tenant, those that are deleted included.
pub const MOST_FORMS: u64 = 500;

/// How what is sent is judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum SpamFilter {
    /// Nothing is quarantined.
    Off,
    /// Suspicious submissions are quarantined.
    #[default]
    Standard,
    /// Slightly suspicious ones as well.
    Strict,
}

/// What a visitor sees after a submission.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "message": "Thank you. We will call you within a day." }))]
pub struct AfterSubmission {
    /// Text that thanks the visitor. Left out, it is a short one in the language of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub message: Option<String>,
    /// Address that the visitor is led to: an absolute URL, or a path of the site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 2048))]
    pub redirect_url: Option<String>,
    /// Id of an action of the page that is offered next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub next_action_id: Option<String>,
}

/// What a form says and asks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FormContent {
    /// Its heading; without one, the button's text.
    pub title: Option<String>,
    /// What is above the fields.
    pub instructions: Option<String>,
    /// The text of the button that sends it.
    pub submit_label: Option<String>,
    /// Its fields, in order.
    pub fields: Vec<FormField>,
    /// What follows.
    pub after_submission: AfterSubmission,
    /// How what is sent is judged.
    pub spam_filter: SpamFilter,
}

/// A form as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    /// Its id.
    pub form_id: FormId,
    /// What its owner calls it; visitors never see it.
    pub name: String,
    /// What it says and asks.
    pub content: FormContent,
    /// Raised whenever its fields change, so that a consent tells which wording it was given to.
    pub revision: i64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// When it was deleted.
    pub deleted_at: Option<Timestamp>,
}

/// A form to be created.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CreateFormRequest")]
#[schemars(example = json!({
    "name": "Book a demo",
    "fields": [
        { "key": "name", "kind": "text", "label": "Name", "personField": "name" },
        { "key": "email", "kind": "email", "label": "Work e-mail", "required": true },
        { "key": "agree", "kind": "consent", "label": "I agree to be called about Acme.", "required": true },
    ],
    "afterSubmission": example::<AfterSubmission>(),
}))]
pub struct NewForm {
    /// Name of the form. Visitors do not see it.
    #[schemars(with = "NameUpTo<200>")]
    pub name: String,
    /// Heading above the form. Left out or null, it is the text of the button that opens it.
    #[serde(default)]
    #[schemars(with = "Option<Title>")]
    pub title: Option<String>,
    /// Text above the fields. The `formInstructions` of an action win over it.
    #[serde(default)]
    #[schemars(with = "Option<Text>")]
    pub instructions: Option<String>,
    /// Text of the button that sends the form. Left out or null, it is a word in the language of the page.
    #[serde(default)]
    #[schemars(with = "Option<Title>")]
    pub submit_label: Option<String>,
    /// Fields, in order: at least one and at most 50.
    #[schemars(length(min = 1, max = 50))]
    pub fields: Vec<FormField>,
    /// What a visitor sees after a submission.
    #[serde(default)]
    pub after_submission: AfterSubmission,
    /// How submissions are judged: `off`, `standard` or `strict`. Suspicious ones are quarantined, never deleted.
    #[serde(default)]
    pub spam_filter: SpamFilter,
}

/// Changes of a form. `fields` and `afterSubmission` are replaced whole.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UpdateFormRequest")]
#[schemars(example = json!({ "submitLabel": "Send", "spamFilter": "strict" }))]
pub struct FormPatch {
    /// Name of the form.
    #[serde(default)]
    #[schemars(with = "NameUpTo<200>")]
    pub name: Option<String>,
    /// Heading above the form; null takes the text of the button.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Option<Title>")]
    pub title: Option<Option<String>>,
    /// Text above the fields.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Option<Text>")]
    pub instructions: Option<Option<String>>,
    /// Text of the button that sends the form.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Option<Title>")]
    pub submit_label: Option<Option<String>>,
    /// Fields, in order, in place of all fields.
    #[serde(default)]
    #[schemars(with = "Vec<FormField>", length(min = 1, max = 50))]
    pub fields: Option<Vec<FormField>>,
    /// What a visitor sees after a submission.
    #[serde(default)]
    #[schemars(with = "AfterSubmission")]
    pub after_submission: Option<AfterSubmission>,
    /// How submissions are judged.
    #[serde(default)]
    #[schemars(with = "SpamFilter")]
    pub spam_filter: Option<SpamFilter>,
}

impl NewForm {
    /// What it says and asks; issues if it cannot be shown.
    pub fn content(self) -> Result<(String, FormContent), Vec<Issue>> {
        let NewForm { name, title, instructions, submit_label, fields, after_submission, spam_filter } = self;
        let content =
            FormContent { title, instructions, submit_label, fields, after_submission, spam_filter };
        let issues = content.issues();
        if issues.is_empty() { Ok((name, content)) } else { Err(issues) }
    }
}

impl FormPatch {
    /// The form with the changes; issues if it could not be shown.
    pub fn applied(&self, before: &Form, now: Timestamp) -> Result<Form, Vec<Issue>> {
        let mut form = before.clone();
        let content = &mut form.content;
        if let Some(name) = &self.name {
            form.name.clone_from(name);
        }
        for (given, kept) in [
            (&self.title, &mut content.title),
            (&self.instructions, &mut content.instructions),
            (&self.submit_label, &mut content.submit_label),
        ] {
            if let Some(given) = given {
                kept.clone_from(given);
            }
        }
        if let Some(fields) = &self.fields {
            content.fields.clone_from(fields);
        }
        if let Some(after) = &self.after_submission {
            content.after_submission = after.clone();
        }
        content.spam_filter = self.spam_filter.unwrap_or(content.spam_filter);
        let issues = content.issues();
        if !issues.is_empty() {
            return Err(issues);
        }
        if form != *before {
            form.updated_at = now;
            form.revision += i64::from(form.content.fields != before.content.fields);
        }
        Ok(form)
    }
}

impl FormContent {
    fn issues(&self) -> Vec<Issue> {
        let mut issues = check_fields(&self.fields);
        let after = &self.after_submission;
        if after.redirect_url.as_deref().is_some_and(|url| !address::is_linked(url)) {
            issues.push(Issue::body(
                IssueCode::InvalidFormat,
                &["afterSubmission", "redirectUrl"],
                "afterSubmission.redirectUrl: is no address that a page may link to.",
            ));
        }
        if after.redirect_url.is_some() && after.next_action_id.is_some() {
            issues.push(Issue::body(
                IssueCode::InvalidValue,
                &["afterSubmission"],
                "afterSubmission: a visitor is led to redirectUrl or offered nextActionId, not both.",
            ));
        }
        issues
    }

    /// The form that is shown where a page names one that is not there: its labels are the page's to say.
    pub fn contact([name, email, message]: [&str; 3]) -> FormContent {
        let field = |key: &str, kind: FieldKind, label: &str, required: bool| FormField {
            key: key.to_owned(),
            label: label.to_owned(),
            required,
            ..FormField::of(kind)
        };
        FormContent {
            fields: vec![
                FormField {
                    person_field: Some(field::PersonField::Name),
                    ..field("name", FieldKind::Text, name, true)
                },
                field("email", FieldKind::Email, email, true),
                field("message", FieldKind::LongText, message, false),
            ],
            ..FormContent::default()
        }
    }
}

const _: () = assert!(MOST_FIELDS == 50, "the documentation of `fields` says so");

#[cfg(test)]
mod tests {
    use super::*;

    fn form(fields: &serde_json::Value) -> Result<(String, FormContent), Vec<Issue>> {
        let new: NewForm =
            serde_json::from_value(json!({ "name": "Demo", "fields": fields })).expect("a form");
        new.content()
    }

    #[test]
    fn a_changed_wording_raises_the_revision_and_nothing_else_does() {
        let (name, content) = form(&json!([{ "key": "a", "kind": "text", "label": "A" }])).unwrap();
        let now = Timestamp::from_micros(5);
        let before = Form {
            form_id: FormId::parse("form_00000000000000000000000000").unwrap(),
            name,
            content,
            revision: 1,
            created_at: now,
            updated_at: now,
            deleted_at: None,
        };
        let later = Timestamp::from_micros(9);
        let patch = |value: serde_json::Value| serde_json::from_value::<FormPatch>(value).unwrap();
        let same = patch(json!({ "name": "Demo", "title": null })).applied(&before, later).unwrap();
        assert_eq!(same, before);
        let renamed = patch(json!({ "name": "Other" })).applied(&before, later).unwrap();
        assert_eq!((renamed.revision, renamed.updated_at), (1, later));
        let fields = json!({ "fields": [{ "key": "a", "kind": "consent", "label": "I agree" }] });
        assert_eq!(patch(fields).applied(&before, later).unwrap().revision, 2);
        let bad = patch(json!({ "afterSubmission": { "redirectUrl": "javascript:alert(1)" } }));
        assert_eq!(bad.applied(&before, later).unwrap_err()[0].code, IssueCode::InvalidFormat);
    }
}

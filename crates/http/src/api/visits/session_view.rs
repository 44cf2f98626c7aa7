//! Sessions, and what was answered in them, as answers show them.

use std::borrow::Cow;

use pagesmith_model::spreadsheet;
use pagesmith_model::visit::session::{FormSubmitted, Interaction, Session};
use pagesmith_model::{AnalyticsSessionId, AudienceId, AudienceSessionId, PageId, Timestamp};
use pagesmith_operations::visits::analytics::SessionPage;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::api::visits::view::Number;
use crate::collection::CollectionItem;
use crate::extract::Call;
use crate::hosts::canonical_address;

/// Milliseconds as seconds.
#[expect(clippy::cast_precision_loss, reason = "milliseconds of a session are far below 2^53")]
fn seconds(millis: i64) -> Number {
    Number(millis as f64 / 1_000.0)
}

/// A visit to an audience of a page.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AudienceSession", deny_unknown_fields)]
#[schemars(example = json!({
    "audienceSessionId": "session_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "analyticsSessionId": "analyticssession_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "audienceId": "audience_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "pageId": "page_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "pageTitle": "Forecasts for every team",
    "pageUrl": "https://acme.pages.example.com/forecasts",
    "computationStatus": "completed",
    "sessionStartedAt": "2026-03-20T09:30:00.000Z",
    "sessionEndedAt": "2026-03-20T09:31:10.000Z",
    "timeSpentSeconds": 41.5,
    "maxScrollDepthPercentage": 80,
    "totalClicksCount": 2,
    "questionsAskedCount": 0,
    "isBounce": false,
    "hasConversion": true,
    "hasFormSubmit": false,
    "formSubmissionId": null,
    "formSubmissionIdentifier": null,
    "formSubmissionIdentifierType": null,
    "formSubmissionEmail": null,
    "formSubmissionPhone": null,
    "utmSource": "newsletter",
    "utmMedium": "email",
    "utmCampaign": "spring",
    "utmTerm": null,
    "utmContent": null,
}))]
pub(crate) struct SessionView {
    /// Id of the session.
    #[schemars(with = "Option<String>")]
    audience_session_id: AudienceSessionId,
    /// Id of the visitor's session across the pages of the tenant.
    analytics_session_id: AnalyticsSessionId,
    /// Id of the audience.
    #[schemars(with = "Option<String>")]
    audience_id: AudienceId,
    /// Id of the page.
    #[schemars(with = "Option<String>")]
    page_id: PageId,
    /// Title of the page.
    page_title: Option<String>,
    /// Address of the page.
    page_url: Option<String>,
    /// `pending` until the session has ended, then `completed`. `failed` if it could not be computed.
    computation_status: ComputationStatus,
    /// When the session started.
    session_started_at: Timestamp,
    /// When the last report of the session came. Null until it has ended.
    session_ended_at: Option<Timestamp>,
    /// Time in seconds that the page was visible and in focus. Null if the page's script did not measure it.
    #[schemars(with = "Option<f64>")]
    time_spent_seconds: Option<Number>,
    /// Deepest point that was visible, from 0 to 100. Null if the page's script did not measure it.
    #[schemars(with = "Option<f64>")]
    max_scroll_depth_percentage: Option<i64>,
    /// Number of clicks.
    #[schemars(with = "f64")]
    total_clicks_count: i64,
    /// Number of questions to the page.
    #[schemars(with = "f64")]
    questions_asked_count: i64,
    /// Whether the visitor left at once.
    is_bounce: bool,
    /// Whether the session reached what the page is for.
    has_conversion: bool,
    /// Whether a form was accepted.
    has_form_submit: bool,
    /// Id of the submission of the form.
    form_submission_id: Option<String>,
    /// What the visitor is known by after the form.
    form_submission_identifier: Option<String>,
    /// Kind of that.
    form_submission_identifier_type: Option<IdentifierType>,
    /// E-mail address that was submitted.
    form_submission_email: Option<String>,
    /// Phone number that was submitted.
    form_submission_phone: Option<String>,
    /// `utm_source` of the address, otherwise `source`, `ref`, or the name of the page before.
    utm_source: Option<String>,
    /// `utm_medium` of the address.
    utm_medium: Option<String>,
    /// `utm_campaign` of the address.
    utm_campaign: Option<String>,
    /// `utm_term` of the address.
    utm_term: Option<String>,
    /// `utm_content` of the address.
    utm_content: Option<String>,
}

impl SessionView {
    /// The same for a spreadsheet, which runs no text in it as a formula.
    #[must_use]
    pub(crate) fn guarded(mut self) -> SessionView {
        let texts = [
            &mut self.page_title,
            &mut self.form_submission_id,
            &mut self.form_submission_identifier,
            &mut self.form_submission_email,
            &mut self.form_submission_phone,
            &mut self.utm_source,
            &mut self.utm_medium,
            &mut self.utm_campaign,
            &mut self.utm_term,
            &mut self.utm_content,
        ];
        for text in texts.into_iter().flatten() {
            if let Cow::Owned(guarded) = spreadsheet::guarded(text) {
                *text = guarded;
            }
        }
        self
    }
}

/// What the file of sessions has beyond the list, whose fields are the contract's.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionExtras {
    /// The host of the page before.
    referrer: Option<String>,
    /// The class of the device.
    device: Option<String>,
    /// The language of the browser.
    language: Option<String>,
}

impl SessionExtras {
    pub(crate) fn of(session: &Session) -> SessionExtras {
        SessionExtras {
            referrer: session.origin.referrer.clone(),
            device: session.device.clone(),
            language: session.language.clone(),
        }
    }

    /// The same for a spreadsheet. Only the host is a text of somebody else.
    #[must_use]
    pub(crate) fn guarded(self) -> SessionExtras {
        let referrer = self.referrer.map(|host| spreadsheet::guarded(&host).into_owned());
        SessionExtras { referrer, ..self }
    }
}

/// A session as a line of a file.
#[derive(Debug, Serialize)]
pub(crate) struct SessionLine {
    #[serde(flatten)]
    pub(crate) session: SessionView,
    #[serde(flatten)]
    pub(crate) extras: SessionExtras,
}

/// How far a session is computed.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum ComputationStatus {
    /// It is open.
    Pending,
    /// It has ended.
    Completed,
    /// It could not be computed.
    #[expect(dead_code, reason = "the contract has it, and nothing of ours fails")]
    Failed,
}

/// What a visitor is known by.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum IdentifierType {
    /// An e-mail address.
    Email,
    /// A profile at LinkedIn.
    Linkedin,
    /// A phone number.
    Tel,
}

impl IdentifierType {
    fn parse(text: &str) -> Option<IdentifierType> {
        match text {
            "email" => Some(IdentifierType::Email),
            "linkedin" => Some(IdentifierType::Linkedin),
            "tel" => Some(IdentifierType::Tel),
            _ => None,
        }
    }
}

/// How the sessions of a page are shown.
pub(crate) struct SessionViews {
    title: String,
    url: String,
}

impl SessionViews {
    pub(crate) fn of(call: &Call, place: SessionPage) -> SessionViews {
        let (settings, path) = (&call.state.settings, format!("/{}", place.slug));
        let url = canonical_address(settings, call.tenant_slug(), place.default_domain.as_deref(), &path);
        SessionViews { title: place.title, url }
    }

    /// The fields of a [`SessionView`] and of [`SessionExtras`], in order.
    pub(crate) const COLUMNS: [&str; 29] = [
        "audienceSessionId",
        "analyticsSessionId",
        "audienceId",
        "pageId",
        "pageTitle",
        "pageUrl",
        "computationStatus",
        "sessionStartedAt",
        "sessionEndedAt",
        "timeSpentSeconds",
        "maxScrollDepthPercentage",
        "totalClicksCount",
        "questionsAskedCount",
        "isBounce",
        "hasConversion",
        "hasFormSubmit",
        "formSubmissionId",
        "formSubmissionIdentifier",
        "formSubmissionIdentifierType",
        "formSubmissionEmail",
        "formSubmissionPhone",
        "utmSource",
        "utmMedium",
        "utmCampaign",
        "utmTerm",
        "utmContent",
        "referrer",
        "device",
        "language",
    ];

    pub(crate) fn view(&self, session: Session) -> SessionView {
        let counted = session.counted;
        let form = session.form;
        let of_form = |get: fn(&FormSubmitted) -> Option<&String>| form.as_ref().and_then(get).cloned();
        let identifier_type = form.as_ref().and_then(|form| form.identifier_type.as_deref());
        SessionView {
            audience_session_id: session.session_id,
            analytics_session_id: session.analytics_session_id,
            audience_id: session.audience_id,
            page_id: session.page_id,
            page_title: Some(self.title.clone()),
            page_url: Some(self.url.clone()),
            computation_status: if counted.has_ended {
                ComputationStatus::Completed
            } else {
                ComputationStatus::Pending
            },
            session_started_at: session.started_at,
            session_ended_at: counted.has_ended.then_some(session.last_at.max(session.started_at)),
            time_spent_seconds: counted.is_scripted.then(|| seconds(counted.engaged_ms)),
            max_scroll_depth_percentage: counted.is_scripted.then_some(counted.scroll),
            total_clicks_count: counted.clicks,
            questions_asked_count: counted.questions,
            is_bounce: counted.is_bounce(),
            has_conversion: counted.has_conversion,
            has_form_submit: counted.has_form,
            form_submission_id: of_form(|form| Some(&form.submission_id)),
            form_submission_identifier: of_form(|form| form.identifier.as_ref()),
            form_submission_identifier_type: identifier_type.and_then(IdentifierType::parse),
            form_submission_email: of_form(|form| form.email.as_ref()),
            form_submission_phone: of_form(|form| form.phone.as_ref()),
            utm_source: session.origin.source,
            utm_medium: session.origin.medium,
            utm_campaign: session.origin.campaign,
            utm_term: session.origin.term,
            utm_content: session.origin.content,
        }
    }
}

impl CollectionItem for SessionView {
    const COLLECTION: &str = "A part of the sessions of a page.";
}

/// What a visitor answered.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, inline)]
pub(crate) struct InteractionView {
    /// Id of the block of the page.
    component_id: String,
    /// Type of the block.
    component_context: Option<String>,
    /// The question.
    label: String,
    /// The answers that could be chosen.
    options: Vec<String>,
    /// What was answered.
    response_text: String,
    /// Text on which the answer to the visitor is based.
    grounding_chunk_ids: Vec<String>,
    /// When, in milliseconds since 1970.
    #[schemars(with = "f64")]
    timestamp: i64,
}

impl From<Interaction> for InteractionView {
    fn from(interaction: Interaction) -> InteractionView {
        InteractionView {
            component_id: interaction.component_id,
            component_context: interaction.component_context,
            label: interaction.label,
            options: interaction.options,
            response_text: interaction.response_text,
            grounding_chunk_ids: interaction.grounding_chunk_ids,
            timestamp: interaction.at.as_millis(),
        }
    }
}

/// What a visitor answered in a session.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
#[schemars(example = json!({
    "found": true,
    "interactions": [{
        "componentId": "block_01jpbz8n4xf5k9w2d7hq3mv6ta",
        "componentContext": "threads",
        "label": "What do you do?",
        "options": ["Planning", "Controlling"],
        "responseText": "Controlling",
        "groundingChunkIds": [],
        "timestamp": 1_773_999_000_000_i64,
    }],
}))]
pub(crate) struct SessionInteractions {
    /// Whether the rows of the session are there.
    pub(crate) found: bool,
    /// What was answered.
    pub(crate) interactions: Vec<InteractionView>,
}

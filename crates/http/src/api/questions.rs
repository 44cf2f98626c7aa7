//! Questions of visitors: where pages take them, and what was not answered. Ours, beyond the contract.

use pagesmith_endpoint::endpoint;
use pagesmith_model::question::{PageQuestionSettings, QuestionSettings, UnansweredQuestion};
use pagesmith_model::{AudienceId, AudienceSessionId, PageId, Result, Timestamp, UnansweredQuestionId};
use pagesmith_operations::questions;
use pagesmith_operations::questions::settings::{self, Effective};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::collection::{Collection, CollectionItem};
use crate::extract::{Body, Call, IfMatch, Paging, Path};
use crate::reply::{DONE, Reply, Single, Success};

/// Whether the pages of a tenant take questions, and how many.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "QuestionSettings")]
#[schemars(example = json!({ "isShown": true, "perVisitor": 20, "perPage": 2000, "perTenant": 10000 }))]
pub(crate) struct QuestionSettingsView {
    /// Whether pages have a field for questions, unless it is set for a page.
    is_shown: bool,
    /// How many questions a visitor may ask in a visit.
    #[schemars(range(min = 1, max = 1_000_000))]
    per_visitor: i64,
    /// How many questions are answered on a page in a day (UTC).
    #[schemars(range(min = 0, max = 1_000_000_000))]
    per_page: i64,
    /// How many questions are answered on all pages in a day (UTC).
    #[schemars(range(min = 0, max = 1_000_000_000))]
    per_tenant: i64,
}

impl From<QuestionSettings> for QuestionSettingsView {
    fn from(settings: QuestionSettings) -> QuestionSettingsView {
        let QuestionSettings { is_shown, per_visitor, per_page, per_tenant } = settings;
        QuestionSettingsView { is_shown, per_visitor, per_page, per_tenant }
    }
}

/// Returns the default question settings of pages.
///
/// Settings that were never made have their defaults: pages have no field.
#[endpoint]
pub(crate) async fn get_question_settings(call: Call) -> Result<Single<QuestionSettingsView>> {
    let settings = call.point_read(settings::find).await?;
    Ok(Single(QuestionSettingsView::from(settings)))
}

/// Sets the default question settings of pages.
///
/// All fields are replaced. Pages show or hide the field within a second. Where the questions are used up, the field says so and
/// programs are answered 429.
#[endpoint]
pub(crate) async fn set_question_settings(
    call: Call,
    if_match: IfMatch,
    Body(wanted): Body<QuestionSettingsView>,
) -> Result<Reply<QuestionSettingsView>> {
    let QuestionSettingsView { is_shown, per_visitor, per_page, per_tenant } = wanted;
    let wanted = QuestionSettings { is_shown, per_visitor, per_page, per_tenant };
    let precondition =
        if_match.precondition(&call, settings::find, |found| Ok(QuestionSettingsView::from(found))).await?;
    call.change(move |tx, ctx| settings::set(tx, ctx, wanted, &precondition).map(QuestionSettingsView::from))
        .await
}

/// The question settings to set for a page.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "SetPageQuestionSettingsRequest")]
#[schemars(example = json!({ "isShown": true, "heading": "Ask us anything about the bikes", "actionId": null }))]
pub(crate) struct PageQuestionSettingsBody {
    /// Whether the page has the field. `null` means as the site says.
    is_shown: Option<bool>,
    /// Heading above the field. `null` means the default sentence in the page's language.
    #[schemars(length(min = 1, max = 200))]
    heading: Option<String>,
    /// Id of the action of the page that is offered where nothing is known. `null` means the header action, else the first one.
    #[schemars(length(min = 1, max = 200))]
    action_id: Option<String>,
}

/// The question settings of a page.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PageQuestionSettings", deny_unknown_fields)]
#[schemars(example = json!({ "isShown": null, "heading": null, "actionId": null, "effectiveIsShown": true }))]
pub(crate) struct PageQuestionSettingsView {
    /// Whether the page has the field. Null if it is as the site says.
    is_shown: Option<bool>,
    /// Heading above the field. Null for the default sentence.
    heading: Option<String>,
    /// Id of the action that is offered where nothing is known. Null if none is named for that.
    action_id: Option<String>,
    /// Whether the page has the field, all considered.
    effective_is_shown: bool,
}

impl From<Effective> for PageQuestionSettingsView {
    fn from(effective: Effective) -> PageQuestionSettingsView {
        let effective_is_shown = effective.is_shown();
        let PageQuestionSettings { is_shown, heading, action_id } = effective.page;
        PageQuestionSettingsView { is_shown, heading, action_id, effective_is_shown }
    }
}

/// Returns the question settings of a page.
///
/// `effectiveIsShown` is the setting that applies, from the page or from the site.
#[endpoint]
pub(crate) async fn get_page_question_settings(
    call: Call,
    Path(page_id): Path<PageId>,
) -> Result<Single<PageQuestionSettingsView>> {
    let found = call.point_read(move |tx, ctx| settings::find_of_page(tx, ctx, &page_id)).await?;
    Ok(Single(PageQuestionSettingsView::from(found)))
}

/// Sets the question settings of a page.
///
/// All fields are replaced. The page shows or hides the field within a second. Questions are answered only with sentences of the
/// page and of the tenant's knowledge, with their sources.
#[endpoint]
pub(crate) async fn set_page_question_settings(
    call: Call,
    Path(page_id): Path<PageId>,
    Body(wanted): Body<PageQuestionSettingsBody>,
) -> Result<Reply<PageQuestionSettingsView>> {
    let PageQuestionSettingsBody { is_shown, heading, action_id } = wanted;
    let wanted = PageQuestionSettings { is_shown, heading, action_id };
    call.change(move |tx, ctx| {
        settings::set_of_page(tx, ctx, &page_id, &wanted).map(PageQuestionSettingsView::from)
    })
    .await
}

/// An unanswered question of a visitor.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "UnansweredQuestion", deny_unknown_fields)]
#[schemars(example = json!({
    "unansweredQuestionId": "unansweredquestion_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "audienceId": "audience_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "audienceSessionId": "session_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "question": "Do you have a shop in Manchester?",
    "language": "en",
    "createdAt": "2026-03-20T09:30:24.310Z",
}))]
pub(crate) struct UnansweredQuestionView {
    /// Id of the question.
    unanswered_question_id: UnansweredQuestionId,
    /// Id of the audience that it was asked on.
    audience_id: AudienceId,
    /// Id of the visit.
    audience_session_id: AudienceSessionId,
    /// Text of the question. Of a question with several parts, only the unanswered ones.
    question: String,
    /// Language of the question: `en`, `de`, `fr` or `es`.
    language: String,
    /// When it was asked.
    created_at: Timestamp,
}

impl From<UnansweredQuestion> for UnansweredQuestionView {
    fn from(question: UnansweredQuestion) -> UnansweredQuestionView {
        UnansweredQuestionView {
            unanswered_question_id: question.unanswered_question_id,
            audience_id: question.audience_id,
            audience_session_id: question.session_id,
            question: question.question,
            language: question.language,
            created_at: question.created_at,
        }
    }
}

impl CollectionItem for UnansweredQuestionView {
    const COLLECTION: &str = "A part of the list of unanswered questions.";
}

/// Lists the unanswered questions of a page's visitors, newest first.
///
/// Answers come from the tenant's knowledge and the text of the page, so these questions show what to add there. Questions of
/// visits that are not counted are not listed. They are kept as long as the visits.
#[endpoint]
pub(crate) async fn list_unanswered_questions(
    call: Call,
    Path(page_id): Path<PageId>,
    paging: Paging,
) -> Result<Reply<Collection<UnansweredQuestionView>>> {
    let list = paging.keyset(&call, "unanswered questions", &[("page", page_id.as_str())])?;
    let found = list.read(&call, move |tx, ctx, after, extent| {
        questions::list_unanswered(tx, ctx, &page_id, after, extent)
    });
    let id = |question: &UnansweredQuestion| question.unanswered_question_id.clone();
    list.answer(&call, found.await?, id, UnansweredQuestionView::from).await
}

/// Removes a question from the list of unanswered ones.
///
/// The visit keeps it among its interactions. This cannot be undone.
#[endpoint]
pub(crate) async fn delete_unanswered_question(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(id): Path<UnansweredQuestionId>,
) -> Result<Reply<Success>> {
    call.change(move |tx, ctx| questions::delete_unanswered(tx, ctx, &page_id, &id).map(|()| DONE)).await
}

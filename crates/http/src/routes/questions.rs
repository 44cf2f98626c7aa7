//! Questions of visitors.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::questions;
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/question_settings", questions::get_question_settings, Read),
        row!(PUT "/v0/question_settings", questions::set_question_settings, Write),
        row!(GET "/v0/pages/{page_id}/question_settings", questions::get_page_question_settings, Read),
        row!(PUT "/v0/pages/{page_id}/question_settings", questions::set_page_question_settings, Write),
        row!(GET "/v0/pages/{page_id}/unanswered_questions", questions::list_unanswered_questions, Read),
        row!(
            DELETE "/v0/pages/{page_id}/unanswered_questions/{unanswered_question_id}",
            questions::delete_unanswered_question,
            Write
        ),
    ];
    Group { name: "Questions", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    Pages can have a field for questions of visitors. An answer quotes sentences of the tenant's knowledge and of the page, with their \
    sources. If there is no answer, it says so. Each question with its answer is an interaction of the visit; if the person is known, it \
    is an entry in the person's log as well.";

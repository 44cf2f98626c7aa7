//! Messages: an audience's page is changed by saying what should be different.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::messages::{self, progress};
use crate::table::Access::OfPersons;
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/pages/{page_id}/audiences/{audience_id}/messages", messages::get_audience_messages, OfPersons(Read)),
        row!(POST "/v0/pages/{page_id}/audiences/{audience_id}/messages", messages::send_audience_message, OfPersons(Write)),
        row!(GET "/v0/pages/{page_id}/audiences/{audience_id}/messages/active_run", messages::get_audience_active_run, OfPersons(Read)),
        row!(GET "/v0/pages/{page_id}/audiences/{audience_id}/messages/active_run/progress", progress::get_audience_message_progress, OfPersons(Read)),
        row!(POST "/v0/pages/{page_id}/audiences/{audience_id}/messages/interrupt", messages::interrupt_audience_message, OfPersons(Write)),
        row!(POST "/v0/pages/{page_id}/audiences/{audience_id}/messages/edits", messages::edit_audience_draft, OfPersons(Write)),
        row!(POST "/v0/pages/{page_id}/audiences/{audience_id}/messages/{message_id}/changes/{change_id}/revert", messages::revert_audience_message_change, OfPersons(Write)),
        row!(POST "/v0/pages/{page_id}/audiences/{audience_id}/messages/{message_id}/revert", messages::revert_audience_message, OfPersons(Write)),
        row!(POST "/v0/pages/{page_id}/audiences/{audience_id}/messages/{message_id}/restore", messages::restore_audience_message_snapshot, OfPersons(Write)),
    ];
    Group { name: "Audience Messages", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    Each audience has a conversation: an owner says what should be different about the page, and an editor \
    changes a draft. The editor works offline. It understands requests in English, German, French and \
    Spanish, asks where a request is ambiguous, and says what it did not understand. Each change can be \
    taken back, and the draft brought back to where it was after a message. Nothing is shown to visitors \
    until the draft is published.";

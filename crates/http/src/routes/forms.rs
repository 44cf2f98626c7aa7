//! Forms: what visitors fill in and send.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::forms;
use crate::api::forms::hook;
use crate::table::Access::Persons;
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/forms", forms::list_forms, Read),
        row!(POST "/v0/forms", forms::create_form, Write),
        row!(GET "/v0/forms/{form_id}", forms::get_form, Read),
        row!(PATCH "/v0/forms/{form_id}", forms::update_form, Write),
        row!(DELETE "/v0/forms/{form_id}", forms::delete_form, Write),
        row!(POST "/v0/forms/{form_id}/restore", forms::restore_form, Write),
        row!(GET "/v0/forms/{form_id}/submissions", forms::list_form_submissions, Persons(Read)),
        row!(GET "/v0/forms/{form_id}/submissions/export", forms::export_form_submissions, Persons(Read)),
        row!(GET "/v0/form_submissions", forms::list_submissions, Persons(Read)),
        row!(GET "/v0/form_submissions/{submission_id}", forms::get_submission, Persons(Read)),
        row!(PATCH "/v0/form_submissions/{submission_id}", forms::update_submission, Persons(Write)),
        row!(DELETE "/v0/form_submissions/{submission_id}", forms::delete_submission, Persons(Write)),
        row!(GET "/v0/enrichment_hook", hook::get_enrichment_hook, Read),
        row!(PUT "/v0/enrichment_hook", hook::set_enrichment_hook, Write),
        row!(DELETE "/v0/enrichment_hook", hook::delete_enrichment_hook, Write),
        row!(POST "/v0/enrichment_hook/rotate_secret", hook::rotate_enrichment_hook_secret, Write),
    ];
    Group { name: "Forms", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    A form is what an action of the type `form` opens on a page. It works with and without script, without a third party and without a \
    cookie. A submission finds or creates the person, writes an entry into the person's log, marks the visit and sends \
    `form.submitted`, all in one transaction. A hook of yours may add what it knows of the \
    sender. A suspicious submission is kept apart with its reasons until somebody releases it.";

//! Person logs: what happened to persons.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::logs::persons;
use crate::table::Access::Persons;
use crate::table::{Group, row};

/// The group with its routes.
pub(in crate::routes) fn group() -> Group {
    let routes = vec![
        row!(POST "/v0/person_logs", persons::create_person_log, Persons(Write)),
        row!(GET "/v0/persons/{person_id}/logs", persons::list_person_logs, Persons(Read)),
        row!(GET "/v0/persons/{person_id}/logs/{person_log_id}", persons::get_person_log, Persons(Read)),
        row!(PATCH "/v0/persons/{person_id}/logs/{person_log_id}", persons::update_person_log, Persons(Write)),
        row!(DELETE "/v0/persons/{person_id}/logs/{person_log_id}", persons::delete_person_log, Persons(Write)),
        row!(POST "/v0/persons/{person_id}/logs/{person_log_id}/restore", persons::restore_person_log, Persons(Write)),
    ];
    Group { name: "Person Logs", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    A log entry records one thing that happened to a person: a call, a form, a visit. `source` says \
    which system it comes from, `type` what happened, and `payload` holds any object. An entry finds its \
    person by id or by an identifier, and creates the person if no identifier matches. Entries are \
    history: only the text of a note can be changed. They can be deleted and restored.";

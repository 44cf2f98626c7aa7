//! Persons: the contacts that pages and log entries are about.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::persons::{self, merge, personal_data};
use crate::api::timeline;
use crate::table::Access::Persons;
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/persons", persons::list_persons, Persons(Read)),
        row!(POST "/v0/persons", persons::create_person, Persons(Write)),
        row!(GET "/v0/persons/search", persons::search_persons, Persons(Read)),
        row!(GET "/v0/persons/{person_id}", persons::get_person, Persons(Read)),
        row!(PATCH "/v0/persons/{person_id}", persons::update_person, Persons(Write)),
        row!(DELETE "/v0/persons/{person_id}", persons::delete_person, Persons(Write)),
        row!(POST "/v0/persons/{person_id}/restore", persons::restore_person, Persons(Write)),
        row!(POST "/v0/persons/{person_id}/merge", merge::merge_person, Persons(Write)),
        row!(GET "/v0/persons/{person_id}/merges", merge::list_person_merges, Persons(Read)),
        row!(POST "/v0/persons/{person_id}/unmerge", merge::unmerge_person, Persons(Write)),
        row!(GET "/v0/persons/{person_id}/timeline", timeline::list_person_timeline, Persons(Read)),
        row!(GET "/v0/persons/{person_id}/export", personal_data::export_person, Persons(Read)),
        row!(POST "/v0/persons/{person_id}/erase", personal_data::erase_person, Persons(Write)),
    ];
    Group { name: "Persons", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    A person is a contact of the tenant. An e-mail address, a LinkedIn profile or a phone number \
    identifies a person, and each of these belongs to at most one person who is not deleted. Identifiers \
    are stored and returned in a normal form, whatever spelling was sent. A person belongs to the \
    account of its domain.";

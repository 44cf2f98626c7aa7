//! Imports of persons from files.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::person_imports::{self as imports, refusals};
use crate::table::Access::Persons;
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/person_imports", imports::list_person_imports, Persons(Read)),
        row!(POST "/v0/person_imports", imports::create_person_import, Persons(Write)),
        row!(GET "/v0/person_imports/{person_import_id}", imports::get_person_import, Persons(Read)),
        row!(PATCH "/v0/person_imports/{person_import_id}", imports::update_person_import, Persons(Write)),
        row!(GET "/v0/person_imports/{person_import_id}/preview", imports::preview_person_import, Persons(Read)),
        row!(POST "/v0/person_imports/{person_import_id}/check", imports::check_person_import, Persons(Write)),
        row!(POST "/v0/person_imports/{person_import_id}/start", imports::start_person_import, Persons(Write)),
        row!(POST "/v0/person_imports/{person_import_id}/cancel", imports::cancel_person_import, Persons(Write)),
        row!(GET "/v0/person_imports/{person_import_id}/progress", imports::get_person_import_progress, Persons(Read)),
        row!(GET "/v0/person_imports/{person_import_id}/refusals", refusals::list_person_import_refusals, Persons(Read)),
        row!(GET "/v0/person_imports/{person_import_id}/refusals/export", refusals::export_person_import_refusals, Persons(Read)),
    ];
    Group { name: "Person Imports", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    An import makes persons of the rows of a CSV file. Upload the file, create the import, look at what its columns become, check it \
    if you like, and start it; it runs in the background and can be cancelled.";

//! Files: what the tenant has uploaded.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::files;
use crate::table::Access::{OfPersons, Persons};
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/files", files::list_files, Persons(Read)),
        row!(POST "/v0/files", files::upload_file, Write),
        row!(GET "/v0/files/{file_id}", files::get_file, OfPersons(Read)),
        row!(DELETE "/v0/files/{file_id}", files::delete_file, Write),
        row!(GET "/v0/files/{file_id}/content", files::get_file_content, OfPersons(Read)),
    ];
    Group { name: "Files", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    A file is what the tenant has uploaded: a picture, a document, a table. Other resources name it by its \
    `fileId`. A file never changes; another version of it is another file.";

//! Pages: the containers of everything that visitors read.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::pages;
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/pages", pages::list_pages, Read),
        row!(POST "/v0/pages", pages::create_page, Write),
        row!(GET "/v0/pages/search", pages::search_pages, Read),
        row!(GET "/v0/pages/{page_id}", pages::get_page, Read),
        row!(PATCH "/v0/pages/{page_id}", pages::update_page, Write),
        row!(DELETE "/v0/pages/{page_id}", pages::delete_page, Write),
        row!(POST "/v0/pages/{page_id}/archive", pages::archive_page, Write),
        row!(POST "/v0/pages/{page_id}/restore", pages::restore_page, Write),
        row!(GET "/v0/pages/{page_id}/link", pages::get_page_group_link, Read),
    ];
    Group { name: "Pages", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    A page is the container of a customer experience: what the page agent knows about the subject, and \
    the buttons, widgets, links, scripts and metadata around the text. The text itself is written for \
    each of the page's audiences. A page is a `draft` until one of its audiences has a published \
    version. It can be archived, which closes its links, and deleted; both can be undone. Its address is \
    made from its first name, never changes, and is never used for another page.";

//! Page links: paths that lead to pages.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::page_links::{self, qr, visits};
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/page_links", page_links::list_page_links, Read),
        row!(POST "/v0/page_links", page_links::create_page_link, Write),
        row!(GET "/v0/page_links/search", page_links::search_page_links, Read),
        row!(GET "/v0/page_links/{page_link_id}", page_links::get_page_link, Read),
        row!(PATCH "/v0/page_links/{page_link_id}", page_links::update_page_link, Write),
        row!(DELETE "/v0/page_links/{page_link_id}", page_links::delete_page_link, Write),
        row!(GET "/v0/page_links/{page_link_id}/qr.svg", qr::get_page_link_qr_svg, Read),
        row!(GET "/v0/page_links/{page_link_id}/qr.png", qr::get_page_link_qr_png, Read),
        row!(GET "/v0/page_links/{page_link_id}/visits", visits::get_page_link_visits, Read),
    ];
    Group { name: "Page Links", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    A page link is a path of your choice on the site, such as `/spring`. It leads to a page, to an audience, or by a \
    routing table to one of several audiences and outside addresses: a visitor is given one by its weight, and keeps it for the day.";

//! Audiences: whom a page is made for.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::audiences;
use crate::table::Access::OfPersons;
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/audiences/search", audiences::search_audiences, Read),
        row!(GET "/v0/pages/{page_id}/audiences", audiences::list_audiences, Read),
        row!(POST "/v0/pages/{page_id}/audiences", audiences::create_audience, Write),
        row!(GET "/v0/pages/{page_id}/audiences/{audience_id}", audiences::get_audience, Read),
        row!(PATCH "/v0/pages/{page_id}/audiences/{audience_id}", audiences::update_audience, Write),
        row!(DELETE "/v0/pages/{page_id}/audiences/{audience_id}", audiences::archive_audience, Write),
        row!(POST "/v0/pages/{page_id}/audiences/{audience_id}/restore", audiences::restore_audience, Write),
        row!(GET "/v0/pages/{page_id}/audiences/{audience_id}/link", audiences::get_audience_link, OfPersons(Read)),
        row!(GET "/v0/pages/{page_id}/audiences/{audience_id}/link/qr.svg", audiences::get_audience_link_qr_svg, OfPersons(Read)),
        row!(GET "/v0/pages/{page_id}/audiences/{audience_id}/link/qr.png", audiences::get_audience_link_qr_png, OfPersons(Read)),
        row!(PUT "/v0/pages/{page_id}/audiences/{audience_id}/access", audiences::set_audience_access, OfPersons(Write)),
    ];
    Group { name: "Audiences", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    An audience is one targeted experience of a page: a segment of visitors, or a page for a single \
    person or account. Creating an audience also creates its first version, which the page agent then \
    generates. An audience can override the page's metadata and the targets of its buttons. The page of \
    a single person is only open to those who have its address, unless the tenant or the audience is set \
    to something else.";

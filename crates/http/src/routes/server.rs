//! The server's own URLs: what it is, whether it is healthy, and its documentation. Everyone may call them.

use crate::api::server::{self, documentation, home};
use crate::table::Access::Everyone;
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/", home::home, Everyone),
        row!(GET "/favicon.ico", home::favicon, Everyone),
        row!(GET "/healthz", server::healthz, Everyone),
        row!(GET "/readyz", server::readyz, Everyone),
        row!(GET "/metrics", server::metrics, Everyone),
        row!(GET "/openapi.json", documentation::openapi, Everyone),
        row!(GET "/docs", documentation::docs, Everyone),
        row!(GET "/docs/{asset}", documentation::docs_asset, Everyone),
        row!(GET "/errors/{code}", server::error_code, Everyone),
    ];
    Group { name: "System", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    The server's own URLs, which need no key: what it is, whether it is healthy, and its documentation.";

//! The table of contents of the product: every URL, its handler, who may call it, and what it does.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::{pages, system};
use crate::table::Audience::Everyone;
use crate::table::{Table, may};

pub use crate::table::{Audience, Route};

/// All routes of the API.
pub fn routes() -> Vec<Route> {
    Table::default()
        .group("Pages")
        .get("/v0/pages", "listPages", pages::list_pages, may(Read), "List the pages, newest first.")
        .post("/v0/pages", "createPage", pages::create_page, may(Write), "Create a page.")
        .get(
            "/v0/pages/search",
            "searchPages",
            pages::search_pages,
            may(Read),
            "Search pages by name, best match first.",
        )
        .get("/v0/pages/{page_id}", "getPage", pages::get_page, may(Read), "Get a page.")
        .patch(
            "/v0/pages/{page_id}",
            "updatePage",
            pages::update_page,
            may(Write),
            "Change the given fields of a page.",
        )
        .delete(
            "/v0/pages/{page_id}",
            "deletePage",
            pages::delete_page,
            may(Write),
            "Delete a page; it can be restored.",
        )
        .post(
            "/v0/pages/{page_id}/archive",
            "archivePage",
            pages::archive_page,
            may(Write),
            "Put a page away: its links are gone, it stays readable.",
        )
        .post(
            "/v0/pages/{page_id}/restore",
            "restorePage",
            pages::restore_page,
            may(Write),
            "Bring back a page that was archived or deleted.",
        )
        .get(
            "/v0/pages/{page_id}/link",
            "getPageGroupLink",
            pages::get_page_group_link,
            may(Read),
            "Get the shareable link of a page.",
        )
        .group("System")
        .get("/healthz", "healthz", system::healthz, Everyone, "Tell that the process is alive.")
        .get(
            "/readyz",
            "readyz",
            system::readyz,
            Everyone,
            "Tell whether the database answers and its schema is current.",
        )
        .get("/metrics", "metrics", system::metrics, Everyone, "Tell what is measured, for Prometheus.")
        .get("/openapi.json", "openapi", system::openapi, Everyone, "Describe this API.")
        .get("/docs", "docs", system::docs, Everyone, "Show the description of this API to a person.")
        .get(
            "/docs/{asset}",
            "docsAsset",
            system::docs_asset,
            Everyone,
            "Serve the style and script of that page.",
        )
        .get("/errors/{code}", "errorCode", system::error_code, Everyone, "Explain an error code.")
        .into_routes()
}

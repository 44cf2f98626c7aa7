//! The server's own URLs, which everybody may open: what it is, how it is, and what its API takes.

use crate::api::{document, home, system};
use crate::table::Access::Everyone;
use crate::table::Table;

/// Adds them.
pub(super) fn routes(table: Table) -> Table {
    table
        .group("System")
        .get("/", "home", home::home, Everyone, "Show what this server is, to a person or a program.")
        .get(
            "/favicon.ico",
            "favicon",
            home::favicon,
            Everyone,
            "Show the icon to browsers that look for one.",
        )
        .get("/healthz", "healthz", system::healthz, Everyone, "Tell that the process is alive.")
        .get(
            "/readyz",
            "readyz",
            system::readyz,
            Everyone,
            "Tell whether the database answers and its schema is current.",
        )
        .get("/metrics", "metrics", system::metrics, Everyone, "Tell what is measured, for Prometheus.")
        .get("/openapi.json", "openapi", document::openapi, Everyone, "Describe this API.")
        .get("/docs", "docs", system::docs, Everyone, "Show the description of this API to a person.")
        .get(
            "/docs/{asset}",
            "docsAsset",
            system::docs_asset,
            Everyone,
            "Serve the style and script of that page.",
        )
        .get("/errors/{code}", "errorCode", system::error_code, Everyone, "Explain an error code.")
}

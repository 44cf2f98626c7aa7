//! `openapi`: print the OpenAPI document of this version, without a server or a database.

use pagesmith_http::openapi::document;

use super::output;
use super::session::Session;
use crate::failure::Result;

/// Prints the document for the configured base URL.
pub fn run(session: &Session) -> Result<()> {
    let server = session.config()?.server;
    output::json(&document(&server.base_url(server.listen)))
}

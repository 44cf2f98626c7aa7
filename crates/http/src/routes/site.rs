//! Site: the settings of the web site that shows the published pages.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::site;
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes =
        vec![row!(GET "/v0/site", site::get_site, Read), row!(PUT "/v0/site", site::update_site, Write)];
    Group { name: "Site", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    Every tenant has a site on a host name of its own, which shows its published pages. These operations \
    read and replace the settings of the whole site: its name, brand and home page, whether visitors are \
    asked for consent before scripts run, and who may open the pages of single persons.";

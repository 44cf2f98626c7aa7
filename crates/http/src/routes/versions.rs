//! Versions: what an audience reads, from the queue to the archive.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::versions::{comparison, content, history, schedule};
use crate::api::{site, versions};
use crate::table::Access::OfPersons;
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/pages/{page_id}/audiences/{audience_id}/versions", versions::list_audience_versions, OfPersons(Read)),
        row!(POST "/v0/pages/{page_id}/audiences/{audience_id}/versions", versions::create_audience_version, OfPersons(Write)),
        row!(GET "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}", versions::get_audience_version, OfPersons(Read)),
        row!(POST "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/cancel", versions::cancel_audience_version, OfPersons(Write)),
        row!(POST "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/publish", versions::publish_audience_version, OfPersons(Write)),
        row!(GET "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/content", content::get_audience_version_content, OfPersons(Read)),
        row!(PUT "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/content", content::update_audience_version_content, OfPersons(Write)),
        row!(GET "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/progress", content::get_audience_version_progress, OfPersons(Read)),
        row!(GET "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/diff/{other_version_id}", comparison::compare_audience_versions, OfPersons(Read)),
        row!(POST "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/restore", versions::restore_audience_version, OfPersons(Write)),
        row!(GET "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/history", history::list_audience_version_history, OfPersons(Read)),
        row!(GET "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/schedule", schedule::get_audience_version_schedule, OfPersons(Read)),
        row!(PUT "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/schedule", schedule::set_audience_version_schedule, OfPersons(Write)),
        row!(DELETE "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/schedule", schedule::delete_audience_version_schedule, OfPersons(Write)),
        row!(POST "/v0/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/preview", site::create_audience_version_preview, OfPersons(Write)),
    ];
    Group { name: "Audience Versions", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    A version is one state of what an audience reads. It is generated in the background: it is `pending` \
    while another version of the audience is generated, `queued` until a worker takes it, `processing` \
    while it is written, and then a `draft`, or `published` if it was created or marked to go live. An \
    audience has at most one published version; publishing another one archives it. The content of a \
    published version never changes.";

//! Visits, which the contract calls analytics: what came of the visits to pages.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::visits::{self, settings, shares, steps};
use crate::table::Access::Persons;
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/analytics/summary", visits::get_analytics_summary, Read),
        row!(GET "/v0/pages/{page_id}/analytics/summary", visits::get_page_analytics_summary, Read),
        row!(GET "/v0/pages/{page_id}/analytics/audiences", visits::list_audience_analytics, Read),
        row!(GET "/v0/pages/{page_id}/analytics/timeseries", visits::get_page_analytics_timeseries, Read),
        row!(GET "/v0/pages/{page_id}/analytics/funnel", visits::get_page_analytics_funnel, Read),
        row!(GET "/v0/pages/{page_id}/analytics/dropped", visits::get_page_analytics_dropped, Read),
        row!(GET "/v0/pages/{page_id}/analytics/live", visits::get_page_analytics_live, Read),
        row!(GET "/v0/pages/{page_id}/analytics/breakdown", visits::get_page_analytics_breakdown, Read),
        row!(GET "/v0/pages/{page_id}/analytics/export", visits::export_audience_sessions, Persons(Read)),
        row!(GET "/v0/pages/{page_id}/audience_sessions", visits::list_audience_sessions, Persons(Read)),
        row!(GET "/v0/pages/{page_id}/audience_sessions/{audience_session_id}", visits::get_audience_session, Persons(Read)),
        row!(
            GET "/v0/pages/{page_id}/audience_sessions/{audience_session_id}/steps",
            steps::get_audience_session_steps,
            Persons(Read)
        ),
        row!(
            GET "/v0/audience_sessions/{audience_session_id}/interactions",
            visits::get_audience_session_interactions,
            Persons(Read)
        ),
        row!(GET "/v0/pages/{page_id}/visit_shares", shares::list_visit_shares, Persons(Read)),
        row!(POST "/v0/pages/{page_id}/visit_shares", shares::create_visit_share, Write),
        row!(DELETE "/v0/pages/{page_id}/visit_shares/{visit_share_id}", shares::delete_visit_share, Write),
        row!(GET "/v0/visit_settings", settings::get_visit_settings, Read),
        row!(PUT "/v0/visit_settings", settings::set_visit_settings, Write),
    ];
    Group { name: "Analytics", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    What visitors do on pages is measured by the page's own script, without a cookie, and by a picture where there is no script. A session is a \
    visit to one audience: it begins with a page view and ends after 30 minutes without activity. Crawlers and browsers that programs drive are not counted.";

//! Which of a visitor's open sessions something belongs to.

use pagesmith_model::AudienceId;
use pagesmith_model::visit::session::Session;

/// The newest one to an audience that is counted.
pub(super) fn newest<'a>(
    audience_id: &AudienceId,
    open: impl Iterator<Item = &'a Session>,
) -> Option<&'a Session> {
    let to_audience = open.filter(|session| is_counted(session) && session.audience_id == *audience_id);
    to_audience.max_by(|one, other| one.session_id.cmp(&other.session_id))
}

/// Whether a session is counted and has not ended.
pub(super) fn is_counted(session: &Session) -> bool {
    session.verdict.is_none() && !session.counted.has_ended
}

//! What has just happened, told on the screen that follows.
//!
//! The address of that screen names it: `?done=page-archived&id=…`. Only what stands here can be told, and taken back only by what stands
//! here, so that a link from elsewhere puts neither words nor buttons on a screen.

use crate::client::segment;
use crate::operator::OperatorVisit;
use crate::visit::Visit;

/// What is told where more has failed than one call sends again.
pub(crate) const RECOVERED_SOME: &str = "recovered-some";

/// Something that has happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// One sentence.
    pub text: String,
    /// The address that takes it back, if it can be taken back.
    pub undo: Option<String>,
}

/// The address of a screen that shows this notice, about the thing of this id.
pub fn with_notice(path: &str, done: &str, id: &str) -> String {
    crate::client::with_query(path, &[("done", Some(done)), ("id", Some(id).filter(|id| !id.is_empty()))])
}

impl Notice {
    /// What the address of an operator's screen tells.
    pub fn of_operator(visit: &OperatorVisit) -> Option<Notice> {
        let text = match visit.asked("done")?.as_str() {
            "tenant-suspended" => visit.text("done-tenant-suspended"),
            "tenant-resumed" => visit.text("done-tenant-resumed"),
            "backup-started" => visit.text("done-backup-started"),
            _ => return None,
        };
        Some(Notice { text, undo: None })
    }

    /// What the address of a screen tells.
    pub fn read(visit: &Visit) -> Option<Notice> {
        let (done, id) = (visit.asked("done")?, visit.asked("id").unwrap_or_default());
        let id = segment(&id);
        let undo = |path: String| visit.may_write().then(|| visit.url(&path));
        let (text, undo) = match done.as_str() {
            "page-created" => (visit.text("done-page-created"), None),
            "page-archived" => (visit.text("done-page-archived"), undo(format!("/pages/{id}/restore"))),
            "page-deleted" => (visit.text("done-page-deleted"), undo(format!("/pages/{id}/restore"))),
            "page-restored" => (visit.text("done-page-restored"), None),
            "audiences-made" => (visit.text("done-audiences-made"), None),
            "audience-archived" => {
                let path = format!("/pages/{}/audiences/{id}/restore", segment(visit.id("page_id")));
                (visit.text("done-audience-archived"), undo(path))
            }
            "published" => (visit.text("done-published"), None),
            "scheduled" => (visit.text("done-scheduled"), None),
            "unscheduled" => (visit.text("done-unscheduled"), None),
            "draft-edited" => {
                let (page, audience) = (segment(visit.id("page_id")), segment(visit.id("audience_id")));
                let path = format!("/pages/{page}/audiences/{audience}/messages/{id}/undo");
                (visit.text("done-draft-edited"), undo(path))
            }
            "undone" => (visit.text("done-undone"), None),
            "person-deleted" => (visit.text("done-person-deleted"), undo(format!("/persons/{id}/restore"))),
            "persons-merged" => (visit.text("done-persons-merged"), undo(format!("/persons/{id}/unmerge"))),
            "person-erased" => (visit.text("done-person-erased"), None),
            "password-changed" => (visit.text("done-password-changed"), None),
            "sent-again" => (visit.text("done-sent-again"), None),
            "recovered" | RECOVERED_SOME => {
                (visit.words.with("done-recovered", &[("count", id.parse::<u64>().ok()?.into())]), None)
            }
            "asset-trashed" => (visit.text("done-asset-trashed"), undo(format!("/assets/{id}/restore"))),
            "asset-restored" => (visit.text("done-asset-restored"), None),
            "form-deleted" => (visit.text("done-deleted"), undo(format!("/forms/{id}/restore"))),
            "deleted" => (visit.text("done-deleted"), None),
            "reading" => (visit.text("done-reading"), None),
            "looked" => (visit.text("done-looked"), None),
            "key-revoked" => (visit.text("done-key-revoked"), None),
            "saved" => (visit.text("done-saved"), None),
            _ => return None,
        };
        Some(Notice { text, undo })
    }
}

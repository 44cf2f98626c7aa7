//! What happened with a person, in one list: entries of its log, visits, pages that were made for it, submissions; newest first.
//!
//! All of them have ids that begin with their time, so that the digits of an id are the place in the list, whatever it is the id of.

use pagesmith_model::audience::Audience;
use pagesmith_model::form::submission::Submission;
use pagesmith_model::log::PersonLog;
use pagesmith_model::visit::session::Session;
use pagesmith_model::{AudienceId, AudienceSessionId, PersonId, PersonLogId, Result, SubmissionId};
use pagesmith_store::tables::{audiences, forms, logs, visits};
use pagesmith_store::{Extent, ListPart, Tx};

use crate::context::TenantContext;
use crate::logs::activity::ActivityPosition;
use crate::persons;

/// About how many bytes an entry takes beside a payload.
const BYTES: usize = 400;

/// Something that happened.
#[derive(Debug, Clone)]
pub enum Happening {
    /// An entry of the log.
    Log(Box<PersonLog>),
    /// A visit to a page.
    Visit(Box<Session>),
    /// A page that was made for the person.
    Page(Box<Audience>),
    /// Something that the person has sent.
    Submission(Box<Submission>),
}

impl Happening {
    fn id(&self) -> &str {
        match self {
            Happening::Log(log) => log.log_id.as_str(),
            Happening::Visit(session) => session.session_id.as_str(),
            Happening::Page(audience) => audience.audience_id.as_str(),
            Happening::Submission(submission) => submission.submission_id.as_str(),
        }
    }

    fn digits(&self) -> &str {
        self.id().rsplit('_').next().unwrap_or_default()
    }

    fn bytes(&self) -> usize {
        match self {
            Happening::Log(log) => BYTES + log.entry.payload.as_str().len(),
            Happening::Submission(sent) => BYTES + sent.input.as_str().len(),
            Happening::Visit(_) | Happening::Page(_) => BYTES,
        }
    }

    /// Its place in the list.
    pub fn position(&self) -> Option<ActivityPosition> {
        ActivityPosition::parse(self.digits())
    }
}

/// What happened with a person, after a position.
pub fn list(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    person_id: &PersonId,
    after: Option<&ActivityPosition>,
    extent: Extent,
) -> Result<ListPart<Happening>> {
    persons::find(tx, ctx, person_id)?;
    let (tenant, limit) = (&ctx.tenant, extent.rows());
    let id = |prefix: &str| after.map(|after| format!("{prefix}_{}", after.as_str()));
    let log_id = id(PersonLogId::PREFIX).as_deref().and_then(PersonLogId::parse);
    let session_id = id(AudienceSessionId::PREFIX).as_deref().and_then(AudienceSessionId::parse);
    let audience_id = id(AudienceId::PREFIX).as_deref().and_then(AudienceId::parse);
    let submission_id = id(SubmissionId::PREFIX).as_deref().and_then(SubmissionId::parse);

    let (entries, _) = logs::list(tx, tenant, person_id, false, log_id.as_ref(), extent)?;
    let sessions = visits::sessions::newest_of_person(tx, tenant, person_id, session_id.as_ref(), limit)?;
    let pages = audiences::newest_of_person(tx, tenant, person_id, audience_id.as_ref(), limit)?;
    let sent = forms::submissions::newest_of_person(tx, tenant, person_id, submission_id.as_ref(), limit)?;
    let mut all: Vec<Happening> =
        entries.items.into_iter().map(|log| Happening::Log(Box::new(log))).collect();
    let last_log = all.last().map(|last| last.digits().to_owned());
    all.extend(sessions.into_iter().map(|session| Happening::Visit(Box::new(session))));
    all.extend(pages.into_iter().map(|audience| Happening::Page(Box::new(audience))));
    all.extend(sent.into_iter().map(|submission| Happening::Submission(Box::new(submission))));
    all.sort_by(|one, other| other.digits().cmp(one.digits()));
    if let Some(last) = last_log.filter(|_| entries.more) {
        // Entries that were not read stand before what is older than the last that was.
        all.retain(|one| one.digits() >= last.as_str());
    }
    let part = ListPart::of(all.into_iter().map(|one| (one.bytes(), one)), extent);
    Ok(ListPart { more: part.more || entries.more, ..part })
}

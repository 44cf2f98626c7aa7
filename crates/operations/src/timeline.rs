//! What happened with a person or an account, in one list: entries of logs, visits, pages that were made for it, submissions; newest first.
//!
//! All of them have ids that begin with their time, so that the digits of an id are the place in the list, whatever it is the id of.

use pagesmith_model::form::submission::Submission;
use pagesmith_model::log::{AccountLog, PersonLog};
use pagesmith_model::visit::session::Session;
use pagesmith_model::{
    AccountId, AudienceId, AudienceSessionId, PersonId, PersonLogId, Result, SubmissionId,
};
use pagesmith_store::tables::audiences::{self, MadeAudience};
use pagesmith_store::tables::{forms, logs, visits};
use pagesmith_store::{Extent, ListPart, Tx};

use crate::context::TenantContext;
use crate::logs::activity::{self, Activity, ActivityPosition, ActivityRequest};
use crate::{accounts, persons};

/// About how many bytes an entry takes beside a payload.
const BYTES: usize = 400;

/// Visits to how many of an account's pages are listed: to those that were made last. Each is read by itself.
pub const VISITED: i64 = 20;

/// Something that happened.
#[derive(Debug, Clone)]
pub enum Happening {
    /// An entry of a person's log; the person's name, where the list is not the person's own.
    PersonLog(Option<String>, Box<PersonLog>),
    /// An entry of an account's log.
    AccountLog(Box<AccountLog>),
    /// A visit to a page.
    Visit(Box<Session>),
    /// A page that was made for the person or the account.
    Page(MadeAudience),
    /// Something that a person has sent.
    Submission(Box<Submission>),
}

impl Happening {
    fn id(&self) -> &str {
        match self {
            Happening::PersonLog(_, log) => log.log_id.as_str(),
            Happening::AccountLog(log) => log.log_id.as_str(),
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
            Happening::PersonLog(_, log) => BYTES + log.entry.payload.as_str().len(),
            Happening::AccountLog(log) => BYTES + log.entry.payload.as_str().len(),
            Happening::Submission(sent) => BYTES + sent.input.as_str().len(),
            Happening::Visit(_) | Happening::Page(_) => BYTES,
        }
    }

    /// Its place in the list.
    pub fn position(&self) -> Option<ActivityPosition> {
        ActivityPosition::parse(self.digits())
    }
}

/// The id with these digits.
fn id_at<Id>(
    after: Option<&ActivityPosition>,
    prefix: &str,
    parse: impl Fn(&str) -> Option<Id>,
) -> Option<Id> {
    after.and_then(|after| parse(&format!("{prefix}_{}", after.as_str())))
}

/// What happened with a person, after a position.
pub fn of_person(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    person_id: &PersonId,
    after: Option<&ActivityPosition>,
    extent: Extent,
) -> Result<ListPart<Happening>> {
    persons::find(tx, ctx, person_id)?;
    let (tenant, limit) = (&ctx.tenant, extent.rows());
    let log_id = id_at(after, PersonLogId::PREFIX, PersonLogId::parse);
    let session_id = id_at(after, AudienceSessionId::PREFIX, AudienceSessionId::parse);
    let audience_id = id_at(after, AudienceId::PREFIX, AudienceId::parse);
    let submission_id = id_at(after, SubmissionId::PREFIX, SubmissionId::parse);

    let (entries, _) = logs::list(tx, tenant, person_id, false, log_id.as_ref(), extent)?;
    let sessions = visits::sessions::newest_of_person(tx, tenant, person_id, session_id.as_ref(), limit)?;
    let pages = audiences::newest_of_person(tx, tenant, person_id, audience_id.as_ref(), limit)?;
    let sent = forms::submissions::newest_of_person(tx, tenant, person_id, submission_id.as_ref(), limit)?;
    let logged = entries.items.into_iter().map(|log| Happening::PersonLog(None, Box::new(log))).collect();
    let mut others: Vec<Happening> =
        sessions.into_iter().map(|session| Happening::Visit(Box::new(session))).collect();
    others.extend(pages.into_iter().map(Happening::Page));
    others.extend(sent.into_iter().map(|submission| Happening::Submission(Box::new(submission))));
    Ok(merged(logged, entries.more, others, extent))
}

/// What happened with an account, after a position: entries of its log and of its persons' logs, pages that were made for it, and the visits
/// that count to the [newest](VISITED) of them.
pub fn of_account(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    account_id: &AccountId,
    after: Option<&ActivityPosition>,
    extent: Extent,
) -> Result<ListPart<Happening>> {
    accounts::find(tx, ctx, account_id)?;
    let tenant = &ctx.tenant;
    let request =
        ActivityRequest { include_persons: true, include_deleted: false, after: after.cloned(), extent };
    let (entries, _) = activity::list(tx, ctx, account_id, &request)?;
    let session_id = id_at(after, AudienceSessionId::PREFIX, AudienceSessionId::parse);
    let audience_id = id_at(after, AudienceId::PREFIX, AudienceId::parse);
    let limit = extent.rows();
    let pages = audiences::newest_of_account(tx, tenant, account_id, audience_id.as_ref(), limit)?;
    let visited = audiences::newest_of_account(tx, tenant, account_id, None, VISITED)?;
    let visited: Vec<AudienceId> = visited.into_iter().map(|made| made.audience_id).collect();
    let sessions = visits::sessions::newest_of_audiences(tx, tenant, &visited, session_id.as_ref(), limit)?;
    let logged = entries.items.into_iter().map(|one| match one {
        Activity::Account(log) => Happening::AccountLog(Box::new(log)),
        Activity::Person(name, log) => Happening::PersonLog(Some(name), Box::new(log)),
    });
    let mut others: Vec<Happening> =
        sessions.into_iter().map(|session| Happening::Visit(Box::new(session))).collect();
    others.extend(pages.into_iter().map(Happening::Page));
    Ok(merged(logged.collect(), entries.more, others, extent))
}

/// One list of entries of logs, of which more may follow, and of everything else of that time.
fn merged(
    logged: Vec<Happening>,
    more_logged: bool,
    others: Vec<Happening>,
    extent: Extent,
) -> ListPart<Happening> {
    let last_log = logged.last().map(|last| last.digits().to_owned());
    let mut all = logged;
    all.extend(others);
    all.sort_by(|one, other| other.digits().cmp(one.digits()));
    if let Some(last) = last_log.filter(|_| more_logged) {
        // Entries that were not read are before what is older than the last that was.
        all.retain(|one| one.digits() >= last.as_str());
    }
    let part = ListPart::of(all.into_iter().map(|one| (one.bytes(), one)), extent);
    ListPart { more: part.more || more_logged, ..part }
}

//! Takes reports of page views: many in one transaction, each into the totals of its session.
//!
//! Everything that the reports are about is read first, with a statement for each kind of row; then they are taken in memory, one after the
//! other; then what has changed is written. A report that is not counted changes nothing.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::time::Duration;

use pagesmith_model::content::Content;
use pagesmith_model::page_link::{self, LinkPath};
use pagesmith_model::visit::beacon::Beacon;
use pagesmith_model::visit::client::Device;
use pagesmith_model::visit::origin::Origin;
use pagesmith_model::visit::progress::Progress;
use pagesmith_model::visit::session::Session;
use pagesmith_model::visit::sums::Counted;
use pagesmith_model::visit::{self, PERSON_AFTER_MS, Reason};
use pagesmith_model::{
    AnalyticsSessionId, AudienceId, AudienceSessionId, PageId, Result, TenantDomainId, TenantId, VersionId,
};
use pagesmith_store::tables::pending_work::{self, WorkKind};
use pagesmith_store::tables::visits::interactions::Noted;
use pagesmith_store::tables::visits::shown::{self, ShownAudience};
use pagesmith_store::tables::visits::views::{self, View};
use pagesmith_store::tables::visits::{interactions, sessions};
use pagesmith_store::tables::{page_links, pages, versions};
use pagesmith_store::{Query, Tx};

use crate::context::TenantContext;
use crate::visits::goals::{self, Goals};
use crate::visits::open_sessions;
use crate::visits::settings::{self, Chosen, PrivacySignal};

/// A report, with what its request told.
#[derive(Debug, Clone)]
pub struct Report {
    /// What it says.
    pub beacon: Beacon,
    /// The visitor's numbers, the present one first.
    pub visitors: Vec<[u8; 16]>,
    /// Why it is not counted, as far as that is known.
    pub verdict: Option<Reason>,
    /// The name of the site.
    pub host: String,
    /// The tenant's own domain, if the site was asked for under one.
    pub domain_id: Option<TenantDomainId>,
    /// The class of the device.
    pub device: Device,
    /// The language of the browser.
    pub language: Option<String>,
    /// Where it comes from; it is not kept.
    pub address: Option<IpAddr>,
    /// Whether the browser asks not to be tracked.
    pub asks_for_privacy: bool,
}

/// Takes reports to a tenant's site; for each, why it is not counted, if it is not.
pub fn collect(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    reports: &[Report],
    timeout: Duration,
) -> Result<Vec<Option<Reason>>> {
    let mut batch = Batch::read(tx, ctx, reports, timeout)?;
    let verdicts = reports.iter().map(|report| batch.take(tx, ctx, report)).collect::<Result<_>>()?;
    tx.batch(batch.changes(&ctx.tenant))?;
    Ok(verdicts)
}

/// The visitor's open session to the audience of a report that begins a page view; the one that begins with it, if there is none. Nothing
/// if the visit is not counted. `shown` is the audience, if the caller has read that it is shown.
pub(crate) fn open_or_begin(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    report: &Report,
    shown: Option<&ShownAudience>,
    timeout: Duration,
) -> Result<Option<Session>> {
    let mut batch = Batch::read_first(tx, ctx, report, timeout)?;
    if let Some(session) = batch.open(report) {
        return Ok(Some(session));
    }
    if let Some(shown) = shown {
        let key = (report.beacon.page_id.clone(), report.beacon.audience_id.clone());
        batch.shown.insert(key, Some(shown.clone()));
    }
    batch.take(tx, ctx, report)?;
    let session = batch.open(report);
    // A session, a page view, and that there is one more to be closed.
    tx.change(batch.changes(&ctx.tenant))?;
    Ok(session)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    AsRead,
    Changed,
    New,
}

struct Batch {
    timeout: Duration,
    chosen: Chosen,
    views: HashMap<[u8; 16], (View, State)>,
    sessions: HashMap<AudienceSessionId, (Session, State)>,
    shown: HashMap<(PageId, AudienceId), Option<ShownAudience>>,
    goals: HashMap<PageId, Goals>,
    contents: HashMap<VersionId, Option<Content>>,
    /// Answers and what else was done, which are only added.
    noted: Vec<Query>,
}

impl Batch {
    fn read(tx: &mut Tx<'_>, ctx: &TenantContext, reports: &[Report], timeout: Duration) -> Result<Batch> {
        let tenant = &ctx.tenant;
        let chosen = settings::find(tx, tenant)?;
        let wanted: HashSet<[u8; 16]> = reports.iter().map(|report| report.beacon.view).collect();
        let wanted: Vec<[u8; 16]> = wanted.into_iter().collect();
        let mut views = HashMap::new();
        for view in views::find(tx, tenant, &wanted)? {
            views.insert(view.view, (view, State::AsRead));
        }
        let known: HashSet<AudienceSessionId> =
            views.values().map(|(view, _)| view.session_id.clone()).collect();
        let known: Vec<AudienceSessionId> = known.into_iter().collect();
        let mut found = sessions::find_many(tx, tenant, &known)?;
        let begin = reports.iter().filter(|report| !views.contains_key(&report.beacon.view));
        let visitors: HashSet<&[u8]> =
            begin.flat_map(|report| report.visitors.iter().map(<[u8; 16]>::as_slice)).collect();
        let visitors: Vec<&[u8]> = visitors.into_iter().collect();
        found.extend(sessions::open_of(tx, tenant, &visitors)?);
        Ok(Batch::of(timeout, chosen, views, found))
    }

    /// The same for one report of a page view that nothing was reported of before.
    fn read_first(tx: &mut Tx<'_>, ctx: &TenantContext, report: &Report, timeout: Duration) -> Result<Batch> {
        let visitors: Vec<&[u8]> = report.visitors.iter().map(<[u8; 16]>::as_slice).collect();
        let (chosen, open) = settings::find_with_open_sessions(tx, &ctx.tenant, &visitors)?;
        Ok(Batch::of(timeout, chosen, HashMap::new(), open))
    }

    fn of(
        timeout: Duration,
        chosen: Chosen,
        views: HashMap<[u8; 16], (View, State)>,
        sessions: Vec<Session>,
    ) -> Batch {
        let sessions =
            sessions.into_iter().map(|session| (session.session_id.clone(), (session, State::AsRead)));
        Batch {
            timeout,
            chosen,
            views,
            sessions: sessions.collect(),
            shown: HashMap::new(),
            goals: HashMap::new(),
            contents: HashMap::new(),
            noted: vec![],
        }
    }

    /// The session that something of the visitor belongs to who sent a report.
    fn open(&self, report: &Report) -> Option<Session> {
        open_sessions::newest(&report.beacon.audience_id, self.sessions.values().map(|(session, _)| session))
            .cloned()
    }

    fn take(&mut self, tx: &mut Tx<'_>, ctx: &TenantContext, report: &Report) -> Result<Option<Reason>> {
        if report.asks_for_privacy && self.chosen.privacy_signal == PrivacySignal::CountsNothing {
            return Ok(Some(Reason::OptedOut));
        }
        let is_own = report.address.is_some_and(|address| self.chosen.own_networks.hold(address));
        let origin = Origin::of(&report.host, &report.beacon.location, &report.beacon.referrer);
        let verdict = report
            .verdict
            .or_else(|| is_own.then_some(Reason::OwnAddress))
            .or_else(|| origin.is_spam().then_some(Reason::ReferrerSpam));
        let session_id = match self.views.get(&report.beacon.view) {
            Some((view, _)) => {
                let found = self.sessions.get(&view.session_id).map(|(session, _)| session);
                // Of a session that is gone nothing is counted any more.
                let Some(session) = found else { return Ok(Some(Reason::Late)) };
                let beacon = &report.beacon;
                if session.page_id != beacon.page_id || session.audience_id != beacon.audience_id {
                    return Ok(Some(Reason::UnknownPage));
                }
                if session.counted.has_ended || !visit::goes_on(session.last_at, ctx.now, self.timeout) {
                    return Ok(Some(Reason::Late));
                }
                view.session_id.clone()
            }
            None => match self.begin(tx, ctx, report, verdict, origin)? {
                Ok(session_id) => session_id,
                Err(reason) => return Ok(Some(reason)),
            },
        };
        self.add(tx, ctx, report, &session_id)?;
        Ok(verdict)
    }

    /// Begins a page view, in the visitor's open session to the audience or a new one.
    fn begin(
        &mut self,
        tx: &mut Tx<'_>,
        ctx: &TenantContext,
        report: &Report,
        verdict: Option<Reason>,
        origin: Origin,
    ) -> Result<std::result::Result<AudienceSessionId, Reason>> {
        let beacon = &report.beacon;
        if self.shown(tx, &ctx.tenant, beacon)?.is_none() {
            return Ok(Err(Reason::UnknownPage));
        }
        let verdict = verdict.map(|reason| reason.as_str().to_owned());
        let is_visitors = |session: &&Session| {
            let number = session.visitor.as_deref();
            number.is_some_and(|number| report.visitors.iter().any(|visitor| visitor.as_slice() == number))
                && session.verdict == verdict
                && visit::goes_on(session.last_at, ctx.now, self.timeout)
        };
        let open: Vec<&Session> =
            self.sessions.values().map(|(session, _)| session).filter(is_visitors).collect();
        let of_audience = open.iter().filter(|session| session.audience_id == beacon.audience_id);
        let joined = of_audience.max_by(|one, other| one.session_id.cmp(&other.session_id));
        let session_id = match joined {
            Some(session) => {
                let session_id = session.session_id.clone();
                let path = beacon.location.split(['?', '#']).next().unwrap_or_default();
                let (place, again) = ((&beacon.view, Noted::View), goals::done("", path, ctx.now));
                self.noted.push(interactions::insert(&ctx.tenant, &session_id, place, &again)?);
                session_id
            }
            None => {
                let first = open.iter().map(|session| &session.analytics_session_id).min().cloned();
                let session = self.new_session(tx, ctx, report, (verdict, origin, first))?;
                let session_id = session.session_id.clone();
                self.sessions.insert(session_id.clone(), (session, State::New));
                session_id
            }
        };
        let progress = Progress::begin(beacon, ctx.now);
        let view = View { view: beacon.view, session_id: session_id.clone(), progress };
        self.views.insert(beacon.view, (view, State::New));
        Ok(Ok(session_id))
    }

    fn new_session(
        &self,
        tx: &mut Tx<'_>,
        ctx: &TenantContext,
        report: &Report,
        (verdict, origin, first): (Option<String>, Origin, Option<AnalyticsSessionId>),
    ) -> Result<Session> {
        let uuid = ctx.uuid()?;
        let path = report.beacon.location.split(['?', '#']).next().unwrap_or_default();
        let link = match LinkPath::parse(path) {
            Ok(path) => {
                page_links::at_path(tx, &ctx.tenant, &page_link::key_on(report.domain_id.as_ref(), &path))?
            }
            Err(_) => None,
        };
        Ok(Session {
            session_id: AudienceSessionId::mint(uuid),
            analytics_session_id: first.unwrap_or_else(|| AnalyticsSessionId::mint(uuid)),
            page_id: report.beacon.page_id.clone(),
            audience_id: report.beacon.audience_id.clone(),
            started_at: uuid.instant(),
            last_at: ctx.now,
            visitor: report.visitors.first().map(|visitor| visitor.to_vec()),
            counted: Counted::default(),
            verdict,
            origin,
            page_link_id: link.map(|link| link.page_link_id),
            device: Some(report.device.as_str().to_owned()),
            language: report.language.clone(),
            person_id: None,
            form: None,
        })
    }

    fn shown(
        &mut self,
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        beacon: &Beacon,
    ) -> Result<Option<ShownAudience>> {
        let key = (beacon.page_id.clone(), beacon.audience_id.clone());
        if let Some(shown) = self.shown.get(&key) {
            return Ok(shown.clone());
        }
        let shown = shown::find(tx, tenant, &key.0, &key.1)?;
        self.shown.insert(key, shown.clone());
        Ok(shown)
    }

    /// Adds what a report says to its page view and session.
    fn add(
        &mut self,
        tx: &mut Tx<'_>,
        ctx: &TenantContext,
        report: &Report,
        session_id: &AudienceSessionId,
    ) -> Result<()> {
        let beacon = &report.beacon;
        let Some((view, state)) = self.views.get_mut(&beacon.view) else { return Ok(()) };
        let before = view.progress.choices;
        let gain = view.progress.take(beacon, ctx.now);
        // Most reports come because something has changed.
        if *state == State::AsRead {
            *state = State::Changed;
        }
        let scroll = view.progress.scroll;
        let answered = if gain.choices > 0 { self.answer(tx, ctx, (beacon, before), session_id)? } else { 0 };
        if !beacon.actions.is_empty() {
            for (at, used) in self.goals(tx, &ctx.tenant, &beacon.page_id)?.used(&beacon.actions, ctx.now) {
                let place = (&beacon.view, Noted::Action(at));
                self.noted.push(interactions::insert(&ctx.tenant, session_id, place, &used)?);
            }
        }
        let Some((session, _)) = self.sessions.get(session_id) else { return Ok(()) };
        let is_new_to = |has: bool| !has && !beacon.actions.is_empty();
        let (counted, known, is_counted) =
            (session.counted, session.person_id.clone(), session.verdict.is_none());
        let (has_action, has_conversion) =
            if is_new_to(counted.has_action) || is_new_to(counted.has_conversion) {
                self.goals(tx, &ctx.tenant, &beacon.page_id)?.reached(&beacon.actions)
            } else {
                (false, false)
            };
        let is_somebody = beacon.is_scripted && (beacon.is_touched || beacon.engaged_ms >= PERSON_AFTER_MS);
        let may_be_known =
            !(report.asks_for_privacy && self.chosen.privacy_signal == PrivacySignal::NoPerson);
        let person_id = if known.is_none() && is_somebody && may_be_known && is_counted {
            self.shown(tx, &ctx.tenant, beacon)?.and_then(|shown| shown.person_id)
        } else {
            known
        };
        let Some((session, state)) = self.sessions.get_mut(session_id) else { return Ok(()) };
        let counted = &mut session.counted;
        counted.is_scripted |= beacon.is_scripted;
        counted.engaged_ms += gain.engaged_ms;
        counted.clicks += gain.clicks;
        counted.scroll = counted.scroll.max(scroll);
        counted.interactions += answered;
        counted.has_action |= has_action;
        counted.has_conversion |= has_conversion;
        session.person_id = person_id;
        session.last_at = session.last_at.max(ctx.now);
        if *state == State::AsRead {
            *state = State::Changed;
        }
        Ok(())
    }

    /// Notes what was answered since the choice of that number; how many the page asks.
    fn answer(
        &mut self,
        tx: &mut Tx<'_>,
        ctx: &TenantContext,
        (beacon, from): (&Beacon, usize),
        session_id: &AudienceSessionId,
    ) -> Result<i64> {
        let Some(ShownAudience { version_id, .. }) = self.shown(tx, &ctx.tenant, beacon)? else {
            return Ok(0);
        };
        if !self.contents.contains_key(&version_id) {
            let content = versions::contents::find(tx, &ctx.tenant, &version_id)?;
            let content = content.map(|content| content.read()).transpose()?;
            self.contents.insert(version_id.clone(), content);
        }
        let Some(Some(content)) = self.contents.get(&version_id) else { return Ok(0) };
        let mut answered = 0;
        for (number, choice) in beacon.choices.iter().enumerate().skip(from) {
            if let Some(interaction) = goals::answer(content, *choice, ctx.now) {
                let place = (&beacon.view, Noted::Answer(number));
                self.noted.push(interactions::insert(&ctx.tenant, session_id, place, &interaction)?);
                answered += 1;
            }
        }
        Ok(answered)
    }

    fn goals(&mut self, tx: &mut Tx<'_>, tenant: &TenantId, page_id: &PageId) -> Result<Goals> {
        if let Some(goals) = self.goals.get(page_id) {
            return Ok(goals.clone());
        }
        let page = pages::find(tx, tenant, page_id)?;
        let goals = page.as_ref().map(Goals::of).transpose()?.unwrap_or_default();
        self.goals.insert(page_id.clone(), goals.clone());
        Ok(goals)
    }

    /// What has changed.
    fn changes(self, tenant: &TenantId) -> Vec<Query> {
        let mut changes = Vec::new();
        let is_new = |(_, state): &&(Session, State)| *state == State::New;
        if self.sessions.values().any(|session| is_new(&session)) {
            changes.push(pending_work::add(tenant, WorkKind::Sessions));
        }
        for (session, state) in self.sessions.values() {
            match state {
                State::AsRead => {}
                State::Changed => changes.push(sessions::update(tenant, session)),
                State::New => {
                    let closes_at = visit::ends_at(session.last_at, self.timeout);
                    changes.push(sessions::insert(tenant, session, closes_at));
                }
            }
        }
        let changed = self.views.values().filter(|(_, state)| *state != State::AsRead);
        changes.extend(changed.map(|(view, _)| views::save(tenant, view)));
        changes.extend(self.noted);
        changes
    }
}

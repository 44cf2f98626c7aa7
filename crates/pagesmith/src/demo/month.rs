//! A month of invented visits to the pages of the example, and what some visitors have sent, so that its figures mean something.
//!
//! Each visit is taken by the operations that take those of real visitors, at a clock of its own that runs through the month; then all are
//! closed at once. Visitors are numbers, drawn with a seed: every example has the same month. Invariant: a page that was visited before is left
//! as it is.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use pagesmith_model::form::FormContent;
use pagesmith_model::form::spam::Findings;
use pagesmith_model::page::action::Action;
use pagesmith_model::visit::beacon::Beacon;
use pagesmith_model::visit::client::Device;
use pagesmith_model::{AudienceId, Error, PageId, Result, Timestamp};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::forms::submit::{self, Sent, SubmitOutcome};
use pagesmith_operations::visits::close;
use pagesmith_operations::visits::collect::{Report, collect};
use pagesmith_operations::{Clock, Platform, Random, tenants};
use pagesmith_store::tables::visits::sessions;
use pagesmith_store::{Extent, Tx, tables};
use pagesmith_worker::tools::Tools;
use serde::Deserialize;

use super::{MANY, read};

/// How many days there are visits on.
const DAYS: i64 = 30;
const DAY: Duration = Duration::from_hours(24);
/// The seed of the month.
const SEED: u64 = 30;

/// How the pages of the example are visited.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Month {
    /// Visits on a working day, at least; there are up to twice as many, and fewer at weekends.
    visits_a_day: u64,
    /// Where visitors come from.
    sources: Vec<Source>,
    /// What visitors have sent with forms.
    submissions: Vec<SentBefore>,
}

/// Where a visitor comes from.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    #[serde(default)]
    query: String,
    #[serde(default)]
    referrer: String,
    weight: u64,
}

/// What a visitor has sent.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SentBefore {
    days_ago: u64,
    audience: String,
    action_id: String,
    #[serde(default)]
    query: String,
    values: BTreeMap<String, String>,
}

/// What can be visited.
struct VisitedPage {
    page_id: PageId,
    audience_id: AudienceId,
    name: String,
    path: String,
    /// Whether it is for one person.
    is_personal: bool,
    /// The actions of the page.
    actions: Vec<String>,
}

/// Lets the month have happened, unless the pages were visited before.
pub async fn live_through(tools: &Tools) -> crate::failure::Result<()> {
    let story = read()?;
    let (slug, month) = (story.tenant.slug, story.month);
    let (platform, timeout) = (Arc::clone(&tools.platform), tools.session_timeout);
    tools.store.write(move |tx| live(tx, &platform, (&slug, &month), timeout)).await?;
    Ok(())
}

fn live(
    tx: &mut Tx<'_>,
    platform: &Arc<Platform>,
    (slug, month): (&str, &Month),
    timeout: Duration,
) -> Result<()> {
    let ctx = platform.context().of(tenants::find(tx, slug)?.tenant_id);
    let places = places(tx, &ctx)?;
    if places.is_empty() || is_visited(tx, &ctx, &places)? {
        return Ok(());
    }
    let now = ctx.now.as_micros();
    let midnight = Timestamp::from_micros(now - now.rem_euclid(micros(DAY)));
    let draw = Draw(Random::seeded(SEED));
    // A part of the last day is left over, so that everybody has gone.
    let clock = Clock::manual(Timestamp::from_micros(midnight.as_micros() - micros(DAY) * DAYS));
    let past = platform.with_clock(clock);
    let here = || past.context().of(ctx.tenant.clone());
    for ago in (1..=DAYS).rev() {
        let night = Duration::from_hours(6);
        past.clock().advance(night);
        let visits = draw.visits(month, here().now)?;
        // The visits of a day are spread over sixteen hours.
        let pause = Duration::from_hours(16) / u32::try_from(visits + 1).unwrap_or(u32::MAX);
        for _ in 0..visits {
            past.clock().advance(pause);
            visit(tx, &here(), (&draw, &places, month), timeout)?;
        }
        past.clock().advance(pause);
        for sent in month.submissions.iter().filter(|sent| sent.days_ago == ago.unsigned_abs()) {
            send(tx, &here(), (&draw, &places, sent), timeout)?;
        }
        past.clock().advance(DAY - night - pause * u32::try_from(visits + 1).unwrap_or(u32::MAX));
    }
    while close::close_due(tx, &ctx.tenant, ctx.now, timeout)? {}
    Ok(())
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}

/// Whether somebody has been to one of the pages.
fn is_visited(tx: &mut Tx<'_>, ctx: &TenantContext, places: &[VisitedPage]) -> Result<bool> {
    for place in places {
        let range = Timestamp::from_micros(0)..ctx.now.plus(DAY);
        let filter = sessions::SessionFilter { page_id: place.page_id.clone(), audience_id: None, range };
        if !sessions::list(tx, &ctx.tenant, &filter, None, Extent::of_items(1))?.items.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The published pages of the example, those for nobody in particular first.
fn places(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<Vec<VisitedPage>> {
    let listed = tables::pages::stamps::list(tx, &ctx.tenant, None, MANY)?;
    let mut places = Vec::new();
    for (page_id, _) in listed.items {
        let Some(page) = tables::pages::find(tx, &ctx.tenant, &page_id)? else { continue };
        let actions: Vec<Action> = page.actions.read()?;
        let actions: Vec<String> = actions.iter().map(|action| action.id().to_owned()).collect();
        let (audiences, _) =
            tables::audiences::list(tx, &ctx.tenant, &page_id, None, Extent::of_items(MANY))?;
        for listed in audiences.items.into_iter().filter(|listed| listed.published.is_some()) {
            let path = format!("/{}/{}", page.slug, listed.address());
            let audience = listed.audience;
            places.push(VisitedPage {
                page_id: page_id.clone(),
                is_personal: audience.person_id.is_some(),
                name: audience.custom_name.unwrap_or(audience.computed_name),
                audience_id: audience.audience_id,
                path,
                actions: actions.clone(),
            });
        }
    }
    places.sort_by(|one, other| (one.is_personal, &one.path).cmp(&(other.is_personal, &other.path)));
    Ok(places)
}

/// Numbers by chance.
struct Draw(Random);

impl Draw {
    /// A number below a bound.
    fn below(&self, bound: u64) -> Result<u64> {
        Ok(u64::from_le_bytes(self.0.bytes()?) % bound.max(1))
    }

    /// Whether something happens that does so many times in a hundred.
    fn happens(&self, percent: u64) -> Result<bool> {
        Ok(self.below(100)? < percent)
    }

    /// One of several, each as likely as its weight says.
    fn one<'a, T>(&self, of: &'a [T], weight: impl Fn(&T) -> u64) -> Result<&'a T> {
        let mut left = self.below(of.iter().map(&weight).sum())?;
        for one in of {
            match left.checked_sub(weight(one)) {
                Some(rest) => left = rest,
                None => return Ok(one),
            }
        }
        Err(Error::internal("nothing to choose from"))
    }

    /// How many come on a day: few at weekends, and a little more each week.
    fn visits(&self, month: &Month, day: Timestamp) -> Result<u64> {
        // The first day of 1970 was a Thursday.
        let weekday = (day.as_micros().div_euclid(micros(DAY)) + 3).rem_euclid(7);
        let least = if weekday >= 5 { month.visits_a_day / 3 } else { month.visits_a_day };
        Ok(least + self.below(least + 1)?)
    }
}

/// A report of a visitor who has come to a place.
fn report(draw: &Draw, place: &VisitedPage, source: &Source) -> Result<Report> {
    let location = match source.query.as_str() {
        "" => place.path.clone(),
        query => format!("{}?{query}", place.path),
    };
    let view = draw.0.bytes()?;
    let mut beacon = Beacon::of_picture(view, place.page_id.clone(), place.audience_id.clone(), &location);
    beacon.referrer.clone_from(&source.referrer);
    (beacon.is_scripted, beacon.is_touched) = (true, true);
    let device = *draw.one(&[(Device::Desktop, 11), (Device::Phone, 8), (Device::Tablet, 1)], |one| one.1)?;
    let language = draw.one(&[("nb", 9), ("en", 7), ("sv", 2), ("de", 1), ("es", 1)], |one| one.1)?.0;
    Ok(Report {
        beacon,
        visitors: vec![draw.0.bytes()?],
        verdict: None,
        host: "norrvik.example".to_owned(),
        domain_id: None,
        device: device.0,
        language: Some(language.to_owned()),
        address: None,
        asks_for_privacy: false,
    })
}

/// Somebody comes, reads, perhaps presses something, and goes.
fn visit(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (draw, places, month): (&Draw, &[VisitedPage], &Month),
    timeout: Duration,
) -> Result<()> {
    let place = draw.one(places, |place| if place.is_personal { 1 } else { 4 })?;
    let source = draw.one(&month.sources, |source| source.weight)?;
    let mut report = report(draw, place, source)?;
    // One in four looks and leaves; the others read for up to four minutes.
    let (seconds, scroll) = if draw.happens(25)? {
        (draw.below(8)?, draw.below(30)?)
    } else {
        (15 + draw.below(225)?, 30 + draw.below(71)?)
    };
    let beacon = &mut report.beacon;
    beacon.age_ms = i64::try_from(seconds * 1_200).unwrap_or_default();
    beacon.engaged_ms = i64::try_from(seconds * 1_000).unwrap_or_default();
    beacon.scroll = i64::try_from(scroll).unwrap_or_default();
    if seconds > 30 && !place.actions.is_empty() && draw.happens(30)? {
        beacon.actions.push(draw.one(&place.actions, |_| 1)?.clone());
        beacon.clicks = 1;
    }
    collect(tx, ctx, &[report], timeout).map(drop)
}

/// Somebody comes and sends a form.
fn send(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (draw, places, sent): (&Draw, &[VisitedPage], &SentBefore),
    timeout: Duration,
) -> Result<()> {
    let place = places.iter().find(|place| place.name == sent.audience);
    let place = place.ok_or_else(|| Error::internal("a submission to no page of the example"))?;
    let source = Source { query: sent.query.clone(), referrer: String::new(), weight: 1 };
    let mut report = report(draw, place, &source)?;
    (report.beacon.age_ms, report.beacon.engaged_ms, report.beacon.scroll) = (95_000, 80_000, 100);
    (report.beacon.clicks, report.beacon.actions) = (2, vec![sent.action_id.clone()]);
    collect(tx, ctx, std::slice::from_ref(&report), timeout)?;
    let contact = |_: Option<&str>| FormContent::default();
    let (page_id, audience_id) = (&place.page_id, &place.audience_id);
    let form = submit::find_shown(tx, ctx, page_id, audience_id, &sent.action_id, contact)?;
    let form = form.ok_or_else(|| Error::internal("a submission to no form of the example"))?;
    let sent = Sent {
        page_id: page_id.clone(),
        audience_id: audience_id.clone(),
        action_id: sent.action_id.clone(),
        region: None,
        fields: sent.values.clone().into_iter().collect(),
        files: vec![],
        file_quota: 0,
        submission_id: None,
        proof: None,
        is_scripted: true,
        findings: Findings::default(),
        utm_parameters: BTreeMap::new(),
        report,
    };
    match submit::submit(tx, ctx, &sent, &form, timeout)? {
        SubmitOutcome::Kept(_) => Ok(()),
        other => Err(Error::internal(format!("a submission of the example is not taken: {other:?}"))),
    }
}

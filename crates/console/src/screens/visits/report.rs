//! What visitors of a page did in some days, beside as many days before.
//!
//! It names no visitor, so that whoever may see a page may see it; an audience that is a person's is named only for those who may see persons.

use std::collections::HashMap;

use futures_util::future::{join_all, try_join, try_join4, try_join5};
use maud::{Markup, html};
use serde_json::Value;

use crate::client::{Client, Refused, segment, with_query};
use crate::json::{count, items, number, some, text};
use crate::parts::chart::{Chart, Form, Series, chart};
use crate::parts::date_range::DateRange;
use crate::parts::table::scrolled;
use crate::screens::figures::{figures, percent};
use crate::words::Words;

/// How many sources, campaigns and audiences are shown; the first are those with the most visits. Of more it is told how many there are.
const MOST: usize = 100;

/// The figures of a page.
pub(crate) struct Report {
    range: DateRange,
    summary: Value,
    before: Value,
    days: Value,
    days_before: Value,
    sources: Value,
    campaigns: Value,
    funnel: Value,
    dropped: Value,
    /// The audiences that are shown, with their names; without a name one that is a person's, for whoever may not see persons.
    audiences: Vec<(Option<String>, Value)>,
    /// The other audiences.
    audiences_left: Left,
}

/// What there is besides what is shown.
#[derive(Clone, Copy, Default)]
struct Left {
    /// How many values.
    values: usize,
    /// The visits with them.
    visits: u64,
    /// The visits with values that are not told apart.
    others: u64,
}

impl Left {
    /// What is left of values with these visits.
    fn of(visits: impl Iterator<Item = u64>) -> Left {
        visits.skip(MOST).fold(Left::default(), |left, visits| Left {
            values: left.values + 1,
            visits: left.visits + visits,
            ..left
        })
    }

    /// Says it, with a way to all visits for those who may see them.
    fn draw(self, words: Words, all: Option<&str>) -> Markup {
        let Left { values, visits, others } = self;
        html! {
            @if values > 0 || others > 0 {
                p.help {
                    @if values > 0 {
                        (words.with("visits-values-left", &[("count", values.into()), ("visits", visits.into())])) " "
                    }
                    @if others > 0 { (words.with("visits-others", &[("visits", others.into())])) " " }
                    @if let Some(all) = all { a href=(all) { (words.text("download-csv")) } }
                }
            }
        }
    }
}

impl Report {
    /// Reads the figures of the page with this id in these days.
    pub(crate) async fn read(
        api: &Client,
        page_id: &str,
        range: DateRange,
        shows_persons: bool,
    ) -> Result<Report, Refused> {
        let page = format!("/v0/pages/{}", segment(page_id));
        let get = |what: &str, range: DateRange, more: Option<(&str, &str)>| {
            let (from, to) = range.bounds();
            let days = [("startDate", from.as_str()), ("endDate", to.as_str())];
            let asked: Vec<_> =
                days.into_iter().chain(more).map(|(name, value)| (name, Some(value))).collect();
            let path = with_query(&format!("{page}/analytics/{what}"), &asked);
            async move { api.get(&path).await.map(|answered| answered.body) }
        };
        let daily = Some(("interval", "day"));
        let figures = try_join5(
            get("audiences", range, None),
            get("summary", range, None),
            get("summary", range.before(), None),
            get("timeseries", range, daily),
            get("timeseries", range.before(), daily),
        );
        let origins = try_join4(
            get("breakdown", range, Some(("by", "source"))),
            get("breakdown", range, Some(("by", "campaign"))),
            get("funnel", range, None),
            get("dropped", range, None),
        );
        let ((by_audience, summary, before, days, days_before), (sources, campaigns, funnel, dropped)) =
            try_join(figures, origins).await?;
        let mut found: Vec<&Value> = items(&by_audience).iter().collect();
        found.sort_by_key(|audience| std::cmp::Reverse(count(audience, "totalSessions")));
        let audiences_left = Left::of(found.iter().map(|audience| count(audience, "totalSessions")));
        found.truncate(MOST);
        let named = named(api, &page, found, shows_persons).await?;
        Ok(Report {
            range,
            summary,
            before,
            days,
            days_before,
            sources,
            campaigns,
            funnel,
            dropped,
            audiences: named,
            audiences_left,
        })
    }

    /// Draws them; `all` is where whoever may see them has all visits as a file.
    pub(crate) fn draw(&self, words: Words, all: Option<&str>) -> Markup {
        let Report { sources, campaigns, .. } = self;
        html! {
            (figures(words, &self.summary, Some(&self.before)))
            (self.by_day(words))
            (most(words, "by-source", sources, all, (&words.text("visits-by-source"), &words.text("source"), &words.text("source-none"))))
            @if items(campaigns).iter().any(|one| some(one, "value").is_some()) {
                (most(words, "by-campaign", campaigns, all, (&words.text("visits-by-campaign"), &words.text("campaign"), &words.text("campaign-none"))))
            }
            (self.steps(words))
            @if self.audiences.len() > 1 { (self.side_by_side(words, all)) }
            @if !items(&self.dropped).is_empty() { (self.not_counted(words)) }
        }
    }

    fn by_day(&self, words: Words) -> Markup {
        let (now, before) = (words.text("visits"), words.text("visits-before"));
        let drawn = Chart {
            id: "by-day",
            title: &words.text("visits-by-day"),
            form: Form::Line,
            places: &words.text("day"),
            labels: self.range.each_day().map(|day| words.day(day)).collect(),
            series: vec![
                Series { name: &now, values: day_by_day(self.range, &self.days) },
                Series { name: &before, values: day_by_day(self.range.before(), &self.days_before) },
            ],
        };
        chart(words, &drawn)
    }

    fn steps(&self, words: Words) -> Markup {
        html! {
            section {
                h2 { (words.text("steps")) }
                ol.plain {
                    @for step in items(&self.funnel) {
                        li {
                            (step_word(words, text(step, "step"))) ": "
                            strong { (counted(words, step, "sessions")) }
                            " " span.help { (percent(words, number(step, "share").unwrap_or_default())) }
                        }
                    }
                }
            }
        }
    }

    fn not_counted(&self, words: Words) -> Markup {
        html! {
            section {
                h2 { (words.text("visits-not-counted")) }
                p.help { (words.text("visits-not-counted-text")) }
                ul.plain {
                    @for one in items(&self.dropped) {
                        li { (reason_word(words, text(one, "reason"))) ": " strong { (counted(words, one, "sessions")) } }
                    }
                }
            }
        }
    }

    fn side_by_side(&self, words: Words, all: Option<&str>) -> Markup {
        let rate = |figures: &Value, name: &str| percent(words, number(figures, name).unwrap_or_default());
        html! {
            section {
                h2 { (words.text("audiences-side-by-side")) }
                (scrolled(&words.text("audiences-side-by-side"), &html! {
                    thead { tr {
                        th scope="col" { (words.text("audience")) }
                        th.number scope="col" { (words.text("visits")) }
                        th.number scope="col" { (words.text("conversion")) }
                        th.number scope="col" { (words.text("forms-sent")) }
                        th.number scope="col" { (words.text("bounces")) }
                    } }
                    tbody {
                        @for (name, figures) in &self.audiences {
                            tr {
                                th scope="row" dir="auto" { (name.clone().unwrap_or_else(|| words.text("audience-of-person"))) }
                                td.number { (counted(words, figures, "totalSessions")) }
                                td.number { (rate(figures, "conversionRate")) }
                                td.number { (rate(figures, "formSubmitRate")) }
                                td.number { (rate(figures, "bounceRate")) }
                            }
                        }
                    }
                }))
                (self.audiences_left.draw(words, all))
            }
        }
    }
}

/// These audiences of a page, at its path of the API, with their names. Most stand in the list of audiences, which is read at once; the others are read one by one.
async fn named(
    api: &Client,
    page: &str,
    audiences: Vec<&Value>,
    shows_persons: bool,
) -> Result<Vec<(Option<String>, Value)>, Refused> {
    if audiences.len() < 2 {
        // One audience stands beside no other, and is not shown.
        return Ok(audiences.into_iter().map(|figures| (None, figures.clone())).collect());
    }
    let listed = api.get(&format!("{page}/audiences?limit={MOST}")).await?.body;
    let name_of = |audience: &Value| match shows_persons || audience["personId"].is_null() {
        true => Some(text(audience, "effectiveName").to_owned()),
        // It is called as the person is.
        false => None,
    };
    let named = audiences.into_iter().map(async |figures| {
        let id = text(figures, "audienceId");
        let name = match items(&listed).iter().find(|audience| text(audience, "audienceId") == id) {
            Some(audience) => name_of(audience),
            None => match api.get(&format!("{page}/audiences/{}", segment(id))).await {
                Ok(found) => name_of(&found.body),
                // An audience that is gone has its visits still.
                Err(_) => Some(id.to_owned()),
            },
        };
        (name, figures.clone())
    });
    Ok(join_all(named).await)
}

/// The visits of each day; the series leaves out those without any.
fn day_by_day(range: DateRange, series: &Value) -> Vec<u64> {
    let known: HashMap<&str, u64> = items(series)
        .iter()
        .filter_map(|day| Some((text(day, "startsAt").get(..10)?, count(&day["summary"], "totalSessions"))))
        .collect();
    range.each_day().map(|day| known.get(day.to_string().as_str()).copied().unwrap_or_default()).collect()
}

/// The values with the most visits as bars: the title, what the values are called, and what the one without a name is called.
fn most(
    words: Words,
    id: &str,
    breakdown: &Value,
    all: Option<&str>,
    (title, places, none): (&str, &str, &str),
) -> Markup {
    let (shown, visits) = (items(breakdown).iter().take(MOST), words.text("visits"));
    let label = |one: &Value| some(one, "value").unwrap_or(none).to_owned();
    let of = |one: &Value| count(&one["summary"], "totalSessions");
    let drawn = Chart {
        id,
        title,
        form: Form::Bar,
        places,
        labels: shown.clone().map(label).collect(),
        series: vec![Series { name: &visits, values: shown.map(of).collect() }],
    };
    let left = Left::of(items(breakdown).iter().map(of));
    let left = Left { others: count(&breakdown["other"], "totalSessions"), ..left };
    html! { (chart(words, &drawn)) (left.draw(words, all)) }
}

fn counted(words: Words, value: &Value, name: &str) -> String {
    words.count(count(value, name))
}

fn reason_word(words: Words, reason: &str) -> String {
    match reason {
        "crawler" => words.text("not-counted-crawler"),
        "automated" => words.text("not-counted-automated"),
        "prefetch" => words.text("not-counted-prefetch"),
        "referrer_spam" => words.text("not-counted-referrer-spam"),
        "own_address" => words.text("not-counted-own-address"),
        "data_centre" => words.text("not-counted-data-centre"),
        other => other.to_owned(),
    }
}

fn step_word(words: Words, step: &str) -> String {
    match step {
        "scrolled_half" => words.text("step-scrolled"),
        "action" => words.text("step-action"),
        "form" => words.text("step-form"),
        _ => words.text("step-seen"),
    }
}

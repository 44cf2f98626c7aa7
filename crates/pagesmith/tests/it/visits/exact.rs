//! Sums are what counting the rows gives, for any visits, any range, and reports that come late.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use pagesmith_model::visit::session::Session;
use pagesmith_model::visit::sums::Sums;
use pagesmith_model::{PageId, Timestamp};
use pagesmith_store::Extent;
use pagesmith_store::tables::visits::sessions::{self, SessionFilter};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use serde_json::{Value, json};

use super::{Scene, shown};

/// Every row of the page, read one way and counted by nothing else.
async fn rows(scene: &Scene) -> Vec<Session> {
    let (tenant, page_id) = (scene.app.tenant.clone(), PageId::parse(&scene.page).unwrap());
    let all = Timestamp::from_micros(0)..Timestamp::from_micros(i64::MAX);
    let filter = SessionFilter { page_id, audience_id: None, range: all };
    let read = move |tx: &mut pagesmith_store::Tx<'_>| {
        sessions::list(tx, &tenant, &filter, None, Extent::of_items(100_000))
    };
    scene.app.store.read(read).await.unwrap().items
}

fn counted(rows: &[Session], range: &Range<Timestamp>, audience: Option<&str>) -> Sums {
    let mut sums = Sums::default();
    for session in rows.iter().filter(|session| range.contains(&session.started_at)) {
        if audience.is_none_or(|audience| session.audience_id.as_str() == audience) {
            sums.add(&Sums::of(&session.counted));
        }
    }
    sums
}

#[track_caller]
fn agrees(told: &Value, sums: &Sums, what: &str) {
    let number = |field: &str| told[field].as_f64();
    assert_eq!(number("totalSessions"), Some(f64::from(i32::try_from(sums.sessions).unwrap())), "{what}");
    assert_eq!(number("bounceRate"), Some(sums.bounce_rate()), "{what}");
    assert_eq!(number("conversionRate"), Some(sums.conversion_rate()), "{what}");
    assert_eq!(number("avgInteractionsPerSession"), Some(sums.interactions_per_session()), "{what}");
    assert_eq!(number("avgTimeSpentSeconds"), sums.mean_seconds(), "{what}");
    assert_eq!(number("avgScrollDepthPercentage"), sums.mean_scroll(), "{what}");
}

/// Zones with clocks that are set in the weeks of the test, with offsets of half and quarter hours, and far from UTC.
const ZONES: [&str; 12] = [
    "America/New_York",
    "America/Havana",
    "America/St_Johns",
    "America/Los_Angeles",
    "Europe/Berlin",
    "Africa/Casablanca",
    "Asia/Tehran",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Pacific/Chatham",
    "Pacific/Kiritimati",
];

/// When the hour, day or week of an instant begins on the clocks of a zone, by the arithmetic of a library.
fn start_in(zone: &str, instant: Timestamp, interval: &str) -> Timestamp {
    let shown = jiff::Timestamp::from_microsecond(instant.as_micros()).unwrap().in_tz(zone).unwrap();
    let start = match interval {
        "hour" => shown.with().minute(0).second(0).subsec_nanosecond(0).build().unwrap(),
        "day" => shown.start_of_day().unwrap(),
        _ => {
            let since = i64::from(shown.weekday().to_monday_zero_offset());
            shown
                .date()
                .checked_sub(jiff::Span::new().days(since))
                .unwrap()
                .to_zoned(shown.time_zone().clone())
                .unwrap()
        }
    };
    Timestamp::from_micros(start.timestamp().as_microsecond())
}

/// What is counted in each hour, day or week of a zone that a range touches.
fn by_time_in(
    zone: &str,
    interval: &str,
    rows: &[Session],
    range: &Range<Timestamp>,
) -> BTreeMap<Timestamp, Sums> {
    let mut found: BTreeMap<Timestamp, Sums> = BTreeMap::new();
    if range.is_empty() {
        return found;
    }
    let start = |instant: Timestamp| start_in(zone, instant, interval);
    let last = Timestamp::from_micros(range.end.as_micros() - 1);
    let touched = start(range.start)..=start(last);
    for session in rows {
        let span = start(session.started_at);
        if touched.contains(&span) {
            found.entry(span).or_default().add(&Sums::of(&session.counted));
        }
    }
    found
}

/// What is counted of each value of a dimension in a range.
fn by_value(
    rows: &[Session],
    range: &Range<Timestamp>,
    value_of: impl Fn(&Session) -> Option<&String>,
) -> BTreeMap<String, Sums> {
    let mut found: BTreeMap<String, Sums> = BTreeMap::new();
    for session in rows.iter().filter(|session| range.contains(&session.started_at)) {
        if let Some(value) = value_of(session) {
            found.entry(value.clone()).or_default().add(&Sums::of(&session.counted));
        }
    }
    found
}

/// What is counted in each hour, day or week that a range touches. A Monday begins the weeks.
fn by_time(rows: &[Session], range: &Range<Timestamp>, hours: i64) -> BTreeMap<Timestamp, Sums> {
    let monday: Timestamp = "2026-02-23T00:00:00Z".parse().unwrap();
    let number =
        |instant: Timestamp| (instant.as_micros() - monday.as_micros()).div_euclid(hours * 3_600_000_000);
    let mut found: BTreeMap<Timestamp, Sums> = BTreeMap::new();
    if range.is_empty() {
        return found;
    }
    let last = Timestamp::from_micros(range.end.as_micros() - 1);
    for session in rows {
        let span = number(session.started_at);
        if (number(range.start)..=number(last)).contains(&span) {
            let start = Timestamp::from_micros(monday.as_micros() + span * hours * 3_600_000_000);
            found.entry(start).or_default().add(&Sums::of(&session.counted));
        }
    }
    found
}

/// Looks at hours, days and weeks of a zone.
async fn look_in(scene: &Scene, zone: &str, rows: &[Session], (query, range): (&str, Range<Timestamp>)) {
    let now = scene.app.platform.clock().now();
    let first = now.as_micros() / 86_400_000_000 * 86_400_000_000 - 31 * 86_400_000_000;
    for interval in ["hour", "day", "week"] {
        let path = format!("analytics/timeseries?interval={interval}&timeZone={zone}&{query}");
        let series = scene.get(&path).await;
        let first = if interval == "hour" { Timestamp::from_micros(first) } else { range.start };
        let expected = by_time_in(zone, interval, rows, &(range.start.max(first)..range.end));
        let told = series["items"].as_array().unwrap();
        assert_eq!((told.len(), &series["exactFrom"]), (expected.len(), &Value::Null), "{path}");
        for (one, (start, sums)) in told.iter().zip(&expected) {
            assert_eq!(one["startsAt"], start.to_string(), "{path}");
            agrees(&one["summary"], sums, &path);
        }
    }
}

/// Looks at what a range is told apart by.
async fn look_by_value(scene: &Scene, rows: &[Session], (query, range): (&str, Range<Timestamp>)) {
    let expected = [
        ("source", by_value(rows, &range, |session| session.origin.source.as_ref())),
        ("campaign", by_value(rows, &range, |session| session.origin.campaign.as_ref())),
        ("referrer", by_value(rows, &range, |session| session.origin.referrer.as_ref())),
        ("device", by_value(rows, &range, |session| session.device.as_ref())),
        ("language", by_value(rows, &range, |session| session.language.as_ref())),
    ];
    for (dimension, expected) in expected {
        let told = scene.get(&format!("analytics/breakdown?by={dimension}&{query}")).await;
        let items = told["items"].as_array().unwrap();
        assert_eq!((items.len(), &told["other"]), (expected.len(), &Value::Null), "{dimension} {query}");
        for item in items {
            agrees(&item["summary"], &expected[item["value"].as_str().unwrap()], query);
        }
    }
}

/// Looks at random ranges, some of them with round edges.
async fn look(scene: &Scene, random: &mut ChaCha8Rng, begun: Timestamp, ranges: usize) {
    let rows = rows(scene).await;
    let now = scene.app.platform.clock().now();
    let span = u64::try_from(now.as_micros() - begun.as_micros()).unwrap() + 1_000_000;
    for _ in 0..ranges {
        let mut instant = || {
            let micros = begun.as_micros() + i64::try_from(random.next_u64() % span).unwrap();
            let round =
                [1, 1_000, 900_000_000, 86_400_000_000][usize::try_from(random.next_u32() % 4).unwrap()];
            Timestamp::from_micros((micros / round * round).max(1_000))
        };
        let (one, other) = (instant(), instant());
        let range = one.min(other)..one.max(other);
        // Texts have milliseconds; what is asked for is what they say.
        let (start, end): (Timestamp, Timestamp) =
            (range.start.to_string().parse().unwrap(), range.end.to_string().parse().unwrap());
        let query = format!("startDate={start}&endDate={end}");
        let sums = counted(&rows, &(start..end), None);
        agrees(&scene.get(&format!("analytics/summary?{query}")).await, &sums, &query);
        // The tenant has no other page with visits.
        let of_tenant = scene.client.get(&format!("/v0/analytics/summary?{query}")).await.expect(200).json();
        agrees(&of_tenant, &sums, &query);
        let audiences = scene.get(&format!("analytics/audiences?{query}")).await;
        let mut told = 0;
        for one in audiences["items"].as_array().unwrap() {
            let sums = counted(&rows, &(start..end), one["audienceId"].as_str());
            agrees(one, &sums, &query);
            assert_eq!(one["bounceCount"], sums.bounces);
            assert_eq!(one["bounceEligibleSessions"], sums.bounce_eligible);
            assert_eq!(one["ctaSessions"], sums.with_action);
            assert_eq!(one["conversionCount"], sums.conversions);
            told += sums.sessions;
        }
        assert_eq!(told, sums.sessions, "{query}");
        let funnel = scene.get(&format!("analytics/funnel?{query}")).await;
        let steps = [sums.sessions, sums.half_seen, sums.with_action, sums.with_form];
        assert_eq!(std::array::from_fn(|at| funnel["items"][at]["sessions"].as_i64().unwrap()), steps);
        for (interval, hours) in [("hour", 1), ("day", 24), ("week", 7 * 24)] {
            let series = scene.get(&format!("analytics/timeseries?interval={interval}&{query}")).await;
            // Hours reach back 31 days before the present one.
            let first = now.as_micros() / 86_400_000_000 * 86_400_000_000 - 31 * 86_400_000_000;
            let first = if interval == "hour" { Timestamp::from_micros(first) } else { start };
            let expected = by_time(&rows, &(start.max(first)..end), hours);
            let told = series["items"].as_array().unwrap();
            assert_eq!(told.len(), expected.len(), "{interval} {query}");
            for (one, (start, sums)) in told.iter().zip(&expected) {
                assert_eq!(one["startsAt"], start.to_string(), "{interval} {query}");
                agrees(&one["summary"], sums, &query);
            }
        }
        let zone = ZONES[usize::try_from(random.next_u32()).unwrap() % ZONES.len()];
        look_in(scene, zone, &rows, (&query, start..end)).await;
        look_by_value(scene, &rows, (&query, start..end)).await;
        let listed = scene.get(&format!("audience_sessions?limit=1&{query}")).await;
        assert_eq!(listed["totalCount"], sums.sessions, "{query}");
        let of = format!("audience_sessions?limit=1&{query}&audienceId={}", scene.audience);
        let of_audience = counted(&rows, &(start..end), Some(&scene.audience));
        assert_eq!(scene.get(&of).await["totalCount"], of_audience.sessions, "{query}");
    }
}

async fn compare(seed: u64, steps: usize) {
    let scene = Scene::start().await;
    let other = shown(&scene.client, &scene.page, &json!({})).await;
    let begun = scene.app.platform.clock().now();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut below = |most: u32| random.next_u32() % most;
    let mut sent: Vec<(u128, Value)> = vec![];
    for step in 0..steps {
        let audience = if below(3) == 0 { &other } else { &scene.audience };
        let (action, before) = (below(3) as usize, below(3) as usize);
        let action = ["read", "book", "none"][action];
        let before = ["", "https://t.co/", "https://www.bing.com/"][before];
        let choices = if below(4) == 0 { vec!["1-0"] } else { vec![] };
        let fields = json!({
            "a": audience, "t": below(60_000), "e": below(20_000), "s": below(101), "c": below(8) / 6,
            "x": [action], "q": choices, "r": before, "w": below(9) == 0,
        });
        let view = u128::try_from(step).unwrap();
        let language = ["de", "en-GB,en;q=0.5", "*"][below(3) as usize];
        let browser = scene.browser(150 + below(4)).with("accept-language", language);
        scene.send_as(&browser, view, &fields).await;
        sent.push((view, fields));
        // Some come again, late or at once.
        for _ in 0..below(3) {
            let (view, fields) = &sent[below(u32::try_from(sent.len()).unwrap()) as usize];
            scene.send_as(&browser, *view, fields).await;
        }
        let pause = [1, 40, 700, 3_600, 26_000, 90_000][below(6) as usize];
        scene.app.advance(Duration::from_secs(u64::from(below(pause) + 1)));
        // Now and then nobody has closed what is over.
        if below(4) > 0 {
            for task in ["close_sessions", "sweep_visits", "destroy_salts"] {
                let task = pagesmith_worker::tasks::TASKS.iter().find(|one| one.name == task).unwrap();
                task.run(&scene.app.tools()).await.unwrap();
            }
        }
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed + 1);
    look(&scene, &mut random, begun, 25).await;
    scene.after(31).await;
    look(&scene, &mut random, begun, 15).await;
    // Quarters are gone, and of days that no zone but UTC has, rows are summed.
    scene.after(33 * 24 * 60).await;
    look(&scene, &mut random, begun, 15).await;
    assert!(rows(&scene).await.len() > steps / 3, "too few sessions to say anything");
}

#[tokio::test]
async fn sums_are_what_counting_rows_gives() {
    for seed in 0..2 {
        compare(seed, 120).await;
    }
}

//! How much the analytics of a page say at most.

use pagesmith_model::visit::origin::Origin;
use pagesmith_model::visit::range::Span;
use pagesmith_model::visit::session::{Dimension, Session};
use pagesmith_model::visit::sums::{Counted, Sums};
use pagesmith_model::{AnalyticsSessionId, AudienceId, AudienceSessionId, PageId};
use pagesmith_store::Tx;
use pagesmith_store::tables::visits::sessions;
use pagesmith_store::tables::visits::sums::{self, Key};
use serde_json::json;

use super::Scene;

/// How many audiences one answer tells of.
const MOST: usize = 10_000;

#[tokio::test]
async fn of_very_many_audiences_the_ten_thousand_with_the_most_sessions_are_told() {
    let scene = Scene::start().await;
    let (tenant, platform) = (scene.app.tenant.clone(), scene.app.platform.clone());
    let page_id = PageId::parse(&scene.page).unwrap();
    let fill = move |tx: &mut Tx<'_>| {
        let context = platform.context();
        let starts_at = Span::Day.start_of(context.now);
        let mut made = Vec::new();
        // The last two have less than all others.
        for number in 0..MOST + 2 {
            let audience = AudienceId::mint(context.uuid()?);
            let sessions = if number < MOST { 3 } else { 1 };
            let key = Key {
                page_id: page_id.clone(),
                span: Span::Day,
                dimension: Dimension::Audience,
                value: audience.to_string(),
                starts_at: starts_at.minus(pagesmith_model::visit::range::DAY),
            };
            made.push(audience.to_string());
            tx.run(sums::add(&tenant, &key, &Sums { sessions, ..Sums::default() }))?;
        }
        Ok(made)
    };
    let mut made = scene.app.store.write(fill).await.unwrap();
    let told = scene.get("analytics/audiences").await;
    let items = told["items"].as_array().unwrap();
    assert_eq!(items.len(), MOST);
    let mut ids: Vec<_> = items.iter().map(|item| item["audienceId"].as_str().unwrap().to_owned()).collect();
    assert!(items.iter().all(|item| item["totalSessions"] == 3));
    made.truncate(MOST);
    made.sort();
    ids.sort();
    assert!(ids == made, "another audience is told of");
    // One less is told of as a whole.
    let last = AudienceId::parse(&made[0]).unwrap();
    let (tenant, page_id) = (scene.app.tenant.clone(), PageId::parse(&scene.page).unwrap());
    let remove = move |tx: &mut Tx<'_>| {
        let whose = (Span::Day, Dimension::Audience);
        tx.run(sums::remove_value(&tenant, &page_id, whose, last.as_str())).map(drop)
    };
    scene.app.store.write(remove).await.unwrap();
    let told = scene.get("analytics/audiences").await;
    let items = told["items"].as_array().unwrap();
    let less = items.iter().filter(|item| item["totalSessions"] == 1).count();
    assert_eq!((items.len(), less), (MOST, 1));
}

/// How many open sessions the summary of all pages counts.
const MOST_OPEN: u64 = 2_000;

#[tokio::test]
async fn of_very_many_open_sessions_the_summary_of_all_pages_counts_those_that_close_first() {
    let scene = Scene::start().await;
    let (tenant, platform) = (scene.app.tenant.clone(), scene.app.platform.clone());
    let (page_id, audience_id) =
        (PageId::parse(&scene.page).unwrap(), AudienceId::parse(&scene.audience).unwrap());
    let fill = move |tx: &mut Tx<'_>| {
        let context = platform.context();
        for number in 0..MOST_OPEN + 5 {
            // The last ones close first, and they alone have converted.
            let counted = Counted { has_conversion: number >= MOST_OPEN, ..Counted::default() };
            let session = Session {
                session_id: AudienceSessionId::mint(context.uuid()?),
                analytics_session_id: AnalyticsSessionId::mint(context.uuid()?),
                page_id: page_id.clone(),
                audience_id: audience_id.clone(),
                started_at: context.now,
                last_at: context.now,
                visitor: None,
                counted,
                verdict: None,
                origin: Origin::default(),
                page_link_id: None,
                device: None,
                language: None,
                person_id: None,
                form: None,
            };
            let minutes = if number < MOST_OPEN { 30 } else { 20 };
            let closes_at = context.now.plus(std::time::Duration::from_mins(minutes));
            tx.run(sessions::insert(&tenant, &session, closes_at))?;
        }
        Ok(())
    };
    scene.app.store.write(fill).await.unwrap();
    let told = scene.client.get("/v0/analytics/summary").await.expect(200).json();
    assert_eq!(told["totalSessions"], MOST_OPEN);
    assert_eq!(told["conversionRate"], json!(5.0 / 2_000.0));
    // The page's own summary is exact.
    assert_eq!(scene.get("analytics/summary").await["totalSessions"], MOST_OPEN + 5);
}

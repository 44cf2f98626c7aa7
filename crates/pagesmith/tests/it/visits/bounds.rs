//! How much the analytics of a page say at most.

use pagesmith_model::visit::range::Span;
use pagesmith_model::visit::session::Dimension;
use pagesmith_model::visit::sums::Sums;
use pagesmith_model::{AudienceId, PageId};
use pagesmith_store::Tx;
use pagesmith_store::tables::visits::sums::{self, Key};

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

//! Lists that are long: what a part of one costs does not depend on where in the list it is.

use pagesmith_model::cursor::SortKey;
use pagesmith_model::list_order::{ListOrder, OrderBy, OrderedPlace};
use pagesmith_model::{AccountId, AudienceId, PageId, PersonId, Result};
use pagesmith_store::tables::pages::stamps;
use pagesmith_store::tables::{accounts, audiences, persons};
use pagesmith_store::{Extent, Tx, rows_read};
use pagesmith_testkit::database::{execute_at, is_postgres};
use pagesmith_testkit::{TestApp, fixtures};
use serde_json::{Value, json};

/// How many things a list has, and how many of them a part.
const ALL: usize = 300;
const PART: usize = 20;

/// Requires that reading a part reads few rows of these tables.
async fn require_few(
    app: &TestApp,
    tables: [&'static str; 3],
    mut read: impl FnMut(&mut Tx<'_>) -> Result<()> + Send + 'static,
) {
    let counts = app.store.read(move |tx| {
        let count = |tx: &mut Tx<'_>| tables.map(|table| rows_read::of(tx, table).unwrap());
        let before = count(tx);
        read(tx)?;
        let after = count(tx);
        Ok([0, 1, 2].map(|at| after[at] - before[at]))
    });
    let counts = counts.await.unwrap();
    assert!(counts[0] >= PART as i64 && counts.iter().sum::<i64>() < 150, "{counts:?} rows of {tables:?}");
}

/// Makes so many of something, and has PostgreSQL know how many there are; their ids, the oldest first.
async fn make(app: &TestApp, path: &str, id: &str, new: impl Fn(String) -> Value) -> Vec<String> {
    let mut ids = Vec::new();
    for number in 0..ALL {
        let answer = app.client().post(path, &new(number.to_string())).await;
        assert!(answer.status.is_success(), "{}", answer.text());
        ids.push(answer.json()[id].as_str().unwrap().to_owned());
    }
    execute_at(&app.database.address, "ANALYZE").await;
    ids
}

#[tokio::test]
async fn the_last_pages_of_a_list_cost_no_more_than_the_first() {
    if !is_postgres() {
        return;
    }
    let app = TestApp::start().await;
    let ids = make(&app, "/v0/pages", "pageId", |name| fixtures::page(&name)).await;
    for position in [ALL - 1, PART + 1] {
        let (tenant, after) = (app.tenant.clone(), PageId::parse(&ids[position]).unwrap());
        require_few(&app, ["pages", "page_tallies", "page_names"], move |tx| {
            let part = stamps::list(tx, &tenant, Some(&after), PART)?;
            assert_eq!(part.items.len(), PART);
            Ok(())
        })
        .await;
    }
}

#[tokio::test]
async fn the_last_audiences_of_a_page_cost_no_more_than_the_first() {
    if !is_postgres() {
        return;
    }
    let app = TestApp::start().await;
    let page: Value = app.client().post("/v0/pages", &fixtures::page("one")).await.expect(201).json();
    let page_id = PageId::parse(page["pageId"].as_str().unwrap()).unwrap();
    let new = |name| json!({ "publishBehavior": "draft", "customName": name });
    let ids = make(&app, &format!("/v0/pages/{page_id}/audiences"), "audienceId", new).await;
    for position in [ALL - 1, PART + 1] {
        let (tenant, page_id) = (app.tenant.clone(), page_id.clone());
        let after = AudienceId::parse(&ids[position]).unwrap();
        require_few(&app, ["audiences", "audience_versions", "tenant_sites"], move |tx| {
            let part = audiences::list(tx, &tenant, &page_id, Some(&after), Extent::of_items(PART))?;
            assert_eq!(part.0.items.len(), PART);
            Ok(())
        })
        .await;
    }
}

/// The places of two items in an order, near the end and near the beginning.
fn places<Id>(by: OrderBy, key: impl Fn(usize) -> String, id: impl Fn(usize) -> Id) -> Vec<OrderedPlace<Id>> {
    let place = |position: usize| OrderedPlace {
        key: (by != OrderBy::CreatedAt).then(|| SortKey::Text(key(position))),
        id: id(position),
    };
    [PART + 1, ALL - PART - 1].map(place).into()
}

fn named(number: &str) -> String {
    format!("item {number:0>3}")
}

#[tokio::test]
async fn the_last_of_a_list_in_an_order_cost_no_more_than_the_first() {
    if !is_postgres() {
        return;
    }
    let app = TestApp::start().await;
    let page: Value = app.client().post("/v0/pages", &fixtures::page("one")).await.expect(201).json();
    let page_id = PageId::parse(page["pageId"].as_str().unwrap()).unwrap();
    let new = |number: String| json!({ "publishBehavior": "draft", "customName": named(&number) });
    let of_page = make(&app, &format!("/v0/pages/{page_id}/audiences"), "audienceId", new).await;
    let new =
        |number: String| json!({ "name": named(&number), "email": format!("{number:0>3}@acme.example") });
    let of_persons = make(&app, "/v0/persons", "personId", new).await;
    let new = |number: String| json!({ "name": named(&number), "domain": format!("{number:0>3}.example") });
    let of_accounts = make(&app, "/v0/accounts", "accountId", new).await;
    let extent = Extent::of_items(PART);
    let name = |position: usize| named(&position.to_string());
    for by in [OrderBy::Name, OrderBy::CreatedAt] {
        let id = |position: usize| AudienceId::parse(&of_page[position]).unwrap();
        for place in places(by, name, id) {
            let (tenant, page_id) = (app.tenant.clone(), page_id.clone());
            let order = ListOrder { by, is_descending: false };
            require_few(&app, ["audiences", "audience_versions", "audience_names"], move |tx| {
                let (part, _) =
                    audiences::in_order::list(tx, &tenant, &page_id, Some(order), Some(&place), extent)?;
                assert_eq!(part.items.len(), PART);
                Ok(())
            })
            .await;
        }
        let id = |position: usize| AccountId::parse(&of_accounts[position]).unwrap();
        for place in places(by, name, id) {
            let (tenant, order) = (app.tenant.clone(), ListOrder { by, is_descending: false });
            require_few(&app, ["accounts", "account_names", "tenant_sites"], move |tx| {
                let (part, _) = accounts::list_in_order(tx, &tenant, false, order, Some(&place), extent)?;
                assert_eq!(part.items.len(), PART);
                Ok(())
            })
            .await;
        }
    }
    let address = |position: usize| format!("{position:0>3}@acme.example");
    for by in [OrderBy::Email, OrderBy::CreatedAt] {
        let id = |position: usize| PersonId::parse(&of_persons[position]).unwrap();
        for place in places(by, address, id) {
            let (tenant, order) = (app.tenant.clone(), ListOrder { by, is_descending: false });
            require_few(&app, ["persons", "person_texts", "tenant_sites"], move |tx| {
                let (part, _) = persons::list_in_order(tx, &tenant, Some(order), Some(&place), extent)?;
                assert_eq!(part.items.len(), PART);
                Ok(())
            })
            .await;
        }
    }
}

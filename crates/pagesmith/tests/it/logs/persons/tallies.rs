//! Totals of long logs: as right with a tally as without one.
//!
//! A tally is made in the background after a list; here it is also moved on by hand, so that nothing waits for it.

use std::time::Duration;

use pagesmith_model::log::NewPersonLog;
use pagesmith_model::{AccountId, PersonId};
use pagesmith_operations::logs::{self, tallies};
use pagesmith_store::tables::logs::tallies::{self as table, Tallied};
use pagesmith_testkit::TestApp;
use serde_json::{Value, json};

use super::{address, log_of, text, write};

/// Writes that many entries in one transaction.
async fn fill(app: &TestApp, email: &str, count: usize) {
    let ctx = app.platform.context().of(app.tenant.clone());
    let new: NewPersonLog = serde_json::from_value(json!({ "source": "crm", "email": email })).unwrap();
    let filled = app.store.write(move |tx| {
        for _ in 0..count {
            logs::persons::create(tx, &ctx, &new)?;
        }
        Ok(())
    });
    filled.await.unwrap();
}

/// Moves the tallies of a person and of an account's persons on; how many entries a total still counts one by one.
async fn advance(app: &TestApp, person: &Value, account: &str) -> [u64; 2] {
    let ctx = app.platform.context().of(app.tenant.clone());
    let person_id = PersonId::parse(text(person, "personId")).unwrap();
    let account_id = AccountId::parse(account).unwrap();
    let advanced = app.store.write(move |tx| {
        let mut counted = [0; 2];
        for (at, owner) in [Tallied::Person(&person_id), Tallied::PersonsOf(&account_id)].iter().enumerate() {
            tallies::advance(tx, &ctx, owner)?;
            let rows = tx.all(table::count(&ctx.tenant, owner))?;
            counted[at] = table::total(&rows, true)?.counted;
        }
        Ok(counted)
    });
    advanced.await.unwrap()
}

/// The totals of a person's log, without and with deleted entries.
async fn of_person(app: &TestApp, person: &Value) -> [u64; 2] {
    let without = log_of(&app.client(), person, "limit=1").await["totalCount"].as_u64();
    let with = log_of(&app.client(), person, "limit=1&includeDeleted=true").await["totalCount"].as_u64();
    [without, with].map(Option::unwrap)
}

/// The totals of an account's activity, without and with deleted entries.
async fn of_account(app: &TestApp, account: &str) -> [u64; 2] {
    let mut totals = [0; 2];
    for (at, deleted) in ["false", "true"].iter().enumerate() {
        let path = format!(
            "/v0/accounts/{account}/activity?includePersonActivity=true&includeDeleted={deleted}&limit=1"
        );
        totals[at] = app.client().get(&path).await.expect(200).json()["totalCount"].as_u64().unwrap();
    }
    totals
}

async fn account_of(app: &TestApp, domain: &str) -> String {
    let account = app.client().post("/v0/accounts", &json!({ "domain": domain })).await.expect(200).json();
    text(&account, "accountId").to_owned()
}

#[tokio::test]
async fn a_total_stays_right_while_its_tally_moves_on() {
    let app = TestApp::start().await;
    let client = app.client();
    let first = write(&client, &json!({ "email": "jane@acme.example" })).await;
    let account = account_of(&app, "acme.example").await;
    fill(&app, "jane@acme.example", 1_199).await;
    assert_eq!(of_person(&app, &first).await, [1_200, 1_200]);
    // Entries that are young are not taken into a tally, and nobody tries.
    let is_behind = async || {
        let (ctx, first) = (app.platform.context().of(app.tenant.clone()), first.clone());
        let account_id = AccountId::parse(&account).unwrap();
        let asked = app.store.read(move |tx| {
            let person_id = PersonId::parse(text(&first, "personId")).unwrap();
            let mut behind = [false; 2];
            for (at, owner) in
                [Tallied::Person(&person_id), Tallied::PersonsOf(&account_id)].iter().enumerate()
            {
                let total = table::total(&tx.all(table::count(&ctx.tenant, owner))?, true)?;
                behind[at] = tallies::is_behind(tx, &ctx, owner, &total)?;
            }
            Ok(behind)
        });
        asked.await.unwrap()
    };
    assert_eq!(is_behind().await, [false; 2]);
    assert_eq!(advance(&app, &first, &account).await, [1_200, 1_200]);
    app.advance(Duration::from_mins(11));
    assert_eq!(is_behind().await, [true; 2]);
    // This list has the tallies made; whether they are there yet makes no difference.
    assert_eq!(of_person(&app, &first).await, [1_200, 1_200]);
    assert_eq!(of_account(&app, &account).await, [1_200, 1_200]);
    assert_eq!(advance(&app, &first, &account).await, [0, 0]);
    assert_eq!(is_behind().await, [false; 2]);
    assert_eq!(of_person(&app, &first).await, [1_200, 1_200]);
    fill(&app, "jane@acme.example", 10).await;
    let late = write(&client, &json!({ "email": "jane@acme.example" })).await;
    assert_eq!(advance(&app, &first, &account).await, [11, 11]);
    assert_eq!(of_person(&app, &first).await, [1_211, 1_211]);
    // Entries before and behind the tally's end, deleted and brought back.
    client.delete(&address(&first)).await.expect(200);
    client.delete(&address(&late)).await.expect(200);
    assert_eq!(of_person(&app, &first).await, [1_209, 1_211]);
    assert_eq!(of_account(&app, &account).await, [1_209, 1_211]);
    app.advance(Duration::from_mins(11));
    assert_eq!(advance(&app, &first, &account).await, [0, 0]);
    assert_eq!(advance(&app, &first, &account).await, [0, 0]);
    assert_eq!(of_person(&app, &first).await, [1_209, 1_211]);
    client.post(&format!("{}/restore", address(&first)), &json!({})).await.expect(200);
    assert_eq!(of_person(&app, &first).await, [1_210, 1_211]);
    assert_eq!(of_account(&app, &account).await, [1_210, 1_211]);
}

#[tokio::test]
async fn an_accounts_total_follows_persons_who_move() {
    let app = TestApp::start().await;
    let client = app.client();
    let jane = write(&client, &json!({ "email": "jane@acme.example" })).await;
    let joe = write(&client, &json!({ "email": "joe@acme.example" })).await;
    let jim = write(&client, &json!({ "email": "jim@globex.example" })).await;
    let (acme, globex) = (account_of(&app, "acme.example").await, account_of(&app, "globex.example").await);
    fill(&app, "jane@acme.example", 1_100).await;
    fill(&app, "jim@globex.example", 1_010).await;
    app.advance(Duration::from_mins(11));
    assert_eq!(advance(&app, &jane, &acme).await, [0, 0]);
    assert_eq!(advance(&app, &jim, &globex).await, [0, 0]);
    assert_eq!((of_account(&app, &acme).await[0], of_account(&app, &globex).await[0]), (1_102, 1_011));
    let path = format!("/v0/persons/{}", text(&jane, "personId"));
    client.patch(&path, &json!({ "domain": "globex.example" })).await.expect(200);
    assert_eq!((of_account(&app, &acme).await[0], of_account(&app, &globex).await[0]), (1, 2_112));
    assert_eq!(of_person(&app, &jane).await, [1_101, 1_101]);
    advance(&app, &joe, &acme).await;
    advance(&app, &jim, &globex).await;
    client.delete(&path).await.expect(200);
    assert_eq!((of_account(&app, &acme).await[0], of_account(&app, &globex).await[0]), (1, 1_011));
    advance(&app, &jim, &globex).await;
    client.post(&format!("{path}/restore"), &json!({})).await.expect(200);
    assert_eq!((of_account(&app, &acme).await[0], of_account(&app, &globex).await[0]), (1, 2_112));
    // Entries written since show where the person is now.
    fill(&app, "jane@acme.example", 5).await;
    assert_eq!((of_account(&app, &acme).await[0], of_account(&app, &globex).await[0]), (1, 2_117));
    assert_eq!(of_person(&app, &jane).await, [1_106, 1_106]);
}

//! What is left of an erased person in the database: nothing, whatever the index had made of it.

use pagesmith_model::id::Uuid7Source;
use pagesmith_model::{PersonId, TenantId, Timestamp, fields};
use pagesmith_operations::persons::erase;
use pagesmith_person_index::Pace;
use pagesmith_person_index::internals::{self, Next, Sizes};
use pagesmith_store::tables::person_index::texts;
use pagesmith_store::{Store, Tx};
use pagesmith_testkit::{Client, TestApp};
use serde_json::json;

const SIZES: Sizes = Sizes { fresh: 2, chunk: 4, segment: 12, mark: 3 };
/// A gram that nobody else has.
const RARE: &str = "龘靐齉";

/// Which of these are in the database, in whatever case.
async fn traces<'a>(app: &TestApp, wanted: &[&'a str]) -> Vec<&'a str> {
    let held = app.database.everything(&app.store).await.to_ascii_lowercase();
    let stands = |wanted: &str| {
        let wanted = wanted.to_ascii_lowercase();
        held.windows(wanted.len()).any(|bytes| bytes == wanted.as_bytes())
    };
    wanted.iter().copied().filter(|wanted| stands(wanted)).collect()
}

/// Others, so that the index has something to do.
async fn crowd(store: &Store, tenant: &TenantId, count: i64) {
    let tenant = tenant.clone();
    let write = move |tx: &mut Tx<'_>| {
        for number in 0..count {
            let id = PersonId::mint(Uuid7Source::new().next(Timestamp::from_micros(number * 1_000), 1));
            tx.run(texts::insert(&tenant, &id, &fields::join(["Ann", "acme.com"])))?;
        }
        Ok(())
    };
    store.write(write).await.unwrap();
}

async fn turn(store: &Store, tenant: &TenantId, sizes: Sizes) {
    internals::maintain_with(store, tenant, sizes, Pace::ALONE).await.unwrap();
}

/// A person with everything that one can have, and with a history; its id and its slug.
async fn known(client: &Client) -> (String, String) {
    let person = client
        .post("/v0/persons", &json!({ "name": format!("Zebulon {RARE}"), "email": "zebulon@quuxwerke.com" }))
        .await
        .expect(201)
        .json();
    let id = person["personId"].as_str().unwrap().to_owned();
    for (key, text) in [("zeb-1", "Zookeeping"), ("zeb-2", "Zymurgy")] {
        let entry = json!({ "personId": id, "source": "crm", "type": "call", "idempotencyKey": key,
            "payload": { "text": text } });
        let entry = client.post("/v0/person_logs", &entry).await.expect(201).json();
        if key == "zeb-2" {
            let path = format!("/v0/persons/{id}/logs/{}", entry["personLogId"].as_str().unwrap());
            client.delete(&path).await.expect(200);
        }
    }
    client.with("idempotency-key", "zeb-3").get(&format!("/v0/persons/{id}/logs")).await.expect(200);
    (id, person["slug"].as_str().unwrap().to_owned())
}

pub(crate) async fn erase(app: &TestApp, id: &str) {
    let (ctx, person) = (app.platform.context().of(app.tenant.clone()), PersonId::parse(id).unwrap());
    app.store.write(move |tx| erase::erase(tx, &ctx, &person).map(drop)).await.unwrap();
}

#[tokio::test]
async fn no_table_knows_an_erased_person() {
    let app = TestApp::start().await;
    let client = app.client();
    let (id, slug) = known(&client).await;
    crowd(&app.store, &app.tenant, 300).await;
    turn(&app.store, &app.tenant, Sizes::default()).await;
    // Changed after it was indexed: an older document is left behind.
    let patch = json!({ "phoneNumber": "+4915112345678", "linkedinProfileUrl": "linkedin.com/in/zebuloon" });
    client.patch(&format!("/v0/persons/{id}"), &patch).await.expect(200);

    let digits = id.trim_start_matches("person_");
    let all = [
        digits,
        slug.as_str(),
        "zebulon",
        "zebuloon",
        "zebulon@quuxwerke.com",
        "4915112345678",
        "Zookeeping",
        "Zymurgy",
        "zeb-1",
        RARE,
    ];
    assert_eq!(traces(&app, &all).await, all, "the test looks for the wrong things");
    erase(&app, &id).await;
    assert_eq!(traces(&app, &all).await, Vec::<&str>::new());
    app.run_due_work().await;
    assert_eq!(traces(&app, &all).await, Vec::<&str>::new());
    client.get(&format!("/v0/persons/{id}")).await.expect(404);
}

#[tokio::test]
async fn a_namesake_of_an_erased_person_gets_another_address() {
    let app = TestApp::start().await;
    let client = app.client();
    let (id, slug) = known(&client).await;
    erase(&app, &id).await;
    let name = format!("Zebulon {RARE}");
    let namesake = client.post("/v0/persons", &json!({ "name": name })).await.expect(201).json();
    // Whoever becomes known by an entry is made in the same way.
    let entry = json!({ "name": name, "email": "zeb@quuxwerke.com", "source": "crm", "type": "call" });
    let entry = client.post("/v0/person_logs", &entry).await.expect(201).json();
    let path = format!("/v0/persons/{}", entry["personId"].as_str().unwrap());
    let other = client.get(&path).await.expect(200).json();
    let mut slugs = [slug.as_str(), namesake["slug"].as_str().unwrap(), other["slug"].as_str().unwrap()];
    slugs.sort_unstable();
    assert!(slugs.is_sorted_by(|a, b| a < b), "{slugs:?}");
}

#[tokio::test]
async fn the_index_forgets_persons_wherever_they_stand_in_it() {
    let app = TestApp::start().await;
    // Fresh, packed, in one posted segment and packed again, in two posted ones.
    for (number, (before, after)) in [(0, 0), (5, 0), (12, 0), (12, 14), (24, 30)].into_iter().enumerate() {
        let tenant = app.add_tenant(&format!("tenant-{number}")).await;
        let ids: Vec<PersonId> = (0..3_u64)
            .map(|at| PersonId::mint(Uuid7Source::new().next(Timestamp::from_micros(5_500), at << 9)))
            .collect();
        let (of, all) = (tenant.clone(), ids.clone());
        let come = move |tx: &mut Tx<'_>| {
            all.iter().try_for_each(|id| tx.run(texts::insert(&of, id, RARE)).map(drop))
        };
        app.store.write(come).await.unwrap();
        crowd(&app.store, &tenant, before).await;
        turn(&app.store, &tenant, SIZES).await;
        if after > 0 {
            let (of, all) = (tenant.clone(), ids.clone());
            let change = move |tx: &mut Tx<'_>| {
                for id in &all {
                    tx.batch(texts::update(&of, id, &format!("{RARE}\nacme.com")).into())?;
                }
                Ok(())
            };
            app.store.write(change).await.unwrap();
            let of = tenant.clone();
            let more = move |tx: &mut Tx<'_>| {
                for number in 0..after {
                    let instant = Timestamp::from_micros(9_000_000 + number * 1_000);
                    let id = PersonId::mint(Uuid7Source::new().next(instant, 1));
                    tx.run(texts::insert(&of, &id, "bob"))?;
                }
                Ok(())
            };
            app.store.write(more).await.unwrap();
            turn(&app.store, &tenant, SIZES).await;
        }
        let names: Vec<&str> = ids.iter().map(PersonId::as_str).chain([RARE]).collect();
        assert_eq!(traces(&app, &names).await, names, "{number}");
        for id in &ids {
            let (of, id) = (tenant.clone(), id.clone());
            app.store.write(move |tx| internals::erase_with(tx, &of, &id, SIZES)).await.unwrap();
        }
        assert_eq!(traces(&app, &names).await, Vec::<&str>::new(), "{number}");
        turn(&app.store, &tenant, SIZES).await;
        assert_eq!(traces(&app, &names).await, Vec::<&str>::new(), "{number}");
    }
}

#[tokio::test]
async fn what_was_computed_before_an_erasure_is_not_written_after_it() {
    let app = TestApp::start().await;
    let (store, tenant) = (&app.store, &app.tenant);
    crowd(store, tenant, 11).await;
    let id = PersonId::mint(Uuid7Source::new().next(Timestamp::from_micros(5_500), 1));
    let (of, person) = (tenant.clone(), id.clone());
    store.write(move |tx| tx.run(texts::insert(&of, &person, RARE))).await.unwrap();
    let segment = loop {
        let of = tenant.clone();
        match store.claim(move |tx| internals::step(tx, &of, SIZES)).await.unwrap() {
            Next::WritePostings(segment) => break segment,
            Next::Step => {}
            Next::Rest => panic!("the segment is not full"),
        }
    };
    let of = tenant.clone();
    let loaded = store.read(move |tx| internals::load(tx, &of, segment, SIZES)).await.unwrap().unwrap();
    let postings = internals::postings(&loaded, SIZES);
    let half = postings.len() / 2;
    let post = async |from: usize, to: usize, last: bool| {
        let (of, part, erasures) = (tenant.clone(), postings[from..to].to_vec(), loaded.erasures);
        let post = move |tx: &mut Tx<'_>| internals::post(tx, &of, segment, erasures, &part, last);
        store.claim(post).await.unwrap()
    };
    assert!(post(half, postings.len(), false).await);
    let (of, person) = (tenant.clone(), id.clone());
    store.write(move |tx| internals::erase_with(tx, &of, &person, SIZES)).await.unwrap();
    assert!(!post(0, half, true).await);
    turn(store, tenant, SIZES).await;
    assert_eq!(traces(&app, &[id.as_str(), RARE, "龘"]).await, Vec::<&str>::new());
    let of = tenant.clone();
    assert!(store.read(move |tx| internals::load(tx, &of, segment, SIZES)).await.unwrap().is_none());
}

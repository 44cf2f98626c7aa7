//! Keys and challenges in the database: sealed, answered by every server, sealed anew with the server's key, and given up with it.

use std::sync::Arc;
use std::time::Duration;

use pagesmith_model::certificate::{Certificate, OrderStage};
use pagesmith_model::seal::{SecretKey, SecretKeys};
use pagesmith_operations::certificates::{self, Challenge, lease::Lease};
use pagesmith_operations::server_keys::{self, Lost, Walk};
use pagesmith_operations::{Clock, Platform, Random};
use pagesmith_store::tables::certificates as table;
use pagesmith_store::tables::certificates::acme_accounts;
use pagesmith_testkit::{Client, TestApp};
use rcgen::{CertificateParams, KeyPair};

use super::{NAME, app, certificates as shown, domain};

const DIRECTORY: &str = "https://ca.example/directory";

fn lease(holder: &str) -> Lease {
    Lease { directory: DIRECTORY.to_owned(), holder: holder.to_owned(), orders_per_hour: 2 }
}

/// A certificate in use, and an order for the next one.
pub(super) async fn issued(app: &TestApp) -> Vec<u8> {
    domain(app).await;
    let (ctx, lease, key) = (app.platform.context(), lease("first"), KeyPair::generate().unwrap());
    let chain = CertificateParams::new(vec![NAME.to_owned()]).unwrap().self_signed(&key).unwrap().pem();
    let plain = key.serialize_der();
    let written = plain.clone();
    let write = move |tx: &mut pagesmith_store::Tx<'_>| {
        lease.take(tx, "ops@example.com", ctx.now)?.unwrap();
        lease.save_account(tx, &ctx, "ops@example.com", b"{\"key_pkcs8\":1}")?;
        let mut certificate = Certificate::wanted(NAME, DIRECTORY, ctx.now);
        tx.run(table::insert(&certificate))?;
        certificate.begin(ctx.now);
        certificates::begin(tx, &ctx, &lease, &certificate, &written)?;
        let facts = certificates::read_issued(chain.as_bytes())?;
        certificate.issue(facts.validity, facts.renewal_id, ctx.now);
        certificates::show(tx, &ctx, &lease, &certificate, &chain)?;
        certificate.begin(ctx.now);
        certificates::begin(tx, &ctx, &lease, &certificate, &written)?;
        let challenge =
            Challenge { token: "a-Token_1".to_owned(), key_authorization: "a-Token_1.thumbprint".to_owned() };
        certificate.reached(OrderStage::Challenged, ctx.now);
        certificates::save_challenge(tx, &ctx, &lease, &certificate, &challenge)
    };
    app.store.write(write).await.unwrap();
    plain
}

async fn sealed(app: &TestApp) -> (Vec<u8>, Vec<u8>) {
    let rows = app.store.read(|tx| table::list_sealed(tx, None, 10)).await.unwrap();
    let (key, order_key) = rows.into_iter().next().unwrap().1;
    (key.unwrap(), order_key.unwrap())
}

#[tokio::test]
async fn every_node_answers_a_challenge_under_its_name_alone() {
    let app = app().await;
    issued(&app).await;
    let node = Client::new(app.another_server(), None);
    let path = "/.well-known/acme-challenge/a-Token_1";
    let asked = async |host: &str, path: &str| node.with("host", host).get(path).await;
    for host in [NAME, "GO.acme.test:80"] {
        assert_eq!(asked(host, path).await.expect(200).text(), "a-Token_1.thumbprint", "{host}");
    }
    for (host, path) in [
        ("other.test", path),
        (NAME, "/.well-known/acme-challenge/a-Token_2"),
        (NAME, "/.well-known/acme-challenge/"),
        (NAME, "/.well-known/acme-challenge/a-Token_1/"),
        (NAME, "/.well-known/acme-challenge/%61-Token_1"),
        (NAME, &format!("/.well-known/acme-challenge/{}", "a".repeat(4_000))),
    ] {
        asked(host, path).await.expect(404);
    }
}

#[tokio::test]
async fn one_server_orders_at_a_time_and_no_more_than_it_may() {
    let app = app().await;
    issued(&app).await;
    let [first, second] = ["first", "second"].map(lease);
    let take = async |lease: &Lease| {
        let (lease, now) = (lease.clone(), app.platform.clock().now());
        app.store.write(move |tx| lease.take(tx, "", now)).await.unwrap()
    };
    assert!(take(&second).await.is_none(), "the first has it");
    let account = take(&first).await.unwrap();
    let now = app.platform.clock().now();
    assert_eq!(first.orders_left(&account, now).0, 0, "two were begun");
    assert_eq!(first.orders_left(&account, now.plus(Duration::from_hours(1))).0, 2);
    // A server that is not heard of any more loses it, and what it found out does not count.
    app.advance(Duration::from_mins(3));
    assert!(take(&second).await.is_some());
    let (ctx, certificate) = (app.platform.context(), Certificate::wanted(NAME, DIRECTORY, now));
    let late = first.clone();
    app.store.write(move |tx| certificates::save(tx, &ctx, &late, &certificate)).await.unwrap_err();
    // Whoever is through leaves it to others at once.
    let now = app.platform.clock().now();
    app.store.write(move |tx| second.release(tx, now)).await.unwrap();
    assert!(take(&first).await.is_some());
    let ctx = app.platform.context();
    app.store.write(move |tx| first.forget_account(tx, &ctx)).await.unwrap();
}

#[tokio::test]
async fn keys_are_sealed_and_sealed_anew_and_given_up_with_the_server_s() {
    let app = app().await;
    let plain = issued(&app).await;
    let holds = |bytes: &[u8]| bytes.windows(plain.len()).any(|part| part == plain);
    let before = sealed(&app).await;
    assert!(!holds(&before.0) && !holds(&before.1));
    shown(&app).refresh(&app.store, &app.platform).await.unwrap();
    assert!(shown(&app).is_there("GO.acme.test") && !shown(&app).is_in_files(NAME));
    let (old, new) = (SecretKey::new([7; 32]), SecretKey::new([8; 32]));
    let platform = Platform::new(Clock::manual(app.platform.clock().now()), Random::seeded(9));
    platform.keep_secret(SecretKeys::new(new.clone(), vec![old]));
    let (ctx, mut at, mut anew) = (platform.context(), Walk::Keys, 0);
    while at != Walk::Over {
        let (ctx, from) = (ctx.clone(), at);
        let (next, found) = app.store.write(move |tx| server_keys::reseal(tx, &ctx, &from, 1)).await.unwrap();
        (at, anew) = (next, anew + found.anew);
    }
    let after = sealed(&app).await;
    assert!(before.0 != after.0 && before.1 != after.1);
    assert!(anew >= 3, "both keys and the account: {anew}");
    // They open under the new key alone.
    platform.keep_secret(new);
    let ctx = platform.context();
    let opened = app.store.read(move |tx| certificates::order_key(tx, &ctx, NAME)).await.unwrap();
    assert_eq!(opened, Some(plain));
    given_up(&app, &platform).await;
}

/// What is lost is listed, given up, and ordered anew.
async fn given_up(app: &TestApp, platform: &Arc<Platform>) {
    platform.keep_secret(SecretKey::new([9; 32]));
    let (ctx, mut at, mut told) = (platform.context(), Walk::Certificates(None), Vec::new());
    while at != Walk::Over {
        let (ctx, from) = (ctx.clone(), at);
        let (next, found) =
            app.store.write(move |tx| server_keys::give_up(tx, &ctx, &from, 1)).await.unwrap();
        told.extend(found);
        at = next;
    }
    assert!(told.contains(&Lost::Certificate(NAME.to_owned())), "{told:?}");
    assert!(told.contains(&Lost::AcmeAccount(DIRECTORY.to_owned())), "{told:?}");
    let left = app.store.read(|tx| table::list_by_end(tx, 10)).await.unwrap();
    assert_eq!((left.len(), &left[0].issued, &left[0].order), (1, &None, &None));
    let account = app.store.read(|tx| acme_accounts::find(tx, DIRECTORY)).await.unwrap().unwrap();
    assert_eq!(account.sealed, None);
    shown(app).refresh(&app.store, platform).await.unwrap();
    assert!(!shown(app).is_there(NAME), "and no longer shown");
}

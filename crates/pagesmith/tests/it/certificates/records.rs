//! What is asked before an order: of a domain's CAA records whether there may be one, and of the authority when a certificate is to be renewed.

use pagesmith_model::certificate::caa::CaaRecord;

use super::authority::{Authority, IDENTITY};
use super::*;

#[tokio::test]
async fn the_records_of_the_nearest_name_that_has_any_count() {
    let app = app().await;
    let checker = &app.state.dns_checker;
    let record =
        |value: &str| CaaRecord { is_critical: false, tag: "issue".to_owned(), value: value.to_owned() };
    assert_eq!(checker.caa(NAME).await, Some(("test".to_owned(), vec![])));
    app.names.caa("acme.test", "issue", "one.example");
    app.names.address(NAME, "127.0.0.1");
    assert_eq!(checker.caa(NAME).await, Some(("acme.test".to_owned(), vec![record("one.example")])));
    app.names.caa(NAME, "issue", ";");
    assert_eq!(checker.caa(NAME).await, Some((NAME.to_owned(), vec![record(";")])));
    // Another name leads to its own records, not to those above them.
    app.names.cname("www.other.test", NAME);
    assert_eq!(checker.caa("www.other.test").await, Some(("www.other.test".to_owned(), vec![record(";")])));
    app.names.clear(NAME);
    app.names.fail("acme.test");
    assert_eq!(checker.caa(NAME).await, None);
    assert_eq!(checker.caa("a.b.c.d.e.f.g.h.i.j.k").await, None, "so many names are not asked");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_order_is_placed_that_the_records_forbid() {
    let app = app().await;
    let ([plain, _], _node) = listen(&app).await;
    let Some(pebble) = Pebble::start(app.names.address, [plain.port(), 1]).await else { return };
    let authority = Authority::start(&pebble).await;
    app.names.caa("acme.test", "issue", "other.example");
    let domain = domain(&app).await;
    let tools = ordering(&app, "first", &authority.directory, &authority.gateway);
    step(&tools).await;
    let certificate = find(&app, NAME).await;
    let orders = orders(&app, &authority.directory).await;
    assert_eq!((orders, authority.told.lock().unwrap().orders.len()), (0, 0));
    assert_eq!((certificate.failures, &certificate.order), (1, &None));
    let path = format!("/v0/tenant_domains/{}/dns", domain["tenantDomainId"].as_str().unwrap());
    let dns = app.client().get(&path).await.expect(200).json();
    let problem = &dns["certificate"]["problem"];
    assert_eq!(problem["code"], "caa", "{dns}");
    let detail = format!("The CAA records of acme.test allow other.example, and not {IDENTITY}.");
    assert_eq!(problem["detail"], detail.as_str());
    // Another account of the same authority is another one.
    app.names.caa(NAME, "issue", &format!("{IDENTITY}; accounturi=https://authority.example/1"));
    app.advance(Duration::from_mins(5));
    step(&tools).await;
    let failed = find(&app, NAME).await.failed.unwrap().detail;
    assert!(failed.ends_with("for another account or another challenge only."), "{failed}");
    // What is allowed now is ordered.
    app.names.caa(NAME, "issue", &format!("{IDENTITY}; validationmethods=http-01"));
    app.advance(Duration::from_mins(15));
    let certificate = until(&app, &tools, |certificate| certificate.issued.is_some()).await;
    assert_eq!((certificate.failures, certificate.failed), (0, None));
    assert_eq!(authority.told.lock().unwrap().orders.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_authority_that_says_when_to_renew_is_obeyed_and_told_what_is_replaced() {
    let app = app().await;
    let ([plain, _], _node) = listen(&app).await;
    let Some(pebble) = Pebble::start(app.names.address, [plain.port(), 1]).await else { return };
    let authority = Authority::start(&pebble).await;
    domain(&app).await;
    // What cannot be found out about the records is left to the authority.
    app.names.fail("acme.test");
    let tools = ordering(&app, "first", &authority.directory, &authority.gateway);
    let issued = until(&app, &tools, |certificate| certificate.issued.is_some()).await.issued.unwrap();
    let id = issued.renewal_id.clone().unwrap();
    assert_eq!(authority.told.lock().unwrap().orders[0]["replaces"], Value::Null);
    let now = app.platform.clock().now();
    let window = (now.plus(Duration::from_hours(240)), now.plus(Duration::from_hours(480)));
    authority.told.lock().unwrap().window = Some(window);
    app.advance(Duration::from_secs(2));
    step(&tools).await;
    assert_eq!(authority.told.lock().unwrap().asked, std::slice::from_ref(&id));
    let planned = find(&app, NAME).await;
    let renew_at = planned.issued.unwrap().renew_at;
    assert!((window.0..=window.1).contains(&renew_at) && renew_at != issued.renew_at);
    let hours = planned.next_step_at.since(app.platform.clock().now()).as_secs() / 3600;
    assert!((5..=6).contains(&hours), "it said when to ask again: {hours}");
    // A window in the past, as after a revocation, means now.
    authority.told.lock().unwrap().window = Some((now, now.plus(Duration::from_secs(1))));
    app.advance(Duration::from_hours(6));
    step(&tools).await;
    let is_renewed =
        |certificate: &Certificate| certificate.issued.as_ref().unwrap().issued_at > issued.issued_at;
    let renewed = until(&app, &tools, is_renewed).await.issued.unwrap();
    assert_eq!(authority.told.lock().unwrap().orders[1]["replaces"], id.as_str());
    // An authority that cannot say it any more: two thirds of the time it is.
    authority.told.lock().unwrap().window = None;
    let asked = authority.told.lock().unwrap().asked.len();
    app.advance(Duration::from_secs(2));
    step(&tools).await;
    assert_eq!(authority.told.lock().unwrap().asked.len(), asked + 1);
    let lifetime = renewed.validity.not_after.since(renewed.validity.not_before);
    let renew_at = find(&app, NAME).await.issued.unwrap().renew_at;
    assert_eq!(renew_at, renewed.validity.not_before.plus(lifetime / 3 * 2));
}

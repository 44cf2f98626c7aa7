//! How often an authority is asked: for so many orders an hour, and as late as it wants to be asked again.

use pagesmith_model::certificate::trouble::Trouble;

use super::authority::Authority;
use super::*;

const NAMES: [&str; 4] = ["one.acme.test", "two.acme.test", "three.acme.test", "four.acme.test"];

fn ordered(authority: &Authority) -> usize {
    authority.told.lock().unwrap().orders.len()
}

/// Whether the certificate was ordered, or is there by now.
fn is_begun(certificate: &Certificate) -> bool {
    certificate.order.is_some() || certificate.issued.is_some()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fourth_order_within_the_hour_is_made_in_the_next_one() {
    let app = app().await;
    // No order fails, however fast the authority is: after a failure the name would be ordered again.
    let Some(pebble) = Pebble::start_believing(app.names.address).await else { return };
    let authority = Authority::start(&pebble).await;
    let tools = ordering_for(&app, (&authority.directory, &authority.gateway), &NAMES);
    let begun = app.platform.clock().now();
    step(&tools).await;
    assert_eq!((ordered(&authority), orders(&app, &authority.directory).await), (3, 3));
    let mut waiting = Vec::new();
    for name in NAMES {
        waiting.extend(Some(find(&app, name).await).filter(|certificate| !is_begun(certificate)));
    }
    let [fourth] = &waiting[..] else { panic!("{waiting:?}") };
    assert_eq!((fourth.failures, fourth.next_step_at), (0, begun.plus(Duration::from_hours(1))));
    app.advance(Duration::from_secs(3_599));
    step(&tools).await;
    assert_eq!(ordered(&authority), 3);
    app.advance(Duration::from_secs(1));
    step(&tools).await;
    let name = NAMES.into_iter().find(|name| *name == fourth.name).unwrap();
    assert!(is_begun(&find(&app, name).await));
    assert_eq!((ordered(&authority), orders(&app, &authority.directory).await), (4, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_whose_order_is_refused_for_a_while_is_ordered_after_it() {
    let app = app().await;
    let ([plain, _], _node) = listen(&app).await;
    let Some(pebble) = Pebble::start(app.names.address, [plain.port(), 1]).await else { return };
    let authority = Authority::start(&pebble).await;
    domain(&app).await;
    authority.told.lock().unwrap().limited = Some(("/order-plz", 7_200));
    let tools = ordering(&app, "first", &authority.directory, &authority.gateway);
    let begun = app.platform.clock().now();
    step(&tools).await;
    let certificate = find(&app, NAME).await;
    let trouble = certificate.failed.map(|failed| failed.trouble);
    assert_eq!((certificate.failures, trouble, certificate.order), (1, Some(Trouble::RateLimited), None));
    // Without what the authority says it would be five minutes.
    assert_eq!(certificate.next_step_at, begun.plus(Duration::from_hours(2)));
    app.advance(Duration::from_secs(7_199));
    step(&tools).await;
    assert_eq!(authority.told.lock().unwrap().refused, 1);
    authority.told.lock().unwrap().limited = None;
    app.advance(Duration::from_secs(1));
    let certificate = until(&app, &tools, |certificate| certificate.issued.is_some()).await;
    assert_eq!((certificate.failures, ordered(&authority)), (0, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_authority_that_makes_no_account_for_a_while_is_left_alone_for_it() {
    let app = app().await;
    let Some(pebble) = Pebble::start(app.names.address, [1, 1]).await else { return };
    let authority = Authority::start(&pebble).await;
    domain(&app).await;
    authority.told.lock().unwrap().limited = Some(("/sign-me-up", 7_200));
    let tools = ordering(&app, "first", &authority.directory, &authority.gateway);
    step(&tools).await;
    app.advance(Duration::from_secs(7_199));
    step(&tools).await;
    assert_eq!(authority.told.lock().unwrap().refused, 1);
    assert_eq!(find(&app, NAME).await.failures, 0, "the name is not to blame");
    authority.told.lock().unwrap().limited = None;
    app.advance(Duration::from_secs(1));
    step(&tools).await;
    assert_eq!(ordered(&authority), 1);
}

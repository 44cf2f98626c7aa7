//! The way of a certificate, for every order of what may happen.

use proptest::prelude::*;

use super::*;

const START: Timestamp = Timestamp::from_micros(1_772_366_400_000_000);
const DIRECTORY: &str = "https://ca.example/directory";

fn wanted() -> Certificate {
    Certificate::wanted("go.acme.example", DIRECTORY, START)
}

fn days(days: u64) -> Duration {
    Duration::from_hours(24 * days)
}

fn valid_from(now: Timestamp) -> Validity {
    Validity { not_before: now, not_after: now.plus(days(90)) }
}

#[test]
fn a_name_goes_through_every_status_to_active() {
    let (mut certificate, mut now) = (wanted(), START);
    let status = |certificate: &Certificate, now| certificate.progress(now).domain_status();
    assert!(certificate.wants_order(now));
    assert_eq!(status(&certificate, now), "pending_issuance");
    certificate.begin(now);
    certificate.ordered("https://ca.example/order/1".to_owned());
    assert_eq!((status(&certificate, now), certificate.wants_order(now)), ("pending_issuance", false));
    certificate.reached(OrderStage::Challenged, now);
    assert_eq!(
        (status(&certificate, now), certificate.next_step_at),
        ("pending_validation", now.plus(LOOKS.0))
    );
    now = now.plus(LOOKS.0);
    certificate.reached(OrderStage::Validated, now);
    assert_eq!(status(&certificate, now), "pending_deployment");
    certificate.issue(valid_from(now), None, now);
    assert_eq!(status(&certificate, now), "pending_deployment");
    assert_eq!(status(&certificate, now.plus(DEPLOYMENT)), "active");
    assert_eq!(certificate.issued.as_ref().map(|issued| issued.renew_at), Some(now.plus(days(60))));
    // A renewal is nobody's business, and one that never succeeds is.
    let renewal = now.plus(days(61));
    certificate.begin(renewal);
    certificate.reached(OrderStage::Challenged, renewal);
    assert_eq!(status(&certificate, renewal), "active");
    certificate.fail(Trouble::Caa, "no", None, renewal);
    assert_eq!(status(&certificate, now.plus(days(89))), "active");
    assert_eq!(status(&certificate, now.plus(days(90))), "pending_issuance");
}

#[test]
fn records_that_forbid_an_order_are_looked_at_each_hour_at_least() {
    let mut certificate = wanted();
    let pauses: Vec<u64> = (0..5)
        .map(|_| {
            certificate.forbid("The CAA record of acme.example allows other.example.", START);
            certificate.next_step_at.since(START).as_secs() / 60
        })
        .collect();
    assert_eq!(pauses, [5, 15, 45, 60, 60]);
    assert_eq!(certificate.failed.map(|failed| failed.trouble), Some(Trouble::Caa));
    assert_eq!((certificate.failures, certificate.order), (5, None));
}

#[test]
fn pauses_grow_up_to_a_day_and_the_authority_may_ask_for_longer() {
    let minutes: Vec<u64> = (1..=8).map(|failures| pause(failures).as_secs() / 60).collect();
    assert_eq!(minutes, [5, 15, 45, 135, 405, 1215, 1440, 1440]);
    assert_eq!(pause(u32::MAX), LONGEST_PAUSE);
    let mut certificate = wanted();
    certificate.begin(START);
    certificate.fail(Trouble::RateLimited, "later", Some(Duration::from_hours(30)), START);
    assert_eq!(certificate.next_step_at, START.plus(Duration::from_hours(30)));
    certificate.fail(Trouble::RateLimited, "never", Some(days(4_000)), START);
    assert_eq!(certificate.next_step_at, START.plus(LONGEST_ASKED));
}

#[test]
fn a_certificate_is_renewed_when_the_authority_says_so() {
    let mut certificate = wanted();
    certificate.begin(START);
    certificate.issue(valid_from(START), Some("aki.serial".to_owned()), START);
    assert_eq!(certificate.next_step_at, START.plus(LOOKS.0), "it is asked at once");
    let window = Window { start: START.plus(days(50)), end: START.plus(days(52)) };
    certificate.plan_renewal(Some(window), Some(Duration::from_hours(6)), 1 << 15, START);
    let planned = |certificate: &Certificate| certificate.issued.as_ref().map(|issued| issued.renew_at);
    assert_eq!(planned(&certificate), Some(START.plus(days(51))));
    assert_eq!(certificate.next_step_at, START.plus(Duration::from_hours(6)));
    // The same window leaves the plan as it is, whatever the dice say.
    certificate.plan_renewal(Some(window), None, 0, START.plus(days(1)));
    assert_eq!(
        (planned(&certificate), certificate.next_step_at),
        (Some(START.plus(days(51))), START.plus(days(2)))
    );
    // A certificate that is about to be revoked has a window in the past: it is renewed at once.
    let now = START.plus(days(2));
    let past = Window { start: START, end: START.plus(days(1)) };
    certificate.plan_renewal(Some(past), None, 7, now);
    assert_eq!((certificate.wants_order(now), certificate.next_step_at), (true, now));
    // An authority that says nothing any more.
    certificate.plan_renewal(None, None, 7, now);
    assert_eq!((planned(&certificate), certificate.wants_order(now)), (Some(START.plus(days(60))), false));
    assert_eq!(certificate.next_step_at, START.plus(days(60)));
}

#[test]
fn another_authority_orders_anew_and_what_is_issued_is_shown_until_then() {
    let mut certificate = wanted();
    certificate.begin(START);
    certificate.issue(valid_from(START), Some("aki.serial".to_owned()), START);
    let now = START.plus(days(3));
    certificate.go_over_to(DIRECTORY, now);
    assert!(!certificate.wants_order(now));
    certificate.go_over_to("https://other.example/directory", now);
    assert!(certificate.wants_order(now) && certificate.next_step_at == now);
    assert_eq!(certificate.progress(now), Progress::Deployed);
}

/// What may happen to a certificate.
#[derive(Debug, Clone)]
enum Event {
    Begin,
    Reach(OrderStage),
    Fail(Option<u64>),
    Issue,
    Plan(Option<(u32, u32)>, u16),
    GoOver,
}

fn event() -> impl Strategy<Value = Event> {
    let stage =
        prop_oneof![Just(OrderStage::Begun), Just(OrderStage::Challenged), Just(OrderStage::Validated)];
    prop_oneof![
        Just(Event::Begin),
        stage.prop_map(Event::Reach),
        prop::option::of(0..2_000_000_u64).prop_map(Event::Fail),
        Just(Event::Issue),
        (prop::option::of((0..10_000_000_u32, 0..1_000_000_u32)), any::<u16>())
            .prop_map(|(window, fraction)| Event::Plan(window, fraction)),
        Just(Event::GoOver),
    ]
}

proptest! {
    #[test]
    fn nothing_that_happens_loses_a_certificate_or_asks_without_a_pause(
        events in prop::collection::vec((event(), 0..5_000_000_u64), 1..60),
    ) {
        let (mut certificate, mut now) = (wanted(), START);
        for (event, seconds) in events {
            now = now.plus(Duration::from_secs(seconds));
            let before = certificate.clone();
            match &event {
                Event::Begin if certificate.wants_order(now) => certificate.begin(now),
                Event::Reach(stage) => certificate.reached(*stage, now),
                Event::Fail(asked) if certificate.order.is_some() => {
                    certificate.fail(Trouble::Dns, "why", asked.map(Duration::from_secs), now);
                    prop_assert!(certificate.next_step_at >= now.plus(PAUSE));
                    prop_assert!(certificate.next_step_at <= now.plus(LONGEST_ASKED));
                }
                Event::Issue if certificate.order.is_some() => certificate.issue(valid_from(now), None, now),
                Event::Plan(window, fraction) if certificate.order.is_none() => {
                    let window = window.map(|(start, length)| {
                        let start = START.plus(Duration::from_secs(start.into()));
                        Window { start, end: start.plus(Duration::from_secs(length.into())) }
                    });
                    certificate.plan_renewal(window, None, *fraction, now);
                    if let (Some(window), Some(issued)) = (window, &certificate.issued) {
                        prop_assert!(window.start <= issued.renew_at && issued.renew_at <= window.end);
                    }
                }
                Event::GoOver => certificate.go_over_to("https://other.example/directory", now),
                _ => continue,
            }
            // What was issued stays, but for what is issued in its place.
            if let Some(issued) = &before.issued {
                let kept = certificate.issued.as_ref().unwrap();
                prop_assert!(kept.validity == issued.validity || matches!(event, Event::Issue));
                prop_assert_eq!(kept.first_issued_at, issued.first_issued_at);
            }
            // Failures are forgotten by success, or with the authority, alone.
            let is_new = matches!(event, Event::Issue | Event::GoOver);
            prop_assert!(certificate.failures >= before.failures || is_new);
            // Whoever has a valid certificate is never told to wait for one.
            let is_valid = certificate.issued.as_ref().is_some_and(|issued| now < issued.validity.not_after);
            let progress = certificate.progress(now);
            prop_assert!(!is_valid || matches!(progress, Progress::Deployment | Progress::Deployed));
            prop_assert!(is_valid || progress != Progress::Deployed);
        }
    }
}

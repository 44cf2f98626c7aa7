//! The states of a domain, for every order of checks.

use proptest::prelude::*;

use super::check::ExpectedDns;
use super::*;
use crate::Uuid7Source;

const START: Timestamp = Timestamp::from_micros(1_772_366_400_000_000);
const RIGHT: Verdict = Verdict { is_proved: Some(true), leads_here: Some(true) };
const PROVED: Verdict = Verdict { is_proved: Some(true), leads_here: Some(false) };
const NOTHING: Verdict = Verdict { is_proved: Some(false), leads_here: Some(false) };
const SILENCE: Verdict = Verdict { is_proved: None, leads_here: None };

fn domain() -> TenantDomain {
    let id = TenantDomainId::mint(Uuid7Source::new().next(START, 1));
    TenantDomain::new(id, HostName::parse("go.acme.example").unwrap(), "token".to_owned(), START)
}

/// Checks whenever it is time, until `hours` have passed or nothing is to be checked.
fn check_for(domain: &mut TenantDomain, verdict: Verdict, hours: u64) -> usize {
    let end = domain.next_check_at.unwrap().plus(Duration::from_hours(hours));
    let mut checks = 0;
    while let Some(at) = domain.next_check_at.filter(|at| *at < end) {
        domain.note_check(Seen::default(), verdict, at);
        checks += 1;
    }
    checks
}

#[test]
fn a_domain_that_never_leads_here_is_given_up_after_a_week_and_few_checks() {
    let mut domain = domain();
    let checks = check_for(&mut domain, NOTHING, 30 * 24);
    assert_eq!(domain.status, DomainStatus::Failed);
    assert!((30..60).contains(&checks), "{checks}");
    let (_, last) = domain.last_check.clone().unwrap();
    assert!(last.since(START) >= GIVE_UP_AFTER && last.since(START) < GIVE_UP_AFTER + PAUSES.1);
    domain.check_again(last);
    assert_eq!((domain.status, domain.checked_since), (DomainStatus::PendingVerification, last));
    domain.note_check(Seen::default(), RIGHT, last);
    assert_eq!(domain.status, DomainStatus::Active);
}

#[test]
fn the_longer_a_domain_does_not_lead_here_the_longer_are_the_pauses() {
    let mut domain = domain();
    let (mut last, mut pauses) = (START, Vec::new());
    while let Some(at) = domain.next_check_at {
        pauses.push(at.since(last));
        domain.note_check(Seen::default(), NOTHING, at);
        last = at;
    }
    assert!(pauses.is_sorted(), "{pauses:?}");
    // A minute at first, then half of the time that it has taken so far, and six hours at last.
    let minutes: Vec<u64> = pauses.iter().map(|pause| pause.as_secs() / 60).collect();
    assert_eq!(minutes[..8], [1, 1, 1, 1, 2, 3, 5, 7], "{minutes:?}");
    assert_eq!(pauses.last(), Some(&Duration::from_hours(6)));
    // Beginning again is beginning with the short ones.
    domain.check_again(last);
    domain.note_check(Seen::default(), NOTHING, last);
    assert_eq!(domain.next_check_at, Some(last.plus(Duration::from_mins(1))));
}

#[test]
fn proof_and_way_are_told_apart() {
    let mut domain = domain();
    domain.note_check(Seen::default(), PROVED, START);
    assert_eq!((domain.status, domain.is_verified, domain.is_held()), (DomainStatus::Verifying, true, true));
    domain.note_check(Seen::default(), SILENCE, START);
    assert_eq!((domain.status, domain.is_verified), (DomainStatus::Verifying, true));
    domain.note_check(Seen::default(), NOTHING, START);
    assert_eq!(
        (domain.status, domain.is_verified, domain.is_held()),
        (DomainStatus::PendingVerification, false, false)
    );
}

#[test]
fn a_domain_that_is_lost_is_kept_for_three_days() {
    let mut domain = domain();
    domain.note_check(Seen::default(), RIGHT, START);
    domain.is_default = true;
    assert_eq!(domain.next_check_at, Some(START.plus(DAILY)));
    check_for(&mut domain, NOTHING, 71);
    assert_eq!((domain.status, domain.is_verified, domain.is_default), (DomainStatus::Active, false, true));
    // Found again in time, it is as it was.
    let mut found = domain.clone();
    check_for(&mut found, RIGHT, 1);
    assert_eq!((found.status, found.is_verified, found.lost_since), (DomainStatus::Active, true, None));
    // Name servers that do not answer say nothing about the domain.
    let mut silent = domain.clone();
    silent.note_check(Seen::default(), SILENCE, START.plus(Duration::from_hours(500)));
    assert_eq!(silent.status, DomainStatus::Active);
    check_for(&mut domain, NOTHING, 4);
    assert_eq!(
        (domain.status, domain.is_verified, domain.is_default, domain.next_check_at),
        (DomainStatus::Failed, false, false, None)
    );
}

#[test]
fn what_is_seen_says_what_is_wrong() {
    let wanted = ExpectedDns::of(&domain(), "acme.pages.example".to_owned(), vec![]);
    let (here, elsewhere) = ("198.51.100.7".parse().unwrap(), "2001:db8::9".parse().unwrap());
    let texts = |texts: &[&str]| Some(texts.iter().map(ToString::to_string).collect());
    let seen = |txt: &[&str], cname: &[&str], addresses: Vec<std::net::IpAddr>| Seen {
        txt: texts(txt),
        cname: texts(cname),
        addresses: Some(addresses),
        expected_addresses: vec![here],
    };
    let (right, quoted) = (wanted.txt.as_str(), format!(" \"{}\" ", wanted.txt));
    for (seen, problems) in [
        (seen(&[right], &["acme.pages.example"], vec![]), vec![]),
        (seen(&["v=spf1", &quoted], &["cdn.example", "ACME.pages.example"], vec![]), vec![]),
        (seen(&[right], &[], vec![here]), vec![]),
        (seen(&[right], &[], vec![here, elsewhere]), vec!["address_conflict"]),
        (seen(&[right], &[], vec![elsewhere]), vec!["address_elsewhere"]),
        (seen(&[right], &["globex.pages.example"], vec![]), vec!["cname_elsewhere"]),
        (seen(&["token"], &[], vec![]), vec!["txt_other", "address_missing"]),
        (seen(&[], &[], vec![here]), vec!["txt_missing"]),
        (Seen::default(), vec!["txt_unanswered", "address_unanswered"]),
    ] {
        let found: Vec<&str> = seen.problems(&wanted, false).iter().map(|problem| problem.code()).collect();
        assert_eq!(found, problems, "{seen:?}");
        assert_eq!(seen.verdict(&wanted).is_right(), problems.is_empty());
    }
    let taken = seen(&[right], &[], vec![here]).problems(&wanted, true);
    assert_eq!(taken.iter().map(|problem| problem.code()).collect::<Vec<_>>(), ["held_elsewhere"]);
}

fn verdict() -> impl Strategy<Value = Verdict> {
    let answer = || prop_oneof![Just(None), Just(Some(true)), Just(Some(false))];
    (answer(), answer()).prop_map(|(is_proved, leads_here)| Verdict { is_proved, leads_here })
}

proptest! {
    #[test]
    fn whatever_is_seen_nothing_is_held_without_proof(
        checks in prop::collection::vec((verdict(), 1_u64..200), 1..60),
    ) {
        let (mut domain, mut now, mut proved) = (domain(), START, false);
        for (verdict, hours) in checks {
            now = now.plus(Duration::from_hours(hours));
            domain.note_check(Seen::default(), verdict, now);
            proved |= verdict.is_proved == Some(true);
            prop_assert!(!domain.is_held() || proved);
            prop_assert!(!domain.is_verified || domain.is_held());
            prop_assert_eq!(domain.next_check_at.is_none(), domain.status == DomainStatus::Failed);
            prop_assert!(domain.next_check_at.is_none_or(|next| next > now));
            if domain.status == DomainStatus::Failed {
                domain.check_again(now);
                proved = false;
            }
        }
    }
}

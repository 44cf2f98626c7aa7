use pagesmith_model::Timestamp;
use pagesmith_model::id::Uuid7Source;

use super::*;

fn tenant(number: u64) -> TenantId {
    TenantId::mint(Uuid7Source::new().next(Timestamp::from_micros(0), number << 32))
}

fn finished(version: i64, json: &str) -> Arc<Finished> {
    Arc::new(Finished::of(stamp(version), &json).unwrap())
}

fn stamp(version: i64) -> Stamp {
    Stamp::of([version, 0, 0, 0])
}

/// What is kept of one resource under a stamp.
fn find(kept: &KeptJson, tenant: &TenantId, version: i64, connects: u64) -> Option<Bytes> {
    let found = kept.find(tenant, [("a", stamp(version))], connects).pop().unwrap();
    found.map(|finished| finished.json.clone())
}

#[test]
fn json_is_found_under_its_stamp_and_by_its_tenant_alone() {
    let (kept, ours, theirs) = (KeptJson::default(), tenant(1), tenant(2));
    kept.keep(&ours, "a", finished(1, "one"), 0);
    assert_eq!(find(&kept, &ours, 1, 0).unwrap(), "\"one\"");
    assert!(kept.has(&ours, "a") && !kept.has(&theirs, "a") && !kept.has(&ours, "b"));
    assert_eq!(find(&kept, &ours, 2, 0), None);
    assert_eq!(find(&kept, &theirs, 1, 0), None);
    kept.keep(&ours, "a", finished(2, "two"), 0);
    assert_eq!((find(&kept, &ours, 1, 0), find(&kept, &ours, 2, 0).unwrap()), (None, "\"two\"".into()));
    kept.clear();
    assert_eq!((find(&kept, &ours, 2, 0), kept.count()), (None, 0));
}

#[test]
fn nothing_is_kept_from_before_the_database_was_connected_anew() {
    let (kept, ours) = (KeptJson::default(), tenant(1));
    kept.keep(&ours, "a", finished(1, "lost"), 3);
    assert!(find(&kept, &ours, 1, 3).is_some());
    assert_eq!(find(&kept, &ours, 1, 4), None);
    // What was read before and comes late is not kept either, nor does it drop what is.
    kept.keep(&ours, "b", finished(1, "new"), 4);
    kept.keep(&ours, "a", finished(1, "lost"), 3);
    assert_eq!((find(&kept, &ours, 1, 4), kept.count()), (None, 1));
}

#[test]
fn all_json_together_takes_no_more_than_its_budget() {
    let (kept, ours, text) = (KeptJson::default(), tenant(1), "x".repeat(100_000));
    for number in 0..1_000 {
        kept.keep(&ours, &number.to_string(), finished(1, &text), 0);
    }
    kept.keep(&ours, "huge", finished(1, &"x".repeat(40_000_000)), 0);
    let weight = kept.since(0).finished.weight();
    assert!(weight <= BUDGET && weight > BUDGET / 2 && !kept.has(&ours, "huge"), "{weight}");
}

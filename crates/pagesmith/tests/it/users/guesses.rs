//! Limits against guessing: whoever guesses waits, and the user does not.

use std::time::Duration;

use pagesmith_store::tables::users::addresses;

use super::*;

const ELSEWHERE: [u8; 4] = [198, 51, 100, 1];

#[tokio::test]
async fn whoever_guesses_waits_longer_and_longer_and_the_owner_does_not() {
    let users = Users::start().await;
    let jane = users.owner("jane").await;
    users.sign_in("jane").await;
    for _ in 0..5 {
        refused(users.try_password("jane", "a wrong password", ELSEWHERE).await);
    }
    assert_eq!(waits(users.try_password("jane", "a wrong password", ELSEWHERE).await), 1);
    // The right password has to wait as well, and what is refused does not count.
    for _ in 0..10 {
        assert_eq!(waits(users.try_password("jane", PASSWORD, ELSEWHERE).await), 1);
    }
    for seconds in [1, 2, 4, 8] {
        users.advance(Duration::from_secs(seconds));
        refused(users.try_password("jane", "a wrong password", ELSEWHERE).await);
    }
    assert_eq!(waits(users.try_password("jane", PASSWORD, ELSEWHERE).await), 16);
    users.sign_in("jane").await;
    users.advance(Duration::from_secs(16));
    users.try_password("jane", PASSWORD, ELSEWHERE).await.unwrap();
    // A right one starts afresh.
    for _ in 0..5 {
        refused(users.try_password("jane", "a wrong password", ELSEWHERE).await);
    }
    let told: Vec<_> = users.audit(None, 20).await;
    let series = told.iter().filter(|(action, _)| action == "sign-in-failed").count();
    assert_eq!(series, 2, "{told:?}");
    let told = users.audit(Some(&users.app.tenant), 20).await;
    assert!(told.iter().any(|(action, actor)| action == "signed-in" && *actor == jane.user_id.to_string()));
}

#[tokio::test]
async fn an_address_that_tries_many_users_waits_and_so_does_whoever_has_many_addresses() {
    let users = Users::start().await;
    users.owner("jane").await;
    users.sign_in("jane").await;
    for number in 0..30 {
        refused(users.try_password(&format!("user{number}"), "a wrong password", ELSEWHERE).await);
    }
    assert_eq!(waits(users.try_password("jane", PASSWORD, ELSEWHERE).await), 1);
    for number in 0..50 {
        refused(users.try_password("jane", "a wrong password", [192, 0, 2, number]).await);
    }
    assert_eq!(waits(users.try_password("jane", "a wrong password", [192, 0, 2, 200]).await), 1);
    users.sign_in("jane").await;
    // A day later nothing is left of it, in the database either.
    users.advance(Duration::from_hours(24));
    users.try_password("jane", PASSWORD, ELSEWHERE).await.unwrap();
    users.app.run_due_work().await;
    let everything = users.app.database.everything(&users.app.store).await;
    let stands = |text: &str| everything.windows(text.len()).any(|bytes| bytes == text.as_bytes());
    assert!(!stands("user7@example.com") && !stands("203.0.113.7"), "what was typed or an address is kept");
}

#[tokio::test]
async fn attempts_at_the_same_time_count_before_they_are_looked_at() {
    let users = Users::start().await;
    users.owner("jane").await;
    let attempts = (0..12).map(|_| users.try_password("jane", "a wrong password", ELSEWHERE));
    let outcomes = futures_util::future::join_all(attempts).await;
    let looked_at = outcomes
        .into_iter()
        .filter(|outcome| outcome.as_ref().is_err_and(|error| error.kind() == &Kind::Unauthorized));
    assert_eq!(looked_at.count(), 5);
}

#[tokio::test]
async fn a_known_address_has_many_free_attempts_but_not_without_end() {
    let users = Users::start().await;
    let jane = users.owner("jane").await;
    users.sign_in("jane").await;
    for _ in 0..99 {
        refused(users.try_password("jane", "a wrong password", HOME).await);
    }
    refused(users.try_password("jane", "a wrong password", HOME).await);
    assert_eq!(waits(users.try_password("jane", PASSWORD, HOME).await), 1);
    // After ninety days an address is like any other.
    users.advance(Duration::from_hours(90 * 24));
    let now = users.ctx().now;
    users.app.run_due_work().await;
    let known = users.read(move |tx| addresses::is_known(tx, &jane.user_id, &[0; 32], now));
    assert!(!known.await);
    for _ in 0..5 {
        refused(users.try_password("jane", "a wrong password", HOME).await);
    }
    assert_eq!(waits(users.try_password("jane", PASSWORD, HOME).await), 1);
}

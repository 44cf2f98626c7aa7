//! The second factor: codes of an app, recovery codes, and their secrets under the server's keys.

use std::sync::Arc;
use std::time::Duration;

use pagesmith_model::seal::{SecretKey, SecretKeys};
use pagesmith_operations::server_keys::{self, Lost, ResealCounts, Walk};
use pagesmith_operations::{Clock, Platform, Random};

use super::*;

const STEP: Duration = Duration::from_secs(30);

#[tokio::test]
async fn a_code_is_wanted_after_the_password_and_taken_once() {
    let users = Users::start().await;
    let jane = users.owner("jane").await;
    let (secret, _) = users.add_app(&jane).await;
    let half = users.half_sign_in("jane").await;
    refused(users.authenticate(&half).await);
    // The code by which the app was confirmed is used up.
    refused(users.try_code(&half, &users.code(&secret)).await);
    users.advance(STEP);
    let code = users.code(&secret);
    let new = users.try_code(&half, &code).await.unwrap();
    assert!(new.user.has_totp);
    users.authenticate(&new.token).await.unwrap();
    refused(users.try_code(&half, &code).await);
    let half = users.half_sign_in("jane").await;
    refused(users.try_code(&half, &code).await);
    users.advance(STEP);
    users.try_code(&half, &users.code(&secret)).await.unwrap();
}

#[tokio::test]
async fn a_half_sign_in_is_good_for_five_codes_and_five_minutes() {
    let users = Users::start().await;
    let jane = users.owner("jane").await;
    users.sign_in("jane").await;
    let (secret, _) = users.add_app(&jane).await;
    users.advance(STEP);
    let half = users.half_sign_in("jane").await;
    for _ in 0..5 {
        refused(users.try_code(&half, "000000").await);
    }
    let over = refused(users.try_code(&half, &users.code(&secret)).await);
    assert_eq!(over.detail(), "Please sign in again.");
    let half = users.half_sign_in("jane").await;
    users.advance(Duration::from_mins(5));
    refused(users.try_code(&half, &users.code(&secret)).await);
    // Whoever has the password alone waits like anybody who guesses.
    let elsewhere = [198, 51, 100, 9];
    for _ in 0..5 {
        users.try_password("jane", PASSWORD, elsewhere).await.unwrap();
    }
    assert_eq!(waits(users.try_password("jane", PASSWORD, elsewhere).await), 1);
    users.app.run_due_work().await;
}

#[tokio::test]
async fn each_recovery_code_works_once() {
    let users = Users::start().await;
    let jane = users.owner("jane").await;
    let (_, codes) = users.add_app(&jane).await;
    assert_eq!(codes.len(), 10);
    let half = users.half_sign_in("jane").await;
    users.try_code(&half, &codes[3].to_uppercase()).await.unwrap();
    let half = users.half_sign_in("jane").await;
    refused(users.try_code(&half, &codes[3]).await);
    let user_id = jane.user_id.clone();
    assert_eq!(users.read(move |tx| second_factor::codes_left(tx, &user_id)).await, 9);
    let (ctx, user_id) = (users.ctx(), jane.user_id.clone());
    let renewed = users.write(move |tx| second_factor::renew_codes(tx, &ctx, &user_id)).await.unwrap();
    refused(users.try_code(&half, &codes[4]).await);
    users.try_code(&half, &renewed[0]).await.unwrap();
    let everything = users.app.database.everything(&users.app.store).await;
    let plain = renewed[1].replace('-', "");
    assert!(!everything.windows(plain.len()).any(|bytes| bytes == plain.as_bytes()), "a code is kept");
}

#[tokio::test]
async fn an_app_counts_once_it_was_confirmed_and_can_be_removed() {
    let users = Users::start().await;
    let jane = users.owner("jane").await;
    let (ctx, user_id) = (users.ctx(), jane.user_id.clone());
    conflict(users.write(move |tx| second_factor::confirm(tx, &ctx, &user_id, "000000")).await);
    let (ctx, user_id) = (users.ctx(), jane.user_id.clone());
    conflict(users.write(move |tx| second_factor::renew_codes(tx, &ctx, &user_id)).await);
    let (ctx, user_id) = (users.ctx(), jane.user_id.clone());
    let proposed = users.write(move |tx| second_factor::propose(tx, &ctx, &user_id)).await.unwrap();
    assert!(proposed.address.starts_with("otpauth://totp/Pagesmith:jane%40example%2Ecom?secret="));
    let (ctx, user_id) = (users.ctx(), jane.user_id.clone());
    let shown = users.read(move |tx| second_factor::proposal(tx, &ctx, &user_id)).await;
    assert_eq!(shown, Some(proposed.clone()));
    let (ctx, user_id) = (users.ctx(), jane.user_id.clone());
    let wrong = if users.code(&proposed.secret) == "000000" { "111111" } else { "000000" };
    assert_eq!(
        paths(users.write(move |tx| second_factor::confirm(tx, &ctx, &user_id, wrong)).await),
        ["code"]
    );
    users.sign_in("jane").await;
    users.add_app(&jane).await;
    users.half_sign_in("jane").await;
    let (ctx, user_id) = (users.ctx(), jane.user_id.clone());
    users.write(move |tx| second_factor::remove(tx, &ctx, &user_id)).await.unwrap();
    users.sign_in("jane").await;
    assert_eq!(users.audit(Some(&users.app.tenant), 2).await[1].0, "second-factor-removed");
}

/// A platform with other keys and the same time.
fn platform(users: &Users, keys: SecretKeys) -> Arc<Platform> {
    let platform = Platform::new(Clock::manual(users.ctx().now), Random::seeded(9));
    platform.keep_secret(keys);
    platform
}

#[tokio::test]
async fn secrets_are_sealed_anew_under_another_key_and_given_up_when_it_is_lost() {
    let users = Users::start().await;
    let (old, new) = (SecretKey::new([7; 32]), SecretKey::new([8; 32]));
    let jane = users.owner("jane").await;
    let joe = users.owner("joe").await;
    let (secret, codes) = users.add_app(&jane).await;
    let (ctx, user_id) = (users.ctx(), joe.user_id.clone());
    users.write(move |tx| second_factor::propose(tx, &ctx, &user_id)).await.unwrap();
    let both = platform(&users, SecretKeys::new(new.clone(), vec![old.clone()]));
    let (mut at, mut found) = (Walk::Users(None), ResealCounts::default());
    while !matches!(at, Walk::Answers(_)) {
        let (ctx, from) = (both.context(), at.clone());
        let (next, part) = users.write(move |tx| server_keys::reseal(tx, &ctx, &from, 1)).await.unwrap();
        (at, found) = (next, found.and(part));
    }
    assert_eq!(found, ResealCounts { already: 0, anew: 2, closed: 0 });
    // The key of digests, by which attempts are known, stays the same.
    users.app.platform.keep_digest_key(old);
    users.app.platform.keep_secret(new);
    users.advance(STEP);
    let half = users.half_sign_in("jane").await;
    users.try_code(&half, &users.code(&secret)).await.unwrap();

    let stranger = platform(&users, SecretKey::new([9; 32]).into());
    let (mut at, mut lost) = (Walk::Users(None), Vec::new());
    while !matches!(at, Walk::Keys) {
        let (ctx, from) = (stranger.context(), at.clone());
        let (next, part) = users.write(move |tx| server_keys::give_up(tx, &ctx, &from, 1)).await.unwrap();
        lost.extend(part);
        at = next;
    }
    assert_eq!(lost, [Lost::SecondFactor(jane.user_id.clone()), Lost::SecondFactor(joe.user_id.clone())]);
    // The password alone is not enough: a recovery code is wanted.
    users.advance(STEP);
    let half = users.half_sign_in("jane").await;
    refused(users.try_code(&half, &users.code(&secret)).await);
    users.try_code(&half, &codes[0]).await.unwrap();
    users.sign_in("joe").await;
}

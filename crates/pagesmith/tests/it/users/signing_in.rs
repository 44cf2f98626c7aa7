//! Signing in with a password, and the sessions that this begins.

use std::time::Duration;

use pagesmith_model::user::session::{MOST_OF_USER, OLDER_TOKEN_FOR, ROTATED_AFTER};
use pagesmith_operations::users::{self, passwords, sessions};
use pagesmith_store::tables::users as rows;

use super::*;

const MINUTE: Duration = Duration::from_mins(1);

#[tokio::test]
async fn a_user_signs_in_is_known_by_the_token_and_signs_out() {
    let users = Users::start().await;
    let jane = users.owner("jane").await;
    let new = users.sign_in("jane").await;
    assert_eq!(
        (new.user.user_id.clone(), new.session.network.as_str()),
        (jane.user_id.clone(), "203.0.113.0/24")
    );
    let known = users.authenticate(&new.token).await.unwrap();
    assert_eq!((known.user, known.session, known.new_token), (jane.clone(), new.session, None));
    assert_eq!(
        users.audit(Some(&users.app.tenant), 1).await,
        [("signed-in".to_owned(), jane.user_id.to_string())]
    );
    let (ctx, token) = (users.ctx(), new.token.clone());
    users.write(move |tx| sessions::sign_out(tx, &ctx, &token)).await.unwrap();
    refused(users.authenticate(&new.token).await);
    assert_eq!(
        users.audit(Some(&users.app.tenant), 1).await,
        [("signed-out".to_owned(), jane.user_id.to_string())]
    );
    // Again it changes nothing.
    let (ctx, token) = (users.ctx(), new.token);
    users.write(move |tx| sessions::sign_out(tx, &ctx, &token)).await.unwrap();
    refused(users.authenticate("").await);
}

#[tokio::test]
async fn whoever_may_not_sign_in_is_told_the_same() {
    let users = Users::start().await;
    let jane = users.owner("jane").await;
    let wrong = refused(users.try_password("jane", "not the password", HOME).await);
    let nobody = refused(users.try_password("nobody", PASSWORD, [198, 51, 100, 1]).await);
    let no_address = refused(users.try_password("\0 no address", PASSWORD, [198, 51, 100, 2]).await);
    let (ctx, user_id) = (users.ctx(), jane.user_id.clone());
    let no_password = users.write(move |tx| users::create(tx, &ctx, &named("new"))).await.unwrap();
    assert!(!no_password.has_password);
    let unset = refused(users.try_password("new", "", [198, 51, 100, 3]).await);
    let ctx = users.ctx();
    users.write(move |tx| users::disable(tx, &ctx, &user_id)).await.unwrap();
    let disabled = refused(users.try_password("jane", PASSWORD, HOME).await);
    for other in [nobody, no_address, unset, disabled] {
        assert_eq!(other.to_string(), wrong.to_string());
    }
}

#[tokio::test]
async fn a_session_is_written_once_a_minute_and_its_token_replaced_every_hour() {
    let users = Users::start().await;
    users.owner("jane").await;
    let new = users.sign_in("jane").await;
    let commits = users.app.store.commits();
    users.advance(MINUTE - Duration::from_secs(1));
    users.authenticate(&new.token).await.unwrap();
    assert_eq!(users.app.store.commits(), commits, "a look-up writes nothing");
    users.advance(Duration::from_secs(1));
    let seen = users.authenticate(&new.token).await.unwrap().session;
    assert_eq!(seen.last_seen_at, users.ctx().now);
    users.advance(ROTATED_AFTER);
    let rotated = users.authenticate(&new.token).await.unwrap();
    let token = rotated.new_token.unwrap();
    assert_ne!(token, new.token);
    // What the browser has sent meanwhile is still answered, but gets no token of its own.
    let late = users.authenticate(&new.token).await.unwrap();
    assert_eq!((late.session.user_session_id, late.new_token), (new.session.user_session_id, None));
    users.advance(OLDER_TOKEN_FOR);
    refused(users.authenticate(&new.token).await);
    users.authenticate(&token).await.unwrap();
}

#[tokio::test]
async fn sessions_end_without_use_and_are_swept() {
    let users = Users::start().await;
    let jane = users.owner("jane").await;
    let (idle, used) = (users.sign_in("jane").await, users.sign_in("jane").await);
    users.advance(Duration::from_hours(11));
    let token = users.authenticate(&used.token).await.unwrap().new_token.unwrap();
    users.advance(Duration::from_hours(1));
    refused(users.authenticate(&idle.token).await);
    users.authenticate(&token).await.unwrap();
    users.app.run_due_work().await;
    let left = users
        .read(move |tx| rows::sessions::list(tx, &jane.user_id, pagesmith_model::Timestamp::from_micros(0)))
        .await;
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].user_session_id, used.session.user_session_id);
}

#[tokio::test]
async fn a_session_that_is_used_all_the_time_ends_after_its_lifetime() {
    let users = Users::start().await;
    users.owner("jane").await;
    let new = users.sign_in("jane").await;
    let mut token = new.token;
    let hours = SessionLimits::USUAL.lifetime.as_secs() / 3600;
    for _ in 1..hours {
        users.advance(Duration::from_hours(1));
        token = users.authenticate(&token).await.unwrap().new_token.unwrap();
    }
    users.advance(Duration::from_hours(1) - Duration::from_secs(1));
    let last = users.authenticate(&token).await.unwrap();
    assert_eq!(last.session.expires_at, last.session.ends_at, "no use puts the end off");
    users.advance(Duration::from_secs(1));
    refused(users.authenticate(&token).await);
}

#[tokio::test]
async fn sessions_are_listed_and_ended_one_or_all_others() {
    let users = Users::start().await;
    let jane = users.owner("jane").await;
    let mut all = Vec::new();
    for _ in 0..3 {
        users.advance(MINUTE);
        all.push(users.sign_in("jane").await);
    }
    let (ctx, user_id) = (users.ctx(), jane.user_id.clone());
    let listed = users.read(move |tx| sessions::list(tx, &ctx, &user_id)).await;
    let ids: Vec<_> = listed.iter().map(|session| session.user_session_id.clone()).collect();
    let expected: Vec<_> = all.iter().rev().map(|new| new.session.user_session_id.clone()).collect();
    assert_eq!(ids, expected);
    assert_eq!(listed[0].client, "Browser/1.0");
    let (ctx, user_id, id) = (users.ctx(), jane.user_id.clone(), ids[0].clone());
    users.write(move |tx| sessions::end(tx, &ctx, &user_id, &id)).await.unwrap();
    refused(users.authenticate(&all[2].token).await);
    // A session of somebody else is not there.
    let joe = users.add("joe", None).await;
    let (ctx, id) = (users.ctx(), ids[1].clone());
    not_found(users.write(move |tx| sessions::end(tx, &ctx, &joe.user_id, &id)).await);
    let (ctx, user_id, id) = (users.ctx(), jane.user_id.clone(), ids[1].clone());
    let ended = users.write(move |tx| sessions::end_others(tx, &ctx, &user_id, Some(&id))).await.unwrap();
    assert_eq!(ended, 1);
    refused(users.authenticate(&all[0].token).await);
    users.authenticate(&all[1].token).await.unwrap();
}

#[tokio::test]
async fn a_user_has_a_bounded_number_of_sessions_and_a_browser_one() {
    let users = Users::start().await;
    users.add("jane", None).await;
    let first = users.sign_in("jane").await;
    for _ in 1..=MOST_OF_USER {
        users.advance(Duration::from_secs(1));
        users.sign_in("jane").await;
    }
    refused(users.authenticate(&first.token).await);
    let last = users.sign_in("jane").await;
    let credentials = Credentials { email: email("jane"), password: PASSWORD.to_owned() };
    let (ctx, replaced) = (users.ctx(), Some(last.token.clone()));
    let rules = Rules::USUAL;
    sign_in::with_password(
        &users.app.store,
        &ctx,
        &users.hasher,
        rules,
        &client(HOME),
        credentials,
        replaced,
    )
    .await
    .unwrap();
    refused(users.authenticate(&last.token).await);
}

#[tokio::test]
async fn a_changed_password_ends_the_other_sessions_and_needs_the_present_one() {
    let users = Users::start().await;
    let jane = users.owner("jane").await;
    let (here, elsewhere) = (users.sign_in("jane").await, users.sign_in("jane").await);
    let change = async |current: &str, new: &str| {
        let whose = (&jane.user_id, &here.session.user_session_id);
        let (store, ctx) = (&users.app.store, users.ctx());
        passwords::change(
            store,
            &ctx,
            &users.hasher,
            &client(HOME),
            whose,
            (current.to_owned(), new.to_owned()),
        )
        .await
    };
    assert_eq!(paths(change("wrong password", "another long one").await), ["currentPassword"]);
    for bad in ["short", "jane@example.com", "The user jane", "password1234"] {
        assert_eq!(paths(change(PASSWORD, bad).await), ["password"], "{bad}");
    }
    users.authenticate(&elsewhere.token).await.unwrap();
    change(PASSWORD, "another long one").await.unwrap();
    users.authenticate(&here.token).await.unwrap();
    refused(users.authenticate(&elsewhere.token).await);
    refused(users.try_password("jane", PASSWORD, HOME).await);
    users.try_password("jane", "another long one", HOME).await.unwrap();
    let told = users.audit(Some(&users.app.tenant), 2).await;
    assert_eq!(told[1].0, "password-changed");
}

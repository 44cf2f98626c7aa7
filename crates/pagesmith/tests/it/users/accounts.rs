//! Users made, changed, disabled and removed; the first one, and links by which passwords are set.

use pagesmith_operations::users::links::LinkTarget;
use pagesmith_operations::users::{UserChange, first_user};

use super::*;

async fn set_up_link(users: &Users) -> Option<String> {
    let ctx = users.ctx();
    users.write(move |tx| first_user::set_up_link(tx, &ctx)).await.unwrap()
}

async fn first(users: &Users, token: &str, name: &str) -> Result<User> {
    let (store, ctx) = (&users.app.store, users.ctx());
    first_user::create(store, &ctx, &users.hasher, token, &named(name), PASSWORD.to_owned(), None).await
}

#[tokio::test]
async fn the_first_user_comes_by_a_link_and_nobody_else() {
    let users = Users::start().await;
    let replaced = set_up_link(&users).await.unwrap();
    let token = set_up_link(&users).await.unwrap();
    not_found(first(&users, &replaced, "stranger").await);
    not_found(first(&users, "", "stranger").await);
    let (store, ctx) = (&users.app.store, users.ctx());
    let bad = NewUser { email: "jane".to_owned(), name: " ".to_owned(), language: "x".to_owned() };
    let refusal =
        first_user::create(store, &ctx, &users.hasher, &token, &bad, PASSWORD.to_owned(), None).await;
    assert_eq!(paths(refusal), ["email", "name", "language"]);
    let refusal =
        first_user::create(store, &ctx, &users.hasher, &token, &named("jane"), "short".to_owned(), None)
            .await;
    assert_eq!(paths(refusal), ["password"]);
    let jane = first(&users, &token, "jane").await.unwrap();
    let user_id = jane.user_id.clone();
    let roles = users.read(move |tx| memberships::of_user(tx, &user_id)).await;
    assert_eq!((roles.len(), roles[0].0.slug.as_str(), roles[0].1), (1, "acme", Role::Owner));
    users.sign_in("jane").await;
    not_found(first(&users, &token, "joe").await);
    assert_eq!(set_up_link(&users).await, None);
}

#[tokio::test]
async fn a_set_up_link_is_good_for_half_an_hour_and_for_one_of_two_who_use_it_at_once() {
    let users = Users::start().await;
    let old = set_up_link(&users).await.unwrap();
    users.advance(Duration::from_mins(30));
    not_found(first(&users, &old, "late").await);
    let token = set_up_link(&users).await.unwrap();
    let (one, two) = tokio::join!(first(&users, &token, "one"), first(&users, &token, "two"));
    assert_eq!(usize::from(one.is_ok()) + usize::from(two.is_ok()), 1, "{one:?} {two:?}");
    assert_eq!(users.read(|tx| users::list(tx, None, 10)).await.len(), 1);
}

#[tokio::test]
async fn the_tenant_called_default_is_the_first_user_s() {
    let users = Users::start().await;
    users.app.add_tenant("default").await;
    let token = set_up_link(&users).await.unwrap();
    let jane = first(&users, &token, "jane").await.unwrap();
    let roles = users.read(move |tx| memberships::of_user(tx, &jane.user_id)).await;
    assert_eq!(roles[0].0.slug, "default");
    assert_eq!(roles[0].0.name, "default");
}

#[tokio::test]
async fn the_first_user_names_the_tenant_and_no_blank_does() {
    for (company, name) in
        [(Some("Bäckerei Krume"), "Bäckerei Krume"), (None, "acme"), (Some("acme"), "acme")]
    {
        let users = Users::start().await;
        let token = set_up_link(&users).await.unwrap();
        let (store, ctx) = (&users.app.store, users.ctx());
        let (new, password) = (named("jane"), PASSWORD.to_owned());
        let jane =
            first_user::create(store, &ctx, &users.hasher, &token, &new, password, company).await.unwrap();
        let roles = users.read(move |tx| memberships::of_user(tx, &jane.user_id)).await;
        assert_eq!((roles[0].0.name.as_str(), roles[0].0.slug.as_str()), (name, "acme"));
    }
}

#[tokio::test]
async fn an_address_is_one_user_s_in_any_spelling() {
    let users = Users::start().await;
    let jane = users.owner("jane").await;
    let joe = users.owner("joe").await;
    let ctx = users.ctx();
    let same = NewUser { email: " JANE@Example.com ".to_owned(), ..named("other") };
    conflict(users.write(move |tx| users::create(tx, &ctx, &same)).await);
    let (ctx, user_id) = (users.ctx(), joe.user_id.clone());
    let change = UserChange { email: Some(email("jane")), ..UserChange::default() };
    conflict(users.write(move |tx| users::update(tx, &ctx, &user_id, &change)).await);
    let (ctx, user_id) = (users.ctx(), joe.user_id.clone());
    let change =
        UserChange { name: Some(" Joseph ".to_owned()), language: Some("DE".to_owned()), email: None };
    let changed = users.write(move |tx| users::update(tx, &ctx, &user_id, &change)).await.unwrap();
    assert_eq!((changed.name.as_str(), changed.language.as_str()), ("Joseph", "de"));
    let found = users.read(|tx| users::find_by_name(tx, "Jane@EXAMPLE.com")).await;
    assert_eq!(found, jane);
    let listed = users.read(move |tx| users::list(tx, Some(&jane.user_id), 10)).await;
    assert_eq!(listed, [changed]);
    not_found(users.app.store.read(|tx| users::find_by_name(tx, "nobody")).await);
}

#[tokio::test]
async fn a_password_link_is_good_once_and_ends_all_sessions() {
    let users = Users::start().await;
    let jane = users.owner("jane").await;
    let session = users.sign_in("jane").await;
    let link = async || {
        let (ctx, user_id) = (users.ctx(), jane.user_id.clone());
        users.write(move |tx| links::password_link(tx, &ctx, &user_id)).await
    };
    let reset = async |token: &str, password: &str| {
        passwords::reset(&users.app.store, &users.ctx(), &users.hasher, token, password.to_owned()).await
    };
    let (replaced, token) = (link().await.unwrap(), link().await.unwrap());
    assert_eq!(LinkTarget::Password.link("http://x", "t"), "http://x/console/password?token=t");
    not_found(reset(&replaced, "another long one").await);
    assert_eq!(paths(reset(&token, "short").await), ["password"]);
    users.authenticate(&session.token).await.unwrap();
    reset(&token, "another long one").await.unwrap();
    refused(users.authenticate(&session.token).await);
    not_found(reset(&token, "yet another long one").await);
    users.try_password("jane", "another long one", HOME).await.unwrap();
    let late = link().await.unwrap();
    users.advance(Duration::from_mins(30));
    not_found(reset(&late, "yet another long one").await);
    users.app.run_due_work().await;
    let (ctx, user_id) = (users.ctx(), jane.user_id.clone());
    users.write(move |tx| users::disable(tx, &ctx, &user_id)).await.unwrap();
    conflict(link().await);
}

#[tokio::test]
async fn a_disabled_user_is_out_at_once_and_a_removed_one_leaves_an_id() {
    let users = Users::start().await;
    let (jane, joe) = (users.owner("jane").await, users.owner("joe").await);
    users.add_app(&joe).await;
    users.half_sign_in("joe").await;
    let session = users.sign_in("jane").await;
    let (ctx, user_id) = (users.by(&joe), jane.user_id.clone());
    let disabled = users.write(move |tx| users::disable(tx, &ctx, &user_id)).await.unwrap();
    assert_eq!(disabled.disabled_at, Some(users.ctx().now));
    refused(users.authenticate(&session.token).await);
    let (ctx, user_id) = (users.by(&joe), jane.user_id.clone());
    let enabled = users.write(move |tx| users::enable(tx, &ctx, &user_id)).await.unwrap();
    assert_eq!(enabled.disabled_at, None);
    users.sign_in("jane").await;
    let (ctx, user_id) = (users.by(&jane), joe.user_id.clone());
    users.write(move |tx| users::remove(tx, &ctx, &user_id)).await.unwrap();
    refused(users.try_password("joe", PASSWORD, [198, 51, 100, 1]).await);
    let told = users.audit(Some(&users.app.tenant), 20).await;
    assert!(
        told.iter().any(|(action, actor)| action == "user-disabled" && *actor == joe.user_id.to_string())
    );
    if !pagesmith_testkit::database::is_postgres() {
        // The embedded file keeps what was deleted until its place is used again.
        users.app.store.rewrite().await.unwrap();
    }
    let everything = users.app.database.everything(&users.app.store).await;
    let stands = |text: &str| everything.windows(text.len()).any(|bytes| bytes == text.as_bytes());
    assert!(stands(joe.user_id.as_str()) && stands("jane@example.com"));
    assert!(!stands("joe@example.com") && !stands("The user joe"), "who the user was is still there");
}

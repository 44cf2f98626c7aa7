//! Invitations by link, for new users and for those that there are.

use pagesmith_model::user::Invitation;
use pagesmith_operations::users::invitations;

use super::*;

async fn invite(users: &Users, by: &User, role: Role, email: Option<&str>) -> Result<(Invitation, String)> {
    let (ctx, email) = (users.by(by), email.map(str::to_owned));
    users.write(move |tx| invitations::create(tx, &ctx, role, email.as_deref())).await
}

async fn open(users: &Users) -> Vec<Invitation> {
    let (ctx, tenant) = (users.ctx(), users.app.tenant.clone());
    users.read(move |tx| invitations::list(tx, &ctx, &tenant)).await
}

async fn accept_as_new(users: &Users, token: &str, name: &str) -> Result<User> {
    let (store, ctx) = (&users.app.store, users.ctx());
    let accepted =
        invitations::accept_as_new(store, &ctx, &users.hasher, token, &named(name), PASSWORD.to_owned())
            .await;
    accepted.map(|(user, _)| user)
}

async fn accept(users: &Users, token: &str, user: &User) -> Result<()> {
    let (ctx, token, user_id) = (users.ctx(), token.to_owned(), user.user_id.clone());
    users.write(move |tx| invitations::accept(tx, &ctx, &token, &user_id)).await.map(drop)
}

async fn role_of(users: &Users, user: &User) -> Option<Role> {
    let (tenant, user_id) = (users.app.tenant.clone(), user.user_id.clone());
    users.read(move |tx| memberships::role(tx, &tenant, &user_id)).await
}

#[tokio::test]
async fn somebody_new_accepts_once() {
    let users = Users::start().await;
    let jane = users.owner("jane").await;
    let (invitation, token) = invite(&users, &jane, Role::Editor, None).await.unwrap();
    assert_eq!(invitation.invited_by, Actor::User(jane.user_id.clone()));
    assert_eq!(open(&users).await, std::slice::from_ref(&invitation));
    let (ctx, shown) = (users.ctx(), token.clone());
    let (found, tenant) = users.read(move |tx| invitations::of_token(tx, &ctx, &shown)).await;
    assert_eq!((found, tenant.slug.as_str()), (invitation, "acme"));
    let joe = accept_as_new(&users, &token, "joe").await.unwrap();
    assert_eq!(role_of(&users, &joe).await, Some(Role::Editor));
    users.sign_in("joe").await;
    not_found(accept_as_new(&users, &token, "jim").await);
    assert_eq!(open(&users).await, []);
    let told = users.audit(Some(&users.app.tenant), 20).await;
    let has = |action: &str, user: &User| told.contains(&(action.to_owned(), user.user_id.to_string()));
    assert!(has("user-invited", &jane) && has("role-changed", &joe), "{told:?}");
}

#[tokio::test]
async fn an_invitation_may_be_meant_for_one_address() {
    let users = Users::start().await;
    let jane = users.owner("jane").await;
    let joe = users.add("joe", None).await;
    assert_eq!(paths(invite(&users, &jane, Role::Viewer, Some("joe")).await), ["email"]);
    conflict(invite(&users, &jane, Role::Viewer, Some("Jane@example.com")).await);
    let (_, token) = invite(&users, &jane, Role::Viewer, Some("JOE@example.com")).await.unwrap();
    conflict(accept_as_new(&users, &token, "jim").await);
    conflict(accept(&users, &token, &jane).await);
    // Whoever has the address already is a user, and cannot become another one.
    conflict(accept_as_new(&users, &token, "joe").await);
    accept(&users, &token, &joe).await.unwrap();
    assert_eq!(role_of(&users, &joe).await, Some(Role::Viewer));
}

#[tokio::test]
async fn whoever_is_in_the_tenant_keeps_the_role_and_the_invitation_stays_open() {
    let users = Users::start().await;
    let (jane, joe) = (users.owner("jane").await, users.owner("joe").await);
    let (_, token) = invite(&users, &jane, Role::Viewer, None).await.unwrap();
    conflict(accept(&users, &token, &joe).await);
    assert_eq!((role_of(&users, &joe).await, open(&users).await.len()), (Some(Role::Owner), 1));
}

#[tokio::test]
async fn an_invitation_that_was_revoked_or_is_a_week_old_is_refused() {
    let users = Users::start().await;
    let jane = users.owner("jane").await;
    let (invitation, token) = invite(&users, &jane, Role::Owner, None).await.unwrap();
    let revoke = async |tenant: &TenantId| {
        let (ctx, id) = (users.ctx().of(tenant.clone()), invitation.invitation_id.clone());
        users.write(move |tx| invitations::revoke(tx, &ctx, &id)).await
    };
    // Another tenant's is not there.
    let globex = users.app.add_tenant("globex").await;
    not_found(revoke(&globex).await);
    revoke(&users.app.tenant).await.unwrap();
    not_found(revoke(&users.app.tenant).await);
    not_found(accept_as_new(&users, &token, "joe").await);
    let (_, token) = invite(&users, &jane, Role::Owner, None).await.unwrap();
    users.advance(Duration::from_hours(7 * 24));
    not_found(accept_as_new(&users, &token, "joe").await);
    assert_eq!(open(&users).await, []);
    users.app.run_due_work().await;
}

#[tokio::test]
async fn a_tenant_has_a_bounded_number_of_open_invitations() {
    let users = Users::start().await;
    let jane = users.owner("jane").await;
    for _ in 0..invitations::MOST_OPEN {
        invite(&users, &jane, Role::Viewer, None).await.unwrap();
    }
    assert!(conflict(invite(&users, &jane, Role::Viewer, None).await).contains("at most 100"));
}

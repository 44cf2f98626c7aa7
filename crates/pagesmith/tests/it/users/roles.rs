//! Roles in tenants, and the owner that each tenant keeps.

use pagesmith_model::UserId;
use pagesmith_model::user::Permission;

use super::*;

async fn change(users: &Users, by: &User, user_id: &UserId, role: Role) -> Result<Role> {
    let (ctx, user_id) = (users.by(by), user_id.clone());
    users.write(move |tx| memberships::change(tx, &ctx, &user_id, role)).await
}

async fn remove(users: &Users, by: &User, user_id: &UserId) -> Result<()> {
    let (ctx, user_id) = (users.by(by), user_id.clone());
    users.write(move |tx| memberships::remove(tx, &ctx, &user_id)).await
}

#[tokio::test]
async fn a_user_has_a_role_in_each_of_several_tenants() {
    let users = Users::start().await;
    let globex = users.app.add_tenant("globex").await;
    let jane = users.owner("jane").await;
    let (ctx, user_id) = (users.ctx().of(globex.clone()), jane.user_id.clone());
    users.write(move |tx| memberships::add(tx, &ctx, &user_id, Role::Analyst)).await.unwrap();
    let (ctx, user_id) = (users.ctx().of(globex.clone()), jane.user_id.clone());
    conflict(users.write(move |tx| memberships::add(tx, &ctx, &user_id, Role::Owner)).await);
    let user_id = jane.user_id.clone();
    let of_user = users.read(move |tx| memberships::of_user(tx, &user_id)).await;
    let of_user: Vec<_> = of_user.iter().map(|(tenant, role)| (tenant.slug.as_str(), *role)).collect();
    assert_eq!(of_user, [("acme", Role::Owner), ("globex", Role::Analyst)]);
    let tenant = users.app.tenant.clone();
    let listed = users.read(move |tx| memberships::list(tx, &tenant)).await;
    assert_eq!((listed.len(), &listed[0].0, listed[0].1.role), (1, &jane, Role::Owner));

    let require = async |tenant: &TenantId, permission| {
        let (tenant, user_id) = (tenant.clone(), jane.user_id.clone());
        users.app.store.read(move |tx| memberships::require(tx, &tenant, &user_id, permission)).await
    };
    assert_eq!(require(&users.app.tenant, Permission::ManageUsers).await.unwrap(), Role::Owner);
    assert_eq!(require(&globex, Permission::Read).await.unwrap(), Role::Analyst);
    assert_eq!(require(&globex, Permission::ReadPersonalData).await.unwrap_err().kind(), &Kind::Forbidden);
    let other = users.app.add_tenant("initech").await;
    not_found(require(&other, Permission::Read).await);
}

#[tokio::test]
async fn the_last_owner_stays_one() {
    let users = Users::start().await;
    let (jane, joe) = (users.owner("jane").await, users.owner("joe").await);
    assert_eq!(change(&users, &jane, &joe.user_id, Role::Editor).await.unwrap(), Role::Editor);
    assert!(
        conflict(change(&users, &jane, &jane.user_id, Role::Viewer).await)
            .contains("acme would have no owner")
    );
    conflict(remove(&users, &jane, &jane.user_id).await);
    let (ctx, user_id) = (users.ctx(), jane.user_id.clone());
    conflict(users.write(move |tx| users::remove(tx, &ctx, &user_id)).await);
    // The same again changes nothing.
    change(&users, &jane, &jane.user_id, Role::Owner).await.unwrap();
    // An owner who cannot sign in does not count.
    change(&users, &jane, &joe.user_id, Role::Owner).await.unwrap();
    let (ctx, user_id) = (users.ctx(), joe.user_id.clone());
    users.write(move |tx| users::disable(tx, &ctx, &user_id)).await.unwrap();
    conflict(remove(&users, &jane, &jane.user_id).await);
    let (ctx, user_id) = (users.ctx(), joe.user_id.clone());
    users.write(move |tx| users::enable(tx, &ctx, &user_id)).await.unwrap();
    remove(&users, &joe, &jane.user_id).await.unwrap();
    not_found(remove(&users, &joe, &jane.user_id).await);
    not_found(change(&users, &joe, &jane.user_id, Role::Owner).await);
    let told = users.audit(Some(&users.app.tenant), 1).await;
    assert_eq!(told, [("role-removed".to_owned(), joe.user_id.to_string())]);
}

#[tokio::test]
async fn two_owners_who_remove_each_other_leave_one() {
    let users = Users::start().await;
    let (jane, joe) = (users.owner("jane").await, users.owner("joe").await);
    let (one, two) = tokio::join!(remove(&users, &jane, &joe.user_id), remove(&users, &joe, &jane.user_id));
    assert_eq!(usize::from(one.is_ok()) + usize::from(two.is_ok()), 1, "{one:?} {two:?}");
    let tenant = users.app.tenant.clone();
    assert_eq!(users.read(move |tx| memberships::list(tx, &tenant)).await.len(), 1);
}

#[tokio::test]
async fn a_changed_role_replaces_the_token_at_the_next_use() {
    let users = Users::start().await;
    let (jane, joe) = (users.owner("jane").await, users.owner("joe").await);
    let new = users.sign_in("joe").await;
    assert_eq!(users.authenticate(&new.token).await.unwrap().new_token, None);
    change(&users, &jane, &joe.user_id, Role::Viewer).await.unwrap();
    let token = users.authenticate(&new.token).await.unwrap().new_token.unwrap();
    assert_eq!(users.authenticate(&token).await.unwrap().new_token, None);
    users.advance(Duration::from_mins(1));
    refused(users.authenticate(&new.token).await);
}

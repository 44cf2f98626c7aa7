//! Signing in at identity providers: who gets in as whom, with which roles.

mod hostile;

use pagesmith_model::identity_provider::{IdentityProvider, RoleRule};
use pagesmith_model::user::Role;
use pagesmith_operations::users::sign_in::Rules;
use pagesmith_operations::users::{break_glass, identities, invitations, memberships};
use pagesmith_store::tables::users as table;
use pagesmith_testkit::identity_provider::Kind;
use pagesmith_testkit::{Answer, TestApp, TestProvider};
use serde_json::json;

use super::browser::{Browser, PASSWORD};

pub const SESSION: &str = "__Host-pagesmith-session";
const PAGES: &str = "/console/t/acme/pages";

/// A server at which users sign in at this provider, and one that the test has changed.
pub async fn app(provider: &TestProvider, change: impl FnOnce(&mut IdentityProvider, &mut Rules)) -> TestApp {
    TestApp::with(|plan| {
        let mut settings = provider.settings("acme");
        change(&mut settings, &mut plan.settings.sign_in);
        plan.settings.identity_providers = vec![settings];
    })
    .await
}

/// What an address is below the server's.
pub fn path_of(address: &str) -> &str {
    address.strip_prefix("http://pagesmith.test").unwrap()
}

/// Begins to sign in; where the browser is sent.
pub async fn begin(browser: &mut Browser, next: &str) -> String {
    let way = format!("/console/provider/acme?next={}", next.replace('/', "%2F").replace('?', "%3F"));
    browser.open(&way).await.expect(303).header("location").unwrap().to_owned()
}

/// Signs in at the provider.
pub async fn sign_in(browser: &mut Browser, provider: &TestProvider) -> Answer {
    let back = provider.let_in(&begin(browser, PAGES).await);
    browser.open(path_of(&back)).await
}

/// Invites the address that the provider knows.
pub async fn invite(app: &TestApp, email: Option<&'static str>, role: Role) -> String {
    let context = app.platform.context().of(app.tenant.clone());
    let invite = move |tx: &mut pagesmith_store::Tx<'_>| invitations::create(tx, &context, role, email);
    app.store.write(invite).await.unwrap().1
}

/// The roles in the tenant by address.
async fn roles(app: &TestApp) -> Vec<(String, Role)> {
    let tenant = app.tenant.clone();
    let list = app.store.read(move |tx| memberships::list(tx, &tenant)).await.unwrap();
    let mut roles: Vec<(String, Role)> = list
        .into_iter()
        .map(|(user, membership)| (user.email.as_str().to_owned(), membership.role))
        .collect();
    roles.sort_by(|one, other| one.0.cmp(&other.0));
    roles
}

fn jane(role: Role) -> (String, Role) {
    ("jane@acme.example".to_owned(), role)
}

#[tokio::test]
async fn somebody_invited_signs_in_with_every_kind_of_key_and_stays_who_that_is() {
    let provider = TestProvider::start().await;
    let app = app(&provider, |_, _| {}).await;
    invite(&app, Some("jane@acme.example"), Role::Editor).await;
    let mut browser = Browser::new(&app);
    let shown = browser.open("/console/sign-in").await.expect(200).text();
    assert!(shown.contains("Sign in with Provider acme") && shown.contains("type=\"password\""), "{shown}");
    let signed_in = sign_in(&mut browser, &provider).await;
    assert_eq!(signed_in.expect(303).header("location"), Some(PAGES));
    assert_eq!(browser.cookie("__Host-pagesmith-provider"), None);
    browser.open(PAGES).await.expect(200);
    assert_eq!(roles(&app).await, [jane(Role::Editor)]);
    let audit = app.client().get("/v0/audit").await.expect(200).text();
    assert!(audit.contains("identity-connected") && audit.contains("signed-in"), "{audit}");

    // The address changes at the provider; who that is does not.
    let moved = json!({ "sub": "jane-1", "email": "jane.doe@acme.example", "email_verified": false });
    provider.person(moved);
    for kind in [Kind::Rsa, Kind::P256, Kind::Ed25519] {
        provider.sign_with(kind);
        provider.rotate_key(&format!("{kind:?}"));
        app.advance(std::time::Duration::from_secs(61));
        provider.advance(61);
        let mut other = Browser::new(&app);
        sign_in(&mut other, &provider).await.expect(303);
        other.open(PAGES).await.expect(200);
    }
    assert_eq!(roles(&app).await, [jane(Role::Editor)]);
}

#[tokio::test]
async fn a_user_with_the_same_address_is_connected_if_the_provider_has_verified_it() {
    let provider = TestProvider::start().await;
    let app = app(&provider, |_, _| {}).await;
    Browser::owner(&app).await;
    let olga = |sub: &str, is_verified: bool| json!({ "sub": sub, "email": "Olga@acme.example", "email_verified": is_verified });
    let mut browser = Browser::new(&app);
    provider.person(olga("olga-1", false));
    let refused = sign_in(&mut browser, &provider).await.expect(403).text();
    assert!(refused.contains("does not confirm your e-mail address"), "{refused}");
    provider.person(olga("olga-1", true));
    sign_in(&mut browser, &provider).await.expect(303);
    assert!(browser.open(PAGES).await.expect(200).text().contains("Olga Owner"));

    // Somebody else gets the address at the provider, and not the user with it.
    let mut other = Browser::new(&app);
    provider.person(olga("olga-2", true));
    let refused = sign_in(&mut other, &provider).await.expect(403).text();
    assert!(refused.contains("somebody else at Provider acme"), "{refused}");
    assert_eq!(other.cookie(SESSION), None);
    let context = app.platform.context();
    let disconnect = move |tx: &mut pagesmith_store::Tx<'_>| {
        let email = pagesmith_model::email::EmailAddress::parse("olga@acme.example").unwrap();
        let user = table::find_by_email(tx, &email)?.unwrap();
        identities::disconnect(tx, &context, &user.user_id)
    };
    app.store.write(disconnect).await.unwrap();
    sign_in(&mut other, &provider).await.expect(303);
}

#[tokio::test]
async fn a_stranger_who_took_an_address_first_is_out_when_its_owner_comes() {
    let provider = TestProvider::start().await;
    let app = app(&provider, |_, _| {}).await;
    let token = invite(&app, None, Role::Viewer).await;
    let fields =
        [("token", token.as_str()), ("name", "Eve"), ("email", "jane@acme.example"), ("password", PASSWORD)];
    let mut stranger = Browser::new(&app);
    stranger.send("/console/invitation", &fields).await.expect(303);
    let typed = [("email", "jane@acme.example"), ("password", PASSWORD)];
    stranger.send("/console/sign-in", &typed).await.expect(303);
    stranger.open(PAGES).await.expect(200);

    let mut browser = Browser::new(&app);
    sign_in(&mut browser, &provider).await.expect(303);
    browser.open(PAGES).await.expect(200);
    stranger.open(PAGES).await.expect(303);
    stranger.send("/console/sign-in", &typed).await.expect(401);
    let audit = app.client().get("/v0/audit").await.expect(200).text();
    assert!(audit.contains("password-removed") && audit.contains("sessions-ended"), "{audit}");
    sign_in(&mut browser, &provider).await.expect(303);
    browser.open(PAGES).await.expect(200);
}

#[tokio::test]
async fn nobody_unknown_comes_in() {
    let provider = TestProvider::start().await;
    let app = app(&provider, |settings, _| settings.creates_users = true).await;
    Browser::owner(&app).await;
    let mut browser = Browser::new(&app);
    let refused = sign_in(&mut browser, &provider).await.expect(403).text();
    assert!(refused.contains("There is no user with the address jane@acme.example"), "{refused}");
    assert_eq!((browser.cookie(SESSION), roles(&app).await.len()), (None, 1));
}

#[tokio::test]
async fn claims_give_roles_and_take_them_but_no_last_owner_and_nobody_for_emergencies() {
    let provider = TestProvider::start().await;
    let rule = |value: &str, role| RoleRule { value: value.to_owned(), tenant: "acme".to_owned(), role };
    let app = app(&provider, |settings, _| {
        settings.creates_users = true;
        settings.roles_claim = Some("groups".to_owned());
        let elsewhere = RoleRule { tenant: "not-yet".to_owned(), ..rule("admins", Role::Owner) };
        settings.roles = vec![rule("admins", Role::Owner), rule("staff", Role::Viewer), elsewhere];
    })
    .await;
    let person = |groups: serde_json::Value| json!({ "sub": "jane-1", "email": "jane@acme.example", "email_verified": true, "groups": groups });
    let mut browser = Browser::new(&app);
    for (groups, role) in [
        (json!(["staff", "admins"]), Role::Owner),
        // The tenant's last owner stays one.
        (json!(["staff"]), Role::Owner),
        (json!([]), Role::Owner),
    ] {
        provider.person(person(groups));
        sign_in(&mut browser, &provider).await.expect(303);
        assert_eq!(roles(&app).await, [jane(role)]);
    }
    Browser::with_role(&app, Role::Owner).await;
    let owner = ("owner@acme.example".to_owned(), Role::Owner);
    provider.person(person(json!("staff")));
    sign_in(&mut browser, &provider).await.expect(303);
    assert_eq!(roles(&app).await, [jane(Role::Viewer), owner.clone()]);
    provider.person(person(json!(null)));
    sign_in(&mut browser, &provider).await.expect(303);
    assert_eq!(roles(&app).await, std::slice::from_ref(&owner));

    provider.person(person(json!(["admins"])));
    sign_in(&mut browser, &provider).await.expect(303);
    let context = app.platform.context();
    let mark = move |tx: &mut pagesmith_store::Tx<'_>| {
        let email = pagesmith_model::email::EmailAddress::parse("jane@acme.example").unwrap();
        let user = table::find_by_email(tx, &email)?.unwrap();
        break_glass::set(tx, &context, &user.user_id, true)
    };
    app.store.write(mark).await.unwrap();
    provider.person(person(json!([])));
    sign_in(&mut browser, &provider).await.expect(303);
    assert_eq!(roles(&app).await, [jane(Role::Owner), owner]);
}

#[tokio::test]
async fn a_tenant_that_rules_name_by_id_and_by_slug_has_the_greatest_of_its_roles() {
    let provider = TestProvider::start().await;
    let app = app(&provider, |_, _| {}).await;
    let (id, slug) = (app.tenant.to_string(), "acme".to_owned());
    for (staff, admins) in [(id.clone(), slug.clone()), (slug, id)] {
        let rule = |value: &str, tenant: &str, role| RoleRule {
            value: value.to_owned(),
            tenant: tenant.to_owned(),
            role,
        };
        let app = self::app(&provider, |settings, _| {
            settings.creates_users = true;
            settings.roles_claim = Some("groups".to_owned());
            settings.roles = vec![rule("staff", &staff, Role::Viewer), rule("admins", &admins, Role::Editor)];
        })
        .await;
        let mut browser = Browser::new(&app);
        for (groups, role) in [(json!(["staff", "admins"]), Role::Editor), (json!(["staff"]), Role::Viewer)] {
            provider.person(json!({ "sub": "jane-1", "email": "jane@acme.example", "email_verified": true, "groups": groups }));
            sign_in(&mut browser, &provider).await.expect(303);
            assert_eq!(roles(&app).await, [jane(role)]);
        }
    }
}

#[tokio::test]
async fn claims_may_stand_beside_the_token_and_domains_keep_others_out() {
    let provider = TestProvider::start().await;
    let app = app(&provider, |settings, _| settings.email_domains = vec!["acme.example".to_owned()]).await;
    invite(&app, Some("jane@acme.example"), Role::Viewer).await;
    provider.person(json!({ "sub": "jane-1" }));
    provider.user_info(json!({ "sub": "jane-2", "email": "jane@acme.example", "email_verified": true }));
    let mut browser = Browser::new(&app);
    let refused = sign_in(&mut browser, &provider).await.expect(401).text();
    assert!(refused.contains("says something of somebody else"), "{refused}");
    provider.user_info(json!({ "sub": "jane-1", "email": "jane@evil.example", "email_verified": true }));
    let refused = sign_in(&mut browser, &provider).await.expect(403).text();
    assert!(refused.contains("Only verified addresses of these domains"), "{refused}");
    provider.user_info(json!({ "sub": "jane-1", "email": "jane@acme.example", "email_verified": true }));
    provider.metadata(json!({ "token_endpoint_auth_methods_supported": ["client_secret_post"] }));
    app.advance(std::time::Duration::from_secs(2 * 60 * 60));
    provider.advance(2 * 60 * 60);
    sign_in(&mut browser, &provider).await.expect(303);
    assert_eq!(roles(&app).await, [jane(Role::Viewer)]);
}

#[tokio::test]
async fn an_invitation_for_anybody_is_accepted_at_a_provider_but_not_by_a_link_from_elsewhere() {
    let provider = TestProvider::start().await;
    let app = app(&provider, |_, rules| rules.passwords_for_all = false).await;
    let token = invite(&app, None, Role::Analyst).await;
    let mut browser = Browser::new(&app);
    let shown = browser.open(&format!("/console/invitation?token={token}")).await.expect(200).text();
    assert!(shown.contains("Accept with Provider acme") && !shown.contains("type=\"password\""), "{shown}");
    let fields =
        [("token", token.as_str()), ("name", "Eve"), ("email", "eve@evil.example"), ("password", PASSWORD)];
    browser.send("/console/invitation", &fields).await.expect(403);

    let way = format!("/console/provider/acme?invitation={token}");
    for (site, status) in [("cross-site", 403), ("same-origin", 303)] {
        let go = browser.open_from(&way, site).await.expect(303);
        let back = provider.let_in(go.header("location").unwrap());
        browser.open(path_of(&back)).await.expect(status);
    }
    assert_eq!(roles(&app).await, [jane(Role::Analyst)]);
}

#[tokio::test]
async fn somebody_signs_in_for_emergencies_while_passwords_are_off_and_the_provider_is_down() {
    let provider = TestProvider::start().await;
    let app = app(&provider, |_, rules| rules.passwords_for_all = false).await;
    Browser::owner(&app).await;
    let fields = |email| [("email", email), ("password", PASSWORD)];
    let context = app.platform.context();
    let add = move |tx: &mut pagesmith_store::Tx<'_>| {
        let new = pagesmith_operations::users::NewUser {
            email: "paul@acme.example".to_owned(),
            name: "Paul".to_owned(),
            language: "en".to_owned(),
        };
        let user = pagesmith_operations::users::create(tx, &context, &new)?;
        pagesmith_operations::users::links::password_link(tx, &context, &user.user_id)
    };
    let token = app.store.write(add).await.unwrap();
    let mut browser = Browser::new(&app);
    browser.send("/console/password", &[("token", &token), ("password", PASSWORD)]).await.expect(303);
    assert_eq!(browser.cookie(SESSION), None, "a password alone opens nothing");

    assert!(app.store.read(break_glass::is_any).await.unwrap());
    provider.set_down(true);
    let down = browser.open("/console/provider/acme").await.expect(503).text();
    assert!(down.contains("Provider acme cannot be reached"), "{down}");
    let shown = browser.open("/console/sign-in").await.expect(200).text();
    assert!(shown.contains("<details") && shown.contains("marked for emergencies"), "{shown}");
    let unmarked = browser.send("/console/sign-in", &fields("paul@acme.example")).await.expect(401).text();
    let unknown = browser.send("/console/sign-in", &fields("nobody@acme.example")).await.expect(401).text();
    assert_eq!(unmarked.replace("paul@", "nobody@"), unknown, "who is marked is not told");
    browser.send("/console/sign-in", &fields("olga@acme.example")).await.expect(303);
    browser.open(PAGES).await.expect(200);
}

#[tokio::test]
async fn the_code_of_an_app_is_wanted_after_a_provider_only_if_that_is_set() {
    let provider = TestProvider::start().await;
    for is_wanted in [false, true] {
        let app = app(&provider, |_, rules| rules.code_after_provider = is_wanted).await;
        let mut browser = Browser::owner(&app).await;
        let offered = browser.send("/console/t/acme/account/app", &[]).await.expect(200).text();
        let secret =
            offered.split("<code dir=\"ltr\">").nth(1).unwrap().split('<').next().unwrap().to_owned();
        let code = pagesmith_testkit::authenticator::code(&secret, app.state.now());
        browser.send("/console/t/acme/account/app/confirm", &[("code", &code)]).await.expect(200);
        provider.person(json!({ "sub": "olga-1", "email": "olga@acme.example", "email_verified": true }));
        let mut browser = Browser::new(&app);
        let signed_in = sign_in(&mut browser, &provider).await.expect(303);
        let to = signed_in.header("location").unwrap().to_owned();
        if is_wanted {
            assert!(to.starts_with("/console/code?next=%2Fconsole%2Ft%2Facme%2Fpages"), "{to}");
            assert_eq!(browser.cookie(SESSION), None);
            app.advance(std::time::Duration::from_secs(60));
            let code = pagesmith_testkit::authenticator::code(&secret, app.state.now());
            browser.send("/console/code", &[("code", &code)]).await.expect(303);
        } else {
            assert_eq!(to, PAGES);
        }
        browser.open(PAGES).await.expect(200);
    }
}

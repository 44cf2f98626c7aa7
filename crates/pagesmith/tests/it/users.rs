//! Users: who signs in at the console, below HTTP.

use std::net::IpAddr;
use std::time::Duration;

use pagesmith_model::actor::Actor;
use pagesmith_model::user::password::Cost;
use pagesmith_model::user::session::SessionLimits;
use pagesmith_model::user::{Role, User};
use pagesmith_model::{Error, Kind, Result, TenantId};
use pagesmith_operations::context::{Context, TenantContext};
use pagesmith_operations::users::sessions::{self, Authenticated, NewSession};
use pagesmith_operations::users::sign_in::{self, Credentials, Rules, SignIn};
use pagesmith_operations::users::{
    self, Client, Hasher, NewUser, links, memberships, passwords, second_factor,
};
use pagesmith_store::tables::audit::{self, Filter};
use pagesmith_store::{Extent, Tx};
use pagesmith_testkit::{TestApp, authenticator};

mod accounts;
mod factors;
mod guesses;
mod invitations;
mod roles;
mod signing_in;

const PASSWORD: &str = "correct horse battery";
const HOME: [u8; 4] = [203, 0, 113, 7];

/// A server with what users need.
struct Users {
    app: TestApp,
    hasher: Hasher,
}

impl Users {
    async fn start() -> Users {
        Users { app: TestApp::start().await, hasher: Hasher::new(Cost::least().unwrap(), 2) }
    }

    fn ctx(&self) -> Context {
        self.app.platform.context()
    }

    /// The context of what a user does in `acme`.
    fn by(&self, user: &User) -> TenantContext {
        self.ctx().by(Actor::User(user.user_id.clone())).of(self.app.tenant.clone())
    }

    async fn read<T: Send + 'static>(&self, run: impl FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static) -> T {
        self.app.store.read(run).await.unwrap()
    }

    async fn write<T: Send + 'static>(
        &self,
        run: impl FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.app.store.write(run).await
    }

    /// A user with the password and, if there is one, a role in a tenant.
    async fn add(&self, name: &str, role: Option<(&TenantId, Role)>) -> User {
        let (ctx, new, role) = (self.ctx(), named(name), role.map(|(tenant, role)| (tenant.clone(), role)));
        let create = move |tx: &mut Tx<'_>| {
            let user = users::create(tx, &ctx, &new)?;
            if let Some((tenant, role)) = &role {
                memberships::add(tx, &ctx.of(tenant.clone()), &user.user_id, *role)?;
            }
            links::password_link(tx, &ctx, &user.user_id)
        };
        let token = self.write(create).await.unwrap();
        passwords::reset(&self.app.store, &self.ctx(), &self.hasher, &token, PASSWORD.to_owned())
            .await
            .unwrap()
    }

    async fn owner(&self, name: &str) -> User {
        self.add(name, Some((&self.app.tenant, Role::Owner))).await
    }

    async fn try_password(&self, name: &str, password: &str, from: [u8; 4]) -> Result<SignIn> {
        let credentials = Credentials { email: email(name), password: password.to_owned() };
        let (store, ctx) = (&self.app.store, self.ctx());
        sign_in::with_password(store, &ctx, &self.hasher, Rules::USUAL, &client(from), credentials, None)
            .await
    }

    async fn sign_in(&self, name: &str) -> NewSession {
        match self.try_password(name, PASSWORD, HOME).await.unwrap() {
            SignIn::Complete(session) => *session,
            other => panic!("{other:?}"),
        }
    }

    async fn half_sign_in(&self, name: &str) -> String {
        match self.try_password(name, PASSWORD, HOME).await.unwrap() {
            SignIn::NeedsCode { token, .. } => token,
            other => panic!("{other:?}"),
        }
    }

    async fn try_code(&self, half: &str, code: &str) -> Result<NewSession> {
        let (store, ctx) = (&self.app.store, self.ctx());
        sign_in::with_code(store, &ctx, SessionLimits::USUAL, &client(HOME), half, code, None).await
    }

    async fn authenticate(&self, token: &str) -> Result<Authenticated> {
        let (store, ctx) = (&self.app.store, self.ctx());
        sessions::authenticate(store, &ctx, SessionLimits::USUAL, &client(HOME), token).await
    }

    /// Adds an authenticator app; its secret and the recovery codes.
    async fn add_app(&self, user: &User) -> (String, Vec<String>) {
        let (ctx, user_id) = (self.ctx().by(Actor::User(user.user_id.clone())), user.user_id.clone());
        let add = move |tx: &mut Tx<'_>| {
            let proposal = second_factor::propose(tx, &ctx, &user_id)?;
            let code = authenticator::code(&proposal.secret, ctx.now);
            Ok((proposal.secret, second_factor::confirm(tx, &ctx, &user_id, &code)?))
        };
        self.write(add).await.unwrap()
    }

    fn code(&self, secret: &str) -> String {
        authenticator::code(secret, self.ctx().now)
    }

    fn advance(&self, by: Duration) {
        self.app.advance(by);
    }

    /// The newest entries of the audit of a tenant, or of all: actions with their actors.
    async fn audit(&self, tenant: Option<&TenantId>, number: usize) -> Vec<(String, String)> {
        let (tenant, extent) = (tenant.cloned(), Extent::of_items(number));
        let entries = self
            .read(move |tx| match &tenant {
                Some(tenant) => Ok(audit::list(tx, tenant, &Filter::default(), extent)?.0),
                None => audit::list_all(tx, None, extent),
            })
            .await
            .items;
        let told = |entry: audit::AuditEntry| {
            (entry.action, entry.actor.map(|actor| actor.to_stored()).unwrap_or_default())
        };
        entries.into_iter().map(told).collect()
    }
}

fn email(name: &str) -> String {
    format!("{name}@example.com")
}

fn named(name: &str) -> NewUser {
    NewUser { email: email(name), name: format!("The user {name}"), language: "en".to_owned() }
}

fn client(address: [u8; 4]) -> Client {
    Client { address: IpAddr::from(address), user_agent: "Browser/1.0".to_owned() }
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T>) -> Error {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), &Kind::Unauthorized, "{error}");
    error
}

#[track_caller]
fn conflict<T: std::fmt::Debug>(result: Result<T>) -> String {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), &Kind::Conflict(None), "{error}");
    error.detail().to_owned()
}

#[track_caller]
fn not_found<T: std::fmt::Debug>(result: Result<T>) {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), &Kind::NotFound, "{error}");
}

/// The paths of broken rules.
#[track_caller]
fn paths<T: std::fmt::Debug>(result: Result<T>) -> Vec<String> {
    match result.unwrap_err().kind() {
        Kind::Invalid(issues) => issues.iter().map(|issue| issue.path.join(".")).collect(),
        other => panic!("{other:?}"),
    }
}

/// For how many seconds the next attempt is refused.
#[track_caller]
fn waits<T: std::fmt::Debug>(result: Result<T>) -> u32 {
    match result.unwrap_err().kind() {
        Kind::Limited { retry_after, .. } => *retry_after,
        other => panic!("{other:?}"),
    }
}

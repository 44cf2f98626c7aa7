//! Links that are good once: to make the first user, to set a password, to accept an invitation.

use axum::body::Body;
use axum::http::{Response, StatusCode};
use maud::html;
use pagesmith_operations::users::sign_in::Credentials;
use pagesmith_operations::users::{NewUser, first_user, invitations, links, passwords, sessions};
use pagesmith_store::Tx;

use super::{SignInRequest, no_token};
use crate::client::{Refused, with_query};
use crate::cookies;
use crate::parts::field::{Field, Kind as Input};
use crate::respond::see_other;
use crate::visit::ROOT;

/// The longest name that a field takes.
const NAME: u64 = 100;

impl SignInRequest {
    fn token(&self) -> Result<String, Refused> {
        Some(self.given("token")).filter(|token| !token.is_empty()).ok_or_else(no_token)
    }

    fn new_user(&self) -> NewUser {
        NewUser {
            email: self.entered.text("email").to_owned(),
            name: self.entered.text("name").to_owned(),
            language: self.words().tag().to_owned(),
        }
    }

    /// The fields that make a user.
    fn user_fields(&self, token: &str, email: Option<&str>) -> Vec<Field> {
        let words = self.words();
        let mut address =
            Field::new("email", words.text("email"), Input::Email).required().autocomplete("username");
        if let Some(email) = email {
            address = address.value(email);
        }
        vec![
            Field::hidden("token", token),
            Field::new("name", words.text("name"), Input::Text(Some(NAME))).required().autocomplete("name"),
            address,
            self.password_field(),
        ]
    }

    fn password_field(&self) -> Field {
        let words = self.words();
        Field::new("password", words.text("new-password"), Input::Password)
            .required()
            .autocomplete("new-password")
            .help(words.text("password-help"))
    }

    async fn read<T: Send + 'static>(
        &self,
        run: impl Fn(&mut Tx<'_>) -> pagesmith_model::Result<T> + Send + 'static,
    ) -> Result<T, Refused> {
        self.installation.store.read(run).await.map_err(|error| Refused::of(&error))
    }

    /// Signs a user in who has just set a password.
    async fn sign_in_as(self, email: String, password: String) -> Result<Response<Body>, Refused> {
        use pagesmith_operations::users::sign_in::{SignIn, with_password};
        let (store, ctx) = (&self.installation.store, self.context());
        let credentials = Credentials { email, password };
        let signed_in = with_password(
            store,
            &ctx,
            &self.installation.hasher,
            self.installation.rules,
            &self.client,
            credentials,
            None,
        );
        match signed_in.await {
            Ok(SignIn::Complete(session)) => Ok(self.begun(&session.token, &self.next())),
            // An authenticator app is asked for its code where everybody is.
            Ok(SignIn::NeedsCode { .. }) | Err(_) => Ok(see_other(&format!("{ROOT}/sign-in"))),
        }
    }
}

/// Makes the first user.
pub(super) async fn set_up(asking: SignInRequest, is_post: bool) -> Result<Response<Body>, Refused> {
    let (token, words) = (asking.token()?, asking.words());
    let show = |asking: &SignInRequest, refused: Option<&Refused>| {
        let company = Field::new("company", words.text("setup-company"), Input::Text(Some(NAME)))
            .autocomplete("organization")
            .help(words.text("setup-company-help"));
        let fields = asking.user_fields(&token, None).into_iter().chain([company]).collect();
        let form = asking.form("setup", &words.text("setup"), fields, refused);
        asking.draw("setup-title", refused, &html! { p { (words.text("setup-text")) } (form) })
    };
    if !is_post {
        let (ctx, token) = (asking.context(), token.clone());
        asking.read(move |tx| first_user::check(tx, &ctx, &token)).await?;
        return Ok(show(&asking, None));
    }
    let password = asking.entered.as_typed("password");
    let made = {
        let (store, hasher) = (&asking.installation.store, &asking.installation.hasher);
        let (new, company) = (asking.new_user(), asking.entered.some("company"));
        first_user::create(store, &asking.context(), hasher, &token, &new, password.clone(), company).await
    };
    match made {
        Ok(user) => asking.sign_in_as(user.email.as_str().to_owned(), password).await,
        Err(error) => asking.refuse(&error, |refused| show(&asking, Some(refused))),
    }
}

/// Sets a password that was forgotten, or the first one.
pub(super) async fn password(asking: SignInRequest, is_post: bool) -> Result<Response<Body>, Refused> {
    let (token, words) = (asking.token()?, asking.words());
    let user = {
        let (ctx, token) = (asking.context(), token.clone());
        asking.read(move |tx| links::user_of(tx, &ctx, &token)).await?
    };
    let show = |asking: &SignInRequest, refused: Option<&Refused>| {
        let fields = vec![Field::hidden("token", token.as_str()), asking.password_field()];
        let form = asking.form("password", &words.text("password-set"), fields, refused);
        asking.draw("password-title", refused, &html! { p dir="auto" { (user.email.as_str()) } (form) })
    };
    if !is_post {
        return Ok(show(&asking, None));
    }
    let password = asking.entered.as_typed("password");
    let set = {
        let (store, hasher) = (&asking.installation.store, &asking.installation.hasher);
        passwords::reset(store, &asking.context(), hasher, &token, password.clone()).await
    };
    match set {
        Ok(user) => asking.sign_in_as(user.email.as_str().to_owned(), password).await,
        Err(error) => asking.refuse(&error, |refused| show(&asking, Some(refused))),
    }
}

/// Accepts an invitation, as a new user or as the one who is signed in.
pub(super) async fn invitation(asking: SignInRequest, is_post: bool) -> Result<Response<Body>, Refused> {
    let (token, words) = (asking.token()?, asking.words());
    let (invitation, tenant) = {
        let (ctx, token) = (asking.context(), token.clone());
        asking.read(move |tx| invitations::of_token(tx, &ctx, &token)).await?
    };
    let takes_passwords = asking.installation.rules.passwords_for_all;
    let signed_in = match cookies::find(&asking.parts.headers, cookies::SESSION) {
        Some(shown) => {
            let (store, limits) = (&asking.installation.store, asking.installation.rules.sessions);
            sessions::authenticate(store, &asking.context(), limits, &asking.client, &shown).await.ok()
        }
        None => None,
    };
    let text = words.with(
        "invitation-text",
        &[("tenant", tenant.name.as_str().into()), ("role", words.text(role_key(invitation.role)).into())],
    );
    let show = |asking: &SignInRequest, refused: Option<&Refused>| {
        let accept = words.text("invitation-accept");
        let main = match &signed_in {
            Some(known) => {
                let form =
                    asking.form("invitation", &accept, vec![Field::hidden("token", token.as_str())], refused);
                html! { p { (text) } p.help dir="auto" { (known.user.email.as_str()) } (form) }
            }
            None => {
                let email = invitation.email.as_ref().map(pagesmith_model::email::EmailAddress::as_str);
                let form = takes_passwords
                    .then(|| asking.form("invitation", &accept, asking.user_fields(&token, email), refused));
                let ways = asking.ways("invitation-accept-with", &[("invitation", Some(token.as_str()))]);
                let back = with_query(&format!("{ROOT}/invitation"), &[("token", Some(&token))]);
                let sign_in = with_query(&format!("{ROOT}/sign-in"), &[("next", Some(&back))]);
                html! { p { (text) } (ways) @if let Some(form) = form { (form) } p { a href=(sign_in) { (words.text("invitation-has-user")) } } }
            }
        };
        asking.draw("invitation-title", refused, &main)
    };
    if !is_post {
        return Ok(show(&asking, None));
    }
    let (store, ctx) = (&asking.installation.store, asking.context());
    if let Some(known) = &signed_in {
        let (user_id, token) = (known.user.user_id.clone(), token.clone());
        let accepted = store.write(move |tx| invitations::accept(tx, &ctx, &token, &user_id)).await;
        return match accepted {
            Ok(_) => Ok(see_other(&crate::visit::root(&tenant.slug))),
            Err(error) => asking.refuse(&error, |refused| show(&asking, Some(refused))),
        };
    }
    if !takes_passwords {
        let detail = "Passwords are off here: accept the invitation by signing in at an identity provider.";
        return Ok(show(&asking, Some(&Refused::new(StatusCode::FORBIDDEN, detail))));
    }
    let (password, new) = (asking.entered.as_typed("password"), asking.new_user());
    let hasher = &asking.installation.hasher;
    let made = invitations::accept_as_new(store, &ctx, hasher, &token, &new, password.clone()).await;
    match made {
        Ok((user, _)) => asking.sign_in_as(user.email.as_str().to_owned(), password).await,
        Err(error) => asking.refuse(&error, |refused| show(&asking, Some(refused))),
    }
}

/// The word for a role.
pub(crate) fn role_key(role: pagesmith_model::user::Role) -> &'static str {
    use pagesmith_model::user::Role;
    match role {
        Role::Owner => "role-owner",
        Role::Editor => "role-editor",
        Role::Analyst => "role-analyst",
        Role::Viewer => "role-viewer",
    }
}

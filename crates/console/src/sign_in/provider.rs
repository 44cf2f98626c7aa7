//! Signing in at an identity provider: the way there, and the way back.
//!
//! The way there is a link, since a form whose answer leads to another origin is stopped by the policy. It has no effect but that a sign-in begins.
//! The way back is a request from elsewhere by nature; it counts by the sealed cookie that the way there has left in this browser. An
//! invitation is taken along only from a screen of the console, so that no link from elsewhere brings somebody into a tenant.

use std::error::Error as _;

use axum::body::Body;
use axum::http::Response;
use maud::{Markup, html};
use pagesmith_model::Error;
use pagesmith_model::identity_provider::IdentityProvider;
use pagesmith_operations::users::provider_sign_in::{self, GOOD_FOR, Returned};

use super::SignInRequest;
use crate::client::{Refused, segment, with_query};
use crate::respond::see_other;
use crate::visit::ROOT;
use crate::{cookies, cross_site};

/// The provider of a path, and whether it is the way back.
fn parse(path: &str) -> Option<(&str, bool)> {
    let rest = path.strip_prefix("provider/")?;
    let (id, is_return) = rest.strip_suffix("/return").map_or((rest, false), |id| (id, true));
    (!id.is_empty() && !id.contains('/')).then_some((id, is_return))
}

/// Whether a path is the way to a provider or back.
pub(super) fn takes(path: &str) -> bool {
    parse(path).is_some()
}

/// Goes there, or takes in who comes back.
pub(super) async fn serve(path: &str, asking: SignInRequest) -> Result<Response<Body>, Refused> {
    let (id, is_return) = parse(path).unwrap_or_default();
    let provider = asking.installation.providers.find(id).map_err(|error| Refused::of(&error))?;
    if is_return { asking.back_from(provider).await } else { asking.go_to(provider).await }
}

impl SignInRequest {
    /// Links to sign in at each provider, with these parameters.
    pub(super) fn ways(&self, key: &str, parameters: &[(&str, Option<&str>)]) -> Markup {
        let words = self.words();
        let text = |provider: &IdentityProvider| {
            let name = [("provider", provider.name.as_str().into())];
            match key {
                "invitation-accept-with" => words.with("invitation-accept-with", &name),
                _ => words.with("sign-in-with", &name),
            }
        };
        html! {
            @for provider in self.installation.providers.all() {
                @let way = with_query(&format!("{ROOT}/provider/{}", segment(&provider.id)), parameters);
                p { a.button href=(way) { (text(provider)) } }
            }
        }
    }

    async fn go_to(&self, provider: &IdentityProvider) -> Result<Response<Body>, Refused> {
        let is_ours = cross_site::is_same_origin(&self.parts.headers);
        let invitation = self.parameter("invitation").filter(|_| is_ours);
        let (providers, ctx) = (&self.installation.providers, self.context());
        match provider_sign_in::begin(providers, &ctx, provider, self.next(), invitation).await {
            Ok(begun) => {
                let mut response = see_other(&begun.address);
                cookies::keep(&mut response, cookies::AT_PROVIDER, &begun.kept, GOOD_FOR);
                Ok(response)
            }
            Err(error) => self.not_in(&error),
        }
    }

    async fn back_from(&self, provider: &IdentityProvider) -> Result<Response<Body>, Refused> {
        let kept = cookies::find(&self.parts.headers, cookies::AT_PROVIDER).unwrap_or_default();
        let returned = Returned {
            state: self.parameter("state").unwrap_or_default(),
            code: self.parameter("code"),
            error: self.parameter("error"),
            issuer: self.parameter("iss"),
        };
        let before = cookies::find(&self.parts.headers, cookies::SESSION);
        let of = (&self.installation.store, &*self.installation.providers);
        let answer = (kept.as_str(), returned);
        let (ctx, rules) = (self.context(), self.installation.rules);
        let came = provider_sign_in::complete(of, &ctx, rules, &self.client, provider, answer, before).await;
        let mut response = match came {
            Ok((signed_in, next)) => self.goes_on(&signed_in, &next),
            Err(error) => self.not_in(&error)?,
        };
        cookies::remove(&mut response, cookies::AT_PROVIDER);
        Ok(response)
    }

    /// The screen to sign in on, with the reason; the log gets what only an operator should know.
    fn not_in(&self, error: &Error) -> Result<Response<Body>, Refused> {
        if error.source().is_some() {
            tracing::warn!(%error, "a sign-in at an identity provider failed");
        }
        self.refuse(error, |refused| self.sign_in(Some(refused)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_a_provider_and_a_direction() {
        assert_eq!(parse("provider/acme"), Some(("acme", false)));
        assert_eq!(parse("provider/acme/return"), Some(("acme", true)));
        for path in ["provider", "provider/", "provider/a/b", "provider/a/b/return", "providers/a"] {
            assert_eq!(parse(path), None, "{path}");
        }
    }
}

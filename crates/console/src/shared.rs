//! The figures of a page for somebody who has a link to them and no user.
//!
//! The link is `/console/shared/<slug of the tenant>/<token>`. Where a password is asked for, the browser keeps a proof that it was right, which is
//! worth nothing for another link or after the password has changed.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Response, StatusCode};
use maud::{Markup, html};
use pagesmith_model::tenant::Tenant;
use pagesmith_model::visit::share::VisitShare;
use pagesmith_model::{Error, Kind};
use pagesmith_operations::access::Caller;
use pagesmith_operations::context::Context;
use pagesmith_operations::users;
use pagesmith_operations::visits::shares;

use crate::arrival::Arrival;
use crate::client::{Client, Refused, segment};
use crate::cookies;
use crate::entered::{Entered, query_value};
use crate::headers::words_of;
use crate::installation::Installation;
use crate::json::text;
use crate::parts::date_range::{DateRange, date_range, day_of};
use crate::parts::field::{Field, Kind as Input};
use crate::parts::form::Form;
use crate::parts::layout::{Scheme, bare_screen, public_screen};
use crate::parts::moment::exact_moment;
use crate::parts::toast::Toast;
use crate::respond::{html as respond, see_other};
use crate::screens::Report;
use crate::sign_in::keeps_cookies;
use crate::visit::ROOT;
use crate::words::Words;

/// Where links lead, below the console's root.
const SHARED: &str = "shared/";

/// The address of a link: of the console at this address, of the tenant with this label, by this token.
pub fn shared_address(console_url: &str, slug: &str, token: &str) -> String {
    format!("{console_url}{ROOT}/{SHARED}{}/{}", segment(slug), segment(token))
}

/// For how long a browser is not asked for the password again.
const PROVEN_FOR: Duration = Duration::from_hours(12);

/// A request of somebody who need not be signed in.
pub(crate) struct GuestRequest {
    /// Its head.
    pub parts: Parts,
    /// What was entered.
    pub entered: Entered,
    /// Where it comes from.
    pub client: users::Client,
    /// The same for the API.
    pub arrival: Arrival,
    /// The server.
    pub installation: Arc<Installation>,
    /// The API.
    pub api: Router,
}

/// Whether a path below the console's is a link's.
pub(crate) fn takes(path: &str) -> bool {
    path.starts_with(SHARED)
}

fn no_good() -> Refused {
    Refused::new(StatusCode::NOT_FOUND, "This link shows nothing: it has ended, or there is no such link.")
}

/// Answers a request to a link's path.
pub(crate) async fn serve(path: &str, request: GuestRequest) -> Result<Response<Body>, Refused> {
    let link = path.strip_prefix(SHARED).and_then(|rest| rest.split_once('/'));
    let (slug, token) = link.ok_or_else(no_good)?;
    let keys = &request.installation.keys;
    let tenant = keys.tenant_by_slug(slug).and_then(|tenant| keys.open_tenant(&tenant.tenant_id));
    let tenant = tenant.ok_or_else(no_good)?;
    let (ctx, token) = (request.context().of(tenant.tenant_id.clone()), token.to_owned());
    let found = request.installation.store.read(move |tx| shares::of_token(tx, &ctx, &token)).await;
    let share = found.map_err(|error| match error.kind() {
        Kind::NotFound => no_good(),
        _ => Refused::of(&error),
    })?;
    let mut response = if request.is_proven(&share)? {
        request.figures(path, tenant, &share).await?
    } else if request.parts.method == Method::POST {
        request.prove(path, &share).await?
    } else {
        request.ask(path, None)
    };
    response.headers_mut().insert("x-robots-tag", HeaderValue::from_static("noindex"));
    Ok(response)
}

impl GuestRequest {
    fn context(&self) -> Context {
        self.installation.platform.context()
    }

    fn words(&self) -> Words {
        words_of(None, &self.parts.headers)
    }

    fn is_proven(&self, share: &VisitShare) -> Result<bool, Refused> {
        if share.password_hash.is_none() {
            return Ok(true);
        }
        let proof = cookies::find(&self.parts.headers, &cookie(share)).unwrap_or_default();
        shares::is_proven(&self.context(), share, &proof).map_err(|error| Refused::of(&error))
    }

    /// Asks for the password, with what was wrong with the last one.
    fn ask(&self, path: &str, refused: Option<&Error>) -> Response<Body> {
        let words = self.words();
        let refused = refused.map(Refused::of);
        let said = refused.as_ref().map(|refused| words.issue(&refused.detail));
        let toasts: Vec<Toast<'_>> = said.iter().map(|said| Toast::failed(said)).collect();
        let status = refused.as_ref().map_or(StatusCode::OK, |refused| refused.status);
        let main = if keeps_cookies(&self.installation, &self.parts.headers) {
            let password = Field::new("password", words.text("password"), Input::Password).required();
            let (action, submit) = (format!("{ROOT}/{path}"), words.text("shared-open"));
            Form::new("shared", &action, &submit, vec![password]).draw(words)
        } else {
            html! { p { (words.text("sign-in-insecure")) } }
        };
        respond(
            status,
            &bare_screen(words, Scheme::System, &words.text("shared-title"), &toasts, &main),
            None,
        )
    }

    async fn prove(&self, path: &str, share: &VisitShare) -> Result<Response<Body>, Refused> {
        let Installation { store, hasher, .. } = &*self.installation;
        let password = self.entered.as_typed("password");
        match shares::prove(store, &self.context(), hasher, &self.client, share, password).await {
            Ok(proof) => {
                let mut response = see_other(&format!("{ROOT}/{path}"));
                cookies::keep(&mut response, &cookie(share), &proof, PROVEN_FOR);
                Ok(response)
            }
            Err(error) if matches!(error.kind(), Kind::Internal) => Err(Refused::of(&error)),
            Err(error) => Ok(self.ask(path, Some(&error))),
        }
    }

    async fn figures(
        self,
        path: &str,
        tenant: Arc<Tenant>,
        share: &VisitShare,
    ) -> Result<Response<Body>, Refused> {
        let words = self.words();
        let caller = Caller::guest(share.visit_share_id.clone(), tenant);
        let api = Client::new(self.api, caller, self.arrival);
        let page = api
            .get(&format!("/v0/pages/{}", share.page_id))
            .await
            .map_err(|refused| if refused.status == StatusCode::NOT_FOUND { no_good() } else { refused })?;
        let query = self.parts.uri.query().unwrap_or_default();
        let today = day_of(self.installation.platform.clock().now());
        let (from, to) = (query_value(query, "from"), query_value(query, "to"));
        let range = DateRange::read(from.as_deref(), to.as_deref(), today);
        let report = Report::read(&api, share.page_id.as_str(), range, false).await?;
        let main: Markup = html! {
            div.stack {
                (date_range(words, &format!("{ROOT}/{path}"), range, today, &[]))
                (report.draw(words, None))
                p.help { (words.text("shared-until")) " " (exact_moment(words, share.expires_at)) }
            }
        };
        let screen = public_screen(words, Scheme::System, text(&page.body, "name"), &main);
        Ok(respond(StatusCode::OK, &screen, None))
    }
}

/// The cookie that keeps the proof for a link.
fn cookie(share: &VisitShare) -> String {
    format!("__Host-pagesmith-{}", share.visit_share_id)
}

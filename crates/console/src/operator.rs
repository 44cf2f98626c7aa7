//! A request of an operator, to a screen that belongs to no tenant.
//!
//! Whoever is no operator never gets here: for them there are no such screens. Invariant: what a visit changes is changed only while the
//! user is still an operator.

use std::sync::Arc;

use pagesmith_model::actor::Actor;
use pagesmith_model::tenant::Tenant;
use pagesmith_model::user::{Role, User};
use pagesmith_model::{TenantId, Timestamp};
use pagesmith_operations::context::Context;
use pagesmith_operations::idempotency::Request;
use pagesmith_operations::installation;
use pagesmith_store::Tx;

use crate::client::Refused;
use crate::entered::{Entered, query_value};
use crate::installation::Installation;
use crate::visit::{Drawn, ROOT};
use crate::words::Words;

/// The path that all screens of operators stand below.
pub const PATH: &str = "/console/operator";

/// The id under which answers are kept that belong to no tenant.
const OF_NO_TENANT: &str = "tenant_00000000000000000000000000";

/// A request of an operator.
pub struct OperatorVisit {
    /// Who.
    pub user: User,
    /// The tenants in which the operator has a role.
    pub tenants: Vec<(Tenant, Role)>,
    /// The language.
    pub words: Words,
    /// The instant.
    pub now: Timestamp,
    /// What the console has of the server.
    pub installation: Arc<Installation>,
    /// The ids in the path.
    pub path: Vec<(String, String)>,
    /// The query as it was sent.
    pub query: String,
    /// What was entered into the form that was sent.
    pub entered: Entered,
    /// The key that the form was drawn with.
    pub form_key: Option<String>,
}

impl OperatorVisit {
    /// The address of a path of the operators' screens: `/tenants`.
    pub fn url(&self, path: &str) -> String {
        format!("{PATH}{path}")
    }

    /// An id of the path; empty if the path has none of that name.
    pub fn id(&self, name: &str) -> &str {
        let found = self.path.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value.as_str())
    }

    /// A value of the query.
    pub fn asked(&self, name: &str) -> Option<String> {
        query_value(&self.query, name).filter(|value| !value.is_empty())
    }

    /// Goes on at a path of the operators' screens.
    pub fn moved(&self, path: &str) -> Drawn {
        Drawn::Moved(self.url(path))
    }

    /// The instant, with the user as the actor.
    pub(crate) fn context(&self) -> Context {
        self.installation.platform.context().by(Actor::User(self.user.user_id.clone()))
    }

    /// The form that was sent, as a request that is carried out once. Its answer is kept under an id that no tenant has, since what an
    /// operator does belongs to none.
    pub(crate) fn form_request(&self, form: &str) -> Result<Option<Request>, Refused> {
        let of_none = TenantId::parse(OF_NO_TENANT);
        let (Some(key), Some(of_none)) = (self.form_key.as_deref(), of_none) else { return Ok(None) };
        let request = Request::of_form(&self.context().of(of_none), form, key, &self.entered.0);
        request.map(Some).map_err(|error| Refused::of(&error))
    }

    /// Reads what is the installation's.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        run: impl Fn(&mut Tx<'_>) -> pagesmith_model::Result<T> + Send + 'static,
    ) -> Result<T, Refused> {
        self.installation.store.read(run).await.map_err(|error| Refused::of(&error))
    }

    /// Changes what is the installation's, if the user is an operator still.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        run: impl Fn(&mut Tx<'_>) -> pagesmith_model::Result<T> + Send + 'static,
    ) -> Result<T, Refused> {
        let user_id = self.user.user_id.clone();
        let checked = move |tx: &mut Tx<'_>| {
            installation::require_operator(tx, &user_id)?;
            run(tx)
        };
        self.installation.store.write(checked).await.map_err(|error| Refused::of(&error))
    }

    /// A count as it is written in the user's language.
    pub(crate) fn count(&self, count: u64) -> String {
        self.words.count(count)
    }

    /// A text in the user's language.
    pub fn text(&self, key: &str) -> String {
        self.words.text(key)
    }

    /// The path that the user's own tenant stands below, if there is one.
    pub(crate) fn root(&self) -> String {
        self.tenants.first().map_or_else(|| ROOT.to_owned(), |(tenant, _)| crate::visit::root(&tenant.slug))
    }
}

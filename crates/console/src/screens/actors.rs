//! Who did something, by name.

use pagesmith_model::user::{Membership, Permission, User};
use pagesmith_operations::users::memberships;
use serde_json::Value;

use crate::client::Refused;
use crate::json::{items, text};
use crate::visit::Visit;

/// Everybody of the tenant who can have done something.
pub(crate) struct Actors {
    /// Its users.
    pub users: Vec<(User, Membership)>,
    /// Its keys, for those who may see them; for others a key has no name.
    keys: Value,
}

impl Actors {
    /// Reads them.
    pub(crate) async fn read(visit: &Visit) -> Result<Actors, Refused> {
        let tenant = visit.tenant.tenant_id.clone();
        let users = visit.read(move |tx| memberships::list(tx, &tenant)).await?;
        let keys = if visit.may(Permission::ManageUsers) {
            visit.api.find("/v0/keys", &[("limit", Some("100"))]).await?.body
        } else {
            Value::Null
        };
        Ok(Actors { users, keys })
    }

    /// What an actor of the API is called; its id if nothing is known of it any more.
    pub(crate) fn name(&self, visit: &Visit, actor: &str) -> String {
        if let Some((user, _)) = self.users.iter().find(|(user, _)| user.user_id.as_str() == actor) {
            return user.name.clone();
        }
        match items(&self.keys).iter().find(|key| text(key, "keyId") == actor) {
            Some(key) => visit.words.with("actor-key", &[("name", text(key, "name").into())]),
            None => word(visit, actor),
        }
    }
}

/// What an actor is called that is nobody in particular.
pub(crate) fn word(visit: &Visit, actor: &str) -> String {
    match actor {
        "operator" => visit.text("actor-operator"),
        "server" | "worker" => visit.text("actor-server"),
        "schedule" => visit.text("actor-schedule"),
        "" => "–".to_owned(),
        other => other.to_owned(),
    }
}

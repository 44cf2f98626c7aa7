//! Who did something, by name.

use std::collections::HashMap;

use pagesmith_model::user::{Membership, Permission, User};
use pagesmith_operations::users::memberships;

use crate::client::Refused;
use crate::json::{items, some, text};
use crate::visit::Visit;

/// Everybody of the tenant who can have done something.
pub(crate) struct Actors {
    /// Its users.
    pub users: Vec<(User, Membership)>,
    /// Its keys, for those who may see them; for others a key has no name.
    keys: HashMap<String, String>,
}

impl Actors {
    /// Reads them.
    pub(crate) async fn read(visit: &Visit) -> Result<Actors, Refused> {
        let tenant = visit.tenant.tenant_id.clone();
        let users = visit.read(move |tx| memberships::list(tx, &tenant)).await?;
        let mut keys = HashMap::new();
        let (mut has_more, mut cursor) = (visit.may(Permission::ManageUsers), None);
        while has_more {
            let asked = [("limit", Some("100")), ("cursor", cursor.as_deref())];
            let part = visit.api.find("/v0/keys", &asked).await?.body;
            keys.extend(
                items(&part).iter().map(|key| (text(key, "keyId").to_owned(), text(key, "name").to_owned())),
            );
            cursor = some(&part, "nextCursor").map(str::to_owned);
            has_more = cursor.is_some();
        }
        Ok(Actors { users, keys })
    }

    /// What an actor of the API is called; its id if nothing is known of it any more.
    pub(crate) fn name(&self, visit: &Visit, actor: &str) -> String {
        if let Some((user, _)) = self.users.iter().find(|(user, _)| user.user_id.as_str() == actor) {
            return user.name.clone();
        }
        match self.keys.get(actor) {
            Some(name) => visit.words.with("actor-key", &[("name", name.as_str().into())]),
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

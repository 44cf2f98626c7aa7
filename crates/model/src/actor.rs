//! Actors: who causes a change.

use crate::id::{KeyId, UserId};

/// Who causes a change. Another kind of client becomes another variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// The server by itself, for example at its first start.
    Server,
    /// The background work of a server.
    Worker,
    /// What somebody has set a time for.
    Schedule,
    /// Somebody at the command line, by the name of the account on the machine, if it is known.
    Operator(String),
    /// A caller with this API key.
    Key(KeyId),
    /// Somebody who has signed in.
    User(UserId),
}

impl Actor {
    /// The actor as it is stored and shown to operators: `server`, `worker`, `schedule`, the id of a key or a user, or `operator` with a name.
    pub fn to_stored(&self) -> String {
        match self {
            Actor::Server => "server".to_owned(),
            Actor::Worker => "worker".to_owned(),
            Actor::Schedule => "schedule".to_owned(),
            Actor::Operator(name) if name.is_empty() => "operator".to_owned(),
            Actor::Operator(name) => format!("operator {name}"),
            Actor::Key(key_id) => key_id.to_string(),
            Actor::User(user_id) => user_id.to_string(),
        }
    }

    /// The actor of a stored text.
    pub fn from_stored(text: &str) -> Actor {
        if let Some(key_id) = KeyId::parse(text) {
            return Actor::Key(key_id);
        }
        if let Some(user_id) = UserId::parse(text) {
            return Actor::User(user_id);
        }
        match text.strip_prefix("operator") {
            Some(name) => Actor::Operator(name.trim_start().to_owned()),
            None if text == "worker" => Actor::Worker,
            None if text == "schedule" => Actor::Schedule,
            None => Actor::Server,
        }
    }

    /// The actor as a tenant sees it: an operator without a name, and a worker as the server.
    pub fn shown(&self) -> &str {
        match self {
            Actor::Server | Actor::Worker => "server",
            Actor::Schedule => "schedule",
            Actor::Operator(_) => "operator",
            Actor::Key(key_id) => key_id.as_str(),
            Actor::User(user_id) => user_id.as_str(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_actor_is_read_as_it_was_stored() {
        let key = KeyId::parse("key_01jd3kq5b8e7vr2n4x6m9s0twz").unwrap();
        let user = UserId::parse("user_01jd3kq5b8e7vr2n4x6m9s0twz").unwrap();
        assert_eq!(Actor::User(user.clone()).shown(), user.as_str());
        for actor in [
            Actor::Server,
            Actor::Worker,
            Actor::Schedule,
            Actor::Operator(String::new()),
            Actor::Operator("root".to_owned()),
            Actor::Operator("Jane Doe".to_owned()),
            Actor::Key(key),
            Actor::User(user),
        ] {
            assert_eq!(Actor::from_stored(&actor.to_stored()), actor);
        }
        assert_eq!(Actor::Operator("root".to_owned()).shown(), "operator");
        assert_eq!(Actor::Worker.shown(), "server");
    }
}

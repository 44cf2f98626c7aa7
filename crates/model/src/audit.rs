//! The audit: what is noted of what operators and keys do, and who they are.
//!
//! Invariant: what is noted holds no personal data of anybody but the operator. Names of actions are stored and never change.

use crate::id::KeyId;

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// A tenant was made.
    TenantCreated,
    /// A tenant's name, slug or region was changed.
    TenantUpdated,
    /// A tenant was suspended.
    TenantSuspended,
    /// A tenant was resumed.
    TenantResumed,
    /// A key was issued.
    KeyCreated,
    /// A key was issued in the place of another one.
    KeyRotated,
    /// A key was revoked.
    KeyRevoked,
    /// Who writes a tenant's pages, or its budget, was changed.
    AgentUpdated,
    /// What a tenant decides about its site was changed.
    SiteUpdated,
    /// Who may open a person's or an account's own page was changed.
    AccessUpdated,
    /// A webhook subscription was given another signing secret.
    WebhookSecretRotated,
    /// Everything about a person was handed out.
    PersonExported,
    /// A person was erased.
    PersonErased,
    /// What is sealed was sealed under another server key.
    ServerKeyRotated,
    /// The server was started with another key, and secrets under the old one were given up.
    ServerKeyAccepted,
}

impl Action {
    /// The action as it is stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Action::TenantCreated => "tenant-created",
            Action::TenantUpdated => "tenant-updated",
            Action::TenantSuspended => "tenant-suspended",
            Action::TenantResumed => "tenant-resumed",
            Action::KeyCreated => "key-created",
            Action::KeyRotated => "key-rotated",
            Action::KeyRevoked => "key-revoked",
            Action::AgentUpdated => "agent-updated",
            Action::SiteUpdated => "site-updated",
            Action::AccessUpdated => "access-updated",
            Action::WebhookSecretRotated => "webhook-secret-rotated",
            Action::PersonExported => "person-exported",
            Action::PersonErased => "person-erased",
            Action::ServerKeyRotated => "server-key-rotated",
            Action::ServerKeyAccepted => "server-key-accepted",
        }
    }
}

/// Who did something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// The server by itself, as at its first start.
    Server,
    /// Somebody at the command line, by the name of the account on the machine, if it is known.
    Operator(String),
    /// Whoever called with this key.
    Key(KeyId),
}

impl Actor {
    /// The actor as it is stored and shown to operators: `server`, a key's id, or `operator` with a name.
    pub fn to_stored(&self) -> String {
        match self {
            Actor::Server => "server".to_owned(),
            Actor::Operator(name) if name.is_empty() => "operator".to_owned(),
            Actor::Operator(name) => format!("operator {name}"),
            Actor::Key(key_id) => key_id.to_string(),
        }
    }

    /// The actor of such a text.
    pub fn from_stored(text: &str) -> Actor {
        if let Some(key_id) = KeyId::parse(text) {
            return Actor::Key(key_id);
        }
        match text.strip_prefix("operator") {
            Some(name) => Actor::Operator(name.trim_start().to_owned()),
            None => Actor::Server,
        }
    }

    /// The actor as a tenant sees it: an operator without a name.
    pub fn shown(&self) -> &str {
        match self {
            Actor::Server => "server",
            Actor::Operator(_) => "operator",
            Actor::Key(key_id) => key_id.as_str(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_actor_is_read_as_it_was_stored() {
        let key = KeyId::parse("key_01jd3kq5b8e7vr2n4x6m9s0twz").unwrap();
        for actor in [
            Actor::Server,
            Actor::Operator(String::new()),
            Actor::Operator("root".to_owned()),
            Actor::Operator("Jane Doe".to_owned()),
            Actor::Key(key),
        ] {
            assert_eq!(Actor::from_stored(&actor.to_stored()), actor);
        }
        assert_eq!(Actor::Operator("root".to_owned()).shown(), "operator");
    }
}

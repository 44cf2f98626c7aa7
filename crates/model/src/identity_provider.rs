//! Identity providers: servers that say who somebody is, by OpenID Connect, so that users sign in without a password of ours.
//!
//! What this is not: the way to them. Here is what an operator decides about each, and the rules for what it says: its
//! [`metadata`], its [`keys`], the [`id_token`] and the [`claims`] in it. All of it is text of somebody else and is judged before it
//! counts. Invariant: a client secret is never shown by `Debug`.

pub mod claims;
pub mod id_token;
pub mod keys;
pub mod metadata;

use std::collections::BTreeMap;
use std::fmt;

use crate::email::EmailAddress;
use crate::user::Role;
use claims::Claims;

/// What an operator decides about an identity provider.
#[derive(Clone, PartialEq, Eq)]
pub struct IdentityProvider {
    /// What it is called in addresses; see [`is_id`].
    pub id: String,
    /// What users read on the button.
    pub name: String,
    /// What it calls itself, letter by letter.
    pub issuer: String,
    /// What it calls us.
    pub client_id: String,
    /// What we prove to it that it is us; a public client has none.
    pub client_secret: Option<String>,
    /// What we ask for, with spaces between.
    pub scopes: String,
    /// The only domains whose addresses are let in; empty: all.
    pub email_domains: Vec<String>,
    /// Whether somebody whom a claim gives a role becomes a user without an invitation.
    pub creates_users: bool,
    /// The claim that gives roles, if one does.
    pub roles_claim: Option<String>,
    /// Which of its values gives which role.
    pub roles: Vec<RoleRule>,
}

/// A role that a value of a claim gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleRule {
    /// The value of the claim.
    pub value: String,
    /// In which tenant: an id or a slug.
    pub tenant: String,
    /// Which role.
    pub role: Role,
}

impl fmt::Debug for IdentityProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IdentityProvider({}, {})", self.id, self.issuer)
    }
}

impl IdentityProvider {
    /// For each tenant that the rules name: the greatest role that the claims give there, or nothing.
    pub fn roles_of(&self, claims: &Claims) -> BTreeMap<&str, Option<Role>> {
        let Some(claim) = &self.roles_claim else { return BTreeMap::new() };
        let values = claims.values(claim);
        let mut found: BTreeMap<&str, Option<Role>> = BTreeMap::new();
        for rule in &self.roles {
            let role = found.entry(rule.tenant.as_str()).or_default();
            if values.contains(&rule.value.as_str()) {
                *role = Role::greatest([*role, Some(rule.role)].into_iter().flatten());
            }
        }
        found
    }

    /// Whether users with this address may sign in here.
    pub fn lets_in(&self, email: &EmailAddress) -> bool {
        let domain = email.as_str().rsplit_once('@').map(|(_, domain)| domain).unwrap_or_default();
        self.email_domains.is_empty() || self.email_domains.iter().any(|known| known == domain)
    }
}

/// Whether a text may name a provider in addresses: 1 to 40 lower case letters, digits and hyphens.
pub fn is_id(text: &str) -> bool {
    let is_open = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=40).contains(&text.len()) && text.bytes().all(is_open)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn provider() -> IdentityProvider {
        let rule = |value: &str, tenant: &str, role| RoleRule {
            value: value.to_owned(),
            tenant: tenant.to_owned(),
            role,
        };
        IdentityProvider {
            id: "acme".to_owned(),
            name: "Acme".to_owned(),
            issuer: "https://id.acme.example".to_owned(),
            client_id: "pagesmith".to_owned(),
            client_secret: Some("hunter2".to_owned()),
            scopes: "openid".to_owned(),
            email_domains: vec!["acme.example".to_owned()],
            creates_users: true,
            roles_claim: Some("groups".to_owned()),
            roles: vec![
                rule("staff", "acme", Role::Viewer),
                rule("admins", "acme", Role::Owner),
                rule("writers", "acme", Role::Editor),
                rule("staff", "lab", Role::Analyst),
            ],
        }
    }

    fn roles(claims: serde_json::Value) -> Vec<(String, Option<Role>)> {
        let claims = Claims::of(claims).unwrap();
        let provider = provider();
        provider.roles_of(&claims).into_iter().map(|(tenant, role)| (tenant.to_owned(), role)).collect()
    }

    #[test]
    fn the_greatest_role_of_a_tenant_counts_and_a_tenant_without_one_is_named() {
        let of = |acme, lab| vec![("acme".to_owned(), acme), ("lab".to_owned(), lab)];
        let all = json!({ "groups": ["staff", "writers", "admins"] });
        assert_eq!(roles(all), of(Some(Role::Owner), Some(Role::Analyst)));
        assert_eq!(roles(json!({ "groups": "writers" })), of(Some(Role::Editor), None));
        assert_eq!(roles(json!({ "groups": ["Admins", "admins "] })), of(None, None));
        assert_eq!(roles(json!({ "groups": { "admins": true } })), of(None, None));
        assert_eq!(roles(json!({})), of(None, None));
    }

    #[test]
    fn only_whole_domains_are_let_in() {
        let lets_in = |email: &str| provider().lets_in(&EmailAddress::parse(email).unwrap());
        assert!(lets_in("jane@acme.example") && lets_in("Jane@ACME.example"));
        for email in ["jane@evil-acme.example", "jane@a.acme.example", "jane@acme.example.evil.example"] {
            assert!(!lets_in(email), "{email}");
        }
    }

    #[test]
    fn a_secret_is_not_shown() {
        assert!(!format!("{:?}", provider()).contains("hunter2"));
        assert!(is_id("acme-1") && !is_id("") && !is_id("a/b") && !is_id("Acme") && !is_id(&"a".repeat(41)));
    }
}

//! Claims: what a provider says of somebody, as a JSON object. None of it is trusted to have a form.

use serde_json::{Map, Value};

use crate::email::EmailAddress;
use crate::user::{LONGEST_NAME, user_language, user_name};

/// More values of a claim are not looked at.
const MOST_VALUES: usize = 1_000;
/// The longest subject; OpenID Connect allows 255 characters.
const LONGEST_SUBJECT: usize = 255;

/// What a provider says of somebody.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Claims(Map<String, Value>);

impl Claims {
    /// The claims of a JSON object; nothing if it is none.
    pub fn of(value: Value) -> Option<Claims> {
        match value {
            Value::Object(claims) => Some(Claims(claims)),
            _ => None,
        }
    }

    /// The text of a claim.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// The whole seconds of a claim, which may be written with a fraction.
    pub fn seconds(&self, name: &str) -> Option<i64> {
        let value = self.0.get(name)?;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "an instant beyond every clock is the greatest one"
        )]
        value
            .as_i64()
            .or_else(|| value.as_f64().filter(|seconds| seconds.is_finite()).map(|seconds| seconds as i64))
    }

    /// Whether there is such a claim at all.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name) || self.at(name).is_some()
    }

    /// Who it is to the provider, for ever.
    pub fn subject(&self) -> Option<&str> {
        let is_fitting = |text: &&str| {
            !text.is_empty() && text.chars().count() <= LONGEST_SUBJECT && !text.chars().any(char::is_control)
        };
        self.text("sub").filter(is_fitting)
    }

    /// The e-mail address, if the provider says that it has made sure of it.
    pub fn verified_email(&self) -> Option<EmailAddress> {
        let is_verified = match self.0.get("email_verified")? {
            Value::Bool(is_verified) => *is_verified,
            // Some providers write it so.
            Value::String(text) => text == "true",
            _ => false,
        };
        EmailAddress::parse(self.text("email")?).filter(|_| is_verified)
    }

    /// What somebody is called; without such a claim, what is before the @ of the e-mail address.
    pub fn name(&self, email: &EmailAddress) -> String {
        let given = ["name", "preferred_username", "nickname"].iter().find_map(|claim| {
            let text: String = self.text(claim)?.trim().chars().take(LONGEST_NAME).collect();
            user_name(&text).ok()
        });
        given.unwrap_or_else(|| email.local_part().chars().take(LONGEST_NAME).collect())
    }

    /// The language that somebody prefers.
    pub fn language(&self) -> Option<String> {
        user_language(&self.text("locale")?.replace('_', "-")).ok()
    }

    /// The values of a claim: a text, or the texts of a list. Points lead into objects, unless the name as a whole is a claim.
    pub fn values(&self, name: &str) -> Vec<&str> {
        match self.0.get(name).or_else(|| self.at(name)) {
            Some(Value::String(text)) => vec![text.as_str()],
            Some(Value::Array(values)) => values.iter().take(MOST_VALUES).filter_map(Value::as_str).collect(),
            _ => vec![],
        }
    }

    fn at(&self, path: &str) -> Option<&Value> {
        let mut parts = path.split('.');
        let first = self.0.get(parts.next()?)?;
        parts.try_fold(first, |value, part| value.get(part))
    }

    /// These claims, and those of `more` that are not here. An address and whether it is verified come from one of the two: what is said of
    /// another address would count for this one otherwise.
    #[must_use]
    pub fn and(mut self, more: Claims) -> Claims {
        const OF_ADDRESS: [&str; 2] = ["email", "email_verified"];
        if !OF_ADDRESS.iter().all(|name| self.0.contains_key(*name)) {
            self.0.retain(|name, _| !OF_ADDRESS.contains(&name.as_str()));
        }
        for (name, value) in more.0 {
            self.0.entry(name).or_insert(value);
        }
        self
    }

    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn claims(value: Value) -> Claims {
        Claims::of(value).unwrap()
    }

    #[test]
    fn only_an_address_that_was_verified_counts() {
        for verified in [json!(true), json!("true")] {
            let said = claims(json!({ "email": "Jane@Acme.example", "email_verified": verified }));
            assert_eq!(said.verified_email().unwrap().as_str(), "jane@acme.example");
        }
        for other in [json!(false), json!("yes"), json!("True"), json!(1), json!(null), json!([true])] {
            assert_eq!(
                claims(json!({ "email": "jane@acme.example", "email_verified": other })).verified_email(),
                None
            );
        }
        assert_eq!(claims(json!({ "email": "jane@acme.example" })).verified_email(), None);
        assert_eq!(claims(json!({ "email": "jane", "email_verified": true })).verified_email(), None);
    }

    #[test]
    fn a_name_is_found_whatever_is_said() {
        let email = EmailAddress::parse("jane@acme.example").unwrap();
        for (said, name) in [
            (json!({ "name": " Jane Doe " }), "Jane Doe"),
            (json!({ "name": "Jane\nDoe", "nickname": "J" }), "J"),
            (json!({ "name": 5 }), "jane"),
            (json!({}), "jane"),
        ] {
            assert_eq!(claims(said).name(&email), name);
        }
        let long = claims(json!({ "name": "é".repeat(500) })).name(&email);
        assert_eq!(long.chars().count(), LONGEST_NAME);
        assert_eq!(claims(json!({ "locale": "pt_br" })).language().as_deref(), Some("pt-BR"));
        assert_eq!(claims(json!({ "locale": "x" })).language(), None);
    }

    #[test]
    fn a_claim_is_found_by_its_name_or_its_path() {
        let said = claims(json!({
            "realm": { "roles": ["a", 1, "b"] }, "https://acme.example/roles": ["c"], "one": "d e",
        }));
        assert_eq!(said.values("realm.roles"), ["a", "b"]);
        assert_eq!(said.values("https://acme.example/roles"), ["c"]);
        assert_eq!(said.values("one"), ["d e"]);
        assert!(said.values("realm.none").is_empty() && said.values("").is_empty());
        assert!(said.has("realm.roles") && !said.has("realm.none"));
    }

    #[test]
    fn what_is_said_first_is_not_said_otherwise_later() {
        let both = claims(json!({ "sub": "1", "email": "a@b.example" }))
            .and(claims(json!({ "sub": "2", "name": "Jane" })));
        assert_eq!((both.subject(), both.text("name")), (Some("1"), Some("Jane")));

        let verified = json!({ "email": "c@d.example", "email_verified": true });
        for (first, more, email) in [
            (json!({ "email": "a@b.example" }), verified.clone(), Some("c@d.example")),
            (json!({ "email_verified": true }), json!({ "email": "c@d.example" }), None),
            (json!({ "email": "a@b.example" }), json!({ "email_verified": true }), None),
            (
                json!({ "email": "a@b.example", "email_verified": true }),
                verified.clone(),
                Some("a@b.example"),
            ),
            (json!({ "email": "a@b.example", "email_verified": false }), verified, None),
        ] {
            let both = claims(first).and(claims(more)).verified_email();
            assert_eq!(both.as_ref().map(EmailAddress::as_str), email);
        }
    }
}

//! Logs: what happened to a person or an account, entry by entry.
//!
//! An entry's payload is whatever object the caller sent and comes back exactly so. Of an entry only the text of a note can be
//! changed; everything else is history.

use std::fmt::Debug;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::bounds::{LONG, LongText, NameUpTo, SomeText};
use crate::domain::Domain;
use crate::email::EmailAddress;
use crate::error::{Error, Result};
use crate::id::{AccountId, AccountLogId, PersonId, PersonLogId, Uuid7};
use crate::json::JsonText;
use crate::linkedin::LinkedinProfile;
use crate::log::label::LogLabel;
use crate::person::Identifiers;
use crate::phone::PhoneNumber;
use crate::time::Timestamp;

pub mod label;

/// A log entry to be created, and the person that it is about.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CreatePersonLogRequest")]
#[schemars(example = json!({
    "email": "ada@example.com",
    "name": "Ada Lovelace",
    "source": "crm",
    "type": "demo-booked",
    "idempotencyKey": "crm-4711",
    "payload": { "text": "Wants to see forecasts.", "seats": 25 },
}))]
pub struct NewPersonLog {
    /// Id of the person. Either this or an identifier is required.
    #[serde(default)]
    #[schemars(with = "SomeText")]
    pub person_id: Option<String>,
    /// E-mail address, in any spelling; it is stored in lower case.
    #[serde(default)]
    #[schemars(with = "EmailAddress")]
    pub email: Option<EmailAddress>,
    /// Phone number in E.164 form.
    #[serde(default)]
    #[schemars(with = "PhoneNumber")]
    pub phone_number: Option<PhoneNumber>,
    /// Address of the LinkedIn profile, in any usual spelling.
    #[serde(default)]
    #[schemars(with = "LinkedinProfile")]
    pub linkedin_profile_url: Option<LinkedinProfile>,
    /// System that the entry comes from, in kebab case.
    pub source: LogLabel,
    /// What happened, in kebab case.
    #[serde(rename = "type", default = "LogLabel::default_type")]
    pub kind: LogLabel,
    /// Idempotency key of the entry, which is kept as long as the entry. The same entry with the same key is
    /// written once.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = 255))]
    pub idempotency_key: Option<String>,
    /// Name of the person, if one has to be created.
    #[serde(default)]
    #[schemars(with = "NameUpTo<255>")]
    pub name: Option<String>,
    /// Any JSON object with the details. It is returned exactly as sent. An entry whose payload has a `text`
    /// is a note, of at most 200,000 characters.
    #[serde(default = "JsonText::empty_object")]
    #[schemars(schema_with = "payload")]
    pub payload: JsonText,
}

impl NewPersonLog {
    /// An entry that the program writes by itself, about nobody yet: from which system it is, and of which type.
    pub fn of_program((source, kind): (&str, &str), payload: JsonText) -> Result<NewPersonLog> {
        let label = |text: &str| LogLabel::parse(text).ok_or_else(|| Error::internal("a label that is none"));
        Ok(NewPersonLog {
            person_id: None,
            email: None,
            phone_number: None,
            linkedin_profile_url: None,
            source: label(source)?,
            kind: label(kind)?,
            idempotency_key: None,
            name: None,
            payload,
        })
    }

    /// What is written for the person.
    pub fn entry(&self) -> NewEntry<'_> {
        NewEntry {
            source: &self.source,
            kind: &self.kind,
            payload: &self.payload,
            idempotency_key: self.idempotency_key.as_deref(),
        }
    }

    /// What the person can be told by.
    pub fn identifiers(&self) -> Identifiers {
        Identifiers {
            email: self.email.clone(),
            linkedin_profile_url: self.linkedin_profile_url.clone(),
            phone_number: self.phone_number.clone(),
        }
    }

    /// A digest that is the same exactly for entries that say the same.
    pub fn digest(&self) -> Result<[u8; 32]> {
        let text = |value: Option<&str>| value.map(str::to_owned);
        digest(&[
            text(self.person_id.as_deref()),
            text(self.email.as_ref().map(EmailAddress::as_str)),
            text(self.phone_number.as_ref().map(PhoneNumber::as_str)),
            text(self.linkedin_profile_url.as_ref().map(LinkedinProfile::as_str)),
            text(Some(self.source.as_str())),
            text(Some(self.kind.as_str())),
            text(self.name.as_deref()),
            Some(canonical(&self.payload)?),
        ])
    }
}

/// A log entry to be created, and the account that it is about.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CreateAccountLogRequest")]
#[schemars(example = json!({
    "domain": "example.com",
    "name": "Example Inc.",
    "source": "crm",
    "type": "contract-renewed",
    "idempotencyKey": "crm-4712",
    "payload": { "text": "Renewed for two years.", "seats": 120 },
}))]
pub struct NewAccountLog {
    /// Id of the account. Either this or `domain` is required.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1), regex(pattern = "^account_[a-z0-9]{26}$"))]
    pub account_id: Option<String>,
    /// Domain of the account. The account is created if there is none.
    #[serde(default)]
    #[schemars(with = "Domain")]
    pub domain: Option<Domain>,
    /// Name of the company, if the account has none.
    #[serde(default)]
    #[schemars(with = "NameUpTo<255>")]
    pub name: Option<String>,
    /// System that the entry comes from, in kebab case.
    pub source: LogLabel,
    /// What happened, in kebab case.
    #[serde(rename = "type", default = "LogLabel::default_type")]
    pub kind: LogLabel,
    /// Idempotency key of the entry, which is kept as long as the entry. The same entry with the same key is
    /// written once.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = 255))]
    pub idempotency_key: Option<String>,
    /// Any JSON object with the details. It is returned exactly as sent. An entry whose payload has a `text`
    /// is a note, of at most 200,000 characters.
    #[serde(default = "JsonText::empty_object")]
    #[schemars(schema_with = "payload")]
    pub payload: JsonText,
}

impl NewAccountLog {
    /// What is written for the account.
    pub fn entry(&self) -> NewEntry<'_> {
        NewEntry {
            source: &self.source,
            kind: &self.kind,
            payload: &self.payload,
            idempotency_key: self.idempotency_key.as_deref(),
        }
    }

    /// A digest that is the same exactly for entries that say the same.
    pub fn digest(&self) -> Result<[u8; 32]> {
        let text = |value: Option<&str>| value.map(str::to_owned);
        digest(&[
            text(self.account_id.as_deref()),
            text(self.domain.as_ref().map(Domain::as_str)),
            text(self.name.as_deref()),
            text(Some(self.source.as_str())),
            text(Some(self.kind.as_str())),
            Some(canonical(&self.payload)?),
        ])
    }
}

/// The schema of a payload: whatever object, but a note in it is as long as notes are.
fn payload(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "additionalProperties": true,
        "properties": { "text": { "description": "Text of a note.", "maxLength": LONG } },
    })
}

/// The payload with sorted names and without white space.
fn canonical(payload: &JsonText) -> Result<String> {
    let value: serde_json::Value = serde_json::from_str(payload.as_str()).map_err(Error::internal)?;
    Ok(value.to_string())
}

fn digest(parts: &[Option<String>]) -> Result<[u8; 32]> {
    let text = serde_json::to_vec(parts).map_err(Error::internal)?;
    Ok(Sha256::digest(text).into())
}

/// A new text for a note.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UpdateLogRequest")]
#[schemars(example = json!({ "text": "Wants to see forecasts for two regions." }))]
pub struct LogPatch {
    /// Text that replaces `payload.text`.
    #[schemars(with = "LongText")]
    pub text: String,
}

impl LogPatch {
    /// The payload with the new text; `None` if it has no text that could be replaced.
    ///
    /// Every other field stays as it was sent, to the byte.
    pub fn applied(&self, payload: &JsonText) -> Option<JsonText> {
        let whole = payload.as_str();
        let texts: Texts<'_> = serde_json::from_str(whole).ok()?;
        if !texts.0.iter().any(|value| value.starts_with('"')) {
            return None;
        }
        let text = serde_json::to_string(&self.text).ok()?;
        let (mut patched, mut end) = (String::with_capacity(whole.len() + text.len()), 0);
        for value in texts.0 {
            let from = value.as_ptr().addr() - whole.as_ptr().addr();
            patched.push_str(whole.get(end..from)?);
            patched.push_str(&text);
            end = from + value.len();
        }
        patched.push_str(whole.get(end..)?);
        Some(JsonText::from_stored(patched))
    }
}

/// The values of an object's fields that are named `text`, however that is spelt, where they stand.
struct Texts<'a>(Vec<&'a str>);

impl<'de> Deserialize<'de> for Texts<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Reader;
        impl<'de> serde::de::Visitor<'de> for Reader {
            type Value = Texts<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> std::result::Result<Texts<'de>, A::Error> {
                let mut texts = Vec::new();
                while let Some((name, value)) =
                    map.next_entry::<std::borrow::Cow<'de, str>, &serde_json::value::RawValue>()?
                {
                    if name == "text" {
                        texts.push(value.get());
                    }
                }
                Ok(Texts(texts))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

/// The id of somebody or something that has a log.
pub trait LogOwner: Debug + Clone + PartialEq + Eq + Send + Sync + 'static {
    /// The id of an entry.
    type LogId: Debug + Clone + PartialEq + Eq + Send + Sync + 'static;

    /// The id of a new entry.
    fn mint_log_id(uuid: Uuid7) -> Self::LogId;
}

impl LogOwner for PersonId {
    type LogId = PersonLogId;

    fn mint_log_id(uuid: Uuid7) -> PersonLogId {
        PersonLogId::mint(uuid)
    }
}

impl LogOwner for AccountId {
    type LogId = AccountLogId;

    fn mint_log_id(uuid: Uuid7) -> AccountLogId {
        AccountLogId::mint(uuid)
    }
}

/// An entry that is to be written, without its owner.
#[derive(Debug, Clone, Copy)]
pub struct NewEntry<'a> {
    /// The system that it comes from.
    pub source: &'a LogLabel,
    /// What happened.
    pub kind: &'a LogLabel,
    /// An object.
    pub payload: &'a JsonText,
    /// The caller's name for it.
    pub idempotency_key: Option<&'a str>,
}

/// What an entry says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Where it comes from.
    pub source: String,
    /// What happened.
    pub kind: String,
    /// An object, as it was sent.
    pub payload: JsonText,
    /// The caller's name for it.
    pub idempotency_key: Option<String>,
    /// When it was written.
    pub created_at: Timestamp,
    /// When its text was changed.
    pub updated_at: Option<Timestamp>,
    /// When it was deleted.
    pub deleted_at: Option<Timestamp>,
}

/// An entry of an owner's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log<O: LogOwner> {
    /// Whose it is.
    pub owner_id: O,
    /// Its id.
    pub log_id: O::LogId,
    /// What it says.
    pub entry: Entry,
}

/// An entry of a person's log.
pub type PersonLog = Log<PersonId>;

/// An entry of an account's log.
pub type AccountLog = Log<AccountId>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_text_leaves_the_rest_as_it_was_sent() {
        let payload = JsonText::from_stored(r#"{ "b": 1.00, "text" : "old", "a": {"z":1e2} }"#.to_owned());
        let patched = LogPatch { text: "new \"one\"".to_owned() }.applied(&payload).unwrap();
        assert_eq!(patched.as_str(), r#"{ "b": 1.00, "text" : "new \"one\"", "a": {"z":1e2} }"#);
        let spelt = "{\"\\u0074ext\":\"old\",\"\\u0062\\/\":\"text\\u0021\",\n\"\\\\t\": {\"text\":1}}";
        let patched = LogPatch { text: "new".to_owned() }.applied(&JsonText::from_stored(spelt.to_owned()));
        assert_eq!(patched.unwrap().as_str(), spelt.replacen("\"old\"", "\"new\"", 1));
        for without in [r#"{"a":1}"#, r#"{"text":1}"#, r#"{"text":null}"#, "{}"] {
            let payload = JsonText::from_stored(without.to_owned());
            assert_eq!(LogPatch { text: "x".to_owned() }.applied(&payload), None, "{without}");
        }
    }

    #[test]
    fn entries_that_say_the_same_have_one_digest() {
        let log = |text: &str| serde_json::from_str::<NewPersonLog>(text).unwrap();
        let one = log(r#"{"source":"crm","email":"A@example.com","payload":{"a":1,"b":2}}"#);
        let same =
            log(r#"{"payload":{ "b":2, "a":1 },"email":"a@example.com","source":"crm","type":"webhook"}"#);
        let other = log(r#"{"source":"crm","email":"a@example.com","payload":{"a":1,"b":3}}"#);
        assert_eq!(one.digest().unwrap(), same.digest().unwrap());
        assert_ne!(one.digest().unwrap(), other.digest().unwrap());
        assert_eq!(one.payload.as_str(), r#"{"a":1,"b":2}"#);
    }
}

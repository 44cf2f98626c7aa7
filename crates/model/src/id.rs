//! Ids: a UUIDv7 as TypeID text, prefix `_` and 26 lower-case base-32 characters, one Rust type per noun.
//!
//! An id is neither a secret nor a proof of tenancy. Clients treat the text as opaque.
//! Invariants: the ids that one [`Uuid7Source`] returns strictly increase, even if the clock is set back;
//! and the texts sort as the numbers do, so that "newest first" is `ORDER BY id DESC`.
//! A new id is one line in the list below: it can then be stored, read, and used in a path.

mod uuid7;

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::{Serialize, Serializer};

use uuid7::DIGITS;
pub use uuid7::{Uuid7, Uuid7Source};

/// Calls a macro with every id type: its name, prefix and noun and, if it can be a parameter of a path,
/// the parameter's name. Other crates use it to implement their traits for all ids.
#[macro_export]
macro_rules! for_each_id {
    ($callback:ident) => {
        $callback! {
            /// Identifies a tenant.
            TenantId = "tenant", "tenant";
            /// Identifies an API key; it is not the key.
            KeyId = "key", "API key", "key_id";
            /// Identifies a server: a process that serves from the database.
            ServerId = "server", "server";
            /// Identifies a user, who signs in at the console.
            UserId = "user", "user", "user_id";
            /// Identifies a session of a user; it is not the session's token.
            UserSessionId = "usersession", "session of a user", "user_session_id";
            /// Identifies an invitation of a user to a tenant.
            InvitationId = "invitation", "invitation", "invitation_id";
            /// Identifies a page.
            PageId = "page", "page", "page_id";
            /// Identifies an audience of a page.
            AudienceId = "audience", "audience", "audience_id";
            /// Identifies a version of an audience.
            VersionId = "version", "version", "version_id";
            /// Identifies the other version in a path that names two.
            OtherVersionId = "version", "version", "other_version_id";
            /// Identifies an entry of the history of a version.
            VersionEntryId = "versionentry", "entry of a version's history";
            /// Identifies an event.
            EventId = "event", "event", "event_id";
            /// Identifies a webhook subscription.
            SubscriptionId = "sub", "webhook subscription", "subscription_id";
            /// Identifies an event's delivery within its subscription; it has the digits of the event's id.
            DeliveryId = "delivery", "delivery", "delivery_id";
            /// Identifies a worker's lease of a row; never sent.
            LeaseId = "lease", "lease";
            /// Identifies a person.
            PersonId = "person", "person", "person_id";
            /// Identifies an import of persons.
            PersonImportId = "personimport", "import of persons", "person_import_id";
            /// Identifies an entry of a person's log.
            PersonLogId = "personlog", "log entry", "person_log_id";
            /// Identifies an account.
            AccountId = "account", "account", "account_id";
            /// Identifies an entry of an account's log.
            AccountLogId = "accountlog", "log entry", "account_log_id";
            /// Identifies a topic.
            TopicId = "topic", "topic", "topic_id";
            /// Identifies an entry of a topic.
            TopicEntryId = "topicentry", "topic entry", "topic_entry_id";
            /// Identifies an audit entry.
            AuditEntryId = "audit", "audit entry";
            /// Identifies an action of a page.
            ActionId = "action", "action";
            /// Identifies a block of a version's content.
            BlockId = "block", "block";
            /// Identifies a link block.
            LinkBlockId = "linkblock", "link block", "page_link_block_id";
            /// Identifies a shareable link to a page.
            PageLinkId = "pagelink", "page link", "page_link_id";
            /// Identifies a domain of a tenant's own.
            TenantDomainId = "domain", "tenant domain", "tenant_domain_id";
            /// Identifies a brand.
            BrandId = "brand", "brand", "brand_id";
            /// Identifies a file.
            FileId = "file", "file", "file_id";
            /// Identifies a form.
            FormId = "form", "form", "form_id";
            /// Identifies what a visitor has sent with a form.
            SubmissionId = "submission", "form submission", "submission_id";
            /// Identifies a question of a visitor that nothing was known of.
            UnansweredQuestionId = "unansweredquestion", "unanswered question", "unanswered_question_id";
            /// Identifies an asset.
            AssetId = "asset", "asset", "asset_id";
            /// Identifies a conversation about an audience's page.
            ConversationId = "conversation", "conversation";
            /// Identifies a message of a conversation.
            MessageId = "message", "message", "message_id";
            /// Identifies a change that a message has made.
            ChangeId = "change", "change", "change_id";
            /// Identifies a run that carries messages out.
            RunId = "run", "run";
            /// Identifies the bytes of one or more files of a tenant; never sent.
            FileContentId = "filecontent", "content of a file";
            /// Identifies a visit to an audience.
            AudienceSessionId = "session", "session", "audience_session_id";
            /// Identifies a link to the figures of a page; it is not the link's token.
            VisitShareId = "visitshare", "link to the figures", "visit_share_id";
            /// Identifies a visitor's session across a tenant's pages; it has the digits of its first visit to an audience.
            AnalyticsSessionId = "analyticssession", "analytics session";
        }
    };
}

/// An id that can be a parameter of a route's path.
pub trait PathId: Sized {
    /// The parameter's name in the route.
    const PARAMETER: &'static str;
    /// The noun, as in "No such page."
    const NOUN: &'static str;
    /// An id as documentation shows it.
    const EXAMPLE: &'static str;

    /// The id of this text, if it has the form of one.
    fn parse(text: &str) -> Option<Self>;
}

/// The text is the prefix, `_`, and 26 digits of a 128-bit number.
fn is_type_id(text: &str, prefix: &str) -> bool {
    let Some(digits) = text.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('_')) else {
        return false;
    };
    let digits = digits.as_bytes();
    digits.len() == DIGITS && digits[0] <= b'7' && digits.iter().all(|digit| IS_DIGIT[usize::from(*digit)])
}

/// Whether a byte is a digit of an id. A table, since every request has an id or more.
const IS_DIGIT: [bool; 256] = {
    let mut is_digit = [false; 256];
    let digits = b"0123456789abcdefghjkmnpqrstvwxyz";
    let mut at = 0;
    while at < digits.len() {
        is_digit[digits[at] as usize] = true;
        at += 1;
    }
    is_digit
};

/// One id type; `$has_form` checks a text, given the prefix.
macro_rules! define_id {
    ($(#[$doc:meta])* $name:ident = $prefix:literal, $noun:literal, $has_form:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Box<str>);

        impl $name {
            /// The part of the text before the `_`.
            pub const PREFIX: &'static str = $prefix;
            /// The noun, as in "No such page."
            pub const NOUN: &'static str = $noun;

            /// The id that shows this UUID.
            pub fn mint(uuid: Uuid7) -> Self {
                let mut text = String::with_capacity(Self::PREFIX.len() + 1 + DIGITS);
                text.push_str(concat!($prefix, "_"));
                uuid.write(&mut text);
                Self(text.into_boxed_str())
            }

            /// The id of this text, if it has the form of one.
            pub fn parse(text: &str) -> Option<Self> {
                $has_form(text, Self::PREFIX).then(|| Self(text.into()))
            }

            /// The text, as stored and as sent.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The text, without a copy.
            pub fn into_string(self) -> String {
                self.0.into_string()
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                Cow::Borrowed(stringify!($name))
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string" })
            }
        }
    };
}

macro_rules! define {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal, $noun:literal $(, $parameter:literal)?;)*) => {
        $(
            define_id!($(#[$doc])* $name = $prefix, $noun, is_type_id);

            $(
                impl PathId for $name {
                    const PARAMETER: &'static str = $parameter;
                    const NOUN: &'static str = $noun;
                    const EXAMPLE: &'static str = concat!($prefix, "_01jpbz8n4xf5k9w2d7hq3mv6ta");

                    fn parse(text: &str) -> Option<$name> {
                        $name::parse(text)
                    }
                }
            )?
        )*

        /// Whether a path's parameter is known by that name and the text has the form of its id.
        pub fn is_path_id(parameter: &str, text: &str) -> bool {
            match parameter {
                $($($parameter => is_type_id(text, $prefix),)?)*
                _ => false,
            }
        }
    };
}

for_each_id!(define);

define_id! {
    /// Identifies one HTTP request, in its response, in the log and in what it causes. A client may choose
    /// the id, so that its form is wider: `req_` and 1 to 64 ASCII letters or digits.
    RequestId = "req", "request", is_request_id
}

/// The text is the prefix, `_`, and 1 to 64 ASCII letters or digits.
fn is_request_id(text: &str, prefix: &str) -> bool {
    let Some(chosen) = text.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('_')) else {
        return false;
    };
    (1..=64).contains(&chosen.len()) && chosen.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

macro_rules! define_numbers {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal, $noun:literal $(, $parameter:literal)?;)*) => {$(
        impl $name {
            /// The number that the digits show: 16 bytes, which sort as the texts do.
            pub fn to_bytes(&self) -> [u8; 16] {
                Uuid7::read(self.0.rsplit('_').next().unwrap_or_default()).to_be_bytes()
            }

            /// The id that shows a number.
            pub fn from_bytes(bytes: [u8; 16]) -> Self {
                Self::mint(Uuid7(u128::from_be_bytes(bytes)))
            }
        }
    )*};
}

for_each_id!(define_numbers);

impl DeliveryId {
    /// Of that event.
    pub fn of(event_id: &EventId) -> DeliveryId {
        let digits = event_id.as_str().rsplit('_').next().unwrap_or_default();
        DeliveryId(format!("{}_{digits}", DeliveryId::PREFIX).into_boxed_str())
    }

    /// The event that is delivered.
    pub fn event_id(&self) -> EventId {
        let digits = self.as_str().rsplit('_').next().unwrap_or_default();
        EventId(format!("{}_{digits}", EventId::PREFIX).into_boxed_str())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::time::Timestamp;

    #[test]
    fn shows_known_numbers() {
        assert_eq!(PageId::mint(Uuid7(0)).as_str(), "page_00000000000000000000000000");
        assert_eq!(PageId::mint(Uuid7(u128::MAX)).as_str(), "page_7zzzzzzzzzzzzzzzzzzzzzzzzz");
        // The example of the TypeID specification.
        let known = Uuid7(0x0188_bac7_4afa_78aa_bc3b_bd1e_ef28_d881);
        assert_eq!(TenantId::mint(known).as_str(), "tenant_01h2xcejqtf2nbrexx3vqjhp41");
    }

    #[test]
    fn carries_time_version_and_variant() {
        let uuid = Uuid7Source::new().next(Timestamp::from_micros(0x0123_4567_89ab * 1_000 + 500), u64::MAX);
        assert_eq!(uuid.as_u128(), 0x0123_4567_89ab_7800_bfff_ffff_ffff_ffff);
    }

    #[test]
    fn refuses_all_but_its_own_form() {
        let digits = "01h2xcejqtf2nbrexx3vqjhp41";
        assert!(PageId::parse(&format!("page_{digits}")).is_some());
        for wrong in [
            String::new(),
            "page_".to_owned(),
            format!("key_{digits}"),
            format!("pages_{digits}"),
            format!("page{digits}"),
            format!("page_{digits}0"),
            format!("page_{}", &digits[1..]),
            format!("page_{}", digits.to_uppercase()),
            format!("page_8{}", &digits[1..]),
            format!("page_0i{}", &digits[2..]),
            format!("page_0é{}", &digits[3..]),
        ] {
            assert_eq!(PageId::parse(&wrong), None, "{wrong}");
        }
    }

    #[test]
    fn adopts_request_ids_of_the_agreed_form_only() {
        assert_eq!(RequestId::parse("req_Abc1").map(RequestId::into_string).as_deref(), Some("req_Abc1"));
        assert!(RequestId::parse(&format!("req_{}", "a".repeat(64))).is_some());
        for wrong in ["req_", "Abc1", "req_a-b", "req_é", "req_a\n", &format!("req_{}", "a".repeat(65))] {
            assert_eq!(RequestId::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn is_a_plain_string_in_json() {
        let id = KeyId::mint(Uuid7(1));
        assert_eq!(serde_json::to_string(&id).unwrap(), format!("\"{id}\""));
        let schema = serde_json::to_value(SchemaGenerator::default().subschema_for::<KeyId>()).unwrap();
        assert_eq!(schema, serde_json::json!({ "type": "string" }));
    }

    proptest! {
        #[test]
        fn later_ids_are_greater(calls in prop::collection::vec((-10_i64..3_000, 0..3_u8, any::<u64>()), 1..200)) {
            let source = Uuid7Source::new();
            let mut earlier: Option<PageId> = None;
            for (micros, kind, random) in calls {
                let random = [0, u64::MAX, random][usize::from(kind)];
                let uuid = source.next(Timestamp::from_micros(micros), random);
                prop_assert_eq!(uuid.as_u128() >> 76 & 0xf, 7);
                prop_assert_eq!(uuid.as_u128() >> 62 & 0b11, 0b10);
                let id = PageId::mint(uuid);
                prop_assert!(earlier.is_none_or(|earlier| earlier.as_str() < id.as_str()));
                earlier = Some(id);
            }
        }

        #[test]
        fn texts_sort_as_numbers(a in any::<u128>(), b in any::<u128>()) {
            prop_assert_eq!(PageId::mint(Uuid7(a)).cmp(&PageId::mint(Uuid7(b))), a.cmp(&b));
        }

        #[test]
        fn bytes_are_the_number(number in any::<u128>()) {
            let id = PageId::mint(Uuid7(number));
            prop_assert_eq!(id.to_bytes(), number.to_be_bytes());
            prop_assert_eq!(PageId::from_bytes(id.to_bytes()), id);
        }

        #[test]
        fn the_instant_of_an_id_is_the_one_that_its_bounds_are_made_of(micros in 0_i64..253_402_300_799_999_999, random in any::<u64>()) {
            let instant = Timestamp::from_micros(micros);
            let id = Uuid7Source::new().next(instant, random);
            prop_assert_eq!(id.instant(), instant);
            prop_assert!(Uuid7::first_of(instant) <= id);
            prop_assert!(id < Uuid7::first_of(Timestamp::from_micros(micros + 1)));
        }

        #[test]
        fn parses_what_it_minted(number in any::<u128>()) {
            let id = ActionId::mint(Uuid7(number));
            prop_assert_eq!(ActionId::parse(id.as_str()), Some(id));
        }
    }
}

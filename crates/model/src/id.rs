//! Ids: a UUIDv7 as TypeID text, prefix `_` and 26 lower-case base-32 characters, one Rust type per noun.
//!
//! What this is not: a secret or a proof of tenancy. Clients treat the text as opaque.
//! Invariants: the ids one [`Uuid7Source`] gives out strictly increase, also when the clock goes back;
//! and the order of the texts is the order of the numbers, so that "newest first" is `ORDER BY id DESC`.
//! Adding a noun is one line in the list below.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::{Serialize, Serializer};

use crate::time::Timestamp;

/// Crockford's base 32 in lower case: the alphabet is ascending, so texts sort as their numbers do.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Characters after the prefix: 26 of 5 bits hold 128, so the first is at most `7`.
const DIGITS: usize = 26;

/// A UUID of version 7: milliseconds, the fraction of the millisecond, then random bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uuid7(u128);

impl Uuid7 {
    /// Lays 122 bits around the fixed bits of version and variant; their order is kept.
    const fn from_payload(payload: u128) -> Self {
        let time = (payload >> 74) & 0xffff_ffff_ffff;
        let fraction = (payload >> 62) & 0xfff;
        let random = payload & ((1 << 62) - 1);
        Self(time << 80 | 0x7 << 76 | fraction << 64 | 0b10 << 62 | random)
    }

    /// The least UUID of an instant: every one of then or later is as great, every earlier one less.
    pub fn first_of(instant: Timestamp) -> Self {
        Self::from_payload(time_bits(instant))
    }

    /// The UUID as a number, most significant byte first.
    pub const fn as_u128(self) -> u128 {
        self.0
    }

    fn write(self, text: &mut String) {
        for at in (0..DIGITS).rev() {
            text.push(char::from(ALPHABET[(self.0 >> (5 * at) & 31) as usize]));
        }
    }
}

/// Milliseconds and the fraction of the millisecond, at their place in a payload.
fn time_bits(instant: Timestamp) -> u128 {
    let micros = u128::try_from(instant.as_micros()).unwrap_or(0);
    let fraction = micros % 1_000 * 4_096 / 1_000;
    (micros / 1_000) << 74 | fraction << 62
}

/// Gives out strictly increasing [`Uuid7`]s within a process; it reads neither clock nor randomness itself.
#[derive(Debug, Default)]
pub struct Uuid7Source {
    /// The 122 payload bits given out last.
    last: Mutex<u128>,
}

impl Uuid7Source {
    /// A source that has given out nothing yet.
    pub const fn new() -> Self {
        Self { last: Mutex::new(0) }
    }

    /// The next id, made from the time and 64 fresh random bits; always above every earlier one.
    pub fn next(&self, now: Timestamp, random: u64) -> Uuid7 {
        let fresh = time_bits(now) | u128::from(random >> 2);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        // In the same instant, or with the clock set back, step on from the last id. The step is random so
        // that the ends of ids stay different; 2^62 leaves room for a billion steps before a carry, which
        // only moves on to the next instant.
        *last = if fresh > *last { fresh } else { *last + 1 + u128::from(random as u32) };
        Uuid7::from_payload(*last)
    }
}

/// The text is the prefix, `_`, and 26 digits of a 128-bit number.
fn is_type_id(text: &str, prefix: &str) -> bool {
    let Some(digits) = text.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('_')) else {
        return false;
    };
    let digits = digits.as_bytes();
    digits.len() == DIGITS
        && digits[0] <= b'7'
        && digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'z') && !b"ilou".contains(digit))
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Box<str>);

        impl $name {
            /// What stands before the `_` in the text.
            pub const PREFIX: &'static str = $prefix;

            /// The id that shows this UUID.
            pub fn mint(uuid: Uuid7) -> Self {
                let mut text = String::with_capacity(Self::PREFIX.len() + 1 + DIGITS);
                text.push_str(concat!($prefix, "_"));
                uuid.write(&mut text);
                Self(text.into_boxed_str())
            }

            /// The id of this text; `None` unless prefix, length and alphabet are right.
            pub fn parse(text: &str) -> Option<Self> {
                is_type_id(text, Self::PREFIX).then(|| Self(text.into()))
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
    )*};
}

ids! {
    /// Names a tenant.
    TenantId = "tenant";
    /// Names an API key; it is not the key.
    KeyId = "key";
    /// Names a page.
    PageId = "page";
    /// Names an audience of a page.
    AudienceId = "audience";
    /// Names a version of an audience.
    VersionId = "version";
    /// Names something that happened, for those who are told.
    EventId = "event";
    /// Names a webhook subscription.
    SubscriptionId = "sub";
    /// Names the delivery of an event to a subscription, within the subscription; it has the event's digits.
    DeliveryId = "delivery";
    /// Names a worker's hold on what it works at; never sent.
    LeaseId = "lease";
    /// Names a person.
    PersonId = "person";
    /// Names an entry of a person's log.
    PersonLogId = "personlog";
    /// Names an account.
    AccountId = "account";
    /// Names an entry of an account's log.
    AccountLogId = "accountlog";
    /// Names what was noted of an operator's or a key's act.
    AuditEntryId = "audit";
    /// Names an action of a page.
    ActionId = "action";
    /// Names a block of a version's content.
    BlockId = "block";
    /// Names one HTTP request, in its answer and in the log.
    RequestId = "req";
    /// Names a shareable link to a page.
    PageLinkId = "pagelink";
}

impl RequestId {
    /// The id that a client chose for its request, if we keep such ones: `req_` and 1 to 64 ASCII letters or digits.
    pub fn adopt(text: &str) -> Option<Self> {
        let chosen = text.strip_prefix("req_")?;
        let kept =
            (1..=64).contains(&chosen.len()) && chosen.bytes().all(|byte| byte.is_ascii_alphanumeric());
        kept.then(|| Self(text.into()))
    }
}

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
        assert_eq!(RequestId::adopt("req_Abc1").map(RequestId::into_string).as_deref(), Some("req_Abc1"));
        assert!(RequestId::adopt(&format!("req_{}", "a".repeat(64))).is_some());
        for wrong in ["req_", "Abc1", "req_a-b", "req_é", "req_a\n", &format!("req_{}", "a".repeat(65))] {
            assert_eq!(RequestId::adopt(wrong), None, "{wrong}");
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
        fn parses_what_it_minted(number in any::<u128>()) {
            let id = ActionId::mint(Uuid7(number));
            prop_assert_eq!(ActionId::parse(id.as_str()), Some(id));
        }
    }
}

//! The values that go into a statement.

use pagesmith_model::agent::AgentKind;
use pagesmith_model::amount::Amount;
use pagesmith_model::domain::Domain;
use pagesmith_model::email::EmailAddress;
use pagesmith_model::json::JsonText;
use pagesmith_model::linkedin::LinkedinProfile;
use pagesmith_model::page::access::PageAccess;
use pagesmith_model::phone::PhoneNumber;
use pagesmith_model::{RequestId, Timestamp, for_each_id};

/// A value of one of the portable column types.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// No value.
    Null,
    /// `BIGINT`.
    Int(i64),
    /// `TEXT`.
    Text(String),
    /// `BYTEA`.
    Bytes(Vec<u8>),
    /// `BOOLEAN`.
    Bool(bool),
}

impl Value {
    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Value::Null => 0,
            Value::Int(_) | Value::Bool(_) => 8,
            Value::Text(text) => text.len(),
            Value::Bytes(bytes) => bytes.len(),
        }
    }
}

/// Lists values for a statement: `values![tenant, page_id, now]`.
#[macro_export]
macro_rules! values {
    ($($value:expr),* $(,)?) => { vec![$($crate::Value::from($value)),*] };
}

macro_rules! from {
    ($($from:ty => |$value:ident| $into:expr;)*) => {$(
        impl From<$from> for Value {
            fn from($value: $from) -> Value {
                $into
            }
        }
    )*};
}

from! {
    i64 => |value| Value::Int(value);
    Amount => |value| Value::Int(i64::try_from(value.micros()).unwrap_or(i64::MAX));
    bool => |value| Value::Bool(value);
    String => |value| Value::Text(value);
    &String => |value| Value::Text(value.clone());
    &str => |value| Value::Text(value.to_owned());
    Vec<u8> => |value| Value::Bytes(value);
    &[u8] => |value| Value::Bytes(value.to_vec());
    &[u8; 32] => |value| Value::Bytes(value.to_vec());
    Timestamp => |value| Value::Int(value.as_micros());
    &Option<String> => |value| Value::from(value.as_deref());
    PageAccess => |value| Value::from(value.as_str());
}

/// Types that are kept as their text.
macro_rules! from_texts {
    ($($from:ty),* $(,)?) => {$(
        impl From<&$from> for Value {
            fn from(value: &$from) -> Value {
                Value::Text(value.as_str().to_owned())
            }
        }

        impl From<&Option<$from>> for Value {
            fn from(value: &Option<$from>) -> Value {
                Value::from(value.as_ref())
            }
        }
    )*};
}

from_texts!(AgentKind, Domain, EmailAddress, JsonText, LinkedinProfile, PhoneNumber, RequestId);

macro_rules! from_ids {
    ($($(#[$doc:meta])* $id:ident = $prefix:literal, $noun:literal $(, $parameter:literal)?;)*) => {
        from_texts!($(pagesmith_model::$id),*);
    };
}

for_each_id!(from_ids);

impl<T> From<Option<T>> for Value
where
    Value: From<T>,
{
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Null, Value::from)
    }
}

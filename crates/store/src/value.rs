//! The values that go into a statement.

use pagesmith_model::json::JsonText;
use pagesmith_model::{KeyId, PageId, PersonId, TenantId, Timestamp};

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
    bool => |value| Value::Bool(value);
    String => |value| Value::Text(value);
    &String => |value| Value::Text(value.clone());
    &str => |value| Value::Text(value.to_owned());
    Vec<u8> => |value| Value::Bytes(value);
    &[u8] => |value| Value::Bytes(value.to_vec());
    &[u8; 32] => |value| Value::Bytes(value.to_vec());
    Timestamp => |value| Value::Int(value.as_micros());
    &JsonText => |value| Value::Text(value.as_str().to_owned());
    &TenantId => |value| Value::Text(value.as_str().to_owned());
    &KeyId => |value| Value::Text(value.as_str().to_owned());
    &PageId => |value| Value::Text(value.as_str().to_owned());
    &PersonId => |value| Value::Text(value.as_str().to_owned());
    &Option<String> => |value| Value::from(value.as_deref());
    &Option<JsonText> => |value| Value::from(value.as_ref());
}

impl<T> From<Option<T>> for Value
where
    Value: From<T>,
{
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Null, Value::from)
    }
}

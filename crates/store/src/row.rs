//! A row of an answer, read by column name.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use pagesmith_model::agent::AgentKind;
use pagesmith_model::amount::Amount;
use pagesmith_model::domain::Domain;
use pagesmith_model::email::EmailAddress;
use pagesmith_model::json::JsonText;
use pagesmith_model::linkedin::LinkedinProfile;
use pagesmith_model::page::access::PageAccess;
use pagesmith_model::phone::PhoneNumber;
use pagesmith_model::{Error, RequestId, Result, Timestamp, for_each_id};

use crate::value::Value;

/// One row; its columns are read by name.
#[derive(Debug, Clone)]
pub struct Row {
    names: Arc<[String]>,
    /// `None` once taken.
    values: RefCell<Vec<Option<Value>>>,
    /// Columns are mostly read in the statement's order: the search starts where the last one ended.
    next: Cell<usize>,
}

impl Row {
    pub(crate) fn new(names: Arc<[String]>, values: Vec<Option<Value>>) -> Row {
        Row { names, values: RefCell::new(values), next: Cell::new(0) }
    }

    /// About how many bytes it takes; columns that were taken take none.
    pub fn bytes(&self) -> usize {
        self.values.borrow().iter().flatten().map(Value::bytes).sum()
    }

    /// The value of the column `name`; a missing column or another type is a defect.
    pub fn get<T: FromValue>(&self, name: &str) -> Result<T> {
        let value = self.values.borrow()[self.place(name)?].clone();
        Row::read(name, value)
    }

    /// The value of the column `name`, taken out without a copy: it cannot be read again.
    pub fn take<T: FromValue>(&self, name: &str) -> Result<T> {
        let value = self.values.borrow_mut()[self.place(name)?].take();
        Row::read(name, value)
    }

    fn read<T: FromValue>(name: &str, value: Option<Value>) -> Result<T> {
        let value = value.ok_or_else(|| Error::internal(format!("column {name} was taken before")))?;
        T::from_value(value).ok_or_else(|| Error::internal(format!("column {name} holds another type")))
    }

    fn place(&self, name: &str) -> Result<usize> {
        let columns = self.names.len();
        let start = self.next.get();
        let found = (0..columns).map(|step| (start + step) % columns).find(|at| self.names[*at] == name);
        let at = found.ok_or_else(|| Error::internal(format!("no column {name} in {:?}", self.names)))?;
        self.next.set(at + 1);
        Ok(at)
    }
}

/// A type that a column's value can be read as.
pub trait FromValue: Sized {
    /// The value as this type; `None` if it is another.
    fn from_value(value: Value) -> Option<Self>;
}

impl FromValue for Value {
    fn from_value(value: Value) -> Option<Value> {
        Some(value)
    }
}

impl FromValue for i64 {
    fn from_value(value: Value) -> Option<i64> {
        if let Value::Int(value) = value { Some(value) } else { None }
    }
}

impl FromValue for bool {
    fn from_value(value: Value) -> Option<bool> {
        match value {
            Value::Bool(value) => Some(value),
            // SQLite keeps truth as a number.
            Value::Int(value) => Some(value != 0),
            _ => None,
        }
    }
}

impl FromValue for u64 {
    fn from_value(value: Value) -> Option<u64> {
        i64::from_value(value).and_then(|value| u64::try_from(value).ok())
    }
}

impl FromValue for Amount {
    fn from_value(value: Value) -> Option<Amount> {
        u64::from_value(value).map(Amount::from_micros)
    }
}

impl FromValue for String {
    fn from_value(value: Value) -> Option<String> {
        if let Value::Text(value) = value { Some(value) } else { None }
    }
}

impl FromValue for Vec<u8> {
    fn from_value(value: Value) -> Option<Vec<u8>> {
        if let Value::Bytes(value) = value { Some(value) } else { None }
    }
}

impl FromValue for Timestamp {
    fn from_value(value: Value) -> Option<Timestamp> {
        i64::from_value(value).map(Timestamp::from_micros)
    }
}

impl FromValue for JsonText {
    fn from_value(value: Value) -> Option<JsonText> {
        String::from_value(value).map(JsonText::from_stored)
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Value) -> Option<Option<T>> {
        if value == Value::Null { Some(None) } else { T::from_value(value).map(Some) }
    }
}

macro_rules! texts {
    ($($id:ty),*) => {$(
        impl FromValue for $id {
            fn from_value(value: Value) -> Option<$id> {
                if let Value::Text(text) = value { <$id>::parse(&text) } else { None }
            }
        }
    )*};
}

texts!(AgentKind, Domain, EmailAddress, LinkedinProfile, PageAccess, PhoneNumber, RequestId);

macro_rules! ids {
    ($($(#[$doc:meta])* $id:ident = $prefix:literal, $noun:literal $(, $parameter:literal)?;)*) => {
        texts!($(pagesmith_model::$id),*);
    };
}

for_each_id!(ids);

//! `sort`: in which order a list is asked for.

use std::marker::PhantomData;

use pagesmith_model::list_order::{ListOrder, OrderBy};
use pagesmith_model::{Issue, IssueCode};
use serde_json::{Value, json};

use crate::extract::Findings;
use crate::extract::query::{FromQuery, Parameter, Parameters};

/// A list that can be asked for in other orders than its own.
pub(crate) trait Orders: Send {
    /// What it can be sorted by.
    const BY: &'static [OrderBy];
    /// The parameter with what it says of this list.
    const PARAMETER: &'static [Parameter];
}

/// The order in which a list is asked for.
pub(crate) struct Sort<L> {
    /// None if it is the list's own.
    pub order: Option<ListOrder>,
    list: PhantomData<fn() -> L>,
}

impl<L: Orders> FromQuery for Sort<L> {
    const PARAMETERS: &'static [Parameter] = L::PARAMETER;

    fn schema(_: &str) -> Value {
        let both = L::BY.iter().flat_map(|by| [by.as_str().to_owned(), format!("-{}", by.as_str())]);
        json!({ "type": "string", "enum": both.collect::<Vec<_>>() })
    }

    fn read(parameters: &Parameters, findings: &mut Findings) -> Sort<L> {
        let none = Sort { order: None, list: PhantomData };
        let Some(text) = parameters.one("sort", findings) else { return none };
        let order = ListOrder::parse(text, L::BY);
        if order.is_none() {
            let known: Vec<&str> = L::BY.iter().map(|by| by.as_str()).collect();
            let message =
                format!("sort: must be one of {}, with a minus before it for the reverse.", known.join(", "));
            findings.issues.add(Issue::query(IssueCode::InvalidValue, "sort", message));
        }
        Sort { order, ..none }
    }
}

/// The parameter of a list, which says what is particular to it.
macro_rules! sort_parameter {
    ($what:literal) => {
        &[$crate::extract::query::Parameter {
            name: "sort",
            description: concat!(
                "In which order the list is, upwards or, after a minus, downwards. Left out, the newest come first. A name counts \
                 with its first 60 characters, without case and accents. Of equal ones the oldest come first, or the newest downwards. ",
                $what
            ),
            example: "-createdAt",
        }]
    };
}

pub(crate) use sort_parameter;

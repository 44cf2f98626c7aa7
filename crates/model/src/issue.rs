//! An issue: one broken rule at one place of a request, with a code from the closed list [`IssueCode`].

use serde::Serialize;

/// Which part of a request an issue is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Field {
    /// The path's parameters.
    Path,
    /// The query string.
    Query,
    /// The headers.
    Headers,
    /// The JSON body.
    Body,
}

/// One broken rule at one place.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Issue {
    /// The part of the request.
    pub field: Field,
    /// The rule, from the closed list.
    pub code: IssueCode,
    /// A sentence that names the place and the rule.
    pub message: String,
    /// Field names and array indices from the part's root to the place.
    pub path: Vec<String>,
}

macro_rules! issue_codes {
    ($($name:ident $code:literal $meaning:literal,)*) => {
        /// The closed list of issue codes; clients may switch on them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum IssueCode { $(#[doc = $meaning] $name,)* }

        impl IssueCode {
            /// Every code, in the order of the documentation.
            pub const ALL: &[IssueCode] = &[$(IssueCode::$name,)*];

            /// The code as it is in an answer.
            pub fn as_str(self) -> &'static str {
                match self { $(IssueCode::$name => $code,)* }
            }

            /// What the code means, in one sentence.
            pub fn meaning(self) -> &'static str {
                match self { $(IssueCode::$name => $meaning,)* }
            }
        }
    };
}

issue_codes! {
    Required "required" "A field that must be there is missing.",
    UnrecognizedKey "unrecognized_key" "A field that this operation does not know, or that only answers carry.",
    InvalidType "invalid_type" "A value of another JSON type than the field takes.",
    InvalidValue "invalid_value" "A value outside the closed set that the field takes.",
    InvalidFormat "invalid_format" "A text that is not of the field's form, such as a URL.",
    TooShort "too_short" "A text or an array with too few characters or items.",
    TooLong "too_long" "A text or an array with too many characters or items.",
    TooSmall "too_small" "A number below the field's minimum.",
    TooBig "too_big" "A number above the field's maximum.",
    DuplicateKey "duplicate_key" "A name that occurs twice in one object, or twice in the query string.",
    DuplicateValue "duplicate_value" "A value that must be unique among its siblings and is not.",
    InsufficientContrast "insufficient_contrast" "A colour of texts that could not be read on its background.",
    UnknownReference "unknown_reference" "An id that names nothing this tenant has.",
    InvalidCursor "invalid_cursor" "A cursor that is broken, or from another collection, filter or order.",
    InvalidJson "invalid_json" "A body that is not JSON.",
    InvalidCharacter "invalid_character" "A text with a character that cannot be stored (NUL).",
    TooDeep "too_deep" "A body nested deeper than 64 levels.",
    Incomplete "incomplete" "A body that did not arrive whole in time.",
}

impl Issue {
    /// An issue of the body at `path`.
    pub fn body(code: IssueCode, path: &[&str], message: impl Into<String>) -> Issue {
        Issue {
            field: Field::Body,
            code,
            message: message.into(),
            path: path.iter().map(ToString::to_string).collect(),
        }
    }

    /// An id of the body at `path` that names nothing this tenant has.
    pub fn unknown_reference(path: &[&str], noun: &str, id: &str) -> Issue {
        let message = format!("{}: there is no {noun} '{id}'.", path.join("."));
        Issue::body(IssueCode::UnknownReference, path, message)
    }

    /// An issue of the query parameter `name`.
    pub fn query(code: IssueCode, name: &str, message: impl Into<String>) -> Issue {
        Issue { field: Field::Query, code, message: message.into(), path: vec![name.to_owned()] }
    }

    /// An issue of the header `name`.
    pub fn header(code: IssueCode, name: &str, message: impl Into<String>) -> Issue {
        Issue { field: Field::Headers, code, message: message.into(), path: vec![name.to_owned()] }
    }
}

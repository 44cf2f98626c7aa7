//! The one error of Pagesmith, from a table function up to the wire.
//!
//! An [`Error`] has a kind, which decides the HTTP status in one place (`http/src/error.rs`), a sentence for the
//! caller, and a source for the log. The caller's sentence never holds internals; the source never leaves
//! the machine. Issues of invalid input carry a code from the closed list [`IssueCode`].

use std::fmt;

use serde::Serialize;

use crate::issues::{Issues, grouped};
use crate::time::Timestamp;

/// What every fallible function of Pagesmith returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A refusal or a failure: kind, sentence for the caller, cause for the log.
#[derive(Debug)]
pub struct Error {
    kind: Box<Kind>,
    detail: String,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// What went wrong, as far as a program should care.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// The request's path, query, headers or body break a rule; the broken rules, up to a hundred.
    Invalid(Vec<Issue>),
    /// No valid credentials.
    Unauthorized,
    /// Known caller, but not allowed.
    Forbidden,
    /// Does not exist, or not for this caller.
    NotFound,
    /// The state of things forbids it; structured details may say which state.
    Conflict(Option<serde_json::Value>),
    /// Another request with the same idempotency key is still running; seconds until a retry makes sense.
    StillRunning(u32),
    /// `If-Match` names another state than the present one.
    PreconditionFailed,
    /// Over the rate limit.
    Limited {
        /// Requests allowed in a window.
        limit: u32,
        /// When at least one more request will be allowed.
        resets_at: Timestamp,
        /// Seconds until then, rounded up.
        retry_after: u32,
    },
    /// Not possible right now; seconds until a retry makes sense.
    Unavailable(u32),
    /// A defect or a broken machine.
    Internal,
}

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

            /// The code as it stands in an answer.
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
    DuplicateKey "duplicate_key" "A name that stands twice in one object, or twice in the query string.",
    DuplicateValue "duplicate_value" "A value that must be unique among its siblings and is not.",
    UnknownReference "unknown_reference" "An id that names nothing this tenant has.",
    InvalidCursor "invalid_cursor" "A cursor that is broken, or from another collection or filter.",
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

    /// An issue of the query parameter `name`.
    pub fn query(code: IssueCode, name: &str, message: impl Into<String>) -> Issue {
        Issue { field: Field::Query, code, message: message.into(), path: vec![name.to_owned()] }
    }

    /// An issue of the header `name`.
    pub fn header(code: IssueCode, name: &str, message: impl Into<String>) -> Issue {
        Issue { field: Field::Headers, code, message: message.into(), path: vec![name.to_owned()] }
    }
}

impl Error {
    /// An error of `kind` with the caller's sentence.
    pub fn new(kind: Kind, detail: impl Into<String>) -> Error {
        Error { kind: Box::new(kind), detail: detail.into(), source: None }
    }

    /// Invalid input with the broken rules; the sentence joins their messages, which end without a full stop for that, and says
    /// how many more there are than are listed.
    pub fn invalid(issues: impl Into<Issues>) -> Error {
        let (mut issues, unlisted) = issues.into().into_parts();
        for issue in &mut issues {
            issue.message.truncate(issue.message.trim_end_matches('.').len());
        }
        let mut detail = issues.iter().map(|issue| issue.message.as_str()).collect::<Vec<_>>().join("; ");
        if unlisted > 0 {
            detail.push_str(&format!("; … and {} more.", grouped(unlisted)));
        }
        Error::new(Kind::Invalid(issues), detail)
    }

    /// The thing does not exist for this caller; `noun` as in "page".
    pub fn not_found(noun: &str) -> Error {
        Error::new(Kind::NotFound, format!("No such {noun}."))
    }

    /// The state of things forbids it.
    pub fn conflict(detail: impl Into<String>) -> Error {
        Error::new(Kind::Conflict(None), detail)
    }

    /// Not possible right now, for a reason the caller may know.
    pub fn unavailable(detail: impl Into<String>) -> Error {
        Error::new(Kind::Unavailable(1), detail)
    }

    /// A defect or a broken machine: the caller learns nothing, the log gets `source`.
    pub fn internal(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        Error {
            kind: Box::new(Kind::Internal),
            detail: "An unexpected error occurred.".to_owned(),
            source: Some(source.into()),
        }
    }

    /// The same error with its cause for the log.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        self.source = Some(source.into());
        self
    }

    /// What went wrong.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// The caller's sentence.
    pub fn detail(&self) -> &str {
        &self.detail
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)?;
        match &self.source {
            Some(source) => write!(f, ": {source}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn std::error::Error + 'static))
    }
}

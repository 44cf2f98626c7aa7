//! Verbs: what transactions are for.

use crate::fair::Kind;

/// What a transaction is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Verb {
    Read,
    /// A read of one statement, which is a transaction by itself.
    Single,
    /// A read that may take long.
    Search,
    Write,
    Claim,
}

impl Verb {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Verb::Read | Verb::Single => "read",
            Verb::Search => "search",
            Verb::Write => "write",
            Verb::Claim => "claim",
        }
    }

    /// Whether nothing is changed.
    pub(crate) fn only_reads(self) -> bool {
        matches!(self, Verb::Read | Verb::Single | Verb::Search)
    }

    /// As what it waits for its turn; nothing goes before claims.
    pub(crate) fn kind(self) -> Option<Kind> {
        match self {
            Verb::Read | Verb::Single => Some(Kind::Read),
            Verb::Search => Some(Kind::Search),
            Verb::Write => Some(Kind::Write),
            Verb::Claim => None,
        }
    }
}

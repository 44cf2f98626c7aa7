//! The issues of one request: each of them once, the first hundred in full, the rest as a number.
//!
//! One small request can break very many rules. Adding an issue costs the same however many there are already, and what is kept is
//! bounded in number and in bytes.

use std::collections::HashSet;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use crate::issue::Issue;

/// The most issues that an answer lists.
pub const MOST_LISTED: usize = 100;
/// The most bytes that their texts take together; the first is listed whatever its size.
const MOST_BYTES: usize = 128 * 1024;
/// The most characters of a name in a path.
const LONGEST_STEP: usize = 100;

/// Issues, without repetitions.
#[derive(Debug, Clone, Default)]
pub struct Issues {
    listed: Vec<Issue>,
    bytes: usize,
    seen: HashSet<Digest>,
    hasher: RandomState,
    unlisted: usize,
}

/// An issue's hash. Its key is random, so nobody can make two issues share one.
#[derive(Debug, Clone, Copy, Eq)]
struct Digest(u64);

impl Hash for Digest {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl PartialEq for Digest {
    fn eq(&self, other: &Digest) -> bool {
        #[cfg(test)]
        tests::COMPARISONS.set(tests::COMPARISONS.get() + 1);
        self.0 == other.0
    }
}

impl Issues {
    /// Adds an issue unless it is there already.
    pub fn add(&mut self, issue: Issue) {
        if !self.seen.insert(Digest(self.hasher.hash_one(&issue))) {
            return;
        }
        let bytes = issue.message.len() + issue.path.iter().map(String::len).sum::<usize>();
        let has_room = self.listed.len() < MOST_LISTED && self.bytes + bytes <= MOST_BYTES;
        // Once one was left out, so are all that follow: the list has no gaps.
        if (self.listed.is_empty() || has_room) && self.unlisted == 0 {
            self.bytes += bytes;
            self.listed.push(issue);
        } else {
            self.unlisted += 1;
        }
    }

    /// Counts issues that nobody has looked at closely.
    pub fn add_unlisted(&mut self, count: usize) {
        self.unlisted += count;
    }

    /// Adds those of another list.
    pub fn append(&mut self, others: Issues) {
        self.extend(others.listed);
        self.add_unlisted(others.unlisted);
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.listed.is_empty() && self.unlisted == 0
    }

    /// Those that are listed, in the order in which they were found.
    pub fn listed(&self) -> &[Issue] {
        &self.listed
    }

    /// How many more there are.
    pub fn unlisted(&self) -> usize {
        self.unlisted
    }

    /// The list, and how many more there are.
    pub(crate) fn into_parts(self) -> (Vec<Issue>, usize) {
        (self.listed, self.unlisted)
    }
}

impl Extend<Issue> for Issues {
    fn extend<I: IntoIterator<Item = Issue>>(&mut self, issues: I) {
        issues.into_iter().for_each(|issue| self.add(issue));
    }
}

impl FromIterator<Issue> for Issues {
    fn from_iter<I: IntoIterator<Item = Issue>>(issues: I) -> Issues {
        let mut all = Issues::default();
        all.extend(issues);
        all
    }
}

impl From<Vec<Issue>> for Issues {
    fn from(issues: Vec<Issue>) -> Issues {
        issues.into_iter().collect()
    }
}

impl From<Issue> for Issues {
    fn from(issue: Issue) -> Issues {
        Issues::from(vec![issue])
    }
}

/// A name as it is in the path of an issue: one of absurd length is cut.
pub fn step(name: &str) -> String {
    match name.char_indices().nth(LONGEST_STEP) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// A number with commas between its thousands.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::error::{Error, Kind};
    use crate::issue::IssueCode;

    thread_local! {
        /// How often two issues were compared.
        pub(crate) static COMPARISONS: Cell<usize> = const { Cell::new(0) };
    }

    fn issue(number: usize) -> Issue {
        let at = number.to_string();
        Issue::body(IssueCode::InvalidType, &["actions", &at], format!("actions.{at}: must be an object."))
    }

    #[test]
    fn no_issue_is_compared_with_all_before_it() {
        for count in [1_000, 100_000] {
            COMPARISONS.set(0);
            let issues: Issues = (0..count).chain(0..count).map(issue).collect();
            assert_eq!((issues.listed().len(), issues.unlisted()), (MOST_LISTED, count - MOST_LISTED));
            // Each that comes again is compared with itself once; a few others share some bits of their hash.
            let comparisons = COMPARISONS.get();
            assert!((count..count * 2).contains(&comparisons), "{comparisons} for {count} issues, twice");
        }
    }

    #[test]
    fn an_error_lists_a_hundred_issues_and_tells_how_many_more_there_are() {
        let error = Error::invalid((0..150_000).map(issue).collect::<Issues>());
        assert!(error.detail().starts_with("actions.0: must be an object; actions.1: must be"));
        assert!(
            error.detail().ends_with("actions.99: must be an object; … and 149,900 more."),
            "{}",
            error.detail()
        );
        let Kind::Invalid(listed) = error.kind() else { panic!("{error}") };
        assert_eq!(listed.len(), MOST_LISTED);
        let error = Error::invalid((0..100).map(issue).collect::<Issues>());
        assert!(error.detail().ends_with("actions.99: must be an object"), "{}", error.detail());
    }

    #[test]
    fn long_issues_are_fewer_and_one_is_always_listed() {
        let long = |at: usize| {
            Issue::body(IssueCode::InvalidValue, &[], format!("{at}{}", "x".repeat(MOST_BYTES / 3)))
        };
        let issues: Issues = (0..10).map(long).collect();
        assert_eq!((issues.listed().len(), issues.unlisted()), (2, 8));
        let huge = Issue::body(IssueCode::InvalidValue, &[], "x".repeat(MOST_BYTES * 2));
        let issues: Issues = [huge, issue(1)].into_iter().collect();
        assert_eq!((issues.listed().len(), issues.unlisted()), (1, 1));
    }

    #[test]
    fn long_names_are_cut_and_numbers_are_grouped() {
        assert_eq!(step("name"), "name");
        assert_eq!(step(&"ä".repeat(100)), "ä".repeat(100));
        assert_eq!(step(&"ä".repeat(101)), format!("{}…", "ä".repeat(100)));
        let told: Vec<String> = [7, 100, 1_000, 149_900, 1_234_567].map(grouped).into();
        assert_eq!(told, ["7", "100", "1,000", "149,900", "1,234,567"]);
    }
}

//! Which authorities a domain's CAA records (RFC 8659) allow to issue a certificate, and by which accounts and challenges (RFC 8657).
//!
//! What this is not: the question of the records, which the relevant ones are found by (the name's own, else those of the nearest name above
//! it that has any). Wildcards are not ordered, so that `issuewild` does not matter.

use super::challenge::ChallengeKind;

/// A record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaaRecord {
    /// Whether whoever does not know the tag may not issue.
    pub is_critical: bool,
    /// What the record is about.
    pub tag: String,
    /// What it says.
    pub value: String,
}

/// Who wants to issue, for whom.
#[derive(Debug, Clone, Copy)]
pub struct Issuer<'a> {
    /// The names that the authority goes by in these records.
    pub identities: &'a [String],
    /// The address of the account at it.
    pub account: &'a str,
    /// The challenges that may be used.
    pub challenges: &'a [ChallengeKind],
}

/// The challenges that the records allow of those that may be used, in their order; nothing if they forbid the certificate.
pub fn allowed(records: &[CaaRecord], issuer: &Issuer<'_>) -> Vec<ChallengeKind> {
    let known = ["issue", "issuewild", "issuemail", "issuevmc", "iodef", "contactemail", "contactphone"];
    let is_unknown = |record: &&CaaRecord| !known.iter().any(|tag| record.tag.eq_ignore_ascii_case(tag));
    if records.iter().filter(|record| record.is_critical).any(|record| is_unknown(&record)) {
        return vec![];
    }
    let mut issues = records.iter().filter(|record| record.tag.eq_ignore_ascii_case("issue")).peekable();
    if issues.peek().is_none() {
        return issuer.challenges.to_vec();
    }
    let issues: Vec<Issue<'_>> = issues.filter_map(|record| Issue::parse(&record.value)).collect();
    let may = |kind: &ChallengeKind| issues.iter().any(|issue| issue.allows(issuer, *kind));
    issuer.challenges.iter().copied().filter(may).collect()
}

/// The authorities that the records allow, for whoever wonders why another one is not.
pub fn named(records: &[CaaRecord]) -> Vec<&str> {
    let issues = records.iter().filter(|record| record.tag.eq_ignore_ascii_case("issue"));
    let names = issues.filter_map(|record| Issue::parse(&record.value)).map(|issue| issue.domain);
    names.filter(|domain| !domain.is_empty()).collect()
}

/// The value of a record that allows an authority.
struct Issue<'a> {
    domain: &'a str,
    parameters: Vec<(&'a str, &'a str)>,
}

impl<'a> Issue<'a> {
    /// Nothing if it has not the form, in which case it allows nobody.
    fn parse(value: &'a str) -> Option<Issue<'a>> {
        let mut parts = value.split(';').map(|part| part.trim_matches([' ', '\t']));
        let domain = parts.next()?;
        if domain.contains([' ', '\t', '=']) {
            return None;
        }
        let parameter = |part: &'a str| {
            let (name, value) = part.split_once('=')?;
            let (name, value) = (name.trim_end_matches([' ', '\t']), value.trim_start_matches([' ', '\t']));
            let is_tag =
                !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            let is_value = value.bytes().all(|byte| byte.is_ascii_graphic());
            (is_tag && is_value).then_some((name, value))
        };
        let parameters = parts.filter(|part| !part.is_empty()).map(parameter).collect::<Option<_>>()?;
        Some(Issue { domain, parameters })
    }

    fn allows(&self, issuer: &Issuer<'_>, kind: ChallengeKind) -> bool {
        let domain = self.domain.trim_end_matches('.');
        let is_it = |identity: &String| identity.trim_end_matches('.').eq_ignore_ascii_case(domain);
        // One that says nothing is one of these for nobody.
        !domain.is_empty()
            && issuer.identities.iter().any(is_it)
            && self.parameters.iter().all(|(name, value)| match name.to_ascii_lowercase().as_str() {
                "accounturi" => *value == issuer.account,
                "validationmethods" => {
                    value.split(',').any(|method| method.eq_ignore_ascii_case(kind.as_str()))
                }
                _ => true,
            })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ACCOUNT: &str = "https://ca.example/acct/1";
    const BOTH: [ChallengeKind; 2] = [ChallengeKind::Http, ChallengeKind::TlsAlpn];

    fn record(tag: &str, value: &str) -> CaaRecord {
        CaaRecord { is_critical: false, tag: tag.to_owned(), value: value.to_owned() }
    }

    fn of(records: &[CaaRecord]) -> Vec<ChallengeKind> {
        let identities = ["ca.example".to_owned(), "ca2.example".to_owned()];
        allowed(records, &Issuer { identities: &identities, account: ACCOUNT, challenges: &BOTH })
    }

    #[test]
    fn an_authority_may_issue_if_a_record_names_it_or_none_names_any() {
        let issue = |value: &str| of(&[record("issue", value)]);
        for value in [
            "ca.example",
            " CA2.Example. ",
            "ca.example; policy=ev",
            "ca.example;",
            "ca.example; accounturi=https://ca.example/acct/1",
            "ca.example; validationmethods=dns-01,http-01,tls-alpn-01",
        ] {
            assert_eq!(issue(value), BOTH, "{value}");
        }
        for value in [
            "",
            ";",
            "other.example",
            "a.ca.example",
            "ca.example; accounturi=https://ca.example/acct/2",
            "ca.example; validationmethods=dns-01",
            "ca.example; %%%%",
            "ca.example other.example",
            "ca.example; a=b c",
        ] {
            assert_eq!(issue(value), [], "{value}");
        }
        assert_eq!(issue("ca.example; validationmethods=tls-alpn-01"), [ChallengeKind::TlsAlpn]);
        // Each record allows by itself, and those about something else do not forbid.
        let two = [record("issue", "other.example"), record("ISSUE", "ca.example")];
        assert_eq!((of(&two), named(&two)), (BOTH.to_vec(), vec!["other.example", "ca.example"]));
        let others = [record("iodef", "mailto:a@a.example"), record("issuewild", ";"), record("new", "x")];
        assert_eq!(of(&others), BOTH);
        assert_eq!(of(&[]), BOTH);
    }

    #[test]
    fn what_is_critical_and_not_known_forbids() {
        let critical = |tag| CaaRecord { is_critical: true, ..record(tag, "ca.example") };
        assert_eq!(of(&[critical("new")]), []);
        assert_eq!(of(&[critical("new"), record("issue", "ca.example")]), []);
        assert_eq!(of(&[critical("Issue")]), BOTH);
    }

    fn records() -> impl Strategy<Value = Vec<CaaRecord>> {
        let value = prop_oneof![
            "[ -~]{0,40}",
            Just("ca.example".to_owned()),
            Just("ca.example; accounturi=https://ca.example/acct/1".to_owned()),
            Just("other.example; validationmethods=http-01".to_owned()),
            Just(";".to_owned()),
        ];
        let tag =
            prop_oneof![4 => Just("issue".to_owned()), 1 => Just("iodef".to_owned()), 1 => "[a-z]{1,8}"];
        let record = (any::<bool>(), tag, value);
        let record = record.prop_map(|(is_critical, tag, value)| CaaRecord { is_critical, tag, value });
        proptest::collection::vec(record, 0..6)
    }

    proptest! {
        #[test]
        fn a_record_that_allows_nobody_more_forbids_nothing_that_was_allowed(records in records(), at in 0..6_usize) {
            let before = of(&records);
            let has_issue = records.iter().any(|record| record.tag == "issue");
            let mut more = records;
            more.insert(at.min(more.len()), record("issue", ";"));
            prop_assert_eq!(of(&more), if has_issue { before } else { vec![] });
        }

        #[test]
        fn order_does_not_matter(records in records()) {
            let mut reversed = records.clone();
            reversed.reverse();
            prop_assert_eq!(of(&reversed), of(&records));
        }
    }
}

//! Whether a submission is suspicious: signs with points, which are added up.
//!
//! Nothing is decided by one sign that a person may show as well, but for the field that nobody sees. What is suspicious is kept with its
//! reasons, and a proof of work takes the signs away that a program would show.

use serde_json::{Map, Value};

use crate::form::SpamFilter;
use crate::form::field::{FieldKind, FormField, PersonField, person_fields};

/// Why a submission is suspicious.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sign {
    /// A field that nobody sees was filled in.
    HiddenField,
    /// It came without the token that the page's script fetches.
    NoToken,
    /// Its token is not ours, or too old.
    BadToken,
    /// It was filled in faster than anybody types.
    TooFast,
    /// More came from the same address than a person sends.
    ManyFromAddress,
    /// More came with the same form than people send, from whatever addresses.
    ManyWithForm,
    /// Its user agent is a crawler's.
    Crawler,
    /// It was sent from a page of another site.
    OtherSite,
    /// A name has an address of a website in it.
    LinkInName,
    /// Its texts are full of addresses.
    ManyLinks,
    /// Its texts have markup of links in them.
    Markup,
    /// Somebody has marked it.
    Marked,
}

impl Sign {
    /// Every sign.
    pub const ALL: [Sign; 12] = [
        Sign::HiddenField,
        Sign::NoToken,
        Sign::BadToken,
        Sign::TooFast,
        Sign::ManyFromAddress,
        Sign::ManyWithForm,
        Sign::Crawler,
        Sign::OtherSite,
        Sign::LinkInName,
        Sign::ManyLinks,
        Sign::Markup,
        Sign::Marked,
    ];

    /// Its name in answers and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Sign::HiddenField => "hidden_field",
            Sign::NoToken => "no_token",
            Sign::BadToken => "bad_token",
            Sign::TooFast => "too_fast",
            Sign::ManyFromAddress => "many_from_address",
            Sign::ManyWithForm => "many_with_form",
            Sign::Crawler => "crawler",
            Sign::OtherSite => "other_site",
            Sign::LinkInName => "link_in_name",
            Sign::ManyLinks => "many_links",
            Sign::Markup => "markup",
            Sign::Marked => "marked",
        }
    }

    fn points(self) -> u32 {
        match self {
            Sign::NoToken => 1,
            Sign::BadToken => 2,
            Sign::TooFast | Sign::ManyLinks => 3,
            // A form may be popular, so this alone is not spam for the standard filter. Without a token it is.
            Sign::ManyWithForm => 4,
            Sign::ManyFromAddress | Sign::Crawler | Sign::LinkInName | Sign::Markup => 5,
            Sign::HiddenField | Sign::OtherSite | Sign::Marked => 10,
        }
    }

    /// Whether a browser that has worked for it cannot show this.
    fn is_refuted_by_work(self) -> bool {
        match self {
            Sign::NoToken
            | Sign::BadToken
            | Sign::TooFast
            | Sign::ManyFromAddress
            | Sign::ManyWithForm
            | Sign::Crawler => true,
            Sign::HiddenField
            | Sign::OtherSite
            | Sign::LinkInName
            | Sign::ManyLinks
            | Sign::Markup
            | Sign::Marked => false,
        }
    }
}

/// What was found about a submission.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings(Vec<Sign>);

impl Findings {
    /// Adds a sign, if it is there.
    pub fn add(&mut self, sign: Sign, is_there: bool) {
        if is_there && !self.0.contains(&sign) {
            self.0.push(sign);
        }
    }

    /// The signs.
    pub fn signs(&self) -> &[Sign] {
        &self.0
    }

    /// Takes away what a proof of work refutes.
    pub fn refute(&mut self) {
        self.0.retain(|sign| !sign.is_refuted_by_work());
    }

    /// Whether a proof of work would change the verdict.
    pub fn can_be_refuted(&self, filter: SpamFilter) -> bool {
        let mut rest = self.clone();
        rest.refute();
        self.is_spam(filter) && !rest.is_spam(filter)
    }

    /// Whether it is kept apart.
    pub fn is_spam(&self, filter: SpamFilter) -> bool {
        let points: u32 = self.0.iter().map(|sign| sign.points()).sum();
        match filter {
            SpamFilter::Off => false,
            SpamFilter::Standard => points >= 5,
            SpamFilter::Strict => points >= 3,
        }
    }
}

/// The signs that the answers themselves show.
pub fn look_at(fields: &[FormField], input: &Map<String, Value>, findings: &mut Findings) {
    let (mut links, mut has_markup, mut has_link_in_name) = (0, false, false);
    for (field, person) in fields.iter().zip(person_fields(fields)) {
        let Some(text) = input.get(&field.key).and_then(Value::as_str) else { continue };
        if !matches!(field.kind, FieldKind::Text | FieldKind::LongText) {
            continue;
        }
        let text = text.to_lowercase();
        let addresses = text.matches("http://").count() + text.matches("https://").count();
        links += addresses;
        has_markup |= ["<a ", "[url", "[link", "href="].iter().any(|markup| text.contains(markup));
        let is_name = matches!(person, PersonField::Name | PersonField::FirstName | PersonField::LastName);
        has_link_in_name |= is_name && (addresses > 0 || text.contains("www."));
    }
    findings.add(Sign::ManyLinks, links > 2);
    findings.add(Sign::Markup, has_markup);
    findings.add(Sign::LinkInName, has_link_in_name);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(name: &str, text: &str) -> Findings {
        let fields: Vec<FormField> = serde_json::from_value(json!([
            { "key": "name", "kind": "text", "label": "Name", "personField": "name" },
            { "key": "text", "kind": "long-text", "label": "Text" },
        ]))
        .unwrap();
        let Value::Object(input) = json!({ "name": name, "text": text }) else { unreachable!() };
        let mut findings = Findings::default();
        look_at(&fields, &input, &mut findings);
        findings
    }

    #[test]
    fn people_may_be_a_little_odd() {
        let mut findings = found("Ada", "See https://example.com and https://example.org, please.");
        assert!(findings.signs().is_empty());
        findings.add(Sign::NoToken, true);
        assert!(!findings.is_spam(SpamFilter::Standard) && !findings.is_spam(SpamFilter::Strict));
        findings.add(Sign::BadToken, true);
        assert!(!findings.is_spam(SpamFilter::Standard) && findings.is_spam(SpamFilter::Strict));
    }

    #[test]
    fn a_text_full_of_links_is_suspicious_whatever_is_proven() {
        let mut findings = found("Win at HTTPS://x.example", "<a href=x>x</a>");
        assert_eq!(findings.signs(), [Sign::Markup, Sign::LinkInName]);
        assert!(!findings.can_be_refuted(SpamFilter::Standard));
        findings.refute();
        assert!(findings.is_spam(SpamFilter::Standard) && !findings.is_spam(SpamFilter::Off));
        assert_eq!(found("a", &"http://x.example ".repeat(3)).signs(), [Sign::ManyLinks]);
    }

    #[test]
    fn a_rush_is_suspicious_only_without_a_token_or_to_a_strict_filter() {
        let mut findings = Findings::default();
        findings.add(Sign::ManyWithForm, true);
        assert!(!findings.is_spam(SpamFilter::Standard) && findings.can_be_refuted(SpamFilter::Strict));
        findings.add(Sign::NoToken, true);
        assert!(findings.can_be_refuted(SpamFilter::Standard));
    }

    #[test]
    fn work_refutes_what_a_program_shows() {
        let mut findings = Findings::default();
        for sign in [Sign::TooFast, Sign::ManyFromAddress] {
            findings.add(sign, true);
        }
        assert!(findings.can_be_refuted(SpamFilter::Standard));
        findings.add(Sign::HiddenField, true);
        assert!(!findings.can_be_refuted(SpamFilter::Standard));
    }
}

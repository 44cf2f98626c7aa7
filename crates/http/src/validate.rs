//! Enforcing a schema: every broken rule of a value, each at its place, in our own words.

use std::any::TypeId;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{Draft, ValidationError, ValidationOptions};
use pagesmith_model::normal::{RULES, TextRule};
use pagesmith_model::{Field, Issue, IssueCode, Issues, issues};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::extract::json::{Document, Documents};
use crate::schema;

/// The validators of all body types; each is made when it is first needed.
#[derive(Default)]
pub struct Validators(RwLock<HashMap<TypeId, Arc<Validator>>>);

/// The rules of one body type.
pub(crate) struct Validator {
    rules: Option<jsonschema::Validator<Documents>>,
    has_no_fields: bool,
}

impl Validators {
    /// The validator of `T`.
    pub(crate) fn of<T: JsonSchema + 'static>(&self) -> Arc<Validator> {
        let id = TypeId::of::<T>();
        if let Some(found) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&id) {
            return Arc::clone(found);
        }
        let made = Arc::new(Validator::new::<T>());
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(&made));
        made
    }
}

impl Validator {
    pub(crate) fn new<T: JsonSchema>() -> Validator {
        let generator = SchemaSettings::draft2020_12().for_deserialize().into_generator();
        let mut rules = generator.into_root_schema_for::<T>().to_value();
        schema::plain(&mut rules);
        schema::enforceable(&mut rules);
        let has_no_fields = schema::has_no_fields(&rules);
        let options = ValidationOptions::<'_, _, Documents>::default()
            .with_draft(Draft::Draft202012)
            .should_validate_formats(true);
        // Ours go before those of the same name that the validator has itself.
        let formats = RULES.iter().filter(|rule| rule.keyword == "format");
        let rules = formats
            .fold(options, |options, rule| options.with_format(rule.value, rule.accepts))
            .build(&rules);
        if let Err(error) = &rules {
            tracing::error!(%error, schema = %T::schema_name(), "a schema cannot be enforced");
        }
        let rules = rules.ok();
        Validator { rules, has_no_fields }
    }

    /// Whether `{}` is the only valid body, so that no body at all may stand for it. A change of nothing is `{}` as well, but
    /// has to be said.
    pub(crate) fn may_be_left_out(&self) -> bool {
        self.has_no_fields
    }

    /// Adds every broken rule; none if the document is valid.
    pub(crate) fn check(&self, document: &Document<'_>, issues: &mut Issues) {
        let Some(rules) = &self.rules else {
            issues.add(Issue::body(IssueCode::InvalidValue, &[], "The body cannot be checked."));
            return;
        };
        if !rules.is_valid(document) {
            rules.iter_errors(document).for_each(|error| issues.extend(issues_of(&error)));
        }
    }
}

fn issues_of(error: &ValidationError<'_>) -> Vec<Issue> {
    let pointer = error.instance_path().to_string();
    let path: Vec<String> = pointer.split('/').skip(1).map(|name| issues::step(&unescaped(name))).collect();
    let at = |code, rest: Option<&str>, what: &str| {
        let mut path = path.clone();
        path.extend(rest.map(issues::step));
        let place = if path.is_empty() { "The body".to_owned() } else { path.join(".") };
        Issue { field: Field::Body, code, message: format!("{place}: {what}."), path }
    };
    let is_text = error.instance().is_string();
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            vec![at(IssueCode::Required, property.as_str(), "is required")]
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let unknown =
                |name: &String| at(IssueCode::UnrecognizedKey, Some(name), "is not a field of this object");
            unexpected.iter().map(unknown).collect()
        }
        ValidationErrorKind::Type { kind } => {
            vec![at(IssueCode::InvalidType, None, &format!("must be {}", type_names(kind)))]
        }
        ValidationErrorKind::Enum { options } => {
            vec![at(IssueCode::InvalidValue, None, &format!("must be one of {}", listed(options)))]
        }
        ValidationErrorKind::Constant { expected_value } => {
            vec![at(IssueCode::InvalidValue, None, &format!("must be {expected_value}"))]
        }
        ValidationErrorKind::Format { format } => {
            let what = match (format.as_str(), TextRule::find("format", format)) {
                ("uri" | "iri", _) => "must be an absolute URL",
                (_, Some(rule)) => rule.sentence,
                (_, None) => "has a wrong form",
            };
            vec![at(IssueCode::InvalidFormat, None, what)]
        }
        ValidationErrorKind::Pattern { pattern } => {
            let what = match TextRule::find("pattern", pattern) {
                Some(rule) => rule.sentence.to_owned(),
                None => format!("must match {pattern}"),
            };
            vec![at(IssueCode::InvalidFormat, None, &what)]
        }
        ValidationErrorKind::MinLength { limit } => {
            vec![at(
                IssueCode::TooShort,
                None,
                &format!("must have at least {}", counted(limit, "character")),
            )]
        }
        ValidationErrorKind::MaxLength { limit } => {
            vec![at(IssueCode::TooLong, None, &format!("must have at most {}", counted(limit, "character")))]
        }
        ValidationErrorKind::MinItems { limit } => {
            vec![at(IssueCode::TooShort, None, &format!("must have at least {}", counted(limit, "item")))]
        }
        ValidationErrorKind::MaxItems { limit } => {
            vec![at(IssueCode::TooLong, None, &format!("must have at most {}", counted(limit, "item")))]
        }
        ValidationErrorKind::Minimum { limit } => {
            vec![at(IssueCode::TooSmall, None, &format!("must be at least {limit}"))]
        }
        ValidationErrorKind::Maximum { limit } => {
            vec![at(IssueCode::TooBig, None, &format!("must be at most {limit}"))]
        }
        ValidationErrorKind::AnyOf { context } => {
            // The form that is missed by the least is the one that was meant; of several, the one that fits down to the deepest place.
            let depth = |error: &ValidationError<'_>| error.instance_path().to_string().matches('/').count();
            let nearest = context
                .iter()
                .filter(|errors| !errors.is_empty())
                .min_by_key(|errors| (errors.len(), Reverse(errors.iter().map(depth).max())));
            nearest.into_iter().flatten().flat_map(issues_of).collect()
        }
        _ => {
            let code = if is_text { IssueCode::InvalidFormat } else { IssueCode::InvalidValue };
            vec![at(code, None, "is not valid")]
        }
    }
}

fn counted(limit: &u64, noun: &str) -> String {
    if *limit == 1 { format!("1 {noun}") } else { format!("{limit} {noun}s") }
}

fn unescaped(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

fn type_names(kind: &TypeKind) -> String {
    let with_article = |name: &str| match name {
        "null" => "null".to_owned(),
        "array" | "object" | "integer" => format!("an {name}"),
        name => format!("a {name}"),
    };
    match kind {
        TypeKind::Single(one) => with_article(one.as_str()),
        TypeKind::Multiple(many) => {
            many.iter().map(|one| with_article(one.as_str())).collect::<Vec<_>>().join(" or ")
        }
    }
}

fn listed(options: &Value) -> String {
    let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
    options.iter().map(|option| option.as_str().unwrap_or("null")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use pagesmith_model::domain::Domain;
    use pagesmith_model::email::EmailAddress;
    use pagesmith_model::linkedin::LinkedinProfile;
    use pagesmith_model::log_label::LogLabel;
    use pagesmith_model::phone::PhoneNumber;
    use serde::Deserialize;
    use serde_json::json;

    use super::*;
    use crate::extract::body::decode;

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Identifiers {
        #[serde(default)]
        #[schemars(with = "EmailAddress")]
        email: Option<EmailAddress>,
        #[serde(default)]
        domain: Option<Domain>,
        #[serde(default)]
        phone_number: Option<PhoneNumber>,
        #[serde(default)]
        linkedin_profile_url: Option<LinkedinProfile>,
        #[serde(default)]
        source: Option<LogLabel>,
    }

    /// Code, path and message of each issue.
    fn issues(body: &Value) -> Vec<(&'static str, String, String)> {
        let mut issues = Issues::default();
        Validator::new::<Identifiers>().check(&Document::from(body), &mut issues);
        let told = |issue: &Issue| (issue.code.as_str(), issue.path.join("."), issue.message.clone());
        issues.listed().iter().map(told).collect()
    }

    #[test]
    fn an_identifier_in_any_spelling_is_valid_and_read_in_its_normal_form() {
        let body = json!({
            "email": " Jane.Doe+Tag@B\u{fc}cher.DE ",
            "domain": "https://www.Example.com/about",
            "phoneNumber": "+4915112345678",
            "linkedinProfileUrl": "de.linkedin.com/in/Jane-Doe/?x=1",
            "source": "page-view",
        });
        assert_eq!(issues(&body), []);
        let read: Identifiers = decode(&Validators::default(), body.to_string().as_bytes()).unwrap();
        assert_eq!(read.email.unwrap().as_str(), "jane.doe+tag@xn--bcher-kva.de");
        assert_eq!(read.domain.unwrap().as_str(), "example.com");
        assert_eq!(read.linkedin_profile_url.unwrap().as_str(), "https://www.linkedin.com/in/jane-doe");
        assert_eq!(issues(&json!({ "domain": null, "phoneNumber": null, "linkedinProfileUrl": null })), []);
    }

    #[test]
    fn wrong_identifiers_are_all_told_at_once_and_what_they_must_be() {
        for (email, domain, phone, profile, source) in [
            (
                "jane@@example.com",
                "example",
                "0151 12345678",
                "https://www.linkedin.com/company/x",
                "Page View",
            ),
            ("jane", "127.0.0.1", "+49CALLME", "https://example.com/in/jane", "a--b"),
            ("🦀@example.com", "jane@example.com", "+0", "jane-doe", "שלום"),
        ] {
            let body = json!({
                "email": email, "domain": domain, "phoneNumber": phone, "linkedinProfileUrl": profile, "source": source,
            });
            let mut found = issues(&body);
            found.sort();
            let issue = |path: &str, rule: TextRule| {
                ("invalid_format", path.to_owned(), format!("{path}: {}.", rule.sentence))
            };
            let expected = [
                issue("domain", Domain::RULE),
                issue("email", EmailAddress::RULE),
                issue("linkedinProfileUrl", LinkedinProfile::RULE),
                issue("phoneNumber", PhoneNumber::RULE),
                issue("source", LogLabel::RULE),
            ];
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn an_identifier_of_another_type_or_length_is_told_as_such() {
        assert_eq!(issues(&json!({ "email": null }))[0].0, "invalid_type");
        assert_eq!(issues(&json!({ "phoneNumber": 4_915_112_345_678_u64 }))[0].0, "invalid_type");
        let long = json!({ "source": "a".repeat(101) });
        assert_eq!(issues(&long).iter().map(|issue| issue.0).collect::<Vec<_>>(), ["too_long"]);
        let long = json!({ "email": format!("{}@example.com", "a".repeat(300)) });
        assert_eq!(issues(&long).iter().map(|issue| issue.0).collect::<Vec<_>>(), ["invalid_format"]);
    }

    #[test]
    fn what_is_valid_can_be_read_and_what_can_be_read_is_valid() {
        let validators = Validators::default();
        for text in
            ["", " ", "a", "a.b", "a@b.c", "+12", "linkedin.com/in/a", "\u{202e}a.b", "A-b.CO", "🦀.la"]
        {
            for field in ["email", "domain", "phoneNumber", "linkedinProfileUrl", "source"] {
                let body = json!({ field: text });
                let valid = issues(&body).is_empty();
                let read = serde_json::from_value::<Identifiers>(body.clone()).is_ok();
                assert_eq!(valid, read, "{body}");
                assert_eq!(
                    decode::<Identifiers>(&validators, body.to_string().as_bytes()).is_ok(),
                    read,
                    "{body}"
                );
            }
        }
    }
}

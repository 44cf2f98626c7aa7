//! Enforcing a schema: every broken rule of a value, each at its place, in our own words.

use std::any::TypeId;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::paths::Location;
use jsonschema::{Draft, Uri, ValidationError, ValidationOptions};
use pagesmith_model::normal::{RULES, TextRule};
use pagesmith_model::{Field, Issue, IssueCode, Issues, issues};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use url::Url;

use crate::json::{self, Document, Documents};
use crate::schema;

/// The validators of all body types; each is made when it is first needed.
#[derive(Default)]
pub struct Validators(RwLock<HashMap<TypeId, Arc<Validator>>>);

/// The rules of one body type.
pub(crate) struct Validator {
    rules: Option<jsonschema::Validator<Documents>>,
    /// What the rules were made of.
    schema: Value,
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
        let mut schema = generator.into_root_schema_for::<T>().to_value();
        schema::ranged(&mut schema);
        schema::plain(&mut schema);
        schema::enforceable(&mut schema);
        let has_no_fields = schema::has_no_fields(&schema);
        let options = ValidationOptions::<'_, _, Documents>::default()
            .with_draft(Draft::Draft202012)
            .should_validate_formats(true);
        // Ours go before those of the same name that the validator has itself.
        let formats = RULES.iter().filter(|rule| rule.keyword == "format");
        let rules = formats
            .fold(options, |options, rule| options.with_format(rule.value, rule.accepts))
            .with_format("uri", is_address)
            .build(&schema);
        if let Err(error) = &rules {
            tracing::error!(%error, schema = %T::schema_name(), "a schema cannot be enforced");
        }
        let rules = rules.ok();
        Validator { rules, schema, has_no_fields }
    }

    /// Whether `{}` is the only valid body, so that no body at all may stand for it. A change of nothing is `{}` as well, but
    /// has to be said.
    pub(crate) fn may_be_left_out(&self) -> bool {
        self.has_no_fields
    }

    /// The text of a valid document with plain digits for its integers.
    pub(crate) fn with_plain_integers(&self, text: &str, document: &Document<'_>) -> String {
        json::with_plain_integers(text, document, &self.schema)
    }

    /// Adds every broken rule; none if the document is valid.
    pub(crate) fn check(&self, document: &Document<'_>, issues: &mut Issues) {
        let Some(rules) = &self.rules else {
            issues.add(Issue::body(IssueCode::InvalidValue, &[], "The body cannot be checked."));
            return;
        };
        if !rules.is_valid(document) {
            let mut mistyped = None;
            for error in rules.iter_errors(document) {
                if !is_implied(&error, &mut mistyped) {
                    issues.extend(issues_of(&error));
                }
            }
        }
    }
}

/// Whether a text is an absolute URL and, if it is one of the web, has a host and a port that there can be.
fn is_address(text: &str) -> bool {
    let Ok(uri) = Uri::parse(text) else { return false };
    let is_of_web = ["http", "https"].iter().any(|scheme| uri.scheme().as_str().eq_ignore_ascii_case(scheme));
    // Without slashes behind the scheme a browser takes the path for a host.
    let has_host = uri.authority().is_some_and(|authority| !authority.host().is_empty());
    !is_of_web || (has_host && Url::parse(text).is_ok())
}

/// Whether an error only repeats that the value is of another type: the rule of the type comes first, and none of the constants that its
/// place takes has that type.
fn is_implied(error: &ValidationError<'_>, mistyped: &mut Option<Location>) -> bool {
    match error.kind() {
        ValidationErrorKind::Type { .. } => {
            *mistyped = Some(error.instance_path().clone());
            false
        }
        ValidationErrorKind::Enum { .. } | ValidationErrorKind::Constant { .. } => {
            mistyped.as_ref() == Some(error.instance_path())
        }
        _ => false,
    }
}

/// How far the value of an error is from one of the forms that it can have, of which it breaks these rules. A value of another type is
/// further than any other; then count the fields that the form lacks or wants, then all rules, and last how deep the value fits.
fn distance(
    value: &ValidationError<'_>,
    errors: &[&ValidationError<'_>],
) -> (bool, usize, usize, Reverse<Option<usize>>) {
    let here: Vec<_> = errors.iter().filter(|error| error.instance_path() == value.instance_path()).collect();
    let is_of_other_type = here.iter().any(|error| matches!(error.kind(), ValidationErrorKind::Type { .. }));
    let fields: usize = here
        .iter()
        .map(|error| match error.kind() {
            ValidationErrorKind::Required { .. } => 1,
            ValidationErrorKind::AdditionalProperties { unexpected } => unexpected.len(),
            _ => 0,
        })
        .sum();
    let depth = errors.iter().map(|error| error.instance_path().as_str().matches('/').count()).max();
    (is_of_other_type, fields, errors.len(), Reverse(depth))
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
                ("uri", _) if error.instance().as_str().is_some_and(|text| Uri::parse(text).is_ok()) => {
                    "must have a host, and no port above 65535"
                }
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
        ValidationErrorKind::AnyOf { context } => {
            let forms = context.iter().map(|errors| {
                let mut mistyped = None;
                errors.iter().filter(|error| !is_implied(error, &mut mistyped)).collect::<Vec<_>>()
            });
            let meant =
                forms.filter(|errors| !errors.is_empty()).min_by_key(|errors| distance(error, errors));
            meant.into_iter().flatten().flat_map(issues_of).collect()
        }
        kind => {
            let other = if is_text { IssueCode::InvalidFormat } else { IssueCode::InvalidValue };
            let (code, what) = broken_limit(kind).unwrap_or_else(|| (other, "is not valid".to_owned()));
            vec![at(code, None, &what)]
        }
    }
}

/// What is said of a value beyond a limit of its rule; nothing if the rule is no limit.
fn broken_limit(kind: &ValidationErrorKind) -> Option<(IssueCode, String)> {
    Some(match kind {
        ValidationErrorKind::MinLength { limit } => {
            (IssueCode::TooShort, format!("must have at least {}", counted(limit, "character")))
        }
        ValidationErrorKind::MaxLength { limit } => {
            (IssueCode::TooLong, format!("must have at most {}", counted(limit, "character")))
        }
        ValidationErrorKind::MinItems { limit } => {
            (IssueCode::TooShort, format!("must have at least {}", counted(limit, "item")))
        }
        ValidationErrorKind::MaxItems { limit } => {
            (IssueCode::TooLong, format!("must have at most {}", counted(limit, "item")))
        }
        ValidationErrorKind::Minimum { limit } => (IssueCode::TooSmall, format!("must be at least {limit}")),
        ValidationErrorKind::Maximum { limit } => (IssueCode::TooBig, format!("must be at most {limit}")),
        ValidationErrorKind::ExclusiveMinimum { limit } => {
            (IssueCode::TooSmall, format!("must be greater than {limit}"))
        }
        ValidationErrorKind::ExclusiveMaximum { limit } => {
            (IssueCode::TooBig, format!("must be less than {limit}"))
        }
        _ => return None,
    })
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
mod tests;

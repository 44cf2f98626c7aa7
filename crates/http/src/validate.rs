//! Enforcing a schema: every broken rule of a value, each at its place, in our own words.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{Draft, ValidationError};
use pagesmith_model::{Field, Issue, IssueCode};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use crate::schema;

/// The validators of all body types; each is made when it is first needed.
#[derive(Default)]
pub struct Validators(RwLock<HashMap<TypeId, Arc<Validator>>>);

/// The rules of one body type.
pub(crate) struct Validator {
    rules: Option<jsonschema::Validator>,
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
        let has_no_fields = rules["additionalProperties"] == false && rules["properties"] == json!({});
        let rules =
            jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(true).build(&rules);
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

    /// Every broken rule; none if the value is valid.
    pub(crate) fn issues(&self, value: &Value) -> Vec<Issue> {
        let Some(rules) = &self.rules else {
            return vec![Issue::body(IssueCode::InvalidValue, &[], "The body cannot be checked.")];
        };
        let mut issues: Vec<Issue> = Vec::new();
        if rules.is_valid(value) {
            return issues;
        }
        for issue in rules.iter_errors(value).flat_map(|error| issues_of(&error)) {
            if !issues.contains(&issue) {
                issues.push(issue);
            }
        }
        issues
    }
}

fn issues_of(error: &ValidationError<'_>) -> Vec<Issue> {
    let pointer = error.instance_path().to_string();
    let path: Vec<String> = pointer.split('/').skip(1).map(unescaped).collect();
    let at = |code, rest: Option<&str>, what: &str| {
        let mut path = path.clone();
        path.extend(rest.map(str::to_owned));
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
            let what = if format == "uri" { "must be an absolute URL" } else { "has a wrong form" };
            vec![at(IssueCode::InvalidFormat, None, what)]
        }
        ValidationErrorKind::Pattern { pattern } => {
            vec![at(IssueCode::InvalidFormat, None, &format!("must match {pattern}"))]
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
    options.iter().map(|option| option.as_str().unwrap_or_default()).collect::<Vec<_>>().join(", ")
}

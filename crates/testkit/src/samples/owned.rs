//! One of everything that a tenant can own, and for every operation a request about it.
//!
//! Tests that walk the route table make their requests here, from what each noun's file says and from the examples of the
//! document. A path with an unknown parameter ends the test, so that no operation goes without.

use crate::Client;
use crate::contract::DOCUMENT;
use pagesmith_http::routes::Route;
use serde_json::Value;

use crate::samples::{Id, SAMPLES};

/// One of each noun: the ids, with the parameters that they stand for in paths.
#[derive(Debug, Clone)]
pub struct Owned {
    /// Tells this one from others of the tenant.
    pub number: usize,
    ids: Vec<(&'static str, String)>,
}

fn all_ids() -> impl Iterator<Item = &'static Id> {
    SAMPLES.iter().flat_map(|sample| sample.ids)
}

impl Owned {
    /// Makes one of everything; `number` tells it from others of the tenant.
    pub async fn make(client: &Client, number: usize) -> Owned {
        let mut owned = Owned { number, ids: vec![] };
        for sample in SAMPLES {
            (sample.make)(client, &mut owned).await;
            let missing = sample.ids.iter().find(|id| owned.find(id.parameter).is_none());
            assert!(missing.is_none(), "a sample was made without {missing:?}");
        }
        owned
    }

    /// What the operation before has left, because it only reads; else one of everything is made.
    pub async fn left_or_made(left: &mut Option<Owned>, client: &Client, number: usize) -> Owned {
        match left.take() {
            Some(owned) => owned,
            None => Owned::make(client, number).await,
        }
    }

    /// Ids that look right and that nobody has.
    pub fn nobody() -> Owned {
        let nobody = |id: &Id| (id.parameter, format!("{}_00000000000000000000000000", id.prefix));
        Owned { number: 0, ids: all_ids().map(nobody).collect() }
    }

    /// The same with another's nested ids.
    pub fn with_nested_of(&self, other: &Owned) -> Owned {
        let take = |id: &Id| {
            let from = if id.nested { other } else { self };
            (id.parameter, from.id(id.parameter).to_owned())
        };
        Owned { number: self.number, ids: all_ids().map(take).collect() }
    }

    /// Adds the id that a field of an answer holds.
    pub fn add(&mut self, parameter: &'static str, answer: &Value, field: &str) {
        self.ids.push((parameter, answer[field].as_str().unwrap().to_owned()));
    }

    fn find(&self, parameter: &str) -> Option<&str> {
        self.ids.iter().find(|(known, _)| *known == parameter).map(|(_, id)| id.as_str())
    }

    /// The id that stands for a parameter.
    pub fn id(&self, parameter: &str) -> &str {
        self.find(parameter).unwrap_or_else(|| panic!("no id is known for {parameter}"))
    }

    /// Every id.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.ids.iter().map(|(_, id)| id.as_str())
    }

    /// A path with its parameters filled in.
    pub fn fill(&self, template: &str) -> String {
        let mut path = template.to_owned();
        for (end, parameter, id) in SAMPLES.iter().flat_map(|sample| sample.substitutes) {
            if template.ends_with(end) {
                path = path.replace(parameter, self.id(id));
            }
        }
        for (parameter, id) in &self.ids {
            path = path.replace(parameter, id);
        }
        for (parameter, value) in SAMPLES.iter().flat_map(|sample| sample.constants) {
            path = path.replace(parameter, value);
        }
        assert!(!path.contains('{'), "no value is known for a parameter of {path}");
        path
    }

    /// A body that the route takes: that of the noun's file with the ids filled in, else the document's example with these ids.
    pub fn body(&self, route: &Route) -> Option<Vec<u8>> {
        let fill = |text: String, (parameter, id): &(&str, String)| text.replace(parameter, id);
        match template(route) {
            Some(body) => Some(self.ids.iter().fold(body, fill).into_bytes()),
            None => example(route).map(|body| self.in_place_of_examples(body)),
        }
    }

    /// A body with these ids in the place of those that examples have.
    pub fn in_place_of_examples(&self, body: &Value) -> Vec<u8> {
        let put = |text: String, id: &Id| text.replace(&id_of_examples(id), self.id(id.parameter));
        let body = all_ids().fold(body.to_string(), put);
        // The one example that names two of a kind.
        let other = "person_01jpbz8n4xf5k9w2d7hq3mv6tb";
        body.replace(other, self.id("{other_person_id}")).into_bytes()
    }

    /// Deletes everything that can be deleted.
    pub async fn delete(&self, client: &Client) {
        for template in SAMPLES.iter().rev().flat_map(|sample| sample.deletes) {
            client.delete(&self.fill(template)).await.expect(200);
        }
    }

    /// Everything that a caller can see, and every detail of what is owned here.
    pub async fn everything(&self, client: &Client) -> Vec<Value> {
        let mut seen = Vec::new();
        for template in SAMPLES.iter().flat_map(|sample| sample.reads) {
            seen.push(client.get(&self.fill(template)).await.expect(200).json());
        }
        seen
    }
}

/// Deletes one of a list, if the tenant has as many as it may have but one: a walk over all operations makes one for each, and another
/// one by its operation.
pub async fn make_room(client: &Client, list: &str, id: &str, most: u64) {
    let known = client.get(list).await.expect(200).json();
    let items = known["items"].as_array().unwrap();
    // A list that is not paged says no number.
    let count = known["totalCount"].as_u64().unwrap_or(items.len() as u64);
    if let [.., last] = items.as_slice()
        && count >= most - 1
    {
        client.delete(&format!("{list}/{}", last[id].as_str().unwrap())).await.expect(200);
    }
}

/// Posts what is made, and returns the answer.
pub async fn create(client: &Client, path: &str, body: &Value) -> Value {
    client.post(path, body).await.expect(201).json()
}

/// Whether a path leads to something that a tenant owns.
pub fn is_of_something(route: &Route) -> bool {
    route.path.starts_with("/v0/") && route.path.contains('{')
}

/// Whether a path leads to a noun that is under another one.
pub fn is_nested(route: &Route) -> bool {
    all_ids().any(|id| id.nested && route.path.contains(id.parameter))
}

/// The id that stands for one of its kind in the examples of the document.
fn id_of_examples(id: &Id) -> String {
    format!("{}_01jpbz8n4xf5k9w2d7hq3mv6ta", id.prefix)
}

/// The text of the body that a noun's file has for a route, with parameters for ids.
fn template(route: &Route) -> Option<String> {
    let mut bodies = SAMPLES.iter().flat_map(|sample| sample.bodies);
    bodies.find(|(operation, _)| *operation == route.operation).map(|(_, body)| body().to_string())
}

/// The document's example of the body that a route takes.
fn example(route: &Route) -> Option<&'static Value> {
    let operation = &DOCUMENT["paths"][route.path][route.method.to_lowercase()];
    operation.pointer("/requestBody/content/application~1json/example")
}

/// Whether the body that the route takes names something that the caller owns.
pub fn names_in_body(route: &Route) -> bool {
    match template(route) {
        Some(body) => all_ids().any(|id| body.contains(id.parameter)),
        None => example(route).is_some_and(|body| {
            let body = body.to_string();
            all_ids().any(|id| body.contains(&id_of_examples(id)))
        }),
    }
}

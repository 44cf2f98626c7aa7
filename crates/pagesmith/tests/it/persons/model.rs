//! Any history of persons and their logs is the one that a model in memory tells.
//!
//! The model is the decisions' sentences: an identifier belongs to one living person; who has it is found, by e-mail before profile
//! before phone; a log adds what is missing; deleting frees, restoring takes again. Identifiers come from a small pool, so that they meet.

use pagesmith_testkit::Client;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, Value, json};

use super::{address, id, read};
use crate::property;

/// The identifiers, in the order in which a person is looked for by them.
const FIELDS: [&str; 3] = ["email", "linkedinProfileUrl", "phoneNumber"];

/// What identifiers a request gives: which of each pool.
type Given = [Option<u8>; 3];

#[derive(Debug, Clone)]
enum Step {
    Create(&'static str, Given),
    Log {
        named: Option<Index>,
        given: Given,
    },
    /// For each identifier: untouched, emptied, or another.
    Patch(Index, Option<&'static str>, [Option<Option<u8>>; 3]),
    Delete(Index),
    Restore(Index),
}

#[derive(Debug, Clone)]
struct Known {
    id: String,
    name: String,
    identifiers: [Option<String>; 3],
    deleted: bool,
    entries: usize,
}

struct Model {
    client: Client,
    persons: Vec<Known>,
}

#[test]
fn any_history_is_the_one_that_the_model_tells() {
    property::holds(32, &prop::collection::vec(any_step(), 1..40), async |case, steps| {
        let mut model = Model { client: case.client, persons: vec![] };
        for step in steps {
            model.step(&step).await;
            model.check().await;
        }
    });
}

fn any_step() -> impl Strategy<Value = Step> {
    let pool = || 0..3_u8;
    let given = || prop::array::uniform3(prop::option::of(pool()));
    let changes = prop::array::uniform3(prop::option::weighted(0.4, prop::option::weighted(0.7, pool())));
    prop_oneof![
        3 => (any_name(), given()).prop_map(|(name, given)| Step::Create(name, given)),
        4 => (prop::option::weighted(0.3, any::<Index>()), given()).prop_map(|(named, given)| Step::Log { named, given }),
        3 => (any::<Index>(), prop::option::of(any_name()), changes)
            .prop_map(|(at, name, changes)| Step::Patch(at, name, changes)),
        2 => any::<Index>().prop_map(Step::Delete),
        2 => any::<Index>().prop_map(Step::Restore),
    ]
}

fn any_name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["Jane", "Joe", "Zoë"])
}

/// The identifier of a field's pool, in its normal form.
fn identifier(field: usize, number: u8) -> String {
    match field {
        0 => format!("p{number}@c{number}.example"),
        1 => format!("https://www.linkedin.com/in/p{number}"),
        _ => format!("+1{number}"),
    }
}

fn texts(given: &Given) -> [Option<String>; 3] {
    std::array::from_fn(|field| given[field].map(|number| identifier(field, number)))
}

impl Model {
    async fn step(&mut self, step: &Step) {
        match step {
            Step::Create(name, given) => self.create(name, &texts(given)).await,
            Step::Log { named, given } => {
                let named = named.filter(|_| !self.persons.is_empty()).map(|at| at.index(self.persons.len()));
                self.log(named, &texts(given)).await;
            }
            _ if self.persons.is_empty() => {}
            Step::Patch(at, name, changes) => self.patch(at.index(self.persons.len()), *name, changes).await,
            Step::Delete(at) => {
                let person = at.get_mut(&mut self.persons);
                self.client.delete(&format!("/v0/persons/{}", person.id)).await.expect(200);
                person.deleted = true;
            }
            Step::Restore(at) => self.restore(at.index(self.persons.len())).await,
        }
    }

    /// The living persons who have one of the identifiers, each with the field.
    fn owners(&self, given: &[Option<String>; 3]) -> Vec<(usize, usize)> {
        let living = |field: usize| {
            let has = |person: &Known| !person.deleted && person.identifiers[field] == given[field];
            given[field].as_ref().and_then(|_| self.persons.iter().position(has))
        };
        (0..3).filter_map(|field| Some((field, living(field)?))).collect()
    }

    /// The one who has them all, or what a conflict says.
    fn the_one(&self, given: &[Option<String>; 3], named: Option<usize>) -> Result<Option<usize>, Value> {
        let owners = self.owners(given);
        let first = named.or(owners.first().map(|(_, owner)| *owner));
        if owners.iter().all(|(_, owner)| Some(*owner) == first) {
            return Ok(first);
        }
        let foreign = owners.iter().filter(|(_, owner)| Some(*owner) != named);
        Err(foreign
            .map(|(field, owner)| json!({ "field": FIELDS[*field], "personId": self.persons[*owner].id }))
            .collect())
    }

    async fn create(&mut self, name: &str, given: &[Option<String>; 3]) {
        let answer = self.client.post("/v0/persons", &body(json!({ "name": name }), given)).await;
        match self.the_one(given, None) {
            Err(conflicts) => assert_eq!(answer.expect(409).json()["details"]["conflicts"], conflicts),
            Ok(None) => self.add(id(&answer.expect(201).json()), name, given, 0),
            Ok(Some(at)) => {
                let person = &mut self.persons[at];
                assert_eq!(id(&answer.expect(200).json()), person.id);
                name.clone_into(&mut person.name);
                for (kept, given) in person.identifiers.iter_mut().zip(given) {
                    *kept = given.clone().or(kept.take());
                }
            }
        }
    }

    async fn log(&mut self, named: Option<usize>, given: &[Option<String>; 3]) {
        let mut fields = json!({ "source": "crm", "name": "Jim" });
        if let Some(at) = named {
            fields["personId"] = self.persons[at].id.as_str().into();
        }
        let answer = self.client.post("/v0/person_logs", &body(fields, given)).await;
        let nobody = named.is_none() && given.iter().all(Option::is_none);
        if nobody || named.is_some_and(|at| self.persons[at].deleted) {
            answer.expect(400);
            return;
        }
        let found = match self.the_one(given, named) {
            Ok(found) => found,
            Err(conflicts) => {
                assert_eq!(answer.expect(409).json()["details"]["conflicts"], conflicts);
                return;
            }
        };
        let written = answer.expect(201).json();
        assert_eq!(written["createdPerson"], found.is_none());
        let Some(at) = found else { return self.add(id(&written), "Jim", given, 1) };
        let person = &mut self.persons[at];
        assert_eq!(id(&written), person.id);
        person.entries += 1;
        for (kept, given) in person.identifiers.iter_mut().zip(given) {
            *kept = kept.take().or(given.clone());
        }
    }

    async fn patch(&mut self, at: usize, name: Option<&str>, changes: &[Option<Option<u8>>; 3]) {
        let mut patch = Map::new();
        patch.extend(name.map(|name| ("name".to_owned(), json!(name))));
        for (field, change) in changes.iter().enumerate() {
            let value = change.map(|number| json!(number.map(|number| identifier(field, number))));
            patch.extend(value.map(|value| (FIELDS[field].to_owned(), value)));
        }
        let address = format!("/v0/persons/{}", self.persons[at].id);
        let answer = self.client.patch(&address, &Value::Object(patch)).await;
        if self.persons[at].deleted {
            answer.expect(404);
            return;
        }
        if let Err(conflicts) = self.the_one(&texts(&changes.map(Option::flatten)), Some(at)) {
            assert_eq!(answer.expect(409).json()["details"]["conflicts"], conflicts);
            return;
        }
        answer.expect(200);
        let person = &mut self.persons[at];
        if let Some(name) = name {
            name.clone_into(&mut person.name);
        }
        for (field, change) in changes.iter().enumerate() {
            if let Some(number) = change {
                person.identifiers[field] = number.map(|number| identifier(field, number));
            }
        }
    }

    async fn restore(&mut self, at: usize) {
        let path = format!("/v0/persons/{}/restore", self.persons[at].id);
        let answer = self.client.post(&path, &json!({})).await;
        let conflict = if self.persons[at].deleted {
            self.the_one(&self.persons[at].identifiers, Some(at)).err()
        } else {
            None
        };
        match conflict {
            Some(conflicts) => assert_eq!(answer.expect(409).json()["details"]["conflicts"], conflicts),
            None => {
                answer.expect(200);
                self.persons[at].deleted = false;
            }
        }
    }

    fn add(&mut self, id: &str, name: &str, given: &[Option<String>; 3], entries: usize) {
        let (id, name) = (id.to_owned(), name.to_owned());
        self.persons.push(Known { id, name, identifiers: given.clone(), deleted: false, entries });
    }

    /// The list shows exactly the living ones, each as the model has it.
    async fn check(&self) {
        let list = self.client.get("/v0/persons?limit=100").await.expect(200).json();
        let living: Vec<&Known> = self.persons.iter().rev().filter(|person| !person.deleted).collect();
        assert_eq!(list["totalCount"], living.len());
        let items = list["items"].as_array().unwrap();
        assert_eq!(items.len(), living.len());
        for (shown, known) in items.iter().zip(&living) {
            assert_eq!((id(shown), &shown["name"]), (known.id.as_str(), &json!(known.name)));
            for (field, identifier) in FIELDS.iter().zip(&known.identifiers) {
                assert_eq!(shown[field], json!(identifier), "{field} of {known:?}");
            }
        }
        if let (Some(shown), Some(known)) = (items.first(), living.first()) {
            assert_eq!(&read(&self.client, shown).await, shown);
            let log = self.client.get(&format!("{}/logs?limit=1", address(shown))).await.expect(200).json();
            assert_eq!(log["totalCount"], known.entries);
        }
        for gone in self.persons.iter().filter(|person| person.deleted) {
            self.client.get(&format!("/v0/persons/{}", gone.id)).await.expect(404);
        }
        let accounts = super::accounts(&self.client).await;
        assert!(accounts.len() <= 3, "{accounts:?}");
    }
}

/// The fields with the identifiers that are given.
fn body(mut fields: Value, given: &[Option<String>; 3]) -> Value {
    for (field, identifier) in FIELDS.iter().zip(given) {
        if let Some(identifier) = identifier {
            fields[field] = identifier.as_str().into();
        }
    }
    fields
}

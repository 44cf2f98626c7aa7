//! Persons in memory, found by their identifiers: what an import knows of the rows that it is at.
//!
//! Invariant: an identifier leads to the person who has it now, not to one that had it before.

use std::collections::HashMap;

use pagesmith_model::PersonId;
use pagesmith_model::email::EmailAddress;
use pagesmith_model::linkedin::LinkedinProfile;
use pagesmith_model::person::{Identifiers, Person};
use pagesmith_model::phone::PhoneNumber;

/// The persons.
#[derive(Debug, Default)]
pub struct KnownPersons {
    persons: HashMap<PersonId, Person>,
    by_email: HashMap<EmailAddress, PersonId>,
    by_linkedin: HashMap<LinkedinProfile, PersonId>,
    by_phone: HashMap<PhoneNumber, PersonId>,
}

impl KnownPersons {
    /// Adds persons as they are kept, except those that are known: here they may have moved on.
    pub(crate) fn add(&mut self, found: Vec<Person>) {
        for person in found {
            if !self.persons.contains_key(&person.person_id) {
                self.put(person);
            }
        }
    }

    /// Keeps what a person is now.
    pub(crate) fn put(&mut self, person: Person) {
        let id = &person.person_id;
        if let Some(old) = self.persons.get(id) {
            let old = &old.identifiers;
            old.email.as_ref().map(|email| self.by_email.remove(email));
            old.linkedin_profile_url.as_ref().map(|profile| self.by_linkedin.remove(profile));
            old.phone_number.as_ref().map(|phone| self.by_phone.remove(phone));
        }
        let Identifiers { email, linkedin_profile_url, phone_number } = person.identifiers.clone();
        email.map(|email| self.by_email.insert(email, id.clone()));
        linkedin_profile_url.map(|profile| self.by_linkedin.insert(profile, id.clone()));
        phone_number.map(|phone| self.by_phone.insert(phone, id.clone()));
        self.persons.insert(id.clone(), person);
    }

    /// The person.
    pub(crate) fn get(&self, person_id: &PersonId) -> Option<&Person> {
        self.persons.get(person_id)
    }

    /// Who has which of the identifiers; the first is the one to be found.
    pub(crate) fn owners(&self, identifiers: &Identifiers) -> Vec<(&'static str, PersonId)> {
        let email = identifiers.email.as_ref().and_then(|email| self.by_email.get(email));
        let profile = identifiers.linkedin_profile_url.as_ref();
        let profile = profile.and_then(|profile| self.by_linkedin.get(profile));
        let phone = identifiers.phone_number.as_ref().and_then(|phone| self.by_phone.get(phone));
        let owners =
            [("the e-mail address", email), ("the LinkedIn profile", profile), ("the phone number", phone)];
        owners.into_iter().filter_map(|(field, owner)| Some((field, owner?.clone()))).collect()
    }
}

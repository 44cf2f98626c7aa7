//! Persons made many at a time in one transaction.
//!
//! Which of their slugs are taken and which of their companies have accounts is asked once for all, and they are written
//! in bulk, some later than [`Creation::add`] answers: whoever writes anything else in between lets this [`Creation::pause`] first.
//! Invariant: what is kept is what [`find_or_create::create`] would have kept, one after the other.

use std::collections::{HashMap, HashSet};

use pagesmith_model::account::Account;
use pagesmith_model::domain::Domain;
use pagesmith_model::person::Person;
use pagesmith_model::{AccountId, Error, Result, slug};
use pagesmith_store::tables::{self, counters, person_index, persons as table};
use pagesmith_store::{Tx, fault};

use crate::accounts;
use crate::context::TenantContext;
use crate::persons;
use crate::persons::find_or_create::{self, PersonDraft};
use crate::retired_slugs;

/// See the file.
#[derive(Debug)]
pub(super) struct Creation {
    /// The accounts of companies; `None` where there is none.
    accounts: HashMap<Domain, Option<AccountId>>,
    /// Slugs that were asked about, and whether they are somebody's.
    slugs: HashMap<String, bool>,
    /// Whether anyone of the tenant was ever erased: slugs of such people are nobody's and yet taken.
    has_retired_slugs: bool,
    new_accounts: Vec<Account>,
    new_persons: Vec<Person>,
    made: i64,
}

impl Creation {
    /// Gets ready to make these.
    pub(super) fn expecting(
        tx: &mut Tx<'_>,
        ctx: &TenantContext,
        strangers: &[PersonDraft],
    ) -> Result<Creation> {
        let wished: HashSet<String> =
            strangers.iter().map(|draft| find_or_create::slug_of(&draft.name)).collect();
        let companies: HashSet<Domain> = strangers.iter().filter_map(PersonDraft::company).collect();
        let (mut wished, mut companies): (Vec<_>, Vec<_>) =
            (wished.into_iter().collect(), companies.into_iter().collect());
        wished.sort_unstable();
        companies.sort_unstable();
        let taken = tables::persons::bulk::slugs(tx, &ctx.tenant, &wished)?;
        let mut slugs: HashMap<String, bool> = wished.into_iter().map(|slug| (slug, false)).collect();
        slugs.extend(taken.into_iter().map(|slug| (slug, true)));
        let found = tables::persons::bulk::accounts(tx, &ctx.tenant, &companies)?;
        let mut known: HashMap<_, _> = companies.into_iter().map(|domain| (domain, None)).collect();
        for account in found {
            if account.is_empty {
                // Whoever joins it looks for it.
                known.remove(&account.domain);
            } else {
                known.insert(account.domain, Some(account.account_id));
            }
        }
        let has_retired_slugs = table::has_retired_slugs(tx, &ctx.tenant)?;
        if has_retired_slugs {
            let free = slugs.iter().filter(|(_, taken)| !**taken);
            let digests: HashMap<_, _> = free
                .map(|(slug, _)| Ok((retired_slugs::slug_digest(ctx, slug)?, slug.clone())))
                .collect::<Result<_>>()?;
            let asked: Vec<_> = digests.keys().copied().collect();
            for digest in tables::persons::bulk::retired_slugs(tx, &ctx.tenant, &asked)? {
                let slug = digests.get(digest.as_slice()).cloned();
                slugs.extend(slug.map(|slug| (slug, true)));
            }
        }
        let (new_accounts, new_persons) = (Vec::new(), Vec::with_capacity(strangers.len()));
        Ok(Creation { accounts: known, slugs, has_retired_slugs, new_accounts, new_persons, made: 0 })
    }

    /// Makes one.
    pub(super) fn add(&mut self, tx: &mut Tx<'_>, ctx: &TenantContext, draft: PersonDraft) -> Result<Person> {
        self.made += 1;
        let account_id = self.account_of(tx, ctx, &draft)?;
        let mut person = find_or_create::person_of(ctx, draft, account_id)?;
        // A slug that was not asked about, or whose end no erased person may have had: one after the other.
        if self.slugs.get(&person.slug).is_none_or(|taken| *taken && self.has_retired_slugs) {
            self.write(tx, ctx)?;
            person = find_or_create::insert(tx, ctx, person, None)?;
            let texts = [(person.person_id.clone(), person.searched())];
            person_index::texts::insert_many(tx, &ctx.tenant, &texts)?;
            self.slugs.insert(person.slug.clone(), true);
            return Ok(person);
        }
        let mut wished = slug::wished(&person.slug, person.person_id.as_str()).into_iter();
        let is_free = |slug: &String| self.slugs.get(slug).is_none_or(|taken| !taken);
        person.slug = wished.find(is_free).ok_or_else(|| Error::internal("no free slug"))?;
        self.slugs.insert(person.slug.clone(), true);
        self.new_persons.push(person.clone());
        Ok(person)
    }

    fn account_of(
        &mut self,
        tx: &mut Tx<'_>,
        ctx: &TenantContext,
        draft: &PersonDraft,
    ) -> Result<Option<AccountId>> {
        let Some(company) = draft.company() else { return Ok(None) };
        let account_id = match self.accounts.get(&company) {
            Some(Some(account_id)) => return Ok(Some(account_id.clone())),
            Some(None) => {
                let account = accounts::new(ctx, &company, None, false)?;
                let account_id = account.account_id.clone();
                self.new_accounts.push(account);
                account_id
            }
            None => {
                self.write(tx, ctx)?;
                persons::account_of(tx, ctx, Some(&company))?
                    .ok_or_else(|| Error::internal("a company without an account"))?
            }
        };
        self.accounts.insert(company, Some(account_id.clone()));
        Ok(Some(account_id))
    }

    /// Writes what waits before a person is changed, unless the change has nothing to do with it. Of a move to another company it lets
    /// go of both accounts: the one that is left may be empty then, and the other one is made if there is none.
    pub(super) fn pause(
        &mut self,
        tx: &mut Tx<'_>,
        ctx: &TenantContext,
        old: &Person,
        new: &Person,
    ) -> Result<()> {
        let [left, joined] =
            [&old.domain, &new.domain].map(|domain| domain.as_ref().and_then(accounts::company_of));
        // Ids rise: nobody who is older than the first that waits does.
        let may_wait = self.new_persons.first().is_some_and(|first| old.person_id >= first.person_id);
        if may_wait || left != joined {
            self.write(tx, ctx)?;
        }
        if left != joined {
            [left, joined].into_iter().flatten().for_each(|company| drop(self.accounts.remove(&company)));
        }
        Ok(())
    }

    /// Writes the rest and counts all.
    pub(super) fn finish(mut self, tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<()> {
        self.write(tx, ctx)?;
        if self.made > 0 {
            let shard = tx.shard();
            tx.all(counters::add(&ctx.tenant, counters::PERSONS, shard, self.made))?;
        }
        Ok(())
    }

    fn write(&mut self, tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<()> {
        if !self.new_accounts.is_empty() {
            accounts::insert(tx, ctx, &self.new_accounts)?;
            self.new_accounts.clear();
        }
        let namesakes: Vec<String> = self.new_persons.iter().filter_map(suffixed).cloned().collect();
        if !namesakes.is_empty() {
            let taken = tables::persons::bulk::slugs(tx, &ctx.tenant, &namesakes)?.into_iter().collect();
            give_way(&mut self.new_persons, &taken);
        }
        let texts: Vec<_> =
            self.new_persons.iter().map(|person| (person.person_id.clone(), person.searched())).collect();
        // Addresses and profiles often begin as the slug does: in this order neighbours of the indexes are written one after the other.
        self.new_persons.sort_unstable_by(|a, b| a.slug.cmp(&b.slug));
        if table::insert(tx, &ctx.tenant, &self.new_persons)? < self.new_persons.len() as u64 {
            return Err(fault::retry("another transaction has taken a slug"));
        }
        self.new_persons.clear();
        person_index::texts::insert_many(tx, &ctx.tenant, &texts)
    }
}

/// The slug of somebody who has another one than the name alone.
fn suffixed(person: &Person) -> Option<&String> {
    Some(&person.slug).filter(|slug| **slug != find_or_create::slug_of(&person.name))
}

/// Gives the longest slug to those whose suffix somebody else has: among many namesakes the ends of two ids may be the same.
fn give_way(new: &mut [Person], taken: &HashSet<String>) {
    for person in new {
        if suffixed(person).is_some_and(|slug| taken.contains(slug)) {
            person.slug =
                slug::with_long_suffix(&find_or_create::slug_of(&person.name), person.person_id.as_str());
        }
    }
}

#[cfg(test)]
mod tests {
    use pagesmith_model::person::Identifiers;
    use pagesmith_model::{PersonId, Timestamp};

    use super::*;

    fn person(name: &str, slug: &str) -> Person {
        let now = Timestamp::from_micros(1);
        Person {
            person_id: PersonId::parse("person_01h2xcejqtf2nbrexx3vqjhp41").unwrap(),
            name: name.to_owned(),
            identifiers: Identifiers::default(),
            domain: None,
            slug: slug.to_owned(),
            context: None,
            account_id: None,
            created_at: now,
            updated_at: now,
            deleted_at: None,
        }
    }

    #[test]
    fn of_two_namesakes_with_one_suffix_the_later_gets_a_longer_one() {
        let mut new = [person("Ann", "ann"), person("Ann", "ann-hp41"), person("Bo", "bo-hp41")];
        give_way(&mut new, &["ann", "ann-hp41"].map(str::to_owned).into());
        let slugs = new.map(|person| person.slug);
        assert_eq!([&slugs[0], &slugs[2]], ["ann", "bo-hp41"], "others keep theirs");
        assert!(slugs[1].starts_with("ann-") && slugs[1].len() > "ann-hp41".len(), "{}", slugs[1]);
    }
}

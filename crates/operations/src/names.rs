//! What things are called that are known by their ids.

use std::collections::HashMap;

use pagesmith_model::{Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::audiences::names::Named;
use pagesmith_store::tables::{audiences, forms, pages};

/// Ids, whatever texts those are.
#[derive(Debug, Clone, Default)]
pub struct Ids {
    /// Of pages.
    pub pages: Vec<String>,
    /// Of audiences.
    pub audiences: Vec<String>,
    /// Of forms.
    pub forms: Vec<String>,
}

/// The names of what is there and not deleted, by id.
#[derive(Debug, Default)]
pub struct Names {
    /// Of pages.
    pub pages: HashMap<String, String>,
    /// Of audiences that are not archived, with their pages.
    pub audiences: HashMap<String, Named>,
    /// Of forms.
    pub forms: HashMap<String, String>,
}

/// Reads them. Audiences of persons are among them if `shows_persons`, since their names are those of the persons.
pub fn of(tx: &mut Tx<'_>, tenant: &TenantId, ids: &Ids, shows_persons: bool) -> Result<Names> {
    let mut names = Names::default();
    for (id, name) in pages::names::of(tx, tenant, &distinct(&ids.pages))? {
        names.pages.insert(id.to_string(), name);
    }
    for named in audiences::names::of(tx, tenant, &distinct(&ids.audiences), shows_persons)? {
        names.audiences.insert(named.audience_id.to_string(), named);
    }
    for form in forms::find_many(tx, tenant, &distinct(&ids.forms))? {
        names.forms.insert(form.form_id.to_string(), form.name);
    }
    Ok(names)
}

fn distinct(ids: &[String]) -> Vec<&str> {
    let mut ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

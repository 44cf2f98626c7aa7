//! Every column that may hold data about a person: one list, which exporting and erasing walk.
//!
//! Each column of text or bytes is in it once, with what becomes of it; a test compares it with the schema, so that a new one cannot be
//! forgotten. What is a person's own is handed out and removed whole. Where somebody else's row may name the person, [`TEXT_COLUMNS`] are
//! walked in short transactions: what is found is handed out, or taken out of the text. Invariant: running it again does no harm,
//! so that it may be ended anywhere.

use pagesmith_model::hexadecimal::hexadecimal;
use pagesmith_model::redaction::{ERASED, Sought};
use pagesmith_model::webhook::Attempt;
use pagesmith_model::{Error, PersonId, Result, TenantId};
use pagesmith_store::tables::personal_data::{Form, TextRow};
use pagesmith_store::tables::{audiences, persons};
use pagesmith_store::{Extent, Tx, Value, overwrite_deleted};
use serde::Serialize;
use serde_json::json;

use crate::audit;
use crate::context::TenantContext;
use crate::retired_slugs::slug_digest;

mod tables;

pub use pagesmith_store::tables::personal_data::{TEXT_COLUMNS, TextColumns};
pub use tables::{ErasureRule, TABLES};

/// How much is looked at in one transaction.
pub const STEP: Extent = Extent { items: 100, bytes: 4 * 1024 * 1024 };

/// What replaces a label, or the beginning of an address, that named the person.
const LABEL: &str = "erased";

/// A text of somebody else's that names the person.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Mention {
    /// The table.
    table: &'static str,
    /// The rest of the row's key.
    key: Vec<serde_json::Value>,
    /// The column.
    column: &'static str,
    /// What it holds.
    text: String,
}

/// Whom a walk is about.
#[derive(Debug, Clone)]
pub struct Search {
    sought: Sought,
    /// The ids of what is the person's own and not looked through.
    own: Vec<String>,
}

impl Search {
    /// For this person, who must not have been erased.
    pub fn of(tx: &mut Tx<'_>, tenant: &TenantId, person_id: &PersonId) -> Result<Search> {
        let person = persons::find(tx, tenant, person_id)?;
        let person = person.ok_or_else(|| Error::not_found(PersonId::NOUN))?;
        let mut own = vec![person_id.to_string()];
        for (_, audience_id) in audiences::ids_of_person(tx, tenant, person_id)? {
            own.push(audience_id.into_string());
        }
        Ok(Search { sought: Sought::of(&person), own })
    }

    fn is_own(&self, row: &TextRow) -> bool {
        row.key.iter().any(|part| matches!(part, Value::Text(text) if self.own.contains(text)))
    }

    fn finds(&self, form: Form, text: &str) -> bool {
        match form {
            Form::Json | Form::Attempt => self.sought.redact_json(text).is_some(),
            Form::Text | Form::Key | Form::Label | Form::Slug => self.sought.redact(text).is_some(),
        }
    }

    /// The text without the person, if the person is in it.
    fn without(&self, ctx: &TenantContext, form: Form, text: &str) -> Result<Option<String>> {
        if !self.finds(form, text) {
            return Ok(None);
        }
        match form {
            Form::Text => Ok(self.sought.redact(text)),
            Form::Json => Ok(self.sought.redact_json(text)),
            // It names its entry, and two names must stay two.
            Form::Key => audit::digest_of(ctx, "erased idempotency key", text).map(Some),
            Form::Label => Ok(Some(LABEL.to_owned())),
            Form::Slug => {
                let digest = audit::digest_of(ctx, "erased address", text)?;
                Ok(Some(format!("{LABEL}-{}", &digest[..20])))
            }
            Form::Attempt => {
                let attempt: Attempt = serde_json::from_str(text).map_err(Error::internal)?;
                // Whatever the receiver said of the person goes, not the name alone.
                let attempt = Attempt { response: None, ..attempt };
                let text = serde_json::to_string(&attempt).map_err(Error::internal)?;
                Ok(Some(self.sought.redact_json(&text).unwrap_or(text)))
            }
        }
    }
}

/// One step of a walk: what was found, and behind which key the next step begins.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Step {
    /// What was found.
    pub mentions: Vec<Mention>,
    /// Where the walk goes on; nothing: it is through.
    pub next: Option<Vec<Value>>,
}

/// Looks for the person in some rows.
pub fn look(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    columns: &TextColumns,
    after: Option<&[Value]>,
    search: &Search,
) -> Result<Step> {
    let part = columns.list(tx, tenant, after, STEP)?;
    let last = part.items.last().filter(|_| part.more);
    let mut step = Step { next: last.map(|row| row.key.clone()), ..Step::default() };
    for row in part.items.into_iter().filter(|row| !search.is_own(row)) {
        for ((column, form), text) in columns.columns.iter().zip(row.texts) {
            if let Some(text) = text.filter(|text| search.finds(*form, text)) {
                let key = row.key.iter().map(shown).collect();
                step.mentions.push(Mention { table: columns.table, key, column, text });
            }
        }
    }
    Ok(step)
}

/// Takes the person out of the same rows.
pub fn redact(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    columns: &TextColumns,
    after: Option<&[Value]>,
    search: &Search,
) -> Result<()> {
    overwrite_deleted(tx)?;
    for mut row in columns.list(tx, &ctx.tenant, after, STEP)?.items {
        if search.is_own(&row) {
            continue;
        }
        let (mut is_changed, mut retired) = (false, Vec::new());
        for ((_, form), text) in columns.columns.iter().zip(&mut row.texts) {
            let without = text.as_deref().map(|text| search.without(ctx, *form, text)).transpose()?;
            if let Some(without) = without.flatten() {
                let before = text.replace(without).unwrap_or_default();
                if *form == Form::Slug {
                    retired.push(persons::retire_slug(&ctx.tenant, &slug_digest(ctx, &before)?));
                }
                is_changed = true;
            }
        }
        tx.batch(retired)?;
        if is_changed {
            columns.update(tx, &ctx.tenant, &row)?;
        }
    }
    Ok(())
}

fn shown(part: &Value) -> serde_json::Value {
    match part {
        Value::Text(text) => json!(text),
        Value::Int(number) => json!(number),
        Value::Bytes(bytes) => json!(hexadecimal(bytes)),
        _ => json!(ERASED),
    }
}

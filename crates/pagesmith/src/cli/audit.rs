//! `audit list`: what operators and keys have changed or taken out, newest first.
//!
//! Entries name things by their ids. Of a person who was exported or erased they hold a digest, which shows nothing by itself.

use std::time::Duration;

use clap::Subcommand;
use pagesmith_model::actor::Actor;
use pagesmith_model::duration::parse_duration;
use pagesmith_model::{RequestId, TenantId, Timestamp};
use pagesmith_operations::tenants;
use pagesmith_store::tables::audit::{self, AuditEntry, Filter};
use pagesmith_store::{Extent, Store};
use serde_json::{Value, json};

use super::output;
use super::session::Session;
use crate::failure::Result;

/// How many entries are read at once.
const STEP: Extent = Extent { items: 500, bytes: usize::MAX };

/// What can be done with the audit.
#[derive(Subcommand)]
pub enum Command {
    /// List the entries, newest first.
    List {
        /// Only entries of this tenant (id or slug).
        #[arg(long)]
        tenant: Option<String>,
        /// Only entries newer than this, such as 7d.
        #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
        since: Option<Duration>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

/// Does it.
pub fn run(session: &Session, command: Command) -> Result<()> {
    let Command::List { tenant, since, json } = command;
    let now = session.context().now;
    let since = since.map(|since| now.minus(since));
    session.with_store(async move |store| {
        let tenant = match tenant {
            Some(tenant) => Some(store.read(move |tx| tenants::find(tx, &tenant)).await?.tenant_id),
            None => None,
        };
        let entries = entries(store, tenant.as_ref(), since).await?;
        if json {
            return output::json(&entries.iter().map(to_json).collect());
        }
        let rows: Vec<_> = entries.iter().map(row).collect();
        output::table(["ID", "TIME", "ACTION", "ACTOR", "TENANT", "SUBJECT"], &rows)
    })
}

/// The entries of a tenant, or of all, back to an instant.
async fn entries(
    store: &Store,
    tenant: Option<&TenantId>,
    since: Option<Timestamp>,
) -> Result<Vec<AuditEntry>> {
    let mut found: Vec<AuditEntry> = Vec::new();
    loop {
        let after = found.last().map(|entry| entry.audit_entry_id.clone());
        let tenant = tenant.cloned();
        let part = store
            .read(move |tx| match &tenant {
                Some(tenant) => {
                    let filter = Filter { before: after.clone(), ..Filter::default() };
                    Ok(audit::list(tx, tenant, &filter, STEP)?.0.items)
                }
                None => Ok(audit::list_all(tx, after.as_ref(), STEP)?.items),
            })
            .await?;
        let before = found.len();
        found
            .extend(part.into_iter().take_while(|entry| since.is_none_or(|since| entry.created_at >= since)));
        if found.len() == before {
            return Ok(found);
        }
    }
}

fn actor(entry: &AuditEntry) -> String {
    entry.actor.as_ref().map(Actor::to_stored).unwrap_or_default()
}

fn row(entry: &AuditEntry) -> [String; 6] {
    [
        entry.audit_entry_id.to_string(),
        entry.created_at.to_string(),
        entry.action.clone(),
        actor(entry),
        entry.tenant.as_ref().map(ToString::to_string).unwrap_or_default(),
        entry.subject.clone(),
    ]
}

fn to_json(entry: &AuditEntry) -> Value {
    json!({
        "auditEntryId": entry.audit_entry_id.as_str(),
        "tenantId": entry.tenant.as_ref().map(TenantId::as_str),
        "action": entry.action,
        "actor": entry.actor.as_ref().map(Actor::to_stored),
        "subject": entry.subject,
        "requestId": entry.request_id.as_ref().map(RequestId::as_str),
        "createdAt": entry.created_at.to_string(),
    })
}

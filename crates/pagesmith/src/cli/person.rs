//! `person export` and `person erase`: what data protection asks of an operator.
//!
//! An id stands for one person of one tenant, so the tenant need not be named; if it is, the person must be its own. Erasing
//! cannot be taken back and therefore asks first.

use std::io::{BufRead, IsTerminal, Write, stderr, stdin};

use clap::Subcommand;
use pagesmith_model::{PersonId, TenantId};
use pagesmith_operations::persons::export;
use pagesmith_operations::subject_requests;
use pagesmith_operations::tenants;
use pagesmith_store::Store;

use super::output;
use super::session::Session;
use crate::failure::{Failure, Result};

/// What can be done for a person.
#[derive(Subcommand)]
pub enum Command {
    /// Print all data about a person as JSON: the log with deleted entries, personal pages, and texts of others that
    /// mention the person.
    Export {
        /// The person's id.
        #[arg(value_parser = parse_id)]
        id: PersonId,
        /// Only if the person belongs to this tenant (id or slug).
        #[arg(long)]
        tenant: Option<String>,
    },
    /// Erase a person permanently and redact the person's name and identifiers in texts of others; if interrupted, the person is
    /// deleted, and running the command again completes the erasure.
    Erase {
        /// The person's id.
        #[arg(value_parser = parse_id)]
        id: PersonId,
        /// Only if the person belongs to this tenant (id or slug).
        #[arg(long)]
        tenant: Option<String>,
        /// Do not ask for confirmation.
        #[arg(long)]
        yes: bool,
        /// Rewrite the whole embedded database file, so that no free page keeps old data; writes wait meanwhile.
        #[arg(long)]
        rewrite: bool,
    },
}

fn parse_id(text: &str) -> Result<PersonId, String> {
    PersonId::parse(text).ok_or_else(|| "it is not the id of a person, which begins with person_; `pagesmith export persons --format jsonl` shows them".to_owned())
}

/// Does it.
pub fn run(session: &Session, command: Command) -> Result<()> {
    match command {
        Command::Export { id, tenant } => session.with_store(async move |store| {
            store.schema_state().await?.refuse_newer()?;
            let platform = session.platform(store).await?;
            let tenant = tenant_of(store, tenant).await?;
            let context = platform.context().by(session.operator());
            let held = subject_requests::export(store, &context, tenant.as_ref(), &id).await?;
            let text =
                serde_json::to_string_pretty(&held).map_err(|error| Failure::new(error.to_string()))?;
            output::line(&text)
        }),
        Command::Erase { id, tenant, yes, rewrite } => session.with_store(async move |store| {
            store.schema_state().await?.refuse_newer()?;
            let platform = session.platform(store).await?;
            let (wanted, tenant) = (id.clone(), tenant_of(store, tenant).await?);
            let (tenant, person) = store.read(move |tx| export::find(tx, tenant.as_ref(), &wanted)).await?;
            if !yes && !confirmed(&id, &person.name)? {
                return Err(Failure::new("nothing was erased"));
            }
            let context = platform.context().by(session.operator()).of(tenant);
            let entry = subject_requests::erase(store, &context, &id).await?;
            output::line(&format!("erased {id}"))?;
            output::line(&format!("the entry of the audit: {entry}"))?;
            let emptied = if rewrite { store.rewrite().await? } else { store.empty_journal().await? };
            if emptied {
                return Ok(());
            }
            output::line("the journal of the database is in use and holds old pages until it is written over")
        }),
    }
}

async fn tenant_of(store: &Store, tenant: Option<String>) -> Result<Option<TenantId>> {
    let Some(tenant) = tenant else { return Ok(None) };
    Ok(Some(store.read(move |tx| tenants::find(tx, &tenant)).await?.tenant_id))
}

/// Asks whoever sits at the terminal.
fn confirmed(id: &PersonId, name: &str) -> Result<bool> {
    if !stdin().is_terminal() || !stderr().is_terminal() {
        return Err(Failure::new(
            "erasing cannot be taken back, and there is no terminal to ask at: say --yes",
        ));
    }
    let name = output::escape(name);
    write!(stderr(), "Erase {id} ({name}) and its log for good? Type yes: ")?;
    stderr().flush()?;
    let mut answer = String::new();
    stdin().lock().read_line(&mut answer)?;
    Ok(answer.trim() == "yes")
}

//! `tenant create`, `list`, `update`, `suspend`, `resume`, `agent`, `usage`.
//!
//! A tenant is named by its id or its slug. Suspending one refuses its keys on every server within seconds and deletes
//! nothing.

use clap::{ArgGroup, Subcommand};
use pagesmith_model::tenant::Tenant;
use pagesmith_operations::tenants::{self, NewTenant, TenantChange};
use serde_json::{Value, json};

use super::session::Session;
use super::{agent, output};
use crate::failure::Result;

/// What can be done with tenants.
#[derive(Subcommand)]
pub enum Command {
    /// Create a tenant.
    Create {
        /// Its name.
        name: String,
        /// Its label in host names; by default derived from the name.
        #[arg(long)]
        slug: Option<String>,
        /// The country of phone numbers without a country code in imports: two letters, such as DE.
        #[arg(long)]
        region: Option<String>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// List all tenants.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Change a tenant's name or region; its slug cannot change, because its pages' URLs contain it.
    #[command(group = ArgGroup::new("change").args(["name", "region"]).required(true).multiple(true))]
    Update {
        /// Its id or slug.
        tenant: String,
        /// Its new name.
        #[arg(long)]
        name: Option<String>,
        /// The country of phone numbers without a country code in imports: two letters, such as DE; '' for none.
        #[arg(long)]
        region: Option<String>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Suspend a tenant: refuse its keys and hide its pages.
    Suspend {
        /// Its id or slug.
        tenant: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Resume a suspended tenant.
    Resume {
        /// Its id or slug.
        tenant: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show or set the page agent of a tenant; changes apply to new versions.
    Agent(agent::Flags),
    /// Show a tenant's model usage by month.
    Usage {
        /// Its id or slug.
        tenant: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

/// Does it and prints the tenant or the tenants.
pub fn run(session: &Session, command: Command) -> Result<()> {
    let context = session.context();
    session.with_store(async move |store| match command {
        Command::Create { name, slug, region, json } => {
            let new = NewTenant { name, slug, default_region: region };
            let tenant = store.write(move |tx| tenants::create(tx, &context, &new)).await?;
            print_one(&tenant, json)
        }
        Command::List { json } => {
            let tenants = store.read(tenants::list).await?;
            if json {
                return output::json(&tenants.iter().map(to_json).collect());
            }
            print_table(&tenants)
        }
        Command::Update { tenant, name, region, json } => {
            let change = TenantChange { name, default_region: region };
            let tenant = store.write(move |tx| tenants::update(tx, &context, &tenant, &change)).await?;
            print_one(&tenant, json)
        }
        Command::Suspend { tenant, json } => {
            let tenant = store.write(move |tx| tenants::suspend(tx, &context, &tenant)).await?;
            print_one(&tenant, json)
        }
        Command::Resume { tenant, json } => {
            let tenant = store.write(move |tx| tenants::resume(tx, &context, &tenant)).await?;
            print_one(&tenant, json)
        }
        Command::Agent(flags) => agent::run(session, store, flags).await,
        Command::Usage { tenant, json } => agent::usage(session, store, tenant, json).await,
    })
}

fn print_one(tenant: &Tenant, json: bool) -> Result<()> {
    if json { output::json(&to_json(tenant)) } else { print_table(std::slice::from_ref(tenant)) }
}

fn print_table(tenants: &[Tenant]) -> Result<()> {
    let row = |tenant: &Tenant| {
        let state = tenant.suspended_at.map_or("active".to_owned(), |since| format!("suspended {since}"));
        [
            tenant.tenant_id.to_string(),
            tenant.slug.clone(),
            tenant.name.clone(),
            tenant.default_region.clone().unwrap_or_default(),
            state,
            tenant.created_at.to_string(),
        ]
    };
    let rows: Vec<_> = tenants.iter().map(row).collect();
    output::table(["ID", "SLUG", "NAME", "REGION", "STATE", "CREATED"], &rows)
}

fn to_json(tenant: &Tenant) -> Value {
    json!({
        "tenantId": tenant.tenant_id.to_string(),
        "slug": tenant.slug,
        "name": tenant.name,
        "defaultRegion": tenant.default_region,
        "createdAt": tenant.created_at.to_string(),
        "suspendedAt": tenant.suspended_at.map(|at| at.to_string()),
    })
}

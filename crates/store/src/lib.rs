//! The only crate with SQL: one text, run by two engines.
//!
//! A [`Store`] runs plain closures, each of them one transaction: [`Store::read`], [`Store::write`] and
//! [`Store::claim`]. Inside, a [`Tx`] takes SQL written once; the engines underneath are SQLite (embedded) and PostgreSQL.
//! Statements are in [`tables`], one file per table. The rules that keep one text portable:
//!
//! 1. Four column types: `TEXT`, `BIGINT`, `BYTEA`, `BOOLEAN`. Instants are `BIGINT` microseconds UTC, JSON is `TEXT`.
//! 2. The program supplies times, ids and defaults; never `now()`, sequences or column defaults.
//! 3. A nullable instant (`deleted_at`) says more than a boolean.
//! 4. Ignoring case and accents is a second, folded column; never `LIKE`.
//! 5. `CAST(x AS t)`, `CASE`, and lists expanded by the program; never `x::t`, `greatest`, `ANY`.
//! 6. Sorted columns are `NOT NULL`, and every `ORDER BY` ends in the key.
//! 7. Upserts only as `ON CONFLICT (…) DO NOTHING` or `DO UPDATE SET`.
//! 8. Every statement on a tenant's data names `tenant_id`, or says `-- across tenants: why` above.
//! 9. Columns are named; no `SELECT *`, no triggers, procedures or views. An index that PostgreSQL alone has changes no result.
//! 10. A check and the write that rests on it are one statement, or stand in one `write`.

mod backup;
mod connection;
pub mod copy;
pub mod database_url;
mod describe;
pub mod diagnosis;
#[cfg(feature = "coverage")]
pub mod endless;
mod engine;
pub mod extent;
mod fair;
pub mod fault;
mod job;
mod lock;
pub mod lookup;
pub mod metrics;
pub mod migrate;
pub mod options;
pub mod row;
pub mod rows;
#[cfg(feature = "coverage")]
pub mod rows_read;
pub mod schema_state;
pub mod sql;
pub mod store;
pub mod tables;
pub mod tx;
mod unfinished_copy;
pub mod value;
mod verb;
pub mod wakeup;

pub use backup::{BackupProgress, restore};
pub use database_url::{DatabaseUrl, Transport};
pub use diagnosis::{Characters, Diagnosis, Durability};
pub use engine::sqlite::{SimulatedOutcome, SimulatedOutcomes};
pub use extent::{Extent, ListPart};
pub use fault::OnConstraint;
pub use lookup::{Lookup, Stamp, StampedPart};
pub use options::{StoreOptions, WriteRule};
pub use row::Row;
pub use schema_state::SchemaState;
pub use sql::{Query, Sql};
pub use store::{ForTenant, Store};
pub use tx::{Tx, overwrite_deleted};
pub use value::Value;
pub use wakeup::Wakeup;

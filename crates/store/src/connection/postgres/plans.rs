//! For which values a database makes its plans.
//!
//! If it is no cluster, and the operator has not set it otherwise, one plan of each statement is made for all values. Citus plans by the
//! tenant's value, and has no plan for a parameter.

use tokio_postgres::Client;

use crate::connection::postgres::wire;
use crate::fault::Fault;

const ASK: &str = "SELECT source = 'default', EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus')
    FROM pg_settings WHERE name = 'plan_cache_mode'";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plans {
    /// One for all values.
    Generic,
    /// As the operator has set it.
    AsConfigured,
    /// As a cluster needs them, whose nodes have the tenants' rows.
    OfCluster,
}

impl Plans {
    /// Those that suit the database.
    pub(super) async fn of(client: &Client) -> Result<Plans, Fault> {
        let found = client.query_one(ASK, &[]).await.map_err(|error| wire::fault(&error))?;
        Ok(match (found.get(0), found.get(1)) {
            (_, true) => Plans::OfCluster,
            (true, false) => Plans::Generic,
            (false, false) => Plans::AsConfigured,
        })
    }

    /// What a new connection has to set for them.
    pub(super) fn setting(self) -> &'static str {
        match self {
            Plans::Generic => "SET plan_cache_mode = force_generic_plan; ",
            Plans::AsConfigured | Plans::OfCluster => "",
        }
    }
}

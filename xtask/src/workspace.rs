//! What the tests of the workspace are run with.

/// The databases that statements are written for.
pub const DATABASES: [&str; 2] = ["sqlite", "postgres"];

/// What the integration tests run on: the databases, and PostgreSQL with the tables of tenants divided into partitions.
pub const ENGINES: [&str; 3] = ["sqlite", "postgres", "postgres-sharded"];

/// The packages of every step. They stay the same so that cargo builds each dependency in one way only.
pub const PACKAGES: [&str; 4] = ["test", "--workspace", "--exclude", "bench"];

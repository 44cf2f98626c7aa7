//! What the tests of the workspace are run with.

/// The database engines, by the names that the tests know them by.
pub const ENGINES: [&str; 2] = ["sqlite", "postgres"];

/// The packages of every step. They stay the same so that cargo builds each dependency in one way only.
pub const PACKAGES: [&str; 4] = ["test", "--workspace", "--exclude", "bench"];

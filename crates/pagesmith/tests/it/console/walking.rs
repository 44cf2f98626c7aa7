//! The addresses of all rows of the console for things that there are.

use pagesmith_console::screens::Row;
use pagesmith_testkit::samples::owned::Owned;

/// The address of a row with the ids of what somebody owns.
pub fn address_of(row: &Row, tenant: &str, owned: &Owned) -> String {
    address(row.path, tenant, owned)
}

/// The address of a path below the tenant's root.
pub fn address(path: &str, tenant: &str, owned: &Owned) -> String {
    let of_a_block = path.starts_with("/links/blocks/");
    let own = path.replace("{from_id}", "{version_id}").replace("{to_id}", "{other_version_id}");
    // The block that the sample of a version has.
    let own = own.replace("{block_id}", if of_a_block { "{page_link_block_id}" } else { "hero" });
    format!("/console/t/{tenant}{}", owned.fill(&own))
}

/// Whether the answer of a row ends: a stream of events goes on.
pub fn ends(row: &Row) -> bool {
    !row.path.ends_with("/events")
}

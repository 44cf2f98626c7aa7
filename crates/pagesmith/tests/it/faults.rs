//! What the service depends on fails: the disk of the embedded database, PostgreSQL.
//!
//! Whatever cannot be done is answered 503 with Retry-After, soon; nothing acknowledged is lost; and when the fault
//! has passed, everything works again without a restart.

mod changes;
mod crowd;
mod disk;
mod outage;
mod shared_commit;

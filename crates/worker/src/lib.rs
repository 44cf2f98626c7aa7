//! Everything in the background.
//!
//! A task takes no input: it compares what is with what should be, does a little of it in one transaction, and is run again after a period.
//! Nothing is lost if it is stopped at any point. Read [`tasks`] first: it lists everything that runs by itself.

pub mod answering;
pub mod backups;
pub mod certificates;
mod claimed_work;
pub mod delivery;
pub mod descriptions;
pub mod egress;
pub mod enrichment;
pub mod generation;
pub mod identity_providers;
mod index_persons;
mod integrity;
mod invitations;
mod key_use;
pub mod knowledge;
pub mod limited_process;
pub mod mail;
pub mod messages;
pub mod outage;
mod own_thread;
pub mod person_imports;
pub mod pictures;
pub mod reading;
mod schedules;
mod servers;
mod sweep;
pub mod tasks;
mod tenant_domains;
pub mod tools;
mod trace;
pub mod trials;
pub mod turns;
mod visits;
mod wake_queues;

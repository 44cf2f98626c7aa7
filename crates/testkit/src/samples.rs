//! What the tests that cover every operation must know about a noun, and the list of all nouns.
//!
//! Each noun has a file of its own here: how to make one, its ids, where the document's examples of bodies will not do, where its
//! description differs from the contract, and what waits for the tasks of the background. A new noun adds that file and a line to [`SAMPLES`].

mod accounts;
mod assets;
mod attention;
mod audiences;
mod brands;
mod files;
pub mod forms;
mod idempotency;
mod keys;
mod knowledge;
mod link_blocks;
mod logs;
mod messages;
pub mod owned;
mod page_links;
mod pages;
mod person_imports;
mod persons;
pub mod questions;
mod server;
mod tenant_domains;
mod topics;
mod users;
mod versions;
pub mod visits;
mod webhooks;

use crate::Client;
use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::samples::owned::Owned;

/// Every noun of which there is something to say, each after those that it needs.
pub const SAMPLES: &[&Sample] = &[
    &pages::SAMPLE,
    &brands::SAMPLE,
    &accounts::SAMPLE,
    &persons::SAMPLE,
    &audiences::SAMPLE,
    &versions::SAMPLE,
    &messages::SAMPLE,
    &logs::accounts::SAMPLE,
    &logs::persons::SAMPLE,
    &link_blocks::SAMPLE,
    &page_links::SAMPLE,
    &tenant_domains::SAMPLE,
    &topics::SAMPLE,
    &topics::entries::SAMPLE,
    &knowledge::SAMPLE,
    &files::SAMPLE,
    &person_imports::SAMPLE,
    &assets::SAMPLE,
    &webhooks::SAMPLE,
    &visits::SAMPLE,
    &forms::SAMPLE,
    &questions::SAMPLE,
    &attention::SAMPLE,
    &keys::SAMPLE,
    &server::SAMPLE,
    &users::SAMPLE,
    &idempotency::SAMPLE,
];

/// A noun, as the tests that cover every operation see it.
pub struct Sample {
    /// The groups of the contract that the noun implements, each with the number of operations that it has there.
    pub groups: &'static [(&'static str, usize)],
    /// The ids that one of the noun has.
    pub ids: &'static [Id],
    /// Makes one for a tenant and adds its ids.
    pub make: Make,
    /// Accepted bodies of operations for which the example of the document will not do. All others are sent the example, with ids of
    /// the caller in the place of those that it has.
    pub bodies: &'static [(&'static str, Body)],
    /// Paths with a parameter that belongs to no tenant, and a value for it.
    pub constants: &'static [(&'static str, &'static str)],
    /// Paths that take another id than their parameter says: how they end, the parameter, the id to use.
    pub substitutes: &'static [(&'static str, &'static str, &'static str)],
    /// What to read to see everything of the noun that a caller can see.
    pub reads: &'static [&'static str],
    /// What to delete.
    pub deletes: &'static [&'static str],
    /// Differences from the contract: the sentence of the decisions that makes them, then each one as place, fact, the
    /// contract's → ours.
    pub differences: &'static [(&'static str, &'static [&'static str])],
    /// Work of the noun for tasks and queues.
    pub work: &'static [Work],
}

impl Sample {
    /// A noun of which nothing is known.
    pub const NONE: Sample = Sample {
        groups: &[],
        ids: &[],
        make: |_, _| Box::pin(std::future::ready(())),
        bodies: &[],
        constants: &[],
        substitutes: &[],
        reads: &[],
        deletes: &[],
        differences: &[],
        work: &[],
    };
}

/// Makes the body of a request.
type Body = fn() -> Value;

/// Makes one of a noun for a tenant.
type Make = for<'a> fn(&'a Client, &'a mut Owned) -> BoxFuture<'a, ()>;

/// Work of a tenant for a task or queue.
///
/// In the statements `{tenant}` is the tenant, `{id}`, `{other}` and `{third}` are ends of ids, `{old}` is an instant long ago, `{now}` is
/// now, `{later}` is to come, `{bytes}` are some, and `{digest}` and `{other digest}` are as long as digests.
#[derive(Debug)]
pub struct Work {
    /// The task or queue.
    pub name: &'static str,
    /// The statements that make it.
    pub made_by: &'static str,
    /// The rows of which none is left when it is done.
    pub left: &'static str,
}

/// An id that is part of paths.
#[derive(Debug, Clone, Copy)]
pub struct Id {
    /// The parameter, with its braces.
    pub parameter: &'static str,
    /// What the id begins with, without the `_`.
    pub prefix: &'static str,
    /// Whether paths with this id lead through another noun's id.
    pub nested: bool,
}

impl Id {
    /// An id that a path needs no other id for.
    pub const fn top(parameter: &'static str, prefix: &'static str) -> Id {
        Id { parameter, prefix, nested: false }
    }

    /// An id that is behind another one.
    pub const fn nested(parameter: &'static str, prefix: &'static str) -> Id {
        Id { parameter, prefix, nested: true }
    }
}

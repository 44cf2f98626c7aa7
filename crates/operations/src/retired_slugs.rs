//! Retired slugs: those of erased persons. Their addresses must never lead to another person.
//!
//! Only digests are stored.

use pagesmith_model::Result;
use pagesmith_store::Tx;
use pagesmith_store::tables::persons;

use crate::context::TenantContext;

/// What is stored of the slug of an erased person.
pub(crate) fn slug_digest(ctx: &TenantContext, slug: &str) -> Result<[u8; 32]> {
    ctx.keyed_digest("erased slug", &[ctx.tenant.as_str(), slug])
}

/// Whether a slug is retired: it belonged to an erased person, and its address must never lead to another one.
pub(crate) fn is_retired_slug(tx: &mut Tx<'_>, ctx: &TenantContext, slug: &str) -> Result<bool> {
    Ok(tx.maybe(persons::retired_slug(&ctx.tenant, &slug_digest(ctx, slug)?))?.is_some())
}

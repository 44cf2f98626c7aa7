//! The pictures of assets are described by the tenant's model, if there is one: claimed under a lease, and what it says is kept.
//!
//! Every new picture waits. Where the tenant has no model by the time that it is looked at, it waits no more: without a model nothing is said of
//! what a picture shows. What the caller has said of an asset stays in front of what a model says. Invariant: a picture is tried a
//! few times and not for ever.

pub use pagesmith_store::tables::assets::descriptions::LEASES;

use std::time::Duration;

use pagesmith_ask::passage;
use pagesmith_ask::support::is_plain;
use pagesmith_model::agent::{AgentSettings, Used};
use pagesmith_model::asset::{Asset, AssetData};
use pagesmith_model::picture::Variant;
use pagesmith_model::{LeaseId, Result, TenantId, Timestamp};
use pagesmith_store::tables::assets as table;
use pagesmith_store::tables::assets::descriptions::{self, Waiting};
use pagesmith_store::tables::files::variants;
use pagesmith_store::tables::pending_work::{self, WorkKind};
use pagesmith_store::{Query, Tx, Wakeup};

use crate::agent::usages;
use crate::agent::{self, ModelOwner, Writer};
use crate::context::{Context, TenantContext};

/// How long a lease lasts: longer than a model may take.
pub const LEASE: Duration = Duration::from_secs(120);
/// How long a picture rests that has no variants yet, or whose model failed; each time twice as long.
const RETRY_DELAY: Duration = Duration::from_secs(30);
/// How often a picture is tried.
pub const MOST_TRIES: i64 = 4;
/// How wide a picture is at least that a model looks at, if there is one so wide.
const WIDTH: u32 = 512;
/// The most sentences of a description, and the most characters.
const MOST_SENTENCES: usize = 2;
const MOST_CHARACTERS: usize = 400;

/// Queues an asset if it is a picture; to travel with the change that adds it.
pub(super) fn queue(tx: &mut Tx<'_>, ctx: &TenantContext, asset: &Asset) -> Vec<Query> {
    if !matches!(asset.data, AssetData::Picture(_)) {
        return vec![];
    }
    tx.wake_after_commit(Wakeup::Descriptions);
    vec![
        descriptions::insert(&ctx.tenant, &asset.asset_id, ctx.now, ctx.request_id()),
        pending_work::add(&ctx.tenant, WorkKind::Descriptions),
    ]
}

/// A picture that a worker may have described as long as its lease lasts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimed {
    /// The asset.
    pub of: Waiting,
    /// What the caller has said of it.
    pub said: String,
    /// The form of the picture that a model looks at, once there is one.
    pub variant: Option<Variant>,
    /// Which model is asked.
    pub settings: Box<AgentSettings>,
    /// The tokens that the month leaves; nothing: any number.
    pub left: Option<u64>,
    /// Whose model it is.
    pub owner: ModelOwner,
    /// The worker's lease.
    pub lease: LeaseId,
}

/// Whether a picture of a tenant is due.
pub fn is_due(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp) -> Result<bool> {
    Ok(descriptions::due_since(tx, tenant)?.is_some_and(|due_at| due_at <= now))
}

/// Gives a worker up to `limit` pictures of a tenant. Pictures that nobody can describe wait no more.
pub fn claim(
    tx: &mut Tx<'_>,
    ctx: &Context,
    (tenant, limit): (&TenantId, usize),
    usual: &AgentSettings,
) -> Result<Vec<Claimed>> {
    let mut claimed: Vec<Claimed> = Vec::new();
    let writer = agent::writer(tx, &ctx.of(tenant.clone()), usual)?;
    for of in descriptions::due(tx, tenant, ctx.now, i64::try_from(limit).unwrap_or(i64::MAX))? {
        let asset = table::find(tx, tenant, &of.asset_id)?;
        let picture = asset.as_ref().and_then(|asset| match &asset.data {
            AssetData::Picture(file_id) => Some((asset, file_id)),
            AssetData::Video(_) | AssetData::Component(..) => None,
        });
        let (Some((asset, file_id)), Writer::Model { settings, left, owner }) = (picture, &writer) else {
            tx.run(descriptions::remove(tenant, &of.asset_id))?;
            continue;
        };
        if of.tries >= MOST_TRIES {
            tx.run(descriptions::remove(tenant, &of.asset_id))?;
            continue;
        }
        let mut variant = variants::of_file(tx, tenant, file_id, WIDTH)?;
        if variant.is_none() {
            variant = variants::of_file(tx, tenant, file_id, 0)?;
        }
        let lease = LeaseId::mint(ctx.uuid()?);
        tx.run(descriptions::lease(tenant, &of.asset_id, &lease, ctx.now.plus(LEASE)))?;
        claimed.push(Claimed {
            of,
            said: asset.own_description(),
            variant: variant.map(|(_, variant)| variant),
            settings: settings.clone(),
            left: *left,
            owner: owner.clone(),
            lease,
        });
    }
    Ok(claimed)
}

/// What became of a try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DescriptionOutcome {
    /// A model has said this.
    Described(String),
    /// There is nothing yet, and another try may help.
    Later,
    /// There is nothing, and no other try would help.
    Never,
}

/// Keeps what became of a try, and counts what was used; false if the picture was no longer the worker's.
pub fn finish(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    claimed: &Claimed,
    (outcome, used): (&DescriptionOutcome, &Used),
) -> Result<bool> {
    usages::count(tx, ctx, used)?;
    let (tenant, id) = (&ctx.tenant, &claimed.of.asset_id);
    if !descriptions::is_held(tx, tenant, id, &claimed.lease)? {
        return Ok(false);
    }
    let text = match outcome {
        DescriptionOutcome::Described(said) => checked(said),
        DescriptionOutcome::Later | DescriptionOutcome::Never => None,
    };
    let described = match text {
        Some(text) => table::find(tx, tenant, id)?.map(|asset| Asset {
            described: Some(text),
            updated_at: ctx.now,
            ..asset
        }),
        None => None,
    };
    let tries = claimed.of.tries + 1;
    let change = match (described, outcome) {
        (Some(asset), _) => {
            vec![table::set_description(tenant, &asset), descriptions::remove(tenant, id)]
        }
        (None, DescriptionOutcome::Later) if tries < MOST_TRIES => {
            let rest = RETRY_DELAY * 2_u32.pow(u32::try_from(claimed.of.tries).unwrap_or_default().min(8));
            vec![descriptions::postpone(tenant, id, ctx.now.plus(rest))]
        }
        (None, _) => vec![descriptions::remove(tenant, id)],
    };
    tx.change(change)?;
    Ok(true)
}

/// Lets another worker take a picture at once; what was used counts.
pub fn hand_back(tx: &mut Tx<'_>, ctx: &TenantContext, claimed: &Claimed, used: &Used) -> Result<()> {
    usages::count(tx, ctx, used)?;
    tx.run(descriptions::hand_back(&ctx.tenant, &claimed.of.asset_id, &claimed.lease)).map(drop)
}

/// What is kept of a description: its first sentences that are plain text.
fn checked(said: &str) -> Option<String> {
    passage::beginning(said, is_plain, MOST_SENTENCES, MOST_CHARACTERS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_short_and_plain() {
        let said = "A smith at an **anvil**. Sparks fly. It is dark.\n<script>alert(1)</script>";
        assert_eq!(checked(said).as_deref(), Some("A smith at an anvil. Sparks fly."));
        assert_eq!(checked("<b>A smith.</b>"), None);
        assert_eq!(checked(" \n"), None);
        assert_eq!(checked(&"smith ".repeat(500)), None);
    }
}

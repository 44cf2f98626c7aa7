//! The pictures of assets are described by models: claimed under a lease, asked outside every transaction, kept in one.
//!
//! Nothing is lost if this is stopped anywhere: a lease ends, and another worker takes the picture. Each tenant has its turn. A model looks at a
//! variant, which is small and has no metadata; a picture whose variants are not made yet waits for them.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures_util::TryStreamExt;
use pagesmith_agent::llm::describing;
use pagesmith_agent::llm::plain::PlainModel;
use pagesmith_agent::{AgentError, Fault};
use pagesmith_model::picture::Variant;
use pagesmith_model::{RequestId, Result, TenantId};
use pagesmith_operations::assets::descriptions::{self, Claimed, DescriptionOutcome};
use pagesmith_store::tables::pending_work::WorkKind;
use pagesmith_store::{Tx, Wakeup};
use tokio::sync::watch;
use tokio::time::timeout;

use crate::claimed_work::{self, ClaimedWork};
use crate::generation::UsedSoFar;
use crate::tools::Tools;
use crate::turns::Turns;

/// How many pictures are described at the same time.
const CONCURRENCY: usize = 8;
/// How long a description is waited for; the lease lasts longer.
const TIME_LIMIT: Duration = Duration::from_secs(60);
/// The most tokens of a description. Models that think before they answer need most of them for that.
const LONGEST: u64 = 800;
/// The largest form of a picture that is sent, in bytes.
const LARGEST: u64 = 3 << 20;

/// Pictures that wait for what they show.
enum Descriptions {}

impl ClaimedWork for Descriptions {
    type Claimed = Claimed;
    const WAKEUP: Wakeup = Wakeup::Descriptions;
    const CONCURRENCY: usize = CONCURRENCY;
    const NOUN: &'static str = "picture for a model";

    async fn claim(tools: &Tools, turns: &mut Turns, limit: usize) -> Result<Vec<Claimed>> {
        claim(tools, turns, limit).await
    }

    fn tenant(claimed: &Claimed) -> &TenantId {
        &claimed.of.tenant
    }

    async fn attempt(tools: Tools, claimed: Claimed, stop: watch::Receiver<bool>) {
        attempt(tools, claimed, stop).await;
    }
}

/// Has pictures described until `stop` turns true; what is not described then is left to others at once.
pub async fn run(tools: Tools, stop: watch::Receiver<bool>) {
    claimed_work::run::<Descriptions>(tools, stop).await;
}

/// Has everything described that is due, in rounds; how a test steps it.
pub async fn drain(tools: &Tools) -> Result<()> {
    claimed_work::drain::<Descriptions>(tools).await
}

/// Claims up to `limit` pictures; tenants have their turns.
pub async fn claim(tools: &Tools, turns: &mut Turns, limit: usize) -> Result<Vec<Claimed>> {
    let now = tools.platform.clock().now();
    let is_due = move |tx: &mut Tx<'_>, tenant: &TenantId| descriptions::is_due(tx, tenant, now);
    let of = (WorkKind::Descriptions, &descriptions::LEASES);
    let tenants = claimed_work::due_tenants(tools, of, (turns, limit), is_due).await?;
    let claim = |tenant: TenantId, share, _: &[Claimed]| {
        let (ctx, usual) = (tools.context(), tools.generation.models.usual.clone());
        tools.store.claim(move |tx| descriptions::claim(tx, &ctx, (&tenant, share), &usual))
    };
    claimed_work::claim_each(tools, tenants, (turns, limit), claim).await
}

/// Has a claimed picture described, unless the process stops.
pub async fn attempt(tools: Tools, claimed: Claimed, mut stop: watch::Receiver<bool>) {
    let asset = claimed.of.asset_id.to_string();
    let cause = claimed.of.request_id.clone();
    let request_id = cause.as_ref().map(RequestId::as_str);
    let noting = UsedSoFar::at(claimed.settings.prices);
    let outcome = tokio::select! {
        biased;
        outcome = describe(&tools, &claimed, &noting) => Some(outcome),
        _ = stop.wait_for(|stop| *stop) => None,
    };
    let ctx = tools.context_of(&claimed.of.tenant, claimed.of.request_id.as_ref());
    let used = noting.now();
    let told = tools.store.write(move |tx| match &outcome {
        Some(outcome) => descriptions::finish(tx, &ctx, &claimed, (outcome, &used)),
        None => descriptions::hand_back(tx, &ctx, &claimed, &used).map(|()| true),
    });
    match told.await {
        Ok(true) => {}
        Ok(false) => tracing::info!(asset, request_id, "a picture was taken from its worker, or removed"),
        // Its lease ends, and then it is tried again.
        Err(error) => {
            tracing::warn!(asset, request_id, %error, "the description of a picture could not be kept");
        }
    }
}

/// Asks a model what a picture shows.
async fn describe(tools: &Tools, claimed: &Claimed, noting: &UsedSoFar) -> DescriptionOutcome {
    let models = &tools.generation.models;
    let now = tools.platform.clock().now();
    let (asset, request_id) =
        (claimed.of.asset_id.as_str(), claimed.of.request_id.as_ref().map(RequestId::as_str));
    let Some(variant) = claimed.variant.as_ref().filter(|variant| variant.size <= LARGEST) else {
        return DescriptionOutcome::Later;
    };
    if models.cooldowns.is_cooling_down(&claimed.owner, now) {
        return DescriptionOutcome::Later;
    }
    let base64 = match read(tools, claimed, variant).await {
        Ok(base64) => base64,
        Err(error) => {
            tracing::warn!(asset, request_id, %error, "the bytes of a picture could not be read");
            return DescriptionOutcome::Later;
        }
    };
    let of_model = models.for_text(&claimed.settings, claimed.left.unwrap_or(u64::MAX), LONGEST);
    let model = PlainModel::new(of_model, Arc::clone(&models.gateway));
    let question = describing::question(&variant.media_type, base64, &claimed.said);
    let said = timeout(TIME_LIMIT, model.ask(&question, noting)).await;
    let said = said.unwrap_or_else(|_| Err(AgentError::retry(None, "The model did not answer in time.")));
    let error = match said {
        Ok(said) => {
            models.metrics.described("written", &noting.now());
            return DescriptionOutcome::Described(said);
        }
        Err(error) => error,
    };
    models.metrics.described("failed", &noting.now());
    tracing::warn!(asset, request_id, %error, "a model did not describe a picture");
    models.cooldowns.note_asked(&claimed.owner, now, &error);
    match error.fault {
        Fault::Retry(_) => DescriptionOutcome::Later,
        // Most often the model takes no pictures.
        Fault::Permanent | Fault::Budget | Fault::TooLittle(_) => DescriptionOutcome::Never,
    }
}

/// The bytes of a variant, in Base64.
async fn read(tools: &Tools, claimed: &Claimed, variant: &Variant) -> Result<Bytes> {
    let mut parts = tools.files.read(&claimed.of.tenant, &variant.content_id, 0..variant.size).await?;
    let mut bytes = Vec::new();
    while let Some(part) = parts.try_next().await? {
        bytes.extend_from_slice(&part);
    }
    Ok(Bytes::from(STANDARD.encode(&bytes)))
}

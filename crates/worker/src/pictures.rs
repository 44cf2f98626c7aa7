//! Variants of pictures are made: claimed under a lease, made in a process of its own and stored outside every transaction, recorded in one.
//!
//! Nothing is lost if this is stopped anywhere: a lease ends, and another worker takes the picture; bytes that nobody recorded are removed
//! like those of uploads. Each tenant has its turn.

use std::time::Duration;

use pagesmith_file_storage::FileBytes;
use pagesmith_model::picture::{self, Picture};
use pagesmith_model::{Error, FileContentId, Kind, RequestId, Result, TenantId};
use pagesmith_operations::files;
use pagesmith_operations::files::variants::{self, Claimed, GIVEN_UP, VariantsOutcome};
use pagesmith_pictures::{Format, LARGEST, Refusal, Variant};
use pagesmith_store::tables::pending_work::WorkKind;
use pagesmith_store::{Tx, Wakeup};
use sha2::{Digest, Sha256};
use tokio::sync::watch;

use crate::claimed_work::{self, ClaimedWork};
use crate::limited_process::pictures::Unmade;
use crate::sweep::tenants as tenant_sweep;
use crate::tools::{Left, Tools};
use crate::turns::Turns;

pub use crate::tools::pictures::PictureConfig;

/// How many pictures are worked on at the same time: each takes a core, and requests need some.
const CONCURRENCY: usize = 2;
/// How often a result is told to a database that is away.
const REPEATED: u32 = 5;

/// Variants of pictures.
enum Variants {}

impl ClaimedWork for Variants {
    type Claimed = Claimed;
    const WAKEUP: Wakeup = Wakeup::Pictures;
    const CONCURRENCY: usize = CONCURRENCY;
    const NOUN: &'static str = "picture";

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

/// Makes variants until `stop` turns true; what is not made then is left to others at once.
pub async fn run(tools: Tools, stop: watch::Receiver<bool>) {
    claimed_work::run::<Variants>(tools, stop).await;
}

/// Makes all variants that are due, in rounds; how a test steps it.
pub async fn drain(tools: &Tools) -> Result<()> {
    claimed_work::drain::<Variants>(tools).await
}

/// Claims up to `limit` pictures; tenants have their turns.
pub async fn claim(tools: &Tools, turns: &mut Turns, limit: usize) -> Result<Vec<Claimed>> {
    let now = tools.platform.clock().now();
    let is_due = move |tx: &mut Tx<'_>, tenant: &TenantId| variants::is_due(tx, tenant, now);
    let of = (WorkKind::Pictures, &variants::LEASES);
    let tenants = claimed_work::due_tenants(tools, of, (turns, limit), is_due).await?;
    let claim = |tenant: TenantId, _, _: &[Claimed]| {
        let ctx = tools.context();
        tools.store.claim(move |tx| variants::claim(tx, &ctx, &tenant))
    };
    claimed_work::claim_each(tools, tenants, (turns, limit), claim).await
}

/// Makes the variants of a claimed picture, unless the process stops.
pub async fn attempt(tools: Tools, claimed: Claimed, mut stop: watch::Receiver<bool>) {
    let content = claimed.of.content_id.to_string();
    let request_id = claimed.of.request_id.as_ref().map(RequestId::as_str);
    let outcome = if claimed.is_hopeless() {
        Some(VariantsOutcome::Failed { problem: GIVEN_UP.to_owned(), may_pass: false })
    } else {
        tokio::select! {
            biased;
            made = make(&tools, &claimed) => Some(made),
            _ = stop.wait_for(|stop| *stop) => None,
        }
    };
    if let Some(VariantsOutcome::Failed { problem, .. }) = &outcome {
        tracing::info!(content, request_id, problem, "a picture has no variants");
    }
    match record(&tools, &claimed, outcome.as_ref()).await {
        Ok(true) => {}
        Ok(false) => tracing::info!(content, request_id, "a picture was taken from its worker, or deleted"),
        // Its lease ends, and then it is tried again.
        Err(error) => {
            tracing::warn!(content, request_id, %error, "variants of a picture could not be recorded");
            return;
        }
    }
    if let Some(VariantsOutcome::Made(made)) = outcome {
        for variant in made.variants.into_iter().chain(made.avifs) {
            remove_surplus(&tools, &claimed.of.tenant, variant.content_id).await;
        }
    }
}

/// Makes the variants and stores them.
async fn make(tools: &Tools, claimed: &Claimed) -> VariantsOutcome {
    let failed = |unmade: Unmade| VariantsOutcome::Failed {
        problem: unmade.reason().to_owned(),
        may_pass: unmade.may_pass(),
    };
    let of = &claimed.of;
    let Some(kind) = pagesmith_pictures::Kind::of(&of.media_type) else {
        return failed(Unmade::Refused(Refusal::Unknown));
    };
    if of.size > u64::try_from(LARGEST).unwrap_or(u64::MAX) {
        return failed(Unmade::Refused(Refusal::ManyBytes));
    }
    let read = match bytes_of(tools, claimed).await {
        Ok(bytes) => tools.pictures.reader.read(kind, bytes).await,
        Err(unmade) => Err(unmade),
    };
    let read = match read {
        Ok(read) => read,
        Err(unmade) => return failed(unmade),
    };
    // One that moves is shown as it is.
    let avifs =
        match tools.pictures.makes_avif && kind == pagesmith_pictures::Kind::Raster && !read.is_animated {
            true => avifs(tools, claimed, &read.variants).await,
            false => vec![],
        };
    store(tools, &of.tenant, read, avifs).await.map_or_else(
        |error| VariantsOutcome::Failed { problem: error.to_string(), may_pass: true },
        |stored| VariantsOutcome::Made(Box::new(stored)),
    )
}

async fn bytes_of(tools: &Tools, claimed: &Claimed) -> std::result::Result<FileBytes, Unmade> {
    let of = &claimed.of;
    tools.files.read(&of.tenant, &of.content_id, 0..of.size).await.map_err(|error| {
        tracing::warn!(content = of.content_id.as_str(), request_id = of.request_id.as_ref().map(RequestId::as_str), %error, "the bytes of a picture could not be read");
        Unmade::NoBytes
    })
}

/// The variants as AVIF; none unless each is smaller than the other of its width. A picture without them is shown all the same.
async fn avifs(tools: &Tools, claimed: &Claimed, others: &[Variant]) -> Vec<Variant> {
    let of = &claimed.of;
    let read = match bytes_of(tools, claimed).await {
        Ok(bytes) => tools.pictures.reader.read_as_avif(bytes).await,
        Err(unmade) => Err(unmade),
    };
    match read {
        Ok(read) if are_smaller(&read.variants, others) => read.variants,
        Ok(_) => vec![],
        Err(unmade) => {
            tracing::info!(
                content = of.content_id.as_str(),
                request_id = of.request_id.as_ref().map(RequestId::as_str),
                problem = unmade.reason(),
                "a picture has no variants as AVIF"
            );
            vec![]
        }
    }
}

/// Whether these are AVIF, of the same sizes as the others, and each smaller.
fn are_smaller(avifs: &[Variant], others: &[Variant]) -> bool {
    let is_smaller = |(avif, other): (&Variant, &Variant)| {
        avif.format == Format::Avif
            && (avif.width, avif.height) == (other.width, other.height)
            && avif.bytes.len() < other.bytes.len()
    };
    avifs.len() == others.len() && avifs.iter().zip(others).all(is_smaller)
}

/// Stores what was made of a picture.
async fn store(
    tools: &Tools,
    tenant: &TenantId,
    read: pagesmith_pictures::Picture,
    avifs: Vec<Variant>,
) -> Result<Picture> {
    let pagesmith_pictures::Picture { width, height, is_animated, colour, placeholder, variants } = read;
    let variants = store_each(tools, tenant, variants).await?;
    let avifs = store_each(tools, tenant, avifs).await?;
    Ok(Picture { width, height, is_animated, colour, placeholder, variants, avifs })
}

/// Stores variants, each under an id of its own.
async fn store_each(tools: &Tools, tenant: &TenantId, made: Vec<Variant>) -> Result<Vec<picture::Variant>> {
    let mut stored = Vec::with_capacity(made.len());
    for variant in made {
        let content_id = FileContentId::mint(tools.context().uuid()?);
        let mut storing = tools.files.begin(tenant, &content_id);
        storing.write(&variant.bytes).await?;
        storing.finish().await?;
        stored.push(picture::Variant {
            width: variant.width,
            height: variant.height,
            content_id,
            media_type: variant.format.media_type().to_owned(),
            size: u64::try_from(variant.bytes.len()).map_err(Error::internal)?,
            sha256: Sha256::digest(&variant.bytes).into(),
        });
    }
    Ok(stored)
}

/// Records the outcome of a try, or that it is left to others; again if the database is away for a moment.
async fn record(tools: &Tools, claimed: &Claimed, outcome: Option<&VariantsOutcome>) -> Result<bool> {
    let mut told = 0;
    loop {
        let ctx = tools.context_of(&claimed.of.tenant, claimed.of.request_id.as_ref());
        let (claimed, outcome, quota) = (claimed.clone(), outcome.cloned(), tools.pictures.quota);
        let result = tools.store.write(move |tx| match &outcome {
            Some(outcome) => variants::finish(tx, &ctx, &claimed, outcome, quota),
            None => variants::hand_back(tx, &claimed).map(|()| true),
        });
        match result.await {
            Err(error) if matches!(error.kind(), Kind::Unavailable(_)) && told < REPEATED => {
                told += 1;
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            result => return result,
        }
    }
}

/// Removes bytes that were stored and are not used: the tenant had the same ones, or nobody wanted them any more.
async fn remove_surplus(tools: &Tools, tenant: &TenantId, id: FileContentId) {
    let (ctx, asked) = (tools.context().of(tenant.clone()), id.clone());
    let is_used = tools.store.read(move |tx| files::is_used(tx, &ctx, &asked)).await;
    if matches!(is_used, Ok(false))
        && let Err(error) = tools.files.remove(tenant, &id).await
    {
        tracing::debug!(%error, "surplus bytes are left to the sweep");
    }
}

/// Queues pictures that nobody has queued: those that an older server took in.
pub(crate) async fn queue_others(tools: Tools) -> Result<Left> {
    tenant_sweep::sweep(&tools, variants::has_unqueued, variants::queue_others).await
}

#[cfg(test)]
mod tests {
    use pagesmith_model::picture::READ;

    #[test]
    fn what_is_queued_is_read() {
        for media_type in READ {
            assert!(pagesmith_pictures::Kind::of(media_type).is_some(), "{media_type}");
        }
    }
}

//! Submissions are enriched: claimed under a lease, told to the tenant's hook outside every transaction, and kept with its answer in one.
//!
//! Nothing is lost if this is stopped anywhere: a lease ends, and another worker calls the hook again, with the same id. Each tenant has its
//! turn.

use std::time::Duration;

use bytes::Bytes;
use pagesmith_model::form::enrichment::{Answer, CALLBACK_PATH, LARGEST_ANSWER};
use pagesmith_model::webhook::url;
use pagesmith_model::{Error, RequestId, Result, TenantId};
use pagesmith_operations::forms::enrichment::{self, Call, Claimed};
use pagesmith_store::tables::pending_work::WorkKind;
use pagesmith_store::{Tx, Wakeup};
use serde_json::Value;
use tokio::sync::watch;
use tracing::Instrument;
use tracing::field::Empty;

use crate::claimed_work::{self, ClaimedWork};
use crate::delivery::signed;
use crate::tools::Tools;
use crate::trace;
use crate::turns::Turns;

pub use crate::tools::enrichment::EnrichmentConfig;

/// How many hooks are called at the same time.
const CONCURRENCY: usize = 64;

/// Submissions that wait for what a hook knows.
enum Enrichments {}

impl ClaimedWork for Enrichments {
    type Claimed = Claimed;
    const WAKEUP: Wakeup = Wakeup::Enrichments;
    const CONCURRENCY: usize = CONCURRENCY;
    const NOUN: &'static str = "submission";

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

/// Calls hooks until `stop` turns true; what is not answered then is left to others at once.
pub async fn run(tools: Tools, stop: watch::Receiver<bool>) {
    claimed_work::run::<Enrichments>(tools, stop).await;
}

/// Calls hooks for everything that is due, in rounds; how a test steps it.
pub async fn drain(tools: &Tools) -> Result<()> {
    claimed_work::drain::<Enrichments>(tools).await
}

/// Claims up to `limit` submissions; tenants have their turns.
pub async fn claim(tools: &Tools, turns: &mut Turns, limit: usize) -> Result<Vec<Claimed>> {
    let now = tools.platform.clock().now();
    let is_due = move |tx: &mut Tx<'_>, tenant: &TenantId| enrichment::is_due(tx, tenant, now);
    let of = (WorkKind::Enrichments, &enrichment::LEASES);
    let tenants = claimed_work::due_tenants(tools, of, (turns, limit), is_due).await?;
    let claim = |tenant: TenantId, share, _: &[Claimed]| {
        let ctx = tools.context();
        tools.store.claim(move |tx| enrichment::claim(tx, &ctx, (&tenant, share)))
    };
    claimed_work::claim_each(tools, tenants, (turns, limit), claim).await
}

/// Calls the hook for a claimed submission, unless the process stops.
async fn attempt(tools: Tools, claimed: Claimed, mut stop: watch::Receiver<bool>) {
    let submission = claimed.of.submission_id.to_string();
    let cause = claimed.of.request_id.clone();
    let request_id = cause.as_ref().map(RequestId::as_str);
    let told = match &claimed.call {
        None => Some((Answer::Told(Err(claimed.reason_for_no_call().to_owned())), None)),
        Some(call) => tokio::select! {
            biased;
            told = ask(&tools, &claimed, call) => Some(told),
            _ = stop.wait_for(|stop| *stop) => None,
        },
    };
    let ctx = tools.context_of(&claimed.of.tenant, claimed.of.request_id.as_ref());
    let kept = tools.store.write(move |tx| match &told {
        Some((answer, asked)) => enrichment::finish(tx, &ctx, &claimed, (answer, *asked)),
        None => enrichment::hand_back(tx, &claimed).map(|()| true),
    });
    match kept.await {
        Ok(true) => {}
        Ok(false) => {
            tracing::info!(
                submission,
                request_id,
                "a submission was taken from its worker, or the hook had called back"
            );
        }
        // Its lease ends, and then the hook is called again.
        Err(error) => {
            tracing::warn!(submission, request_id, %error, "the answer of a hook could not be kept");
        }
    }
}

/// What the hook says, and after what time it asks to be called again.
async fn ask(tools: &Tools, claimed: &Claimed, call: &Call) -> (Answer, Option<Duration>) {
    let now = tools.platform.clock().now();
    let id = claimed.of.submission_id.as_str();
    let request_id = claimed.of.request_id.as_ref().map(RequestId::as_str);
    let body = match body(tools, claimed, call) {
        Ok(body) => body,
        Err(error) => {
            tracing::warn!(submission = id, request_id, %error, "a hook could not be called");
            return (Answer::Again("The hook could not be called.".to_owned()), None);
        }
    };
    let span = tracing::info_span!(
        target: "span",
        parent: None,
        "enrich",
        otel.kind = "client",
        tenant = claimed.of.tenant.as_str(),
        submission = id,
        status = Empty,
    );
    let url = url::callable(&call.url).map_or_else(|| call.url.clone(), std::borrow::Cow::into_owned);
    let mut outgoing = signed(url, &call.secrets, id, body, now);
    trace::inject_headers(&span, &mut outgoing.headers);
    let sent = tools.enrichment.egress.send(outgoing, LARGEST_ANSWER + 1);
    match sent.instrument(span.clone()).await {
        Ok(answer) => {
            span.record("status", answer.status);
            let again = answer.again.map(|again| again.after(tools.platform.clock().now()));
            (Answer::read(answer.status, &answer.body), again)
        }
        Err(failure) => {
            tracing::info!(submission = id, request_id, cause = %failure, "a hook was not answered");
            (Answer::Again(failure.for_owner()), None)
        }
    }
}

/// The body of a call, with the address of the callback.
fn body(tools: &Tools, claimed: &Claimed, call: &Call) -> Result<Bytes> {
    let tenant = tools.keys.tenant(&claimed.of.tenant);
    let tenant = tenant.ok_or_else(|| Error::internal("a tenant that this process does not know yet"))?;
    let path = format!("{CALLBACK_PATH}{}", call.ticket);
    let mut told = call.told.clone();
    let address = (tools.enrichment.site_address)(&tenant.slug, &path);
    told.insert("callbackUrl".to_owned(), Value::String(address));
    serde_json::to_vec(&told).map(Bytes::from).map_err(Error::internal)
}

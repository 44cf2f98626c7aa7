//! Messages are carried out: claimed under a lease, understood outside every transaction, kept in one.
//!
//! Nothing is lost if this is stopped anywhere: a lease ends, and another worker goes on with the first message that is not answered. Each
//! tenant has its turn. What this is not: an editor; that is the crate `editor`.

use std::time::Duration;

use pagesmith_editor::{Head, Material, Reply, Request, Selection, edit};
use pagesmith_model::{Error, Result};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::messages::draft::head_of;
use pagesmith_operations::messages::runs::{self, Claimed, Next, Outcome, Turn};
use pagesmith_store::Wakeup;
use tokio::sync::watch;

use crate::claimed_work::{self, ClaimedWork};
use crate::generation::brief;
use crate::tools::Tools;

/// How long the worker sleeps without a wake-up.
const POLL: Duration = Duration::from_millis(500);
/// How many audiences are served at the same time.
const CONCURRENCY: usize = 4;
/// How often a message is taken again because its draft was changed meanwhile.
const MOST_STALE: u32 = 5;

/// Messages of audiences that wait.
enum Runs {}

impl ClaimedWork for Runs {
    type Claimed = Claimed;
    const WAKEUP: Wakeup = Wakeup::Messages;
    const POLL: Duration = POLL;
    const CONCURRENCY: usize = CONCURRENCY;
    const NOUN: &'static str = "message";

    async fn claim(tools: &Tools, last: &mut String, limit: usize) -> Result<Vec<Claimed>> {
        claim(tools, last, limit).await
    }

    async fn attempt(tools: Tools, claimed: Claimed, stop: watch::Receiver<bool>) {
        carry_on(tools, claimed, stop).await;
    }
}

/// Carries messages out until `stop` turns true; the message that is being carried out then is left to others.
pub async fn run(tools: Tools, stop: watch::Receiver<bool>) {
    claimed_work::run::<Runs>(tools, stop).await;
}

/// Carries everything out that is due, in rounds; how a test steps it.
pub async fn drain(tools: &Tools) -> Result<()> {
    claimed_work::drain::<Runs>(tools).await
}

/// Claims up to `limit` runs; tenants have their turns.
pub async fn claim(tools: &Tools, last: &mut String, limit: usize) -> Result<Vec<Claimed>> {
    let (now, after) = (tools.platform.clock().now(), last.clone());
    if tools.store.read(move |tx| runs::has_expired(tx, now)).await? {
        tools.store.claim(move |tx| runs::end_expired(tx, now)).await?;
    }
    let tenants = tools.store.read(move |tx| runs::due_tenants(tx, now, &after, limit)).await?;
    let behind = if tenants.len() < limit { tenants.first() } else { tenants.last() };
    let Some(behind) = behind else { return Ok(vec![]) };
    behind.as_str().clone_into(last);
    let ctx = tools.context();
    tools.store.claim(move |tx| runs::claim(tx, &ctx, &tenants, limit)).await
}

/// Carries the messages of a run out, one after the other.
pub async fn carry_on(tools: Tools, claimed: Claimed, stop: watch::Receiver<bool>) {
    let audience = claimed.of.audience_id.to_string();
    let mut stale = 0;
    loop {
        if *stop.borrow() || stale >= MOST_STALE {
            break;
        }
        match turn(&tools, &claimed).await {
            Ok(Some(Outcome::Kept)) => stale = 0,
            Ok(Some(Outcome::Stale)) => stale += 1,
            Ok(Some(Outcome::Lost) | None) => return,
            // Its lease ends, and then it is tried again.
            Err(error) => {
                tracing::warn!(audience, %error, "a message was left unanswered");
                return;
            }
        }
    }
    if let Err(error) = tools.store.write(move |tx| runs::hand_back(tx, &claimed)).await {
        tracing::warn!(audience, %error, "a run was not handed back");
    }
}

/// Carries one message out; nothing if there is none.
async fn turn(tools: &Tools, claimed: &Claimed) -> Result<Option<Outcome>> {
    let (ctx, of) = (context(tools, claimed), claimed.clone());
    let next = tools.store.write(move |tx| runs::next(tx, &ctx, &of)).await?;
    let Next::Turn(turn) = next else { return Ok(None) };
    let answering = move || answer(&turn).map(|reply| (turn, reply));
    let (turn, reply) = tokio::task::spawn_blocking(answering).await.map_err(Error::internal)??;
    let (ctx, of) = (context(tools, claimed), claimed.clone());
    tools.store.write(move |tx| runs::finish(tx, &ctx, &of, &turn, &reply)).await.map(Some)
}

fn context(tools: &Tools, claimed: &Claimed) -> TenantContext {
    tools.context().of(claimed.of.tenant.clone())
}

/// What the editor makes of a message.
fn answer(turn: &Turn) -> Result<Reply> {
    let page = head_of(turn.material.page.metadata.as_ref())?;
    let brief = brief::of(turn.material.clone(), Vec::new())?;
    let written = pagesmith_template_agent::compose(&brief);
    let head = &turn.document.content.head;
    let label = |action: &pagesmith_model::page::action::Action| {
        let text = action.button_title().or(action.purpose()).unwrap_or_default();
        (action.id().to_owned(), text.to_owned())
    };
    let material = Material {
        actions: brief.actions.iter().map(label).collect(),
        head: Head {
            title: page.title.or_else(|| head.title.clone()),
            description: page.description.or_else(|| head.description.clone()),
            keywords: page.keywords,
        },
        ..Material::of_blocks(written.blocks)
    };
    let selection = turn.selection.as_ref().map(|selected| Selection {
        block_id: selected.block_id.clone(),
        path: selected.json_path.clone().filter(|path| path.starts_with('/')),
    });
    Ok(edit(&Request {
        message: &turn.message.content,
        document: &turn.document,
        selection: selection.as_ref(),
        material: &material,
        last: &turn.last,
    }))
}

//! What has expired is removed, a little at a time, so that no writer waits long.

use pagesmith_model::tenant::Tenant;
use pagesmith_model::{Kind, Result};
use pagesmith_operations::person_data;
use pagesmith_operations::persons::merge;
use pagesmith_operations::{
    assets, audiences, idempotency, pending_work, person_imports as imports, users, webhooks,
};
use pagesmith_store::Tx;
use pagesmith_store::tables::persons::erasures;
use pagesmith_store::tables::tenants;
use pagesmith_store::tables::webhooks::subscriptions;

use crate::tools::{Left, Tools};

/// Forgets answers that are older than a day.
pub(crate) async fn idempotency(tools: Tools) -> Result<Left> {
    let now = tools.platform.clock().now();
    let swept = tools.store.claim(move |tx| idempotency::sweep(tx, now)).await?;
    Ok(if idempotency::is_behind(swept) { Left::More } else { Left::Nothing })
}

/// Counts audiences off their pages that a command has erased.
pub(crate) async fn erased_audiences(tools: Tools) -> Result<Left> {
    if !tools.store.read(audiences::erase::owes).await? {
        return Ok(Left::Nothing);
    }
    let settled = tools.store.write(audiences::erase::settle).await?;
    Ok(if settled > 0 { Left::More } else { Left::Nothing })
}

/// Steps for one tenant before the next one's turn.
const STEPS: usize = 64;

/// Tenants of one round.
const TENANTS: i64 = 256;

/// Forgets events and deliveries that are old, of every tenant.
pub(crate) async fn webhooks(tools: Tools) -> Result<Left> {
    let tenants = tools.store.read(tenants::list).await?;
    of_tenants(&tools, tenants).await
}

/// Forgets deliveries of subscriptions that are no more, and what else is old of their tenants.
pub(crate) async fn deleted_subscriptions(tools: Tools) -> Result<Left> {
    let look = |tx: &mut Tx<'_>| {
        let with_deleted = subscriptions::tenants_with_deleted(tx, TENANTS)?;
        with_deleted
            .iter()
            .map(|tenant| tenants::find(tx, tenant.as_str()))
            .filter_map(Result::transpose)
            .collect()
    };
    let tenants: Vec<Tenant> = tools.store.read(look).await?;
    of_tenants(&tools, tenants).await
}

async fn of_tenants(tools: &Tools, tenants: Vec<Tenant>) -> Result<Left> {
    let mut left = Left::Nothing;
    for tenant in tenants {
        for step in 0..=STEPS {
            let (now, of) = (tools.platform.clock().now(), tenant.clone());
            let Some(work) = tools.store.read(move |tx| webhooks::sweep::next(tx, &of, now)).await? else {
                break;
            };
            if step == STEPS {
                left = Left::More;
                break;
            }
            let of = tenant.tenant_id.clone();
            tools.store.claim(move |tx| webhooks::sweep::clear(tx, &of, &work)).await?;
        }
    }
    Ok(left)
}

/// Removes what has been in the trash for its time, of every tenant.
pub(crate) async fn trash(tools: Tools) -> Result<Left> {
    for tenant in tools.store.read(tenants::list).await? {
        loop {
            let (now, of) = (tools.platform.clock().now(), tenant.tenant_id.clone());
            let purged = tools.store.write(move |tx| assets::purge(tx, &of, now)).await?;
            if purged < assets::PURGED {
                break;
            }
        }
    }
    Ok(Left::Nothing)
}

/// Cancels imports of persons that nobody has started, and forgets the reports of old ones, of every tenant.
pub(crate) async fn person_imports(tools: Tools) -> Result<Left> {
    for tenant in tools.store.read(tenants::list).await? {
        loop {
            let ctx = tools.context().of(tenant.tenant_id.clone());
            let (of, now) = (tenant.tenant_id.clone(), ctx.now);
            if !tools.store.read(move |tx| imports::has_old(tx, &of, now)).await? {
                break;
            }
            tools.store.write(move |tx| imports::sweep(tx, &ctx)).await?;
        }
    }
    Ok(Left::Nothing)
}

/// Erases persons of whom that was asked, one after the other. One that cannot be erased does not keep the others waiting.
pub(crate) async fn asked_erasures(tools: Tools) -> Result<Left> {
    let mut failed = None;
    for asked in tools.store.read(|tx| erasures::list(tx, TENANTS)).await? {
        let ctx = tools.platform.context().by(asked.actor).of(asked.tenant);
        match person_data::erase(&tools.store, &ctx, &asked.person_id).await {
            // Another server was at it as well.
            Err(error) if *error.kind() == Kind::NotFound => {}
            Err(error) => failed = Some(error),
            Ok(_) => {}
        }
    }
    failed.map_or(Ok(Left::Nothing), Err)
}

/// Forgets merges of persons that cannot be taken back any more, of every tenant.
pub(crate) async fn old_merges(tools: Tools) -> Result<Left> {
    for tenant in tools.store.read(tenants::list).await? {
        loop {
            let (of, now) = (tenant.tenant_id.clone(), tools.platform.clock().now());
            let look = of.clone();
            if !tools.store.read(move |tx| merge::has_old(tx, &look, now)).await? {
                break;
            }
            tools.store.write(move |tx| merge::forget_old(tx, &of, now)).await?;
        }
    }
    Ok(Left::Nothing)
}

/// Removes sessions, links and invitations of users that have expired, and wrong attempts to sign in that count no more.
pub(crate) async fn sign_ins(tools: Tools) -> Result<Left> {
    let now = tools.platform.clock().now();
    tools.store.claim(move |tx| users::sweep::sweep(tx, now)).await?;
    Ok(Left::Nothing)
}

/// Empties what this process keeps of pages if somebody was erased.
pub(crate) async fn forget_erased(tools: Tools) -> Result<Left> {
    tools.erasures.look(&tools.store).await?;
    Ok(Left::Nothing)
}

/// Takes tenants whose work is done from the list of those that have some.
pub(crate) async fn pending_work(tools: Tools) -> Result<Left> {
    let mut last = None;
    loop {
        let after = last.clone();
        let found = tools.store.read(move |tx| pending_work::idle(tx, after.as_ref())).await?;
        for entry in found.idle {
            tools.store.write(move |tx| pending_work::remove_if_idle(tx, &entry)).await?;
        }
        if found.last.is_none() {
            return Ok(Left::Nothing);
        }
        last = found.last;
    }
}

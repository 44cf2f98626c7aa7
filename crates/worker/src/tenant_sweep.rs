//! Sweeping of every tenant: which of them have something to be swept is looked for in reads of many, and only those cost more.
//!
//! While a part of the database is away, tenants are looked at one by one, and those whose rows cannot be reached wait for the next round.
//! Nor does any other failure of one keep the others waiting.

use pagesmith_model::{Error, Result, TenantId};
use pagesmith_operations::context::TenantContext;
use pagesmith_store::Tx;

use crate::outage::{self, Round};
use crate::tools::{Left, Tools};

/// Steps for one tenant before the next one's turn.
pub(crate) const STEPS: usize = 64;

/// Sweeps every tenant that `is_due` finds, in steps of a transaction each until one says that nothing is left.
pub(crate) async fn sweep<D, S>(tools: &Tools, is_due: D, step: S) -> Result<Left>
where
    D: Fn(&mut Tx<'_>, &TenantContext) -> Result<bool> + Copy + Send + 'static,
    S: Fn(&mut Tx<'_>, &TenantContext) -> Result<bool> + Copy + Send + 'static,
{
    let sweep = move |tools: Tools, tenant: TenantId| async move {
        for _ in 0..STEPS {
            let ctx = tools.context().of(tenant.clone());
            if !tools.store.for_tenant(&tenant).write(move |tx| step(tx, &ctx)).await? {
                return Ok(Left::Nothing);
            }
        }
        Ok(Left::More)
    };
    sweep_due(tools, is_due, sweep).await
}

/// Sweeps every tenant that `is_due` finds; fails at the end if that failed for one of them.
pub(crate) async fn sweep_due<D, S, R>(tools: &Tools, is_due: D, sweep: S) -> Result<Left>
where
    D: Fn(&mut Tx<'_>, &TenantContext) -> Result<bool> + Copy + Send + 'static,
    S: Fn(Tools, TenantId) -> R,
    R: Future<Output = Result<Left>>,
{
    let (mut after, mut swept) = (String::new(), Swept::default());
    loop {
        let round = due(tools, &after, is_due, &mut swept).await?;
        swept.these(tools, round.tenants, &sweep).await;
        if round.last.is_empty() {
            return swept.end();
        }
        after = round.last;
    }
}

/// What there is to do, as one read tells of all tenants; while a part of the database is away, as one read of each tells.
pub(crate) async fn find<T, A, O>(tools: &Tools, among_all: A, of_one: O) -> Result<Vec<T>>
where
    T: Send + 'static,
    A: FnMut(&mut Tx<'_>) -> Result<Vec<T>> + Send + 'static,
    O: Fn(&mut Tx<'_>, &TenantId) -> Result<Vec<T>> + Copy + Send + 'static,
{
    let now = tools.platform.clock().now();
    if !tools.outage.is_on(now) {
        match tools.store.read(among_all).await {
            Err(error) if outage::is_unavailable(&error) => tools.outage.begin(now),
            found => return found,
        }
    }
    let (mut after, mut found) = (String::new(), Vec::new());
    loop {
        let round = tools.store.read(move |tx| outage::round(tx, &after)).await?;
        for tenant in round.tenants {
            if !tools.outage.lets_try(&tenant, now) {
                continue;
            }
            let of = tenant.clone();
            let looked = tools.store.read(move |tx| of_one(tx, &of)).await;
            match tools.outage.after_one(&tenant, looked, now) {
                Ok(some) => found.extend(some.into_iter().flatten()),
                Err(error) => {
                    tracing::warn!(%tenant, %error, "it is not known what there is to do for a tenant");
                }
            }
        }
        if round.last.is_empty() {
            return Ok(found);
        }
        after = round.last;
    }
}

/// Finds tenants in the same way: those that `among_all` tells, or for whom `is_due`.
pub(crate) async fn find_tenants<A, O>(tools: &Tools, among_all: A, is_due: O) -> Result<Vec<TenantId>>
where
    A: FnMut(&mut Tx<'_>) -> Result<Vec<TenantId>> + Send + 'static,
    O: Fn(&mut Tx<'_>, &TenantId) -> Result<bool> + Copy + Send + 'static,
{
    let of_one = move |tx: &mut Tx<'_>, tenant: &TenantId| {
        Ok(if is_due(tx, tenant)? { vec![tenant.clone()] } else { vec![] })
    };
    find(tools, among_all, of_one).await
}

/// Sweeps these tenants; fails at the end if that failed for one of them.
pub(crate) async fn sweep_these<S, R>(tools: &Tools, tenants: Vec<TenantId>, sweep: S) -> Result<Left>
where
    S: Fn(Tools, TenantId) -> R,
    R: Future<Output = Result<Left>>,
{
    let mut swept = Swept::default();
    swept.these(tools, tenants, &sweep).await;
    swept.end()
}

/// The tenants of the next round that have something to be swept.
async fn due<D>(tools: &Tools, after: &str, is_due: D, swept: &mut Swept) -> Result<Round>
where
    D: Fn(&mut Tx<'_>, &TenantContext) -> Result<bool> + Copy + Send + 'static,
{
    let context = tools.context();
    if !tools.outage.is_on(context.now) {
        let (from, of_all) = (after.to_owned(), context.clone());
        let look = move |tx: &mut Tx<'_>| {
            let Round { tenants, last } = outage::round(tx, &from)?;
            let mut due = Vec::new();
            for tenant in tenants {
                if is_due(tx, &of_all.clone().of(tenant.clone()))? {
                    due.push(tenant);
                }
            }
            Ok(Round { tenants: due, last })
        };
        match tools.store.read(look).await {
            Ok(round) => return Ok(round),
            Err(error) if outage::is_unavailable(&error) => tools.outage.begin(context.now),
            // The looks at each of them will say of whom.
            Err(_) => {}
        }
    }
    let from = after.to_owned();
    let Round { tenants, last } = tools.store.read(move |tx| outage::round(tx, &from)).await?;
    let mut due = Vec::new();
    for tenant in tenants {
        if tools.outage.lets_try(&tenant, context.now) {
            let ctx = context.clone().of(tenant.clone());
            let looked = tools.store.read(move |tx| is_due(tx, &ctx)).await;
            match tools.outage.after_one(&tenant, looked, context.now) {
                Ok(Some(true)) => due.push(tenant),
                Ok(_) => {}
                Err(error) => swept.fail(&tenant, error),
            }
        }
    }
    Ok(Round { tenants: due, last })
}

/// What became of the tenants so far.
#[derive(Default)]
struct Swept {
    has_more: bool,
    failed: Option<Error>,
}

impl Swept {
    async fn these<S, R>(&mut self, tools: &Tools, tenants: Vec<TenantId>, sweep: &S)
    where
        S: Fn(Tools, TenantId) -> R,
        R: Future<Output = Result<Left>>,
    {
        for tenant in tenants {
            match sweep(tools.clone(), tenant.clone()).await {
                Ok(left) => self.has_more |= left == Left::More,
                Err(error) => self.fail(&tenant, error),
            }
        }
    }

    fn fail(&mut self, tenant: &TenantId, error: Error) {
        tracing::warn!(tenant = tenant.as_str(), %error, "a tenant was not swept");
        self.failed = Some(error);
    }

    fn end(self) -> Result<Left> {
        match self.failed {
            Some(error) => Err(error),
            None if self.has_more => Ok(Left::More),
            None => Ok(Left::Nothing),
        }
    }
}

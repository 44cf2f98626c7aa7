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

/// Sweeps every tenant that `is_due` finds, in [`steps`].
pub(crate) async fn sweep<D, S>(tools: &Tools, is_due: D, step: S) -> Result<Left>
where
    D: Fn(&mut Tx<'_>, &TenantContext) -> Result<bool> + Copy + Send + 'static,
    S: Fn(&mut Tx<'_>, &TenantContext) -> Result<bool> + Copy + Send + 'static,
{
    sweep_due(tools, is_due, |tools, tenant| steps(tools, tenant, step)).await
}

/// Sweeps one tenant in steps of a transaction each, until one says that nothing is left.
pub(crate) async fn steps<S>(tools: Tools, tenant: TenantId, step: S) -> Result<Left>
where
    S: Fn(&mut Tx<'_>, &TenantContext) -> Result<bool> + Copy + Send + 'static,
{
    for _ in 0..STEPS {
        let ctx = tools.context().of(tenant.clone());
        if !tools.store.for_tenant(&tenant).write(move |tx| step(tx, &ctx)).await? {
            return Ok(Left::Nothing);
        }
    }
    Ok(Left::More)
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

/// Sweeps the tenants of [`find_tenants`]; fails at the end if that failed for one of them.
pub(crate) async fn sweep_found<A, D, S, R>(tools: &Tools, among_all: A, is_due: D, sweep: S) -> Result<Left>
where
    A: FnMut(&mut Tx<'_>) -> Result<Vec<TenantId>> + Send + 'static,
    D: Fn(&mut Tx<'_>, &TenantId) -> Result<bool> + Copy + Send + 'static,
    S: Fn(Tools, TenantId) -> R,
    R: Future<Output = Result<Left>>,
{
    let tenants = find_tenants(tools, among_all, is_due).await?;
    sweep_these(tools, tenants, sweep).await
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

/// The tenants that one read of all of them finds or, while a part of the database is away, for whom `is_due`.
pub(crate) async fn find_tenants<A, D>(tools: &Tools, among_all: A, is_due: D) -> Result<Vec<TenantId>>
where
    A: FnMut(&mut Tx<'_>) -> Result<Vec<TenantId>> + Send + 'static,
    D: Fn(&mut Tx<'_>, &TenantId) -> Result<bool> + Copy + Send + 'static,
{
    let of_one = move |tx: &mut Tx<'_>, tenant: &TenantId| {
        Ok(if is_due(tx, tenant)? { vec![tenant.clone()] } else { vec![] })
    };
    find(tools, among_all, of_one).await
}

/// What one read of all tenants finds; while a part of the database is away, what a read of each finds.
pub(crate) async fn find<T, A, O>(tools: &Tools, among_all: A, of_one: O) -> Result<Vec<T>>
where
    T: Send + 'static,
    A: FnMut(&mut Tx<'_>) -> Result<Vec<T>> + Send + 'static,
    O: Fn(&mut Tx<'_>, &TenantId) -> Result<Vec<T>> + Copy + Send + 'static,
{
    let now = tools.platform.clock().now();
    if !tools.outage.is_on(now) {
        let found = tools.store.read(among_all).await;
        if !tools.outage.after_all(&found, now) {
            return found;
        }
    }
    let (mut after, mut found) = (String::new(), Vec::new());
    let mut failed = |tenant: &TenantId, error: Error| {
        tracing::warn!(tenant = tenant.as_str(), %error, "could not read what there is to do for a tenant");
    };
    loop {
        let (of_round, last) = one_by_one(tools, after, of_one, &mut failed).await?;
        found.extend(of_round);
        if last.is_empty() {
            return Ok(found);
        }
        after = last;
    }
}

/// The tenants of the next round that have something to be swept.
async fn due<D>(tools: &Tools, after: &str, is_due: D, swept: &mut Swept) -> Result<Round>
where
    D: Fn(&mut Tx<'_>, &TenantContext) -> Result<bool> + Copy + Send + 'static,
{
    let context = tools.context();
    let of = context.clone();
    let if_due = move |tx: &mut Tx<'_>, tenant: &TenantId| {
        let is_due = is_due(tx, &of.clone().of(tenant.clone()))?;
        Ok(is_due.then(|| tenant.clone()))
    };
    if !tools.outage.is_on(context.now) {
        let (from, if_due) = (after.to_owned(), if_due.clone());
        let look = move |tx: &mut Tx<'_>| {
            let Round { tenants, last } = outage::round(tx, &from)?;
            let due = tenants.iter().filter_map(|tenant| if_due(tx, tenant).transpose());
            Ok(Round { tenants: due.collect::<Result<_>>()?, last })
        };
        match tools.store.read(look).await {
            Ok(round) => return Ok(round),
            Err(error) if outage::is_unavailable(&error) => tools.outage.begin(context.now),
            // The looks at each of them will say of whom.
            Err(_) => {}
        }
    }
    let mut failed = |tenant: &TenantId, error| swept.fail(tenant, error);
    let (tenants, last) = one_by_one(tools, after.to_owned(), if_due, &mut failed).await?;
    Ok(Round { tenants, last })
}

/// What a read of each tenant of the next round finds, and where the one after it begins.
async fn one_by_one<T, I, O>(
    tools: &Tools,
    after: String,
    of_one: O,
    failed: &mut impl FnMut(&TenantId, Error),
) -> Result<(Vec<T>, String)>
where
    I: IntoIterator<Item = T> + Send + 'static,
    O: Fn(&mut Tx<'_>, &TenantId) -> Result<I> + Clone + Send + 'static,
{
    let now = tools.platform.clock().now();
    let Round { tenants, last } = tools.store.read(move |tx| outage::round(tx, &after)).await?;
    let mut found = Vec::new();
    for tenant in tenants {
        if !tools.outage.lets_try(&tenant, now) {
            continue;
        }
        let (of, look) = (tenant.clone(), of_one.clone());
        let looked = tools.store.read(move |tx| look(tx, &of)).await;
        match tools.outage.after_one(&tenant, looked, now) {
            Ok(some) => found.extend(some.into_iter().flatten()),
            Err(error) => failed(&tenant, error),
        }
    }
    Ok((found, last))
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

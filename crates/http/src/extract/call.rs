//! The caller's side of a request: who asks, in which tenant, and the way to the database.

use std::sync::Arc;
use std::time::Duration;

use pagesmith_model::{Error, Kind, Result, TenantId};
use pagesmith_operations::access::Caller;
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::idempotency::{self, Answer};
use pagesmith_store::{ForTenant, Tx};
use serde::Serialize;

use crate::counts::{Counts, Permit};
use crate::description::{Operation, Schemas};
use crate::extract::{Extract, Findings, IdempotencyKey, Incoming};
use crate::in_flight::Share;
use crate::offload::INLINE_ANSWER;
use crate::reply::{Reply, Upsert, json};
use crate::state::AppState;

/// After how many seconds a tenant may try again that has too many streams open.
const RETRY_AFTER: u32 = 5;

/// An authenticated call.
#[derive(Clone)]
pub struct Call {
    /// What all requests share.
    pub state: AppState,
    /// The tenant and the instant; shared, since what runs on other threads has it too.
    pub ctx: Arc<TenantContext>,
    /// The key, and whose it is.
    pub caller: Caller,
}

impl Call {
    /// The tenant's label in host names.
    pub fn tenant_slug(&self) -> &str {
        &self.caller.tenant.slug
    }

    /// The database, with the caller's share of it.
    pub(crate) fn store(&self) -> ForTenant<'_> {
        self.state.store.for_tenant(&self.ctx.tenant)
    }

    /// Reads from one state of the database.
    pub async fn read<T, F>(&self, run: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&mut Tx<'_>, &TenantContext) -> Result<T> + Send + 'static,
    {
        let ctx = Arc::clone(&self.ctx);
        self.store().read(move |tx| run(tx, &ctx)).await
    }

    /// Reads what may take long, such as a search.
    pub async fn search<T, F>(&self, run: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&mut Tx<'_>, &TenantContext) -> Result<T> + Send + 'static,
    {
        let ctx = Arc::clone(&self.ctx);
        self.store().search(move |tx| run(tx, &ctx)).await
    }

    /// Reads a row or two by their key.
    pub async fn point_read<T, F>(&self, run: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&mut Tx<'_>, &TenantContext) -> Result<T> + Send + 'static,
    {
        let ctx = Arc::clone(&self.ctx);
        self.store().point_read(move |tx| run(tx, &ctx)).await
    }

    /// Reads by a single statement.
    pub async fn single_read<T, F>(&self, run: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&mut Tx<'_>, &TenantContext) -> Result<T> + Send + 'static,
    {
        let ctx = Arc::clone(&self.ctx);
        self.store().single_read(move |tx| run(tx, &ctx)).await
    }

    /// What an answer may take of this process's memory.
    pub(crate) fn share(&self) -> Share {
        self.state.answers.share(Some(&self.ctx.tenant))
    }

    /// The same call at the present instant, for what goes on after it was answered.
    pub(crate) fn at_present(&self) -> Call {
        let ctx = self.state.platform.context().of(self.ctx.tenant.clone());
        Call { ctx: Arc::new(ctx), ..self.clone() }
    }

    /// One of the streams that the tenant may have open on this server.
    pub(crate) fn stream_permit(&self) -> Result<Permit<TenantId>> {
        let limit = self.state.settings.streams_per_tenant;
        self.permit(&self.state.streams, limit, RETRY_AFTER, |limit| {
            format!("The tenant has {limit} streams open already.")
        })
    }

    /// One of the things that the tenant may have at once on this server; 429 with what `detail` says of the limit, and after how many seconds
    /// to try again, if it has all of them.
    pub(crate) fn permit(
        &self,
        counts: &Counts<TenantId>,
        limit: usize,
        retry_after: u32,
        detail: impl FnOnce(u32) -> String,
    ) -> Result<Permit<TenantId>> {
        counts.take(self.ctx.tenant.clone(), limit).ok_or_else(|| {
            let limit = u32::try_from(limit).unwrap_or(u32::MAX);
            let resets_at = self.state.now().plus(Duration::from_secs(retry_after.into()));
            Error::new(Kind::Limited { limit, resets_at, retry_after }, detail(limit))
        })
    }

    /// Whether a stream may go on: its key may have been revoked or have expired, its tenant been suspended.
    pub(crate) fn is_still_admitted(&self) -> bool {
        self.state.keys.still_admits(&self.caller, self.state.now())
    }

    /// Writes an answer of about so many bytes: a large one where nobody else waits for the thread.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        bytes: usize,
        write: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        if bytes <= INLINE_ANSWER {
            return write();
        }
        self.state.offload.run(Some(&self.ctx.tenant), write).await?
    }

    /// Changes something and answers with what came of it.
    pub async fn change<T, F, const STATUS: u16>(&self, run: F) -> Result<Reply<T, STATUS>>
    where
        T: Serialize + Send + 'static,
        F: Fn(&mut Tx<'_>, &TenantContext) -> Result<T> + Send + 'static,
    {
        Reply::of(&self.apply(run).await?)
    }

    /// Changes something; what came of it, for an answer that takes more than the change.
    pub async fn apply<T, F>(&self, run: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&mut Tx<'_>, &TenantContext) -> Result<T> + Send + 'static,
    {
        let ctx = Arc::clone(&self.ctx);
        self.store().write(move |tx| run(tx, &ctx)).await
    }

    /// Changes something unless the same request has done so; the answer is kept in the same transaction.
    pub async fn change_once<T, F, const STATUS: u16>(
        &self,
        key: IdempotencyKey,
        run: F,
    ) -> Result<Reply<T, STATUS>>
    where
        T: Serialize + Send + 'static,
        F: Fn(&mut Tx<'_>, &TenantContext) -> Result<T> + Send + 'static,
    {
        let answer = self.answer_once(key, move |tx, ctx| Ok((STATUS, run(tx, ctx)?)));
        answer.await.map(Reply::from_answer)
    }

    /// The same for something that may be made or found: `run` tells whether it was made.
    pub async fn upsert_once<T, F>(&self, key: IdempotencyKey, run: F) -> Result<Upsert<T>>
    where
        T: Serialize + Send + 'static,
        F: Fn(&mut Tx<'_>, &TenantContext) -> Result<(bool, T)> + Send + 'static,
    {
        let answer = self.answer_once(key, move |tx, ctx| {
            let (made, value) = run(tx, ctx)?;
            Ok((if made { 201 } else { 200 }, value))
        });
        answer.await.map(Upsert::from_answer)
    }

    /// Changes something that no answer waits for, such as what makes the next one cheaper.
    pub fn afterwards<F>(&self, run: F)
    where
        F: Fn(&mut Tx<'_>, &TenantContext) -> Result<()> + Send + 'static,
    {
        let (ctx, store) = (Arc::clone(&self.ctx), self.state.store.clone());
        tokio::spawn(async move {
            let tenant = ctx.tenant.clone();
            if let Err(error) = store.for_tenant(&tenant).write(move |tx| run(tx, &ctx)).await {
                tracing::debug!(%error, "a deferred write failed");
            }
        });
    }

    async fn answer_once<T, F>(&self, IdempotencyKey(request): IdempotencyKey, run: F) -> Result<Answer>
    where
        T: Serialize + Send + 'static,
        F: Fn(&mut Tx<'_>, &TenantContext) -> Result<(u16, T)> + Send + 'static,
    {
        let ctx = Arc::clone(&self.ctx);
        let Some(request) = request else {
            let (status, value) = self.store().write(move |tx| run(tx, &ctx)).await?;
            return Ok(Answer { status, body: json(&value)?, replayed: false });
        };
        let turn = self.state.running.begin(&request.key)?;
        let answer = self.store().write(move |tx| {
            // A turn that goes into the closure outlives a caller that hangs up.
            let _turn = &turn;
            idempotency::once(tx, &ctx, &request, |tx| {
                let (status, value) = run(tx, &ctx)?;
                Ok((status, json(&value)?))
            })
        });
        answer.await
    }
}

impl Extract for Call {
    fn describe(_: &mut Operation, _: &mut Schemas) {}

    fn extract(request: &Incoming, _: &mut Findings) -> Option<Call> {
        let caller = request.caller.as_ref()?;
        let actor = caller.actor();
        Some(Call {
            state: request.state.clone(),
            ctx: Arc::new(request.context.clone().by(actor).of(caller.tenant.tenant_id.clone())),
            caller: caller.clone(),
        })
    }
}

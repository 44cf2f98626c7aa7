//! Reading a part of a collection within the bounds of its request.

use pagesmith_model::{Result, text};
use pagesmith_operations::context::TenantContext;
use pagesmith_store::{Extent, Tx};

use crate::extract::Call;
use crate::extract::paging::{ListRequest, Position};

impl<P: Position> ListRequest<P> {
    /// Reads the part from one state of the database: what follows a position, as far as the extent goes.
    pub(crate) fn read<'call, T, F>(
        &self,
        call: &'call Call,
        run: F,
    ) -> impl Future<Output = Result<T>> + use<'call, P, T, F>
    where
        T: Send + 'static,
        F: Fn(&mut Tx<'_>, &TenantContext, Option<&P>, Extent) -> Result<T> + Send + 'static,
    {
        let (after, extent) = self.bounds();
        call.read(move |tx, ctx| run(tx, ctx, after.as_ref(), extent))
    }

    /// The same for what may take long, such as a search.
    pub(crate) fn search<'call, T, F>(
        &self,
        call: &'call Call,
        run: F,
    ) -> impl Future<Output = Result<T>> + use<'call, P, T, F>
    where
        T: Send + 'static,
        F: Fn(&mut Tx<'_>, &TenantContext, Option<&P>, Extent) -> Result<T> + Send + 'static,
    {
        let (after, extent) = self.bounds();
        call.search(move |tx, ctx| run(tx, ctx, after.as_ref(), extent))
    }
}

impl<P: Position> ListRequest<(i64, P)> {
    /// The same for a search that without words is a list, and takes no longer than one.
    pub(crate) fn list_or_search<'call, T, F>(
        &self,
        call: &'call Call,
        words: text::Query,
        run: F,
    ) -> impl Future<Output = Result<T>> + use<'call, P, T, F>
    where
        T: Send + 'static,
        F: Fn(&mut Tx<'_>, &TenantContext, (&text::Query, Option<&(i64, P)>), Extent) -> Result<T>
            + Send
            + 'static,
    {
        let (after, extent) = self.bounds();
        let is_list = words.is_blank();
        let run = move |tx: &mut Tx<'_>, ctx: &TenantContext| run(tx, ctx, (&words, after.as_ref()), extent);
        async move { if is_list { call.read(run).await } else { call.search(run).await } }
    }
}

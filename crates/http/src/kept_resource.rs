//! Resources whose JSON is kept in memory ([`super::kept_json`]).
//!
//! [`get`] answers one resource and [`list`] a part of a collection. At every request they read the stamps of what is asked for by one
//! narrow statement; what is kept under the same stamp is sent as it is, and only the rest is read and written anew. So nothing that
//! is sent is older than the request, whichever server has changed it.
//!
//! A noun takes part with [`KeptResource`]. Its table's `stamps.rs` names what its JSON depends on.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;

use axum::body::Body;
use axum::http::Response;
use pagesmith_model::json::JsonText;
use pagesmith_model::list_order::{ListOrder, OrderedPlace};
use pagesmith_model::{Error, Result, TenantId};
use pagesmith_operations::files::pictures::Pictures;
use pagesmith_store::{Extent, ListPart, Lookup, Stamp, StampedPart, Tx};
use schemars::JsonSchema;
use serde::Serialize;

use crate::collection::{Collection, CollectionItem};
use crate::description::{Operation, Schemas};
use crate::extract::Call;
use crate::extract::paging::{ListRequest, Position};
use crate::kept_json::Finished;
use crate::pictures::{self, PictureAddresses};
use crate::reply::{self, AnswerContext, IntoAnswer, Reply, Single};
use crate::state::AppState;

/// A resource whose JSON is kept.
pub(crate) trait KeptResource: Sized + Serialize + JsonSchema + Send + 'static {
    /// What it is found by; collections have the greatest first.
    type Id: Position + AsRef<str>;
    /// What the database has of it.
    type Stored: Clone + Send + Sync + 'static;

    /// Its stamp, which changes with everything that the JSON shows.
    const STAMPS: &'static Lookup<Stamp>;
    /// All of it.
    const ROWS: &'static Lookup<(Stamp, Self::Stored)>;

    /// A part of the tenant's collection, by a single statement.
    fn list(
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        after: Option<&Self::Id>,
        items: usize,
    ) -> Result<StampedPart<Self::Id>>;

    /// The same in an order.
    fn list_in_order(
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        order: ListOrder,
        after: Option<&OrderedPlace<Self::Id>>,
        items: usize,
    ) -> Result<StampedPart<OrderedPlace<Self::Id>>>;

    /// The metadata that the JSON shows with the addresses of its pictures.
    fn metadata(stored: &Self::Stored) -> Option<&JsonText>;

    /// What answers show of what was found, with its pictures; 404 if that is nothing.
    fn view(found: Option<Self::Stored>, addresses: &PictureAddresses, pictures: &Pictures) -> Result<Self>;
}

/// JSON of an `R` with an `ETag`, as [`Single`] answers it.
pub struct KeptAnswer<R> {
    finished: Arc<Finished>,
    shape: PhantomData<fn() -> R>,
}

impl<R: KeptResource> IntoAnswer for KeptAnswer<R> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        Single::<R>::describe(operation, schemas);
    }

    fn into_answer(self, context: &AnswerContext<'_>) -> Result<Response<Body>> {
        let Finished { json, tag, .. } = &*self.finished;
        reply::tagged(context, tag.clone(), || context.share.hold_shared(json))
    }
}

/// Answers the resource with this id.
pub(crate) async fn get<R: KeptResource>(call: &Call, id: &R::Id) -> Result<KeptAnswer<R>> {
    let (kept, store, tenant, id) = (&call.state.json, &call.state.store, &call.ctx.tenant, id.as_ref());
    if kept.has(tenant, id)
        && let Some(stamp) = call.store().look_up(R::STAMPS, id).await?
        && let Some(finished) = kept.find(tenant, [(id, stamp)], store.connects()).pop().flatten()
    {
        return Ok(KeptAnswer { finished, shape: PhantomData });
    }
    let connects = store.connects();
    let (stamp, stored) = call.store().look_up(R::ROWS, id).await?.unzip();
    // Read after the row: whatever changes in between, its stamp is another one by then.
    let pictures = pictures::read(call, stored.as_ref().and_then(R::metadata)).await?;
    let view = R::view(stored, &PictureAddresses::of(call), &pictures)?;
    let stamp = stamp.ok_or_else(|| Error::internal("a resource without its stamp"))?;
    let finished = Arc::new(Finished::of(stamp, &view)?);
    kept.keep(tenant, id, Arc::clone(&finished), connects);
    Ok(KeptAnswer { finished, shape: PhantomData })
}

/// An item of a collection that is answered, and its position.
type Item<R, P> = (P, Source<<R as KeptResource>::Stored>);

/// What the JSON of an item comes from.
enum Source<S> {
    Kept(Arc<Finished>),
    Read(Stamp, S),
}

/// What was read of a collection: its stamps, what is kept, and the rows of what is not.
struct ReadCollection<R: KeptResource, P> {
    part: StampedPart<P>,
    kept: Vec<Option<Arc<Finished>>>,
    read: HashMap<String, (usize, (Stamp, R::Stored))>,
}

impl<R: KeptResource, P: AsRef<str>> ReadCollection<R, P> {
    /// Reads the rows of those items that are not kept, as far as the extent has bytes; the first of them in any case.
    fn read(
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        state: &AppState,
        part: StampedPart<P>,
        extent: Extent,
    ) -> Result<Self> {
        let kept = state.json.find(tenant, stamps(&part), state.store.connects());
        let missing = part.items.iter().zip(&kept).filter(|(_, kept)| kept.is_none());
        let missing: Vec<&str> = missing.map(|((place, _), _)| place.as_ref()).collect();
        let mut rows = R::ROWS.find_newest(tx, tenant, &missing, extent.bytes)?;
        // The newest are read first, of which the first in another order need not be one.
        if let Some(first) = missing.first().filter(|first| rows.iter().all(|(id, ..)| id != *first)) {
            rows.extend(R::ROWS.find_newest(tx, tenant, &[*first], extent.bytes)?);
        }
        let read = rows.into_iter().map(|(id, bytes, row)| (id, (bytes, row))).collect();
        Ok(ReadCollection { part, kept, read })
    }

    /// As many items as the extent holds, up to the first one whose row was not read; and how many there are in all.
    fn into_part(mut self, extent: Extent) -> (ListPart<Item<R, P>>, u64) {
        let StampedPart { items, mut more, total } = self.part;
        let mut found = Vec::with_capacity(items.len());
        for ((place, _), kept) in items.into_iter().zip(self.kept) {
            if let Some(finished) = kept {
                found.push((finished.json.len(), (place, Source::Kept(finished))));
                continue;
            }
            let Some((bytes, (stamp, stored))) = self.read.remove(place.as_ref()) else {
                more = true;
                break;
            };
            found.push((bytes, (place, Source::Read(stamp, stored))));
        }
        let part = ListPart::of(found, extent);
        (ListPart { more: part.more || more, ..part }, total)
    }
}

/// Answers a part of a collection.
pub(crate) async fn list<R: KeptResource + CollectionItem>(
    call: &Call,
    list: ListRequest<R::Id>,
) -> Result<Reply<Collection<R>>> {
    let (after, extent) = list.bounds();
    let state = Arc::clone(&call.state);
    let position = after.clone();
    let part =
        call.single_read(move |tx, ctx| R::list(tx, &ctx.tenant, position.as_ref(), extent.items)).await?;
    let kept = state.json.find(&call.ctx.tenant, stamps(&part), state.store.connects());
    let found: ReadCollection<R, R::Id> = if kept.iter().all(Option::is_some) {
        ReadCollection { part, kept, read: HashMap::new() }
    } else {
        let read = move |tx: &mut Tx<'_>, tenant: &TenantId| {
            let part = R::list(tx, tenant, after.as_ref(), extent.items)?;
            ReadCollection::read(tx, tenant, &state, part, extent)
        };
        call.read(move |tx, ctx| read(tx, &ctx.tenant)).await?
    };
    answer(call, list, found).await
}

/// The same in an order.
pub(crate) async fn list_in_order<R: KeptResource + CollectionItem>(
    call: &Call,
    list: ListRequest<OrderedPlace<R::Id>>,
    order: ListOrder,
) -> Result<Reply<Collection<R>>> {
    let (after, extent) = list.bounds();
    let state = Arc::clone(&call.state);
    let read = move |tx: &mut Tx<'_>, tenant: &TenantId| {
        let part = R::list_in_order(tx, tenant, order, after.as_ref(), extent.items)?;
        ReadCollection::<R, _>::read(tx, tenant, &state, part, extent)
    };
    let found = call.read(move |tx, ctx| read(tx, &ctx.tenant)).await?;
    answer(call, list, found).await
}

async fn answer<R: KeptResource + CollectionItem, P: Position + AsRef<str>>(
    call: &Call,
    list: ListRequest<P>,
    found: ReadCollection<R, P>,
) -> Result<Reply<Collection<R>>> {
    let (_, extent) = list.bounds();
    let state = Arc::clone(&call.state);
    let connects = state.store.connects();
    let shown = found.read.values().filter_map(|(_, (_, stored))| R::metadata(stored));
    let (pictures, addresses) = (pictures::read(call, shown).await?, PictureAddresses::of(call));
    let (part, total) = found.into_part(extent);
    let tenant = call.ctx.tenant.clone();
    let write = move |out: &mut Vec<u8>, (place, source): Item<R, P>| {
        let finished = match source {
            Source::Kept(finished) => finished,
            Source::Read(stamp, stored) => {
                let finished = Arc::new(Finished::of(stamp, &R::view(Some(stored), &addresses, &pictures)?)?);
                state.json.keep(&tenant, place.as_ref(), Arc::clone(&finished), connects);
                finished
            }
        };
        out.extend_from_slice(&finished.json);
        Ok(())
    };
    list.answer_written(call, (part, total), |(place, _)| place.clone(), write).await
}

fn stamps<Id: AsRef<str>>(part: &StampedPart<Id>) -> impl Iterator<Item = (&str, Stamp)> {
    part.items.iter().map(|(id, stamp)| (id.as_ref(), *stamp))
}

//! The pages that are not deleted in an order, each with its stamp.
//!
//! All names of a tenant's pages are looked through for a part in their order, as a search does: an index of them would make each creation of a page
//! slower. There is no order by change, whose index each update would write.

use pagesmith_model::list_order::{ListOrder, OrderBy, OrderedPlace};
use pagesmith_model::{Error, PageId, Result, TenantId};

use super::stamps::STAMPS;
use crate::extent::Extent;
use crate::lookup::StampedPart;
use crate::tables::counters;
use crate::tables::ordered::{Ordered, by_id, keyed};
use crate::tx::Tx;
use crate::{sql, values};

/// The pages by name or creation, after a place.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    order: ListOrder,
    after: Option<&OrderedPlace<PageId>>,
    items: usize,
) -> Result<StampedPart<OrderedPlace<PageId>>> {
    let extent = Extent::of_items(items);
    let part = in_order(tenant, order.by)?.list(tx, order, "page_id", after, extent, |_| Ok(()))?;
    let ids: Vec<&str> = part.items.iter().map(|(place, ())| place.id.as_str()).collect();
    let stamps = STAMPS.find_many(tx, tenant, &ids)?;
    let total = counters::total(&tx.all(counters::count(tenant, counters::PAGES))?)?;
    let items = part.items.into_iter().zip(stamps).filter_map(|((place, ()), stamp)| Some((place, stamp?)));
    Ok(StampedPart { items: items.collect(), more: part.more, total })
}

pub(in crate::tables) fn in_order(tenant: &TenantId, by: OrderBy) -> Result<Ordered> {
    let by_name = sql!(
        "SELECT n.page_id, substr(n.folded, 1, 60) AS order_key FROM page_names n WHERE n.tenant_id = $1"
    );
    let by_creation = sql!("SELECT n.page_id FROM page_names n WHERE n.tenant_id = $1");
    let tenant = values![tenant];
    match by {
        OrderBy::Name => {
            Ok(Ordered::Key(keyed!(by_name.with(tenant), "substr(n.folded, 1, 60)", "n.page_id")))
        }
        OrderBy::CreatedAt => Ok(Ordered::Id(by_id!(by_creation.with(tenant), "n.page_id"))),
        OrderBy::Email | OrderBy::Domain => Err(Error::internal("pages have no such order")),
    }
}

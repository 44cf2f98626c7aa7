//! The audiences of a page in an order.

use pagesmith_model::list_order::{ListOrder, OrderBy, OrderedPlace};
use pagesmith_model::{AudienceId, Error, PageId, Result, TenantId};

use super::{ListedAudience, audience_columns, listed, listed_columns, listed_joins, live_and_site};
use crate::extent::Extent;
use crate::tables::ordered::{Ordered, OrderedPart, by_id, keyed, placed_by_id};
use crate::tables::pages;
use crate::tables::versions::joined_columns;
use crate::tx::Tx;
use crate::{sql, values};

/// The audiences of a page after a place, by name, of which archived ones come last, by creation, or without an order newest first; and how many
/// there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    page_id: &PageId,
    order: Option<ListOrder>,
    after: Option<&OrderedPlace<AudienceId>>,
    extent: Extent,
) -> Result<(OrderedPart<AudienceId, ListedAudience>, u64)> {
    let Some(order) = order else {
        let (part, total) = super::list(tx, tenant, page_id, after.map(|place| &place.id), extent)?;
        return Ok((placed_by_id(part, |listed| listed.audience.audience_id.clone()), total));
    };
    let ordered = in_order(tenant, page_id, order.by)?;
    let part = ordered.list(tx, order, "audience_id", after, extent, listed)?;
    Ok((part, pages::tallies::total(&tx.all(pages::tallies::count(tenant, page_id))?)?))
}

pub(in crate::tables) fn in_order(tenant: &TenantId, page_id: &PageId, by: OrderBy) -> Result<Ordered> {
    let by_name = sql!(
        "SELECT n.order_key, ",
        listed_columns!(),
        " FROM (SELECT n.audience_id, substr(n.folded, 1, 60) AS order_key FROM audience_names n
                WHERE n.tenant_id = $1 AND n.page_id = $2"
    );
    let archived = sql!(
        "SELECT ",
        listed_columns!(),
        " FROM (SELECT n.audience_id FROM audiences n
                WHERE n.tenant_id = $1 AND n.page_id = $2 AND n.archived_at IS NOT NULL"
    );
    let all = sql!(
        "SELECT ",
        listed_columns!(),
        " FROM (SELECT n.audience_id FROM audiences n WHERE n.tenant_id = $1 AND n.page_id = $2"
    );
    let values = values![tenant, page_id];
    // Joined crosswise, SQLite reads the subquery first.
    let joins = sql!(
        ") n CROSS JOIN audiences a ",
        listed_joins!(),
        " WHERE a.tenant_id = $1 AND a.page_id = $2 AND a.audience_id = n.audience_id"
    );
    let joins = joins.with(values.clone());
    match by {
        OrderBy::Name => Ok(Ordered::KeyOrLast(
            keyed!(by_name.with(values.clone()), "substr(n.folded, 1, 60)", "n.audience_id", joins.clone()),
            by_id!(archived.with(values), "n.audience_id", joins),
        )),
        OrderBy::CreatedAt => Ok(Ordered::Id(by_id!(all.with(values), "n.audience_id", joins))),
        OrderBy::Email | OrderBy::Domain => Err(Error::internal("audiences have no such order")),
    }
}

//! `delivery_attempts`: every attempt at a delivery but its first, which is in the delivery.

use pagesmith_model::json::JsonText;
use pagesmith_model::{EventId, Result, SubscriptionId, TenantId};

use crate::sql::Query;
use crate::tables::listed;
use crate::tables::webhooks::deliveries::DeliveryKey;
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

/// Adds an attempt; a query, to travel with others.
pub fn insert(key: &DeliveryKey, number: i64, attempt: &JsonText) -> Query {
    sql!(
        "INSERT INTO delivery_attempts (tenant_id, subscription_id, event_id, number, attempt)
         VALUES ($1, $2, $3, $4, $5)"
    )
    .with(values![&key.tenant, &key.subscription_id, &key.event_id, number, attempt])
}

/// The further attempts at these deliveries of a subscription, in order.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    subscription_id: &SubscriptionId,
    events: &[EventId],
) -> Result<Vec<(EventId, i64, JsonText)>> {
    if events.is_empty() {
        return Ok(vec![]);
    }
    let select = sql!(
        "SELECT event_id, number, attempt FROM delivery_attempts
         WHERE tenant_id = $1 AND subscription_id = $2 AND event_id IN ("
    );
    let select = listed(select.with(values![tenant, subscription_id]), events.iter().map(Value::from));
    let select = select.and(sql!(") ORDER BY event_id, number"), vec![]);
    let rows = tx.all(select)?;
    rows.iter().map(|row| Ok((row.take("event_id")?, row.take("number")?, row.take("attempt")?))).collect()
}

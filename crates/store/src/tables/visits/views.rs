//! `page_views`: how far each page view has come, for as long as reports of it may come.

use pagesmith_model::visit::progress::Progress;
use pagesmith_model::{AudienceSessionId, Result, TenantId, Timestamp};

use crate::sql::Query;
use crate::tables::listed;
use crate::tables::visits::number;
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

/// A page view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// Its number.
    pub view: [u8; 16],
    /// The session that it belongs to.
    pub session_id: AudienceSessionId,
    /// How far it has come.
    pub progress: Progress,
}

/// Those of the page views with these numbers that there are.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, views: &[[u8; 16]]) -> Result<Vec<View>> {
    if views.is_empty() {
        return Ok(vec![]);
    }
    let select = sql!(
        "SELECT view_id, audience_session_id, first_at, before_ms, engaged_ms, scroll, clicks, choices
         FROM page_views WHERE tenant_id = $1 AND view_id IN ("
    );
    let views = views.iter().map(|view| Value::from(view.as_slice()));
    let rows = tx.all(listed(select.with(values![tenant]), views).and(sql!(")"), vec![]))?;
    rows.iter()
        .map(|row| {
            Ok(View {
                view: number(row.take("view_id")?)?,
                session_id: AudienceSessionId::from_bytes(number(row.take("audience_session_id")?)?),
                progress: Progress {
                    first_at: row.take("first_at")?,
                    before_ms: row.take("before_ms")?,
                    engaged_ms: row.take("engaged_ms")?,
                    scroll: row.take("scroll")?,
                    clicks: row.take("clicks")?,
                    choices: usize::try_from(row.take::<u64>("choices")?).unwrap_or(usize::MAX),
                },
            })
        })
        .collect()
}

/// Adds a page view, or replaces how far it has come.
pub fn save(tenant: &TenantId, view: &View) -> Query {
    let Progress { first_at, before_ms, engaged_ms, scroll, clicks, choices } = view.progress;
    sql!(
        "INSERT INTO page_views
            (tenant_id, view_id, audience_session_id, first_at, before_ms, engaged_ms, scroll, clicks, choices)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (tenant_id, view_id) DO UPDATE SET engaged_ms = excluded.engaged_ms, scroll = excluded.scroll,
            clicks = excluded.clicks, choices = excluded.choices"
    )
    .with(values![
        tenant,
        view.view.as_slice(),
        view.session_id.to_bytes().as_slice(),
        first_at,
        before_ms,
        engaged_ms,
        scroll,
        clicks,
        i64::try_from(choices).unwrap_or(i64::MAX),
    ])
}

/// Whether the first report of a page view came before an instant.
pub fn exist_before(tx: &mut Tx<'_>, tenant: &TenantId, before: Timestamp) -> Result<bool> {
    let select = sql!(
        "SELECT view_id FROM page_views WHERE tenant_id = $1 AND first_at < $2 ORDER BY first_at, view_id LIMIT 1"
    );
    Ok(tx.maybe(select.with(values![tenant, before]))?.is_some())
}

/// Removes page views whose first report came before an instant, up to `limit`.
pub fn remove_before(tenant: &TenantId, before: Timestamp, limit: i64) -> Query {
    sql!(
        "DELETE FROM page_views WHERE tenant_id = $1 AND view_id IN (
            SELECT v.view_id FROM page_views v WHERE v.tenant_id = $1 AND v.first_at < $2
            ORDER BY v.first_at, v.view_id LIMIT $3)"
    )
    .with(values![tenant, before, limit])
}

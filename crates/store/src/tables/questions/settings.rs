//! `question_settings` and `page_question_settings`: where pages take questions, and how many.

use pagesmith_model::question::{PageQuestionSettings, QuestionSettings};
use pagesmith_model::{PageId, Result, TenantId};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// What a tenant has decided; the defaults where it has not.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<QuestionSettings> {
    let select = sql!(
        "SELECT is_shown, per_visitor, per_page, per_tenant FROM question_settings WHERE tenant_id = $1"
    );
    tx.maybe(select.with(values![tenant]))?.as_ref().map_or(Ok(QuestionSettings::default()), read)
}

/// Reads the columns of `question_settings`.
pub(super) fn read(row: &Row) -> Result<QuestionSettings> {
    Ok(QuestionSettings {
        is_shown: row.get("is_shown")?,
        per_visitor: row.get("per_visitor")?,
        per_page: row.get("per_page")?,
        per_tenant: row.get("per_tenant")?,
    })
}

/// Replaces what a tenant has decided; a query, to travel with others.
pub fn save(tenant: &TenantId, settings: &QuestionSettings) -> Query {
    sql!(
        "INSERT INTO question_settings (tenant_id, is_shown, per_visitor, per_page, per_tenant) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tenant_id) DO UPDATE SET is_shown = excluded.is_shown, per_visitor = excluded.per_visitor,
            per_page = excluded.per_page, per_tenant = excluded.per_tenant"
    )
    .with(values![tenant, settings.is_shown, settings.per_visitor, settings.per_page, settings.per_tenant])
}

/// What is set for a page; nothing where nothing is.
pub fn of_page(tx: &mut Tx<'_>, tenant: &TenantId, page_id: &PageId) -> Result<PageQuestionSettings> {
    let select = sql!(
        "SELECT is_shown, heading, action_id FROM page_question_settings WHERE tenant_id = $1 AND page_id = $2"
    );
    let Some(row) = tx.maybe(select.with(values![tenant, page_id]))? else {
        return Ok(PageQuestionSettings::default());
    };
    Ok(PageQuestionSettings {
        is_shown: row.take("is_shown")?,
        heading: row.take("heading")?,
        action_id: row.take("action_id")?,
    })
}

/// Replaces what is set for a page; a query, to travel with others.
pub fn save_of_page(tenant: &TenantId, page_id: &PageId, settings: &PageQuestionSettings) -> Query {
    sql!(
        "INSERT INTO page_question_settings (tenant_id, page_id, is_shown, heading, action_id) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tenant_id, page_id) DO UPDATE SET is_shown = excluded.is_shown, heading = excluded.heading,
            action_id = excluded.action_id"
    )
    .with(values![tenant, page_id, settings.is_shown, &settings.heading, &settings.action_id])
}

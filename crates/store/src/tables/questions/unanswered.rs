//! `unanswered_questions`: what visitors wanted to know and nothing was known of.

use pagesmith_model::question::UnansweredQuestion;
use pagesmith_model::{AudienceSessionId, PageId, Result, TenantId, UnansweredQuestionId};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::Query;
use crate::tables::counters;
use crate::tables::visits::number;
use crate::tx::Tx;
use crate::{sql, values};

fn question(row: &Row) -> Result<UnansweredQuestion> {
    Ok(UnansweredQuestion {
        unanswered_question_id: row.take("unanswered_question_id")?,
        page_id: row.take("page_id")?,
        audience_id: row.take("audience_id")?,
        session_id: AudienceSessionId::from_bytes(number(row.take("audience_session_id")?)?),
        question: row.take("question")?,
        language: row.take("language")?,
        created_at: row.take("created_at")?,
    })
}

/// Adds a question; a query, to travel with others.
pub fn insert(tenant: &TenantId, question: &UnansweredQuestion) -> Query {
    sql!(
        "INSERT INTO unanswered_questions
            (tenant_id, unanswered_question_id, page_id, audience_id, audience_session_id, question, language, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
    )
    .with(values![
        tenant,
        &question.unanswered_question_id,
        &question.page_id,
        &question.audience_id,
        question.session_id.to_bytes().as_slice(),
        &question.question,
        &question.language,
        question.created_at,
    ])
}

/// The questions of a page after one, newest first; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    page_id: &PageId,
    after: Option<&UnansweredQuestionId>,
    extent: Extent,
) -> Result<(ListPart<UnansweredQuestion>, u64)> {
    let mut select = sql!(
        "SELECT unanswered_question_id, page_id, audience_id, audience_session_id, question, language, created_at
         FROM unanswered_questions WHERE tenant_id = $1 AND page_id = $2"
    )
    .with(values![tenant, page_id]);
    if let Some(after) = after {
        select = select.and(sql!("AND unanswered_question_id < $1"), values![after]);
    }
    select = select.and(sql!("ORDER BY unanswered_question_id DESC LIMIT $1"), values![extent.rows()]);
    let part = ListPart::read(&tx.all(select.within(extent.bytes))?, extent, question)?;
    let count =
        sql!("SELECT COUNT(*) AS total FROM unanswered_questions WHERE tenant_id = $1 AND page_id = $2");
    Ok((part, counters::total(&tx.all(count.with(values![tenant, page_id]))?)?))
}

/// Removes a question of a page.
pub fn remove(tenant: &TenantId, page_id: &PageId, id: &UnansweredQuestionId) -> Query {
    sql!("DELETE FROM unanswered_questions WHERE tenant_id = $1 AND page_id = $2 AND unanswered_question_id = $3")
        .with(values![tenant, page_id, id])
}

/// Removes the questions of a visit; a query, to travel with others.
pub fn remove_of_session(tenant: &TenantId, id: &AudienceSessionId) -> Query {
    sql!("DELETE FROM unanswered_questions WHERE tenant_id = $1 AND audience_session_id = $2")
        .with(values![tenant, id.to_bytes().as_slice()])
}

/// Removes the questions whose ids are less: those that were asked before its instant.
pub fn remove_before(tenant: &TenantId, first: &UnansweredQuestionId) -> Query {
    sql!("DELETE FROM unanswered_questions WHERE tenant_id = $1 AND unanswered_question_id < $2")
        .with(values![tenant, first])
}

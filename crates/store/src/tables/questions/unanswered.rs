//! `unanswered_questions`: what visitors wanted to know and nothing was known of.

use pagesmith_model::question::UnansweredQuestion;
use pagesmith_model::{AudienceSessionId, Error, PageId, Result, TenantId, UnansweredQuestionId};

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

/// How many questions are looked at for [`newest_by_page`].
const LOOKED_AT: i64 = 1_000;

/// A page with questions that nothing was known of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageWithQuestions {
    /// The page.
    pub page_id: PageId,
    /// Its name.
    pub page_name: String,
    /// How many of its questions are among the newest thousand of the tenant.
    pub questions: u64,
    /// The newest of them.
    pub newest: UnansweredQuestionId,
}

/// Up to so many pages of those that the newest questions of the tenant were asked on, the one first that was asked on last. Archived and
/// deleted pages have none.
pub fn newest_by_page(tx: &mut Tx<'_>, tenant: &TenantId, most: usize) -> Result<Vec<PageWithQuestions>> {
    let select = sql!(
        "SELECT g.page_id, g.name AS page_name, COUNT(*) AS total, MAX(q.unanswered_question_id) AS newest
         FROM (SELECT tenant_id, page_id, unanswered_question_id FROM unanswered_questions
               WHERE tenant_id = $1 ORDER BY unanswered_question_id DESC LIMIT $2) q
         JOIN pages g ON g.tenant_id = $1 AND g.page_id = q.page_id
         WHERE q.tenant_id = $1 AND g.archived_at IS NULL AND g.deleted_at IS NULL
         GROUP BY g.page_id, g.name ORDER BY newest DESC LIMIT $3"
    );
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let rows = tx.all(select.with(values![tenant, LOOKED_AT, most]))?;
    let read = |row: &Row| {
        let questions: i64 = row.get("total")?;
        Ok(PageWithQuestions {
            page_id: row.get("page_id")?,
            page_name: row.get("page_name")?,
            questions: u64::try_from(questions).map_err(Error::internal)?,
            newest: row.get("newest")?,
        })
    };
    rows.iter().map(read).collect()
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

//! `submission_files`: which submission a file came with.

use pagesmith_model::{FileId, PersonId, Result, SubmissionId, TenantId};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// Notes that a file came with a submission; a query, to travel with others.
pub fn insert(tenant: &TenantId, file_id: &FileId, submission_id: &SubmissionId) -> Query {
    sql!("INSERT INTO submission_files (tenant_id, file_id, submission_id) VALUES ($1, $2, $3)")
        .with(values![tenant, file_id, submission_id])
}

/// The files of a submission.
pub fn of_submission(tx: &mut Tx<'_>, tenant: &TenantId, id: &SubmissionId) -> Result<Vec<FileId>> {
    let select = sql!(
        "SELECT file_id FROM submission_files WHERE tenant_id = $1 AND submission_id = $2 ORDER BY file_id"
    );
    tx.all(select.with(values![tenant, id]))?.iter().map(file).collect()
}

/// The files of all submissions of a person.
pub fn of_person(tx: &mut Tx<'_>, tenant: &TenantId, person_id: &PersonId) -> Result<Vec<FileId>> {
    let select = sql!(
        "SELECT f.file_id FROM submission_files f
         WHERE f.tenant_id = $1 AND f.submission_id IN (
            SELECT s.submission_id FROM form_submissions s
            WHERE s.tenant_id = $1 AND s.person_id = $2 AND s.person_id IS NOT NULL)
         ORDER BY f.file_id"
    );
    tx.all(select.with(values![tenant, person_id]))?.iter().map(file).collect()
}

/// The submission that a file came with.
pub fn of_file(tx: &mut Tx<'_>, tenant: &TenantId, file_id: &FileId) -> Result<Option<SubmissionId>> {
    let select = sql!("SELECT submission_id FROM submission_files WHERE tenant_id = $1 AND file_id = $2");
    tx.maybe(select.with(values![tenant, file_id]))?.map(|row| row.take("submission_id")).transpose()
}

/// Forgets which submission a file came with; a query, to travel with others.
pub fn remove(tenant: &TenantId, file_id: &FileId) -> Query {
    sql!("DELETE FROM submission_files WHERE tenant_id = $1 AND file_id = $2").with(values![tenant, file_id])
}

fn file(row: &Row) -> Result<FileId> {
    row.take("file_id")
}

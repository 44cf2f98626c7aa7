//! Whether a path names something that is a person's: an audience that was made for one, or a file about persons.
//!
//! Asked only for callers who do not see personal data. What does not exist is nobody's: the operation answers that.

use pagesmith_model::{AudienceId, FileId, PageId, Result, TenantId};
use pagesmith_store::tables::forms::submission_files;
use pagesmith_store::tables::{audiences, person_imports};

use crate::state::AppState;

/// Whether one of a path's parameters names something of a person.
pub(crate) async fn is_named(
    state: &AppState,
    tenant: &TenantId,
    params: &[(String, String)],
) -> Result<bool> {
    let value = |name: &str| {
        let found = params.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value.as_str())
    };
    let audience = PageId::parse(value("page_id")).zip(AudienceId::parse(value("audience_id")));
    let file = FileId::parse(value("file_id"));
    let of = tenant.clone();
    let read = state.store.for_tenant(tenant).point_read(move |tx| {
        if let Some((page_id, audience_id)) = &audience
            && let Some(found) = audiences::find(tx, &of, page_id, audience_id)?
        {
            return Ok(found.person_id.is_some());
        }
        let Some(file_id) = &file else { return Ok(false) };
        let is_import = !person_imports::of_file(tx, &of, file_id, 1)?.is_empty();
        Ok(is_import || submission_files::of_file(tx, &of, file_id)?.is_some())
    });
    read.await
}

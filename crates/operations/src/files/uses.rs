//! What uses files: a file that something names is not deleted.

use pagesmith_model::{
    AssetId, BrandId, Error, FileId, Kind, PersonImportId, Result, SubmissionId, TenantId, TopicEntryId,
};
use pagesmith_store::Tx;
use pagesmith_store::tables::forms::submission_files;
use pagesmith_store::tables::topics::entries;
use pagesmith_store::tables::{assets, brands, person_imports};
use serde_json::{Map, Value, json};

use crate::context::TenantContext;

/// How many of a kind are told.
const TOLD: i64 = 10;

/// A kind of thing that names files.
struct Use {
    /// The field of an error's details with their ids.
    field: &'static str,
    /// Some of those that name a file: their ids.
    find: fn(&mut Tx<'_>, &TenantId, &FileId, i64) -> Result<Vec<String>>,
}

/// Every kind.
const USES: &[Use] = &[
    Use {
        field: "assetIds",
        find: |tx, tenant, file, most| {
            let assets = assets::of_file(tx, tenant, file, most)?;
            Ok(assets.into_iter().map(AssetId::into_string).collect())
        },
    },
    Use {
        field: "brandIds",
        find: |tx, tenant, file, most| {
            let brands = brands::of_file(tx, tenant, file, most)?;
            Ok(brands.into_iter().map(BrandId::into_string).collect())
        },
    },
    Use {
        field: "personImportIds",
        find: |tx, tenant, file, most| {
            let imports = person_imports::of_file(tx, tenant, file, most)?;
            Ok(imports.into_iter().map(PersonImportId::into_string).collect())
        },
    },
    Use {
        field: "submissionIds",
        find: |tx, tenant, file, _| {
            let submission = submission_files::of_file(tx, tenant, file)?;
            Ok(submission.into_iter().map(SubmissionId::into_string).collect())
        },
    },
    Use {
        field: "topicEntryIds",
        find: |tx, tenant, file, most| {
            let entries = entries::of_file(tx, tenant, file, most)?;
            Ok(entries.into_iter().map(TopicEntryId::into_string).collect())
        },
    },
];

/// Fails if anything names the file, and says what.
pub(super) fn require_none(tx: &mut Tx<'_>, ctx: &TenantContext, id: &FileId) -> Result<()> {
    let mut details = Map::new();
    for Use { field, find } in USES {
        let found = find(tx, &ctx.tenant, id, TOLD)?;
        if !found.is_empty() {
            details.insert((*field).to_owned(), json!(found));
        }
    }
    if details.is_empty() {
        return Ok(());
    }
    details.insert("reason".to_owned(), "used".into());
    let detail = "The file is used. Delete what uses it first; an asset in the trash uses it until it is removed from there.";
    Err(Error::new(Kind::Conflict(Some(Value::Object(details))), detail))
}

//! What is different between two versions. Ours, beyond the contract.

use pagesmith_endpoint::endpoint;
use pagesmith_model::content::Content;
use pagesmith_model::content::diff::{
    BlockChange, BlockDifference, Budget, Counts, Difference, FieldDifference, PartKind, TextPart,
};
use pagesmith_model::example::example;
use pagesmith_model::{AudienceId, Error, OtherVersionId, PageId, Result, VersionId};
use pagesmith_operations::messages::draft;
use pagesmith_operations::versions::content;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::extract::{Call, Path};
use crate::reply::Single;

/// A part of a text.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TextPart", deny_unknown_fields)]
#[schemars(example = json!({ "kind": "added", "text": "fewer" }))]
pub(crate) struct PartView {
    /// Whether the part is in both texts (`kept`), or only in the first (`removed`) or the second (`added`).
    kind: PartKind,
    /// Text of the part.
    text: String,
}

impl From<TextPart> for PartView {
    fn from(part: TextPart) -> PartView {
        PartView { kind: part.kind, text: part.text }
    }
}

/// A field with another value.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FieldDifference", deny_unknown_fields)]
#[schemars(example = json!({
    "path": "/title",
    "before": "No spreadsheets",
    "after": "Fewer spreadsheets",
    "words": [
        { "kind": "removed", "text": "No" },
        { "kind": "added", "text": "Fewer" },
        { "kind": "kept", "text": " spreadsheets" },
    ],
}))]
pub(crate) struct FieldDifferenceView {
    /// Place of the field within the block or the head, as a JSON pointer. Items of lists are compared by their
    /// places.
    path: String,
    /// Value in the first version. Null if the field is absent there.
    before: Value,
    /// Value in the second version. Null if the field is absent there.
    after: Value,
    /// The text word by word: without what was added it is `before`, without what was removed `after`. Null if
    /// one of them is no text, or if the texts are too long to be compared.
    words: Option<Vec<PartView>>,
}

impl From<FieldDifference> for FieldDifferenceView {
    fn from(field: FieldDifference) -> FieldDifferenceView {
        FieldDifferenceView {
            path: field.path,
            before: field.before.unwrap_or_default(),
            after: field.after.unwrap_or_default(),
            words: field.words.map(|words| words.into_iter().map(PartView::from).collect()),
        }
    }
}

fn fields(fields: Option<Vec<FieldDifference>>) -> Option<Vec<FieldDifferenceView>> {
    fields.map(|fields| fields.into_iter().map(FieldDifferenceView::from).collect())
}

/// A block that was changed, added, removed or moved.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BlockDifference", deny_unknown_fields)]
#[schemars(example = json!({
    "blockId": "block_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "type": "hero",
    "change": "changed",
    "isMoved": false,
    "fromIndex": 0,
    "toIndex": 0,
    "fields": [example::<FieldDifferenceView>()],
}))]
pub(crate) struct BlockDifferenceView {
    /// Id of the block.
    block_id: String,
    /// Type of the block; in the second version, if it is there.
    r#type: String,
    /// Whether the block is only in the second version (`added`), only in the first (`removed`), in both and says
    /// something else (`changed`), or in both and says the same (`kept`): then it was moved.
    change: BlockChange,
    /// Whether the block has another position among the blocks that are in both versions.
    is_moved: bool,
    /// Place of the block in the first version, from 0. Null if it is not there.
    from_index: Option<usize>,
    /// Place of the block in the second version, from 0. Null if it is not there.
    to_index: Option<usize>,
    /// Fields of a changed block that are different. Null if the block is not changed, or has changed as a whole:
    /// if more than 2,000 fields of two versions differ, none are listed.
    fields: Option<Vec<FieldDifferenceView>>,
}

impl From<BlockDifference> for BlockDifferenceView {
    fn from(block: BlockDifference) -> BlockDifferenceView {
        BlockDifferenceView {
            block_id: block.block_id,
            r#type: block.kind,
            change: block.change,
            is_moved: block.is_moved,
            from_index: block.from_index,
            to_index: block.to_index,
            fields: fields(block.fields),
        }
    }
}

/// Number of blocks by kind of change.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DifferenceCounts", deny_unknown_fields)]
#[schemars(example = json!({ "added": 1, "removed": 0, "changed": 2, "kept": 6, "moved": 1 }))]
pub(crate) struct CountsView {
    /// Number of blocks that are only in the second version.
    added: usize,
    /// Number of blocks that are only in the first version.
    removed: usize,
    /// Number of blocks that are in both and say something else.
    changed: usize,
    /// Number of blocks that are in both and say the same.
    kept: usize,
    /// Number of changed or unchanged blocks that have another position.
    moved: usize,
}

impl From<Counts> for CountsView {
    fn from(counts: Counts) -> CountsView {
        let Counts { added, removed, changed, kept, moved } = counts;
        CountsView { added, removed, changed, kept, moved }
    }
}

/// What is different between two versions.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VersionDifference", deny_unknown_fields)]
#[schemars(example = json!({
    "fromVersionId": "version_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "toVersionId": "version_01jpbz8n4xf5k9w2d7hq3mv6tb",
    "isSame": false,
    "isHeadChanged": false,
    "head": [],
    "fields": [{
        "path": "/metaTitle",
        "before": "Forecasts",
        "after": null,
        "words": null,
    }],
    "blocks": [example::<BlockDifferenceView>()],
    "counts": example::<CountsView>(),
}))]
pub(crate) struct DifferenceView {
    /// Id of the first version.
    from_version_id: VersionId,
    /// Id of the second version.
    to_version_id: VersionId,
    /// Whether both versions say the same.
    is_same: bool,
    /// Whether the head says something else.
    is_head_changed: bool,
    /// Fields of the head that are different. Null if there are too many to be listed.
    head: Option<Vec<FieldDifferenceView>>,
    /// Fields of the audience that are different: `supplementaryContext`, `metaTitle`, `metaDescription` and
    /// `metaKeywords`. A draft has its own until it is published; every other version has those of the
    /// audience. Null if there are too many to be listed.
    fields: Option<Vec<FieldDifferenceView>>,
    /// Blocks that differ: those of the second version in their order, then the removed ones.
    blocks: Vec<BlockDifferenceView>,
    /// Number of blocks by kind of change. Blocks that are added, changed or kept are those of the second
    /// version; blocks that are removed, changed or kept are those of the first.
    counts: CountsView,
}

/// Compares the content of two versions of an audience.
///
/// Blocks are matched by their ids, so a block that was moved and changed is reported as one block. Moved
/// blocks are those outside the longest sequence of blocks that has the same order in both versions. Texts are
/// compared word by word; where that would take too long, `words` is null. Fails with 404 if one of the
/// versions has no content.
#[endpoint]
pub(crate) async fn compare_audience_versions(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
    Path(version_id): Path<VersionId>,
    Path(other_version_id): Path<OtherVersionId>,
) -> Result<Single<DifferenceView>> {
    let other =
        VersionId::parse(other_version_id.as_str()).ok_or_else(|| Error::not_found(VersionId::NOUN))?;
    let from = (page_id.clone(), audience_id.clone(), version_id.clone());
    let to = (page_id, audience_id, other.clone());
    let read = call.read(move |tx, ctx| {
        let contents = (content::find(tx, ctx, &from)?, content::find(tx, ctx, &to)?);
        Ok((contents, draft::fields_of_two(tx, ctx, (&from.0, &from.1), [&from.2, &to.2])?))
    });
    let ((before, after), fields_of) = read.await?;
    let compare = move || {
        let before: Content = before.read()?;
        let after: Content = after.read()?;
        let [was, is] = fields_of.map(|fields| serde_json::to_value(fields).map_err(Error::internal));
        let (was, is) = (was?, is?);
        let of_audience = Difference::of_fields(&was, &is, Budget::default());
        Ok::<_, Error>((Difference::between(&before, &after, Budget::default())?, of_audience))
    };
    let (difference, of_audience) = call.state.offload.run(Some(&call.ctx.tenant), compare).await??;
    Ok(Single(DifferenceView {
        from_version_id: version_id,
        to_version_id: other,
        is_same: difference.is_empty() && of_audience.as_ref().is_some_and(Vec::is_empty),
        is_head_changed: difference.is_head_changed,
        head: fields(difference.head),
        fields: fields(of_audience),
        blocks: difference.blocks.into_iter().map(BlockDifferenceView::from).collect(),
        counts: difference.counts.into(),
    }))
}

//! Merging persons, and taking that back. Ours, beyond the contract.

use pagesmith_endpoint::endpoint;
use pagesmith_model::example::example;
use pagesmith_model::person::merge::{Collision, Moving, NewPersonMerge};
use pagesmith_model::{PersonId, Result, Timestamp};
use pagesmith_operations::persons::merge::{self, Plan, REVERSIBLE};
use pagesmith_store::tables::persons::merges::Merge;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::api::persons::view::PersonView;
use crate::extract::{Body, Call, IdempotencyKey, Path};
use crate::reply::{DONE, Reply, Success};

/// The result of a merge.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PersonMerge", deny_unknown_fields)]
#[schemars(example = json!({
    "dryRun": false,
    "before": example::<PersonView>(),
    "other": example::<PersonView>(),
    "after": example::<PersonView>(),
    "moves": example::<Moving>(),
    "collisions": [example::<Collision>()],
}))]
pub(crate) struct PersonMergeView {
    /// Whether nothing was done.
    dry_run: bool,
    /// The remaining person before the merge.
    before: PersonView,
    /// The person that is merged into it, as it was.
    other: PersonView,
    /// The remaining person after the merge.
    after: PersonView,
    /// Number of records that move to the remaining person.
    moves: Moving,
    /// Pages on which both have an audience of their own: up to 100.
    collisions: Vec<Collision>,
}

impl PersonMergeView {
    fn of(plan: Plan, dry_run: bool) -> PersonMergeView {
        PersonMergeView {
            dry_run,
            before: plan.this.into(),
            other: plan.other.into(),
            after: plan.merged.into(),
            moves: plan.moving,
            collisions: plan.collisions,
        }
    }
}

/// Merges another person into a person.
///
/// The person of the path remains. Its own value of each field is kept, or else the other person's is used; `fields` chooses
/// otherwise. The log, the audiences of its own, the submissions and the visits of the other person move to it. If both have an
/// audience of their own on a page, the other person's does not move (`collisions`). The other person is deleted: it is not found
/// any more, and the addresses of moved audiences keep working.
///
/// For 30 days `unmergePerson` undoes it. A person into which another one was merged within that time cannot be merged away
/// itself, and at most 100,000 entries, audiences, submissions and visits move: 409, and `details.reason` is `has_merges` or
/// `too_many`. With `dryRun` nothing is done. No event is sent.
#[endpoint]
pub(crate) async fn merge_person(
    call: Call,
    Path(person_id): Path<PersonId>,
    key: IdempotencyKey,
    Body(new): Body<NewPersonMerge>,
) -> Result<Reply<PersonMergeView>> {
    if new.dry_run {
        let plan = call.read(move |tx, ctx| merge::plan(tx, ctx, &person_id, &new)).await?;
        return Reply::of(&PersonMergeView::of(plan, true));
    }
    call.change_once(key, move |tx, ctx| {
        merge::merge(tx, ctx, &person_id, &new).map(|plan| PersonMergeView::of(plan, false))
    })
    .await
}

/// Undoes the merge of a person into another one.
///
/// The path names the person that was merged away. It is restored, with everything that was moved from it and still exists.
/// Fields of the other person are again what they were before, unless they were changed since. Fails with 409 if the other person
/// is deleted, or if another person has one of the identifiers by now. A person that is not merged away is left unchanged. After
/// 30 days the request fails with 404.
#[endpoint]
pub(crate) async fn unmerge_person(
    call: Call,
    Path(person_id): Path<PersonId>,
    key: IdempotencyKey,
) -> Result<Reply<Success>> {
    call.change_once(key, move |tx, ctx| merge::unmerge(tx, ctx, &person_id).map(|()| DONE)).await
}

/// A merge that can be undone.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ReversibleMerge", deny_unknown_fields)]
#[schemars(example = json!({
    "personId": "person_01jpbz8n4xf5k9w2d7hq3mv6tb",
    "mergedAt": "2026-03-20T09:30:00.000Z",
    "reversibleUntil": "2026-04-19T09:30:00.000Z",
}))]
pub(crate) struct ReversibleMerge {
    /// Id of the person that was merged away.
    #[schemars(length(min = 1))]
    person_id: PersonId,
    /// When.
    merged_at: Timestamp,
    /// Time until which the merge can be undone.
    reversible_until: Timestamp,
}

impl From<Merge> for ReversibleMerge {
    fn from(merge: Merge) -> ReversibleMerge {
        ReversibleMerge {
            person_id: merge.person_id,
            merged_at: merge.merged_at,
            reversible_until: merge.merged_at.plus(REVERSIBLE),
        }
    }
}

/// The merges into a person that can be undone.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ReversibleMerges", deny_unknown_fields)]
#[schemars(example = json!({ "items": [example::<ReversibleMerge>()] }))]
pub(crate) struct ReversibleMerges {
    /// The merges, at most 100.
    items: Vec<ReversibleMerge>,
}

/// Lists the merges into a person that can be undone.
///
/// `unmergePerson` undoes a merge, by the id of the person that was merged away.
#[endpoint]
pub(crate) async fn list_person_merges(
    call: Call,
    Path(person_id): Path<PersonId>,
) -> Result<Reply<ReversibleMerges>> {
    let merges = call.read(move |tx, ctx| merge::of_person(tx, ctx, &person_id)).await?;
    Reply::of(&ReversibleMerges { items: merges.into_iter().map(ReversibleMerge::from).collect() })
}

//! Handing out and erasing everything that is held about a person. Ours, beyond the contract.

use pagesmith_endpoint::endpoint;
use pagesmith_model::bounds::SomeText;
use pagesmith_model::{Error, PersonId, Result};
use pagesmith_operations::persons::asked_erasures;
use pagesmith_store::tables::persons;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::export::Export;
use crate::extract::{Body, Call, IdempotencyKey, Path};
use crate::reply::{DONE, Reply, Success};

/// Exports everything that is held about a person.
///
/// The answer is a JSON object with the person, its account, log, pages, visits and submissions, persons that were merged into it, and texts of others that
/// name it. All texts of the tenant are looked through, which takes longer the more there are. An audit entry notes it. Deleted persons are exported as well.
#[endpoint]
pub(crate) async fn export_person(call: Call, Path(person_id): Path<PersonId>) -> Result<Export> {
    let known = person_id.clone();
    let found = call.point_read(move |tx, ctx| persons::find(tx, &ctx.tenant, &known)).await?;
    found.ok_or_else(|| Error::not_found(PersonId::NOUN))?;
    Export::begin(call, &person_id).await
}

/// A person to be erased.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ErasePersonRequest")]
#[schemars(example = json!({ "confirmation": "Ada" }))]
pub(crate) struct Erasure {
    /// Name, e-mail address, phone number or id of the person, to confirm who is meant.
    #[schemars(with = "SomeText")]
    confirmation: String,
}

/// Erases a person for good.
///
/// The person is deleted at once and cannot be restored. In the background its log, pages, visits and submissions are removed,
/// its name and identifiers are removed from other texts, and an audit entry records it. Persons that were merged into it are
/// erased with it, however long ago that was; a person that is merged away itself fails with 409 as long as the merge can be
/// undone. A `confirmation` that is neither name, e-mail address, phone number nor id fails with 400.
#[endpoint]
pub(crate) async fn erase_person(
    call: Call,
    Path(person_id): Path<PersonId>,
    key: IdempotencyKey,
    Body(Erasure { confirmation }): Body<Erasure>,
) -> Result<Reply<Success, 202>> {
    call.change_once(key, move |tx, ctx| {
        asked_erasures::ask(tx, ctx, &person_id, &confirmation).map(|()| DONE)
    })
    .await
}

//! Audiences: made with their first version, changed, put away and brought back.
//!
//! An audience's slug is fixed when it is made and stays taken in its page for ever. It is searchable, and counts among those that
//! are present, exactly as long as it is not archived. What is under a deleted page does not exist.

use pagesmith_model::account::Account;
use pagesmith_model::audience::overrides::ActionOverrides;
use pagesmith_model::audience::{Audience, AudiencePatch, NewAudience, name};
use pagesmith_model::json::JsonText;
use pagesmith_model::list_order::{ListOrder, OrderedPlace};
use pagesmith_model::page::access::{may_be_random, with_random};
use pagesmith_model::page::metadata::{Metadata, MetadataInput};
use pagesmith_model::person::Person;
use pagesmith_model::version::life::{Command, Siblings};
use pagesmith_model::version::{Life, PublishBehavior, Version, VersionStatus};
use pagesmith_model::{AccountId, AudienceId, Error, Issue, Kind, PageId, PersonId, Result, VersionId, slug};
use pagesmith_store::tables::audiences::{self, AudienceDetail, ListedAudience, in_order};
use pagesmith_store::tables::pages::tallies::Change;
use pagesmith_store::tables::versions::generations;
use pagesmith_store::tables::{self, accounts, pages, persons};
use pagesmith_store::{Extent, ListPart, Tx};
use serde_json::json;

use crate::context::TenantContext;
use crate::parent_pages::{find_with_parent, parent_page, require_open_page};
use crate::precondition::Precondition;
use crate::retired_slugs::is_retired_slug;
use crate::versions;

pub mod erase;

/// What an audience without a usable name is called in its address.
const NAMELESS: &str = "audience";

/// Makes an audience with its first version, which is queued.
pub fn create(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    new: &NewAudience,
) -> Result<AudienceId> {
    let parent = parent_page(tx, ctx, page_id)?;
    let owner = owner(tx, ctx, new)?;
    require_open_page(parent.archived_at)?;
    if let Some(person_id) = &owner.person_id
        && let Some(other) = audiences::of_person(tx, &ctx.tenant, page_id, person_id)?
    {
        let details = json!({ "audienceId": other.as_str() });
        let detail = "The page has an audience for this person already.";
        return Err(Error::new(Kind::Conflict(Some(details)), detail));
    }
    let version_id = VersionId::mint(ctx.uuid()?);
    // What is noted about readers is not for them, so it is not in the address.
    let public_name = match &owner.name {
        Some(name) => name.clone(),
        None => name::from_place(1 + tally(tx, ctx, page_id)?),
    };
    let computed_name = match (&owner.name, of_context(new.supplementary_context.as_deref())) {
        (None, Some(of_context)) => of_context,
        _ => public_name.clone(),
    };
    let plain = match owner.slug {
        Some(slug) => slug,
        None => slug::slugify(new.custom_name.as_deref().unwrap_or(&public_name), NAMELESS),
    };
    let is_own = owner.person_id.is_some() || owner.account_id.is_some();
    let secret_slug = if is_own { Some(with_random(&plain, ctx.random()?)) } else { None };
    let mut audience = Audience {
        audience_id: AudienceId::mint(ctx.uuid()?),
        page_id: page_id.clone(),
        person_id: owner.person_id,
        account_id: owner.account_id,
        slug: plain.clone(),
        secret_slug,
        access: None,
        access_changes: 0,
        computed_name,
        custom_name: new.custom_name.clone(),
        supplementary_context: new.supplementary_context.clone(),
        metadata_override: keep_metadata(new.metadata_override.as_ref())?,
        overrides: ActionOverrides {
            url: new.action_url_override.clone(),
            form_id: new.action_form_id_override.clone(),
            form_instructions: new.action_form_instructions_override.clone(),
        },
        last_number: 1,
        latest_version_id: version_id.clone(),
        published_version_id: None,
        created_at: ctx.now,
        updated_at: ctx.now,
        archived_at: None,
    };
    for wished in slug::wished(&plain, audience.audience_id.as_str()) {
        audience.slug = wished;
        // The two kinds of addresses share a namespace; few slugs look like a secret one.
        if may_be_random(&audience.slug)
            && audiences::has_secret_slug(tx, &ctx.tenant, page_id, &audience.slug)?
        {
            continue;
        }
        if is_retired_slug(tx, ctx, &audience.slug)?
            || tx.run(audiences::insert(&ctx.tenant, &audience))? == 0
        {
            continue;
        }
        let goes_live = new.publish_behavior == PublishBehavior::Publish;
        let moved = Life::begin(1, goes_live, Siblings::default(), ctx.now);
        let change = Change { listed: 1, present: 1, shown: 0 };
        let first = vec![show(ctx, &audience), pages::tallies::add(&ctx.tenant, page_id, tx.shard(), change)];
        let version = versions::new(&audience, version_id, moved.life);
        versions::begin(tx, ctx, &version, &moved.effects, first)?;
        return Ok(audience.audience_id);
    }
    Err(Error::internal("no free slug"))
}

/// Whose page an audience is, and what follows from it.
#[derive(Default)]
struct Owner {
    person_id: Option<PersonId>,
    account_id: Option<AccountId>,
    name: Option<String>,
    slug: Option<String>,
}

fn owner(tx: &mut Tx<'_>, ctx: &TenantContext, new: &NewAudience) -> Result<Owner> {
    let (mut owner, mut issues) = (Owner::default(), Vec::new());
    if let Some(id) = &new.account_id {
        let account = match AccountId::parse(id) {
            Some(account_id) => accounts::find(tx, &ctx.tenant, &account_id)?,
            None => None,
        };
        match account {
            Some(account) => {
                owner.name = Some(name_of(&account));
                owner.account_id = Some(account.account_id);
            }
            None => issues.push(Issue::unknown_reference(&["accountId"], AccountId::NOUN, id)),
        }
    }
    if let Some(id) = &new.person_id {
        let person = match PersonId::parse(id) {
            Some(person_id) => persons::find(tx, &ctx.tenant, &person_id)?,
            None => None,
        };
        match person.filter(|person| person.deleted_at.is_none()) {
            Some(person) => {
                (owner.name, owner.slug) = (Some(person.name), Some(person.slug));
                owner.person_id = Some(person.person_id);
            }
            None => issues.push(Issue::unknown_reference(&["personId"], PersonId::NOUN, id)),
        }
    }
    if issues.is_empty() { Ok(owner) } else { Err(Error::invalid(issues)) }
}

fn of_context(context: Option<&str>) -> Option<String> {
    context.and_then(name::from_context)
}

fn tally(tx: &mut Tx<'_>, ctx: &TenantContext, page_id: &PageId) -> Result<u64> {
    pages::tallies::total(&tx.all(pages::tallies::count(&ctx.tenant, page_id))?)
}

/// The audience with what answers show of it.
pub fn find(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    audience_id: &AudienceId,
) -> Result<AudienceDetail> {
    let found = audiences::find_whole(tx, &ctx.tenant, page_id, audience_id)?;
    found.ok_or_else(|| Error::not_found(AudienceId::NOUN))
}

/// A part of the audiences of a page, each with its place; and how many there are in all.
pub type AudiencesOfPage = (ListPart<(OrderedPlace<AudienceId>, ListedAudience)>, u64);

/// The audiences of a page as [`in_order::list`] lists them, with the metadata of the page.
pub fn list(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    order: Option<ListOrder>,
    (after, extent): (Option<&OrderedPlace<AudienceId>>, Extent),
) -> Result<(AudiencesOfPage, Option<JsonText>)> {
    let metadata = parent_page(tx, ctx, page_id)?.metadata;
    Ok((in_order::list(tx, &ctx.tenant, page_id, order, after, extent)?, metadata))
}

/// Changes the fields that are given.
pub fn update(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (page_id, audience_id): (&PageId, &AudienceId),
    patch: &AudiencePatch,
    precondition: &Precondition<AudienceDetail>,
) -> Result<()> {
    let found = find(tx, ctx, page_id, audience_id)?;
    precondition.check(&found)?;
    let before = found.listed.audience;
    let mut audience = before.clone();
    let overrides = &mut audience.overrides;
    set(&mut overrides.url, patch.action_url_override.as_ref());
    set(&mut overrides.form_id, patch.action_form_id_override.as_ref());
    set(&mut overrides.form_instructions, patch.action_form_instructions_override.as_ref());
    set(&mut audience.custom_name, patch.custom_name.as_ref());
    set(&mut audience.supplementary_context, patch.supplementary_context.as_ref());
    if let Some(metadata) = &patch.metadata_override {
        audience.metadata_override = keep_metadata(Some(metadata))?;
    }
    if !audience.is_own() && audience.supplementary_context != before.supplementary_context {
        audience.computed_name = match of_context(audience.supplementary_context.as_deref()) {
            Some(computed) => computed,
            None => name::from_place(audiences::place(tx, &ctx.tenant, page_id, audience_id)?),
        };
    }
    if audience == before {
        return Ok(());
    }
    audience.updated_at = ctx.now;
    let mut changes = vec![audiences::update(&ctx.tenant, &audience)];
    if audience.effective_name() != before.effective_name() && audience.archived_at.is_none() {
        changes.push(show(ctx, &audience));
    }
    tx.batch(changes)?;
    Ok(())
}

/// Calls the audiences of a person by its name of now.
pub(crate) fn follow_person(tx: &mut Tx<'_>, ctx: &TenantContext, person: &Person) -> Result<()> {
    let own = audiences::all_of_person(tx, &ctx.tenant, &person.person_id)?;
    follow_name(tx, ctx, own, &person.name)
}

/// Calls the audiences of an account, unless they are a person's, by its name of now.
pub(crate) fn follow_account(tx: &mut Tx<'_>, ctx: &TenantContext, account: &Account) -> Result<()> {
    let own = audiences::all_of_account(tx, &ctx.tenant, &account.account_id)?;
    follow_name(tx, ctx, own, &name_of(account))
}

fn name_of(account: &Account) -> String {
    account.name.clone().unwrap_or_else(|| account.domain.to_string())
}

fn follow_name(tx: &mut Tx<'_>, ctx: &TenantContext, owned: Vec<Audience>, name: &str) -> Result<()> {
    for mut audience in owned {
        if audience.computed_name == name {
            continue;
        }
        audience.computed_name = name.to_owned();
        audience.updated_at = ctx.now;
        let mut changes = vec![audiences::update(&ctx.tenant, &audience)];
        if audience.custom_name.is_none() && audience.archived_at.is_none() {
            changes.push(show(ctx, &audience));
        }
        tx.batch(changes)?;
    }
    Ok(())
}

fn set(field: &mut Option<String>, given: Option<&Option<String>>) {
    if let Some(given) = given {
        field.clone_from(given);
    }
}

fn keep_metadata(metadata: Option<&MetadataInput>) -> Result<Option<JsonText>> {
    metadata.map(|metadata| JsonText::of(&Metadata::from(metadata.clone()))).transpose()
}

/// Puts an audience away and calls off what is still to be written; again changes nothing.
pub fn archive(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (page_id, audience_id): (&PageId, &AudienceId),
    precondition: &Precondition<AudienceDetail>,
) -> Result<()> {
    let found = find(tx, ctx, page_id, audience_id)?;
    let mut audience = found.listed.audience.clone();
    if audience.archived_at.is_some() {
        return Ok(());
    }
    precondition.check(&found)?;
    let shown = i64::from(audience.life().is_shown());
    audience.archived_at = Some(ctx.now);
    audience.updated_at = ctx.now;
    for status in [VersionStatus::Queued, VersionStatus::Processing] {
        if let Some(version) = tables::versions::oldest(tx, &ctx.tenant, audience_id, status)? {
            abandon(tx, ctx, &audience, version)?;
        }
    }
    let change = Change { listed: 0, present: -1, shown: -shown };
    let gone = vec![
        tables::versions::cancel_pending(&ctx.tenant, audience_id, ctx.now),
        audiences::update(&ctx.tenant, &audience),
        audiences::names::remove(&ctx.tenant, audience_id),
        pages::tallies::add(&ctx.tenant, page_id, tx.shard(), change),
    ];
    tx.batch(gone)?;
    Ok(())
}

/// Calls off what is being written, or would be next; what there is of it is kept.
fn abandon(tx: &mut Tx<'_>, ctx: &TenantContext, audience: &Audience, version: Version) -> Result<()> {
    let so_far = generations::remove(tx, &ctx.tenant, &version.version_id)?;
    let command = Command::Abandon { kept: so_far.is_some() };
    versions::keep(tx, ctx, &version.version_id, so_far)?;
    versions::carry_out(tx, ctx, &mut audience.clone(), version, command)?;
    Ok(())
}

/// Brings an audience back; one that is not archived is left as it is.
pub fn restore(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    audience_id: &AudienceId,
) -> Result<()> {
    let (_, mut audience) = find_with_parent(tx, ctx, page_id, audience_id)?;
    if audience.archived_at.is_none() {
        return Ok(());
    }
    audience.archived_at = None;
    audience.updated_at = ctx.now;
    let change = Change { listed: 0, present: 1, shown: i64::from(audience.life().is_shown()) };
    let back = vec![
        audiences::update(&ctx.tenant, &audience),
        show(ctx, &audience),
        pages::tallies::add(&ctx.tenant, page_id, tx.shard(), change),
    ];
    tx.batch(back)?;
    Ok(())
}

/// Lets an audience be found by its name.
fn show(ctx: &TenantContext, audience: &Audience) -> pagesmith_store::Query {
    audiences::names::insert(&ctx.tenant, &audience.page_id, &audience.audience_id, audience.effective_name())
}

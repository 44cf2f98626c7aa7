//! `audiences`: the audiences of pages, archived ones included.
//!
//! What answers show of an audience, its newest and its live version, is read with it by one statement.

use pagesmith_model::audience::Audience;
use pagesmith_model::audience::overrides::ActionOverrides;
use pagesmith_model::json::JsonText;
use pagesmith_model::page_access::PageAccess;
use pagesmith_model::version::Version;
use pagesmith_model::{AccountId, AudienceId, PageId, PersonId, Result, TenantId, Timestamp, VersionId};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::{Query, Sql};
use crate::tables::{pages, versions};
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

pub mod names;

/// An audience with the versions that answers show.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedAudience {
    /// The audience.
    pub audience: Audience,
    /// Its newest version.
    pub latest: Version,
    /// Its live version.
    pub published: Option<Version>,
    /// Who may open persons' own pages of the tenant, where it is not set for an audience.
    pub of_persons: PageAccess,
}

impl ListedAudience {
    /// The last part of the address at which the audience is.
    pub fn address(&self) -> &str {
        self.audience.address(self.of_persons)
    }

    /// Who may open it.
    pub fn access(&self) -> PageAccess {
        self.audience.access(self.of_persons)
    }
}

/// A [`ListedAudience`] with what it takes from its page.
#[derive(Debug, Clone, PartialEq)]
pub struct AudienceDetail {
    /// The audience and its versions.
    pub listed: ListedAudience,
    /// The page's metadata.
    pub page_metadata: Option<JsonText>,
    /// The page's part of the address.
    pub page_slug: String,
}

/// What publishing a version depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishContext {
    /// When the page was put away.
    pub page_archived_at: Option<Timestamp>,
    /// The audience.
    pub audience: Audience,
    /// The version.
    pub version: Version,
    /// The audience's live version, which may be the same.
    pub live: Option<Version>,
    /// Whether the tenant's site has a home page.
    pub has_home: bool,
}

fn audience(row: &Row) -> Result<Audience> {
    Ok(Audience {
        page_id: row.take("page_id")?,
        audience_id: row.take("audience_id")?,
        person_id: row.take("person_id")?,
        account_id: row.take("account_id")?,
        slug: row.take("slug")?,
        secret_slug: row.take("secret_slug")?,
        access: row.take("access")?,
        access_changes: row.take::<Option<i64>>("access_changes")?.unwrap_or_default(),
        computed_name: row.take("computed_name")?,
        custom_name: row.take("custom_name")?,
        supplementary_context: row.take("supplementary_context")?,
        metadata_override: row.take("metadata_override")?,
        overrides: ActionOverrides {
            url: row.take("action_url_override")?,
            form_id: row.take("action_form_id_override")?,
            form_instructions: row.take("action_form_instructions_override")?,
        },
        last_number: row.take("last_number")?,
        latest_version_id: row.take("latest_version_id")?,
        published_version_id: row.take("published_version_id")?,
        created_at: row.take("created_at")?,
        updated_at: row.take("updated_at")?,
        archived_at: row.take("archived_at")?,
    })
}

fn listed(row: &Row) -> Result<ListedAudience> {
    let audience = audience(row)?;
    let latest = versions::version(row, &versions::LATEST)?;
    let published = match audience.published_version_id {
        Some(_) => Some(versions::version(row, &versions::LIVE)?),
        None => None,
    };
    let of_persons: Option<PageAccess> = row.take("of_persons")?;
    Ok(ListedAudience { audience, latest, published, of_persons: of_persons.unwrap_or_default() })
}

/// Adds an audience, unless its slug is taken in its page; then no row is touched.
pub fn insert(tenant: &TenantId, audience: &Audience) -> Query {
    sql!(
        "INSERT INTO audiences
            (tenant_id, page_id, audience_id, person_id, account_id, slug, computed_name, custom_name,
             supplementary_context, metadata_override, action_url_override, action_form_id_override,
             action_form_instructions_override, last_number, latest_version_id, published_version_id, created_at,
             updated_at, archived_at, secret_slug)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
         ON CONFLICT (tenant_id, page_id, slug) DO NOTHING"
    )
    .with(values![
        tenant,
        &audience.page_id,
        &audience.audience_id,
        &audience.person_id,
        &audience.account_id,
        &audience.slug,
        &audience.computed_name,
        &audience.custom_name,
        &audience.supplementary_context,
        &audience.metadata_override,
        &audience.overrides.url,
        &audience.overrides.form_id,
        &audience.overrides.form_instructions,
        audience.last_number,
        &audience.latest_version_id,
        &audience.published_version_id,
        audience.created_at,
        audience.updated_at,
        audience.archived_at,
        &audience.secret_slug,
    ])
}

/// The audience, if it is one of the page.
pub fn find(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    page_id: &PageId,
    audience_id: &AudienceId,
) -> Result<Option<Audience>> {
    let select = sql!(
        "SELECT page_id, audience_id, person_id, account_id, slug, secret_slug, access, access_changes,
                computed_name, custom_name,
                supplementary_context, metadata_override, action_url_override, action_form_id_override,
                action_form_instructions_override, last_number, latest_version_id, published_version_id,
                created_at, updated_at, archived_at
         FROM audiences WHERE tenant_id = $1 AND page_id = $2 AND audience_id = $3"
    );
    tx.maybe(select.with(values![tenant, page_id, audience_id]))?.as_ref().map(audience).transpose()
}

/// The audience with what answers show of it, if it is one of the page and that is not deleted.
pub fn find_whole(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    page_id: &PageId,
    audience_id: &AudienceId,
) -> Result<Option<AudienceDetail>> {
    let Some(row) = whole(tx, tenant, page_id, audience_id, None)? else { return Ok(None) };
    Ok(Some(AudienceDetail {
        listed: listed(&row)?,
        page_metadata: row.take("page_metadata")?,
        page_slug: row.take("page_slug")?,
    }))
}

/// Everything that publishing a version depends on; `None` if the ids do not belong to each other or the page is deleted.
pub fn find_for_publish(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    page_id: &PageId,
    audience_id: &AudienceId,
    version_id: &VersionId,
) -> Result<Option<PublishContext>> {
    let row = whole(tx, tenant, page_id, audience_id, Some(version_id))?;
    let Some(row) = row else { return Ok(None) };
    let ListedAudience { audience, latest: version, published: live, .. } = listed(&row)?;
    let (page_archived_at, home) =
        (row.take("page_archived_at")?, row.take::<Option<PageId>>("home_page_id")?);
    Ok(Some(PublishContext { page_archived_at, audience, version, live, has_home: home.is_some() }))
}

/// An audience with its live version and the one that is asked for, or else its newest.
fn whole(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    page_id: &PageId,
    audience_id: &AudienceId,
    version_id: Option<&VersionId>,
) -> Result<Option<Row>> {
    let select = sql!(
        "SELECT a.page_id, a.audience_id, a.person_id, a.account_id, a.slug, a.secret_slug, a.access,
                a.access_changes, a.computed_name, a.custom_name,
                a.supplementary_context, a.metadata_override, a.action_url_override, a.action_form_id_override,
                a.action_form_instructions_override, a.last_number, a.latest_version_id, a.published_version_id,
                a.created_at, a.updated_at, a.archived_at,
                l.version_id AS l_version_id, l.audience_id AS l_audience_id, l.page_id AS l_page_id,
                l.number AS l_number, l.status AS l_status, l.publish_when_ready AS l_publish_when_ready,
                l.has_content AS l_has_content, l.tries AS l_tries,
                l.supplementary_context AS l_supplementary_context, l.created_at AS l_created_at,
                l.queued_at AS l_queued_at, l.started_at AS l_started_at, l.became_draft_at AS l_became_draft_at,
                l.published_at AS l_published_at, l.cancelled_at AS l_cancelled_at,
                l.archived_at AS l_archived_at, l.obsolete_at AS l_obsolete_at,
                p.version_id AS p_version_id, p.audience_id AS p_audience_id, p.page_id AS p_page_id,
                p.number AS p_number, p.status AS p_status, p.publish_when_ready AS p_publish_when_ready,
                p.has_content AS p_has_content, p.tries AS p_tries,
                p.supplementary_context AS p_supplementary_context, p.created_at AS p_created_at,
                p.queued_at AS p_queued_at, p.started_at AS p_started_at, p.became_draft_at AS p_became_draft_at,
                p.published_at AS p_published_at, p.cancelled_at AS p_cancelled_at,
                p.archived_at AS p_archived_at, p.obsolete_at AS p_obsolete_at,
                g.metadata AS page_metadata, g.slug AS page_slug, g.archived_at AS page_archived_at, h.home_page_id,
                h.person_page_access AS of_persons
         FROM audiences a
         JOIN pages g ON g.tenant_id = a.tenant_id AND g.page_id = a.page_id AND g.deleted_at IS NULL
         JOIN audience_versions l ON l.tenant_id = a.tenant_id AND l.audience_id = a.audience_id
              AND l.version_id = COALESCE(CAST($4 AS TEXT), a.latest_version_id)
         LEFT JOIN audience_versions p ON p.tenant_id = a.tenant_id AND p.audience_id = a.audience_id
              AND p.version_id = a.published_version_id
         LEFT JOIN tenant_sites h ON h.tenant_id = a.tenant_id
         WHERE a.tenant_id = $1 AND a.page_id = $2 AND a.audience_id = $3"
    );
    tx.maybe(select.with(values![tenant, page_id, audience_id, version_id]))
}

/// The audiences of a page, newest first, after a position; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    page_id: &PageId,
    after: Option<&str>,
    extent: Extent,
) -> Result<(ListPart<ListedAudience>, u64)> {
    let mut select = sql!(
        "SELECT a.page_id, a.audience_id, a.person_id, a.account_id, a.slug, a.secret_slug, a.access,
                a.access_changes, a.computed_name, a.custom_name,
                a.supplementary_context, a.metadata_override, a.action_url_override, a.action_form_id_override,
                a.action_form_instructions_override, a.last_number, a.latest_version_id, a.published_version_id,
                a.created_at, a.updated_at, a.archived_at,
                l.version_id AS l_version_id, l.audience_id AS l_audience_id, l.page_id AS l_page_id,
                l.number AS l_number, l.status AS l_status, l.publish_when_ready AS l_publish_when_ready,
                l.has_content AS l_has_content, l.tries AS l_tries,
                l.supplementary_context AS l_supplementary_context, l.created_at AS l_created_at,
                l.queued_at AS l_queued_at, l.started_at AS l_started_at, l.became_draft_at AS l_became_draft_at,
                l.published_at AS l_published_at, l.cancelled_at AS l_cancelled_at,
                l.archived_at AS l_archived_at, l.obsolete_at AS l_obsolete_at,
                p.version_id AS p_version_id, p.audience_id AS p_audience_id, p.page_id AS p_page_id,
                p.number AS p_number, p.status AS p_status, p.publish_when_ready AS p_publish_when_ready,
                p.has_content AS p_has_content, p.tries AS p_tries,
                p.supplementary_context AS p_supplementary_context, p.created_at AS p_created_at,
                p.queued_at AS p_queued_at, p.started_at AS p_started_at, p.became_draft_at AS p_became_draft_at,
                p.published_at AS p_published_at, p.cancelled_at AS p_cancelled_at,
                p.archived_at AS p_archived_at, p.obsolete_at AS p_obsolete_at,
                h.person_page_access AS of_persons
         FROM audiences a
         JOIN audience_versions l ON l.tenant_id = a.tenant_id AND l.audience_id = a.audience_id
              AND l.version_id = a.latest_version_id
         LEFT JOIN audience_versions p ON p.tenant_id = a.tenant_id AND p.audience_id = a.audience_id
              AND p.version_id = a.published_version_id
         LEFT JOIN tenant_sites h ON h.tenant_id = a.tenant_id
         WHERE a.tenant_id = $1 AND a.page_id = $2"
    )
    .with(values![tenant, page_id]);
    if let Some(audience_id) = after {
        select = select.and(sql!("AND a.audience_id < $1"), values![audience_id]);
    }
    select = select.and(sql!("ORDER BY a.audience_id DESC LIMIT $1"), values![extent.rows()]);
    let mut answers = tx.batch(vec![select.within(extent.bytes), pages::tallies::count(tenant, page_id)])?;
    let total = pages::tallies::total(&answers.pop().unwrap_or_default())?;
    Ok((ListPart::read(&answers.pop().unwrap_or_default(), extent, listed)?, total))
}

/// The audience of a page that is this person's, archived or not.
pub fn of_person(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    page_id: &PageId,
    person_id: &PersonId,
) -> Result<Option<AudienceId>> {
    let select =
        sql!("SELECT audience_id FROM audiences WHERE tenant_id = $1 AND person_id = $2 AND page_id = $3");
    tx.maybe(select.with(values![tenant, person_id, page_id]))?.map(|row| row.get("audience_id")).transpose()
}

/// Every audience that is this person's own, on whatever page, archived or not.
pub fn all_of_person(tx: &mut Tx<'_>, tenant: &TenantId, person_id: &PersonId) -> Result<Vec<Audience>> {
    // across tenants: the statement that this continues names the tenant
    all_of(tx, tenant, sql!("AND person_id = $1"), person_id.into())
}

/// Every audience that is this account's own and no person's, on whatever page, archived or not.
pub fn all_of_account(tx: &mut Tx<'_>, tenant: &TenantId, account_id: &AccountId) -> Result<Vec<Audience>> {
    // across tenants: the statement that this continues names the tenant
    all_of(tx, tenant, sql!("AND account_id = $1 AND person_id IS NULL"), account_id.into())
}

fn all_of(tx: &mut Tx<'_>, tenant: &TenantId, whose: Sql, id: Value) -> Result<Vec<Audience>> {
    let select = sql!(
        "SELECT page_id, audience_id, person_id, account_id, slug, secret_slug, access, access_changes,
                computed_name, custom_name,
                supplementary_context, metadata_override, action_url_override, action_form_id_override,
                action_form_instructions_override, last_number, latest_version_id, published_version_id,
                created_at, updated_at, archived_at
         FROM audiences WHERE tenant_id = $1"
    );
    tx.all(select.with(values![tenant]).and(whose, vec![id]))?.iter().map(audience).collect()
}

/// Removes an audience for good; a query, to travel with others.
pub fn remove(tenant: &TenantId, page_id: &PageId, audience_id: &AudienceId) -> Query {
    sql!("DELETE FROM audiences WHERE tenant_id = $1 AND page_id = $2 AND audience_id = $3").with(values![
        tenant,
        page_id,
        audience_id
    ])
}

/// The place of an audience among those of its page, in the order in which they were made, from 1.
pub fn place(tx: &mut Tx<'_>, tenant: &TenantId, page_id: &PageId, audience_id: &AudienceId) -> Result<u64> {
    let count = sql!(
        "SELECT COUNT(*) AS place FROM audiences WHERE tenant_id = $1 AND page_id = $2 AND audience_id <= $3"
    );
    tx.one(count.with(values![tenant, page_id, audience_id]))?.get("place")
}

/// Replaces everything of an audience but what was fixed when it was made; a query, to travel with others.
pub fn update(tenant: &TenantId, audience: &Audience) -> Query {
    sql!(
        "UPDATE audiences SET
            computed_name = $4, custom_name = $5, supplementary_context = $6, metadata_override = $7,
            action_url_override = $8, action_form_id_override = $9, action_form_instructions_override = $10,
            last_number = $11, latest_version_id = $12, published_version_id = $13, updated_at = $14,
            archived_at = $15
         WHERE tenant_id = $1 AND page_id = $2 AND audience_id = $3"
    )
    .with(values![
        tenant,
        &audience.page_id,
        &audience.audience_id,
        &audience.computed_name,
        &audience.custom_name,
        &audience.supplementary_context,
        &audience.metadata_override,
        &audience.overrides.url,
        &audience.overrides.form_id,
        &audience.overrides.form_instructions,
        audience.last_number,
        &audience.latest_version_id,
        &audience.published_version_id,
        audience.updated_at,
        audience.archived_at,
    ])
}

/// Replaces who may open an audience, and its secret address.
pub fn update_access(tx: &mut Tx<'_>, tenant: &TenantId, audience: &Audience) -> Result<()> {
    let update = sql!(
        "UPDATE audiences SET access = $4, secret_slug = $5, access_changes = $6, updated_at = $7
         WHERE tenant_id = $1 AND page_id = $2 AND audience_id = $3"
    );
    tx.run(update.with(values![
        tenant,
        &audience.page_id,
        &audience.audience_id,
        audience.access,
        &audience.secret_slug,
        audience.access_changes,
        audience.updated_at,
    ]))?;
    Ok(())
}

/// Whether an audience of the page has this secret address.
pub fn has_secret_slug(tx: &mut Tx<'_>, tenant: &TenantId, page_id: &PageId, slug: &str) -> Result<bool> {
    let select = sql!(
        "SELECT 1 AS found FROM audiences
         WHERE tenant_id = $1 AND page_id = $2 AND secret_slug = $3 AND secret_slug IS NOT NULL"
    );
    Ok(tx.maybe(select.with(values![tenant, page_id, slug]))?.is_some())
}

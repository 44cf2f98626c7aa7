//! `audiences`: the audiences of pages, archived ones included.
//!
//! What answers show of an audience, its newest and its live version, is read with it by one statement.

use pagesmith_model::audience::Audience;
use pagesmith_model::audience::overrides::ActionOverrides;
use pagesmith_model::json::JsonText;
use pagesmith_model::page::access::PageAccess;
use pagesmith_model::version::Version;
use pagesmith_model::{AccountId, AudienceId, PageId, PersonId, Result, TenantId, Timestamp, VersionId};

use crate::extent::{Extent, ListPart};
use crate::row::Row;
use crate::sql::{Query, Sql};
use crate::tables::pages;
use crate::tables::versions::{self, joined_columns};
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

pub mod in_order;
pub mod names;
pub mod publishing;
pub mod waiting;

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

/// The columns of an audience, each behind an alias such as `a.`, which [`audience`] reads.
macro_rules! audience_columns {
    ($alias:literal) => {
        $crate::sql::columns!(
            $alias => page_id, audience_id, person_id, account_id, slug, secret_slug, access, access_changes,
            computed_name, custom_name, supplementary_context, metadata_override, action_url_override,
            action_form_id_override, action_form_instructions_override, last_number, latest_version_id,
            published_version_id, created_at, updated_at, archived_at
        )
    };
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
        overrides: overrides(row)?,
        last_number: row.take("last_number")?,
        latest_version_id: row.take("latest_version_id")?,
        published_version_id: row.take("published_version_id")?,
        created_at: row.take("created_at")?,
        updated_at: row.take("updated_at")?,
        archived_at: row.take("archived_at")?,
    })
}

/// What an audience says instead of its page's actions.
pub(super) fn overrides(row: &Row) -> Result<ActionOverrides> {
    Ok(ActionOverrides {
        url: row.take("action_url_override")?,
        form_id: row.take("action_form_id_override")?,
        form_instructions: row.take("action_form_instructions_override")?,
    })
}

/// The columns of a [`ListedAudience`], which [`listed`] reads: of the audience `a`, the versions `l` and `p`, and the site `h`.
macro_rules! listed_columns {
    () => {
        concat!(
            audience_columns!("a."),
            ", ",
            joined_columns!("l." as "l_"),
            ", ",
            joined_columns!("p." as "p_"),
            ", h.person_page_access AS of_persons"
        )
    };
}

/// What is joined with an audience `a` for [`listed`], but for the newest version `l`: its live version `p`, and the site `h`.
macro_rules! live_and_site {
    () => {
        "LEFT JOIN audience_versions p ON p.tenant_id = $1 AND p.audience_id = a.audience_id
              AND p.version_id = a.published_version_id
         LEFT JOIN tenant_sites h ON h.tenant_id = $1"
    };
}

/// The same with the newest version.
macro_rules! listed_joins {
    () => {
        concat!(
            "JOIN audience_versions l ON l.tenant_id = $1 AND l.audience_id = a.audience_id
                  AND l.version_id = a.latest_version_id
             ",
            live_and_site!()
        )
    };
}

/// An audience `a` of a page `g` that is not deleted, with its live version `p`, the one `l` that `$4` names or else its newest, and the
/// site `h`.
macro_rules! whole {
    () => {
        concat!(
            " FROM audiences a
             JOIN pages g ON g.tenant_id = $1 AND g.page_id = a.page_id AND g.deleted_at IS NULL
             JOIN audience_versions l ON l.tenant_id = $1 AND l.audience_id = a.audience_id
                  AND l.version_id = COALESCE(CAST($4 AS TEXT), a.latest_version_id)
             ",
            live_and_site!(),
            " WHERE a.tenant_id = $1 AND a.page_id = $2 AND a.audience_id = $3"
        )
    };
}

use {audience_columns, listed_columns, listed_joins, live_and_site, whole};

fn listed(row: &Row) -> Result<ListedAudience> {
    let audience = audience(row)?;
    let ids = (&audience.page_id, &audience.audience_id);
    let latest = versions::joined(row, &versions::LATEST, ids)?;
    let published = match audience.published_version_id {
        Some(_) => Some(versions::joined(row, &versions::LIVE, ids)?),
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
        "SELECT ",
        audience_columns!(""),
        " FROM audiences WHERE tenant_id = $1 AND page_id = $2 AND audience_id = $3"
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
    let select =
        sql!("SELECT ", listed_columns!(), ", g.metadata AS page_metadata, g.slug AS page_slug", whole!());
    let row = tx.maybe(select.with(values![tenant, page_id, audience_id, None::<&VersionId>]))?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(AudienceDetail {
        listed: listed(&row)?,
        page_metadata: row.take("page_metadata")?,
        page_slug: row.take("page_slug")?,
    }))
}

/// The audiences of a page, newest first, after a position; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    page_id: &PageId,
    after: Option<&AudienceId>,
    extent: Extent,
) -> Result<(ListPart<ListedAudience>, u64)> {
    // The part is chosen before anything is joined: else PostgreSQL, which takes the joins for rarer than they are, reads and sorts all audiences
    // of the page.
    let mut select = sql!(
        "SELECT ",
        listed_columns!(),
        " FROM (SELECT ",
        audience_columns!(""),
        " FROM audiences WHERE tenant_id = $1 AND page_id = $2"
    )
    .with(values![tenant, page_id]);
    if let Some(audience_id) = after {
        select = select.and(sql!("AND audience_id < $1"), values![audience_id]);
    }
    select = select.and(sql!("ORDER BY audience_id DESC LIMIT $1) a"), values![extent.rows()]);
    select = select.and(sql!(listed_joins!(), " ORDER BY a.audience_id DESC"), values![tenant]);
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
    all_of(tx, tenant, sql!("AND person_id = $1"), person_id.into())
}

/// The ids of all of them, the oldest first, each with that of its page.
pub fn ids_of_person(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    person_id: &PersonId,
) -> Result<Vec<(PageId, AudienceId)>> {
    let select = sql!(
        "SELECT page_id, audience_id FROM audiences
         WHERE tenant_id = $1 AND person_id = $2 AND person_id IS NOT NULL ORDER BY audience_id"
    );
    let ids = |row: &Row| Ok((row.take("page_id")?, row.take("audience_id")?));
    tx.all(select.with(values![tenant, person_id]))?.iter().map(ids).collect()
}

/// An audience that was made for somebody: as much of it as a list of what happened tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeAudience {
    /// The audience.
    pub audience_id: AudienceId,
    /// Its page.
    pub page_id: PageId,
    /// When it was made.
    pub created_at: Timestamp,
}

/// The audiences that are this person's own, archived or not, newest first, after a position, up to `limit`.
pub fn newest_of_person(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    person_id: &PersonId,
    after: Option<&AudienceId>,
    limit: i64,
) -> Result<Vec<MadeAudience>> {
    let of_person = MADE
        .with(values![tenant])
        .and(sql!("AND person_id = $1 AND person_id IS NOT NULL"), values![person_id]);
    newest(tx, of_person, after, limit)
}

/// The audiences that are this account's own and no person's, archived or not, newest first, after a position, up to `limit`.
pub fn newest_of_account(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    account_id: &AccountId,
    after: Option<&AudienceId>,
    limit: i64,
) -> Result<Vec<MadeAudience>> {
    newest(tx, MADE.with(values![tenant]).and(OF_ACCOUNT, values![account_id]), after, limit)
}

const MADE: Sql = sql!("SELECT audience_id, page_id, created_at FROM audiences WHERE tenant_id = $1");

/// Whether an audience is an account's own and no person's.
const OF_ACCOUNT: Sql = sql!("AND account_id = $1 AND person_id IS NULL");

fn newest(
    tx: &mut Tx<'_>,
    mut select: Query,
    after: Option<&AudienceId>,
    limit: i64,
) -> Result<Vec<MadeAudience>> {
    if let Some(id) = after {
        select = select.and(sql!("AND audience_id < $1"), values![id]);
    }
    let select = select.and(sql!("ORDER BY audience_id DESC LIMIT $1"), values![limit]);
    let made = |row: &Row| {
        Ok(MadeAudience {
            audience_id: row.take("audience_id")?,
            page_id: row.take("page_id")?,
            created_at: row.take("created_at")?,
        })
    };
    tx.all(select)?.iter().map(made).collect()
}

/// Every audience that is this account's own and no person's, on whatever page, archived or not.
pub fn all_of_account(tx: &mut Tx<'_>, tenant: &TenantId, account_id: &AccountId) -> Result<Vec<Audience>> {
    all_of(tx, tenant, OF_ACCOUNT, account_id.into())
}

fn all_of(tx: &mut Tx<'_>, tenant: &TenantId, whose: Sql, id: Value) -> Result<Vec<Audience>> {
    let select = sql!("SELECT ", audience_columns!(""), " FROM audiences WHERE tenant_id = $1");
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

/// Replaces which version of an audience is live: this one, or none. SQLite looks into the indexes of every column that is set, whatever it is set to.
pub fn update_published(tenant: &TenantId, version: &Version, is_live: bool, now: Timestamp) -> Query {
    sql!(
        "UPDATE audiences SET published_version_id = $4, updated_at = $5
         WHERE tenant_id = $1 AND page_id = $2 AND audience_id = $3"
    )
    .with(values![
        tenant,
        &version.page_id,
        &version.audience_id,
        is_live.then_some(&version.version_id),
        now,
    ])
}

/// Replaces who may open an audience, and its secret address.
pub fn update_access(tenant: &TenantId, audience: &Audience) -> Query {
    sql!(
        "UPDATE audiences SET access = $4, secret_slug = $5, access_changes = $6, updated_at = $7
         WHERE tenant_id = $1 AND page_id = $2 AND audience_id = $3"
    )
    .with(values![
        tenant,
        &audience.page_id,
        &audience.audience_id,
        audience.access,
        &audience.secret_slug,
        audience.access_changes,
        audience.updated_at,
    ])
}

/// Whether an audience of the page has this secret address.
pub fn has_secret_slug(tx: &mut Tx<'_>, tenant: &TenantId, page_id: &PageId, slug: &str) -> Result<bool> {
    let select = sql!(
        "SELECT 1 AS found FROM audiences
         WHERE tenant_id = $1 AND page_id = $2 AND secret_slug = $3 AND secret_slug IS NOT NULL"
    );
    Ok(tx.maybe(select.with(values![tenant, page_id, slug]))?.is_some())
}

//! What a question depends on before anything is looked for: the audience that it is asked on, the settings, and how much was asked already.

use pagesmith_model::audience::overrides::ActionOverrides;
use pagesmith_model::json::JsonText;
use pagesmith_model::page::access::{self, PageAccess};
use pagesmith_model::question::{PageQuestionSettings, QuestionSettings};
use pagesmith_model::{AudienceId, PageId, PersonId, Result, TenantId};

use crate::row::Row;
use crate::tables::audiences::overrides;
use crate::tables::knowledge::indexes::{self, Index};
use crate::tables::questions::settings;
use crate::tx::Tx;
use crate::{sql, values};

/// An audience that visitors are shown, and what surrounds it.
#[derive(Debug, Clone, PartialEq)]
pub struct AskedAudience {
    /// The person whose page it is.
    pub person_id: Option<PersonId>,
    /// Who may open it.
    pub access: PageAccess,
    /// What it says instead of its page's actions.
    pub overrides: ActionOverrides,
    /// The page's title.
    pub title: String,
    /// The page's actions, as they are kept.
    pub actions: JsonText,
    /// The action in the page's header.
    pub header_action_id: Option<String>,
    /// The document of the live version.
    pub content: JsonText,
    /// The settings of the tenant's site, as they are kept.
    pub site: Option<JsonText>,
    /// What the tenant has decided about questions; the defaults where it has not.
    pub settings: QuestionSettings,
    /// What is set for the page; nothing where nothing is.
    pub of_page: PageQuestionSettings,
    /// What the tenant knows.
    pub index: Index,
    /// How many questions the page had that day.
    pub on_page: i64,
    /// How many all pages of the tenant had.
    pub in_all: i64,
}

/// The audience of a page, if visitors are shown it, by one statement; with the questions of a UTC day.
pub fn find(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    (page_id, audience_id): (&PageId, &AudienceId),
    day: i64,
) -> Result<Option<AskedAudience>> {
    let select = sql!(
        "SELECT a.person_id, a.secret_slug, a.access, a.action_url_override, a.action_form_id_override,
                a.action_form_instructions_override, p.title, p.actions, p.header_action_id, c.content,
                s.settings, s.person_page_access AS of_persons,
                q.is_shown, q.per_visitor, q.per_page, q.per_tenant,
                o.is_shown AS page_is_shown, o.heading, o.action_id, k.next_number, k.chunks, k.languages, k.revision,
                (SELECT CAST(COALESCE(SUM(n.questions), 0) AS BIGINT) FROM question_counts n
                 WHERE n.tenant_id = $1 AND n.day = $4 AND n.page_id = $2) AS on_page,
                (SELECT CAST(COALESCE(SUM(n.questions), 0) AS BIGINT) FROM question_counts n
                 WHERE n.tenant_id = $1 AND n.day = $4) AS in_all
         FROM audiences a
         JOIN pages p ON p.tenant_id = $1 AND p.page_id = $2 AND p.deleted_at IS NULL AND p.archived_at IS NULL
         JOIN version_contents c ON c.tenant_id = $1 AND c.version_id = a.published_version_id
         LEFT JOIN tenant_sites s ON s.tenant_id = $1
         LEFT JOIN question_settings q ON q.tenant_id = $1
         LEFT JOIN page_question_settings o ON o.tenant_id = $1 AND o.page_id = $2
         LEFT JOIN knowledge_indexes k ON k.tenant_id = $1
         WHERE a.tenant_id = $1 AND a.page_id = $2 AND a.audience_id = $3 AND a.archived_at IS NULL"
    );
    tx.maybe(select.with(values![tenant, page_id, audience_id, day]))?.as_ref().map(asked).transpose()
}

fn asked(row: &Row) -> Result<AskedAudience> {
    let person_id: Option<PersonId> = row.take("person_id")?;
    let (set, of_persons): (Option<PageAccess>, Option<PageAccess>) =
        (row.take("access")?, row.take("of_persons")?);
    let has_secret = row.take::<Option<String>>("secret_slug")?.is_some();
    // Of what the tenant has not set, and of an index that is not there, every column is empty.
    let settings = match row.get::<Option<bool>>("is_shown")? {
        Some(_) => settings::read(row)?,
        None => QuestionSettings::default(),
    };
    let index = match row.get::<Option<i64>>("next_number")? {
        Some(_) => indexes::read(row)?,
        None => Index::default(),
    };
    Ok(AskedAudience {
        access: access::effective(has_secret, person_id.is_some(), set, of_persons.unwrap_or_default()),
        person_id,
        overrides: overrides(row)?,
        title: row.take("title")?,
        actions: row.take("actions")?,
        header_action_id: row.take("header_action_id")?,
        content: row.take("content")?,
        site: row.take("settings")?,
        settings,
        of_page: PageQuestionSettings {
            is_shown: row.take("page_is_shown")?,
            heading: row.take("heading")?,
            action_id: row.take("action_id")?,
        },
        index,
        on_page: row.take("on_page")?,
        in_all: row.take("in_all")?,
    })
}

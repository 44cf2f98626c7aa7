//! Migrations: one numbered list, one file for both engines, forward only.
//!
//! A file is written as PostgreSQL with four column types; this maps them (in SQLite `BIGINT` is `INTEGER`, `BOOLEAN` is `INT` and tables are `STRICT`;
//! `TEXT` sorts by bytes in PostgreSQL; `AS JSON` is `AS TEXT` in SQLite, whose `->` reads texts; `-- clustered` keeps a table of small rows in its key's order in SQLite;
//! SQLite passes over an index below `-- only: postgres`). All that a database lacks is
//! applied in one transaction under a lock, a statement at a time, and the checksum of each file is kept in the journal, which is made before:
//! a released file that was edited is refused. `journal` says whether a program can go on with a newer database, and `layout` where the tables lie.

use pagesmith_model::{Error, Result};

use crate::connection::postgres::{ASIDE, Session};
use crate::connection::sqlite::{APPLICATION_ID, Connection, Mode};
use crate::diagnosis::Characters;
use crate::engine::Connector;
use crate::engine::sqlite::statistics;
use crate::fault::Fault;
use crate::schema_state::SchemaState;
use crate::sql::Dialect;
use crate::tx::{Link, Tx};
use crate::unfinished_copy;

mod journal;
mod layout;

use layout::{Layout, Table, statements};

/// The migrations, oldest first.
const MIGRATIONS: &[(&str, &str)] = &[
    ("0001_foundation", include_str!("../../../migrations/0001_foundation.sql")),
    ("0002_persons", include_str!("../../../migrations/0002_persons.sql")),
    ("0003_person_search", include_str!("../../../migrations/0003_person_search.sql")),
    ("0004_tenant_region", include_str!("../../../migrations/0004_tenant_region.sql")),
    ("0005_audiences", include_str!("../../../migrations/0005_audiences.sql")),
    ("0006_webhooks", include_str!("../../../migrations/0006_webhooks.sql")),
    ("0007_site", include_str!("../../../migrations/0007_site.sql")),
    ("0008_server_keys", include_str!("../../../migrations/0008_server_keys.sql")),
    ("0009_agents", include_str!("../../../migrations/0009_agents.sql")),
    ("0010_audience_accounts", include_str!("../../../migrations/0010_audience_accounts.sql")),
    ("0011_hot_versions", include_str!("../../../migrations/0011_hot_versions.sql")),
    ("0012_index_changes", include_str!("../../../migrations/0012_index_changes.sql")),
    ("0013_health_checks", include_str!("../../../migrations/0013_health_checks.sql")),
    ("0014_resumed_tenants", include_str!("../../../migrations/0014_resumed_tenants.sql")),
    ("0015_audit", include_str!("../../../migrations/0015_audit.sql")),
    ("0016_page_access", include_str!("../../../migrations/0016_page_access.sql")),
    ("0017_request_ids", include_str!("../../../migrations/0017_request_ids.sql")),
    ("0018_topics", include_str!("../../../migrations/0018_topics.sql")),
    ("0019_pending_work", include_str!("../../../migrations/0019_pending_work.sql")),
    ("0020_compatible_servers", include_str!("../../../migrations/0020_compatible_servers.sql")),
    ("0021_link_blocks", include_str!("../../../migrations/0021_link_blocks.sql")),
    ("0022_page_links", include_str!("../../../migrations/0022_page_links.sql")),
    ("0023_files", include_str!("../../../migrations/0023_files.sql")),
    ("0024_knowledge", include_str!("../../../migrations/0024_knowledge.sql")),
    ("0025_tenant_domains", include_str!("../../../migrations/0025_tenant_domains.sql")),
    ("0026_page_versions", include_str!("../../../migrations/0026_page_versions.sql")),
    ("0027_brands", include_str!("../../../migrations/0027_brands.sql")),
    ("0028_assets", include_str!("../../../migrations/0028_assets.sql")),
    ("0029_picture_variants", include_str!("../../../migrations/0029_picture_variants.sql")),
    ("0032_certificates", include_str!("../../../migrations/0032_certificates.sql")),
    ("0033_visits", include_str!("../../../migrations/0033_visits.sql")),
    ("0035_messages", include_str!("../../../migrations/0035_messages.sql")),
    ("0036_forms", include_str!("../../../migrations/0036_forms.sql")),
    ("0038_version_schedules", include_str!("../../../migrations/0038_version_schedules.sql")),
    ("0039_enrichment_and_files", include_str!("../../../migrations/0039_enrichment_and_files.sql")),
    ("0040_questions", include_str!("../../../migrations/0040_questions.sql")),
    ("0041_model_edits", include_str!("../../../migrations/0041_model_edits.sql")),
    ("0042_visit_values", include_str!("../../../migrations/0042_visit_values.sql")),
    ("0043_users", include_str!("../../../migrations/0043_users.sql")),
    ("0044_brand_files", include_str!("../../../migrations/0044_brand_files.sql")),
    ("0045_asset_descriptions", include_str!("../../../migrations/0045_asset_descriptions.sql")),
    ("0046_identity_providers", include_str!("../../../migrations/0046_identity_providers.sql")),
    ("0047_invitation_mails", include_str!("../../../migrations/0047_invitation_mails.sql")),
    ("0048_operators", include_str!("../../../migrations/0048_operators.sql")),
    ("0049_person_imports", include_str!("../../../migrations/0049_person_imports.sql")),
    ("0050_person_merges", include_str!("../../../migrations/0050_person_merges.sql")),
    ("0051_visit_shares", include_str!("../../../migrations/0051_visit_shares.sql")),
    ("0052_ended_merges", include_str!("../../../migrations/0052_ended_merges.sql")),
    ("0053_waiting_versions", include_str!("../../../migrations/0053_waiting_versions.sql")),
    ("0054_drafts_since", include_str!("../../../migrations/0054_drafts_since.sql")),
    ("0055_version_entries", include_str!("../../../migrations/0055_version_entries.sql")),
    ("0056_account_grams", include_str!("../../../migrations/0056_account_grams.sql")),
    ("0057_request_ids_of_work", include_str!("../../../migrations/0057_request_ids_of_work.sql")),
    ("0058_revisions_of_knowledge", include_str!("../../../migrations/0058_revisions_of_knowledge.sql")),
    ("0059_senders_of_messages", include_str!("../../../migrations/0059_senders_of_messages.sql")),
    ("0060_visits_of_tenants", include_str!("../../../migrations/0060_visits_of_tenants.sql")),
    ("0061_askers", include_str!("../../../migrations/0061_askers.sql")),
    ("0062_avif_variants", include_str!("../../../migrations/0062_avif_variants.sql")),
    ("0063_present_pages", include_str!("../../../migrations/0063_present_pages.sql")),
    ("0064_list_orders", include_str!("../../../migrations/0064_list_orders.sql")),
];

/// The table of the migrations that a database has; where there is none, nothing of ours is there.
pub(crate) const JOURNAL: &str = "schema_migrations";

/// The advisory lock that keeps two servers from migrating at once; the only one that versions before 0019 know.
pub(crate) const LOCK: i64 = 0x7061_6765_736d;
/// The same for a database that has several nodes itself, each with advisory locks of its own: Citus locks the table on all of them, which
/// does without rows, so that the first migration is waited for as well. Whoever waits holds no lock that this transaction may need to change
/// the table, and reading goes on. Older versions lock the rows. Other tables are not waited for as long: everyone who comes later waits
/// behind us.
const LOCK_JOURNAL: [&str; 3] = [
    "LOCK TABLE schema_migrations IN EXCLUSIVE MODE",
    "SELECT name FROM schema_migrations FOR UPDATE",
    "SET LOCAL lock_timeout = '10s'",
];

/// Whoever changes the schema: takes the steps one at a time.
trait Migrator {
    fn dialect(&self) -> Dialect;
    fn execute(&mut self, text: &str) -> Result<(), Fault>;
    fn tx(&mut self) -> Tx<'_>;
    /// Begins a transaction that no other migrator of the same server can be in.
    fn begin(&mut self) -> Result<(), Fault>;
    /// Waits for migrators that [`begin`](Migrator::begin) does not keep away, once the journal exists.
    fn lock_journal(&mut self) -> Result<(), Fault>;
    /// Where the tables lie.
    fn layout(&mut self) -> Result<Layout>;
}

impl Migrator for Connection {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn execute(&mut self, text: &str) -> Result<(), Fault> {
        self.raw().execute_batch(text).map_err(|error| crate::connection::sqlite::faults::fault(&error))
    }

    fn tx(&mut self) -> Tx<'_> {
        Tx::new(Link::Sqlite(self))
    }

    fn begin(&mut self) -> Result<(), Fault> {
        Migrator::execute(self, "BEGIN IMMEDIATE")
    }

    fn lock_journal(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn layout(&mut self) -> Result<Layout> {
        Ok(Layout::Plain)
    }
}

impl Migrator for Session {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn execute(&mut self, text: &str) -> Result<(), Fault> {
        Session::execute(self, text)
    }

    fn tx(&mut self) -> Tx<'_> {
        Tx::new(Link::Postgres(self))
    }

    fn begin(&mut self) -> Result<(), Fault> {
        self.begin_migration(LOCK)
    }

    fn lock_journal(&mut self) -> Result<(), Fault> {
        LOCK_JOURNAL.iter().try_for_each(|text| Session::execute(self, text))
    }

    fn layout(&mut self) -> Result<Layout> {
        if self.is_cluster { Ok(Layout::Citus) } else { Layout::of(&mut Tx::new(Link::Postgres(self))) }
    }
}

/// Applies what the database lacks; the names of what was applied.
pub(crate) fn apply(connector: &Connector) -> Result<Vec<String>> {
    match connector {
        Connector::Sqlite(path) => {
            let mut connection = Connection::open(path, Mode::Write)?;
            Migrator::execute(&mut connection, &format!("PRAGMA application_id = {APPLICATION_ID}"))?;
            let applied = apply_with(&mut connection)?;
            statistics::set(&connection)?;
            Ok(applied)
        }
        Connector::Postgres(servers) => {
            let mut session = Session::connect(servers, 0, ASIDE)?;
            let characters = Characters::of(&mut Tx::new(Link::Postgres(&mut session)))?;
            if !characters.keep_every_text() {
                let encoding = &characters.encoding;
                return Err(Error::conflict(format!(
                    "The database's encoding is {encoding}, and UTF8 is needed: make another with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0."
                )));
            }
            apply_with(&mut session)
        }
    }
}

fn apply_with(migrator: &mut impl Migrator) -> Result<Vec<String>> {
    let mut applied = Vec::new();
    let mut layout = begin(migrator)?;
    if !migrator.tx().has_table(JOURNAL)? {
        migrator.execute(&mapped(journal::TABLE, migrator.dialect()))?;
        if layout == Layout::Citus {
            distribute(migrator, [journal::TABLE])?;
        }
        // By itself: only who sees the table can wait for it.
        migrator.execute("COMMIT")?;
        layout = begin(migrator)?;
    }
    migrator.lock_journal()?;
    for name in journal::state(&mut migrator.tx())?.pending {
        let Some((_, text)) = MIGRATIONS.iter().find(|(known, _)| *known == name) else { continue };
        let text = mapped(text, migrator.dialect());
        for statement in statements(&text).into_iter().flat_map(|statement| layout.apply(statement)) {
            migrator.execute(&statement)?;
        }
        journal::note(&mut migrator.tx(), &name)?;
        applied.push(name);
    }
    if layout == Layout::Citus {
        distribute(migrator, MIGRATIONS.iter().map(|(_, text)| *text).chain([journal::TABLE]))?;
    }
    migrator.execute("COMMIT")?;
    Ok(applied)
}

/// Begins a transaction of a migrator; where the tables lie.
fn begin(migrator: &mut impl Migrator) -> Result<Layout> {
    migrator.begin()?;
    unfinished_copy::refuse(&mut migrator.tx())?;
    let layout = migrator.layout()?;
    if layout == Layout::Citus {
        // Tables are made and filled in this transaction: its nodes take one statement at a time.
        migrator.execute("SET LOCAL citus.multi_shard_modify_mode TO 'sequential'")?;
    }
    Ok(layout)
}

/// Distributes those of the tables made there that Citus does not know yet, the shared ones first: others refer to them.
fn distribute<'a>(migrator: &mut impl Migrator, texts: impl IntoIterator<Item = &'a str>) -> Result<()> {
    let mut tables: Vec<_> = texts.into_iter().flat_map(statements).filter_map(Table::made_by).collect();
    tables.sort_by_key(|table| table.is_of_tenants);
    tables
        .iter()
        .filter_map(Table::distribution)
        .try_for_each(|distribute| Ok(migrator.execute(&distribute)?))
}

/// How the database's migrations and this program's differ.
pub(crate) fn state(tx: &mut Tx<'_>) -> Result<SchemaState> {
    unfinished_copy::refuse(tx)?;
    state_of_copy(tx)
}

/// The same of a database that may hold an unfinished copy.
pub(crate) fn state_of_copy(tx: &mut Tx<'_>) -> Result<SchemaState> {
    if tx.has_table(JOURNAL)? { journal::state(tx) } else { Ok(journal::state_of_empty()) }
}

/// The names of the indexes that PostgreSQL alone has.
pub(crate) fn indexes_of_postgres() -> impl Iterator<Item = &'static str> {
    let made = |text: &'static str| text.split("-- only: postgres\nCREATE INDEX ").skip(1);
    MIGRATIONS.iter().flat_map(move |(_, text)| made(text)).filter_map(|made| made.split(' ').next())
}

/// The text for one engine: a rule per line, since a column is on a line of its own.
fn mapped(text: &str, dialect: Dialect) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut in_table, mut clustered, mut left_out) = (false, false, false);
    for line in text.lines() {
        left_out |= dialect == Dialect::Sqlite && line == "-- only: postgres";
        if left_out {
            left_out = !line.ends_with(';');
            continue;
        }
        let mut line = line.to_owned();
        clustered |= line.starts_with("-- clustered");
        in_table |= line.starts_with("CREATE TABLE");
        let added = line.starts_with("ALTER TABLE") && line.contains(" ADD COLUMN ");
        if added || in_table && line.starts_with("    ") {
            line = column(&line, dialect);
        }
        if dialect == Dialect::Sqlite && !in_table {
            line = line.replace(" AS JSON)", " AS TEXT)");
        }
        if in_table && line == ");" {
            in_table = false;
            if dialect == Dialect::Sqlite {
                let end = if clustered { ") STRICT, WITHOUT ROWID;" } else { ") STRICT;" };
                end.clone_into(&mut line);
            }
            clustered = false;
        }
        out.push_str(&line);
        out.push('\n');
    }
    out
}

fn column(line: &str, dialect: Dialect) -> String {
    let words: &[(&str, &str)] = match dialect {
        Dialect::Sqlite => &[(" BIGINT", " INTEGER"), (" BYTEA", " BLOB"), (" BOOLEAN", " INT")],
        Dialect::Postgres => &[(" TEXT", " TEXT COLLATE \"C\"")],
    };
    words.iter().fold(line.to_owned(), |line, (portable, own)| line.replacen(portable, own, 1))
}

#[cfg(test)]
mod tests {
    use pagesmith_model::brand::DEFAULT_NAME;
    use pagesmith_model::topic::DEFAULT_TITLE;
    use pagesmith_model::{AudienceId, TenantId, VersionEntryId, VersionId};

    use super::*;
    use crate::tables::audiences::waiting;
    use crate::tables::versions::history;
    use crate::tables::{brands, topics};

    #[test]
    fn column_types_are_mapped_for_each_engine() {
        let text = "CREATE TABLE t (\n    a TEXT NOT NULL,\n    b BIGINT,\n    c BYTEA\n);\nCREATE INDEX i ON t (a);\n";
        let small = mapped("-- clustered\nCREATE TABLE s (\n    a TEXT\n);\n", Dialect::Sqlite);
        assert!(small.ends_with("    a TEXT\n) STRICT, WITHOUT ROWID;\n"), "{small}");
        let added = "ALTER TABLE t ADD COLUMN a TEXT;\n";
        assert_eq!(mapped(added, Dialect::Sqlite), added);
        assert_eq!(mapped(added, Dialect::Postgres), "ALTER TABLE t ADD COLUMN a TEXT COLLATE \"C\";\n");
        assert_eq!(
            mapped(text, Dialect::Sqlite),
            "CREATE TABLE t (\n    a TEXT NOT NULL,\n    b INTEGER,\n    c BLOB\n) STRICT;\nCREATE INDEX i ON t (a);\n"
        );
        assert_eq!(
            mapped(text, Dialect::Postgres),
            "CREATE TABLE t (\n    a TEXT COLLATE \"C\" NOT NULL,\n    b BIGINT,\n    c BYTEA\n);\nCREATE INDEX i ON t (a);\n"
        );
    }

    #[test]
    fn an_index_of_postgresql_alone_is_left_out_of_sqlite() {
        let text = "-- Why.\n-- only: postgres\nCREATE INDEX i ON t USING gin (\n    a\n);\nCREATE INDEX j ON t (a);\n";
        assert_eq!(mapped(text, Dialect::Sqlite), "-- Why.\nCREATE INDEX j ON t (a);\n");
        assert_eq!(mapped(text, Dialect::Postgres), text);
    }

    const TENANT: &str = "tenant_01jpbz8n4xf5k9w2d7hq3mv6ta";

    /// A database with a tenant that was made before a migration, and has what statements added to it before that.
    fn migrated_over(name: &str, added: &str) -> (tempfile::TempDir, Connection, TenantId) {
        let folder = tempfile::tempdir().unwrap();
        let mut connection = Connection::open(&folder.path().join("test.db"), Mode::Write).unwrap();
        let at = MIGRATIONS.iter().position(|(known, _)| *known == name).unwrap();
        let (before, after) = MIGRATIONS.split_at(at);
        Migrator::execute(&mut connection, &mapped(journal::TABLE, Dialect::Sqlite)).unwrap();
        for (_, text) in before {
            Migrator::execute(&mut connection, &mapped(text, Dialect::Sqlite)).unwrap();
        }
        let insert = "INSERT INTO tenants (tenant_id, name, slug, created_at) VALUES";
        Migrator::execute(&mut connection, &format!("{insert} ('{TENANT}', 'Acme', 'acme', 7)")).unwrap();
        Migrator::execute(&mut connection, added).unwrap();
        for (_, text) in after {
            Migrator::execute(&mut connection, &mapped(text, Dialect::Sqlite)).unwrap();
        }
        (folder, connection, TenantId::parse(TENANT).unwrap())
    }

    #[test]
    fn what_a_site_had_as_its_brand_becomes_the_default_brand() {
        let site = |settings: &str| {
            format!(
                "INSERT INTO tenant_sites (tenant_id, settings, revision, updated_at) VALUES ('{TENANT}', '{settings}', 1, 9)"
            )
        };
        let branded = site(r##"{"siteName":"Acme","brand":{"accentColor":"#2b55b8","cornerRadius":0}}"##);
        let (_folder, mut connection, tenant) = migrated_over("0027_brands", &branded);
        let brand = brands::default(&mut connection.tx(), &tenant).unwrap().unwrap();
        assert_eq!(brand.brand_id.as_str(), "brand_01jpbz8n4xf5k9w2d7hq3mv6ta");
        assert_eq!((brand.name.as_str(), brand.look.corner_radius), (DEFAULT_NAME, Some(0)));
        assert_eq!(brand.look.accent_color.as_deref(), Some("#2b55b8"));
        // It is found as one that was created would be.
        let (words, extent) = (pagesmith_model::text::Query::parse("defa"), crate::Extent::of_items(10));
        let (found, _) = brands::search(&mut connection.tx(), &tenant, &words, None, extent).unwrap();
        assert_eq!(found.items.len(), 1);
        for without in [site("{}"), site(r#"{"brand":{}}"#)] {
            let (_folder, mut connection, tenant) = migrated_over("0027_brands", &without);
            assert_eq!(brands::default(&mut connection.tx(), &tenant).unwrap(), None);
        }
    }

    #[test]
    fn a_tenant_from_before_there_were_topics_gets_its_default_topic() {
        let (_folder, mut connection, tenant) = migrated_over("0018_topics", "");
        let extent = crate::Extent::of_items(10);
        let (found, total) = topics::list(&mut connection.tx(), &tenant, None, extent).unwrap();
        let [topic] = &found.items[..] else { panic!("{found:?}") };
        assert_eq!(topic.topic_id.as_str(), "topic_01jpbz8n4xf5k9w2d7hq3mv6ta");
        assert_eq!((topic.title.as_str(), topic.is_default, total), (DEFAULT_TITLE, true, 1));
        // It is found as one that was created would be.
        let words = pagesmith_model::text::Query::parse("gen");
        let (found, _) = topics::search(&mut connection.tx(), &tenant, &words, &[], (None, extent)).unwrap();
        assert_eq!(found.items.len(), 1);
    }

    #[test]
    fn drafts_from_before_they_had_a_column_of_their_own_still_wait() {
        let id = |prefix: &str, last: char| format!("{prefix}_01jpbz8n4xf5k9w2d7hq3mv6t{last}");
        let page = id("page", 'a');
        let mut rows = format!(
            "INSERT INTO pages (tenant_id, page_id, name, title, page_context, page_type, brand_id, slug, actions,
                action_card_widgets, scripts, footer_links, nav_links, created_at, updated_at)
             VALUES ('{TENANT}', '{page}', 'Spring', 'Spring', '', 'inbound', '', 'spring', '[]', '[]', '[]', '[]', '[]', 1, 1);"
        );
        // A draft that waits, one that was live once, and one that is live.
        for (last, status, published_at) in
            [('a', "draft", "NULL"), ('b', "draft", "5"), ('c', "published", "5")]
        {
            let (audience, version) = (id("audience", last), id("version", last));
            rows += &format!(
                "INSERT INTO audiences (tenant_id, page_id, audience_id, slug, computed_name, last_number, latest_version_id,
                    created_at, updated_at)
                 VALUES ('{TENANT}', '{page}', '{audience}', '{last}', 'Somebody', 1, '{version}', 1, 1);
                 INSERT INTO audience_versions (tenant_id, audience_id, version_id, page_id, number, status, publish_when_ready,
                    has_content, tries, created_at, became_draft_at, published_at)
                 VALUES ('{TENANT}', '{audience}', '{version}', '{page}', 1, '{status}', FALSE, TRUE, 1, 1, 3, {published_at});"
            );
        }
        let (_folder, mut connection, tenant) = migrated_over("0054_drafts_since", &rows);
        let found = waiting::list(&mut connection.tx(), &tenant, 9).unwrap();
        let [waits] = &found[..] else { panic!("{found:?}") };
        assert_eq!(waits.version_id.as_str(), id("version", 'a'));
        assert_eq!(waits.since, pagesmith_model::Timestamp::from_micros(3));
    }

    #[test]
    fn the_histories_from_before_they_were_chains_are_told_as_they_were() {
        let id = |prefix: &str, number: u8| format!("{prefix}_01jpbz8n4xf5k9w2d7hq3mv6t{number}");
        let (audience, page) = (id("audience", 1), id("page", 1));
        let mut rows = String::new();
        for version in 1..=3 {
            rows += &format!(
                "INSERT INTO audience_versions (tenant_id, audience_id, version_id, page_id, number, status, publish_when_ready,
                    has_content, tries, created_at)
                 VALUES ('{TENANT}', '{audience}', '{}', '{page}', {version}, 'draft', FALSE, TRUE, 1, 1);",
                id("version", version)
            );
        }
        // Those of two versions in turns; the third has none.
        for (entry, action) in ["created", "created", "generated", "generated", "edited"].iter().enumerate() {
            let entry = u8::try_from(entry).unwrap();
            rows += &format!(
                "INSERT INTO version_history (tenant_id, version_id, version_entry_id, action, actor, created_at)
                 VALUES ('{TENANT}', '{}', '{}', '{action}', 'worker', 7);",
                id("version", 1 + entry % 2),
                id(VersionEntryId::PREFIX, entry)
            );
        }
        let (_folder, mut connection, tenant) = migrated_over("0055_version_entries", &rows);
        let mut told = |version| {
            let audience = AudienceId::parse(&audience).unwrap();
            let version = VersionId::parse(&id("version", version)).unwrap();
            let tx = &mut connection.tx();
            let (found, total) =
                history::list(tx, &tenant, &audience, &version, None, crate::Extent::of_items(10)).unwrap();
            (found.items.into_iter().map(|entry| entry.action.as_str()).collect::<Vec<_>>(), total)
        };
        assert_eq!(told(1), (vec!["edited", "generated", "created"], 3));
        assert_eq!(told(2), (vec!["generated", "created"], 2));
        assert_eq!(told(3), (vec![], 0));
    }
}

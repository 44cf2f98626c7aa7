//! Which indexes SQLite takes where the wrong one would walk all rows of a tenant.

use pagesmith_model::cursor::SortKey;
use pagesmith_model::list_order::{ListOrder, OrderBy, OrderedPlace};
use pagesmith_model::visit::range::Span;
use pagesmith_model::{
    AudienceSessionId, PageId, PersonId, SubmissionId, SubscriptionId, TenantId, Timestamp,
};
use tempfile::TempDir;

use super::audiences::{self, waiting};
use super::forms::submissions;
use super::ordered::Ordered;
use super::visits::{all_sessions, sessions, sums};
use super::webhooks::deliveries::{self, Stage};
use super::webhooks::history;
use super::{accounts, pages, persons};
use crate::connection::sqlite::{Connection, Mode};
use crate::engine::Connector;
use crate::extent::Extent;
use crate::migrate;
use crate::sql::Query;

/// A database as it is made for servers.
fn database() -> (TempDir, Connection) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    migrate::apply(&Connector::Sqlite(path.clone())).unwrap();
    let connection = Connection::open(&path, Mode::Read).unwrap();
    (folder, connection)
}

/// What SQLite says that it does first.
fn plan((_, connection): &(TempDir, Connection), query: &Query) -> String {
    let mut explained = connection.raw().prepare(&format!("EXPLAIN QUERY PLAN {}", query.text)).unwrap();
    explained.raw_query().next().unwrap().unwrap().get("detail").unwrap()
}

#[test]
fn what_is_one_persons_or_one_visitors_is_found_by_an_index_of_it() {
    let database = database();
    let id = |prefix: &str| format!("{prefix}_01jpbz8n4xf5k9w2d7hq3mv6ta");
    let tenant = TenantId::parse(&id("tenant")).unwrap();
    let person = PersonId::parse(&id("person")).unwrap();
    let submission = SubmissionId::parse(&id("submission")).unwrap();
    let session = AudienceSessionId::parse(&id("session")).unwrap();
    let visitors: [&[u8]; 2] = [b"one", b"other"];
    for (query, column) in [
        (submissions::oldest_with_person(&tenant, &person, None, 9), "person_id"),
        (submissions::oldest_with_person(&tenant, &person, Some(&submission), 9), "person_id"),
        (submissions::newest_with_person(&tenant, &person, None, 9), "person_id"),
        (submissions::newest_with_person(&tenant, &person, Some(&submission), 9), "person_id"),
        (sessions::oldest_with_person(&tenant, &person, None, 9), "person_id"),
        (sessions::oldest_with_person(&tenant, &person, Some(&session), 9), "person_id"),
        (sessions::newest_with_person(&tenant, &person, None, 9), "person_id"),
        (sessions::newest_with_person(&tenant, &person, Some(&session), 9), "person_id"),
        (sessions::with_visitors(&tenant, &visitors), "visitor"),
    ] {
        let plan = plan(&database, &query);
        assert!(plan.contains(&format!("(tenant_id=? AND {column}=?")), "{plan}: {}", query.text);
    }
}

#[test]
fn deliveries_that_failed_or_wait_are_found_among_many_that_arrived() {
    let database = database();
    let id = |prefix: &str| format!("{prefix}_01jpbz8n4xf5k9w2d7hq3mv6ta");
    let tenant = TenantId::parse(&id("tenant")).unwrap();
    let subscription = SubscriptionId::parse(&id("sub")).unwrap();
    let failed = history::Filter { stage: Some(Stage::Failed), ..history::Filter::default() };
    let failed = plan(&database, &history::newest(&tenant, &subscription, &failed, 9));
    assert!(failed.contains("(tenant_id=? AND subscription_id=? AND stage=?"), "{failed}");
    let due = plan(&database, &deliveries::due_timers_of(&tenant, Timestamp::from_micros(0), 9));
    assert!(due.contains("deliveries_timer_idx"), "{due}");
}

#[test]
fn versions_that_wait_are_found_newest_first_without_a_sort() {
    let (_folder, connection) = database();
    let tenant = TenantId::parse("tenant_01jpbz8n4xf5k9w2d7hq3mv6ta").unwrap();
    for (query, index) in [
        (waiting::drafts(&tenant, 9), "audience_versions_draft_idx (tenant_id=? AND draft_since>?)"),
        (waiting::cancelled(&tenant, 9), "audience_versions_cancelled_idx (tenant_id=? AND cancelled_at>?)"),
    ] {
        let mut explained = connection.raw().prepare(&format!("EXPLAIN QUERY PLAN {}", query.text)).unwrap();
        let mut lines = explained.raw_query();
        let mut plan = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            plan.push(line.get::<_, String>("detail").unwrap());
        }
        assert!(plan.iter().any(|line| line.contains(index)), "{plan:?}");
        let sorts = plan.iter().filter(|line| line.contains("TEMP B-TREE")).count();
        assert!(sorts <= 1, "of what was found alone: {plan:?}");
    }
}

#[test]
fn the_visits_to_all_pages_are_found_by_their_time() {
    let database = database();
    let tenant = TenantId::parse("tenant_01jpbz8n4xf5k9w2d7hq3mv6ta").unwrap();
    let range = Timestamp::from_micros(0)..Timestamp::from_micros(1);
    for (query, index) in [
        (sums::all_of_tenant(&tenant, Span::Day, &range), "visit_sums_days_idx (tenant_id=? AND starts_at>?"),
        (
            sums::all_of_tenant(&tenant, Span::Quarter, &range),
            "visit_sums_quarters_idx (tenant_id=? AND starts_at>?",
        ),
        (all_sessions::all_closed(&tenant, &range), "(tenant_id=? AND audience_session_id>?"),
        (all_sessions::all_open(&tenant, 9), "audience_sessions_closes_at_idx (tenant_id=? AND closes_at>?)"),
    ] {
        let plan = plan(&database, &query);
        assert!(plan.contains(index), "{plan}: {}", query.text);
    }
}

/// A part of a list costs the same wherever it stands: each order is walked by an index from the place on, and nothing is sorted but what is equal.
#[test]
fn every_order_of_a_list_is_walked_by_an_index() {
    let (_folder, connection) = database();
    let id = |prefix: &str| format!("{prefix}_01jpbz8n4xf5k9w2d7hq3mv6ta");
    let (tenant, page) = (TenantId::parse(&id("tenant")).unwrap(), PageId::parse(&id("page")).unwrap());
    let mut seen = 0;
    for by in [OrderBy::Name, OrderBy::Email, OrderBy::Domain, OrderBy::CreatedAt] {
        let lists = || {
            [
                ("pages", pages::in_order::in_order(&tenant, by)),
                ("persons", persons::in_order(&tenant, by)),
                ("accounts", accounts::in_order(&tenant, false, by)),
                ("audiences", audiences::in_order::in_order(&tenant, &page, by)),
            ]
        };
        for is_descending in [false, true] {
            let order = ListOrder { by, is_descending };
            let place = OrderedPlace { key: Some(SortKey::Text("k".to_owned())), id: page.clone() };
            let extent = Extent::of_items(20);
            for (list, ordered) in lists() {
                let queries = match ordered {
                    // The names of pages are looked through.
                    Ok(_) if list == "pages" && by == OrderBy::Name => continue,
                    Err(_) => continue,
                    // Of those that are in no index there are few, and they are sorted.
                    Ok(Ordered::Key(keyed) | Ordered::KeyInTwo(keyed, _)) => {
                        vec![keyed.query(order, Some(&place), extent).unwrap()]
                    }
                    Ok(Ordered::Id(by_id)) => vec![by_id.query(order, Some(&place.id), extent)],
                    Ok(Ordered::KeyOrLast(keyed, rest)) => vec![
                        keyed.query(order, Some(&place), extent).unwrap(),
                        rest.query(order, Some(&place.id), extent),
                    ],
                };
                for query in queries {
                    let mut explained =
                        connection.raw().prepare(&format!("EXPLAIN QUERY PLAN {}", query.text)).unwrap();
                    let mut lines = explained.raw_query();
                    let mut plan = Vec::new();
                    while let Some(line) = lines.next().unwrap() {
                        plan.push(line.get::<_, String>("detail").unwrap());
                    }
                    // Where something is joined, the part is chosen by a subquery: what comes behind it sorts the part alone.
                    let chosen = plan.iter().position(|line| line == "SCAN n").unwrap_or(plan.len());
                    let chosen = &plan[..chosen];
                    let from = if is_descending { "<?)" } else { ">?)" };
                    let search = chosen.iter().find(|line| line.starts_with("SEARCH")).unwrap();
                    assert!(search.contains("USING") && search.contains(from), "{list} by {by:?}: {plan:?}");
                    // Only those are sorted that are equal in what comes first.
                    let sorts = |line: &&String| line.contains("B-TREE FOR ORDER BY");
                    assert_eq!(chosen.iter().find(sorts), None, "{list} by {by:?}: {plan:?}");
                    seen += 1;
                }
            }
        }
    }
    assert_eq!(seen, 22);
}

/// PostgreSQL leaves the indexes alone where an update changes no column that one of them names, in its condition either. Else it writes
/// into the very parts of them that publications of other audiences have read, which then conflict.
#[test]
fn no_index_names_what_publishing_again_changes() {
    let schema = include_str!("../../../../migrations/schema.sql");
    let of_versions =
        ["status", "published_at", "archived_at", "obsolete_at", "last_entry_id", "entry_count"].as_slice();
    for (table, columns) in [
        ("audience_versions", of_versions),
        ("audiences", &["latest_version_id", "published_version_id", "updated_at"]),
    ] {
        let of_table = |line: &&str| line.contains(" INDEX ") && line.contains(&format!(" ON {table} ("));
        let indexes: Vec<&str> = schema.lines().filter(of_table).collect();
        assert!(indexes.len() > 1, "{table}");
        for index in indexes {
            let mut words = index.split(|one: char| !one.is_alphanumeric() && one != '_');
            assert_eq!(words.find(|word| columns.contains(word)), None, "{index}");
        }
    }
}

//! What is done for Citus, on a PostgreSQL that looks like its coordinator: it has an extension of that name, the functions that distribute
//! tables, and its errors. It has no other nodes; what only they show is measured outside the tests.

use std::sync::Arc;
use std::sync::mpsc;

use pagesmith_model::TenantId;
use pagesmith_store::tables::revisions;
use pagesmith_store::{Store, StoreOptions};
use pagesmith_testkit::{database, fixtures};
use serde_json::json;

use crate::process::postgres::Postgres;
use crate::process::{Instance, KEY, eventually};

/// The extension, and as much of it as `migrate` uses: whoever distributes a table twice, by a column that is not in all its keys, or before
/// a table that it refers to, is refused.
const EXTENSION: &str = r#"
    SET allow_system_table_mods = on;
    INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
        VALUES (99999, 'citus', 10, CAST('pg_catalog' AS REGNAMESPACE), FALSE, '13.2-1');
    CREATE TABLE pg_catalog.pg_dist_partition (logicalrelid REGCLASS PRIMARY KEY, partmethod "char" NOT NULL, partkey TEXT);
    CREATE FUNCTION pg_catalog.create_distributed_table(table_name REGCLASS, distribution_column TEXT)
        RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = table_name) THEN
            RAISE EXCEPTION 'table "%" is already distributed', table_name;
        END IF;
        IF EXISTS (
            SELECT FROM pg_index WHERE indrelid = table_name AND indisunique AND NOT EXISTS (
                SELECT FROM pg_attribute
                WHERE attrelid = table_name AND attname = distribution_column AND attnum = ANY (CAST(indkey AS SMALLINT[]))
            )
        ) THEN
            RAISE EXCEPTION 'cannot create constraint on "%"', table_name;
        END IF;
        IF EXISTS (
            SELECT FROM pg_constraint WHERE conrelid = table_name AND contype = 'f'
                AND confrelid NOT IN (SELECT logicalrelid FROM pg_dist_partition)
        ) THEN
            RAISE EXCEPTION 'referenced table of "%" must be a distributed table or a reference table', table_name;
        END IF;
        INSERT INTO pg_dist_partition VALUES (table_name, 'h', distribution_column);
    END $$;
    CREATE FUNCTION pg_catalog.create_reference_table(table_name REGCLASS) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = table_name) THEN
            RAISE EXCEPTION 'table "%" is already distributed', table_name;
        END IF;
        INSERT INTO pg_dist_partition VALUES (table_name, 'n', NULL);
    END $$;
"#;

/// How each table is distributed, and the transaction that did it.
const DISTRIBUTED: &str = "
    SELECT string_agg(concat_ws(' ', logicalrelid, partmethod, partkey, xmin), ', ' ORDER BY CAST(logicalrelid AS TEXT))
    FROM pg_dist_partition";

/// The tables that are not distributed as their keys ask for.
const WRONG: &str = "
    WITH wanted AS (
        SELECT c.oid, c.relname,
            CASE WHEN relname = 'health_checks' THEN 'local'
                 WHEN relname NOT IN ('tenants', 'key_tenants') AND bool_and('tenant_id' = ANY (ARRAY(
                     SELECT CAST(attname AS TEXT) FROM pg_attribute
                     WHERE attrelid = c.oid AND attnum = ANY (CAST(indkey AS SMALLINT[]))
                 ))) THEN 'h tenant_id'
                 ELSE 'n' END AS how
        FROM pg_class c LEFT JOIN pg_index ON indrelid = c.oid AND indisunique
        WHERE relnamespace = CAST('public' AS REGNAMESPACE) AND relkind = 'r'
        GROUP BY c.oid, c.relname
    )
    SELECT coalesce(string_agg(concat_ws(' ', relname, partmethod, partkey, 'and not', how), ', '), '')
    FROM wanted LEFT JOIN pg_dist_partition ON logicalrelid = wanted.oid
    WHERE how <> coalesce(nullif(concat_ws(' ', partmethod, partkey), ''), 'local')";

/// A coordinator, and the program for it.
fn cluster() -> (Postgres, Instance) {
    let mut postgres = Postgres::new();
    postgres.set(&["logging_collector=on", "log_filename=log", "log_statement=all", "log_line_prefix=%d: "]);
    postgres.start();
    postgres.execute(EXTENSION);
    let instance = Instance::at(postgres.address());
    (postgres, instance)
}

/// Another database of the same server, which is no cluster.
fn plain(postgres: &Postgres) -> Instance {
    postgres.execute("CREATE DATABASE plain");
    Instance::at(format!("postgres://postgres@127.0.0.1:{}/plain", postgres.port))
}

#[test]
fn every_table_is_distributed_once_by_its_keys() {
    if !database::is_postgres() {
        return;
    }
    let (postgres, instance) = cluster();
    let applied = instance.run(&["migrate"]).success();
    assert!(applied.contains("0001_foundation"), "{applied}");
    assert_eq!(postgres.ask(WRONG), "");
    let distributed = postgres.ask(DISTRIBUTED);
    for how in ["persons h tenant_id", "key_tenants n", "keys n", "tenants n", "schema_migrations n"] {
        let at = |text: &str| text.split(", ").any(|table| table.starts_with(&format!("{how} ")));
        assert!(at(&distributed), "{how}: {distributed}");
    }

    assert_eq!(instance.run(&["migrate"]).success(), "nothing to do\n");
    assert_eq!(postgres.ask(DISTRIBUTED), distributed);

    // A database of the version before this table.
    postgres.execute(
        "DELETE FROM pg_dist_partition WHERE logicalrelid = CAST('visit_shares' AS REGCLASS);
         DROP TABLE visit_shares;
         DELETE FROM schema_migrations WHERE name = '0051_visit_shares'",
    );
    let others = postgres.ask(DISTRIBUTED);
    assert!(instance.run(&["migrate"]).success().contains("0051_visit_shares"));
    assert_eq!(postgres.ask(WRONG), "");
    let is_other = |table: &&str| !table.starts_with("visit_shares h tenant_id ");
    let distributed = postgres.ask(DISTRIBUTED);
    assert_eq!(distributed.split(", ").filter(is_other).collect::<Vec<_>>().join(", "), others);
    assert_ne!(distributed, others);
}

#[test]
fn a_database_becomes_a_cluster_when_it_gets_the_extension() {
    if !database::is_postgres() {
        return;
    }
    let postgres = Postgres::start_new();
    let instance = Instance::at(postgres.address());
    instance.run(&["migrate"]).success();
    postgres.execute(EXTENSION);
    assert_eq!(instance.run(&["migrate"]).success(), "nothing to do\n");
    assert_eq!(postgres.ask(WRONG), "");
}

#[test]
fn a_cluster_is_told_what_it_needs_and_another_database_what_that_needs() {
    if !database::is_postgres() {
        return;
    }
    let (postgres, instance) = cluster();
    instance.run(&["migrate"]).success();
    plain(&postgres).run(&["migrate"]).success();
    let log = eventually("the server has written its log", || {
        let log = postgres.ask("SELECT pg_read_file('log/log')");
        log.contains("plain: LOG:  statement: COMMIT").then_some(log)
    });
    let said = |database: &str, text: &str| {
        log.lines().any(|line| line.starts_with(&format!("{database}: ")) && line.contains(text))
    };
    for (text, to_cluster, to_plain) in [
        ("SET enable_seqscan = off", true, true),
        ("SET plan_cache_mode = force_generic_plan", false, true),
        ("SET LOCAL citus.multi_shard_modify_mode TO 'sequential'", true, false),
        ("create_reference_table('keys')", true, false),
    ] {
        assert_eq!((said("postgres", text), said("plain", text)), (to_cluster, to_plain), "{text}");
    }
    // Another migrator may take hours and is waited for without a limit; other tables are not.
    let [journal, limit] = ["LOCK TABLE schema_migrations", "SET LOCAL lock_timeout = '10s'"]
        .map(|text| log.find(text).unwrap());
    assert!(journal < limit);
}

/// In how many transactions the writes for these tenants are made that wait for the only connection.
fn transactions(instance: &Instance, tenants: [&str; 2]) -> String {
    let mut options = StoreOptions::new(instance.database.parse().unwrap());
    options.connections = 1;
    let store = Store::open(options).unwrap();
    let (is_busy, busy) = mpsc::channel();
    let (end, ends) = mpsc::channel::<()>();
    let [one, other] = tenants.map(|tenant| TenantId::parse(tenant).unwrap());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let (shared, ends) = (store.clone(), Arc::new(std::sync::Mutex::new(ends)));
    let first = runtime.spawn(async move {
        let write = move |tx: &mut pagesmith_store::Tx<'_>| {
            tx.run(revisions::raise("first"))?;
            is_busy.send(()).unwrap();
            // Until the sender is gone.
            let _ = ends.lock().unwrap().recv();
            Ok(())
        };
        shared.write(write).await.unwrap();
    });
    busy.recv().unwrap();
    let write = async |tenant: &TenantId, name: &'static str| {
        store.for_tenant(tenant).write(move |tx| tx.run(revisions::raise(name))).await.unwrap()
    };
    runtime.block_on(async {
        let goes_on = async {
            while store.queue_depth() < 2 {
                tokio::task::yield_now().await;
            }
            drop(end);
        };
        tokio::join!(write(&one, "one"), write(&other, "other"), goes_on);
        first.await.unwrap();
        store.close().await.unwrap();
    });
    let count =
        "SELECT count(DISTINCT CAST(xmin AS TEXT))::text FROM revisions WHERE name IN ('one', 'other')";
    runtime.block_on(database::ask_at(&instance.database, count))
}

#[test]
fn writes_for_one_tenant_may_share_a_commit_and_those_for_two_do_not() {
    if !database::is_postgres() {
        return;
    }
    let (postgres, instance) = cluster();
    instance.run(&["migrate"]).success();
    let other = plain(&postgres);
    other.run(&["migrate"]).success();
    let (acme, globex) = ("tenant_01jpbz8n4xf5k9w2d7hq3mv6ta", "tenant_01jpbz8n4xf5k9w2d7hq3mv6tb");
    assert_eq!(transactions(&instance, [acme, acme]), "1");
    assert_eq!(transactions(&instance, [acme, globex]), "2");
    assert_eq!(transactions(&other, [acme, globex]), "1", "it is no cluster");
}

/// Errors of its nodes, each once: a COMMIT that conflicts, one of which nothing is known, a constraint of a shard.
const ERRORS: &str = r#"
    CREATE SEQUENCE commits;
    CREATE FUNCTION fail_commits() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE number BIGINT := nextval('commits');
    BEGIN
        IF number = 1 THEN
            RAISE WARNING 'could not serialize access due to read/write dependencies among transactions' USING ERRCODE = '40001';
        END IF;
        IF number IN (1, 3) THEN
            RAISE EXCEPTION 'could not commit transaction for shard 102008 on any active node' USING ERRCODE = 'XX000';
        END IF;
        RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER fail_commits AFTER INSERT ON pages
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail_commits();
    CREATE SEQUENCE persons_made;
    CREATE FUNCTION fail_persons() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF nextval('persons_made') = 1 THEN
            RAISE EXCEPTION 'duplicate key value violates unique constraint "persons_tenant_id_email_key_102008"'
                USING ERRCODE = '23505';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER fail_persons BEFORE INSERT ON persons FOR EACH ROW EXECUTE FUNCTION fail_persons();
"#;

#[test]
fn a_cluster_is_served_and_errors_of_its_nodes_are_understood() {
    if !database::is_postgres() {
        return;
    }
    let (postgres, instance) = cluster();
    let server = instance.serve();
    let page = server.post("/v0/pages", KEY, &fixtures::page("Spread")).expect(201).json();
    let path = format!("/v0/pages/{}", page["pageId"].as_str().unwrap());
    server.post(&format!("{path}/audiences"), KEY, &json!({})).expect(201);
    eventually("a version is written and goes live", || {
        (server.get(&path, KEY).expect(200).json()["status"] == "published").then_some(())
    });
    assert_eq!(postgres.ask(WRONG), "");

    postgres.execute(ERRORS);
    let create = |name: &str| server.post("/v0/pages", KEY, &fixtures::page(name));
    create("Conflicts").expect(201);
    assert_eq!(postgres.ask("SELECT last_value::text FROM commits"), "2", "it was tried again");
    let unknown = create("Unknown").expect(503).json();
    assert!(unknown.to_string().contains("whether it did is not known"), "{unknown}");
    create("Well").expect(201);
    assert_eq!(server.get("/v0/pages", KEY).expect(200).json()["totalCount"], 3);

    let ada = json!({ "name": "Ada", "email": "ada@acme.example" });
    let made = server.post("/v0/persons", KEY, &ada).expect(201).json();
    assert_eq!(postgres.ask("SELECT last_value::text FROM persons_made"), "2", "it was tried again");
    assert_eq!(server.post("/v0/persons", KEY, &ada).expect(200).json()["personId"], made["personId"]);
    server.stop();
}

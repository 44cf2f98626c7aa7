//! `tenant …` and `key …`, beside a running server.

use pagesmith_testkit::fixtures;
use serde_json::{Value, json};

use crate::process::{Finished, Instance, KEY, Server, eventually};

/// Waits until that key is answered that status; a change made elsewhere is promised within seconds.
#[track_caller]
fn turns(server: &Server, key: &str, status: u16) {
    eventually("a change reaches the server", || {
        let reply = server.get("/v0/pages", key);
        (reply.status == status).then_some(())
    });
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// A key made with `key create … --json`.
#[track_caller]
fn create(instance: &Instance, arguments: &[&str]) -> Value {
    instance.json(&[&["key", "create", "--json"], arguments].concat())
}

#[test]
fn a_created_key_works_at_once_and_a_revoked_one_is_refused_soon() {
    let instance = Instance::new();
    let server = instance.serve();
    let made = create(&instance, &["--tenant", "default", "--name", "Shop"]);
    let (id, secret) = (text(&made["keyId"]), text(&made["secret"]));
    server.post("/v0/pages", secret, &fixtures::page("With a new key")).expect(201);
    assert_eq!(
        (&made["name"], &made["scope"], &made["state"]),
        (&"Shop".into(), &"write".into(), &"live".into())
    );

    let revoked = instance.json(&["key", "revoke", id, "--json"]);
    assert_eq!((&revoked["state"], &revoked["secret"]), (&"revoked".into(), &Value::Null));
    turns(&server, secret, 401);
    server.get("/v0/pages", KEY).expect(200);
    // Again it changes nothing.
    assert_eq!(instance.json(&["key", "revoke", id, "--json"])["revokedAt"], revoked["revokedAt"]);
}

#[test]
fn tables_are_for_people_and_the_key_stands_on_the_last_line() {
    let instance = Instance::new();
    let server = instance.serve();
    let made = instance.run(&["key", "create", "--tenant", "default", "--name", "Shop"]).success();
    let secret = made.lines().last().unwrap();
    server.get("/v0/pages", secret).expect(200);
    let list = instance.run(&["key", "list"]).success();
    assert!(list.starts_with("ID ") && list.contains("Shop") && list.lines().count() == 3, "{list}");
    let id = list.lines().find(|line| line.contains("Shop")).unwrap().split(' ').next().unwrap();
    let rotated = instance.run(&["key", "rotate", id]).success();
    server.get("/v0/pages", rotated.lines().last().unwrap()).expect(200);
    let revoked = instance.run(&["key", "revoke", id]).success();
    assert!(revoked.contains("revoked") && revoked.lines().count() == 2, "{revoked}");
    turns(&server, secret, 401);

    let acme = instance.run(&["tenant", "create", "Acme Ltd"]).success();
    assert!(acme.contains("acme-ltd") && acme.contains("active"), "{acme}");
    assert!(instance.run(&["tenant", "suspend", "acme-ltd"]).success().contains("suspended"));
    assert!(instance.run(&["tenant", "resume", "acme-ltd"]).success().contains("active"));
    assert_eq!(instance.run(&["tenant", "list"]).success().lines().count(), 3);
    for out in [&list, &acme] {
        assert!(!out.contains("ps_"), "{out}");
    }
}

#[test]
fn a_rotated_key_works_on_for_the_overlap_and_no_longer() {
    let instance = Instance::new();
    let server = instance.serve();
    let old = create(&instance, &["--tenant", "default", "--scope", "read", "--name", "Reader"]);
    let new = instance.json(&["key", "rotate", text(&old["keyId"]), "--overlap", "1h", "--json"]);
    assert_eq!((&new["scope"], &new["name"]), (&"read".into(), &"Reader".into()));
    assert_ne!(new["keyId"], old["keyId"]);
    let (old_secret, new_secret) = (text(&old["secret"]), text(&new["secret"]));
    server.get("/v0/pages", new_secret).expect(200);
    server.get("/v0/pages", old_secret).expect(200);

    let newest = instance.json(&["key", "rotate", text(&new["keyId"]), "--overlap", "1ms", "--json"]);
    server.get("/v0/pages", text(&newest["secret"])).expect(200);
    turns(&server, new_secret, 401);
    server.get("/v0/pages", old_secret).expect(200);
    // What has ended cannot be continued.
    let failure = instance.run(&["key", "rotate", text(&new["keyId"])]).failure();
    assert!(failure.contains("revoked or expired"), "{failure}");
}

#[test]
fn an_expired_key_is_refused() {
    let instance = Instance::new();
    let server = instance.serve();
    let dead = create(&instance, &["--tenant", "default", "--expires-in", "1ms"]);
    server.get("/v0/pages", text(&dead["secret"])).expect(401);
    let live = create(&instance, &["--tenant", "default", "--expires-in", "90d"]);
    server.get("/v0/pages", text(&live["secret"])).expect(200);
    let list = instance.json(&["key", "list", "--json"]);
    let states: Vec<_> = list.as_array().unwrap().iter().map(|key| text(&key["state"])).collect();
    assert_eq!(states, ["live", "expired", "live"]);
    assert!(list.to_string().find("secret").is_none(), "{list}");
}

#[test]
fn a_reading_key_reads_and_a_key_of_several_tenants_does_nothing() {
    let instance = Instance::new();
    let server = instance.serve();
    let reader = create(&instance, &["--tenant", "default", "--scope", "read"]);
    server.get("/v0/pages", text(&reader["secret"])).expect(200);
    server.post("/v0/pages", text(&reader["secret"]), &fixtures::page("No")).expect(403);

    let acme = instance.json(&["tenant", "create", "Acme", "--json"]);
    let both = create(&instance, &["--tenant", "default", "--tenant", text(&acme["tenantId"])]);
    assert_eq!(both["tenantIds"].as_array().unwrap().len(), 2);
    server.get("/v0/pages", text(&both["secret"])).expect(403);
    server.post("/v0/pages", text(&both["secret"]), &fixtures::page("No")).expect(403);
    // The same tenant twice, by slug and by id, is one.
    let once = create(&instance, &["--tenant", "acme", "--tenant", text(&acme["tenantId"])]);
    server.get("/v0/pages", text(&once["secret"])).expect(200);
    let of_acme = instance.json(&["key", "list", "--tenant", "acme", "--json"]);
    assert_eq!(of_acme.as_array().unwrap().len(), 2);
}

#[test]
fn a_suspended_tenant_is_refused_until_it_is_resumed() {
    let instance = Instance::new();
    let server = instance.serve();
    let acme = instance.json(&["tenant", "create", "Acme", "--slug", "anvils", "--json"]);
    let key = create(&instance, &["--tenant", "anvils"]);
    let key = text(&key["secret"]);
    server.get("/v0/pages", key).expect(200);
    let suspended = instance.json(&["tenant", "suspend", "anvils", "--json"]);
    assert!(suspended["suspendedAt"].is_string(), "{suspended}");
    turns(&server, key, 403);
    server.get("/v0/pages", KEY).expect(200);
    assert_eq!(instance.json(&["tenant", "suspend", text(&acme["tenantId"]), "--json"]), suspended);
    assert_eq!(instance.json(&["tenant", "resume", text(&acme["tenantId"]), "--json"]), acme);
    turns(&server, key, 200);
    let list = instance.json(&["tenant", "list", "--json"]);
    let slugs: Vec<_> = list.as_array().unwrap().iter().map(|tenant| text(&tenant["slug"])).collect();
    assert_eq!(slugs, ["default", "anvils"]);
}

#[test]
fn a_tenants_name_and_region_can_be_changed_and_its_slug_stays() {
    let instance = Instance::new();
    instance.run(&["migrate"]).success();
    let made = instance.json(&["tenant", "create", "Acme", "--region", "FR", "--json"]);
    let renamed = instance.json(&["tenant", "update", "acme", "--name", "Acme Ltd", "--json"]);
    assert_eq!(
        (&renamed["name"], &renamed["slug"], &renamed["defaultRegion"]),
        (&"Acme Ltd".into(), &"acme".into(), &"FR".into())
    );
    let moved = instance.json(&["tenant", "update", text(&made["tenantId"]), "--region", "de", "--json"]);
    assert_eq!((&moved["name"], &moved["defaultRegion"]), (&"Acme Ltd".into(), &"DE".into()));
    let nowhere = instance.json(&["tenant", "update", "acme", "--region", "", "--json"]);
    assert!(nowhere["defaultRegion"].is_null(), "{nowhere}");
    assert_eq!(instance.json(&["tenant", "list", "--json"])[0], nowhere);
    for (arguments, told) in [
        (&["acme", "--name", " "][..], "A tenant needs a name"),
        (&["acme", "--name", "\u{200b}"], "A tenant needs a name"),
        (&["acme", "--region", "Germany"], "'Germany' is no region"),
        (&["nobody", "--name", "x"], "No such tenant: nobody"),
    ] {
        let failure = instance.run(&[&["tenant", "update"], arguments].concat()).failure();
        assert!(failure.contains(told), "{failure}");
    }
    assert_eq!(instance.run(&["tenant", "update", "acme"]).code, Some(2), "nothing to change");
    assert_eq!(instance.json(&["tenant", "list", "--json"])[0], nowhere);
}

#[test]
fn a_key_may_have_a_rate_limit_of_its_own() {
    let instance = Instance::new();
    let server = instance.serve();
    let key = create(&instance, &["--tenant", "default", "--rate-limit", "2"]);
    let statuses = [(); 3].map(|()| server.get("/v0/pages", text(&key["secret"])).status);
    assert_eq!(statuses, [200, 200, 429]);
    server.get("/v0/pages", KEY).expect(200);
}

#[test]
fn what_is_not_there_is_one_clear_line() {
    let instance = Instance::new();
    instance.run(&["migrate"]).success();
    let nobody = "key_01jd3kq5b8e7vr2n4x6m9s0twz";
    for (arguments, named) in [
        (vec!["key", "revoke", nobody], nobody),
        (vec!["key", "rotate", nobody, "--json"], nobody),
        (vec!["key", "create", "--tenant", "nobody"], "nobody"),
        (vec!["key", "list", "--tenant", "nobody", "--json"], "nobody"),
        (vec!["tenant", "suspend", "nobody"], "nobody"),
        (vec!["tenant", "resume", "tenant_01jd3kq5b8e7vr2n4x6m9s0twz"], "tenant_01jd3kq5b8e7vr2n4x6m9s0twz"),
    ] {
        let failure = instance.run(&arguments).failure();
        assert!(failure.starts_with("No such ") && failure.contains(named), "{arguments:?}: {failure}");
    }
    instance.run(&["tenant", "create", "Acme"]).success();
    let failure = instance.run(&["tenant", "create", "ACME!"]).failure();
    assert!(failure.contains("'acme' is taken"), "{failure}");
    let failure = instance.run(&["tenant", "create", "Other", "--slug", "Not A Label"]).failure();
    assert!(failure.contains("'not-a-label'"), "{failure}");
}

#[test]
fn a_key_needs_a_name_that_can_be_seen() {
    let instance = Instance::new();
    instance.run(&["migrate"]).success();
    instance.run(&["tenant", "create", "Acme"]).success();
    for blank in ["", " ", "\t", "\u{a0}", "\u{200b}"] {
        let failure = instance.run(&["key", "create", "--tenant", "acme", "--name", blank]).failure();
        assert!(failure.contains("A key needs a name"), "{blank:?}: {failure}");
    }
    assert_eq!(instance.json(&["key", "list", "--tenant", "acme", "--json"]), json!([]));
    assert_eq!(create(&instance, &["--tenant", "acme", "--name", " Shop"])["name"], " Shop");
}

#[test]
fn what_was_mistyped_is_told_with_the_usage() {
    let instance = Instance::new();
    for arguments in [
        vec!["key", "revoke", "not-an-id"],
        vec!["key", "create"],
        vec!["key", "create", "--tenant", "default", "--scope", "admin"],
        vec!["key", "create", "--tenant", "default", "--expires-in", "soon"],
        vec!["key", "create", "--tenant", "default", "--rate-limit", "0"],
        vec!["tenant"],
        vec!["nonsense"],
    ] {
        let Finished { code, out, err } = instance.run(&arguments);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}: {err}");
        assert!(!err.is_empty());
    }
}

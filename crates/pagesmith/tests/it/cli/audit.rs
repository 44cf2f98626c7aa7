//! `audit list`: the audit of every tenant, for the operator.

use serde_json::{Value, json};

use crate::process::Instance;

#[test]
fn an_operator_reads_who_did_what_in_every_tenant() {
    let instance = Instance::new();
    let _server = instance.serve();
    instance.run(&["tenant", "create", "Other"]).success();
    let made = instance.json(&["key", "create", "--json", "--tenant", "other"]);
    instance.run(&["key", "revoke", made["keyId"].as_str().unwrap()]).success();
    instance.run(&["tenant", "suspend", "other"]).success();
    instance.run(&["tenant", "resume", "other"]).success();
    instance.run(&["tenant", "agent", "other", "--token-budget", "5"]).success();
    let of_other = instance.json(&["audit", "list", "--tenant", "other", "--json"]);
    let told: Vec<&str> =
        of_other.as_array().unwrap().iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    assert_eq!(
        told,
        [
            "agent-updated",
            "tenant-resumed",
            "tenant-suspended",
            "key-revoked",
            "key-created",
            "tenant-created",
        ]
    );
    assert_eq!(of_other[4]["subject"], made["keyId"]);
    let is_operator = |entry: &Value| entry["actor"].as_str().unwrap().starts_with("operator");
    assert!(of_other.as_array().unwrap().iter().all(is_operator), "{of_other}");
    // The first start made the tenant and key that are there.
    let all = instance.json(&["audit", "list", "--json"]);
    let all = all.as_array().unwrap();
    assert_eq!((all.len(), &all[7]["actor"]), (8, &json!("server")), "{all:?}");
    assert_eq!(instance.json(&["audit", "list", "--since", "1h", "--json"]).as_array().unwrap().len(), 8);
    let table = instance.run(&["audit", "list"]).success();
    assert!(table.starts_with("ID ") && table.lines().count() == 9, "{table}");
    let failure = instance.run(&["audit", "list", "--tenant", "nobody"]).failure();
    assert!(failure.starts_with("No such tenant"), "{failure}");
}

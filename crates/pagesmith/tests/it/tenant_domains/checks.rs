//! What checks of the DNS find, and what becomes of a domain by them.

use pagesmith_store::tables::tenant_domains;

use super::*;

#[tokio::test]
async fn each_record_is_missed_by_name_until_it_is_there() {
    let app = TestApp::start().await;
    let client = app.client();
    let added = add(&client, "go.acme.example").await;
    let pending = verify(&client, &added).await;
    assert_eq!(
        (&pending["verificationStatus"], &pending["verified"]),
        (&json!("pending_verification"), &json!(false))
    );
    assert_eq!(problems(&client, &added).await, ["txt_missing", "address_missing"]);
    app.names.txt("_pagesmith-challenge.go.acme.example", "something else");
    verify(&client, &added).await;
    assert_eq!(problems(&client, &added).await, ["txt_other", "address_missing"]);
    prove(&app, &added);
    app.names.cname("go.acme.example", "acme.elsewhere.example");
    let proved = verify(&client, &added).await;
    assert_eq!((&proved["verificationStatus"], &proved["verified"]), (&json!("verifying"), &json!(true)));
    assert_eq!(problems(&client, &added).await, ["cname_elsewhere"]);
    app.names.clear("go.acme.example");
    app.names.cname("go.acme.example", "ACME.localhost");
    let right = verify(&client, &added).await;
    assert_eq!((&right["verificationStatus"], &right["verified"]), (&json!("active"), &json!(true)));
    let dns = client.get(&format!("{}/dns", at(&added))).await.expect(200).json();
    assert_eq!(
        (&dns["problems"], &dns["seen"]["cname"], &dns["lastLookAt"], &dns["nextLookAt"], &dns["looksEndAt"]),
        (
            &json!([]),
            &json!(["acme.localhost"]),
            &json!("2026-03-01T12:00:00.000Z"),
            &json!("2026-03-02T12:00:00.000Z"),
            &Value::Null
        )
    );
}

#[tokio::test]
async fn a_domain_without_a_cname_leads_here_by_all_of_its_addresses() {
    let app = TestApp::with(|plan| {
        plan.settings.site_addresses = vec!["198.51.100.7".parse().unwrap(), "2001:db8::7".parse().unwrap()];
    })
    .await;
    let client = app.client();
    let added = add(&client, "acme.example").await;
    let wanted: Vec<(&str, &str)> = added["records"].as_array().unwrap()[1..]
        .iter()
        .map(|record| (record["type"].as_str().unwrap(), record["value"].as_str().unwrap()))
        .collect();
    assert_eq!(wanted, [("CNAME", "acme.localhost"), ("A", "198.51.100.7"), ("AAAA", "2001:db8::7")]);
    prove(&app, &added);
    // What name servers say inside is nobody's business.
    app.names.address("acme.example", "10.0.0.7");
    app.names.address("acme.example", "93.184.216.34");
    app.names.address("acme.example", "fd00::7");
    verify(&client, &added).await;
    assert_eq!(problems(&client, &added).await, ["address_elsewhere"]);
    let dns = client.get(&format!("{}/dns", at(&added))).await.expect(200).json();
    assert_eq!(dns["seen"]["addresses"], json!(["0.0.0.0", "93.184.216.34", "::"]));
    app.names.clear("acme.example");
    app.names.address("acme.example", "198.51.100.7");
    app.names.address("acme.example", "2001:db8::9");
    assert_eq!(verify(&client, &added).await["verificationStatus"], "verifying");
    assert_eq!(problems(&client, &added).await, ["address_conflict"]);
    app.names.clear("acme.example");
    app.names.address("acme.example", "198.51.100.7");
    assert_eq!(verify(&client, &added).await["verificationStatus"], "active");
}

#[tokio::test]
async fn without_given_addresses_those_of_the_fallback_domain_count() {
    let app = TestApp::with(|plan| plan.settings.site_domain = "pages.example".to_owned()).await;
    let client = app.client();
    let added = add(&client, "acme.example").await;
    prove(&app, &added);
    // As some providers do with a CNAME at the top of a zone, in their name servers.
    app.names.address("acme.example", "198.51.100.7");
    app.names.address("acme.pages.example", "198.51.100.7");
    assert_eq!(verify(&client, &added).await["verificationStatus"], "active");
}

#[tokio::test]
async fn a_domain_is_looked_at_by_itself_and_given_up_after_a_week() {
    let app = TestApp::start().await;
    let client = app.client();
    let (quick, never) = (add(&client, "quick.acme.example").await, add(&client, "never.acme.example").await);
    let looked = async |domain: &Value| {
        client.get(&format!("{}/dns", at(domain))).await.expect(200).json()["lastLookAt"].clone()
    };
    app.run_due_work().await;
    assert_eq!(looked(&quick).await, Value::Null);
    point_here(&app, &quick);
    app.advance(Duration::from_secs(60));
    app.run_due_work().await;
    let found = client.get(&at(&quick)).await.expect(200).json();
    assert_eq!(
        (&found["verificationStatus"], &found["updatedAt"]),
        (&json!("active"), &json!("2026-03-01T12:01:00.000Z"))
    );
    assert_eq!(looked(&never).await, "2026-03-01T12:01:00.000Z");
    app.advance(Duration::from_hours(7 * 24));
    app.run_due_work().await;
    assert_eq!(client.get(&at(&never)).await.expect(200).json()["verificationStatus"], "failed");
    // Nobody checks any more until somebody asks for it.
    point_here(&app, &never);
    app.advance(Duration::from_hours(24));
    app.run_due_work().await;
    assert_eq!(looked(&never).await, "2026-03-08T12:01:00.000Z");
    assert_eq!(verify(&client, &never).await["verificationStatus"], "active");
}

#[tokio::test]
async fn a_domain_that_is_lost_is_given_up_after_three_days() {
    let app = TestApp::start().await;
    let client = app.client();
    let domain = active(&app, &client, "go.acme.example").await;
    client.patch(&at(&domain), &json!({ "isDefault": true })).await.expect(200);
    app.names.clear("_pagesmith-challenge.go.acme.example");
    app.advance(Duration::from_hours(24));
    app.run_due_work().await;
    let lost = client.get(&at(&domain)).await.expect(200).json();
    assert_eq!(
        (&lost["verificationStatus"], &lost["verified"], &lost["isDefault"]),
        (&json!("active"), &json!(false), &json!(true))
    );
    let dns = client.get(&format!("{}/dns", at(&domain))).await.expect(200).json();
    assert_eq!(dns["looksEndAt"], "2026-03-05T12:00:00.000Z");
    app.advance(Duration::from_hours(72));
    app.run_due_work().await;
    let failed = client.get(&at(&domain)).await.expect(200).json();
    assert_eq!(
        (&failed["verificationStatus"], &failed["verified"], &failed["isDefault"]),
        (&json!("failed"), &json!(false), &json!(false))
    );
}

#[tokio::test]
async fn name_servers_that_fail_change_nothing() {
    let app = TestApp::start().await;
    let client = app.client();
    let domain = active(&app, &client, "go.acme.example").await;
    app.names.fail("_pagesmith-challenge.go.acme.example");
    let after = verify(&client, &domain).await;
    assert_eq!(after, domain);
    assert_eq!(problems(&client, &domain).await, ["txt_unanswered"]);
}

#[tokio::test]
async fn two_servers_do_not_look_at_the_same_time() {
    let app = TestApp::start().await;
    add(&app.client(), "go.acme.example").await;
    app.advance(Duration::from_secs(60));
    let now = app.state.now();
    let due = app.store.read(move |tx| tenant_domains::due(tx, now, 10)).await.unwrap();
    let later = now.plus(Duration::from_secs(120));
    for touched in [1, 0] {
        let due = due[0].clone();
        let taken = app.store.write(move |tx| tx.run(tenant_domains::put_off(&due, later))).await.unwrap();
        assert_eq!(taken, touched);
    }
}

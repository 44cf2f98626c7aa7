//! Which names want a certificate: those of the service, the site of each tenant, and domains that lead here; and no others.

use std::collections::BTreeSet;

use pagesmith_http::state::ConsoleAddress;

use super::*;

/// The names that certificates are ordered for.
async fn listed(app: &TestApp) -> BTreeSet<String> {
    app.store.read(table::names).await.unwrap().into_iter().collect()
}

async fn verify(app: &TestApp, domain: &Value) -> Value {
    let path = format!("/v0/tenant_domains/{}/verify", domain["tenantDomainId"].as_str().unwrap());
    app.client().post(&path, &json!({})).await.expect(200).json()
}

#[tokio::test]
async fn the_service_its_tenants_sites_and_domains_that_lead_here_want_certificates() {
    let app = TestApp::with(|plan| {
        plan.settings.base_url = "https://api.service.test".to_owned();
        plan.settings.console =
            Some(ConsoleAddress { url: "https://console.service.test".to_owned(), has_listener: false });
        plan.settings.other_hosts = vec!["www.service.test".to_owned()];
        plan.settings.site_domain = "pages.test".to_owned();
        plan.settings.site_addresses = vec![Ipv4Addr::LOCALHOST.into()];
    });
    let app = app.await;
    app.add_tenant("globex").await;
    let client = app.client();
    let mut domains = Vec::new();
    for name in ["pending.test", "verifying.test", "failed.test", "active.test"] {
        domains.push(tenant_domains::add(&client, name).await);
    }
    let [pending, verifying, failed, active] = &domains[..] else { panic!("{domains:?}") };
    // One that led here and does so no more.
    for domain in [failed, active, verifying] {
        let record = &domain["records"][0];
        app.names.txt(record["name"].as_str().unwrap(), record["value"].as_str().unwrap());
    }
    app.names.address("failed.test", "127.0.0.1");
    assert_eq!(verify(&app, failed).await["verificationStatus"], "active");
    app.names.clear("failed.test");
    app.names.clear(failed["records"][0]["name"].as_str().unwrap());
    let tools =
        ordering_for(&app, ("https://127.0.0.1:9/dir", &pebble::gateway(None)), &["www.service.test"]);
    app.advance(Duration::from_hours(24));
    app.run_due_work().await;
    app.advance(Duration::from_hours(72));
    app.run_due_work().await;
    app.names.address("active.test", "127.0.0.1");
    for (domain, expected) in
        [(pending, "pending_verification"), (verifying, "verifying"), (active, "active")]
    {
        assert_eq!(verify(&app, domain).await["verificationStatus"], expected);
    }
    assert_eq!(status(&app, failed).await, "failed");
    step(&tools).await;
    let service = ["api.service.test", "console.service.test", "www.service.test"];
    let wanted = [&service[..], &["acme.pages.test", "globex.pages.test", "active.test"]].concat();
    assert_eq!(listed(&app).await, wanted.into_iter().map(str::to_owned).collect());
    // A domain that leads here no more loses its place, and one that does gets it.
    let path = format!("/v0/tenant_domains/{}", active["tenantDomainId"].as_str().unwrap());
    client.delete(&path).await.expect(200);
    app.names.address("verifying.test", "127.0.0.1");
    verify(&app, verifying).await;
    step(&tools).await;
    let own = [&service[..], &["acme.pages.test", "globex.pages.test", "verifying.test"]].concat();
    assert_eq!(listed(&app).await, own.into_iter().map(str::to_owned).collect());
}

#[tokio::test]
async fn names_that_lead_nowhere_in_public_and_names_of_files_want_none() {
    let app = TestApp::with(|plan| {
        plan.settings.base_url = "https://127.0.0.1:8443".to_owned();
        plan.settings.console =
            Some(ConsoleAddress { url: "https://console.internal".to_owned(), has_listener: false });
    });
    let app = app.await;
    // The last one has a certificate in the folder.
    let own = ["printer.local", "www.service.test", "pagesmith.test"];
    let tools = ordering_for(&app, ("https://127.0.0.1:9/dir", &pebble::gateway(None)), &own);
    step(&tools).await;
    // Nor does acme.localhost, the site of the tenant.
    assert_eq!(listed(&app).await.into_iter().collect::<Vec<_>>(), ["www.service.test"]);
}

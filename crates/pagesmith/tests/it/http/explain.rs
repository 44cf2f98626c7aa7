//! The pages under `/errors/`: every `type` of an error leads to one.

use pagesmith_http::error::CODES;
use pagesmith_model::IssueCode;
use pagesmith_testkit::TestApp;
use pagesmith_testkit::contract::CONTRACT;

#[tokio::test]
async fn every_code_of_the_contract_is_explained() {
    let app = TestApp::start().await;
    let codes = CONTRACT["components"]["schemas"]["Error"]["properties"]["code"]["enum"].as_array().unwrap();
    assert_eq!(codes.len(), CODES.len());
    for code in codes.iter().map(|code| code.as_str().unwrap()) {
        let (_, status, slug, meaning) =
            CODES.iter().find(|(_, _, slug, _)| *slug == code.to_lowercase()).unwrap();
        let answer = app.anonymous().get(&format!("/errors/{slug}")).await.expect(200);
        assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
        for told in [code, &status.to_string(), *meaning] {
            assert!(answer.text().contains(told), "{slug}: {told}");
        }
    }
}

#[tokio::test]
async fn the_address_in_an_error_leads_to_its_page() {
    let app = TestApp::start().await;
    for answer in [
        app.anonymous().get("/v0/pages").await,
        app.client().get("/v0/pages/x").await,
        app.client().get("/v0/pages?limit=0").await,
    ] {
        let address = answer.json()["type"].as_str().unwrap().to_owned();
        let path = address.strip_prefix("http://pagesmith.test").unwrap();
        let page = app.anonymous().get(path).await.expect(200).text();
        assert!(page.contains(answer.json()["code"].as_str().unwrap()));
    }
}

#[tokio::test]
async fn every_issue_code_is_explained_once() {
    let app = TestApp::start().await;
    let page = app.anonymous().get("/errors/validation_error").await.expect(200).text();
    for code in IssueCode::ALL {
        assert_eq!(page.matches(&format!("<code>{}</code>", code.as_str())).count(), 1, "{}", code.as_str());
        assert!(page.contains(code.meaning()));
    }
    assert!(!app.anonymous().get("/errors/conflict").await.expect(200).text().contains("Issue codes"));
}

#[tokio::test]
async fn an_unknown_code_is_not_found() {
    let app = TestApp::start().await;
    for code in ["nothing", "NOT_FOUND", "not_found/", "%00", "%FF", "<script>alert(1)</script>"] {
        let path = format!("/errors/{}", code.replace('<', "%3C").replace('>', "%3E"));
        let answer = app.anonymous().get(&path).await.expect(404);
        assert!(!answer.text().contains("<script>"));
    }
}

//! What the prose promises and a program can compare.

use pagesmith_model::IssueCode;

#[test]
fn every_issue_code_stands_in_the_api_page_with_its_meaning() {
    let page = include_str!("../../../../docs/api.md");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let expected: Vec<String> =
        IssueCode::ALL.iter().map(|code| format!("| `{}` | {} |", code.as_str(), code.meaning())).collect();
    assert_eq!(rows, expected);
}

#[tokio::test]
async fn the_error_page_explains_every_issue_code() {
    let app = pagesmith_testkit::TestApp::start().await;
    let page = app.anonymous().get("/errors/validation_error").await.expect(200).text();
    for code in IssueCode::ALL {
        assert!(page.contains(&format!("<code>{}</code>", code.as_str())), "{}", code.as_str());
    }
}

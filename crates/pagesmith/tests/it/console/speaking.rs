//! Refusals of the console are in the language of whoever reads them.

use pagesmith_testkit::TestApp;

use super::browser::Browser;

#[tokio::test]
async fn a_refusal_of_the_console_is_in_the_readers_language() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    for (language, said) in
        [("en", "This was not sent by the console."), ("de", "Das wurde nicht von der Konsole gesendet.")]
    {
        let headers = [("sec-fetch-site", "cross-site"), ("accept-language", language)];
        let path = "/console/t/acme/persons/new";
        let refused = browser.send_with(path, &[("name", "Ada")], &headers).await.expect(403).text();
        assert!(refused.contains(said), "{refused}");
    }
    let large = "a".repeat(1024 * 1024);
    let headers = [("sec-fetch-site", "same-origin"), ("accept-language", "de")];
    let path = "/console/t/acme/persons/new";
    let refused = browser.send_with(path, &[("name", &large)], &headers).await.expect(413).text();
    assert!(refused.contains("Es wurde mehr eingegeben, als ein Formular fassen darf."), "{refused}");
}

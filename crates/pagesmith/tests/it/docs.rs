//! What the prose promises and a program can compare, and the page that shows it.

use std::collections::BTreeSet;

use flate2::Compression;
use flate2::write::GzEncoder;
use pagesmith_model::IssueCode;
use pagesmith_testkit::TestApp;

const GUIDES: [(&str, &str); 3] = [
    ("getting-started", include_str!("../../../../docs/getting-started.md")),
    ("api", include_str!("../../../../docs/api.md")),
    ("webhooks", include_str!("../../../../docs/webhooks.md")),
];

/// The most that the page may take on its way, in bytes, with gzip: all of it but the description and the guides.
const MOST: usize = 26_000;
/// The same of the guides, which grow with what there is to tell.
const MOST_OF_GUIDES: usize = 26_000;

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
    let app = TestApp::start().await;
    let page = app.anonymous().get("/errors/validation_error").await.expect(200).text();
    for code in IssueCode::ALL {
        assert!(page.contains(&format!("<code>{}</code>", code.as_str())), "{}", code.as_str());
    }
}

/// The values of an attribute.
fn values<'a>(page: &'a str, attribute: &str) -> BTreeSet<&'a str> {
    let start = format!(" {attribute}=\"");
    page.split(start.as_str()).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[tokio::test]
async fn the_page_has_every_guide_and_its_links_lead_somewhere() {
    let app = TestApp::start().await;
    let page = app.anonymous().get("/docs").await.expect(200).text();
    let ids = values(&page, "id");
    for (name, text) in GUIDES {
        assert!(ids.contains(format!("guide/{name}").as_str()), "{name}");
        let sections = text.lines().filter(|line| line.starts_with("## ")).count();
        let shown = ids.iter().filter(|id| id.starts_with(&format!("guide/{name}/"))).count();
        assert_eq!(shown, sections, "{name}");
    }
    for link in values(&page, "href") {
        match link.strip_prefix('#') {
            Some("") => {}
            Some(id) => assert!(ids.contains(id), "{link}"),
            None if link.starts_with('/') => {
                app.anonymous().get(link).await.expect(200);
            }
            None => assert!(link.starts_with("http"), "{link}"),
        }
    }
}

#[tokio::test]
async fn the_page_is_small_and_needs_nothing_from_elsewhere() {
    let app = TestApp::start().await;
    let page = app.anonymous().get("/docs").await.expect(200);
    let policy = page.header("content-security-policy").unwrap().to_owned();
    assert_eq!(policy, "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    let html = page.text();
    let (start, guides) = html.split_once("<div id=\"guides\">").unwrap();
    let mut texts = vec![start.to_owned()];
    assert!(!texts[0].contains("<style") && !texts[0].contains(" style="), "a style that the policy refuses");
    let [links, sources] = ["href", "src"].map(|attribute| values(&texts[0], attribute));
    let files = links.union(&sources).filter(|path| path.starts_with("/docs/"));
    let mut waiting: Vec<String> = files.map(|path| (*path).to_owned()).collect();
    let mut known = BTreeSet::new();
    while let Some(path) = waiting.pop() {
        if known.insert(path.clone()) {
            let text = app.anonymous().get(&path).await.expect(200).text();
            let imports =
                text.split(" from '").skip(1).map(|rest| rest.split('\'').next().unwrap().to_owned());
            waiting.extend(imports);
            texts.push(text);
        }
    }
    let size: usize = texts.iter().map(|text| gzipped(text)).sum();
    assert!(gzipped(guides) <= MOST_OF_GUIDES, "guides of {} bytes", gzipped(guides));
    assert!(known.len() > 10 && size <= MOST, "{} files of {size} bytes: {known:?}", known.len());
}

fn gzipped(text: &str) -> usize {
    use std::io::Write as _;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap().len()
}

#[tokio::test]
async fn the_page_and_its_files_travel_compressed_and_only_once() {
    let app = TestApp::start().await;
    for path in ["/docs", "/docs/docs.css", "/docs/docs.js", "/docs/icon.svg"] {
        let whole = app.anonymous().get(path).await.expect(200);
        let tag = whole.header("etag").unwrap().to_owned();
        let known = app.anonymous().with("if-none-match", &tag).get(path).await.expect(304);
        assert_eq!(known.text(), "");
        let coded = app.anonymous().with("accept-encoding", "br").get(path).await.expect(200);
        assert_eq!(coded.header("content-encoding"), Some("br"));
        assert_eq!(coded.header("content-type"), whole.header("content-type"));
        assert_ne!(coded.header("etag"), Some(tag.as_str()));
    }
    app.anonymous().get("/docs/none.js").await.expect(404);
}

//! What a page says: its title, icon and description, its main text with headings, and a summary.
//!
//! Documents are other people's. They are looked at on threads of their own, few at a time, each with room for deep documents; input and
//! elements are bounded, and nobody waits long for one that takes its time.

use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

use pagesmith_documents::html::{self, STACK};
use pagesmith_documents::{KEPT, Refusal};
use pagesmith_knowledge_index::text::summary;
use pagesmith_model::topic::entry::ExtractedFields;
use pagesmith_operations::topics::readings::Facts;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::timeout;
use url::Url;

use super::body;
use super::fetch::PageBody;
use crate::tools::reading::problem::Problem;

/// How many documents are looked at at the same time; one that takes too long keeps its place until it ends.
static PERMITS: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::const_new(2));
/// How long a document is waited for.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// What a page says, in time.
pub(super) async fn understood(body: PageBody, url: Url) -> Result<Facts, Problem> {
    on_thread(move || facts(&body, &url)).await
}

/// Does the work on a document on a thread of its own, in time.
pub(super) async fn on_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let failed = || Problem::permanent("The page could not be understood.");
    let Ok(permit) = PERMITS.acquire().await else { return Err(failed()) };
    let (done, result) = oneshot::channel();
    let on_place = move || {
        let _permit = permit;
        // Nobody is there any more if it took too long.
        drop(done.send(work()));
    };
    let spawned = thread::Builder::new().name("page".to_owned()).stack_size(STACK).spawn(on_place);
    if spawned.is_err() {
        return Err(failed());
    }
    match timeout(TIME_LIMIT, result).await {
        Ok(Ok(done)) => done,
        // The thread has panicked.
        Ok(Err(_)) => Err(failed()),
        Err(_) => Err(Problem::permanent("It took too long to understand the page.")),
    }
}

fn facts(body: &PageBody, url: &Url) -> Result<Facts, Problem> {
    let kind = body.content_type.as_deref().unwrap_or("text/html");
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let text = body::text(body)?;
    let mut facts = match kind.as_str() {
        "text/html" | "application/xhtml+xml" | "" => of_html(&text, url)?,
        "text/plain" | "text/markdown" => Facts { text, ..Facts::default() },
        _ => return Err(Problem::permanent("What the address leads to is no page of text.")),
    };
    facts.text = facts.text.replace('\0', "").chars().take(KEPT).collect();
    if facts.text.trim().is_empty() {
        return Err(refused(Refusal::Empty));
    }
    facts.found.ai_summary = summary(&facts.text);
    Ok(facts)
}

fn of_html(text: &str, url: &Url) -> Result<Facts, Problem> {
    let page = html::read(text, Some(url)).map_err(refused)?;
    let found = ExtractedFields {
        name: page.title,
        icon: page.icon,
        meta_description: page.description,
        ..ExtractedFields::default()
    };
    Ok(Facts { found, text: page.text, ..Facts::default() })
}

fn refused(refusal: Refusal) -> Problem {
    Problem::permanent(refusal.reason("page"))
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use proptest::prelude::*;

    use super::*;

    /// How many elements a document may have.
    const MOST_ELEMENTS: usize = 50_000;

    fn of(html: &str) -> Result<Facts, Problem> {
        let body = PageBody {
            bytes: Bytes::from(html.to_owned()),
            encoding: None,
            content_type: Some("text/html; charset=utf-8".to_owned()),
        };
        facts(&body, &Url::parse("https://acme.example/about/us").unwrap())
    }

    #[test]
    fn a_page_is_its_main_text_with_headings_and_what_it_says_about_itself() {
        let words =
            "Acme heats houses with heat pumps from Sweden, and has done so since 1998 in every season. "
                .repeat(8);
        let html = format!(
            "<!doctype html><html><head><title>About us – Acme</title><link rel=icon href=/icon.svg>
             <meta name=description content='Who we are'></head><body>
             <nav><a href=/>Home</a> <a href=/prices>Prices</a></nav>
             <article><h1>About us</h1><p>{words}</p><h2>Warranty</h2><p>{words}</p>
             <ul><li>Ten <a href=/years>years</a></li><li>Any <b>cause</b></li></ul></article>
             <footer>© Acme</footer><script>alert('secret')</script></body></html>"
        );
        let page = of(&html).unwrap();
        assert_eq!(page.found.icon.as_deref(), Some("https://acme.example/icon.svg"));
        assert_eq!(page.found.meta_description.as_deref(), Some("Who we are"));
        assert!(page.found.name.as_deref().unwrap().starts_with("About us"), "{:?}", page.found.name);
        assert!(page.found.ai_summary.as_deref().unwrap().contains("heat pumps"));
        for part in ["## Warranty\n", "Acme heats houses", "- Ten years"] {
            assert!(page.text.contains(part), "{part}: {}", page.text);
        }
        for part in ["secret", "](", "Prices"] {
            assert!(!page.text.contains(part), "{part}: {}", page.text);
        }
    }

    #[test]
    fn hostile_documents_cost_themselves_only() {
        let words = "Some words of a text that goes on. ".repeat(40);
        for (html, reason) in [
            (String::new(), Some("The page has no text.")),
            ("<p></p>".to_owned(), Some("The page has no text.")),
            ("<b>".repeat(MOST_ELEMENTS * 2 + 1), Some("The page has too many elements.")),
            (format!("{}<p>{words}</p>", "<div>".repeat(20_000)), Some("The page is nested too deeply.")),
            (format!("{}<p>{words}</p>", "<div><br><p>".repeat(250)), None),
            (format!("<p>{words}</p><link rel=icon href='javascript:alert(1)'>"), None),
            (format!("<p>a\0b {words}</p><title>T\0</title>"), None),
        ] {
            let begin: String = html.chars().take(40).collect();
            let work = move || of(&html);
            let result = thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap();
            match (result, reason) {
                (Err(problem), Some(reason)) => assert_eq!(problem.reason, reason, "{begin}"),
                (Ok(page), None) => {
                    assert!(page.text.contains("Some words") && !page.text.contains('\0'), "{begin}");
                    assert_eq!(page.found.icon, None);
                }
                (result, _) => panic!("{begin}: {:?}", result.map_err(|problem| problem.reason)),
            }
        }
    }

    proptest! {
        #[test]
        fn any_markup_has_facts_or_a_problem(html in "(<[a-z]{1,6}( [a-z]{1,4}=['\"]?[a-z:/]{0,9})?/?>|</[a-z]{1,6}>|[a-z&;\\PC]{0,9}){0,40}") {
            if let Ok(page) = of(&html) {
                prop_assert!(!page.text.trim().is_empty());
            }
        }
    }
}

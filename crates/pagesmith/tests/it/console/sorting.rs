//! A list that is on a screen as a whole is sorted by its columns; one that the API pages is not.

use pagesmith_testkit::TestApp;
use pagesmith_testkit::fixtures::page;
use scraper::{Html, Selector};
use serde_json::json;

use super::browser::Browser;
use super::making::make;

/// The names of the rows of a screen's table, in their order.
fn names(screen: &str) -> Vec<String> {
    let (html, names) = (Html::parse_document(screen), Selector::parse("tbody th[scope=row]").unwrap());
    html.select(&names).map(|name| name.text().collect::<String>().trim().to_owned()).collect()
}

fn count(screen: &str, selector: &str) -> usize {
    Html::parse_document(screen).select(&Selector::parse(selector).unwrap()).count()
}

#[tokio::test]
async fn a_whole_list_is_sorted_by_names_and_by_numbers() {
    let app = TestApp::start().await;
    let (mut browser, client) = (Browser::owner(&app).await, app.client());
    for (name, audiences) in [("beta", 2), ("Ärzte", 0), ("Gamma", 1)] {
        let made = client.post("/v0/pages", &page(name)).await.expect(201).json();
        let path = format!("/v0/pages/{}/audiences", made["pageId"].as_str().unwrap());
        for _ in 0..audiences {
            client.post(&path, &json!({})).await.expect(201);
        }
    }
    let pages = "/console/t/acme/pages";
    let mut seen = async |query: &str| browser.open(&format!("{pages}{query}")).await.expect(200).text();
    let own = seen("").await;
    assert_eq!(names(&own), ["Gamma", "Ärzte", "beta"]);
    assert_eq!((count(&own, "th[aria-sort]"), count(&own, "th a.sort")), (0, 3), "{own}");
    let up = seen("?sort=name").await;
    assert_eq!(names(&up), ["Ärzte", "beta", "Gamma"]);
    assert_eq!(count(&up, "th[aria-sort=ascending] a[href='/console/t/acme/pages?sort=-name']"), 1, "{up}");
    assert_eq!(names(&seen("?sort=-name").await), ["Gamma", "beta", "Ärzte"]);
    let many = seen("?sort=-audiencesCount").await;
    assert_eq!(names(&many), ["beta", "Gamma", "Ärzte"]);
    assert_eq!(count(&many, "th.number[aria-sort=descending]"), 1, "{many}");
    assert_eq!(count(&many, "form[role=search] input[name=sort][value='-audiencesCount']"), 1, "{many}");
    // What a search finds is a whole list as well; what nobody knows sorts nothing.
    assert_eq!(names(&seen("?q=a&sort=name").await), ["Ärzte", "beta", "Gamma"]);
    assert_eq!(names(&seen("?sort=pageContext").await), names(&own));
    assert_eq!(names(&seen("?sort=-").await), names(&own));
}

#[tokio::test]
async fn a_part_of_a_list_is_not_sorted() {
    let app = TestApp::start().await;
    let (mut browser, client) = (Browser::owner(&app).await, app.client());
    for number in 0..21 {
        client.post("/v0/pages", &page(&format!("Page {number:02}"))).await.expect(201);
    }
    let first = browser.open("/console/t/acme/pages?sort=name").await.expect(200).text();
    assert_eq!(names(&first)[0], "Page 20");
    assert_eq!((count(&first, "th[aria-sort]"), count(&first, "a.sort")), (0, 0), "{first}");
    let next = first.split("href=\"/console/t/acme/pages?cursor=").nth(1).unwrap().split('"').next().unwrap();
    let last = format!("/console/t/acme/pages?cursor={}&sort=name", next.replace("&amp;", "&"));
    let last = browser.open(&last).await.expect(200).text();
    assert_eq!((names(&last).len(), count(&last, "a.sort")), (1, 0), "{last}");
}

#[tokio::test]
async fn the_audiences_of_a_page_stay_sorted_when_they_are_drawn_again() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let (page, _) = make(&mut browser).await;
    let more = [("audiences", "Schools\nAccountants")];
    browser.send(&format!("{page}/audiences/new/notes"), &more).await.expect(303);
    let sorted = browser.open(&format!("{page}?sort=-name&done=saved")).await.expect(200).text();
    assert_eq!(names(&sorted), ["Schools", "Office managers of law firms", "Accountants"]);
    let content = format!("live-part[id=audiences-live][data-content='{page}?sort=-name']");
    assert_eq!(count(&sorted, &content), 1, "{sorted}");
}

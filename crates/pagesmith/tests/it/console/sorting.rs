//! Lists are sorted by their columns: as a whole where the API gives them at once, else the rows that are shown, which the screen says.

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

/// The address of the link with this relation or class; none if there is no such link.
fn link(screen: &str, selector: &str) -> Option<String> {
    let html = Html::parse_document(screen);
    html.select(&Selector::parse(selector).unwrap()).next()?.attr("href").map(str::to_owned)
}

const SAID: &str = "Only the rows shown are sorted.";

#[tokio::test]
async fn a_list_is_sorted_as_a_whole_while_the_api_gives_it_at_once_and_says_so_beyond() {
    let app = TestApp::start().await;
    let (mut browser, client) = (Browser::owner(&app).await, app.client());
    let path = "/console/t/acme/pages";
    for number in 0..100 {
        client.post("/v0/pages", &page(&format!("Page {number:03}"))).await.expect(201);
    }
    // Longer than a screen: the order is offered, and all of it is read for it.
    let own = browser.open(path).await.expect(200).text();
    assert_eq!((names(&own).len(), names(&own)[0].as_str(), count(&own, "a.sort")), (20, "Page 099", 3));
    assert!(!own.contains(SAID), "{own}");
    assert_eq!(count(&own, "a.sort[title^='Sorts these rows']"), 3, "{own}");
    let by_name = link(&own, "th:first-of-type a.sort").unwrap();
    let whole = browser.open(&by_name).await.expect(200).text();
    let sorted: Vec<String> = (0..100).map(|number| format!("Page {number:03}")).collect();
    assert_eq!(names(&whole), sorted);
    assert!(!whole.contains(SAID) && count(&whole, "a[rel=next]") == 0, "{whole}");
    assert_eq!(count(&whole, "a.sort[title='Sort by this column']"), 3, "{whole}");

    client.post("/v0/pages", &page("Page 100")).await.expect(201);
    let part = browser.open(&by_name).await.expect(200).text();
    assert_eq!((names(&part).len(), names(&part)[0].as_str()), (100, "Page 001"));
    assert!(part.contains(SAID) && part.contains("1–100 of 101"), "{part}");
    // Going on keeps the order, and the order keeps the place.
    let rest = browser.open(&link(&part, "a[rel=next]").unwrap()).await.expect(200).text();
    assert_eq!(names(&rest), ["Page 000"]);
    assert_eq!(
        (count(&rest, "th[aria-sort]"), count(&rest, "a.sort")),
        (0, 0),
        "one row has no order: {rest}"
    );
    let second = browser.open(&link(&own, "a[rel=next]").unwrap()).await.expect(200).text();
    assert_eq!(names(&second)[0], "Page 079");
    let second = browser.open(&link(&second, "th:first-of-type a.sort").unwrap()).await.expect(200).text();
    assert_eq!((names(&second).len(), names(&second)[79].as_str()), (80, "Page 079"));
    assert!(second.contains(SAID) && second.contains("21–100 of 101"), "{second}");
}

#[tokio::test]
async fn a_list_that_cannot_be_searched_takes_no_search_from_its_address() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    for path in ["/settings/keys", "/webhooks", "/domains", "/forms/all"] {
        browser.open(&format!("/console/t/acme{path}?q=x&sort=name")).await.expect(200);
    }
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

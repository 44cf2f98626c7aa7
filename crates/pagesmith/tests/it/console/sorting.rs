//! Lists are sorted by their columns: as a whole where the API has that order or gives them at once, else the rows that are shown, which the
//! screen says.

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
    assert_eq!((count(&own, "th[aria-sort]"), count(&own, "th a.sort")), (0, 4), "{own}");
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

/// The rows of a list from its beginning to its end, by the ways on that its screens offer; nothing says that only a part is sorted.
async fn all_rows(browser: &mut Browser, path: &str) -> Vec<String> {
    let (mut rows, mut at) = (Vec::new(), Some(path.to_owned()));
    while let Some(path) = at {
        let screen = browser.open(&path).await.expect(200).text();
        assert!(!screen.contains(SAID), "{path}: {screen}");
        rows.extend(names(&screen));
        at = link(&screen, "a[rel=next]");
    }
    rows
}

#[tokio::test]
async fn a_list_longer_than_a_screen_is_sorted_as_a_whole() {
    let app = TestApp::start().await;
    let (mut browser, client) = (Browser::owner(&app).await, app.client());
    let path = "/console/t/acme/pages";
    // Made in another order than that of their names.
    for number in 0..45 {
        let name = format!("Page {:03}", number * 7 % 45);
        client.post("/v0/pages", &page(&name)).await.expect(201);
    }
    let own = browser.open(path).await.expect(200).text();
    assert_eq!((names(&own).len(), count(&own, "a.sort[title='Sort by this column']")), (20, 2), "{own}");
    let by_name = link(&own, "th:first-of-type a.sort").unwrap();
    let mut sorted: Vec<String> = (0..45).map(|number| format!("Page {number:03}")).collect();
    assert_eq!(all_rows(&mut browser, &by_name).await, sorted);
    sorted.reverse();
    assert_eq!(all_rows(&mut browser, &format!("{path}?sort=-name")).await, sorted);
    let made: Vec<String> = (0..45).map(|number| format!("Page {:03}", number * 7 % 45)).collect();
    assert_eq!(all_rows(&mut browser, &format!("{path}?sort=createdAt")).await, made);
    // Another order begins the list anew, and so does the same one the other way round.
    let second = browser.open(&link(&own, "a[rel=next]").unwrap()).await.expect(200).text();
    assert_eq!(link(&second, "th:first-of-type a.sort").unwrap(), by_name);
    let first = browser.open(&by_name).await.expect(200).text();
    let second = browser.open(&link(&first, "a[rel=next]").unwrap()).await.expect(200).text();
    assert!(second.contains("21–40 of 45"), "{second}");
    assert_eq!(link(&second, "th:first-of-type a.sort").unwrap(), format!("{path}?sort=-name"));
    assert_eq!(count(&second, "th[aria-sort=ascending]"), 1);
    // The part that is drawn again when something changes is the one that is shown.
    let events = browser.open(&by_name).await.expect(200).text();
    let followed = link(&events, "live-part").is_none() && events.contains("events?sort=name");
    assert!(followed, "{events}");
}

#[tokio::test]
async fn persons_accounts_and_audiences_are_sorted_as_a_whole() {
    let app = TestApp::start().await;
    let (mut browser, client) = (Browser::owner(&app).await, app.client());
    let made = client.post("/v0/pages", &page("A page")).await.expect(201).json();
    let page = made["pageId"].as_str().unwrap();
    for number in 0..25 {
        let at = number * 7 % 25;
        let name = format!("{} {at:02}", if at % 2 == 0 { "Émile" } else { "emile" });
        let person = json!({ "name": name, "email": format!("e{:02}@company-{at:02}.com", 24 - at) });
        client.post("/v0/persons", &person).await.expect(201);
        client.post(&format!("/v0/pages/{page}/audiences"), &json!({ "customName": name })).await.expect(201);
    }
    let numbers = |rows: Vec<String>| -> Vec<String> {
        rows.into_iter()
            .map(|row| row.chars().rev().take(2).collect::<Vec<_>>().into_iter().rev().collect())
            .collect()
    };
    let up: Vec<String> = (0..25).map(|number| format!("{number:02}")).collect();
    let down: Vec<String> = up.iter().rev().cloned().collect();
    let base = "/console/t/acme";
    for (path, expected) in [
        (format!("{base}/persons?sort=name"), &up),
        (format!("{base}/persons?sort=-name"), &down),
        (format!("{base}/persons?sort=email"), &down),
        (format!("{base}/pages/{page}?sort=name"), &up),
        (format!("{base}/pages/{page}?sort=-name"), &down),
    ] {
        // Names that differ by case and accents alone are sorted by what is behind them.
        assert_eq!(&numbers(all_rows(&mut browser, &path).await), expected, "{path}");
    }
    let accounts = all_rows(&mut browser, &format!("{base}/accounts?sort=domain")).await;
    assert_eq!(accounts, up.iter().map(|number| format!("company-{number}.com")).collect::<Vec<_>>());
    let newest = all_rows(&mut browser, &format!("{base}/persons?sort=createdAt")).await;
    assert_eq!(newest[0], "Émile 00");
}

/// By what the API has no order for, the rows are sorted that are read at once.
#[tokio::test]
async fn a_list_says_where_only_the_rows_shown_are_sorted() {
    let app = TestApp::start().await;
    let (mut browser, client) = (Browser::owner(&app).await, app.client());
    let path = "/console/t/acme/pages";
    for number in 0..101 {
        client.post("/v0/pages", &page(&format!("Page {number:03}"))).await.expect(201);
    }
    let own = browser.open(path).await.expect(200).text();
    assert_eq!(count(&own, "a.sort[title^='Sorts these rows']"), 2, "{own}");
    let by_audiences = link(&own, "th.number a.sort").unwrap();
    let part = browser.open(&by_audiences).await.expect(200).text();
    assert_eq!(names(&part).len(), 100);
    assert!(part.contains(SAID) && part.contains("1–100 of 101"), "{part}");
    // Going on keeps the order, and the order keeps the place.
    let rest = browser.open(&link(&part, "a[rel=next]").unwrap()).await.expect(200).text();
    assert_eq!(names(&rest), ["Page 000"]);
    let second = browser.open(&link(&own, "a[rel=next]").unwrap()).await.expect(200).text();
    let second = browser.open(&link(&second, "th.number a.sort").unwrap()).await.expect(200).text();
    assert_eq!(names(&second).len(), 81);
    assert!(second.contains("21–101 of 101"), "{second}");
    // What is searched for comes best first, and is sorted as far as it is shown.
    let found = browser.open(&format!("{path}?q=page&sort=name")).await.expect(200).text();
    assert!(found.contains(SAID), "{found}");
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
    // Without a content of its own the part is asked for with what the address says, and so are its events.
    let part = format!(
        "live-part[id=list-live][data-content=''][data-events^='{page}/audiences/events?sort=-name&']"
    );
    assert_eq!(count(&sorted, &part), 1, "{sorted}");
}

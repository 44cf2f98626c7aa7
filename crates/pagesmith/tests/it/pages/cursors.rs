//! Walks with cursors, over the list and over a search, while pages come and go.
//!
//! The model knows every page and what the next part must be; from it follows what a client is promised: no page that was there
//! all along is lost, none is met twice, and every total is exact.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use pagesmith_model::text::{Query, Rank, fold, rank, word_form};
use pagesmith_testkit::{Client, TestApp};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use super::{id, make_named};
use crate::property;

/// What happens between two parts of a walk.
#[derive(Debug, Clone)]
enum Step {
    Take { limit: usize },
    Create { name: &'static str },
    Delete(Index),
    Restore(Index),
    Archive(Index),
}

/// A page as the model knows it.
#[derive(Debug)]
struct Known {
    id: String,
    name: &'static str,
    deleted: bool,
    /// Whether it was there at every instant of the walk.
    throughout: bool,
}

/// Where a page is in a collection.
type Position = (Rank, Reverse<String>);

/// A walk over the pages that a query finds; a blank one finds all.
struct Walk {
    client: Client,
    path: &'static str,
    query: &'static str,
    pages: Vec<Known>,
    cursor: Option<String>,
    /// The place of the last page that was met.
    last: Option<Position>,
    met: Vec<String>,
}

#[test]
fn a_walk_over_the_list_loses_and_repeats_nothing_while_pages_come_and_go() {
    property::holds(16, &any_history(), async |case, history| {
        Walk::new(case.client, "/v0/pages", "").run(history).await;
    });
}

#[test]
fn a_walk_over_a_search_loses_and_repeats_nothing_while_pages_come_and_go() {
    property::holds(16, &any_history(), async |case, history| {
        Walk::new(case.client, "/v0/pages/search", "spring").run(history).await;
    });
}

#[test]
fn a_walk_over_a_search_without_words_loses_and_repeats_nothing() {
    property::holds(8, &any_history(), async |case, history| {
        Walk::new(case.client, "/v0/pages/search", " ").run(history).await;
    });
}

fn any_history() -> impl Strategy<Value = (usize, Vec<Step>)> {
    let step = prop_oneof![
        4 => (1..6_usize).prop_map(|limit| Step::Take { limit }),
        2 => any_name().prop_map(|name| Step::Create { name }),
        2 => any::<Index>().prop_map(Step::Delete),
        2 => any::<Index>().prop_map(Step::Restore),
        1 => any::<Index>().prop_map(Step::Archive),
    ];
    (1..20_usize, prop::collection::vec(step, 0..25))
}

fn any_name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(NAMES.to_vec())
}

const NAMES: [&str; 6] = ["spring", "Spring Launch", "In spring", "Offspring", "Autumn", "Spring"];

impl Walk {
    fn new(client: Client, path: &'static str, query: &'static str) -> Walk {
        Walk { client, path, query, pages: vec![], cursor: None, last: None, met: vec![] }
    }

    async fn run(mut self, (first, history): (usize, Vec<Step>)) {
        for number in 0..first {
            self.create(NAMES[number % NAMES.len()], true).await;
        }
        let mut ended = false;
        for step in history {
            match step {
                Step::Take { limit } if !ended => ended = self.take(limit).await,
                Step::Take { .. } => {}
                Step::Create { name } => self.create(name, false).await,
                Step::Delete(at) => self.set_deleted(at, true).await,
                Step::Restore(at) => self.set_deleted(at, false).await,
                Step::Archive(at) => self.archive(at).await,
            }
        }
        while !ended {
            ended = self.take(3).await;
        }
        let different: BTreeSet<&String> = self.met.iter().collect();
        assert_eq!(different.len(), self.met.len(), "a page was met twice");
        for page in self.pages.iter().filter(|page| page.throughout && self.place(page).is_some()) {
            assert!(self.met.contains(&page.id), "{page:?} was lost");
        }
    }

    /// Takes the next part, which must be what the model says; whether it was the last.
    async fn take(&mut self, limit: usize) -> bool {
        let limit_text = limit.to_string();
        let mut parameters = vec![("query", self.query), ("limit", &limit_text)];
        parameters.extend(self.cursor.as_deref().map(|cursor| ("cursor", cursor)));
        let part = self.client.get_with(self.path, &parameters).await.expect(200).json();
        let mut places: Vec<Position> =
            self.pages.iter().filter(|page| !page.deleted).filter_map(|page| self.place(page)).collect();
        assert_eq!(part["totalCount"], places.len());
        places.retain(|place| self.last.as_ref().is_none_or(|last| place > last));
        places.sort();
        let more = places.len() > limit;
        places.truncate(limit);
        let ids: Vec<String> =
            part["items"].as_array().unwrap().iter().map(|item| id(item).to_owned()).collect();
        let expected: Vec<&String> = places.iter().map(|(_, Reverse(id))| id).collect();
        assert_eq!(ids.iter().collect::<Vec<_>>(), expected);
        assert_eq!(part["hasMore"], more);
        assert_eq!(part["nextCursor"].is_string(), more);
        self.cursor = part["nextCursor"].as_str().map(str::to_owned);
        self.last = places.pop().or(self.last.take());
        self.met.extend(ids);
        !more
    }

    fn place(&self, page: &Known) -> Option<Position> {
        let folded = fold(page.name);
        let rank = rank(&folded, &word_form(&folded), &Query::parse(self.query))?;
        Some((rank, Reverse(page.id.clone())))
    }

    async fn create(&mut self, name: &'static str, throughout: bool) {
        let id = id(&make_named(&self.client, name).await).to_owned();
        self.pages.push(Known { id, name, deleted: false, throughout });
    }

    async fn set_deleted(&mut self, at: Index, deleted: bool) {
        let page = at.get_mut(&mut self.pages);
        let address = format!("/v0/pages/{}", page.id);
        if deleted {
            self.client.delete(&address).await.expect(200);
            page.throughout = false;
        } else {
            self.client.post(&format!("{address}/restore"), &json!({})).await.expect(200);
        }
        page.deleted = deleted;
    }

    async fn archive(&mut self, at: Index) {
        let page = at.get(&self.pages);
        let answer = self.client.post(&format!("/v0/pages/{}/archive", page.id), &json!({})).await;
        answer.expect(if page.deleted { 404 } else { 200 });
    }
}

/// A client with a few pages, and the cursors behind the first of them in the list and in a search.
async fn cursors(client: &Client) -> (String, String) {
    for name in ["spring 1", "spring 2", "spring 3"] {
        make_named(client, name).await;
    }
    let cursor = |part: Value| part["nextCursor"].as_str().unwrap().to_owned();
    let list = client.get("/v0/pages?limit=1").await.expect(200).json();
    let search = client.get("/v0/pages/search?limit=1&query=spring").await.expect(200).json();
    (cursor(list), cursor(search))
}

#[track_caller]
fn refused(answer: pagesmith_testkit::Answer) {
    assert_eq!(answer.issues(), [("invalid_cursor".to_owned(), "cursor".to_owned())]);
}

#[tokio::test]
async fn a_cursor_is_of_no_use_in_another_collection_or_under_another_filter() {
    let app = TestApp::start().await;
    let client = app.client();
    let (list, search) = cursors(&client).await;
    client.get(&format!("/v0/pages?cursor={list}&limit=2")).await.expect(200);
    client.get(&format!("/v0/pages/search?query=spring&cursor={search}&limit=2")).await.expect(200);
    for wrong in [
        format!("/v0/pages?cursor={search}"),
        format!("/v0/pages/search?cursor={list}"),
        format!("/v0/pages/search?query=spring&cursor={list}"),
        format!("/v0/pages/search?cursor={search}"),
        format!("/v0/pages/search?query=spring+1&cursor={search}"),
        format!("/v0/pages/search?query=sprin&cursor={search}"),
    ] {
        refused(client.get(&wrong).await);
    }
}

#[tokio::test]
async fn a_cursor_is_of_no_use_to_another_tenant() {
    let app = TestApp::start().await;
    let (list, search) = cursors(&app.client()).await;
    let stranger = app.stranger().await;
    cursors(&stranger).await;
    refused(stranger.get(&format!("/v0/pages?cursor={list}")).await);
    refused(stranger.get(&format!("/v0/pages/search?query=spring&cursor={search}")).await);
    // Another key of the same tenant goes on where the first one stopped.
    let key = app.add_key("acme", pagesmith_model::key::Scope::Read).await;
    app.client_with(&key).get(&format!("/v0/pages?cursor={list}")).await.expect(200);
}

#[tokio::test]
async fn a_broken_cursor_is_refused() {
    let app = TestApp::start().await;
    let (list, search) = cursors(&app.client()).await;
    for (path, cursor) in [("/v0/pages?", &list), ("/v0/pages/search?query=spring&", &search)] {
        for at in 0..cursor.len() {
            let mut changed = cursor.clone();
            let other = if &cursor[at..=at] == "A" { "B" } else { "A" };
            changed.replace_range(at..=at, other);
            refused(app.client().get(&format!("{path}cursor={changed}")).await);
        }
        for wrong in [
            "",
            "null",
            "1",
            "%00A",
            "%F0%9F%9A%80",
            &cursor[1..],
            &cursor[..cursor.len() - 1],
            &format!("{cursor}A"),
            &"A".repeat(5_000),
        ] {
            let answer = app.client().get(&format!("{path}cursor={wrong}")).await;
            let issues = answer.issues();
            assert_eq!(issues.len(), 1);
            assert_eq!(issues[0].1, "cursor");
        }
    }
}

#[tokio::test]
async fn a_walk_goes_on_when_the_page_at_its_cursor_is_gone() {
    let app = TestApp::start().await;
    let client = app.client();
    let (list, search) = cursors(&client).await;
    let newest = client.get("/v0/pages?limit=1").await.expect(200).json();
    client.delete(&format!("/v0/pages/{}", id(&newest["items"][0]))).await.expect(200);
    for path in [format!("/v0/pages?cursor={list}"), format!("/v0/pages/search?query=spring&cursor={search}")]
    {
        let rest = client.get(&path).await.expect(200).json();
        assert_eq!(super::names(&rest), ["spring 2", "spring 1"]);
        assert_eq!(rest["totalCount"], 2);
    }
}

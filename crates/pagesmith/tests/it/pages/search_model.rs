//! Search finds what its definition in memory finds, in the same order, on the engine under test.
//!
//! The definition is `pagesmith_model::text`; the server computes the same in SQL.

use std::cmp::Reverse;

use pagesmith_model::bounds::NOT_BLANK;
use pagesmith_model::text::{Query, fold, rank, word_form};
use pagesmith_testkit::{Client, TestApp};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use super::{address, id, make_named};
use crate::property;

#[test]
fn search_finds_what_its_definition_finds_in_the_same_order() {
    property::holds(16, &any_input(), async |case, (mut page_names, queries, renamed, limit)| {
        let mut pages = Vec::new();
        for name in &page_names {
            pages.push(make_named(&case.client, name).await);
        }
        for (at, name) in renamed {
            let at = at.index(pages.len());
            case.client.patch(&address(&pages[at]), &json!({ "name": name })).await.expect(200);
            page_names[at] = name;
        }
        let named: Vec<(&str, &str)> =
            pages.iter().map(id).zip(page_names.iter().map(String::as_str)).collect();
        for query in queries {
            let query = query.on(&page_names);
            assert_eq!(
                found(&case.client, &query, limit).await,
                expected(&named, &query),
                "{query:?} in {page_names:?}"
            );
        }
    });
}

#[tokio::test]
async fn among_many_names_the_best_are_found_wherever_they_are() {
    let app = TestApp::start().await;
    let client = app.client();
    let mut names: Vec<String> =
        vec!["Spring".to_owned(), "In spring".to_owned(), "Springs of the year".to_owned()];
    names.extend((0..230).map(|number| match number % 3 {
        0 => format!("Offspring {number}"),
        1 => format!("Early spring {number}"),
        _ => format!("Autumn {number}, offspring"),
    }));
    names.insert(100, "Spring launch".to_owned());
    // The newest are all as good as they can be but one, and all as good as they can be.
    names.insert(0, "Zebra".to_owned());
    names.extend((0..205).map(|number| format!("Zebra crossing {number}")));
    names.extend((0..205).map(|_| "Same".to_owned()));
    let mut pages = Vec::new();
    for name in &names {
        pages.push(make_named(&client, name).await);
    }
    let named: Vec<(&str, &str)> = pages.iter().map(id).zip(names.iter().map(String::as_str)).collect();
    // The last but one is found in all of them and has one rank; the last is in few.
    for query in ["spring", "spring early", "SPRING off", "", "pring", "autumn", "zebra", "same"] {
        for limit in [7, 100] {
            assert_eq!(found(&client, query, limit).await, expected(&named, query), "{query:?} by {limit}");
        }
    }
}

/// Id and name of what the definition finds.
fn expected(pages: &[(&str, &str)], query: &str) -> Vec<(String, String)> {
    let query = Query::parse(query);
    let mut matches: Vec<_> = pages
        .iter()
        .filter_map(|(id, name)| {
            let folded = fold(name);
            Some((rank(&folded, &word_form(&folded), &query)?, Reverse(*id), *name))
        })
        .collect();
    matches.sort();
    matches.into_iter().map(|(_, Reverse(id), name)| (id.to_owned(), name.to_owned())).collect()
}

/// Id and name of what the server finds, part by part; each part must tell the same total.
async fn found(client: &Client, query: &str, limit: usize) -> Vec<(String, String)> {
    let limit = limit.to_string();
    let (mut found, mut cursor): (Vec<(String, String)>, Option<String>) = (Vec::new(), None);
    let mut total = None;
    loop {
        let mut parameters = vec![("query", query), ("limit", limit.as_str())];
        parameters.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
        let part = client.get_with("/v0/pages/search", &parameters).await.expect(200).json();
        for item in part["items"].as_array().unwrap() {
            found.push((id(item).to_owned(), item["name"].as_str().unwrap().to_owned()));
        }
        let told = part["totalCount"].as_u64().unwrap();
        assert_eq!(*total.get_or_insert(told), told);
        assert_eq!(part["hasMore"], !part["nextCursor"].is_null());
        match &part["nextCursor"] {
            Value::String(next) => cursor = Some(next.clone()),
            _ => break,
        }
    }
    assert_eq!(total, Some(found.len() as u64));
    found
}

/// A query: a text of its own, or a part of a name.
#[derive(Debug, Clone)]
enum AnyQuery {
    Text(String),
    Part { of: Index, from: Index, length: usize, upper: bool },
}

impl AnyQuery {
    fn on(&self, page_names: &[String]) -> String {
        match self {
            AnyQuery::Text(text) => text.clone(),
            AnyQuery::Part { of, from, length, upper } => {
                let name: Vec<char> = page_names[of.index(page_names.len())].chars().collect();
                let part: String = name[from.index(name.len())..].iter().take(*length).collect();
                if *upper { part.to_uppercase() } else { part }
            }
        }
    }
}

/// Names, queries, renamed pages and the limit of a part.
type Input = (Vec<String>, Vec<AnyQuery>, Vec<(Index, String)>, usize);

/// Each case has a few words of its own, so that its names share them and match its queries in every way.
fn any_input() -> impl Strategy<Value = Input> {
    prop::sample::subsequence(WORDS.to_vec(), 2..5).prop_flat_map(|words| {
        let name = any_name(words.clone());
        (
            prop::collection::vec(any_name(words.clone()), 1..25),
            prop::collection::vec(any_query(words), 1..12),
            prop::collection::vec((any::<Index>(), name), 0..4),
            1..8_usize,
        )
    })
}

fn any_query(words: Vec<&'static str>) -> impl Strategy<Value = AnyQuery> {
    let part = (any::<Index>(), any::<Index>(), 1..12_usize, any::<bool>());
    prop_oneof![
        1 => any_name(words.clone()).prop_map(AnyQuery::Text),
        3 => any_words(words, 1..3).prop_map(AnyQuery::Text),
        3 => part.prop_map(|(of, from, length, upper)| AnyQuery::Part { of, from, length, upper }),
    ]
}

fn any_name(words: Vec<&'static str>) -> impl Strategy<Value = String> {
    let letters = any::<char>().prop_filter("NUL is refused", |char| *char != '\0');
    prop_oneof![
        12 => any_words(words, 1..5),
        1 => "[ -~]{1,10}",
        1 => "[a-cA-C àÀ.'-]{1,8}",
        1 => prop::collection::vec(letters, 1..8).prop_map(String::from_iter),
    ]
    .prop_filter("a name can be seen", |name| !name.is_empty() && (NOT_BLANK.accepts)(name))
}

/// Some of the words, joined by all kinds of gaps.
fn any_words(words: Vec<&'static str>, count: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    let gaps = vec![" ", " ", " ", "  ", "-", ", ", "\t", "\u{a0}", "/", "", "."];
    let word = (prop::sample::select(words), prop::sample::select(gaps));
    prop::collection::vec(word, count)
        .prop_map(|words| words.into_iter().flat_map(|(word, gap)| [gap, word]).collect::<String>())
        .prop_map(|text| text.trim_start_matches(' ').to_owned())
}

const WORDS: [&str; 36] = [
    "spring",
    "Spring",
    "SPRING",
    "ring",
    "launch",
    "Läunch",
    "läu",
    "straße",
    "STRASSE",
    "ß",
    "Ærø",
    "aero",
    "İstanbul",
    "istanbul",
    "Σίσυφος",
    "σισ",
    "ПРИВЕТ",
    "привет",
    "東京",
    "京",
    "東京タワー",
    "हिन्दी",
    "مرحبا",
    "🚀",
    "👩‍👩‍👧",
    "a",
    "o'neil",
    "O’Neil",
    "neil",
    "(draft)",
    "draft",
    "&",
    "%",
    "_",
    "100%",
    "２０２６",
];

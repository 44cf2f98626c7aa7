//! Search finds what its definition in memory finds, in the same order, on the engine under test.
//!
//! The definition: every word is in the name or the domain; the better field counts for an exact match and for one at its
//! start, and a match is at the start of words if each word is at the start of a word of either field.

use std::cmp::Reverse;

use pagesmith_model::bounds::NOT_BLANK;
use pagesmith_model::text::{Query, Rank, fold, rank, word_form};
use pagesmith_testkit::Client;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::json;

use crate::accounts::{address, id, make, person};
use crate::property;

/// An account as the model knows it.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) id: String,
    pub(super) domain: String,
    pub(super) name: Option<String>,
    pub(super) is_empty: bool,
}

#[test]
fn search_finds_what_its_definition_finds_in_the_same_order() {
    property::holds(16, &any_input(), async |case, (accounts, queries)| {
        let client = &case.client;
        let mut known: Vec<Known> = Vec::new();
        for (domain, name, has_person) in accounts {
            let account = make(client, domain).await;
            if let Some(name) = &name {
                client.patch(&address(&account), &json!({ "name": name })).await.expect(200);
            }
            known.retain(|known| known.id != id(&account) || name.is_none());
            if known.iter().all(|known| known.id != id(&account)) {
                let is_empty = account["linkedPersons"].as_array().unwrap().is_empty();
                known.push(Known { id: id(&account).to_owned(), domain: domain.to_owned(), name, is_empty });
            }
            if has_person {
                let one = known.iter_mut().find(|known| known.id == id(&account)).unwrap();
                if std::mem::take(&mut one.is_empty) {
                    person(client, "Ada", &format!("ada@{domain}")).await;
                }
            }
        }
        for (query, only_empty) in queries {
            let query = query.on(&known);
            let found = found(client, &query, only_empty, "3").await;
            assert_eq!(found, expected(&known, &query, only_empty), "{query:?} in {known:?}");
        }
    });
}

/// The ids that a search finds, read in parts of so many; each part says how many they are.
pub(super) async fn found(client: &Client, query: &str, only_empty: bool, limit: &str) -> Vec<String> {
    let flag = only_empty.to_string();
    let (mut items, mut cursor, mut total) = (Vec::new(), None::<String>, None);
    loop {
        let mut parameters = vec![("query", query), ("includeEmptyOnly", &flag), ("limit", limit)];
        parameters.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
        let part = client.get_with("/v0/accounts/search", &parameters).await.expect(200).json();
        items.extend(part["items"].as_array().unwrap().iter().map(|item| id(item).to_owned()));
        assert_eq!(*total.get_or_insert(part["totalCount"].clone()), part["totalCount"]);
        cursor = part["nextCursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(total, Some(json!(items.len())));
    items
}

/// What the definition finds.
pub(super) fn expected<'a>(accounts: &'a [Known], query: &str, only_empty: bool) -> Vec<&'a str> {
    let query = Query::parse(query);
    let mut matches: Vec<(Rank, Reverse<&str>)> = accounts
        .iter()
        .filter(|account| account.is_empty || !only_empty)
        .filter_map(|account| {
            let fields = [fold(account.name.as_deref().unwrap_or_default()), fold(&account.domain)];
            let forms = [word_form(&fields[0]), word_form(&fields[1])];
            let everywhere =
                query.words.iter().all(|word| fields.iter().any(|field| field.contains(&word.text)));
            let at_starts =
                query.words.iter().all(|word| forms.iter().any(|form| form.contains(&word.start_form)));
            let whole = fields.iter().zip(&forms).filter_map(|(field, form)| rank(field, form, &query)).min();
            let rank = match whole {
                Some(rank @ (Rank::Exact | Rank::FieldStart)) => rank,
                _ if at_starts => Rank::WordStart,
                _ => Rank::Anywhere,
            };
            everywhere.then_some((rank, Reverse(account.id.as_str())))
        })
        .collect();
    matches.sort();
    matches.into_iter().map(|(_, Reverse(id))| id).collect()
}

/// A query: a text of its own, or a part of a name.
#[derive(Debug, Clone)]
enum AnyQuery {
    Text(String),
    Part { of: Index, from: Index, length: usize, upper: bool },
}

impl AnyQuery {
    fn on(&self, accounts: &[Known]) -> String {
        match self {
            AnyQuery::Text(text) => text.clone(),
            AnyQuery::Part { of, from, length, upper } => {
                let account = of.get(accounts);
                let text: Vec<char> = account.name.as_deref().unwrap_or(&account.domain).chars().collect();
                let part: String = text[from.index(text.len())..].iter().take(*length).collect();
                if *upper { part.to_uppercase() } else { part }
            }
        }
    }
}

/// Domain, name and whether a person belongs to it.
type AnyAccount = (&'static str, Option<String>, bool);

fn any_input() -> impl Strategy<Value = (Vec<AnyAccount>, Vec<(AnyQuery, bool)>)> {
    let name = prop_oneof![8 => any_words(1..4), 1 => "[ -~]{1,10}", 1 => "[a-cA-C àÀ.'-]{1,8}"]
        .prop_filter("a name can be seen", |name| (NOT_BLANK.accepts)(name));
    let account = (prop::sample::select(DOMAINS.to_vec()), prop::option::weighted(0.8, name), any::<bool>());
    let part = (any::<Index>(), any::<Index>(), 1..10_usize, any::<bool>());
    let query = prop_oneof![
        3 => any_words(1..3).prop_map(AnyQuery::Text),
        1 => prop::sample::select(DOMAINS.to_vec()).prop_map(|domain| AnyQuery::Text(domain.to_owned())),
        3 => part.prop_map(|(of, from, length, upper)| AnyQuery::Part { of, from, length, upper }),
    ];
    let weighted = (query, prop::bool::weighted(0.2));
    (prop::collection::vec(account, 1..15), prop::collection::vec(weighted, 1..10))
}

fn any_words(count: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    let gaps = vec![" ", " ", "  ", "-", ", ", "\u{a0}", "", "."];
    let word = (prop::sample::select(WORDS.to_vec()), prop::sample::select(gaps));
    prop::collection::vec(word, count).prop_map(|words| {
        let text: String = words.into_iter().flat_map(|(word, gap)| [gap, word]).collect();
        text.trim_start_matches(' ').to_owned()
    })
}

const DOMAINS: [&str; 10] = [
    "acme.com",
    "acme.co.uk",
    "superacme.com",
    "my-acme.com",
    "com-pany.org",
    "a.io",
    "xn--bcher-kva.de",
    "launch-123.net",
    "anvil.com",
    "aero.com",
];

const WORDS: [&str; 20] = [
    "acme",
    "Acme",
    "ACME",
    "Ácmé",
    "me",
    "com",
    "straße",
    "STRASSE",
    "Ærø",
    "aero",
    "İstanbul",
    "Σίσυφος",
    "привет",
    "東京",
    "京",
    "🚀",
    "o'neil",
    "%",
    "_",
    "1",
];

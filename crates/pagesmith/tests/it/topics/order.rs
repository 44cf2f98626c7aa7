//! Topics have their order, and a walk through them passes over none: on the engine under test, with any sort orders.

use std::cmp::Reverse;

use pagesmith_model::text::{Query, fold, rank, word_form};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::make;
use crate::property;

/// Everything that a walk in parts of `limit` finds.
async fn walk(client: &pagesmith_testkit::Client, path: &str, query: &str, limit: usize) -> Vec<Value> {
    let limit = limit.to_string();
    let (mut found, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let mut parameters = vec![("limit", limit.as_str())];
        if path.ends_with("search") {
            parameters.push(("query", query));
        }
        parameters.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
        let part = client.get_with(path, &parameters).await.expect(200).json();
        found.extend(part["items"].as_array().unwrap().clone());
        cursor = part["nextCursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            assert_eq!(part["totalCount"], found.len());
            return found;
        }
    }
}

fn id(topic: &Value) -> &str {
    topic["topicId"].as_str().unwrap()
}

fn any_topics() -> impl Strategy<Value = Vec<(String, Option<u64>)>> {
    let title =
        prop::sample::select(vec!["Prices", "prices", "Fair prices", "Höhe der Preise", "Caprices", "価格"]);
    let order = prop_oneof![2 => (0..4_u64).prop_map(Some), 1 => Just(None)];
    prop::collection::vec((title.prop_map(str::to_owned), order), 0..12)
}

#[test]
fn lists_and_searches_are_in_the_order_of_their_definition() {
    property::holds(16, &(any_topics(), 1..5_usize), async |case, (topics, limit)| {
        let client = &case.client;
        let mut known = vec![super::default(client).await];
        for (title, order) in topics {
            let mut body = json!({ "title": title });
            if let Some(order) = order {
                body["sortOrder"] = json!(order);
            }
            known.push(make(client, &body).await);
        }
        known.sort_by_key(|topic| (topic["sortOrder"].as_u64().unwrap(), id(topic).to_owned()));
        assert_eq!(walk(client, "/v0/topics", "", limit).await, known);
        for text in ["prices", "PREIS", "価", "price fair", ""] {
            let query = Query::parse(text);
            let mut expected: Vec<_> = known
                .iter()
                .filter_map(|topic| {
                    let folded = fold(topic["title"].as_str().unwrap());
                    rank(&folded, &word_form(&folded), &query).map(|rank| (rank, Reverse(id(topic))))
                })
                .collect();
            expected.sort();
            let found = walk(client, "/v0/topics/search", text, limit).await;
            let found: Vec<&str> = found.iter().map(id).collect();
            assert_eq!(found, expected.iter().map(|(_, Reverse(id))| *id).collect::<Vec<_>>(), "{text}");
        }
    });
}

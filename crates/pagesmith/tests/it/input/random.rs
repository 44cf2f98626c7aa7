//! Whatever comes in, something right goes out: random and mutated requests.
//!
//! Every answer is held against the contract by the client; here it must also be one of the few statuses that
//! the input can deserve, never a failure of the server.

use pagesmith_testkit::{Answer, TestApp, fixtures};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

/// Each case is a whole request, some of them with a durable commit.
fn cases(count: u32) -> ProptestConfig {
    ProptestConfig { cases: count, failure_persistence: None, ..ProptestConfig::default() }
}

/// Values that bodies are spoiled with.
fn odd_value() -> impl Strategy<Value = Value> {
    let fixed = [
        "null",
        "true",
        "false",
        "0",
        "-1",
        "1.5",
        "1e999",
        "-0",
        "9007199254740993",
        "123456789012345678901234567890",
        "\"\"",
        "\"a\"",
        "\"open-url\"",
        "\"form\"",
        "\"group\"",
        "\"video\"",
        "\"file\"",
        "\"book\"",
        "\"https://acme.example\"",
        "\"a\\u0000b\"",
        "\"\\ud83d\\ude00\"",
        "[]",
        "{}",
        "[[]]",
        "[null]",
        "{\"type\":\"link\"}",
        "{\"actionType\":1}",
        "{\"$ref\":\"#\"}",
        "{\"$serde_json::private::Number\":\"1\"}",
    ];
    let fixed = proptest::sample::select(fixed.to_vec()).prop_map(|text| serde_json::from_str(text).unwrap());
    prop_oneof![4 => fixed, 1 => ".*".prop_map(Value::String), 1 => (900..1_100_usize).prop_map(|n| json!("x".repeat(n)))]
}

/// One way to spoil a body: where, how, and with what.
#[derive(Debug, Clone)]
enum Mutation {
    Replace(Index, Value),
    Remove(Index),
    Add(Index, String, Value),
    Repeat(Index),
    Swap(Index, Index),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = any::<Index>;
    let name = prop_oneof![
        proptest::sample::select(vec![
            "url",
            "type",
            "actionId",
            "actionIndex",
            "title",
            "id",
            "links",
            "logos",
            "ogImageUrl",
            ""
        ])
        .prop_map(str::to_owned),
        ".{0,5}",
    ];
    prop_oneof![
        3 => (at(), odd_value()).prop_map(|(at, value)| Mutation::Replace(at, value)),
        2 => at().prop_map(Mutation::Remove),
        2 => (at(), name, odd_value()).prop_map(|(at, name, value)| Mutation::Add(at, name, value)),
        1 => at().prop_map(Mutation::Repeat),
        1 => (at(), at()).prop_map(|(one, other)| Mutation::Swap(one, other)),
    ]
}

/// The pointer of every value in a body.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(index, item)| pointers(item, &format!("{at}/{index}"), found));
        }
        Value::Object(object) => object.iter().for_each(|(name, value)| {
            let step = name.replace('~', "~0").replace('/', "~1");
            pointers(value, &format!("{at}/{step}"), found);
        }),
        _ => {}
    }
}

fn pick(body: &Value, at: Index) -> String {
    let mut found = vec![];
    pointers(body, "", &mut found);
    at.get(&found).clone()
}

fn mutate(body: &mut Value, mutation: Mutation) {
    match mutation {
        Mutation::Replace(at, value) => *body.pointer_mut(&pick(body, at)).unwrap() = value,
        Mutation::Remove(at) => {
            let pointer = pick(body, at);
            let Some((parent, step)) = pointer.rsplit_once('/') else { return };
            let step = step.replace("~1", "/").replace("~0", "~");
            match body.pointer_mut(parent).unwrap() {
                Value::Array(items) => drop(items.remove(step.parse().unwrap())),
                Value::Object(object) => drop(object.remove(&step)),
                _ => {}
            }
        }
        Mutation::Add(at, name, value) => match body.pointer_mut(&pick(body, at)).unwrap() {
            Value::Array(items) => items.push(value),
            Value::Object(object) => drop(object.insert(name, value)),
            _ => {}
        },
        Mutation::Repeat(at) => {
            if let Value::Array(items) = body.pointer_mut(&pick(body, at)).unwrap() {
                items.extend(items.clone());
            }
        }
        Mutation::Swap(one, other) => {
            let (one, other) = (pick(body, one), pick(body, other));
            let (first, second) =
                (body.pointer(&one).unwrap().clone(), body.pointer(&other).unwrap().clone());
            *body.pointer_mut(&one).unwrap() = second;
            if let Some(place) = body.pointer_mut(&other) {
                *place = first;
            }
        }
    }
}

/// Taken, or refused with reasons.
#[track_caller]
fn taken_or_refused(answer: Answer, success: u16) -> bool {
    if answer.status.as_u16() == success {
        return true;
    }
    assert!(!answer.issues().is_empty());
    false
}

#[test]
fn a_mutated_page_is_taken_or_refused_with_reasons() {
    let runtime = runtime();
    let app = runtime.block_on(TestApp::start());
    let client = app.client();
    let page = runtime.block_on(client.post("/v0/pages", &fixtures::page("Fixed"))).expect(201).json();
    let path = format!("/v0/pages/{}", page["pageId"].as_str().unwrap());
    proptest!(cases(400), |(mutations in proptest::collection::vec(mutation(), 1..4))| {
        let mut body = fixtures::full_page();
        mutations.into_iter().for_each(|mutation| mutate(&mut body, mutation));
        runtime.block_on(async {
            let made = client.post("/v0/pages", &body).await;
            if taken_or_refused(made.clone(), 201) {
                let made = made.json();
                let page = format!("/v0/pages/{}", made["pageId"].as_str().unwrap());
                assert_eq!(client.get(&page).await.expect(200).json(), made);
                client.delete(&page).await.expect(200);
            }
            taken_or_refused(client.patch(&path, &body).await, 200);
        });
    });
    let total = runtime.block_on(client.get("/v0/pages")).expect(200).json()["totalCount"].clone();
    assert_eq!(total, 1, "a refused page was kept, or a kept one lost");
}

#[test]
fn arbitrary_bytes_as_a_body_are_refused() {
    let runtime = runtime();
    let app = runtime.block_on(TestApp::start());
    let client = app.client();
    let text = fixtures::full_page().to_string().into_bytes();
    let spoiled = (proptest::collection::vec((any::<Index>(), any::<u8>()), 1..4), any::<Index>()).prop_map(
        move |(bytes, end)| {
            let mut text = text.clone();
            for (at, byte) in bytes {
                let at = at.index(text.len());
                text[at] = byte;
            }
            // Now and then cut off.
            let end = end.index(text.len() * 2).min(text.len());
            text.truncate(end);
            text
        },
    );
    let bytes = prop_oneof![2 => proptest::collection::vec(any::<u8>(), 0..64), 3 => spoiled, 1 => "[\\[\\]{}\",:0-9a-eu\\\\]{0,40}".prop_map(String::into_bytes)];
    proptest!(cases(400), |(body in bytes)| {
        runtime.block_on(async {
            taken_or_refused(client.send("POST", "/v0/pages", Some(body)).await, 201);
        });
    });
}

#[test]
fn arbitrary_cursors_are_refused() {
    let runtime = runtime();
    let app = runtime.block_on(TestApp::start());
    let client = app.client();
    let cursor = prop_oneof!["[A-Za-z0-9_-]{0,120}", ".{0,20}"];
    let path = proptest::sample::select(vec!["/v0/pages?limit=5", "/v0/pages/search?query=a"]);
    proptest!(cases(300), |(path in path, cursor in cursor)| {
        let escaped: String = cursor.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let answer = runtime.block_on(client.get(&format!("{path}&cursor={escaped}")));
        let code = if cursor.contains('\0') { "invalid_character" } else { "invalid_cursor" };
        prop_assert_eq!(answer.issues(), [(code.to_owned(), "cursor".to_owned())]);
    });
}

#[test]
fn arbitrary_searches_are_answered() {
    let runtime = runtime();
    let app = runtime.block_on(TestApp::start());
    let client = app.client();
    runtime.block_on(client.post("/v0/pages", &fixtures::full_page())).expect(201);
    proptest!(cases(300), |(query in ".{0,40}")| {
        let escaped: String = query.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let answer = runtime.block_on(client.get(&format!("/v0/pages/search?query={escaped}")));
        if query.contains('\0') {
            answer.expect(400);
        } else {
            answer.expect(200);
        }
    });
}

#[test]
fn arbitrary_ids_and_paths_are_not_found() {
    let runtime = runtime();
    let app = runtime.block_on(TestApp::start());
    let client = app.client();
    let step = prop_oneof![
        "[!-~&&[^/?#\"<>\\\\^`{|}]]{1,40}",
        "page_[0-9a-z]{26}",
        proptest::collection::vec(any::<u8>(), 1..30)
            .prop_map(|bytes| bytes.iter().map(|byte| format!("%{byte:02X}")).collect()),
    ];
    let rest = proptest::sample::select(vec!["", "/archive", "/restore", "/link"]);
    proptest!(cases(400), |(id in step, rest in rest)| {
        let path = format!("/v0/pages/{id}{rest}");
        let found = path == "/v0/pages/search";
        runtime.block_on(async {
            let method = if matches!(rest, "/archive" | "/restore") { "POST" } else { "GET" };
            client.send(method, &path, None).await.expect(if found { 200 } else { 404 });
            if rest.is_empty() && !found {
                client.patch(&path, &json!({})).await.expect(404);
                client.delete(&path).await.expect(404);
            }
        });
    });
}

//! Query strings.

use pagesmith_testkit::fixtures;
use serde_json::json;

use super::Bench;

const LISTS: [&str; 2] = ["/v0/pages", "/v0/pages/search"];

impl Bench {
    async fn refuses_query(&self, path: &str, query: &str, issues: &[(&str, &str)]) {
        let answer = self.app.client().get(&format!("{path}?{query}")).await;
        let shown = format!("{path}?{query}: {}", answer.text());
        assert_eq!(answer.status.as_u16(), 400, "{shown}");
        assert_eq!(answer.json()["details"][0]["field"], "query", "{shown}");
        let mut found = answer.issues();
        found.sort();
        let mut expected: Vec<(String, String)> =
            issues.iter().map(|(code, path)| ((*code).to_owned(), (*path).to_owned())).collect();
        expected.sort();
        assert_eq!(found, expected, "{shown}");
    }
}

#[tokio::test]
async fn a_limit_is_an_integer_from_one_to_a_hundred() {
    let bench = Bench::start().await;
    let wrong = [
        ("", "invalid_type"),
        ("0", "too_small"),
        ("00", "too_small"),
        ("-1", "too_small"),
        ("101", "too_big"),
        ("1000000", "too_big"),
        ("65536", "too_big"),
        ("65537", "too_big"),
        ("1.5", "invalid_type"),
        ("1.0", "invalid_type"),
        ("1e1", "invalid_type"),
        ("abc", "invalid_type"),
        ("+5", "invalid_type"),
        ("%2B5", "invalid_type"),
        ("5%20", "invalid_type"),
        ("%205", "invalid_type"),
        ("0x10", "invalid_type"),
        ("٣", "invalid_type"),
        ("99999999999999999999999", "too_big"),
        ("null", "invalid_type"),
        ("true", "invalid_type"),
        ("5;", "invalid_type"),
        ("5,6", "invalid_type"),
        ("-99999999999999999999999", "too_small"),
        ("-", "invalid_type"),
    ];
    for path in LISTS {
        for (limit, code) in wrong {
            bench.refuses_query(path, &format!("limit={limit}"), &[(code, "limit")]).await;
        }
        bench.refuses_query(path, "limit", &[("invalid_type", "limit")]).await;
        for limit in ["1", "20", "100", "%35", "007"] {
            bench.app.client().get(&format!("{path}?limit={limit}")).await.expect(200);
        }
    }
}

#[tokio::test]
async fn a_parameter_that_stands_twice_is_refused() {
    let bench = Bench::start().await;
    for path in LISTS {
        bench.refuses_query(path, "limit=5&limit=5", &[("duplicate_key", "limit")]).await;
        bench.refuses_query(path, "limit=5&l%69mit=6", &[("duplicate_key", "limit")]).await;
        bench.refuses_query(path, "cursor=a&cursor=a", &[("duplicate_key", "cursor")]).await;
        bench
            .refuses_query(
                path,
                "cursor&limit=0&cursor&limit",
                &[("duplicate_key", "cursor"), ("duplicate_key", "limit")],
            )
            .await;
    }
    bench.refuses_query("/v0/pages/search", "query=a&query=b", &[("duplicate_key", "query")]).await;
    let link = format!("{}/link", bench.page);
    bench
        .refuses_query(&link, "tenantDomainId=a&tenantDomainId=b", &[("duplicate_key", "tenantDomainId")])
        .await;
}

#[tokio::test]
async fn unknown_parameters_are_ignored() {
    let bench = Bench::start().await;
    for query in ["x=1&x=2", "&&&", "=", "=&=", "Limit=0", "limits=0", "query", "%00=1", "include=%00"] {
        bench.app.client().get(&format!("/v0/pages?{query}")).await.expect(200);
    }
}

#[tokio::test]
async fn a_query_string_that_is_not_utf_8_is_refused_once() {
    let bench = Bench::start().await;
    for path in LISTS {
        for query in ["limit=%FF", "query=%C0%80", "x=%ED%A0%80", "%FF=1", "query=ok&x=%80"] {
            bench.refuses_query(path, query, &[("invalid_character", "")]).await;
        }
        // What is no escape stands for itself.
        for query in ["x=%", "x=%2", "x=%zz", "query=100%"] {
            bench.app.client().get(&format!("{path}?{query}")).await.expect(200);
        }
    }
}

#[tokio::test]
async fn nul_is_refused_in_known_parameters() {
    let bench = Bench::start().await;
    for path in LISTS {
        bench.refuses_query(path, "cursor=%00", &[("invalid_character", "cursor")]).await;
        bench.refuses_query(path, "limit=5%00", &[("invalid_character", "limit")]).await;
    }
    bench.refuses_query("/v0/pages/search", "query=a%00b", &[("invalid_character", "query")]).await;
    let link = format!("{}/link", bench.page);
    bench.refuses_query(&link, "tenantDomainId=%00", &[("invalid_character", "tenantDomainId")]).await;
}

#[tokio::test]
async fn a_search_has_at_most_a_thousand_characters() {
    let bench = Bench::start().await;
    let search = |text: String| {
        let client = bench.app.client();
        async move { client.get(&format!("/v0/pages/search?query={text}")).await }
    };
    // Characters, not bytes: each of these is two, and six as an escape.
    search("%C3%BC".repeat(1_000)).await.expect(200);
    search("a+".repeat(500)).await.expect(200);
    bench
        .refuses_query("/v0/pages/search", &format!("query={}", "a".repeat(1_001)), &[("too_long", "query")])
        .await;
    bench
        .refuses_query(
            "/v0/pages/search",
            &format!("limit=0&query={}", "%C3%BC".repeat(1_001)),
            &[("too_small", "limit"), ("too_long", "query")],
        )
        .await;
}

#[tokio::test]
async fn a_search_takes_every_character_as_itself() {
    let bench = Bench::start().await;
    for text in [
        "%25",
        "_",
        "%27",
        "%22",
        "%5C",
        "%3B--",
        "*",
        "%28",
        "%5B",
        "%7B%7D",
        "%24%31",
        "%3F1",
        "%F0%9F%98%80",
        "%E2%80%AE",
        "%0A",
        "%09",
    ] {
        let answer =
            bench.app.client().get(&format!("/v0/pages/search?query={text}")).await.expect(200).json();
        // Signs alone are no words, or they are not in the name.
        let total = answer["totalCount"].as_u64().unwrap();
        assert_eq!(total as usize, answer["items"].as_array().unwrap().len(), "{text}");
    }
}

#[tokio::test]
async fn a_cursor_that_is_no_cursor_is_refused() {
    let bench = Bench::start().await;
    for path in LISTS {
        for cursor in [
            "",
            "x",
            "null",
            "AAAA",
            "a%20b",
            "%F0%9F%98%80",
            "..%2F",
            "eyJpZCI6MX0",
            "AAAAAAAAAAAAAAAAAAAAAAAA",
            "AAAAAAAAAAAAAAAAAAAAAA==",
        ] {
            bench.refuses_query(path, &format!("cursor={cursor}"), &[("invalid_cursor", "cursor")]).await;
        }
        let long = "A".repeat(20_000);
        bench.refuses_query(path, &format!("cursor={long}"), &[("invalid_cursor", "cursor")]).await;
        let both = [("invalid_cursor", "cursor"), ("too_small", "limit")];
        bench.refuses_query(path, "cursor=x&limit=0", &both).await;
    }
}

/// Cursors are no secret: anyone can make one with a right digest, so what stands in it is input as well.
#[tokio::test]
async fn a_cursor_of_a_right_form_and_a_wrong_content_is_refused() {
    use pagesmith_model::cursor::{Cursor, Scope, SortKey};
    let bench = Bench::start().await;
    let tenant = bench.app.tenant.as_str();
    let (list, search) =
        (Scope::new("pages", tenant, &[]), Scope::new("pages/search", tenant, &[("query", "")]));
    let id = || SortKey::Text("page_00000000000000000000000000".to_owned());
    let text = |text: &str| SortKey::Text(text.to_owned());
    let wrong: [&[SortKey]; 6] =
        [&[], &[text("a\0b")], &[text("")], &[SortKey::Integer(1)], &[id(), id()], &[text("page_1")]];
    for position in wrong {
        let cursor = Cursor::encode(&list, position);
        bench.refuses_query("/v0/pages", &format!("cursor={cursor}"), &[("invalid_cursor", "cursor")]).await;
    }
    let wrong: [&[SortKey]; 8] = [
        &[],
        &[id()],
        &[SortKey::Integer(-1), id()],
        &[SortKey::Integer(4), id()],
        &[SortKey::Integer(i64::MAX), id()],
        &[SortKey::Integer(1), text("\0")],
        &[id(), SortKey::Integer(1)],
        &[SortKey::Integer(i64::MIN), text("")],
    ];
    for position in wrong {
        let cursor = Cursor::encode(&search, position);
        bench
            .refuses_query("/v0/pages/search", &format!("cursor={cursor}"), &[("invalid_cursor", "cursor")])
            .await;
    }
    for (path, cursor) in [
        ("/v0/pages", Cursor::encode(&list, &[id()])),
        ("/v0/pages/search", Cursor::encode(&search, &[SortKey::Integer(0), id()])),
        ("/v0/pages/search", Cursor::encode(&search, &[SortKey::Integer(3), id()])),
    ] {
        bench.app.client().get(&format!("{path}?cursor={cursor}")).await.expect(200);
    }
}

#[tokio::test]
async fn a_cursor_of_a_list_is_none_of_its_search() {
    let bench = Bench::start().await;
    let client = bench.app.client();
    let page = client.get(&bench.page).await.expect(200).json()["pageId"].clone();
    let target = json!({ "targetType": "page", "pageId": page });
    for number in 0..2 {
        let name = format!("Number {number}");
        client.post("/v0/pages", &fixtures::page(&name)).await.expect(201);
        let domain = format!("acme{number}.example");
        client
            .post("/v0/persons", &json!({ "name": name, "email": format!("jane@{domain}") }))
            .await
            .expect(201);
        client.post("/v0/topics", &json!({ "title": name })).await.expect(201);
        client.post("/v0/brands", &json!({ "name": name })).await.expect(201);
        client
            .post("/v0/page_links", &json!({ "path": format!("/l{number}"), "target": target }))
            .await
            .expect(200);
        let video = json!({ "name": name, "purpose": "", "assetType": "video", "youtubeUrl": "https://youtu.be/dQw4w9WgXcQ" });
        client.post("/v0/assets", &video).await.expect(201);
    }
    for list in ["pages", "persons", "accounts", "topics", "brands", "page_links", "assets"] {
        let (list, search) = (format!("/v0/{list}"), format!("/v0/{list}/search"));
        for (path, other) in [(&list, &search), (&search, &list)] {
            let first = client.get(&format!("{path}?limit=1")).await.expect(200).json();
            let cursor = first["nextCursor"].as_str().unwrap();
            client.get(&format!("{path}?cursor={cursor}")).await.expect(200);
            bench.refuses_query(other, &format!("cursor={cursor}"), &[("invalid_cursor", "cursor")]).await;
        }
    }
}

//! `GET /v0/files/{file_id}/content`: the bytes, and how a browser is told to treat them.

use pagesmith_testkit::TestApp;

use super::{PNG, path, upload};

#[tokio::test]
async fn the_bytes_come_back_whole_in_part_and_on_condition() {
    let app = TestApp::start().await;
    let client = app.client();
    // More than is written or read at once.
    let large: Vec<u8> = (0..3_000_000_u32).map(|at| (at % 251) as u8).collect();
    let file = upload(&client, "large.bin", &large).await;
    let content = format!("{}/content", path(&file));
    let whole = client.get(&content).await.expect(200);
    assert!(whole.bytes == large, "other bytes");
    let tag = format!("\"{}\"", file["sha256"].as_str().unwrap());
    assert_eq!(whole.header("etag"), Some(tag.as_str()));
    assert_eq!(whole.header("accept-ranges"), Some("bytes"));
    for (range, first, last) in [
        ("bytes=0-0", 0, 0),
        ("bytes=1048570-1048585", 1_048_570, 1_048_585),
        ("bytes=2999990-", 2_999_990, 2_999_999),
        ("bytes=-5", 2_999_995, 2_999_999),
        ("bytes=2999999-9999999999", 2_999_999, 2_999_999),
    ] {
        let part = client.with("range", range).get(&content).await.expect(206);
        assert_eq!(part.header("content-range").unwrap(), format!("bytes {first}-{last}/3000000"));
        assert!(part.bytes == large[first..=last], "{range}");
    }
    let behind = client.with("range", "bytes=3000000-").get(&content).await.expect(416);
    assert_eq!(behind.header("content-range"), Some("bytes */3000000"));
    for whole in ["bytes=0-1,5-6", "lines=1-2", "bytes=5-1"] {
        assert_eq!(client.with("range", whole).get(&content).await.expect(200).bytes.len(), large.len());
    }
    let part = client.with("range", "bytes=0-9");
    assert_eq!(part.with("if-range", &tag).get(&content).await.expect(206).bytes.len(), 10);
    assert_eq!(part.with("if-range", "\"another\"").get(&content).await.expect(200).bytes.len(), large.len());
    client.with("if-none-match", &tag).get(&content).await.expect(304);
    let head = client.send("HEAD", &content, None).await.expect(200);
    assert_eq!(head.header("content-length"), Some("3000000"));
}

#[tokio::test]
async fn what_a_browser_could_run_is_a_download_under_a_policy_that_runs_nothing() {
    let app = TestApp::start().await;
    let client = app.client();
    for (name, bytes, media_type, kind) in [
        ("a.png", PNG, "image/png", "inline"),
        ("a.txt", b"text", "text/plain; charset=utf-8", "inline"),
        ("a.png", b"<script>alert(1)</script>", "text/html", "attachment"),
        (
            "a.txt",
            b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
            "image/svg+xml",
            "attachment",
        ),
        ("a.html", b"harmless", "text/html", "attachment"),
        ("a.xml", b"<?xml version='1.0'?><?xml-stylesheet href='x.xsl'?><a/>", "text/xml", "attachment"),
        ("a.bin", b"\0\x01\x02", "application/octet-stream", "attachment"),
    ] {
        let file = upload(&client, name, bytes).await;
        let answer = client.get(&format!("{}/content", path(&file))).await.expect(200);
        assert_eq!(answer.header("content-type"), Some(media_type), "{name}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        let disposition = answer.header("content-disposition").unwrap();
        assert_eq!(disposition, format!("{kind}; filename=\"{name}\"; filename*=UTF-8''{name}"));
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'"), "{policy}");
        assert_eq!(policy.contains("sandbox"), kind == "attachment", "{policy}");
    }
}

#[tokio::test]
async fn bytes_that_are_gone_are_an_error_of_that_file_alone() {
    let app = TestApp::start().await;
    let client = app.client();
    let (lost, kept) = (upload(&client, "lost", b"lost").await, upload(&client, "kept", b"kept").await);
    let ids = app.files.list(&app.tenant).await.unwrap();
    app.files.remove(&app.tenant, ids.first().unwrap()).await.unwrap();
    client.get(&format!("{}/content", path(&lost))).await.expect(500);
    assert_eq!(&client.get(&format!("{}/content", path(&kept))).await.expect(200).bytes[..], b"kept");
    client.delete(&path(&lost)).await.expect(200);
}

#[tokio::test]
async fn bytes_that_are_two_things_at_once_are_served_as_one_that_runs_nothing() {
    let app = TestApp::start().await;
    let client = app.client();
    let zip: &[u8] = b"PK\x03\x04\x14\0\0\0\0\0";
    let script: &[u8] = b"*/;fetch('/v0/pages')//</svg><script>alert(1)</script>";
    for (name, head, media_type) in [
        // A picture and a script, a picture and a page, a picture and an archive.
        ("a.js", &b"GIF89a/*"[..], "image/gif"),
        ("a.html", PNG, "image/png"),
        ("a.svg", b"\xff\xd8\xff\xe0\0\x10JFIF\0", "image/jpeg"),
        // A document and a page, a document and an archive.
        ("a.html", b"%PDF-1.7\n", "application/pdf"),
        ("a.html", zip, "application/zip"),
    ] {
        let bytes = [head, script, zip].concat();
        let declared = client.with("content-type", "image/png");
        let sent = declared.send("POST", &format!("/v0/files?name={name}"), Some(bytes.clone())).await;
        let file = sent.expect(201).json();
        assert_eq!(file["contentType"], media_type, "{name}");
        let answer = client.get(&format!("{}/content", path(&file))).await.expect(200);
        assert_eq!(answer.header("content-type"), Some(media_type), "{name}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{name}");
        assert!(answer.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
        assert!(answer.bytes == bytes, "{name}");
    }
    // A page that calls itself a picture in each way that a name and a declared type can.
    let page = b"\xef\xbb\xbf <!-- GIF89a --><html><script>alert(1)</script>";
    let declared = client.with("content-type", "image/gif");
    let sent = declared.send("POST", "/v0/files?name=a.gif", Some(page.to_vec())).await.expect(201).json();
    let answer = client.get(&format!("{}/content", path(&sent))).await.expect(200);
    assert_eq!(answer.header("content-type"), Some("text/html"));
    assert!(answer.header("content-disposition").unwrap().starts_with("attachment"));
}

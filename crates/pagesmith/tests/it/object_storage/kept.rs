//! What is kept in a bucket: whole, once, and as long as something names it.

use std::time::Duration;

use pagesmith_model::FileContentId;
use pagesmith_testkit::TestApp;

use super::{Server, bytes, in_bucket, storage, sweep};

/// A day, after which bytes go that nothing uses.
const GRACE: Duration = Duration::from_hours(24);

/// More than two parts.
const LARGE: usize = 12 * 1024 * 1024 + 7;

#[tokio::test]
async fn files_come_back_as_they_were_sent_whole_or_in_parts_of_them() {
    let server = skip_without!(Server::start());
    let app = TestApp::with(in_bucket(server.endpoint.clone())).await;
    let client = app.client();
    for (name, size) in [("a byte", 1), ("small", 100), ("a part", 5 * 1024 * 1024), ("large", LARGE)] {
        let sent = bytes(size, 1);
        let file = client.upload(name, &sent).await.expect(201).json();
        let path = format!("/v0/files/{}/content", file["fileId"].as_str().unwrap());
        let got = client.get(&path).await.expect(200);
        assert!(got.bytes == sent, "{name}");
        if size > 1000 {
            let part = client.with("range", "bytes=5242870-5242879").get(&path).await.expect(206);
            assert_eq!(part.bytes, sent[5_242_870..5_242_880], "{name}");
        }
    }
    // No note is left beside an object of several parts.
    let sizes: Vec<u64> = server.content().into_iter().map(|(_, size)| size).collect();
    assert_eq!(sizes.len(), 4);
    assert!(sizes.contains(&(LARGE as u64)), "{sizes:?}");
}

#[tokio::test]
async fn a_deleted_file_leaves_the_bucket_after_a_day() {
    let server = skip_without!(Server::start());
    let app = TestApp::with(in_bucket(server.endpoint.clone())).await;
    let client = app.client();
    let (gone, kept) = (client.upload("a", b"gone").await.json(), client.upload("b", b"kept").await.json());
    client.delete(&format!("/v0/files/{}", gone["fileId"].as_str().unwrap())).await.expect(200);
    sweep(&app).await;
    assert_eq!(server.content().len(), 2);
    app.advance(GRACE);
    sweep(&app).await;
    assert_eq!(server.content().len(), 1);
    let path = format!("/v0/files/{}/content", kept["fileId"].as_str().unwrap());
    assert_eq!(&client.get(&path).await.expect(200).bytes[..], b"kept");
}

#[tokio::test]
async fn parts_that_a_crash_has_left_are_found_by_their_note_and_removed() {
    let server = skip_without!(Server::start());
    let app = TestApp::with(in_bucket(server.endpoint.clone())).await;
    let id = FileContentId::mint(app.platform.context().uuid().unwrap());
    let mut storing = app.files.begin(&app.tenant, &id);
    storing.write(&bytes(LARGE, 2)).await.unwrap();
    // As a crash leaves it: nothing of the program runs any more.
    std::mem::forget(storing);
    assert_eq!(app.files.list(&app.tenant).await.unwrap().into_iter().collect::<Vec<_>>(), [id]);
    sweep(&app).await;
    assert_eq!(app.files.list(&app.tenant).await.unwrap().len(), 1);
    app.advance(GRACE + Duration::from_secs(1));
    sweep(&app).await;
    assert_eq!(app.files.list(&app.tenant).await.unwrap().len(), 0);
    assert_eq!(server.content(), []);
}

#[tokio::test]
async fn an_upload_that_is_given_up_leaves_nothing() {
    let server = skip_without!(Server::start());
    let app = TestApp::with(in_bucket(server.endpoint.clone())).await;
    let id = FileContentId::mint(app.platform.context().uuid().unwrap());
    let mut storing = app.files.begin(&app.tenant, &id);
    storing.write(&bytes(LARGE, 3)).await.unwrap();
    storing.abort().await;
    assert_eq!(server.content(), []);
    // One that is dropped, as with a client that hangs up, removes its parts behind the caller's back.
    let mut storing = app.files.begin(&app.tenant, &id);
    storing.write(&bytes(LARGE, 4)).await.unwrap();
    drop(storing);
    while !server.content().is_empty() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_storage_serves_runtimes_that_come_and_go() {
    let server = skip_without!(Server::start());
    let files = storage(Server::options(&server.endpoint), Duration::from_secs(10));
    files.try_out().await.unwrap();
    for _ in 0..2 {
        let files = files.clone();
        let elsewhere = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(files.try_out())
        };
        tokio::task::spawn_blocking(elsewhere).await.unwrap().unwrap();
    }
    // The connections of the runtimes that are gone are not those that are used here.
    files.try_out().await.unwrap();
}

//! What is stored: once for the same bytes, as long as a file needs it, and nothing that a crash has left.

use std::time::Duration;

use pagesmith_model::FileContentId;
use pagesmith_model::file::FileName;
use pagesmith_operations::files::{self, StoredBytes};
use pagesmith_store::tables;
use pagesmith_testkit::TestApp;
use pagesmith_worker::tasks::TASKS;

use super::{path, stored, upload};

/// A day, after which bytes go that nothing uses.
const GRACE: Duration = Duration::from_hours(24);

/// Runs the tasks that remove bytes.
async fn sweep(app: &TestApp) {
    for task in TASKS.iter().filter(|task| task.name.ends_with("_files")) {
        task.run(&app.tools()).await.unwrap();
    }
}

/// Stores bytes as an upload does, up to the point where its transaction would begin.
async fn store(app: &TestApp, bytes: &[u8], sha256: [u8; 32]) -> StoredBytes {
    let content_id = FileContentId::mint(app.platform.context().uuid().unwrap());
    let mut storing = app.files.begin(&app.tenant, &content_id);
    storing.write(bytes).await.unwrap();
    storing.finish().await.unwrap();
    let (name, content_type) = (FileName::of("a"), "text/plain".to_owned());
    StoredBytes { content_id, name, content_type, size: bytes.len() as u64, sha256 }
}

async fn name(app: &TestApp, stored: &StoredBytes) {
    let (ctx, stored) = (app.platform.context().of(app.tenant.clone()), stored.clone());
    app.store.write(move |tx| files::create(tx, &ctx, &stored, u64::MAX)).await.unwrap();
}

#[tokio::test]
async fn the_same_bytes_are_kept_once_until_the_last_file_is_gone_for_a_day() {
    let app = TestApp::start().await;
    let client = app.client();
    let (one, two) = (upload(&client, "one", b"same").await, upload(&client, "two", b"same").await);
    assert_eq!(one["sha256"], two["sha256"]);
    assert_eq!(stored(&app).await, 1);
    client.delete(&path(&one)).await.expect(200);
    app.advance(2 * GRACE);
    sweep(&app).await;
    assert_eq!(&client.get(&format!("{}/content", path(&two))).await.expect(200).bytes[..], b"same");
    client.delete(&path(&two)).await.expect(200);
    sweep(&app).await;
    assert_eq!(stored(&app).await, 1);
    app.advance(GRACE);
    sweep(&app).await;
    assert_eq!(stored(&app).await, 0);
}

#[tokio::test]
async fn bytes_that_come_again_before_they_go_stay() {
    let app = TestApp::start().await;
    let client = app.client();
    let first = upload(&client, "first", b"again").await;
    client.delete(&path(&first)).await.expect(200);
    app.advance(GRACE - Duration::from_secs(1));
    let second = upload(&client, "second", b"again").await;
    app.advance(2 * GRACE);
    sweep(&app).await;
    assert_eq!(&client.get(&format!("{}/content", path(&second))).await.expect(200).bytes[..], b"again");
    assert_eq!(stored(&app).await, 1);
}

#[tokio::test]
async fn bytes_that_come_again_while_they_go_are_not_those_that_go() {
    let app = TestApp::start().await;
    let client = app.client();
    let first = upload(&client, "first", b"race").await;
    client.delete(&path(&first)).await.expect(200);
    app.advance(GRACE);
    // The sweep has forgotten the content and not yet removed its bytes, when an upload of the same ones comes to its end.
    let (tenant, now) = (app.tenant.clone(), app.platform.clock().now());
    let forgotten = app.store.write(move |tx| files::sweep::forget_unused(tx, &tenant, now)).await.unwrap();
    assert_eq!(forgotten.len(), 1);
    let second = upload(&client, "second", b"race").await;
    app.files.remove(&app.tenant, &forgotten[0]).await.unwrap();
    assert_eq!(&client.get(&format!("{}/content", path(&second))).await.expect(200).bytes[..], b"race");
    // The other way round: stored before the content is forgotten, and named after.
    client.delete(&path(&second)).await.expect(200);
    let sha256 = [7; 32];
    let arriving = store(&app, b"race", sha256).await;
    app.advance(GRACE);
    let (tenant, now) = (app.tenant.clone(), app.platform.clock().now());
    let forgotten = app.store.write(move |tx| files::sweep::forget_unused(tx, &tenant, now)).await.unwrap();
    name(&app, &arriving).await;
    for id in &forgotten {
        app.files.remove(&app.tenant, id).await.unwrap();
    }
    sweep(&app).await;
    let whole = app.files.read_whole(&app.tenant, &arriving.content_id, 4, 10).await.unwrap();
    assert_eq!(whole.as_deref(), Some(&b"race"[..]));
}

#[tokio::test]
async fn what_a_crash_leaves_is_removed_after_a_day_and_nothing_else() {
    let app = TestApp::start().await;
    let client = app.client();
    let kept = upload(&client, "kept", b"kept").await;
    // A crash after the bytes were stored, and one while they were arriving.
    store(&app, b"orphan", [1; 32]).await;
    let mut storing =
        app.files.begin(&app.tenant, &FileContentId::mint(app.platform.context().uuid().unwrap()));
    storing.write(&vec![0; 3_000_000]).await.unwrap();
    std::mem::forget(storing);
    assert_eq!(stored(&app).await, 3);
    sweep(&app).await;
    assert_eq!(stored(&app).await, 3);
    app.advance(GRACE + Duration::from_secs(1));
    let young = store(&app, b"young", [2; 32]).await;
    sweep(&app).await;
    assert_eq!(stored(&app).await, 2);
    name(&app, &young).await;
    assert_eq!(&client.get(&format!("{}/content", path(&kept))).await.expect(200).bytes[..], b"kept");
}

#[tokio::test]
async fn uploads_of_the_same_bytes_at_once_count_each_file() {
    let app = TestApp::start().await;
    let client = app.client();
    let uploads = (0..8).map(|_| {
        let client = client.clone();
        async move { upload(&client, "a", b"crowd").await }
    });
    let files = futures_util::future::join_all(uploads).await;
    assert_eq!(stored(&app).await, 1);
    let deletes = files.iter().map(|file| {
        let (client, path) = (client.clone(), path(file));
        async move { client.delete(&path).await.expect(200) }
    });
    futures_util::future::join_all(deletes).await;
    let tenant = app.tenant.clone();
    let usage = app.store.read(move |tx| tables::files::usage(tx, &tenant)).await.unwrap();
    assert_eq!(usage, (0, 0));
    app.advance(GRACE);
    sweep(&app).await;
    assert_eq!(stored(&app).await, 0);
}

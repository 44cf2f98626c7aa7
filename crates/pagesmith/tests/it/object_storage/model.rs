//! Whatever uploads, deletions, crashes and sweeps there were: in the end the bucket has the objects that files name, and no other.

use std::collections::BTreeMap;
use std::time::Duration;

use pagesmith_model::file::FileName;
use pagesmith_model::{FileContentId, TenantId};
use pagesmith_operations::files::{self, StoredBytes};
use pagesmith_testkit::TestApp;
use proptest::prelude::*;

use super::{Server, bytes, in_bucket, sweep};
use crate::property;

#[derive(Debug, Clone)]
enum Step {
    /// Bytes arrive whole; the number says which, so that the same may come twice.
    Upload(u8),
    /// More bytes than one part.
    UploadLarge(u8),
    /// One of the files goes.
    Delete(prop::sample::Index),
    /// A crash after the bytes were stored and before the transaction.
    CrashBetween(u8),
    /// A crash while parts were arriving.
    CrashWithin(u8),
    /// A crash after the database has forgotten bytes, before they were removed.
    CrashOfSweep,
    /// Hours pass.
    Wait(u8),
    Sweep,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0..4_u8).prop_map(Step::Upload),
        1 => (0..2_u8).prop_map(Step::UploadLarge),
        4 => any::<prop::sample::Index>().prop_map(Step::Delete),
        2 => (0..4_u8).prop_map(Step::CrashBetween),
        1 => (0..4_u8).prop_map(Step::CrashWithin),
        1 => Just(Step::CrashOfSweep),
        2 => (1..30_u8).prop_map(Step::Wait),
        2 => Just(Step::Sweep),
    ];
    prop::collection::vec(step, 1..12)
}

const LARGE: usize = 5 * 1024 * 1024 + 11;

#[test]
fn the_bucket_has_what_files_name_and_nothing_else() {
    let server = skip_without!(Server::start());
    property::holds_with(in_bucket(server.endpoint.clone()), 6, &steps(), async |case, steps| {
        let (app, client) = (&case.app, &case.client);
        let tenant = tenant(app, &case.tenant).await;
        let mut kept: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for step in steps {
            match step {
                Step::Upload(which) | Step::UploadLarge(which) => {
                    let size = if matches!(step, Step::Upload(_)) { 50 } else { LARGE };
                    let sent = bytes(size, which);
                    let file = client.upload("a", &sent).await.expect(201).json();
                    kept.insert(file["fileId"].as_str().unwrap().to_owned(), sent);
                }
                Step::Delete(index) if !kept.is_empty() => {
                    let id = index.get(&kept.keys().cloned().collect::<Vec<_>>()).clone();
                    client.delete(&format!("/v0/files/{id}")).await.expect(200);
                    kept.remove(&id);
                }
                Step::Delete(_) => {}
                Step::CrashBetween(which) => drop(store(app, &tenant, &bytes(50, which)).await),
                Step::CrashWithin(which) => {
                    let id = FileContentId::mint(app.platform.context().uuid().unwrap());
                    let mut storing = app.files.begin(&tenant, &id);
                    storing.write(&bytes(LARGE, which)).await.unwrap();
                    std::mem::forget(storing);
                }
                Step::CrashOfSweep => {
                    let (of, now) = (tenant.clone(), app.platform.clock().now());
                    let forget =
                        move |tx: &mut pagesmith_store::Tx<'_>| files::sweep::forget_unused(tx, &of, now);
                    app.store.write(forget).await.unwrap();
                }
                Step::Wait(hours) => app.advance(Duration::from_hours(hours.into())),
                Step::Sweep => sweep(app).await,
            }
        }
        app.advance(Duration::from_hours(25));
        sweep(app).await;
        app.advance(Duration::from_hours(25));
        sweep(app).await;
        for (id, sent) in &kept {
            let got = client.get(&format!("/v0/files/{id}/content")).await.expect(200);
            assert!(got.bytes == *sent, "{id}");
        }
        let different: std::collections::BTreeSet<&Vec<u8>> = kept.values().collect();
        assert_eq!(app.files.list(&tenant).await.unwrap().len(), different.len());
        let there =
            server.content().into_iter().filter(|(path, _)| path.to_string_lossy().contains(tenant.as_str()));
        assert_eq!(there.count(), different.len());
    });
}

async fn tenant(app: &TestApp, slug: &str) -> TenantId {
    let tenants = app.store.read(pagesmith_store::tables::tenants::list).await.unwrap();
    tenants.into_iter().find(|tenant| tenant.slug.as_str() == slug).unwrap().tenant_id
}

/// Stores bytes as an upload does, up to the point where its transaction would begin.
async fn store(app: &TestApp, tenant: &TenantId, sent: &[u8]) -> StoredBytes {
    let content_id = FileContentId::mint(app.platform.context().uuid().unwrap());
    let mut storing = app.files.begin(tenant, &content_id);
    storing.write(sent).await.unwrap();
    storing.finish().await.unwrap();
    let (name, content_type) = (FileName::of("a"), "text/plain".to_owned());
    StoredBytes { content_id, name, content_type, size: sent.len() as u64, sha256: [0; 32] }
}

//! What a trace shows of a job.

use std::sync::{Mutex, Once};

use tracing::span::{Attributes, Id};
use tracing::{Instrument, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::{LookupSpan, Registry};

use crate::database_url::DatabaseUrl;
use crate::options::StoreOptions;
use crate::store::Store;
use crate::tables::revisions;

/// The spans that tests have seen, each below which one, in their order.
static SEEN: Mutex<Vec<(&str, &str)>> = Mutex::new(Vec::new());

/// Notes each span that is made below one of a test.
struct Notes;

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Notes {
    fn on_new_span(&self, _: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let span = context.span(id).unwrap();
        if let Some(parent) = span.parent() {
            SEEN.lock().unwrap().push((parent.name(), span.name()));
        }
    }
}

/// From now on spans are noted. All tests share what notes them: whether a span is made at all is decided by the thread that meets it first, which
/// knows nothing of what another thread alone reports to.
pub(crate) fn note_spans() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| tracing::subscriber::set_global_default(Registry::default().with(Notes)).unwrap());
}

/// The spans that were made so far below those of this name.
pub(crate) fn spans_below(parent: &str) -> Vec<&'static str> {
    SEEN.lock().unwrap().iter().filter(|(of, _)| *of == parent).map(|(_, name)| *name).collect()
}

#[tokio::test]
async fn wait_and_transaction_stand_below_the_request_that_asked() {
    note_spans();
    let folder = tempfile::tempdir().unwrap();
    let url = DatabaseUrl::Sqlite(folder.path().join("test.db"));
    let store = Store::open(StoreOptions::new(url)).unwrap();
    store.migrate().await.unwrap();
    let request = tracing::info_span!(target: "span", "request of jobs");
    async {
        store.write(|tx| tx.run(revisions::raise("a")).map(drop)).await.unwrap();
        store.read(|tx| revisions::find(tx, "a")).await.unwrap();
        store.point_read(|tx| revisions::find(tx, "a")).await.unwrap();
    }
    .instrument(request)
    .await;
    let (queue, transaction) = ("database.queue", "database.transaction");
    assert_eq!(spans_below("request of jobs"), [queue, transaction, queue, transaction, transaction]);
}

//! What a trace shows of a job.

use std::sync::{Arc, Mutex};

use tracing::span::{Attributes, Id};
use tracing::{Instrument, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::{LookupSpan, Registry};

use crate::database_url::DatabaseUrl;
use crate::options::StoreOptions;
use crate::store::Store;
use crate::tables::revisions;

/// The spans that were made below one called `request`, in their order.
#[derive(Clone, Default)]
pub(crate) struct Seen(pub(crate) Arc<Mutex<Vec<&'static str>>>);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Seen {
    fn on_new_span(&self, _: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let span = context.span(id).unwrap();
        if span.parent().is_some_and(|parent| parent.name() == "request") {
            self.0.lock().unwrap().push(span.name());
        }
    }
}

/// The only test here that sets what all threads of the tests report to.
#[tokio::test]
async fn wait_and_transaction_stand_below_the_request_that_asked() {
    let seen = Seen::default();
    tracing::subscriber::set_global_default(Registry::default().with(seen.clone())).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let url = DatabaseUrl::Sqlite(folder.path().join("test.db"));
    let store = Store::open(StoreOptions::new(url)).unwrap();
    store.migrate().await.unwrap();
    let request = tracing::info_span!(target: "span", "request");
    async {
        store.write(|tx| tx.run(revisions::raise("a")).map(drop)).await.unwrap();
        store.read(|tx| revisions::find(tx, "a")).await.unwrap();
        store.point_read(|tx| revisions::find(tx, "a")).await.unwrap();
    }
    .instrument(request)
    .await;
    let (queue, transaction) = ("database.queue", "database.transaction");
    assert_eq!(*seen.0.lock().unwrap(), [queue, transaction, queue, transaction, transaction]);
}

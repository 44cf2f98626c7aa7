//! The operations on topics.

use std::sync::Arc;

use pagesmith_endpoint::endpoint;
use pagesmith_model::topic::entry::Entry;
use pagesmith_model::topic::{NewTopic, Topic, TopicPatch, TopicWithEntries};
use pagesmith_model::{Result, TopicId};
use pagesmith_operations::topics;
use pagesmith_store::tables::topics::Match;

use crate::api::topics::view::TopicView;
use crate::collection::Collection;
use crate::extract::query::Search;
use crate::extract::{Body, Call, IdempotencyKey, IfMatch, Paging, Path, Query};
use crate::reply::{DONE, Reply, Single, Success};

pub(crate) mod entries;
pub(crate) mod view;

/// Lists the topics of the tenant in the order of `sortOrder`.
///
/// Topics with the same `sortOrder` are listed in the order in which they were created.
#[endpoint]
pub(crate) async fn list_topics(call: Call, paging: Paging) -> Result<Reply<Collection<TopicView>>> {
    let list = paging.keyset(&call, "topics", &[])?;
    let found = list.read(&call, topics::list);
    let position = |(topic, _): &(Topic, Vec<Entry>)| (topic.sort_order, topic.topic_id.clone());
    list.answer(&call, found.await?, position, |(topic, entries)| view_of(topic, entries)).await
}

/// Searches the topics by title and entries, best match first.
///
/// Every word of `query` must occur in the title or at the beginning of one of the topic's entries (the first 1,000 characters of its name, its
/// text or address, and its descriptions), or one passage of an entry must have all of them, as `POST /v0/knowledge/search` finds words. The
/// ranking is that of all searches, by title. Without words every topic matches.
#[endpoint]
pub(crate) async fn search_topics(
    call: Call,
    paging: Paging,
    Query(Search(words)): Query<Search>,
) -> Result<Reply<Collection<TopicView>>> {
    let list = paging.ranked(&call, "topics/search", &[("query", &words.phrase)])?;
    let kept = Arc::clone(&call.state.passages);
    let found = list.search(&call, move |tx, ctx, after, extent| {
        topics::search(tx, ctx, (&words, &kept.postings), (after, extent))
    });
    let position = |((rank, topic), _): &(Match, Vec<Entry>)| (*rank, topic.topic_id.clone());
    list.answer(&call, found.await?, position, |((_, topic), entries)| view_of(topic, entries)).await
}

/// Creates a topic.
///
/// Without `sortOrder` the topic is placed after all others. Titles need not be unique.
#[endpoint]
pub(crate) async fn create_topic(
    call: Call,
    key: IdempotencyKey,
    Body(new): Body<NewTopic>,
) -> Result<Reply<TopicView, 201>> {
    call.change_once(key, move |tx, ctx| topics::create(tx, ctx, &new).map(TopicView::from)).await
}

/// Returns a topic with its first entries.
///
/// `GET /v0/topics/{topic_id}/entries` lists all of them.
#[endpoint]
pub(crate) async fn get_topic(call: Call, Path(topic_id): Path<TopicId>) -> Result<Single<TopicView>> {
    let topic = call.read(move |tx, ctx| topics::find(tx, ctx, &topic_id)).await?;
    Ok(Single(TopicView::from(topic)))
}

fn view_of(topic: Topic, entries: Vec<Entry>) -> TopicView {
    TopicView::from(TopicWithEntries { topic, entries })
}

/// Changes the given fields of a topic.
///
/// Fields that are left out keep their value. `{}` changes nothing and is answered with 200.
#[endpoint]
pub(crate) async fn update_topic(
    call: Call,
    Path(topic_id): Path<TopicId>,
    if_match: IfMatch,
    Body(patch): Body<TopicPatch>,
) -> Result<Reply<TopicView>> {
    let precondition = if_match.of(&call, &topic_id, topics::find, TopicView::from).await?;
    call.change(move |tx, ctx| topics::update(tx, ctx, &topic_id, &patch, &precondition).map(TopicView::from))
        .await
}

/// Deletes a topic with its entries.
///
/// The default topic cannot be deleted: that fails with 409. A deleted topic cannot be restored.
#[endpoint]
pub(crate) async fn delete_topic(
    call: Call,
    Path(topic_id): Path<TopicId>,
    if_match: IfMatch,
) -> Result<Reply<Success>> {
    let precondition = if_match.of(&call, &topic_id, topics::find, TopicView::from).await?;
    call.change(move |tx, ctx| topics::delete(tx, ctx, &topic_id, &precondition).map(|()| DONE)).await
}

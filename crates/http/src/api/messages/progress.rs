//! How far the messages of an audience are, once or as events. Ours, beyond the contract.

use std::time::Duration;

use pagesmith_endpoint::endpoint;
use pagesmith_model::{AudienceId, MessageId, PageId, Result, VersionId};
use pagesmith_operations::messages::{self, Progress};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::api::messages::view::ActiveRunView;
use crate::extract::{Call, Path};
use crate::watched::{Watched, WatchedAnswer};

/// Progress of the messages of an audience.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
#[schemars(example = json!({
    "activeRun": { "messagesProcessed": 1, "runToken": "run_01jpbz8n4xf5k9w2d7hq3mv6ta" },
    "waiting": 2,
    "lastMessageId": "message_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "versionId": "version_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "partialText": "I have made the headline",
    "operations": 1,
}))]
pub(crate) struct MessageProgress {
    /// The run that processes the messages. Null if none waits.
    active_run: Option<ActiveRunView>,
    /// Number of messages that wait, with the one that is carried out.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    waiting: i64,
    /// Id of the newest message of the conversation: one that was sent, or an answer.
    last_message_id: Option<MessageId>,
    /// Id of the version that the newest message is about: of a message that waits, the draft at the time it was accepted; of an
    /// answer, the version that was changed.
    version_id: Option<VersionId>,
    /// Answer of the tenant's model to the present message so far. Null if no model processes it.
    partial_text: Option<String>,
    /// Number of operations that the model has finished for the message at hand. They come into the draft with the answer, or
    /// when the message is interrupted.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    operations: usize,
}

impl From<Progress> for MessageProgress {
    fn from(progress: Progress) -> MessageProgress {
        MessageProgress {
            active_run: progress.run.map(ActiveRunView::from),
            waiting: progress.waiting,
            last_message_id: progress.last_message_id,
            version_id: progress.version_id,
            partial_text: progress.partial_text,
            operations: progress.operations,
        }
    }
}

impl Watched for MessageProgress {
    type Of = (PageId, AudienceId);
    const EVENT: &'static str = "progress";
    const EXAMPLE: &'static str = "{\"activeRun\":{\"messagesProcessed\":1,…},\"waiting\":2,…}";
    const INTERVAL: Duration = Duration::from_millis(250);

    async fn read(call: &Call, (page_id, audience_id): &(PageId, AudienceId)) -> Result<MessageProgress> {
        let (page_id, audience_id) = (page_id.clone(), audience_id.clone());
        call.point_read(move |tx, ctx| messages::progress(tx, ctx, &page_id, &audience_id))
            .await
            .map(MessageProgress::from)
    }

    fn is_final(&self) -> bool {
        self.active_run.is_none()
    }
}

/// Returns the progress of the messages of an audience, once or as a stream.
///
/// With `Accept: text/event-stream` the answer is a stream of server-sent events called `progress`: one at
/// once and one after every change, until no message waits any more or the key is no longer valid. If a model
/// processes the messages, `partialText` grows while it answers, about once a second. The last event has
/// `activeRun` null, and `lastMessageId` is the last answer. A tenant may have 100 streams open on a server,
/// unless the operator sets another limit; one more fails with 429.
#[endpoint]
pub(crate) async fn get_audience_message_progress(
    call: Call,
    Path(page_id): Path<PageId>,
    Path(audience_id): Path<AudienceId>,
) -> Result<WatchedAnswer<MessageProgress>> {
    WatchedAnswer::read(call, (page_id, audience_id)).await
}

//! Who listens to the stream of events of a screen. The stream ends soon after the user has signed out, or may not see the screen any more.
//!
//! Screens listen again when a stream ends, and are then told what any request is told.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Response, header};
use futures_util::{StreamExt, stream};
use pagesmith_model::user::Role;
use pagesmith_model::{TenantId, UserId, UserSessionId};
use pagesmith_operations::installation::require_operator;
use pagesmith_operations::users::{memberships, sessions};
use tokio::time::{Instant, interval_at};

use crate::installation::Installation;

/// How long a stream may go on after its session has ended.
const INTERVAL: Duration = Duration::from_secs(2);

/// Who listens, by which session, and as what.
pub(crate) struct Listener {
    pub(crate) installation: Arc<Installation>,
    pub(crate) user_id: UserId,
    pub(crate) session_id: UserSessionId,
    pub(crate) standing: ListeningAs,
}

/// As what somebody listens.
#[derive(Clone)]
pub(crate) enum ListeningAs {
    /// With a role in a tenant.
    Member(TenantId, Role),
    /// As an operator.
    Operator,
}

impl Listener {
    /// The response; a stream of events only for as long as nothing of this changes.
    pub(crate) fn attend(self, response: Response<Body>) -> Response<Body> {
        let of_type = response.headers().get(header::CONTENT_TYPE);
        if of_type.is_none_or(|of_type| of_type != "text/event-stream") {
            return response;
        }
        let checks = interval_at(Instant::now() + INTERVAL, INTERVAL);
        response.map(|events| {
            let open = (events.into_data_stream(), self, checks);
            Body::from_stream(stream::unfold(open, |(mut events, listener, mut checks)| async move {
                loop {
                    tokio::select! {
                        event = events.next() => return event.map(|event| (event, (events, listener, checks))),
                        _ = checks.tick() => if !listener.may_listen().await { return None; }
                    }
                }
            }))
        })
    }

    async fn may_listen(&self) -> bool {
        let Listener { installation, user_id, session_id, standing } = self;
        let (context, user_id) = (installation.platform.context(), user_id.clone());
        let (session_id, standing) = (session_id.clone(), standing.clone());
        let read = installation.store.read(move |tx| {
            let is_open = sessions::is_open(tx, &context, &user_id, &session_id)?;
            let stands = match &standing {
                ListeningAs::Member(tenant_id, role) => {
                    memberships::role(tx, tenant_id, &user_id)? == Some(*role)
                }
                ListeningAs::Operator => require_operator(tx, &user_id).is_ok(),
            };
            Ok(is_open && stands)
        });
        // Without the database nobody can tell.
        read.await.unwrap_or(false)
    }
}

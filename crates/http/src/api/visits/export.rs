//! The sessions of a page as a file.

use pagesmith_model::visit::session::Session;
use pagesmith_model::{AudienceId, AudienceSessionId, PageId, Result};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::visits::analytics::{self, Given, Sessions};
use pagesmith_store::{Extent, ListPart, Tx};

use crate::api::visits::session_view::{SessionExtras, SessionLine, SessionViews};
use crate::extract::Call;
use crate::file_export::{Exported, Format, PIECE, lines_of, table_of};

/// Which sessions are wanted.
#[derive(Clone)]
pub(crate) struct Selection {
    pub page_id: PageId,
    /// Those of this audience alone: see [`wanted`].
    pub audience: Option<Option<AudienceId>>,
    pub given: Given,
}

impl Selection {
    /// The sessions after a position, and how many there are in all.
    pub(super) fn list(
        &self,
        tx: &mut Tx<'_>,
        ctx: &TenantContext,
        after: Option<&AudienceSessionId>,
        extent: Extent,
    ) -> Result<Sessions> {
        let wanted = (&self.page_id, wanted(self.audience.as_ref()));
        analytics::list(tx, ctx, wanted, self.given, (after, extent))
    }
}

/// Whose sessions are wanted: all, or those of one audience. What is no id is the id of no audience, which has none.
fn wanted(audience: Option<&Option<AudienceId>>) -> Option<Option<&AudienceId>> {
    audience.map_or(Some(None), |id| id.as_ref().map(Some))
}

impl Exported for Selection {
    const NAME: &'static str = "sessions";
    const CSV_EXAMPLE: &'static str = "audienceSessionId,analyticsSessionId,audienceId,…\n";
    const LINE_EXAMPLE: &'static str = "{\"audienceSessionId\":\"session_01jpbz8n4xf5k9w2d7hq3mv6ta\",…}\n";
    type Piece = (ListPart<Session>, SessionViews);
    type After = AudienceSessionId;

    async fn read(&self, call: &Call, after: Option<AudienceSessionId>) -> Result<Self::Piece> {
        let Selection { page_id, audience, given } = self.clone();
        let read = move |tx: &mut Tx<'_>, ctx: &TenantContext| {
            let wanted = wanted(audience.as_ref());
            analytics::piece(tx, ctx, (&page_id, wanted), given, (after.as_ref(), PIECE))
        };
        let (part, place) = call.read(read).await?;
        Ok((part, SessionViews::of(call, place)))
    }

    fn last((part, _): &Self::Piece) -> Option<AudienceSessionId> {
        part.items.last().map(|session| session.session_id.clone()).filter(|_| part.more)
    }

    fn bytes((part, _): &Self::Piece) -> usize {
        part.bytes
    }

    fn written((part, views): Self::Piece, format: Format, with_heading: bool) -> Result<Vec<u8>> {
        let lines = part.items.into_iter().map(|session| {
            let extras = SessionExtras::of(&session);
            SessionLine { session: views.view(session), extras }
        });
        match format {
            Format::Ndjson => lines_of(lines),
            Format::Csv => {
                let heading = with_heading.then_some(SessionViews::COLUMNS.as_slice());
                table_of(heading, lines.map(|line| (line.session.guarded(), line.extras.guarded())))
            }
        }
    }
}

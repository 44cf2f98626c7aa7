//! Signs of life: every server notes that it is there, so that operators see which servers there are.

use pagesmith_model::Result;
use pagesmith_operations::installation;
use pagesmith_store::tables::servers::Server;

use crate::tools::{Left, Tools};

/// Notes that this server is there.
pub(crate) async fn note(tools: Tools) -> Result<Left> {
    let server = Server { seen_at: tools.platform.clock().now(), ..(*tools.server).clone() };
    tools.store.claim(move |tx| installation::note_server(tx, &server)).await?;
    Ok(Left::Nothing)
}

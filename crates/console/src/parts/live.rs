//! A part of a screen that follows what happens: an event says that it has changed, and it is fetched and drawn again.
//!
//! Events carry no content, so that what is shown has passed the same checks as any other request. Without script the part stands as
//! it was drawn. A part that somebody is typing in waits until they have left it.
//!
//! The address of the events says which state is shown, so that nothing is fetched twice when a screen opens or a browser connects again.

use maud::{Markup, html};

use crate::client::{Answered, with_query};

/// What says in the address of events which state is shown.
pub const SINCE: &str = "since";

/// What says it of the state that is followed by the same stream besides the API's events.
pub const BESIDE: &str = "beside";

/// The address of the events of a state: those of its changes after it was read, which is before what is shown was.
pub fn since(events: &str, state: &Answered) -> String {
    since_tag(events, &state.tag())
}

/// The same of a state of which a tag is known.
pub fn since_tag(events: &str, tag: &str) -> String {
    with_query(events, &[(SINCE, Some(tag))])
}

/// The address of events of the API, and with them of the changes of another state, of which this tag was shown.
pub fn and_beside(events: &str, tag: &str) -> String {
    with_query(events, &[(BESIDE, Some(tag))])
}

/// Where a part's content and its updates come from.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// A stream of server-sent events; parts with the same one share a connection.
    pub events: &'a str,
    /// The name of the events that concern this part.
    pub event: &'a str,
    /// Where its content is: a fragment, or a screen that holds an element with its id. Empty for the screen as it is shown, with the
    /// filters that were chosen meanwhile.
    pub content: &'a str,
}

/// A live part with this id and its present content.
pub fn live(id: &str, source: &Source<'_>, content: &Markup) -> Markup {
    html! {
        live-part #(id) data-events=(source.events) data-event=(source.event) data-content=(source.content) { (content) }
    }
}

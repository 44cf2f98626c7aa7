//! The editor that asks a model: a message goes in, a changed page and an answer come out, by the same operations as offline.
//!
//! The model changes the page by calling tools, which are the operations of the crate `editor`. Each call is checked when it is complete, and
//! carried out or refused; the model is told, and goes on until it calls nothing more. What was refused can be called otherwise once; what is
//! refused then is dropped, and the owner is told. Invariants: no more is asked than the budget of one message allows; the page that comes out
//! fits the schema, and is the one that went in after the operations that come out; blocks outside the selection stay byte for byte.

use std::pin::pin;
use std::sync::Arc;

use futures_util::StreamExt;
use pagesmith_editor::{Edit, EditOutcome, Reply, Request, Voice};
use pagesmith_model::brief::Brief;
use pagesmith_model::message::Role;

mod call;
mod prompt;
#[cfg(test)]
mod tests;
mod tools;
mod work;

use super::dialogue::{Call, Dialogue, Round};
use super::gateway::{Gateway, GatewayRequest, GatewayResponse};
use super::piece::{Finish, StreamPiece};
use super::{
    Form, LEAST_TOKENS, MOST_EVENTS, ModelSettings, chat, count, gateway_error, messages, refused, stream,
};
use crate::{AgentError, Usage};
use call::Growing;
use work::Work;

/// How often a model is asked for one message: what it calls, it is told the results of.
pub const MOST_ROUNDS: usize = 8;
/// The most calls of one message.
pub const MOST_CALLS: usize = 60;
/// The most characters of an answer to the owner.
const MOST_SAID: usize = 10_000;

/// A message with everything that is known for carrying it out.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    /// The message, the page, what is selected, and the last change.
    pub request: Request<'a>,
    /// What versions of the page are written from.
    pub brief: &'a Brief,
    /// What was said before, oldest first.
    pub said: &'a [(Role, String)],
}

/// Whoever follows the editing; called from inside of it, so that it must not wait for anything.
pub trait EditWatch: Send + Sync {
    /// What has been said to the owner so far.
    fn said(&self, text: &str);

    /// One more operation is finished.
    fn edited(&self, edit: &Edit);

    /// What has been used until now.
    fn used(&self, usage: Usage);
}

/// What a message came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Edited {
    /// The answer with the operations.
    pub reply: Reply,
    /// Why the model did not come to its end, if it did not.
    pub cut_off: Option<AgentError>,
}

/// An editor that asks a model.
pub struct ModelEditor {
    settings: ModelSettings,
    gateway: Arc<dyn Gateway>,
}

impl ModelEditor {
    /// An editor that asks this model through that gateway.
    pub fn new(settings: ModelSettings, gateway: Arc<dyn Gateway>) -> ModelEditor {
        ModelEditor { settings, gateway }
    }

    /// Carries a message out.
    ///
    /// # Errors
    ///
    /// If the model could not be asked, or ended without having done or said anything.
    pub async fn edit(&self, task: &Task<'_>, watch: &dyn EditWatch) -> Result<Edited, AgentError> {
        let mut usage = Usage::default();
        let mut work = Work::of(task, watch);
        let mut dialogue = prompt::dialogue(task);
        let ended = self.converse(&mut dialogue, &mut work, &mut usage).await;
        let is_empty = work.edits.is_empty() && work.said.trim().is_empty();
        match ended {
            Err(error) if work.edits.is_empty() => Err(error.after(usage)),
            Ok(()) if is_empty && work.dropped().is_empty() => {
                Err(AgentError::retry(None, "The model neither changed nor said anything.").after(usage))
            }
            ended => Ok(work.end(ended.err())),
        }
    }

    /// Asks until nothing more is called.
    async fn converse(
        &self,
        dialogue: &mut Dialogue,
        work: &mut Work<'_>,
        usage: &mut Usage,
    ) -> Result<(), AgentError> {
        let mut was_refused = false;
        for _ in 0..MOST_ROUNDS {
            let (round, finish) = self.ask(dialogue, work, usage).await?;
            match finish {
                Some(Finish::Complete) => {}
                Some(Finish::Length) => return Err(stream::too_long()),
                Some(Finish::Refused) => {
                    return Err(AgentError::permanent("The model refused to edit the page."));
                }
                None => return Err(AgentError::retry(None, "The model's answer was cut off.")),
            }
            if round.calls.is_empty() {
                return Ok(());
            }
            let has_done = round.calls.iter().any(|call| call.result.is_ok());
            // What was refused is returned once. A model that then only repeats it gets nowhere.
            if was_refused && !has_done {
                return Ok(());
            }
            was_refused |= round.calls.iter().any(|call| call.result.is_err());
            dialogue.rounds.push(round);
        }
        Err(AgentError::permanent("The model did not come to an end."))
    }

    /// Asks once, listens to the end, and carries out what is called meanwhile.
    async fn ask(
        &self,
        dialogue: &Dialogue,
        work: &mut Work<'_>,
        used: &mut Usage,
    ) -> Result<(Round, Option<Finish>), AgentError> {
        let texts: u64 = dialogue.texts().map(super::prompt::tokens).sum();
        let expected = texts + tools::tokens();
        let left = self.settings.token_budget.saturating_sub(used.total());
        let allowed = left.saturating_sub(expected).min(self.settings.most_output_tokens);
        if allowed < LEAST_TOKENS && *used == Usage::default() {
            return Err(AgentError::too_little(expected + LEAST_TOKENS));
        }
        if allowed < LEAST_TOKENS {
            return Err(AgentError::budget("The tokens allowed for one message are spent."));
        }
        let response = self.gateway.send(self.request(dialogue, allowed)).await.map_err(gateway_error)?;
        if response.status != 200 {
            return Err(refused(response).await);
        }
        let before = *used;
        used.input_tokens += expected;
        work.watch.used(*used);
        self.listen(response, work, before, used).await
    }

    fn request(&self, dialogue: &Dialogue, allowed: u64) -> GatewayRequest {
        match self.settings.form {
            Form::Chat => chat::dialogue(&self.settings, dialogue, allowed),
            Form::Messages => messages::dialogue(&self.settings, dialogue, allowed),
        }
    }

    async fn listen(
        &self,
        response: GatewayResponse,
        work: &mut Work<'_>,
        before: Usage,
        used: &mut Usage,
    ) -> Result<(Round, Option<Finish>), AgentError> {
        let mut arrivals = pin!(stream::pieces(self.settings.form, response.body).ready_chunks(MOST_EVENTS));
        let mut round = Round::default();
        let (mut growing, mut finish) = (Vec::<Growing>::new(), None);
        let mut told = Usage::default();
        // What counts as written where the server does not say how much it was.
        let mut written = String::new();
        work.begin_round();
        while let Some(events) = arrivals.next().await {
            for pieces in events {
                for piece in pieces? {
                    match piece {
                        StreamPiece::Text(text) => {
                            written.push_str(&text);
                            round.said.push_str(&text);
                            work.say(&text, MOST_SAID);
                        }
                        StreamPiece::Call { index, id, name } => {
                            // The one before is complete, even if it does not look so.
                            complete(&mut growing, &mut round, work);
                            growing.push(Growing::new(index, id, name));
                        }
                        StreamPiece::Input { index, text } => {
                            written.push_str(&text);
                            let Some(call) = growing.iter_mut().find(|call| call.index == index) else {
                                continue;
                            };
                            if call.push(&text) {
                                complete(&mut growing, &mut round, work);
                            }
                        }
                        StreamPiece::Usage(usage) => {
                            told.input_tokens = told.input_tokens.max(usage.input_tokens);
                            told.output_tokens = told.output_tokens.max(usage.output_tokens);
                        }
                        StreamPiece::Finish(reason) => finish = Some(reason),
                        StreamPiece::Failed(error) => return Err(error),
                    }
                }
                count(used, before, told, &written);
                work.watch.used(*used);
            }
            if finish.is_none() && used.total() > self.settings.token_budget {
                return Err(stream::too_long());
            }
        }
        // Of an answer that broke off, the last call may be half of one.
        if finish == Some(Finish::Complete) {
            complete(&mut growing, &mut round, work);
        }
        Ok((round, finish))
    }
}

/// Carries out the calls that are complete.
fn complete(growing: &mut Vec<Growing>, round: &mut Round, work: &mut Work<'_>) {
    for call in growing.drain(..) {
        let at = round.calls.len();
        let Growing { id, name, input, .. } = call;
        let result = work.carry_out(&name, &input);
        let id = if id.is_empty() { format!("call_{at}") } else { id };
        round.calls.push(Call { id, name, input, result });
    }
}

/// What is kept of a message whose model did not come to its end: the operations that are finished.
pub fn cut_short(request: &Request<'_>, said: &str, edits: Vec<Edit>) -> Reply {
    let voice = Voice::of(request.message, request.document);
    let mut document = request.document.clone();
    let edits: Vec<Edit> =
        edits.into_iter().filter(|edit| edit.operation.apply(&mut document).is_ok()).collect();
    Reply {
        document,
        base: request.document.clone(),
        edits,
        text: joined([said, &voice.say("unfinished", &[])]),
        outcome: EditOutcome::Done,
        understood: true,
        took_back: 0,
        writes_anew: false,
        candidates: Vec::new(),
    }
}

/// Texts, one after the other, without those that say nothing.
fn joined<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let texts: Vec<&str> = texts.into_iter().map(str::trim).filter(|text| !text.is_empty()).collect();
    texts.join("\n\n")
}

//! Asks a model for a plain text: an answer to a visitor, a summary, a description of a picture.
//!
//! There are no tools and no schema, so that a model can do nothing but say something. What it says is told while it comes, and is nobody's truth:
//! whoever asks looks at it. Invariant: no more tokens are asked for than the budget allows.

use std::pin::pin;
use std::sync::Arc;

use futures_util::StreamExt;

use super::gateway::{Gateway, GatewayRequest};
use super::piece::{Finish, StreamPiece};
use super::plain_question::PlainQuestion;
use super::{
    Form, MOST_EVENTS, ModelSettings, chat, count, gateway_error, messages, prompt, refused, stream,
};
use crate::{AgentError, Usage};

/// Fewer tokens than these give no text.
const LEAST_TOKENS: u64 = 60;
/// The tokens that a picture counts as before the server has counted it.
const PICTURE_TOKENS: u64 = 1_600;

/// Whoever follows the answer; called from inside of it, so that it must not wait for anything.
pub trait PlainWatch: Send + Sync {
    /// More of the text.
    fn text(&self, more: &str);

    /// What has been used until now.
    fn used(&self, usage: Usage);
}

/// A model that is asked for plain texts.
pub struct PlainModel {
    settings: ModelSettings,
    gateway: Arc<dyn Gateway>,
}

impl PlainModel {
    /// One that asks this model through that gateway.
    pub fn new(settings: ModelSettings, gateway: Arc<dyn Gateway>) -> PlainModel {
        PlainModel { settings, gateway }
    }

    /// Asks once and listens to the end; the whole text.
    ///
    /// # Errors
    ///
    /// If the model could not be asked or did not come to its end; what `watch` was told until then is all there is.
    pub async fn ask(&self, question: &PlainQuestion, watch: &dyn PlainWatch) -> Result<String, AgentError> {
        let mut used = Usage::default();
        self.listen(question, watch, &mut used).await.map_err(|error| error.after(used))
    }

    async fn listen(
        &self,
        question: &PlainQuestion,
        watch: &dyn PlainWatch,
        used: &mut Usage,
    ) -> Result<String, AgentError> {
        let of_picture = if question.picture.is_some() { PICTURE_TOKENS } else { 0 };
        let expected = prompt::tokens(question.system) + prompt::tokens(&question.user) + of_picture;
        let settings = &self.settings;
        let allowed = settings.token_budget.saturating_sub(expected).min(settings.most_output_tokens);
        if allowed < LEAST_TOKENS {
            return Err(AgentError::too_little(expected + LEAST_TOKENS));
        }
        let response = self.gateway.send(self.request(question, allowed)).await.map_err(gateway_error)?;
        if response.status != 200 {
            return Err(refused(response).await);
        }
        used.input_tokens = expected;
        watch.used(*used);
        let mut arrivals = pin!(stream::pieces(settings.form, response.body).ready_chunks(MOST_EVENTS));
        let (mut text, mut finish, mut told) = (String::new(), None, Usage::default());
        while let Some(events) = arrivals.next().await {
            for pieces in events {
                for piece in pieces? {
                    match piece {
                        StreamPiece::Text(more) => {
                            text.push_str(&more);
                            watch.text(&more);
                        }
                        // There are no tools to call.
                        StreamPiece::Call { .. } | StreamPiece::Input { .. } => {}
                        StreamPiece::Usage(usage) => {
                            told.input_tokens = told.input_tokens.max(usage.input_tokens);
                            told.output_tokens = told.output_tokens.max(usage.output_tokens);
                        }
                        StreamPiece::Finish(reason) => finish = Some(reason),
                        StreamPiece::Failed(error) => return Err(error),
                    }
                }
                count(used, Usage::default(), told, &text);
                watch.used(*used);
            }
            if finish.is_none() && used.total() > settings.token_budget {
                return Err(stream::too_long());
            }
        }
        match finish {
            Some(Finish::Complete) => Ok(text),
            Some(Finish::Length) => Err(stream::too_long()),
            Some(Finish::Refused) => Err(AgentError::permanent("The model refused to answer.")),
            None => Err(AgentError::retry(None, "The model's answer was cut off.")),
        }
    }

    fn request(&self, question: &PlainQuestion, allowed: u64) -> GatewayRequest {
        match self.settings.form {
            Form::Chat => chat::plain(&self.settings, question, allowed),
            Form::Messages => messages::plain(&self.settings, question, allowed),
        }
    }
}

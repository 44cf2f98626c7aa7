//! The agent that asks a model, by either of two forms of API, through a gateway that the caller passes in.
//!
//! What this is not: trust. The model is told the brief as data, and its answer goes through the same checks as a stranger's request.
//! An answer that is not valid, or says what a page must not say, is asked for once more, with what was wrong about it. What is wrong
//! about the second answer is left out, and where too little is left, the template writes.
//! Invariant: no more tokens are asked for than the budget of one generation allows, and what leaves here is a valid document in which
//! the template agent's checker finds nothing.

use std::fmt;
use std::pin::pin;
use std::sync::Arc;

pub mod addresses;
pub mod answer;
pub mod answering;
pub mod chat;
pub mod clean;
pub mod describing;
pub mod dialogue;
pub mod editing;
pub mod gateway;
pub mod growing;
pub mod messages;
pub mod piece;
pub mod plain;
pub mod plain_question;
pub mod prompt;
pub mod stream;
pub mod summing;
pub mod trial;

use futures_util::StreamExt;
use pagesmith_model::brief::Brief;
use pagesmith_model::content::Content;

use answer::Judge;
use gateway::{Gateway, GatewayError, GatewayRequest, GatewayResponse};
use growing::Growing;
use piece::{Finish, StreamPiece};

use crate::{AgentError, Answer, Author, Draft, PageAgent, Step, Usage, Watch, Writing, rules};

/// How an API is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Chat completions, as OpenAI and many others have them.
    Chat,
    /// Messages, as Anthropic has them.
    Messages,
}

/// Which model is asked, and what it may cost.
#[derive(Clone, PartialEq, Eq)]
pub struct ModelSettings {
    /// How the API is spoken to.
    pub form: Form,
    /// The address up to the version: `https://api.openai.com/v1`, `https://api.anthropic.com`.
    pub base_url: String,
    /// The model's name.
    pub model: String,
    /// The key; empty for a server that asks for none.
    pub key: String,
    /// Whether the API is given a schema for its answers; one of the chat form that refuses it is asked again without.
    pub takes_schema: bool,
    /// The most tokens of one answer.
    pub most_output_tokens: u64,
    /// The most tokens of one generation, questions and answers together.
    pub token_budget: u64,
}

/// The key is nobody's to read.
impl fmt::Debug for ModelSettings {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = out.debug_struct("ModelSettings");
        shown.field("form", &self.form).field("base_url", &self.base_url).field("model", &self.model);
        shown.field("token_budget", &self.token_budget).finish_non_exhaustive()
    }
}

/// An agent that asks a model.
pub struct Model {
    settings: ModelSettings,
    gateway: Arc<dyn Gateway>,
}

/// The most events that are judged together.
const MOST_EVENTS: usize = 256;

/// Fewer tokens than these give no page.
const LEAST_TOKENS: u64 = 500;

/// The tokens that every page takes: the instructions, the schema and the shortest answer. What the brief takes comes on top of that.
pub fn least_tokens() -> u64 {
    prompt::tokens(prompt::SYSTEM) + prompt::schema_tokens() + LEAST_TOKENS
}

/// How often a page is asked for.
const TRIES: usize = 2;

impl Model {
    /// An agent that asks this model through that gateway.
    pub fn new(settings: ModelSettings, gateway: Arc<dyn Gateway>) -> Model {
        Model { settings, gateway }
    }

    async fn generate(&self, brief: &Brief, watch: &dyn Watch) -> Result<Draft, AgentError> {
        watch.step(Step::Reading);
        let judge = Judge::of(brief);
        let mut usage = Usage::default();
        let mut issues: Vec<String> = Vec::new();
        let mut best: Option<Content> = None;
        for attempt in 0..TRIES {
            watch.step(if attempt == 0 { Step::Planning } else { Step::Again });
            let text = match self.ask(&judge, brief, &issues, watch, &mut usage).await {
                Ok(text) => text,
                // The first answer is paid for, and is a page without what was found in it.
                Err(_) if best.is_some() => break,
                Err(error) => return Err(error.after(usage)),
            };
            watch.step(Step::Checking);
            issues.clear();
            let document = match judge.document(&text) {
                Ok(document) => document,
                Err(faults) => {
                    issues = faults;
                    continue;
                }
            };
            let findings = judge.checker.check(&document.content);
            let answer = if attempt == 0 { Answer::First } else { Answer::Repaired };
            watch.found(Author::Model, answer, &rules(&findings));
            if document.faults.is_empty() && findings.is_empty() {
                best = Some(document.content);
                break;
            }
            issues.extend(document.faults.iter().cloned());
            issues.extend(findings.iter().map(|finding| {
                prompt::fault(finding, finding.block.and_then(|at| document.places.get(at).copied()))
            }));
            if document.is_page() {
                best = Some(document.content);
            }
        }
        let Some(content) = best else {
            return Err(AgentError::retry(None, "The model's answers were not valid documents.").after(usage));
        };
        let content = judge.enforced(content).unwrap_or_else(|| crate::template::composed(brief, watch));
        watch.so_far(&content);
        Ok(Draft { content, usage })
    }

    /// Asks once and listens to the end.
    async fn ask(
        &self,
        judge: &Judge<'_>,
        brief: &Brief,
        issues: &[String],
        watch: &dyn Watch,
        used: &mut Usage,
    ) -> Result<String, AgentError> {
        let question = prompt::Question::of(brief, issues);
        let expected =
            prompt::tokens(question.system) + prompt::tokens(&question.user) + prompt::schema_tokens();
        let left = self.settings.token_budget.saturating_sub(used.total());
        let allowed = left.saturating_sub(expected).min(self.settings.most_output_tokens);
        if allowed < LEAST_TOKENS && *used == Usage::default() {
            return Err(AgentError::too_little(expected + LEAST_TOKENS));
        }
        if allowed < LEAST_TOKENS {
            return Err(AgentError::budget("The tokens allowed for one generation are spent."));
        }
        let response = self.send(&question, allowed).await?;
        let before = *used;
        used.input_tokens += expected;
        watch.used(*used);
        let heard = self.listen(judge, response, watch, before, used).await?;
        match heard.finish {
            Some(Finish::Complete) => Ok(heard.text),
            Some(Finish::Length) => Err(stream::too_long()),
            Some(Finish::Refused) => Err(AgentError::permanent("The model refused to write the page.")),
            None => Err(AgentError::retry(None, "The model's answer was cut off.")),
        }
    }

    /// Sends a question and waits for the head of its answer.
    async fn send(&self, question: &prompt::Question, allowed: u64) -> Result<GatewayResponse, AgentError> {
        let takes_schema = self.settings.takes_schema;
        let request = self.request(question, allowed, takes_schema);
        let mut response = self.gateway.send(request).await.map_err(gateway_error)?;
        // Many servers speak the chat form but know nothing of schemas. The answer is checked here in any case.
        let is_about_schema = self.settings.form == Form::Chat && matches!(response.status, 400 | 422);
        if takes_schema && is_about_schema {
            let request = self.request(question, allowed, false);
            response = self.gateway.send(request).await.map_err(gateway_error)?;
        }
        if response.status == 200 { Ok(response) } else { Err(refused(response).await) }
    }

    fn request(&self, question: &prompt::Question, allowed: u64, takes_schema: bool) -> GatewayRequest {
        let settings = ModelSettings { takes_schema, ..self.settings.clone() };
        match settings.form {
            Form::Chat => chat::request(&settings, question, allowed),
            Form::Messages => messages::request(&settings, question, allowed),
        }
    }

    async fn listen(
        &self,
        judge: &Judge<'_>,
        response: GatewayResponse,
        watch: &dyn Watch,
        before: Usage,
        used: &mut Usage,
    ) -> Result<Heard, AgentError> {
        // Events that have come together are judged together: an answer that has come to its end is paid for, and is
        // good however long it was.
        let mut arrivals = pin!(stream::pieces(self.settings.form, response.body).ready_chunks(MOST_EVENTS));
        let mut heard = Heard::default();
        let mut growing = Growing::new(judge);
        let mut told = Usage::default();
        while let Some(events) = arrivals.next().await {
            for pieces in events {
                for piece in pieces? {
                    match piece {
                        // The document is the input of the one tool that there is, where the API has tools.
                        StreamPiece::Call { .. } => {}
                        StreamPiece::Text(text) | StreamPiece::Input { text, .. } => {
                            heard.text.push_str(&text);
                            if let Some(content) = growing.push(&text) {
                                watch.step(Step::Writing { blocks: content.blocks.len() });
                                watch.so_far(content);
                            }
                        }
                        StreamPiece::Usage(usage) => {
                            told.input_tokens = told.input_tokens.max(usage.input_tokens);
                            told.output_tokens = told.output_tokens.max(usage.output_tokens);
                        }
                        StreamPiece::Finish(finish) => heard.finish = Some(finish),
                        StreamPiece::Failed(error) => return Err(error),
                    }
                }
                count(used, before, told, &heard.text);
                watch.used(*used);
            }
            if heard.finish.is_none() && used.total() > self.settings.token_budget {
                return Err(stream::too_long());
            }
        }
        Ok(heard)
    }
}

/// What the generation has used: what the server told, or what the texts let expect.
fn count(used: &mut Usage, before: Usage, told: Usage, text: &str) {
    if told.input_tokens > 0 {
        used.input_tokens = before.input_tokens + told.input_tokens;
    }
    let written = if told.output_tokens > 0 { told.output_tokens } else { prompt::tokens(text) };
    used.output_tokens = before.output_tokens + written;
}

#[derive(Default)]
struct Heard {
    text: String,
    finish: Option<Finish>,
}

impl PageAgent for Model {
    fn write<'a>(&'a self, brief: &'a Brief, watch: &'a dyn Watch) -> Writing<'a> {
        Box::pin(self.generate(brief, watch))
    }
}

fn gateway_error(error: GatewayError) -> AgentError {
    match error {
        GatewayError::TimedOut => AgentError::retry(None, "The model did not answer in time."),
        GatewayError::Unreachable => AgentError::retry(
            None,
            "The model could not be reached: its name, its address or the connection to it failed.",
        ),
        GatewayError::Unsendable => {
            AgentError::permanent("The key of the model is no text that can be sent.")
        }
        GatewayError::Broken => AgentError::retry(None, "The connection to the model broke."),
    }
}

/// What an answer that is not 200 says: only its status and the kind of error, since the rest may repeat the brief.
async fn refused(response: GatewayResponse) -> AgentError {
    let after = response.retry_after;
    let mut body = response.body;
    let mut text = Vec::new();
    while text.len() < 16 * 1024 {
        match body.next().await {
            Ok(Some(chunk)) => text.extend_from_slice(&chunk),
            _ => break,
        }
    }
    let kind = piece::kind_of_error(&text).map(|kind| format!(" ({kind})")).unwrap_or_default();
    let message = format!("The model's server answered {}{kind}.", response.status);
    match response.status {
        408 | 409 | 425 | 429 | 500..=599 => AgentError::retry(after, message),
        _ => AgentError::permanent(message),
    }
}

//! The agent: who writes pages, what that may use, whether pages take questions, and a trial.

use maud::{Markup, html};
use serde_json::{Value, json};

use super::site::{change, etag, form, number};
use super::{Tab, amount, tabbed};
use crate::client::Refused;
use crate::json::{count, some, text};
use crate::notice::with_notice;
use crate::parts::badge::{Tone, badge};
use crate::parts::field::{Choice, Field, Kind};
use crate::parts::form::Form;
use crate::screens::entering::filled;
use crate::visit::{Drawn, Screen, Visit};

const AGENT: &str = "/v0/agent";
const QUESTIONS: &str = "/v0/question_settings";

/// What was refused of the screen's forms, and what a trial gave.
#[derive(Default)]
struct FormResults {
    of_agent: Option<Refused>,
    of_questions: Option<Refused>,
    of_trial: Option<Result<Value, Refused>>,
}

/// The agent, questions, and the form of a trial.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    screen(&visit, FormResults::default()).await.map(Drawn::from)
}

async fn screen(visit: &Visit, results: FormResults) -> Result<Screen, Refused> {
    let (agent, questions) = (visit.api.get(AGENT).await?, visit.api.get(QUESTIONS).await?);
    let mut fields = vec![etag(&agent)];
    fields.extend(agent_fields(visit, &agent.body));
    let whole =
        |max: &str| Kind::Number { min: Some("0".to_owned()), max: Some(max.to_owned()), whole: true };
    let limit = |name: &str, label: String, max: &str| {
        Field::new(name, label, whole(max)).required().value(count(&questions.body, name).to_string())
    };
    let shown = if questions.body["isShown"] == true { "true" } else { "" };
    let question_fields = vec![
        etag(&questions),
        Field::new("isShown", visit.text("questions-shown"), Kind::Toggle)
            .value(shown)
            .help(visit.text("questions-shown-help")),
        limit("perVisitor", visit.text("questions-per-visitor"), "1000000"),
        limit("perPage", visit.text("questions-per-page"), "1000000000"),
        limit("perTenant", visit.text("questions-per-tenant"), "1000000000"),
    ];
    let of_agent = form(visit, ("agent", "/settings/agent"), fields, results.of_agent.as_ref());
    let of_questions =
        form(visit, ("questions", "/settings/questions"), question_fields, results.of_questions.as_ref());
    let main = html! {
        section.stack { p.help { (visit.text("agent-help")) } (of_agent) }
        @if visit.may_write() {
            section.stack #trial {
                h2 { (visit.text("agent-try")) }
                p.help { (visit.text("agent-try-help")) }
                @if let Some(Ok(trial)) = &results.of_trial { (result(visit, trial)) }
                (trial_form(visit, results.of_trial.as_ref()))
            }
        }
        section.stack { h2 { (visit.text("questions")) } (of_questions) }
    };
    let of_trial = results.of_trial.and_then(Result::err);
    Ok(tabbed(visit, Tab::Agent, &main).refused(results.of_agent.or(results.of_questions).or(of_trial)))
}

fn agent_fields(visit: &Visit, agent: &Value) -> Vec<Field> {
    let own = &agent["own"];
    let server = match some(&agent["server"], "model") {
        Some(model) => visit.words.with("agent-server-model", &[("model", model.into())]),
        None => visit.text("agent-server-template"),
    };
    let kinds = vec![
        Choice::new("", visit.text("agent-server")).help(server),
        Choice::new("template", visit.text("agent-template")).help(visit.text("agent-template-help")),
        Choice::new("openai", visit.text("agent-openai")).help(visit.text("agent-openai-help")),
        Choice::new("anthropic", visit.text("agent-anthropic")).help(visit.text("agent-anthropic-help")),
    ];
    let key = if own["isKeyLost"] == true {
        visit.text("agent-key-lost")
    } else if own["hasKey"] == true {
        visit.text("agent-key-kept")
    } else {
        visit.text("agent-key-none")
    };
    let price = |name: &str, label: String| {
        Field::new(format!("own.{name}"), label, Kind::Text(Some(40)))
            .value(text(own, name))
            .help(visit.text("agent-price-help"))
    };
    let allowed = allowed(visit, count(agent, "tokenBudget"), amount(agent, "costBudget"));
    let whole = Kind::Number { min: Some("0".to_owned()), max: None, whole: true };
    let mut fields = vec![
        Field::new("own.kind", visit.text("agent-who"), Kind::Choice(kinds))
            .required()
            .value(text(own, "kind")),
        Field::new("own.baseUrl", visit.text("agent-address"), Kind::Url)
            .value(text(own, "baseUrl"))
            .help(visit.text("agent-address-help")),
        Field::new("own.model", visit.text("agent-model"), Kind::Text(Some(200))).value(text(own, "model")),
        Field::new("own.apiKey", visit.text("agent-key"), Kind::Password).help(key),
    ];
    if own["hasKey"] == true || own["isKeyLost"] == true {
        fields.push(Field::new("removeKey", visit.text("agent-key-remove"), Kind::Toggle));
    }
    fields.extend([
        price("inputPrice", visit.text("agent-input-price")),
        price("outputPrice", visit.text("agent-output-price")),
        Field::new("tokenLimit", visit.text("agent-token-limit"), whole)
            .value(count(agent, "tokenLimit").to_string())
            .help(allowed),
        Field::new("costLimit", visit.text("agent-cost-limit"), Kind::Text(Some(40)))
            .value(text(agent, "costLimit"))
            .help(visit.text("agent-limit-help")),
    ]);
    fields
}

/// What the operator allows in a month, in words.
fn allowed(visit: &Visit, tokens: u64, cost: Option<&str>) -> String {
    let words = visit.words;
    let count = ("count", tokens.into());
    match (tokens > 0, cost) {
        (false, None) => visit.text("agent-allowed-any"),
        (false, Some(cost)) => words.with("agent-allowed-cost", &[("cost", cost.into())]),
        (true, None) => words.with("agent-allowed-tokens", &[count]),
        (true, Some(cost)) => words.with("agent-allowed-both", &[count, ("cost", cost.into())]),
    }
}

fn trial_form(visit: &Visit, results: Option<&Result<Value, Refused>>) -> Markup {
    let entered = if results.is_some() { visit.entered.text("text") } else { "" };
    let fields = vec![
        Field::new("text", visit.text("agent-try-text"), Kind::LongText(Some(2_000)))
            .required()
            .value(if entered.is_empty() { visit.text("agent-try-example") } else { entered.to_owned() }),
    ];
    let (action, submit) = (visit.url("/settings/agent/try"), visit.text("agent-try"));
    let form = Form::new("try", &action, &submit, fields);
    match results {
        Some(Err(refused)) => filled(form, visit, Some(refused)).draw(visit.words),
        _ => form.draw(visit.words),
    }
}

/// The result of a trial. Reasons are those of the server, which speaks English.
fn result(visit: &Visit, trial: &Value) -> Markup {
    let used = |name: &str| visit.count(count(trial, name));
    html! {
        div.card role="status" {
            @if let Some(problem) = some(trial, "problem") {
                p { (badge(Tone::Bad, &visit.text("agent-try-failed"))) }
                p lang="en" dir="auto" { (problem) }
            } @else {
                p { (badge(Tone::Good, &visit.text("agent-try-worked"))) }
                @for line in text(trial, "text").split("\n\n") { p dir="auto" { (line) } }
            }
            @if let Some(model) = some(trial, "model") {
                p.help {
                    bdi { (model) } " · " (visit.text("tokens-read")) ": " (used("inputTokens")) " · " (visit.text("tokens-written"))
                    ": " (used("outputTokens")) " · " (used("durationMs")) " ms"
                }
            }
        }
    }
}

/// Changes who writes.
pub(crate) async fn update(visit: Visit) -> Result<Drawn, Refused> {
    let entered = &visit.entered;
    let own = entered.some("own.kind").map(|kind| {
        let key = if entered.is_on("removeKey") { Some("") } else { entered.some("own.apiKey") };
        json!({
            "kind": kind,
            "baseUrl": entered.some("own.baseUrl"),
            "model": entered.some("own.model"),
            "apiKey": key,
            "inputPrice": entered.some("own.inputPrice"),
            "outputPrice": entered.some("own.outputPrice"),
        })
    });
    let tokens = if entered.text("tokenLimit").is_empty() { json!(0) } else { number(&visit, "tokenLimit") };
    let body = json!({ "own": own, "tokenLimit": tokens, "costLimit": entered.some("costLimit") });
    match visit.api.replace(AGENT, &body, entered.some("etag")).await {
        Ok(_) => Ok(visit.moved(&with_notice("/settings/agent", "saved", ""))),
        Err(refused) => {
            let results = FormResults { of_agent: Some(refused.mendable()?), ..FormResults::default() };
            screen(&visit, results).await.map(Drawn::from)
        }
    }
}

/// Asks the agent for a few words.
pub(crate) async fn try_out(visit: Visit) -> Result<Drawn, Refused> {
    let tried = visit.api.post("/v0/agent/try", &json!({ "text": visit.entered.text("text") })).await;
    let tried = match tried {
        Ok(answered) => Ok(answered.body),
        Err(refused) => Err(refused.mendable()?),
    };
    screen(&visit, FormResults { of_trial: Some(tried), ..FormResults::default() }).await.map(Drawn::from)
}

/// Changes whether pages take questions.
pub(crate) async fn update_questions(visit: Visit) -> Result<Drawn, Refused> {
    let fields = json!({
        "isShown": visit.entered.is_on("isShown"),
        "perVisitor": number(&visit, "perVisitor"),
        "perPage": number(&visit, "perPage"),
        "perTenant": number(&visit, "perTenant"),
    });
    match change(&visit, QUESTIONS, fields).await {
        Ok(()) => Ok(visit.moved(&with_notice("/settings/agent", "saved", ""))),
        Err(refused) => {
            let results = FormResults { of_questions: Some(refused.mendable()?), ..FormResults::default() };
            screen(&visit, results).await.map(Drawn::from)
        }
    }
}

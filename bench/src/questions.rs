//! Questions of visitors on a page, among 100,000 chunks of knowledge: how long the answer takes, how many are answered, and whether all that
//! were answered are kept.
//!
//! Each question is asked by somebody new from an address of their own, so each makes a session; half of them have an answer in the knowledge.

use serde_json::{Value, json};

use crate::pairs::Caller;
use crate::report::{Bar, Figures, Report, median};
use crate::request::{ADDRESS, Template};
use crate::scenarios::measure_any;
use crate::server::Server;
use crate::setup::{Engine, Setup, key};
use crate::visits::{BROWSER, SETTINGS, Shown, host, row, shown};
use crate::{Result, client, knowledge, say};

/// Connections at which the time of an answer is measured.
const FEW: usize = 8;
/// Connections at which answers are counted.
const MANY: usize = 64;
/// How long an answer may take, in milliseconds.
const LIMIT: f64 = 30.0;
/// How many answers there must be in a second, with the embedded database.
const RATE: f64 = 1_500.0;
/// How many questions differ.
const QUESTIONS: usize = 200;

/// Measures the chosen engines.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if !setup.options.wants("questions") {
        return Ok(());
    }
    for engine in setup.engines() {
        let store = setup.store(engine, "questions")?;
        let server = setup.serve(&store, "questions", &SETTINGS)?;
        let chunks = if setup.options.quick { 10_000 } else { 100_000 };
        knowledge::fill(&store, &server, engine, chunks)?;
        let caller = Caller::new(&server, key());
        let shown = shown(&caller, 1)?;
        // No limit is reached, but each is looked at.
        let settings = json!({ "isShown": true, "perVisitor": 20, "perPage": 1_000_000_000, "perTenant": 1_000_000_000 });
        caller.ask("PUT", "/v0/question_settings", Some(&settings))?;
        store.settle()?;
        let answered = answers(setup, engine, (&server, &shown), chunks, report)?;
        // The server is killed: what it had only in memory is gone.
        drop(server);
        let server = setup.serve(&store, "questions", &SETTINGS)?;
        let kept = kept(&Caller::new(&server, key()), &shown)?;
        say(&format!(
            "{}: {kept:.0} questions are kept, at least {answered:.0} were answered",
            engine.name()
        ))?;
        if kept < answered {
            let lost = format!("{answered:.0} questions were answered, and {kept:.0} were kept");
            report.problem(format!("{}: {lost}", engine.name()));
        }
    }
    Ok(())
}

/// Measures the answers; how many there were at least.
fn answers(
    setup: &Setup,
    engine: Engine,
    (server, shown): (&Server, &Shown),
    chunks: usize,
    report: &mut Report,
) -> Result<f64> {
    let asked = questions(server, shown);
    tell_known(server, &asked, engine, report)?;
    let mut answered = 0.0;
    for connections in [FEW, MANY] {
        let mut rounds: Vec<Figures> = Vec::new();
        for _ in 0..setup.options.rounds(3) {
            let figures = measure_any(setup, server, &Template::mixed(asked.clone()), connections)?;
            report.note_errors("questions", &figures);
            say(&format!(
                "{}: {connections} connections: {:.0} answers a second, p50 {:.1?}, p99 {:.1?}",
                engine.name(),
                figures.per_second,
                figures.p50,
                figures.p99
            ))?;
            answered += (figures.per_second * setup.options.measured.as_secs_f64()).round();
            rounds.push(figures);
        }
        let name =
            format!("question of a visitor, {chunks} chunks, {connections} connections, {}", engine.name());
        if connections == FEW {
            let p99 = median(rounds.iter().map(|figures| figures.p99.as_secs_f64() * 1e3).collect());
            report.bar(Bar::at_most(format!("{name}: p99"), p99, LIMIT, "ms"));
        } else if engine == Engine::Sqlite {
            let rate = median(rounds.iter().map(|figures| figures.per_second).collect());
            report.bar(Bar::at_least(format!("{name}: durable answers"), rate, RATE, "a second"));
        }
        row(report, engine, &format!("questions, {chunks} chunks"), connections, rounds.into_iter());
    }
    Ok(answered)
}

/// What browsers send, each question as a template for many visitors.
fn questions(server: &Server, shown: &Shown) -> Vec<Template> {
    let (host, forwarded) = (host(server), format!("2001:db8:{ADDRESS}::1"));
    let heads = [
        ("user-agent", BROWSER),
        ("content-type", "application/x-www-form-urlencoded"),
        ("accept", "text/html"),
        ("sec-fetch-site", "same-origin"),
        ("x-forwarded-for", forwarded.as_str()),
    ];
    let post = |question: String| {
        let question = question.replace(' ', "+").replace('?', "%3F");
        let body = format!("ps.page={}&ps.audience={}&q={question}", shown.page, shown.audiences[0]);
        Template::post(&host, "/.pagesmith/q", &heads, &body)
    };
    knowledge::questions(QUESTIONS).into_iter().map(post).collect()
}

/// Asks some once: if nothing were known of any, an answer would be a shorter one.
fn tell_known(server: &Server, asked: &[Template], engine: Engine, report: &mut Report) -> Result<()> {
    let mut known = 0;
    for question in asked.iter().take(20) {
        let (status, head, body) = client::fetch(server.address, question)?;
        if status != 200 {
            return Err(format!("a question: {head}").into());
        }
        known += usize::from(String::from_utf8_lossy(&body).contains("<blockquote"));
    }
    say(&format!("{}: of 20 questions {known} are answered with quotations", engine.name()))?;
    if known == 0 {
        report.problem(format!("{}: nothing is known of any question", engine.name()));
    }
    Ok(())
}

/// How many questions the visits of the page have, as the API counts them.
fn kept(caller: &Caller, shown: &Shown) -> Result<f64> {
    let path = format!("/v0/pages/{}/analytics/summary", shown.page);
    let summary: Value = caller.ask("GET", &path, None)?;
    let number = |field: &str| summary[field].as_f64().ok_or_else(|| format!("no {field} in {summary}"));
    Ok((number("totalSessions")? * number("avgInteractionsPerSession")?).round())
}

//! How the installation stands: its servers, its queues, and what is wrong with what it stands on.

use std::sync::Arc;
use std::time::Duration;

use maud::{Markup, html};
use pagesmith_model::Timestamp;
use pagesmith_operations::installation::queues::{self, Queue, QueueState};
use pagesmith_operations::installation::{self, Finding, Level};

use super::{Tab, tabbed};
use crate::client::Refused;
use crate::events;
use crate::operator::OperatorVisit;
use crate::parts::badge::{Tone, badge};
use crate::parts::live::{Source, live};
use crate::parts::moment::moment;
use crate::parts::table::scrolled;
use crate::visit::Drawn;

/// How often it is looked how the queues stand, while somebody looks on.
const LOOK: Duration = Duration::from_secs(2);

/// The servers.
pub(super) async fn servers(visit: OperatorVisit) -> Result<Drawn, Refused> {
    let (found, ctx) = (visit.read(installation::servers).await?, visit.context());
    let own = env!("CARGO_PKG_VERSION");
    let main = html! {
        p.help { (visit.text("servers-help")) }
        @if found.is_empty() { p { (visit.text("servers-none")) } }
        @else {
            (scrolled(&visit.text("operator-servers"), &html! {
                thead { tr {
                    @for label in [visit.text("server-host"), visit.text("state"), visit.text("server-version"),
                        visit.text("server-started"), visit.text("server-seen")] {
                        th scope="col" { (label) }
                    }
                } }
                tbody {
                    @for server in &found {
                        tr {
                            th scope="row" { bdi { (server.host) } }
                            td {
                                @if installation::is_alive(server, &ctx) { (badge(Tone::Good, &visit.text("server-alive"))) }
                                @else { (badge(Tone::Plain, &visit.text("server-silent"))) }
                            }
                            td { (server.version) @if server.version != own { " " (badge(Tone::Warning, &visit.text("server-other-version"))) } }
                            td { (moment(visit.words, server.started_at, visit.now)) }
                            td { (moment(visit.words, server.seen_at, visit.now)) }
                        }
                    }
                }
            }))
        }
    };
    Ok(tabbed(&visit, Tab::Servers, &main).into())
}

/// The queues.
pub(super) async fn queues(visit: OperatorVisit) -> Result<Drawn, Refused> {
    let now = visit.now;
    let states = visit.read(move |tx| queues::states(tx, now)).await?;
    let shown = queue_table(&visit, &states);
    let (events, content) = (visit.url("/queues/events"), visit.url("/queues"));
    let main = html! {
        p.help { (visit.text("queues-help")) }
        (live("queues", &Source { events: &events, event: "queues", content: &content }, &shown))
    };
    Ok(tabbed(&visit, Tab::Queues, &main).into())
}

fn queue_table(visit: &OperatorVisit, states: &[QueueState]) -> Markup {
    let up_to = |count: u64| {
        let shown = visit.count(count);
        if count >= queues::MOST { format!("{shown}+") } else { shown }
    };
    html! {
        (scrolled(&visit.text("operator-queues"), &html! {
            thead { tr {
                th scope="col" { (visit.text("queue")) }
                th.number scope="col" { (visit.text("queue-due")) }
                th scope="col" { (visit.text("queue-oldest")) }
                th.number scope="col" { (visit.text("queue-running")) }
                th.number scope="col" { (visit.text("queue-again")) }
            } }
            tbody {
                @for state in states {
                    tr {
                        th scope="row" { (queue_word(visit, state.queue)) }
                        td.number { (up_to(state.due)) }
                        td { @if let Some(since) = state.oldest { (moment(visit.words, since, visit.now)) } @else { "–" } }
                        td.number { (state.running.map_or_else(|| "–".to_owned(), up_to)) }
                        td.number { (up_to(state.again)) }
                    }
                }
            }
        }))
    }
}

fn queue_word(visit: &OperatorVisit, queue: Queue) -> String {
    match queue {
        Queue::Versions => visit.text("queue-versions"),
        Queue::Messages => visit.text("queue-messages"),
        Queue::Deliveries => visit.text("queue-deliveries"),
        Queue::Readings => visit.text("queue-readings"),
        Queue::Enrichments => visit.text("queue-enrichments"),
        Queue::Pictures => visit.text("queue-pictures"),
        Queue::Descriptions => visit.text("queue-descriptions"),
        Queue::Imports => visit.text("queue-imports"),
    }
}

/// Says when the queues stand otherwise.
pub(super) async fn queue_events(visit: OperatorVisit) -> Result<Drawn, Refused> {
    let installation = Arc::clone(&visit.installation);
    let ending = installation.ending.clone();
    let next = move |known: Option<Vec<QueueState>>| {
        let installation = Arc::clone(&installation);
        async move {
            if known.is_some() {
                tokio::time::sleep(LOOK).await;
            }
            let now: Timestamp = installation.platform.clock().now();
            let states = installation.store.read(move |tx| queues::states(tx, now)).await.ok()?;
            let is_new = known.is_some_and(|known| known != states);
            Some((Some(states), is_new))
        }
    };
    Ok(Drawn::Response(events::stream("queues", None, next, ending)))
}

/// Whether the server is ready, and the button that has everything examined.
pub(super) async fn health(visit: OperatorVisit) -> Result<Drawn, Refused> {
    health_screen(&visit, None).await
}

/// Examines everything.
pub(super) async fn examine(visit: OperatorVisit) -> Result<Drawn, Refused> {
    let found = match (visit.installation.examination)() {
        Some(examination) => examination.examine().await,
        None => vec![],
    };
    health_screen(&visit, Some(&found)).await
}

async fn health_screen(visit: &OperatorVisit, found: Option<&[Finding]>) -> Result<Drawn, Refused> {
    let ready = (visit.installation.ready)().await;
    let can_examine = (visit.installation.examination)().is_some();
    let main = html! {
        section.stack {
            h2 { (visit.text("health-now")) }
            @match &ready {
                Ok(()) => { p { (badge(Tone::Good, &visit.text("health-ready"))) " " (visit.text("health-ready-text")) } }
                Err(error) => {
                    p { (badge(Tone::Bad, &visit.text("health-not-ready"))) " " (visit.text("health-not-ready-text")) }
                    p lang="en" dir="auto" { (error.detail()) }
                }
            }
        }
        section.stack {
            h2 { (visit.text("health-examined")) }
            p.help { (visit.text("health-examine-help")) }
            @if can_examine {
                form method="post" action=(visit.url("/health")) {
                    button.button.primary type="submit" { (visit.text("health-examine")) }
                }
            }
            @if let Some(found) = found { (findings(visit, found)) }
        }
    };
    Ok(tabbed(visit, Tab::Health, &main).into())
}

/// What was found. What is to be done about it is the server's to say, which speaks English.
fn findings(visit: &OperatorVisit, found: &[Finding]) -> Markup {
    html! {
        ul.plain role="status" {
            @for finding in found {
                li.card {
                    @match finding.level {
                        Level::Ok => { (badge(Tone::Good, &visit.text("level-ok"))) }
                        Level::Warn => { (badge(Tone::Warning, &visit.text("level-warn"))) }
                        Level::Fail => { (badge(Tone::Bad, &visit.text("level-fail"))) }
                    }
                    " " strong { (check_word(visit, finding.name)) }
                    p lang="en" dir="auto" { (finding.detail) }
                }
            }
        }
    }
}

fn check_word(visit: &OperatorVisit, name: &str) -> String {
    match name {
        "database" => visit.text("check-database"),
        "migrations" => visit.text("check-migrations"),
        "collation" => visit.text("check-collation"),
        "clock" => visit.text("check-clock"),
        "durability" => visit.text("check-durability"),
        "recovery" => visit.text("check-recovery"),
        "disk" => visit.text("check-disk"),
        "files" => visit.text("check-files"),
        "bucket" => visit.text("check-bucket"),
        "transport" => visit.text("check-transport"),
        other => other.to_owned(),
    }
}

//! Backups: begun now, followed, and what is there.

use std::time::Duration;

use axum::http::StatusCode;
use maud::{Markup, html};
use pagesmith_operations::installation::backups::{KeptBackup, Made, Running, State, Step};

use super::{Tab, tabbed};
use crate::client::Refused;
use crate::events;
use crate::notice::with_notice;
use crate::operator::OperatorVisit;
use crate::parts::badge::{Tone, badge};
use crate::parts::live::{Source, live};
use crate::parts::moment::moment;
use crate::parts::table::scrolled;
use crate::visit::{Drawn, Screen};
use tokio::sync::watch;

/// How long a stream says nothing before it says that it is still there.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// What became of the last backup, and those that are there.
pub(super) async fn show(visit: OperatorVisit) -> Result<Drawn, Refused> {
    screen(&visit, None).await.map(Drawn::from)
}

async fn screen(visit: &OperatorVisit, refused: Option<Refused>) -> Result<Screen, Refused> {
    let Some(backups) = (visit.installation.backups)() else {
        let main = html! { p { (visit.text("backup-no-folder")) } };
        return Ok(tabbed(visit, Tab::Backup, &main).refused(refused));
    };
    let (state, folder) = (backups.state().borrow().clone(), backups.folder());
    let kept = tokio::task::spawn_blocking(move || backups.kept()).await;
    let kept =
        kept.map_err(|_| Refused::new(StatusCode::INTERNAL_SERVER_ERROR, "The folder could not be read."))?;
    let is_running = matches!(state, State::Running(_));
    let shown = html! {
        (state_of(visit, &state))
        @if !is_running {
            form method="post" action=(visit.url("/backup")) {
                button.button.primary type="submit" { (visit.text("backup-now")) }
            }
        }
        section {
            h2 { (visit.text("backups-kept")) }
            @match &kept {
                Ok(kept) if kept.is_empty() => { p.help { (visit.text("backups-none")) } }
                Ok(kept) => { (list(visit, kept)) }
                Err(error) => { p.error lang="en" { (error.detail()) } }
            }
        }
    };
    let shown = html! { div.stack { (shown) } };
    let (events, content) = (visit.url("/backup/events"), visit.url("/backup"));
    let main = html! {
        p.help { (visit.words.with("backup-help", &[("folder", folder.as_str().into())])) }
        (live("backup", &Source { events: &events, event: "backup", content: &content }, &shown))
    };
    Ok(tabbed(visit, Tab::Backup, &main).refused(refused))
}

fn state_of(visit: &OperatorVisit, state: &State) -> Markup {
    match state {
        State::Idle => html! {},
        State::Running(Running { begun_at, step, done, whole }) => {
            let share = visit.words.percent((*done).min(*whole), (*whole).max(1));
            html! {
                div.card role="status" {
                    (badge(Tone::Busy, &visit.text("backup-running"))) " " (moment(visit.words, *begun_at, visit.now))
                    p {
                        @match step {
                            Step::Database => {
                                (visit.text("backup-database")) " " (share) " "
                                progress max=((*whole).max(1)) value=((*done).min(*whole)) aria-label=(visit.text("backup-running")) { (share) }
                            }
                            Step::Files => { (visit.text("backup-files")) }
                        }
                    }
                }
            }
        }
        State::Made(Made { begun_at, ended_at, file, bytes, files }) => {
            let seconds = ended_at.since(*begun_at).as_secs();
            html! {
                div.card role="status" {
                    (badge(Tone::Good, &visit.text("backup-made"))) " " (moment(visit.words, *ended_at, visit.now))
                    " · " (visit.words.with("seconds", &[("count", seconds.into())]))
                    p { code dir="ltr" { (file) } " · " (visit.words.bytes(*bytes)) }
                    @match files {
                        Some(files) => {
                            p { (visit.words.with("backup-with-files", &[("count", (*files).into())])) }
                        }
                        None => { p { (visit.text("backup-without-files")) } }
                    }
                    p.help { (visit.text("backup-key")) }
                }
            }
        }
        State::Failed { at, why } => html! {
            div.card role="status" {
                (badge(Tone::Bad, &visit.text("backup-failed"))) " " (moment(visit.words, *at, visit.now))
                p lang="en" dir="auto" { (why) }
            }
        },
    }
}

fn list(visit: &OperatorVisit, kept: &[KeptBackup]) -> Markup {
    html! {
        (scrolled(&visit.text("backups-kept"), &html! {
            thead { tr { th scope="col" { (visit.text("backup-file")) } th.number scope="col" { (visit.text("backup-size")) } } }
            tbody {
                @for one in kept {
                    tr { th scope="row" { code dir="ltr" { (one.name) } } td.number { (visit.words.bytes(one.bytes)) } }
                }
            }
        }))
        p.help { (visit.text("backup-restore")) " " code dir="ltr" { "pagesmith restore FILE" } }
    }
}

/// Begins a backup.
pub(super) async fn start(visit: OperatorVisit) -> Result<Drawn, Refused> {
    let Some(backups) = (visit.installation.backups)() else {
        return screen(&visit, None).await.map(Drawn::from);
    };
    match backups.start(&visit.context()).await {
        Ok(()) => Ok(visit.moved(&with_notice("/backup", "backup-started", ""))),
        Err(error) => screen(&visit, Some(Refused::of(&error))).await.map(Drawn::from),
    }
}

/// Says how far a backup is.
pub(super) async fn events(visit: OperatorVisit) -> Result<Drawn, Refused> {
    let Some(backups) = (visit.installation.backups)() else {
        return Err(Refused::new(StatusCode::NOT_FOUND, "This server makes no backups."));
    };
    let mut watched = backups.state();
    watched.mark_unchanged();
    let next = |mut watched: watch::Receiver<State>| async move {
        match tokio::time::timeout(KEEP_ALIVE, watched.changed()).await {
            Ok(changed) => changed.ok().map(|()| (watched, true)),
            Err(_) => Some((watched, false)),
        }
    };
    Ok(Drawn::Response(events::stream("backup", watched, next, visit.installation.ending.clone())))
}

//! What came of visits, in a few figures.

use maud::{Markup, html};
use serde_json::Value;

use crate::json::{count, number};
use crate::visit::Visit;

/// A share as a percentage in the user's language.
pub(crate) fn percent(visit: &Visit, share: f64) -> String {
    // To a tenth of a per cent, which is what is shown.
    visit.words.percent((share * 1000.0).round() as u64, 1000)
}

/// What came of visits, in a few figures.
pub(crate) fn figures(visit: &Visit, summary: &Value) -> Markup {
    let words = visit.words;
    let seconds = number(summary, "avgTimeSpentSeconds");
    let rate = |name: &str| percent(visit, number(summary, name).unwrap_or_default());
    html! {
        dl.cards {
            div.card { dt.help { (visit.text("visits")) } dd.stat { (visit.count(count(summary, "totalSessions"))) } }
            div.card { dt.help { (visit.text("conversion")) } dd.stat { (rate("conversionRate")) } }
            div.card { dt.help { (visit.text("forms-sent")) } dd.stat { (rate("formSubmitRate")) } }
            div.card { dt.help { (visit.text("bounces")) } dd.stat { (rate("bounceRate")) } }
            @if let Some(seconds) = seconds {
                div.card { dt.help { (visit.text("time-spent")) } dd.stat { (words.with("seconds", &[("count", (seconds.round() as i64).into())])) } }
            }
        }
    }
}

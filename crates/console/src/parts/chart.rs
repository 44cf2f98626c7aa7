//! Charts as SVG: lines for what goes on in time, bars for what is compared.
//!
//! Drawn on the server, coloured by classes, and never alone: a title says what is drawn, and a table behind it has every number.
//! Values are whole and not negative: counts.

use maud::{Markup, PreEscaped, html};

use super::chart_scale::{Scale, tenths};
use super::table::scrolled;
use crate::words::Words;

/// The plot and the room around it, in pixels.
const WIDTH: u32 = 720;
const HEIGHT: u32 = 200;
const LEFT: u32 = 64;
const TOP: u32 = 10;
const BOTTOM: u32 = 36;
/// The room that a label below the plot takes.
const LABEL: u32 = 110;

/// How many series are told apart by colour; more are not drawn and stand in the table.
pub const MOST_SERIES: usize = 4;

/// Lines or bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A line for each series.
    Line,
    /// A bar for each value, those of one place side by side.
    Bar,
}

/// One line, or the bars of one colour.
#[derive(Debug, Clone)]
pub struct Series<'a> {
    /// What it is called.
    pub name: &'a str,
    /// A value for every place; what is missing is 0.
    pub values: Vec<u64>,
}

/// A chart.
#[derive(Debug)]
pub struct Chart<'a> {
    /// Its id.
    pub id: &'a str,
    /// What it shows.
    pub title: &'a str,
    /// Lines or bars.
    pub form: Form,
    /// What the places are called: days, sources.
    pub places: &'a str,
    /// The name of every place.
    pub labels: Vec<String>,
    /// What is drawn.
    pub series: Vec<Series<'a>>,
}

impl Chart<'_> {
    fn value(&self, series: &Series<'_>, place: usize) -> u64 {
        series.values.get(place).copied().unwrap_or_default()
    }

    /// The middle of a place, in tenths of a pixel from the left.
    fn middle(&self, place: usize) -> u32 {
        let (place, count) =
            (u64::try_from(place).unwrap_or_default(), u64::try_from(self.labels.len()).unwrap_or(1));
        let width = u64::from(WIDTH - LEFT) * 10;
        let at = match self.form {
            Form::Line if count > 1 => width * place / (count - 1),
            _ => width * (2 * place + 1) / (2 * count.max(1)),
        };
        LEFT * 10 + u32::try_from(at).unwrap_or_default()
    }
}

/// Draws a chart with its legend and its table.
pub fn chart(words: Words, chart: &Chart<'_>) -> Markup {
    let is_empty = chart.labels.is_empty()
        || chart.series.iter().all(|series| series.values.iter().all(|value| *value == 0));
    html! {
        figure.chart #(chart.id) aria-labelledby={ (chart.id) "-caption" } {
            figcaption #{ (chart.id) "-caption" } {
                span.chart-title { (chart.title) }
                @if chart.series.len() > 1 {
                    ul.legend {
                        @for (at, series) in chart.series.iter().take(MOST_SERIES).enumerate() {
                            li { span.swatch.{ "series-" (at + 1) } {} (series.name) }
                        }
                    }
                }
            }
            @if is_empty { p.chart-empty { (words.text("chart-empty")) } } @else { (drawing(words, chart)) }
            @if !chart.labels.is_empty() { (data_table(words, chart)) }
        }
    }
}

fn drawing(words: Words, chart: &Chart<'_>) -> Markup {
    let drawn = || chart.series.iter().take(MOST_SERIES);
    let largest = drawn().flat_map(|series| series.values.iter().copied()).max().unwrap_or_default();
    let scale = Scale::of(largest);
    let ground = TOP + HEIGHT;
    html! {
        svg.plot viewBox={ "0 0 " (WIDTH + 10) " " (ground + BOTTOM) } role="img" aria-labelledby={ (chart.id) "-title" } {
            title #{ (chart.id) "-title" } { (words.with("chart-title", &[("title", chart.title.into())])) }
            g.grid {
                @for line in scale.lines() {
                    @let y = tenths(ground * 10 - scale.place(line, HEIGHT));
                    line x1=(LEFT) x2=(WIDTH) y1=(y) y2=(y) {}
                    text x=(LEFT - 8) y=(y) dy=".32em" text-anchor="end" { (short(words, line)) }
                }
            }
            g.places { (place_labels(chart, ground)) }
            @for (at, series) in drawn().enumerate() {
                g.{ "series-" (at + 1) } {
                    @match chart.form {
                        Form::Line => (line(chart, series, scale, ground)),
                        Form::Bar => (bars(chart, series, at, scale, ground)),
                    }
                }
            }
        }
    }
}

/// As many labels as there is room for, the first and every so-manyth after it.
fn place_labels(chart: &Chart<'_>, ground: u32) -> Markup {
    let room = usize::try_from((WIDTH - LEFT) / LABEL).unwrap_or(1).max(1);
    let every = chart.labels.len().div_ceil(room).max(1);
    let last = chart.labels.len().saturating_sub(1);
    html! {
        @for (place, label) in chart.labels.iter().enumerate().step_by(every) {
            @let anchor = if chart.form == Form::Bar || last == 0 { "middle" } else if place == 0 { "start" } else if place == last { "end" } else { "middle" };
            text x=(tenths(chart.middle(place))) y=(ground) dy="1.35em" text-anchor=(anchor) { (shortened(label, 14)) }
        }
    }
}

fn line(chart: &Chart<'_>, series: &Series<'_>, scale: Scale, ground: u32) -> Markup {
    let at = |place: usize| {
        let up = scale.place(chart.value(series, place), HEIGHT);
        (tenths(chart.middle(place)), tenths(ground * 10 - up))
    };
    let points: Vec<String> = (0..chart.labels.len()).map(at).map(|(x, y)| format!("{x},{y}")).collect();
    html! {
        @if points.len() == 1 {
            @let (x, y) = at(0);
            circle cx=(x) cy=(y) r="4" {}
        } @else {
            polyline points=(points.join(" ")) {}
        }
    }
}

fn bars(chart: &Chart<'_>, series: &Series<'_>, at: usize, scale: Scale, ground: u32) -> Markup {
    let count = u32::try_from(chart.labels.len()).unwrap_or(u32::MAX).max(1);
    let side_by_side = u32::try_from(chart.series.len().min(MOST_SERIES)).unwrap_or(1).max(1);
    // Seven tenths of a place are bars; none is wider than 48 pixels or thinner than a tenth of one.
    let width = ((WIDTH - LEFT) * 7 / count / side_by_side).clamp(1, 480);
    let offset = u32::try_from(at).unwrap_or_default() * width;
    html! {
        @for place in 0..chart.labels.len() {
            @let value = chart.value(series, place);
            // What is more than nothing is seen, if only as a pixel.
            @let up = if value == 0 { 0 } else { scale.place(value, HEIGHT).max(10) };
            @let left = chart.middle(place).saturating_sub(width * side_by_side / 2) + offset;
            @if up > 0 {
                rect x=(tenths(left)) y=(tenths(ground * 10 - up)) width=(tenths(width)) height=(tenths(up)) {
                    title { (chart.labels[place]) ": " (value) }
                }
            }
        }
    }
}

fn data_table(words: Words, chart: &Chart<'_>) -> Markup {
    html! {
        details.data {
            summary { (words.text("chart-data")) }
            (scrolled(chart.title, &html! {
                caption.unseen { (chart.title) }
                thead {
                    tr {
                        th scope="col" { (chart.places) }
                        @for series in &chart.series { th.number scope="col" { (series.name) } }
                    }
                }
                tbody {
                    @for (place, label) in chart.labels.iter().enumerate() {
                        tr {
                            th scope="row" { bdi { (label) } }
                            @for series in &chart.series { td.number { (whole(words, chart.value(series, place))) } }
                        }
                    }
                }
            }))
        }
    }
}

fn whole(words: Words, value: u64) -> String {
    words.decimal(&value.to_string())
}

/// A value of the axis in few characters.
fn short(words: Words, value: u64) -> String {
    const UNITS: [(u64, &str); 4] = [
        (1_000_000_000_000, "number-trillions"),
        (1_000_000_000, "number-billions"),
        (1_000_000, "number-millions"),
        (10_000, "number-thousands"),
    ];
    if value >= 1_000_000_000_000_000 {
        let power = value.ilog10();
        let tenths = value / 10_u64.pow(power - 1);
        return format!("{}e{power}", words.decimal(&format!("{}.{}", tenths / 10, tenths % 10)));
    }
    match UNITS.iter().find(|(least, _)| value >= *least) {
        Some((least, key)) => {
            let unit = if *least == 10_000 { 1_000 } else { *least };
            let tenth = value / (unit / 10);
            let plain = if tenth.is_multiple_of(10) {
                (tenth / 10).to_string()
            } else {
                format!("{}.{}", tenth / 10, tenth % 10)
            };
            words.with(key, &[("number", words.decimal(&plain).into())])
        }
        None => whole(words, value),
    }
}

fn shortened(text: &str, most: usize) -> PreEscaped<String> {
    let mut chars = text.chars();
    let start: String = chars.by_ref().take(most).collect();
    if chars.next().is_some() {
        html! { (start) "…" title { (text) } }
    } else {
        html! { (start) }
    }
}

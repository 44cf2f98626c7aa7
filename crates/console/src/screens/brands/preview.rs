//! How pages of a brand would look with what is entered: a card in light and in dark mode, its colours, and what of them cannot be read.
//!
//! The cards are pictures, since nothing is styled inline.

use maud::{Markup, html};
use serde_json::{Map, Value, json};

use super::{COLOURS, colour_word};
use crate::client::Refused;
use crate::entered::Entered;
use crate::json::{list_of, number, text};
use crate::parts::swatch::{is_colour, meant, swatch};
use crate::parts::table::scrolled;
use crate::visit::{Drawn, Visit};

/// The colours that are wished for, in the API's names.
pub(super) const WISHED: [&str; 4] = ["accentColor", "primaryColor", "backgroundColor", "textColor"];
/// The roundest corners that the card has, half of the height of its button.
const ROUNDEST: u64 = 18;
/// The longest names of fonts that are drawn with.
const FONTS: usize = 500;

/// What of a look can be seen.
pub(super) struct Wished {
    colours: Map<String, Value>,
    /// What was entered as a colour and is none.
    wrong: Vec<String>,
    heading_fonts: String,
    body_fonts: String,
    radius: u64,
}

impl Wished {
    fn of(value: impl Fn(&str) -> String) -> Wished {
        let (mut colours, mut wrong) = (Map::new(), vec![]);
        for name in WISHED {
            let entered = meant(&value(name));
            if is_colour(&entered) {
                colours.insert(name.to_owned(), entered.into());
            } else if !entered.is_empty() {
                wrong.push(entered);
            }
        }
        let fonts = |name: &str| value(name).chars().take(FONTS).collect::<String>();
        let (heading, body_fonts) = (fonts("headingFonts"), fonts("bodyFonts"));
        let heading_fonts = if heading.is_empty() { body_fonts.clone() } else { heading };
        let radius = value("cornerRadius").parse::<u64>().unwrap_or(ROUNDEST / 2).min(ROUNDEST);
        Wished { colours, wrong, heading_fonts, body_fonts, radius }
    }

    /// Of a brand as it is kept or proposed.
    pub(super) fn of_look(look: &Value) -> Wished {
        Wished::of(|name| match &look[name] {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => String::new(),
        })
    }

    /// Of what was entered.
    pub(super) fn entered(entered: &Entered) -> Wished {
        Wished::of(|name| entered.text(&format!("look.{name}")).to_owned())
    }
}

/// The part of a screen that shows what is entered, while it is being entered.
pub(crate) async fn part(visit: Visit) -> Result<Drawn, Refused> {
    draw(&visit, &Wished::entered(&visit.entered)).await.map(Drawn::Part)
}

/// Draws it; the form with the id `brand` is sent to be drawn again when something changes there.
pub(super) async fn draw(visit: &Visit, wished: &Wished) -> Result<Markup, Refused> {
    let asked = json!({ "look": wished.colours });
    let found = visit.api.ask("/v0/brands/preview", &asked).await?.body;
    let palette = &found["palette"];
    let wrong =
        wished.wrong.iter().map(|text| visit.words.with("colour-wrong", &[("text", text.as_str().into())]));
    let warnings: Vec<String> = wrong
        .chain(list_of(&found, "requestedColors").iter().filter_map(|wish| warning(visit, wish, palette)))
        .collect();
    Ok(html! {
        section.stack #brand-preview aria-labelledby="brand-preview-title" hx-post=(visit.url("/brands/preview")) hx-include="#brand"
            hx-trigger="input from:#brand delay:300ms" hx-target="this" hx-select="#brand-preview" hx-swap="outerMorph" {
            h2 #brand-preview-title { (visit.text("preview")) }
            p.help { (visit.text("brand-preview-help")) }
            div role="status" {
                @if !warnings.is_empty() { ul.card { @for warning in &warnings { li { (warning) } } } }
            }
            @for (mode, label) in [("light", visit.text("scheme-light")), ("dark", visit.text("scheme-dark"))] {
                figure.stack {
                    (card(visit, &palette[mode], wished, &label))
                    figcaption.help { (label) }
                }
            }
            (contrasts(visit, &found))
            (colours(visit, palette))
        }
    })
}

/// What is to be said of a colour that cannot be read where it stands.
fn warning(visit: &Visit, wish: &Value, palette: &Value) -> Option<String> {
    if wish["isReadable"] == true {
        return None;
    }
    let is_text = text(wish, "field") == "textColor";
    // A text that cannot be read is refused; a link is drawn in a colour that can be.
    let instead = if is_text { text(wish, "nearest") } else { text(&palette["light"], "link") };
    let arguments = [
        ("colour", text(wish, "color").into()),
        ("ground", text(wish, "on").into()),
        ("contrast", contrast(visit, wish).into()),
        ("nearest", instead.into()),
    ];
    Some(if is_text {
        visit.words.with("contrast-refused", &arguments)
    } else {
        visit.words.with("contrast-replaced", &arguments)
    })
}

/// A contrast, to a tenth, never rounded up: 4.49 is not enough.
fn contrast(visit: &Visit, of: &Value) -> String {
    let tenths = (number(of, "contrast").unwrap_or_default() * 10.0).floor() / 10.0;
    visit.words.decimal(&format!("{tenths:.1}"))
}

/// A card of a page in one mode.
fn card(visit: &Visit, colours: &Value, wished: &Wished, label: &str) -> Markup {
    let colour = |name: &str| text(colours, name).to_owned();
    let fonts = |names: &str| Some(names.to_owned()).filter(|names| !names.is_empty());
    html! {
        svg.sample viewBox="0 0 360 200" role="img" aria-label=(visit.words.with("brand-sample", &[("mode", label.into())])) {
            rect width="360" height="200" rx=(wished.radius) fill=(colour("background")) {}
            g font-size="14" font-family=[fonts(&wished.body_fonts)] {
                text x="24" y="52" font-size="24" font-weight="700" font-family=[fonts(&wished.heading_fonts)] fill=(colour("text")) { (visit.text("brand-sample-heading")) }
                text x="24" y="82" fill=(colour("text")) { (visit.text("brand-sample-text")) }
                text x="24" y="106" fill=(colour("link")) text-decoration="underline" { (visit.text("brand-sample-link")) }
                rect x="24" y="124" width="150" height="36" rx=(wished.radius) fill=(colour("accent")) {}
                text x="99" y="147" text-anchor="middle" fill=(colour("textOnAccent")) { (visit.text("brand-sample-button")) }
                rect x="190" y="124" width="146" height="36" rx=(wished.radius) fill=(colour("primary")) {}
                text x="263" y="147" text-anchor="middle" fill=(colour("textOnPrimary")) { (visit.text("brand-sample-area")) }
            }
        }
    }
}

/// The contrast of every text with what it stands on.
fn contrasts(visit: &Visit, found: &Value) -> Markup {
    let pairs = list_of(found, "pairs");
    let in_mode = |mode: &str| pairs.iter().filter(|pair| text(pair, "scheme") == mode).collect::<Vec<_>>();
    let (light, dark) = (in_mode("light"), in_mode("dark"));
    scrolled(
        &visit.text("contrast"),
        &html! {
            thead { tr {
                th scope="col" { (visit.text("contrast")) }
                th.number scope="col" { (visit.text("scheme-light")) }
                th.number scope="col" { (visit.text("scheme-dark")) }
            } }
            tbody {
                @for (light, dark) in light.iter().zip(&dark) {
                    tr {
                        th scope="row" { (colour_word(visit, text(light, "text"))) " – " (colour_word(visit, text(light, "ground"))) }
                        @for pair in [light, dark] {
                            @let colours = &found["palette"][text(pair, "scheme")];
                            td.number {
                                (swatch(text(colours, text(pair, "text")))) " " (swatch(text(colours, text(pair, "ground")))) " "
                                (contrast(visit, pair))
                            }
                        }
                    }
                }
            }
        },
    )
}

/// The colours of pages in light and in dark mode.
fn colours(visit: &Visit, palette: &Value) -> Markup {
    html! {
        h3 { (visit.text("palette")) }
        p.help { (visit.text("palette-help")) }
        (scrolled(&visit.text("palette"), &html! {
            thead { tr {
                th scope="col" { (visit.text("colour-of")) }
                th scope="col" { (visit.text("scheme-light")) }
                th scope="col" { (visit.text("scheme-dark")) }
            } }
            tbody {
                @for name in COLOURS {
                    tr {
                        th scope="row" { (colour_word(visit, name)) }
                        @for mode in ["light", "dark"] {
                            @let colour = text(&palette[mode], name);
                            td { (swatch(colour)) " " code { (colour) } }
                        }
                    }
                }
            }
        }))
    }
}

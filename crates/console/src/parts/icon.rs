//! Small pictures beside words: lines in the colour of the text, never the only thing that says something.

use maud::{Markup, html};

/// What an icon shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Icon {
    /// A house.
    Start,
    /// A sheet with lines.
    Page,
    /// An open book.
    Knowledge,
    /// A picture.
    Asset,
    /// A drop of colour.
    Brand,
    /// A chain.
    Link,
    /// A globe.
    Domain,
    /// A head and shoulders.
    Person,
    /// A building.
    Account,
    /// A sheet with fields.
    Form,
    /// Bars.
    Visit,
    /// A bolt.
    Webhook,
    /// Sliders.
    Settings,
    /// A magnifying glass.
    Search,
    /// Three lines.
    Menu,
    /// A cross.
    Close,
    /// Two arrow heads, up and down.
    Switch,
    /// Two sheets, one behind the other.
    Copy,
}

impl Icon {
    /// The outline, on a square of 16 units.
    fn path(self) -> &'static str {
        match self {
            Icon::Start => "M2.5 7 8 2.5 13.5 7v6.5h-4V10h-3v3.5h-4z",
            Icon::Page => "M4 1.8h5.2L12.5 5v9.2H4zM9 2v3.2h3.3M6.2 8.5h4M6.2 11h4",
            Icon::Knowledge => {
                "M8 4C6.5 2.8 4.5 2.5 2 2.8v9.7c2.5-.3 4.5 0 6 1.2 1.5-1.2 3.5-1.5 6-1.2V2.8C11.5 2.5 9.5 2.8 8 4zm0 0v9.5"
            }
            Icon::Asset => "M2 3h12v10H2zM2 11l3.5-3.5L8.5 10.5 11 8l3 3M10.5 5.8h.01",
            Icon::Brand => {
                "M8 1.8c2.6 3 4.2 5.2 4.2 7.6a4.2 4.2 0 0 1-8.4 0C3.8 7 5.4 4.8 8 1.8zM6 9.8a2 2 0 0 0 2 2"
            }
            Icon::Link => {
                "M6.5 9.5l3-3M7 4.5l1.7-1.7a2.9 2.9 0 0 1 4.1 4.1L11.3 8.5M9 11.5l-1.7 1.7a2.9 2.9 0 0 1-4.1-4.1L4.7 7.5"
            }
            Icon::Domain => {
                "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM2 8h12M8 1.8c2 1.8 2.8 3.9 2.8 6.2S10 12.4 8 14.2C6 12.4 5.2 10.3 5.2 8S6 3.6 8 1.8z"
            }
            Icon::Person => {
                "M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8zM2.5 14c.5-2.6 2.6-4 5.5-4s5 1.4 5.5 4"
            }
            Icon::Account => "M3 14V2.5h6V14M9 6h4v8M1.8 14h12.4M5 5.2h2M5 8h2M5 10.8h2",
            Icon::Form => "M2.5 2h11v12h-11zM5 5h6M5 8h6v3H5z",
            Icon::Visit => "M2 14h12M3.5 14V9M8 14V3M12.5 14V6.5",
            Icon::Webhook => "M9 1.8 3.5 9H8l-1 5.2L12.5 7H8z",
            Icon::Settings => {
                "M2 5h6M12 5h2M2 11h2M8 11h6M8 5a2 2 0 1 0 4 0 2 2 0 0 0-4 0zM4 11a2 2 0 1 0 4 0 2 2 0 0 0-4 0z"
            }
            Icon::Search => "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7 14 14",
            Icon::Menu => "M2 4h12M2 8h12M2 12h12",
            Icon::Close => "M3.5 3.5l9 9M12.5 3.5l-9 9",
            Icon::Copy => "M5.5 5.5V2h8v8H10M2.5 5.5H10V14H2.5z",
            Icon::Switch => "M5 6l3-3 3 3M5 10l3 3 3-3",
        }
    }
}

/// Draws an icon; those who hear the screen are spared it.
pub fn icon(icon: Icon) -> Markup {
    html! {
        svg.icon viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false" { path d=(icon.path()) {} }
    }
}

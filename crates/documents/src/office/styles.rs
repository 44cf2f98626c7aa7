//! The styles of a DOCX document: which of them are headings or items of lists. Their ids are in the writer's language, their names are not.

use std::collections::HashMap;

use super::xml::{self, Node};
use crate::refusal::Refusal;

/// How far a style is followed to the one that it is based on.
const FARTHEST: usize = 10;

/// What paragraphs of a style are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Role {
    /// The level, if they are headings.
    pub(super) heading: Option<u8>,
    /// Whether they are items of a list.
    pub(super) is_item: bool,
}

#[derive(Debug, Default)]
struct Style {
    role: Role,
    based_on: Option<String>,
}

/// The styles by their ids.
#[derive(Debug, Default)]
pub(super) struct Styles(HashMap<String, Style>);

impl Styles {
    /// Reads the part with the styles.
    pub(super) fn read(text: &str) -> Result<Styles, Refusal> {
        let mut styles = HashMap::new();
        let mut current: Option<(String, Style)> = None;
        xml::walk(text, |node| match node {
            Node::Open("style", attributes) => {
                let id = attributes.get("styleId").unwrap_or_default();
                current = Some((id, Style::default()));
            }
            Node::Close("style") => styles.extend(current.take()),
            Node::Open(name, attributes) => {
                let (Some((_, style)), Some(value)) = (&mut current, attributes.get("val")) else { return };
                match name {
                    "name" => style.role = of_name(&value, style.role),
                    "basedOn" => style.based_on = Some(value),
                    "outlineLvl" => style.role.heading = style.role.heading.or_else(|| level(&value)),
                    _ => {}
                }
            }
            _ => {}
        })?;
        Ok(Styles(styles))
    }

    /// What paragraphs of the style with this id are.
    pub(super) fn role(&self, id: &str) -> Role {
        let mut next = Some(id);
        for _ in 0..FARTHEST {
            let Some(style) = next.and_then(|id| self.0.get(id)) else { break };
            if style.role != Role::default() {
                return style.role;
            }
            next = style.based_on.as_deref();
        }
        // A document without that style may name it all the same.
        if self.0.contains_key(id) { Role::default() } else { of_name(id, Role::default()) }
    }
}

/// What a style of this name is.
fn of_name(name: &str, before: Role) -> Role {
    let name = name.to_lowercase();
    let digits = name.strip_prefix("heading").map(str::trim);
    let heading = match digits.and_then(|digits| digits.parse::<u8>().ok()) {
        Some(level @ 1..=9) => Some(level.min(6)),
        _ if name == "title" => Some(1),
        _ => before.heading,
    };
    let is_item = ["list bullet", "list number"].iter().any(|prefix| name.starts_with(prefix));
    Role { heading, is_item: before.is_item || is_item }
}

/// The level of a heading at this place of the outline; 9 is text.
pub(super) fn level(outline: &str) -> Option<u8> {
    outline.parse::<u8>().ok().filter(|level| *level < 9).map(|level| (level + 1).min(6))
}

//! XML as a walk over elements and texts, by local names. Entities that a document defines itself are left out.

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesStart, Event};

use crate::refusal::Refusal;

/// What is met on a walk.
pub(super) enum Node<'a> {
    /// An element begins.
    Open(&'a str, Attributes<'a>),
    /// An element ends.
    Close(&'a str),
    /// A part of a text.
    Text(&'a str),
}

/// The attributes of an element.
pub(super) struct Attributes<'a>(&'a BytesStart<'a>);

impl Attributes<'_> {
    /// The value of the attribute with this local name.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        let found = self.0.attributes().flatten().find(|found| local(found.key.as_ref()) == name)?;
        Some(found.normalized_value(XmlVersion::Implicit1_0).ok()?.into_owned())
    }

    /// The value of the attribute with this prefix and local name.
    pub(super) fn prefixed(&self, suffix: &str) -> Option<String> {
        let is_it = |key: &[u8]| key.contains(&b':') && local(key) == suffix;
        let found = self.0.attributes().flatten().find(|found| is_it(found.key.as_ref()))?;
        Some(found.normalized_value(XmlVersion::Implicit1_0).ok()?.into_owned())
    }

    /// Whether a switch with this value is on: one without a value is.
    pub(super) fn is_on(&self) -> bool {
        !matches!(self.get("val").as_deref(), Some("0" | "false" | "off"))
    }
}

/// Shows every node to `visit`.
pub(super) fn walk(text: &str, mut visit: impl FnMut(Node<'_>)) -> Result<(), Refusal> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    reader.config_mut().allow_dangling_amp = true;
    let broken = |_| Refusal::Broken;
    loop {
        match reader.read_event().map_err(broken)? {
            Event::Start(start) => {
                let name = start.local_name();
                visit(Node::Open(std::str::from_utf8(name.as_ref()).unwrap_or_default(), Attributes(&start)));
            }
            Event::End(end) => {
                let name = end.local_name();
                visit(Node::Close(std::str::from_utf8(name.as_ref()).unwrap_or_default()));
            }
            Event::Text(text) => visit(Node::Text(&text.decode().unwrap_or_default())),
            Event::CData(text) => visit(Node::Text(&text.decode().unwrap_or_default())),
            Event::GeneralRef(reference) => {
                let name = reference.decode().unwrap_or_default();
                match reference.resolve_char_ref() {
                    Ok(Some(char)) => visit(Node::Text(char.encode_utf8(&mut [0; 4]))),
                    _ => visit(Node::Text(resolve_xml_entity(&name).unwrap_or_default())),
                }
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// The local name of the first element.
pub(super) fn root(text: &str) -> Option<String> {
    let mut reader = Reader::from_str(text);
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) | Event::Empty(start) => {
                return String::from_utf8(start.local_name().as_ref().to_vec()).ok();
            }
            Event::Eof => return None,
            _ => {}
        }
    }
}

fn local(key: &[u8]) -> &str {
    let start = key.iter().position(|byte| *byte == b':').map_or(0, |at| at + 1);
    std::str::from_utf8(&key[start..]).unwrap_or_default()
}

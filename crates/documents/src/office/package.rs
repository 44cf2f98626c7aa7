//! The archive of a document: its parts and how they refer to each other. What is unpacked in all is bounded.

use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::xml::{self, Node};
use crate::charset;
use crate::refusal::Refusal;

/// How many bytes are unpacked of a document.
const MOST_UNPACKED: u64 = 64 * 1024 * 1024;

/// An archive that is being read.
pub(super) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    left: u64,
}

/// A part of a document.
pub(super) struct PackagePart {
    name: String,
    pub(super) text: String,
}

/// A reference from one part to another.
#[derive(Debug)]
pub(super) struct Relationship {
    pub(super) id: String,
    kind: String,
    target: String,
}

impl Relationship {
    /// Whether it is of the kind with that last word.
    pub(super) fn is(&self, kind: &str) -> bool {
        self.kind.rsplit('/').next() == Some(kind)
    }
}

impl<'a> Package<'a> {
    /// Opens an archive.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Package<'a>, Refusal> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| Refusal::Broken)?;
        Ok(Package { archive, left: MOST_UNPACKED })
    }

    /// The part of this name.
    pub(super) fn part(&mut self, name: &str) -> Result<Option<PackagePart>, Refusal> {
        let mut file = match self.archive.by_name(name) {
            Ok(file) => file,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => return Err(Refusal::Protected),
            Err(_) => return Err(Refusal::Broken),
        };
        let mut bytes = Vec::new();
        let read = file.by_ref().take(self.left + 1).read_to_end(&mut bytes);
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.left = self.left.checked_sub(length).ok_or(Refusal::Unpacked)?;
        read.map_err(|_| Refusal::Broken)?;
        Ok(Some(PackagePart { name: name.to_owned(), text: charset::decode(&bytes, None) }))
    }

    /// The part that the package is about.
    pub(super) fn main(&mut self) -> Result<Option<PackagePart>, Refusal> {
        let Some(root) = self.part("_rels/.rels")? else { return Ok(None) };
        let relationships = relationships(&root.text)?;
        let Some(main) = relationships.iter().find(|relationship| relationship.is("officeDocument")) else {
            return Ok(None);
        };
        self.part(&resolved("", &main.target))
    }

    /// What a part refers to.
    pub(super) fn relationships(&mut self, part: &PackagePart) -> Result<Vec<Relationship>, Refusal> {
        let (folder, name) = part.name.rsplit_once('/').unwrap_or(("", &part.name));
        let of = resolved(folder, &format!("_rels/{name}.rels"));
        self.part(&of)?.map_or(Ok(vec![]), |found| relationships(&found.text))
    }

    /// The part that a part refers to.
    pub(super) fn follow(
        &mut self,
        from: &PackagePart,
        to: &Relationship,
    ) -> Result<Option<PackagePart>, Refusal> {
        let folder = from.name.rsplit_once('/').map_or("", |(folder, _)| folder);
        self.part(&resolved(folder, &to.target))
    }

    /// The title that the document has among its properties.
    pub(super) fn title(&mut self) -> Result<Option<String>, Refusal> {
        let Some(properties) = self.part("docProps/core.xml")? else { return Ok(None) };
        let (mut title, mut is_in) = (None, false);
        // A title that cannot be read is none.
        let _ = xml::walk(&properties.text, |node| match node {
            Node::Open("title", _) => is_in = true,
            Node::Close("title") => is_in = false,
            Node::Text(text) if is_in => title.get_or_insert_with(String::new).push_str(text),
            _ => {}
        });
        Ok(title)
    }
}

/// The references of a list of them, but those that lead outside.
fn relationships(text: &str) -> Result<Vec<Relationship>, Refusal> {
    let mut found = Vec::new();
    xml::walk(text, |node| {
        let Node::Open("Relationship", attributes) = node else { return };
        if attributes.get("TargetMode").as_deref() == Some("External") {
            return;
        }
        let [id, kind, target] =
            ["Id", "Type", "Target"].map(|name| attributes.get(name).unwrap_or_default());
        found.push(Relationship { id, kind, target });
    })?;
    Ok(found)
}

/// The name of a part that is referred to from a folder.
fn resolved(folder: &str, target: &str) -> String {
    let (folder, target) = match target.strip_prefix('/') {
        Some(target) => ("", target),
        None => (folder, target),
    };
    let mut path: Vec<&str> = Vec::new();
    for step in folder.split('/').chain(target.split('/')) {
        match step {
            "" | "." => {}
            ".." => drop(path.pop()),
            step => path.push(step),
        }
    }
    path.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_found_from_its_folder() {
        for (folder, target, expected) in [
            ("", "word/document.xml", "word/document.xml"),
            ("ppt", "slides/slide1.xml", "ppt/slides/slide1.xml"),
            ("ppt/slides", "../media/a.png", "ppt/media/a.png"),
            ("ppt", "/docProps/core.xml", "docProps/core.xml"),
            ("a", "../../../b", "b"),
        ] {
            assert_eq!(resolved(folder, target), expected);
        }
    }
}

//! Links as lines of text, `text | address`, and back. In a link block, `# heading` begins a group, which an empty line ends.
//!
//! Invariant: what is written as lines reads back as the same links, or is not written as lines at all.

use serde_json::{Value, json};

use crate::json::text;

/// Which links a block has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// Links and groups of links.
    Navigation,
    /// Groups of links.
    Footer,
}

impl BlockKind {
    /// The kind of this name in the API.
    pub fn of(name: &str) -> BlockKind {
        if name == "footer" { BlockKind::Footer } else { BlockKind::Navigation }
    }
}

/// One link of a line. The last bar between spaces divides it, since an address has no space; else the last bar does.
fn link(line: &str) -> Option<(&str, &str)> {
    let (said, url) = line.rsplit_once(" | ").or_else(|| line.rsplit_once('|'))?;
    let (said, url) = (said.trim(), url.trim());
    (!said.is_empty() && !url.is_empty()).then_some((said, url))
}

/// The links of lines; the number of the first line that is none.
pub(crate) fn links(lines: &str) -> Result<Vec<Value>, usize> {
    let written = lines.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    written
        .map(|(at, line)| {
            let (said, url) = link(line).ok_or(at + 1)?;
            Ok(json!({ "text": said, "url": url }))
        })
        .collect()
}

/// The lines of links.
pub(crate) fn of_links(links: &Value) -> String {
    let links = links.as_array().map(Vec::as_slice).unwrap_or_default();
    links.iter().map(line_of).collect::<Vec<_>>().join("\n")
}

fn line_of(link: &Value) -> String {
    format!("{} | {}", text(link, "text"), text(link, "url"))
}

/// The links of a block; the number of the first line that says none. In a footer, every link stands below a heading.
pub(crate) fn block(lines: &str, kind: BlockKind) -> Result<Value, usize> {
    let mut entries: Vec<Value> = vec![];
    let mut is_in_group = false;
    for (at, line) in lines.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() {
            is_in_group = false;
        } else if let Some(title) = line.strip_prefix('#') {
            let mut group = json!({ "title": title.trim(), "links": [] });
            if kind == BlockKind::Navigation {
                group["type"] = "group".into();
            }
            entries.push(group);
            is_in_group = true;
        } else {
            let (said, url) = link(line).ok_or(at + 1)?;
            let group = entries.last_mut().filter(|_| is_in_group);
            match group.and_then(|group| group["links"].as_array_mut()) {
                Some(links) => links.push(json!({ "text": said, "url": url })),
                None if kind == BlockKind::Footer => return Err(at + 1),
                None => entries.push(json!({ "type": "link", "text": said, "url": url })),
            }
        }
    }
    Ok(Value::Array(entries))
}

/// The lines of a block's links; nothing if lines cannot say them, such as an entry of a type that is not known here.
pub(crate) fn of_block(links: &Value, kind: BlockKind) -> Option<String> {
    let mut lines = String::new();
    for entry in links.as_array()? {
        if let Some(inner) = entry["links"].as_array() {
            lines.push_str(&format!("# {}\n", text(entry, "title")));
            for link in inner {
                lines.push_str(&format!("{}\n", line_of(link)));
            }
            lines.push('\n');
        } else {
            lines.push_str(&format!("{}\n", line_of(entry)));
        }
    }
    (block(&lines, kind).ok()? == without_ids(links)).then(|| lines.trim_end().to_owned())
}

fn without_ids(links: &Value) -> Value {
    match links {
        Value::Array(entries) => entries.iter().map(without_ids).collect(),
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, _)| *name != "id");
            Value::Object(kept.map(|(name, value)| (name.clone(), without_ids(value))).collect())
        }
        other => other.clone(),
    }
}

/// The same links with the ids of those that stood in the block before, so that a link that stays keeps its id.
pub(crate) fn with_ids(links: &mut Value, before: &Value) {
    let mut known: Vec<&Value> = before.as_array().into_iter().flatten().collect();
    for entry in links.as_array_mut().into_iter().flatten() {
        let is_group = entry["links"].is_array();
        let same = |old: &&Value| {
            if is_group {
                old["links"].is_array() && old["title"] == entry["title"]
            } else {
                !old["links"].is_array() && old["text"] == entry["text"] && old["url"] == entry["url"]
            }
        };
        if let Some(at) = known.iter().position(same) {
            let old = known.remove(at);
            if let Some(id) = old["id"].as_str() {
                entry["id"] = id.into();
            }
            if is_group {
                with_ids(&mut entry["links"], &old["links"]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_are_links_and_a_wrong_one_is_told() {
        let expected = json!([
            { "text": "Imprint", "url": "https://example.com/imprint" },
            { "text": "A | B", "url": "/b" },
            { "text": "C", "url": "/c?d|e" },
        ]);
        let read = links("Imprint | https://example.com/imprint\n\n A | B | /b \nC | /c?d|e");
        assert_eq!(read, Ok(expected.as_array().unwrap().clone()));
        assert_eq!(of_links(&expected), "Imprint | https://example.com/imprint\nA | B | /b\nC | /c?d|e");
        assert_eq!(links("A | /a\nB"), Err(2));
        assert_eq!(links("| /a"), Err(1));
    }

    #[test]
    fn headings_make_groups() {
        let lines = "Prices | /prices\n# Company\nTeam | /team\n\nContact | /contact";
        let read = block(lines, BlockKind::Navigation).unwrap();
        assert_eq!(
            read,
            json!([
                { "type": "link", "text": "Prices", "url": "/prices" },
                { "type": "group", "title": "Company", "links": [{ "text": "Team", "url": "/team" }] },
                { "type": "link", "text": "Contact", "url": "/contact" },
            ])
        );
        assert_eq!(block(lines, BlockKind::Footer), Err(1));
        assert_eq!(block("# Legal\nImprint | /i\n\nLost | /l", BlockKind::Footer), Err(4));
        let badge = json!([{ "type": "badge", "id": "new", "text": "New", "url": "/new" }]);
        assert_eq!(of_block(&badge, BlockKind::Navigation), None);
        assert_eq!(
            of_block(&json!([{ "title": "#", "links": [] }]), BlockKind::Footer),
            Some("# #".to_owned())
        );
    }

    #[test]
    fn a_link_that_stays_keeps_its_id() {
        let before = json!([
            { "type": "link", "id": "a", "text": "A", "url": "/a" },
            { "type": "group", "id": "g", "title": "G", "links": [{ "id": "b", "text": "B", "url": "/b" }] },
        ]);
        let mut after = block("# G\nNew | /n\nB | /b\n\nA | /a\nA | /a", BlockKind::Navigation).unwrap();
        with_ids(&mut after, &before);
        assert_eq!(after[0]["id"], "g");
        assert_eq!(after[0]["links"][0]["id"], Value::Null);
        assert_eq!(after[0]["links"][1]["id"], "b");
        assert_eq!(after[1]["id"], "a");
        assert_eq!(after[2]["id"], Value::Null, "an id is given once");
    }

    fn some_links() -> impl Strategy<Value = Vec<(String, String)>> {
        prop::collection::vec(("[\\PC\n]{0,12}", "[a-z/|# ]{0,8}"), 0..4)
    }

    proptest! {
        #[test]
        fn what_lines_say_reads_back_as_the_same(groups in prop::collection::vec(("\\PC{0,8}", some_links()), 0..4), is_footer: bool) {
            let kind = if is_footer { BlockKind::Footer } else { BlockKind::Navigation };
            let entries: Vec<Value> = groups.iter().map(|(title, links)| {
                let links: Vec<Value> = links.iter().map(|(text, url)| json!({ "text": text, "url": url })).collect();
                let mut group = json!({ "title": title, "links": links });
                if !is_footer { group["type"] = "group".into(); }
                group
            }).collect();
            let links = Value::Array(entries);
            if let Some(lines) = of_block(&links, kind) {
                prop_assert_eq!(block(&lines, kind), Ok(links));
            }
        }

        #[test]
        fn no_text_breaks_the_reader(lines in "[\\PC\n|#]{0,200}") {
            for kind in [BlockKind::Navigation, BlockKind::Footer] {
                if let Ok(read) = block(&lines, kind) {
                    prop_assert!(of_block(&read, kind).is_some_and(|again| block(&again, kind) == Ok(read.clone())));
                }
            }
        }
    }
}

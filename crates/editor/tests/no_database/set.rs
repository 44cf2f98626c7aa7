//! The public set: documents, requests with what must change, and how a reply is scored.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use pagesmith_editor::operation::Operation;
use pagesmith_editor::{Document, EarlierChange, EditOutcome, Material, Reply, Request, Selection, edit};
use serde::Deserialize;
use serde_json::{Value, json};

/// A document of the set.
#[derive(Debug, Clone, Deserialize)]
pub struct Page {
    pub document: Document,
    pub material: Material,
}

/// A request of the set.
#[derive(Debug, Clone)]
pub struct Case {
    pub page: String,
    pub selection: Option<Selection>,
    pub message: String,
    pub expected: Vec<String>,
}

/// What a reply did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    pub exact: bool,
    pub collateral: bool,
    pub valid: bool,
    pub undone: bool,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// The documents by their names.
pub fn pages() -> BTreeMap<String, Page> {
    let files = std::fs::read_dir(folder().join("documents")).unwrap();
    files
        .map(|file| file.unwrap().path())
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let page: Page = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            (name, page)
        })
        .collect()
}

/// The names of the files of requests.
pub fn files() -> Vec<String> {
    let files = std::fs::read_dir(folder().join("requests")).unwrap();
    files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
}

/// The requests of a file.
pub fn cases(file: &str) -> Vec<Case> {
    let text = std::fs::read_to_string(folder().join("requests").join(file)).unwrap();
    text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).map(case).collect()
}

fn case(line: &str) -> Case {
    let (head, rest) = line.split_once(": ").unwrap();
    let (message, expected) = rest.rsplit_once(" => ").unwrap();
    let (page, selection) = match head.split_once(" @") {
        None => (head, None),
        Some((page, at)) => {
            let (block, path) = match at.split_once('/') {
                None => (at, None),
                Some((block, path)) => (block, Some(format!("/{path}"))),
            };
            (page, Some(Selection { block_id: block.to_owned(), path }))
        }
    };
    let expected = expected.split(" ; ").map(|one| one.trim().to_owned()).collect();
    Case { page: page.to_owned(), selection, message: message.replace("\\n", "\n"), expected }
}

/// What was done before a message that takes something back: the last block but one was removed.
fn earlier(document: &Document) -> (Document, Vec<EarlierChange>) {
    let blocks = &document.content.blocks;
    let at = blocks.len() - 2;
    let block = serde_json::to_value(&blocks[at]).unwrap();
    let after = blocks[at - 1].block_id().map(ToOwned::to_owned);
    let operation = Operation::Remove { block, after };
    let mut changed = document.clone();
    operation.apply(&mut changed).unwrap();
    (changed, vec![EarlierChange { operations: vec![operation], ..EarlierChange::default() }])
}

/// Runs a request, and says how good the reply is.
pub fn score(page: &Page, case: &Case) -> (Score, Reply) {
    let (before, earlier) = match case.expected.as_slice() {
        [one] if one == "undo" => earlier(&page.document),
        _ => (page.document.clone(), vec![]),
    };
    let request = Request {
        message: &case.message,
        document: &before,
        selection: case.selection.as_ref(),
        material: &page.material,
        earlier: &earlier,
    };
    let reply = edit(&request);
    let mut undone = reply.document.clone();
    let undoes = reply.edits.iter().rev().all(|edit| edit.operation.inverse().apply(&mut undone).is_ok());
    let bytes = |document: &Document| serde_json::to_string(document).unwrap();
    let score = Score {
        exact: if earlier.is_empty() {
            is_exact(page, case, &reply)
        } else {
            reply.document == page.document
        },
        collateral: earlier.is_empty() && has_collateral(page, case, &reply),
        valid: is_valid(&reply.document),
        undone: undoes && bytes(&undone) == bytes(&reply.base),
    };
    (score, reply)
}

/// Whether a page fits the schema of contents and the rules that a schema cannot say.
pub fn is_valid(document: &Document) -> bool {
    let schema =
        schemars::SchemaGenerator::default().into_root_schema_for::<pagesmith_model::content::Content>();
    let schema = jsonschema::validator_for(&schema.to_value()).unwrap();
    schema.is_valid(&serde_json::to_value(&document.content).unwrap())
        && document.content.issues(&|_| true).is_empty()
}

fn order(document: &Document) -> Vec<String> {
    document.content.blocks.iter().filter_map(|block| block.block_id().map(ToOwned::to_owned)).collect()
}

fn value(document: &Document, id: &str) -> Value {
    let found = document.content.blocks.iter().find(|block| block.block_id() == Some(id));
    found.map_or(Value::Null, |block| serde_json::to_value(block).unwrap())
}

/// The block and the place of `block/path`.
fn place(text: &str) -> (&str, String) {
    text.split_once('/').map_or((text, String::new()), |(block, path)| (block, format!("/{path}")))
}

/// Whether the page is just as it must be.
fn is_exact(page: &Page, case: &Case, reply: &Reply) -> bool {
    let mut wanted = page.document.clone();
    let after = &reply.document;
    for expected in &case.expected {
        let (verb, rest) = expected.split_once(' ').unwrap_or((expected, ""));
        match verb {
            "refuse" => {
                return matches!(reply.outcome, EditOutcome::Refused | EditOutcome::NotUnderstood)
                    && *after == wanted;
            }
            "ask" => {
                let named: BTreeSet<&str> = reply.candidates.iter().map(String::as_str).collect();
                let all: BTreeSet<&str> = rest.split_whitespace().collect();
                return reply.outcome == EditOutcome::Asked && *after == wanted && named == all;
            }
            _ if !apply(&mut wanted, after, verb, rest, &page.material) => return false,
            _ => {}
        }
    }
    reply.outcome == EditOutcome::Done && *after == wanted
}

/// Changes the wanted page as an expectation says; what is only bounded is taken over from the reply once it fits.
#[expect(clippy::too_many_lines, reason = "one arm for each kind of expectation")]
fn apply(wanted: &mut Document, after: &Document, verb: &str, rest: &str, material: &Material) -> bool {
    let (target, text) = rest.split_once(" = ").unwrap_or((rest, ""));
    let ids: Vec<&str> = target.split_whitespace().collect();
    let mut order_of = order(wanted);
    let at = |order: &[String], id: &str| order.iter().position(|one| one == id).unwrap();
    match verb {
        "remove" => wanted.content.blocks.retain(|block| block.block_id() != Some(target)),
        "first" | "last" | "before" | "after" | "swap" => {
            match verb {
                "swap" => {
                    let (one, other) = (at(&order_of, ids[0]), at(&order_of, ids[1]));
                    order_of.swap(one, other);
                }
                _ => {
                    let id = order_of.remove(at(&order_of, ids[0]));
                    let to = match verb {
                        // The opening of a page stays where it is.
                        "first" => 1,
                        "last" => order_of.len(),
                        "before" => at(&order_of, ids[1]),
                        _ => at(&order_of, ids[1]) + 1,
                    };
                    order_of.insert(to, id);
                }
            }
            wanted.content.blocks.sort_by_key(|block| at(&order_of, block.block_id().unwrap()));
        }
        "set" => return put(wanted, target, Some(json!(text))),
        "unset" => return put(wanted, target, None),
        "drop" => {
            let (list, index) = target.rsplit_once('/').unwrap();
            let (block, path) = place(list);
            let mut items = value(wanted, block).pointer(&path).unwrap().as_array().unwrap().clone();
            items.remove(index.parse().unwrap());
            return put(wanted, list, Some(Value::Array(items)));
        }
        "set-list" => {
            let (block, path) = place(target);
            let items = value(wanted, block).pointer(&path).unwrap().as_array().unwrap().clone();
            let items = text.split(' ').map(|index| items[index.parse::<usize>().unwrap()].clone()).collect();
            return put(wanted, target, Some(Value::Array(items)));
        }
        "add-item" => {
            let (block, path) = place(target);
            let count = |document: &Document| {
                value(document, block).pointer(&path).map_or(0, |list| list.as_array().unwrap().len())
            };
            let grown = count(after) == count(wanted) + 1;
            return grown && put(wanted, target, value(after, block).pointer(&path).cloned());
        }
        "actions" => {
            let shown = value(after, target)["actionIds"].clone();
            return shown[0] == text && put(wanted, &format!("{target}/actionIds"), Some(shown));
        }
        "shorten" | "lengthen" => {
            let (block, path) = place(target);
            let (old, new) = (value(wanted, block), value(after, block));
            let (Some(old), Some(new)) = (old.pointer(&path), new.pointer(&path)) else { return false };
            let (old, new) = (old.as_str().unwrap(), new.as_str().unwrap());
            let fits = if verb == "shorten" {
                keeps(old, new)
            } else {
                new.starts_with(old) && new.len() > old.len() && grows_by_facts(old, new, material)
            };
            return fits && put(wanted, target, Some(json!(new)));
        }
        "insert" => {
            let (kind, behind) = rest.split_once(" after ").unwrap_or((rest, ""));
            let new = after.content.blocks.iter().position(|block| {
                let block = serde_json::to_value(block).unwrap();
                block["type"] == kind && !order_of.iter().any(|id| block["blockId"] == id.as_str())
            });
            let Some(new) = new else { return false };
            let place = if behind.is_empty() { order_of.len() - 1 } else { at(&order_of, behind) + 1 };
            wanted.content.blocks.insert(place, after.content.blocks[new].clone());
        }
        "head" => {
            let slot = match target {
                "title" => &mut wanted.head.title,
                "description" => &mut wanted.head.description,
                "keywords" => &mut wanted.head.keywords,
                _ => return false,
            };
            *slot = Some(text.to_owned()).filter(|text| !text.is_empty());
        }
        "context" => wanted.context = Some(rest.trim_start_matches("= ").replace("\\n", "\n")),
        _ => panic!("'{verb}' is no expectation"),
    }
    true
}

fn put(wanted: &mut Document, target: &str, to: Option<Value>) -> bool {
    let (block, path) = place(target);
    let from = value(wanted, block).pointer(&path).cloned();
    let operation = Operation::Set { block_id: block.to_owned(), path, from, to };
    operation.apply(wanted).is_ok()
}

/// The names in the documents, as somebody who reads them finds them.
const NAMES: [&str; 38] = [
    "Valley",
    "Harbour",
    "Maria",
    "Silva",
    "Smith",
    "Ada",
    "Lovelace",
    "Grace",
    "Hopper",
    "Frankfurt",
    "Ledgerly",
    "ISO",
    "CFO",
    "Baum",
    "Nürnberg",
    "Planwerk",
    "Sabine",
    "Krause",
    "Uwe",
    "Lang",
    "Luna",
    "Gómez",
    "Lucía",
    "Pedro",
    "Ruiz",
    "Sevilla",
    "Belgique",
    "Claire",
    "Jean",
    "Morel",
    "Roux",
    "Noël",
    "Leroy",
    "France",
    "Lisbon",
    "Twin",
    "Monday",
    "Friday",
];

/// Whether a text is shorter and keeps numbers, names and links.
fn keeps(old: &str, new: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|char: char| !char.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(ToOwned::to_owned)
            .collect()
    };
    let kept = words(new);
    let all_there = words(old)
        .into_iter()
        .filter(|word| word.chars().any(char::is_numeric) || NAMES.contains(&word.as_str()))
        .all(|word| kept.contains(&word));
    let links = old.matches("](").count() == new.matches("](").count();
    let of_old = words(old);
    // The word behind one that is gone gets its capital.
    let is_old = |word: &String| of_old.iter().any(|old| old.to_lowercase() == word.to_lowercase());
    let only_old = kept.iter().all(is_old);
    new.chars().count() < old.chars().count() && all_there && links && only_old
}

fn grows_by_facts(old: &str, new: &str, material: &Material) -> bool {
    let mut rest = new[old.len()..].trim().to_owned();
    for fact in &material.facts {
        rest = rest.replace(fact.as_str(), "");
    }
    rest.trim().is_empty()
}

/// Whether something changed that no expectation names.
fn has_collateral(page: &Page, case: &Case, reply: &Reply) -> bool {
    let named: BTreeSet<&str> = case
        .expected
        .iter()
        .filter_map(|expected| expected.split_whitespace().nth(1))
        .map(|target| place(target).0)
        .collect();
    let (before, after) = (&page.document, &reply.document);
    let verbs: Vec<&str> = case.expected.iter().filter_map(|one| one.split_whitespace().next()).collect();
    let moves = |verb: &&str| ["first", "last", "before", "after", "swap"].contains(verb);
    let all = order(before);
    let blocks_changed =
        all.iter().filter(|id| !named.contains(id.as_str())).any(|id| value(before, id) != value(after, id));
    let moved_ids: BTreeSet<&str> = case
        .expected
        .iter()
        .filter(|one| moves(&one.split_whitespace().next().unwrap()))
        .flat_map(|one| one.split_whitespace().skip(1))
        .collect();
    let rest = |document: &Document| -> Vec<String> {
        order(document)
            .into_iter()
            .filter(|id| all.contains(id) && !moved_ids.contains(id.as_str()))
            .collect()
    };
    let removed: BTreeSet<&str> =
        case.expected.iter().filter_map(|one| one.strip_prefix("remove ")).collect();
    let rest_before: Vec<String> =
        rest(before).into_iter().filter(|id| !removed.contains(id.as_str())).collect();
    let rest_after: Vec<String> =
        rest(after).into_iter().filter(|id| !removed.contains(id.as_str())).collect();
    let inserted = order(after).iter().any(|id| !all.contains(id)) && !verbs.contains(&"insert");
    let heads = (before.head != after.head && !verbs.contains(&"head"))
        || (before.context != after.context && !verbs.contains(&"context"));
    blocks_changed || rest_before != rest_after || inserted || heads
}

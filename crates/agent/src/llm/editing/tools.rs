//! The tools of a model that edits a page: the operations of the editor, each with a reason, and how their inputs are read.

use std::sync::LazyLock;

use pagesmith_editor::edit_request::EditRequest;
use pagesmith_editor::operation::HeadField;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::super::dialogue::Tool;
use super::super::prompt;

// What may be null has to be said all the same: a call that is cut short must not clear anything.

/// A call as it was understood.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct EditCall {
    /// What is asked for.
    pub(super) wanted: EditRequest,
    /// Why, in the model's words.
    pub(super) reason: Option<String>,
    /// Whether the page is to be written anew.
    pub(super) writes_anew: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Set {
    block_id: String,
    path: String,
    from: Option<Value>,
    #[serde(deserialize_with = "Option::deserialize")]
    to: Option<Value>,
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Insert {
    block: Value,
    #[serde(deserialize_with = "Option::deserialize")]
    after: Option<String>,
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Remove {
    block_id: String,
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Move {
    block_id: String,
    #[serde(deserialize_with = "Option::deserialize")]
    after: Option<String>,
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SetHead {
    field: HeadField,
    #[serde(deserialize_with = "Option::deserialize")]
    to: Option<String>,
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SetContext {
    #[serde(deserialize_with = "Option::deserialize")]
    to: Option<String>,
    #[serde(default)]
    write_anew: bool,
    reason: Option<String>,
}

/// What a call asks for, or what is wrong about it.
pub(super) fn read(name: &str, input: &str) -> Result<EditCall, String> {
    let asked = |wanted, reason| Ok(EditCall { wanted, reason, writes_anew: false });
    match name {
        "set" => {
            let Set { block_id, path, from, to, reason } = parsed(input)?;
            asked(EditRequest::Set { block_id, path, from, to }, reason)
        }
        "insert" => {
            let Insert { block, after, reason } = parsed(input)?;
            asked(EditRequest::Insert { block, after }, reason)
        }
        "remove" => {
            let Remove { block_id, reason } = parsed(input)?;
            asked(EditRequest::Remove { block_id }, reason)
        }
        "move" => {
            let Move { block_id, after, reason } = parsed(input)?;
            asked(EditRequest::Move { block_id, after }, reason)
        }
        "setHead" => {
            let SetHead { field, to, reason } = parsed(input)?;
            asked(EditRequest::SetHead { field, to }, reason)
        }
        "setContext" => {
            let SetContext { to, write_anew, reason } = parsed(input)?;
            Ok(EditCall { wanted: EditRequest::SetContext { to }, reason, writes_anew: write_anew })
        }
        _ => Err("There is no such tool.".to_owned()),
    }
}

fn parsed<T: DeserializeOwned>(input: &str) -> Result<T, String> {
    serde_json::from_str(input).map_err(|error| format!("The input does not fit: {error}."))
}

/// All tools.
pub(super) fn all() -> &'static [Tool] {
    static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
        let text = |description: &str| json!({ "type": "string", "description": description });
        let maybe = |description: &str| json!({ "type": ["string", "null"], "description": description });
        let block = text("Id of the block.");
        let after = maybe("Id of the block that shall be before it; null for the start of the page.");
        let input = |properties: Value, required: &[&str]| {
            let mut schema = json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
            schema["properties"]["reason"] = text("Why, in a few words, for the owner.");
            schema
        };
        let mut insert = input(json!({ "block": blocks(), "after": after }), &["block", "after"]);
        insert["$defs"] = prompt::schema()["$defs"].clone();
        vec![
            Tool {
                name: "set",
                description: "Sets one field of a block.",
                schema: input(
                    json!({
                        "blockId": block,
                        "path": text("The field, as a JSON pointer into the block, such as /title or /cards/0/text."),
                        "from": { "description": "What stands there now. May be left out." },
                        "to": { "description": "What shall stand there; null to leave the field out." },
                    }),
                    &["blockId", "path", "to"],
                ),
            },
            Tool { name: "insert", description: "Inserts a new block.", schema: insert },
            Tool {
                name: "remove",
                description: "Removes a block.",
                schema: input(json!({ "blockId": block }), &["blockId"]),
            },
            Tool {
                name: "move",
                description: "Moves a block.",
                schema: input(json!({ "blockId": block, "after": after }), &["blockId", "after"]),
            },
            Tool {
                name: "setHead",
                description: "Sets a field of what the page tells browsers and search engines.",
                schema: input(
                    json!({
                        "field": { "enum": ["title", "description", "keywords"], "description": "Keywords are joined by commas." },
                        "to": maybe("What it shall be; null for what the page itself has."),
                    }),
                    &["field", "to"],
                ),
            },
            Tool {
                name: "setContext",
                description: "Sets the notes about the audience, which visitors do not see. Only if the message says for whom the page is.",
                schema: input(
                    json!({
                        "to": maybe("The whole notes as they shall be."),
                        "writeAnew": { "type": "boolean", "description": "Whether the whole page is to be written anew for these readers." },
                    }),
                    &["to"],
                ),
            },
        ]
    });
    &TOOLS
}

/// The schema of a block, without components of free HTML.
fn blocks() -> Value {
    prompt::schema()["properties"]["blocks"]["items"].clone()
}

/// About how many tokens the tools have.
pub(super) fn tokens() -> u64 {
    static TOKENS: LazyLock<u64> = LazyLock::new(|| {
        all()
            .iter()
            .map(|tool| prompt::tokens(tool.description) + prompt::tokens(&tool.schema.to_string()))
            .sum()
    });
    *TOKENS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_a_valid_schema_and_an_operation() {
        for tool in all() {
            assert!(jsonschema::validator_for(&tool.schema).is_ok(), "{}", tool.name);
            assert_ne!(read(tool.name, "{}").unwrap_err(), "There is no such tool.", "{}", tool.name);
            assert!(!tool.schema.to_string().contains("\"html\""), "{}", tool.name);
        }
        assert_eq!(read("publish", "{}").unwrap_err(), "There is no such tool.");
        let asked = read("remove", r#"{"blockId":"faq","reason":"asked for"}"#).unwrap();
        assert_eq!(asked.wanted, EditRequest::Remove { block_id: "faq".to_owned() });
        assert!(read("remove", r#"{"blockId":"faq","html":"<script>"}"#).is_err());
    }
}

//! The input of a call while it comes: when it is complete is told by its brackets.

/// The most bytes of one input.
const MOST_INPUT: usize = 512 * 1024;

/// A call that is being written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Growing {
    /// Its place among the parts of the answer.
    pub(super) index: u64,
    /// The server's name of it.
    pub(super) id: String,
    /// The tool.
    pub(super) name: String,
    /// The input so far.
    pub(super) input: String,
    depth: usize,
    quoted: bool,
    escaped: bool,
}

impl Growing {
    /// A call whose input has not begun.
    pub(super) fn new(index: u64, id: String, name: String) -> Growing {
        Growing { index, id, name, input: String::new(), depth: 0, quoted: false, escaped: false }
    }

    /// Takes more input; whether it is complete. What follows a complete input, or is too long, is left out.
    pub(super) fn push(&mut self, text: &str) -> bool {
        for char in text.chars() {
            if self.input.len() >= MOST_INPUT {
                return true;
            }
            self.input.push(char);
            if self.quoted {
                self.quoted = char != '"' || self.escaped;
                self.escaped = char == '\\' && !self.escaped;
                continue;
            }
            match char {
                '"' => self.quoted = true,
                '{' | '[' => self.depth += 1,
                '}' | ']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            "(\\{|\\}|\\[|\"|\\\\|é|a|\n){0,8}".prop_map(Value::from),
            any::<i32>().prop_map(Value::from)
        ];
        leaf.prop_recursive(3, 20, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[a-z\"{}]{1,4}", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn an_object_is_complete_at_its_last_bracket_however_it_is_cut(value in value(), cuts in prop::collection::vec(0usize..200, 0..5)) {
            let text = json!({ "a": value }).to_string();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| text.floor_char_boundary(cut)).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let mut call = Growing::new(0, String::new(), String::new());
            for pair in cuts.windows(2) {
                let is_complete = call.push(&text[pair[0]..pair[1]]);
                prop_assert_eq!(is_complete, pair[1] == text.len() && pair[0] < pair[1]);
                if is_complete {
                    break;
                }
            }
            prop_assert_eq!(call.input, text);
        }
    }
}

//! JSON with a line for each value, in the order in which it was sent; a parser would sort it.

/// The text, which must be JSON, indented.
pub fn pretty(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    for c in json.chars() {
        if in_string {
            out.push(c);
            in_string = is_escaped || c != '"';
            is_escaped = !is_escaped && c == '\\';
            continue;
        }
        match c {
            '{' | '[' => {
                depth += 1;
                out.push(c);
                new_line(&mut out, depth);
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                out.truncate(out.trim_end().len());
                if !out.ends_with(['{', '[']) {
                    new_line(&mut out, depth);
                }
                out.push(c);
            }
            ',' => {
                out.push(c);
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            c if c.is_whitespace() => {}
            c => {
                in_string = c == '"';
                out.push(c);
            }
        }
    }
    out
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    #[test]
    fn order_and_texts_stay() {
        let json = r#"{"b":[1,{"x": "a,\"{b\\"}],"a":{ }, "c":[]}"#;
        let lines = ["{", "  \"b\": [", "    1,", "    {", "      \"x\": \"a,\\\"{b\\\\\"", "    }", "  ],"];
        let expected = [&lines[..], &["  \"a\": {},", "  \"c\": []", "}"]].concat().join("\n");
        assert_eq!(pretty(json), expected);
    }

    proptest! {
        #[test]
        fn it_is_what_a_parser_prints_when_the_order_is_that_of_the_alphabet(
            texts in prop::collection::vec(any::<String>(), 0..4),
            number in any::<i64>(),
        ) {
            let value = serde_json::json!({ "a": texts, "b": { "c": number, "d": null }, "e": {} });
            let printed: Value = serde_json::from_str(&pretty(&value.to_string())).unwrap();
            prop_assert_eq!(&printed, &value);
            prop_assert_eq!(pretty(&value.to_string()), format!("{value:#}"));
        }
    }
}

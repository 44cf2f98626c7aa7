//! On which line of a configuration file each key stands, for messages and for `config show`.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

/// The lines of the values, from 1, by their keys with points; empty for a text that is not TOML.
pub fn of_keys(text: &str) -> BTreeMap<String, usize> {
    let mut lines = BTreeMap::new();
    if let Ok(table) = DeTable::parse(text) {
        walk(text, "", table.get_ref(), &mut lines);
    }
    lines
}

fn walk(text: &str, prefix: &str, table: &DeTable<'_>, lines: &mut BTreeMap<String, usize>) {
    for (name, value) in table {
        let name_text = name.get_ref();
        let key = if prefix.is_empty() { name_text.to_string() } else { format!("{prefix}.{name_text}") };
        match value.get_ref() {
            DeValue::Table(inner) => walk(text, &key, inner, lines),
            _ => {
                lines.insert(key, text[..name.span().start].matches('\n').count() + 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_its_line_however_it_is_written() {
        let text = "# a comment\nlisten = 'x'\n\n[rate_limit]\nrequests = 1\nwindow = \"\"\"a\nb\"\"\"\n[log]\nlevel = 'x'\n";
        let lines = of_keys(text);
        let of = |key: &str| lines.get(key).copied();
        assert_eq!(
            [of("listen"), of("rate_limit.requests"), of("rate_limit.window"), of("log.level"), of("x")],
            [Some(2), Some(5), Some(6), Some(9), None]
        );
        assert_eq!(
            of_keys("log.level = 'x'\nlimits = { body_timeout = '1s' }").into_values().collect::<Vec<_>>(),
            [2, 1]
        );
        assert!(of_keys("not = [toml").is_empty());
    }
}

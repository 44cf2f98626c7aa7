//! Lists of words in a text file: a name in brackets, then words between bars.

/// The words of the list with that name.
pub fn of(text: &'static str, name: &str) -> Vec<&'static str> {
    let mut lines = text
        .lines()
        .skip_while(|line| line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) != Some(name));
    lines.next();
    let lines = lines.take_while(|line| line.starts_with('|'));
    lines.flat_map(|line| line.trim_matches('|').split('|')).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_the_spaces_between_their_bars() {
        let text = "[a]\n|x|y z |\n|w|\n\n[b]\n|v|\n";
        assert_eq!(of(text, "a"), ["x", "y z ", "w"]);
        assert_eq!(of(text, "b"), ["v"]);
        assert!(of(text, "c").is_empty());
    }
}

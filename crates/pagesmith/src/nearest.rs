//! Which of the known names somebody most likely meant: for messages about a name that nobody knows.

/// The known name that is the fewest slips away from the typed one, if it is near enough to be meant. Of a key with a section the last
/// part counts too: most misplaced keys are written without their section, or in another one.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let slips = |known: &str| {
        let known = known.to_lowercase();
        let whole = strsim::damerau_levenshtein(&typed, &known);
        let is_same_key = last(&typed) == last(&known) && last(&known) != known;
        // A key in a wrong section is as near as one slip.
        if is_same_key { whole.min(1) } else { whole }
    };
    let allowed = (typed.chars().count() / 3).max(1);
    let near = known.into_iter().map(|known| (slips(known), known)).filter(|(slips, _)| *slips <= allowed);
    near.min_by_key(|(slips, _)| *slips).map(|(_, known)| known)
}

/// A question about the name that was meant, or nothing.
pub fn did_you_mean<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(typed, known).map(|known| format!("; did you mean {known}?")).unwrap_or_default()
}

fn last(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_unless_none_is_near() {
        let known = ["listen", "rate_limit.requests", "rate_limit.window", "log.level", "database"];
        for (typed, meant) in [
            ("listn", Some("listen")),
            ("LISTEN", Some("listen")),
            ("rate_limit.request", Some("rate_limit.requests")),
            ("ratelimit.requests", Some("rate_limit.requests")),
            ("requests", Some("rate_limit.requests")),
            ("logging.level", Some("log.level")),
            ("databse", Some("database")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, known), meant, "{typed}");
        }
        assert_eq!(did_you_mean("listn", known), "; did you mean listen?");
        assert_eq!(did_you_mean("colour", known), "");
    }
}

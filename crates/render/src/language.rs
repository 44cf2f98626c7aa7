//! The language of a page, and which way it is read.

/// Languages that are read from right to left wherever their script is not named.
const RIGHT_TO_LEFT: [&str; 13] =
    ["ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "ps", "sd", "ug", "ur", "yi"];

/// Scripts that are read from right to left.
const SCRIPTS: [&str; 8] = ["adlm", "arab", "hebr", "mand", "nkoo", "rohg", "syrc", "thaa"];

/// A language by its tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Language(String);

impl Language {
    /// The language of a BCP 47 tag; English if it is none.
    pub fn of(tag: Option<&str>) -> Language {
        let is_tag = |tag: &&str| {
            let mut parts = tag.split('-');
            let primary = parts.next().unwrap_or_default();
            tag.len() <= 40
                && (2..=3).contains(&primary.len())
                && primary.bytes().all(|byte| byte.is_ascii_alphabetic())
                && parts.all(|part| {
                    (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
                })
        };
        Language(tag.filter(is_tag).unwrap_or("en").to_owned())
    }

    /// Its tag.
    pub fn tag(&self) -> &str {
        &self.0
    }

    /// Whether it is read from right to left.
    pub fn is_right_to_left(&self) -> bool {
        let mut parts = self.0.split('-');
        let primary = parts.next().unwrap_or_default();
        let script =
            parts.find(|part| part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_alphabetic()));
        let among = |known: &[&str], name: &str| known.iter().any(|one| one.eq_ignore_ascii_case(name));
        script.map_or_else(|| among(&RIGHT_TO_LEFT, primary), |script| among(&SCRIPTS, script))
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn direction_follows_the_script_where_it_is_named() {
        for (tag, is_right_to_left) in [
            ("ar", true),
            ("he-IL", true),
            ("az-Arab", true),
            ("pa-Arab-PK", true),
            ("en", false),
            ("ur-Latn", false),
        ] {
            assert_eq!(Language::of(Some(tag)).is_right_to_left(), is_right_to_left, "{tag}");
        }
    }

    #[test]
    fn what_is_no_tag_is_english() {
        for bad in ["", "x", "english", "en\"", "en us", "é", "en-", "en-123456789"] {
            assert_eq!(Language::of(Some(bad)).tag(), "en", "{bad}");
        }
        assert_eq!(Language::of(Some("pt-BR")).tag(), "pt-BR");
        assert_eq!(Language::of(None).tag(), "en");
    }
}
